"""Page about a trade-off: effect of a parameter on several outputs, with limits and the chosen value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Chart, ChartLine, Fact, Figures, Heading, ReportBlock, Table
from gaitwright.report.figures.sweep_maps import colour_range
from gaitwright.report.page import Report

if TYPE_CHECKING:
    from gaitwright.design.trade_off import TradeOff

MARKED_COLOUR, LIMIT_COLOUR = 7, 3


def trade_off_report(curve: TradeOff) -> Report:
    """Create the page about a trade-off."""
    question, data = curve.question, curve.data
    x = data[question.parameter].values
    names = [str(name) for name in data.data_vars if name != "failure"]
    allowed = feasible_mask(curve)
    failed = int((data["failure"] != "").sum())
    facts = [Fact("values analysed", int(x.size), note=f"{failed} without numbers" if failed else "")]
    if question.limits:
        good = x[allowed]
        note = f"{question.parameter} from {good.min():.4g} to {good.max():.4g}" if good.size else "none"
        facts.append(Fact("values that keep the limits", int(allowed.sum()), note=note))
    blocks: list[ReportBlock] = [Figures(facts), Heading("Over the parameter")]
    for name in names:
        values = data[name].values
        lines = [ChartLine(name, x, values)]
        if np.isfinite(values).any():
            span = [x[0], x[-1]]
            target, near = curve.targets.get(name), 3.0 * float(np.nanmax(np.abs(values), initial=0.0))
            lines += [
                ChartLine("limit", span, [side, side], look="dashed", colour=LIMIT_COLOUR)
                for side in limit_sides(curve, name)
                if abs(side) < near
            ]
            lines += (
                [ChartLine("target", span, [target, target], look="dashed", colour=2)] if target is not None else []
            )
        marks = [(float(curve.marked), MARKED_COLOUR)] if curve.marked is not None else []
        levels = [*limit_sides(curve, name), *([curve.targets[name]] if name in curve.targets else [])]
        window, note = clipped_axis_range(values, levels)
        labels = question.parameter, _axis_label(curve, name)
        blocks.append(Chart(name, lines, *labels, marks=marks, over_time=False, ylim=window, note=note))
    header = [question.parameter, *(_axis_label(curve, name) for name in names)]
    rows: list[list[Any]] = [[float(v), *(float(data[name].values[k]) for name in names)] for k, v in enumerate(x)]
    if question.limits:
        header.append("keeps the limits")
        rows = [[*row, "yes" if good else "no"] for row, good in zip(rows, allowed, strict=True)]
    best = {(k, 0) for k, value in enumerate(x) if value == curve.marked}
    blocks += [Heading("Numbers"), Table("All values", header, rows, best=best)]
    return Report(f"{question.model.document.name}: the choice of {question.parameter}", ", ".join(names), blocks)


def clipped_axis_range(values: np.ndarray, levels: list[float]) -> tuple[tuple[float, float] | None, str]:
    """Displayed range of the y axis, with a note, if a few values near a dead point would compress all others."""
    known = values[np.isfinite(values)]
    if not known.size:
        return None, ""
    low, high = colour_range(known)
    if low <= known.min() and high >= known.max():
        return None, ""
    low, high = min(low, *levels, low), max(high, *levels, high)
    room = 0.08 * (high - low)
    return (
        low - room,
        high + room,
    ), f"Values go from {known.min():.4g} to {known.max():.4g}; the chart shows most of them."


def feasible_mask(curve: TradeOff) -> np.ndarray:
    """Mask of the values that satisfy all limits, (n,)."""
    data = curve.data
    good = np.array(data["failure"].values == "", dtype=bool)
    for name, limit in curve.question.limits.items():
        with np.errstate(invalid="ignore"):
            values = np.abs(data[name].values) if limit.is_size else data[name].values
            good &= np.where(np.isfinite(values), (values >= limit.low) & (values <= limit.high), False)
    return good


def limit_sides(curve: TradeOff, name: str) -> list[float]:
    """Limits of a number: the largest magnitude, or the finite sides of its range."""
    limit = curve.question.limits.get(name)
    if limit is None:
        return []
    return [limit.high] if limit.is_size else [side for side in (limit.low, limit.high) if np.isfinite(side)]


def _axis_label(curve: TradeOff, name: str) -> str:
    unit = curve.data[name].attrs["units"]
    return f"{name} ({unit})" if unit not in ("", "1", "mixed") else name
