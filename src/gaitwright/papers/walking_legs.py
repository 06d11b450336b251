"""Paper 003 chapter 4: Chebyshev's and Theo Jansen's legs, their motion, forces on the ground, torque and energy.

What is printed stands in walking_legs.yaml; how a number is judged that is not met at once, in walking_legs_judging.py; see
docs/theory/legs.md for the definitions. Two arguments settle most of section 4.2, for every v0, v1 and speed of the ground,
none of which is printed:

    Eq 3.9 at c_r = 0    F_N <= 1.75 K d^1.5, because the foot never goes in faster than it touched down; and its mean is that
                         of elastic contact, because the integral of d^n d' over a stance is zero
    Eq 3.10              |F_f| <= mu F_N, so that |tau| <= |tau_air| + F_N (|v_y| + mu |v_x|) / omega
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.phases import STANCE, SWING, TURN, Phases
from gaitwright.papers import walking_legs_fit
from gaitwright.papers.check import Experiment, Said, heading, silent
from gaitwright.papers.facts import fill, look_up
from gaitwright.papers.rounding import BANDS, Band
from gaitwright.papers.walking_legs_data import (
    CHEBYSHEV,
    DATA,
    ELASTIC,
    INELASTIC,
    JANSEN,
    LEGS,
    NUMBERS,
    SAID,
    STIFFNESS,
    TEXTS,
    pinned_depth,
)
from gaitwright.papers.walking_legs_ground import FRICTION, RATES, Foot, on_ground, saving
from gaitwright.papers.walking_legs_judging import AGREE, ANCHORED, ARGUMENTS, digits_said
from gaitwright.papers.walking_legs_runs import DIRECTION, LegRuns, leg_runs
from gaitwright.papers.walking_legs_statements import leg_statements
from gaitwright.report.views.leg_page import consumed, turn_of
from gaitwright.result.result import Result

NAME = "walking-legs"
CRANK = 0.1
"""m, section 4.1: the radius that both legs are normalised to."""
HALF_MILLIMETRE = 5e-4 + 1e-9
"""Half a unit of the last digit, and a little, so that the noise of floating point does not decide."""
THIN, COARSE = "m L^2 / 12", "m L^2 / 3, thesis's steps"


@dataclass
class WalkingLegs(Experiment):
    """legs: what was computed, by leg."""

    legs: dict[str, LegRuns] = field(default_factory=dict)
    arguments = ARGUMENTS

    def facts(self) -> dict[str, Any]:
        legs, some = self.legs, self.legs[CHEBYSHEV]
        steps = {number: [turn[number] for turn in some.thesis.values()] for number in next(iter(some.thesis.values()))}
        apart = ", ".join(f"{off(leg, COARSE):.1f} % ({leg.printed.name})" for leg in legs.values())
        return {
            "drift": {name: _drift(leg) for name, leg in legs.items()},
            "says": {name: leg_statements(leg) for name, leg in legs.items()},
            "at": {name: _of(leg) for name, leg in legs.items()}, "pinned": {name: 1e3 * pinned_depth(name) for name in legs},
            "euler": next(iter(some.euler.values())), "fed_back": {beta: _baumgarte(run) for beta, run in some.euler.items()},
            "turn": {name: leg.exact.turn.run for name, leg in legs.items()},
            "steps": steps,
            "middle": {name: leg.numbers["speed_mean"] - leg.numbers["over_middle_mean"] for name, leg in legs.items()},
            "inertia": {"nearest": max(off(leg, THIN) for leg in legs.values()), "apart": apart},
            "only_the_base": _only_the_base(legs[JANSEN]),
            "shown": {name: {**_in_air(leg), **_on_ground(leg)} for name, leg in legs.items()},
            "agree": {"worst": max(most for leg in legs.values() for most in leg.agree.values()), "limit": AGREE},
            "anchors": {"worst": max(most for leg in legs.values() for most in leg.anchors.values()), "limit": ANCHORED},
            "fit": {leg: {n.replace("_", " "): rest for n, *rest in walking_legs_fit.joint_rows(leg)} for leg in LEGS},
            "fit_said": walking_legs_fit.said(), "rules": FRICTION, "rates": RATES,
            "energies": {
                name: {
                    way: {rule: {rate: _energies(foot, rule, rate) for rate in RATES} for rule in FRICTION}
                    for way, foot in leg.feet.items()
                }
                for name, leg in legs.items()
            },
        }  # fmt: skip

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {
            name: {
                "exact": leg.exact.summary(), "ground": leg.ground.summary(),
                "bands": {number: band._asdict() for number, band in leg.bands.items()},
                "bands at the pinned penetration": {n: band._asdict() for n, band in leg.pinned_bands.items()},
                "thesis": leg.thesis,
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


def run(progress: Said = silent) -> WalkingLegs:
    """Analyse both legs."""
    legs = {}
    for k, name in enumerate(LEGS):
        progress(LEGS[name].name, 0.9 * k / len(LEGS))
        legs[name] = leg_runs(name, BANDS[name])
    name, paper, title, choices = heading(NAME, {})
    pinned = {name: 1e3 * pinned_depth(name) for name in LEGS}
    reasons = {what: fill(why, pinned) for what, why in choices["reasons"].items()}
    return WalkingLegs(name, paper, title, {**choices, "reasons": reasons}, legs)


# what is computed beside the numbers ---------------------------------------------------------------------------------


def _of(leg: LegRuns) -> dict[str, Any]:
    """What the rows of one leg name. on: its loads, by restitution. guess: the normal force with the speed of the foot as rate
    of penetration, N. added: the energy that a stance can cost with any friction, J."""
    foot, turn = leg.feet[DIRECTION], leg.ground.turn
    constraints = leg.exact.turn.run.mechanism.constraint_names
    least, most = (STIFFNESS * (leg.printed.depth + by) ** 1.5 for by in (-0.5e-3, 0.5e-3))
    exact = leg.exact.turn.ground[ELASTIC]
    by_hand = {e: [on_ground(foot, e, rule) for rule in FRICTION] for e in SAID}  # the first without friction
    energy = {
        how: sum(NUMBERS[f"4.4-energy-{part}-{how}-{leg.name}"] for part in (SWING, STANCE)) for how in SAID.values()
    }
    quoted, paths = 100 * (1 - energy["elastic"] / energy["inelastic"]), DATA["on ground"].items()
    peak = NUMBERS[f"4.2-normal-peak-elastic-{leg.name}"]
    return {
        "gravity": _gravity(leg),
        "lengths": {link: _distance(leg, link, *ends) for link, (*ends, _, _) in leg.printed.links.items()},
        "rows": {kind: sum(n.rows.size for n in constraints if n.kind == kind) for kind in ("joint", "drive")},
        "exact": exact, "on": {SAID[e]: loads for e, loads in turn.ground.items()}, "least": least, "most": most,
        "room": Band(least, most).room(peak, exact.normal[TURN].greatest),
        "fastest": float(foot.rate[foot.parts[STANCE]].max() / foot.touchdown_speed),
        "thesis_peak": leg.euler_ground[INELASTIC],
        "guess": on_ground(foot, INELASTIC, "none", "speed of the foot").normal,
        "mean_said": digits_said(leg.pinned_bands["normal_mean"]),
        "ground": {what: {e: look_up(turn.ground[e], path) for e in SAID} for what, (path, _, _) in paths},
        "tried": {what: {e: [look_up(by, path) for by in by_hand[e]] for e in SAID} for what, (_, path, _) in paths},
        "most_of": {what: {e: look_up(by_hand[e][0], path) for e in SAID} for what, (_, _, path) in paths},
        "free": turn.air.energy[SWING].absolute, "added": by_hand[INELASTIC][0].bounds[STANCE].energy,
        "guessed": [_energies(foot, rule, "speed of the foot")[2] for rule in ("standing ground", "fitted")],
        "energy": energy, "cut": "" if abs(quoted - NUMBERS[f"7-saving-{leg.name}"]) <= 0.05 else "; cut, not rounded",
    }  # fmt: skip


def _energies(foot: Foot, rule: str, rate: str) -> list[float]:
    """Energy per turn (J) elastic and inelastic, saved (%) and largest force (N), by rule of friction and reading of Eq 3.9."""
    soft, hard = (on_ground(foot, e, rule, rate) for e in (ELASTIC, INELASTIC))
    return [soft.energies[TURN], hard.energies[TURN], saving(soft, hard), hard.normal.max()]


def _baumgarte(run: Result) -> tuple[float, float]:
    """alpha and beta, 1/s, such that x'' + 2 alpha x' + beta^2 x = 0 for the end of the crank that should stay in O1."""
    x, rate, second = (run.values(f"crank.O1.{part}") for part in ("x", "vx", "ax"))
    found, *_ = np.linalg.lstsq(np.stack([2 * rate, x], axis=1), -second, rcond=None)
    return float(found[0]), float(np.sqrt(found[1]))


def _drift(leg: LegRuns) -> dict[str, Any]:
    """Errors of positions, Eq 2.14, m^2, without and with feedback, once they have left rounding behind."""
    runs = {"free": leg.free, **leg.euler}
    return {
        name: {"time": run.time[20:], "error": run.values("evidence.position_violation")[20:]}
        for name, run in runs.items()
    }


def _gravity(leg: LegRuns) -> float:
    """Momentum over a turn that repeats: the ground carries the weight on average."""
    run = leg.exact.turn.run
    names = [name for name in run.catalogue.outputs if name.startswith(("O1", "O2")) and name.endswith(".fy")]
    carried = sum(float(np.mean(run.values(name)[:-1])) for name in names)
    return abs(carried) / sum(mass for *_, mass in leg.printed.links.values())


def _distance(leg: LegRuns, link: str, a: str, b: str) -> float:
    """Between the ends of a link in our run, m."""
    run = leg.exact.turn.run
    along = (run.values(f"{link}.{b}.{part}") - run.values(f"{link}.{a}.{part}") for part in "xy")
    return float(np.hypot(*along).mean())


def _only_the_base(leg: LegRuns) -> bool:
    """|O1 O2| of the Jansen leg is none of the designer's, while all of his other lengths are met."""
    lengths, designed = leg.printed.table, leg.printed.proportions
    apart = {link: abs(CRANK * part / leg.printed.unit - lengths[link]) for link, part in designed.items()}
    return [link for link, by in apart.items() if by > HALF_MILLIMETRE] == ["base"]


def off(leg: LegRuns, rule: str) -> float:
    """How far a reading of the inertia is from the printed torques (largest, smallest) and energy of the swing at most, %."""
    printed = {number: float(TEXTS[leg.name][number]) for number in leg.readings[rule]}
    return max(abs(100 * (value / printed[number] - 1)) for number, value in leg.readings[rule].items())


# what the pictures like Figs 4-4 to 4-10 show ------------------------------------------------------------------------


def _by_phase(t: Any, values: Any, phases: Phases) -> dict[str, np.ndarray]:
    """A quantity over time, swing and stance as two curves."""
    inside = phases.is_stance(t)
    return {SWING: np.where(inside, np.nan, values), STANCE: np.where(inside, values, np.nan)}


def _in_air(leg: LegRuns) -> dict[str, Any]:
    run, foot, near = leg.exact.turn.run, leg.exact.foot, leg.ground.foot
    along, size = run.values(f"{foot.name}.vx") + foot.body_speed, run.values(f"{foot.name}.acceleration")
    t, x, y = near.track
    height = np.where(y < near.level + 1.5 * (near.level - near.lowest), 1e3 * (y - near.level), np.nan)
    return {
        "time": run.time, "along": _by_phase(run.time, along, foot.phases), "speed": run.values(f"{foot.name}.speed"),
        "acceleration": _by_phase(run.time, size, foot.phases),
        "x": x, "height": _by_phase(t, height, near.phases), "ends": x[[np.argmin(x), np.argmax(x)]],
    }  # fmt: skip


def _on_ground(leg: LegRuns) -> dict[str, Any]:
    """Forces, torque, energy and the torque that the ground adds, each with its time, by restitution."""
    air, found = leg.ground.turn.run, {}
    names = {"torque": "crank.torque", "normal": "foot.normal_force", "tangential": "foot.tangential_force"}
    for e, loads in leg.ground.turn.ground.items():
        t, energy = consumed(loads)
        shown = {what: turn_of(loads, loads.run.values(name))[1] for what, name in names.items()}
        added = shown["torque"] - np.interp(t, air.time, air.values("crank.torque"))
        found[SAID[e]] = {**shown, "time": t, "energy": energy, "added": added}
    return found
