"""Gears and racks: closed forms, any number of turns, any two joints, and messages for invalid input."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw

J, J2, TORQUE, RATIO = 0.3, 0.05, 2.0, -1.7
ALL = J + RATIO**2 * J2
"""Reflected inertia at a motor on the first wheel, kg m^2."""


def train(axis: Any = (0, 0, 1), **gear: Any) -> gw.Model:
    """Two wheels on the ground, the second about any axis."""
    model = gw.Model("train", dimension=3, gravity=(0, 0, 0)).ground_point("A", 0, 0, 0).ground_point("B", 1, 0, 0)
    model.body("wheel", mass=2, inertia=[0.2, 0.2, J], points={"M": (0, 0, 0)})
    model.body("pinion", mass=1, inertia=[J2] * 3, at=(1, 0, 0), points={"M": (0, 0, 0)})
    model.joint("revolute", "shaft", a="ground.A", b="wheel.M", axis=(0, 0, 1))
    model.joint("revolute", "axle", a="ground.B", b="pinion.M", axis=axis)
    return model.joint("gear", "mesh", a="shaft", b="axle", **{"ratio": RATIO, **gear})


def press(radius: float = 0.05) -> gw.Model:
    """A wheel that lifts a mass of 3 kg by a vertical rack."""
    model = gw.Model("press", dimension=3).ground_point("A", 0, 0, 0).ground_point("G", 1, 0, 0)
    model.body("wheel", mass=2, inertia=[0.2, 0.2, J], points={"M": (0, 0, 0)})
    model.body("ram", mass=3, inertia=[0.1, 0.1, 0.1], at=(1, 0, 0.2), points={"M": (0, 0, 0)})
    model.joint("revolute", "shaft", a="ground.A", b="wheel.M", axis=(0, 1, 0))
    model.joint("prismatic", "guide", a="ground.G", b="ram.M", axis=(0, 0, 1))
    return model.joint("rack", "teeth", a="shaft", b="guide", radius=radius)


@pytest.mark.parametrize("axis", [(0, 0, 1), (0.6, 0, -0.8)], ids=["parallel", "bevel"])
def test_motor_turns_both_wheels(axis: Any) -> None:
    """Six turns of the first wheel and ten of the second, with a drawn angle that is no whole number of turns."""
    model = train(axis).force("joint-torque", "motor", joint="shaft", value=TORQUE)
    assert model.check().degrees_of_freedom == 1 and model.check().redundant == []
    run = model.simulate(4.0, tolerance=1e-10, output_step=0.02)
    angle = TORQUE / ALL / 2 * run.time**2
    assert angle[-1] > 11 * math.pi
    turned = {name: np.unwrap(run.array(f"{name}.angle")) for name in ("shaft", "axle")}
    assert turned["shaft"] == pytest.approx(angle, abs=1e-7)  # integration tolerance after 36 rad
    assert turned["axle"] == pytest.approx(RATIO * angle, abs=1e-7)
    assert run.array("mesh.torque") == pytest.approx(RATIO * J2 * TORQUE / ALL, rel=1e-9)
    assert run.array("shaft.counter.torque") == pytest.approx(-(RATIO**2) * J2 * TORQUE / ALL, rel=1e-9)
    assert np.abs(run.array("energy.residual")).max() < 1e-7 * run.array("energy.kinetic")[-1]


def test_driven_gear_train_over_many_turns() -> None:
    """Kinematics and inverse dynamics, with steps of a third of a turn of the faster wheel."""
    run = train().drive.rotation("shaft", "40*t - 3*t^2", name="motor").inverse(2.0, step=0.03)
    wanted = RATIO * (40 * run.time - 3 * run.time**2)
    assert np.cos(run.array("axle.angle") - wanted) == pytest.approx(1, abs=1e-12)
    assert run.array("axle.rate") == pytest.approx(RATIO * (40 - 6 * run.time), rel=1e-10)
    assert run.array("motor.torque") == pytest.approx(-6 * ALL, rel=1e-10)


def test_offset_and_drawn_pose() -> None:
    """With an offset, b moves there from any drawn angle, also half a turn away; without one, it stays."""
    for offset in (0.5, 3.0, -2.0):
        run = train(offset=offset).drive.rotation("shaft", "0.1*t").kinematics(0.2, step=0.1)
        assert np.cos(run.array("axle.angle") - offset - 0.1 * RATIO * run.time) == pytest.approx(1, abs=1e-12)
    assert train().drive.rotation("shaft", "0.1*t").kinematics(0.2, step=0.1).array("axle.angle")[0] == 0.0


def test_rack_lifts_a_mass() -> None:
    """Statics: torque on the shaft m g r. Motion: (J + m r^2) phi'' = tau - m g r."""
    model = press()
    wheel = next(body for body in model.document.bodies if body.name == "wheel")
    about = 0.2  # about y
    assert wheel.inertia[1] == about
    run = model.force("joint-torque", "motor", joint="shaft", value=5.0).simulate(3.0, tolerance=1e-10, output_step=0.1)
    rate = (5.0 - 3 * 9.81 * 0.05) / (about + 3 * 0.05**2)
    assert run.array("guide.displacement") == pytest.approx(0.2 + 0.05 * rate * run.time**2 / 2, rel=1e-8)
    assert run.array("teeth.force") == pytest.approx(3 * (9.81 + 0.05 * rate), rel=1e-9)
    held = press().drive.rotation("shaft", "0", name="motor").inverse(times=[0.0, 1.0])
    assert held.array("motor.torque")[0] == pytest.approx(3 * 9.81 * 0.05, rel=1e-12)


def test_frequency_of_a_spring_behind_a_gear() -> None:
    """Modes and statics with a counter, which has no mass: omega^2 = ratio^2 k / J."""
    model = train().force("torsion-spring", "spring", joint="axle", stiffness=4.0)
    assert model.modes().frequencies[0] == pytest.approx(math.sqrt(RATIO**2 * 4.0 / ALL) / 2 / math.pi, rel=1e-9)
    loaded = train().force("torsion-spring", "spring", joint="axle", stiffness=4.0)
    loaded.force("joint-torque", "load", joint="shaft", value=0.5)
    assert loaded.static().array("shaft.angle")[-1] == pytest.approx(0.5 / RATIO**2 / 4.0, rel=1e-9)


def test_gears_share_the_counter_of_a_joint_and_form_chains() -> None:
    model = train()
    model.ground_point("C", 2, 0, 0).body("third", mass=1, inertia=[1, 1, 1], at=(2, 0, 0), points={"M": (0, 0, 0)})
    model.joint("revolute", "last", a="ground.C", b="third.M", axis=(0, 1, 0))
    star, chain = model.copy(), model.copy()
    star.joint.gear("shaft", "last", 0.3)
    chain.joint.gear("axle", "last", 0.5)
    for model, ratio, counters in ((star, 0.3, 1), (chain, 0.5 * RATIO, 2)):
        kinds = [part.kind for part in model.mechanism().parts.values()]
        assert kinds.count("counter") == counters and model.check().degrees_of_freedom == 1
        run = model.drive.rotation("shaft", "7*t").kinematics(1.0, step=0.1)
        assert run.array("last.rate") == pytest.approx(7 * ratio, rel=1e-10)


def test_a_rack_in_the_plane() -> None:
    """A wheel rolling along a fixed rack equals a fixed wheel with a sliding ground: same numbers as the spatial press."""
    model = gw.Model(gravity=(0, -9.81)).ground_point("A", 0, 0).ground_point("G", 1, 0)
    model.body("wheel", mass=2, inertia=0.2, points={"M": (0, 0)}).body(
        "ram", mass=3, inertia=0.1, at=(1, 0.2), points={"M": (0, 0)}
    )
    model.joint.revolute("A", "wheel.M").joint.prismatic("G", "ram.M", (0, 1), name="guide")
    model.joint("rack", "teeth", a="ground.G", b="ram.M", axis=(0, 1), pinion="wheel", radius=0.05)
    run = model.force.torque("wheel", 5.0).simulate(3.0, tolerance=1e-10, output_step=0.1)
    rate = (5.0 - 3 * 9.81 * 0.05) / (0.2 + 3 * 0.05**2)
    assert run.array("ram.y") == pytest.approx(0.2 + 0.05 * rate * run.time**2 / 2, rel=1e-8)
    assert run.array("teeth.force") == pytest.approx(3 * (9.81 + 0.05 * rate), rel=1e-9)


@pytest.mark.slow
def test_results_are_read_back(tmp_path: Path) -> None:
    run = train().drive.rotation("shaft", "t").kinematics(0.2, step=0.1)
    again = gw.load_result(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again.array("mesh.torque"), run.array("mesh.torque"))
    assert np.array_equal(gw.load(train().save(tmp_path / "m.yaml")).mechanism().drawn, train().mechanism().drawn)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"a": "shft"}, ("joint 'mesh' field 'a'", "there is no joint 'shft'", "did you mean 'shaft'")),
        ({"b": "shaft"}, ("field 'b'", "connects the joint 'shaft' with itself")),
        ({"b": "mesh"}, ("the joint 'mesh' is gear, not a hinge or slider", "one of shaft, axle")),
        ({"type": "rack", "radius": 1}, ("field 'b'", "the joint 'axle' is revolute, not a slider")),
        ({"carrier": "wheel"}, ("joint 'mesh'", "carrier")),
    ],
)
def test_invalid_gears_have_a_message(change: dict[str, Any], parts: tuple[str, ...]) -> None:
    entry: dict[str, Any] = {"name": "mesh", "type": "gear", "a": "shaft", "b": "axle", "ratio": 2, **change}
    if entry["type"] == "rack":
        del entry["ratio"]
    document = train().to_dict()
    document["joints"][-1] = entry
    with pytest.raises(gw.ModelError) as error:
        gw.Model.from_dict(document).mechanism()
    for part in parts:
        assert part in str(error.value)
