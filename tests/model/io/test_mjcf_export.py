"""Export to MJCF and import: same bodies, start state and accelerations; elements without counterpart are listed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import gaitwright as gw
from gaitwright.mechanisms import four_bar, jansen_leg, pendulum
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.io.importers import convert_mjcf
from gaitwright.model.io.mjcf_export import mjcf_text
from made_up_mechanisms import made_up, motion, trees


def back(model: gw.Model) -> tuple[gw.Model, list[str], list[str]]:
    text, left = mjcf_text(model)
    start = {"key": "start"} if "<keyframe>" in text else {}
    document, notes = convert_mjcf(text, "the text", **start)
    return gw.Model.from_dict(document), left, notes


def same(first: gw.Model, second: gw.Model, within: float = 1e-7) -> None:
    before, after = motion(first), motion(second)
    assert set(before) == set(after)
    for name, numbers in before.items():
        scale = max(1.0, float(np.abs(numbers).max()))
        assert np.abs(after[name] - numbers).max() < within * scale, name


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(trees())
def test_tree_is_read_back(model: gw.Model) -> None:
    """Every joint in both directions, springs, start velocities: positions, velocities and accelerations of all bodies."""
    again, left, _ = back(model)
    assert not left
    same(model, again)
    masses = {name: (body.mass, np.asarray(body.inertia)) for name, body in model.mechanism().body_names.items()}
    for name, body in again.mechanism().body_names.items():
        assert body.mass == masses[name][0] and np.allclose(body.inertia, masses[name][1], rtol=1e-12, atol=1e-15)


def closed(kind: str) -> gw.Model:
    """A loop of four bars in space; the last joint has the given type."""
    model = made_up(7, ["revolute", "spherical", "spherical"], [-1, 0, 1], [False] * 3, springs=False)
    at = motion(model)["b2"][:3] + 0.1
    body, end = model.mechanism().body_names["b2"], model.assemble().q
    pose = end[body.index]
    turn = pose[3:].reshape(3, 3).T + np.eye(3)
    model.document.bodies[2].points["E"] = (turn.T @ (at - pose[:3])).tolist()
    model.ground_point("E", *at.tolist())
    return model.joint(kind, a="ground.E", b="b2.E", name="last", **({"axis": [0, 0, 1]} if kind == "revolute" else {}))


@pytest.mark.parametrize("kind", ["spherical", "revolute", "fixed"])
def test_loop_is_read_back(kind: str) -> None:
    """A hinge that closes a loop becomes two balls on its axis, so joints differ but motions do not."""
    model = closed(kind)
    again, left, notes = back(model)
    assert not left and notes[0].startswith("equality constraints are rigid")
    same(model, again)
    assert again.check().degrees_of_freedom == model.check().degrees_of_freedom


def test_rod_and_gear_are_read_back() -> None:
    model = made_up(3, ["revolute", "prismatic", "free"], [-1, -1, -1], [False, True, False])
    model.joint("rack", a="j0", b="j1", radius=0.3, name="rack")
    model.ground_point("R", 2, 2, 2)
    model.joint("distance", a="ground.R", b="b2.P", name="rod")
    again, left, _ = back(model)
    assert not left
    same(model, again)
    assert {joint["type"] for joint in again.document.joints} == {"revolute", "prismatic", "rack", "distance"}


@pytest.mark.parametrize("make", [four_bar, jansen_leg, lambda: pendulum((0.3, 0.2))])
def test_planar_model_is_exported_in_space(make: Any) -> None:
    """Motion in x and y becomes motion in x and z; drives are listed."""
    model = make()
    raw = model.to_dict()
    raw.pop("drives", None)
    free = gw.Model.from_dict({k: v for k, v in raw.items() if k not in ("analysis", "outputs", "gait")})
    again, left, _ = back(free)
    assert not left
    before, after = free.simulate(1e-6, output_step=1e-6), motion(again)
    for name in before.mechanism.body_names:
        numbers = [before.array(f"{name}.{what}")[0] for what in ("x", "y", "ax", "ay")]
        assert after[name][[0, 2, 6, 8]] == pytest.approx(numbers, rel=1e-7, abs=1e-7)


def test_omitted_elements_are_listed() -> None:
    model = four_bar()
    model.contact("coupler.B", gw.surfaces.LineGround(-1.0), law=gw.laws.Penalty(stiffness=1e4), name="floor")
    _, left, _ = back(model.force.torque("rocker", "sin(t)", name="push"))
    assert left == [
        "contacts are left out: floor",
        "forces without a counterpart are left out: push",
        "drives are left out: MuJoCo has actuators, not given motions: crank",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("flexible-slider-crank", "beam 'rod': cannot be written as MJCF; expected a model of rigid bodies"),
        ("klann-leg", "joint '.*' field 'type': planar gears.*MJCF does not support"),
        ("back-support", "beam 'blade': cannot be written as MJCF"),
    ],
)
def test_elements_without_counterpart_are_rejected(name: str, said: str) -> None:
    with pytest.raises(gw.ModelError, match=said):
        mjcf_text(CATALOGUE[name].make())


def test_loops_that_mujoco_cannot_close_are_rejected() -> None:
    model = made_up(5, ["prismatic", "prismatic"], [-1, 0], [False, False])
    model.joint("point-on-plane", a="ground.origin", b="b1.centre", axis=[0, 0, 1], name="plane")
    with pytest.raises(
        gw.ModelError, match="joint 'plane': a point-on-plane joint that closes a loop has no counterpart in MJCF"
    ):
        mjcf_text(model)
