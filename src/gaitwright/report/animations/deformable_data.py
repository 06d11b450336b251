"""Data of deforming bodies for pages: few frames, positions with 16 bits, values with 8 bits, compressed, so that a foot
fits into a file.

A position is x = R X + s + u: R, s is the nearest rigid motion in each frame (identity if displacements are relative to a
fixed reference), X the position at rest, and u the displacement. Since u is small, 16 bits are sufficient also far from the
start and with large exaggeration. A page interpolates R, s and u and exaggerates u.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

from gaitwright.report.array_checks import round_times
from gaitwright.report.renderers.software_renderer import round_up_step
from gaitwright.report.scenes.deformable_body import DeformingBody, cut_coordinate, displayed_field_scale, field_scales
from gaitwright.report.scenes.nodal_field import FieldScale
from gaitwright.report.scenes.planar_scene import PlanarScene
from gaitwright.report.scenes.spatial_scene import SpatialScene

MAX_FRAMES, MIN_FRAMES = 100, 12
MAX_STORED_NODE_POSITIONS = 2_400_000
"""Maximum total number of stored node positions; with more, frames are left out."""
MAX_DIFFERENCE_ORDER, TRIAL_SAMPLE_SIZE = 4, 200_000
"""Maximum order of the differences between rows, and approximate number of values on which the orders are compared."""
MAX_EXAGGERATED_SIZE_RATIO, MIN_EXAGGERATION_LIMIT = 0.25, 3.0
"""Maximum exaggeration: displacements reach this fraction of the size of the scene; but it is at least the second number."""


def deforming_data(scene: PlanarScene | SpatialScene, colours: dict[str, str]) -> dict[str, Any]:
    """Data of deforming bodies for a page; empty if there are none. colours: colours of bodies by name."""
    if not scene.deforming:
        return {}
    nodes = {body.name: select_stored_nodes(body) for body in scene.deforming}
    total = sum(len(indices) for indices in nodes.values())
    frames = scene.pick_frames(int(np.clip(MAX_STORED_NODE_POSITIONS // total, MIN_FRAMES, MAX_FRAMES)))
    time, distinct = round_times(scene.time[frames], np.ptp(scene.time))
    frames, scales, groups = frames[distinct], field_scales(scene.deforming), scene.groups()
    displayed, showing = displayed_field_scale(scene.deforming, scene.showing), scene.showing
    bodies = [
        {"name": body.name, "part": groups[body.name], "colour": body.colour or colours[body.name]}
        | _pack_body(body, nodes[body.name], frames, scales)
        for body in scene.deforming
    ]
    moved = [body for body in scene.deforming if body.reference is not None]
    largest = max((float(np.abs(body.offsets(k)).max()) for body in moved for k in frames), default=0.0)
    return {
        "deforming": {
            "time": time.tolist(),
            "bodies": bodies,
            "fields": [_legend_data(scale) for scale in scales.values()],
            "field": displayed.name if displayed else "",
            "edges": showing.edges,
            "gain": showing.exaggeration,
            "mostGain": max(
                showing.exaggeration,
                MIN_EXAGGERATION_LIMIT,
                round_up_step(MAX_EXAGGERATED_SIZE_RATIO * scene.size() / largest),
            )
            if largest
            else 0.0,
            "cut": showing.cut and {"axis": showing.cut.axis, "at": cut_coordinate(scene.deforming, showing.cut)},
        }
    }


def _legend_data(scale: FieldScale) -> dict[str, Any]:
    ticks = [(float(scale.share(np.array(value))), text) for value, text in scale.ticks()]
    return {
        "name": scale.name,
        "caption": scale.caption,
        "stops": scale.colours,
        "ticks": ticks,
        "beyond": scale.beyond,
    }


def select_stored_nodes(body: DeformingBody) -> np.ndarray:
    """Nodes that the page needs; inner nodes only if a cut can show them. The nodes are ordered by position: neighbours move
    alike, so this order is compressed better than that of the mesh."""
    stored = body.surface if body.cells is None else np.union1d(body.surface, body.cells.ravel())
    place = body.rest[stored]
    cell = np.floor(63.99 * (place - place.min(axis=0)) / (np.ptp(place, axis=0).max() or 1.0)).astype(np.int64)
    mixed = np.zeros(len(stored), dtype=np.int64)  # interleaved bits of all coordinates: Morton order
    for bit in range(6):
        for axis in range(body.dimension):
            mixed |= ((cell[:, axis] >> bit) & 1) << (bit * body.dimension + axis)
    return stored[np.argsort(mixed, kind="stable")]


def _pack_body(
    body: DeformingBody, stored: np.ndarray, frames: np.ndarray, scales: dict[str, FieldScale]
) -> dict[str, Any]:
    new = np.zeros(body.points.shape[1], dtype=np.int64)
    new[stored] = np.arange(len(stored))
    turn, shift = (part[frames] for part in body.motion)
    motion = np.concatenate([turn.reshape(len(frames), -1), shift], axis=1)
    offsets = np.stack([body.offsets(k)[stored] for k in frames])
    low, high = offsets.min(axis=(0, 1)), offsets.max(axis=(0, 1))
    step = np.where(high > low, (high - low) / 65535.0, 1.0)
    places = np.round((offsets - low) / step).astype(np.uint16).reshape(len(frames), -1)
    flat = body.dimension == 2
    node, faces = (stored, new[body.faces]) if flat else body.corners
    outline = body.outline if flat else np.zeros((0, 2), dtype=np.int64)
    values = {}
    for field in body.fields:
        share = np.round(255.0 * scales[field.name].share(field.values[np.ix_(frames, stored)])).astype(np.uint8)
        values[field.name] = compress_table(share) | {"onSurface": field.on_surface}
    cells = np.zeros((0, 4), dtype=np.int64) if body.cells is None else new[body.cells]
    return {
        "dimension": body.dimension,
        "count": len(stored),
        "rest": _pack_floats(body.rest[stored]),
        "motion": _pack_floats(motion),
        "offsets": compress_table(places) | {"low": low.tolist(), "step": step.tolist()},
        "corners": compress_table(_as_column(new[node])),
        "faces": compress_table(faces.astype(np.uint32)),
        "edges": compress_table(new[body.edges].astype(np.uint32)),
        "outline": compress_table(new[outline].astype(np.uint32)),
        "cells": compress_table(cells.astype(np.uint32)),
        "sides": compress_table(_as_column(body.cell_sides @ np.array([1, 2, 4, 8]))),
        "values": values,
        "exaggerated": body.reference is not None,
    }


def _as_column(values: np.ndarray) -> np.ndarray:
    return values.astype(np.uint32).reshape(-1, 1)


def compress_table(table: np.ndarray) -> dict[str, Any]:
    """Compress a table of whole numbers (uint8, uint16 or uint32) as text. Repeated differences between rows are small where
    rows change smoothly; their bytes are stored separately, since the high bytes are mostly equal. The order of the
    differences is chosen by compressing some of the columns."""
    sample = table[:, :: max(1, table.size // TRIAL_SAMPLE_SIZE)]
    order = min(range(MAX_DIFFERENCE_ORDER + 1), key=lambda order: len(_compress_differences(sample, order)))
    text = base64.b64encode(_compress_differences(table, order)).decode("ascii")
    rows, columns = table.shape
    return {"bytes": table.dtype.itemsize, "rows": rows, "columns": columns, "order": order, "text": text}


def _compress_differences(table: np.ndarray, order: int) -> bytes:
    for _ in range(order):  # integers wrap around on overflow, and back when the differences are summed
        table = np.concatenate([table[:1], table[1:] - table[:-1]])
    table = np.ascontiguousarray(table.astype(table.dtype.newbyteorder("<")))
    return zlib.compress(np.ascontiguousarray(table.view(np.uint8).reshape(-1, table.dtype.itemsize).T).tobytes(), 6)


def _pack_floats(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")
