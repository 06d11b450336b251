"""Derivatives of array functions, against central differences and closed forms."""

import numpy as np
import pytest

from gaitwright.measures.array_derivatives import (
    TracedArray,
    clip,
    concatenate,
    differentiate,
    greatest_sample,
    implicit_point,
    least_sample,
    plain,
    ratio,
    replace_at,
    sqrt,
    sum_by,
    where,
)
from gaitwright.measures.cubics import (
    CubicCurves,
    find_zeros,
    greatest_by,
    integrate_absolute,
    positive_intervals,
    spline_curves,
)

S, I = np.array([0, 1, 1, 3, 2]), np.array([0, 1, 1, 2, 0])  # entries of (5, 3) arrays, one of them twice
MASK = np.array([True, False, True])


def fixed_point(x):
    """Solution of u^3 + u = x by Newton's method."""
    u = np.zeros(3)
    for _ in range(60):
        u = u - (u**3 + u - plain(x)) / (3 * u**2 + 1)
    return implicit_point(u, u**3 + u - x, 3 * u**2 + 1)


FUNCTIONS = {
    "arithmetic": lambda a, b: (2.0 - a[0]) * b / (1.0 + a[1] * a[1]) - 3.0 / b + a[2] ** 3 - (-b),
    "broadcasting": lambda a, b: (a * b + b).sum(axis=0) + (a[1:] - a[:-1]).sum(axis=0) * b,
    "plain operands": lambda a, b: np.arange(1.0, 4.0) * b - np.ones(3) / b + np.arange(3.0) * a[1],
    "abs": lambda a, b: abs(a[0] - b) + abs(b - a[3]),
    "sqrt": lambda a, b: sqrt(np, 1.0 + b * b),
    "where": lambda a, b: where(np, MASK, b * a[0], sqrt(np, b * b)),
    "clip": lambda a, b: clip(np, a[0], b - 0.9, b - 0.1) * b,
    "ratio": lambda a, b: ratio(a[0], b),
    "repeated entries": lambda a, b: sum_by(np, I, a[S, I] * a[S, I], 3),
    "replaced entries": lambda a, b: replace_at(b * b, np.array([0, 2]), a[1][:2] * 3.0),
    "concatenated": lambda a, b: sum_by(np, np.array([0, 1, 2, 2, 1, 0]), concatenate(np, [b * b, a[0]]), 3),
    "implicit": lambda a, b: fixed_point(b * a[2]),
    "spline": lambda a, b: (
        spline_curves(np, a).at((np.array([0, 2, 3]), np.arange(3))).value(np.array([0.2, 0.7, 0.4]))
    ),
    "spline mean": lambda a, b: spline_curves(np, a).mean * b,
    "samples": lambda a, b: greatest_sample(a * b) - 2.0 * least_sample(abs(a)) + a[-1] * a[2],
    "extremes": lambda a, b: spline_curves(np, a).greatest * 2.0 - spline_curves(np, a).least,
    "largest": lambda a, b: spline_curves(np, a).largest * b,
    "greatest of entries": lambda a, b: greatest_by(np, np.array([0, 1, 2, 2, 1, 0]), concatenate(np, [b, a[0]]), 3),
    "absolute integrals": lambda a, b: spline_curves(np, a - 0.1 * b).absolute_integrals().sum(axis=0),
}


@pytest.fixture
def arrays():
    generator = np.random.default_rng(2)
    return generator.uniform(-1.0, 1.0, (5, 3)), generator.uniform(0.4, 1.6, 3)


def differences(function, arrays, index, step=1e-6):
    """Central differences of the sum over designs with respect to every entry of one array."""
    slopes = np.zeros_like(arrays[index])
    for place in np.ndindex(slopes.shape):
        ends = []
        for sign in (1.0, -1.0):
            moved = [array.copy() for array in arrays]
            moved[index][place] += sign * step
            ends.append(function(*moved).sum())
        slopes[place] = (ends[0] - ends[1]) / (2.0 * step)
    return slopes


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_of_primitives(name, arrays):
    function = FUNCTIONS[name]
    variables = [TracedArray(array) for array in arrays]
    result = function(*variables)
    np.testing.assert_array_equal(result.value.shape, (3,))
    np.testing.assert_allclose(result.value, function(*arrays), rtol=1e-13, atol=1e-14)
    for k, found in enumerate(differentiate(np, result, variables)):
        wanted = differences(function, arrays, k)
        np.testing.assert_allclose(np.zeros_like(wanted) if found is None else found, wanted, atol=2e-8)


def zero_of_a_segment(b):
    """Zero of y(u) = b - 2 u + 0.3 u^3 between 0 and 1."""
    slopes = np.array([-2.0, -1.1])[:, None] * np.ones(3)
    y = np.stack([np.zeros(3), -1.7 * np.ones(3)]) + b
    of = CubicCurves(np, y, slopes).at((np.zeros(3, dtype=int), np.arange(3)))
    return find_zeros(np, of, np.zeros(3), np.ones(3))


def test_a_zero_of_a_cubic_moves_by_the_implicit_function_theorem():
    b = np.array([0.3, 0.8, 1.2])
    x = TracedArray(b)
    result = zero_of_a_segment(x)
    (found,) = differentiate(np, result, [x])
    u = result.value
    np.testing.assert_allclose(b - 2.0 * u + 0.3 * u**3, 0.0, atol=1e-15)
    np.testing.assert_allclose(found, 1.0 / (2.0 - 0.9 * u**2), rtol=1e-13)


def test_limits_of_integrals_and_of_positive_intervals(arrays):
    """d/dlow of the integral of |y| is -|y(low)|; the length of the positive intervals changes at its limits and zeros."""
    y = np.array([0.3, -0.4, 0.5, -0.3, 0.6])[:, None] + 0.1 * arrays[0]  # every interval has a zero
    place = np.array([0, 1, 2]), np.arange(3)

    def absolute(y, low):
        return integrate_absolute(np, spline_curves(np, y).at(place), low, np.full(3, 0.9))

    def positive(y, low):
        parts = positive_intervals(np, spline_curves(np, y).at(place), low, np.full(3, 0.9))
        return sum(high - low for low, high in parts)

    for function in (absolute, positive):
        given = [y, np.array([0.1, 0.2, 0.3])]
        variables = [TracedArray(array) for array in given]
        for k, found in enumerate(differentiate(np, function(*variables), variables)):
            np.testing.assert_allclose(found, differences(function, given, k), atol=2e-8)


def test_an_excluded_branch_does_not_contribute():
    """The derivative of sqrt(0) is infinite; a branch that is not taken has the adjoint 0."""
    x = TracedArray(np.array([0.0, 4.0]))
    chosen = where(np, x.value > 0.0, sqrt(np, x), 3.0 * x)
    (found,) = differentiate(np, chosen, [x])
    np.testing.assert_array_equal(found, [3.0, 0.25])


def test_a_result_without_a_variable_has_no_derivative():
    x, y = TracedArray(np.ones(2)), TracedArray(np.ones(2))
    assert differentiate(np, np.ones(2), [x]) == [None]
    by_x, by_y = differentiate(np, x * 2.0, [x, y])
    assert by_y is None
    np.testing.assert_array_equal(by_x, [2.0, 2.0])


def test_comparisons_are_refused():
    with pytest.raises(TypeError):
        _ = TracedArray(np.ones(2)) < 1.0  # pyright: ignore[reportOperatorIssue]
