"""Solutions with a matrix that has changed a little, by the factors of one before: generalised minimal residuals.

    A x = b        A_0^-1 A x = A_0^-1 b,   with factors of A_0

Where the stiffness A differs from A_0 by a fifth, every solution with the factors gains about a digit. One costs a tenth of new
factors for 10,000 nodes of a solid, less for more. What is made small is A_0^-1 (b - A x), the error in coordinates, not in
forces. A need not be symmetric: under a pressure that follows the surface, factors of the symmetric part do.

A direction along which A and A_0 differ in sign, a motion that has become unstable, shows as a negative eigenvalue of
A_0^-1 A on the small subspace, if the solution has a part in it. That is no proof that there is none: signs of pivots are, and
who needs them factorises.

Source: Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869. Left: conjugate gradients, which are for symmetric
matrices alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Array = np.ndarray
Linear = Callable[[Array], Array]


class Iterated(NamedTuple):
    """count: how many solutions with the factors it took, without the first. turned: whether A and A_0 differ in sign
    somewhere."""

    x: Array
    count: int
    turned: bool


def iterate(apply: Linear, by: Linear, b: Array, tolerance: float, most: int) -> Iterated | None:
    """The solution with an error of `tolerance` relative to itself; None where it takes more than `most` solutions by the
    factors. apply: x -> A x. by: b -> A_0^-1 b."""
    if not b.any():
        return Iterated(np.zeros_like(b), 0, False)
    first = by(b)
    size = float(np.linalg.norm(first))
    if not np.isfinite(size):
        return None
    if size == 0.0:  # so small that its square is none
        return Iterated(first, 0, False)
    basis, H = [first / size], np.zeros((most + 1, most))
    for k in range(most - 1):
        new = by(apply(basis[k]))
        for i, old in enumerate(basis):
            H[i, k] = old @ new
            new -= H[i, k] * old
        H[k + 1, k] = np.linalg.norm(new)
        wanted = np.zeros(k + 2)
        wanted[0] = size
        parts = np.linalg.lstsq(H[: k + 2, : k + 1], wanted, rcond=None)[0]
        left = float(np.linalg.norm(wanted - H[: k + 2, : k + 1] @ parts))
        if not np.isfinite(left):
            return None
        if left <= tolerance * size:
            turned = bool(np.any(np.linalg.eigvals(H[: k + 1, : k + 1]).real <= 0.0))
            return Iterated(np.array(basis).T @ parts, k + 1, turned)
        basis.append(new / H[k + 1, k])
    return None
