"""Five instants of a step, from forces under heel, forefoot and the whole sole."""

import numpy as np
import pytest

from gaitwright.foot.rollover import STANCE_INSTANTS, detect_stance_instants

T = np.linspace(0.0, 1.0, 101)


def ramp(begin: float, end: float) -> np.ndarray:
    """Ramp up from `begin` and down to zero at `end`: 1000 N/s."""
    return np.maximum(np.minimum(1000.0 * (T - begin), 1000.0 * (end - T)), 0.0)


def test_instants_are_interpolated_between_samples():
    heel, front = ramp(0.103, 0.5), ramp(0.204, 0.707)
    instants = detect_stance_instants(T, heel, front, heel + front, least=1e-9)
    expected = {"heel strike": 0.103, "foot flat": 0.204, "heel-off": 0.5, "toe-off": 0.707, "swing": 0.8535}
    assert list(instants) == list(STANCE_INSTANTS)
    assert [instants[k] for k in STANCE_INSTANTS] == pytest.approx([expected[k] for k in STANCE_INSTANTS], abs=0.011)
    assert instants["foot flat"] == pytest.approx(0.2, abs=0.011)


CASES = {
    "nothing": (0 * T, 0 * T, set(STANCE_INSTANTS)),
    "stands": (0 * T + 300.0, 0 * T + 300.0, {"heel-off", "toe-off", "swing"}),
    "toes alone": (0 * T, ramp(0.2, 0.7), {"heel strike", "heel-off"}),
    "heel alone": (ramp(0.2, 0.7), 0 * T, {"foot flat", "heel-off"}),
}


@pytest.mark.parametrize(("heel", "front", "missing"), CASES.values(), ids=CASES)
def test_missing_instants_are_nan(heel: np.ndarray, front: np.ndarray, missing: set[str]):
    instants = detect_stance_instants(T, heel, front, heel + front)
    assert {name for name, when in instants.items() if np.isnan(when)} == missing


def test_only_the_first_step_counts():
    heel, front = ramp(0.1, 0.25) + ramp(0.6, 0.8), ramp(0.15, 0.35) + ramp(0.65, 0.95)
    instants = detect_stance_instants(T, heel, front, heel + front, least=1.0)
    assert instants["heel-off"] < 0.3 and instants["toe-off"] < 0.4
