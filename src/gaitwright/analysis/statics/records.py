"""Data structures of statics: forces in a pose, imbalance, step, reduced motions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mechanism.tables import Array


class StaticForces(NamedTuple):
    """Forces in a pose, J. free: part that joints and drives do not hold. size: the largest single force or reaction.

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


class StaticImbalance(NamedTuple):
    """Phi_q^T lambda - Q (J, scaled coordinates) and Phi, with the rows of Phi_q normalised. length: original row lengths.
    reaction: the largest single reaction, J."""

    force: Array
    gap: Array
    jacobian: Array
    length: Array
    reaction: float


class NewtonDirection(NamedTuple):
    """A direction in scaled coordinates, its regularisation mu (0: Newton's own), and K on its pattern, J."""

    direction: Array
    mu: float
    stiffness: Array


class ReducedMotions(NamedTuple):
    """Small motions q + basis y about a pose, in the degrees of freedom left by joints and drives:  M y'' + C y' + K y = 0.

    basis: (n, f), m and rad, orthonormal in scaled coordinates, so M (kg m^2), C (J s) and K (J) are (f, f).
    symmetric: True if K is symmetric; False under follower loads. noise: stiffness that counts as zero, J."""

    M: Array
    C: Array
    K: Array
    basis: Array
    symmetric: bool
    noise: float
