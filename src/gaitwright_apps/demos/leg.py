"""Demonstration of Theo Jansen's leg: one turn, its report, and its numbers compared with the thesis (paper 003).

For an assessment of all differences, and of the numbers on the ground: `gaitwright reproduce walking-legs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gaitwright._core.json_types import write_json
from gaitwright.legs.leg import LegAnalysis, analyse_leg
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.report.blocks import Heading, Table
from gaitwright.report.views.pages.leg_page import leg_report
from gaitwright_apps.reproductions.rounding_bands import PRINTED_DEPTH, ROUNDING_BANDS, RoundingBand
from gaitwright_apps.reproductions.walking_legs_data import JANSEN, PRINTED_LEGS, PRINTED_NUMBERS, measure_name
from gaitwright_apps.reproductions.walking_legs_data import SHEET_ROWS as PRINTED
from gaitwright_apps.reproductions.walking_legs_runs import turn_measures

TABLE_HEADER = ("quantity", "unit", "Gaitwright", "thesis", "open by rounding")
THESIS_ROW_PREFIXES = ("4.3-", "4.4-torque-swing", "4.4-energy-swing-elastic")
THESIS_ROWS = [
    row
    for id, row in PRINTED.items()
    if row.of == JANSEN and id.startswith(THESIS_ROW_PREFIXES) and row.judge != "speed"
]
"""Table 4.3 and the swing part of Table 4.4, without velocities: the thesis adds the ground speed to some of them,
with a changing sign."""


@dataclass(frozen=True)
class DemoRow:
    """Our number and the thesis's; low, high: extremes over all lengths and masses that round to those of Table 4.2."""

    quantity: str
    unit: str
    ours: float
    thesis: float
    low: float
    high: float

    def cells(self, minus: str = "-") -> tuple[str, ...]:
        numbers = f"{self.ours:.5g}", f"{self.thesis:.5g}", f"{self.low:.4g} to {self.high:.4g}"
        return self.quantity, self.unit, *(number.replace("-", minus) for number in numbers)


@dataclass
class LegDemo:
    """Results of the demonstration. files: written files, by kind. differences: of the drive torque between forward
    and inverse dynamics, N m."""

    leg: LegAnalysis
    rows: list[DemoRow]
    files: dict[str, Path] = field(default_factory=dict)
    differences: dict[str, float] = field(default_factory=dict)

    def evidence(self) -> list[str]:
        """Accuracy of the numbers, as lines of text."""
        exact, energy = self.leg.turn.run.evidence, self.leg.turn.air.energy["turn"].absolute
        ground = max(loads.run.evidence.max_energy_residual for loads in self.leg.turn.ground.values())
        return [
            f"joints closed to {1e3 * exact.max_position_violation:.0e} mm",
            f"energy accounted for to {exact.max_energy_residual:.0e} J in the air and {ground:.0e} J on the ground, of "
            f"{energy:.3f} J per turn",
            f"drive torque by forward and by inverse dynamics: within {max(self.differences.values()):.1e} N m",
        ]

    def summary(self) -> dict[str, Any]:
        return {
            "name": self.leg.name,
            "table": [asdict(row) for row in self.rows],
            "leg": self.leg.summary(),
            "torque_differences": self.differences,
            "files": {content: str(path) for content, path in self.files.items()},
        }


def run_leg_demo(out: Path, progress: Callable[[str, float], None] | None = None) -> LegDemo:
    """Analyse the leg and write its report, numbers and results to the folder `out`."""
    report_progress = progress or (lambda label, fraction: None)
    report_progress("one turn", 0.0)
    leg = analyse_leg(jansen_leg(), progress=lambda f: report_progress("one turn", f))
    report_progress("forward dynamics", 0.0)
    measures = turn_measures(leg.turn)
    rows = []
    for row in THESIS_ROWS:
        number = measure_name(row)
        # The penetration is prescribed, so rounding of the lengths does not affect it.
        band = ROUNDING_BANDS[JANSEN][PRINTED_DEPTH].get(number, RoundingBand(measures[number], measures[number]))
        quantity = row.quantity.removeprefix(f"{PRINTED_LEGS[JANSEN].name}: ")
        # the thesis's average absolute torque is the magnitude of the mean torque
        quantity = quantity.replace("average absolute torque", "size of the mean torque")
        rows.append(DemoRow(quantity, row.unit, measures[number], PRINTED_NUMBERS[row.id], band.least, band.most))
    demo = LegDemo(leg, rows, differences=leg.check_forward(ground=False))
    report_progress("report", 0.5)
    page = leg_report(leg, demo.differences)
    table = Table("Beside the thesis", TABLE_HEADER, [row.cells(minus="−") for row in rows],
                  note="The last column: extremes over all lengths and masses that print as in Table 4.2. "
                  "Verdicts on every printed number: gaitwright reproduce walking-legs.")  # fmt: skip
    last = next(k for k, block in enumerate(page.blocks) if isinstance(block, Heading) and block.title == "Numbers")
    page.blocks[last + 1 : last + 1] = [table]
    demo.files = page.save(out / "report.html")
    demo.files["result"] = leg.turn.run.save(out / "result.nc")
    demo.files["numbers"] = out / "demo.json"
    write_json(demo.summary(), demo.files["numbers"])
    report_progress("done", 1.0)
    return demo
