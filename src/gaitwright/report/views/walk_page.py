"""The page about a machine that walks: what is shown, as blocks; report/ makes the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.legs.walk_numbers import FOOT_NUMBERS
from gaitwright.model.files import model_text
from gaitwright.model.model import Model
from gaitwright.report.blocks import Animation, Block, Chart, Code, Fact, Figures, Heading, Line, Table
from gaitwright.report.page import Report
from gaitwright.report.views.extremes import extremes_table
from gaitwright.report.views.motor_blocks import motor_blocks
from gaitwright.report.views.run_page import warnings

if TYPE_CHECKING:
    from gaitwright.legs.walk import Walk

LEVEL = 0.02
"""Part of the energy below which a climb is not told."""
CHECKED = "the column about the stiffness says how a number changes on a ground that is as many times as stiff"
LABELS = {
    "speed": ("Speed of the body", "speed (m/s)"),
    "height": ("Height of the body", "height (m)"),
    "pitch": ("Pitch of the body", "angle (deg)"),
    "torque": ("Torque of all drives", "torque (N m)"),
    "feet down": ("Feet on the ground", "number of feet"),
}


def walk_report(walk: Walk) -> Report:
    run = walk.run
    measured = {"bands": [(walk.begin, walk.end)], "band_label": "measured"}
    curves = [
        Chart(LABELS[name][0], [Line(name, run.time, values)], ylabel=LABELS[name][1], **measured)
        for name, (values, _) in walk.curves().items()
    ]
    forces = [Line(foot, run.time, run.values(f"{foot}.normal_force")) for foot in walk.contacts]
    pressed = Chart("Normal force of each foot", forces, ylabel="force (N)", **measured)
    said = f"{walk.turns} of its turns, from {walk.begin:.4g} s to {walk.end:.4g} s, free in the plane"
    evidence = run.evidence
    blocks: list[Block] = [
        *warnings(walk.warnings()),
        Figures(facts(walk)),
        Animation(run.scene(forces=True)),
        *curves[:2],
        Heading("Over time"),
        *curves[2:],
        footfall_chart(walk),
        pressed,
        *motor_blocks(walk.motor, walk.begin),
        Heading("Numbers"),
        extremes_table([*curves, pressed], (walk.begin, walk.end)),
        Table("The walk", walk.header(), walk.rows(), note=CHECKED if walk.ground_check else ""),
        Table("Each foot", ("foot", *(_titled(name, number.unit) for name, number in FOOT_NUMBERS.items())),
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
    return Report(run.mechanism.name, f"Measured over {said}", blocks)


def _titled(name: str, unit: str) -> str:
    """A column of the table of feet."""
    return name.replace("_", " ") + ("" if unit == "1" else f" ({unit})")


def facts(walk: Walk) -> list[Fact]:
    return [
        Fact("speed", walk["speed"], "m/s", f"{walk['distance']:.4g} m per turn"),
        Fact("bounce", 1e3 * walk["bounce"], "mm", f"pitch {np.degrees(walk['pitch']):.2g} deg"),
        Fact("slip", 1e3 * sum(foot["slip"] for foot in walk.feet.values()), "mm", "of all feet, per turn"),
        Fact("sinkage", 1e3 * walk["sinkage_largest"], "mm", f"at most; {1e3 * walk['sinkage_static']:.2g} mm at rest"),
        Fact("energy", walk["energy"], "J", rise_text(walk)),
        _cost(walk),
    ]


def _cost(walk: Walk) -> Fact:
    reason = walk.not_applicable.get("cost_of_transport")
    if reason:
        return Fact("cost of transport", "not applicable", "", reason)
    return Fact("cost of transport", walk["cost_of_transport"], "", "energy / (weight x distance)")


def rise_text(walk: Walk) -> str:
    """What of the energy lifts the machine, where it goes up or down."""
    lifted = walk["climbing_work"]
    if abs(lifted) < LEVEL * walk["energy"]:
        return "per turn"
    return f"per turn; {abs(lifted):.4g} J {'to climb' if lifted > 0 else 'from going down'}"


def footfall_chart(walk: Walk) -> Chart:
    """A Hildebrand diagram: a bar while a foot is on the ground; the first foot on top."""
    lines = []
    for row, (name, bars) in enumerate(walk.footfalls().items()):
        times = np.array([t for begin, end in bars for t in (begin, end, end)], dtype=float)
        level = np.full(times.size, float(-row - 1))
        level[2::3] = np.nan
        lines.append(Line(name, times, level, look="thick"))
    # it does not follow the animation: the heights of the bars are no values that a reader wants
    names = [(float(-row - 1), name) for row, name in enumerate(walk.footfalls())]
    return Chart("Footfalls", lines, yticks=names, bands=[(walk.begin, walk.end)], band_label="measured",
                 over_time=False)  # fmt: skip
