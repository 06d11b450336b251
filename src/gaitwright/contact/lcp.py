"""The linear complementarity problem: contact without penalty.

    w = A z + b,    z >= 0,    w >= 0,    z . w = 0

In rigid contact z holds impulses (N s, pushing the bodies apart), w the relative normal velocities after the impact
(m/s, positive when separating), b those without contact, and A = H M^-1 H^T is the Delassus matrix (1/kg). The solvers do not
use this meaning: A is any square matrix. Note the sign: textbooks write q + M z for our b + A z.

Two methods:

- `lemke` pivots to a solution and is exact up to rounding. It solves every problem with A symmetric or unsymmetric
  positive semidefinite, with A a P-matrix or strictly copositive, singular and degenerate ones included (redundant
  contacts), or proves that there is no solution. Cost: 4 n^2 multiplications per pivot, about n pivots, though problems
  with 2^n pivots exist. Recommended up to some hundred unknowns.
- `projected_gauss_seidel` sweeps over the rows. It converges for A symmetric positive definite; Newton's method takes over
  for slow sweeps (impulse_newton.py). It cannot detect a problem without solution. It starts from a guess, supports
  two-sided bounds and Coulomb's friction, for which the bound is mu times another unknown. Recommended for many contacts and
  coarse tolerances.

Lemke's method adds a multiple z0 of a covering vector d > 0 to b until w = A z + b + d z0 >= 0 holds with z = 0, and then
drives z0 to zero along a path of solutions, always entering the complement of the variable that left. Ties of the
ratio test are resolved lexicographically by the rows of B^-1, so that (in exact arithmetic) no basis occurs twice. The path
ends with z0 = 0, a solution, or on a ray, along which (z, w, z0) may grow without bound in the direction (y, A y + d y0,
y0). For A copositive-plus (u . A u >= 0 for all u >= 0, with equality only if (A + A^T) u = 0; positive semidefinite
matrices are) a ray has y0 = 0 and

    y >= 0,    A^T y <= 0,    b . y < 0

which by Farkas' lemma excludes any z >= 0 with A z + b >= 0, as 0 <= y . (A z + b) = z . A^T y + b . y < 0 would follow.
`solve_lcp` checks these three conditions numerically and relies on nothing else. For other matrices a ray proves
nothing.

Units of different rows may differ by orders of magnitude (m/s and rad/s). `lemke` therefore works with D A D and D b, D a
diagonal of powers of two that brings the largest entry of each row and column near one: solutions, classes of matrices
and certificates are preserved, and tolerances become meaningful. The covering vector d is chosen there, so that the path does
not depend on the units. The steps of Gauss-Seidel do not depend on units; `solve_lcp` scales for it so that its tolerance does
not either.

Entries of d are unevenly distributed between one and two. If all are one, nearly equal rows stay tied along the path, such
as tangents of the feet of a box that stands flat except for 1e-6 rad; pivots on their differences, of 1e-6 and its square,
turned the following ones into noise: three to nine of a hundred such problems failed (and Murty's took 2^n pivots). If a path
still fails, one in a thousand, another d is tried, and a third.

Sources: C. E. Lemke, Management Science 11 (1965) 681-689; R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear
Complementarity Problem, Academic Press 1992, section 4.4 (Algorithm 4.4.5; rays and copositive-plus matrices, Theorem
4.4.11 and after) and section 4.9 (lexicographic rule); V. Acary and B. Brogliato, Numerical Methods for Nonsmooth
Dynamical Systems, Springer 2008 (projected Gauss-Seidel); D. Ruiz, RAL-TR-2001-034 (scaling).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.gauss_seidel import projected_gauss_seidel
from gaitwright.contact.lemke import (
    STATUS_INACCURATE,
    STATUS_LIMIT,
    STATUS_NO_DIAGONAL,
    STATUS_RAY,
    STATUS_SOLVED,
    WORK_TARGET,
    equilibrate,
    lemke,
    lemke_workspace,
)

Vector = NDArray[np.float64]
LcpStatus = Literal["solved", "ray", "limit"]

LCP_CONTEXT = ErrorContext("solve_lcp")
INFEASIBILITY_RTOL = (
    1e-11  # largest violation of A^T y <= 0 relative to |b . y|: 1e-12 occurred in 2400 proofs with singular A
)


@dataclass(frozen=True, slots=True)
class LcpResult:
    """Result of `solve_lcp`.

    z, w: (n,), with w = A z + b. A solution only if status is "solved"; otherwise the last point reached.
    status: "solved"; "ray": Lemke's method ended on a ray; "limit": stopped without an answer (see message).
    iterations: pivots (lemke) or sweeps (pgs).
    residual: largest |min(z_i, w_i)|, in the units of the data; zero at a solution.
    certificate: (n,) y >= 0 with A^T y <= 0 and b . y < 0, checked up to rounding: proof that no z >= 0 has A z + b >= 0
        (strictly: none below 1e11 times the size of the data). Or None.
    ray: (n,) direction of z along the ray (largest entry 1), also if it proves nothing; None without a ray.
    message: one sentence.
    """

    z: Vector
    w: Vector
    status: LcpStatus
    iterations: int
    residual: float
    certificate: Vector | None
    ray: Vector | None
    message: str


def solve_lcp(
    A: ArrayLike,
    b: ArrayLike,
    method: Literal["lemke", "pgs"] = "lemke",
    tolerance: float = 1e-10,
    max_iterations: int | None = None,
) -> LcpResult:
    """Find z >= 0 with w = A z + b >= 0 and z . w = 0, or report why there is none.

    A: (n, n), b: (n,), real and finite; n = 0 is allowed. method: see the module docstring. tolerance: largest accepted
    violation after scaling of rows and columns to entries near one and of b to at most one. max_iterations: pivots
    (default 1000 + 50 n) or sweeps (default 10 000). A solution need not be unique; this returns one.
    A problem without a solution gives a result with a status; only invalid input raises ModelError.
    Failing to find a solution is a result with a status; only wrong input raises (ModelError).
    """
    A, b = _validate_problem(A, b)
    if method not in LCP_METHODS:
        LCP_CONTEXT["method"].fail("no such method", method, " or ".join(LCP_METHODS))
    if not (isinstance(tolerance, (int, float)) and 0 < tolerance < math.inf):
        LCP_CONTEXT["tolerance"].fail("not a tolerance", tolerance, "a positive number")
    if max_iterations is None:
        max_iterations = 10_000 if method == "pgs" else 1000 + 50 * b.size
    if isinstance(max_iterations, bool) or not isinstance(max_iterations, (int, np.integer)) or max_iterations < 1:
        LCP_CONTEXT["max_iterations"].fail("not a number of iterations", max_iterations, "an integer of at least 1")
    with np.errstate(over="ignore", invalid="ignore"):  # the status reports divergence and overflow
        return LCP_METHODS[method](A, b, float(tolerance), int(max_iterations))


def _validate_problem(A: ArrayLike, b: ArrayLike) -> tuple[Vector, Vector]:
    A, b = _validate_array(A, "A"), _validate_array(b, "b")
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        LCP_CONTEXT["A"].fail("wrong shape", A.shape, "a square matrix")
    if b.shape != A.shape[:1]:
        LCP_CONTEXT["b"].fail("wrong shape", b.shape, f"shape {A.shape[:1]}, one entry per row of A")
    return A, b


def _validate_array(value: ArrayLike, field: str) -> Vector:
    try:
        if value is None or np.iscomplexobj(value):  # NumPy would convert None to NaN and drop the imaginary part
            raise TypeError
        array = np.array(value, dtype=float, order="C")
    except (TypeError, ValueError):
        LCP_CONTEXT[field].fail("not an array of real numbers", value, "a dense array")
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        place = tuple(bad[0].tolist())
        LCP_CONTEXT[field].fail(f"entry {list(place)} is not finite", float(array[place]), "finite numbers")
    return array


def _scale_problem(A: Vector, b: Vector) -> tuple[Vector, Vector, Vector, float]:
    """A and b scaled to entries of at most about one, the scale of the rows, and the unit of b."""
    scale = np.ones(b.size)
    equilibrate(A, scale, np.zeros(b.size))
    unit = float(np.max(np.abs(scale * b), initial=0.0)) or 1.0
    return scale[:, None] * A * scale, scale * b / unit, scale, unit


def _solve_lemke(A: Vector, b: Vector, tolerance: float, max_pivots: int) -> LcpResult:
    n = b.size
    z = np.zeros(n)
    tableau, basis = lemke_workspace(n)
    code, pivots = lemke(A, b, z, tableau, basis, max_pivots)
    if code == STATUS_RAY:
        y = tableau[n + WORK_TARGET, :n] / tableau[n + WORK_TARGET, :n].max()
        if _proves_infeasible(A, b, y):
            message = "no z >= 0 has A z + b >= 0: the certificate y >= 0 has A^T y <= 0 and b . y < 0"
            return _unscaled_result(A, b, z, "ray", pivots, message, ray=y, certificate=y)
        message = (
            "Lemke's method ended on a ray, which proves nothing because A is not copositive-plus "
            "(or its rounding errors hide that it is): a solution may exist"
        )
        return _unscaled_result(A, b, z, "ray", pivots, message, ray=y)
    if code == STATUS_LIMIT:
        return _unscaled_result(
            A, b, z, "limit", pivots, f"no answer after {pivots} pivots, the most allowed by max_iterations"
        )
    scaled_A, scaled_b, scale, unit = _scale_problem(A, b)
    scaled_z = z / scale / unit
    violation = np.abs(np.minimum(scaled_z, scaled_A @ scaled_z + scaled_b))
    if code == STATUS_INACCURATE or np.any(violation > tolerance * np.maximum(1.0, np.abs(scaled_A) @ scaled_z)):
        message = f"rounding errors spoiled {pivots} pivots: A is too ill-conditioned for this tolerance"
        return _unscaled_result(A, b, z, "limit", pivots, message)
    return _unscaled_result(A, b, z, "solved", pivots, f"solved with {pivots} pivots")


def _proves_infeasible(A: Vector, b: Vector, y: Vector) -> bool:
    """True if y >= 0, A^T y <= 0, b . y < 0 up to rounding: the sum of a scaled z would have to exceed
    1 / INFEASIBILITY_RTOL."""
    scaled_A, scaled_b, scale, _ = _scale_problem(A, b)
    scaled_y = y / scale
    gain = float(scaled_b @ scaled_y)
    rounding = 4 * b.size * np.finfo(float).eps * float(np.abs(scaled_b) @ scaled_y)
    return bool(np.all(y >= 0) and gain < -rounding and np.max(scaled_A.T @ scaled_y) <= INFEASIBILITY_RTOL * -gain)


def _solve_gauss_seidel(A: Vector, b: Vector, tolerance: float, max_sweeps: int) -> LcpResult:
    n = b.size
    scaled_A, scaled_b, scale, unit = _scale_problem(A, b)
    scaled_z = np.zeros(n)
    lower, upper, no_friction = np.zeros(n), np.full(n, np.inf), np.full(n, -1)
    code, sweeps = projected_gauss_seidel(
        scaled_A, scaled_b, lower, upper, no_friction, scaled_z, tolerance, max_sweeps
    )
    if code == STATUS_NO_DIAGONAL:
        row = sweeps
        LCP_CONTEXT["A"].fail(
            f"projected Gauss-Seidel divides by the diagonal, and entry [{row}, {row}] is {A[row, row]:g}",
            expected="a positive diagonal, or method 'lemke'",
        )
    z = scale * scaled_z * unit
    if code == STATUS_SOLVED:
        return _unscaled_result(A, b, z, "solved", sweeps, f"solved with {sweeps} sweeps")
    if sweeps < max_sweeps:
        message = f"the sweeps diverge (stopped after {sweeps}): try method 'lemke'"
    else:
        message = f"not converged after {sweeps} sweeps: raise max_iterations, or try method 'lemke'"
    return _unscaled_result(A, b, z, "limit", sweeps, message)


LCP_METHODS: dict[str, Any] = {"lemke": _solve_lemke, "pgs": _solve_gauss_seidel}


def _unscaled_result(
    A: Vector,
    b: Vector,
    z: Vector,
    status: LcpStatus,
    iterations: int,
    message: str,
    ray: Vector | None = None,
    certificate: Vector | None = None,
) -> LcpResult:
    w = A @ z + b
    residual = float(np.max(np.abs(np.minimum(z, w)), initial=0.0))
    if status == "solved" and not math.isfinite(residual):
        status, message = "limit", "the solution is too large for floating-point numbers"
    return LcpResult(z, w, status, iterations, residual, certificate, ray, message)
