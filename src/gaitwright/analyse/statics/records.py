"""What statics speaks of: forces in a pose, what is unbalanced, a step, small motions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.system.tables import Array


class Forces(NamedTuple):
    """Forces in a pose, J. free: what joints and drives do not hold. size: the largest single force or reaction.

    lam: multipliers, zero for redundant rows. jacobian: entries of Phi_q in its independent rows, in scaled
    coordinates, each row made a unit vector."""

    free: Array
    lam: Array
    jacobian: Array
    size: float

    @property
    def unbalanced(self) -> float:
        """The largest free force relative to the largest force."""
        return float(np.max(np.abs(self.free), initial=0.0)) / self.size if self.size > 0 else 0.0


class Imbalance(NamedTuple):
    """Phi_q^T lambda - Q (J, scaled coordinates) and Phi with the rows of Phi_q made unit vectors. length: that they had.
    reaction: the largest single one, J."""

    force: Array
    gap: Array
    jacobian: Array
    length: Array
    reaction: float


class Step(NamedTuple):
    """A direction in scaled coordinates, the regularisation mu it took (0: Newton's own), and K on its pattern, J."""

    direction: Array
    mu: float
    stiffness: Array


class Reduced(NamedTuple):
    """Small motions q + basis y about a pose, on what joints and drives leave free:  M y'' + C y' + K y = 0.

    basis: (n, f), m and rad, orthonormal in scaled coordinates, so M (kg m^2), C (J s) and K (J) are (f, f).
    symmetric: K is so; not under follower loads. noise: what counts as zero in K, J."""

    M: Array
    C: Array
    K: Array
    basis: Array
    symmetric: bool
    noise: float
