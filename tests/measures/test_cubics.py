"""Piecewise cubics of many designs, compared with SciPy's and with polynomials."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.interpolate import CubicSpline

from gaitwright.codegen.cuda_library import unavailable_reason
from gaitwright.measures.cubics import (
    CubicSegments,
    find_turning_points,
    find_zeros,
    integrate_absolute,
    maximum_at,
    spline_curves,
    spline_slopes,
)


@pytest.fixture(scope="module")
def wave():
    t = np.arange(25.0)
    return np.stack([np.sin(t / 3 + k) * (1 + k) for k in range(4)], axis=1)


def test_splines_are_those_of_scipy(wave):
    of, exact = spline_curves(np, wave).segments, CubicSpline(np.arange(25.0), wave)
    u = np.array([[0.37]])
    np.testing.assert_allclose(of.value(u), exact(np.arange(24) + 0.37), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(of.integral(1.0).sum(axis=0), exact.integrate(0, 24), rtol=1e-12)
    np.testing.assert_allclose(spline_slopes(25) @ wave, exact(np.arange(25), 1), atol=1e-12)


def test_extremes_between_samples(wave):
    found, exact = spline_curves(np, wave), CubicSpline(np.arange(25.0), wave)
    of = found.segments
    fine = exact(np.linspace(0, 24, 200001))
    np.testing.assert_allclose(found.least, fine.min(axis=0), atol=1e-8)
    np.testing.assert_allclose(found.greatest, fine.max(axis=0), atol=1e-8)
    place, u = find_turning_points(np, of)
    np.testing.assert_allclose(of.at(place).slope(u), 0.0, atol=1e-13)
    assert u.size == sum(
        np.sum(np.isfinite(r)) for r in exact.derivative().roots(extrapolate=False, discontinuity=False)
    )


def test_integrals_of_absolute_values():
    generator = np.random.default_rng(0)
    of = CubicSegments(*generator.uniform(-1, 1, (4, 60)) * np.array([[0.3], [1], [2], [2]]))
    low, high = np.zeros(60), generator.uniform(0.3, 1, 60)
    found = integrate_absolute(np, of, low, high)
    for k in range(60):
        one = Polynomial([c[k] for c in of])
        roots = [r.real for r in one.roots() if abs(r.imag) < 1e-12 and 0 < r.real < high[k]]
        wanted = np.abs(np.diff(one.integ()(np.array([0.0, *sorted(roots), high[k]])))).sum()
        assert found[k] == pytest.approx(wanted, abs=1e-13)


def test_zeros():
    of = CubicSegments(np.array([-0.2, 0.5]), np.array([1.0, -1.0]), np.array([0.3, 0.0]), np.array([0.1, -0.4]))
    u = find_zeros(np, of, np.zeros(2), np.ones(2))
    np.testing.assert_allclose(of.value(u), 0.0, atol=1e-15)


def greatest(xp):
    """Compare exactly; a design may have several values, or none."""
    rng = np.random.default_rng(3)
    i, values = rng.integers(0, 40, 300), rng.normal(size=300)
    found = xp.zeros(50)
    maximum_at(xp, found, xp.asarray(i), xp.asarray(values))
    for design in range(50):
        assert float(found[design]) == max([0.0, *values[i == design]])


def test_greatest_values_of_designs():
    greatest(np)


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
def test_greatest_values_of_designs_on_a_gpu():
    greatest(pytest.importorskip("cupy"))


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
def test_zeros_of_cubics_on_a_gpu():
    cupy, rng = pytest.importorskip("cupy"), np.random.default_rng(5)
    a, b = -rng.uniform(0.1, 1.0, 500), rng.uniform(1.1, 3.0, 500)
    of = CubicSegments(a, b, rng.uniform(0.0, 1.0, 500), rng.uniform(0.0, 1.0, 500))
    low, high = np.zeros(500), np.ones(500)
    found = find_zeros(cupy, CubicSegments(*map(cupy.asarray, of)), cupy.asarray(low), cupy.asarray(high)).get()
    np.testing.assert_allclose(found, find_zeros(np, of, low, high), rtol=0.0, atol=1e-14)
    np.testing.assert_allclose(of.value(found), 0.0, atol=1e-14)
