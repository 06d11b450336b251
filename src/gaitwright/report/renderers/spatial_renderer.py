"""Spatial renderer: one frame of a scene as facets sorted by depth and painted from back to front, with shadows on a grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.geometry.rotation import IDENTITY_QUATERNION, quaternion_from_direction, rotate_vectors
from gaitwright.report.animations.planar_animation import count_gif_frames, record_gif
from gaitwright.report.figures.style import (
    GRID_COLOUR,
    INK_COLOUR,
    MATPLOTLIB_STYLE,
    MUTED_COLOUR,
    PALETTE,
    new_figure,
    plot_style,
    save_figure,
)
from gaitwright.report.renderers.planar_renderer import (
    FORCE_COLOUR,
    SPRING_COLOUR,
    axes_size_in_points,
    text_half_size,
    time_digits,
)
from gaitwright.report.renderers.software_renderer import (
    Camera,
    PolygonBuffer,
    add_lines,
    hex_to_rgb,
    round_up_step,
    split_lines,
)
from gaitwright.report.renderers.solid_facets import CIRCLE_SIDES, body_colours, compute_facets, mesh_lines, solid_edges
from gaitwright.report.renderers.spatial_deformable import paint_deforming_body, shadow_polygons
from gaitwright.report.scenes.deformable_body import displayed_field_scale
from gaitwright.report.scenes.planar_scene import MAX_ARROW_LENGTH_RATIO
from gaitwright.report.scenes.spatial_scene import SceneSolid, SpatialScene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_DETAILED_SOLIDS = 40
"""Maximum number of solids that are drawn with all their sides; with more solids, circles have fewer sides."""
SHADOW_COLOUR, FLOOR_COLOUR, METAL_COLOUR = "#e6e9ee", "#dde2e8", "#8a94a3"
GHOST_WHITENESS = 0.8
"""Fraction of white in the colour of a ghost."""
GROUND_FRAME_QUATERNION = np.array(IDENTITY_QUATERNION)
AXIS_COLOURS = ("#d43f3a", "#2e9e4f", "#2f6fd0")


def draw_still_figure(
    scene: SpatialScene, frame: int = 0, *, ghosts: int = 0, labels: bool = False, width: float = 7.0
) -> Figure:
    """Draw one frame as a figure, `width` inches wide. ghosts: number of other poses, evenly spread over time, drawn faintly
    behind. labels: write the names of bodies."""
    if not -scene.n_frames <= frame < scene.n_frames:
        raise ValueError(f"frame {frame} does not exist; the scene has {scene.n_frames} frame(s)")
    with plot_style():
        camera = Camera(scene)
        (left, bottom), (right, top) = camera.frame
        scale = displayed_field_scale(scene.deforming, scene.showing)
        beside, above = 1.15 if scale else 0.3, 0.75  # inches around the picture
        height = float(np.clip((width - beside) * (top - bottom) / (right - left), 0.3 * width, 1.25 * width)) + above
        figure = new_figure(width, height)
        ax = figure.add_axes((0.15 / width, 0.25 / height, 1 - beside / width, 1 - above / height))
        ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
        ax.set_axis_off()
        paint_frame(ax, camera, frame % scene.n_frames, ghosts=ghosts, labels=labels)
        if scale:
            tall = min(0.7 * (height - above), 3.2)
            middle = 0.25 + (height - above) / 2
            scale.draw(figure.add_axes((1 - 0.85 / width, (middle - tall / 2) / height, 0.14 / width, tall / height)))
    return figure


def save_spatial_png(
    scene: SpatialScene, path: str | Path, frame: int = 0, *, ghosts: int = 0, labels: bool = True
) -> Path:
    """Write one frame as a picture and return its path."""
    with plot_style():
        return save_figure(draw_still_figure(scene, frame, ghosts=ghosts, labels=labels), path)


def save_spatial_gif(
    scene: SpatialScene, path: str | Path, *, fps: float = 25, max_frames: int = 120, width: int = 480
) -> Path:
    """Write the scene as a GIF, `width` pixels wide, that repeats forever, and return its path; see save_planar_gif."""
    count = count_gif_frames(scene.time, fps, max_frames, width)
    with plot_style():
        camera = Camera(scene)
        camera.grain *= max(1.0, 0.5 * MATPLOTLIB_STYLE["savefig.dpi"] * 7.0 / width)  # fewer pixels need fewer facets
        figure = draw_still_figure(scene, width=width / MATPLOTLIB_STYLE["figure.dpi"])
        ax = figure.axes[0]

        def paint(frame: int) -> None:
            for artist in [*ax.lines, *ax.collections, *ax.texts]:
                artist.remove()
            paint_frame(ax, camera, frame)

        return record_gif(figure.canvas, scene.pick_frames(count), paint, path, fps)


def paint_frame(ax: Any, camera: Camera, frame: int, *, ghosts: int = 0, labels: bool = False) -> None:
    """Paint everything of one frame into the axes."""
    scene = camera.scene
    _draw_floor_grid(ax, camera)
    _draw_shadows(ax, camera, frame)
    paint = PolygonBuffer()
    for solid in scene.ground:
        plain = FLOOR_COLOUR if solid.kind in ("mesh", "box") else METAL_COLOUR  # a floor, or a support
        _paint_solid(
            paint, camera, solid, solid.painted(plain) or plain, np.zeros(3), GROUND_FRAME_QUATERNION, two_sided=True
        )
    for ghost in scene.pick_frames(ghosts + 1) if ghosts else ():
        for solid, colour, position, rotation in _placed_solids(scene, int(ghost)):
            _paint_solid(paint, camera, solid, colour, position, rotation, pale=GHOST_WHITENESS)
        _paint_deforming(paint, camera, int(ghost), pale=GHOST_WHITENESS)
    if ghosts:  # a ghost must not hide the mechanism
        paint.put(ax, 2)
        paint = PolygonBuffer()
    for solid, colour, position, rotation in _placed_solids(scene, frame):
        _paint_solid(paint, camera, solid, colour, position, rotation)
    _paint_deforming(paint, camera, frame)
    for joint in scene.joints:
        _paint_joint(paint, camera, joint, frame)
    for name, points in scene.lines.items():
        _paint_bars(paint, camera, points[frame], scene.thickness.get(name))
    for path in _spring_coils(scene, frame, camera):
        _paint_line(paint, camera, path, SPRING_COLOUR, 1.3)
    for path in scene.traces.values():
        _paint_line(paint, camera, path[scene.pick_frames(800)], PALETTE[0], 1.1)
    paint.put(ax, 4)
    paint = PolygonBuffer()  # painted last, since forces often act inside bodies
    for tail, tip in _force_arrows(scene, frame, camera.size):
        _paint_arrow(paint, camera, tail, tip)
    paint.put(ax, 5)
    _draw_header(ax, camera, frame)
    _draw_axis_triad(ax, camera)
    if labels:
        _draw_names(ax, camera, frame)


def _paint_deforming(paint: PolygonBuffer, camera: Camera, frame: int, *, pale: float = 0.0) -> None:
    scene = camera.scene
    colours, scale = body_colours(scene), displayed_field_scale(scene.deforming, scene.showing)
    for body in scene.deforming:
        paint_deforming_body(paint, camera, body, frame, body.colour or colours[body.name], scale, pale=pale)


def _placed_solids(scene: SpatialScene, frame: int) -> Iterator[tuple[SceneSolid, str, np.ndarray, np.ndarray]]:
    colours = body_colours(scene)
    for body in scene.bodies:
        for solid in body.solids:
            own = colours[body.name]
            yield solid, solid.painted(own) or own, body.position[frame], body.rotation[frame]


def _to_world(solid: SceneSolid, points: np.ndarray, position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    return position + rotate_vectors(rotation, solid.at + rotate_vectors(solid.rotation, points))


def _circle_side_count(scene: SpatialScene) -> int:
    count = sum(len(body.solids) for body in scene.bodies)
    return (
        CIRCLE_SIDES
        if count <= MAX_DETAILED_SOLIDS
        else max(6, int(CIRCLE_SIDES * (MAX_DETAILED_SOLIDS / count) ** 0.5))
    )


def _paint_solid(
    paint: PolygonBuffer, camera: Camera, solid: SceneSolid, colour: str, position: np.ndarray, rotation: np.ndarray, *,
    pale: float = 0.0, two_sided: bool = False,
) -> None:  # fmt: skip
    if solid.kind == "frame":
        if not pale:
            _paint_frame_axes(paint, camera, solid, position, rotation)
        return
    sides = _circle_side_count(camera.scene)
    shape = _to_world(solid, compute_facets(solid, camera.piece, sides), position, rotation)
    normal = np.cross(shape[:, 2] - shape[:, 0], shape[:, 3] - shape[:, 1])
    flat = np.cross(shape[:, 1] - shape[:, 0], shape[:, 2] - shape[:, 0])  # normal of a triangle
    normal = np.where(np.linalg.norm(normal, axis=1, keepdims=True) > 1e-12 * camera.size**2, normal, flat)
    length = np.linalg.norm(normal, axis=1)
    valid = length > 1e-14 * camera.size**2
    shape, normal = shape[valid], normal[valid] / length[valid, None]
    if two_sided or solid.kind == "mesh":
        normal = np.where((normal @ camera.back < 0)[:, None], -normal, normal)
    front = normal @ camera.back > 0
    shape, normal = shape[front], normal[front]
    bright = 0.66 + 0.40 * np.clip(normal @ camera.light, 0.0, 1.0)
    shaded = np.clip(hex_to_rgb(colour) * bright[:, None], 0.0, 1.0)
    shaded = shaded + (1.0 - shaded) * pale
    paint.add(camera.project(shape), shape.mean(axis=1) @ camera.back, shaded, shaded, 0.35)
    if two_sided and solid.kind == "mesh":
        lines = mesh_lines(solid)
        add_lines(paint, camera, _to_world(solid, lines, position, rotation), 0.93 * hex_to_rgb(colour), 0.4)
    elif not pale and sides >= CIRCLE_SIDES // 2:
        _paint_edges(paint, camera, solid, colour, position, rotation)


def _paint_edges(
    paint: PolygonBuffer, camera: Camera, solid: SceneSolid, colour: str, position: np.ndarray, rotation: np.ndarray
) -> None:
    """Paint lines on a solid, only where they are in front of its centre: those at the back are hidden by it."""
    local = solid_edges(solid)
    if not len(local):
        return
    ends = split_lines(_to_world(solid, local, position, rotation), 0.06 * camera.size)
    # With a small outward offset, a line at the back is behind the facets and one at the front is before them.
    centre = _to_world(solid, np.zeros(3), position, rotation)
    depth = ends.mean(axis=1) @ camera.back
    nearer = depth + np.where(depth > centre @ camera.back, 0.02, -0.05) * camera.size
    quads = camera.project(ends)[:, [0, 1, 1, 1]]
    dark = np.broadcast_to(0.55 * hex_to_rgb(colour), (len(ends), 3))
    paint.add(quads, nearer, dark, dark, 0.6)


def _paint_line(paint: PolygonBuffer, camera: Camera, path: np.ndarray, colour: str, width: float) -> None:
    """Paint a line through points (n, 3)."""
    add_lines(paint, camera, np.stack([path[:-1], path[1:]], axis=1), hex_to_rgb(colour), width)


def _paint_bars(paint: PolygonBuffer, camera: Camera, path: np.ndarray, thickness: float | None) -> None:
    """Paint a line through points (n, 3): thin, or with a radius relative to the size of the mechanism."""
    if thickness is None:
        _paint_line(paint, camera, path, SPRING_COLOUR, 1.3)
        return
    for start, end in pairwise(path):
        segment = end - start
        length = float(np.linalg.norm(segment))
        if length:
            bar = SceneSolid(
                "bar", "cylinder", (thickness * camera.size, length), rotation=quaternion_from_direction(segment)
            )
            _paint_solid(paint, camera, bar, SPRING_COLOUR, (start + end) / 2, GROUND_FRAME_QUATERNION, pale=1e-9)


def _paint_frame_axes(
    paint: PolygonBuffer, camera: Camera, solid: SceneSolid, position: np.ndarray, rotation: np.ndarray
) -> None:
    ends = _to_world(solid, np.vstack([np.zeros(3), solid.size[0] * np.eye(3)]), position, rotation)
    for axis, colour in enumerate(AXIS_COLOURS):
        _paint_line(paint, camera, np.linspace(ends[0], ends[axis + 1], 6), colour, 1.8)


def _paint_joint(paint: PolygonBuffer, camera: Camera, joint: Any, frame: int) -> None:
    thin = 0.012 * camera.size
    if joint.axis is None or joint.kind == "ball":
        mark = SceneSolid(joint.name, "sphere", (1.5 * thin,))
    else:
        long = {"pin": 8.0, "guide": 16.0}[joint.kind]
        mark = SceneSolid(
            joint.name, "cylinder", (0.8 * thin, long * thin), rotation=quaternion_from_direction(joint.axis[frame])
        )
    # No edges on it.
    _paint_solid(paint, camera, mark, METAL_COLOUR, joint.position[frame], GROUND_FRAME_QUATERNION, pale=1e-9)


def _spring_coils(scene: SpatialScene, frame: int, camera: Camera) -> Iterator[np.ndarray]:
    """Points of the drawn lines of springs, (n, 3)."""
    turns, radius = 8, 0.022 * camera.size
    s = np.linspace(0.0, 1.0, 16 * turns)
    wide = radius * np.minimum(1.0, np.minimum(12 * s, 12 * (1 - s)))
    angle = 2 * np.pi * turns * s
    for start, end in (ends[frame] for ends in scene.springs.values()):
        length = float(np.linalg.norm(end - start))
        local = np.stack([wide * np.cos(angle), wide * np.sin(angle), length * (0.12 + 0.76 * s)], axis=1)
        local = np.concatenate([[(0, 0, 0)], local, [(0, 0, length)]])
        yield start + (rotate_vectors(quaternion_from_direction(end - start), local) if length else local)


def _force_arrows(scene: SpatialScene, frame: int, size: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Tail and tip of every force in a frame; long arrows are shortened."""
    metres_per_newton = scene.force_scale()
    for points, vectors in scene.forces.values():
        force = float(np.linalg.norm(vectors[frame]))
        length = min(metres_per_newton * force, MAX_ARROW_LENGTH_RATIO * size)
        if length > 0.004 * size and np.isfinite(points[frame]).all():
            yield points[frame], points[frame] + length * vectors[frame] / force


def _paint_arrow(paint: PolygonBuffer, camera: Camera, tail: np.ndarray, tip: np.ndarray) -> None:
    vector = tip - tail
    length = float(np.linalg.norm(vector))
    head = min(0.4 * length, 0.06 * camera.size)
    turn, neck = quaternion_from_direction(vector), tip - head * vector / length
    shaft = SceneSolid("shaft", "cylinder", (0.15 * head, length - head), rotation=turn)
    cone = SceneSolid("head", "cone", (0.42 * head, head), rotation=turn)
    _paint_solid(paint, camera, shaft, FORCE_COLOUR, (tail + neck) / 2, GROUND_FRAME_QUATERNION, pale=1e-9)
    _paint_solid(paint, camera, cone, FORCE_COLOUR, (neck + tip) / 2, GROUND_FRAME_QUATERNION, pale=1e-9)


def _draw_floor_grid(ax: Any, camera: Camera) -> None:
    """Draw the floor below the mechanism."""
    from matplotlib.collections import LineCollection

    step = round_up_step(float(np.linalg.norm(camera.half)) / 8)
    centre = [step * np.round(camera.middle @ direction / step) for direction in (camera.across, camera.deep)]
    reach = step * np.ceil(1.25 * float(np.linalg.norm(camera.half)) / step)
    lines = []
    for direction, across, at, beside in (
        (camera.across, camera.deep, *centre), (camera.deep, camera.across, *centre[::-1]),
    ):  # fmt: skip
        for shift in np.arange(-reach, reach + 0.5 * step, step):
            ends = [
                (at + end) * direction + (beside + shift) * across + camera.floor * camera.scene.up
                for end in (-reach, reach)
            ]
            lines.append(camera.project(np.array(ends)))
    ax.add_collection(LineCollection(lines, colors=GRID_COLOUR, linewidths=0.8, zorder=1), autolim=False)
    note = f"squares of {step:g} m" if step >= 0.01 else f"squares of {1e3 * step:g} mm"
    ax.text(0.995, 0.0, note, transform=ax.transAxes, ha="right", va="bottom", color=MUTED_COLOUR, fontsize=8, zorder=6)


def _draw_shadows(ax: Any, camera: Camera, frame: int) -> None:
    from matplotlib.collections import PolyCollection

    polygons = [np.zeros((0, 4, 2))]
    for solid, _, position, rotation in _placed_solids(camera.scene, frame):
        shape = _to_world(solid, compute_facets(solid, np.inf, 10), position, rotation)
        polygons.append(camera.project(camera.on_floor(shape)))
    for body in camera.scene.deforming:
        polygons.append(camera.project(camera.on_floor(shadow_polygons(camera, body, frame))))
    together = np.concatenate(polygons)
    shadow = PolyCollection(
        list(together), facecolors=SHADOW_COLOUR, edgecolors=SHADOW_COLOUR, linewidths=0.3, zorder=0.5
    )
    ax.add_collection(shadow, autolim=False)


def _draw_header(ax: Any, camera: Camera, frame: int) -> None:
    scene = camera.scene
    size = float(np.clip(400 / (0.66 * max(len(scene.name), 1)), 6, 12))
    ax.set_title(scene.name, loc="left", y=1.0, fontsize=size, parse_math=False)
    if scene.n_frames > 1:
        clock = f"t = {scene.time[frame]:.{time_digits(scene.time)}f} s"
        ax.set_title(clock, loc="right", y=1.0, color=MUTED_COLOUR, fontsize=10, fontweight="normal")


def _draw_axis_triad(ax: Any, camera: Camera) -> None:
    """Draw the axes of the ground frame at the lower left."""
    (left, bottom), (right, top) = camera.frame
    long = 0.055 * max(right - left, top - bottom)
    start = np.array([left + 1.5 * long, bottom + 1.2 * long])
    for axis, (colour, letter) in enumerate(zip(AXIS_COLOURS, "xyz", strict=True)):
        projected_axis = camera.project(np.eye(3)[axis])
        ax.plot(*np.array([start, start + long * projected_axis]).T, color=colour, linewidth=1.8, zorder=6)
        ax.text(
            *(start + 1.3 * long * projected_axis), letter, color=colour, fontsize=9, ha="center", va="center", zorder=6
        )


def _draw_names(ax: Any, camera: Camera, frame: int) -> None:
    """Write every name of a group of bodies once, at the centre of its first body."""
    from matplotlib.patheffects import withStroke

    scene, groups, middles, placed = camera.scene, camera.scene.groups(), {}, []
    unit = np.ptp(ax.get_xlim()) / axes_size_in_points(ax)[0]  # picture units per printer's point
    for body in scene.bodies:
        middles.setdefault(
            groups[body.name], body.position[frame] + rotate_vectors(body.rotation[frame], body.middle())
        )
    for body in scene.deforming:
        middles.setdefault(groups[body.name], body.extent(scene.showing.exaggeration)[frame].mean(axis=0))
    for name, middle in middles.items():
        at, half = camera.project(middle), unit * text_half_size(name, 8.5)
        while any((np.abs(at - placed_centre) < half + size).all() for placed_centre, size in placed):
            at = at - (0.0, 0.5 * half[1])  # below the texts already placed there
        placed.append((at, half))
        text = ax.text(*at, name, color=INK_COLOUR, fontsize=8.5, ha="center", va="center", zorder=7, clip_on=True)
        text.set(parse_math=False, path_effects=[withStroke(linewidth=2.5, foreground="white")])
