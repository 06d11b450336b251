"""Generalised minimal residuals: solutions with a slightly changed matrix, preconditioned by the factors of an earlier one.

    A x = b        A_0^-1 A x = A_0^-1 b,   with factors of A_0

If the stiffness A differs from A_0 by a fifth, every solution with the factors gains about a digit. One solution costs a tenth
of new factors for 10,000 nodes of a solid, less for more. The minimised residual is A_0^-1 (b - A x), the error in coordinates,
not in forces. A need not be symmetric: for a pressure that follows the surface, factors of the symmetric part suffice.

A direction along which A and A_0 differ in sign, a motion that has become unstable, appears as a negative eigenvalue of
A_0^-1 A on the small subspace, if the solution has a component along it. A missing negative eigenvalue proves nothing: a caller
that needs a proof must factorise, since the signs of pivots are conclusive.
Source: Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869. Rejected: conjugate gradients, which need symmetric
matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Array = np.ndarray
LinearMap = Callable[[Array], Array]


class GmresSolution(NamedTuple):
    """count: number of solutions with the factors, without the first. turned: True if A and A_0 differ in sign along some
    direction."""

    x: Array
    count: int
    turned: bool


def solve_gmres(
    apply: LinearMap, by: LinearMap, b: Array, tolerance: float, max_solutions: int
) -> GmresSolution | None:
    """The solution with an error of `tolerance` relative to itself; None if it needs more than `max_solutions` solutions with
    the factors. apply: x -> A x. by: b -> A_0^-1 b."""
    if not b.any():
        return GmresSolution(np.zeros_like(b), 0, False)
    first = by(b)
    size = float(np.linalg.norm(first))
    if not np.isfinite(size):
        return None
    if size == 0.0:  # so small that its square underflows
        return GmresSolution(first, 0, False)
    basis, H = [first / size], np.zeros((max_solutions + 1, max_solutions))
    for k in range(max_solutions - 1):
        new = by(apply(basis[k]))
        for i, old in enumerate(basis):
            H[i, k] = old @ new
            new -= H[i, k] * old
        H[k + 1, k] = np.linalg.norm(new)
        target = np.zeros(k + 2)
        target[0] = size
        parts = np.linalg.lstsq(H[: k + 2, : k + 1], target, rcond=None)[0]
        residual = float(np.linalg.norm(target - H[: k + 2, : k + 1] @ parts))
        if not np.isfinite(residual):
            return None
        if residual <= tolerance * size:
            turned = bool(np.any(np.linalg.eigvals(H[: k + 1, : k + 1]).real <= 0.0))
            return GmresSolution(np.array(basis).T @ parts, k + 1, turned)
        basis.append(new / H[k + 1, k])
    return None
