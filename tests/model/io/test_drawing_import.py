"""Line drawings as links: pins, ground, snapped ends; round trips of mechanisms."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gaitwright as gw
from gaitwright.formats.drawing import DrawingCircle, DrawingPath, DrawingPoint, TechnicalDrawing
from gaitwright.formats.svg_file import read_svg, svg_text
from gaitwright.mechanisms import four_bar, jansen_leg
from gaitwright.model.io.drawing_import import convert_drawing
from gaitwright.report.views.part_drawing import make_part_drawing

BARS = {"crank": [(0, 0), (0, 0.1)], "coupler": [(0, 0.1), (0.3, 0.2)], "rocker": [(0.3, 0.2), (0.25, 0)]}


def linkage(shift: dict[tuple[str, int], tuple[float, float]] | None = None, **changes: Any) -> TechnicalDrawing:
    """A four-bar linkage, with displaced ends."""
    bars = {
        name: [np.add(p, (shift or {}).get((name, k), (0, 0))) for k, p in enumerate(ends)]
        for name, ends in BARS.items()
    }
    ground = [DrawingCircle(at, 5e-3, "ground") for at in ((0, 0), (0.25, 0))]
    return TechnicalDrawing("d", [DrawingPath(ends, name) for name, ends in bars.items()], ground, **changes)


def read(drawing: TechnicalDrawing, **options: Any) -> tuple[gw.Model, list[str]]:
    document, notes = convert_drawing(drawing, "the file 'd'", **options)
    return gw.Model.from_dict(document), notes


def test_imported_linkage_runs() -> None:
    model, notes = read(linkage(), crank="crank")
    assert [link.name for link in model.document.links] == list(BARS)
    assert model.check().degrees_of_freedom == 0
    assert set(model.mechanism().ground_points) == {"O1", "O2"}
    assert notes == ["the drawing has no masses: links have 1 kg/m (parameter mass_per_length)"]
    run = model.analyse()
    assert run.array("crank.angle")[-1] - run.array("crank.angle")[0] == pytest.approx(2 * math.pi)
    assert model.mechanism().body_names["coupler"].mass == pytest.approx(math.hypot(0.3, 0.1), rel=1e-5)


def test_closed_gaps_are_reported() -> None:
    model, notes = read(linkage({("crank", 1): (5e-4, 0), ("coupler", 0): (-5e-4, 0)}))
    assert model.check().degrees_of_freedom == 1
    assert "ends that were apart were brought together: A (1 mm)" in notes
    assert model.document.points["A"] == pytest.approx([0, 0.1])


def test_gaps_beyond_the_tolerance_stay_and_are_reported() -> None:
    model, notes = read(linkage({("crank", 1): (-3e-3, 0)}))
    assert model.check().degrees_of_freedom > 1
    assert any("close but not pinned: A and B (3 mm); a larger --tolerance" in note for note in notes)
    assert read(linkage({("crank", 1): (-3e-3, 0)}), tolerance=4e-3)[0].check().degrees_of_freedom == 1


def test_end_on_a_line_becomes_a_pin() -> None:
    drawing = linkage()
    drawing.paths.append(DrawingPath([(0.15, 0.15), (0.2, -0.1)], "leg"))
    model, _ = read(drawing)
    assert model.check().degrees_of_freedom == 2
    coupler = model.document.links[1]
    assert next(iter(coupler.points.values())) == pytest.approx([0, 0], abs=1e-12)


def test_polyline_becomes_one_rigid_link() -> None:
    drawing = linkage()
    drawing.paths[1] = DrawingPath([(0, 0.1), (0.3, 0.2), (0.1, -0.2)], "coupler", closed=True)
    model, _ = read(drawing)
    (foot,) = model.document.links[1].points
    start = model.assemble().q
    body = model.mechanism().body_names["coupler"]
    assert body.position(start, body.points[foot]) == pytest.approx([0.1, -0.2])
    assert model.check().degrees_of_freedom == 1
    assert foot not in model.document.points and not model.check().warnings


@pytest.mark.parametrize(
    ("change", "options", "fixed"),
    [
        (lambda d: None, {}, 2),
        (lambda d: [setattr(c, "layer", "Frame plate") for c in d.circles], {}, 2),
        (lambda d: [setattr(c, "layer", "0") for c in d.circles], {}, 0),
        (lambda d: [setattr(c, "layer", "0") for c in d.circles], {"ground": "circles"}, 2),
        (lambda d: [setattr(c, "layer", "holes") for c in d.circles], {"ground": "holes"}, 2),
        (lambda d: d.circles.clear() or d.paths.append(DrawingPath([(0, 0), (0.25, 0)], "base")), {}, 2),
        (lambda d: d.circles.clear() or d.marks.append(DrawingPoint((0, 0), "ground")), {}, 1),
    ],
)
def test_ground_marks_fix_pins(change: Any, options: Any, fixed: int) -> None:
    drawing = linkage()
    change(drawing)
    model, notes = read(drawing, **options)
    assert len(model.document.ground.points) == fixed
    assert any("nothing is fixed" in note for note in notes) == (fixed == 0)


def test_duplicate_and_stray_elements_are_reported() -> None:
    drawing = linkage()
    drawing.paths += [DrawingPath([(0, 0.1), (0, 0)], "again"), DrawingPath([(0, 0), (1, 1)], "curves F")]
    drawing.circles.append(DrawingCircle((5, 5), 0.1, "ground"))
    _, notes = read(drawing)
    said = " ".join(notes)
    assert "two lines between the same points count once: on layers 'crank' and 'again'" in said
    assert "layers that are no links are left out: curves F" in said
    assert "1 marks of the ground stand on no end" in said


BAD = {
    "empty": (TechnicalDrawing(), {}, "has no lines that could be links"),
    "only ground": (
        TechnicalDrawing(paths=[DrawingPath([(0, 0), (1, 0)], "ground")]),
        {},
        "has no lines that could be links",
    ),
    "points": (TechnicalDrawing(paths=[DrawingPath([(1, 1), (1, 1)], "a")]), {}, "only lines without length"),
    "short": (
        linkage(),
        {"tolerance": 0.11},
        "has a line of .* mm on layer 'crank', shorter than the gap.*--tolerance",
    ),
    "no layer": (linkage(), {"ground": "fram"}, "ground.*there is no layer 'fram'.*crank"),
    "no crank": (linkage(), {"crank": "crnk"}, "crank.*no link of the drawing.*did you mean 'crank'"),
    "no gap": (linkage(), {"tolerance": 0}, "tolerance.*not positive"),
    "no mass": (linkage(), {"mass_per_length": -1}, "mass_per_length.*not positive"),
    "a picture": (
        TechnicalDrawing(paths=[DrawingPath([(k, 0), (k, 1)], "a") for k in range(3001)]),
        {},
        "has 3001 lines.*at most 3000",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_linkage_is_rejected(name: str) -> None:
    drawing, options, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said):
        read(drawing, **options)


@pytest.mark.parametrize("make", [jansen_leg, four_bar])
def test_skeleton_drawing_is_read_back(make: Any) -> None:
    """Same lengths, pins and foot curve."""
    model = make()
    drawing = make_part_drawing(model.mechanism(), model.assemble().q, sheet="skeleton")
    again, _ = read(read_svg(svg_text(drawing), "d"), crank="crank")
    before, after = (sorted(_lengths(one)) for one in (model, again))
    assert after == pytest.approx(before, abs=1e-8)
    assert again.check().degrees_of_freedom == 0


@pytest.mark.parametrize("sheet", ["all", "skeleton"])
def test_sheet_of_parts_is_detected(sheet: str) -> None:
    """Outlines are no links: the note names the sheet to use instead."""
    model = four_bar()
    _, notes = read(make_part_drawing(model.mechanism(), model.assemble().q, sheet=sheet))
    assert any("--sheet skeleton" in note for note in notes) == (sheet == "all")


def _lengths(model: gw.Model) -> list[float]:
    return [math.dist(*list(body.points.values())[:2]) for body in model.mechanism().body_names.values()]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
        min_size=3,
        max_size=8,
        unique_by=lambda p: (round(p[0], 1), round(p[1], 1)),
    ),
    st.floats(0.0, 2e-3),
)
def test_any_chain_keeps_its_lengths(places: list[tuple[float, float]], rough: float) -> None:
    """Bars between points, drawn with gaps: one pin per point, lengths within the gaps."""
    points = np.array(places).round(1)
    ends = list(itertools.pairwise(points))
    turn = rough / 2 * np.array([math.cos(1.0), math.sin(1.0)])
    paths = [DrawingPath([a + turn, b - turn], f"bar{k}") for k, (a, b) in enumerate(ends)]
    model, _ = read(TechnicalDrawing("d", paths, marks=[DrawingPoint(points[0], "ground")]), tolerance=0.02)
    found = [link for link in model.document.links]
    seen = {tuple(sorted((tuple(a), tuple(b)))) for a, b in ends}
    assert len(found) == len(seen)
    lengths = sorted(math.dist(a, b) for a, b in seen)
    assert sorted(_lengths(model)) == pytest.approx(lengths, abs=2 * rough + 1e-9)
