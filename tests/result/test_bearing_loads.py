"""Bearing loads against closed forms: a rotating unbalance, a load that varies over the turn, a resting joint, space."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import four_bar, spatial_four_bar
from gaitwright.report.views.pages.run_page import bearing_table
from gaitwright.result.bearing_loads import bearing_loads


def rotor(gravity: float, angle: str) -> gw.Model:
    """A bar of 2 kg and 1 m that rotates about one end; its centre is 0.5 m from the pin."""
    model = gw.Model("rotor", gravity=(0, -gravity)).ground_point("O", 0, 0).point("A", 1, 0)
    return model.link("bar", "O", "A", length=1.0, mass=2.0).drive.rotation("bar", angle)


def test_unbalance_has_equal_mean_peak_and_equivalent_load():
    """F = m r omega^2 = 2 x 0.5 x (2 pi)^2 N throughout; one turn."""
    (load,) = bearing_loads(rotor(0.0, "2*pi*t").inverse(1.0, step=0.01))
    assert (load.joint, load.bodies) == ("O", "ground - bar")
    for value in (load.mean, load.peak, load.equivalent):
        assert value == pytest.approx(4 * np.pi**2, rel=1e-9)
    assert load.rotation == pytest.approx(2 * np.pi, rel=1e-9)


def test_equivalent_load_is_the_cubic_mean_over_rotation():
    """With gravity |F|^2 = c^2 + w^2 + 2 c w sin(angle), c = m r omega^2, w = m g; the speed is constant."""
    (load,) = bearing_loads(rotor(9.81, "2*pi*t").inverse(1.0, step=1e-3))
    c, w = 4 * np.pi**2, 2 * 9.81
    angle = np.linspace(0, 2 * np.pi, 100_001)
    force = np.sqrt(c**2 + w**2 + 2 * c * w * np.sin(angle))
    assert load.mean == pytest.approx(np.trapezoid(force, angle) / (2 * np.pi), rel=1e-6)
    assert load.peak == pytest.approx(c + w, rel=1e-9) and load.peak_at == pytest.approx(0.75)
    assert load.equivalent == pytest.approx((np.trapezoid(force**3, angle) / (2 * np.pi)) ** (1 / 3), rel=1e-6)


def test_rotation_weights_the_load():
    """A bar that rests under load for most of the time: only the load during rotation counts."""
    run = rotor(9.81, "if(t < 0.5, 0, 2*pi*(t - 0.5)^3)").inverse(1.0, step=1e-3)
    (load,) = bearing_loads(run)
    speed = run.array("bar.spin")
    force = np.hypot(run.array("O.fx"), run.array("O.fy"))
    weighted = np.trapezoid(force**3 * speed, run.time) / np.trapezoid(speed, run.time)
    assert load.equivalent == pytest.approx(weighted ** (1 / 3), rel=1e-9)
    assert load.rotation == pytest.approx(2 * np.pi * 0.125, rel=1e-5)  # trapezoidal rule with 1 ms


def test_resting_joint_is_weighted_by_time():
    (load,) = bearing_loads(rotor(9.81, "0.3").inverse(1.0, step=0.1))
    assert load.rotation == 0.0
    assert load.mean == load.peak == pytest.approx(load.equivalent) == pytest.approx(2 * 9.81)


def test_equal_and_opposite_in_space():
    """All joints of a spatial loop; the crank makes one turn, and forces are magnitudes of the three components."""
    run = spatial_four_bar().inverse(1.0, step=0.01)
    loads = {load.joint: load for load in bearing_loads(run)}
    assert set(loads) == {"crank_bearing", "rocker_bearing", "ball", "cross"}
    assert loads["crank_bearing"].rotation == pytest.approx(2 * np.pi, rel=1e-6)
    force = np.linalg.norm([run.array(f"ball.f{axis}") for axis in "xyz"], axis=0)
    assert loads["ball"].peak == pytest.approx(force.max())


def test_run_summary_and_page_have_the_same_loads():
    run = four_bar().inverse(1.0, step=0.01)
    frame = run.bearing_loads()
    assert list(frame.index) == [load.joint for load in bearing_loads(run)]
    assert np.all(np.diff(frame["peak"]) <= 0)
    summary = run.summary()["bearings"]
    assert summary["A"]["equivalent"] == pytest.approx(frame.loc["A", "equivalent"])
    (table,) = bearing_table(run)
    assert [row[0] for row in table.rows] == list(frame.index)


def test_loads_of_a_part_of_the_run():
    run = four_bar().inverse(1.0, step=0.01)
    half = {load.joint: load for load in bearing_loads(run, 0.0, 0.5)}
    force = np.hypot(run.array("A.fx"), run.array("A.fy"))[run.time <= 0.5]
    assert half["A"].peak == pytest.approx(force.max())
