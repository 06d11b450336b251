"""Blocks of a page about comfort: the body map, tolerance of people to the worst load of each cuff, the table, and its
notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.blocks import (
    Chart,
    ChartLine,
    Drawing,
    Fact,
    Figures,
    Heading,
    Map,
    Remark,
    Remarks,
    ReportBlock,
    ShadedArea,
    Table,
    Text,
)
from gaitwright.report.views.body_map import draw_body_map
from gaitwright.wear.pads.pad import FACING_ANGLES_DEG

if TYPE_CHECKING:
    from gaitwright.wear.comfort.assessment import Comfort, CuffComfort
    from gaitwright.wear.pads.pressure import PadPressure

LOAD_SAMPLE_COUNT = 121


def comfort_blocks(comfort: Comfort, sides: Mapping[str, str] | None = None) -> list[ReportBlock]:
    """Section of a page. sides: 'right' or 'left' by cuff, for cuffs on one leg."""
    people = {"men": "men", "women": "women", "all": "people (as many men as women)"}[comfort.sex]
    worst = comfort.worst
    blocks: list[ReportBlock] = [
        Heading("Pressure and comfort"),
        Figures(_comfort_facts(comfort)),
        Drawing(
            f"Share of {people.partition(' (')[0]} who would feel discomfort",
            draw_body_map(
                comfort.by_region(), at_least=_pain_only_regions(comfort), sides=_pressed_sides(comfort, sides or {})
            ),
            note="Hatched: pressed, but no threshold is known. Grey: nothing presses.",
        ),
    ]
    for felt_by in comfort.cuffs.values():
        chart = _tolerance_chart(felt_by)
        if chart is not None:
            blocks.append(chart)
    if comfort.pressures:
        lines = [
            ChartLine(name.replace("_", " "), pressure.time, 1e-3 * pressure.peak)
            for name, pressure in comfort.pressures.items()
        ]
        blocks.append(Chart("Largest pressure below each pad", lines, ylabel="pressure (kPa)"))
    if worst.name in comfort.pressures:
        blocks += _pad_pressure_blocks(worst, comfort.pressures[worst.name])
    blocks.append(_comfort_table(comfort))
    blocks.append(_threshold_table(comfort))
    tone = "bad" if (worst.share_pain or 0.0) >= 0.5 else "odd"
    remarks = [Remark("odd", "note", note) for note in comfort.notes]
    if worst.share_discomfort is not None:
        summary = (
            f"{_format_percent(worst.share_discomfort)} of {people} would feel discomfort at {worst.name.replace('_', ' ')}"
            f" ({worst.region}): {1e-3 * worst.peak:.3g} kPa at {worst.time:.2f} s."
        )
        remarks.insert(0, Remark(tone if worst.share_discomfort > 0.1 else "good", "comfort", summary))
    blocks.append(Remarks("Assumptions of these numbers", remarks))
    blocks.append(
        Text([
            "Shares come from a lognormal distribution with the published mean and spread of the thresholds; the band is due to"
            " the small number of people in the studies, and to spreads that were not published."
        ])
    )  # fmt: skip
    return blocks


def _format_percent(share: float | None) -> str:
    return "not known" if share is None else f"{100.0 * share:.0f} %"


def _pain_only_regions(comfort: Comfort) -> set[str]:
    """Regions where only pain thresholds are known, so that more people may feel discomfort."""
    return {cuff.region for cuff in comfort.cuffs.values() if cuff.only_pain and (cuff.share_discomfort or 0.0) < 0.995}


def _pressed_sides(comfort: Comfort, sides: Mapping[str, str]) -> dict[str, set[str]]:
    """Pressed sides by region; a region is left out if one of its cuffs has no side."""
    sides_by_region: dict[str, set[str]] = {}
    for name, cuff in comfort.cuffs.items():
        sides_by_region.setdefault(cuff.region, set()).add(sides.get(name, ""))
    return {region: both for region, both in sides_by_region.items() if "" not in both}


def _comfort_facts(comfort: Comfort) -> list[Fact]:
    worst = comfort.worst
    where = f"{worst.name.replace('_', ' ')}, {worst.region}"
    return [
        Fact("largest pressure", f"{1e-3 * worst.peak:.3g}", "kPa", f"{where}, at {worst.time:.2f} s"),
        Fact("feel discomfort", _format_percent(comfort.share_discomfort), "", "of people, at the worst cuff"),
        Fact("feel pain", _format_percent(comfort.share_pain), "", "of people, at the worst cuff"),
        Fact(
            "dose",
            f"{1e-3 * worst.dose_per_hour / 3600.0:.3g}",
            "kPa h",
            f"per hour at the worst place, loaded {_format_percent(worst.duty)} of the time",
        ),
    ]


def _tolerance_chart(cuff: CuffComfort) -> Chart | None:
    """Chart of the share of people over the load, by feeling, with the actual load as a mark."""
    felt = cuff.worst("discomfort") or cuff.worst("pain")
    if felt is None:
        return None
    feelings = [feeling for feeling in cuff.felt if feeling.quantity == felt.quantity]
    scale, unit = (1e-3, "kPa") if felt.quantity == "pressure" else (1.0, "N")
    top = max([felt.value, *(row.law.quantile(0.98) for feeling in feelings for row in feeling.thresholds)])
    load = np.linspace(
        0.0,
        min(1.05 * top, 4.0 * max(feeling.thresholds[0].law.quantile(0.9) for feeling in feelings)),
        LOAD_SAMPLE_COUNT,
    )
    lines, bands = [], []
    for feeling in feelings:
        for row in feeling.thresholds:
            group = "" if row.sex == "all" else f", {row.sex}"
            when = f", {row.loading}" if len({r.loading for o in cuff.felt for r in o.thresholds}) > 1 else ""
            shares = [row.law.share(x) for x in load]
            low, high = ([100.0 * getattr(one_share, end) for one_share in shares] for end in ("low", "high"))
            bands.append(ShadedArea(scale * load, low, high, len(lines)))
            lines.append(ChartLine(f"{feeling.feels}{group}{when}", scale * load, [100.0 * s.value for s in shares]))
    beyond = "" if felt.value <= load[-1] else " (beyond the chart)"
    return Chart(
        f"Tolerance at {cuff.name.replace('_', ' ')}",
        lines,
        xlabel=f"{'pressure' if unit == 'kPa' else felt.quantity + ' force'} on the {cuff.region} ({unit})",
        ylabel="people who feel it (%)",
        areas=bands,
        marks=[(min(scale * felt.value, scale * load[-1]), 3)],
        over_time=False,
        note=f"Dashes: here, {scale * felt.value:.3g} {unit}{beyond}. {felt.said}.",
    )


def _pad_pressure_blocks(cuff: CuffComfort, pressure: PadPressure) -> list[ReportBlock]:
    """Blocks of the pressure under the pad at its worst instant, unrolled; with finite elements also around the limb."""
    now = int(np.argmax(pressure.peak))
    name, when = cuff.name.replace("_", " "), f"{pressure.time[now]:.2f} s"
    around, along = pressure.cells.around, 1e3 * pressure.cells.along
    values = 1e-3 * np.asarray(pressure.pressure)[now]
    blocks: list[ReportBlock] = [
        Map(
            f"Below {name} at {when}",
            around,
            along,
            values,
            "around the limb (deg from the pad's middle)",
            "along the limb (mm)",
            "pressure (kPa)",
            note=(
                f"The pad faces {_facing_text(pressure.pad.facing_angle or 0.0)}; angles grow towards the person's "
                f"right, then behind."
            ),
        )
    ]
    section = pressure.section
    if section is not None and section.edges is not None and section.springs is not None:
        middles = 0.5 * (section.edges[1:] + section.edges[:-1])
        lines = [
            ChartLine("finite elements", middles, 1e-3 * section.mean_between(section.edges)),
            ChartLine("springs", middles, 1e-3 * section.springs, look="dashed"),
        ]
        title = f"Comparison of methods, {name}"
        note = "Both under the force of that instant, straight towards the limb; means of cells."
        blocks.append(Chart(title, lines, "around the limb (deg)", "pressure (kPa)", note=note))
    return blocks


def _facing_text(angle: float) -> str:
    """Facing direction as a word."""
    return min(FACING_ANGLES_DEG, key=lambda side: abs((angle - FACING_ANGLES_DEG[side] + 180.0) % 360.0 - 180.0))


def _comfort_table(comfort: Comfort) -> Table:
    header = ["cuff", "region", "peak (kPa)", "at (s)", "mean there (kPa)", "area (cm²)", "loading", "dose (kPa h per hour)",
              "discomfort (%)", "pain (%)", "by"]  # fmt: skip
    rows = []
    for cuff in comfort.cuffs.values():
        shares = []
        for feels in ("discomfort", "pain"):
            felt = cuff.worst(feels)
            prefix = "≥ " if feels == "discomfort" and cuff.only_pain and felt is not None else ""
            shares.append("not known" if felt is None else f"{prefix}{str(felt.share).replace(' %', '')}")
        felt = cuff.worst("discomfort")
        rows.append([
            cuff.name, cuff.region, f"{1e-3 * cuff.peak:.1f}", f"{cuff.time:.2f}", f"{1e-3 * cuff.mean:.1f}",
            f"{1e4 * cuff.area:.0f}", cuff.loading, f"{1e-3 * cuff.dose_per_hour / 3600.0:.2f}", *shares,
            "" if felt is None else felt.said,
        ])  # fmt: skip
    return Table("Comfort by cuff", header, rows, note="In brackets the band of 90 %.")


def _threshold_table(comfort: Comfort) -> Table:
    """Table of the thresholds in use, with their sources."""
    used = dict.fromkeys(row for cuff in comfort.cuffs.values() for felt in cuff.felt for row in felt.thresholds)
    rows = []
    for row in used:
        source = comfort.table_of.sources[row.source]
        source_text = "; ".join(
            part for part in (source.text, source.doi and f"doi {source.doi}", source.population, row.note) if part
        )
        rows.append([row.region, row.feels, row.loading, row.sex, row.quantity, row.said, row.instrument, source_text])
    header = ["region", "feels", "loading", "sex", "quantity", "threshold", "measured with", "source and people"]
    return Table(f"Thresholds: {comfort.table_of.name}", header, rows, folded=True)
