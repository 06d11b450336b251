"""Maps of a sweep: numbers over one or two parameters, with the best marked and failed variants hatched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, PALETTE, new_figure, plot_style, save_figure

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


CONTOUR_LEVEL_COUNT = 12
"""Approximate number of contours of a map."""
MIN_CONTOUR_VALUES = 6
"""Minimum number of values along an axis for contours; with fewer, cells are shown, since contours would be unreliable."""
MIN_LOG_AXIS_RATIO = 10.0
"""Ratio of the largest to the smallest value from which an axis is logarithmic, if the values have equal ratios."""
CONSTANT_VALUE_RTOL = 1e-9
"""Relative differences below this count as zero."""
COLOUR_BAR_EXTEND = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}
"""Matplotlib's `extend` option, by whether values lie below or above the colour range."""
MAX_MAP_PANELS = 3
"""Number of numbers that results draw by default."""
OPTIMUM_FUNCTIONS = {"min": np.nanargmin, "max": np.nanargmax}


class DatasetResult(Protocol):
    """Result that contains a Dataset, such as that of `gw.sweep`."""

    data: xr.Dataset


def plot_map(
    data: xr.Dataset | DatasetResult,
    quantities: str | Sequence[str] | Mapping[str, str],
    *,
    x: str | None = None,
    y: str | None = None,
    at: Mapping[str, float] | None = None,
    best: str | Mapping[str, str] | None = None,
    limits: Mapping[str, tuple[float | None, float | None]] | None = None,
    labels: Mapping[str, str] | None = None,
    title: str = "",
    path: str | Path | None = None,
) -> Figure:
    """Plot numbers of a sweep over two of its parameters, one panel each; over one parameter, one curve each.

        gw.plot_map(data, ["energy", "step_length"], x="L2", y="L6", best={"energy": "min"},
                    limits={"step_length": (0.37, None)}, path="map.png")

    data: result of `gw.sweep`, or its Dataset. quantities: names in it, or {name: label with its unit}. x, y: parameters of the
    axes; default: the first two with more than one value. at: values of the other parameters (the nearest is taken). best:
    "min" or "max", to mark this optimum in every panel; or {name: "min"}, to mark the optimum of one number in all panels.
    limits: {name: (low, high)}, either may be None; where they are violated the map is pale, and no optimum is marked there.
    labels: of parameters, with their units. Failed variants are hatched. path: file to write. Returns the matplotlib Figure;
    raises ModelError for unknown names."""
    import xarray as xr

    data = data if isinstance(data, xr.Dataset) else data.data
    names = dict(quantities) if isinstance(quantities, Mapping) else None
    selected = [quantities] if isinstance(quantities, str) else list(quantities)
    limits, labels = dict(limits or {}), dict(labels or {})
    marked = list(best) if isinstance(best, Mapping) else []
    data = _select_data(data, list(dict.fromkeys([*selected, *limits, *marked])), x, y, at)
    axes = [str(name) for name in data[selected[0]].dims]
    axes = [name for name in (x, y) if name in axes] or axes
    data = data.transpose(*axes, ...)
    panel_labels = {name: (names or {}).get(name) or _axis_label(data[name]) for name in selected}
    room = _limit_margin(data, limits)
    allowed = room >= 0.0
    marks = _find_marks(data, selected, best, allowed)
    draw = _draw_maps if len(axes) == 2 else _draw_curves
    with plot_style():
        figure = draw(data, axes, panel_labels, room, marks, limits)
        for ax in figure.axes:
            if ax.get_label() != "<colorbar>" and (len(axes) == 2 or ax is figure.axes[-1]):
                ax.set_xlabel(labels.get(axes[0], axes[0]), parse_math=False)
            if ax.get_label() != "<colorbar>" and len(axes) == 2:
                ax.set_ylabel(labels.get(axes[1], axes[1]), parse_math=False)
        if title:
            figure.suptitle(title, x=0.012, ha="left", fontweight="bold", parse_math=False)
        if path is not None:
            save_figure(figure, path)
        return figure


def _select_data(
    data: Any, names: list[str], x: str | None, y: str | None, at: Mapping[str, float] | None
) -> xr.Dataset:
    """Select the numbers over one or two parameters."""
    measures = [str(name) for name in data.data_vars if name != "failure" and "time" not in data[name].dims]
    for name in names:
        if name not in measures:
            ErrorContext(field="quantities").fail(
                "is not a number of this sweep",
                name,
                f"some of: {', '.join(measures) or '(it has none: give it a measure)'}",
            )
    parameters = [str(name) for name in data[names[0]].dims]
    for field, name in [("x", x), ("y", y), *(("at", name) for name in at or {})]:
        if name is not None and name not in parameters:
            ErrorContext(field=field).fail("is not a parameter of this sweep", name, ", ".join(parameters))
    data = data[names].sel(dict(at or {}), method="nearest") if at else data[names]
    free = [str(name) for name in data[names[0]].dims]
    axes = [name for name in (x, y) if name is not None]
    if x is None:
        several = [name for name in free if data.sizes[name] > 1 and name not in axes]
        axes = [*axes, *several][:2] if y is not None else several[:2]
    fixed = [name for name in free if name not in axes]
    data = data.isel({name: 0 for name in fixed if data.sizes[name] == 1}, drop=True)
    fixed = [name for name in fixed if name in data.dims]
    if fixed or not axes or any(name not in data.dims for name in axes):
        ErrorContext(field="at").fail(
            "a map has one or two parameters",
            dict(at or {}) or None,
            f"values of {', '.join(fixed) or 'none of its axes'}",
        )
    return data


def _axis_label(array: Any) -> str:
    unit = array.attrs.get("units", "")
    return str(array.name) + (f" ({unit})" if unit not in ("", "1", "mixed") else "")


def _limit_margin(data: Any, limits: Mapping[str, tuple[float | None, float | None]]) -> np.ndarray:
    """Margin to the limits, relative to the range of each number: negative where a limit is violated."""
    room = np.full(next(iter(data.data_vars.values())).shape, np.inf)
    for name, (low, high) in limits.items():
        values = data[name].values
        span = float(np.ptp(values[np.isfinite(values)])) if np.any(np.isfinite(values)) else 0.0
        for limit, side in ((low, 1.0), (high, -1.0)):
            if limit is not None:
                room = np.minimum(room, side * (values - limit) / (span or 1.0))
    return room


def _find_marks(data: Any, names: list[str], best: Any, allowed: np.ndarray) -> dict[str, tuple[int, ...]]:
    """Index of the optimum to mark in each panel."""
    if best is None:
        return {}
    optima = (
        {best_of: which for best_of, which in best.items()} if isinstance(best, Mapping) else dict.fromkeys(names, best)
    )
    places = {}
    for name, which in optima.items():
        if which not in OPTIMUM_FUNCTIONS or name not in data:
            ErrorContext(field="best").fail("is not known", best, '"min" or "max", or such as {"energy": "min"}')
        values = np.where(allowed, data[name].values, np.nan)
        if np.any(np.isfinite(values)):
            places[name] = tuple(int(k) for k in np.unravel_index(OPTIMUM_FUNCTIONS[which](values), values.shape))
    if isinstance(best, Mapping) and places:
        place = next(iter(places.values()))
        return {name: place for name in names}
    return places


def _is_log_axis(values: np.ndarray) -> bool:
    """True if an axis should be logarithmic."""
    if values.size < 3 or values.min() <= 0.0 or values.max() < MIN_LOG_AXIS_RATIO * values.min():
        return False
    return bool(np.ptp(np.diff(np.log(values))) < np.ptp(np.diff(values)) / np.ptp(values) + 1e-9)


def _draw_maps(data: Any, axes: list[str], labels: dict[str, str], room: Any, marks: Any, limits: Any) -> Figure:
    columns = min(len(labels), 3)
    rows = -(-len(labels) // columns)
    figure = new_figure(1.0 + 4.6 * columns, 0.6 + 3.9 * rows)
    # before colour bars, which are too far away otherwise
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    panels = list(np.ravel(figure.subplots(rows, columns, squeeze=False)))
    x, y = (data[name].values for name in axes)
    for ax, (name, label) in zip(panels, labels.items(), strict=False):
        values = data[name].values.T
        _draw_map(figure, ax, x, y, values, label)
        _draw_infeasible(ax, x, y, np.where(np.isfinite(values), room.T, np.nan))
        for wide, scale in ((_is_log_axis(x), ax.set_xscale), (_is_log_axis(y), ax.set_yscale)):
            if wide:
                scale("log")
        if name in marks:
            i, j = marks[name]
            ax.plot(
                [x[i]], [y[j]], "*", color="white", markeredgecolor=INK_COLOUR, markersize=15, clip_on=False, zorder=9
            )
            ax.set_title(f"{label} = {values[j, i]:.4g} at ★", fontsize=10.5, parse_math=False)
        else:
            ax.set_title(label, fontsize=10.5, parse_math=False)
    for ax in panels[len(labels) :]:
        ax.remove()
    return figure


def _draw_map(figure: Figure, ax: Axes, x: np.ndarray, y: np.ndarray, values: np.ndarray, label: str) -> None:
    """Draw filled contours, or cells if there are few values; cells without a value are hatched."""
    finite = np.isfinite(values)
    ax.grid(False)
    ax.patch.set(facecolor="white", hatch="////", edgecolor="#c3cad3")
    if not finite.any():
        return
    # single variants near a dead point are a hundred times worse; with them, all others would have one colour
    low, high = colour_range(values[finite])
    masked = np.ma.masked_invalid(values)
    if high - low < CONSTANT_VALUE_RTOL * max(abs(low), abs(high)):  # one value: contours would show rounding errors
        middle = 0.5 * (low + high)
        drawn: Any = ax.pcolormesh(
            _cell_edges(x), _cell_edges(y), np.ma.masked_array(np.full(values.shape, middle), ~finite)
        )
        drawn.set(cmap="viridis", clim=(middle - 0.1 * abs(middle), middle + 0.1 * abs(middle)))
    elif min(values.shape) >= MIN_CONTOUR_VALUES:
        from matplotlib.ticker import MaxNLocator

        levels = MaxNLocator(CONTOUR_LEVEL_COUNT).tick_values(low, high)
        beyond = COLOUR_BAR_EXTEND[bool(low > values[finite].min()), bool(high < values[finite].max())]
        drawn = ax.contourf(x, y, masked, levels=levels, cmap="viridis", extend=beyond)
        ax.contour(x, y, masked, levels=levels, colors="white", linewidths=0.5, alpha=0.6)
    else:
        drawn = ax.pcolormesh(_cell_edges(x), _cell_edges(y), masked, cmap="viridis", vmin=low, vmax=high)
    figure.colorbar(drawn, ax=ax, shrink=0.95, label="").outline.set_visible(False)


def colour_range(values: np.ndarray) -> tuple[float, float]:
    """Colour range of a map: all values, without the lowest and highest 5 % on a side where they lie far away."""
    low, high = float(values.min()), float(values.max())
    inner = np.quantile(values, [0.05, 0.95])
    far_distance = 3.0 * float(inner[1] - inner[0])
    if far_distance == 0.0:
        return low, high
    return (low if inner[0] - low < far_distance else float(inner[0])), (
        high if high - inner[1] < far_distance else float(inner[1])
    )


def _cell_edges(values: np.ndarray) -> np.ndarray:
    """Edges of cells around values, on the scale of the axis."""
    if values.size == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    scale, back = (np.log, np.exp) if _is_log_axis(values) else (np.asarray, np.asarray)
    inner = 0.5 * (scale(values[1:]) + scale(values[:-1]))
    ends = 2.0 * scale(values[[0, -1]]) - inner[[0, -1]]
    return back(np.r_[ends[0], inner, ends[1]])


def _draw_infeasible(ax: Axes, x: np.ndarray, y: np.ndarray, room: np.ndarray) -> None:
    """Draw infeasible regions pale, with a line along their border."""
    if not np.any(room < 0.0):
        return
    masked: Any = np.ma.masked_invalid(np.clip(room, -1e3, 1e3))
    if min(room.shape) >= MIN_CONTOUR_VALUES:
        ax.contourf(x, y, masked, levels=[-2e3, 0.0], colors="white", alpha=0.6, zorder=4)
        ax.contour(x, y, masked, levels=[0.0], colors=PALETTE[3], linewidths=1.4, zorder=5)
    else:
        pale = np.ma.masked_where(~(room < 0.0), np.ones(room.shape))
        ax.pcolormesh(_cell_edges(x), _cell_edges(y), pale, cmap="gray", vmin=0.0, vmax=1.0, alpha=0.6, zorder=4)


def _draw_curves(data: Any, axes: list[str], labels: dict[str, str], room: Any, marks: Any, limits: Any) -> Figure:
    figure = new_figure(7.2, 1.0 + 2.1 * len(labels))
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
    panels = list(np.ravel(figure.subplots(len(labels), 1, sharex=True, squeeze=False)))
    x, allowed = data[axes[0]].values, room >= 0.0
    for k, (ax, (name, label)) in enumerate(zip(panels, labels.items(), strict=True)):
        values, colour = data[name].values, PALETTE[k % len(PALETTE)]
        ax.plot(x, values, color=colour, alpha=0.35 if not allowed.all() else 1.0)
        ax.plot(x, np.where(allowed, values, np.nan), color=colour, marker="." if x.size <= 40 else "")
        for limit in limits.get(name, ()):
            if limit is not None:
                ax.axhline(limit, color=PALETTE[3], linewidth=1.2, zorder=1)
        failed = x[~np.isfinite(values)]
        bottom: Any = ax.get_xaxis_transform()
        ax.plot(failed, np.full(failed.size, 0.04), "x", color=MUTED_COLOUR, transform=bottom, markersize=5)
        if name in marks:
            (i,) = marks[name]
            ax.plot([x[i]], [values[i]], "*", color=colour, markeredgecolor=INK_COLOUR, markersize=13, zorder=6)
            ax.annotate(
                f"{values[i]:.4g}", (x[i], values[i]), xytext=(7, 6), textcoords="offset points", fontweight="bold"
            )
        ax.set_ylabel(label, parse_math=False)
        ax.margins(x=0.02)
        if _is_log_axis(x):
            ax.set_xscale("log")
    figure.align_ylabels(panels)
    return figure
