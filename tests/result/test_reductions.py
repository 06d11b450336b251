"""Reductions of outputs over time: NaN samples, derivatives, names."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.result.reductions import REDUCTION_CHOICES, REDUCTIONS, get_reduction, read_reduction, split_reduction

NAN = math.nan
NAMES = [*REDUCTIONS, "sample_4"]
OF_KNOWN = ["max", "min", "max_abs", "mean", "range"]
"""Reductions of all samples; the others are values at one time."""


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("final", 2.0), ("end", 2.0), ("max", 3.0), ("min", -4.0), ("max_abs", 4.0), ("range", 7.0), ("sample_1", -4.0),
        ("mean", (0.5 * 3.0 - 4.0 + 3.0 + 0.5 * 2.0) / 3.0),
    ],
)  # fmt: skip
def test_nan_samples_are_ignored(name: str, number: float):
    """The mean has the weights of the trapezoidal rule at the samples that are not NaN."""
    values = np.array([3.0, -4.0, NAN, 3.0, NAN, 2.0])
    assert get_reduction(name).of_series(values) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_without_known_samples_the_number_is_nan(name: str):
    with np.errstate(all="raise"):
        assert math.isnan(get_reduction(name).of_series(np.full(6, NAN)))
        assert math.isnan(get_reduction(name).of_series(np.array([])))


@pytest.mark.parametrize("name", OF_KNOWN)
def test_designs_with_and_without_nan_do_not_affect_each_other(name: str):
    values = np.random.default_rng(1).normal(size=(9, 4))
    gaps = values.copy()
    gaps[2:5, 1], gaps[:, 2] = NAN, NAN
    together = get_reduction(name).reduce(gaps)
    alone = [get_reduction(name).of_series(column) for column in gaps.T]
    np.testing.assert_allclose(together, alone, rtol=1e-14)
    assert np.isnan(together).tolist() == [False, False, True, False]
    np.testing.assert_allclose(together[[0, 3]], get_reduction(name).reduce(values)[[0, 3]], rtol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_one_sample_is_its_own_reduction(name: str):
    if name != "sample_4":
        assert get_reduction(name).of_series(np.array([-2.5])) == {"range": 0.0, "max_abs": 2.5}.get(name, -2.5)


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "strided": lambda values: np.stack([values.T, values.T], axis=-1)[:, :, 0].T,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_weights_are_the_derivatives_with_respect_to_the_samples(name: str, gaps: bool, layout: str):
    values = LAYOUTS[layout](np.random.default_rng(5).normal(size=(30, 4)))
    if gaps:
        values[5:9, 1] = values[:3, 2] = NAN
    reduction = get_reduction(name)
    weights = reduction.sample_weights(np, values)
    change = 1e-7 * np.random.default_rng(6).normal(size=values.shape)
    if gaps and name in OF_KNOWN:
        assert not weights[np.isnan(values)].any()
    off = reduction.reduce(values + change) - reduction.reduce(values) - (weights * change).sum(axis=0)
    known = ~np.isnan(off)
    assert known.sum() == 4 or name not in OF_KNOWN
    np.testing.assert_allclose(off[known], 0.0, atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_weights_without_known_samples_are_nan(name: str):
    values = np.ones((6, 2))
    values[:, 1] = NAN
    assert np.isnan(get_reduction(name).sample_weights(np, values)).all(axis=0).tolist() == [False, True]


@pytest.mark.parametrize("wrong", ["peak", "", "sample_", "max ", None, 3, ["max"]])
def test_an_unknown_name_gives_all_names(wrong: object):
    with pytest.raises(ModelError, match=f"field 'measure': is not known.*expected {REDUCTION_CHOICES}"):
        read_reduction(wrong, ErrorContext(field="measure"))


def test_a_sample_after_the_end_gives_the_samples():
    with pytest.raises(ModelError, match=r"'sample_6'.*expected sample_0 to sample_5"):
        get_reduction("sample_6").of_series(np.zeros(6))


def test_a_text_is_split_into_output_and_reduction():
    assert split_reduction("crank.torque.max_abs") == ("crank.torque", "max_abs")
    assert split_reduction("crank.torque.sample_12") == ("crank.torque", "sample_12")
    assert split_reduction("crank.torque") == ("crank.torque", "") and split_reduction("max") == ("max", "")


def test_every_reduction_has_a_description():
    assert all(one.name == name and one.description for name, one in REDUCTIONS.items())
