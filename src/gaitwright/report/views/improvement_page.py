"""The page about a search for a better design: before and after alive, what changed, limits, how the search went."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.optimised import NO_UNIT, motion_of, track
from gaitwright.legs.scuffing import scuffs_of
from gaitwright.model.files import model_text
from gaitwright.report.blocks import (
    Animation,
    Block,
    Chart,
    Code,
    Fact,
    Figures,
    Heading,
    Line,
    Remark,
    Remarks,
    Table,
    Text,
)
from gaitwright.report.page import Report
from gaitwright.report.views.compare_page import on_one_scale
from gaitwright.report.views.run_page import animated, usual_trace, warnings

if TYPE_CHECKING:
    from gaitwright.design.optimised import Optimised

COLOURS = {"before": 7, "after": 0}


def improvement_report(found: Optimised) -> Report:
    runs = {when: motion_of(result) for when, result in (("before", found.before), ("after", found.after))}
    moving = {when: run for when, run in runs.items() if run is not None}
    scenes: list[Any] = [animated(run, usual_trace(run)) for run in moving.values()]
    on_one_scale(scenes)
    noted = [f"{when}: {text}" for when, run in moving.items() for text in scuffs_of(run)]
    blocks: list[Block] = [*warnings(noted), Figures(facts(found))]
    blocks += [Animation(scene, title=when) for when, scene in zip(moving, scenes, strict=True)]
    blocks += [Heading("What changed"), *curve_charts(found, moving), history_chart(found)]
    blocks += [parameter_table(found), *limit_table(found), Heading("How the search went")]
    blocks += [Text([line[:1].upper() + line[1:] for line in [*found.account(), *found.notes, found.ended]])]
    blocks += [failure_remarks(found)] if found.failures else []
    rows = found.history
    header = [str(name) for name in rows.columns]
    cells = [[_cell(value) for value in row] for row in rows.itertuples(index=False)]
    blocks.append(Table("All variants of the search", header, cells, folded=True))
    blocks.append(Code("The improved model", model_text(found.model), "improved.yaml"))
    goal = "small" if found.search.sign > 0 else "large"
    return Report(f"{found.model.document.name}, improved", f"{found.objective} as {goal} as possible", blocks)


def facts(found: Optimised) -> list[Fact]:
    unit = _unit(found, found.objective)
    better = f"better by {100 * found.improvement:.3g} %" if found.improvement > 0 else "not improved"
    before = [] if found.before is None else [Fact(f"{found.objective} before", found.first.objective, unit)]
    return [
        *before,
        Fact(f"{found.objective} after", found.best.objective, unit, better if found.before is not None else ""),
        tried(found),
        Fact("parameters", len(found.values)),
    ]


def tried(found: Optimised) -> Fact:
    """All designs that were tried, and where: as the text below says it."""
    swept, searched = found.evaluations["sweep"], found.evaluations["search"]
    where = f"{swept} in a sweep, {searched} in the search" if swept else ""
    return Fact("designs tried", swept + searched, note=where)


def curve_charts(found: Optimised, moving: dict[str, Any]) -> list[Block]:
    """Curves of the feet, and of the drive's torque or the output that was improved, before and after."""
    gait, blocks = found.model.document.gait, list[Block]()
    feet = list(gait.feet) if gait is not None else []
    if feet:
        lines = [
            Line(
                f"{foot} {when}", *track(run, foot), look="dashed" if when == "before" else "line", colour=COLOURS[when]
            )
            for when, run in moving.items()
            for foot in feet
        ]
        blocks.append(Chart("Curve of the foot", lines, "x (m)", "y (m)", equal=True, over_time=False))
    first = next(iter(moving.values()), None)
    if first is None or first.time.size < 2:
        return blocks
    torques = [f"{name}.{what}" for name in first.balance.drive_power for what in ("torque", "force")]
    names = dict.fromkeys([found.objective, *found.search.limits, *torques])
    for name in [n for n in names if all(n in run.catalogue.outputs for run in moving.values())][:3]:
        unit = first.catalogue[name].unit
        lines = [
            Line(when, run.time, run.values(name), look="dashed" if when == "before" else "line", colour=COLOURS[when])
            for when, run in moving.items()
        ]
        blocks.append(Chart(name, lines, ylabel=unit if unit not in NO_UNIT else "", over_time=False))
    return blocks


def history_chart(found: Optimised) -> Chart:
    """Every variant, and the best so far that keeps the limits."""
    trials = found.search.trials
    number = np.arange(1, len(trials) + 1)
    values = np.array([t.objective for t in trials], dtype=float)
    good = np.array([t.feasible for t in trials], dtype=bool) & np.isfinite(values)
    sign = found.search.sign
    best = np.minimum.accumulate(np.where(good, sign * values, np.inf))
    far, failed = 0, int((~np.isfinite(values)).sum())
    lines = [Line("best so far", number, np.where(np.isfinite(best), sign * best, np.nan), colour=0)]
    lines.append(Line("keeps the limits", number[good], values[good], look="dots", colour=2))
    if (~good & np.isfinite(values)).any():
        bad = ~good & np.isfinite(values)
        near = bad & (np.abs(values) <= 5.0 * np.nanmax(np.abs(values[good]), initial=0.0))
        far = int((bad & ~near).sum())
        lines.append(Line("breaks limits", number[near], values[near], look="dots", colour=3))
    if math.isfinite(found.first.objective):
        lines.append(Line("before", number[[0, -1]], [found.first.objective] * 2, look="dashed", colour=7))
    unit = _unit(found, found.objective)
    label = found.objective + (f" ({unit})" if unit else "")
    left = [f"{failed} without numbers"] if failed else []
    left += [f"{far} that break limits and lie far off"] if far else []
    note = f"{len(trials)} variants of the search; not drawn: {', '.join(left)}." if left else ""
    return Chart("How the search went", lines, "variants of the search", label, over_time=False, note=note)


def parameter_table(found: Optimised) -> Table:
    rows = []
    for name, value in found.values.items():
        axis, before = found.search.box[name], found.start[name]
        near = min(value - axis.low, axis.high - value) < 1e-6 * (axis.high - axis.low)
        change = f"{100 * (value / before - 1):+.3g} %" if before else ""
        rows.append((name, before, value, change, axis.low, axis.high, "at its bound" if near else ""))
    header = ("parameter", "before", "after", "change", "low bound", "high bound", "")
    return Table("Parameters", header, rows, note="A value at its bound would go farther: look whether the bound can.")


def limit_table(found: Optimised) -> list[Table]:
    rows = []
    for name, limit in found.search.limits.items():
        low, high = (None if math.isinf(side) else side for side in (limit.low, limit.high))
        before = found.numbers_before.get(name)
        kept = "no" if limit.broken(found.numbers[name]) else "yes"
        rows.append((found.search.called(name), before, found.numbers[name], low, high, _unit(found, name), kept))
    header = ("limited", "before", "after", "at least", "at most", "unit", "kept")
    return [Table("Limits", header, rows)] if rows else []


def failure_remarks(found: Optimised) -> Remarks:
    remarks = [Remark("odd", f"{count} x", why) for why, count in list(found.failures.items())[:5]]
    return Remarks("Variants that could not be analysed", remarks)


def _unit(found: Optimised, name: str) -> str:
    unit = found.units.get(name, "")
    return "" if unit in NO_UNIT else unit


def _cell(value: Any) -> Any:
    return float(value) if isinstance(value, (float, np.floating)) else str(value)
