"""The page of a spatial animation: what its script draws, packed so that a thousand bodies still fit into one file."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.report.animation import MAX_TRACE_POINTS, chart_signals
from gaitwright.report.arrays import rounded_times
from gaitwright.report.deforming import telling_frame
from gaitwright.report.deforming_page import deforming_data
from gaitwright.report.draw import time_digits
from gaitwright.report.scene import LONGEST
from gaitwright.report.solids import body_colours
from gaitwright.report.spatial_draw import still_figure
from gaitwright.report.spatial_scene import Solid, SpaceScene
from gaitwright.report.template import render, script_data
from gaitwright.saving import save_text

QUATERNION = 32767
"""Components of quaternions are stored as whole numbers of two bytes: the angle is known to 6e-5 rad."""
GHOSTS = 4
"""Faint poses in the still picture that a page shows on paper and where it cannot draw."""


def save_space_html(scene: SpaceScene, path: str | Path, *, fps: float = 60) -> Path:
    """Write the scene as one self-contained page that plays in any browser, without a network, and return its path.

    fps: pictures drawn per second while it plays. Long runs are thinned to 600 stored frames, or more where bodies spin fast,
    between which the page interpolates."""
    if fps <= 0:
        raise ValueError(f"fps is {fps}; expected a positive number of pictures per second")
    data = script_data(space_data(scene, fps))
    deforming, still = bool(scene.deforming), still_data(scene)
    page = render("animation.html", title=scene.name, scene=data, space=True, still=still, deforming=deforming)
    return save_text(path, page)


def still_data(scene: SpaceScene) -> str:
    """The still picture as the address of an image, which needs no file."""
    picture, frame = io.BytesIO(), telling_frame(scene.deforming, scene.showing)
    ghosts = GHOSTS if scene.n_frames > 1 and not scene.deforming else 0
    still_figure(scene, frame, ghosts=ghosts).savefig(picture, format="png", dpi=130)
    return f"data:image/png;base64,{_text(picture.getvalue())}"


def space_data(scene: SpaceScene, fps: float = 60) -> dict[str, Any]:
    """What the page draws. Arrays are base64 of little-endian numbers: float32, int16 for quaternions."""
    frames = scene.pick_frames(scene.frames_wanted())
    time, distinct = rounded_times(scene.time[frames], np.ptp(scene.time))
    frames, size = frames[distinct], scene.size()
    low, high = scene.bounds()
    shapes = _Shapes()
    groups, colours = scene.groups(), body_colours(scene)
    return {
        "kind": "space",
        "title": scene.name,
        "fps": fps,
        "size": size,
        "low": low.tolist(),
        "high": high.tolist(),
        "hull": scene.hull().tolist(),
        "up": scene.up.tolist(),
        "floor": scene.floor_level(),
        "travels": scene.travels(),
        "time": time.tolist(),
        "digits": time_digits(scene.time),
        "centre": pack(_camera_path(scene)[frames]),
        "bodies": [
            {
                "name": body.name,
                "part": groups[body.name],
                "colour": colours[body.name],
                "middle": body.middle().tolist(),
                "reach": body.reach(),
                "position": pack(body.position[frames]),
                "rotation": _text(np.round(QUATERNION * body.rotation[frames]).astype("<i2").tobytes()),
                "solids": [shapes.place(solid, colours[body.name]) for solid in body.solids],
            }
            for body in scene.bodies
        ],
        "ground": [shapes.place(solid, None) for solid in scene.ground],
        "shapes": shapes.data,
        "lines": [
            {"name": n, "count": p.shape[1], "points": pack(p[frames]), "thick": scene.thickness.get(n)}
            for n, p in scene.lines.items()
        ],
        "springs": [{"name": name, "points": pack(points[frames])} for name, points in scene.springs.items()],
        "joints": [
            {"name": joint.name, "kind": joint.kind, "position": pack(joint.position[frames])}
            | {"axis": None if joint.axis is None else pack(joint.axis[frames])}
            for joint in scene.joints
        ],
        "traces": [_trace(scene, name, points) for name, points in scene.traces.items()],
        "forces": [
            {"name": name, "points": pack(points[frames]), "vectors": pack(vectors[frames])}
            for name, (points, vectors) in scene.forces.items()
        ],
        "forceScale": scene.force_scale(),
        "longestForce": LONGEST * size,
        "signals": chart_signals(scene.signals),
        "table": scene.table,
    } | deforming_data(scene, colours)


def pack(values: np.ndarray) -> str:
    return _text(np.ascontiguousarray(values, dtype="<f4").tobytes())


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


class _Shapes:
    """Shapes that solids have, each once."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self.known: dict[Any, int] = {}

    def place(self, solid: Solid, colour: str | None) -> dict[str, Any]:
        """A solid as the page knows it: the number of its shape, and where it is."""
        mesh = {}
        if solid.kind == "mesh":
            mesh = {"vertices": pack(solid.vertices), "faces": _text(solid.faces.astype("<u4").tobytes())}
        key = (solid.kind, solid.size, *mesh.values())
        if key not in self.known:
            self.known[key] = len(self.data)
            self.data.append({"kind": solid.kind, "size": solid.size, **mesh})
        own = solid.painted(colour)
        where = {"at": solid.at.tolist(), "rotation": solid.rotation.tolist()}
        return {"shape": self.known[key], "colour": own, **where}


def _trace(scene: SpaceScene, name: str, points: np.ndarray) -> dict[str, Any]:
    kept = scene.pick_frames(MAX_TRACE_POINTS)
    return {"name": name, "points": pack(points[kept]), "time": pack(scene.time[kept])}


def _camera_path(scene: SpaceScene) -> np.ndarray:
    """Where the mechanism is, (n_times, 3), m, smoothed so that a camera that follows it does not shake."""
    low, high = scene.boxes
    half = scene.n_frames // 12
    padded = np.pad((low + high) / 2, ((half, half), (0, 0)), mode="reflect", reflect_type="odd")
    window = np.full(2 * half + 1, 1 / (2 * half + 1))
    return np.stack([np.convolve(column, window, mode="valid") for column in padded.T], axis=1)
