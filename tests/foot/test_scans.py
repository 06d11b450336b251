"""Feet from scans: detected in any position; other shapes are rejected. Uses our parametric foot, and a scan if
available."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.scans import to_foot_frame

LEG = Path(__file__).parents[3] / "shared" / "data" / "foot_gibbon_leg" / "post" / "Skin_coarse.stl"
needs_leg = pytest.mark.skipif(not LEG.exists(), reason="the scan of a leg is not here")


@pytest.fixture(scope="module")
def foot():
    return gw.foot.from_measures(side="left", size=0.006)


def placed(surface, seed=None, mirrored=False, scale=1.0):
    """The same surface in another position of a file: randomly rotated and shifted."""
    rng = np.random.default_rng(seed)
    turn = np.eye(3) if seed is None else Rotation.from_quat(rng.normal(size=4)).as_matrix()
    turn = turn @ np.diag([1.0, -1.0, 1.0]) if mirrored else turn
    cells = surface.cells[:, [1, 0, 2]] if mirrored else surface.cells
    return gw.mesh.Mesh(scale * (surface.nodes @ turn.T + rng.normal(size=3)), cells)


def without(surface, where):
    """Remove the triangles with centres in a region."""
    return gw.mesh.tidied(surface.nodes, surface.cells[~where(surface.centroids)])


def same(found, known, within):
    for name, value in known.to_dict().items():
        assert getattr(found, name) == pytest.approx(value, rel=within), name


@pytest.mark.parametrize(("seed", "mirrored"), [(0, False), (1, True), (2, False), (3, True)])
def test_parametric_foot_is_detected_in_any_position(foot, seed, mirrored):
    shape = gw.foot.from_scan(placed(foot.surface, seed, mirrored))
    assert shape.side == ("right" if mirrored else "left")
    same(shape.measures, foot.measures, 0.02)
    assert any("say side=" in note for note in shape.notes)
    assert min(shape.origin["sure"].values()) > 0.4


@pytest.mark.parametrize(
    ("unit", "end"), [("m", ".stl"), ("mm", ".stl"), ("cm", ".stl"), ("dm", ".stl"), ("mm", ".ply"), ("mm", ".obj")]
)
def test_units_of_files_are_detected(foot, tmp_path, unit, end):
    pytest.importorskip("trimesh")
    import trimesh

    scale = {"m": 1.0, "mm": 1e3, "cm": 1e2, "dm": 10.0}[unit]
    mesh = placed(foot.surface, 7, scale=scale)
    path = tmp_path / f"scan{end}"
    trimesh.Trimesh(mesh.nodes, mesh.cells, process=False).export(path)
    shape = gw.foot.from_scan(path)
    assert shape.origin["unit"] == unit and any(f"unit = {unit}:" in note for note in shape.notes)
    same(shape.measures, foot.measures, 0.02)


def test_our_own_file_stores_its_unit(foot, tmp_path):
    shape = gw.foot.from_scan(foot.surface.save(tmp_path / "foot.stl"))
    assert shape.measures.length == pytest.approx(0.26, rel=0.01)
    with pytest.raises(ModelError, match=r"unit.*makes a foot 0.00026 m long.*did you mean m\?"):
        gw.foot.from_scan(tmp_path / "foot.stl", unit="mm")


def test_holes_are_closed_and_the_leg_may_be_open(foot):
    pytest.importorskip("trimesh")
    small = without(foot.surface, lambda x: np.linalg.norm(x - [0.05, 0.0, 0.0], axis=1) < 0.006)
    shape = gw.foot.from_scan(placed(small, 3))
    assert any("1 holes were closed" in note for note in shape.notes)
    assert shape.measures.sole_area == pytest.approx(foot.measures.sole_area, rel=0.02)
    no_top = without(foot.surface, lambda x: x[:, 2] > 0.0799)
    shape = gw.foot.from_scan(no_top, cut=0.06)
    assert shape.measures.height == pytest.approx(0.06)
    shape = gw.foot.from_scan(no_top)
    assert 0.07 < shape.measures.height < 0.08 and any("is open from" in note for note in shape.notes)


@pytest.mark.parametrize("noise", [0.0003, 0.001])
def test_scanner_noise_is_tolerated(foot, noise):
    nodes = foot.surface.nodes + noise * np.random.default_rng(1).normal(size=foot.surface.nodes.shape)
    shape = gw.foot.from_scan(placed(gw.mesh.Mesh(nodes, foot.surface.cells), 2))
    assert shape.side == "left"
    assert shape.measures.length == pytest.approx(0.26, abs=6 * noise)
    assert shape.measures.ball_width == pytest.approx(0.1, abs=8 * noise)


def test_small_pieces_are_removed(foot):
    speck = gw.mesh.ball(0.004, 0.002).surface().moved((0.1, 0.2, 0.0))
    both = gw.mesh.Mesh(
        np.vstack([foot.surface.nodes, speck.nodes]),
        np.vstack([foot.surface.cells, speck.cells + len(foot.surface.nodes)]),
    )
    shape = gw.foot.from_scan(both)
    assert any("1 small pieces" in note for note in shape.notes)
    same(shape.measures, foot.measures, 0.02)


def test_given_axes_and_side_are_used(foot):
    mesh = placed(foot.surface)
    shape = gw.foot.from_scan(mesh, axes={"up": "z", "forward": (1, 0, 0)}, side="left")
    assert shape.origin["up"] == [0.0, 0.0, 1.0] and shape.origin["forward"] == [1.0, 0.0, 0.0]
    assert shape.side == "left" and shape.origin["side_told"]
    assert np.ptp(shape.surface.nodes[:, 0]) == pytest.approx(0.26, abs=1e-6)


def test_a_shoe_gives_a_warning(foot):
    nodes = np.array(foot.surface.nodes)
    nodes[nodes[:, 2] < 0.012, 2] = 0.0
    shoe = gw.mesh.tidied(nodes, foot.surface.cells)
    assert any("looks like a shoe" in note for note in gw.foot.from_scan(shoe).notes)
    assert not any("shoe" in note for note in gw.foot.from_scan(foot.surface).notes)


def two_feet(foot):
    other = foot.mirrored().surface.moved((0.0, 0.2, 0.0))
    here = foot.surface
    return gw.mesh.Mesh(np.vstack([here.nodes, other.nodes]), np.vstack([here.cells, other.cells + len(here.nodes)]))


BAD = {
    "two feet": (two_feet, {}, "2 pieces as large as a foot.*one foot per file"),
    "open sole": (
        lambda foot: without(foot.surface, lambda x: np.linalg.norm(x - [0.05, 0.0, 0.0], axis=1) < 0.03),
        {}, r"holes.*a rim of \d+ mm, \d+ mm in front of the heel.*or holes=",
    ),
    "leg too short": (lambda foot: without(foot.surface, lambda x: x[:, 2] > 0.025), {}, "the leg is cut too low"),
    "cut in millimetres": (lambda foot: foot.surface, {"cut": 80.0}, "higher than any leg.*80 mm are 0.08 m"),
    "cut too low": (lambda foot: foot.surface, {"cut": 0.02}, "cut.*too low for this foot.*at least"),
    "wrong unit": (lambda foot: foot.surface.scaled(1e3), {}, "unit.*makes a foot 260 m long.*did you mean mm"),
    "wrong side": (lambda foot: foot.surface, {"side": "right"}, "told to be right, but arch and big toe are on the right"),
    "no side": (lambda foot: foot.surface, {"side": "both"}, "side.*is not a side of the body"),
    "no axis": (lambda foot: foot.surface, {"axes": {"up": "w"}}, "'up' is not a direction"),
    "other axis": (lambda foot: foot.surface, {"axes": {"top": "z"}}, "'top'.*is not an axis of a foot|axis of a foot"),
    "upside down": (lambda foot: foot.surface, {"axes": {"up": "-z"}}, "is not a foot"),
    "ball": (lambda foot: gw.mesh.ball(0.1, 0.02).surface(), {}, "is not a foot"),
    "box": (lambda foot: gw.mesh.box((0.26, 0.1, 0.08), (13, 5, 4)).surface(), {}, "is not a foot"),
    "rod": (lambda foot: gw.mesh.cylinder(0.03, 0.3, 0.01).surface(), {}, "is not a foot"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_invalid_scans_are_rejected(foot, name):
    make, options, said = BAD[name]
    with pytest.raises(ModelError, match=said):
        gw.foot.from_scan(make(foot), **options)


@needs_leg
@pytest.mark.parametrize(("seed", "mirrored"), [(0, False), (1, True), (2, False)])
def test_a_leg_scan_is_detected_in_any_position(seed, mirrored):
    """Its unit is dm, its sole lies at the smallest y, its toes at the smallest z, and it is a right foot."""
    known = gw.foot.from_scan(LEG)
    assert known.origin["unit"] == "dm" and known.side == "right"
    assert np.dot(known.origin["up"], [0, 1, 0]) > 0.99 and np.dot(known.origin["forward"], [0, 0, -1]) > 0.99
    leg = gw.mesh.read(LEG, "dm")
    shape = gw.foot.from_scan(placed(leg, seed, mirrored))
    assert shape.side == ("left" if mirrored else "right")
    same(shape.measures, known.measures, 0.03)
    assert shape.measures.height == pytest.approx(0.08)


@pytest.mark.slow
def test_a_filled_scan_has_its_cut_and_sole():
    pytest.importorskip("pytetwild")
    pytest.importorskip("trimesh")
    drawn = gw.foot.from_measures(side="left", size=0.012)  # few triangles: filling time grows with their number
    shape = gw.foot.from_scan(placed(drawn.surface, 5), cut=0.07)
    mesh = shape.fill(0.025)
    top, sole = mesh.nodes[mesh.region("cut").nodes], mesh.nodes[mesh.region("sole").nodes]
    assert np.abs(top[:, 2] - 0.07).max() < 1e-3 and len(top) > 20
    assert sole[:, 2].max() < 0.05 and np.ptp(sole[:, 0]) > 0.9 * shape.measures.length


@needs_leg
@pytest.mark.parametrize(("height", "opened"), [(0.3, False), (0.3, True), (0.1, True), (0.07, False), (0.07, True)])
def test_a_leg_may_end_anywhere_above_the_foot(height, opened):
    """The leg is closed by a flat cap, or open."""
    known = gw.foot.from_scan(LEG)
    leg = gw.mesh.read(LEG, "dm")
    leg = without(leg, lambda x: x[:, 1] > height) if opened else gw.mesh.cut(leg, (0, height, 0), (0, -1, 0))
    shape = gw.foot.from_scan(placed(leg, 3))
    assert shape.side == "right" and shape.origin["sure"]["up"] > 0.3
    assert shape.measures.length == pytest.approx(known.measures.length, rel=0.01)
    assert shape.measures.ball_width == pytest.approx(known.measures.ball_width, rel=0.02)


@needs_leg
def test_measures_do_not_depend_on_the_height_of_the_cut():
    """A calf projects behind the heel and is wider: it is no part of the foot."""
    low, high = (gw.foot.from_scan(LEG, cut=cut).measures for cut in (0.08, 0.25))
    for name, value in low.to_dict().items():
        if name != "height":
            assert getattr(high, name) == pytest.approx(value, rel=1e-3, abs=1e-5), name
    assert high.height == pytest.approx(0.25, abs=1e-3)


def test_transform_takes_the_file_to_the_frame_of_the_foot():
    """Bones in the coordinates of a scan, at a random place and in metres, come to lie inside the foot as drawn."""
    drawn = gw.foot.from_measures(length=0.25)
    inner = gw.mesh.Mesh(
        0.5 * (drawn.surface.nodes - drawn.surface.nodes.mean(axis=0)) + drawn.surface.nodes.mean(axis=0),
        drawn.surface.cells,
    )
    shape = gw.foot.from_scan(placed(drawn.surface, 5))
    bones = to_foot_frame(placed(inner, 5), shape)
    assert np.abs(bones.nodes - inner.nodes).max() < 3e-3, "the frame is found from the shape, to 3 mm"
    again = to_foot_frame(placed(drawn.surface, 5), shape)
    assert float(shape.surface.distance(again.nodes[again.nodes[:, 2] < 0.06]).max()) < 1e-6
    with pytest.raises(gw.ModelError, match="was not made from a scan"):
        to_foot_frame(inner, drawn)
