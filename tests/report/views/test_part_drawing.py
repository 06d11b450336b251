"""Workshop drawings: written, read back, and measured."""

from __future__ import annotations

import io
import itertools
import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.formats.dxf_file import dxf_bytes, read_dxf
from gaitwright.formats.svg_file import read_svg, svg_text
from gaitwright.mechanisms import four_bar, jansen_leg
from gaitwright.report.views.part_drawing import collect_parts, dimension_pairs, make_part_drawing

ezdxf: Any = pytest.importorskip("ezdxf", reason="pip install 'gaitwright[cad]'")


def ternary() -> gw.Model:
    """A four-bar linkage with a plate with a foot as coupler, and a body that is pinned at its centre."""
    model = gw.Model("plate").ground_point("O1", 0, 0).ground_point("O2", 0.25, 0)
    model.point("A", 0.05, 0.1).point("B", 0.3, 0.2)
    model.link("crank", "O1", "A", mass=0.1).link("rocker", "O2", "B", mass=0.1)
    model.link("plate", "A", "B", mass=0.2, points={"F": (0.02, -0.3)})
    return model.body("wheel", mass=0.1, inertia=1e-4, at=(0.3, 0.2)).joint(
        "revolute", a="plate.F", b="wheel.centre", name="hub"
    )


MODELS = {"jansen": jansen_leg, "four-bar": four_bar, "plate": ternary}


def read_back(ending: str, drawing: Any) -> Any:
    return read_dxf(dxf_bytes(drawing), "d") if ending == "dxf" else read_svg(svg_text(drawing), "d")


@pytest.mark.parametrize("ending", ["dxf", "svg"])
@pytest.mark.parametrize("name", MODELS)
def test_holes_are_as_far_apart_as_in_the_model(name: str, ending: str) -> None:
    """Circles on the layer of a part, in the sheet and in the assembled drawing, against the points of its body."""
    model = MODELS[name]()
    mechanism, q = model.mechanism(), model.assemble().q
    found = read_back(ending, make_part_drawing(mechanism, q))
    for part in collect_parts(mechanism, q):
        wanted = sorted(math.dist(a, b) for a, b in itertools.combinations(part.holes.values(), 2))
        for layer in (part.name, f"assembled {part.name}"):
            # a point mark in SVG is a circle, too, but much smaller
            holes = [c for c in found.circles if c.layer == layer]
            largest = max((c.radius for c in holes), default=0.0)
            centres = [c.centre for c in holes if c.radius > 0.9 * largest][: len(part.holes)]
            measured = sorted(math.dist(a, b) for a, b in itertools.combinations(centres, 2))
            assert measured == pytest.approx(wanted, abs=1e-9), layer


def test_the_dimensions_of_dxf_are_the_lengths_of_the_links() -> None:
    model = jansen_leg()
    text = dxf_bytes(make_part_drawing(model.mechanism(), model.assemble().q, sheet="parts")).decode()
    document = ezdxf.read(io.StringIO(text))
    measured = sorted(d.get_measurement() for d in document.modelspace().query("DIMENSION"))
    frame = math.dist(*model.mechanism().ground_points.values())
    bars = [math.dist(*body.points.values()) for body in model.mechanism().body_names.values()]
    lengths = sorted(1e3 * length for length in (frame, *bars))
    assert measured == pytest.approx(lengths, abs=1e-6)
    assert {layer.dxf.name for layer in document.layers} >= {link.name for link in model.document.links}


@pytest.mark.parametrize("name", MODELS)
def test_parts_do_not_overlap(name: str) -> None:
    """Parts of the sheet are below each other, and all of them beside the assembled drawing."""
    model = MODELS[name]()
    mechanism, q = model.mechanism(), model.assemble().q
    drawing = make_part_drawing(mechanism, q)
    boxes = {p.layer: (np.min(p.points, axis=0), np.max(p.points, axis=0)) for p in drawing.paths}
    whole = max(high[0] for layer, (_, high) in boxes.items() if layer.startswith("assembled"))
    sheet = [box for layer, box in boxes.items() if not layer.startswith("assembled")]
    assert len(sheet) == len(collect_parts(mechanism, q)) and all(low[0] > whole for low, _ in sheet)
    assert all(below[1][1] < above[0][1] for above, below in itertools.pairwise(sheet))


def test_holes_of_assembled_parts_coincide() -> None:
    """Every moving pin is a hole of two parts at one position."""
    model = ternary()
    drawing = make_part_drawing(model.mechanism(), model.assemble().q, sheet="assembled")
    places = [tuple(np.round(c.centre, 9)) for c in drawing.circles]
    assert all(places.count(place) >= 2 for place in places)


@pytest.mark.parametrize("count", range(2, 7))
def test_distances_of_a_sheet_determine_all_points(count: int) -> None:
    """There are 2 n - 3 distances, each pair once; only the rigid motion of the plate remains free."""
    points = np.random.default_rng(count).uniform(-1, 1, (count, 2))
    pairs = dimension_pairs(points)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == 2 * count - 3
    rows = np.zeros((len(pairs), 2 * count))
    for row, (i, j) in zip(rows, pairs, strict=True):
        row[2 * i : 2 * i + 2], row[2 * j : 2 * j + 2] = points[i] - points[j], points[j] - points[i]
    assert np.linalg.matrix_rank(rows) == 2 * count - 3


def test_path_of_the_foot_is_in_the_drawing() -> None:
    run = jansen_leg().kinematics(1.0, step=0.02)
    curve = np.stack([run.array("F.x"), run.array("F.y")], axis=1)
    drawing = make_part_drawing(run.mechanism, run.motion.q[0], curves={"F": curve})
    for ending in ("dxf", "svg"):
        (path,) = [p for p in read_back(ending, drawing).paths if p.layer == "curves F"]
        assert np.allclose(path.points, curve, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sheet": "back"}, "sheet.*is no sheet.*all, assembled, parts, skeleton"),
        ({"hole": 6.0}, r"hole.*larger than the parts.*'6 mm'"),
        ({"hole": -1e-3}, "hole.*not positive"),
    ],
)
def test_invalid_options_are_refused(options: Any, said: str) -> None:
    model = four_bar()
    with pytest.raises(gw.ModelError, match=said):
        make_part_drawing(model.mechanism(), model.assemble().q, **options)


def test_spatial_and_empty_models_have_no_drawing() -> None:
    space = gw.Model(dimension=3).body("a", mass=1, inertia=[1, 1, 1])
    with pytest.raises(gw.ModelError, match=r"is of a model in space.*glb"):
        make_part_drawing(space.mechanism(), space.assemble().q)
    alone = gw.Model().body("a", mass=1, inertia=1)
    with pytest.raises(gw.ModelError, match="nothing to show"):
        make_part_drawing(alone.mechanism(), alone.assemble().q)
