"""DC motor against closed forms: torque-speed line, gear losses by the direction of power, and units in texts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.legs.motor import Motor, read_motor

V, R, K = 24.0, 0.8, 0.05
WOUND = Motor(voltage=V, resistance=R, torque_constant=K)


def test_the_line_of_a_motor() -> None:
    """tau = k (V - k w)/R: from k V/R at rest to zero at V/k."""
    w = np.array([0.0, 100.0, V / K])
    assert WOUND.torque(w) == pytest.approx([K * V / R, K * (V - K * 100.0) / R, 0.0], abs=1e-12)
    assert WOUND.torque(100.0, share=0.5) == pytest.approx(K * (V / 2 - K * 100.0) / R)


@pytest.mark.parametrize("idle", [0.0, 0.4, 3.0])
def test_stall_torque_and_no_load_speed_define_the_same_motor(idle: float) -> None:
    wound = Motor(voltage=V, resistance=R, torque_constant=K, no_load_current=idle)
    stall, free = K * (V / R - idle), (V - R * idle) / K
    curve = Motor(voltage=V, stall_torque=stall, no_load_speed=free, no_load_current=idle)
    assert (curve.k, curve.ohm) == pytest.approx((K, R), rel=1e-12)
    assert curve.torque([0.0, free]) == pytest.approx([stall, 0.0], abs=1e-12)
    assert wound.torque([0.0, free]) == pytest.approx([stall, 0.0], abs=1e-12)


@pytest.mark.parametrize("torque, speed", [(6.0, 3.0), (-6.0, -3.0), (-6.0, 3.0), (6.0, -3.0)])
def test_a_gear_loses_in_the_direction_of_the_power(torque: float, speed: float) -> None:
    """The input power is the output power divided by the efficiency, for both directions of power."""
    geared = Motor(voltage=V, resistance=R, torque_constant=K, gear_ratio=20, gear_efficiency=0.7)
    (at,), (turning,) = geared.at_motor(torque, speed)
    assert turning == pytest.approx(20 * speed)
    load, motor = torque * speed, at * turning
    assert (load / motor if load > 0 else motor / load) == pytest.approx(0.7)
    locked = Motor(
        voltage=V, resistance=R, torque_constant=K, gear_ratio=20, gear_efficiency=0.4, backdrive_efficiency=0.0
    )
    (holds,), _ = locked.at_motor(torque, speed)
    assert holds == (0.0 if load < 0 else pytest.approx(torque / 20 / 0.4))


def test_rotor_inertia_acts_with_the_square_of_the_gear_ratio() -> None:
    geared = Motor(voltage=V, resistance=R, torque_constant=K, gear_ratio=20, rotor_inertia=2e-5)
    (torque,), _ = geared.at_motor(0.0, 1.0, 3.0)
    assert torque * 20 == pytest.approx(2e-5 * 20**2 * 3.0)


def test_current_and_voltage() -> None:
    """U = R I + k w with I = tau/k; at the torque of the line the voltage is the full one."""
    w = np.linspace(0.0, V / K, 7)
    current, voltage = WOUND.electrical(WOUND.torque(w), w)
    assert voltage == pytest.approx(np.full(7, V)) and current == pytest.approx((V - K * w) / R)


WRITTEN = {
    "text": "voltage=24 V, stall_torque=900 mN m, no_load_speed=6000 rpm, gear_ratio=40",
    "data sheet": "voltage=24V, stall_torque=0.9Nm, no_load_speed=6000rpm, gear_ratio=40:1, gear_efficiency=100 %",
    "fields": {"voltage": 24, "stall_torque": "900 mN m", "no_load_speed": "6000 rpm", "gear_ratio": 40},
    "itself": Motor(voltage=24, stall_torque=0.9, no_load_speed=200 * math.pi, gear_ratio=40),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_a_motor_may_be_written_in_several_ways(how: str) -> None:
    found = read_motor(WRITTEN[how])
    assert found is not None
    assert (found.stall_torque, found.no_load_speed, found.gear_ratio) == pytest.approx((0.9, 200 * math.pi, 40.0))
    assert read_motor(found.entry()) == found


WRONG: dict[str, tuple[Any, str]] = {
    "nothing": ({"voltage": 24}, "incomplete or contradictory"),
    "half": ({"voltage": 24, "stall_torque": 1, "resistance": 1}, "incomplete or contradictory"),
    "both": (
        {"voltage": 24, "stall_torque": 1, "no_load_speed": 1, "resistance": 1, "torque_constant": 1},
        "incomplete or contradictory",
    ),
    "voltage": ({"voltage": -1, "stall_torque": 1, "no_load_speed": 1}, "'voltage': is not positive"),
    "efficiency": ({"voltage": 1, "stall_torque": 1, "no_load_speed": 1, "gear_efficiency": 1.2}, "is no efficiency"),
    "unit": ({"voltage": 1, "stall_torque": "1 kg", "no_load_speed": 1}, "is a mass .*a torque"),
    "field": ({"voltage": 1, "stal_torque": 1}, "did you mean 'stall_torque'"),
    "ratio": ("voltage=24, gear_ratio=1:0", "--motor takes NAME=VALUE"),
    "text": ("24 V", "--motor takes NAME=VALUE"),
    "kind": (3, "is not a motor"),
    "idle": (
        {"voltage": 1, "resistance": 1, "torque_constant": 1, "no_load_current": 2},
        "more than the motor takes at stall",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_motors_are_reported(case: str) -> None:
    given, said = WRONG[case]
    with pytest.raises(ModelError, match=said):
        read_motor(given)


def test_the_section_gait_keeps_a_motor_and_reads_its_expressions(tmp_path: Any) -> None:
    leg = gw.mechanisms.jansen_leg()
    assert leg.document.gait is not None
    leg.document.gait.motor = None
    raw = leg.to_dict()
    raw["parameters"]["n"] = 30
    raw["gait"]["motor"] = {"voltage": 24, "stall_torque": "0.5 N m", "no_load_speed": 500, "gear_ratio": "2*n"}
    saved = gw.load(gw.Model.from_dict(raw).save(tmp_path / "leg.yaml"))
    from gaitwright.legs.settings import read_settings

    motor = read_settings(saved).motor
    assert motor is not None and motor.gear_ratio == 60.0 and motor.stall_torque == 0.5
