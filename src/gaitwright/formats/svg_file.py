"""Drawings in SVG, the vector graphics format of browsers and Inkscape: reader and writer of lines, circles and points by
layer.

Elements read: line, polyline, polygon, path of straight segments, circle and ellipses that are circles, with the transforms of
their groups; y points down in SVG and up in drawings. A layer is the nearest group with a name (inkscape:label, or id)."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import parse_xml
from gaitwright.formats.drawing import (
    DrawingCircle,
    DrawingPath,
    TechnicalDrawing,
    layer_colour_indices,
    metres_per_unit,
)
from gaitwright.formats.xml_text import parse_numbers, tag_name

PATH_TOKEN_PATTERN = re.compile(r"([MmLlHhVvZzCcSsQqTtAa])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([^\s,])")
COMMAND_NUMBER_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "Z": 0}
"""Number of arguments of each command for straight segments."""
Subpath = tuple[list[tuple[float, float]], bool]


def parse_straight_subpaths(text: str, at: ErrorContext) -> list[Subpath] | None:
    """Points of every subpath, and whether it is closed; None if the path has a curve."""
    subpaths: list[Subpath] = []
    points: list[tuple[float, float]] = []
    current, start, command = (0.0, 0.0), (0.0, 0.0), ""
    waiting: list[str] = []
    for letter, number, wrong in PATH_TOKEN_PATTERN.findall(text):
        if wrong:
            at.fail(f"has '{wrong}', which is no command of a path", text, "M, L, H, V, Z and numbers")
        if letter:
            if waiting:
                at.fail(f"'{command}' does not take {len(waiting)} numbers", text)
            command = letter
            if command.upper() not in COMMAND_NUMBER_COUNTS:
                return None
            if command in "Zz" and points:
                subpaths.append((points, True))
                points, current = [], start
            continue
        if not command or command in "Zz":
            at.fail("has a number before a command", text, "a path that begins with M")
        waiting.append(number)
        if len(waiting) < COMMAND_NUMBER_COUNTS[command.upper()]:
            continue
        values, waiting = parse_numbers(" ".join(waiting), len(waiting), at), []
        base = current if command.islower() else (0.0, 0.0)
        if command.upper() == "H":
            current = (base[0] + values[0], current[1])
        elif command.upper() == "V":
            current = (current[0], base[1] + values[0])
        else:
            current = (base[0] + values[0], base[1] + values[1])
        if command in "Mm":
            if points:
                subpaths.append((points, False))
            points, start = [current], current
            command = "l" if command == "m" else "L"  # further pairs after a move are lines
        else:
            points = points or [start]
            points.append(current)
    if waiting:
        at.fail(f"'{command}' does not take {len(waiting)} numbers", text)
    return [*subpaths, (points, False)] if points else subpaths


INKSCAPE_LABEL_ATTRIBUTE = "{http://www.inkscape.org/namespaces/inkscape}label"
LENGTH_PATTERN = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(mm|cm|in|px|pt|m|)\s*$")
IGNORED_ELEMENTS = {
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
MAX_GROUP_DEPTH = 60
LAYER_COLOURS = ("#1a1a1a", "#c0392b", "#1f618d", "#1e8449", "#7d3c98", "#b9770e", "#117a65", "#6e2c00")
ANNOTATION_COLOUR, ANNOTATION_LAYERS = "#5d6d7e", ("dimensions", "names")
"""Annotation layers."""
MARGIN_RATIO = 0.04
"""Margin of a written sheet, relative to its larger side."""


def read_svg(text: str, source: str, unit: str | None = None) -> TechnicalDrawing:
    """Read the drawing in an SVG file. unit: unit of its coordinates, instead of that from width and viewBox."""
    root = parse_xml(text, source, doctype=True)
    if tag_name(root) != "svg":
        ErrorContext(source).fail(f"is XML but no SVG: it contains <{tag_name(root)}>", expected="<svg ...>")
    drawing = TechnicalDrawing()
    scale = _read_scale(root, drawing, ErrorContext(source), unit)
    passed: Counter[str] = Counter()
    _read_elements(root, np.diag([scale, -scale, 1.0]), "", drawing, passed, ErrorContext(source), 0)
    if passed:
        left = ", ".join(f"{count} <{name}>" for name, count in passed.items())
        drawing.notes.append(f"elements that are no straight lines or circles are left out: {left}")
    return drawing.checked(source)


def _read_scale(root: Any, drawing: TechnicalDrawing, at: ErrorContext, unit: str | None) -> float:
    """Metres per coordinate unit."""
    if unit is not None:
        return metres_per_unit(unit)
    width, box = LENGTH_PATTERN.match(root.get("width", "")), root.get("viewBox")
    if width is None or not width[2]:
        drawing.notes.append("the drawing does not say its unit, and mm is assumed; --unit says another")
        return metres_per_unit("mm")
    if box is None:
        return metres_per_unit("px")  # without a viewBox, coordinates are pixels
    across = parse_numbers(box, 4, at["viewBox"])[2]
    return float(width[1]) * metres_per_unit(width[2]) / at["viewBox"].above_zero(across, "a width above zero")


def _read_elements(
    part: Any,
    matrix: np.ndarray,
    layer: str,
    drawing: TechnicalDrawing,
    passed: Counter[str],
    at: ErrorContext,
    depth: int,
) -> None:
    if depth > MAX_GROUP_DEPTH:
        at.fail("is nested too deeply", expected=f"at most {MAX_GROUP_DEPTH} groups in each other")
    for element in part:
        name = tag_name(element)
        if not name or name in IGNORED_ELEMENTS or element.get("display") == "none":
            continue
        own = matrix @ _parse_transform(element.get("transform"), at)
        if name in ("g", "svg", "a"):
            _read_elements(
                element,
                own,
                element.get(INKSCAPE_LABEL_ATTRIBUTE) or element.get("id") or layer,
                drawing,
                passed,
                at,
                depth + 1,
            )
        elif name in ELEMENT_READERS:
            ELEMENT_READERS[name](drawing, element, own, layer, at, passed)
        else:
            passed[name] += 1


def _transform_points(matrix: np.ndarray, points: Any) -> np.ndarray:
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    return points @ matrix[:2, :2].T + matrix[:2, 2]


def _parse_transform(text: str | None, at: ErrorContext) -> np.ndarray:
    matrix = np.eye(3)
    for name, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", text or ""):
        if name not in TRANSFORM_MATRICES:
            at["transform"].fail(f"'{name}' is not known", text, f"one of {', '.join(TRANSFORM_MATRICES)}")
        counts, make = TRANSFORM_MATRICES[name]
        matrix = matrix @ make(*parse_numbers(inner, counts, at["transform"]))
    return matrix


def _translation_matrix(x: float, y: float = 0.0) -> np.ndarray:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _rotation_matrix(degrees: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (
        _translation_matrix(x, y) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ _translation_matrix(-x, -y)
    )


TRANSFORM_MATRICES: dict[str, tuple[tuple[int, ...], Any]] = {
    "translate": ((1, 2), _translation_matrix),
    "scale": ((1, 2), lambda x, y=None: np.diag([x, x if y is None else y, 1.0])),
    "rotate": ((1, 3), _rotation_matrix),
    "matrix": ((6,), lambda a, b, c, d, e, f: np.array([[a, c, e], [b, d, f], [0.0, 0.0, 1.0]])),
    "skewX": ((1,), lambda a: np.array([[1.0, math.tan(math.radians(a)), 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])),
    "skewY": ((1,), lambda a: np.array([[1.0, 0.0, 0.0], [math.tan(math.radians(a)), 1.0, 0.0], [0.0, 0.0, 1.0]])),
}


def _read_attribute(element: Any, name: str, at: ErrorContext) -> float:
    text = element.get(name, "0")
    return parse_numbers(text.removesuffix("px"), 1, at[f"{tag_name(element)}.{name}"], "a number")[0]


def _read_line(
    drawing: TechnicalDrawing, element: Any, matrix: np.ndarray, layer: str, at: ErrorContext, passed: Counter[str]
) -> None:
    x1, y1, x2, y2 = (_read_attribute(element, name, at) for name in ("x1", "y1", "x2", "y2"))
    drawing.paths.append(DrawingPath(_transform_points(matrix, [(x1, y1), (x2, y2)]), layer))


def _read_polyline(
    drawing: TechnicalDrawing, element: Any, matrix: np.ndarray, layer: str, at: ErrorContext, passed: Counter[str]
) -> None:
    words = element.get("points", "").replace(",", " ").split()
    values = parse_numbers(" ".join(words), len(words) - len(words) % 2, at[f"{tag_name(element)}.points"])
    if len(values) >= 4:
        drawing.paths.append(DrawingPath(_transform_points(matrix, values), layer, tag_name(element) == "polygon"))


def _read_path(
    drawing: TechnicalDrawing, element: Any, matrix: np.ndarray, layer: str, at: ErrorContext, passed: Counter[str]
) -> None:
    pieces = parse_straight_subpaths(element.get("d", ""), at["path.d"])
    if pieces is None:
        passed["path with curves"] += 1
        return
    drawing.paths += [
        DrawingPath(_transform_points(matrix, points), layer, closed) for points, closed in pieces if len(points) > 1
    ]


def _read_circle(
    drawing: TechnicalDrawing, element: Any, matrix: np.ndarray, layer: str, at: ErrorContext, passed: Counter[str]
) -> None:
    across = [
        _read_attribute(element, name, at) for name in (("r", "r") if tag_name(element) == "circle" else ("rx", "ry"))
    ]
    sides = np.linalg.norm(matrix[:2, :2] * across, axis=0)
    if abs(sides[0] - sides[1]) > 1e-3 * sides.max():
        passed["ellipse"] += 1
        return
    centre = _transform_points(matrix, [_read_attribute(element, name, at) for name in ("cx", "cy")])[0]
    drawing.circles.append(DrawingCircle(centre, float(sides.mean()), layer))


ELEMENT_READERS = {
    "line": _read_line,
    "polyline": _read_polyline,
    "polygon": _read_polyline,
    "path": _read_path,
    "circle": _read_circle,
    "ellipse": _read_circle,
}


def svg_text(drawing: TechnicalDrawing, unit: str = "mm") -> str:
    """Encode a drawing as SVG in true size, with a named group for each layer. unit: of the coordinates in the file."""
    scale = 1.0 / metres_per_unit(unit)
    points = drawing.points() * (scale, -scale)
    low, high = points.min(axis=0), points.max(axis=0)
    edge = MARGIN_RATIO * float((high - low).max()) or 1.0
    (x, y), (width, height) = low - edge, high - low + 2 * edge
    thin = 0.0015 * max(width, height)
    size_unit = unit if unit in ("mm", "cm", "in", "px", "pt") else ""
    size = (
        f'width="{_format_number(width)}{size_unit}" height="{_format_number(height)}{size_unit}"' if size_unit else ""
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'{size} viewBox="{_format_number(x)} {_format_number(y)} {_format_number(width)} {_format_number(height)}" '
        f'style="background:#ffffff">',
        f"<title>{escape(drawing.title)}</title>",
    ]
    turns = layer_colour_indices(drawing.layers())
    for k, layer in enumerate(drawing.layers()):
        colour = ANNOTATION_COLOUR if layer in ANNOTATION_LAYERS else LAYER_COLOURS[turns[layer] % len(LAYER_COLOURS)]
        lines.append(
            f'<g inkscape:groupmode="layer" inkscape:label={quoteattr(layer)} id="layer{k + 1}" fill="none" '
            f'stroke="{colour}" stroke-width="{_format_number(thin)}" stroke-linejoin="round">'
        )
        lines += _layer_svg(drawing, layer, scale, colour, thin)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _layer_svg(drawing: TechnicalDrawing, layer: str, scale: float, colour: str, thin: float) -> list[str]:
    elements = []
    for path in (p for p in drawing.paths if p.layer == layer):
        points = " ".join(
            f"{_format_number(x)},{_format_number(y)}"
            for x, y in np.asarray(path.points, dtype=float) * (scale, -scale)
        )
        dashes = f' stroke-dasharray="{_format_number(6 * thin)} {_format_number(4 * thin)}"' if path.dashed else ""
        elements.append(f'<poly{"gon" if path.closed else "line"} points="{points}"{dashes}/>')
    for circle in (c for c in drawing.circles if c.layer == layer):
        x, y = np.asarray(circle.centre, dtype=float) * (scale, -scale)
        elements.append(
            f'<circle cx="{_format_number(x)}" cy="{_format_number(y)}" r="{_format_number(circle.radius * scale)}"/>'
        )
    for mark in (m for m in drawing.marks if m.layer == layer):
        x, y = np.asarray(mark.at, dtype=float) * (scale, -scale)
        elements.append(
            f'<circle cx="{_format_number(x)}" cy="{_format_number(y)}" r="{_format_number(2 * thin)}" fill="{colour}"/>'
        )
    elements += [
        _text_svg(label.text, np.asarray(label.at, dtype=float) * (scale, -scale), label.height * scale, colour, label.centred)
        for label in drawing.labels if label.layer == layer
    ]  # fmt: skip
    for dimension in (d for d in drawing.dimensions if d.layer == layer):
        elements += _dimension_svg(dimension, scale, colour, thin)
    return elements


def _dimension_svg(dimension: Any, scale: float, colour: str, thin: float) -> list[str]:
    """Dimension line with arrows, extension lines, and the distance above it, readable from below or from the right."""
    a, b, *ends = (np.asarray(p, dtype=float) * (scale, -scale) for p in (dimension.a, dimension.b, *dimension.line()))
    along = (ends[1] - ends[0]) / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-300)
    height, across = dimension.height * scale, np.array([along[1], -along[0]])
    pieces = [(a, ends[0]), (b, ends[1]), (ends[0], ends[1])]
    for tip, direction in ((ends[0], along), (ends[1], -along)):
        pieces += [(tip, tip + 0.8 * height * direction + side * 0.25 * height * across) for side in (1.0, -1.0)]
    lines = [
        (
            f'<path d="M{_format_number(p[0])} {_format_number(p[1])} L{_format_number(q[0])} {_format_number(q[1])}" '
            f'stroke-width="{_format_number(0.7 * thin)}"/>'
        )
        for p, q in pieces
    ]
    angle = math.degrees(math.atan2(along[1], along[0]))
    angle = angle - 180.0 if angle > 90.0 + 1e-9 else angle + 180.0 if angle <= -90.0 - 1e-9 else angle
    above = np.array([math.sin(math.radians(angle)), -math.cos(math.radians(angle))])
    middle = (ends[0] + ends[1]) / 2 + 0.3 * height * above
    return [*lines, _text_svg(f"{dimension.length * scale:.2f}", middle, height, colour, True, angle)]


def _text_svg(text: str, at: Any, height: float, colour: str, centred: bool, angle: float = 0.0) -> str:
    turned = (
        f' transform="rotate({_format_number(angle)} {_format_number(at[0])} {_format_number(at[1])})"' if angle else ""
    )
    anchor = ' text-anchor="middle"' if centred else ""
    return (
        f'<text x="{_format_number(at[0])}" y="{_format_number(at[1])}" font-family="sans-serif" '
        f'font-size="{_format_number(1.35 * height)}" '
        f'fill="{colour}" stroke="none"{anchor}{turned}>{escape(text)}</text>'
    )


def _format_number(value: float) -> str:
    return f"{float(value):.10g}"
