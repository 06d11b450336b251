"""Page about a trade-off: effect of a parameter on several outputs, with limits and the chosen value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Chart, ChartLine, Fact, Figures, Heading, ReportBlock, Table
from gaitwright.report.figures.sweep_maps import colour_range
from gaitwright.report.page import Report

if TYPE_CHECKING:
    from gaitwright.design.choose_result import ChoiceResult
    from gaitwright.design.number_limits import NumberLimit
    from gaitwright.design.trade_off import TradeOffResult

MARKED_COLOUR, LIMIT_COLOUR = 7, 3


def trade_off_report(curve: TradeOffResult | ChoiceResult) -> Report:
    question, data, parameter, names = curve.question, curve.data, curve.parameter, curve.names
    x = data[parameter].values
    limits = question.number_limits()
    allowed = curve.feasible.values
    failed = int((data["failure"] != "").sum())
    facts = [Fact("values analysed", int(x.size), note=f"{failed} without numbers" if failed else "")]
    if limits:
        good = x[allowed]
        note = f"{parameter} from {good.min():.4g} to {good.max():.4g}" if good.size else "none"
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
                for side in limit_sides(limits.get(name))
                if abs(side) < near
            ]
            lines += (
                [ChartLine("target", span, [target, target], look="dashed", colour=2)] if target is not None else []
            )
        marks = [(float(curve.marked), MARKED_COLOUR)] if curve.marked is not None else []
        levels = [*limit_sides(limits.get(name)), *([curve.targets[name]] if name in curve.targets else [])]
        window, note = clipped_axis_range(values, levels)
        labels = parameter, question.label(name)
        blocks.append(Chart(name, lines, *labels, marks=marks, over_time=False, ylim=window, note=note))
    header = [parameter, *(question.label(name) for name in names)]
    rows: list[list[Any]] = [[float(v), *(float(data[name].values[k]) for name in names)] for k, v in enumerate(x)]
    if limits:
        header.append("keeps the limits")
        rows = [[*row, "yes" if good else "no"] for row, good in zip(rows, allowed, strict=True)]
    best = {(k, 0) for k, value in enumerate(x) if value == curve.marked}
    blocks += [Heading("Numbers"), Table("All values", header, rows, best=best)]
    return Report(f"{question.name}: the choice of {parameter}", ", ".join(names), blocks)


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


def limit_sides(limit: NumberLimit | None) -> list[float]:
    """Limits of a number: the largest magnitude, or the finite sides of its range."""
    if limit is None:
        return []
    return [limit.high] if limit.is_size else [side for side in (limit.low, limit.high) if np.isfinite(side)]
