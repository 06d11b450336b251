"""The models behind the experiments of paper 003 chapter 5."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import falling_ball, slider_crank
from gaitwright.mechanisms.slider_crank import slider_position

LAW = gw.laws.Hertz(stiffness=1e6)


def test_ball_starts_above_the_ground() -> None:
    run = falling_ball(LAW, height=0.3, radius=0.2, velocity=(0.5, 0.0), spin=2.0).simulate(0.1)
    assert run.array("floor.gap")[0] == pytest.approx(0.3)
    assert run.array("ball.x")[-1] == pytest.approx(0.05) and run.array("ball.spin")[-1] == pytest.approx(2.0)


def test_inertia_of_the_ball_does_not_matter_without_friction() -> None:
    """The impossible 0.1 kg m^2 of the thesis has no influence."""
    until = {"method": "dopri5", "tolerance": 1e-10}
    ours, theirs = (falling_ball(LAW, inertia=j).simulate(1.0, **until).array("ball.y") for j in (None, 0.1))
    assert np.abs(ours - theirs).max() < 1e-9


def test_driven_slider_follows_the_closed_form() -> None:
    run = slider_crank(0.1, 0.3, angle=0.4, speed=5.0).kinematics(1.0, step=0.01)
    exact = [slider_position(0.1, 0.3, 0.4 + 5.0 * t) for t in run.time]
    assert np.abs(run.array("slider.x") - exact).max() < 1e-13


def test_free_crank_starts_with_its_spin() -> None:
    run = slider_crank(spin=3.0, gravity=0.0, angle=1.0).simulate(0.01)
    assert run.array("crank.spin")[0] == pytest.approx(3.0)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_driven_slider_accelerates_the_block(restitution: float) -> None:
    """A driven slider keeps its speed: just after the impact the block has (1 + e) times that speed."""
    angle = 1.2
    at, instant = slider_position(0.1, 0.4, angle) + 0.05, (2.0 - angle) / 4.0
    model = slider_crank(angle=2.0, speed=-4.0, block_mass=0.3, block_at=at, restitution=restitution)
    run = model.simulate(0.25, method="moreau", step=1e-5, every=10)
    slider, block = (np.interp(instant + 2e-4, run.time, run.array(f"{name}.vx")) for name in ("slider", "block"))
    assert run.episodes[0].begin == pytest.approx(instant, abs=2e-5)
    assert block == pytest.approx((1 + restitution) * slider, rel=1e-3)


def test_without_a_block_there_is_no_contact() -> None:
    assert not slider_crank().document.contacts


@pytest.mark.parametrize(
    "model",
    [falling_ball(LAW), slider_crank(block_mass=0.1, block_at=0.56, law=LAW, angle=math.pi)],
    ids=["ball", "crank"],
)
def test_models_are_files(model: gw.Model, tmp_path) -> None:
    again = gw.load(model.save(tmp_path / "model.yaml"))
    assert again.to_dict() == model.to_dict()
