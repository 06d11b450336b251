"""Which free motions about a pose give way most easily, and how many push away from it or meet no stiffness."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.statics.linearise import EXACT, AtRest
from gaitwright.analyse.statics.saddle import KNOWN
from gaitwright.system.tables import Array

FEW = 40
"""Number of coordinates up to which eigenvalues are found by dense matrices, which is faster there."""
MOST = 40
"""Of the softest motions that are asked for in vain: if signs of pivots still do not fit, more would not either."""
SHIFT = 1e-13
"""Of the stiffness, relative to the largest, where it is exactly singular: what a factorisation rounds it by."""
BLIND = 1e20
"""What the inverse of a stiffness may be, relative to that of the largest one: beyond, the softest motions hide all others."""
ACCURATE = 1e-6
"""Relative, of eigenvalues: their signs and which of them are noise is all that is asked."""
REAL = 1e-8
"""Imaginary part of an eigenvalue, relative to its size, that is rounding of a real one."""


class Softest(NamedTuple):
    """The free motions with the smallest stiffness, in size, J, one per row of shapes (m, rad). noise: what counts as none,
    J. negative, neutral: how many of all free motions have a negative one or none; -1 if that could not be found out."""

    stiffness: Array
    shapes: Array
    noise: Array
    negative: int
    neutral: int


def softest(rest: AtRest, q: Array, lam: Array, count: int = 6) -> Softest:
    """The free motions about the pose q that give way most easily. Complex pairs (follower loads) are left out."""
    if rest.s.n == rest.s.m:
        return Softest(np.zeros(0), np.zeros((0, rest.s.n)), np.zeros(0), 0, 0)
    if rest.s.n <= FEW:
        reduced = rest.reduced(q, lam)
        values, vectors = np.linalg.eigh(reduced.K) if reduced.symmetric else np.linalg.eig(reduced.K)
        return _sorted(rest, rest.stiffness(q, lam), values, reduced.basis @ vectors)
    return _many(rest, q, lam, count)


def _many(rest: AtRest, q: Array, lam: Array, count: int) -> Softest:
    """The same without dense matrices: the largest eigenvalues of the inverse, x -> y of

        [ K      Phi_q^T ] [ y ]   [ x ]
        [ Phi_q  0       ] [ . ] = [ 0 ]

    which vanishes on what joints hold. The signs of pivots, or that of the determinant (is the number of negative ones even
    or odd?), tell whether one that is far from zero was overlooked."""
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigs, eigsh

    n, m = rest.s.n, rest.s.m
    stiffness, jacobian = rest.stiffness(q, lam), rest.jacobian(q)[0]
    unit = max(float(np.max(np.abs(stiffness), initial=0.0)), 1e-300)
    symmetric = rest.is_symmetric(stiffness)
    if rest.matrix.large and not np.any(stiffness):
        return Softest(np.zeros(1), np.zeros((1, n)), np.zeros(1), 0, n - m)
    if rest.matrix.all_above(KNOWN, stiffness / unit, jacobian):
        return Softest(np.zeros(0), np.zeros((0, n)), np.zeros(0), 0, 0)
    find: Any = eigsh if symmetric else eigs
    begin, none = np.random.default_rng(0).standard_normal(n), np.zeros(m)
    for shift in (0.0, SHIFT):
        try:
            given = stiffness / unit, jacobian, shift
            keeps = rest.matrix.keeps and not symmetric
            found = rest.matrix.near(*given, EXACT, False) if keeps else rest.matrix.factor(*given, symmetric)
        except RuntimeError:
            continue
        if not np.max(np.abs(found.solve(begin, none)[0])) < BLIND:
            continue
        first: Any = lambda x, found=found: found.solve(np.ravel(x), none)[0]  # noqa: E731
        inverse: Any = LinearOperator((n, n), matvec=first, dtype=float)  # type: ignore[call-arg]
        while True:
            count = min(count, n - m, n - 2)
            try:
                values, vectors = find(inverse, k=count, which="LM", v0=begin, tol=ACCURATE)
            except ArpackError:
                break
            if found.fits(int(np.sum(values.real < 0.0))) or count in (n - m, n - 2) or count > MOST:
                return _sorted(rest, stiffness, unit * (1.0 / values - shift), vectors * rest.scale[:, None])
            count *= 2
    return Softest(np.zeros(0), np.zeros((0, n)), np.zeros(0), -1, -1)


def _sorted(rest: AtRest, stiffness: Array, values: Any, vectors: Any) -> Softest:
    """The real ones among eigenvalues, smallest size first."""
    real = np.abs(values.imag) <= REAL * np.abs(values)
    order = np.flatnonzero(real)[np.argsort(np.abs(values[real]))]
    found, shapes = values[order].real, vectors[:, order].real.T
    noise = rest.noise(stiffness, shapes)
    return Softest(found, shapes, noise, int(np.sum(found < -noise)), int(np.sum(np.abs(found) <= noise)))
