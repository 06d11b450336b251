"""The page that has walks side by side: table with changes, and curves of all in one chart per side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.gait.cycles import SIDES
from gaitwright.gait.normal import band
from gaitwright.report.blocks import Area, Block, Chart, Heading, Line, Remark, Remarks, Table
from gaitwright.report.page import Report, shown
from gaitwright.report.views.gait_charts import CYCLE, FORCES, OTHER_PLANES, SAGITTAL, Curve, axis_words

if TYPE_CHECKING:
    from gaitwright.gait.walks_compared import WalkResult, WalksCompared

COLOURS = (0, 3, 2, 5, 7, 1)
"""Of the palette, by walk."""


def walks_report(found: WalksCompared) -> Report:
    names = [walk.name for walk in found.walks]
    blocks: list[Block] = [
        Heading("Quality of the data"), Remarks("", [_quality(walk) for walk in found.walks]),
        Heading("Tables side by side"), _table(found),
    ]  # fmt: skip
    for title, curves in (("Angles, moments and powers", SAGITTAL), ("Pelvis and other planes", OTHER_PLANES),
                          ("Forces of the ground", FORCES)):  # fmt: skip
        rows = [
            curves[k : k + 3] for k in range(0, len(curves), 3)
        ]  # three charts stand in a row: right ones above left ones
        wanted = [(curve, side) for row in rows for side in SIDES for curve in row]
        charts = [chart for curve, side in wanted if (chart := _chart(found, curve, side)) is not None]
        blocks += [Heading(title), *charts] if charts else []
    return Report(
        " and ".join(names) if len(names) == 2 else ", ".join(names), "walks compared; changes from the first", blocks
    )


def _quality(walk: WalkResult) -> Remark:
    findings = walk.summary["quality"]["findings"]
    wrong = [one["what"] for one in findings if one["how_bad"] == "wrong"]
    count = len(walk.summary["cycles"]["complete"])
    return Remark("bad" if wrong else "good", walk.name[:14], f"{walk.summary['quality']['verdict']}; {count} complete cycles",
                  "; ".join(wrong))  # fmt: skip


def _table(found: WalksCompared) -> Table:
    first, *others = found.walks
    header = ["quantity", "unit"]
    for walk in found.walks:
        header += [f"{walk.name}, right", "left"]
    header += [f"change to {walk.name} (%)" for walk in others]
    rows, changed = [], found.summary()["table"]
    for row in found.rows:
        unit = first.summary["cycles"]["table"][row]["unit"]
        cells = [shown(walk.value(row, side), 3) for walk in found.walks for side in SIDES]
        changes = [changed[row][walk.name]["both"]["change"] for walk in others]
        rows.append(
            (
                row.replace("_", " "),
                unit,
                *cells,
                *(shown(round(one, 1)) if np.isfinite(one) else "–" for one in changes),
            )
        )
    return Table("Spatio-temporal", header, rows, "change: of the mean of both sides")


def _chart(found: WalksCompared, curve: Curve, side: str) -> Chart | None:
    lines, areas, attrs = [], [], {}
    usual = band(curve.name)
    if usual is not None:
        areas.append(Area(usual.percent, usual.low, usual.high))
    for k, walk in enumerate(found.walks):
        mean, spread = walk.both
        if curve.name not in mean or not np.isfinite(mean[curve.name].sel(side=side)).any():
            continue
        attrs = mean[curve.name].attrs
        scale, _ = axis_words(curve, attrs)
        middle, off = (scale * one[curve.name].sel(side=side).to_numpy() for one in (mean, spread))
        percent, colour = mean["percent"].to_numpy(), COLOURS[k % len(COLOURS)]
        lines.append(Line(walk.name, percent, middle, colour=colour))
        if np.isfinite(off).any():
            areas.append(Area(percent, middle - off, middle + off, colour))
    if not lines:
        return None
    _, words = axis_words(curve, attrs)
    return Chart(f"{curve.title}, {side}", lines, CYCLE, words, areas=areas,
                 band_label="usual" if usual else "")  # fmt: skip
