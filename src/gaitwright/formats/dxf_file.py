"""Drawings in DXF, the exchange format of CAD programs, read and written by the package ezdxf.

Lines, polylines, circles, points and their block references are read, in the x-y plane, by layer. Other entities are skipped
and named in a note. The same are written, plus texts, and dimensions as DXF dimension entities."""

from __future__ import annotations

import importlib
import io
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.isolation import UnreadableFile, failure_cause, run_isolated
from gaitwright.formats.drawing import (
    DrawingCircle,
    DrawingPath,
    DrawingPoint,
    TechnicalDrawing,
    layer_colour_indices,
    metres_per_unit,
)

INSTALL_COMMAND = "pip install 'gaitwright[cad]'"
UNIT_BY_INSUNITS_CODE = {1: "in", 2: "ft", 4: "mm", 5: "cm", 6: "m", 13: "um"}
"""$INSUNITS codes of the header, for units in which parts are drawn."""
INSUNITS_CODE_BY_UNIT = {unit: code for code, unit in UNIT_BY_INSUNITS_CODE.items()}
IGNORED_ENTITIES = {
    "TEXT",
    "MTEXT",
    "DIMENSION",
    "ARC_DIMENSION",
    "LEADER",
    "MULTILEADER",
    "HATCH",
    "VIEWPORT",
    "ATTDEF",
    "ATTRIB",
}
"""Annotation entities, skipped without a note."""
MAX_BLOCK_DEPTH = 8
"""Maximum nesting depth of blocks."""
MAX_ENTITIES = 100_000
"""Maximum number of entities read."""
LAYER_COLOURS = (7, 1, 5, 3, 6, 30, 4, 140, 200, 94)
"""Colours of the layers in turn, indices of AutoCAD's palette."""


def _import_ezdxf(source: str) -> Any:
    try:
        module = importlib.import_module("ezdxf")
        logging.getLogger("ezdxf").setLevel(logging.CRITICAL)  # errors of a file are reported once, by the reader below
        return module
    except ImportError:
        ErrorContext(source).fail(
            "DXF is read and written by the package ezdxf, which is not installed", expected=INSTALL_COMMAND
        )


def read_dxf(content: bytes, source: str, unit: str | None = None) -> TechnicalDrawing:
    """Read the drawing in a DXF file. unit: unit of its coordinates, if its header has none or a wrong one."""
    _import_ezdxf(source)
    return run_isolated(_parse_content, content, source, unit, source=source, size=len(content))


def _parse_content(content: bytes, source: str, unit: str | None) -> TechnicalDrawing:
    """Called in the helper process."""
    ezdxf = _import_ezdxf(source)
    text = content.lstrip()[:22]
    binary = text.startswith(b"AutoCAD Binary DXF")
    if text[:2] == b"AC" and not binary:
        ErrorContext(source).fail("is a DWG drawing", expected="DXF, as CAD programs save it under 'save as'")
    try:
        if binary:
            recover = importlib.import_module("ezdxf.recover")
            document, _ = recover.read(io.BytesIO(content))
        else:
            document = ezdxf.read(io.StringIO(content.decode("utf-8", "replace")))
        entities = list(_explode_blocks(document.modelspace(), 0))
    except MemoryError:
        raise
    except Exception as error:  # ezdxf passes on any exception of its parsers
        complete = "; is it complete?" if not content.rstrip().endswith(b"EOF") and not binary else ""
        ErrorContext(source).fail(f"is not valid DXF: {failure_cause(error)}{complete}")
    drawing = TechnicalDrawing()
    scale = _read_scale(document, drawing, unit)
    passed: Counter[str] = Counter()
    for entity in entities:
        reader = ENTITY_READERS.get(entity.dxftype())
        if reader is None:
            passed[entity.dxftype()] += entity.dxftype() not in IGNORED_ENTITIES
        else:
            reader(drawing, entity, scale)
    if omitted := [f"{count} {kind}" for kind, count in passed.items() if count]:
        drawing.notes.append(
            f"entities that are no straight lines, circles or points are left out: {', '.join(omitted)}"
        )
    return drawing.checked(source)


def _read_scale(document: Any, drawing: TechnicalDrawing, unit: str | None) -> float:
    if unit is not None:
        return metres_per_unit(unit)
    code = int(document.header.get("$INSUNITS", 0))
    if code not in UNIT_BY_INSUNITS_CODE:
        drawing.notes.append("the drawing does not say its unit, and mm is assumed; --unit says another")
    return metres_per_unit(UNIT_BY_INSUNITS_CODE.get(code, "mm"))


def _explode_blocks(entities: Iterable[Any], depth: int) -> Iterator[Any]:
    """Entities, with block references replaced by the entities of the block."""
    for k, entity in enumerate(entities):
        if k > MAX_ENTITIES:
            raise UnreadableFile(f"more than {MAX_ENTITIES} entities")
        if entity.dxftype() == "INSERT" and depth < MAX_BLOCK_DEPTH:
            yield from _explode_blocks(entity.virtual_entities(), depth + 1)
        else:
            yield entity


def _plane_point(point: Any, scale: float) -> list[float]:
    return [float(point[0]) * scale, float(point[1]) * scale]


def _read_line(drawing: TechnicalDrawing, entity: Any, scale: float) -> None:
    ends = [_plane_point(entity.dxf.start, scale), _plane_point(entity.dxf.end, scale)]
    drawing.paths.append(DrawingPath(ends, entity.dxf.layer))


def _read_polyline(drawing: TechnicalDrawing, entity: Any, scale: float) -> None:
    if entity.dxftype() == "LWPOLYLINE":
        points, bulges = [p[:2] for p in entity.get_points("xyb")], [p[2] for p in entity.get_points("xyb")]
        closed = bool(entity.closed)
    else:
        points, bulges = [v.dxf.location for v in entity.vertices], [v.dxf.bulge for v in entity.vertices]
        closed = bool(entity.is_closed)
    if any(bulges):
        drawing.notes.append(f"arcs of a polyline on layer '{entity.dxf.layer}' are taken as straight lines")
    if len(points) > 1:
        drawing.paths.append(DrawingPath([_plane_point(p, scale) for p in points], entity.dxf.layer, closed))


def _read_circle(drawing: TechnicalDrawing, entity: Any, scale: float) -> None:
    radius = float(entity.dxf.radius) * scale
    drawing.circles.append(DrawingCircle(_plane_point(entity.dxf.center, scale), radius, entity.dxf.layer))


def _read_point(drawing: TechnicalDrawing, entity: Any, scale: float) -> None:
    drawing.marks.append(DrawingPoint(_plane_point(entity.dxf.location, scale), entity.dxf.layer))


ENTITY_READERS = {
    "LINE": _read_line,
    "LWPOLYLINE": _read_polyline,
    "POLYLINE": _read_polyline,
    "CIRCLE": _read_circle,
    "POINT": _read_point,
}


def dxf_bytes(drawing: TechnicalDrawing, unit: str = "mm") -> bytes:
    """Encode a drawing as DXF R2010, with its layers. unit: of the coordinates in the file."""
    ezdxf = _import_ezdxf("the drawing")
    if unit not in INSUNITS_CODE_BY_UNIT:
        ErrorContext(field="unit").fail("has no code in DXF", unit, f"one of {', '.join(INSUNITS_CODE_BY_UNIT)}")
    document = ezdxf.new("R2010", setup=["linetypes", "dimstyles"])
    document.header["$INSUNITS"] = INSUNITS_CODE_BY_UNIT[unit]
    document.header["$MEASUREMENT"] = int(unit not in ("in", "ft"))
    space, layers, scale = document.modelspace(), dxf_layer_names(drawing.layers()), 1.0 / metres_per_unit(unit)

    def at(points: Any) -> Any:
        return (np.asarray(points, dtype=float) * scale).tolist()

    turns = layer_colour_indices(list(layers))
    for layer, name in layers.items():
        document.layers.add(name, color=LAYER_COLOURS[turns[layer] % len(LAYER_COLOURS)])
    for path in drawing.paths:
        attributes = {"layer": layers[path.layer], **({"linetype": "DASHED"} if path.dashed else {})}
        if len(path.points) == 2 and not path.closed:
            space.add_line(*at(path.points), dxfattribs=attributes)
        else:
            space.add_lwpolyline(at(path.points), close=path.closed, dxfattribs=attributes)
    for circle in drawing.circles:
        space.add_circle(at(circle.centre), circle.radius * scale, dxfattribs={"layer": layers[circle.layer]})
    for mark in drawing.marks:
        space.add_point(at(mark.at), dxfattribs={"layer": layers[mark.layer]})
    align = importlib.import_module("ezdxf.enums").TextEntityAlignment
    for label in drawing.labels:
        text = space.add_text(label.text, height=label.height * scale, dxfattribs={"layer": layers[label.layer]})
        text.set_placement(at(label.at), align=align.BOTTOM_CENTER if label.centred else align.LEFT)
    for dimension in drawing.dimensions:
        height = dimension.height * scale
        look = {"dimtxt": height, "dimasz": 0.8 * height, "dimexe": 0.4 * height, "dimexo": 0.4 * height}
        look |= {"dimgap": 0.3 * height, "dimdec": 2, "dimlfac": 1.0, "dimscale": 1.0, "dimtad": 1, "dimzin": 0}
        space.add_aligned_dim(
            at(dimension.a), at(dimension.b), distance=dimension.off * scale, dimstyle="EZDXF", override=look,
            dxfattribs={"layer": layers[dimension.layer]},
        ).render()  # fmt: skip
    memory = io.StringIO()
    document.write(memory)
    return memory.getvalue().encode("utf-8")


def dxf_layer_names(layers: list[str]) -> dict[str, str]:
    """Unique layer names that are valid in DXF."""
    names: dict[str, str] = {}
    for layer in layers:
        name = re.sub(r"[<>/\\\":;?*|=`\x00-\x1f]", "_", layer).strip()[:200] or "layer"
        while name.lower() in {other.lower() for other in names.values()}:
            name += "_"
        names[layer] = name
    return names
