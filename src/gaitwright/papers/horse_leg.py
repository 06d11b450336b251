"""Paper 003 chapter 6: the leg of a horse, its linkages, its hoof and the force of the ground in walking and running.

The chapter prints no length, no mass, no law of the actuator, no hoof, no ground, no stiffness, and its Eq 6.2 and its table of
linkages are missing. What follows from its printed numbers alone is computed from them. Everything else is computed with
the leg of mechanisms/horse_leg.py (REFERENCE G) and put beside the printed number, which it can neither confirm nor refute.

Two things do not depend on what is missing. The crank and the actuator prescribe the motion, so that with Eq 3.9,

    F = K d^n (1 + (3/4)(1 - c_r^2) d'/v0),

one contact pushes at most 1 + 0.75 max(d')/v0 times the elastic force, and, since the integral of d^n d' from touchdown to
lift-off is zero, has the same mean force for every c_r as long as it never pulls (d' > -4/3 v0).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.foot import FootCurve
from gaitwright.legs.hoof import Hoof, analyse_hoof, put_on_ground
from gaitwright.legs.leg import measure_feet
from gaitwright.legs.linkages import FourBar, four_bar_loop
from gaitwright.legs.settings import settings_of
from gaitwright.mechanisms.horse_leg import CONTACTS, DEPTH, GAITS, LOOPS, SOLE, horse_leg
from gaitwright.papers.check import Experiment, heading
from gaitwright.papers.disturb import built
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.result.result import Result

NAME = "horse-leg"
ELASTIC, INELASTIC = "elastic", "inelastic"
RESTITUTIONS = {ELASTIC: 1.0, INELASTIC: 0.0}
THIGH, ROCKER = "thigh", "crank and L3"


@dataclass(frozen=True)
class Setup:
    """changes: m, of the length of L3, for Fig 6-4 to 6-6. samples: per turn."""

    penetration: float = DEPTH
    stiffness: float = 2e4
    friction: float = 0.4
    changes: tuple[float, ...] = (-0.01, 0.0, 0.01, 0.02, 0.03)
    samples: int = 4000


@dataclass
class HorseLeg(Experiment):
    """turns: one turn of each gait without ground, by inverse dynamics. lengths: the same for each change of L3, m.
    grounded: on the ground, by gait and restitution; hoofs: what the hoof did in them."""

    setup: Setup
    turns: dict[str, Result]
    lengths: dict[float, Result]
    grounded: dict[tuple[str, str], Result] = field(default_factory=dict)
    hoofs: dict[tuple[str, str], Hoof] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        from gaitwright.papers.horse_leg_facts import facts, shown

        return {**facts(self), **shown(self)}

    def loop(self, gait: str, name: str) -> FourBar:
        return four_bar_loop(self.turns[gait], LOOPS[name])

    def numbers(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name, turn in {**self.turns, **{f"L3 {1e3 * d:+.0f} mm": turn for d, turn in self.lengths.items()}}.items():
            found[name] = {**measures(turn), "loops": {loop: of_loop(turn, loop) for loop in LOOPS}}
        for (gait, how), hoof in self.hoofs.items():
            run = self.grounded[gait, how]
            found[f"{gait}, {how}"] = {
                "largest_force": hoof.peak, "mean_force": hoof.mean, "duty": hoof.duty,
                "rotation_deg": math.degrees(hoof.rotation()), "absolute_work": run.drive_work("crank")["absolute"],
                "sub_phases": [[part.name, part.begin, part.end] for part in hoof.steps[0]],
                "energy_residual": run.evidence.max_energy_residual,
            }  # fmt: skip
        return found

    def draw(self, folder: Path) -> dict[str, Path]:
        files = super().draw(folder)
        for gait, turn in self.turns.items():
            options: dict[str, Any] = {"trace": ["H", "L14.K"], "ghosts": 6}
            files[gait] = turn.draw(folder / f"{NAME}-{gait}.png", 0.55, **options)
        return files


def measures(turn: Result) -> dict[str, float]:
    """What Fig 6-6 compares: range of the rocker, of the toe's curve (m), largest speed, acceleration and torque, energy of the
    crank by |tau omega| (J)."""
    work = turn.drive_work("crank")
    return {
        "rocker_deg": math.degrees(four_bar_loop(turn, LOOPS[ROCKER]).amplitude),
        "width": float(np.ptp(turn.values("H.x"))),
        "height": float(np.ptp(turn.values("H.y"))),
        "speed": float(turn.values("H.speed").max()),
        "acceleration": float(turn.values("H.acceleration").max()),
        "torque": float(np.abs(turn.values("crank.torque")).max()),
        "energy": work["absolute"],
    }


def of_loop(turn: Result, name: str) -> dict[str, str]:
    """A loop in words."""
    loop = four_bar_loop(turn, LOOPS[name])

    def span(values: np.ndarray) -> str:
        low, high = np.degrees([values.min(), values.max()])
        return f"{low:.1f} to {high:.1f}"

    return {
        "class": ", ".join(loop.classes), "code": loop.code(0.25) or "-", "alpha": span(loop.alpha), "beta": span(loop.beta),
        "transmission": span(loop.mu), "line": f"{math.degrees(loop.transmission().error):.1f}",
    }  # fmt: skip


def middle_of_sole(turn: Result, penetration: float) -> FootCurve:
    """The curve of the middle of the sole over the ground into which the lowest point of the hoof goes by `penetration`, m."""
    first = CONTACTS["sole"]  # the ground moves as this point does in stance
    feet = (first, *(point for point in CONTACTS.values() if point != first))
    return measure_feet(turn, replace(settings_of(turn), feet=feet, penetration=penetration))[first]


def run(
    progress: Callable[[str, float], None] = lambda what, fraction: None,
    setup: Setup = Setup(),  # noqa: B008
) -> HorseLeg:
    """All runs of the experiment."""
    times = np.linspace(0.0, 1.0, setup.samples + 1)
    progress("turns of the crank", 0.0)
    turns = {gait: built(horse_leg(gait)).inverse(times=times) for gait in GAITS}
    mean = float(horse_leg().to_dict()["parameters"]["L3"])
    lengths = {d: built(horse_leg(L3=mean + d)).inverse(times=times) for d in setup.changes}
    chosen = {**SOLE, "penetration": setup.penetration, "stiffness": setup.stiffness}
    found = HorseLeg(*heading(NAME, chosen), setup, turns, lengths)
    for k, gait in enumerate(GAITS):
        middle = middle_of_sole(turns[gait], setup.penetration)
        for how, restitution in RESTITUTIONS.items():
            progress(f"{gait} on the ground, {how}", 0.3 + 0.3 * k)
            law = LankaraniNikravesh(stiffness=setup.stiffness, restitution=restitution)
            about: dict[str, Any] = {"law": law, "friction": Coulomb(setup.friction), "level": middle.level,
                                     "speed": middle.body_speed}  # fmt: skip
            found.grounded[gait, how] = built(put_on_ground(horse_leg(gait), CONTACTS, **about)).inverse(times=times)
            found.hoofs[gait, how] = analyse_hoof(found.grounded[gait, how], list(CONTACTS))
    return found
