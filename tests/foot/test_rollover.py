"""The five instants of a step from forces of heel, forefoot and all."""

import numpy as np
import pytest

from gaitwright.foot.rollover import INSTANTS, instants_of

T = np.linspace(0.0, 1.0, 101)


def ramp(begin: float, end: float) -> np.ndarray:
    """Up from `begin`, down to nothing at `end`: 1000 N/s."""
    return np.maximum(np.minimum(1000.0 * (T - begin), 1000.0 * (end - T)), 0.0)


def test_between_samples():
    heel, front = ramp(0.103, 0.5), ramp(0.204, 0.707)
    found = instants_of(T, heel, front, heel + front, least=1e-9)
    expected = {"heel strike": 0.103, "foot flat": 0.204, "heel-off": 0.5, "toe-off": 0.707, "swing": 0.8535}
    assert list(found) == list(INSTANTS)
    assert [found[k] for k in INSTANTS] == pytest.approx([expected[k] for k in INSTANTS], abs=0.011)
    assert found["foot flat"] == pytest.approx(0.2, abs=0.011)


CASES = {
    "nothing": (0 * T, 0 * T, set(INSTANTS)),
    "stands": (0 * T + 300.0, 0 * T + 300.0, {"heel-off", "toe-off", "swing"}),
    "toes alone": (0 * T, ramp(0.2, 0.7), {"heel strike", "heel-off"}),
    "heel alone": (ramp(0.2, 0.7), 0 * T, {"foot flat", "heel-off"}),
}


@pytest.mark.parametrize(("heel", "front", "missing"), CASES.values(), ids=CASES)
def test_what_does_not_happen_is_not_a_number(heel: np.ndarray, front: np.ndarray, missing: set[str]):
    found = instants_of(T, heel, front, heel + front)
    assert {name for name, when in found.items() if np.isnan(when)} == missing


def test_only_the_first_step_counts():
    heel, front = ramp(0.1, 0.25) + ramp(0.6, 0.8), ramp(0.15, 0.35) + ramp(0.65, 0.95)
    found = instants_of(T, heel, front, heel + front, least=1.0)
    assert found["heel-off"] < 0.3 and found["toe-off"] < 0.4
