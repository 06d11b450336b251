"""Worn blades: they store and return energy, their effect grows with thickness, and the energy balance closes."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.wear.devices import ankle_blade, back_support

PERSON = gw.gait.Subject(73.0, 1.74)


@pytest.fixture(scope="module")
def stoop() -> gw.gait.Lift:
    return gw.gait.lift(PERSON, "stoop", 10.0, rate=50.0)


@pytest.fixture(scope="module")
def supported(stoop: gw.gait.Lift) -> gw.wear.DeviceResult:
    return gw.wear.put_on(back_support(3.0), stoop)


def test_back_support_reduces_the_load_on_the_lowest_disc(supported: gw.wear.DeviceResult) -> None:
    spine = supported.spine()
    assert 0.10 < 1 - spine["with"].peak["compression"] / spine["without"].peak["compression"] < 0.25
    back = supported.assistance()["lumbar"]
    assert back.returned == pytest.approx(back.stored, rel=0.05)  # the losses are in cuffs and in damping
    # it pulls between pelvis and trunk, so the hips, which hold the pelvis, get hardly any additional load
    assert abs(supported.assistance()["right_hip"].share_of_peak) < 0.05


def test_twice_the_bending_stiffness_nearly_doubles_the_support(
    stoop: gw.gait.Lift, supported: gw.wear.DeviceResult
) -> None:
    """Cuffs are stiff compared with the blades; their compliance explains the difference."""
    double = gw.wear.put_on(back_support(3.0 * 2 ** (1 / 3)), stoop)
    taken = [w.assistance()["lumbar"].peak_without - w.assistance()["lumbar"].peak_with for w in (supported, double)]
    assert 1.7 < taken[1] / taken[0] < 2.0


def test_energy_of_blades_and_person_closes(supported: gw.wear.DeviceResult) -> None:
    side = supported.sides[""]
    stored = side.output("blade.strain_energy")
    for name in ("waist", "chest"):
        stored = stored + side.output(f"cuff_{name}.energy") + side.output(f"cuff_{name}.dissipated")
    stored = stored + side.output("blade.dissipated")
    whole = side.run.mechanism
    for name in ("belt", "vest"):
        stored = stored + whole.parts[name].mass * 9.81 * side.output(f"{name}.z")
        speed = sum(side.output(f"{name}.v{axis}") ** 2 for axis in "xyz")
        stored = stored + 0.5 * whole.parts[name].mass * speed
    power, times = supported.power().to_numpy(), supported.motion.times
    done = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(times))])
    # the weight of the blade itself (0.15 kg, lowered by half a metre) and rotation of belt and vest are left out
    assert np.ptp(stored) > 5.0
    assert done + stored - stored[0] == pytest.approx(0.0, abs=0.06 * np.ptp(stored))


def test_a_blade_behind_the_ankle_bends_both_ways() -> None:
    """It assists push-off, and resists plantarflexion."""
    worn = gw.wear.put_on(ankle_blade(3.5), gw.gait.schematic_walk(PERSON, 2.5))
    ankle = worn.assistance()["right_ankle"]
    assert 0.1 < ankle.share_of_peak < 0.5
    assert 55 < ankle.added_when < 75 and ankle.added > 10.0
    assert worn.sides["right"].output("blade.max_stress").max() < 8e8
