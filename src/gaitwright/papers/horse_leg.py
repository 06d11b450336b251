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
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.foot import FootCurve
from gaitwright.legs.hoof import Hoof, analyse_hoof, put_on_ground
from gaitwright.legs.leg import measure_feet
from gaitwright.legs.linkages import FourBar, four_bar_loop
from gaitwright.legs.settings import settings_of
from gaitwright.mechanisms.horse_leg import CONTACTS, DEPTH, GAITS, LOOPS, SOLE, horse_leg
from gaitwright.papers.check import Experiment, Said, heading, silent
from gaitwright.papers.disturb import built
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.result.result import Result

NAME = "horse-leg"
ELASTIC, INELASTIC = "elastic", "inelastic"
RESTITUTIONS = {ELASTIC: 1.0, INELASTIC: 0.0}
THIGH, ROCKER = "thigh", "crank and L3"
PHASES = {"walk": ["heel-strike", "flat", "toe-off"], "run": ["toe-strike", "flat", "toe-off"]}
"""Of a step, as the text has them."""


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

    @cached_property
    def changed(self) -> dict[str, Result]:
        """The same as `lengths`, by what people read."""
        return {f"{1e3 * d:+.0f} mm": turn for d, turn in self.lengths.items()}

    def facts(self) -> dict[str, Any]:
        turn, rockers = self.turns["walk"], {d: loops(turn)[ROCKER] for d, turn in self.changed.items()}
        thigh, sizes = loops(turn)[THIGH], {d: math.degrees(loop.amplitude) for d, loop in rockers.items()}
        row, col, value = turn.mechanism.mass
        place = turn.mechanism.body_names["L4"].index
        kick = int(np.argmax(turn.values("H.acceleration")))
        rows = {d: measures(turn) for d, turn in self.changed.items()}
        return {
            "system": turn.mechanism.system, "links": turn.mechanism.body_names, "mass_rows": set(row[value != 0].tolist()),
            "L4": {n: float(value[(row == place[k]) & (col == place[k])].sum()) for k, n in ((0, "mass"), (2, "inertia"))},
            "length": float(np.hypot(*(turn.values(f"L4.C.{axis}")[0] - turn.values(f"L4.B.{axis}")[0] for axis in "xy"))),
            "thigh": thigh, "is_parallelogram": float(thigh.code() == "2Plsls"), "line": thigh.transmission(),
            "sides": ", ".join(f"{1e3 * length:.0f}" for length in thigh.mean_lengths),
            "any_beta": np.degrees(np.concatenate([np.abs(loops(each)[THIGH].beta) for each in self.lengths.values()])),
            "rocker": "; ".join(f"{size:.1f} degrees with {d}" for d, size in sizes.items()),
            "rocker_steps": np.diff(list(sizes.values())), "period": float(turn.time[-1]),
            "kick": {"time": float(turn.time[kick]), "mu": math.degrees(thigh.mu[kick])},
            "steps": {gait: self._step(gait) for gait in GAITS}, "force": {gait: self._forces(gait) for gait in GAITS},
            "cr": {how: self._restitution(how) for how in RESTITUTIONS},
            # tables and pictures
            "changed": self.changed, "measures": rows, "changes": 1e3 * np.array(list(self.lengths)),
            "columns": {name: [row[name] for row in rows.values()] for name in next(iter(rows.values()))},
            "loops": {gait: of_loops(turn) for gait, turn in self.turns.items()},
            "rockers": {d: _rocker(loop) for d, loop in rockers.items()},
            "reach": self._reach(), "actuator": float(np.abs(self.turns["run"].values("actuator.force")).max()),
            "whole": float(np.ptp(np.degrees(self.hoofs["run", ELASTIC].angle))),
            "shown": {gait: self._shown(gait) for gait in GAITS},
            "transmission": {gait: loops(turn) for gait, turn in self.turns.items()},
        }  # fmt: skip

    def _step(self, gait: str) -> dict[str, Any]:
        """Text about Fig 6-9: the hoof of one gait on the ground, s and degrees."""
        hoof = self.hoofs[gait, ELASTIC]
        step = hoof.steps[0]
        begin, end, names = step[0].begin, step[-1].end, [part.name for part in step]
        return {
            "t1": begin, "t3": end, "rotation": math.degrees(hoof.rotation()),
            "angle1": math.degrees(step[0].angles[0]), "angle3": math.degrees(step[-1].angles[1]),
            "level": math.degrees(float(np.interp(0.5 * (begin + end), hoof.time, hoof.angle))),
            "as_said": float(names == PHASES[gait]), "said": ", ".join(PHASES[gait]), "here": ", ".join(names),
        }  # fmt: skip

    def _reach(self) -> float:
        """Degrees by which the hoof can turn in running within the printed time on the ground."""
        return largest_turn(self.turns["run"], self.sheet.printed["6-9-run-t3"] - self.sheet.printed["6-9-run-t1"])

    def _forces(self, gait: str) -> dict[str, Any]:
        """Text about Fig 6-10, one gait; of the two arguments: bound of the force, and the fastest way out over the speed at
        touchdown, of the contacts of the inelastic run."""
        run, bound, out = self.grounded[gait, INELASTIC], 1.75, 0.0
        for episode in run.episodes:
            rate = run.values(f"{episode.contact}.penetration_rate")[run.values(f"{episode.contact}.penetration") > 0]
            bound = max(bound, 1 + 0.75 * float(rate.max()) / episode.approach_speed)
            out = max(out, -float(rate.min()) / episode.approach_speed)
        inelastic, elastic = (self.sheet.printed[f"6-10-{gait}-{how}-peak"] for how in (INELASTIC, ELASTIC))
        hoofs = {how: self.hoofs[gait, how] for how in RESTITUTIONS}
        return {**hoofs, "printed": inelastic / elastic, "bound": bound, "out": out}

    def _restitution(self, how: str) -> float:
        """Read back from the force on the toe in walking."""
        run = self.grounded["walk", how]
        force, depth, rate = (run.values(f"toe.{name}") for name in ("normal_force", "penetration", "penetration_rate"))
        k = int(np.argmax(np.where(depth > 0.25 * depth.max(), rate, -np.inf)))
        speed = next(e.approach_speed for e in run.episodes if e.contact == "toe")
        factor = (force[k] / (self.setup.stiffness * depth[k] ** 1.5) - 1) * speed / rate[k]
        return math.sqrt(max(1 - factor / 0.75, 0.0))

    def _shown(self, gait: str) -> dict[str, Any]:
        """Of a gait, for pictures: the ground under the curve of the toe (m), the actuator (mm), angles of the hoof over the
        turn and in each part of the stance (degrees), the centre of pressure over the stance (%)."""
        turn, hoof, step = self.turns[gait], self.hoofs[gait, ELASTIC], self.hoofs[gait, ELASTIC].steps[0]
        x, pressed = turn.values("H.x"), self.hoofs[gait, INELASTIC]
        height = float(min(turn.values(f"{point}.y").min() for point in CONTACTS.values())) + self.setup.penetration
        hip, begin, end = turn.mechanism.ground_points["O2"], step[0].begin, step[-1].end
        parts = {"in the air": np.ones_like(hoof.time, dtype=bool)}
        parts |= {part.name: (hoof.time >= part.begin) & (hoof.time <= part.end) for part in step}
        stance = (pressed.time - begin) / (end - begin)
        inside = (stance > 0) & (stance < 1)
        return {
            "level": {"x": [x.min(), x.max()], "y": [height, height]}, "around": [begin - 0.02, end + 0.02],
            "actuator": 1e3 * np.hypot(*(turn.values(f"B.{axis}") - hip[k] for k, axis in enumerate("xy"))),
            "on_ground": [part.name for part in step],
            "parts": {n: {"time": hoof.time[at], "angle": np.degrees(hoof.angle[at])} for n, at in parts.items()},
            "centre": {"stance": 100 * stance[inside], "along": pressed.along[inside]},
        }  # fmt: skip

    def numbers(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name, turn in {**self.turns, **{f"L3 {d}": turn for d, turn in self.changed.items()}}.items():
            found[name] = {**measures(turn), "loops": of_loops(turn)}
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


def largest_turn(turn: Result, duration: float) -> float:
    """Largest angle, degrees, by which the hoof turns within a duration (s) of a run over one period, whatever the start."""
    heel, toe = (np.stack([turn.values(f"{CONTACTS[end]}.{axis}") for axis in "xy"]) for end in ("heel", "toe"))
    angle = np.degrees(np.unwrap(np.arctan2(*(toe - heel)[::-1])))[:-1]
    later = np.interp(turn.time[:-1] + duration, turn.time, np.append(angle, angle[0]), period=float(turn.time[-1]))
    return float((later - angle).max())


def loops(turn: Result) -> dict[str, FourBar]:
    return {name: four_bar_loop(turn, points) for name, points in LOOPS.items()}


def measures(turn: Result) -> dict[str, float]:
    """What Fig 6-6 compares: range of the rocker, of the toe's curve (m), largest speed, acceleration and torque, energy of the
    crank by |tau omega| (J)."""
    return {
        "rocker_deg": math.degrees(loops(turn)[ROCKER].amplitude),
        "width": float(np.ptp(turn.values("H.x"))), "height": float(np.ptp(turn.values("H.y"))),
        "speed": float(turn.values("H.speed").max()), "acceleration": float(turn.values("H.acceleration").max()),
        "torque": float(np.abs(turn.values("crank.torque")).max()), "energy": turn.drive_work("crank")["absolute"],
    }  # fmt: skip


def of_loops(turn: Result) -> dict[str, dict[str, str]]:
    """The loops in words."""

    def span(values: np.ndarray) -> str:
        low, high = np.degrees([values.min(), values.max()])
        return f"{low:.1f} to {high:.1f}"

    return {
        name: {
            "class": ", ".join(loop.classes), "code": loop.code(0.25) or "-", "alpha": span(loop.alpha),
            "beta": span(loop.beta), "transmission": span(loop.mu), "line": f"{math.degrees(loop.transmission().error):.1f}",
        }
        for name, loop in loops(turn).items()
    }  # fmt: skip


def _rocker(loop: FourBar) -> dict[str, Any]:
    """Angle of L3 over that of the crank, degrees, with highest and lowest points."""
    alpha, beta = np.degrees(loop.alpha[0] - loop.alpha), np.degrees(loop.beta)
    ends = {name: [int(k)] for name, k in (("high", np.argmax(beta)), ("low", np.argmin(beta)))}
    return {"alpha": alpha, "beta": beta} | {name: {"alpha": alpha[k], "beta": beta[k]} for name, k in ends.items()}


def middle_of_sole(turn: Result, penetration: float) -> FootCurve:
    """The curve of the middle of the sole over the ground into which the lowest point of the hoof goes by `penetration`, m."""
    first = CONTACTS["sole"]  # the ground moves as this point does in stance
    feet = (first, *(point for point in CONTACTS.values() if point != first))
    return measure_feet(turn, replace(settings_of(turn), feet=feet, penetration=penetration))[first]


def run(progress: Said = silent, setup: Setup = Setup()) -> HorseLeg:
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
