"""What a mechanism looks like: links as bars, bodies as the hull of their points, springs, pins, curves of points."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.analyse.outputs import Motion, point_motion
from gaitwright.errors import ModelError
from gaitwright.report.scene import Scene, Shape
from gaitwright.system.mechanism import BodyNames, Mechanism
from gaitwright.system.tables import Element


def _outline(body: BodyNames, largest: float) -> tuple[np.ndarray, bool]:
    """Local outline of a body, in drawing order, and whether it is closed.

    A body without points is drawn as the square block of its inertia, at most `largest` (m) from side to centre."""
    points = np.array(list(body.points.values()), dtype=float).reshape(-1, 2)
    if not points.any():
        half = min((1.5 * body.inertia / body.mass) ** 0.5, largest)
        return half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]), True
    if len(points) <= 1:
        points = np.vstack([np.zeros((1, 2)), points])
    if len(points) <= 2:
        return points, False
    centre = points.mean(axis=0)
    order = np.argsort(np.arctan2(*(points - centre).T[::-1]))
    spread = np.linalg.matrix_rank(points - centre, tol=1e-9 * np.abs(points).max(initial=1e-300))
    if spread < 2:
        along = points @ (points[-1] - points[0])
        return points[[int(np.argmin(along)), int(np.argmax(along))]], False
    return points[order], True


def _moving(motion: Motion, body: BodyNames | None, points: Any) -> np.ndarray:
    """World positions (n_times, n_points, 2)."""
    return np.stack([point_motion(motion, body, (float(p[0]), float(p[1])))[0] for p in points], axis=1)


def scene(mechanism: Mechanism, motion: Motion, *, trace: list[str] | None = None, max_frames: int = 600) -> Scene:
    """The scene of a motion, thinned to at most `max_frames` frames. trace: points such as F or leg.F."""
    keep = np.unique(np.linspace(0, motion.t.size - 1, min(max_frames, motion.t.size)).round().astype(int))
    frames = Motion(*(x[keep] for x in motion))
    shapes = []
    for name, body in mechanism.body_names.items():
        outline, closed = _outline(body, 0.2 * mechanism.size)
        kind = "link" if body.kind == "link" and not closed else "body"
        shapes.append(Shape(name, kind, _moving(frames, body, outline), closed))
    joints, ground_joints = {}, set()
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if names.declaration.drawn_as in ("pin", "guide"):
            a, b = _ends(mechanism, frames, names.bodies, element)
            label = names.name.partition(":")[0]  # several pins at one point are drawn as one
            joints[label] = b if names.bodies[1] != "ground" else a
            if "ground" in names.bodies and names.declaration.drawn_as == "pin":  # a guide is not a fixed support
                ground_joints.add(label)
    for names in mechanism.force_names:
        if names.declaration.drawn_as == "spring":
            ends = _ends(mechanism, frames, names.bodies, names.element)
            shapes.append(Shape(names.name, "spring", np.stack(ends, axis=1), False))
    traces = {name: _trace(mechanism, frames, name) for name in trace or []}
    return Scene(mechanism.name, frames.t, shapes, joints, ground_joints, traces)


def _ends(mechanism: Mechanism, motion: Motion, bodies: Any, element: Element) -> list[np.ndarray]:
    """Positions (n_times, 2) of the two points that an element attaches to first."""
    points = (element.parameters[0:2], element.parameters[2:4])
    owners = [mechanism.body_names.get(name) for name in bodies[:2]]
    return [_moving(motion, owner, [local])[:, 0] for owner, local in zip(owners, points, strict=True)]


def _trace(mechanism: Mechanism, motion: Motion, name: str) -> np.ndarray:
    owner, _, point = name.rpartition(".")
    for body in mechanism.body_names.values():
        if (owner in ("", body.name)) and point in body.points:
            return point_motion(motion, body, body.points[point])[0]
    raise ModelError(f"there is no point '{name}' to trace")
