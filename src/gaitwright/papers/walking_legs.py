"""Paper 003 chapter 4: Chebyshev's and Theo Jansen's legs, their motion, forces on the ground, torque and energy.

What is printed stands in walking_legs.yaml; how a number is judged that is not met at once, in walking_legs_judging.py; what
is computed beside, in walking_legs_facts.py; see docs/theory/legs.md for the definitions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gaitwright.papers import walking_legs_facts, walking_legs_fit
from gaitwright.papers.check import Experiment, heading
from gaitwright.papers.facts import fill
from gaitwright.papers.impact import Said, silent
from gaitwright.papers.rounding import BANDS
from gaitwright.papers.walking_legs_data import ELASTIC, INELASTIC, LEGS
from gaitwright.papers.walking_legs_ground import FRICTION, RATES, on_ground, saving
from gaitwright.papers.walking_legs_judging import AGREE, ANCHORED, ARGUMENTS
from gaitwright.papers.walking_legs_runs import LegRuns, leg_runs, pinned_depth

NAME = "walking-legs"


@dataclass
class WalkingLegs(Experiment):
    """legs: what was computed, by leg."""

    legs: dict[str, LegRuns] = field(default_factory=dict)
    arguments = ARGUMENTS

    def facts(self) -> dict[str, Any]:
        from gaitwright.papers import walking_legs_figures

        return {
            **walking_legs_facts.facts(self.legs), **walking_legs_figures.facts(self.legs),
            "agree": {"worst": max(apart for leg in self.legs.values() for apart in leg.agree.values()), "limit": AGREE},
            "anchors": {"worst": max(apart for leg in self.legs.values() for apart in leg.anchors.values()), "limit": ANCHORED},
            "fit": {leg: {n.replace("_", " "): rest for n, *rest in walking_legs_fit.joint_rows(leg)} for leg in LEGS},
            "fit_said": walking_legs_fit.said(), "rules": FRICTION, "rates": RATES,
            "energies": {leg.name: _energies(leg) for leg in self.legs.values()},
        }  # fmt: skip

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {
            name: {
                "exact": leg.exact.summary(), "ground": leg.ground.summary(),
                "bands": {number: band._asdict() for number, band in leg.bands.items()}, "thesis": leg.thesis,
                "readings of the inertia": leg.readings, "agreement": leg.agree, "closed kinematics": leg.closed,
                "apart from closed kinematics": leg.anchors,
            }
            for name, leg in self.legs.items()
        }  # fmt: skip

    def scenes(self) -> dict[str, Any]:
        """Both legs on the ground, inelastic, with the forces on their feet."""
        return {
            leg.printed.name: leg.ground.turn.ground[INELASTIC].run.scene(trace=[leg.ground.foot.name], forces=True)
            for leg in self.legs.values()
        }

    def draw(self, folder: Path) -> dict[str, Path]:
        """Also poses over a turn with the curve of the foot, as in Fig 4-3."""
        files = super().draw(folder)
        for name, leg in self.legs.items():
            options: dict[str, Any] = {"trace": [leg.exact.foot.name], "ghosts": 12, "labels": False}
            files[name] = leg.exact.turn.run.draw(folder / f"{NAME}-{name}.png", **options)
        return files


def _energies(leg: LegRuns) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Energy per turn (J) elastic and inelastic, saved (%) and largest force (N), by direction, rule of friction and reading of
    Eq 3.9."""

    def of(foot: Any, rule: str, rate: str) -> list[float]:
        soft, hard = (on_ground(foot, e, rule, rate) for e in (ELASTIC, INELASTIC))
        return [soft.energy(), hard.energy(), saving(soft, hard), hard.normal.max()]

    return {
        way: {rule: {rate: of(foot, rule, rate) for rate in RATES} for rule in FRICTION}
        for way, foot in leg.feet.items()
    }


def run(progress: Said | None = None) -> WalkingLegs:
    """Analyse both legs."""
    said = progress or silent
    legs = {}
    for k, name in enumerate(LEGS):
        said(LEGS[name].name, 0.9 * k / len(LEGS))
        legs[name] = leg_runs(name, BANDS[name])
    name, paper, title, choices = heading(NAME, {})
    pinned = {name: 1e3 * pinned_depth(name) for name in LEGS}
    return WalkingLegs(name, paper, title, {what: fill(why, pinned) for what, why in choices["reasons"].items()}, legs)
