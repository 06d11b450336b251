"""Page about an optimisation: animations before and after, changes, limits, progress of the search."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.optimise_result import UNITLESS, find_motion, point_track
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
    from gaitwright.design.optimise_result import Optimised

STAGE_COLOURS = {"before": 7, "after": 0}


def optimisation_report(optimised: Optimised) -> Report:
    """Create the page about an optimisation."""
    runs = {when: find_motion(result) for when, result in (("before", optimised.before), ("after", optimised.after))}
    moving = {when: run for when, run in runs.items() if run is not None}
    scenes: list[Any] = [animation_scene(run, default_trace(run)) for run in moving.values()]
    equalise_scales(scenes)
    noted = [f"{when}: {text}" for when, run in moving.items() for text in run_scuff_warnings(run)]
    blocks: list[ReportBlock] = [*warning_blocks(noted), Figures(optimisation_facts(optimised))]
    blocks += [Animation(scene, title=when) for when, scene in zip(moving, scenes, strict=True)]
    blocks += [Heading("What changed"), *curve_charts(optimised, moving), history_chart(optimised)]
    blocks += [parameter_table(optimised), *limit_table(optimised), Heading("How the search went")]
    blocks += [
        Text([line[:1].upper() + line[1:] for line in [*optimised.account(), *optimised.notes, optimised.ended]])
    ]
    blocks += [failure_remarks(optimised)] if optimised.failures else []
    rows = optimised.history
    header = [str(name) for name in rows.columns]
    cells = [[_format_cell(value) for value in row] for row in rows.itertuples(index=False)]
    blocks.append(Table("All variants of the search", header, cells, folded=True))
    blocks.append(Code("The improved model", model_text(optimised.model), "improved.yaml"))
    goal = "small" if optimised.search.sign > 0 else "large"
    return Report(f"{optimised.model.document.name}, improved", f"{optimised.objective} as {goal} as possible", blocks)


def optimisation_facts(optimised: Optimised) -> list[Fact]:
    unit = _display_unit(optimised, optimised.objective)
    better = f"better by {100 * optimised.improvement:.3g} %" if optimised.improvement > 0 else "not improved"
    before = (
        [] if optimised.before is None else [Fact(f"{optimised.objective} before", optimised.first.objective, unit)]
    )
    return [
        *before,
        Fact(
            f"{optimised.objective} after",
            optimised.best.objective,
            unit,
            better if optimised.before is not None else "",
        ),
        trial_count_fact(optimised),
        Fact("parameters", len(optimised.values)),
    ]


def trial_count_fact(optimised: Optimised) -> Fact:
    """Number of designs that were tried, by stage, consistent with the text below."""
    swept, searched = optimised.evaluations["sweep"], optimised.evaluations["search"]
    where = f"{swept} in a sweep, {searched} in the search" if swept else ""
    return Fact("designs tried", swept + searched, note=where)


def curve_charts(optimised: Optimised, moving: dict[str, Any]) -> list[ReportBlock]:
    """Charts of the foot paths, and of the drive's torque or the optimised output, before and after."""
    gait, blocks = optimised.model.document.gait, list[ReportBlock]()
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
    torques = [f"{name}.{quantity}" for name in first.balance.drive_power for quantity in ("torque", "force")]
    names = dict.fromkeys([optimised.objective, *optimised.search.limits, *torques])
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


def history_chart(optimised: Optimised) -> Chart:
    """Chart of all variants, and the best feasible one so far."""
    trials = optimised.search.trials
    number = np.arange(1, len(trials) + 1)
    values = np.array([t.objective for t in trials], dtype=float)
    feasible = np.array([t.feasible for t in trials], dtype=bool) & np.isfinite(values)
    sign = optimised.search.sign
    best = np.minimum.accumulate(np.where(feasible, sign * values, np.inf))
    far_count, failed = 0, int((~np.isfinite(values)).sum())
    lines = [ChartLine("best so far", number, np.where(np.isfinite(best), sign * best, np.nan), colour=0)]
    lines.append(ChartLine("keeps the limits", number[feasible], values[feasible], look="dots", colour=2))
    if (~feasible & np.isfinite(values)).any():
        infeasible = ~feasible & np.isfinite(values)
        drawn = infeasible & (np.abs(values) <= 5.0 * np.nanmax(np.abs(values[feasible]), initial=0.0))
        far_count = int((infeasible & ~drawn).sum())
        lines.append(ChartLine("breaks limits", number[drawn], values[drawn], look="dots", colour=3))
    if math.isfinite(optimised.first.objective):
        lines.append(ChartLine("before", number[[0, -1]], [optimised.first.objective] * 2, look="dashed", colour=7))
    unit = _display_unit(optimised, optimised.objective)
    label = optimised.objective + (f" ({unit})" if unit else "")
    omitted = [f"{failed} without numbers"] if failed else []
    omitted += [f"{far_count} that break limits and lie far off"] if far_count else []
    note = f"{len(trials)} variants of the search; not drawn: {', '.join(omitted)}." if omitted else ""
    return Chart("How the search went", lines, "variants of the search", label, over_time=False, note=note)


def parameter_table(optimised: Optimised) -> Table:
    rows = []
    for name, value in optimised.values.items():
        axis, before = optimised.search.box[name], optimised.start[name]
        at_bound = min(value - axis.low, axis.high - value) < 1e-6 * (axis.high - axis.low)
        change = f"{100 * (value / before - 1):+.3g} %" if before else ""
        rows.append((name, before, value, change, axis.low, axis.high, "at its bound" if at_bound else ""))
    header = ("parameter", "before", "after", "change", "low bound", "high bound", "")
    return Table(
        "Parameters", header, rows, note="A value at its bound limits the optimum: check if the bound can be moved."
    )


def limit_table(optimised: Optimised) -> list[Table]:
    rows = []
    for name, limit in optimised.search.limits.items():
        low, high = (None if math.isinf(side) else side for side in (limit.low, limit.high))
        before = optimised.numbers_before.get(name)
        satisfied = "no" if limit.broken(optimised.numbers[name]) else "yes"
        rows.append(
            (
                optimised.search.called(name),
                before,
                optimised.numbers[name],
                low,
                high,
                _display_unit(optimised, name),
                satisfied,
            )
        )
    header = ("limited", "before", "after", "at least", "at most", "unit", "kept")
    return [Table("Limits", header, rows)] if rows else []


def failure_remarks(optimised: Optimised) -> Remarks:
    remarks = [Remark("odd", f"{count} x", why) for why, count in list(optimised.failures.items())[:5]]
    return Remarks("Variants that could not be analysed", remarks)


def _display_unit(optimised: Optimised, name: str) -> str:
    unit = optimised.units.get(name, "")
    return "" if unit in UNITLESS else unit


def _format_cell(value: Any) -> Any:
    return float(value) if isinstance(value, (float, np.floating)) else str(value)
