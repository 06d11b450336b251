"""A person from the front and from behind, each region coloured by how many people would feel what presses there.

The figure is drawn from profiles: how wide head, trunk, arms and legs are along their length, in cm of a person 180 cm tall. A
region is a stretch of one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.report.plots import BAND, INK, MUTED, STYLE, new_figure, save, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = np.ndarray
COLOURS = ("#fde9c9", "#f9b56b", "#ec7a3c", "#c9382b", "#8c1425")
"""From nobody to everybody."""
TRUNK = (
    (90, 17.6), (94, 17.5), (99, 16.4), (104, 14.8), (109, 14.2), (116, 14.8), (123, 16.0), (130, 17.2), (136, 18.2),
    (141, 18.6), (144, 17.0), (146.5, 12.5), (149, 8.0), (151, 6.2),
)  # fmt: skip
"""(height, half width)."""
LEG = (
    (0, 6.9, 13.2), (2, 6.4, 13.6), (4, 6.5, 13.0), (7, 7.2, 11.9), (10, 7.4, 11.5), (16, 7.0, 11.9), (22, 6.2, 12.8),
    (29, 5.1, 14.1), (35, 4.6, 14.4), (40, 4.9, 13.8), (44, 5.1, 13.4), (48, 4.8, 13.6), (53, 4.2, 14.2),
    (62, 2.9, 15.7), (72, 1.5, 17.0), (82, 0.7, 17.7), (90, 0.3, 17.6),
)  # fmt: skip
"""(height, inner, outer) distance from the middle."""
ARM = (
    (0, 1.8), (1.5, 3.9), (4, 5.2), (8, 5.5), (14, 5.0), (22, 4.4), (29, 4.2), (34, 4.4), (39, 4.3), (46, 3.5), (53, 2.6),
    (56, 2.5), (59, 3.1), (64, 3.9), (69, 3.7), (74, 2.6), (77, 1.0),
)  # fmt: skip
"""(distance from its top, half width)."""
ARM_TOP, ARM_TURN = (17.6, 146.0), np.radians(11.0)
HEAD, NECK = (0.0, 166.5, 7.6, 10.8), (148.0, 158.0, 5.2)
OUTLINE: dict[str, Any] = {"facecolor": BAND, "edgecolor": STYLE["axes.edgecolor"], "linewidth": 2.4, "zorder": 0}
"""Below everything: what of it is seen is the edge of the whole figure."""
APART = 74.0
"""Between the middles of the two figures."""
PARTS = {
    "trunk": {"front": {"pelvis": (90, 103), "abdomen": (103, 121), "chest": (121, 141), "shoulder": (141, 151)},
              "back": {"buttock": (90, 103), "lower back": (103, 121), "upper back": (121, 141), "shoulder": (141, 151)}},
    "leg": {"front": {"instep": (0, 6), "ankle": (6, 14), "shin": (14, 40), "knee": (40, 52), "thigh": (52, 90)},
            "back": {"sole": (0, 6), "ankle": (6, 14), "calf": (14, 40), "knee": (40, 52), "thigh": (52, 90)}},
    "arm": {"front": {"shoulder": (0, 9), "upper arm": (9, 29), "forearm": (29, 55), "hand": (55, 77)},
            "back": {"shoulder": (0, 9), "upper arm": (9, 29), "forearm": (29, 55), "hand": (55, 77)}},
}  # fmt: skip
"""Stretches of the parts that are regions: in height, or along the arm."""


class Shape(NamedTuple):
    """A piece of a region. outline: (n, 2), cm."""

    region: str
    view: str
    outline: Array


def _profile(rows: Any, low: float, high: float, step: float = 0.5) -> tuple[Array, Array]:
    """Smooth between rows."""
    from scipy.interpolate import PchipInterpolator

    table = np.asarray(rows, dtype=float)
    places = np.linspace(low, high, max(3, int((high - low) / step) + 1))
    return places, PchipInterpolator(table[:, 0], table[:, 1:])(places)


def shapes() -> list[Shape]:
    """All regions of both figures; what lies left and right is two shapes."""
    found = []
    for part, views in PARTS.items():
        for view, stretches in views.items():
            middle = 0.0 if view == "front" else APART
            for region, (low, high) in stretches.items():
                for outline in _outlines(part, low, high):
                    found.append(Shape(region, view, outline + np.array([middle, 0.0])))
    return found


def _outlines(part: str, low: float, high: float) -> list[Array]:
    places, wide = _profile({"trunk": TRUNK, "leg": LEG, "arm": ARM}[part], low, high)
    if part == "trunk":
        return [np.column_stack([np.r_[wide[:, 0], -wide[::-1, 0]], np.r_[places, places[::-1]]])]
    if part == "leg":
        one = np.column_stack([np.r_[wide[:, 0], wide[::-1, 1]], np.r_[places, places[::-1]]])
    else:
        along, across = (
            np.array(v) for v in ((np.sin(ARM_TURN), -np.cos(ARM_TURN)), (np.cos(ARM_TURN), np.sin(ARM_TURN)))
        )
        line = np.array(ARM_TOP) + places[:, None] * along
        one = np.concatenate([line - wide * across, (line + wide * across)[::-1]])
    return [one, one * [-1.0, 1.0]]


def draw_body_map(
    shares: Mapping[str, float | None],
    path: str | Path | None = None,
    *,
    title: str = "",
    label: str = "people who feel discomfort",
    at_least: frozenset[str] | set[str] = frozenset(),
    sides: Mapping[str, set[str]] | None = None,
) -> Figure:
    """shares: by region that is pressed, of people, 0 to 1; None where nothing is known: hatched. at_least: regions in which
    there may be more. sides: by region, 'right' and 'left' as far as they are pressed; both of a region that is not in it."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    colours = LinearSegmentedColormap.from_list("felt", COLOURS)
    with style():
        figure = new_figure(6.4, 6.0)
        figure.set_layout_engine("constrained", w_pad=0.05, h_pad=0.05)
        ax = figure.add_subplot()
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.grid(visible=False)
        for middle in (0.0, APART):
            _head(ax, middle)
        pressed = [one for one in shapes() if _is_pressed(one, shares, sides or {})]
        for shape in shapes():
            _fill(ax, shape, shares, colours, _is_pressed(shape, shares, sides or {}))
        for view, middle in (("front", 0.0), ("back", APART)):
            ax.text(middle, 183.0, view, ha="center", va="bottom", color=MUTED, fontsize=11)
        _label(ax, shares, at_least, pressed)
        ax.set_xlim(-62.0, APART + 62.0)
        ax.set_ylim(-8.0, 190.0)
        bar = figure.colorbar(
            ScalarMappable(Normalize(0.0, 100.0), colours),
            ax=ax,
            orientation="horizontal",
            shrink=0.5,
            pad=0.0,
            aspect=28,
        )
        bar.set_label(f"{label} (%)")
        bar.outline.set_visible(False)  # type: ignore[operator]
        if title:
            ax.set_title(title)
        if path is not None:
            save(figure, path)
    return figure


def _head(ax: Axes, middle: float) -> None:
    from matplotlib.patches import Ellipse, Polygon

    low, high, wide = NECK
    neck = [
        (middle - wide - 1.2, low),
        (middle - wide + 0.6, high),
        (middle + wide - 0.6, high),
        (middle + wide + 1.2, low),
    ]
    x, y, a, b = HEAD
    for look in (OUTLINE, {"facecolor": BAND, "edgecolor": "none", "zorder": 2}):
        ax.add_patch(Polygon(neck, closed=True, **look))
        ax.add_patch(Ellipse((middle + x, y), 2.0 * a, 2.0 * b, **look))


def _is_pressed(shape: Shape, shares: Mapping[str, float | None], sides: Mapping[str, set[str]]) -> bool:
    if shape.region not in shares or not sides.get(shape.region):
        return shape.region in shares
    aside = float(shape.outline[:, 0].mean()) - (0.0 if shape.view == "front" else APART)
    side = "right" if (aside < 0) == (shape.view == "front") else "left"  # who faces us has the right hand at our left
    return abs(aside) < 1.0 or side in sides[shape.region]


def _fill(ax: Axes, shape: Shape, shares: Mapping[str, float | None], colours: Any, pressed: bool) -> None:
    from matplotlib.patches import Polygon

    share = shares.get(shape.region) if pressed else None
    face = BAND if share is None else colours(share)
    ax.add_patch(Polygon(shape.outline, closed=True, **OUTLINE))
    look: dict[str, Any] = {"facecolor": face, "edgecolor": "#ffffff" if pressed else face, "linewidth": 0.6}
    if pressed and share is None:
        look |= {"hatch": "////", "edgecolor": MUTED, "linewidth": 0.4}
    ax.add_patch(Polygon(shape.outline, closed=True, zorder=4 if pressed else 2, joinstyle="round", **look))


def _label(
    ax: Axes, shares: Mapping[str, float | None], at_least: frozenset[str] | set[str], pressed: list[Shape]
) -> None:
    """Names beside the figures, at the side where there is room, without overlap."""
    sides: dict[str, list[tuple[float, str, float]]] = {"front": [], "back": []}
    for region, share in shares.items():
        pieces = [one for one in pressed if one.region == region]
        if not pieces:
            continue
        view = "front" if any(one.view == "front" for one in pieces) else "back"
        outer = [one for one in pieces if one.view == view]
        outline = outer[-1].outline if view == "front" else outer[0].outline
        edge = outline[:, 0].min() if view == "front" else outline[:, 0].max()
        said = "not known" if share is None else f"{'at least ' if region in at_least else ''}{100.0 * share:.0f} %"
        sides[view].append((float(outline[:, 1].mean()), f"{region}\n{said}", float(edge)))
    for view, entries in sides.items():
        placed = 1e9
        for height, text, edge in sorted(entries, reverse=True):
            y = min(height, placed - 13.0)
            placed = y
            x = -36.0 if view == "front" else APART + 36.0
            ax.plot([edge, x], [height, y], color=MUTED, linewidth=0.8, zorder=6)
            ax.text(x + (-1.0 if view == "front" else 1.0), y, text, color=INK, fontsize=9.5, va="center",
                    ha="right" if view == "front" else "left", linespacing=1.15)  # fmt: skip
