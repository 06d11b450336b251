"""Animations: a web page in one file that plays offline, and a GIF for slides and messages."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.output_files import save_bytes, save_text
from gaitwright.report.animations.deformable_data import deforming_data
from gaitwright.report.array_checks import round_times, round_to_size
from gaitwright.report.figures.style import MATPLOTLIB_STYLE, PALETTE, plot_style
from gaitwright.report.renderers.colour_bars import BEAM_SCALE_COLOURS
from gaitwright.report.renderers.planar_renderer import (
    draw_planar_scene,
    new_scene_figure,
    part_colours,
    shape_colours,
    time_digits,
)
from gaitwright.report.rounding import NOISE_RTOL
from gaitwright.report.scenes.planar_scene import MAX_ARROW_LENGTH_RATIO, PlanarScene, SceneShape
from gaitwright.report.template import render_template, script_data

MAX_FRAMES = 600  # the page interpolates between them; 600 keep a leg below half a megabyte
MAX_TRACE_POINTS = 3000
MAX_SIGNAL_POINTS = 1600  # about two per pixel of the widest chart
MIN_GIF_FRAMES = 40  # a run shorter than this many pictures is shown in slow motion


def save_planar_html(scene: PlanarScene, path: str | Path, *, fps: float = 30) -> Path:
    """Write the scene as one self-contained page that plays in any browser, without a network, and return its path.

    fps: frames drawn per second while it plays. Long runs are thinned to 600 stored frames, between which the page
    interpolates; traces and signals are thinned less, and signals keep their peaks.
    """
    if fps <= 0:
        raise ValueError(f"fps is {fps}; expected a positive number of pictures per second")
    data = script_data(planar_page_data(scene, fps))
    page = render_template(
        "animation.html", title=scene.title, scene=data, space=False, deforming=bool(scene.deforming)
    )
    return save_text(path, page)


def save_planar_gif(
    scene: PlanarScene, path: str | Path, *, fps: float = 25, max_frames: int = 120, width: int = 480
) -> Path:
    """Write the scene as a GIF, `width` pixels wide, that repeats forever, and return its path.

    It plays in real time if that takes 40 to `max_frames` frames; a shorter run is slowed down and a longer one sped up. The
    clock in the picture always shows the simulated time.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    count = count_gif_frames(scene.time, fps, max_frames, width)
    with plot_style():
        figure = new_scene_figure(scene, width / MATPLOTLIB_STYLE["figure.dpi"])
        canvas, ax = FigureCanvasAgg(figure), figure.axes[0]

        def paint(frame: int) -> None:
            # ax.clear() would also create all ticks anew: twice as slow
            for artist in [*ax.lines, *ax.patches, *ax.collections]:
                artist.remove()
            draw_planar_scene(scene, frame, ax, labels=False)  # names would change their position from frame to frame

        return record_gif(canvas, scene.pick_frames(count), paint, path, fps)


def count_gif_frames(time: np.ndarray, fps: float, max_frames: int, width: int) -> int:
    """Number of frames of a GIF: real time, within limits. Raises ValueError for invalid options."""
    if fps <= 0 or max_frames < 1 or width < 200:
        options = f"fps {fps}, max_frames {max_frames}, width {width}"
        raise ValueError(
            f"got {options}; expected fps above 0, max_frames of at least 1 and width of at least 200 pixels"
        )
    return min(max(int((time[-1] - time[0]) * fps), MIN_GIF_FRAMES), max_frames)


def record_gif(canvas: Any, frames: np.ndarray, paint: Callable[[int], None], path: str | Path, fps: float) -> Path:
    """Write the canvas, as drawn by `paint` for every frame, as a GIF that repeats forever, and return its path."""
    from PIL import Image

    pictures: list[Image.Image] = []
    for frame in frames:
        paint(int(frame))
        canvas.draw()
        picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        # One palette for all frames: separate palettes flicker, and compress worse. Maximum coverage keeps the paper white;
        # the default, median cut, makes it grey.
        palette = pictures[0] if pictures else None
        method, dither = Image.Quantize.MAXCOVERAGE, Image.Dither.NONE
        pictures.append(picture.quantize(256, method=method, palette=palette, dither=dither))
    # The time unit of a GIF is 0.01 s, and browsers show durations below two units as ten.
    duration = max(20, round(100 / fps) * 10)
    film = io.BytesIO()
    pictures[0].save(film, "GIF", save_all=True, append_images=pictures[1:], duration=duration, loop=0)
    return save_bytes(path, film.getbuffer())


def planar_page_data(scene: PlanarScene, fps: float = 30) -> dict[str, Any]:
    """Data that the page draws, rounded to about a millionth of the mechanism's size."""
    frames = scene.pick_frames(MAX_FRAMES)
    time, distinct = round_times(scene.time[frames], np.ptp(scene.time))
    frames, size = frames[distinct], scene.size()

    limit, colouring, groups = scene.colour_limit(), scene.colouring, scene.groups()

    def rounded(points: np.ndarray) -> list:
        return round_to_size(points, size).tolist()

    return {
        "title": scene.title,
        "fps": fps,
        "size": size,
        "bounds": scene.bounds(),
        "time": time.tolist(),
        "digits": time_digits(scene.time),
        "centre": rounded(_camera_path(scene)[frames, None]),
        "shapes": [
            {
                "name": shape.name,
                "part": groups.get(shape.name, shape.name),
                "kind": shape.kind,
                "closed": shape.closed,
                "colour": colour,
            }
            | {"points": rounded(_flat_frames(shape, frames))}
            | ({} if shape.values is None else {"values": np.round(shape.values[frames] / limit, 3).tolist()})
            for shape, colour in zip(scene.shapes, shape_colours(scene), strict=True)
        ],
        "joints": [
            {"name": name, "fixed": name in scene.ground_joints, "points": rounded(points[frames])}
            for name, points in scene.joints.items()
        ],
        "marks": [{"name": name, "at": rounded(place)} for name, place in scene.marks.items()],
        "traces": [_trace_data(scene, name, points) for name, points in scene.traces.items()],
        "signals": signal_charts_data(scene.signals),
        "forces": [
            _force_data(name, points[frames], vectors[frames], size) for name, (points, vectors) in scene.forces.items()
        ],
        "forceScale": scene.force_scale(),
        "longestForce": MAX_ARROW_LENGTH_RATIO * size,
        "table": scene.table,
        "colouring": colouring
        and {
            "name": colouring.name,
            "unit": colouring.unit,
            "limit": limit,
            "stops": [_hex_to_rgb255(c) for c in BEAM_SCALE_COLOURS],
        },
    } | deforming_data(scene, {body.name: part_colours(scene)[groups[body.name]] for body in scene.deforming})


def signal_charts_data(signals: dict[str, tuple[np.ndarray, np.ndarray, str]]) -> list[dict[str, Any]]:
    """Curves beside an animation, in the colours of the palette. A curve that is noise relative to others of its unit is set
    to zero."""
    largest: dict[str, float] = {}
    for _, values, unit in signals.values():
        largest[unit] = max(largest.get(unit, 0.0), float(np.nanmax(np.abs(values), initial=0.0)))
    charts = []
    for i, (name, (time, values, unit)) in enumerate(signals.items()):
        noise = float(np.nanmax(np.abs(values), initial=0.0)) < NOISE_RTOL * largest[unit]
        charts.append(_signal_data(name, time, 0.0 * values if noise else values, unit, PALETTE[i % len(PALETTE)]))
    return charts


def _hex_to_rgb255(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _flat_frames(shape: SceneShape, frames: np.ndarray) -> np.ndarray:
    """One row x0, y0, x1, y1, ... per frame; a single row for fixed ground."""
    outline = shape.outline if len(shape.outline) == 1 else shape.outline[frames]
    return outline.reshape(len(outline), -1)


def _force_data(name: str, points: np.ndarray, vectors: np.ndarray, size: float) -> dict[str, Any]:
    """x, y, fx, fy per frame, or null if there is no force."""
    vectors = round_to_size(vectors, float(np.nanmax(np.abs(vectors), initial=0.0)))
    rows = np.hstack([round_to_size(points, size), vectors])
    acting = np.flatnonzero(np.isfinite(rows).all(axis=1) & (np.hypot(*vectors.T) > 0)).tolist()
    frames: list[list[float] | None] = [None] * len(rows)
    for k in acting:
        frames[k] = rows[k].tolist()
    return {"name": name, "frames": frames}


def _trace_data(scene: PlanarScene, name: str, points: np.ndarray) -> dict[str, Any]:
    """A trace, with the time of each point if it can grow with the animation."""
    selected = np.unique(np.linspace(0, len(points) - 1, MAX_TRACE_POINTS).round().astype(int))
    grows = 1 < len(points) == scene.n_frames
    time = round_to_size(scene.time[selected], np.ptp(scene.time)).tolist() if grows else None
    return {"name": name, "points": round_to_size(points[selected], scene.size()).tolist(), "time": time}


def _signal_data(name: str, time: np.ndarray, values: np.ndarray, unit: str, colour: str) -> dict[str, Any]:
    selected = peak_sample_indices(values, MAX_SIGNAL_POINTS)
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    time = round_to_size(time[selected], np.ptp(time)).tolist()
    numbers = round_to_size(values[selected], largest).tolist()
    numbers = [None if np.isnan(value) else value for value in numbers]
    return {"name": name, "unit": unit, "colour": colour, "time": time, "values": numbers}


def peak_sample_indices(values: np.ndarray, limit: int) -> np.ndarray:
    """Indices of about `limit` samples: the least and the greatest of every interval, so that no impact is lost."""
    if len(values) <= limit:
        return np.arange(len(values))
    selected = {0, len(values) - 1}
    for part in np.array_split(np.arange(len(values)), limit // 2):
        gaps = np.isnan(values[part])
        selected |= set(part[gaps][:1])
        if not gaps.all():
            selected |= {part[np.nanargmin(values[part])], part[np.nanargmax(values[part])]}
    return np.array(sorted(selected))


def _camera_path(scene: PlanarScene) -> np.ndarray:
    """Position of the mechanism for the camera, x (n_frames,), m, smoothed so that the following camera does not shake."""
    x = scene.moving_points()[:, :, 0]
    half = scene.n_frames // 12
    padded = np.pad((x.min(axis=1) + x.max(axis=1)) / 2, half, mode="reflect", reflect_type="odd")
    return np.convolve(padded, np.full(2 * half + 1, 1 / (2 * half + 1)), mode="valid")
