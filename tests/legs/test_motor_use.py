"""Load of a motor: energies in closed form, balance of the electrical energy, limits, legs and walks."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.motor import Motor
from gaitwright.legs.motor_use import compute_motor_use, signed_works
from gaitwright.mechanisms import jansen_leg

V, R, K = 24.0, 0.8, 0.05
T = np.linspace(0.0, 2.0, 4001)


def test_a_constant_load_agrees_with_closed_forms() -> None:
    motor = Motor(voltage=V, resistance=R, torque_constant=K, gear_ratio=20, gear_efficiency=0.8)
    use = compute_motor_use(motor, T, 3.0, 10.0)
    torque, speed = 3.0 / 20 / 0.8, 200.0
    current = torque / K
    assert use.numbers["motor_torque"].value == pytest.approx(torque)
    assert use.numbers["motor_voltage"].value == pytest.approx(R * current + K * speed)
    assert use.numbers["electrical_energy"].value == pytest.approx((R * current + K * speed) * current * 2.0)
    assert use.numbers["copper_loss"].value == pytest.approx(R * current**2 * 2.0)
    assert use.numbers["motor_efficiency"].value == pytest.approx(3.0 * 10.0 / ((R * current + K * speed) * current))
    assert use.numbers["electrical_energy_back"].value == 0.0 and use.can_drive


def test_electrical_energy_is_accounted_for() -> None:
    """Windings, friction, gear, rotor and load account for all energy, for a load that drives and brakes unevenly."""
    motor = Motor(voltage=V, resistance=R, torque_constant=K, no_load_current=0.2, gear_ratio=10, gear_efficiency=0.7,
                  rotor_inertia=1e-4)  # fmt: skip
    torque, speed = 2.0 * np.sin(3.0 * math.pi * T), 5.0 + 3.0 * np.cos(math.pi * T)
    acceleration = -3.0 * math.pi * np.sin(math.pi * T)
    use = compute_motor_use(motor, T, torque, speed, acceleration)
    power = torque * speed
    gear = np.where(power > 0, power * (1 / 0.7 - 1), -power * (1 - 0.7))
    lost = R * use.current**2 + K * 0.2 * np.abs(10 * speed) + gear
    stored = 1e-4 * 10**2 * speed * acceleration
    balance = np.trapezoid(use.power - lost - power - stored, T)
    assert balance == pytest.approx(0.0, abs=1e-9 * np.trapezoid(np.abs(use.power), T))
    drawn, back = signed_works(T, use.power)
    assert drawn + back == pytest.approx(np.trapezoid(use.power, T)) and back < 0 < drawn


def test_positive_and_negative_work_of_a_linear_power() -> None:
    """P = 1 - t from 0 to 3: 1/2 J and -2 J, for any samples."""
    for t in (np.array([0.0, 3.0]), np.array([0.0, 0.7, 1.9, 3.0])):
        assert signed_works(t, 1.0 - t) == pytest.approx((0.5, -2.0))


LIMITS = {
    "voltage": ({}, {"torque": 3.0, "speed": 40.0}, r"needs .* V of voltage .* and has 24 V"),
    "current": ({"max_current": 2.0}, {"torque": 3.0, "speed": 10.0}, r"needs 3 A of current .* and has 2 A"),
    "heat": ({"continuous_torque": 0.1}, {"torque": 3.0, "speed": 10.0}, r"root mean square of its torque is 0.15 N m"),
}


@pytest.mark.parametrize("case", LIMITS)
def test_an_insufficient_motor_reports_its_reasons(case: str) -> None:
    fields, load, said = LIMITS[case]
    base = {"voltage": V, "resistance": R, "torque_constant": K, "gear_ratio": 20.0}
    use = compute_motor_use(Motor(**{**base, **fields}), T, load["torque"], load["speed"])
    assert not use.can_drive and len(use.problems()) == 1
    import re

    assert re.search(said, use.problems()[0]), use.problems()
    good = compute_motor_use(Motor(**base), T, 3.0, 10.0)
    assert good.can_drive and "can drive it" in good.lines()[1]


def test_sufficient_gears_lie_between_the_roots_of_a_quadratic() -> None:
    """R tau/(k n) + k n w <= V bounds the gear ratio n on both sides."""
    use = compute_motor_use(Motor(voltage=V, resistance=R, torque_constant=K, gear_ratio=20), T, 3.0, 10.0)
    low, high = sorted(np.roots([K * 10.0, -V, R * 3.0 / K]))
    found = use.gears()
    assert found is not None and found == pytest.approx((low, high), rel=0.03)
    assert low <= found[0] and found[1] <= high
    weak = compute_motor_use(Motor(voltage=0.1, resistance=R, torque_constant=K, gear_ratio=20), T, 3.0, 10.0)
    assert weak.gears() is None and "larger motor" in weak.lines()[-1]


def test_the_motor_of_a_leg_agrees_with_closed_forms() -> None:
    """Constant crank speed in the air: the energy is the integral of U I with I = tau/(n k) by the sign of the power."""
    motor = gw.Motor(voltage=12, stall_torque=0.1, no_load_speed=628.0, gear_ratio=50, gear_efficiency=0.8)
    leg = jansen_leg()
    assert leg.document.gait is not None
    leg.document.gait.law = leg.document.gait.friction = None
    found = gw.analyse_leg(leg, motor=motor, directions=["as driven"], samples=200)
    use, run = found.on_motor(), found.turn.run
    torque = -run.array("crank.torque")  # it turns clockwise
    at = torque / 50 * np.where(torque > 0, 1 / 0.8, 0.8)
    current, speed = at / motor.k, 50 * 2 * math.pi
    assert use.current == pytest.approx(current, abs=1e-9) and use.speed == pytest.approx(np.full(201, speed))
    drawn, _ = signed_works(run.time, (motor.ohm * current + motor.k * speed) * current)
    assert use.numbers["electrical_energy"].value == pytest.approx(drawn, rel=1e-9)
    assert found.summary()["motor"]["can_drive"] and not found.warnings()
    weak = found.on_motor({"voltage": 1, "stall_torque": 0.01, "no_load_speed": 100})
    assert not weak.can_drive and "needs" in repr(weak)
    with pytest.raises(gw.ModelError, match="motor"):
        gw.analyse_leg(leg, directions=["as driven"], samples=50).on_motor()
