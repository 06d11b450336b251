"""Blocks about a step of a person on a foot model: computed and measured curves side by side, corrections, ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.foot.reference_pressure import WALKING_RANGES, ReferenceRange, walking_values
from gaitwright.foot.step_balance import CORRECTION_NAMES, MAX_CORRECTION, StepLoad
from gaitwright.gait.analysis import LOADING_TEXTS
from gaitwright.report.blocks import Chart, ChartLine, Fact, Figures, Heading, ReportBlock, Table, Text

if TYPE_CHECKING:
    from gaitwright.gait.sole_pressure import WalkingStep

COMPUTED_COLOUR, MEASURED_COLOUR = 0, 3
"""Indices in the palette: computed curves are solid and blue, measured ones dashed and vermilion, in every chart."""
DISPLAY_FACTORS = {"Pa": (1e-3, "kPa", 0), "m^2": (1e4, "cm²", 0), "1": (100.0, "%", 1)}
"""Factor, unit and decimals of reference ranges."""
MAX_TISSUE_DIFFERENCE = 0.25
"""Relative difference of largest pressures between tissue models that the page explains."""
TISSUE_DIFFERENCE_REASONS = {
    "condensed": "linear tissue does not stiffen, and tissue of neighbouring cores is not connected",
    "full": "tissue stiffens with strain, which springs do not, and cells of four nodes are stiffer by half than their "
    "material: smaller or quadratic cells have lower peaks",
}
DIFFERENCE_ROWS = (
    ("force, forward (N)", "forward", 1.0, 0),
    ("force, to the left (N)", "left", 1.0, 0),
    ("force, up (N)", "up", 1.0, 0),
    ("free moment (N m)", "free_moment", 1.0, 1),
    ("ankle moment (N m)", "ankle_moment", 1.0, 1),
)
"""Label, name in WalkingStep.differences, factor and decimals."""


def walking_step_blocks(step: WalkingStep) -> list[ReportBlock]:
    """Blocks of a step: loading mode, key numbers, curves, differences, registration, and reference ranges."""
    other = _source_label(step.source)
    mirror = "" if not step.registration.mirrored else "; drawn in a mirror"
    given = {
        "kinematic": "nothing is given but the pose: all forces are results",
        "balanced": "the vertical force and its point of application are given; horizontal forces are followed within the "
        "uncertainty of the markers; pressure, free moment, toes and corrections are results",
    }.get(step.mode, "the predicted force and its point of application are given; the plates are not used")
    warnings = [note for note in step.registration.notes if note.startswith("warning")]
    return [
        Heading(f"Foot model, {step.side}"),
        Text([
            f"Loading mode: {step.mode} ({LOADING_TEXTS[step.mode]}). Here {given}. Solid blue curves are computed by the foot "
            f"model, dashed red curves are: {other}{mirror}.",
            *(note for note in step.registration.notes if not note.startswith("warning")),
        ]),
        *([Text(warnings, "warning")] if warnings else []),
        Figures(_facts(step)),
        *_load_charts(step),
        *_correction_charts(step),
        _difference_table(step, other),
        _registration_table(step),
        reference_table(step),
        *_tissue_table(step),
    ]  # fmt: skip


def _facts(step: WalkingStep) -> list[Fact]:
    rms, numbers = dict(zip(CORRECTION_NAMES, step.balance.correction_rms, strict=True)), step.differences
    flagged = int(step.balance.flagged.sum())
    stiffness = np.median(step.balance.stiffness, axis=0)
    facts = [
        Fact("correction of height", f"{1e3 * rms['height']:.1f}", "mm", "root mean square above 50 N; good below 5"),
        Fact("of pitch and roll", f"{np.degrees(rms['pitch']):.1f}, {np.degrees(rms['roll']):.1f}", "deg", "good below 4"),
        Fact("flagged frames", f"{flagged} of {len(step.balance.flagged)}", "", "above 8 mm or 6 deg"),
        Fact("conditioning", f"{1e-3 * stiffness[0]:.0f}", "N/mm", f"{np.radians(stiffness[1]):.0f} N m per degree of pitch"),
    ]  # fmt: skip
    if step.mode == "kinematic":
        facts = facts[3:]
    if numbers:
        centre = f"{1e3 * numbers['centre_rms']:.1f}"
        facts.append(Fact("centre of pressure off by", centre, "mm", "root mean square, above 50 N"))
        relative = f"{100 * numbers['ankle_moment_relative']:.1f}"
        facts.append(Fact("ankle moment off by", relative, "%", "root mean square over the peak"))
    return facts


def _source_label(source: str) -> str:
    """Label of reference curves, by the source of their forces."""
    return {"plate": "force plate (measured)", "predicted": "dynamics of the body (predicted)"}.get(
        source, f"{source} force"
    )


def _pair(step: WalkingStep, computed: np.ndarray, reference: np.ndarray) -> list[ChartLine]:
    return [
        ChartLine("foot model (computed)", step.rolled.time, computed, colour=COMPUTED_COLOUR),
        ChartLine(_source_label(step.source), step.rolled.time, reference, look="dashed", colour=MEASURED_COLOUR),
    ]


def _load_charts(step: WalkingStep) -> list[ReportBlock]:
    ours, theirs = step.computed, step.reference
    when = "time from the strike (s)"
    charts: list[ReportBlock] = [
        Chart(f"Ground force, {name}", _pair(step, ours.force[:, k], theirs.force[:, k]), when, "force (N)", over_time=False)
        for k, name in ((2, "up"), (0, "forward"), (1, "to the left"))
    ]  # fmt: skip
    on = step.compared
    places = [_in_flat_foot(step, load) for load in (ours, theirs)]
    for k, name in enumerate(("from the heel", "to the left of the heel-toe line")):
        curves = [np.where(on, 1e3 * place[:, k], np.nan) for place in places]
        title = f"Centre of pressure, {name}"
        charts.append(Chart(title, _pair(step, *curves), when, "flat foot (mm)", over_time=False))
    free = [np.where(on, load.free_moment, np.nan) for load in (ours, theirs)]
    charts.append(Chart("Free moment", _pair(step, *free), when, "about the vertical (N m)", over_time=False))
    moments = [step.ankle_moment(load) for load in (ours, theirs)]
    charts.append(Chart("Ankle moment of the ground", _pair(step, *moments), when, "toes up (N m)", over_time=False))
    return charts


def _in_flat_foot(step: WalkingStep, load: StepLoad) -> np.ndarray:
    """Points of application in the frame of the foot while it is flat (n, 2), m: the middle of the stance."""
    track = step.balance.track
    flat = int(0.35 * len(track.time))
    forward = track.rotation[flat, :2, 0] / np.linalg.norm(track.rotation[flat, :2, 0])
    axes = np.array([forward, [-forward[1], forward[0]]])
    return (load.centre - track.ankle[flat, :2]) @ axes.T + step.registration.ankle[:2]


def _correction_charts(step: WalkingStep) -> list[ReportBlock]:
    if step.mode == "kinematic":
        return []
    time, values = step.rolled.time, dict(zip(CORRECTION_NAMES, step.balance.corrections.T, strict=True))
    limits = dict(zip(CORRECTION_NAMES, MAX_CORRECTION, strict=True))
    lengths = [ChartLine(name, time, 1e3 * values[name]) for name in ("height", "forward", "left")]
    angles = [ChartLine(name, time, np.degrees(values[name])) for name in ("pitch", "roll")]
    edge = np.array([time[0], time[-1]])
    bounds = [
        ChartLine("limit", edge, np.full(2, sign * 1e3 * limits["height"]), look="dashed", colour=6) for sign in (1, -1)
    ]
    bent = [
        ChartLine("limit", edge, np.full(2, sign * np.degrees(limits["pitch"])), look="dashed", colour=6) for sign in (1, -1)
    ]  # fmt: skip
    when = "time from the strike (s)"
    return [
        Chart("Corrections of the position of the foot", [*lengths, *bounds], when, "mm", over_time=False),
        Chart("Corrections of its pitch and roll", [*angles, *bent], when, "deg", over_time=False),
    ]


def _difference_table(step: WalkingStep, other: str) -> ReportBlock:
    numbers, rows = step.differences, []
    for label, name, factor, decimals in DIFFERENCE_ROWS if numbers else ():
        computed, reference = factor * numbers[f"{name}_peak"], factor * numbers[f"{name}_reference_peak"]
        rows.append(
            (label, f"{factor * numbers[f'{name}_rms']:.{decimals}f}", f"{computed:.{decimals}f}",
             f"{reference:.{decimals}f}", f"{computed - reference:+.{decimals}f}")
        )  # fmt: skip
    if numbers:
        largest = f"largest distance {1e3 * numbers['centre_largest']:.1f}"
        rows.append(("centre of pressure (mm)", f"{1e3 * numbers['centre_rms']:.1f}", largest, "", ""))
    header = ("quantity", "RMS difference", "peak, computed", "peak, reference", "difference of peaks")
    return Table(f"Computed against {other}, {step.side}", header, rows, "frames with more than 50 N")


def _registration_table(step: WalkingStep) -> ReportBlock:
    registration = step.registration
    rows = [(name, f"{1e3 * apart:.1f}") for name, apart in registration.residuals.items()]
    length, width, height = registration.scale
    note = f"scale of length {length:.3f}, width {width:.3f}, height {height:.3f}; "
    along, _, above = 1e3 * registration.ankle
    note += f"ankle centre {along:.0f} mm from the heel and {above:.0f} mm above the sole"
    return Table(f"Registration of the model to the markers, {step.side}", ("marker", "residual (mm)"), rows, note)


def _tissue_table(step: WalkingStep) -> list[ReportBlock]:
    """Table of the largest pressures by two tissue models; none for a foundation."""
    if step.tissue == "foundation":
        return []
    rows, largest = [], 0.0
    for name, (springs, ours) in step.tissue_difference.items():
        part = ours / springs - 1.0 if springs > 0.0 else 0.0
        largest = max(largest, abs(part))
        flag = "▲ ▼"[0 if part > 0 else 2] if abs(part) > MAX_TISSUE_DIFFERENCE else ""
        rows.append((name, f"{1e-3 * springs:.0f}", f"{1e-3 * ours:.0f}", f"{100 * part:+.0f}".replace("-", "−"), flag))
    note = TISSUE_DIFFERENCE_REASONS[step.tissue] if largest > MAX_TISSUE_DIFFERENCE else "the models agree"
    header = ("largest pressure", "foundation (kPa)", f"{step.tissue} (kPa)", "difference (%)", "")
    return [Table(f"Tissue models, {step.side}", header, rows, note)]


def reference_table(step: WalkingStep) -> ReportBlock:
    """Table of computed values and published ranges, with flags."""
    values = walking_values(step.pressure)
    return Table(
        f"Published ranges of barefoot walking, {step.side}", ("quantity", "computed", "usual", "", "source"),
        range_rows(WALKING_RANGES, values), "▲ ▼: outside the range",
    )  # fmt: skip


def range_rows(ranges: Sequence[ReferenceRange], values: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Rows of values and their ranges: name, value, range, flag, source."""
    rows = []
    for one in ranges:
        factor, unit, decimals = DISPLAY_FACTORS[one.unit]
        value = float(values[one.name])
        flag = "" if one.holds(value) else "▲ above" if value > one.high else "▼ below"
        usual = f"{factor * one.low:.0f} – {factor * one.high:.0f} {unit}"
        rows.append((one.name, f"{factor * value:.{decimals}f} {unit}", usual, flag, one.source))
    return rows
