"""Command `mesh`: messages, output files, and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gaitwright as gw
from calling import call

pytest.importorskip("meshio"), pytest.importorskip("trimesh")


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A ball in millimetres, without information about the unit."""
    path = gw.mesh.ball(0.1, 0.03).scaled(1000).save(tmp_path / "scan.stl")
    path.write_bytes(b"a scan".ljust(80) + path.read_bytes()[80:])
    return path


def test_surface(scan: Path, tmp_path: Path) -> None:
    said = call("mesh", scan, "--out", tmp_path / "out").stdout
    for words in ("scan.stl: a surface of 128 T3, 66 nodes", "size: 200 x 200 x 200 mm", "this looks like millimetres",
                  "the surface is closed", "no cell is bad", "mesh.vtu", "mesh.png", "summary.json"):  # fmt: skip
        assert words in said
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["closed"] and summary["cells"] == 128 and summary["quality"]["bad_cells"] == 0
    assert summary["high"] == pytest.approx([0.1] * 3)
    assert gw.mesh.read(tmp_path / "out" / "mesh.vtu").size == pytest.approx(0.2)
    assert (tmp_path / "out" / "mesh.png").stat().st_size > 5000


def test_json_has_regions_of_a_solid(tmp_path: Path) -> None:
    path = gw.mesh.pad((0.1, 0.06), 0.02, 0.02).save(tmp_path / "pad.msh")
    done = call("mesh", path, "--json", "--quadratic", "--out", tmp_path / "out")
    answer = json.loads(done.stdout)
    assert answer["kind"] == "TET10" and answer["volume"] == pytest.approx(1.2e-4)
    assert set(answer["regions"]) == {"side", "bottom", "top"}
    assert answer["origin"].startswith("gaitwright.mesh.pad(")
    assert Path(answer["files"]["mesh"]).exists()


def test_cut_between_two_planes(scan: Path, tmp_path: Path) -> None:
    pytest.importorskip("shapely"), pytest.importorskip("mapbox_earcut")
    call("mesh", scan, "--cut", "z=-20mm..0.05", "--out", tmp_path / "out")
    mesh = gw.mesh.read(tmp_path / "out" / "mesh.vtu")
    assert mesh.bounds[:, 2] == pytest.approx([-0.02, 0.05])
    assert set(mesh.regions) == {"cut_1", "cut_2"}
    call("mesh", scan, "--cut", "y=1cm", "--unit", "mm", "--out", tmp_path / "below")
    assert gw.mesh.read(tmp_path / "below" / "mesh.vtu").bounds[:, 1] == pytest.approx([-0.1, 0.01])


def test_holes_are_reported_and_closed(tmp_path: Path) -> None:
    ball = gw.mesh.ball(0.1, 0.03).surface()
    path = gw.mesh.tidied(ball.nodes, ball.cells[1:]).save(tmp_path / "open.ply")
    said = call("mesh", path, "--out", tmp_path / "out").stdout
    assert "the surface is not closed" in said and "1 hole with 3 edges" in said
    said = call("mesh", path, "--close-holes", "300mm", "--out", tmp_path / "out").stdout
    assert "the surface is closed" in said and "1 holes were closed" in said
    assert "not closed" in call("mesh", path, "--fill", "5cm", code=2).stderr


def test_surface_is_filled(scan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Filling is replaced by a stub; it has its own tests."""
    asked: dict[str, Any] = {}

    def pretend(surface: gw.mesh.Mesh, size: float, inner: Any) -> gw.mesh.Mesh:
        asked.update(size=size, surface=surface, inner=inner)
        return gw.mesh.ball(0.1, 0.05)

    monkeypatch.setattr("gaitwright.mesh.filling.fill", pretend)
    core = gw.mesh.ball(0.05, 0.02).save(tmp_path / "core.stl")
    said = call("mesh", scan, "--fill", "60mm", "--inner", f"bones={core}", "--out", tmp_path / "out").stdout
    assert asked["size"] == pytest.approx(0.06) and asked["surface"].size == pytest.approx(0.2)
    assert asked["inner"]["bones"].size == pytest.approx(0.1)
    assert "64 TET4" in said
    assert gw.mesh.read(tmp_path / "out" / "mesh.vtu").kind.name == "TET4"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.stl"], "there is no file"),
        (["SCAN", "--unit", "parsec"], "is not known as a unit of length"),
        (
            ["SCAN", "--cut", "w=3"],
            "field '--cut': is not a cut (got 'w=3'); expected an axis and what is kept, as z=..80mm",
        ),
        (["SCAN", "--cut", "z=.."], "is not a cut"),
        (["SCAN", "--cut", "z=..3 kg"], "is not known as a unit of length"),
        (["SCAN", "--cut", "z=..-2m"], "nothing is left"),
        (["SCAN", "--fill", "big"], "is not a length"),
        (["SCAN", "--fill", "3m"], "is longer than the surface itself"),
        (["SCAN", "--up", "w"], "is not known"),
        (["SCAN", "--inner", "bones.stl"], "is not a name and a file"),
        (["SOLID", "--fill", "5mm"], "is filled already"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], words: str, scan: Path, tmp_path: Path) -> None:
    solid = gw.mesh.ball(0.1, 0.05).save(tmp_path / "solid.npz")
    names = {"SCAN": str(scan), "SOLID": str(solid)}
    done = call("mesh", *(names.get(word, word) for word in arguments), "--out", tmp_path / "out", code=2)
    assert words in done.stderr
    assert done.stderr.count("\n") == 1 or done.stderr.startswith("compiling")
