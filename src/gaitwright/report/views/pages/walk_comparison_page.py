"""Page with walks side by side: table with changes, and curves of all walks in one chart per side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.gait.cycles import SIDES
from gaitwright.gait.normative_data import normative_band
from gaitwright.report.blocks import Chart, ChartLine, Heading, Remark, Remarks, ReportBlock, ShadedArea, Table
from gaitwright.report.page import Report, format_cell
from gaitwright.report.views.gait_charts import (
    CYCLE_LABEL,
    FORCE_CURVES,
    OTHER_PLANE_CURVES,
    SAGITTAL_CURVES,
    GaitCurve,
    axis_scale_and_label,
)

if TYPE_CHECKING:
    from gaitwright.gait.walk_comparison import WalkComparison, WalkResult

WALK_COLOURS = (0, 3, 2, 5, 7, 1)
"""Indices in the palette, by walk."""


def walk_comparison_report(comparison: WalkComparison) -> Report:
    """Create the page with several walks side by side."""
    names = [walk.name for walk in comparison.walks]
    blocks: list[ReportBlock] = [
        Heading("Quality of the data"), Remarks("", [_quality_remark(walk) for walk in comparison.walks]),
        Heading("Tables side by side"), _comparison_table(comparison),
    ]  # fmt: skip
    for title, curves in (("Angles, moments and powers", SAGITTAL_CURVES), ("Pelvis and other planes", OTHER_PLANE_CURVES),
                          ("Forces of the ground", FORCE_CURVES)):  # fmt: skip
        rows = [curves[k : k + 3] for k in range(0, len(curves), 3)]  # three charts per row: right side above left side
        selected = [(curve, side) for row in rows for side in SIDES for curve in row]
        charts = [
            chart for curve, side in selected if (chart := _comparison_chart(comparison, curve, side)) is not None
        ]
        blocks += [Heading(title), *charts] if charts else []
    return Report(
        " and ".join(names) if len(names) == 2 else ", ".join(names), "walks compared; changes from the first", blocks
    )


def _quality_remark(walk: WalkResult) -> Remark:
    findings = walk.summary["quality"]["findings"]
    wrong = [finding["what"] for finding in findings if finding["how_bad"] == "wrong"]
    count = len(walk.summary["cycles"]["complete"])
    return Remark("bad" if wrong else "good", walk.name[:14], f"{walk.summary['quality']['verdict']}; {count} complete cycles",
                  "; ".join(wrong))  # fmt: skip


def _comparison_table(comparison: WalkComparison) -> Table:
    first, *others = comparison.walks
    header = ["quantity", "unit"]
    for walk in comparison.walks:
        header += [f"{walk.name}, right", "left"]
    header += [f"change to {walk.name} (%)" for walk in others]
    rows, changed = [], comparison.summary()["table"]
    for row in comparison.rows:
        unit = first.summary["cycles"]["table"][row]["unit"]
        cells = [format_cell(walk.value(row, side), 3) for walk in comparison.walks for side in SIDES]
        changes = [changed[row][walk.name]["both"]["change"] for walk in others]
        rows.append(
            (
                row.replace("_", " "),
                unit,
                *cells,
                *(format_cell(round(change, 1)) if np.isfinite(change) else "–" for change in changes),
            )
        )
    return Table("Spatio-temporal", header, rows, "change: of the mean of both sides")


def _comparison_chart(comparison: WalkComparison, curve: GaitCurve, side: str) -> Chart | None:
    lines, areas, attrs = [], [], {}
    usual = normative_band(curve.name)
    if usual is not None:
        areas.append(ShadedArea(usual.percent, usual.low, usual.high))
    for k, walk in enumerate(comparison.walks):
        mean, spread = walk.both
        if curve.name not in mean or not np.isfinite(mean[curve.name].sel(side=side)).any():
            continue
        attrs = mean[curve.name].attrs
        scale, _ = axis_scale_and_label(curve, attrs)
        middle, deviation = (scale * data[curve.name].sel(side=side).to_numpy() for data in (mean, spread))
        percent, colour = mean["percent"].to_numpy(), WALK_COLOURS[k % len(WALK_COLOURS)]
        lines.append(ChartLine(walk.name, percent, middle, colour=colour))
        if np.isfinite(deviation).any():
            areas.append(ShadedArea(percent, middle - deviation, middle + deviation, colour))
    if not lines:
        return None
    _, words = axis_scale_and_label(curve, attrs)
    return Chart(f"{curve.title}, {side}", lines, CYCLE_LABEL, words, areas=areas,
                 band_label="usual" if usual else "")  # fmt: skip
