"""Animations: a web page that plays offline, in one file, and a GIF for slides and messages."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.report.arrays import rounded_times, rounded_to
from gaitwright.report.colour_bars import SCALE
from gaitwright.report.deforming_page import deforming_data
from gaitwright.report.digits import NOISE
from gaitwright.report.draw import draw, part_colours, scene_figure, shape_colours, time_digits
from gaitwright.report.plots import PALETTE, STYLE, style
from gaitwright.report.scene import LONGEST, Scene, Shape
from gaitwright.report.template import render, script_data
from gaitwright.saving import save_bytes, save_text

MAX_FRAMES = 600  # the page interpolates between them; 600 keep a leg below half a megabyte
MAX_TRACE_POINTS = 3000
MAX_SIGNAL_POINTS = 1600  # about two per pixel of the widest chart
FEWEST_GIF_FRAMES = 40  # a run shorter than this many pictures is shown in slow motion


def save_html(scene: Scene, path: str | Path, *, fps: float = 30) -> Path:
    """Write the scene as one self-contained page that plays in any browser, without a network, and return its path.

    `fps`: pictures drawn per second while it plays. Long runs are thinned to 600 stored frames, between which the page
    interpolates; traces and signals are thinned less, and signals keep their peaks.
    """
    if fps <= 0:
        raise ValueError(f"fps is {fps}; expected a positive number of pictures per second")
    data = script_data(page_data(scene, fps))
    page = render("animation.html", title=scene.title, scene=data, space=False, deforming=bool(scene.deforming))
    return save_text(path, page)


def save_gif(scene: Scene, path: str | Path, *, fps: float = 25, max_frames: int = 120, width: int = 480) -> Path:
    """Write the scene as a GIF, `width` pixels wide, that repeats for ever, and return its path.

    It plays in real time where that takes 40 to `max_frames` pictures; a shorter run is slowed down and a longer one
    speeded up. The clock in the picture always shows the simulated time.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    count = gif_frames(scene.time, fps, max_frames, width)
    with style():
        figure = scene_figure(scene, width / STYLE["figure.dpi"])
        canvas, ax = FigureCanvasAgg(figure), figure.axes[0]

        def paint(frame: int) -> None:
            # ax.clear() would also make all ticks anew: twice as slow
            for artist in [*ax.lines, *ax.patches, *ax.collections]:
                artist.remove()
            draw(scene, frame, ax, labels=False)  # names would jump about from frame to frame

        return record_gif(canvas, scene.pick_frames(count), paint, path, fps)


def gif_frames(time: np.ndarray, fps: float, max_frames: int, width: int) -> int:
    """How many pictures a GIF has: real time, within bounds; a clear error where something is out of them."""
    if fps <= 0 or max_frames < 1 or width < 200:
        got = f"fps {fps}, max_frames {max_frames}, width {width}"
        raise ValueError(f"got {got}; expected fps above 0, max_frames of at least 1 and width of at least 200 pixels")
    return min(max(int((time[-1] - time[0]) * fps), FEWEST_GIF_FRAMES), max_frames)


def record_gif(canvas: Any, frames: np.ndarray, paint: Callable[[int], None], path: str | Path, fps: float) -> Path:
    """Write what `paint` draws of every frame onto the canvas as a GIF that repeats for ever, and return its path."""
    from PIL import Image

    pictures: list[Image.Image] = []
    for frame in frames:
        paint(int(frame))
        canvas.draw()
        picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        # One palette for all frames: a palette each flickers, and compresses worse. Maximum coverage keeps the
        # paper white; the default, median cut, makes it grey.
        palette = pictures[0] if pictures else None
        method, dither = Image.Quantize.MAXCOVERAGE, Image.Dither.NONE
        pictures.append(picture.quantize(256, method=method, palette=palette, dither=dither))
    # A GIF counts in hundredths of a second, and browsers show anything below two of them as ten.
    duration = max(20, round(100 / fps) * 10)
    film = io.BytesIO()
    pictures[0].save(film, "GIF", save_all=True, append_images=pictures[1:], duration=duration, loop=0)
    return save_bytes(path, film.getbuffer())


def page_data(scene: Scene, fps: float = 30) -> dict[str, Any]:
    """What the page draws, rounded to about a millionth of the mechanism's size."""
    frames = scene.pick_frames(MAX_FRAMES)
    time, distinct = rounded_times(scene.time[frames], np.ptp(scene.time))
    frames, size = frames[distinct], scene.size()

    limit, colouring, groups = scene.colour_limit(), scene.colouring, scene.groups()

    def rounded(points: np.ndarray) -> list:
        return rounded_to(points, size).tolist()

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
        "traces": [_trace(scene, name, points) for name, points in scene.traces.items()],
        "signals": chart_signals(scene.signals),
        "forces": [
            _force(name, points[frames], vectors[frames], size) for name, (points, vectors) in scene.forces.items()
        ],
        "forceScale": scene.force_scale(),
        "longestForce": LONGEST * size,
        "table": scene.table,
        "colouring": colouring
        and {"name": colouring.name, "unit": colouring.unit, "limit": limit, "stops": [_rgb(c) for c in SCALE]},
    } | deforming_data(scene, {body.name: part_colours(scene)[groups[body.name]] for body in scene.deforming})


def chart_signals(signals: dict[str, tuple[np.ndarray, np.ndarray, str]]) -> list[dict[str, Any]]:
    """Curves beside an animation, in the colours of the palette. One that is rounding beside others of its unit is zero."""
    largest: dict[str, float] = {}
    for _, values, unit in signals.values():
        largest[unit] = max(largest.get(unit, 0.0), float(np.nanmax(np.abs(values), initial=0.0)))
    found = []
    for i, (name, (time, values, unit)) in enumerate(signals.items()):
        noise = float(np.nanmax(np.abs(values), initial=0.0)) < NOISE * largest[unit]
        found.append(_signal(name, time, 0.0 * values if noise else values, unit, PALETTE[i % len(PALETTE)]))
    return found


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _flat_frames(shape: Shape, frames: np.ndarray) -> np.ndarray:
    """One row x0, y0, x1, y1, ... per frame; a single row for ground that stands still."""
    outline = shape.outline if len(shape.outline) == 1 else shape.outline[frames]
    return outline.reshape(len(outline), -1)


def _force(name: str, points: np.ndarray, vectors: np.ndarray, size: float) -> dict[str, Any]:
    """x, y, fx, fy per frame, or null where there is no force."""
    vectors = rounded_to(vectors, float(np.nanmax(np.abs(vectors), initial=0.0)))
    rows = np.hstack([rounded_to(points, size), vectors])
    there = np.flatnonzero(np.isfinite(rows).all(axis=1) & (np.hypot(*vectors.T) > 0)).tolist()
    frames: list[list[float] | None] = [None] * len(rows)
    for k in there:
        frames[k] = rows[k].tolist()
    return {"name": name, "frames": frames}


def _trace(scene: Scene, name: str, points: np.ndarray) -> dict[str, Any]:
    """The curve, with the time of each point where it can grow with the animation."""
    kept = np.unique(np.linspace(0, len(points) - 1, MAX_TRACE_POINTS).round().astype(int))
    grows = 1 < len(points) == scene.n_frames
    time = rounded_to(scene.time[kept], np.ptp(scene.time)).tolist() if grows else None
    return {"name": name, "points": rounded_to(points[kept], scene.size()).tolist(), "time": time}


def _signal(name: str, time: np.ndarray, values: np.ndarray, unit: str, colour: str) -> dict[str, Any]:
    kept = keep_peaks(values, MAX_SIGNAL_POINTS)
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    time, shown = rounded_to(time[kept], np.ptp(time)).tolist(), rounded_to(values[kept], largest).tolist()
    shown = [None if np.isnan(value) else value for value in shown]
    return {"name": name, "unit": unit, "colour": colour, "time": time, "values": shown}


def keep_peaks(values: np.ndarray, limit: int) -> np.ndarray:
    """Indices of about `limit` samples: the least and the greatest of every stretch, so that no impact is lost."""
    if len(values) <= limit:
        return np.arange(len(values))
    kept = {0, len(values) - 1}
    for part in np.array_split(np.arange(len(values)), limit // 2):
        gaps = np.isnan(values[part])
        kept |= set(part[gaps][:1])
        if not gaps.all():
            kept |= {part[np.nanargmin(values[part])], part[np.nanargmax(values[part])]}
    return np.array(sorted(kept))


def _camera_path(scene: Scene) -> np.ndarray:
    """Where the mechanism is, x (n_frames,), m, smoothed so that a camera that follows it does not shake."""
    x = scene.moving_points()[:, :, 0]
    half = scene.n_frames // 12
    padded = np.pad((x.min(axis=1) + x.max(axis=1)) / 2, half, mode="reflect", reflect_type="odd")
    return np.convolve(padded, np.full(2 * half + 1, 1 / (2 * half + 1)), mode="valid")
