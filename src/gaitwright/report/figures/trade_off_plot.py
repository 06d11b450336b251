"""Plot of a trade-off: effect of a parameter on several quantities, with limits, a target and the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, PALETTE, new_figure, plot_style, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORBIDDEN_COLOUR = "#D55E00"
MAX_DOTTED_VALUES = 40
"""Maximum number of values that are marked by dots, with a smooth curve without overshoot between them."""


def plot_trade_off(
    title: str,
    label: str,
    x: Sequence[float] | np.ndarray,
    panels: Mapping[str, tuple[Sequence[float] | np.ndarray, str]],
    *,
    limits: Mapping[str, Any] | None = None,
    targets: Mapping[str, float] | None = None,
    marked: float | None = None,
    allowed: float | None = None,
    logarithmic: bool = False,
    path: str | Path | None = None,
) -> Figure:
    """Plot quantities, name to (values (n,), unit), over a parameter x (n,), one panel each.

    label: of the parameter. NaN: failed, shown by a cross at the bottom. limits: largest allowed magnitudes, or (low, high)
    with None for a free side; the range beyond is shaded. targets: target values. marked: chosen value of the parameter.
    allowed: another value to mark, because it satisfies the limits."""
    order = np.argsort(np.asarray(x, dtype=float), kind="stable")
    x = np.asarray(x, dtype=float)[order]
    limits, targets = limits or {}, targets or {}
    with plot_style():
        figure = new_figure(7.2, 1.1 + 1.95 * len(panels))
        axes: list[Axes] = list(np.ravel(figure.subplots(len(panels), 1, sharex=True, squeeze=False)))
        for k, (ax, (name, (values, unit))) in enumerate(zip(axes, panels.items(), strict=True)):
            values = np.asarray(values, dtype=float)[order]
            if logarithmic:
                ax.set_xscale("log")
            _draw_curve(ax, x, values, PALETTE[k % len(PALETTE)], logarithmic)
            _draw_levels(ax, values, limits.get(name), targets.get(name))
            for place, face in ((marked, INK_COLOUR), (allowed, "white")):
                if place is not None:
                    value = _interpolate_marked(x, values, place, logarithmic)
                    line = "-" if face == INK_COLOUR else ":"
                    ax.axvline(place, color=INK_COLOUR, linewidth=1.0, linestyle=line, zorder=1)
                    ax.plot([place], [value], "o", color=INK_COLOUR, markerfacecolor=face, markersize=6.5, zorder=6)
                    before, after = (
                        _interpolate_marked(x, values, place * factor, logarithmic) for factor in (0.98, 1.02)
                    )
                    note = f"{value:.4g}" + (f" {unit}" if unit not in ("", "1", "mixed") else "")
                    levels = [*_limit_sides(limits.get(name)), *_limit_sides(targets.get(name))]
                    _draw_note(ax, place, value, note, (after - before) * place, levels)
            ax.set_ylabel(name + (f"\n({unit})" if unit not in ("", "1", "mixed") else ""), parse_math=False)
            ax.margins(x=0.02)
        axes[0].set_title(title, parse_math=False)
        axes[-1].set_xlabel(label, parse_math=False)
        if logarithmic:
            _set_plain_ticks(axes[-1], x)
        figure.align_ylabels(axes)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
        if path is not None:
            save_figure(figure, path)
        return figure


def _draw_curve(ax: Axes, x: np.ndarray, values: np.ndarray, color: str, logarithmic: bool) -> None:
    from scipy.interpolate import PchipInterpolator

    finite = np.isfinite(values)
    x_good, y = np.unique(x[finite], return_index=True)
    y = values[finite][y]
    dotted = x_good.size <= MAX_DOTTED_VALUES
    if dotted and x_good.size > 2:
        scale, back = (np.log, np.exp) if logarithmic else (np.asarray, np.asarray)
        fine = np.union1d(np.linspace(scale(x_good[0]), scale(x_good[-1]), 300), scale(x_good))
        ax.plot(back(fine), PchipInterpolator(scale(x_good), y)(fine), color=color)
    else:
        ax.plot(x_good, y, color=color)
    if dotted:
        ax.plot(x_good, y, "o", color=color, markersize=3.2)
    failed = x[~finite]
    if failed.size:
        bottom: Any = ax.get_xaxis_transform()
        ax.plot(
            failed,
            np.full(failed.size, 0.04),
            "x",
            color=MUTED_COLOUR,
            transform=bottom,
            markersize=5,
            label="not computed",
        )
        ax.legend(loc="best", fontsize=8)


def _interpolate_marked(x: np.ndarray, values: np.ndarray, marked: float | None, logarithmic: bool) -> float:
    """Value at the marked parameter: computed there, or interpolated between its neighbours."""
    finite = np.isfinite(values)
    if marked is None or not finite.any():
        return float("nan")
    scale = np.log if logarithmic else np.asarray
    return float(np.interp(scale(marked), scale(x[finite]), values[finite]))


def _limit_sides(limit: Any) -> list[float]:
    """The largest magnitude, or the sides of a range that are not free."""
    sides = limit if isinstance(limit, (tuple, list)) else (limit,)
    return [float(side) for side in sides if side is not None]


def _draw_range(ax: Axes, sides: Sequence[float | None]) -> None:
    """Draw the low and the high side of a range as lines, and shade the visible range beyond them."""
    low, high = ax.get_ylim()
    across: Any = ax.get_yaxis_transform()
    for side, outer, words, va in ((sides[0], low, "at least", "top"), (sides[1], high, "at most", "bottom")):
        if side is None:
            continue
        if low < side < high:
            ax.axhspan(min(side, outer), max(side, outer), color=FORBIDDEN_COLOUR, alpha=0.10, linewidth=0, zorder=0)
            ax.axhline(side, color=FORBIDDEN_COLOUR, linewidth=1.2, zorder=1)
            ax.text(0.008, side, f"{words} {side:.4g}", color=FORBIDDEN_COLOUR, fontsize=8.5, va=va, transform=across)
        else:
            above = side >= high
            ax.text(0.008, 0.97 if above else 0.03, f"{words} {side:.4g}, {'above' if above else 'below'} the picture",
                    color=FORBIDDEN_COLOUR, fontsize=8.5, va="top" if above else "bottom", transform=ax.transAxes)  # fmt: skip
    ax.set_ylim(low, high)


def _draw_levels(ax: Axes, values: np.ndarray, limit: Any, target: float | None) -> None:
    """Draw lines of the limit and of the target. The target is always visible; a limit far away does not compress the curve."""
    if isinstance(limit, (tuple, list)):
        _draw_levels(ax, values, None, target)
        _draw_range(ax, limit)
        return
    low, high = ax.get_ylim()
    span = high - low
    if target is not None:
        ax.axhline(target, color=INK_COLOUR, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        low, high = min(low, target - 0.1 * span), max(high, target + 0.1 * span)
    if limit is not None:
        top = np.nanmax(np.abs(values), initial=0.0)
        if limit < 3.0 * top:
            high = max(high, 1.12 * limit)
        if np.nanmin(values, initial=0.0) < 0.0:
            ax.axhspan(min(-limit, low), -limit, color=FORBIDDEN_COLOUR, alpha=0.10, linewidth=0, zorder=0)
        if limit < high:
            ax.axhspan(limit, high, color=FORBIDDEN_COLOUR, alpha=0.10, linewidth=0, zorder=0)
            ax.axhline(limit, color=FORBIDDEN_COLOUR, linewidth=1.2, zorder=1)
            side: Any = ax.get_yaxis_transform()
            ax.text(
                0.008, limit, f"limit {limit:.4g}", color=FORBIDDEN_COLOUR, fontsize=8.5, va="bottom", transform=side
            )
        else:
            ax.text(0.008, 0.97, f"limit {limit:.4g}, above the picture", color=FORBIDDEN_COLOUR, fontsize=8.5, va="top",
                    transform=ax.transAxes)  # fmt: skip
    ax.set_ylim(low, high)


def _draw_note(ax: Axes, x: float, y: float, text: str, slope: float, levels: Sequence[float]) -> None:
    """Write the value beside the mark, above the curve on the lower side; if there is no space or a line, below the curve on
    the higher side."""
    if not np.isfinite(y):
        return
    place = ax.transAxes.inverted().transform
    across, up = place(ax.transData.transform((x, y)))
    lines = [place(ax.transData.transform((x, level)))[1] - up for level in levels]
    above = up < 0.8 and not any(0.02 < line < 0.2 for line in lines)
    left = across > 0.8 or (across > 0.2 and (slope > 0.0) == above)
    ax.annotate(
        text, (x, y), xytext=(-8 if left else 8, 6 if above else -6), textcoords="offset points",
        ha="right" if left else "left", va="bottom" if above else "top", color=INK_COLOUR, fontweight="bold",
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.95}, zorder=7,
    )  # fmt: skip


def _set_plain_ticks(ax: Axes, x: np.ndarray) -> None:
    """Set ticks 0.002, 0.005, 0.01 instead of powers of ten, if there are few of them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    decades = np.log10(x.max() / x.min())
    subs = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0) if decades < 1.2 else (1.0, 2.0, 5.0) if decades < 3 else (1.0,)
    ax.xaxis.set_major_locator(LogLocator(subs=subs))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}"))
