"""Drawings in SVG, the vector pictures of browsers and Inkscape: read as lines, circles and points by layer, and written.

Read are line, polyline, polygon, path of straight pieces, circle and ellipses that are circles, with the transforms of their
groups; y points down in SVG and up here. A layer is the nearest group with a name (inkscape:label, or id)."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.drawing import Circle, Drawing, Path, layer_turns, metres
from gaitwright.formats.svg_path import straight_pieces
from gaitwright.formats.xml_text import numbers, tag
from gaitwright.input_files import parse_xml

LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
LENGTH = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(mm|cm|in|px|pt|m|)\s*$")
SILENT = {
    "text",
    "tspan",
    "title",
    "desc",
    "metadata",
    "defs",
    "style",
    "namedview",
    "script",
    "marker",
    "symbol",
    "clipPath",
}
DEEPEST = 60
PALETTE = ("#1a1a1a", "#c0392b", "#1f618d", "#1e8449", "#7d3c98", "#b9770e", "#117a65", "#6e2c00")
INK, NEUTRAL = "#5d6d7e", ("dimensions", "names")
"""Layers that are about the others."""
EDGE = 0.04
"""Margin of a written sheet, in its larger side."""


def read_svg(text: str, source: str, unit: str | None = None) -> Drawing:
    """The drawing in an SVG file. unit: of its own coordinates, instead of what width and viewBox say."""
    root = parse_xml(text, source, doctype=True)
    if tag(root) != "svg":
        At(source).fail(f"is XML but no SVG: it contains <{tag(root)}>", expected="<svg ...>")
    drawing = Drawing()
    scale = _scale(root, drawing, At(source), unit)
    passed: Counter[str] = Counter()
    _read(root, np.diag([scale, -scale, 1.0]), "", drawing, passed, At(source), 0)
    if passed:
        left = ", ".join(f"{count} <{name}>" for name, count in passed.items())
        drawing.notes.append(f"elements that are no straight lines or circles are left out: {left}")
    return drawing.checked(source)


def _scale(root: Any, drawing: Drawing, at: At, unit: str | None) -> float:
    """Metres of a unit of its coordinates."""
    if unit is not None:
        return metres(unit)
    width, box = LENGTH.match(root.get("width", "")), root.get("viewBox")
    if width is None or not width[2]:
        drawing.notes.append("the drawing does not say its unit, and mm is assumed; --unit says another")
        return metres("mm")
    if box is None:
        return metres("px")  # the coordinates of a picture without a viewBox are those of a screen
    across = numbers(box, 4, at["viewBox"])[2]
    return float(width[1]) * metres(width[2]) / at["viewBox"].above_zero(across, "a width above zero")


def _read(
    part: Any, matrix: np.ndarray, layer: str, drawing: Drawing, passed: Counter[str], at: At, depth: int
) -> None:
    if depth > DEEPEST:
        at.fail("is nested too deeply", expected=f"at most {DEEPEST} groups in each other")
    for element in part:
        name = tag(element)
        if not name or name in SILENT or element.get("display") == "none":
            continue
        own = matrix @ _transform(element.get("transform"), at)
        if name in ("g", "svg", "a"):
            _read(element, own, element.get(LABEL) or element.get("id") or layer, drawing, passed, at, depth + 1)
        elif name in READERS:
            READERS[name](drawing, element, own, layer, at, passed)
        else:
            passed[name] += 1


def _moved(matrix: np.ndarray, points: Any) -> np.ndarray:
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    return points @ matrix[:2, :2].T + matrix[:2, 2]


def _transform(text: str | None, at: At) -> np.ndarray:
    found = np.eye(3)
    for name, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", text or ""):
        if name not in TRANSFORMS:
            at["transform"].fail(f"'{name}' is not known", text, f"one of {', '.join(TRANSFORMS)}")
        counts, make = TRANSFORMS[name]
        found = found @ make(*numbers(inner, counts, at["transform"]))
    return found


def _shift(x: float, y: float = 0.0) -> np.ndarray:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _turn(degrees: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return _shift(x, y) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ _shift(-x, -y)


TRANSFORMS: dict[str, tuple[tuple[int, ...], Any]] = {
    "translate": ((1, 2), _shift),
    "scale": ((1, 2), lambda x, y=None: np.diag([x, x if y is None else y, 1.0])),
    "rotate": ((1, 3), _turn),
    "matrix": ((6,), lambda a, b, c, d, e, f: np.array([[a, c, e], [b, d, f], [0.0, 0.0, 1.0]])),
    "skewX": ((1,), lambda a: np.array([[1.0, math.tan(math.radians(a)), 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])),
    "skewY": ((1,), lambda a: np.array([[1.0, 0.0, 0.0], [math.tan(math.radians(a)), 1.0, 0.0], [0.0, 0.0, 1.0]])),
}


def _attribute(element: Any, name: str, at: At) -> float:
    text = element.get(name, "0")
    return numbers(text.removesuffix("px"), 1, at[f"{tag(element)}.{name}"], "a number")[0]


def _line(drawing: Drawing, element: Any, matrix: np.ndarray, layer: str, at: At, passed: Counter[str]) -> None:
    x1, y1, x2, y2 = (_attribute(element, name, at) for name in ("x1", "y1", "x2", "y2"))
    drawing.paths.append(Path(_moved(matrix, [(x1, y1), (x2, y2)]), layer))


def _polyline(drawing: Drawing, element: Any, matrix: np.ndarray, layer: str, at: At, passed: Counter[str]) -> None:
    words = element.get("points", "").replace(",", " ").split()
    values = numbers(" ".join(words), len(words) - len(words) % 2, at[f"{tag(element)}.points"])
    if len(values) >= 4:
        drawing.paths.append(Path(_moved(matrix, values), layer, tag(element) == "polygon"))


def _path(drawing: Drawing, element: Any, matrix: np.ndarray, layer: str, at: At, passed: Counter[str]) -> None:
    pieces = straight_pieces(element.get("d", ""), at["path.d"])
    if pieces is None:
        passed["path with curves"] += 1
        return
    drawing.paths += [Path(_moved(matrix, points), layer, closed) for points, closed in pieces if len(points) > 1]


def _circle(drawing: Drawing, element: Any, matrix: np.ndarray, layer: str, at: At, passed: Counter[str]) -> None:
    across = [_attribute(element, name, at) for name in (("r", "r") if tag(element) == "circle" else ("rx", "ry"))]
    sides = np.linalg.norm(matrix[:2, :2] * across, axis=0)
    if abs(sides[0] - sides[1]) > 1e-3 * sides.max():
        passed["ellipse"] += 1
        return
    centre = _moved(matrix, [_attribute(element, name, at) for name in ("cx", "cy")])[0]
    drawing.circles.append(Circle(centre, float(sides.mean()), layer))


READERS = {
    "line": _line, "polyline": _polyline, "polygon": _polyline, "path": _path, "circle": _circle, "ellipse": _circle,
}  # fmt: skip


def svg_text(drawing: Drawing, unit: str = "mm") -> str:
    """A drawing as SVG in its true size, a named group for each layer. unit: of its coordinates."""
    scale = 1.0 / metres(unit)
    points = drawing.points() * (scale, -scale)
    low, high = points.min(axis=0), points.max(axis=0)
    edge = EDGE * float((high - low).max()) or 1.0
    (x, y), (width, height) = low - edge, high - low + 2 * edge
    thin = 0.0015 * max(width, height)
    known = unit if unit in ("mm", "cm", "in", "px", "pt") else ""
    size = f'width="{_said(width)}{known}" height="{_said(height)}{known}"' if known else ""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'{size} viewBox="{_said(x)} {_said(y)} {_said(width)} {_said(height)}" style="background:#ffffff">',
        f"<title>{escape(drawing.title)}</title>",
    ]
    turns = layer_turns(drawing.layers())
    for k, layer in enumerate(drawing.layers()):
        colour = INK if layer in NEUTRAL else PALETTE[turns[layer] % len(PALETTE)]
        lines.append(
            f'<g inkscape:groupmode="layer" inkscape:label={quoteattr(layer)} id="layer{k + 1}" fill="none" '
            f'stroke="{colour}" stroke-width="{_said(thin)}" stroke-linejoin="round">'
        )
        lines += _layer(drawing, layer, scale, colour, thin)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _layer(drawing: Drawing, layer: str, scale: float, colour: str, thin: float) -> list[str]:
    found = []
    for path in (p for p in drawing.paths if p.layer == layer):
        points = " ".join(f"{_said(x)},{_said(y)}" for x, y in np.asarray(path.points, dtype=float) * (scale, -scale))
        dashes = f' stroke-dasharray="{_said(6 * thin)} {_said(4 * thin)}"' if path.dashed else ""
        found.append(f'<poly{"gon" if path.closed else "line"} points="{points}"{dashes}/>')
    for circle in (c for c in drawing.circles if c.layer == layer):
        x, y = np.asarray(circle.centre, dtype=float) * (scale, -scale)
        found.append(f'<circle cx="{_said(x)}" cy="{_said(y)}" r="{_said(circle.radius * scale)}"/>')
    for mark in (m for m in drawing.marks if m.layer == layer):
        x, y = np.asarray(mark.at, dtype=float) * (scale, -scale)
        found.append(f'<circle cx="{_said(x)}" cy="{_said(y)}" r="{_said(2 * thin)}" fill="{colour}"/>')
    found += [
        _text(label.text, np.asarray(label.at, dtype=float) * (scale, -scale), label.height * scale, colour, label.centred)
        for label in drawing.labels if label.layer == layer
    ]  # fmt: skip
    for one in (d for d in drawing.dimensions if d.layer == layer):
        found += _dimension(one, scale, colour, thin)
    return found


def _dimension(one: Any, scale: float, colour: str, thin: float) -> list[str]:
    """Dimension line with arrows, extension lines, and the distance above it, readable from below or from the right."""
    a, b, *ends = (np.asarray(p, dtype=float) * (scale, -scale) for p in (one.a, one.b, *one.line()))
    along = (ends[1] - ends[0]) / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-300)
    height, across = one.height * scale, np.array([along[1], -along[0]])
    pieces = [(a, ends[0]), (b, ends[1]), (ends[0], ends[1])]
    for tip, way in ((ends[0], along), (ends[1], -along)):
        pieces += [(tip, tip + 0.8 * height * way + side * 0.25 * height * across) for side in (1.0, -1.0)]
    found = [
        f'<path d="M{_said(p[0])} {_said(p[1])} L{_said(q[0])} {_said(q[1])}" stroke-width="{_said(0.7 * thin)}"/>'
        for p, q in pieces
    ]
    angle = math.degrees(math.atan2(along[1], along[0]))
    angle = angle - 180.0 if angle > 90.0 + 1e-9 else angle + 180.0 if angle <= -90.0 - 1e-9 else angle
    above = np.array([math.sin(math.radians(angle)), -math.cos(math.radians(angle))])
    middle = (ends[0] + ends[1]) / 2 + 0.3 * height * above
    return [*found, _text(f"{one.length * scale:.2f}", middle, height, colour, True, angle)]


def _text(text: str, at: Any, height: float, colour: str, centred: bool, angle: float = 0.0) -> str:
    turned = f' transform="rotate({_said(angle)} {_said(at[0])} {_said(at[1])})"' if angle else ""
    anchor = ' text-anchor="middle"' if centred else ""
    return (
        f'<text x="{_said(at[0])}" y="{_said(at[1])}" font-family="sans-serif" font-size="{_said(1.35 * height)}" '
        f'fill="{colour}" stroke="none"{anchor}{turned}>{escape(text)}</text>'
    )


def _said(value: float) -> str:
    return f"{float(value):.10g}"
