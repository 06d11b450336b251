"""SDF: links and joints against the same robot in URDF, frames relative to others, loops; published and invalid files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import gaitwright as gw
from gaitwright.formats.sdf_file import sdf_assembly
from gaitwright.model.io.assembly_import import convert_assembly
from gaitwright.model.io.importers import import_document

INERTIA = "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.02</izz></inertia>"
INERTIAL = f"<inertial><pose>0 0 -0.2 0.1 0.2 0.3</pose><mass>2</mass>{INERTIA}</inertial>"


def link(name: str, pose: str = "0 0 0 0 0 0", relative: str = "", inner: str = INERTIAL) -> str:
    return f'<link name="{name}"><pose relative_to="{relative}">{pose}</pose>{inner}</link>'


def joint(
    name: str, parent: str, child: str, kind: str = "revolute", inner: str = "<axis><xyz>0 1 0</xyz></axis>"
) -> str:
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{inner}</joint>'


def sdf(*parts: str, pose: str = "0 0 1 0 0 0") -> str:
    return f'<sdf version="1.7"><model name="m"><pose>{pose}</pose>{"".join(parts)}</model></sdf>'


def read(text: str) -> tuple[gw.Model, list[str]]:
    document, notes = convert_assembly(sdf_assembly(text, "the file 'm.sdf'"), "f")
    return gw.Model.from_dict(document), notes


LEG = sdf(
    link("thigh"),
    link("shank", "0 0 -0.4 0 0.3 0", "thigh"),
    joint("hip", "world", "thigh"),
    joint("knee", "thigh", "shank"),
)
URDF = """<robot name="m"><link name="base"/>{}<joint name="hip" type="continuous"><parent link="base"/><child link="thigh"/>
<origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint><joint name="knee" type="continuous"><parent link="thigh"/><child link="shank"/>
<origin xyz="0 0 -0.4" rpy="0 0.3 0"/><axis xyz="0 1 0"/></joint></robot>""".format(
    "".join(f'<link name="{n}"><inertial><origin xyz="0 0 -0.2" rpy="0.1 0.2 0.3"/><mass value="2"/>'
            '<inertia ixx="0.1" iyy="0.1" izz="0.02"/></inertial></link>' for n in ("thigh", "shank"))
)  # fmt: skip


def test_robot_equals_the_same_robot_in_urdf(tmp_path: Path) -> None:
    (tmp_path / "m.urdf").write_text(URDF)
    runs = [
        model.simulate(0.3, tolerance=1e-10, output_step=0.1)
        for model in (read(LEG)[0], gw.import_model(tmp_path / "m.urdf"))
    ]
    for name in ("shank.x", "shank.z", "shank.ax", "knee.angle", "knee.my"):
        assert runs[0].array(name) == pytest.approx(runs[1].array(name), abs=1e-7)


def test_loop_closes_and_springs_are_read() -> None:
    spring = (
        "<axis><xyz>0 1 0</xyz><dynamics><damping>0.3</damping><spring_stiffness>4</spring_stiffness></dynamics></axis>"
    )
    text = LEG.replace(
        "</model>",
        joint("foot", "shank", "world", "ball", '<pose relative_to="shank">0 0 -0.4 0 0 0</pose>') + "</model>",
    )
    model, _ = read(text.replace("<axis><xyz>0 1 0</xyz></axis>", spring, 1))
    assert model.check().closed and model.check().degrees_of_freedom == 0
    assert model.document.forces[0]["stiffness"] == 4 and model.document.forces[0]["damping"] == 0.3


def published() -> list[Path]:
    found = importlib.util.find_spec("pinocchio")
    homes = (
        []
        if found is None or found.origin is None
        else [p for p in Path(found.origin).parents if p.name == "cmeel.prefix"]
    )
    return sorted(path for home in homes for path in home.glob("share/example-robot-data/robots/*/robots/*.sdf"))


@pytest.mark.parametrize("path", published(), ids=lambda path: path.stem)
def test_published_robots(path: Path) -> None:
    """Cassie with its closed loops: all of them close in the pose of the file; one robot has gearboxes, which are rejected."""
    try:
        found = import_document(path, repair=True)
    except gw.ModelError as error:
        assert "'gearbox'" in str(error)
        return
    check = gw.Model.from_dict(found.document).check()
    assert check.closed and check.drawn_error < 1e-9 and check.bodies == 23


BAD = {
    "cut in half": (LEG[:200], "not valid XML"),
    "another": ("<sdf/>", "has no model of SDF"),
    "no links": (sdf(), "has no links"),
    "NaN": (LEG.replace("<mass>2", "<mass>nan"), "mass.*is not a number"),
    "joint": (LEG.replace('"revolute"', '"screw"'), "joint 'hip' field 'type': is not read.*'screw'"),
    "no link": (LEG.replace("<child>shank", "<child>shnk"), "there is no link 'shnk'.*did you mean 'shank'|no 'shnk'"),
    "no child": (LEG.replace("<child>shank</child>", ""), "child.*is missing"),
    "no axis": (LEG.replace("0 1 0", "0 0 0"), "has no direction"),
    "circle": (sdf(link("a", relative="b"), link("b", relative="a")), "is defined relative to itself"),
    "twice": (sdf(link("a"), link("a")), "used twice"),
    "pose": (LEG.replace("0 0 -0.4 0 0.3 0", "0 0 -0.4"), "pose.*is not 6 finite numbers"),
    "no mass": (sdf(link("a", inner=""), link("b"), joint("j", "b", "a")), "body 'a'.*has no mass, and it moves"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_file_has_a_message(name: str) -> None:
    text, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said):
        read(text)
