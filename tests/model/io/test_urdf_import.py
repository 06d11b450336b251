"""Robots in URDF: their bodies, points and joints, positions, and messages for invalid files."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright.cli.main import app
from gaitwright.geometry.rotation import matrix_of
from robots import ARM, BIPED, joint, link, robot, tree

MASS = '<inertial><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04"/></inertial>'
ROD = '<inertial><origin xyz="0.5 0 0"/><mass value="3"/><inertia ixx="0.01" iyy="0.25" izz="0.25"/></inertial>'
DOWN = '<axis xyz="0 1 0"/>'
"""A hinge about y: a positive angle turns x towards -z."""


def load(text: str, folder: Path, **options: Any) -> gw.Model:
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gw.import_model(path, **options)


def body(model: gw.Model, name: str) -> Any:
    return next(body for body in model.document.bodies if body.name == name)


def pose(model: gw.Model, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Drawn position of the frame of a body, and its rotation matrix."""
    mechanism = model.mechanism()
    coordinates = mechanism.drawn[mechanism.body_names[name].index]
    return coordinates[:3], matrix_of(coordinates)


def two_rods(first: str = "", second: str = "") -> str:
    """A robot of two rods of 1 m along x, hinges about y."""
    return robot(
        link("world"), link("upper", ROD), link("lower", ROD),
        joint("shoulder", "continuous", "world", "upper", '<origin xyz="0 0 2"/>' + DOWN + first),
        joint("elbow", "continuous", "upper", "lower", '<origin xyz="1 0 0"/>' + DOWN + second),
    )  # fmt: skip


# positions -----------------------------------------------------------------------------------------------------------


def test_rods_stand_where_their_joints_turn_them(tmp_path: Path) -> None:
    model = load(two_rods(), tmp_path, positions={"shoulder": math.pi / 6, "elbow": math.pi / 3})
    at, turned = pose(model, "lower")
    assert at == pytest.approx([math.cos(math.pi / 6), 0, 2 - 0.5], abs=1e-15)
    assert turned[:, 0] == pytest.approx([0, 0, -1], abs=1e-15)  # 30 and 60 degrees: straight down
    found = model.check()
    assert (found.degrees_of_freedom, found.redundant) == (2, [])


def test_angles_and_rates_count_as_in_the_file(tmp_path: Path) -> None:
    """In any drawn pose, also for drives: zero is the pose of the file."""
    positions, speeds = {"shoulder": 0.4, "elbow": -2.0}, {"shoulder": 1.5, "elbow": -0.5}
    run = load(two_rods(), tmp_path, positions=positions, speeds=speeds).simulate(1e-3)
    for name in positions:
        assert run.array(f"{name}.angle")[0] == pytest.approx(positions[name], abs=1e-12)
        assert run.array(f"{name}.rate")[0] == pytest.approx(speeds[name], abs=1e-12)
    assert run.array("lower.wy")[0] == pytest.approx(1.0, abs=1e-12)
    model = load(two_rods(), tmp_path, positions=positions)
    model.drive.rotation("shoulder", "0.4 + t").drive.rotation("elbow", "-2*exp(-t)")
    assert model.kinematics(0.1, step=0.1).array("elbow.angle")[-1] == pytest.approx(-2 * math.exp(-0.1), abs=1e-12)


def test_origin_turns_about_fixed_axes(tmp_path: Path) -> None:
    """rpy: about x, then y, then z of the parent, like SciPy's lower-case sequence."""
    rpy, xyz = (0.3, -0.7, 1.9), (0.1, 0.2, 0.3)
    place = f'<origin xyz="{xyz[0]} {xyz[1]} {xyz[2]}" rpy="{rpy[0]} {rpy[1]} {rpy[2]}"/>'
    model = load(robot(link("world"), link("a", MASS), joint("j", "fixed", "world", "a", place)), tmp_path)
    at, turned = pose(model, "a")
    assert at == pytest.approx(xyz, abs=0)
    assert turned == pytest.approx(Rotation.from_euler("xyz", rpy).as_matrix(), abs=1e-15)


def test_inertia_is_rotated_into_the_link_frame(tmp_path: Path) -> None:
    """A quarter turn about z swaps x and y; products keep the sign of the matrix."""
    inner = """<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
        <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="-0.3"/></inertial>"""
    found = body(load(robot(link("a", inner)), tmp_path, base="free"), "a")
    assert found.mass == 2.0 and found.centre == [1, 2, 3]
    assert found.inertia == pytest.approx([2, 1, 2.5, -0.1, 0.3, 0.2], abs=1e-15)


def test_slider_position_counts_from_its_joint(tmp_path: Path) -> None:
    place = '<origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><axis xyz="2 0 0"/>'
    text = robot(link("world"), link("a", MASS), joint("j", "prismatic", "world", "a", place))
    model = load(text, tmp_path, positions={"j": 0.25}, speeds={"j": -3.0})
    assert pose(model, "a")[0] == pytest.approx([0, 0.25, 1], abs=1e-15)
    run = model.simulate(1e-3)
    assert run.array("j.displacement")[0] == pytest.approx(0.25, abs=1e-12)
    assert run.array("j.speed")[0] == pytest.approx(-3.0, abs=1e-12)


# conversion ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "freedom"),
    [("revolute", 1), ("continuous", 1), ("prismatic", 1), ("fixed", 0), ("planar", 3), ("floating", 6)],
)
def test_degrees_of_freedom_of_every_joint(kind: str, freedom: int, tmp_path: Path) -> None:
    place = '<origin xyz="0.1 0.2 0.3" rpy="1 2 3"/><axis xyz="1 2 3"/>'
    text = robot(link("world"), link("a", MASS), joint("j", kind, "world", "a", place))
    assert load(text, tmp_path).check().degrees_of_freedom == freedom


@pytest.mark.parametrize(("base", "freedom"), [("fixed", 6), ("free", 12)])
def test_base_of_a_biped(base: str, freedom: int, tmp_path: Path) -> None:
    model = load(tree(BIPED, 1, base="pelvis"), tmp_path, base=base)
    assert model.check().degrees_of_freedom == freedom
    assert len(model.document.bodies) == 7
    assert [entry["name"] for entry in model.document.joints if entry["type"] == "fixed"] == ["base"] * (
        base == "fixed"
    )


def test_base_carries_the_weight_of_an_arm(tmp_path: Path) -> None:
    """Seven joints held by motors: the first joint carries all masses."""
    model = load(tree(ARM, 2), tmp_path)
    for entry in list(model.document.joints):
        model.drive.rotation(entry["name"], 0, name=f"{entry['name']}-motor")
    run = model.inverse(times=[0.0, 1.0])
    weight = 9.81 * sum(b.mass for b in model.document.bodies)
    assert [run.array(f"to_l1.f{k}")[0] for k in "xyz"] == pytest.approx([0, 0, weight], abs=1e-9)


def test_massless_frames_become_points(tmp_path: Path) -> None:
    at = '<origin xyz="{} 0 0" rpy="0 0 1.5707963267948966"/>'
    text = robot(
        link("world"), link("mount"), link("arm", MASS), link("flange"), link("tool"),
        joint("a", "fixed", "world", "mount", at.format(1)), joint("b", "continuous", "mount", "arm", at.format(2)),
        joint("c", "fixed", "arm", "flange", at.format(3)), joint("d", "fixed", "flange", "tool", at.format(4)),
    )  # fmt: skip
    model = load(text, tmp_path)
    assert [b.name for b in model.document.bodies] == ["arm"]
    assert model.document.ground.points["b"] == pytest.approx([1, 2, 0], abs=1e-15)
    points = body(model, "arm").points
    assert points["flange"] == pytest.approx([3, 0, 0], abs=1e-15)
    assert points["tool"] == pytest.approx([3, 4, 0], abs=1e-15)
    assert pose(model, "arm")[1] == pytest.approx(np.diag([-1, -1, 1]), abs=1e-15)


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_frame_that_carries_a_link_is_merged_into_it(base: str, tmp_path: Path) -> None:
    """A frame above a body, as a base (base_footprint) or behind a hinge; the hinge axis is at the frame."""
    at = '<origin xyz="0 0 0.5" rpy="1.5707963267948966 0 0"/>'
    text = robot(
        link("footprint"), link("middle"), link("trunk", MASS), link("yoke"), link("leg", MASS),
        joint("a", "fixed", "footprint", "middle", at), joint("b", "fixed", "middle", "trunk", at),
        joint("hip", "continuous", "trunk", "yoke", '<origin xyz="0 0 -1"/><axis xyz="0 0 1"/>'),
        joint("c", "fixed", "yoke", "leg", at),
    )  # fmt: skip
    model = load(text, tmp_path, base=base, positions={"hip": 0.3})
    assert [b.name for b in model.document.bodies] == ["trunk", "leg"]
    assert body(model, "leg").points["yoke"] == pytest.approx([0, -0.5, 0], abs=1e-15)
    hip = next(entry for entry in model.document.joints if entry["name"] == "hip")
    assert (hip["a"], hip["b"], hip["axis"]) == ("trunk.hip", "leg.hip", [0, 0, 1])
    assert model.check().degrees_of_freedom == {"fixed": 1, "free": 7}[base]
    assert model.assemble().drawn_gap == pytest.approx(0, abs=1e-12)


def test_world_with_floating_robot_is_the_ground(tmp_path: Path) -> None:
    text = robot(link("world"), link("a", MASS), joint("j", "floating", "world", "a", '<origin xyz="0 0 1"/>'))
    for base in ("fixed", "free"):
        model = load(text, tmp_path, base=base)
        assert model.document.joints == [] and body(model, "a").at == [0, 0, 1]


def test_shapes(tmp_path: Path) -> None:
    def visual(inner: str, at: float) -> str:
        return f'<visual><origin xyz="{at} 0 0"/><geometry>{inner}</geometry></visual>'

    parts = visual('<box size="1 2 3"/>', 0.1) + visual('<mesh filename="hull.stl"/>', 0.2)
    tool = visual('<sphere radius="0.3"/>', 0.3) + visual('<cylinder radius="0.1" length="0.4"/>', 0.4)
    text = robot(link("a", MASS + parts), link("t", tool), joint("j", "fixed", "a", "t", '<origin xyz="0 0 5"/>'))
    shapes = body(load(text, tmp_path), "a").shapes
    assert [(s.box, s.sphere, s.cylinder) for s in shapes] == [
        ([1, 2, 3], None, None), (None, 0.3, None), (None, None, [0.1, 0.4]),
    ]  # fmt: skip
    assert [s.at for s in shapes] == [[0.1, 0, 0], [0.3, 0, 5], [0.4, 0, 5]]


def test_dampers_dissipate_the_expected_power(tmp_path: Path) -> None:
    """Hinge and slider: c times rate^2, also when the slider passes the position of its joint."""
    text = robot(
        link("world"), link("a", MASS), link("b", MASS),
        joint("slide", "prismatic", "world", "a", '<axis xyz="1 1 0"/><limit lower="-2"/><dynamics damping="3"/>'),
        joint("hinge", "continuous", "a", "b", '<axis xyz="0 0 1"/><dynamics damping="0.5"/>'),
    )  # fmt: skip
    model = load(text, tmp_path, positions={"slide": -0.05}, speeds={"slide": 2.0, "hinge": 4.0})
    run = model.simulate(0.1, tolerance=1e-10, output_step=1e-4)
    assert run.array("slide.displacement")[0] < 0 < run.array("slide.displacement")[-1]
    power = 3 * run.array("slide.speed") ** 2 + 0.5 * run.array("hinge.rate") ** 2
    lost = run.array("energy.dissipated")
    assert lost[-1] == pytest.approx(np.trapezoid(power, run.time), rel=1e-6)
    assert lost[-1] > 1.0


def test_stops_at_the_limits_of_hinges(tmp_path: Path) -> None:
    """A hanging rod lifted by the upper stop: its weight against the stiffness."""
    limit = '<limit lower="-1" upper="0.2" effort="1" velocity="1"/>'
    place = '<origin xyz="0 0 1"/>' + DOWN + limit
    text = robot(link("world"), link("rod", ROD), joint("j", "revolute", "world", "rod", place))
    model = load(text, tmp_path, stops=500.0)
    angle = model.static().array("j.angle")[-1]
    assert 500 * (angle - 0.2) == pytest.approx(3 * 9.81 * 0.5 * math.cos(angle), rel=1e-9)
    assert load(text, tmp_path).document.forces == []


# messages ------------------------------------------------------------------------------------------------------------


def test_omissions_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    inner = '<limit lower="-1" upper="1"/><dynamics friction="1"/>'
    mesh = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    path.write_text(robot(link("world"), link("a/b", MASS + mesh), joint("j", "revolute", "world", "a/b", inner)))
    for read in (gw.import_model, gw.load):
        with pytest.warns(UserWarning) as caught:
            read(path)
        said = [str(warning.message) for warning in caught]
        assert said[0] == "limits of joints are left out: j"
        assert said[1].startswith("friction") and said[2] == "missing meshes are left out: a/b (a.stl)"
        assert said[3:] == ["renamed: a/b is a_b"]
        assert {warning.filename for warning in caught} == {__file__}


def test_names_are_made_unique(tmp_path: Path) -> None:
    text = robot(
        link("ground", MASS), link("2nd arm", MASS), link("base"),
        joint("2nd arm", "continuous", "ground", "2nd arm"), joint("base", "fixed", "2nd arm", "base"),
    )  # fmt: skip
    model = load(text, tmp_path)
    assert [b.name for b in model.document.bodies] == ["ground_link", "_2nd_arm"]
    assert [entry["name"] for entry in model.document.joints] == ["base_base", "_2nd_arm_joint"]
    assert "base" in body(model, "_2nd_arm").points
    assert model.check().degrees_of_freedom == 1


ONE = link("a", MASS)
TWO = ONE + link("b", MASS)
BAD = {
    "empty": ("", "not valid XML", "is it complete"),
    "cut": (robot(ONE)[:60], "not valid XML at line 1", "is it complete"),
    "other XML": ("<mujoco/>", "is XML but not URDF", "<mujoco>"),
    "macros": ('<robot><link name="${x}"/></robot>', "xacro", "the program xacro"),
    "entities": ('<!DOCTYPE robot [<!ENTITY a "b">]><robot/>', "DOCTYPE", "not read"),
    "no links": (robot(), "has no links", "at least one"),
    "two roots": (robot(TWO), "2 first links, 'a' and 'b'", "a tree"),
    "loop": (robot(TWO, joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")), "loop", "a tree"),
    "loop beside a root": (
        robot(link("r", MASS), TWO, joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")),
        "link 'a'", "form a loop",
    ),
    "two parents": (
        robot(TWO, link("c", MASS), joint("j", "fixed", "a", "b"), joint("k", "fixed", "c", "b")),
        "the link 'b' has two parents, 'a' and 'c'", "a tree",
    ),
    "unknown parent": (robot(TWO, joint("j", "fixed", "aa", "b")), "no link 'aa'", "did you mean 'a'"),
    "no child": (robot(ONE, '<joint name="j" type="fixed"><parent link="a"/></joint>'), "field 'child': is missing", ""),
    "names twice": (robot(ONE, ONE), "link 'a'", "used twice"),
    "no name": (robot("<link/>"), "a link", "field 'name': is missing"),
    "unknown joint": (robot(TWO, joint("j", "revolut", "a", "b")), "no such joint", "did you mean 'revolute'"),
    "mimic of nothing": (robot(TWO, joint("j", "revolute", "a", "b", "<mimic/>")), "joint 'j'", "'mimic.joint': is missing"),
    "mimic of a weld": (
        robot(TWO, link("c", MASS), joint("j", "revolute", "a", "b", '<mimic joint="k"/>'), joint("k", "fixed", "b", "c")),
        "joint 'j'", "'k' does not turn or slide",
    ),
    "mimic of itself": (
        robot(TWO, link("c", MASS), joint("j", "revolute", "a", "b", '<mimic joint="k"/>'),
              joint("k", "revolute", "b", "c", '<mimic joint="j"/>')),
        "joint 'j'", "follows itself, by way of j, k",
    ),
    "no mass": (robot(link("a", "<inertial><inertia/></inertial>")), "field 'inertial.mass': is missing", "kg"),
    "negative mass": (robot(link("a", MASS.replace('"2"', '"-2"'))), "field 'inertial.mass': is negative", "kg"),
    "no inertia": (robot(link("a", '<inertial><mass value="1"/></inertial>')), "'inertial.inertia': is missing", "kg m^2"),
    "half an inertia": (robot(link("a", MASS.replace("iyy", "iYY"))), "'inertial.inertia.iyy': is missing", "a number"),
    "impossible inertia": (
        robot(ONE, link("b", MASS.replace("0.04", "0.4")), joint("j", "revolute", "a", "b")), "link 'b'",
        "no body has these principal", "repair=True",
    ),
    "zero axis": (robot(TWO, joint("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>')), "joint 'j' field 'axis'", "direction"),
    "two numbers": (robot(TWO, joint("j", "fixed", "a", "b", '<origin xyz="0 0"/>')), "'origin.xyz'", "three numbers"),
    "no number": (robot(link("a", MASS.replace("0.02", "nan"))), "'inertial.inertia.ixx': is not a finite number", "nan"),
    "limits": (robot(TWO, joint("j", "revolute", "a", "b", '<limit lower="1"/>')), "lower limit is above", "[1.0, 0.0]"),
    "negative damping": (
        robot(TWO, joint("j", "revolute", "a", "b", '<dynamics damping="-1"/>')), "'dynamics.damping'", "negative",
    ),
    "flat box": (
        robot(link("a", MASS + '<visual><geometry><box size="1 0 1"/></geometry></visual>')), "link 'a' visual 1", "zero",
    ),
    "moving without mass": (
        robot(ONE, link("b"), joint("j", "revolute", "a", "b")), "link 'b'", "has no mass and moves by joint 'j'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_invalid_files_are_rejected(name: str, tmp_path: Path) -> None:
    text, *parts = BAD[name]
    with pytest.raises(gw.ModelError) as error:
        load(text, tmp_path)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"base": "flying"}, ("field 'base'", "fixed, free")),
        ({"positions": {"elbo": 1.0}}, ("no joint 'elbo'", "did you mean 'elbow'")),
        ({"speeds": {"elbow": math.nan}}, ("joint 'elbow' field 'speeds'", "finite")),
        ({"positions": {"elbow": "1"}}, ("joint 'elbow' field 'positions'", "plain number")),
    ],
)
def test_invalid_options_are_rejected(options: dict[str, Any], parts: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(gw.ModelError) as error:
        load(two_rods(), tmp_path, **options)
    for part in parts:
        assert part in str(error.value)


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    """Nine levels of ten each would give a billion letters."""
    levels = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "ha"}">' for k in range(10))
    with pytest.raises(gw.ModelError, match="DOCTYPE"):
        load(f'<!DOCTYPE robot [{levels}]><robot name="&e9;"/>', tmp_path)


# the command line ----------------------------------------------------------------------------------------------------


def test_commands_read_robots(tmp_path: Path) -> None:
    path, runner = tmp_path / "robot.urdf", CliRunner()
    path.write_text(tree(BIPED, 3, base="pelvis"))
    told = runner.invoke(app, ["import", str(path), "--base", "free", "--out", str(tmp_path / "out")])
    assert told.exit_code == 0 and "limits of joints are left out" in told.output
    model = gw.load(tmp_path / "out" / "robot.yaml")
    assert model.to_dict() == load(path.read_text(), tmp_path, base="free").to_dict()
    again = runner.invoke(app, ["import", str(path), "--out", str(tmp_path / "out")])
    assert again.exit_code == 2 and "exists" in again.output
    checked = runner.invoke(app, ["check", str(path), "--out", str(tmp_path / "out"), "--json"])
    assert checked.exit_code == 0 and '"degrees_of_freedom": 6' in checked.output
    (tmp_path / "cut.urdf").write_text(path.read_text()[:200])
    failed = runner.invoke(app, ["check", str(tmp_path / "cut.urdf")])
    assert failed.exit_code == 2 and "not valid XML" in failed.output
