"""Commands `import` and `export`: formats by file suffix, and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.io import loadmat

import gaitwright as gw
from calling import call
from gaitwright.mechanisms import four_bar, jansen_leg
from gaitwright.model.io.importers import IMPORT_READERS, KIND_BY_SUFFIX
from gaitwright.report.views.exporters import EXPORT_WRITERS

MJCF = '<mujoco><worldbody><body name="b"><geom size="0.1"/><joint name="p" axis="0 1 0"/></body></worldbody></mujoco>'
URDF = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/>
</inertial></link><joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""
SDF = """<sdf><model name="m"><link name="arm"><inertial><mass>1</mass></inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>arm</child></joint></model></sdf>"""
OSIM = """<OpenSimDocument Version="40000"><Model><BodySet><objects><Body name="leg"><mass>1</mass>
<inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet><JointSet><objects><PinJoint name="hip">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/leg</socket_child_frame></PinJoint></objects></JointSet></Model></OpenSimDocument>"""
SVG = """<svg width="100mm" viewBox="0 0 100 100"><g id="crank"><line x1="0" y1="0" x2="30" y2="0"/></g>
<g id="ground"><circle cx="0" cy="0" r="2"/></g></svg>"""
FILES = {"a.xml": MJCF, "a.urdf": URDF, "a.sdf": SDF, "a.osim": OSIM, "a.svg": SVG}


@pytest.fixture
def leg(tmp_path: Path) -> Path:
    model = jansen_leg()
    model.document.analysis = None
    raw = model.to_dict() | {"analysis": {"type": "kinematic", "until": 1, "step": 0.05}}
    return gw.Model.from_dict(raw).save(tmp_path / "leg.yaml")


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_imported(name: str, tmp_path: Path) -> None:
    """The import gives a model file that `check` accepts; the source can also be read directly."""
    path = tmp_path / name
    path.write_text(FILES[name])
    done = call("import", path, "--out", tmp_path / "out", "--json")
    answer = json.loads(done.stdout)
    assert Path(answer["files"]["model"]) == tmp_path / "out" / "a.yaml" and answer["bodies"] + answer["links"] == 1
    made = gw.load(tmp_path / "out" / "a.yaml")
    assert made.check().degrees_of_freedom == 1
    assert "1 degree of freedom" in call("check", path, "--out", tmp_path / "check").stdout


def test_assumptions_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(SVG)
    said = call(
        "import", tmp_path / "a.svg", "--mass-per-length", "2", "--crank", "crank", "--out", tmp_path / "m.yaml"
    ).stdout
    assert "a.svg: a drawing" in said and "note: the drawing has no masses: links have 2 kg/m" in said
    assert "next: gaitwright check" in said
    assert gw.load(tmp_path / "m.yaml").document.drives[0]["body"] == "crank"


def test_every_format_is_exported(leg: Path, tmp_path: Path) -> None:
    """All formats for a leg, in one call."""
    pytest.importorskip("ezdxf"), pytest.importorskip("pyarrow")
    wanted = [tmp_path / "out" / f"leg{ending}" for ending in EXPORT_WRITERS if ending != ".pvd"]
    done = call("export", leg, *(word for path in wanted for word in ("--to", path)), "--hole-diameter", "8 mm")
    assert all(path.stat().st_size > 500 for path in wanted)
    assert "note: drives are left out" in done.stdout
    assert "curves F" in (tmp_path / "out" / "leg.svg").read_text(), "the curve of the foot, without asking"
    assert loadmat(tmp_path / "out" / "leg.mat", simplify_cells=True)["units"]["crank"]["torque"] == "N m"


def test_export_of_a_result(leg: Path, tmp_path: Path) -> None:
    run = gw.load(leg).analyse()
    path = run.save(tmp_path / "result.nc")
    call("export", path, "--to", tmp_path / "run.csv", "--to", tmp_path / "run.svg", "--trace", "F", "--trace", "D")
    assert (tmp_path / "run.csv").read_text().startswith("time [s],")
    assert all(f"curves {point}" in (tmp_path / "run.svg").read_text() for point in "FD")


def test_exported_drawing_is_imported_again(leg: Path, tmp_path: Path) -> None:
    pytest.importorskip("ezdxf")
    call("export", leg, "--to", tmp_path / "bars.dxf", "--sheet", "skeleton")
    call("import", tmp_path / "bars.dxf", "--crank", "crank", "--out", tmp_path / "back.yaml")
    assert gw.load(tmp_path / "back.yaml").check().degrees_of_freedom == 0


def test_solids_are_exported_for_paraview(tmp_path: Path) -> None:
    pytest.importorskip("meshio")
    model = gw.Model(dimension=3)
    model.solid(
        "block",
        gw.mesh.box((0.1, 0.1, 0.1), (1, 1, 1)),
        material=gw.materials.LinearElastic(1e6, 0.3),
        density=1000,
        fixed="bottom",
    )
    path = gw.export(model.static(), tmp_path / "block.pvd")
    assert path.name == "block.pvd" and list(path.parent.glob("*.vtu"))


def test_shape_is_imported_as_appearance_of_a_body(tmp_path: Path) -> None:
    trimesh: Any = pytest.importorskip("trimesh")
    trimesh.creation.box((100, 10, 3)).export(tmp_path / "bar.stl")
    four_bar().save(tmp_path / "m.yaml")
    call(
        "import",
        tmp_path / "bar.stl",
        "--look-of",
        "crank",
        "--model",
        tmp_path / "m.yaml",
        "--out",
        tmp_path / "seen.yaml",
    )
    (shape,) = gw.load(tmp_path / "seen.yaml").document.links[0].shapes
    assert Path(shape.mesh).parent.name == "seen-meshes" and Path(shape.mesh).exists()


def test_export_in_python_warns(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="drives are left out"):
        gw.export(four_bar(), tmp_path / "m.xml")
    (tmp_path / "a.xml").write_text(MJCF)
    with pytest.warns(UserWarning, match="contacts of geoms are left out"):
        gw.import_model(tmp_path / "a.xml")


BAD: dict[str, tuple[list[str], str]] = {
    "ending": (["export", "m.yaml", "--to", "a.step"], "'--to': has an unknown file format (got 'a.step')"),
    "option": (["export", "m.yaml", "--to", "a.xml", "--sheet", "parts"], "'sheet': is no option of .xml"),
    "hole": (["export", "m.yaml", "--to", "a.svg", "--hole-diameter", "six"], "'--hole-diameter': is no length"),
    "large hole": (["export", "m.yaml", "--to", "a.svg", "--hole-diameter", "6"], "is larger than the parts"),
    "second": (["export", "m.yaml", "--to", "a.svg", "--hole-diameter", "6 s"], "'--hole-diameter': is no length"),
    "unit": (["export", "m.yaml", "--to", "a.svg", "--unit", "parsec"], "is no unit of length"),
    "trace": (["export", "m.yaml", "--to", "a.svg", "--trace", "Q"], "there is no point 'Q' to trace"),
    "solids": (["export", "m.yaml", "--to", "a.pvd"], "the model has no solids"),
    "no file": (["import", "no.dxf"], "there is no file 'no.dxf'"),
    "no kind": (["import", "a.txt"], "has an unsupported type"),
    "empty": (
        ["import", "empty.svg"],
        "'empty.svg' is not valid XML at line 1, column 1: no element found; is it complete?",
    ),
    "bytes": (["import", "a.glb"], "has an unsupported type (got '.glb')"),
    "html": (["import", "a.html"], "contains <html>, which is not supported"),
    "exists": (["import", "a.urdf", "--out", "m.yaml"], "the file 'm.yaml' exists"),
    "robot option": (["import", "a.urdf", "--crank", "arm"], "'crank': is no option of URDF"),
    "tolerance": (["import", "a.svg", "--tolerance", "small"], "'--tolerance': is no length"),
    "look": (["import", "a.svg", "--look-of", "crank"], "a look needs a model"),
    "look of lines": (["import", "a.svg", "--look-of", "crank", "--model", "m.yaml", "--out", "o.yaml"], "is no mesh"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    four_bar().save("m.yaml")
    for file, text in FILES.items():
        Path(file).write_text(text)
    Path("a.txt").write_text("words")
    Path("empty.svg").write_text("")
    Path("a.glb").write_bytes(bytes(range(256)))
    Path("a.html").write_text("<html/>")
    words, said = BAD[name]
    done = call(*words, code=2)
    assert said in done.stderr and done.stderr.count("\n") == 1, done.stderr


MACROS = """<robot name="r" xmlns:xacro="x"><!-- <mujoco> --><mujoco/>
<xacro:property name="a" value="${1+1}"/><link name="a"/></robot>"""


@pytest.mark.parametrize("name", ["a.xml", "a.urdf", "a.xacro"])
def test_macros_are_expanded_only_by_robot_imports(name: str, tmp_path: Path) -> None:
    """Macros contain Python code: check and run refuse them, independent of the rest of the file."""
    (tmp_path / name).write_text(MACROS)
    assert "contains macros of xacro" in call("check", tmp_path / name, "--out", tmp_path / "out", code=2).stderr


@pytest.mark.parametrize(
    "before", ['<?xml version="1.0"?>', "<!-- <robot> -->\n", '<!DOCTYPE svg PUBLIC "a" "b">', "\ufeff"]
)
def test_format_is_detected_by_the_first_element(before: str, tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text(before + SVG, encoding="utf-8")
    assert gw.load(tmp_path / "a.dat").document.links[0].name == "crank"


def test_every_reader_has_a_suffix_or_an_element() -> None:
    assert set(KIND_BY_SUFFIX.values()) | {"MJCF", "a model file"} == set(IMPORT_READERS)
