"""Bounded least squares over named parameters: closed forms of values, intervals and correlation, and messages."""

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.design.least_squares import NORMAL_QUANTILE, ParameterRange, fit_parameters

X = np.linspace(0.1, 1.0, 8)
WIDE = {"a": ParameterRange(1.0, 0.01, 100.0), "b": ParameterRange(1.0, 0.01, 100.0)}


def line(slope=2.0, offset=0.5, spread=0.02, noise=0.0):
    measured = slope * X + offset + noise * np.array([1, -1, -1, 1, 1, -1, -1, 1])
    return lambda v: (v["a"] * X + v["b"] - measured) / spread


def test_values_intervals_and_correlation_of_a_line():
    """Exact data: the covariance is that of linear regression, in logarithms."""
    found = fit_parameters(line(), WIDE, len(X))
    assert found.values == pytest.approx({"a": 2.0, "b": 0.5}, rel=1e-5)
    design = np.stack([2.0 * X, 0.5 * np.ones_like(X)], axis=1) / 0.02
    covariance = np.linalg.inv(design.T @ design)
    for k, (name, value) in enumerate(found.values.items()):
        wide = np.exp(NORMAL_QUANTILE * covariance[k, k] ** 0.5)
        assert found.intervals[name] == pytest.approx((value / wide, value * wide), rel=2e-3)
    assert found.correlation[0, 1] == pytest.approx(covariance[0, 1] / np.sqrt(np.prod(np.diag(covariance))), abs=5e-3)
    assert not found.at_bounds and not found.undetermined and found.rms < 1e-3


def test_intervals_widen_where_the_spreads_do_not_explain_the_misfit():
    exact, noisy = fit_parameters(line(), WIDE, len(X)), fit_parameters(line(noise=0.2), WIDE, len(X))
    (low, high), (lower, higher) = exact.intervals["a"], noisy.intervals["a"]
    assert np.log(higher / lower) > 5.0 * np.log(high / low) and noisy.rms > 5.0


def test_a_power_law_is_fitted_in_one_step():
    """Misfits that are linear in the logarithms: evaluations for start, slopes, answer, slopes."""
    found = fit_parameters(lambda v: [np.log(v["a"] * 3.0 / 622.0) / 0.05], {"a": WIDE["a"]}, 1)
    assert found.values["a"] == pytest.approx(100.0) and found.pinned == ("a",)
    found = fit_parameters(lambda v: [np.log(v["a"] * 30.0 / 622.0) / 0.05], {"a": WIDE["a"]}, 1)
    assert found.values["a"] == pytest.approx(622.0 / 30.0, rel=1e-9) and found.runs <= 5
    assert found.intervals["a"][1] / found.values["a"] == pytest.approx(np.exp(0.05 * NORMAL_QUANTILE), rel=1e-6)


def test_zero_may_be_a_bound():
    found = fit_parameters(
        lambda v: [(v["c"] - 0.3) / 0.01, (v["c"] - 0.3) / 0.01], {"c": ParameterRange(1.0, 0.0, 2.0)}, 2
    )
    assert found.values["c"] == pytest.approx(0.3, abs=1e-6)
    assert found.intervals["c"] == pytest.approx(
        (0.3 - NORMAL_QUANTILE * 0.01 / 2**0.5, 0.3 + NORMAL_QUANTILE * 0.01 / 2**0.5), abs=1e-4
    )


@pytest.mark.parametrize(
    ("misfit", "said"),
    [
        (lambda v: [np.log(v["a"] * v["b"] / 4.0) / 0.01] * 2, "a and b against|b against a|a against b"),
        (lambda v: [np.log(v["a"] / v["b"] / 4.0) / 0.01] * 2, "together"),
        (lambda v: [np.log(v["a"] / 4.0) / 0.01, 0.0], "do not determine b: it may be off by any factor"),
        (
            lambda v: [np.log(v["a"] / 4.0) / 0.01, np.log(v["b"])],
            "do not determine b: it may be off by a factor of 7.1",
        ),
    ],
)
def test_undetermined_directions_are_reported(misfit, said):
    found = fit_parameters(misfit, WIDE, 2)
    assert len(found.undetermined) == 1
    assert any(part in found.undetermined[0] for part in said.split("|")), found.undetermined


def test_a_parameter_at_its_bound_is_reported():
    found = fit_parameters(line(slope=300.0), {**WIDE, "a": WIDE["a"]._replace(unit="N")}, len(X))
    assert found.at_bounds[0] == "a is at its upper bound, 100 N" and "a" in found.pinned


@pytest.mark.parametrize(
    ("misfit", "ranges", "data", "said"),
    [
        (line(), WIDE, 1, r"2 parameters \(a, b\) for 1 data"),
        (line(), {}, 1, "names none"),
        (line(), {"a": ParameterRange(1.0, 2.0, 2.0)}, 2, "parameter 'a'.*bounds.*not below"),
        (line(), {"a": ParameterRange(np.nan, 1.0, 2.0)}, 2, "parameter 'a'.*start.*finite"),
        (lambda v: [1.0, np.nan], WIDE, 2, "gives no number for datum 2.*a = 1, b = 1"),
    ],
)
def test_invalid_input_is_reported(misfit, ranges, data, said):
    with pytest.raises(ModelError, match=said):
        fit_parameters(misfit, ranges, data)
