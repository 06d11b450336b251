"""Page about a walk: quality of the data first, then the table, curves over the cycle, forces, and methods."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.gait.analysis import FAULTLESS_VERDICT
from gaitwright.gait.cycles import GAIT_PHASES, SIDES
from gaitwright.gait.normative_data import NormativeRange, asymmetry_limit
from gaitwright.gait.spatiotemporal_table import SPATIOTEMPORAL_MEASURES
from gaitwright.gait.trial_quality import SEVERITY_DOUBTFUL, SEVERITY_INFO, SEVERITY_WRONG, GaitFinding
from gaitwright.report.blocks import (
    Animation,
    Fact,
    Figures,
    Heading,
    Picture,
    Remark,
    Remarks,
    ReportBlock,
    Table,
    Text,
)
from gaitwright.report.page import Report, format_cell
from gaitwright.report.views.gait_charts import (
    FORCE_CURVES,
    OTHER_PLANE_CURVES,
    SAGITTAL_CURVES,
    centre_of_pressure_charts,
    cycle_charts,
    force_charts,
    time_charts,
    trial_overview_charts,
    usual_band,
)
from gaitwright.report.views.pages.rolling_page import REGION_HEADER, append_swing, region_rows
from gaitwright.report.views.pressure_plots import draw_pressure_comparison, draw_rollover
from gaitwright.report.views.scenes.gait_scene import gait_scene
from gaitwright.report.views.walking_step_blocks import walking_step_blocks

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.pressure_comparison import PressureComparison
    from gaitwright.gait.spatiotemporal_table import SampleStatistics, SpatiotemporalMeasure

FINDING_TONES: dict[str, Any] = {SEVERITY_WRONG: "bad", SEVERITY_DOUBTFUL: "odd", SEVERITY_INFO: "good"}
UNIT_DECIMALS = {"m": 3, "m/s": 2, "1/min": 0, "s": 2, "%": 1, "deg": 1}
"""Number of decimals by unit."""
SWAPPED_SIDES_ADVICE = (
    "If the labels were given to the wrong leg, right is left here: then analyse with --marker-sides swapped."
)
CONVENTIONS = (
    ("frame", "x in the direction of walking, y to the left, z up, right-handed; SI"),
    ("angles", "ISB, joint coordinate systems of Grood and Suntay; the same sign means the same motion on both sides"),
    ("pelvis and trunk", "obliquity and rotation are those of the side whose cycle it is"),
    ("moments", "internal, by mass of the whole person; plus extends hip and knee and plantar flexes the ankle"),
    ("powers", "plus is generation, by mass"),
    ("forces", "of the ground on the foot, in body weights; inwards is towards the other foot"),
    (
        "cycle",
        "from strike to next strike of the same foot; dashes: the foot leaves the ground; dashed lines that run: now",
    ),
    (
        "shades",
        "grey: usual, see its source; coloured: one standard deviation between cycles of this trial, if it has several",
    ),
)


def gait_report(gait: GaitAnalysis, folder: Path) -> Report:
    """Create the page. folder: for pictures."""
    trial = gait.trial
    parts = [f"{len(trial.times) / trial.rate:.1f} s at {trial.rate:g} Hz", f"{len(trial.labels)} markers"]
    count = len(trial.plates)
    parts.append(f"{count or 'no'} force plate{'' if count == 1 else 's'}")
    if gait.subject is not None:
        one = gait.subject
        parts.append(f"{one.mass:.3g} kg, {one.height:.2f} m{', ' + one.sex if one.sex else ''}")
    blocks: list[ReportBlock] = [
        Heading("Quality of the data"),
        Remarks("", _remarks(gait)),
        Heading("The run" if gait.running else "The walk"),
        Figures(_facts(gait)),
        Animation(gait_scene(gait), "Markers, segments and forces"),
        *trial_overview_charts(gait),
        *_table(gait),
        *_section(
            "Angles, moments and powers", cycle_charts(gait, SAGITTAL_CURVES) or time_charts(gait, SAGITTAL_CURVES)
        ),
        *_section("Pelvis and other planes", cycle_charts(gait, OTHER_PLANE_CURVES)),
        *_section("Forces of the ground", [*force_charts(gait), *_force_comparison(gait)]),
        *_section("Centre of pressure", centre_of_pressure_charts(gait)),
        *_section("Pressure under the sole", _pressure_blocks(gait, folder)),
        Heading("How it was done"),
        *_methods(gait),
    ]
    return Report(f"Gait of {gait.name}", ", ".join(parts), blocks, time_bar=True)


def _pressure_blocks(gait: GaitAnalysis, folder: Path) -> list[ReportBlock]:
    """Blocks with the loads and the roll-over of one step of each side, and the areas of the sole."""
    blocks: list[ReportBlock] = []
    for side, step in gait.steps.items():
        path = folder / f"pressure_{side}.png"
        blocks += walking_step_blocks(step)
        draw_rollover(append_swing(step.pressure), path)
        mirror = "" if step.foot.shape.side == side else f"; drawn as a {step.foot.shape.side} foot, in a mirror"
        blocks.append(
            Picture(f"Roll-over of the {side} foot", path, f"computed with the foot that was given{mirror}", wide=True)
        )
        blocks.append(Table(f"Areas of the sole, {side}", REGION_HEADER, region_rows(step.pressure)))
        if gait.plate is not None and gait.plate.side == side:
            blocks += _pressure_comparison(gait.plate, folder / f"pressure_{side}_measured.png", mirror)
    return blocks


def _pressure_comparison(plate: PressureComparison, path: Path, mirror: str) -> list[ReportBlock]:
    """Blocks that compare a measured pressure picture with the computed one, also by area."""
    draw_pressure_comparison(plate, path)
    share = f"share of {plate.shares_of}"
    header = ("area", "peak, measured (kPa)", "computed", f"{share}, measured (%)", "computed", "difference (points)")
    tables = [plate.areas, plate.quarters.rename(index=lambda name: f"{name}, all")]
    rows = [
        (str(name).replace("_", " "), f"{1e-3 * row.measured_peak:.0f}", f"{1e-3 * row.computed_peak:.0f}",
         f"{100 * row.measured_share:.1f}", f"{100 * row.computed_share:.1f}", f"{row.difference:+.1f}".replace("-", "−"))
        for table in tables for name, row in table.iterrows()
    ]  # fmt: skip
    note = "computed less measured; peaks are those of cells, and smaller cells have larger ones"
    return [
        Picture(f"Measured and computed, {plate.side}", path, f"largest pressures, in one scale{mirror}"),
        Table(f"Measured and computed, {plate.side}", header, rows, note),
    ]


def _section(title: str, charts: list[ReportBlock]) -> list[ReportBlock]:
    return [Heading(title), *charts] if charts else []


def _remarks(gait: GaitAnalysis) -> list[Remark]:
    """Remarks about the quality of the data, and about results that the trial does not provide."""
    remarks = [Remark(FINDING_TONES[one.how_bad], one.how_bad, f"{_capitalise(one.what)}: {one.evidence}.", _advice(one))
            for one in gait.findings]  # fmt: skip
    if gait.verdict == FAULTLESS_VERDICT:
        remarks.insert(0, Remark("good", "good", "No fault was found in the data."))
    mended = [note for note in gait.notes if note.startswith("left and right were crossed")]
    remarks[:0] = [Remark("odd", "mended", f"{_capitalise(note)}.", SWAPPED_SIDES_ADVICE) for note in mended]
    counts = ", ".join(f"{len(gait.cycles.of(side))} {side}" for side in SIDES)
    lost = "; ".join(text for text in gait.cycles.incomplete if "the trial ends before" not in text)
    tone: Any = "good" if gait.cycles.all else "bad"
    remarks.append(Remark(tone, "cycles", f"Complete cycles: {counts}.", f"{_capitalise(lost)}." if lost else ""))
    if gait.subject is None:
        remarks.append(
            Remark("odd", "left out", "No angles, moments and powers: mass and height of the person were not given.")
        )
    elif gait.angles is not None and gait.moments is None:
        remarks.append(Remark("odd", "left out", "No moments and powers: the trial has no forces."))
    return remarks


def _advice(finding: GaitFinding) -> str:
    """Advice of a finding, with the command-line option that leaves out a faulty plate."""
    plate = finding.how_bad == SEVERITY_WRONG and finding.where.startswith("plate")
    return f"{_capitalise(finding.advice)}.{f' Without it: --leave-out {finding.where!r}.' if plate else ''}"


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _force_comparison(gait: GaitAnalysis) -> list[ReportBlock]:
    """Table of predicted forces against the plates."""
    rows = gait.summary()["forces"].get("rmse", {})
    if not rows:
        return []
    names = {"up": "vertical (% of weight)", "forward": "fore-aft (% of weight)", "left": "sideways (% of weight)",
             "centre_along": "centre of pressure, along (mm)", "centre_across": "centre of pressure, across (mm)"}  # fmt: skip
    cells = [
        (
            text,
            *(
                f"{(1e3 if name.startswith('centre') else 1.0) * rows[side][name]:.1f}" if side in rows else "–"
                for side in SIDES
            ),
        )
        for name, text in names.items()
    ]
    note = "root mean square of what is predicted, as if there were no plates, less what the plates measured"
    return [Table("Predicted against measured", ("difference", *SIDES), cells, note)]


def _facts(gait: GaitAnalysis) -> list[Fact]:
    normal = gait.usual_ranges
    facts = []
    for name in SPATIOTEMPORAL_MEASURES.select(lambda measure: measure.key):
        row = gait.table.get(name)
        if row is not None:
            note = f"usual {_format_range(normal[name], row.unit)}" if name in normal else ""
            facts.append(
                Fact(
                    _measure_label(name),
                    _format_number(row.both.mean, row.unit),
                    "steps/min" if name == "cadence" else row.unit,
                    note,
                )
            )
    return facts or [Fact("speed", "–", "", "no two strikes of a foot were seen")]


def _table(gait: GaitAnalysis) -> list[ReportBlock]:
    if not gait.table:
        return []
    normal, even = gait.usual_ranges, asymmetry_limit()
    rows = []
    for name, row in gait.table.items():
        limits = normal.get(name)
        off = np.isfinite(row.asymmetry) and not even.holds(row.asymmetry)
        rows.append(
            (
                _measure_label(name),
                "steps/min" if name == "cadence" else row.unit,
                _format_spread(row, "right"),
                _format_spread(row, "left"),
                f"{format_cell(round(row.asymmetry, 1) + 0.0)}{' ▲' if off else ''}"
                if np.isfinite(row.asymmetry)
                else "–",
                _format_range(limits, row.unit) if limits else "–",
                _range_verdict(row, limits),
                row.meaning,
            )
        )
    header = ("quantity", "unit", "right", "left", "asymmetry (%)", "usual", "here", "what it is")
    note = f"mean ± standard deviation (number of cycles or steps); ▲ beyond ± {even.high:g} %"
    return [Table("Spatio-temporal table", header, rows, note), *_phase_table(gait)]


def _phase_table(gait: GaitAnalysis) -> list[ReportBlock]:
    limits = {side: gait.cycles.limits(side) for side in SIDES}
    rows = []
    for k, phase in enumerate(GAIT_PHASES):
        cells = [
            f"{limits_of_side[k]:.0f} – {limits_of_side[k + 1]:.0f}" if limits_of_side is not None else "–"
            for limits_of_side in limits.values()
        ]
        rows.append((phase, *cells))
    if all(limits_of_side is None for limits_of_side in limits.values()):
        return []
    return [Table("Phases of the cycle (%)", ("phase, after Perry", *SIDES), rows, folded=True)]


def _range_verdict(row: SpatiotemporalMeasure, limits: NormativeRange | None) -> str:
    if limits is None:
        return ""
    values = [statistics.mean for statistics in (row.right, row.left) if statistics.count]
    if all(limits.holds(value) for value in values):
        return "usual"
    return "▼ below" if min(values) < limits.low else "▲ above"


def _format_spread(row: SpatiotemporalMeasure, side: str) -> str:
    statistics: SampleStatistics = getattr(row, side)
    if not statistics.count:
        return "–"
    deviation = f" ± {_format_number(statistics.deviation, row.unit)}" if np.isfinite(statistics.deviation) else ""
    return f"{_format_number(statistics.mean, row.unit)}{deviation} ({statistics.count})"


def _format_number(value: float, unit: str) -> str:
    return f"{value:.{UNIT_DECIMALS[unit]}f}".replace("-", "−")


def _format_range(limits: NormativeRange, unit: str) -> str:
    digits = min(UNIT_DECIMALS[unit], 2)
    return f"{limits.low:.{digits}f} – {limits.high:.{digits}f}".replace("-", "−")


def _measure_label(name: str) -> str:
    return {"toe_out": "toes out"}.get(name, name.replace("_", " "))


def _methods(gait: GaitAnalysis) -> list[ReportBlock]:
    normal = gait.usual_ranges
    shades = [usual_band(gait, curve.name) for curve in (*SAGITTAL_CURVES, *OTHER_PLANE_CURVES, *FORCE_CURVES)]
    sources = dict.fromkeys(
        [*(reference.source for reference in normal.values()), *(reference.source for reference in shades if reference)]
    )
    return [
        Table("Methods", ("step", "how"), list(gait.methods.items())),
        Table("Conventions", ("what", "is meant"), CONVENTIONS),
        *(
            [Table("Sources of the usual ranges", ("source",), [(one,) for one in sources], folded=True)]
            if sources
            else []
        ),
        Table("Detected and corrected problems", ("note",), [(note,) for note in gait.notes], folded=True),
        Text(
            [
                "A calculation, not a diagnosis. The usual ranges are coarse: healthy adults who walk at self-selected speed."
            ]
        ),
    ]
