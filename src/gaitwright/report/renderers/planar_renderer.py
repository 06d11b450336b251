"""Planar renderer: one frame of a scene with bars, plates, wheels, springs, pins and ground, as in a textbook on mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, PALETTE, new_figure, plot_style, save_figure
from gaitwright.report.renderers.colour_bars import (
    BEAM_SCALE_COLOURS,
    beam_colormap,
    colour_bars_width,
    draw_colour_bars,
)
from gaitwright.report.renderers.planar_deformable import draw_deforming_body
from gaitwright.report.renderers.planar_symbols import (
    darken_colour,
    paint_actuator,
    paint_gear,
    paint_rail,
    paint_rod,
    paint_spiral,
    paint_spring,
)
from gaitwright.report.scenes.deformable_body import displayed_field_scale
from gaitwright.report.scenes.planar_scene import MAX_ARROW_LENGTH_RATIO, NEUTRAL_KINDS, PlanarScene, circle_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROUND_COLOUR = "#8a94a3"
SPRING_COLOUR = "#6b7685"
FORCE_COLOUR = "#d6274a"
MIN_GROUND_DEPTH_PT = 7.0
"""Minimum thickness of hatched ground, printer's points."""


def draw_planar_scene(
    scene: PlanarScene, frame: int = 0, ax: Axes | None = None, *, ghosts: int = 0, labels: bool = True
) -> Axes:
    """Draw one frame into `ax`, or into a new figure (`draw_planar_scene(scene).figure`), and return the axes.

    ghosts: number of other poses, evenly spread over time, drawn faintly behind. labels: write the names.
    """
    if not -scene.n_frames <= frame < scene.n_frames:
        raise ValueError(f"frame {frame} does not exist; the scene has {scene.n_frames} frame(s)")
    frame %= scene.n_frames
    with plot_style():
        if ax is None:
            ax = new_scene_figure(scene).axes[0]
        left, right, bottom, top = scene.bounds()
        ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xlabel="x (m)", ylabel="y (m)")
        ax.locator_params(nbins=6)
        _draw_header(ax, scene, frame)
        for path in scene.traces.values():
            ax.plot(*path.T, color=INK_COLOUR, linewidth=1.0, alpha=0.55, zorder=2)
        scale = float((axes_size_in_points(ax) / (right - left, top - bottom)).min())
        pen = _PlanarPen(ax, scene.size(), scale)
        for ghost in scene.pick_frames(ghosts) if ghosts else ():
            _draw_shapes(scene, int(ghost), replace(pen, alpha=0.13), apart_from=frame)
        _draw_shapes(scene, frame, pen)
        for place in scene.marks.values():
            ax.plot(*place, "+", color=MUTED_COLOUR, markersize=7, markeredgewidth=1.2, zorder=3)
        for name, path in scene.joints.items():
            _draw_pin(pen, path[frame], fixed=name in scene.ground_joints)
        if not ax.child_axes:
            draw_colour_bars(ax, scene)
        arrows = list(_force_arrows(scene, frame, pen))
        for tail, tip in arrows:
            _draw_arrow(pen, tail, tip)
        if labels:
            _draw_labels(scene, frame, pen, arrows)
    return ax


def save_planar_png(
    scene: PlanarScene, path: str | Path, frame: int = 0, *, ghosts: int = 0, labels: bool = True
) -> Path:
    """Write one frame as a picture and return its path. labels: write the names of parts and pins."""
    with plot_style():
        figure = new_scene_figure(scene)
        draw_planar_scene(scene, frame, figure.axes[0], ghosts=ghosts, labels=labels)
        return save_figure(figure, path)


def new_scene_figure(scene: PlanarScene, width: float = 7.0) -> Figure:
    """Create a figure, `width` inches wide and with the height that the scene needs, with axes for drawing."""
    left, right, bottom, top = scene.bounds()
    beside, above = 1.0, 0.95  # inches for the numbers and labels around the picture
    beside += colour_bars_width(scene)
    height = float(np.clip((width - beside) * (top - bottom) / (right - left), 0.25 * width, 1.25 * width)) + above
    figure = new_figure(width, height)
    figure.add_axes((0.8 / width, 0.5 / height, 1 - beside / width, 1 - above / height))
    return figure


def time_digits(time: np.ndarray) -> int:
    """Number of decimals of a clock that resolves a thousandth of the run."""
    duration = float(time[-1] - time[0]) or 1.0
    return int(np.clip(3 - np.floor(np.log10(duration)), 0, 6))


def shape_colours(scene: PlanarScene) -> list[str]:
    """One colour per shape: grey for ground and springs, the palette in turn for the bodies; shapes of one body share it."""
    fixed = dict.fromkeys(NEUTRAL_KINDS, SPRING_COLOUR) | {"ground": GROUND_COLOUR, "rail": GROUND_COLOUR}
    groups, palette = scene.groups(), part_colours(scene)
    return [fixed.get(shape.kind) or palette[groups[shape.name]] for shape in scene.shapes]


def part_colours(scene: PlanarScene) -> dict[str, str]:
    """The colour of every group of parts: the palette in turn."""
    return {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(dict.fromkeys(scene.groups().values()))}


def _draw_header(ax: Axes, scene: PlanarScene, frame: int) -> None:
    """Draw the title and the clock above the picture, with a title small enough to leave space for the clock."""
    room = axes_size_in_points(ax)[0] - 85
    size = float(np.clip(room / (0.66 * max(len(scene.title), 1)), 6, 12))
    clock = f"t = {scene.time[frame]:.{time_digits(scene.time)}f} s"
    # Without y, matplotlib searches a free height at every drawing: a third of the time of a GIF.
    ax.set_title(scene.title, loc="left", y=1.0, fontsize=size, parse_math=False)
    ax.set_title(clock, loc="right", y=1.0, color=MUTED_COLOUR, fontsize=10, fontweight="normal")


@dataclass
class _PlanarPen:
    """Drawing parameters: the size of the mechanism (m), printer's points per metre, and the opacity."""

    ax: Axes
    size: float
    scale: float
    alpha: float = 1.0

    @property
    def bar(self) -> float:
        """Width of a bar, points, proportional to the mechanism, so that a mechanism that travels far remains recognisable."""
        return float(np.clip(0.026 * self.size * self.scale, 1.5, 11.0))

    def line(self, points: np.ndarray, colour: str, width: float, zorder: float) -> None:
        self.ax.plot(*points.T, color=colour, linewidth=width, alpha=self.alpha, zorder=zorder, solid_capstyle="round")

    def bar_with_edge(self, points: np.ndarray, colour: str, width: float, zorder: float) -> None:
        if self.alpha == 1.0:
            self.line(points, darken_colour(colour), width + 1.6, zorder)
        self.line(points, colour, width, zorder)

    def fill(self, points: np.ndarray, colour: str, alpha: float, zorder: float) -> None:
        self.ax.fill(*points.T, facecolor=colour, alpha=alpha * self.alpha, zorder=zorder, linewidth=0)


def _draw_shapes(scene: PlanarScene, frame: int, pen: _PlanarPen, *, apart_from: int | None = None) -> None:
    """Draw all shapes of a frame. apart_from: leave out the ground and parts with the same position in that frame, since
    many faint copies would cover them."""
    colours, scale = part_colours(scene), displayed_field_scale(scene.deforming, scene.showing)
    for body in scene.deforming:
        colour = body.colour or colours[scene.groups()[body.name]]
        draw_deforming_body(pen.ax, body, frame, colour, scale, scene.showing, ghost=apart_from is not None)
    for shape, colour in zip(scene.shapes, shape_colours(scene), strict=True):
        if apart_from is not None:
            moved = np.abs(shape.at(frame) - shape.at(apart_from)).max()
            if shape.kind == "ground" or moved < 0.01 * pen.size:
                continue
        if shape.values is not None and apart_from is None:
            _draw_coloured_beam(pen, shape.at(frame), shape.values[frame] / scene.colour_limit())
        else:
            _SHAPE_PAINTERS[shape.kind](pen, shape.at(frame), shape.closed, colour)


def _draw_link(pen: _PlanarPen, points: np.ndarray, closed: bool, colour: str) -> None:
    if closed:
        pen.fill(points, colour, 0.22, 4)
        points = np.vstack([points, points[:1]])
    pen.bar_with_edge(points, colour, pen.bar, 6)


def _draw_body(pen: _PlanarPen, points: np.ndarray, closed: bool, colour: str) -> None:
    if closed:
        pen.fill(points, colour, 0.35, 4)
        points = np.vstack([points, points[:1]])
    pen.line(points, colour if closed else darken_colour(colour), max(1.2, 0.3 * pen.bar), 4)


def _draw_round(pen: _PlanarPen, points: np.ndarray, closed: bool, colour: str) -> None:
    centre, rim = points
    radius = float(np.hypot(*(rim - centre)))
    edge, width = circle_points(centre, radius), max(1.2, min(0.3 * pen.bar, 0.1 * radius * pen.scale))
    pen.fill(edge, colour, 0.35, 4)
    pen.line(np.vstack([edge, edge[:1]]), colour, width, 4)
    pen.line(points, darken_colour(colour), width, 4)
    pen.ax.plot(*centre, "o", markersize=2.2 * width, color=darken_colour(colour), alpha=pen.alpha, zorder=4)


def _draw_surface(pen: _PlanarPen, points: np.ndarray, closed: bool, colour: str) -> None:
    pen.line(np.vstack([points, points[:1]]) if closed else points, darken_colour(colour), max(2.0, 0.45 * pen.bar), 5)


def _draw_beam(pen: _PlanarPen, points: np.ndarray, closed: bool, colour: str) -> None:
    pen.bar_with_edge(np.vstack([points, points[:1]]) if closed else points, colour, 0.45 * pen.bar, 5)


def _draw_coloured_beam(pen: _PlanarPen, points: np.ndarray, values: np.ndarray) -> None:
    """Draw a beam with the colours of values from -1 to 1."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize

    width, middle = 0.55 * pen.bar, (values[1:] + values[:-1]) / 2
    pen.line(points, darken_colour(BEAM_SCALE_COLOURS[2]), width + 1.6, 5)
    pieces = LineCollection(
        list(np.stack([points[:-1], points[1:]], axis=1)), cmap=beam_colormap(), norm=Normalize(-1, 1)
    )
    pieces.set(array=middle, linewidth=width, capstyle="round", zorder=5.1)
    pen.ax.add_collection(pieces, autolim=False)


def _draw_ground(pen: _PlanarPen, points: np.ndarray, closed: bool, colour: str) -> None:
    if closed:
        solid, surface = points, np.vstack([points, points[:1]])
    else:
        depth = max(0.045 * pen.size, MIN_GROUND_DEPTH_PT / pen.scale)
        solid, surface = np.vstack([points, offset_right(points, depth)[::-1]]), points
    pen.ax.fill(*solid.T, facecolor="#eef0f3", edgecolor="#c3cad3", linewidth=0, hatch="/////", zorder=1)
    pen.line(surface, colour, max(1.2, 0.25 * pen.bar), 1.5)


_SHAPE_PAINTERS: dict[str, Callable[[_PlanarPen, np.ndarray, bool, str], None]] = {
    "link": _draw_link,
    "body": _draw_body,
    "round": _draw_round,
    "surface": _draw_surface,
    "beam": _draw_beam,
    "spring": paint_spring,
    "rod": paint_rod,
    "actuator": paint_actuator,
    "rail": paint_rail,
    "gear": paint_gear,
    "spiral": paint_spiral,
    "ground": _draw_ground,
}


def _draw_pin(pen: _PlanarPen, point: np.ndarray, *, fixed: bool) -> None:
    if fixed:
        foot = 0.05 * pen.size
        triangle = point + foot * np.array([(0.0, 0.0), (-0.62, -1.0), (0.62, -1.0)])
        pen.ax.fill(*triangle.T, facecolor="#d5dae1", edgecolor=INK_COLOUR, linewidth=0.9, zorder=3, joinstyle="round")
        base = point + foot * np.array([(-0.95, -1.0), (0.95, -1.0)])
        solid = np.vstack([base, base[::-1] - (0, 0.45 * foot)])
        pen.ax.fill(*solid.T, facecolor="none", edgecolor=MUTED_COLOUR, linewidth=0, hatch="///////", zorder=3)
        pen.line(base, INK_COLOUR, 1.2, 3)
    (pin,) = pen.ax.plot(*point, "o", markersize=0.85 * pen.bar, color="white", zorder=8)
    pin.set(markeredgecolor=INK_COLOUR, markeredgewidth=1.1)


def _force_arrows(scene: PlanarScene, frame: int, pen: _PlanarPen) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Tail and tip of every force in a frame, starting at its point of application; long arrows are shortened."""
    metres_per_newton = scene.force_scale() if scene.forces else 0.0
    for points, vectors in scene.forces.values():
        point, force = points[frame], vectors[frame]
        size = float(np.hypot(*force))
        length = min(metres_per_newton * size, MAX_ARROW_LENGTH_RATIO * pen.size)
        # otherwise there is no force, or the arrow is too short to be visible
        if length * pen.scale > 1.0 and np.isfinite(point).all():
            yield point, point + length * force / size


def _draw_arrow(pen: _PlanarPen, tail: np.ndarray, tip: np.ndarray) -> None:
    length = float(np.hypot(*(tip - tail)))
    along = (tip - tail) / length
    head, width = min(0.4 * length, max(0.05 * pen.size, 8.0 / pen.scale)), max(1.5, 0.3 * pen.bar)
    aside, neck = 0.38 * head * np.array([-along[1], along[0]]), tip - head * along
    pen.line(np.array([tail, neck]), "white", width + 1.6, 8.4)
    pen.line(np.array([tail, neck]), FORCE_COLOUR, width, 8.5)
    pen.fill(np.array([tip, neck + aside, neck - aside]), FORCE_COLOUR, 1.0, 8.6)


def offset_right(points: np.ndarray, distance: float) -> np.ndarray:
    """Offset the line (n, 2) by `distance` to its right. Where it turns right, corners move closer together; where it turns
    left, they are cut. A line with coincident ends is treated as closed."""
    along = np.diff(points, axis=0)
    length = np.hypot(*along.T)
    along = along[length > 0] / length[length > 0, None]
    corners = np.vstack([points[:-1][length > 0], points[-1:]])
    if not len(along):
        return points.copy()
    right = np.column_stack([along[:, 1], -along[:, 0]])
    ring = len(along) > 2 and bool(np.allclose(corners[0], corners[-1]))
    before = np.vstack([right[-1:] if ring else right[:1], right])
    after = np.vstack([right, right[:1] if ring else right[-1:]])
    moved = []
    for corner, n1, n2 in zip(corners, before, after, strict=True):
        if n1[0] * n2[1] - n1[1] * n2[0] > 1e-9:
            moved += [corner + distance * n1, corner + distance * n2]
        else:
            moved.append(corner + distance * (n1 + n2) / max(1.0 + float(n1 @ n2), 0.2))
    return np.array(moved)


def text_half_size(text: str, size: float) -> np.ndarray:
    """Half width and height of a text of a font size, in printer's points, from the mean width of a letter."""
    return np.array([0.31 * size * len(text) + 1, 0.62 * size])


def axes_size_in_points(ax: Axes) -> np.ndarray:
    """Width and height of the axes, printer's points."""
    return np.asarray(ax.bbox.size) * 72 / ax.figure.dpi


def _draw_labels(scene: PlanarScene, frame: int, pen: _PlanarPen, arrows: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Write every name once, beside its part, where it covers the fewest bars, pins and other names. With many parts, only
    groups are named, and pins are not."""
    from matplotlib.patheffects import withStroke

    colours = shape_colours(scene)
    named = [(shape, colour) for shape, colour in zip(scene.shapes, colours, strict=True)]
    parts = [(shape, colour) for shape, colour in named if shape.kind not in ("ground", "rail")]
    edges = [shape.edge(frame) for shape, _ in parts]
    groups = scene.groups()
    labels = [
        (groups.get(shape.name, shape.name), _line_middle(*edge), darken_colour(colour), 9.0)
        for (shape, colour), edge in zip(parts, edges, strict=True)
    ]
    middles = {body.name: body.extent(scene.showing.exaggeration)[frame].mean(axis=0) for body in scene.deforming}
    labels += [(groups[name], middle, INK_COLOUR, 9.0) for name, middle in middles.items()]
    if all(name == group for name, group in groups.items()):
        labels += [(name, path[frame], INK_COLOUR, 8.0) for name, path in scene.joints.items()]
    labels += [(name, path[path[:, 1].argmin()], MUTED_COLOUR, 8.0) for name, path in scene.traces.items()]
    left, right, bottom, top = scene.bounds()
    visible_marks = {n: p for n, p in scene.marks.items() if left <= p[0] <= right and bottom <= p[1] <= top}
    labels += [(name, place, MUTED_COLOUR, 8.0) for name, place in visible_marks.items()]

    # From here in printer's points, the unit of font sizes.
    lines = [_sample_line(points * pen.scale, closed) for points, closed in edges]
    # The spokes.
    lines += [_sample_line(shape.at(frame) * pen.scale, False) for shape, _ in parts if shape.kind == "round"]
    lines += [_sample_line(path * pen.scale, False) for path in scene.traces.values()]
    lines += [np.repeat(_sample_line(np.array(ends) * pen.scale, False), 3, axis=0) for ends in arrows]
    pins = [path[frame] for path in scene.joints.values()]
    pins += [scene.joints[name][frame] - (0, 0.05 * pen.size) for name in scene.ground_joints]  # and their supports
    heavy = np.repeat(np.reshape(pins, (-1, 2)) * pen.scale, 8, axis=0)  # hiding a pin is worse than hiding a bar
    obstacles = np.concatenate([heavy, *lines])
    left, right, bottom, top = (edge * pen.scale for edge in scene.bounds())
    page = np.array([left + right, bottom + top]) / 2, np.array([right - left, top - bottom]) / 2
    placed: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name, anchor, colour, size in labels:
        if name in placed:
            continue
        half = text_half_size(name, size)
        centre = _find_label_position(anchor * pen.scale, half, pen.bar, obstacles, list(placed.values()), page)
        placed[name] = centre, half
        x, y = centre / pen.scale
        text = pen.ax.text(x, y, name, color=colour, fontsize=size, ha="center", va="center", zorder=9, clip_on=True)
        text.set(parse_math=False, path_effects=[withStroke(linewidth=2.5, foreground="white")])


def _find_label_position(
    anchor: np.ndarray,
    half: np.ndarray,
    bar: float,
    obstacles: np.ndarray,
    placed: list[tuple[np.ndarray, np.ndarray]],
    page: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Centre for a name near its anchor, in points: the position of lowest cost among twelve directions at three distances.

    `half`, and the second of each pair in `placed` and of `page`: half the width and height of a box.
    """
    best, lowest = anchor, np.inf
    for distance in (0.0, 1.0, 1.7):
        for angle in np.pi / 6 * np.arange(12):
            centre = anchor + distance * (half + 0.6 * bar + 1.5) * (np.cos(angle), np.sin(angle))
            covered = (np.abs(obstacles - centre) < half + 0.5 * bar).all(axis=1).sum()
            clashes = sum((np.abs(other - centre) < half + its_half).all() for other, its_half in placed)
            outside = (np.abs(centre - page[0]) > page[1] - half).any()
            cost = covered + 60 * clashes + 100 * outside + 3 * distance
            if cost < lowest:
                best, lowest = centre, cost
    return best


def _sample_line(points: np.ndarray, closed: bool) -> np.ndarray:
    """Points along a line (n, 2), one every three units of its length, but no more than two thousand."""
    corners = np.vstack([points, points[:1]]) if closed else points
    length = np.concatenate([[0.0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
    where = np.linspace(0, length[-1], min(2000, 2 + int(length[-1] / 3)))
    return np.column_stack([np.interp(where, length, axis) for axis in corners.T])


def _line_middle(points: np.ndarray, closed: bool) -> np.ndarray:
    return points.mean(axis=0) if closed or len(points) == 2 else points[len(points) // 2]
