"""Foot on various grounds: rotated configurations give rotated results, and a moving belt equals a moving foot."""

import math

import numpy as np
import pytest

import gaitwright as gw

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
ANGLE = 0.12
LEVEL = gw.surfaces.PlaneGround()
SLOPE = gw.surfaces.Plane(math.sin(ANGLE), 0.0, math.cos(ANGLE), 0.0)  # horizontal, rotated about y
LOAD = 350.0


def heights(rise):
    x = np.linspace(-0.3, 0.5, 9)
    return gw.surfaces.HeightField((rise * x)[:, None] * np.ones((1, 7)), spacing=(0.1, 0.1), origin=(-0.3, -0.3))


def pressed(ground, angle):
    """Force of the ground and centre of pressure of a foot held 3 mm deep; rotated about y."""
    turn = np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]])
    model = gw.Model("pressed", dimension=3, gravity=(0, 0, 0))
    at = turn @ [0.0, 0.0, -3e-3]
    placing = FOOT.attach(
        model, at=at.tolist(), angle=angle, axis=(0, 1, 0), ground=ground, speed="foundation", friction=None
    )
    model.ground_point("holder", *(turn @ FOOT.ankle + at))
    model.joint.fixed("ground.holder", "foot_rearfoot.foot_ankle")
    run = model.static()
    force = sum(np.array([run.array(f"{n}.f{a}")[-1] for a in "xyz"]) for n in placing.contacts)
    push = np.array([run.array(f"{n}.normal_force")[-1] for n in placing.contacts])
    places = np.array([[run.array(f"{n}.{a}")[-1] for a in "xyz"] for n in placing.contacts])
    return turn.T @ force, turn.T @ np.average(np.nan_to_num(places), axis=0, weights=push)


CASES = {
    "slope": (SLOPE, ANGLE),
    "level heights": (heights(0.0), 0.0),
    "slope of heights": (heights(-math.tan(ANGLE)), ANGLE),
}


@pytest.mark.parametrize(("ground", "angle"), CASES.values(), ids=CASES)
def test_rotated_ground_gives_rotated_forces(ground, angle):
    (force, centre), (level, middle) = pressed(ground, angle), pressed(LEVEL, 0.0)
    assert force == pytest.approx(level, abs=1e-6 * level[2])
    assert centre == pytest.approx(middle, abs=1e-7)


@pytest.mark.parametrize("ground", [SLOPE, heights(-math.tan(ANGLE))], ids=["plane", "heights"])
def test_foot_stands_on_a_slope(ground):
    """Friction balances the downhill force; the ground carries the weight."""
    standing = FOOT.stand(LOAD, ground=ground, speed="foundation")
    run = standing.run
    pull = sum(run.array(f"foot_sole_{core.name}.fx")[-1] for core in FOOT.anatomy.cores)
    assert standing.force == pytest.approx(LOAD, rel=1e-6) and abs(pull) < 1e-6 * LOAD
    assert sum(standing.shares.values()) == pytest.approx(1.0, abs=0.02)


def test_moving_belt_equals_foot_moving_the_other_way():
    """The foot moves over a fixed ground, or is held over a moving one."""
    foot, speed, forces = FOOT.with_inside(gw.foot.Clamp(above=0.03)), 0.3, {}
    for name, ground, way in (
        ("goes", LEVEL, f"{speed}*t"),
        ("belt", gw.surfaces.PlaneGround(velocity=(-speed, 0.0, 0.0)), 0.0),
    ):
        model = gw.Model(name, dimension=3, gravity=(0, 0, 0))
        foot.attach(model, at=(0.0, 0.0, -2e-3), ground=ground, speed="foundation", friction=0.6)
        x, y, z = map(float, foot.ankle - [0.0, 0.0, 2e-3])
        model.drive("position", point="foot_rearfoot.foot_ankle", x=f"{x} + {way}", y=y, z=z)
        model.drive("orientation", body="foot_rearfoot", angles=[0, 0, 0], sequence="xyz")
        run = model.kinematics(until=0.1, step=0.002)
        forces[name] = np.stack([run.array(f"foot_sole_rearfoot.f{axis}") for axis in "xyz"], axis=1)
    assert forces["belt"] == pytest.approx(forces["goes"], abs=1e-6 * forces["goes"][:, 2].max())
    assert forces["goes"][-1, 0] == pytest.approx(-0.6 * forces["goes"][-1, 2], rel=1e-3)  # it slides in the end
