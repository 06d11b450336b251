"""Bodies of robots: merged links, repaired or rejected masses, mimic joints."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.model.io.urdf_import import convert_urdf
from robots import joint, link, robot

HINGE = '<axis xyz="0 1 0"/>'


def inertial(mass: float, moments: str, at: str = "0 0 0") -> str:
    xx, yy, zz = moments.split()
    tensor = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}"/>'
    return f'<inertial><origin xyz="{at}"/><mass value="{mass}"/>{tensor}</inertial>'


BODY = inertial(2, "0.02 0.03 0.04")
NONE = inertial(0.5, "0 0 0", "0 0 0.1")
IMPOSSIBLE = inertial(0.5, "0.001 0.001 0.01")
LIGHT = inertial(0, "0.001 0.002 0.002")
FIXED = '<origin xyz="0 0.2 0" rpy="0 0 1.5707963267948966"/>'


def arm(*rest: str, body: str = BODY) -> str:
    """A link that turns about y, and links attached to it."""
    return robot(link("world"), link("arm", body), joint("j", "continuous", "world", "arm", HINGE), *rest)


def bodies(text: str, **options: Any) -> dict[str, Any]:
    document = convert_urdf(text, "the text", **options).document
    return gw.Model.from_dict(document).mechanism().body_names


def table(text: str, **options: Any) -> dict[str, Any]:
    return {row.name: row for row in convert_urdf(text, "the text", **options).table}


# merging -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", [NONE, IMPOSSIBLE, LIGHT])
def test_impossible_body_is_merged_into_another(own: str) -> None:
    """Mass, centre and inertia are the sums of both; the name becomes a point of the other body."""
    text = arm(link("tip", own), joint("f", "fixed", "arm", "tip", FIXED))
    (found,) = bodies(text).values()
    tip = next(k for k in (parsed(text).links.values()) if k.name == "tip").own
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    centre = np.array([0, 0.2, 0]) + turn @ tip.centre
    whole = 2 + tip.mass
    assert found.mass == pytest.approx(whole, rel=1e-15)
    assert found.centre == pytest.approx(tip.mass * centre / whole, abs=1e-16)
    # about the centre of mass, from sums over both about the origin of the arm
    about = np.diag([0.02, 0.03, 0.04]) + turn @ tip.inertia @ turn.T
    about += tip.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    c = np.array(found.centre)
    assert found.inertia == pytest.approx(about - whole * (c @ c * np.eye(3) - np.outer(c, c)), abs=1e-15)
    assert found.points["tip"] == pytest.approx([0, 0.2, 0], abs=1e-16)
    row = table(text)["tip"]
    assert row.model == "merged into, and point of arm" and row.called == "arm.tip"


def parsed(text: str) -> Any:
    from gaitwright.formats.urdf_file import parse_urdf

    return parse_urdf(text, "the text")


def test_possible_bodies_are_only_merged_on_request() -> None:
    text = arm(link("tool", BODY), joint("f", "fixed", "arm", "tool", FIXED), link("tip"),
               joint("g", "fixed", "tool", "tip", FIXED))  # fmt: skip
    assert list(bodies(text)) == ["arm", "tool"]
    merged = bodies(text, merge=True)
    assert list(merged) == ["arm"] and merged["arm"].mass == 4.0
    assert merged["arm"].points["tool"] == pytest.approx([0, 0.2, 0])
    assert merged["arm"].points["tip"] == pytest.approx([-0.2, 0.2, 0])
    assert table(text, merge=True)["f"].model == "none: both are one body"


def test_merging_changes_no_motion() -> None:
    text = arm(link("tool", inertial(1, "0.01 0.02 0.02", "0.1 0.3 0.2")), joint("f", "fixed", "arm", "tool", FIXED))
    found = []
    for merge in (False, True):
        model = gw.Model.from_dict(convert_urdf(text, "", merge=merge).document)
        found.append(model.simulate(0.5, tolerance=1e-11, output_step=0.25).array("j.angle"))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert abs(found[0][-1]) > 0.1


def test_group_with_one_impossible_sum_is_merged_whole() -> None:
    """A child that is a possible body is needed to make its parent one."""
    parent, child = inertial(1, "0.001 0.001 0.01"), inertial(3, "0.02 0.02 0.02")
    text = arm(link("tool", child), joint("f", "fixed", "arm", "tool", FIXED), body=parent)
    found = bodies(text)
    assert list(found) == ["tool"] and found["tool"].mass == 4.0
    assert table(text)["arm"].called == "tool.arm"


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_impossible_base_is_merged(base: str) -> None:
    """As in many quadrupeds: a first link with an invented inertia, and the trunk fixed to it."""
    text = robot(link("base", IMPOSSIBLE), link("trunk", BODY), link("leg", BODY),
                 joint("f", "fixed", "base", "trunk", FIXED), joint("j", "continuous", "trunk", "leg", HINGE))  # fmt: skip
    found = bodies(text, base=base)
    assert list(found) == ["trunk", "leg"]
    assert found["trunk"].mass == {"fixed": 2.0, "free": 2.5}[base]
    assert list(bodies(text, base=base, merge=True)) == {"fixed": ["leg"], "free": ["trunk", "leg"]}[base]


def test_automatic_merging_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(arm(link("tip", LIGHT), joint("f", "fixed", "arm", "tip", FIXED)))
    with pytest.warns(UserWarning, match="links that could not be bodies are merged: tip into arm"):
        gw.import_model(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gw.import_model(path, merge=True)
    shown = gw.robot_table(path)
    assert list(shown.index) == ["world", "arm", "tip", "j", "f"]
    assert shown.loc["arm", "model"] == "body" and shown.loc["tip", "file"] == "link with inertia, without mass"


# repairing -----------------------------------------------------------------------------------------------------------

WRONG = {
    "more than the sum": (IMPOSSIBLE, "no body has these principal moments"),
    "negative": (inertial(0.5, "-0.001 0.004 0.004"), "principal moment that is not positive"),
    "a point": (NONE, "principal moment that is not positive"),
    "rounded zeros": (inertial(0.5, "1e-20 0 -1e-22"), "principal moment that is not positive"),
    "inertia alone": (LIGHT, "has inertia but no mass and moves by joint 'k'"),
    "impossible inertia alone": (inertial(0, "0.001 0.001 0.01"), "has inertia but no mass"),
    "nothing": ("", "has no mass and moves by joint 'k'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_impossible_moving_body_is_rejected_or_repaired(name: str) -> None:
    own, problem = WRONG[name]
    text = arm(link("end", own), joint("k", "continuous", "arm", "end", HINGE + FIXED))
    with pytest.raises(gw.ModelError) as error:
        convert_urdf(text, "the text")
    assert "link 'end'" in str(error.value) and problem in str(error.value) and "--repair" in str(error.value)
    reading = convert_urdf(text, "the text", repair=True)
    found = gw.Model.from_dict(reading.document).mechanism().body_names["end"]  # raises for an impossible body
    given = parsed(text).links["end"].own
    assert found.mass == (given.mass or 1e-6 * 2)
    assert found.centre == pytest.approx(given.centre)
    moments = np.linalg.eigvalsh(found.inertia)
    assert moments[0] > 0 and moments[2] < moments[0] + moments[1]
    row = next(row for row in reading.table if row.name == "end")
    assert row.remark.startswith("repaired: ")
    assert any(note.startswith("impossible mass or inertia was repaired: end (") for note in reading.notes)


def test_repair_gives_the_nearest_possible_body() -> None:
    """Second moments along the axes are x^2: 5e-3, y^2: 5e-3, z^2: -4e-3, which becomes nearly 0: a plate; its moment
    about the normal is that of the file, and those about the other axes are half of it."""
    text = arm(link("end", IMPOSSIBLE), joint("k", "continuous", "arm", "end", HINGE))
    found = bodies(text, repair=True)["end"]
    assert np.diag(found.inertia) == pytest.approx([0.00501, 0.00501, 0.01], rel=1e-12)


def test_possible_body_is_not_repaired() -> None:
    text = arm(link("end", inertial(1, "0.01 0.02 0.03")), joint("k", "continuous", "arm", "end", HINGE))
    assert bodies(text) | {} and np.diag(bodies(text, repair=True)["end"].inertia) == pytest.approx([0.01, 0.02, 0.03])
    assert not any(row.remark for row in convert_urdf(text, "", repair=True).table)


# mimic ---------------------------------------------------------------------------------------------------------------


def fingers(first: str, second: str, mimic: str) -> str:
    return robot(
        link("world"), link("a", BODY), link("b", BODY), joint("lead", first, "world", "a", '<axis xyz="0 0 1"/>'),
        joint("follow", second, "world", "b", f'<origin xyz="1 0 0"/><axis xyz="1 0 0"/><mimic joint="lead" {mimic}/>'),
    )  # fmt: skip


@pytest.mark.parametrize("first", ["continuous", "prismatic"])
@pytest.mark.parametrize("second", ["continuous", "prismatic"])
def test_mimic_joint_follows_its_leader(first: str, second: str) -> None:
    text = fingers(first, second, 'multiplier="-0.5" offset="0.2"')
    reading = convert_urdf(text, "", positions={"lead": 0.3}, speeds={"lead": 2.0})
    model = gw.Model.from_dict(reading.document)
    assert model.check().degrees_of_freedom == 1
    assert model.assemble().drawn_gap == pytest.approx(0, abs=1e-15)
    gear = model.document.joints[-1]
    assert gear["type"] == ("rack" if (first, second) == ("continuous", "prismatic") else "gear")
    drive = model.drive.rotation if first == "continuous" else model.drive.translation
    drive("lead", "0.3 + 2*t")
    run = model.kinematics(0.1, step=0.05)
    what = "angle" if second == "continuous" else "displacement"
    assert run.array(f"follow.{what}") == pytest.approx(-0.5 * (0.3 + 2 * run.time) + 0.2, abs=1e-12)


def test_mimic_chain_follows_its_first_joint() -> None:
    text = robot(
        link("world"), *(link(name, BODY) for name in "abc"), joint("one", "continuous", "world", "a"),
        joint("two", "continuous", "world", "b", '<mimic joint="one" multiplier="2" offset="0.1"/>'),
        joint("three", "continuous", "world", "c", '<mimic joint="two" multiplier="-3" offset="0.2"/>'),
    )  # fmt: skip
    three = parsed(text).joints["three"].mimic
    assert (three.follows, three.multiplier, three.offset) == ("one", -6.0, pytest.approx(-0.1))
    assert table(text)["three"].remark == "= -6 one -0.1 rad (mimic)"
    with pytest.raises(gw.ModelError, match="the joint 'two' follows 'one'"):
        convert_urdf(text, "", positions={"two": 1.0})


def test_mimic_of_an_unknown_joint_is_independent() -> None:
    text = fingers("continuous", "continuous", "").replace('mimic joint="lead"', 'mimic joint="leed"')
    reading = convert_urdf(text, "")
    assert gw.Model.from_dict(reading.document).check().degrees_of_freedom == 2
    (note,) = reading.notes
    assert note.startswith("mimic names no joint of the file") and "leed; did you mean 'lead'" in note
    assert "moves on its own" in table(text)["follow"].remark


def test_torque_of_a_gripper() -> None:
    """Two fingers on one motor: the motor carries both."""
    model = gw.Model.from_dict(convert_urdf(fingers("continuous", "continuous", 'multiplier="-2"'), "").document)
    model.drive.rotation("lead", "t^2", name="motor")
    run = model.inverse(times=[0.0, 0.1])
    assert run.array("motor.torque")[0] == pytest.approx(2 * (0.04 + 4 * 0.02), rel=1e-12)
    assert run.array("follow-mimic.torque")[0] == pytest.approx(-4 * 0.02, rel=1e-12)
    assert math.isclose(run.array("lead.counter.torque")[0], -2 * 4 * 0.02, rel_tol=1e-12)
