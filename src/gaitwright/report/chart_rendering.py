"""Charts and maps of a report: each is drawn once and saved as a picture and as SVG for the page.

In the page, colours are CSS variables, so that a chart is dark on a dark page and white in print.
"""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.animations.planar_animation import peak_sample_indices
from gaitwright.report.blocks import Chart, ChartLine, Drawing, Map, ShadedArea
from gaitwright.report.figures.style import (
    BAND_COLOUR,
    GRID_COLOUR,
    INK_COLOUR,
    MATPLOTLIB_STYLE,
    MUTED_COLOUR,
    PALETTE,
    new_figure,
    plot_style,
    save_figure,
    shade_intervals,
)
from gaitwright.report.figures.sweep_maps import COLOUR_BAR_EXTEND, colour_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHART_WIDTH_IN, CHART_HEIGHT_IN, MAX_CHART_HEIGHT_IN = 4.4, 2.5, 3.9
"""Size of charts, inches. They are narrow, so that their numbers are readable on a phone."""
PALETTE_DARK = ("#3d9be0", "#f0b53a", "#2cc79a", "#f28244", "#9ad7fa", "#e39cc3", "#bdbd57", "#a491ff")
"""The palette on a dark page, in the same order."""
LINE_STYLES: dict[str, dict[str, Any]] = {
    "line": {},
    "thick": {"linewidth": 3.2},
    "dashed": {"linestyle": (0, (4, 3)), "linewidth": 1.4},
    "dots": {"linestyle": "none", "marker": "o", "markersize": 3.2},
}
CSS_COLOUR_VARIABLES = {
    INK_COLOUR: "ink",
    MUTED_COLOUR: "muted",
    GRID_COLOUR: "grid",
    BAND_COLOUR: "band",
    MATPLOTLIB_STYLE["axes.edgecolor"]: "surface",
    "#ffffff": "card",
}
CSS_COLOUR_VARIABLES |= {colour: f"series-{k}" for k, colour in enumerate(PALETTE)}
MAX_PLAYBACK_POINTS = 800
"""Maximum number of points of a line for the values shown while the animation plays."""


def draw_chart(chart: Chart, path: Path, prefix: str) -> dict[str, Any]:
    """Write the picture to `path`; return the data for the page: svg, legend, axes (position of the data in the SVG) and
    lines."""
    with plot_style():
        figure = new_figure(CHART_WIDTH_IN, CHART_HEIGHT_IN)
        ax = figure.add_subplot()
        legend = [_plot_line(ax, line, k) for k, line in enumerate(chart.lines)]
        for area in chart.areas:
            _fill_area(ax, area)
        for x, colour in chart.marks:
            look: dict[str, Any] = {"color": PALETTE[colour % len(PALETTE)], "linestyle": (0, (2, 3)), "linewidth": 1.1}
            ax.vlines(x, 0.0, 1.0, transform=ax.get_xaxis_transform(), zorder=1, **look)
        ax.set_xlabel(_wrap_label(chart.xlabel), parse_math=False)
        ax.set_ylabel(_wrap_label(chart.ylabel), parse_math=False)
        if chart.logarithmic:
            ax.set_yscale("log")
        if chart.equal:
            figure.set_size_inches(CHART_WIDTH_IN, _equal_aspect_height(chart))
            ax.set_aspect("equal", adjustable="datalim")
        elif not all(line.look == "dots" for line in chart.lines):  # dots without lines need a margin
            ax.margins(x=0)
        shade_intervals(ax, chart.bands)
        if chart.yticks:
            ax.set_yticks([y for y, _ in chart.yticks], [text for _, text in chart.yticks], parse_math=False)
            ax.tick_params(axis="y", length=0)
        if chart.ylim is not None:
            ax.set_ylim(*chart.ylim)
        ax.locator_params(axis="x", nbins=6)
        figure.set_layout_engine("constrained", w_pad=0.06, h_pad=0.05)
        page_data = {"svg": _figure_svg(figure, prefix), "legend": legend, "axes": _axes_geometry(figure)}
        page_data["lines"] = [_playback_data(chart, line) for line in chart.lines]
        _save_picture(figure, chart.title, path, legend=len(legend) > 1)
    return page_data


def draw_map(block: Map, path: Path, prefix: str) -> dict[str, Any]:
    """Write the picture to `path`; return the data for the page: svg."""
    with plot_style():
        figure = new_figure(CHART_WIDTH_IN, 3.2)
        figure.set_layout_engine("constrained", w_pad=0.06, h_pad=0.05)  # before the colour bar, which depends on it
        ax = figure.add_subplot()
        ax.grid(False)
        ax.set_facecolor(BAND_COLOUR)  # colour of cells without a value
        values = np.ma.masked_invalid(np.asarray(block.z, dtype=float))
        x, y = np.asarray(block.x, dtype=float), np.asarray(block.y, dtype=float)
        # single cells near a dead point are a hundred times larger; with them, all others would have one colour
        low, high = colour_range(values.compressed()) if values.count() else (0.0, 1.0)
        look = {"cmap": "viridis", "vmin": low, "vmax": high, "shading": "nearest", "rasterized": True}
        cells = ax.pcolormesh(x, y, values, **look)
        for label, *place in block.marks:
            ax.plot(*place, "o", color="#ffffff", markeredgecolor=INK_COLOUR, markersize=8)
            around = {"boxstyle": "round,pad=0.2", "facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.85}
            about: dict[str, Any] = {
                "textcoords": "offset points",
                "color": INK_COLOUR,
                "bbox": around,
                "parse_math": False,
            }
            left = place[0] > 0.5 * (x.min() + x.max())  # so that it does not overlap the colour bar
            about |= {"xytext": (-8 if left else 8, 6), "ha": "right" if left else "left"}
            ax.annotate(label, (place[0], place[1]), **about).set_in_layout(False)
        ax.set_xlabel(_wrap_label(block.xlabel), parse_math=False)
        ax.set_ylabel(_wrap_label(block.ylabel), parse_math=False)
        beyond = (low > values.min(), high < values.max()) if values.count() else (False, False)
        bar = figure.colorbar(cells, ax=ax, pad=0.02, extend=COLOUR_BAR_EXTEND[bool(beyond[0]), bool(beyond[1])])
        bar.set_label(_wrap_label(block.zlabel), parse_math=False)
        solids: Any = bar.solids
        solids.set_rasterized(True)
        svg = _figure_svg(figure, prefix)
        _save_picture(figure, block.title, path, legend=False)
    return {"svg": svg}


def draw_figure(block: Drawing, path: Path, prefix: str) -> str:
    """Write the picture to `path`; return the SVG for the page."""
    with plot_style():
        save_figure(block.figure, path)
        return _figure_svg(block.figure, prefix)


def _plot_line(ax: Axes, line: ChartLine, position: int) -> dict[str, Any]:
    """Draw a line; return its legend entry."""
    colour = (position if line.colour is None else line.colour) % len(PALETTE)
    x, y = np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float)
    ax.plot(x, y, label=line.label, color=PALETTE[colour], **LINE_STYLES[line.look])
    return {"label": line.label, "colour": f"var(--series-{colour})", "look": line.look}


def _fill_area(ax: Axes, area: ShadedArea) -> None:
    """Fill an area with a grey that is visible on white and on dark paper, or with a colour of the palette."""
    x, low, high = (np.asarray(part, dtype=float) for part in (area.x, area.low, area.high))
    colour, alpha = (MUTED_COLOUR, 0.17) if area.colour is None else (PALETTE[area.colour % len(PALETTE)], 0.22)
    ax.fill_between(x, low, high, color=colour, alpha=alpha, linewidth=0, zorder=0 if area.colour is None else 1)


def _equal_aspect_height(chart: Chart) -> float:
    """Height of the figure, inches, for paths with equal scales."""
    parts = [(np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float)) for line in chart.lines]
    spans = [np.nanmax(np.concatenate(p)) - np.nanmin(np.concatenate(p)) for p in zip(*parts, strict=True)]
    wide, high = max(spans[0], 1e-9), spans[1]
    return float(np.clip(0.75 + (CHART_WIDTH_IN - 0.9) * high / wide * 1.1, 2.0, MAX_CHART_HEIGHT_IN))


def _playback_data(chart: Chart, line: ChartLine) -> dict[str, Any] | None:
    """Thinned data of a line for the playback of the animation; None if the line has no time."""
    if len(line.spans):
        x, y = np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float)
        selected = np.unique(np.linspace(0, y.size - 1, MAX_PLAYBACK_POINTS).round().astype(int))
        spans = [[float(f"{t:.6g}") for t in span] for span in line.spans]
        return {"spans": spans, **_round_rows({"x": x[selected], "y": y[selected]})}
    time = line.x if chart.over_time and line.time is None else line.time
    if time is None or line.look == "dots" or not np.size(time):
        return None
    time, x, y = (np.asarray(part, dtype=float) for part in (time, line.x, line.y))
    if (np.diff(time) < 0).any():
        return None
    if chart.over_time:
        selected = peak_sample_indices(y, MAX_PLAYBACK_POINTS)
    else:
        selected = np.unique(np.linspace(0, y.size - 1, MAX_PLAYBACK_POINTS).round().astype(int))
    rows = {"time": time[selected], "y": y[selected]} | ({} if chart.over_time else {"x": x[selected]})
    return _round_rows(rows)


def _round_rows(rows: dict[str, np.ndarray]) -> dict[str, list[float | None]]:
    return {name: [float(f"{v:.6g}") if np.isfinite(v) else None for v in values] for name, values in rows.items()}


def _wrap_label(text: str, width: int = 32) -> str:
    """Wrap a label to lines that fit beside the axes: a label longer than the axes leaves no space for the plot."""
    return "\n".join(wrap(text, width))


def _axes_geometry(figure: Figure) -> dict[str, Any]:
    """Limits of the axes, in data and in SVG units (points from the top left)."""
    ax, (width, height) = figure.axes[0], 72.0 * figure.get_size_inches()
    box = ax.get_position()
    return {
        "x": [*map(float, ax.get_xlim()), round(box.x0 * width, 2), round(box.x1 * width, 2)],
        "y": [*map(float, ax.get_ylim()), round((1 - box.y0) * height, 2), round((1 - box.y1) * height, 2)],
        "logarithmic": ax.get_yscale() == "log",
    }


def _save_picture(figure: Figure, title: str, path: Path, *, legend: bool) -> None:
    """Save the picture for other documents, with title and legend inside; the page has its own. The axes keep their size in
    inches: a new layout would take as long as all the rest."""
    ax, (width, height) = figure.axes[0], figure.get_size_inches()
    boxes = [(axes, axes.get_position()) for axes in figure.axes]
    ax.set_title(heading := _wrap_label(title, 44), parse_math=False)
    rows = -(-len(ax.lines) // 2) if legend else 0
    below, above = 0.21 * rows + (0.08 if rows else 0.0), 0.15 + 0.2 * (1 + heading.count("\n"))
    total_height = height + below + above
    figure.set_layout_engine("none")
    limits = ax.axis()
    ax.set_aspect("auto")  # the box keeps its shape, so equal scales stay equal
    ax.axis(limits)
    figure.set_size_inches(width, total_height)
    for axes, box in boxes:
        axes.set_position(
            (box.x0, (box.y0 * height + below) / total_height, box.width, box.height * height / total_height)
        )
    if rows:
        figure.legend(loc="lower center", ncols=2, fontsize=9, borderaxespad=0.2)
    save_figure(figure, path)


def _figure_svg(figure: Figure, prefix: str) -> str:
    """The figure as an SVG element of a page: with colour variables, short numbers and unique ids."""
    import matplotlib

    buffer = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": prefix}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return tidy_svg(buffer.getvalue(), prefix)


def tidy_svg(svg: str, prefix: str) -> str:
    """Remove from matplotlib's SVG everything that the page must not contain twice or does not need."""
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg[svg.index("<svg") :], flags=re.S)
    box = re.search(r'viewBox="[^"]*"', svg)
    svg = re.sub(r"<svg[^>]*>", f'<svg class="plot" {box[0] if box else ""} aria-hidden="true">', svg, count=1)
    svg = re.sub(r"font-family: [^;\"]*;? ?", "", svg).replace("xlink:href", "href")
    svg = re.sub(r' (?:d|x|y|transform)="[^"]*"', _shorten_attribute, svg)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: f' id="{prefix}-{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r'(url\(|href=")#', rf"\1#{prefix}-", svg)
    for colour, name in CSS_COLOUR_VARIABLES.items():
        svg = re.sub(f": {colour}", f": var(--{name})", svg, flags=re.I)
    return re.sub(r">\s+<", "><", svg).strip()


def _shorten_attribute(attribute: re.Match[str]) -> str:
    """An SVG attribute in one line, with numbers rounded to 0.01 points."""
    return " " + re.sub(r"(\.\d\d)\d+", r"\1", " ".join(attribute[0].split()))
