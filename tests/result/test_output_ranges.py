"""Least and greatest values of outputs, and their times, against closed forms."""

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.result.output_ranges import compute_ranges


def test_extremes_of_a_crank_point_have_closed_form_times() -> None:
    model = gw.Model("crank").ground_point("O", 0, 0).point("A", 0.2, 0).link("crank", "O", "A", length=0.2, mass=1)
    run = model.drive.rotation("crank", "2*pi*t").kinematics(times=np.linspace(0.0, 1.0, 101))
    found = compute_ranges(run, ["crank.A.x", "crank.A.y", "crank.angle"])
    assert found["crank.A.x"][:] == pytest.approx((-0.2, 0.5, 0.2, 0.0))
    assert found["crank.A.y"][:] == pytest.approx((-0.2, 0.75, 0.2, 0.25))
    assert found["crank.angle"][:] == pytest.approx((0.0, 0.0, 2 * math.pi, 1.0))
    assert run.summary()["ranges"]["crank.A.y"]["least_at"] == pytest.approx(0.75)


def test_undefined_output_has_no_range_and_contact_peaks_count() -> None:
    model = gw.Model("ball").body("ball", mass=1, inertia=0.01, at=(0, 0.0101))
    model.contact(
        gw.surfaces.Circle("ball", 0.01), gw.surfaces.LineGround(), law=gw.laws.Hertz(stiffness=1e5), name="floor"
    )
    run = model.simulate(0.1, step=5e-4, every=40)
    found = compute_ranges(run, ["floor.normal_force", "ball.y"])
    assert found["floor.normal_force"].greatest == run.summary()["contacts"]["floor"]["max_normal_force"]
    assert found["ball.y"].least <= found["ball.y"].greatest
    high = gw.Model("ball").body("ball", mass=1, inertia=0.01, at=(0, 9))
    high.contact(
        gw.surfaces.Circle("ball", 0.01), gw.surfaces.LineGround(), law=gw.laws.Hertz(stiffness=1e5), name="floor"
    )
    assert math.isnan(compute_ranges(high.simulate(0.01, step=1e-3), ["floor.x"])["floor.x"].greatest)
