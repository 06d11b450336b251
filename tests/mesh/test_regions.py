"""Region selectors, in Python and in the form of a model file."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.mesh import (
    BoundarySelector,
    BoxSelector,
    DistanceSelector,
    HalfSpaceSelector,
    NamedRegionSelector,
    PlaneSelector,
    SphereSelector,
    region_from,
)

BOX = gw.mesh.box((1, 1, 1), 4)
PLACES = {
    # selector in Python: its form in a file, number of nodes of the 5 x 5 x 5
    "plane": (PlaneSelector((0, 0, -0.5), (0, 0, 2)), {"plane": [0, 0, 2, 1]}, 25),
    "thick plane": (PlaneSelector((0, 0, -0.5), (0, 0, 1), within=0.3), {"plane": [0, 0, 1, 0.5], "within": 0.3}, 50),
    "above": (HalfSpaceSelector((0, 0, 0.25), (0, 0, 1)), {"above": [0, 0, 1, -0.25]}, 50),
    "box": (BoxSelector((-0.5, -0.5, -0.5), (0, 0, 0)), {"box": [[-0.5, -0.5, -0.5], [0, 0, 0]]}, 27),
    "sphere": (SphereSelector((0, 0, 0), 0.25), {"sphere": {"centre": [0, 0, 0], "radius": 0.25}}, 7),
    "near": (DistanceSelector([[0.5, 0.5, 0.5]], 0.26), {"near": {"points": [[0.5, 0.5, 0.5]], "distance": 0.26}}, 4),
    "boundary": (BoundarySelector(), {"boundary": True}, 98),
    "name": (NamedRegionSelector("top"), {"name": "top"}, 25),
    "word": (NamedRegionSelector("top"), "top", 25),
    "all": (BoundarySelector() & NamedRegionSelector("top"), {"all": [{"boundary": True}, "top"]}, 25),
    "any": (NamedRegionSelector("left") | NamedRegionSelector("top"), {"any": ["left", "top"]}, 45),
    "not": (~BoundarySelector(), {"not": {"boundary": True}}, 27),
    "less": (NamedRegionSelector("top") - NamedRegionSelector("left"), {"all": ["top", {"not": "left"}]}, 20),
}


@pytest.mark.parametrize("name", PLACES)
def test_selectors_from_python_and_files_agree(name: str) -> None:
    where, written, count = PLACES[name]
    nodes = where.nodes(BOX)
    assert nodes.sum() == count
    read = region_from(written, ErrorContext("clamp", "where"))
    assert (read.nodes(BOX) == nodes).all()
    assert (read.cells(BOX) == where.cells(BOX)).all()
    assert str(where)


def test_selector_selects_nodes_by_position_and_cells_by_centroid() -> None:
    mesh = BOX.with_region("low", BoxSelector((-0.5, -0.5, -0.5), (0.5, 0.5, 0)))
    assert len(mesh.region("low").nodes) == 75
    assert mesh.volumes[mesh.region("low").cells].sum() == pytest.approx(0.5)
    assert len(mesh.sides_in("low")) == 2 * (16 + 4 * 8)
    assert not BOX.regions.get("low")


def test_regions_from_numbers() -> None:
    mesh = BOX.with_region("some", nodes=BOX.cells[7]).with_region("cell", cells=[7])
    assert mesh.region("some").cells.tolist() == [7]
    assert mesh.region("cell").nodes.tolist() == sorted(BOX.cells[7])
    assert len(mesh.with_region("mask", np.ones(125, dtype=bool)).region("mask").cells) == len(BOX.cells)


def test_selectors_in_the_plane() -> None:
    mesh = gw.mesh.rectangle((2, 1), (4, 2))
    where = region_from({"plane": [1, 0, 1]}, ErrorContext("clamp"), dimension=2)
    assert (where.nodes(mesh) == (mesh.nodes[:, 0] == -1)).all()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: BOX.with_region("a", BoxSelector((2, 2, 2), (3, 3, 3))), r"region 'a': nothing of the mesh lies in "
                                                                          r"the box from "
         r"\(2, 2, 2\) to \(3, 3, 3\) m; expected a place on it: it reaches from \(-0.5, -0.5, -0.5\) to \(0.5, 0.5, 0.5\) m"),
        (lambda: BOX.with_region("a", PlaneSelector((0, 0, 7), (0, 0, 1))), (r"the plane through \(0, 0, 7\) m with "
                                                                            r"normal \(0, 0, 1\)")),
        (lambda: BOX.with_region("a", nodes=[125]), "whole numbers from 0 to 124"),
        (lambda: BOX.with_region("a", cells=[-1]), "is not a list of its numbers"),
        (lambda: BOX.with_region("a"), "has no members"),
        (lambda: BOX.region("tpo"), "has no such region; expected one of left, .*did you mean 'top'"),
        (lambda: BOX.with_region("a", NamedRegionSelector("tpo")), "did you mean 'top'"),
    ],
)  # fmt: skip
def test_empty_or_invalid_regions_are_refused(act, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        act()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (3, "clamp field 'where': is not a place on a mesh"),
        ({}, "is not one place on a mesh"),
        ({"plain": [0, 0, 1, 0]}, "did you mean 'plane'"),
        ({"plane": [0, 0, 1, 0], "box": 1}, "is not one place"),
        ({"plane": [0, 0, 1]}, r"4 numbers \[a, b, c, d\] of a x \+ b y \+ c z \+ d = 0"),
        ({"plane": [0, 0, 0, 1]}, "has no direction"),
        ({"plane": [0, 0, "1", 1]}, "is not a list of numbers"),
        ({"plane": [0, 0, 1, 0], "within": -1}, "field 'within': is not positive"),
        ({"box": [[0, 0, 0], [1, 1, 1]], "within": 1}, "only a plane has 'within'"),
        ({"box": [0, 1]}, "is not a list of numbers"),
        ({"box": [[1, 0, 0], [0, 1, 1]]}, "its first corner is not the lower one"),
        ({"sphere": {"centre": [0, 0, 0]}}, "field 'radius': is missing"),
        ({"sphere": {"center": [0, 0, 0], "radius": 1}}, "did you mean 'centre'"),
        ({"sphere": {"centre": [0, 0, 0], "radius": 0}}, "is not positive"),
        ({"sphere": [0, 0, 0]}, "is not a mapping"),
        ({"near": {"distance": 1}}, "names no file and no points"),
        ({"near": {"file": "a.stl", "distance": 1}}, "no files are read here"),
        ({"near": {"points": [], "distance": 1}}, "is not a list of points"),
        ({"boundary": False}, "is not true"),
        ({"name": 3}, "is not a name"),
        ({"all": []}, "is not a list of places"),
        ({"not": 3}, "is not a place"),
    ],
)
def test_invalid_selector_in_a_file_is_refused(written, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        region_from(written, ErrorContext("clamp", "where"))
