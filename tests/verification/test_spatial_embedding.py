"""Planar models, put into space by `gw.in_space`, give the planar answers: kinematics, inverse and forward dynamics, statics
and modes. The planar answers themselves are verified elsewhere. In space every planar loop is overconstrained three times."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gaitwright as gw
from gaitwright import mechanisms
from gaitwright.result.result import Result
from verification import analytical as an
from verification.models import CRANK_ROCKER, four_bar, hanging_rod, slider_crank

SLIDER = an.SliderCrank(0.15, 0.4, 0.05, 0.3, 0.002, 0.5, 0.01, 0.8)


def workbench() -> gw.Model:
    """Everything else that can be translated: bodies with springs, stops, loads, a slot, a weld and no joint at all."""
    model = gw.Model("workbench", parameters={"push": 3.0}).ground_point("O", 0, 0).ground_point("C", 0.6, 0.2)
    model.body("arm", mass=1.0, inertia=0.02, at=(0.2, 0), angle=0.1, points={"A": (-0.2, 0), "B": (0.2, 0.05)})
    model.body("hand", mass=0.4, inertia=0.004, at=(0.5, 0.1), angle=0.7, points={"B": (-0.1, 0), "P": (0.1, 0.02)})
    model.body("tool", mass=0.2, inertia=0.001, at=(0.6, 0.2), points={"P": (0, 0)})
    model.body("puck", mass=0.3, inertia=0.002, at=(0.8, -0.4), velocity=(0.2, 0.1), spin=1.5, points={"E": (0.1, 0.1)})
    model.body("block", mass=0.5, inertia=0.003, at=(-0.3, 0.2), angle=0.3, velocity=(0.4, 0))
    model.joint.revolute("ground.O", "arm.A", name="shoulder").joint.revolute("arm.B", "hand.B", name="elbow")
    model.joint.fixed("hand.P", "tool.P", name="grip").joint.slot("ground.O", "block", (1, 0.2), name="groove")
    model.force.torsion_spring("arm", "hand", stiffness=2.0, damping=0.05, rest_angle=0.3, name="tendon")
    model.force.bumper("ground", "arm", lower=-0.2, upper=1.0, stiffness=30.0, damping=0.1, name="stop")
    model.force.spring_damper("ground.C", "puck.E", stiffness=40.0, damping=0.5, name="spring")
    model.force.spring_damper("arm.B", "block", stiffness=60.0, rest_length=0.5, name="strut")
    model.force.at_point("hand.P", ("push*sin(5*t)", -1.0), name="dead").force.at_point(
        "puck.E", (0.5, "t"), "body", name="jet"
    )
    model.force.torque("arm", "0.4*cos(3*t)", name="motor")
    return model.force("torque", "muscle", body="hand", reaction="arm", value="0.1*t")


PLANAR = {
    "pendulum": lambda: hanging_rod(1.0, 0.5, mass=2.0),
    "double-pendulum": lambda: mechanisms.pendulum((0.3, 0.0)),
    "four-bar": lambda: four_bar(CRANK_ROCKER, 1.0),
    "slider-crank": lambda: slider_crank(SLIDER, 0.8),
    "workbench": workbench,
}
DRIVEN = {
    "four-bar": lambda: four_bar(CRANK_ROCKER, 0.3, drive="0.3 + 5*t + 0.4*sin(3*t)"),
    "slider-crank": lambda: slider_crank(SLIDER, 0.8, drive="0.8 - 7*t"),
    "jansen": mechanisms.jansen_leg,
    "hand": lambda: (
        workbench()
        .drive.relative_rotation("arm", "hand", "0.6 + 0.3*sin(4*t)", name="servo")
        .drive.position("block", x="-0.3 + 0.2*t", name="push-rod")
        .drive.distance("ground.C", "puck.E", length="0.5 + 0.1*sin(t)", name="piston")
        .drive.position("puck", x="0.7 + 0.05*t", y="-0.3", name="guide")
        .drive.rotation("arm", "0.1 + 0.5*t", name="servo-2")
    ),
}


@functools.cache
def both(name: str, driven: bool = False) -> tuple[gw.Model, gw.Model]:
    plane = (DRIVEN if driven else PLANAR)[name]()
    return plane, gw.in_space(plane)


def assert_same_motion(plane: Result, space: Result, tolerance: float) -> None:
    """Positions, velocities and accelerations of all centres, orientations, rates; and nothing leaves the plane.
    tolerance: m and rad; velocities and accelerations in the scale of the fastest."""
    for body in plane.mechanism.body_names:
        for order in ("", "v", "a"):
            names = [f"{body}.{order}{axis}" for axis in "xyz"]
            found = np.stack([space.array(name) for name in names], axis=1)
            wanted = np.stack([plane.array(names[0]), np.zeros(plane.time.size), plane.array(names[1])], axis=1)
            np.testing.assert_allclose(
                found, wanted, rtol=0, atol=tolerance * max(1.0, np.abs(wanted).max()), err_msg=body
            )
        angle = plane.array(f"{body}.angle")
        turned = space.array(f"{body}.r11") + 1j * space.array(f"{body}.r31")
        np.testing.assert_allclose(turned, np.exp(1j * angle), rtol=0, atol=tolerance, err_msg=body)
        for what, of in (("spin", "w{}"), ("angular_acceleration", "alpha_{}")):
            wanted = plane.array(f"{body}.{what}")
            scale = tolerance * max(1.0, np.abs(wanted).max())
            np.testing.assert_allclose(
                -space.array(f"{body}.{of.format('y')}"), wanted, rtol=0, atol=scale, err_msg=body
            )
            for axis in "xz":
                assert np.abs(space.array(f"{body}.{of.format(axis)}")).max() < scale


def assert_same_reactions(plane: Result, space: Result, tolerance: float) -> None:
    """Forces of pins in the plane; what drives exert. tolerance: relative to the largest."""
    size = tolerance * max(1.0, np.abs(plane.motion.lam).max())
    for names in plane.mechanism.constraint_names:
        new = names.name.replace(":", "-")
        if names.type in ("revolute", "fixed"):
            for a, b in (("fx", "fx"), ("fy", "fz")):
                np.testing.assert_allclose(
                    space.array(f"{new}.{b}"), plane.array(f"{names.name}.{a}"), rtol=0, atol=size
                )
        if names.type in ("fixed", "prismatic"):
            np.testing.assert_allclose(
                -space.array(f"{new}.my"), plane.array(f"{names.name}.moment"), rtol=0, atol=size
            )
        if names.kind == "drive":
            for row in names.declaration.rows:
                wanted = plane.array(f"{names.name}.{row}")
                found = space.array(f"{new}.{row.replace('_y', '_z')}")
                np.testing.assert_allclose(found, wanted, rtol=0, atol=size, err_msg=names.name)


@pytest.mark.parametrize("name", DRIVEN)
def test_inverse_dynamics_is_that_of_the_plane(name: str) -> None:
    plane, space = both(name, driven=True)
    times = np.linspace(0.0, 0.5, 11)
    one, two = plane.inverse(times=times), space.inverse(times=times)
    assert_same_motion(one, two, 1e-10)
    assert_same_reactions(one, two, 1e-10)


@pytest.mark.parametrize("name", PLANAR)
def test_forward_dynamics_is_that_of_the_plane(name: str) -> None:
    """Angles and axes have different errors of truncation; steps of 1 ms with order 6 leave neither."""
    one, two = (model.simulate(0.5, method="gauss3", step=1e-3, every=25) for model in both(name))
    assert_same_motion(one, two, 1e-10)
    assert_same_reactions(one, two, 1e-9)
    np.testing.assert_allclose(two.array("energy.kinetic"), one.array("energy.kinetic"), rtol=1e-9, atol=1e-10)
    for force in [names.name for names in one.mechanism.force_names if not names.declaration.implied]:
        for what in ("energy", "dissipated", "work"):
            if f"{force}.{what}" in one.names:
                np.testing.assert_allclose(two.array(f"{force}.{what}"), one.array(f"{force}.{what}"), atol=1e-9)


@pytest.mark.parametrize("name", ["pendulum", "double-pendulum", "four-bar", "slider-crank"])
def test_freedom_and_modes_are_those_of_the_plane(name: str) -> None:
    plane, space = both(name)
    assert space.check().degrees_of_freedom == plane.check().degrees_of_freedom
    np.testing.assert_allclose(space.modes().frequencies, plane.modes().frequencies, rtol=1e-9)


def test_every_loop_is_overconstrained_three_times() -> None:
    """Eleven links with fifteen pins make five loops; the out-of-plane constraints of the pins of a loop are redundant
    twice."""
    _, space = both("jansen", driven=True)
    redundant = space.check().redundant
    assert len(redundant) == 15
    assert not any(sentence.startswith("body") for sentence in redundant)  # joints are in excess, never rigidity


@pytest.mark.parametrize("change", [
    lambda model: model.joint.gear("arm", "hand", ratio=2.0),
    lambda model: model.contact("hand.P", gw.surfaces.LineGround(level=-1.0), law=gw.laws.Hertz(stiffness=1e5)),
], ids=["gear", "contact"])  # fmt: skip
def test_missing_counterpart_is_reported(change) -> None:
    with pytest.raises(gw.ModelError, match="counterpart in space"):
        gw.in_space(change(workbench()))


def test_parameters_stay_parameters() -> None:
    """Of drives and loads; as in the plane."""
    plane, space = both("workbench")
    how = {"method": "gauss3", "step": 1e-2}
    one, two = (model.copy(push=30.0).simulate(0.2, **how) for model in (plane, space))
    assert_same_motion(one, two, 1e-6)
