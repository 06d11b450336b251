"""The class Mesh: validation, derived quantities, and the results of its methods."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mesh import Mesh, NamedRegionSelector, SphereSelector
from gaitwright.mesh.cell_kinds import KINDS, TET10
from gaitwright.mesh.cell_measures import shape_functions, shape_gradients

TET = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
ONE = np.array([[0, 1, 2, 3]])
NAN = TET.copy()
NAN[2, 1] = np.nan


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_shape_functions(kind) -> None:
    """Their sum is one, each is one at its own node, and their gradients agree with differences."""
    weights = np.random.default_rng(1).dirichlet(np.ones(kind.corners), 5)
    N = shape_functions(kind, weights)
    assert N.shape == (5, kind.nodes)
    assert N.sum(axis=1) == pytest.approx(1)
    own = np.eye(kind.corners)
    local = np.vstack([own, *(own[list(e)].mean(axis=0)[None] for e in kind.edges)])[: kind.nodes]
    assert shape_functions(kind, local) == pytest.approx(np.eye(kind.nodes))
    step = 1e-6
    for k in range(kind.dimension):
        ahead = weights.copy()
        ahead[:, k + 1] += step
        ahead[:, 0] -= step
        assert (shape_functions(kind, ahead) - N) / step == pytest.approx(
            shape_gradients(kind, weights)[..., k], abs=1e-5
        )


def test_side_nodes_list_the_midpoints_in_turn() -> None:
    for side in TET10.side_nodes:
        corners, mids = side[:3], side[3:]
        for k, middle in enumerate(mids):
            assert set(TET10.edges[middle - 4]) == {corners[k], corners[(k + 1) % 3]}


def test_one_tetrahedron() -> None:
    mesh = Mesh(TET, ONE)
    assert mesh.kind.name == "TET4"
    assert mesh.volume == pytest.approx(1 / 6)
    assert mesh.boundary.tolist() == [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    assert mesh.side_normals[2] == pytest.approx(np.ones(3) / 3**0.5)
    assert mesh.neighbours.tolist() == [[-1] * 4]
    assert mesh.edge_lengths.max() == pytest.approx(2**0.5)
    assert mesh.node_areas.sum() == pytest.approx(1.5 + 3**0.5 / 2)
    assert mesh.node_normals[0] == pytest.approx(-np.ones(3) / 3**0.5)
    assert mesh.bounds.tolist() == [[0, 0, 0], [1, 1, 1]]


def test_neighbours_are_mutual() -> None:
    mesh = gw.mesh.box((1, 1, 1), 3)
    cell, side = np.nonzero(mesh.neighbours >= 0)
    other = mesh.neighbours[cell, side]
    assert (mesh.neighbours[other] == cell[:, None]).any(axis=1).all()
    assert (mesh.neighbours < 0).sum() == len(mesh.boundary) == 6 * 9 * 2
    shared = [len(set(mesh.cells[a]) & set(mesh.cells[b])) for a, b in zip(cell, other, strict=True)]
    assert set(shared) == {3}


def test_node_graph_is_the_pattern_of_a_stiffness() -> None:
    mesh = gw.mesh.rectangle((1, 1), 2)
    dense = mesh.node_graph.toarray()
    expected = np.zeros((9, 9))
    for cell in mesh.cells:
        expected[np.ix_(cell, cell)] = 1
    assert (dense == expected).all()


def test_pieces_are_labelled() -> None:
    one = gw.mesh.box((1, 1, 1), 1)
    two = Mesh(np.vstack([one.nodes, one.nodes + 3]), np.vstack([one.cells, one.cells + 8]))
    assert one.piece_count == 1
    assert two.pieces.tolist() == [0] * 6 + [1] * 6


def test_the_surface_of_a_ball() -> None:
    ball = gw.mesh.ball(1, 0.25, order=2)
    surface = ball.surface()
    assert surface.is_surface and surface.dimension == 3
    assert (surface.nodes == ball.nodes[ball.surface_nodes]).all()
    assert len(surface.cells) == 4 * len(ball.boundary)
    assert len(surface.boundary) == 0
    assert surface.volume == pytest.approx(4 * np.pi, rel=0.02)
    assert len(surface.region("surface").cells) == len(surface.cells)
    normals = ball.node_normals[ball.surface_nodes]
    assert (normals * surface.nodes).sum(axis=1).min() > 0.99


@pytest.mark.parametrize("order", [1, 2])
def test_a_uniform_pressure_on_a_closed_surface_has_no_force(order: int) -> None:
    ball = gw.mesh.ball(1, 0.5, order=order)
    force = ball.node_areas[:, None] * ball.node_normals
    assert np.abs(force.sum(axis=0)).max() < 1e-12


def test_corners_of_flat_quadratic_sides_have_no_area() -> None:
    box = gw.mesh.box((1, 1, 1), 2, order=2)
    assert np.abs(box.node_areas[box.linear().surface_nodes]).max() < 1e-12


@pytest.mark.parametrize("make", [lambda: gw.mesh.box((1, 1, 1), 2), lambda: gw.mesh.rectangle((1, 2), 2)])
def test_quadratic_and_linear_are_inverse(make) -> None:
    mesh = make().with_region("corner", SphereSelector(make().bounds[0], 0.6))
    quadratic = mesh.quadratic()
    assert quadratic.volume == pytest.approx(mesh.volume)
    back = quadratic.linear()
    assert (back.nodes == mesh.nodes).all() and (back.cells == mesh.cells).all()
    assert (back.region("corner").nodes == mesh.region("corner").nodes).all()
    assert (quadratic.region("corner").cells == mesh.region("corner").cells).all()
    assert quadratic.quadratic() is quadratic and mesh.linear() is mesh


MESHES = {
    "box": lambda: gw.mesh.box((1, 1, 1), 2),
    "ball": lambda: gw.mesh.ball(1, 0.5),
    "rectangle": lambda: gw.mesh.rectangle((1, 2), 2),
    "disc": lambda: gw.mesh.disc(1, 0.5),
    "surface": lambda: gw.mesh.ball(1, 0.5).surface(),
}


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("name", MESHES)
def test_refining_all_cells_keeps_the_shape(name: str, order: int) -> None:
    mesh = MESHES[name]()
    mesh = mesh.quadratic() if order == 2 else mesh
    fine = mesh.refined()
    assert len(fine.cells) == len(mesh.cells) * (8 if mesh.kind.dimension == 3 else 4)
    assert fine.kind is mesh.kind
    assert fine.volume == pytest.approx(mesh.volume)
    assert fine.piece_count == 1
    assert len(fine._sides.crowded) == 0
    assert len(fine.boundary) == len(mesh.boundary) * (2 if mesh.kind.dimension == 2 else 4)
    for region, old in mesh.regions.items():
        assert len(fine.region(region).nodes) > len(old.nodes)


def test_refining_keeps_curvature() -> None:
    ball = gw.mesh.ball(1, 0.5, order=2)
    assert ball.refined().volume == pytest.approx(ball.volume, rel=1e-12)


@pytest.mark.parametrize("name", MESHES)
def test_local_refinement_is_conforming(name: str) -> None:
    mesh = MESHES[name]()
    corner = mesh.bounds[1] if name in ("box", "rectangle") else np.eye(mesh.dimension)[0]
    fine = mesh.refined(SphereSelector(corner, 0.7))
    assert len(mesh.cells) < len(fine.cells)
    finer = mesh.refined(size=lambda x: 0.1 + 0.5 * np.linalg.norm(x - corner, axis=1))
    longest = np.linalg.norm(np.diff(finer.nodes[finer.edges], axis=1)[:, 0], axis=1)
    near = np.linalg.norm(finer.nodes[finer.edges].mean(axis=1) - corner, axis=1)
    assert longest[near < 0.1].max() <= 0.2
    for one in (fine, finer):
        assert one.volume == pytest.approx(mesh.volume)
        assert one.side_areas.sum() == pytest.approx(mesh.side_areas.sum())  # no hanging nodes
        assert len(one._sides.crowded) == 0
        assert set(one.regions) == set(mesh.regions)


def test_refined_cells_stay_in_their_region() -> None:
    box = gw.mesh.box((2, 1, 1), (4, 2, 2))
    box = box.with_region("half", gw.mesh.HalfSpaceSelector((0, 0, 0), (1, 0, 0)))
    for fine in (box.refined(), box.refined(size=0.3), box.quadratic()):
        own = fine.region("half")
        assert fine.volumes[own.cells].sum() == pytest.approx(1)
        assert fine.nodes[own.nodes, 0].min() > -1e-12
        assert (np.isin(np.unique(fine.cells[own.cells]), own.nodes)).all()


def test_moved_turned_scaled() -> None:
    box = gw.mesh.box((1, 2, 3), 1)
    assert box.scaled(1e-3).volume == pytest.approx(6e-9)
    assert box.moved((1, 0, 0)).bounds[0] == pytest.approx([0.5, -1, -1.5])
    turned = box.turned(np.pi / 2, (0, 0, 1))
    assert np.ptp(turned.bounds, axis=0) == pytest.approx([2, 1, 3])
    assert turned.turned(-np.pi / 2, about=(0, 0, 0)).nodes == pytest.approx(box.nodes)
    flat = gw.mesh.rectangle((1, 2), 1).turned(np.pi / 2, about=(0.5, 1))
    assert flat.bounds == pytest.approx(np.array([[0.5, 0.0], [2.5, 1.0]]), abs=1e-12)
    assert set(turned.regions) == set(box.regions)


def test_mesh_is_immutable() -> None:
    nodes = TET.copy()
    mesh = Mesh(nodes, ONE)
    nodes[0, 0] = 7
    assert mesh.nodes[0, 0] == 0
    for array in (mesh.nodes, mesh.cells):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        mesh.origin = "x"  # pyright: ignore
    with pytest.raises(TypeError):
        mesh.regions["a"] = 1  # pyright: ignore


def test_mesh_can_be_pickled() -> None:
    mesh = gw.mesh.ball(1, 0.5)
    again = pickle.loads(pickle.dumps(mesh))
    assert (again.nodes == mesh.nodes).all()
    assert (again.region("surface").nodes == mesh.region("surface").nodes).all()
    assert again.origin == mesh.origin


def test_partition_of_cells() -> None:
    box = gw.mesh.box((1, 1, 1), 4).with_region("core", gw.mesh.BoxSelector((-0.25,) * 3, (0.25,) * 3))
    box = box.with_region("tissue", ~NamedRegionSelector("core"))
    index = box.partition(["tissue", "core"])
    assert np.bincount(index).tolist() == [6 * 56, 6 * 8]
    assert (box.partition(["core", "rest of it"], rest="rest of it") == 1 - index).all()
    with pytest.raises(ModelError, match=r"48 cells .* are in none of the regions tissue"):
        box.partition(["tissue"])
    more = box.with_region("all", cells=np.arange(len(box.cells)))
    with pytest.raises(ModelError, match=r"48 cells .* are in several of the regions"):
        more.partition(["core", "all"])


@pytest.mark.parametrize(
    ("nodes", "cells", "words"),
    [
        (TET, [[0, 1, 3, 2]], r"1 cell \(0\) is inside out.*tidied"),
        (TET * [1, 1, 0], ONE, r"1 cell \(0\) has no volume"),
        (NAN, ONE, r"1 node \(2\) is not finite"),
        (TET, [[0, 1, 2, 4]], r"1 cell \(0\) names nodes that are not there; expected from 0 to 3"),
        (TET, [[1, 2, 3, 4]], "do they count from 1"),
        (TET, [[0, 1, 2, -1]], "names nodes that are not there"),
        (TET, [[0, 1, 2]], r"1 node \(3\) belongs to no cell"),
        (TET, np.zeros((0, 4), dtype=int), "there are none"),
        (TET, [[0.5, 1, 2, 3]], "are not whole numbers"),
        (TET, [[0, 1, 2, 3, 3]], r"has the shape \(1, 5\)"),
        (TET[:, :2], ONE, "does not fit into the plane"),
        (TET[:, :1], ONE, r"has the shape \(4, 1\)"),
        ("nonsense", ONE, "is not made of arrays"),
        (TET[:3, :2], [[0, 2, 1]], "inside out"),
    ],
)
def test_invalid_arrays_are_refused(nodes, cells, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        Mesh(nodes, cells)


def test_folded_cells_are_refused() -> None:
    mesh = Mesh(TET, ONE).quadratic()
    nodes = mesh.nodes.copy()
    nodes[4] = [-0.2, 0, 0]  # the midpoint of the edge from (0, 0, 0) to (1, 0, 0)
    with pytest.raises(ModelError, match=r"1 curved cell \(0\) is folded"):
        Mesh(nodes, mesh.cells)
