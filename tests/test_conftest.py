"""Test that arrays are compared like single numbers in pytest."""

import numpy as np
import pytest

ONE = np.ones(3)
GAP, INFINITE = np.array([1.0, np.nan]), np.array([1.0, np.inf])


@pytest.mark.parametrize(
    ("actual", "wanted", "options", "same"),
    [
        (ONE, ONE + 5e-7, {}, True),
        (ONE, ONE + 5e-6, {}, False),
        (ONE, ONE + 5e-7, {"abs": 1e-7}, False),  # no relative tolerance if only an absolute one is given
        (ONE, ONE + 1e-8, {"abs": 1e-7}, True),
        (ONE, 1.01 * ONE, {"rel": 0.02}, True),
        (ONE, 1.01 * ONE, {"rel": 2e-3, "abs": 1e-3}, False),
        (ONE, 1.01 * ONE, {"rel": 2e-3, "abs": 0.02}, True),
        (ONE, np.array([1.0, 1.0, 2.0]), {}, False),
        (ONE, np.ones(4), {}, False),
        (ONE.astype(int), ONE, {}, True),
        (GAP, GAP, {}, False),
        (GAP, GAP, {"nan_ok": True}, True),
        (GAP, np.array([1.0, 2.0]), {"nan_ok": True}, False),
        (INFINITE, INFINITE, {}, True),
        (INFINITE, -INFINITE, {}, False),
        (np.array([1.0, 2.0]), INFINITE, {}, False),
    ],
)
def test_arrays_are_compared_as_numbers_are(actual, wanted, options, same):
    assert (actual == pytest.approx(wanted, **options)) is same
    assert (actual != pytest.approx(wanted, **options)) is not same
    if actual.shape == wanted.shape:
        one_by_one = [a == pytest.approx(w, **options) for a, w in zip(actual.tolist(), wanted.tolist(), strict=True)]
        assert all(one_by_one) is same
