"""Bodies that deform as pages carry them: few frames, places to 16 bits, values to 8, compressed: a foot fits into a file.

A place is x = R X + s + u: the rigid motion R, s nearest to the frame (or none, where displacements count from a reference that
stands still), the place at rest X, and the displacement u. That is small: 16 bits of it are fine also far from the start and
much exaggerated. A page interpolates R, s and u and exaggerates u.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

from gaitwright.report.arrays import rounded_times
from gaitwright.report.deforming import DeformingBody, cut_place, scales, shown_scale
from gaitwright.report.fields import FieldScale
from gaitwright.report.painter import nice_step
from gaitwright.report.scene import Scene
from gaitwright.report.spatial_scene import SpaceScene

MOST_FRAMES, FEWEST_FRAMES = 100, 12
MOST_PLACES = 2_400_000
"""Places of nodes that are stored altogether; frames are left out above."""
MOST_DIFFERENCES, TRIED = 4, 200_000
"""Of rows that are packed, and about how many numbers they are tried out on."""
FAR, LEAST_GAIN = 0.25, 3.0
"""Up to where displacements can be exaggerated: this share of the size of the scene, but always this many times."""


def deforming_data(scene: Scene | SpaceScene, colours: dict[str, str]) -> dict[str, Any]:
    """What a page needs to know of deforming bodies; nothing where there are none. colours: of bodies, by their names."""
    if not scene.deforming:
        return {}
    nodes = {body.name: stored_nodes(body) for body in scene.deforming}
    total = sum(len(kept) for kept in nodes.values())
    frames = scene.pick_frames(int(np.clip(MOST_PLACES // total, FEWEST_FRAMES, MOST_FRAMES)))
    time, distinct = rounded_times(scene.time[frames], np.ptp(scene.time))
    frames, known, groups = frames[distinct], scales(scene.deforming), scene.groups()
    shown, showing = shown_scale(scene.deforming, scene.showing), scene.showing
    bodies = [
        {"name": body.name, "part": groups[body.name], "colour": body.colour or colours[body.name]}
        | _packed(body, nodes[body.name], frames, known)
        for body in scene.deforming
    ]
    moved = [body for body in scene.deforming if body.reference is not None]
    far = max((float(np.abs(body.offsets(k)).max()) for body in moved for k in frames), default=0.0)
    return {
        "deforming": {
            "time": time.tolist(),
            "bodies": bodies,
            "fields": [_legend(scale) for scale in known.values()],
            "field": shown.name if shown else "",
            "edges": showing.edges,
            "gain": showing.exaggeration,
            "mostGain": max(showing.exaggeration, LEAST_GAIN, nice_step(FAR * scene.size() / far)) if far else 0.0,
            "cut": showing.cut and {"axis": showing.cut.axis, "at": cut_place(scene.deforming, showing.cut)},
        }
    }


def _legend(scale: FieldScale) -> dict[str, Any]:
    ticks = [(float(scale.share(np.array(value))), text) for value, text in scale.ticks()]
    return {
        "name": scale.name,
        "caption": scale.caption,
        "stops": scale.colours,
        "ticks": ticks,
        "beyond": scale.beyond,
    }


def stored_nodes(body: DeformingBody) -> np.ndarray:
    """Nodes that the page needs: those inside only where a cut can show them. Neighbours in space stand near each other, since
    they move alike, which is packed better than the order that meshes come in."""
    kept = body.surface if body.cells is None else np.union1d(body.surface, body.cells.ravel())
    place = body.rest[kept]
    cell = np.floor(63.99 * (place - place.min(axis=0)) / (np.ptp(place, axis=0).max() or 1.0)).astype(np.int64)
    mixed = np.zeros(len(kept), dtype=np.int64)  # the bits of all coordinates in turn: Morton's order
    for bit in range(6):
        for axis in range(body.dimension):
            mixed |= ((cell[:, axis] >> bit) & 1) << (bit * body.dimension + axis)
    return kept[np.argsort(mixed, kind="stable")]


def _packed(body: DeformingBody, kept: np.ndarray, frames: np.ndarray, known: dict[str, FieldScale]) -> dict[str, Any]:
    new = np.zeros(body.points.shape[1], dtype=np.int64)
    new[kept] = np.arange(len(kept))
    turn, shift = (part[frames] for part in body.motion)
    motion = np.concatenate([turn.reshape(len(frames), -1), shift], axis=1)
    offsets = np.stack([body.offsets(k)[kept] for k in frames])
    low, high = offsets.min(axis=(0, 1)), offsets.max(axis=(0, 1))
    step = np.where(high > low, (high - low) / 65535.0, 1.0)
    places = np.round((offsets - low) / step).astype(np.uint16).reshape(len(frames), -1)
    flat = body.dimension == 2
    node, faces = (kept, new[body.faces]) if flat else body.corners
    outline = body.outline if flat else np.zeros((0, 2), dtype=np.int64)
    values = {}
    for field in body.fields:
        share = np.round(255.0 * known[field.name].share(field.values[np.ix_(frames, kept)])).astype(np.uint8)
        values[field.name] = squeeze(share) | {"onSurface": field.on_surface}
    cells = np.zeros((0, 4), dtype=np.int64) if body.cells is None else new[body.cells]
    return {
        "dimension": body.dimension,
        "count": len(kept),
        "rest": _floats(body.rest[kept]),
        "motion": _floats(motion),
        "offsets": squeeze(places) | {"low": low.tolist(), "step": step.tolist()},
        "corners": squeeze(_rows(new[node])),
        "faces": squeeze(faces.astype(np.uint32)),
        "edges": squeeze(new[body.edges].astype(np.uint32)),
        "outline": squeeze(new[outline].astype(np.uint32)),
        "cells": squeeze(cells.astype(np.uint32)),
        "sides": squeeze(_rows(body.cell_sides @ np.array([1, 2, 4, 8]))),
        "values": values,
        "exaggerated": body.reference is not None,
    }


def _rows(values: np.ndarray) -> np.ndarray:
    return values.astype(np.uint32).reshape(-1, 1)


def squeeze(table: np.ndarray) -> dict[str, Any]:
    """A table of whole numbers (uint8, uint16 or uint32) as compressed text. Differences between rows, the differences of
    those, and so on, are small where rows follow smoothly; their bytes stand apart, since those of high value are mostly
    the same. How often differences are taken is tried out on some of the columns."""
    some = table[:, :: max(1, table.size // TRIED)]
    order = min(range(MOST_DIFFERENCES + 1), key=lambda order: len(_compressed(some, order)))
    text = base64.b64encode(_compressed(table, order)).decode("ascii")
    rows, columns = table.shape
    return {"bytes": table.dtype.itemsize, "rows": rows, "columns": columns, "order": order, "text": text}


def _compressed(table: np.ndarray, order: int) -> bytes:
    for _ in range(order):  # whole numbers of a machine wrap around, and back again where they are summed
        table = np.concatenate([table[:1], table[1:] - table[:-1]])
    table = np.ascontiguousarray(table.astype(table.dtype.newbyteorder("<")))
    return zlib.compress(np.ascontiguousarray(table.view(np.uint8).reshape(-1, table.dtype.itemsize).T).tobytes(), 6)


def _floats(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")
