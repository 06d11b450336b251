"""Page of a spatial animation: the data for its script, packed so that a thousand bodies fit into one file."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.output_files import save_text
from gaitwright.report.animations.deformable_data import deforming_data
from gaitwright.report.animations.planar_animation import MAX_TRACE_POINTS, signal_charts_data
from gaitwright.report.array_checks import round_times
from gaitwright.report.renderers.planar_renderer import time_digits
from gaitwright.report.renderers.solid_facets import body_colours
from gaitwright.report.renderers.spatial_renderer import draw_still_figure
from gaitwright.report.scenes.deformable_body import peak_field_frame
from gaitwright.report.scenes.planar_scene import MAX_ARROW_LENGTH_RATIO
from gaitwright.report.scenes.spatial_scene import SceneSolid, SpatialScene
from gaitwright.report.template import render_template, script_data

QUATERNION_SCALE = 32767
"""Quaternion components are stored as two-byte integers with this scale: the angle has a resolution of 6e-5 rad."""
STILL_GHOST_COUNT = 4
"""Number of faint poses in the still picture that a page shows in print and without WebGL."""


def save_spatial_html(scene: SpatialScene, path: str | Path, *, fps: float = 60) -> Path:
    """Write the scene as one self-contained page that plays in any browser, without a network, and return its path.

    fps: frames drawn per second while it plays. Long runs are thinned to 600 stored frames, or more if bodies spin fast; the
    page interpolates between them."""
    if fps <= 0:
        raise ValueError(f"fps is {fps}; expected a positive number of pictures per second")
    data = script_data(spatial_page_data(scene, fps))
    deforming, still = bool(scene.deforming), still_image_url(scene)
    page = render_template("animation.html", title=scene.name, scene=data, space=True, still=still, deforming=deforming)
    return save_text(path, page)


def still_image_url(scene: SpatialScene) -> str:
    """Still picture as a data URL, which needs no file."""
    picture, frame = io.BytesIO(), peak_field_frame(scene.deforming, scene.showing)
    ghosts = STILL_GHOST_COUNT if scene.n_frames > 1 and not scene.deforming else 0
    draw_still_figure(scene, frame, ghosts=ghosts).savefig(picture, format="png", dpi=130)
    return f"data:image/png;base64,{_base64_text(picture.getvalue())}"


def spatial_page_data(scene: SpatialScene, fps: float = 60) -> dict[str, Any]:
    """Data that the page draws. Arrays are base64 of little-endian numbers: float32, int16 for quaternions."""
    frames = scene.pick_frames(scene.frames_wanted())
    time, distinct = round_times(scene.time[frames], np.ptp(scene.time))
    frames, size = frames[distinct], scene.size()
    low, high = scene.bounds()
    shapes = _ShapeTable()
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
        "centre": pack_floats(_camera_path(scene)[frames]),
        "bodies": [
            {
                "name": body.name,
                "part": groups[body.name],
                "colour": colours[body.name],
                "middle": body.middle().tolist(),
                "reach": body.reach(),
                "position": pack_floats(body.position[frames]),
                "rotation": _base64_text(np.round(QUATERNION_SCALE * body.rotation[frames]).astype("<i2").tobytes()),
                "solids": [shapes.place(solid, colours[body.name]) for solid in body.solids],
            }
            for body in scene.bodies
        ],
        "ground": [shapes.place(solid, None) for solid in scene.ground],
        "shapes": shapes.data,
        "lines": [
            {"name": n, "count": p.shape[1], "points": pack_floats(p[frames]), "thick": scene.thickness.get(n)}
            for n, p in scene.lines.items()
        ],
        "springs": [{"name": name, "points": pack_floats(points[frames])} for name, points in scene.springs.items()],
        "joints": [
            {"name": joint.name, "kind": joint.kind, "position": pack_floats(joint.position[frames])}
            | {"axis": None if joint.axis is None else pack_floats(joint.axis[frames])}
            for joint in scene.joints
        ],
        "traces": [_trace_data(scene, name, points) for name, points in scene.traces.items()],
        "forces": [
            {"name": name, "points": pack_floats(points[frames]), "vectors": pack_floats(vectors[frames])}
            for name, (points, vectors) in scene.forces.items()
        ],
        "forceScale": scene.force_scale(),
        "longestForce": MAX_ARROW_LENGTH_RATIO * size,
        "signals": signal_charts_data(scene.signals),
        "table": scene.table,
    } | deforming_data(scene, colours)


def pack_floats(values: np.ndarray) -> str:
    return _base64_text(np.ascontiguousarray(values, dtype="<f4").tobytes())


def _base64_text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


class _ShapeTable:
    """Shapes of solids, each stored once."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self.known: dict[Any, int] = {}

    def place(self, solid: SceneSolid, colour: str | None) -> dict[str, Any]:
        """Page data of a solid: index of its shape, colour and pose."""
        mesh = {}
        if solid.kind == "mesh":
            mesh = {"vertices": pack_floats(solid.vertices), "faces": _base64_text(solid.faces.astype("<u4").tobytes())}
        key = (solid.kind, solid.size, *mesh.values())
        if key not in self.known:
            self.known[key] = len(self.data)
            self.data.append({"kind": solid.kind, "size": solid.size, **mesh})
        own = solid.painted(colour)
        where = {"at": solid.at.tolist(), "rotation": solid.rotation.tolist()}
        return {"shape": self.known[key], "colour": own, **where}


def _trace_data(scene: SpatialScene, name: str, points: np.ndarray) -> dict[str, Any]:
    selected = scene.pick_frames(MAX_TRACE_POINTS)
    return {"name": name, "points": pack_floats(points[selected]), "time": pack_floats(scene.time[selected])}


def _camera_path(scene: SpatialScene) -> np.ndarray:
    """Position of the mechanism for the camera, (n_times, 3), m, smoothed so that the following camera does not shake."""
    low, high = scene.boxes
    half = scene.n_frames // 12
    padded = np.pad((low + high) / 2, ((half, half), (0, 0)), mode="reflect", reflect_type="odd")
    window = np.full(2 * half + 1, 1 / (2 * half + 1))
    return np.stack([np.convolve(column, window, mode="valid") for column in padded.T], axis=1)
