"""Dead points name their loop and links; drives that prescribe one degree of freedom twice are named."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.dead_points import find_dead_point
from gaitwright.mechanisms import four_bar

LAST_ANGLE = float(np.arccos((0.1 - 0.37**2) / 0.06))
"""Of the crank, rad: A is then 0.12 + 0.25 m from C, 0.1^2 + 0.3^2 - 2 0.1 0.3 cos(angle) = 0.37^2."""


def locking(drive: str = "2*pi*t", coupler: float = 0.12, rocker: float = 0.25, pin=(0.25, 0.1)) -> gw.Model:
    """A four-bar with a crank that cannot rotate fully: pin A leaves the reach of coupler and rocker."""
    model = gw.Model("locking").ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0.1, 0).point("B", *pin)
    model.link("crank", "O", "A", length=0.1, mass=0.05).link("coupler", "A", "B", length=coupler, mass=0.1)
    model.link("rocker", "C", "B", length=rocker, mass=0.1)
    return model.drive.rotation("crank", drive)


def with_pendulum() -> gw.Model:
    """The same beside a driven link that has no part in the dead point."""
    model = locking().ground_point("P", 1, 0).point("Q", 1, 0.2)
    return model.link("arm", "P", "Q", length=0.2, mass=0.1).drive.rotation("arm", "0.1*t + pi/2")


@pytest.mark.parametrize("model", [locking(), with_pendulum()], ids=["alone", "beside another link"])
def test_dead_point_names_its_loop_and_links(model: gw.Model):
    with pytest.raises(gw.SingularPose, match="cannot follow its drives") as stop:
        model.kinematics(1.0, step=1e-3)
    assert stop.value.time == pytest.approx(LAST_ANGLE / (2 * np.pi), abs=1e-3)
    assert stop.value.joints == ("O", "A", "B", "C")
    text = "in the loop of joints O - A - B - C, coupler and rocker can still move although drive 'crank' is held"
    assert text in str(stop.value) and "arm" not in str(stop.value) and "singular value" not in str(stop.value)


def test_warning_near_a_dead_point_names_its_links():
    """A crank that swings to 1e-6 rad from the dead point and back."""
    run = locking(f"{LAST_ANGLE - 1e-6!r}*sin(pi*t)").kinematics(1.0, step=1e-3)
    (warning,) = (text for text in run.evidence.warnings if text.startswith("nearly singular pose"))
    assert "t = 0.5 s" in warning and "coupler and rocker can still move although drive 'crank' is held" in warning


def test_start_in_a_dead_point_names_its_links():
    """The crank is upright and A as far from C as coupler and rocker reach."""
    reach = np.hypot(0.1, 0.3)
    model = locking("pi/2 + t", coupler=0.2, rocker=reach - 0.2, pin=(0.3 * 0.2 / reach, 0.1 - 0.1 * 0.2 / reach))
    with pytest.raises(gw.SingularPose, match=r"the start pose is singular: .* coupler and rocker can still move"):
        model.inverse(until=0.1, step=0.01)


def test_singular_value_is_that_of_the_run():
    """By a singular value decomposition here, by inverse iteration in the run."""
    run = four_bar().kinematics(0.1, step=0.05)
    dead_point = find_dead_point(run.mechanism, run.motion.q[1], float(run.time[1]))
    assert dead_point is not None and dead_point.sigma == pytest.approx(run.array("evidence.sigma")[1], rel=1e-3)


@pytest.mark.parametrize("analyse", [lambda m: m.kinematics(0.1), lambda m: m.simulate(0.1), lambda m: m.inverse(0.1)])
def test_run_and_check_name_two_drives_on_one_degree_of_freedom(analyse):
    model = four_bar().drive.rotation("rocker", "1 + t", name="second")
    sentence = "drives 'second' and 'crank' prescribe the same degree of freedom and differ: drive 'second' by"
    with pytest.raises(gw.AssemblyError, match=sentence) as stop:
        analyse(model)
    assert "remove one of these drives" in str(stop.value)
    (conflict,) = model.check().conflicts
    assert conflict.startswith(sentence)


def test_gaps_without_competing_drives_name_the_joints():
    model = four_bar()
    model.link("brace", "O", "B", length=1.0, mass=0.1)
    with pytest.raises(gw.AssemblyError, match=r"cannot be closed from the drawn pose; open: joint") as stop:
        model.kinematics(0.1)
    assert "degree of freedom" not in str(stop.value)
