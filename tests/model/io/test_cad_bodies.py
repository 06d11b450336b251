"""CAD shapes: as a body with the mass of its volume, and as the shape of a body in plane and space."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import four_bar
from gaitwright.model.io.importers import import_document
from gaitwright.report.views.scenes.planar_outlines import body_outlines, mesh_outlines

trimesh: Any = pytest.importorskip("trimesh", reason="pip install 'gaitwright[cad]'")


@pytest.fixture
def plate(tmp_path: Path) -> Path:
    """A bar of 120 x 20 x 6 mm, about its middle, in mm."""
    path = tmp_path / "plate.stl"
    trimesh.creation.box((120, 20, 6)).export(path)
    return path


def test_shape_becomes_a_body(plate: Path) -> None:
    model = gw.import_model(plate, density=7850, unit="mm")
    (body,) = model.document.bodies
    mass = 7850 * 0.12 * 0.02 * 0.006
    assert body.mass == pytest.approx(mass)
    assert body.inertia[:3] == pytest.approx(
        [mass / 12 * (a * a + b * b) for a, b in ((0.02, 0.006), (0.12, 0.006), (0.12, 0.02))]
    )
    found = import_document(plate)
    assert "120, 20, 6 mm large" in found.notes[0] and "mm is assumed" in found.notes[1]


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_planar_shape_is_the_outline_of_the_mesh(plate: Path, angle: float) -> None:
    """The shape moves with the body, and masses are unchanged."""
    pytest.importorskip("shapely", reason="pip install 'gaitwright[cad]'")
    model = four_bar()
    with_look = gw.give_look(model, "coupler", plate, at=(0.01, 0.02), angle=angle)
    mechanism = with_look.mechanism()
    (ring,) = body_outlines(mechanism.parts["coupler"])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    back = (ring - (0.01, 0.02)) @ turn.T
    assert np.ptp(back, axis=0) == pytest.approx([0.12, 0.02], rel=1e-2)
    assert mechanism.parts["coupler"].mass == model.mechanism().parts["coupler"].mass
    run = with_look.kinematics(0.2, step=0.05)
    (shape,) = [s for s in run.scene().shapes if s.name == "coupler"]
    middle = shape.outline.mean(axis=1) - np.stack([run.array("coupler.x"), run.array("coupler.y")], axis=1)
    assert np.hypot(*middle.T) == pytest.approx(np.full(5, np.hypot(0.01, 0.02)), abs=1e-4)


def test_outline_contains_holes(tmp_path: Path) -> None:
    pytest.importorskip("shapely", reason="pip install 'gaitwright[cad]'")
    trimesh.creation.annulus(5.0, 10.0, 2.0).export(tmp_path / "ring.stl")
    outer, inner = mesh_outlines(str(tmp_path / "ring.stl"), (1e-3, 1e-3, 1e-3))
    for ring, radius in ((outer, 0.01), (inner, 0.005)):
        assert np.hypot(*ring.T) == pytest.approx(np.full(len(ring), radius), rel=0.02)


def test_spatial_shape_is_saved(plate: Path, tmp_path: Path) -> None:
    model = gw.Model(dimension=3).body("b", mass=1, inertia=[1, 1, 1])
    found = gw.give_look(model, "b", plate)
    path = found.save(tmp_path / "m.yaml")
    (solid,) = gw.load(path).simulate(1e-3).scene().bodies[0].solids
    assert np.ptp(solid.vertices, axis=0) == pytest.approx([0.12, 0.02, 0.006], rel=1e-5)
    flat = gw.give_look(four_bar(), "crank", plate).save(tmp_path / "flat.yaml")
    assert gw.load(flat).mechanism().parts["crank"].shapes[0]["file"] == str(plate)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "flat.yaml").write_text(flat.read_text())
    with pytest.raises(gw.ModelError, match=r"body 'crank'.*outside the folder"):
        gw.load(tmp_path / "sub" / "flat.yaml")


def test_animation_and_picture_contain_the_shape(plate: Path, tmp_path: Path) -> None:
    pytest.importorskip("shapely", reason="pip install 'gaitwright[cad]'")
    run = gw.give_look(four_bar(), "crank", plate).kinematics(0.1, step=0.05)
    plain = four_bar().kinematics(0.1, step=0.05)
    kinds = [[s.kind for s in r.scene().shapes if s.name == "crank"] for r in (run, plain)]
    assert kinds == [["body"], ["link"]]
    assert run.animate(tmp_path / "a.html").stat().st_size > 10_000


def test_unusable_mesh_is_reported_and_omitted(plate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = gw.give_look(four_bar(), "crank", plate).kinematics(0.1, step=0.05)
    plate.unlink()
    mesh_outlines.cache_clear()
    with pytest.warns(UserWarning, match="the mesh of 'crank' is not shown: there is no file"):
        (shape,) = [s for s in run.scene().shapes if s.name == "crank"]
    assert shape.kind == "link"


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:300])
    return path


def opened(path: Path) -> Path:
    mesh = trimesh.creation.box((1, 1, 1))
    trimesh.Trimesh(mesh.vertices, mesh.faces[:-2]).export(path)
    return path


BAD: dict[str, tuple[Any, Any, str]] = {
    "empty": (lambda p: p.write_bytes(b"") or p, {}, "cannot be read as a mesh|has no triangles"),
    "half": (cut, {}, "cannot be read as a mesh|has no triangles"),
    "open": (opened, {}, "is not a closed surface.*--look-of BODY"),
    "unit": (lambda p: p, {"unit": "mile"}, "unit.*no unit of length.*'mile'"),
    "density": (lambda p: p, {"density": -1.0}, "density.*not positive"),
    "option": (lambda p: p, {"crank": "a"}, "crank.*is no option of a shape.*density, unit"),
    "not there": (lambda p: p.with_name("no.stl"), {}, "there is no file"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_body_mesh_is_rejected(name: str, plate: Path) -> None:
    change, options, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said):
        gw.import_model(change(plate), **options)


@pytest.mark.parametrize(
    ("body", "file", "said"),
    [
        ("crnk", "plate.stl", "no body 'crnk'.*did you mean 'crank'"),
        ("crank", "plate.step", "look.*is no mesh.*.stl"),
        ("crank", "no.stl", "no file"),
    ],
)
def test_invalid_look_is_rejected(body: str, file: str, said: str, plate: Path) -> None:
    with pytest.raises(gw.ModelError, match=said):
        gw.give_look(four_bar(), body, plate.with_name(file))


def test_look_angle_in_degrees_is_rejected(plate: Path) -> None:
    with pytest.raises(gw.ModelError, match=r"'angle': is in rad.*90 degrees are 1\.571 rad"):
        gw.give_look(four_bar(), "crank", plate, angle=90)


def test_missing_shapely_message_names_the_extra(plate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh_outlines.cache_clear()
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.warns(UserWarning, match=r"shapely.*gaitwright\[cad\]"):
        body_outlines(gw.give_look(four_bar(), "crank", plate).mechanism().parts["crank"])
