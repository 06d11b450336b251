"""The softest free motions about a pose, and the numbers of those with negative or zero stiffness."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.analysis.statics.resting_mechanism import SOLUTION_RTOL, RestingMechanism
from gaitwright.analysis.statics.saddle_point import MIN_SIGNED_STIFFNESS
from gaitwright.mechanism.tables import Array

MAX_DENSE_COORDINATES = 40
"""Number of coordinates up to which eigenvalues are computed with dense matrices, which is faster there."""
MAX_SOUGHT_MOTIONS = 40
"""Limit of computed soft motions: if the signs of pivots are still inconsistent, more motions would not help."""
SINGULAR_SHIFT_RATIO = 1e-13
"""Shift of an exactly singular stiffness, relative to the largest: rounding error of a factorisation."""
MAX_INVERSE_RATIO = 1e20
"""Largest inverse stiffness, relative to that of the largest one: above it, the softest motions hide all others."""
EIGENVALUE_RTOL = 1e-6
"""Relative accuracy of eigenvalues: only their signs, and which of them are noise, are needed."""
REAL_EIGENVALUE_RTOL = 1e-8
"""Imaginary part of an eigenvalue, relative to its size, that counts as rounding error of a real one."""


class SoftestMotions(NamedTuple):
    """The free motions with the smallest absolute stiffness, J, one per row of shapes (m, rad). noise: stiffness that counts as
    zero, J. negative, neutral: numbers of all free motions with negative or zero stiffness; -1 if unknown."""

    stiffness: Array
    shapes: Array
    noise: Array
    negative: int
    neutral: int


def find_softest_motions(rest: RestingMechanism, q: Array, lam: Array, count: int = 6) -> SoftestMotions:
    """The softest free motions about the pose q. Complex pairs (follower loads) are left out."""
    if rest.s.n == rest.s.m:
        return SoftestMotions(np.zeros(0), np.zeros((0, rest.s.n)), np.zeros(0), 0, 0)
    if rest.s.n <= MAX_DENSE_COORDINATES:
        reduced = rest.reduced(q, lam)
        values, vectors = np.linalg.eigh(reduced.K) if reduced.symmetric else np.linalg.eig(reduced.K)
        return _sort_real_motions(rest, rest.stiffness(q, lam), values, reduced.basis @ vectors)
    return _find_by_inverse_iteration(rest, q, lam, count)


def _find_by_inverse_iteration(rest: RestingMechanism, q: Array, lam: Array, count: int) -> SoftestMotions:
    """Softest motions without dense matrices: the largest eigenvalues of the inverse, x -> y of

        [ K      Phi_q^T ] [ y ]   [ x ]
        [ Phi_q  0       ] [ . ] = [ 0 ]

    which vanishes on constrained motions. The signs of pivots, or the sign of the determinant (parity of the number of negative
    eigenvalues), show if an eigenvalue far from zero was missed."""
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigs, eigsh

    n, m = rest.s.n, rest.s.m
    stiffness, jacobian = rest.stiffness(q, lam), rest.jacobian(q)[0]
    unit = max(float(np.max(np.abs(stiffness), initial=0.0)), 1e-300)
    symmetric = rest.is_symmetric(stiffness)
    if rest.matrix.large and not np.any(stiffness):
        return SoftestMotions(np.zeros(1), np.zeros((1, n)), np.zeros(1), 0, n - m)
    if rest.matrix.is_stiffer_than(MIN_SIGNED_STIFFNESS, stiffness / unit, jacobian):
        return SoftestMotions(np.zeros(0), np.zeros((0, n)), np.zeros(0), 0, 0)
    find: Any = eigsh if symmetric else eigs
    begin, none = np.random.default_rng(0).standard_normal(n), np.zeros(m)
    for shift in (0.0, SINGULAR_SHIFT_RATIO):
        try:
            matrix = stiffness / unit, jacobian, shift
            keeps = rest.matrix.keeps and not symmetric
            factors = (
                rest.matrix.approximate_factors(*matrix, SOLUTION_RTOL, False)
                if keeps
                else rest.matrix.factor(*matrix, symmetric)
            )
        except RuntimeError:
            continue
        if not np.max(np.abs(factors.solve(begin, none)[0])) < MAX_INVERSE_RATIO:
            continue
        first: Any = lambda x, factors=factors: factors.solve(np.ravel(x), none)[0]  # noqa: E731
        inverse: Any = LinearOperator((n, n), matvec=first, dtype=float)  # type: ignore[call-arg]
        while True:
            count = min(count, n - m, n - 2)
            try:
                values, vectors = find(inverse, k=count, which="LM", v0=begin, tol=EIGENVALUE_RTOL)
            except ArpackError:
                break
            if factors.fits(int(np.sum(values.real < 0.0))) or count in (n - m, n - 2) or count > MAX_SOUGHT_MOTIONS:
                return _sort_real_motions(rest, stiffness, unit * (1.0 / values - shift), vectors * rest.scale[:, None])
            count *= 2
    return SoftestMotions(np.zeros(0), np.zeros((0, n)), np.zeros(0), -1, -1)


def _sort_real_motions(rest: RestingMechanism, stiffness: Array, values: Any, vectors: Any) -> SoftestMotions:
    """Real eigenvalues, smallest absolute value first."""
    real = np.abs(values.imag) <= REAL_EIGENVALUE_RTOL * np.abs(values)
    order = np.flatnonzero(real)[np.argsort(np.abs(values[real]))]
    stiffnesses, shapes = values[order].real, vectors[:, order].real.T
    noise = rest.noise(stiffness, shapes)
    return SoftestMotions(
        stiffnesses, shapes, noise, int(np.sum(stiffnesses < -noise)), int(np.sum(np.abs(stiffnesses) <= noise))
    )
