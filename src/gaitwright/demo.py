"""The demonstration: Theo Jansen's leg through one turn, its report, and its numbers beside those of the thesis (paper 003).

What to think of every difference, and of the numbers on the ground: `gaitwright reproduce walking-legs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gaitwright.legs.leg import LegAnalysis, analyse_leg
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.papers.rounding import BANDS, Band
from gaitwright.papers.rounding import PRINTED as PRINTED_DEPTH
from gaitwright.papers.walking_legs_data import JANSEN, LEGS, NUMBERS, number_of
from gaitwright.papers.walking_legs_data import ROWS as PRINTED
from gaitwright.papers.walking_legs_runs import measures
from gaitwright.plain import write_json
from gaitwright.report.blocks import Heading, Table
from gaitwright.report.views.leg_page import leg_report

HEADER = ("quantity", "unit", "Gaitwright", "thesis", "open by rounding")
SHOWN = ("4.3-", "4.4-torque-swing", "4.4-energy-swing-elastic")
ROWS = [row for id, row in PRINTED.items() if row.of == JANSEN and id.startswith(SHOWN) and row.judge != "speed"]
"""Table 4.3 and what Table 4.4 has about the swing, without velocities: the thesis adds the speed of the ground to some of
them, with a sign that changes."""


@dataclass(frozen=True)
class Row:
    """Our number beside the thesis's; low, high: its extremes over all lengths and masses that Table 4.2 may stand for,
    which are rounded."""

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
class Demo:
    """What the demonstration found. files: what was written, by what it is. differences: N m, of the drive's torque by
    forward and by inverse dynamics."""

    leg: LegAnalysis
    rows: list[Row]
    files: dict[str, Path] = field(default_factory=dict)
    differences: dict[str, float] = field(default_factory=dict)

    def evidence(self) -> list[str]:
        """How far to trust the numbers, in lines."""
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
            "files": {what: str(path) for what, path in self.files.items()},
        }


def run_demo(out: Path, progress: Callable[[str, float], None] | None = None) -> Demo:
    """Analyse the leg and write its report, numbers and results into the folder `out`."""
    said = progress or (lambda what, fraction: None)
    said("one turn", 0.0)
    leg = analyse_leg(jansen_leg(), progress=lambda f: said("one turn", f))
    said("forward dynamics", 0.0)
    found = measures(leg.turn)
    rows = []
    for row in ROWS:
        number = number_of(row)
        # The penetration is given, so rounding of the lengths leaves nothing open.
        band = BANDS[JANSEN][PRINTED_DEPTH].get(number, Band(found[number], found[number]))
        quantity = row.quantity.removeprefix(f"{LEGS[JANSEN].name}: ")
        # what the thesis calls the average absolute torque is the size of the mean
        quantity = quantity.replace("average absolute torque", "size of the mean torque")
        rows.append(Row(quantity, row.unit, found[number], NUMBERS[row.id], band.least, band.most))
    demo = Demo(leg, rows, differences=leg.check_forward(ground=False))
    said("report", 0.5)
    page = leg_report(leg, demo.differences)
    table = Table("Beside the thesis", HEADER, [row.cells(minus="−") for row in rows],
                  note="The last column: extremes over all lengths and masses that print as in Table 4.2. "
                  "Verdicts on every printed number: gaitwright reproduce walking-legs.")  # fmt: skip
    last = next(k for k, block in enumerate(page.blocks) if isinstance(block, Heading) and block.title == "Numbers")
    page.blocks[last + 1 : last + 1] = [table]
    demo.files = page.save(out / "report.html")
    demo.files["result"] = leg.turn.run.save(out / "result.nc")
    demo.files["numbers"] = out / "demo.json"
    write_json(demo.summary(), demo.files["numbers"])
    said("done", 1.0)
    return demo
