"""Drawings in DXF and SVG: written and read back in every unit; files of other programs; invalid files."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.drawing import (
    METRES_BY_UNIT,
    DrawingCircle,
    DrawingDimension,
    DrawingLabel,
    DrawingPath,
    DrawingPoint,
    TechnicalDrawing,
)
from gaitwright.formats.dxf_file import INSUNITS_CODE_BY_UNIT, dxf_bytes, dxf_layer_names, read_dxf
from gaitwright.formats.svg_file import parse_straight_subpaths, read_svg, svg_text

ezdxf: Any = pytest.importorskip("ezdxf", reason="pip install 'gaitwright[cad]'")

COORDINATE = st.floats(-2.0, 2.0, allow_subnormal=False).map(lambda x: round(x, 6))
POINT = st.tuples(COORDINATE, COORDINATE)
LAYER = st.sampled_from(["crank", "ground", "L 2", "pièce", "a:b"])
PATHS = st.builds(DrawingPath, st.lists(POINT, min_size=2, max_size=5), LAYER, st.booleans())
CIRCLES = st.builds(DrawingCircle, POINT, st.floats(1e-3, 0.5).map(lambda x: round(x, 6)), LAYER)
DRAWINGS = st.builds(
    TechnicalDrawing, st.just("d"), st.lists(PATHS, min_size=1, max_size=4), st.lists(CIRCLES, max_size=3),
    st.lists(st.builds(DrawingPoint, POINT, LAYER), max_size=2),
)  # fmt: skip


def round_trip(ending: str, drawing: TechnicalDrawing, unit: str) -> TechnicalDrawing:
    if ending == "dxf":
        return read_dxf(dxf_bytes(drawing, unit), "the file 'd'")
    return read_svg(svg_text(drawing, unit), "the file 'd'", None if unit in ("mm", "cm", "in", "px", "pt") else unit)


@pytest.mark.parametrize(("ending", "units"), [("dxf", tuple(INSUNITS_CODE_BY_UNIT)), ("svg", tuple(METRES_BY_UNIT))])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_written_drawing_is_read_back(ending: str, units: tuple[str, ...], data: Any) -> None:
    """Lines and circles, their layers and sizes, in every unit. A mark in SVG is a small circle."""
    drawing, unit = data.draw(DRAWINGS), data.draw(st.sampled_from(units))
    again = round_trip(ending, drawing, unit)
    names = dxf_layer_names(drawing.layers()) if ending == "dxf" else {layer: layer for layer in drawing.layers()}
    order = drawing.layers()

    def by_layer(parts: list[Any]) -> list[Any]:
        return sorted(parts, key=lambda part: order.index(part.layer)) if ending == "svg" else parts

    for before, after in zip(by_layer(drawing.paths), again.paths, strict=True):
        assert after.layer == names[before.layer]
        assert np.allclose(after.points, before.points, rtol=1e-8, atol=1e-9)
        assert after.closed == before.closed
    wanted = [(c.centre, c.radius) for c in by_layer(drawing.circles)]
    found = [(c.centre, c.radius) for c in again.circles]
    if ending == "dxf":
        assert [np.allclose(m.at, n.at, atol=1e-9) for m, n in zip(drawing.marks, again.marks, strict=True)].count(
            False
        ) == 0
    for centre, radius in wanted:
        assert any(np.allclose(centre, c, rtol=0, atol=1e-8) and abs(radius - r) < 1e-8 for c, r in found)


def test_dxf_dimension_has_its_measurement() -> None:
    drawing = TechnicalDrawing("d", dimensions=[DrawingDimension((0, 0), (0.12, 0.05), 0.02, 0.004, "dimensions")])
    document = ezdxf.read(io.StringIO(dxf_bytes(drawing).decode()))
    (found,) = document.modelspace().query("DIMENSION")
    assert found.get_measurement() == pytest.approx(130.0, abs=1e-9)  # mm
    assert document.header["$INSUNITS"] == 4


def test_svg_dimension_shows_its_length_readably() -> None:
    drawing = TechnicalDrawing("d", dimensions=[DrawingDimension((0, 0), (-0.12, 0.05), 0.02, 0.004, "dimensions")])
    drawing.labels.append(DrawingLabel("a < b", (0, 0), 0.01, "names"))
    text = svg_text(drawing)
    assert ">130.00<" in text and "a &lt; b" in text
    assert "rotate(22.6" in text, "not upside down"


FOREIGN_SVG = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
     width="200mm" height="100mm" viewBox="0 0 400 200">
  <g inkscape:groupmode="layer" inkscape:label="links" transform="translate(10,20)">
    <path d="m 0,0 100,0 h 20 v -40 z"/><line x1="0" y1="0" x2="10" y2="5" transform="rotate(90)"/>
    <path d="M 0 0 C 1 1 2 2 3 3"/><rect width="3" height="3"/><text>note</text>
  </g>
  <g id="ground"><ellipse cx="10" cy="20" rx="4" ry="4"/><g display="none"><line x1="0" y1="0" x2="9" y2="9"/></g></g>
</svg>"""


def test_svg_file_of_inkscape_is_read() -> None:
    """Half a millimetre per unit, y down, relative paths, transforms, layers by label or id."""
    found = read_svg(FOREIGN_SVG, "the file 'f'")
    plate, line = found.paths
    assert plate.closed and plate.layer == "links"
    corners = [(5, -10), (55, -10), (65, -10), (65, 10)]
    assert np.allclose(1e3 * np.asarray(plate.points), corners)
    assert np.allclose(1e3 * np.asarray(line.points), [(5, -10), (2.5, -15)])
    (circle,) = found.circles
    assert circle.layer == "ground" and circle.radius == pytest.approx(2e-3)
    assert found.notes == [
        "elements that are no straight lines or circles are left out: 1 <path with curves>, 1 <rect>"
    ]


PLAIN_DXF = """0
SECTION
2
HEADER
9
$INSUNITS
70
1
0
ENDSEC
0
SECTION
2
ENTITIES
0
LINE
8
crank
10
0.0
20
0.0
11
4.0
21
3.0
0
CIRCLE
8
ground
10
0.0
20
0.0
40
0.25
0
ARC
8
crank
10
0.0
20
0.0
40
1.0
50
0.0
51
90.0
0
ENDSEC
0
EOF
"""
"""A minimal file of release 12, as written by small programs: no tables, no handles; inches."""


def test_minimal_dxf_file_is_read() -> None:
    found = read_dxf(PLAIN_DXF.encode(), "the file 'f'")
    assert np.allclose(found.paths[0].points, [(0, 0), (0.1016, 0.0762)]) and found.paths[0].layer == "crank"
    assert found.circles[0].radius == pytest.approx(0.00635)
    assert found.notes == ["entities that are no straight lines, circles or points are left out: 1 ARC"]
    assert np.allclose(read_dxf(PLAIN_DXF.encode(), "f", "mm").paths[0].points, [(0, 0), (0.004, 0.003)])


def test_dxf_file_of_trimesh_is_read() -> None:
    """One polyline per chain of connected lines, on its own layer, without a unit."""
    trimesh: Any = pytest.importorskip("trimesh")
    lines = np.array([[[0, 0], [40, 0]], [[40, 0], [100, 80]]], dtype=float)
    written = trimesh.load_path(lines).export(file_type="dxf")
    found = read_dxf(written.encode() if isinstance(written, str) else written, "the file 'f'")
    points = np.concatenate([np.asarray(path.points) for path in found.paths])
    for corner in ((0, 0), (0.04, 0), (0.1, 0.08)):
        assert np.linalg.norm(points - corner, axis=1).min() < 1e-12
    assert found.notes == ["the drawing does not say its unit, and mm is assumed; --unit says another"]


def test_block_references_are_replaced_by_their_entities() -> None:
    document = ezdxf.new("R2000")
    block = document.blocks.new("bar")
    block.add_line((0, 0), (10, 0), dxfattribs={"layer": "bar"})
    document.modelspace().add_blockref("bar", (5, 5), dxfattribs={"rotation": 90})
    document.header["$INSUNITS"] = 4
    text = io.StringIO()
    document.write(text)
    assert np.allclose(1e3 * np.asarray(read_dxf(text.getvalue().encode(), "f").paths[0].points), [(5, 5), (5, 15)])


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("M1 2L3 4", [([(1, 2), (3, 4)], False)]),
        ("m1,2 3,4 z", [([(1, 2), (4, 6)], True)]),
        ("M0 0H3V4h-1v-1Z", [([(0, 0), (3, 0), (3, 4), (2, 4), (2, 3)], True)]),
        ("M0 0L1 0M5 5l1 1", [([(0, 0), (1, 0)], False), ([(5, 5), (6, 6)], False)]),
        ("M0 0L1 0zL0 1", [([(0, 0), (1, 0)], True), ([(0, 0), (0, 1)], False)]),
        ("M.5-1.5e1", [([(0.5, -15.0)], False)]),
        ("M0 0A1 1 0 0 0 2 2", None),
        ("", []),
    ],
)
def test_paths_of_svg(text: str, pieces: Any) -> None:
    assert parse_straight_subpaths(text, ErrorContext("path")) == pieces


BAD = {
    "empty DXF": ("dxf", b"", "not valid DXF.*is it complete"),
    "half a DXF": ("dxf", PLAIN_DXF[:150].encode(), "not valid DXF|no lines"),
    "words": ("dxf", b"this is a letter", "not valid DXF"),
    "DWG": ("dxf", b"AC1032\0\0\0\0", "is a DWG drawing; expected DXF"),
    "NaN in DXF": ("dxf", PLAIN_DXF.replace("4.0", "nan").encode(), "not a finite number|not valid DXF"),
    "far away": ("dxf", PLAIN_DXF.replace("4.0", "4e9").encode(), r"reaches .* m from its origin.*--unit"),
    "half an SVG": ("svg", FOREIGN_SVG[:600].encode(), "not valid XML at line .*is it complete"),
    "no SVG": ("svg", b"<html/>", "is XML but no SVG: it contains <html>"),
    "entities": ("svg", b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "defines XML entities"),
    "NaN in SVG": ("svg", b'<svg><line x1="nan" y1="0" x2="1" y2="1"/></svg>', "line.x1.*is not a number.*nan"),
    "bad path": ("svg", b'<svg><path d="M 0 0 L 1 ?"/></svg>', r"path.d.*has '\?'"),
    "half a point": ("svg", b'<svg><path d="M 0 0 L 1"/></svg>', "'L' does not take 1 numbers"),
    "no move": ("svg", b'<svg><path d="1 2 L 1 2"/></svg>', "number before a command"),
    "bad transform": ("svg", b'<svg><g transform="spin(3)"/></svg>', "transform.*'spin' is not known"),
    "deep": ("svg", b"<svg>" + b"<g>" * 80 + b"</g>" * 80 + b"</svg>", "nested too deeply"),
    "unit": ("unit", PLAIN_DXF.encode(), "unit.*no unit of length.*'furlong'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_invalid_drawing_has_a_message(name: str) -> None:
    kind, content, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said) as error:
        if kind == "svg":
            read_svg(content.decode(), "the file 'x.svg'")
        else:
            read_dxf(content, "the file 'x.dxf'", "furlong" if kind == "unit" else None)
    assert "\n" not in str(error.value)


def test_missing_ezdxf_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    with pytest.raises(gw.ModelError, match=r"ezdxf.*gaitwright\[cad\]"):
        read_dxf(PLAIN_DXF.encode(), "the file 'x.dxf'")
