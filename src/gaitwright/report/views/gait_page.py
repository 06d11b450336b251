"""The page about a walk: quality first, then the table, curves over the cycle, forces, and how it was done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.gait.cycles import PHASES, SIDES
from gaitwright.gait.normal import Range, asymmetry_limit, band, usual
from gaitwright.gait.quality import DOUBTFUL, KNOW, WRONG, Finding
from gaitwright.report.blocks import Animation, Block, Fact, Figures, Heading, Picture, Remark, Remarks, Table, Text
from gaitwright.report.page import Report, shown
from gaitwright.report.views.gait_charts import (
    FORCES,
    OTHER_PLANES,
    SAGITTAL,
    centre_charts,
    cycle_charts,
    force_charts,
    over_time,
    time_charts,
)
from gaitwright.report.views.gait_scene import gait_scene
from gaitwright.report.views.pressure_pictures import draw_beside, draw_rollover
from gaitwright.report.views.rolling_page import REGION_HEADER, region_rows, with_swing

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.pressure_compared import PressureCompared
    from gaitwright.gait.walk_table import Measure, Spread

TONES: dict[str, Any] = {WRONG: "bad", DOUBTFUL: "odd", KNOW: "good"}
DIGITS = {"m": 3, "m/s": 2, "1/min": 0, "s": 2, "%": 1, "deg": 1}
"""Decimals of a unit."""
MENDED = "If the labels were given to the wrong leg, right is left here: then analyse with --sides swapped."
FIRST = ("speed", "cadence", "stride_length", "step_width", "stance", "double_support")
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


def gait_report(found: GaitAnalysis, folder: Path) -> Report:
    """folder: for pictures."""
    trial = found.trial
    parts = [f"{len(trial.times) / trial.rate:.1f} s at {trial.rate:g} Hz", f"{len(trial.labels)} markers"]
    parts.append(f"{len(trial.plates)} force plates" if trial.plates else "no force plates")
    if found.subject is not None:
        one = found.subject
        parts.append(f"{one.mass:g} kg, {one.height:.2f} m{', ' + one.sex if one.sex else ''}")
    blocks: list[Block] = [
        Heading("Quality of the data"),
        Remarks("", _remarks(found)),
        Heading("The walk"),
        Figures(_facts(found)),
        Animation(gait_scene(found), "The walk"),
        *over_time(found),
        *_table(found),
        *_section("Angles, moments and powers", cycle_charts(found, SAGITTAL) or time_charts(found, SAGITTAL)),
        *_section("Pelvis and other planes", cycle_charts(found, OTHER_PLANES)),
        *_section("Forces of the ground", [*force_charts(found), *_compared(found)]),
        *_section("Centre of pressure", centre_charts(found)),
        *_section("Pressure under the sole", _pressure(found, folder)),
        Heading("How it was done"),
        *_methods(found),
    ]
    return Report(f"Gait of {found.name}", ", ".join(parts), blocks, time_bar=True)


def _pressure(found: GaitAnalysis, folder: Path) -> list[Block]:
    """The roll-over of one step of each side, and areas of the sole."""
    blocks: list[Block] = []
    for side, step in found.steps.items():
        path = folder / f"pressure_{side}.png"
        draw_rollover(with_swing(step.pressure), path)
        mirror = "" if step.foot.shape.side == side else f"; drawn as a {step.foot.shape.side} foot, in a mirror"
        blocks.append(
            Picture(f"Roll-over of the {side} foot", path, f"computed with the foot that was given{mirror}", wide=True)
        )
        blocks.append(Table(f"Areas of the sole, {side}", REGION_HEADER, region_rows(step.pressure)))
        if found.plate is not None and found.plate.side == side:
            blocks += _beside(found.plate, folder / f"pressure_{side}_measured.png", mirror)
    return blocks


def _beside(plate: PressureCompared, path: Path, mirror: str) -> list[Block]:
    """A measured picture and the computed one, and what both have in each area."""
    draw_beside(plate, path)
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


def _section(title: str, charts: list[Block]) -> list[Block]:
    return [Heading(title), *charts] if charts else []


def _remarks(found: GaitAnalysis) -> list[Remark]:
    """What is wrong, what is doubtful, what is good to know; and what a trial cannot show."""
    said = [Remark(TONES[one.how_bad], one.how_bad, f"{_sentence(one.what)}: {one.evidence}.", _advice(one))
            for one in found.findings]  # fmt: skip
    if not any(one.how_bad in (WRONG, DOUBTFUL) for one in found.findings):
        said.insert(0, Remark("good", "good", "No fault was found in the data."))
    mended = [note for note in found.notes if note.startswith("left and right were crossed")]
    said[:0] = [Remark("odd", "mended", f"{_sentence(note)}.", MENDED) for note in mended]
    counts = ", ".join(f"{len(found.cycles.of(side))} {side}" for side in SIDES)
    lost = "; ".join(text for text in found.cycles.incomplete if "the trial ends before" not in text)
    tone: Any = "good" if found.cycles.all else "bad"
    said.append(Remark(tone, "cycles", f"Complete cycles: {counts}.", f"{_sentence(lost)}." if lost else ""))
    if found.subject is None:
        said.append(
            Remark("odd", "left out", "No angles, moments and powers: mass and height of the person were not given.")
        )
    elif found.moments is None:
        said.append(Remark("odd", "left out", "No moments and powers: the trial has no forces."))
    return said


def _advice(one: Finding) -> str:
    """What to do, and how to tell the command to do without a plate."""
    plate = one.how_bad == WRONG and one.where.startswith("plate")
    return f"{_sentence(one.advice)}.{f' Without it: --leave-out {one.where!r}.' if plate else ''}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _compared(found: GaitAnalysis) -> list[Block]:
    """Predicted forces against the plates."""
    rows = found.summary()["forces"].get("rmse", {})
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


def _facts(found: GaitAnalysis) -> list[Fact]:
    normal = usual(found.subject.sex if found.subject else None)
    facts = []
    for name in FIRST:
        row = found.table.get(name)
        if row is not None:
            note = f"usual {_range(normal[name], row.unit)}" if name in normal else ""
            facts.append(
                Fact(
                    _words(name), _number(row.both.mean, row.unit), "steps/min" if name == "cadence" else row.unit, note
                )
            )
    return facts or [Fact("speed", "–", "", "no two strikes of a foot were seen")]


def _table(found: GaitAnalysis) -> list[Block]:
    if not found.table:
        return []
    normal, even = usual(found.subject.sex if found.subject else None), asymmetry_limit()
    rows = []
    for name, row in found.table.items():
        limits = normal.get(name)
        off = np.isfinite(row.asymmetry) and not even.holds(row.asymmetry)
        rows.append((
            _words(name), "steps/min" if name == "cadence" else row.unit, _spread(row, "right"), _spread(row, "left"),
            f"{shown(round(row.asymmetry, 1))}{' ▲' if off else ''}" if np.isfinite(row.asymmetry) else "–",
            _range(limits, row.unit) if limits else "–", _judged(row, limits), row.meaning,
        ))  # fmt: skip
    header = ("quantity", "unit", "right", "left", "asymmetry (%)", "usual", "here", "what it is")
    note = f"mean ± standard deviation (number of cycles or steps); ▲ beyond ± {even.high:g} %"
    return [Table("Spatio-temporal table", header, rows, note), *_phases(found)]


def _phases(found: GaitAnalysis) -> list[Block]:
    limits = {side: found.cycles.limits(side) for side in SIDES}
    rows = []
    for k, phase in enumerate(PHASES):
        cells = [f"{one[k]:.0f} – {one[k + 1]:.0f}" if one is not None else "–" for one in limits.values()]
        rows.append((phase, *cells))
    return (
        [Table("Phases of the cycle (%)", ("phase, after Perry", *SIDES), rows, folded=True)]
        if found.cycles.all
        else []
    )


def _judged(row: Measure, limits: Range | None) -> str:
    if limits is None:
        return ""
    values = [one.mean for one in (row.right, row.left) if one.count]
    if all(limits.holds(value) for value in values):
        return "usual"
    return "▼ below" if min(values) < limits.low else "▲ above"


def _spread(row: Measure, side: str) -> str:
    one: Spread = getattr(row, side)
    if not one.count:
        return "–"
    deviation = f" ± {_number(one.deviation, row.unit)}" if np.isfinite(one.deviation) else ""
    return f"{_number(one.mean, row.unit)}{deviation} ({one.count})"


def _number(value: float, unit: str) -> str:
    return f"{value:.{DIGITS[unit]}f}".replace("-", "−")


def _range(limits: Range, unit: str) -> str:
    digits = min(DIGITS[unit], 2)
    return f"{limits.low:.{digits}f} – {limits.high:.{digits}f}".replace("-", "−")


def _words(name: str) -> str:
    return {"toe_out": "toes out"}.get(name, name.replace("_", " "))


def _methods(found: GaitAnalysis) -> list[Block]:
    normal = usual(found.subject.sex if found.subject else None)
    shades = [band(curve.name) for curve in (*SAGITTAL, *OTHER_PLANES, *FORCES)]
    sources = dict.fromkeys([*(one.source for one in normal.values()), *(one.source for one in shades if one)])
    return [
        Table("Methods", ("step", "how"), list(found.methods.items())),
        Table("Conventions", ("what", "is meant"), CONVENTIONS),
        Table("Sources of what is usual", ("source",), [(source,) for source in sources], folded=True),
        Table("What was found and mended", ("note",), [(note,) for note in found.notes], folded=True),
        Text(
            [
                "A calculation, not a diagnosis. What is called usual is coarse, of healthy adults at the speed they like."
            ]
        ),
    ]
