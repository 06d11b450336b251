"""The page about a trade-off: what a parameter does to several outputs, with limits and the value that was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Block, Chart, Fact, Figures, Heading, Line, Table
from gaitwright.report.maps import colour_span
from gaitwright.report.page import Report

if TYPE_CHECKING:
    from gaitwright.design.trade_off import TradeOff

MARKED, LIMIT = 7, 3


def trade_off_report(curve: TradeOff) -> Report:
    question, data = curve.question, curve.data
    x = data[question.parameter].values
    names = [str(name) for name in data.data_vars if name != "failure"]
    allowed = keeping(curve)
    failed = int((data["failure"] != "").sum())
    facts = [Fact("values analysed", int(x.size), note=f"{failed} without numbers" if failed else "")]
    if question.limits:
        good = x[allowed]
        note = f"{question.parameter} from {good.min():.4g} to {good.max():.4g}" if good.size else "none"
        facts.append(Fact("values that keep the limits", int(allowed.sum()), note=note))
    blocks: list[Block] = [Figures(facts), Heading("Over the parameter")]
    for name in names:
        values = data[name].values
        lines = [Line(name, x, values)]
        if np.isfinite(values).any():
            span = [x[0], x[-1]]
            target, near = curve.targets.get(name), 3.0 * float(np.nanmax(np.abs(values), initial=0.0))
            lines += [
                Line("limit", span, [side, side], look="dashed", colour=LIMIT)
                for side in sides_of(curve, name)
                if abs(side) < near
            ]
            lines += [Line("target", span, [target, target], look="dashed", colour=2)] if target is not None else []
        marks = [(float(curve.marked), MARKED)] if curve.marked is not None else []
        levels = [*sides_of(curve, name), *([curve.targets[name]] if name in curve.targets else [])]
        window, note = shown_range(values, levels)
        labels = question.parameter, _label(curve, name)
        blocks.append(Chart(name, lines, *labels, marks=marks, over_time=False, ylim=window, note=note))
    header = [question.parameter, *(_label(curve, name) for name in names)]
    rows: list[list[Any]] = [[float(v), *(float(data[name].values[k]) for name in names)] for k, v in enumerate(x)]
    if question.limits:
        header.append("keeps the limits")
        rows = [[*row, "yes" if good else "no"] for row, good in zip(rows, allowed, strict=True)]
    best = {(k, 0) for k, value in enumerate(x) if value == curve.marked}
    blocks += [Heading("Numbers"), Table("All values", header, rows, best=best)]
    return Report(f"{question.model.document.name}: the choice of {question.parameter}", ", ".join(names), blocks)


def shown_range(values: np.ndarray, levels: list[float]) -> tuple[tuple[float, float] | None, str]:
    """What of the y axis is shown, and a note, where a few values near a dead point would press all others to the ground."""
    known = values[np.isfinite(values)]
    if not known.size:
        return None, ""
    low, high = colour_span(known)
    if low <= known.min() and high >= known.max():
        return None, ""
    low, high = min(low, *levels, low), max(high, *levels, high)
    room = 0.08 * (high - low)
    return (
        low - room,
        high + room,
    ), f"Values go from {known.min():.4g} to {known.max():.4g}; the chart shows most of them."


def keeping(curve: TradeOff) -> np.ndarray:
    """Which values keep all limits, (n,)."""
    data = curve.data
    good = np.array(data["failure"].values == "", dtype=bool)
    for name, limit in curve.question.limits.items():
        with np.errstate(invalid="ignore"):
            values = np.abs(data[name].values) if limit.is_size else data[name].values
            good &= np.where(np.isfinite(values), (values >= limit.low) & (values <= limit.high), False)
    return good


def sides_of(curve: TradeOff, name: str) -> list[float]:
    """The limits of a number: the largest size, or its low and high sides."""
    limit = curve.question.limits.get(name)
    if limit is None:
        return []
    return [limit.high] if limit.is_size else [side for side in (limit.low, limit.high) if np.isfinite(side)]


def _label(curve: TradeOff, name: str) -> str:
    unit = curve.data[name].attrs["units"]
    return f"{name} ({unit})" if unit not in ("", "1", "mixed") else name
