"""Unchecked nodes and cells become a mesh, and the changes are noted."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mesh import MeshRegion, tidied
from gaitwright.mesh.cell_kinds import KINDS
from gaitwright.mesh.cleanup import mirror_node_order

BOX = gw.mesh.box((1, 1, 1), 2)


def test_valid_mesh_stays_unchanged() -> None:
    mesh = tidied(BOX.nodes, BOX.cells, BOX.regions)
    assert (mesh.nodes == BOX.nodes).all() and (mesh.cells == BOX.cells).all()
    assert mesh.notes == ()
    assert (mesh.region("top").nodes == BOX.region("top").nodes).all()


@pytest.mark.parametrize("mesh", [BOX, BOX.quadratic(), gw.mesh.disc(1, 0.5), gw.mesh.disc(1, 0.5, order=2)])
def test_inverted_cells_are_reoriented(mesh) -> None:
    cells = mesh.cells.copy()
    cells[[1, 4]] = cells[[1, 4]][:, mirror_node_order(mesh.kind)]
    found = tidied(mesh.nodes, cells)
    assert (found.cells == mesh.cells).all()
    assert found.notes == ("2 cells (1, 4) were inside out and were turned",)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_mirroring_the_node_order_twice_restores_it(kind) -> None:
    once = np.array(mirror_node_order(kind))
    assert (once[once] == np.arange(kind.nodes)).all()


def test_flat_cells_and_unused_nodes_are_removed() -> None:
    nodes = np.vstack([BOX.nodes, [[9, 9, 9]]])
    cells = np.vstack([BOX.cells, [[0, 1, 2, 2]]])
    regions = {"a": MeshRegion([0, 27], [0, 48])}
    found = tidied(nodes, cells, regions)
    assert (found.cells == BOX.cells).all()
    assert found.notes == ("1 cell (48) without volume was dropped", "1 node belonged to no cell and was dropped")
    assert found.region("a").nodes.tolist() == [0] and found.region("a").cells.tolist() == [0]


@pytest.mark.parametrize(
    ("shift", "weld", "count"), [(0.0, 0.0, 45), (1e-9, 1e-6, 45), (1e-9, 0.0, 54), (0.0, None, 54)]
)
def test_coincident_nodes_are_merged(shift: float, weld: float | None, count: int) -> None:
    nodes = np.vstack([BOX.nodes, BOX.nodes + np.array([0, 0, 1 + shift])])
    both = tidied(
        nodes, np.vstack([BOX.cells, BOX.cells + 27]), {"upper": MeshRegion(np.arange(27, 54), [])}, weld=weld
    )
    assert len(both.nodes) == count
    assert both.piece_count == (1 if count == 45 else 2)
    assert len(both.region("upper").nodes) == 27
    assert bool(both.notes) == (count == 45)


def test_mesh_without_valid_cells_is_refused() -> None:
    with pytest.raises(ModelError, match="none of them has a volume"):
        tidied(BOX.nodes, [[0, 0, 1, 2]])
