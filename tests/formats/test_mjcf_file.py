"""MJCF as in MuJoCo's documentation: classes, notations of an orientation, several joints, equality; and invalid files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.formats.mjcf_file import parse_mjcf
from gaitwright.model.io.importers import convert_mjcf, import_model


def world(inner: str, before: str = "", after: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inner}</worldbody>{after}</mujoco>"


def body(inner: str = "", name: str = "b", geom: str = '<geom size="0.1"/>', **given: str) -> str:
    attributes = " ".join(f'{key}="{value}"' for key, value in given.items())
    return f'<body name="{name}" {attributes}>{geom}{inner}</body>'


def document(text: str, **options: Any) -> tuple[dict[str, Any], list[str]]:
    return convert_mjcf(text, "the text", **options)


def test_classes_are_inherited() -> None:
    """The class of the element, of its body, of the top; attributes of the element itself take precedence."""
    text = world(
        body('<joint name="x"/><body name="c" childclass="soft"><geom size="0.1"/><joint name="y"/></body>'
             '<body name="d" childclass="soft"><geom size="1"/><joint name="z" class="hard" damping="7"/></body>'),
        '<default><joint damping="1" axis="0 1 0"/><default class="soft"><joint stiffness="2"/>'
        '<default class="hard"><joint stiffness="9"/></default></default></default>',
    )  # fmt: skip
    found = {j.name: j for b in parse_mjcf(text, "t").bodies.values() for j in b.joints}
    assert [(j.damping, j.stiffness) for j in found.values()] == [(1, 0), (1, 2), (7, 9)]
    assert all(np.array_equal(j.axis, [0, 1, 0]) for j in found.values())


HALF = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""A quarter turn about z."""


@pytest.mark.parametrize(
    ("said", "compiler"),
    [
        ({"quat": "1 0 0 1"}, ""),
        ({"axisangle": "0 0 2 90"}, ""),
        ({"axisangle": "0 0 2 1.5707963267948966"}, '<compiler angle="radian"/>'),
        ({"euler": "0 0 90"}, ""),
        ({"euler": "90 0 0"}, '<compiler eulerseq="zyx"/>'),
        ({"xyaxes": "0 3 0 -1 0.5 0"}, ""),
    ],
)
def test_orientations(said: dict[str, str], compiler: str) -> None:
    found = parse_mjcf(world(body(**said), compiler), "t").bodies["b"]
    assert np.allclose(found.rotation, HALF, atol=1e-12)


def test_frame_elements_are_resolved() -> None:
    text = world(f'<frame pos="1 0 0" euler="0 0 90">{body(pos="1 0 0")}</frame>')
    found = parse_mjcf(text, "t").bodies["b"]
    assert found.at == pytest.approx([1, 1, 0]) and np.allclose(found.rotation, HALF)


@pytest.mark.parametrize(
    ("joints", "kind"),
    [
        (("hinge 1 0 0",), "revolute"),
        (("slide 1 0 0",), "prismatic"),
        (("ball 0 0 1",), "spherical"),
        (("hinge 1 0 0", "hinge 0 1 0"), "universal"),
        (("hinge 1 0 0", "hinge 0 1 0", "hinge 0 0 1"), "spherical"),
        (("slide 1 0 0", "slide 0 1 0", "hinge 0 0 1"), "planar"),
        (("hinge 0 0 1", "slide 1 0 0", "slide 0 1 0"), "planar"),
        (("slide 0 0 1", "hinge 0 0 1"), "cylindrical"),
        (("slide 1 0 0", "ball 0 0 1"), "point-on-line"),
        (("slide 1 0 0", "slide 0 1 0", "ball 0 0 1"), "point-on-plane"),
        (("slide 1 0 0", "hinge 0 1 0"), "planar point-on-plane"),
        (("free 0 0 1",), ""),
        (("slide 1 0 0", "slide 0 1 0", "slide 0 0 1", "ball 0 0 1"), ""),
    ],
)
def test_several_joints_are_combined(joints: tuple[str, ...], kind: str) -> None:
    inner = "".join(
        f'<joint name="j{k}" type="{j.split()[0]}" axis="{" ".join(j.split()[1:])}"/>' for k, j in enumerate(joints)
    )
    made, _ = document(world(body(inner)))
    assert " ".join(joint["type"] for joint in made["joints"]) == kind
    count = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}
    freedom = gw.Model.from_dict(made).check().degrees_of_freedom
    assert freedom == sum(count[joint.split()[0]] for joint in joints)


def test_joints_without_equivalent_get_light_bodies() -> None:
    skew = '<joint name="p" axis="1 0 0"/><joint name="q" axis="1 1 0" pos="0 0.2 0" damping="0.1"/>'
    with pytest.raises(gw.ModelError, match=r"body 'b' field 'joint': its joints p, q do not combine into.*--repair"):
        document(world(body(skew)))
    made, notes = document(world(body(skew)), repair=True)
    assert [b["name"] for b in made["bodies"]] == ["b-p", "b"] and "stand between joints of one body: b-p" in " ".join(
        notes
    )
    assert gw.Model.from_dict(made).check().degrees_of_freedom == 2


def test_weld_and_locked_joint_hold() -> None:
    two = body('<joint name="p"/>') + body('<joint name="q" axis="1 0 0"/>', "c", pos="1 0 0")
    free = gw.Model.from_dict(document(world(two))[0]).check().degrees_of_freedom
    weld = document(world(two, after='<equality><weld body1="b" body2="c"/></equality>'))[0]
    lock = document(world(two, after='<equality><joint joint1="q"/></equality>'))[0]
    assert [gw.Model.from_dict(d).check().degrees_of_freedom for d in (weld, lock)] == [free - 2, free - 1]


def test_masses_of_geoms_and_contact_notes() -> None:
    made, notes = document(world(body("<joint/>", geom='<geom name="g" type="box" size="1 2 3" mass="6"/>')))
    (found,) = made["bodies"]
    assert found["mass"] == 6 and found["inertia"] == pytest.approx([26, 20, 10])
    assert found["shapes"] == [{"box": [2, 4, 6], "at": [0, 0, 0]}]
    assert notes == ["contacts of geoms are left out: g"]


def test_omitted_elements_are_listed() -> None:
    text = world(
        body(
            '<joint name="p" armature="1" frictionloss="2" range="-30 30"/><site name="tip" pos="0 0 1"/>', gravcomp="1"
        ),
        '<option density="1.2"/>',
        '<actuator><motor name="m" joint="p"/></actuator><sensor><jointpos joint="p"/></sensor>'
        '<tendon><fixed name="t"><joint joint="p" coef="1"/></fixed></tendon>',
    )
    made, notes = document(text)
    said = " | ".join(notes)
    for word in ("actuator is left out: m", "sensor is left out: jointpos", "medium around the bodies is left out: density",
                 "armature of joints is left out: p", "friction of joints is left out: p", "limits of joints are left out: p",
                 "gravcomp) is left out: b", "no straight line between two sites are left out: t"):  # fmt: skip
        assert word in said
    assert made["bodies"][0]["points"]["tip"] == [0, 0, 1]
    assert document(text, stops=50.0)[0]["forces"][0]["type"] == "bumper"


def test_includes_are_read_from_the_folder_only(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "part.xml").write_text(f"<mujocoinclude>{body('<joint/>')}</mujocoinclude>")
    main = tmp_path / "main.xml"
    main.write_text(world('<include file="sub/part.xml"/>'))
    assert [b.name for b in import_model(main).document.bodies] == ["b"]
    assert [b.name for b in gw.load(main).document.bodies] == ["b"], "as every command reads a model"
    main.write_text(world('<include file="../../etc/passwd"/>'))
    with pytest.raises(gw.ModelError, match="outside the folder of the file that names it"):
        import_model(main)


KEY = '<keyframe><key name="up" qpos="0.5" qvel="2"/><key name="odd" qpos="1 2"/></keyframe>'


def test_keyframe_sets_the_start_state() -> None:
    model = gw.Model.from_dict(document(world(body('<joint name="p"/>'), after=KEY), key="up")[0])
    run = model.simulate(1e-6)
    assert run.array("p.angle")[0] == pytest.approx(0.5) and run.array("p.rate")[0] == pytest.approx(2.0)


HINGED = body('<joint name="p"/>')
TWO = HINGED + body('<joint name="q"/>', "c")
CURVED = '<equality><joint joint1="p" joint2="q" polycoef="0 1 2 0 0"/></equality>'
BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "cut in half": (world(HINGED)[:60], {}, "not valid XML at line 1"),
    "another file": ("<html/>", {}, "is XML but not MJCF: it contains <html>"),
    "empty": ("<mujoco/>", {}, "has no bodies"),
    "NaN": (world(body('<joint/>', pos="0 nan 0")), {}, "body 'b' field 'pos': is not 3 finite numbers.*0 nan 0"),
    "two numbers": (world(body(pos="0 1")), {}, "pos.*is not 3 finite numbers"),
    "unknown joint": (world(body('<joint name="p" type="screw"/>')), {}, "joint 'p' field 'type': there is no such joint"),
    "unknown geom": (world(body(geom='<geom type="torus" size="1"/>')), {}, "type.*there is no such geom.*'torus'"),
    "no axis": (world(body('<joint name="p" axis="0 0 0"/>')), {}, "joint 'p' field 'axis': has no direction"),
    "no class": (world(body('<joint class="soft"/>')), {}, "there is no default class 'soft'"),
    "twice": (world(HINGED + HINGED), {}, "the name 'b' is used twice"),
    "negative mass": (world(body("<joint/>", geom='<geom size="1" mass="-1"/>')), {}, "mass.*is negative"),
    "no size": (world(body("<joint/>", geom='<geom type="box" size="1"/>')), {}, "size.*a box has 3 sizes"),
    "no mass": (world(body("<joint/>", geom="")), {}, "body 'b' field 'inertial': has no mass, and it moves.*--repair"),
    "mesh mass": (world(body("<joint/>", geom='<geom type="mesh" mesh="m"/>')), {}, "a mesh, which is not computed.*<inertial"),
    "composite": (world(body('<composite type="cable"/>')), {}, "bodies of a composite are not read"),
    "mocap": (world(body(mocap="true")), {}, "mocap.*is moved from outside"),
    "global": (world(HINGED, '<compiler coordinate="global"/>'), {}, "coordinate.*is not local"),
    "connect": (world(HINGED, after='<equality><connect body1="a" anchor="0 0 0"/></equality>'), {}, "no such body.*'a'"),
    "itself": (world(HINGED, after='<equality><weld body1="b" body2="b"/></equality>'), {}, "ties a body to itself"),
    "curved": (world(TWO, after=CURVED), {}, "polycoef.*is not linear"),
    "include": (world('<include file="other.xml"/>'), {}, "names other files.*other.xml"),
    "no joint": (world(HINGED), {"positions": {"r": 1.0}}, "positions.*there is no joint 'r'.*one of p"),
    "no number": (world(HINGED), {"positions": {"p": "x"}}, "positions.*is not a list of numbers"),
    "no key": (world(HINGED, after=KEY), {"key": "down"}, "there is no keyframe 'down'.*up"),
    "odd key": (world(HINGED, after=KEY), {"key": "odd"}, "key 'odd' field 'qpos': has 2 numbers; expected 1"),
    "doctype": ('<!DOCTYPE a [<!ENTITY b "c">]><mujoco/>', {}, "DOCTYPE"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_invalid_file_has_a_message(name: str) -> None:
    text, options, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said) as error:
        document(text, **options)
    assert "\n" not in str(error.value) and len(str(error.value)) < 700
