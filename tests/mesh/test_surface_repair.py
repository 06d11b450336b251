"""Repair of scans: orientation, welding, closing of holes, cutting; and the report of defects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mesh import Mesh, cut, oriented, read, repaired, surface_report, tidied

BALL = gw.mesh.ball(0.1, 0.03).surface()
APART = [int(np.argmin(BALL.centroids[:, 0])), int(np.argmax(BALL.centroids[:, 0]))]
"""Two triangles on opposite sides."""
RNG = np.random.default_rng(3)


def inside(surface: Mesh) -> float:
    """Volume by the integral of x . n / 3; negative for an inverted surface."""
    a, b, c = (surface.nodes[surface.cells[:, k]] for k in range(3))
    return float(np.einsum("ti,ti->", a, np.cross(b, c)) / 6)


def without(surface: Mesh, faces) -> Mesh:
    return tidied(surface.nodes, np.delete(surface.cells, faces, axis=0))


def two(first: Mesh, second: Mesh) -> Mesh:
    return Mesh(np.vstack([first.nodes, second.nodes]), np.vstack([first.cells, second.cells + len(first.nodes)]))


def shuffled(surface: Mesh) -> Mesh:
    turn = RNG.random(len(surface.cells)) < 0.5
    return Mesh(surface.nodes, np.where(turn[:, None], surface.cells[:, [0, 2, 1]], surface.cells))


def test_triangles_are_oriented_outwards() -> None:
    found = oriented(shuffled(BALL))
    assert inside(found) == pytest.approx(inside(BALL))
    assert "triangles were turned to be seen from outside" in found.notes[-1]
    assert inside(oriented(Mesh(BALL.nodes, BALL.cells[:, ::-1]))) == pytest.approx(inside(BALL))
    assert oriented(BALL) is BALL


def test_pieces_are_oriented_independently() -> None:
    far = BALL.moved((1, 0, 0))
    found = oriented(shuffled(two(BALL, far)))
    assert inside(found) == pytest.approx(2 * inside(BALL))
    assert surface_report(found).pieces == 2


@pytest.mark.parametrize("mirror", [False, True])
def test_a_piece_inside_another_is_a_cavity(mirror: bool) -> None:
    core = BALL.scaled(0.5)
    core = Mesh(core.nodes, core.cells[:, ::-1]) if mirror else core
    found = oriented(two(BALL, core))
    assert inside(found) == pytest.approx(inside(BALL) * (1 - 0.5**3))
    assert "1 of its pieces lie inside another one and are taken as cavities" in found.notes


@pytest.mark.parametrize(
    ("surface", "words", "closed"),
    [
        (BALL, ["the surface is closed"], True),
        (without(BALL, [5]), ["the surface is not closed", "1 hole with 3 edges"], False),
        (without(BALL, APART), ["the surface is not closed", "2 holes"], False),
        (two(BALL, BALL.moved((1, 0, 0))), ["the surface is closed", "it is made of 2 pieces"], True),
        (two(BALL, BALL.moved((0.15, 0, 0))), ["triangles go through others"], True),
        (two(BALL, BALL.moved((0.25, 0, 0))), ["it is made of 2 pieces"], True),
        (Mesh(BALL.nodes, np.vstack([BALL.cells, BALL.cells[3, ::-1]])), ["3 edges belong to more than two triangles"], False),
    ],
)  # fmt: skip
def test_report_describes_defects(surface: Mesh, words: list[str], closed: bool) -> None:
    report = surface_report(surface)
    text = "; ".join(report.sentences())
    assert all(word in text for word in words), text
    assert report.closed == closed


def test_moebius_strip_is_not_orientable() -> None:
    n = 20
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    rims = [
        np.stack([r * np.cos(angle), r * np.sin(angle), s * np.sin(angle / 2)], 1)
        for s in (-0.3, 0.3)
        for r in [1 + s * np.cos(angle / 2)]
    ]  # fmt: skip
    k = np.arange(n)
    ahead, a, b = (k + 1) % n, k, k + n
    c, d = np.where(k == n - 1, ahead + n, ahead), np.where(k == n - 1, ahead, ahead + n)  # joined with a half turn
    strip = Mesh(np.vstack(rims), np.vstack([np.stack([a, c, b], 1), np.stack([c, d, b], 1)]))
    report = surface_report(strip)
    assert not report.orientable
    assert "Moebius" in " ".join(report.sentences())


def test_crossing_triangles_of_two_boxes_are_counted() -> None:
    one = gw.mesh.box((2, 2, 2), 1).surface()
    other = gw.mesh.box((0.5, 0.5, 4), 1).surface().moved((0.1, 0.05, 0))
    report = surface_report(two(one, other))
    assert report.crossing == 2 * 2 + 8  # tops and bottoms are intersected by the sides of the other


@pytest.mark.parametrize("faces", [[5], [5, int(BALL.neighbours[5, 0])], APART])
def test_small_holes_are_closed(faces: list[int]) -> None:
    surface = without(BALL, faces)
    assert not surface_report(surface).closed
    fine = repaired(surface, holes=0.3)
    assert surface_report(fine).closed
    assert inside(fine) == pytest.approx(inside(BALL), rel=0.02)
    assert "closed" in fine.notes[-1] and "holes up to 0.3 m closed" in fine.origin
    assert not surface_report(repaired(surface, holes=0.01)).closed


def test_repair_welds_nodes_and_removes_flat_and_duplicate_triangles() -> None:
    apart = BALL.nodes[BALL.cells].reshape(-1, 3)
    cells = np.arange(len(apart)).reshape(-1, 3)
    cells = np.vstack([cells, cells[:1, [1, 2, 0]], [[0, 1, 1]]])
    surface = repaired(Mesh(apart, cells))
    assert len(surface.nodes) == len(BALL.nodes) and len(surface.cells) == len(BALL.cells)
    assert surface_report(surface).closed
    text = "; ".join(surface.notes)
    assert "1 triangles were there twice" in text and "without area was dropped" in text


@pytest.mark.parametrize(
    ("point", "normal"), [((0, 0, 0.01), (0, 0, 1)), ((0, 0, 0.01), (0, 0, -1)), ((0.02, 0.01, 0.03), (1, 2, -3))]
)
def test_cut_with_a_cap(point, normal) -> None:
    pytest.importorskip("trimesh"), pytest.importorskip("mapbox_earcut"), pytest.importorskip("shapely")
    one, other = (cut(BALL, point, np.multiply(sign, normal)) for sign in (1, -1))
    for half in (one, other):
        assert surface_report(half).closed
    assert inside(one) + inside(other) == pytest.approx(inside(BALL), rel=1e-9)
    flat = (one.nodes[one.region("cut").nodes] - point) @ np.array(normal)
    assert np.abs(flat).max() < 1e-9
    areas = one.volumes[one.region("cut").cells].sum()
    assert areas == pytest.approx(other.volumes[other.region("cut").cells].sum())
    assert ((one.nodes - point) @ np.array(normal)).min() > -1e-9
    assert "cut at" in one.origin


def test_plane_beside_the_surface() -> None:
    assert "does not cut" in cut(BALL, (0, 0, -1), (0, 0, 1)).notes[-1]
    with pytest.raises(ModelError, match=r"nothing is left on the side \(0, 0, 1\) of the plane through \(0, 0, 1\) m"):
        cut(BALL, (0, 0, 1), (0, 0, 1))


def test_two_cuts_give_two_regions() -> None:
    pytest.importorskip("trimesh"), pytest.importorskip("mapbox_earcut"), pytest.importorskip("shapely")
    slice_ = cut(cut(BALL, (0, 0, -0.03), (0, 0, 1), "low"), (0, 0, 0.03), (0, 0, -1), "high")
    assert list(slice_.regions) == ["surface", "low", "high"]
    for name in ("low", "high"):
        assert np.ptp(slice_.nodes[slice_.region(name).nodes, 2]) < 1e-9


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: cut(without(BALL, [5]), (0, 0, 0), (0, 0, 1)), "cannot be capped: the surface is not closed, 1 hole"),
        (lambda: cut(BALL, (0, 0, 0), (0, 0, 0)), "is not a plane"),
        (lambda: cut(gw.mesh.ball(1, 0.5), (0, 0, 0), (0, 0, 1)), "is not a surface of flat triangles"),
        (lambda: gw.mesh.fill(without(BALL, [5]), 0.05), "the surface is not closed.*gw.mesh.repaired"),
        (lambda: gw.mesh.fill(BALL, 3.0), "is longer than the surface itself.*is the unit right"),
        (lambda: gw.mesh.fill(BALL, 1e-5), "is the unit right"),
        (lambda: gw.mesh.fill(gw.mesh.ball(1, 0.5), 0.1), "is not a surface"),
        (
            lambda: gw.mesh.fill(BALL, 0.05, inner={"core": BALL.scaled(1.2)}),
            "inner 'core': sticks out of the surface by 0.02",
        ),
        (
            lambda: gw.mesh.fill(BALL, 0.05, inner={"core": without(BALL, [5])}),
            "inner 'core': the surface is not closed",
        ),
        (lambda: repaired(gw.mesh.disc(1, 0.5)), "is not a surface"),
    ],
)
def test_invalid_arguments_are_refused(act, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        act()


@pytest.mark.slow
def test_filled_with_tetrahedra(tmp_path, monkeypatch) -> None:
    """A second run gives another mesh: only properties of any such mesh are asserted. No cell crosses the inner surface: each
    region has the volume enclosed by its surface."""
    pytest.importorskip("pytetwild"), pytest.importorskip("shapely"), pytest.importorskip("mapbox_earcut")
    half, core = cut(BALL, (0, 0, 0), (0, 0, 1)), gw.mesh.box((0.04, 0.04, 0.04), 1).surface().moved((0, 0, 0.04))
    monkeypatch.chdir(tmp_path)
    mesh = gw.mesh.fill(half, 0.05, inner={"bone": core})
    assert not list(tmp_path.iterdir())  # the library writes to its working directory
    assert mesh.kind.name == "TET4" and mesh.piece_count == 1
    assert mesh.volume == pytest.approx(inside(half), rel=0.02)
    assert mesh.quality().shape.min() > 0.2
    assert np.abs(mesh.nodes[mesh.region("cut").nodes, 2]).max() < 1e-3
    owner = mesh.partition(["bone", "tissue"], rest="tissue")
    assert mesh.volumes[owner == 0].sum() == pytest.approx(0.04**3, rel=0.03)
    shared = np.intersect1d(mesh.cells[owner == 0], mesh.cells[owner == 1])
    assert np.abs(core.distance(mesh.nodes[shared])).max() < 1e-3
    for words in ("filled by pytetwild", "cut at", "around bone"):
        assert words in mesh.origin
    again = read(mesh.save(tmp_path / "half.npz"))
    assert again.origin == mesh.origin and len(again.region("cut").nodes) == len(mesh.region("cut").nodes)


@pytest.mark.parametrize("good", [1, 2, 3, 4])
def test_far_too_fine_mesh_is_made_again(good: int, monkeypatch) -> None:
    """One run of the mesher in fifty makes cells of a hundredth of the size, thirty times as many. good: the first run
    with cells of the right size; after three runs, the mesh with the fewest cells is taken."""
    from gaitwright.mesh import filling

    runs, block = [], gw.mesh.box((0.1, 0.1, 0.1), 1).surface()

    def mesher(*_: Any) -> tuple[Any, Any]:
        runs.append(len(runs) + 1)
        made = gw.mesh.box((0.1, 0.1, 0.1), 2 if len(runs) >= good else 9 - len(runs))
        return made.nodes, made.cells

    monkeypatch.setattr(filling, "_run_mesher", mesher)
    monkeypatch.setattr(filling, "MIN_EDGE_SIZE_RATIO", 0.8)
    mesh = gw.mesh.fill(block, 0.05)
    assert len(runs) == min(good, filling.MAX_MESHER_RUNS)
    assert len(mesh.cells) == len(gw.mesh.box((0.1, 0.1, 0.1), 2 if good <= 3 else 6).cells)
    assert sum("of the mesher made" in note for note in mesh.notes) == min(good - 1, 2)


def test_failing_mesher_is_reported(monkeypatch) -> None:
    pytest.importorskip("pytetwild")
    monkeypatch.setattr("gaitwright.mesh.filling.MESHER_SCRIPT", "raise RuntimeError('no room')")
    with pytest.raises(
        ModelError, match=r"fill: failed \(RuntimeError: no room\); expected surfaces without crossings"
    ):
        gw.mesh.fill(BALL, 0.05)


def test_cap_may_have_a_hole() -> None:
    """The cut of a hollow ball has two rims."""
    for package in ("trimesh", "mapbox_earcut", "shapely", "networkx", "rtree"):
        pytest.importorskip(package)
    hollow = gw.mesh.hollow_ball(0.01, 0.02, 0.006).surface()
    half = cut(hollow, (0.0, 0.0, 0.003), (0.1, 0.2, -1.0))
    assert surface_report(half).closed and surface_report(half).crossing == 0
    rings = half.volumes[half.region("cut").cells].sum()
    assert rings == pytest.approx(np.pi * (0.02**2 - 0.01**2), rel=0.15)
