"""Page about an optimisation: animations before and after, changes, limits, progress of the search."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.evaluation import find_motion
from gaitwright.design.optimise_result import point_track
from gaitwright.design.question import UNITLESS
from gaitwright.legs.scuffing import run_scuff_warnings
from gaitwright.model.io.files import model_text
from gaitwright.report.blocks import (
    Animation,
    Chart,
    ChartLine,
    Code,
    Fact,
    Figures,
    Heading,
    Remark,
    Remarks,
    ReportBlock,
    Table,
    Text,
)
from gaitwright.report.page import Report
from gaitwright.report.views.pages.run_comparison_page import equalise_scales
from gaitwright.report.views.pages.run_page import animation_scene, default_trace, warning_blocks

if TYPE_CHECKING:
    from gaitwright.design.optimise_result import OptimisationResult

STAGE_COLOURS = {"before": 7, "after": 0}


def optimisation_report(found: OptimisationResult) -> Report:
    runs = {when: find_motion(result) for when, result in (("before", found.before), ("after", found.after))}
    moving = {when: run for when, run in runs.items() if run is not None}
    scenes: list[Any] = [animation_scene(run, default_trace(run)) for run in moving.values()]
    equalise_scales(scenes)
    noted = [f"{when}: {text}" for when, run in moving.items() for text in run_scuff_warnings(run)]
    blocks: list[ReportBlock] = [*warning_blocks(noted), Figures(optimisation_facts(found))]
    blocks += [Animation(scene, title=when) for when, scene in zip(moving, scenes, strict=True)]
    blocks += [Heading("What changed"), *curve_charts(found, moving), history_chart(found)]
    blocks += [parameter_table(found), *limit_table(found), Heading("How the search went")]
    blocks += [Text([line[:1].upper() + line[1:] for line in [*found.account(), *found.notes, found.ended]])]
    blocks += [failure_remarks(found)] if found.failures else []
    rows = found.table
    header = [str(name) for name in rows.columns]
    cells = [[_format_cell(value) for value in row] for row in rows.itertuples(index=False)]
    blocks.append(Table("All variants of the search", header, cells, folded=True))
    blocks.append(Code("The improved model", model_text(found.model), "improved.yaml"))
    goal = "small" if found.search.sign > 0 else "large"
    return Report(f"{found.model.document.name}, improved", f"{found.objective} as {goal} as possible", blocks)


def optimisation_facts(found: OptimisationResult) -> list[Fact]:
    unit = found.question.unit(found.objective).strip()
    better = f"better by {100 * found.improvement:.3g} %" if found.improvement > 0 else "not improved"
    before = [] if found.before is None else [Fact(f"{found.objective} before", found.first.objective, unit)]
    return [
        *before,
        Fact(f"{found.objective} after", found.best.objective, unit, better if found.before is not None else ""),
        trial_count_fact(found),
        Fact("parameters", len(found.values)),
    ]


def trial_count_fact(found: OptimisationResult) -> Fact:
    """Number of designs that were tried, by stage, consistent with the text below."""
    swept, searched = found.evaluations["sweep"], found.evaluations["search"]
    where = f"{swept} in a sweep, {searched} in the search" if swept else ""
    return Fact("designs tried", swept + searched, note=where)


def curve_charts(found: OptimisationResult, moving: dict[str, Any]) -> list[ReportBlock]:
    """Charts of the foot paths, and of the drive's torque or the optimised output, before and after."""
    gait, blocks = found.model.document.gait, list[ReportBlock]()
    feet = list(gait.feet) if gait is not None else []
    if feet:
        lines = [
            ChartLine(
                f"{foot} {when}",
                *point_track(run, foot),
                look="dashed" if when == "before" else "line",
                colour=STAGE_COLOURS[when],
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
            ChartLine(
                when,
                run.time,
                run.array(name),
                look="dashed" if when == "before" else "line",
                colour=STAGE_COLOURS[when],
            )
            for when, run in moving.items()
        ]
        blocks.append(Chart(name, lines, ylabel=unit if unit not in UNITLESS else "", over_time=False))
    return blocks


def history_chart(found: OptimisationResult) -> Chart:
    """Chart of all variants, and the best feasible one so far."""
    trials = found.search.trials
    number = np.arange(1, len(trials) + 1)
    values = np.array([t.objective for t in trials], dtype=float)
    good = np.array([t.feasible for t in trials], dtype=bool) & np.isfinite(values)
    sign = found.search.sign
    best = np.minimum.accumulate(np.where(good, sign * values, np.inf))
    far, failed = 0, int((~np.isfinite(values)).sum())
    lines = [ChartLine("best so far", number, np.where(np.isfinite(best), sign * best, np.nan), colour=0)]
    lines.append(ChartLine("keeps the limits", number[good], values[good], look="dots", colour=2))
    if (~good & np.isfinite(values)).any():
        bad = ~good & np.isfinite(values)
        near = bad & (np.abs(values) <= 5.0 * np.nanmax(np.abs(values[good]), initial=0.0))
        far = int((bad & ~near).sum())
        lines.append(ChartLine("breaks limits", number[near], values[near], look="dots", colour=3))
    if math.isfinite(found.first.objective):
        lines.append(ChartLine("before", number[[0, -1]], [found.first.objective] * 2, look="dashed", colour=7))
    label = found.question.label(found.objective)
    left = [f"{failed} without numbers"] if failed else []
    left += [f"{far} that break limits and lie far off"] if far else []
    note = f"{len(trials)} variants of the search; not drawn: {', '.join(left)}." if left else ""
    return Chart("How the search went", lines, "variants of the search", label, over_time=False, note=note)


def parameter_table(found: OptimisationResult) -> Table:
    rows = []
    for name, value in found.values.items():
        axis, before = found.search.box[name], found.start[name]
        near = min(value - axis.low, axis.high - value) < 1e-6 * (axis.high - axis.low)
        change = f"{100 * (value / before - 1):+.3g} %" if before else ""
        rows.append((name, before, value, change, axis.low, axis.high, "at its bound" if near else ""))
    header = ("parameter", "before", "after", "change", "low bound", "high bound", "")
    note = "A value at its bound limits the optimum: check if the bound can be moved."
    return Table("Parameters", header, rows, note=note if any(row[-1] for row in rows) else "")


def limit_table(found: OptimisationResult) -> list[Table]:
    rows = []
    for name, limit in found.search.limits.items():
        low, high = (None if math.isinf(side) else side for side in (limit.low, limit.high))
        before = found.numbers_before.get(name)
        satisfied = "no" if limit.broken(found.numbers[name]) else "yes"
        rows.append(
            (
                found.question.limit_label(name),
                before,
                found.numbers[name],
                low,
                high,
                found.question.unit(name).strip(),
                satisfied,
            )
        )
    header = ("limited", "before", "after", "at least", "at most", "unit", "kept")
    return [Table("Limits", header, rows)] if rows else []


def failure_remarks(found: OptimisationResult) -> Remarks:
    remarks = [Remark("odd", f"{count} x", why) for why, count in list(found.failures.items())[:5]]
    return Remarks("Variants that could not be analysed", remarks)


def _format_cell(value: Any) -> Any:
    return float(value) if isinstance(value, (float, np.floating)) else str(value)
