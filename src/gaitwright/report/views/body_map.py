"""Body map of a person from the front and from behind, each region coloured by the share of people with discomfort there.

The figure is drawn from profiles: width of trunk, arms and legs along their length, in cm for a height of 180 cm. A region
is an interval of one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.report.figures.style import (
    BAND_COLOUR,
    INK_COLOUR,
    MATPLOTLIB_STYLE,
    MUTED_COLOUR,
    new_figure,
    plot_style,
    save_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = np.ndarray
DISCOMFORT_COLOURS = ("#fde9c9", "#f9b56b", "#ec7a3c", "#c9382b", "#8c1425")
"""Colours for shares of people, from 0 to 1."""
TRUNK_PROFILE_CM = (
    (90, 17.6), (94, 17.5), (99, 16.4), (104, 14.8), (109, 14.2), (116, 14.8), (123, 16.0), (130, 17.2), (136, 18.2),
    (141, 18.6), (144, 17.0), (146.5, 12.5), (149, 8.0), (151, 6.2),
)  # fmt: skip
"""Rows (height, half width)."""
LEG_PROFILE_CM = (
    (0, 6.9, 13.2), (2, 6.4, 13.6), (4, 6.5, 13.0), (7, 7.2, 11.9), (10, 7.4, 11.5), (16, 7.0, 11.9), (22, 6.2, 12.8),
    (29, 5.1, 14.1), (35, 4.6, 14.4), (40, 4.9, 13.8), (44, 5.1, 13.4), (48, 4.8, 13.6), (53, 4.2, 14.2),
    (62, 2.9, 15.7), (72, 1.5, 17.0), (82, 0.7, 17.7), (90, 0.3, 17.6),
)  # fmt: skip
"""Rows (height, inner, outer): distances from the middle."""
ARM_PROFILE_CM = (
    (0, 1.8), (1.5, 3.9), (4, 5.2), (8, 5.5), (14, 5.0), (22, 4.4), (29, 4.2), (34, 4.4), (39, 4.3), (46, 3.5), (53, 2.6),
    (56, 2.5), (59, 3.1), (64, 3.9), (69, 3.7), (74, 2.6), (77, 1.0),
)  # fmt: skip
"""Rows (distance from the shoulder end, half width)."""
ARM_TOP_CM, ARM_ANGLE_RAD = (17.6, 146.0), np.radians(11.0)
HEAD_ELLIPSE_CM, NECK_BOX_CM = (0.0, 166.5, 7.6, 10.8), (148.0, 158.0, 5.2)
OUTLINE_STYLE: dict[str, Any] = {
    "facecolor": BAND_COLOUR,
    "edgecolor": MATPLOTLIB_STYLE["axes.edgecolor"],
    "linewidth": 2.4,
    "zorder": 0,
}
"""Style of the lowest layer: only the edge of the whole figure remains visible."""
FIGURE_SPACING_CM = 74.0
"""Distance between the middles of the two figures."""
PART_REGIONS_CM = {
    "trunk": {"front": {"pelvis": (90, 103), "abdomen": (103, 121), "chest": (121, 141), "shoulder": (141, 151)},
              "back": {"buttock": (90, 103), "lower back": (103, 121), "upper back": (121, 141), "shoulder": (141, 151)}},
    "leg": {"front": {"instep": (0, 6), "ankle": (6, 14), "shin": (14, 40), "knee": (40, 52), "thigh": (52, 90)},
            "back": {"sole": (0, 6), "ankle": (6, 14), "calf": (14, 40), "knee": (40, 52), "thigh": (52, 90)}},
    "arm": {"front": {"shoulder": (0, 9), "upper arm": (9, 29), "forearm": (29, 55), "hand": (55, 77)},
            "back": {"shoulder": (0, 9), "upper arm": (9, 29), "forearm": (29, 55), "hand": (55, 77)}},
}  # fmt: skip
"""Intervals of the parts that are regions: in height, or along the arm."""


class RegionOutline(NamedTuple):
    """A part of a region. outline: (n, 2), cm."""

    region: str
    view: str
    outline: Array


def _smooth_profile(rows: Any, low: float, high: float, step: float = 0.5) -> tuple[Array, Array]:
    """Interpolate a profile smoothly between its rows."""
    from scipy.interpolate import PchipInterpolator

    table = np.asarray(rows, dtype=float)
    places = np.linspace(low, high, max(3, int((high - low) / step) + 1))
    return places, PchipInterpolator(table[:, 0], table[:, 1:])(places)


def region_outlines() -> list[RegionOutline]:
    """Outlines of all regions of both figures; a region on the left and right has two outlines."""
    outlines = []
    for part, views in PART_REGIONS_CM.items():
        for view, stretches in views.items():
            middle = 0.0 if view == "front" else FIGURE_SPACING_CM
            for region, (low, high) in stretches.items():
                for outline in _part_outlines(part, low, high):
                    outlines.append(RegionOutline(region, view, outline + np.array([middle, 0.0])))
    return outlines


def _part_outlines(part: str, low: float, high: float) -> list[Array]:
    places, wide = _smooth_profile(
        {"trunk": TRUNK_PROFILE_CM, "leg": LEG_PROFILE_CM, "arm": ARM_PROFILE_CM}[part], low, high
    )
    if part == "trunk":
        return [np.column_stack([np.r_[wide[:, 0], -wide[::-1, 0]], np.r_[places, places[::-1]]])]
    if part == "leg":
        outline = np.column_stack([np.r_[wide[:, 0], wide[::-1, 1]], np.r_[places, places[::-1]]])
    else:
        along, across = (
            np.array(v)
            for v in ((np.sin(ARM_ANGLE_RAD), -np.cos(ARM_ANGLE_RAD)), (np.cos(ARM_ANGLE_RAD), np.sin(ARM_ANGLE_RAD)))
        )
        line = np.array(ARM_TOP_CM) + places[:, None] * along
        outline = np.concatenate([line - wide * across, (line + wide * across)[::-1]])
    return [outline, outline * [-1.0, 1.0]]


def draw_body_map(
    shares: Mapping[str, float | None],
    path: str | Path | None = None,
    *,
    title: str = "",
    label: str = "people who feel discomfort",
    at_least: frozenset[str] | set[str] = frozenset(),
    sides: Mapping[str, set[str]] | None = None,
) -> Figure:
    """Draw the body map. shares: share of people, 0 to 1, by pressed region; None if unknown: hatched. at_least: regions in
    which the share may be larger. sides: pressed sides, 'right' and 'left', by region; both for a region that is not
    included."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    colours = LinearSegmentedColormap.from_list("felt", DISCOMFORT_COLOURS)
    with plot_style():
        figure = new_figure(6.4, 6.0)
        figure.set_layout_engine("constrained", w_pad=0.05, h_pad=0.05)
        ax = figure.add_subplot()
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.grid(visible=False)
        for middle in (0.0, FIGURE_SPACING_CM):
            _draw_head(ax, middle)
        pressed = [
            region_outline for region_outline in region_outlines() if _is_pressed(region_outline, shares, sides or {})
        ]
        for shape in region_outlines():
            _fill_region(ax, shape, shares, colours, _is_pressed(shape, shares, sides or {}))
        for view, middle in (("front", 0.0), ("back", FIGURE_SPACING_CM)):
            ax.text(middle, 183.0, view, ha="center", va="bottom", color=MUTED_COLOUR, fontsize=11)
        _draw_labels(ax, shares, at_least, pressed)
        ax.set_xlim(-62.0, FIGURE_SPACING_CM + 62.0)
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
            save_figure(figure, path)
    return figure


def _draw_head(ax: Axes, middle: float) -> None:
    from matplotlib.patches import Ellipse, Polygon

    low, high, wide = NECK_BOX_CM
    neck = [
        (middle - wide - 1.2, low),
        (middle - wide + 0.6, high),
        (middle + wide - 0.6, high),
        (middle + wide + 1.2, low),
    ]
    x, y, a, b = HEAD_ELLIPSE_CM
    for look in (OUTLINE_STYLE, {"facecolor": BAND_COLOUR, "edgecolor": "none", "zorder": 2}):
        ax.add_patch(Polygon(neck, closed=True, **look))
        ax.add_patch(Ellipse((middle + x, y), 2.0 * a, 2.0 * b, **look))


def _is_pressed(shape: RegionOutline, shares: Mapping[str, float | None], sides: Mapping[str, set[str]]) -> bool:
    if shape.region not in shares or not sides.get(shape.region):
        return shape.region in shares
    aside = float(shape.outline[:, 0].mean()) - (0.0 if shape.view == "front" else FIGURE_SPACING_CM)
    # a person who faces the viewer has the right hand on the viewer's left
    side = "right" if (aside < 0) == (shape.view == "front") else "left"
    return abs(aside) < 1.0 or side in sides[shape.region]


def _fill_region(
    ax: Axes, shape: RegionOutline, shares: Mapping[str, float | None], colours: Any, pressed: bool
) -> None:
    from matplotlib.patches import Polygon

    share = shares.get(shape.region) if pressed else None
    face = BAND_COLOUR if share is None else colours(share)
    ax.add_patch(Polygon(shape.outline, closed=True, **OUTLINE_STYLE))
    look: dict[str, Any] = {"facecolor": face, "edgecolor": "#ffffff" if pressed else face, "linewidth": 0.6}
    if pressed and share is None:
        look |= {"hatch": "////", "edgecolor": MUTED_COLOUR, "linewidth": 0.4}
    ax.add_patch(Polygon(shape.outline, closed=True, zorder=4 if pressed else 2, joinstyle="round", **look))


def _draw_labels(
    ax: Axes, shares: Mapping[str, float | None], at_least: frozenset[str] | set[str], pressed: list[RegionOutline]
) -> None:
    """Write names beside the figures, on the free side, without overlap."""
    sides: dict[str, list[tuple[float, str, float]]] = {"front": [], "back": []}
    for region, share in shares.items():
        pieces = [piece for piece in pressed if piece.region == region]
        if not pieces:
            continue
        view = "front" if any(piece.view == "front" for piece in pieces) else "back"
        outer = [piece for piece in pieces if piece.view == view]
        outline = outer[-1].outline if view == "front" else outer[0].outline
        edge = outline[:, 0].min() if view == "front" else outline[:, 0].max()
        share_text = (
            "not known" if share is None else f"{'at least ' if region in at_least else ''}{100.0 * share:.0f} %"
        )
        sides[view].append((float(outline[:, 1].mean()), f"{region}\n{share_text}", float(edge)))
    for view, entries in sides.items():
        placed = 1e9
        for height, text, edge in sorted(entries, reverse=True):
            y = min(height, placed - 13.0)
            placed = y
            x = -36.0 if view == "front" else FIGURE_SPACING_CM + 36.0
            ax.plot([edge, x], [height, y], color=MUTED_COLOUR, linewidth=0.8, zorder=6)
            ax.text(x + (-1.0 if view == "front" else 1.0), y, text, color=INK_COLOUR, fontsize=9.5, va="center",
                    ha="right" if view == "front" else "left", linespacing=1.15)  # fmt: skip
