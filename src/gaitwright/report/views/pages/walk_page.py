"""Page about a walking machine, as blocks; report/ writes the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.legs.walk_numbers import FOOT_NUMBERS
from gaitwright.model.io.files import model_text
from gaitwright.model.model import Model
from gaitwright.report.blocks import Animation, Chart, ChartLine, Code, Fact, Figures, Heading, ReportBlock, Table
from gaitwright.report.page import Report
from gaitwright.report.views.extremes_table import extremes_table
from gaitwright.report.views.motor_blocks import motor_blocks
from gaitwright.report.views.pages.run_page import warning_blocks

if TYPE_CHECKING:
    from gaitwright.legs.walk import Walk

MIN_CLIMB_RATIO = 0.02
"""Ratio to the energy below which the work of climbing is not reported."""
STIFFNESS_NOTE = "the column about the stiffness says how a number changes on a ground that is as many times as stiff"
CHART_LABELS = {
    "speed": ("Speed of the body", "speed (m/s)"),
    "height": ("Height of the body", "height (m)"),
    "pitch": ("Pitch of the body", "angle (deg)"),
    "torque": ("Torque of all drives", "torque (N m)"),
    "feet down": ("Feet on the ground", "number of feet"),
}


def walk_report(walk: Walk) -> Report:
    """Create the page about a walk."""
    run = walk.run
    measured = {"bands": [(walk.begin, walk.end)], "band_label": "measured"}
    curves = [
        Chart(CHART_LABELS[name][0], [ChartLine(name, run.time, values)], ylabel=CHART_LABELS[name][1], **measured)
        for name, (values, _) in walk.curves().items()
    ]
    forces = [ChartLine(foot, run.time, run.array(f"{foot}.normal_force")) for foot in walk.contacts]
    pressed = Chart("Normal force of each foot", forces, ylabel="force (N)", **measured)
    subtitle = f"{walk.turns} of its turns, from {walk.begin:.4g} s to {walk.end:.4g} s, free in the plane"
    evidence = run.evidence
    blocks: list[ReportBlock] = [
        *warning_blocks(walk.warnings()),
        Figures(walk_facts(walk)),
        Animation(run.scene(forces=True)),
        *curves[:2],
        Heading("Over time"),
        *curves[2:],
        footfall_chart(walk),
        pressed,
        *motor_blocks(walk.motor, walk.begin),
        Heading("Numbers"),
        extremes_table([*curves, pressed], (walk.begin, walk.end)),
        Table("The walk", walk.header(), walk.rows(), note=STIFFNESS_NOTE if walk.ground_check else ""),
        Table("Each foot", ("foot", *(_column_title(name, number.unit) for name, number in FOOT_NUMBERS.items())),
              [(name, *foot.values()) for name, foot in walk.feet.items()]),
        Heading("How far to trust them"),
        Table("Evidence", ("what", "value", "unit"), [
            ("joints open by", evidence.max_position_violation, "m"),
            ("energy not accounted for", evidence.max_energy_residual, "J"),
            ("last two turns differ by", walk["steadiness"], "m"),
            ("steps", evidence.steps, ""),
        ], note=f"method {evidence.method}", exact=True),
    ]  # fmt: skip
    if run.document:
        blocks.append(Code("The model", model_text(Model.from_dict(run.document)), "model.yaml"))
    return Report(run.mechanism.name, f"Measured over {subtitle}", blocks)


def _column_title(name: str, unit: str) -> str:
    """Title of a column in the table of feet."""
    return name.replace("_", " ") + ("" if unit == "1" else f" ({unit})")


def walk_facts(walk: Walk) -> list[Fact]:
    return [
        Fact("speed", walk["speed"], "m/s", f"{walk['distance']:.4g} m per turn"),
        Fact("bounce", 1e3 * walk["bounce"], "mm", f"pitch {np.degrees(walk['pitch']):.2g} deg"),
        Fact("slip", 1e3 * sum(foot["slip"] for foot in walk.feet.values()), "mm", "of all feet, per turn"),
        Fact("sinkage", 1e3 * walk["sinkage_largest"], "mm", f"at most; {1e3 * walk['sinkage_static']:.2g} mm at rest"),
        Fact("energy", walk["energy"], "J", climb_text(walk)),
        _cost_fact(walk),
    ]


def _cost_fact(walk: Walk) -> Fact:
    reason = walk.not_applicable.get("cost_of_transport")
    if reason:
        return Fact("cost of transport", "not applicable", "", reason)
    return Fact("cost of transport", walk["cost_of_transport"], "", "energy / (weight x distance)")


def climb_text(walk: Walk) -> str:
    """Text about the part of the energy that lifts the machine, if it walks up or down."""
    lifted = walk["climbing_work"]
    if abs(lifted) < MIN_CLIMB_RATIO * walk["energy"]:
        return "per turn"
    return f"per turn; {abs(lifted):.4g} J {'to climb' if lifted > 0 else 'from going down'}"


def footfall_chart(walk: Walk) -> Chart:
    """Hildebrand diagram: a bar while a foot is on the ground; the first foot on top."""
    lines = []
    for row, (name, bars) in enumerate(walk.footfalls().items()):
        times = np.array([t for begin, end in bars for t in (begin, end, end)], dtype=float)
        level = np.full(times.size, float(-row - 1))
        level[2::3] = np.nan
        lines.append(ChartLine(name, times, level, look="thick"))
    # not connected to the animation: the heights of the bars are not meaningful values
    names = [(float(-row - 1), name) for row, name in enumerate(walk.footfalls())]
    return Chart("Footfalls", lines, yticks=names, bands=[(walk.begin, walk.end)], band_label="measured",
                 over_time=False)  # fmt: skip
