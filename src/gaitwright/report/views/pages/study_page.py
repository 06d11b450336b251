"""Page of a study: the answer first, then the effect of each parameter, the Pareto front, and stock sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Chart, ChartLine, Fact, Figures, Heading, Remark, Remarks, ReportBlock, Table
from gaitwright.report.page import Report, format_cell

if TYPE_CHECKING:
    from gaitwright.design.study_result import StudyResult

BEST_COLOUR, FRONT_COLOUR, OTHERS_COLOUR, BROKEN_COLOUR = 3, 0, 4, 1
"""Colours of the palette: of the best variant, the Pareto front, the other variants, and those that violate limits."""
MAX_ROWS = 200
"""Maximum number of variants listed on the page."""


def study_report(study: StudyResult, more: Sequence[ReportBlock] = ()) -> Report:
    blocks: list[ReportBlock] = [Figures(_facts(study)), Remarks("", _remarks(study)), *more]
    blocks += [Heading("Effect of the parameters"), *_parameter_charts(study)]
    if len(study.goals) > 1:
        blocks += [Heading("Pareto front"), *_front_charts(study)]
    if study.stock:
        blocks += [Heading("In stock"), _stock_table(study)]
    blocks += [Heading("All variants"), _variant_table("Variants", study, study.rows[:MAX_ROWS])]
    return Report(f"{study.question.name}: the choice of {', '.join(study.parameters)}", "a study of variants", blocks)


def _facts(study: StudyResult) -> list[Fact]:
    best = study.best_in_stock or study.best
    if best is None:
        return [Fact("variants that keep the limits", 0.0)]
    chosen = [Fact(name, float(best[name]), "", "chosen") for name in study.parameters]
    return chosen + [
        Fact(name, f"{best[name]:.4g}".replace("-", "−"), study.question.unit(name).strip(), _aim_text(study, name))
        for name in study.names
    ]


def _aim_text(study: StudyResult, name: str) -> str:
    if name in study.goals:
        return "to be large" if study.goals[name] else "to be small"
    return "limited" if name in study.limits else ""


def _remarks(study: StudyResult) -> list[Remark]:
    first, *rest = study.lines()
    remarks = [
        Remark(
            "good" if study.best is not None else "bad",
            "best" if study.best is not None else "none",
            first.removeprefix("best: "),
        )
    ]
    for line in rest:
        bad = "EXCEEDS" in line or "BELOW" in line or line.startswith("nothing")
        remarks.append(Remark("odd" if bad else "good", "stock" if "stock" in line else "study", line))
    return remarks


def _parameter_charts(study: StudyResult) -> list[ReportBlock]:
    """Charts of every number over each parameter, with the other parameters as in the best variant."""
    best = study.best or study.least_broken
    charts: list[ReportBlock] = []
    if best is None:
        return charts
    for parameter in study.parameters:
        others = [other for other in study.parameters if other != parameter]
        rows = [row for row in study.rows if all(row[other] == best[other] for other in others)]
        x, feasible = np.array([row[parameter] for row in rows]), np.array([row["keeps"] for row in rows])
        for name in study.names:
            y = np.array([row[name] for row in rows])
            lines = [
                ChartLine(name, x, y),
                ChartLine("best", [best[parameter]], [best[name]], look="dots", colour=BEST_COLOUR),
            ]
            bad = ~feasible & np.isfinite(y)
            if study.limits and bad.any():
                lines.append(ChartLine("breaks a limit", x[bad], y[bad], look="dots", colour=BROKEN_COLOUR))
            limit = study.limits.get(name)
            for side in (limit.low, limit.high) if limit is not None else ():
                if np.isfinite(side) and side >= min(0.0, np.nanmin(y)):
                    lines.append(ChartLine("limit", x[[0, -1]], [side, side], look="dashed", colour=BROKEN_COLOUR))
            charts.append(Chart(f"{name} over {parameter}", lines, parameter, study.question.label(name)))
    return charts


def _front_charts(study: StudyResult) -> list[ReportBlock]:
    """Charts of the first goal against each of the others."""
    first, *others = study.goals
    rest = [row for row in study.rows if row["keeps"] and not row["unbeaten"]]
    broken = [row for row in study.rows if not row["keeps"] and not row["failure"]]
    best = study.best
    charts: list[ReportBlock] = []
    for other in others:

        def places(rows: Sequence[dict[str, Any]], across: str = other) -> tuple[list[float], list[float]]:
            ordered = sorted(rows, key=lambda row: row[across])
            return [row[across] for row in ordered], [row[first] for row in ordered]

        kinds = (
            ("dominated", rest, OTHERS_COLOUR),
            ("breaks a limit", broken, BROKEN_COLOUR),
            ("Pareto front", study.front, FRONT_COLOUR),
        )
        lines = [ChartLine(label, *places(rows), look="dots", colour=colour) for label, rows, colour in kinds if rows]
        if best is not None:
            lines.append(ChartLine("best", [best[other]], [best[first]], look="dots", colour=BEST_COLOUR))
        charts.append(
            Chart(f"{first} against {other}", lines, study.question.label(other), study.question.label(first))
        )
    return [*charts, _variant_table("Variants of the Pareto front", study, study.front)]


def _stock_table(study: StudyResult) -> Table:
    """Table of all available sizes, with those next to the best marked."""
    best = study.best or study.least_broken
    rows = [row for row in study.rows if row["in_stock"]]
    near = {variant_key(study, row) for sizes in study.next_sizes(best).values() for row in sizes}
    marks = ["next" if variant_key(study, row) in near else "" for row in rows]
    return _variant_table("Sizes that can be bought", study, rows, marks)


def variant_key(study: StudyResult, row: dict[str, Any]) -> tuple[float, ...]:
    return tuple(float(row[name]) for name in study.parameters)


def _variant_table(title: str, study: StudyResult, rows: Sequence[dict[str, Any]], marks: Sequence[str] = ()) -> Table:
    names = [*study.parameters, *study.names]
    header = [study.question.label(name) for name in names]
    cells = [
        (*(format_cell(float(row[name]), 4) for name in names), "yes" if row["keeps"] else row["failure"][:60] or "no",
         *((marks[k],) if marks else ()))
        for k, row in enumerate(rows)
    ]  # fmt: skip
    return Table(title, [*header, "keeps the limits", *(["to the best"] if marks else [])], cells)
