"""Drawings in DXF, the exchange format of CAD programs, read and written by the package ezdxf.

Read are lines, polylines, circles, points and what blocks repeat of them, in the plane of x and y, by layer. Other entities are
passed over and named. Written are the same, texts, and dimensions that CAD programs know as such."""

from __future__ import annotations

import importlib
import io
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.drawing import Circle, Drawing, Mark, Path, layer_turns, metres
from gaitwright.isolation import Unreadable, cause_of, isolated

INSTALL = "pip install 'gaitwright[cad]'"
INSUNITS = {1: "in", 2: "ft", 4: "mm", 5: "cm", 6: "m", 13: "um"}
"""$INSUNITS of the header, as far as it is a unit that parts are drawn in."""
CODES = {unit: code for code, unit in INSUNITS.items()}
SILENT = {
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
"""Entities that are about a drawing, not in it."""
DEEPEST = 8
"""Blocks inside of blocks."""
MOST = 100_000
"""Entities that are read."""
COLOURS = (7, 1, 5, 3, 6, 30, 4, 140, 200, 94)
"""Of layers in turn, numbers of AutoCAD's palette."""


def _ezdxf(source: str) -> Any:
    try:
        found = importlib.import_module("ezdxf")
        logging.getLogger("ezdxf").setLevel(logging.CRITICAL)  # what is wrong with a file is said once, here
        return found
    except ImportError:
        At(source).fail("DXF is read and written by the package ezdxf, which is not there", expected=INSTALL)


def read_dxf(content: bytes, source: str, unit: str | None = None) -> Drawing:
    """The drawing in a DXF file. unit: of its coordinates, if its header does not say it or is wrong."""
    _ezdxf(source)
    return isolated(_parsed, content, source, unit, source=source, size=len(content))


def _parsed(content: bytes, source: str, unit: str | None) -> Drawing:
    """Called in the helper process."""
    ezdxf = _ezdxf(source)
    text = content.lstrip()[:22]
    binary = text.startswith(b"AutoCAD Binary DXF")
    if text[:2] == b"AC" and not binary:
        At(source).fail("is a DWG drawing", expected="DXF, as CAD programs save it under 'save as'")
    try:
        if binary:
            recover = importlib.import_module("ezdxf.recover")
            document, _ = recover.read(io.BytesIO(content))
        else:
            document = ezdxf.read(io.StringIO(content.decode("utf-8", "replace")))
        entities = list(_exploded(document.modelspace(), 0))
    except MemoryError:
        raise
    except Exception as error:  # its readers raise whatever their parsers do
        complete = "; is it complete?" if not content.rstrip().endswith(b"EOF") and not binary else ""
        At(source).fail(f"is not valid DXF: {cause_of(error)}{complete}")
    drawing = Drawing()
    scale = _scale(document, drawing, unit)
    passed: Counter[str] = Counter()
    for entity in entities:
        reader = READERS.get(entity.dxftype())
        if reader is None:
            passed[entity.dxftype()] += entity.dxftype() not in SILENT
        else:
            reader(drawing, entity, scale)
    if left := [f"{count} {kind}" for kind, count in passed.items() if count]:
        drawing.notes.append(f"entities that are no straight lines, circles or points are left out: {', '.join(left)}")
    return drawing.checked(source)


def _scale(document: Any, drawing: Drawing, unit: str | None) -> float:
    if unit is not None:
        return metres(unit)
    code = int(document.header.get("$INSUNITS", 0))
    if code not in INSUNITS:
        drawing.notes.append("the drawing does not say its unit, and mm is assumed; --unit says another")
    return metres(INSUNITS.get(code, "mm"))


def _exploded(entities: Iterable[Any], depth: int) -> Iterator[Any]:
    """Entities with those of blocks in their place."""
    for k, entity in enumerate(entities):
        if k > MOST:
            raise Unreadable(f"more than {MOST} entities")
        if entity.dxftype() == "INSERT" and depth < DEEPEST:
            yield from _exploded(entity.virtual_entities(), depth + 1)
        else:
            yield entity


def _plane(point: Any, scale: float) -> list[float]:
    return [float(point[0]) * scale, float(point[1]) * scale]


def _line(drawing: Drawing, entity: Any, scale: float) -> None:
    ends = [_plane(entity.dxf.start, scale), _plane(entity.dxf.end, scale)]
    drawing.paths.append(Path(ends, entity.dxf.layer))


def _polyline(drawing: Drawing, entity: Any, scale: float) -> None:
    if entity.dxftype() == "LWPOLYLINE":
        points, bulges = [p[:2] for p in entity.get_points("xyb")], [p[2] for p in entity.get_points("xyb")]
        closed = bool(entity.closed)
    else:
        points, bulges = [v.dxf.location for v in entity.vertices], [v.dxf.bulge for v in entity.vertices]
        closed = bool(entity.is_closed)
    if any(bulges):
        drawing.notes.append(f"arcs of a polyline on layer '{entity.dxf.layer}' are taken as straight lines")
    if len(points) > 1:
        drawing.paths.append(Path([_plane(p, scale) for p in points], entity.dxf.layer, closed))


def _circle(drawing: Drawing, entity: Any, scale: float) -> None:
    radius = float(entity.dxf.radius) * scale
    drawing.circles.append(Circle(_plane(entity.dxf.center, scale), radius, entity.dxf.layer))


def _point(drawing: Drawing, entity: Any, scale: float) -> None:
    drawing.marks.append(Mark(_plane(entity.dxf.location, scale), entity.dxf.layer))


READERS = {"LINE": _line, "LWPOLYLINE": _polyline, "POLYLINE": _polyline, "CIRCLE": _circle, "POINT": _point}


def dxf_bytes(drawing: Drawing, unit: str = "mm") -> bytes:
    """A drawing as DXF R2010, a layer of its own for each layer. unit: of its coordinates."""
    ezdxf = _ezdxf("the drawing")
    if unit not in CODES:
        At(field="unit").fail("has no number in DXF", unit, f"one of {', '.join(CODES)}")
    document = ezdxf.new("R2010", setup=["linetypes", "dimstyles"])
    document.header["$INSUNITS"] = CODES[unit]
    document.header["$MEASUREMENT"] = int(unit not in ("in", "ft"))
    space, layers, scale = document.modelspace(), layer_names(drawing.layers()), 1.0 / metres(unit)

    def at(points: Any) -> Any:
        return (np.asarray(points, dtype=float) * scale).tolist()

    turns = layer_turns(list(layers))
    for layer, name in layers.items():
        document.layers.add(name, color=COLOURS[turns[layer] % len(COLOURS)])
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
    for one in drawing.dimensions:
        height = one.height * scale
        look = {"dimtxt": height, "dimasz": 0.8 * height, "dimexe": 0.4 * height, "dimexo": 0.4 * height}
        look |= {"dimgap": 0.3 * height, "dimdec": 2, "dimlfac": 1.0, "dimscale": 1.0, "dimtad": 1, "dimzin": 0}
        space.add_aligned_dim(
            at(one.a), at(one.b), distance=one.off * scale, dimstyle="EZDXF", override=look,
            dxfattribs={"layer": layers[one.layer]},
        ).render()  # fmt: skip
    memory = io.StringIO()
    document.write(memory)
    return memory.getvalue().encode("utf-8")


def layer_names(layers: list[str]) -> dict[str, str]:
    """Names that DXF takes for layers, each its own."""
    found: dict[str, str] = {}
    for layer in layers:
        name = re.sub(r"[<>/\\\":;?*|=`\x00-\x1f]", "_", layer).strip()[:200] or "layer"
        while name.lower() in {other.lower() for other in found.values()}:
            name += "_"
        found[layer] = name
    return found
