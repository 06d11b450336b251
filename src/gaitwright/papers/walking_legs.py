"""Paper 003 chapter 4: Chebyshev's and Theo Jansen's legs, their motion, forces on the ground, torque and energy.

The verdicts are in walking_legs_inputs.py (Tables 4.1 and 4.2), walking_legs_kinematics.py (section 4.1) and
walking_legs_dynamics.py (section 4.2 and the conclusion); see docs/theory/legs.md for the definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gaitwright.papers import walking_legs_dynamics as dynamics
from gaitwright.papers import walking_legs_fit
from gaitwright.papers import walking_legs_inputs as inputs
from gaitwright.papers import walking_legs_kinematics as kinematics
from gaitwright.papers.check import Check, Experiment, Table
from gaitwright.papers.impact import Said, silent
from gaitwright.papers.walking_legs_bands import BANDS
from gaitwright.papers.walking_legs_data import ELASTIC, INELASTIC, LEGS, PAPER
from gaitwright.papers.walking_legs_ground import FRICTION, RATES, on_ground, saving
from gaitwright.papers.walking_legs_judging import AGREE, ANCHORED
from gaitwright.papers.walking_legs_runs import SWING_NUMBERS, LegRuns, leg_runs, pinned_depth

NAME = "walking-legs"
SAID = {"as driven": "clockwise", "backwards": "counter-clockwise"}

Verdicts = Callable[[dict[str, LegRuns]], Iterator[Check]]
SECTIONS: Sequence[Verdicts] = (
    inputs.parameters, inputs.lengths, inputs.sizes, kinematics.kinematics,
    dynamics.forces, dynamics.swing, dynamics.stance, dynamics.headline,
)  # fmt: skip
"""In the order of the thesis."""

CHOICES = {
    "height of O2": "the Jansen leg's a_y is not printed; -0.052 m by Jansen's proportions gives the flattest curve",
    "foot of the Chebyshev leg": "theta_6 - theta_6 in Eq 4.3 read as theta_6 = 0",
    "inertia": "m L^2 / 12; J = 2 l / 3 as printed is no moment of inertia",
    "K": "2e4 N/m^1.5 with n = 3/2; printed in N/m",
    "friction": "v0 = 1e-3, v1 = 1e-2 m/s; not printed. c_f is the direction of slip, not |v|",
    "speed of the ground": "minus the mean of the foot's x velocity in stance, Eq 4.17; not printed",
    "penetration": "as printed for the motion; for forces, torque and energy that at which the printed elastic peak "
    "is K d^1.5: " + ", ".join(f"{1e3 * pinned_depth(leg):.4f} mm ({LEGS[leg].name})" for leg in LEGS),
    "beta": "sqrt(2 alpha) and alpha sqrt(2) for the thesis's scheme; the root of Table 4.1 can be read as either",
}


@dataclass
class WalkingLegs(Experiment):
    """legs: what was computed, by leg."""

    legs: dict[str, LegRuns] = field(default_factory=dict)

    def judged(self) -> list[Check]:
        return [check for section in SECTIONS for check in section(self.legs)]

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {
            name: {
                "exact": leg.exact.summary(),
                "ground": leg.ground.summary(),
                "bands": {number: band._asdict() for number, band in leg.bands.items()},
                "thesis": leg.thesis,
                "readings of the inertia": leg.readings,
                "agreement": leg.agree,
                "closed kinematics": leg.closed,
                "apart from closed kinematics": leg.anchors,
            }
            for name, leg in self.legs.items()
        }

    def tables(self) -> list[Table]:
        return [_inertia(self.legs), _energies(self.legs), _steps(self.legs), walking_legs_fit.table()]

    def remarks(self) -> list[str]:
        worst = max(apart for leg in self.legs.values() for apart in leg.agree.values())
        anchors = max(apart for leg in self.legs.values() for apart in leg.anchors.values())
        return [
            f"forward and inverse dynamics, and runs on the ground and forces by hand, agree to {worst:.1e} (limit {AGREE:g})",
            "foot (m), acceleration and torque (parts of the largest) are those of closed kinematics of Table 4.2 and the "
            f"derivative of the energy to {anchors:.1e} (limit {ANCHORED:g}): without that, nothing would be called "
            "within-rounding or not-reproducible",
            walking_legs_fit.said(),
            "the speed of the foot as rate of penetration is an inference; the friction rule 'fitted' was fitted to "
            "four of the "
            "thesis's numbers: neither is evidence of what the thesis did",
        ]

    def scenes(self) -> dict[str, Any]:
        """Both legs on the ground, inelastic, with the forces on their feet."""
        return {
            leg.printed.name: leg.ground.turn.ground[INELASTIC].run.scene(trace=[leg.ground.foot.name], forces=True)
            for leg in self.legs.values()
        }

    def draw(self, folder: Path) -> dict[str, Path]:
        from gaitwright.papers.walking_legs_figures import draw

        return draw(self.legs, folder, self.name)


def _inertia(legs: dict[str, LegRuns]) -> Table:
    header = ("leg", "inertia", "largest torque, swing (N m)", "smallest (N m)", "energy of the swing (J)")
    rows = [
        (leg.printed.name, rule, *(f"{found[number]:.4g}" for number in SWING_NUMBERS))
        for leg in legs.values()
        for rule, found in leg.readings.items()
    ]
    return header, rows


def _energies(legs: dict[str, LegRuns]) -> Table:
    """Energy per turn for rules of friction and readings of Eq 3.9, in both directions."""
    header = (
        "leg", "crank", "friction", "rate of penetration", "elastic (J)", "inelastic (J)", "saved (%)", "largest force (N)",
    )  # fmt: skip
    rows = []
    for leg in legs.values():
        for direction, foot in leg.feet.items():
            for rule in FRICTION:
                for rate in RATES:
                    soft, hard = (on_ground(foot, e, rule, rate) for e in (ELASTIC, INELASTIC))
                    rows.append(
                        (leg.printed.name, SAID[direction], rule, rate, f"{soft.energy():.4f}", f"{hard.energy():.4f}",
                         f"{saving(soft, hard):.2f}", f"{hard.normal.max():.4g}")
                    )  # fmt: skip
    return header, rows


def _steps(legs: dict[str, LegRuns]) -> Table:
    """What the thesis's scheme does to the motion, turn by turn."""
    shown = {
        "step length (m)": "step_length", "step height (m)": "step_height",
        "largest acceleration (m/s2)": "acceleration_swing_max", "smallest (m/s2)": "acceleration_stance_min",
        "energy of the swing (J)": "energy_swing",
    }  # fmt: skip
    rows = []
    for leg in legs.values():
        rows.append((leg.printed.name, "exact", *(f"{leg.numbers[number]:.5g}" for number in shown.values())))
        for what, found in leg.thesis.items():
            rows.append((leg.printed.name, what, *(f"{found[number]:.5g}" for number in shown.values())))
    return ("leg", "scheme", *shown), rows


def run(progress: Said | None = None) -> WalkingLegs:
    """Analyse both legs."""
    said = progress or silent
    legs = {}
    for k, name in enumerate(LEGS):
        said(LEGS[name].name, 0.9 * k / len(LEGS))
        legs[name] = leg_runs(name, BANDS[name])
    return WalkingLegs(NAME, PAPER, "Paper 003 chapter 4: walking legs on the ground", CHOICES, legs)
