"""A planar mechanism as spatial solids, for viewers without planar scenes: bars and plates with a thickness equal to the bar
width."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.geometry.rotation import quaternion_from_direction
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.planar_body import PlanarBodyPart
from gaitwright.report.scenes.spatial_scene import JointMark, MovingBody, SceneSolid, SpatialScene
from gaitwright.report.views.scenes.planar_mechanism import BodyDisc, body_discs, build_planar_scene, select_frames
from gaitwright.result.outputs import StateHistory

BAR_HALF_THICKNESS_RATIO = 0.012
"""Half the thickness of bars and plates, relative to the size of the mechanism."""


def build_extruded_scene(
    mechanism: Mechanism, motion: StateHistory, *, trace: Any = None, max_frames: int = 600
) -> SpatialScene:
    """Create the scene. The plane is x-y, with y up; z points out of it."""
    frames = select_frames(mechanism, motion, False, max_frames, None)
    flat = build_planar_scene(mechanism, frames, trace=trace, max_frames=frames.t.size)
    half = BAR_HALF_THICKNESS_RATIO * mechanism.size
    bodies, discs = [], body_discs(mechanism)
    for name, part in mechanism.parts.items():
        if isinstance(part, PlanarBodyPart):
            x, y, angle = frames.q[:, part.index].T
            zero = np.zeros_like(x)
            turn = np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)
            solids = _part_solids(part, mechanism, half, discs.get(name, []))
            bodies.append(MovingBody(name, np.stack([x, y, zero], axis=1), turn, solids))
    joints = [
        JointMark(name, "pin", _lift_points(path), np.tile([0.0, 0.0, 1.0], (len(path), 1)))
        for name, path in flat.joints.items()
    ]
    traces = {name: _lift_points(path) for name, path in flat.traces.items()}
    springs = {s.name: _lift_points(s.outline) for s in flat.shapes if s.kind == "spring"}
    return SpatialScene(
        mechanism.name, flat.time, bodies, joints=joints, traces=traces, springs=springs, up=(0.0, 1.0, 0.0), held=True
    )


def _lift_points(points: np.ndarray) -> np.ndarray:
    return np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)


def _part_solids(part: PlanarBodyPart, mechanism: Mechanism, half: float, discs: list[BodyDisc]) -> list[SceneSolid]:
    round_ones = [SceneSolid(part.name, "cylinder", (radius, 2 * half), (*centre, 0.0)) for centre, radius in discs]
    points, closed = part.hull(0.1 * mechanism.size)
    if discs and not part.points:
        return round_ones
    if closed:
        return [_plate_solid(part.name, points, half), *round_ones]
    (x0, y0), (x1, y1) = points[0], points[-1]
    span, middle = np.array([x1 - x0, y1 - y0, 0.0]), ((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
    length = float(np.linalg.norm(span))
    bar = (
        SceneSolid(part.name, "capsule", (half, length), middle, quaternion_from_direction(span))
        if length
        else SceneSolid(part.name, "sphere", (half,))
    )
    return [bar, *round_ones]


def _plate_solid(name: str, points: np.ndarray, half: float) -> SceneSolid:
    """A prism over a polygon that is star-shaped about its centre."""
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
    return SceneSolid(name, "mesh", vertices=np.concatenate([rim, middle]), faces=np.concatenate([sides, lids]))
