"""A planar mechanism as solids in space, for viewers that know nothing of planes: bars and plates as thick as they are thin."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.geometry.quaternions import along
from gaitwright.report.spatial_scene import JointMark, MovingBody, Solid, SpaceScene
from gaitwright.report.views.planar_picture import Disc, body_discs, scene, shown_frames
from gaitwright.result.outputs import Motion
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.planar_body import PlanarBody

BAR = 0.012
"""Half the thickness of bars and plates, in sizes of the mechanism."""


def planar_space_scene(mechanism: Mechanism, motion: Motion, *, trace: Any = None, max_frames: int = 600) -> SpaceScene:
    """The plane is x and y, with y up; z comes out of it."""
    frames = shown_frames(mechanism, motion, False, max_frames, None)
    flat = scene(mechanism, frames, trace=trace, max_frames=frames.t.size)
    half = BAR * mechanism.size
    bodies, discs = [], body_discs(mechanism)
    for name, part in mechanism.parts.items():
        if isinstance(part, PlanarBody):
            x, y, angle = frames.q[:, part.index].T
            zero = np.zeros_like(x)
            turn = np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)
            solids = _solids(part, mechanism, half, discs.get(name, []))
            bodies.append(MovingBody(name, np.stack([x, y, zero], axis=1), turn, solids))
    joints = [
        JointMark(name, "pin", _lifted(path), np.tile([0.0, 0.0, 1.0], (len(path), 1)))
        for name, path in flat.joints.items()
    ]
    traces = {name: _lifted(path) for name, path in flat.traces.items()}
    springs = {s.name: _lifted(s.outline) for s in flat.shapes if s.kind == "spring"}
    return SpaceScene(
        mechanism.name, flat.time, bodies, joints=joints, traces=traces, springs=springs, up=(0.0, 1.0, 0.0), held=True
    )


def _lifted(points: np.ndarray) -> np.ndarray:
    return np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)


def _solids(part: PlanarBody, mechanism: Mechanism, half: float, discs: list[Disc]) -> list[Solid]:
    round_ones = [Solid(part.name, "cylinder", (radius, 2 * half), (*centre, 0.0)) for centre, radius in discs]
    points, closed = part.hull(0.1 * mechanism.size)
    if discs and not part.points:
        return round_ones
    if closed:
        return [_plate(part.name, points, half), *round_ones]
    (x0, y0), (x1, y1) = points[0], points[-1]
    way, middle = np.array([x1 - x0, y1 - y0, 0.0]), ((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
    length = float(np.linalg.norm(way))
    bar = (
        Solid(part.name, "capsule", (half, length), middle, along(way))
        if length
        else Solid(part.name, "sphere", (half,))
    )
    return [bar, *round_ones]


def _plate(name: str, points: np.ndarray, half: float) -> Solid:
    """A prism over a polygon, which is star-shaped about its middle."""
    n = len(points)
    x, y = points.T
    if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0.0:
        points = points[::-1]
    rim = np.concatenate([np.column_stack([points, np.full(n, z)]) for z in (-half, half)])
    middle = np.column_stack([np.tile(points.mean(axis=0), (2, 1)), (-half, half)])
    k = np.arange(n)
    j = (k + 1) % n
    sides = np.concatenate([np.column_stack([k, j, j + n]), np.column_stack([k, j + n, k + n])])
    lids = np.concatenate(
        [np.column_stack([j, k, np.full(n, 2 * n)]), np.column_stack([k + n, j + n, np.full(n, 2 * n + 1)])]
    )
    return Solid(name, "mesh", vertices=np.concatenate([rim, middle]), faces=np.concatenate([sides, lids]))
