"""Meshes written and read again, files of other programs, and broken files."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.mesh import read

meshio = pytest.importorskip("meshio")
pytest.importorskip("trimesh")
MESHES = {
    "TET4": lambda: gw.mesh.box((0.1, 0.2, 0.3), 2).with_region("core", gw.mesh.SphereSelector((0, 0, 0), 0.1)),
    "TET10": lambda: gw.mesh.ball(0.1, 0.05, order=2),
    "T3": lambda: gw.mesh.disc(0.1, 0.05),
    "T6": lambda: gw.mesh.ring(0.05, 0.1, 0.05, order=2),
    "surface": lambda: gw.mesh.ball(0.1, 0.05).surface(),
}


@pytest.mark.parametrize("suffix", [".npz", ".vtu", ".vtk", ".msh", ".inp"])
@pytest.mark.parametrize("kind", MESHES)
def test_written_and_read_again(kind: str, suffix: str, tmp_path) -> None:
    mesh = MESHES[kind]()
    mesh = gw.mesh.Mesh(mesh.nodes, mesh.cells, mesh.regions, "drawn -- by hand", ("a note",))
    again = read(mesh.save(tmp_path / f"m{suffix}"))
    assert again.kind is mesh.kind and again.dimension == mesh.dimension
    # numbers in an .inp file have at most twenty characters: fourteen digits
    assert np.abs(again.nodes - mesh.nodes).max() < (1e-14 if suffix == ".inp" else 1e-15)
    assert (again.cells == mesh.cells).all()
    assert again.origin == "drawn -- by hand"
    assert again.notes == ("a note",)
    assert list(again.regions) == list(mesh.regions)
    for name, region in mesh.regions.items():
        assert (again.region(name).nodes == region.nodes).all()
        assert (again.region(name).cells == region.cells).all()


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply"])
def test_surfaces_written_and_read_again(suffix: str, tmp_path) -> None:
    mesh = gw.mesh.ball(0.1, 0.05, order=2)
    again = read(mesh.save(tmp_path / f"m{suffix}"))
    assert again.is_surface and not again.notes
    assert len(again.nodes) == len(mesh.surface_nodes)
    assert again.volume == pytest.approx(mesh.surface().volume, rel=1e-6)
    assert gw.mesh.surface_report(again).closed


def write(path, points, cells, **more):
    meshio.write(path, meshio.Mesh(np.asarray(points, dtype=float), cells, **more))
    return path


def test_physical_groups_of_gmsh(tmp_path) -> None:
    box = gw.mesh.box((100, 100, 100), 2)
    top = box.boundary[box.sides_in("top")]
    half = (box.centroids[:, 0] > 0).astype(int)
    path = tmp_path / "groups.msh"
    made = meshio.Mesh(
        np.array(box.nodes), [("triangle", top), ("tetra", np.array(box.cells))],
        cell_data={"gmsh:physical": [np.full(len(top), 7), 1 + half], "gmsh:geometrical": [np.ones(len(top), int), 1 + half]},
        field_data={"sole": np.array([7, 2]), "bone": np.array([1, 3])},
    )  # fmt: skip
    meshio.write(path, made, file_format="gmsh22", binary=False)
    mesh = read(path)
    assert "this looks like millimetres" in mesh.notes[0]
    assert mesh.size == pytest.approx(0.1)
    assert (mesh.region("sole").nodes == box.region("top").nodes).all() and not len(mesh.region("sole").cells)
    assert (mesh.region("bone").cells == np.flatnonzero(half == 0)).all()
    assert mesh.volumes[mesh.region("physical_2").cells].sum() == pytest.approx(0.5e-3)
    assert (mesh.partition(["bone", "physical_2"]) == half).all()


def test_sets_of_abaqus(tmp_path) -> None:
    path = tmp_path / "sets.inp"
    path.write_text(
        "*NODE\n1, 0, 0, 0\n2, 100, 0, 0\n3, 0, 100, 0\n4, 0, 0, 100\n5, 100, 100, 100\n"
        "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n2, 2, 3, 4, 5\n*NSET, NSET=FOOT\n1, 2, 3\n*ELSET, ELSET=SOFT\n2\n"
        "*Surface, type=ELEMENT, name=Top\n2, S3\n"
    )
    mesh = read(path)
    assert any("*SURFACE Top is not read" in note for note in mesh.notes)
    assert mesh.region("FOOT").nodes.tolist() == [0, 1, 2]
    assert mesh.region("SOFT").cells.tolist() == [1]
    assert mesh.region("SOFT").nodes.tolist() == [1, 2, 3, 4]


def test_integer_data_of_vtu_become_regions(tmp_path) -> None:
    box = gw.mesh.box((0.1, 0.1, 0.1), 2)
    ids = (box.centroids[:, 2] > 0).astype(int) + 3
    path = write(
        tmp_path / "m.vtu", box.nodes, [("tetra", np.array(box.cells))],
        cell_data={"MaterialIds": [ids], "stress": [ids * 1.5]}, point_data={"u": np.array(box.nodes)},
    )  # fmt: skip
    mesh = read(path, unit="m")
    assert set(mesh.regions) == {"MaterialIds_3", "MaterialIds_4"}
    assert (mesh.region("MaterialIds_4").cells == np.flatnonzero(ids == 4)).all()


def test_inverted_cells_and_unused_nodes_are_noted(tmp_path) -> None:
    box = gw.mesh.box((0.1, 0.1, 0.1), 1)
    cells = np.array(box.cells)
    cells[2] = cells[2][[1, 0, 2, 3]]
    mesh = read(write(tmp_path / "m.vtu", np.vstack([box.nodes, [[0, 0, 0]]]), [("tetra", cells)]))
    assert any("1 cell (2) was inside out" in note for note in mesh.notes)
    assert any("1 node belonged to no cell" in note for note in mesh.notes)
    assert mesh.volume == pytest.approx(1e-3)


def test_pieces_and_coincident_nodes_are_noted(tmp_path) -> None:
    box = gw.mesh.box((0.1, 0.1, 0.1), 1)
    nodes, cells = np.vstack([box.nodes, box.nodes + np.array([0, 0, 0.1])]), np.vstack([box.cells, box.cells + 8])
    path = write(tmp_path / "m.vtu", nodes, [("tetra", cells)])
    mesh = read(path)
    assert any("it is made of 2 pieces" in note for note in mesh.notes)
    assert any("4 nodes lie exactly where another one does" in note for note in mesh.notes)
    joined = read(path, weld=1e-9)
    assert joined.piece_count == 1 and len(joined.nodes) == 12


TET = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.stl", None, "there is no file"),
        ("empty.msh", b"", "file 'empty.msh': is empty"),
        ("empty.npz", b"  ", "is empty"),
        ("a.docx", b"x", r"'.docx' is not known as a suffix of a mesh file; expected one of .npz, .stl"),
        ("a.mhs", b"x", "did you mean '.msh'"),
        ("noise.vtu", b"<VTK", "cannot be read as .vtu, perhaps because it is cut off"),
        ("noise.msh", b"hello", "cannot be read as .msh"),
        ("noise.inp", b"*NODE\n1, 2\n", "cannot be read as .inp|has no triangles"),
        ("noise.npz", b"PK\x03\x04rubbish", "is not a mesh that Gaitwright wrote, or it is cut off"),
        ("noise.stl", b"rubbish", "is cut off: it is shorter"),
        ("half.stl", b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "is cut off: its text has no end"),
        ("noise.ply", b"ply\nformat ascii 1.0\nelement vertex 9\n", "cannot be read as .ply"),
        ("noise.obj", b"v 0 0 0\n", "cannot be read as .obj|has no triangles"),
    ],
)
def test_broken_files_are_refused(name: str, content: bytes | None, words: str, tmp_path) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=words):
        read(path)


@pytest.mark.parametrize("suffix", [".npz", ".vtu", ".vtk", ".msh", ".inp", ".stl", ".obj", ".ply"])
def test_files_cut_in_half_are_refused(suffix: str, tmp_path, capsys) -> None:
    path = gw.mesh.ball(0.1, 0.02).save(tmp_path / f"m{suffix}")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelError, match=r"cut off|names? nodes that are not there|between nodes that are not there"):
        read(path, unit="m")
    said = capsys.readouterr()
    assert not said.out and not said.err  # output of the libraries is suppressed


def test_folder_is_refused(tmp_path) -> None:
    with pytest.raises(ModelError, match=r"is a folder; expected a mesh file in it"):
        read(tmp_path)


def test_text_without_a_final_newline_is_noted(tmp_path) -> None:
    path = tmp_path / "m.inp"
    path.write_text("*NODE\n1, 0, 0, 0\n2, .1, 0, 0\n3, 0, .1, 0\n4, 0, 0, .1\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4")
    assert "its last line has no end: check that it is complete" in read(path).notes


@pytest.mark.parametrize(
    ("points", "cells", "words"),
    [
        (TET, [("hexahedron", [[0, 1, 2, 3, 0, 1, 2, 3]])], "has unsupported cells.*1 hexahedron"),
        (TET, [("tetra", [[0, 1, 2, 3]]), ("wedge", [[0, 1, 2, 3, 0, 1]])], "several kinds: 1 tetra, 1 wedge"),
        (TET, [("line", [[0, 1]])], "has no triangles or tetrahedra"),
        (TET * np.nan, [("tetra", [[0, 1, 2, 3]])], "has no size|are not finite"),
        (TET * [1, np.nan, 1], [("tetra", [[0, 1, 2, 3]])], "are not finite"),
        (TET * 0, [("tetra", [[0, 1, 2, 3]])], "has no size"),
        (TET * 8, [("tetra", [[0, 1, 2, 3]])], "field 'unit': is not given, and a longest side of 8 could be"),
        (TET, [("tetra", [[0, 1, 2, 9]])], "between nodes that are not there|cannot be read"),
        (TET * [1, 1, 0], [("tetra", [[0, 1, 2, 3]])], "none of them has a volume"),
    ],
)
def test_unsupported_meshes_are_refused(points, cells, words: str, tmp_path) -> None:
    path = write(tmp_path / "m.vtk", points, [(kind, np.array(data)) for kind, data in cells])
    with pytest.raises(ModelError, match=words):
        read(path)


def test_missing_package_is_named(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "meshio", None)
    (tmp_path / "a.msh").write_text("x")
    with pytest.raises(
        GaitwrightError, match=r"reading .msh files needs the package meshio: pip install 'gaitwright\[solids\]'"
    ):
        read(tmp_path / "a.msh")
    with pytest.raises(GaitwrightError, match=r"writing .vtu files needs the package meshio"):
        gw.mesh.box((1, 1, 1), 1).save(tmp_path / "a.vtu")
    gw.mesh.box((1, 1, 1), 1).save(tmp_path / "a.npz")  # our own format needs none
    assert len(read(tmp_path / "a.npz").cells) == 6


def test_unsupported_output_is_refused(tmp_path) -> None:
    with pytest.raises(ModelError, match=r"'.xyz' cannot be written; expected one of .npz, .stl, .vtu"):
        gw.mesh.box((1, 1, 1), 1).save(tmp_path / "a.xyz")
    with pytest.raises(ModelError, match="a mesh of the plane has edges"):
        gw.mesh.disc(1, 1).save(tmp_path / "a.stl")


@pytest.mark.parametrize(
    ("kind", "element"), [("TET4", "C3D4"), ("TET10", "C3D10"), ("T3", "CPS3"), ("T6", "CPE6"), ("surface", "S3")]
)
def test_calculix_can_read_the_written_file(kind: str, element: str, tmp_path) -> None:
    """CalculiX supports neither hybrid elements nor numbers of more than twenty characters."""
    text = MESHES[kind]().save(tmp_path / "m.inp").read_text()
    assert text.count("TYPE=") == 1 and f"TYPE={element}\n" in text
    rows = text.partition("*NODE\n")[2].partition("*ELEMENT")[0].splitlines()
    assert max(len(word.strip()) for row in rows for word in row.split(",")) <= 20
