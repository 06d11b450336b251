"""Files related to a URDF: meshes of visuals, their search path, and xacro macros."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright.cli.main import app
from gaitwright.formats.mesh_file import write_stl
from gaitwright.formats.urdf_resources import find_mesh_file
from robots import joint, link, robot

BODY = '<inertial><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04"/></inertial>'
PYRAMID = (
    np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]),
    np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
)
VISUAL = """<visual><origin xyz="0 0 1"/><geometry><mesh filename="package://my_robot/meshes/arm.stl" scale="0.1 0.1 0.2"/>
    </geometry><material name="red"/></visual>"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A robot laid out as a ROS package: my_robot/urdf/robot.urdf and my_robot/meshes/arm.stl."""
    for name in ("urdf", "meshes"):
        (tmp_path / "my_robot" / name).mkdir(parents=True)
    write_stl(tmp_path / "my_robot/meshes/arm.stl", *PYRAMID)
    text = robot('<material name="red"><color rgba="1 0.5 0 1"/></material>', link("world", VISUAL),
                 link("arm", BODY + VISUAL), joint("j", "continuous", "world", "arm"))  # fmt: skip
    (tmp_path / "my_robot/urdf/robot.urdf").write_text(text)
    return tmp_path / "my_robot"


def test_meshes_are_found_from_the_folder_of_the_file(package: Path) -> None:
    folder, mesh = package / "urdf", package / "meshes" / "arm.stl"
    for named in ("package://my_robot/meshes/arm.stl", "package://other_name/meshes/arm.stl", "package:///meshes/arm.stl",
                  "../meshes/arm.stl", "model://my_robot/meshes/arm.stl"):  # fmt: skip
        found = find_mesh_file(named, folder)
        assert found is not None and found.samefile(mesh), named
    (package.parents[1] / "meshes").mkdir()
    write_stl(package.parents[1] / "meshes/arm.stl", *PYRAMID)
    for named in ("", "package://my_robot/meshes/leg.stl", "file:///etc/passwd", "/etc/passwd", "a\0b", "package://",
                  "package://etc/passwd", "../../../meshes/arm.stl"):  # fmt: skip
        assert find_mesh_file(named, folder) is None


def test_meshes_and_colours_are_shown(package: Path) -> None:
    pytest.importorskip("trimesh")
    model = gw.import_model(package / "urdf/robot.urdf")
    run = model.simulate(0.01, step=0.01, method="rk4")
    from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scene = build_spatial_scene(run.mechanism, run.motion)
    (solid,) = scene.bodies[0].solids
    assert (solid.kind, solid.painted(None)) == ("mesh", "#ff8000")
    assert np.ptp(solid.vertices, axis=0) == pytest.approx([0.1, 0.1, 0.2]) and solid.at == pytest.approx([0, 0, 1])
    assert any(part.kind == "mesh" and part.painted("") == "#ff8000" for part in scene.ground)


def test_unusable_mesh_is_reported_once_and_the_body_drawn_without(package: Path) -> None:
    (package / "meshes/arm.stl").write_text("no mesh")
    run = gw.import_model(package / "urdf/robot.urdf").simulate(0.01, step=0.01, method="rk4")
    from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene

    with pytest.warns(UserWarning, match="a mesh is not shown: ") as caught:
        scene = build_spatial_scene(run.mechanism, run.motion)
    assert len(caught) == 1 and scene.bodies[0].solids


def test_command_writes_meshes_beside_the_model(package: Path, tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    out = tmp_path / "out"
    told = CliRunner().invoke(app, ["import", str(package / "urdf/robot.urdf"), "--out", str(out)])
    assert told.exit_code == 0, told.output
    (shape,) = gw.load(out / "robot.yaml").document.bodies[0].shapes
    assert Path(shape.mesh) == out / "robot-meshes" / "01-arm.stl" and Path(shape.mesh).is_file()
    for column in ("in the file", "in the model", "link of 2 kg", "joint continuous"):
        assert column in told.output


def test_meshes_outside_the_folder_of_the_model_file_are_rejected(tmp_path: Path) -> None:
    text = """
gaitwright: 1
name: m
dimension: 3
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], shapes: [{mesh: MESH}]}
"""
    path = tmp_path / "model.yaml"
    path.write_text(text.replace("MESH", "/etc/passwd"))
    with pytest.raises(gw.ModelError, match=r"body 'a' field 'shapes.mesh'.*outside the folder"):
        gw.load(path)
    path.write_text(text.replace("mesh: MESH", "mesh: a.stl, colour: red"))
    with pytest.raises(gw.ModelError, match="colour"):
        gw.load(path)
    path.write_text(text.replace("mesh: MESH", "sphere: 1, scale: [1, 1, 1]"))
    with pytest.raises(gw.ModelError, match="is not a mesh"):
        gw.load(path).check()


XACRO = """<robot name="legs" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="$(find my_robot)/urdf/leg.xacro"/>
  <link name="world"/>
  <xacro:leg side="left" mass="${2*3}"/> <xacro:leg side="right" mass="4"/>
</robot>"""
LEG = f"""<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="leg" params="side mass">
  <link name="${{side}}_leg">{BODY.replace('"2"', '"${mass}"')}</link>
  <joint name="${{side}}_hip" type="continuous"><parent link="world"/><child link="${{side}}_leg"/></joint>
</xacro:macro></robot>"""


def test_macros_are_expanded(package: Path) -> None:
    pytest.importorskip("xacro")
    (package / "urdf/leg.xacro").write_text(LEG)
    path = package / "urdf/robot.urdf.xacro"
    path.write_text(XACRO)
    model = gw.import_model(path)
    assert {body.name: body.mass for body in model.document.bodies} == {"left_leg": 6.0, "right_leg": 4.0}
    for wrong, said in (
        (XACRO.replace("my_robot", "nobody"), "no package 'nobody'"),
        (XACRO.replace("2*3", "2*"), "expanded"),
    ):
        path.write_text(wrong)
        with pytest.raises(gw.ModelError, match=said):
            gw.import_model(path)


def test_macros_are_expanded_by_robot_loaders_only(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Macros contain Python expressions; loaders of general models do not run them. Without the package: how to install it."""
    path = package / "urdf/robot.urdf.xacro"
    path.write_text(XACRO)
    with pytest.raises(gw.ModelError, match=r"macros of xacro.*gaitwright import"):
        gw.load(path)
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(gw.ModelError, match=r"pip install 'gaitwright\[robots\]'"):
        gw.import_model(path)


def test_expanded_file_with_macros_in_comments_is_read_unchanged(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    path = package / "urdf/robot.urdf"
    text = path.read_text().replace("<robot", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"', 1)
    path.write_text(text.replace("</robot>", '<!-- <xacro:leg\n side="${name}"/> --></robot>'))
    assert [body.name for body in gw.import_model(path).document.bodies] == ["arm"]
