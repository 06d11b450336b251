"""What a mechanism looks like: links as bars, bodies as the hull of their points, springs, pins, curves of points."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.analyse.outputs import Motion, point_motion
from gaitwright.errors import ModelError
from gaitwright.report.scene import Scene, Shape
from gaitwright.system.mechanism import BodyNames, Mechanism


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
        if names.type not in ("revolute", "fixed", "prismatic", "slot") or len(element.parameters) < 4:
            continue
        owner = mechanism.body_names.get(names.bodies[1]) or mechanism.body_names.get(names.bodies[0])
        local = element.parameters[2:4] if names.bodies[1] != "ground" else element.parameters[:2]
        label = names.name.partition(":")[0]  # several pins at one point are drawn as one
        joints[label] = _moving(frames, owner, [local])[:, 0]
        if "ground" in names.bodies and names.type in ("revolute", "fixed"):  # a slider is not a fixed support
            ground_joints.add(label)
    for names in mechanism.force_names:
        if names.type == "spring-damper":
            p = names.element.parameters
            ends = [
                _moving(frames, mechanism.body_names.get(body), [local])
                for body, local in zip(names.bodies, (p[0:2], p[2:4]), strict=True)
            ]
            shapes.append(Shape(names.name, "spring", np.concatenate(ends, axis=1), False))
    traces = {name: _trace(mechanism, frames, name) for name in trace or []}
    return Scene(mechanism.name, frames.t, shapes, joints, ground_joints, traces)


def _trace(mechanism: Mechanism, motion: Motion, name: str) -> np.ndarray:
    owner, _, point = name.rpartition(".")
    for body in mechanism.body_names.values():
        if (owner in ("", body.name)) and point in body.points:
            return point_motion(motion, body, body.points[point])[0]
    raise ModelError(f"there is no point '{name}' to trace")
