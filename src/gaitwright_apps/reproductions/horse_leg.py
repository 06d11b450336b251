"""Paper 003 chapter 6: the leg of a horse, its linkages, its hoof and the ground force in walking and running.

The chapter prints no length, no mass, no law of the actuator, no hoof, no ground, no stiffness, and its Eq 6.2 and its table of
linkages are missing. Consequences of its printed numbers alone are computed from them. Everything else is computed with the leg
of mechanisms/horse_leg.py and listed beside the printed number, which it can neither confirm nor refute.

Two results do not depend on the missing data. The crank and the actuator prescribe the motion, so that with Eq 3.9,

    F = K d^n (1 + (3/4)(1 - c_r^2) d'/v0),

the force of one contact is at most 1 + 0.75 max(d')/v0 times the elastic force, and, since the integral of d^n d' from
touchdown to lift-off is zero, its mean is the same for every c_r as long as the force is never negative (d' > -4/3 v0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.foot import FootCurve
from gaitwright.legs.hoof import HoofMotion, analyse_hoof, put_on_ground
from gaitwright.legs.leg import measure_feet
from gaitwright.legs.linkages import FourBar, four_bar_loop
from gaitwright.legs.settings import settings_of_run
from gaitwright.mechanisms.horse_leg import (
    CONTACT_POINTS,
    FOUR_BAR_LOOPS,
    GAIT_PARAMETERS,
    SOLE_PARAMETERS,
    SOLE_PENETRATION_M,
    horse_leg,
)
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
)
from gaitwright_apps.reproductions.perturbation import perturb_if_active

EXPERIMENT_NAME = "horse-leg"
ELASTIC_CONTACT, INELASTIC_CONTACT = "elastic", "inelastic"
RESTITUTIONS = {ELASTIC_CONTACT: 1.0, INELASTIC_CONTACT: 0.0}
THIGH_LOOP, ROCKER_LOOP = "thigh", "crank and L3"
STEP_PHASES = {"walk": ["heel-strike", "flat", "toe-off"], "run": ["toe-strike", "flat", "toe-off"]}
"""Phases of a step, as listed in the text."""


@dataclass(frozen=True)
class HorseLegSetup:
    """changes: of the length of L3, m, for Fig 6-4 to 6-6. samples: per turn."""

    penetration: float = SOLE_PENETRATION_M
    stiffness: float = 2e4
    friction: float = 0.4
    changes: tuple[float, ...] = (-0.01, 0.0, 0.01, 0.02, 0.03)
    samples: int = 4000


@dataclass
class HorseLegExperiment(Experiment):
    """turns: one turn of each gait without ground, by inverse dynamics. lengths: the same for each change of L3, m.
    grounded: on the ground, by gait and restitution; hoofs: hoof motion in them."""

    setup: HorseLegSetup
    turns: dict[str, Result]
    lengths: dict[float, Result]
    grounded: dict[tuple[str, str], Result] = field(default_factory=dict)
    hoofs: dict[tuple[str, str], HoofMotion] = field(default_factory=dict)

    @cached_property
    def changed(self) -> dict[str, Result]:
        """The same as `lengths`, by readable names."""
        return {f"{1e3 * d:+.0f} mm": turn for d, turn in self.lengths.items()}

    def facts(self) -> dict[str, Any]:
        turn, rockers = self.turns["walk"], {d: four_bar_loops(turn)[ROCKER_LOOP] for d, turn in self.changed.items()}
        thigh, sizes = (
            four_bar_loops(turn)[THIGH_LOOP],
            {d: math.degrees(loop.amplitude) for d, loop in rockers.items()},
        )
        row, col, value = turn.mechanism.mass
        place = turn.mechanism.body_names["L4"].index
        kick = int(np.argmax(turn.array("H.acceleration")))
        rows = {d: turn_measures(turn) for d, turn in self.changed.items()}
        return {
            "system": turn.mechanism.system,
            "links": turn.mechanism.body_names,
            "mass_rows": set(row[value != 0].tolist()),
            "L4": {
                n: float(value[(row == place[k]) & (col == place[k])].sum()) for k, n in ((0, "mass"), (2, "inertia"))
            },
            "length": float(
                np.hypot(*(turn.array(f"L4.C.{axis}")[0] - turn.array(f"L4.B.{axis}")[0] for axis in "xy"))
            ),
            "thigh": thigh,
            "is_parallelogram": float(thigh.code() == "2Plsls"),
            "line": thigh.transmission(),
            "sides": ", ".join(f"{1e3 * length:.0f}" for length in thigh.mean_lengths),
            "any_beta": np.degrees(
                np.concatenate([np.abs(four_bar_loops(each)[THIGH_LOOP].beta) for each in self.lengths.values()])
            ),
            "rocker": "; ".join(f"{size:.1f} degrees with {d}" for d, size in sizes.items()),
            "rocker_steps": np.diff(list(sizes.values())),
            "period": float(turn.time[-1]),
            "kick": {"time": float(turn.time[kick]), "mu": math.degrees(thigh.mu[kick])},
            "steps": {gait: self._step(gait) for gait in GAIT_PARAMETERS},
            "force": {gait: self._forces(gait) for gait in GAIT_PARAMETERS},
            "cr": {how: self._restitution(how) for how in RESTITUTIONS},
            # tables and pictures
            "changed": self.changed,
            "measures": rows,
            "changes": 1e3 * np.array(list(self.lengths)),
            "columns": {name: [row[name] for row in rows.values()] for name in next(iter(rows.values()))},
            "loops": {gait: describe_loops(turn) for gait, turn in self.turns.items()},
            "rockers": {d: _rocker_curve(loop) for d, loop in rockers.items()},
            "reach": self._reach(),
            "actuator": float(np.abs(self.turns["run"].array("actuator.force")).max()),
            "whole": float(np.ptp(np.degrees(self.hoofs["run", ELASTIC_CONTACT].angle))),
            "shown": {gait: self._shown(gait) for gait in GAIT_PARAMETERS},
            "transmission": {gait: four_bar_loops(turn) for gait, turn in self.turns.items()},
        }

    def _step(self, gait: str) -> dict[str, Any]:
        """Facts of the text about Fig 6-9: the hoof of one gait on the ground, s and degrees."""
        hoof = self.hoofs[gait, ELASTIC_CONTACT]
        step = hoof.steps[0]
        begin, end, names = step[0].begin, step[-1].end, [part.name for part in step]
        return {
            "t1": begin,
            "t3": end,
            "rotation": math.degrees(hoof.rotation()),
            "angle1": math.degrees(step[0].angles[0]),
            "angle3": math.degrees(step[-1].angles[1]),
            "level": math.degrees(float(np.interp(0.5 * (begin + end), hoof.time, hoof.angle))),
            "as_said": float(names == STEP_PHASES[gait]),
            "said": ", ".join(STEP_PHASES[gait]),
            "here": ", ".join(names),
        }

    def _reach(self) -> float:
        """Largest rotation of the hoof in running within the printed ground time, degrees."""
        return largest_rotation(self.turns["run"], self.sheet.printed["6-9-run-t3"] - self.sheet.printed["6-9-run-t1"])

    def _forces(self, gait: str) -> dict[str, Any]:
        """Facts of the text about Fig 6-10 for one gait; and of the two arguments: bound of the force, and the
        fastest release rate over the touchdown speed, for the contacts of the inelastic run."""
        run, bound, out = self.grounded[gait, INELASTIC_CONTACT], 1.75, 0.0
        for episode in run.episodes:
            rate = run.array(f"{episode.contact}.penetration_rate")[run.array(f"{episode.contact}.penetration") > 0]
            bound = max(bound, 1 + 0.75 * float(rate.max()) / episode.approach_speed)
            out = max(out, -float(rate.min()) / episode.approach_speed)
        inelastic, elastic = (
            self.sheet.printed[f"6-10-{gait}-{how}-peak"] for how in (INELASTIC_CONTACT, ELASTIC_CONTACT)
        )
        hoofs = {how: self.hoofs[gait, how] for how in RESTITUTIONS}
        return {**hoofs, "printed": inelastic / elastic, "bound": bound, "out": out}

    def _restitution(self, how: str) -> float:
        """Restitution read back from the force on the toe in walking."""
        run = self.grounded["walk", how]
        force, depth, rate = (run.array(f"toe.{name}") for name in ("normal_force", "penetration", "penetration_rate"))
        k = int(np.argmax(np.where(depth > 0.25 * depth.max(), rate, -np.inf)))
        speed = next(e.approach_speed for e in run.episodes if e.contact == "toe")
        factor = (force[k] / (self.setup.stiffness * depth[k] ** 1.5) - 1) * speed / rate[k]
        return math.sqrt(max(1 - factor / 0.75, 0.0))

    def _shown(self, gait: str) -> dict[str, Any]:
        """Data of a gait for pictures: the ground under the curve of the toe (m), the actuator (mm), angles of the
        hoof over the turn and in each part of the stance (degrees), the centre of pressure over the stance (%)."""
        turn, hoof, step = (
            self.turns[gait],
            self.hoofs[gait, ELASTIC_CONTACT],
            self.hoofs[gait, ELASTIC_CONTACT].steps[0],
        )
        x, pressed = turn.array("H.x"), self.hoofs[gait, INELASTIC_CONTACT]
        height = (
            float(min(turn.array(f"{point}.y").min() for point in CONTACT_POINTS.values())) + self.setup.penetration
        )
        hip, begin, end = turn.mechanism.ground_points["O2"], step[0].begin, step[-1].end
        parts = {"in the air": np.ones_like(hoof.time, dtype=bool)}
        parts |= {part.name: (hoof.time >= part.begin) & (hoof.time <= part.end) for part in step}
        stance = (pressed.time - begin) / (end - begin)
        inside = (stance > 0) & (stance < 1)
        return {
            "level": {"x": [x.min(), x.max()], "y": [height, height]},
            "around": [begin - 0.02, end + 0.02],
            "actuator": 1e3 * np.hypot(*(turn.array(f"B.{axis}") - hip[k] for k, axis in enumerate("xy"))),
            "on_ground": [part.name for part in step],
            "parts": {
                n: {"time": hoof.time[indices], "angle": np.degrees(hoof.angle[indices])}
                for n, indices in parts.items()
            },
            "centre": {"stance": 100 * stance[inside], "along": pressed.along[inside]},
        }

    def numbers(self) -> dict[str, dict[str, Any]]:
        summary: dict[str, dict[str, Any]] = {}
        for name, turn in {**self.turns, **{f"L3 {d}": turn for d, turn in self.changed.items()}}.items():
            summary[name] = {**turn_measures(turn), "loops": describe_loops(turn)}
        for (gait, how), hoof in self.hoofs.items():
            run = self.grounded[gait, how]
            summary[f"{gait}, {how}"] = {
                "largest_force": hoof.peak, "mean_force": hoof.mean, "duty": hoof.duty,
                "rotation_deg": math.degrees(hoof.rotation()), "absolute_work": run.drive_work("crank")["absolute"],
                "sub_phases": [[part.name, part.begin, part.end] for part in hoof.steps[0]],
                "energy_residual": run.evidence.max_energy_residual,
            }  # fmt: skip
        return summary

    def draw(self, folder: Path) -> dict[str, Path]:
        files = super().draw(folder)
        for gait, turn in self.turns.items():
            options: dict[str, Any] = {"trace": ["H", "L14.K"], "ghosts": 6}
            files[gait] = turn.draw(folder / f"{EXPERIMENT_NAME}-{gait}.png", 0.55, **options)
        return files


def largest_rotation(turn: Result, duration: float) -> float:
    """Largest rotation of the hoof, degrees, within a duration (s) of a periodic run, for any start time."""
    heel, toe = (np.stack([turn.array(f"{CONTACT_POINTS[end]}.{axis}") for axis in "xy"]) for end in ("heel", "toe"))
    angle = np.degrees(np.unwrap(np.arctan2(*(toe - heel)[::-1])))[:-1]
    later = np.interp(turn.time[:-1] + duration, turn.time, np.append(angle, angle[0]), period=float(turn.time[-1]))
    return float((later - angle).max())


def four_bar_loops(turn: Result) -> dict[str, FourBar]:
    return {name: four_bar_loop(turn, points) for name, points in FOUR_BAR_LOOPS.items()}


def turn_measures(turn: Result) -> dict[str, float]:
    """Measures compared in Fig 6-6: range of the rocker, of the toe's curve (m), largest speed, acceleration and
    torque, energy of the crank by |tau omega| (J)."""
    return {
        "rocker_deg": math.degrees(four_bar_loops(turn)[ROCKER_LOOP].amplitude),
        "width": float(np.ptp(turn.array("H.x"))), "height": float(np.ptp(turn.array("H.y"))),
        "speed": float(turn.array("H.speed").max()), "acceleration": float(turn.array("H.acceleration").max()),
        "torque": float(np.abs(turn.array("crank.torque")).max()), "energy": turn.drive_work("crank")["absolute"],
    }  # fmt: skip


def describe_loops(turn: Result) -> dict[str, dict[str, str]]:
    """Description of the loops as text."""

    def span(values: np.ndarray) -> str:
        low, high = np.degrees([values.min(), values.max()])
        return f"{low:.1f} to {high:.1f}"

    return {
        name: {
            "class": ", ".join(loop.classes), "code": loop.code(0.25) or "-", "alpha": span(loop.alpha),
            "beta": span(loop.beta), "transmission": span(loop.mu), "line": f"{math.degrees(loop.transmission().error):.1f}",
        }
        for name, loop in four_bar_loops(turn).items()
    }  # fmt: skip


def _rocker_curve(loop: FourBar) -> dict[str, Any]:
    """Angle of L3 over that of the crank, degrees, with its maximum and minimum."""
    alpha, beta = np.degrees(loop.alpha[0] - loop.alpha), np.degrees(loop.beta)
    ends = {name: [int(k)] for name, k in (("high", np.argmax(beta)), ("low", np.argmin(beta)))}
    return {"alpha": alpha, "beta": beta} | {name: {"alpha": alpha[k], "beta": beta[k]} for name, k in ends.items()}


def sole_middle_curve(turn: Result, penetration: float) -> FootCurve:
    """Curve of the middle of the sole over a ground that the lowest point of the hoof penetrates by `penetration`,
    m."""
    first = CONTACT_POINTS["sole"]  # the ground moves as this point does in stance
    feet = (first, *(point for point in CONTACT_POINTS.values() if point != first))
    return measure_feet(turn, replace(settings_of_run(turn), feet=feet, penetration=penetration))[first]


def run(progress: ProgressCallback = ignore_progress, setup: HorseLegSetup = HorseLegSetup()) -> HorseLegExperiment:
    """Run all parts of the experiment."""
    times = np.linspace(0.0, 1.0, setup.samples + 1)
    progress("turns of the crank", 0.0)
    turns = {gait: perturb_if_active(horse_leg(gait)).inverse(times=times) for gait in GAIT_PARAMETERS}
    mean = float(horse_leg().to_dict()["parameters"]["L3"])
    lengths = {d: perturb_if_active(horse_leg(L3=mean + d)).inverse(times=times) for d in setup.changes}
    chosen = {**SOLE_PARAMETERS, "penetration": setup.penetration, "stiffness": setup.stiffness}
    experiment = HorseLegExperiment(*experiment_heading(EXPERIMENT_NAME, chosen), setup, turns, lengths)
    for k, gait in enumerate(GAIT_PARAMETERS):
        middle = sole_middle_curve(turns[gait], setup.penetration)
        for how, restitution in RESTITUTIONS.items():
            progress(f"{gait} on the ground, {how}", 0.3 + 0.3 * k)
            law = LankaraniNikravesh(stiffness=setup.stiffness, restitution=restitution)
            heading: dict[str, Any] = {"law": law, "friction": Coulomb(setup.friction), "level": middle.level,
                                     "speed": middle.body_speed}  # fmt: skip
            experiment.grounded[gait, how] = perturb_if_active(
                put_on_ground(horse_leg(gait), CONTACT_POINTS, **heading)
            ).inverse(times=times)
            experiment.hoofs[gait, how] = analyse_hoof(experiment.grounded[gait, how], list(CONTACT_POINTS))
    return experiment
