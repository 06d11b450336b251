"""Paper 003 chapter 4: Chebyshev's and Theo Jansen's legs, their motion, forces on the ground, torque and energy.

Printed numbers are in walking_legs.yaml; rules for numbers that differ are in walking_legs_verdicts.py; see docs/theory/legs.md
for the definitions. Two arguments settle most of section 4.2, for every v0, v1 and speed of the ground, none of which is
printed:

    Eq 3.9 at c_r = 0    F_N <= 1.75 K d^1.5, because the penetration rate never exceeds that of touchdown; and its mean is that
                         of elastic contact, because the integral of d^n d' over a stance is zero
    Eq 3.10              |F_f| <= mu F_N, so that |tau| <= |tau_air| + F_N (|v_y| + mu |v_x|) / omega
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.phases import STANCE, SWING, TURN, FootPhases
from gaitwright.report.views.pages.leg_page import consumed_energy, cut_to_turn
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import walking_legs_fit
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
)
from gaitwright_apps.reproductions.facts import fill_sentence, look_up_fact
from gaitwright_apps.reproductions.rounding_bands import ROUNDING_BANDS, RoundingBand
from gaitwright_apps.reproductions.walking_legs_data import (
    CHEBYSHEV,
    CONTACT_STIFFNESS,
    ELASTIC_RESTITUTION,
    INELASTIC_RESTITUTION,
    JANSEN,
    PRINTED_LEGS,
    PRINTED_NUMBERS,
    PRINTED_TEXTS,
    RESTITUTION_NAMES,
    SHEET_DATA,
    pinned_depth,
)
from gaitwright_apps.reproductions.walking_legs_ground_forces import (
    FRICTION_RULES,
    PENETRATION_RATES,
    SampledFoot,
    energy_saving_percent,
    ground_reaction,
)
from gaitwright_apps.reproductions.walking_legs_runs import CRANK_DIRECTION, LegRuns, run_leg
from gaitwright_apps.reproductions.walking_legs_statements import leg_statements
from gaitwright_apps.reproductions.walking_legs_verdicts import AGREEMENT_RTOL, CLOSED_FORM_TOL, JUDGES, describe_band

EXPERIMENT_NAME = "walking-legs"
CRANK_LENGTH_M = 0.1
"""Crank length, m, section 4.1: both legs are normalised to it."""
HALF_MILLIMETRE_M = 5e-4 + 1e-9
"""Half a unit of the last digit, with a margin for floating-point noise."""
SLENDER_BAR_INERTIA, STEPPED_END_INERTIA = "m L^2 / 12", "m L^2 / 3, thesis's steps"


@dataclass
class WalkingLegsExperiment(Experiment):
    """legs: runs by leg."""

    legs: dict[str, LegRuns] = field(default_factory=dict)
    arguments = JUDGES

    def facts(self) -> dict[str, Any]:
        legs, chebyshev = self.legs, self.legs[CHEBYSHEV]
        steps = {
            number: [turn[number] for turn in chebyshev.thesis.values()]
            for number in next(iter(chebyshev.thesis.values()))
        }
        differences = ", ".join(
            f"{inertia_misfit_percent(leg, STEPPED_END_INERTIA):.1f} % ({leg.printed.name})" for leg in legs.values()
        )
        return {
            "drift": {name: _drift_facts(leg) for name, leg in legs.items()},
            "says": {name: leg_statements(leg) for name, leg in legs.items()},
            "at": {name: _leg_facts(leg) for name, leg in legs.items()},
            "pinned": {name: 1e3 * pinned_depth(name) for name in legs},
            "euler": next(iter(chebyshev.euler.values())),
            "fed_back": {beta: _fit_baumgarte(run) for beta, run in chebyshev.euler.items()},
            "turn": {name: leg.exact.turn.run for name, leg in legs.items()},
            "steps": steps,
            "middle": {name: leg.numbers["speed_mean"] - leg.numbers["over_middle_mean"] for name, leg in legs.items()},
            "inertia": {
                "nearest": max(inertia_misfit_percent(leg, SLENDER_BAR_INERTIA) for leg in legs.values()),
                "apart": differences,
            },
            "only_the_base": _only_base_differs(legs[JANSEN]),
            "shown": {name: {**_air_curves(leg), **_ground_curves(leg)} for name, leg in legs.items()},
            "agree": {
                "worst": max(agreement for leg in legs.values() for agreement in leg.agree.values()),
                "limit": AGREEMENT_RTOL,
            },
            "anchors": {
                "worst": max(agreement for leg in legs.values() for agreement in leg.anchors.values()),
                "limit": CLOSED_FORM_TOL,
            },
            "fit": {
                leg: {n.replace("_", " "): rest for n, *rest in walking_legs_fit.fitted_leg_rows(leg)}
                for leg in PRINTED_LEGS
            },
            "fit_said": walking_legs_fit.describe_fit(),
            "rules": FRICTION_RULES,
            "rates": PENETRATION_RATES,
            "energies": {
                name: {
                    direction: {
                        rule: {rate: _energy_numbers(foot, rule, rate) for rate in PENETRATION_RATES}
                        for rule in FRICTION_RULES
                    }
                    for direction, foot in leg.feet.items()
                }
                for name, leg in legs.items()
            },
        }

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {
            name: {
                "exact": leg.exact.summary(),
                "ground": leg.ground.summary(),
                "bands": {number: band._asdict() for number, band in leg.bands.items()},
                "bands at the pinned penetration": {n: band._asdict() for n, band in leg.pinned_bands.items()},
                "thesis": leg.thesis,
                "readings of the inertia": leg.readings,
                "agreement": leg.agree,
                "closed kinematics": leg.closed,
                "apart from closed kinematics": leg.anchors,
            }
            for name, leg in self.legs.items()
        }

    def scenes(self) -> dict[str, Any]:
        """Both legs on the ground, inelastic, with the forces on their feet."""
        return {
            leg.printed.name: leg.ground.turn.ground[INELASTIC_RESTITUTION].run.scene(
                trace=[leg.ground.foot.name], forces=True
            )
            for leg in self.legs.values()
        }

    def draw(self, folder: Path) -> dict[str, Path]:
        """Draw the pictures, and poses over a turn with the curve of the foot, as in Fig 4-3."""
        files = super().draw(folder)
        for name, leg in self.legs.items():
            options: dict[str, Any] = {"trace": [leg.exact.foot.name], "ghosts": 12, "labels": False}
            files[name] = leg.exact.turn.run.draw(folder / f"{EXPERIMENT_NAME}-{name}.png", **options)
        return files


def run(progress: ProgressCallback = ignore_progress) -> WalkingLegsExperiment:
    """Analyse both legs."""
    legs = {}
    for k, name in enumerate(PRINTED_LEGS):
        progress(PRINTED_LEGS[name].name, 0.9 * k / len(PRINTED_LEGS))
        legs[name] = run_leg(name, ROUNDING_BANDS[name])
    name, paper, title, choices = experiment_heading(EXPERIMENT_NAME, {})
    pinned = {name: 1e3 * pinned_depth(name) for name in PRINTED_LEGS}
    reasons = {name: fill_sentence(why, pinned) for name, why in choices["reasons"].items()}
    return WalkingLegsExperiment(name, paper, title, {**choices, "reasons": reasons}, legs)


# facts for the rows ---------------------------------------------------------------------------------------------------


def _leg_facts(leg: LegRuns) -> dict[str, Any]:
    """Facts for the rows of one leg. on: its loads, by restitution. guess: the normal force with the speed of the
    foot as penetration rate, N. added: maximum energy of a stance with any friction, J."""
    foot, turn = leg.feet[CRANK_DIRECTION], leg.ground.turn
    constraints = leg.exact.turn.run.mechanism.constraint_names
    least, most = (CONTACT_STIFFNESS * (leg.printed.depth + by) ** 1.5 for by in (-0.5e-3, 0.5e-3))
    exact = leg.exact.turn.ground[ELASTIC_RESTITUTION]
    by_hand = {
        e: [ground_reaction(foot, e, rule) for rule in FRICTION_RULES] for e in RESTITUTION_NAMES
    }  # the first rule has no friction
    energy = {
        how: sum(PRINTED_NUMBERS[f"4.4-energy-{part}-{how}-{leg.name}"] for part in (SWING, STANCE))
        for how in RESTITUTION_NAMES.values()
    }
    quoted, paths = 100 * (1 - energy["elastic"] / energy["inelastic"]), SHEET_DATA["on ground"].items()
    peak = PRINTED_NUMBERS[f"4.2-normal-peak-elastic-{leg.name}"]
    return {
        "gravity": _gravity_from_momentum(leg),
        "lengths": {link: _link_length(leg, link, *ends) for link, (*ends, _, _) in leg.printed.links.items()},
        "rows": {kind: sum(n.rows.size for n in constraints if n.kind == kind) for kind in ("joint", "drive")},
        "exact": exact,
        "on": {RESTITUTION_NAMES[e]: loads for e, loads in turn.ground.items()},
        "least": least,
        "most": most,
        "room": RoundingBand(least, most).room(peak, exact.normal[TURN].greatest),
        "fastest": float(foot.rate[foot.parts[STANCE]].max() / foot.touchdown_speed),
        "thesis_peak": leg.euler_ground[INELASTIC_RESTITUTION],
        "guess": ground_reaction(foot, INELASTIC_RESTITUTION, "none", "speed of the foot").normal,
        "mean_said": describe_band(leg.pinned_bands["normal_mean"]),
        "ground": {
            what: {e: look_up_fact(turn.ground[e], path) for e in RESTITUTION_NAMES} for what, (path, _, _) in paths
        },
        "tried": {
            what: {e: [look_up_fact(by, path) for by in by_hand[e]] for e in RESTITUTION_NAMES}
            for what, (_, path, _) in paths
        },
        "most_of": {
            what: {e: look_up_fact(by_hand[e][0], path) for e in RESTITUTION_NAMES} for what, (_, _, path) in paths
        },
        "free": turn.air.energy[SWING].absolute,
        "added": by_hand[INELASTIC_RESTITUTION][0].bounds[STANCE].energy,
        "guessed": [_energy_numbers(foot, rule, "speed of the foot")[2] for rule in ("standing ground", "fitted")],
        "energy": energy,
        "cut": "" if abs(quoted - PRINTED_NUMBERS[f"7-saving-{leg.name}"]) <= 0.05 else "; cut, not rounded",
    }


def _energy_numbers(foot: SampledFoot, rule: str, rate: str) -> list[float]:
    """Energy per turn (J) elastic and inelastic, saving (%) and largest force (N), by friction rule and
    interpretation of Eq 3.9."""
    soft, hard = (ground_reaction(foot, e, rule, rate) for e in (ELASTIC_RESTITUTION, INELASTIC_RESTITUTION))
    return [soft.energies[TURN], hard.energies[TURN], energy_saving_percent(soft, hard), hard.normal.max()]


def _fit_baumgarte(run: Result) -> tuple[float, float]:
    """alpha and beta, 1/s, of x'' + 2 alpha x' + beta^2 x = 0 for the end of the crank that should stay in O1."""
    x, rate, second = (run.array(f"crank.O1.{part}") for part in ("x", "vx", "ax"))
    coefficients, *_ = np.linalg.lstsq(np.stack([2 * rate, x], axis=1), -second, rcond=None)
    return float(coefficients[0]), float(np.sqrt(coefficients[1]))


def _drift_facts(leg: LegRuns) -> dict[str, Any]:
    """Position errors of Eq 2.14, m^2, without and with feedback, after they exceed rounding."""
    runs = {"free": leg.free, **leg.euler}
    return {
        name: {"time": run.time[20:], "error": run.array("evidence.position_violation")[20:]}
        for name, run in runs.items()
    }


def _gravity_from_momentum(leg: LegRuns) -> float:
    """Gravity from the momentum balance of a periodic turn: the ground carries the weight on average."""
    run = leg.exact.turn.run
    names = [name for name in run.catalogue.outputs if name.startswith(("O1", "O2")) and name.endswith(".fy")]
    carried = sum(float(np.mean(run.array(name)[:-1])) for name in names)
    return abs(carried) / sum(mass for *_, mass in leg.printed.links.values())


def _link_length(leg: LegRuns, link: str, a: str, b: str) -> float:
    """Distance between the ends of a link in our run, m."""
    run = leg.exact.turn.run
    components = (run.array(f"{link}.{b}.{part}") - run.array(f"{link}.{a}.{part}") for part in "xy")
    return float(np.hypot(*components).mean())


def _only_base_differs(leg: LegRuns) -> bool:
    """True if |O1 O2| of the Jansen leg differs from the designer's, while all of his other lengths match."""
    lengths, designed = leg.printed.table, leg.printed.proportions
    differences = {
        link: abs(CRANK_LENGTH_M * part / leg.printed.unit - lengths[link]) for link, part in designed.items()
    }
    return [link for link, difference in differences.items() if difference > HALF_MILLIMETRE_M] == ["base"]


def inertia_misfit_percent(leg: LegRuns, rule: str) -> float:
    """Largest deviation of an inertia interpretation from the printed torques (largest, smallest) and energy of the
    swing, %."""
    printed = {number: float(PRINTED_TEXTS[leg.name][number]) for number in leg.readings[rule]}
    return max(abs(100 * (value / printed[number] - 1)) for number, value in leg.readings[rule].items())


# curves for pictures like Figs 4-4 to 4-10 ----------------------------------------------------------------------------


def _split_by_phase(t: Any, values: Any, phases: FootPhases) -> dict[str, np.ndarray]:
    """Quantity over time, with swing and stance as two curves."""
    inside = phases.is_stance(t)
    return {SWING: np.where(inside, np.nan, values), STANCE: np.where(inside, values, np.nan)}


def _air_curves(leg: LegRuns) -> dict[str, Any]:
    run, foot, ground_foot = leg.exact.turn.run, leg.exact.foot, leg.ground.foot
    forward_speed, size = run.array(f"{foot.name}.vx") + foot.body_speed, run.array(f"{foot.name}.acceleration")
    t, x, y = ground_foot.track
    height = np.where(
        y < ground_foot.level + 1.5 * (ground_foot.level - ground_foot.lowest), 1e3 * (y - ground_foot.level), np.nan
    )
    return {
        "time": run.time,
        "along": _split_by_phase(run.time, forward_speed, foot.phases),
        "speed": run.array(f"{foot.name}.speed"),
        "acceleration": _split_by_phase(run.time, size, foot.phases),
        "x": x,
        "height": _split_by_phase(t, height, ground_foot.phases),
        "ends": x[[np.argmin(x), np.argmax(x)]],
    }


def _ground_curves(leg: LegRuns) -> dict[str, Any]:
    """Forces, torque, energy and the torque added by the ground, each with its time, by restitution."""
    air, curves = leg.ground.turn.run, {}
    names = {"torque": "crank.torque", "normal": "foot.normal_force", "tangential": "foot.tangential_force"}
    for e, loads in leg.ground.turn.ground.items():
        t, energy = consumed_energy(loads)
        run_curves = {title: cut_to_turn(loads, loads.run.array(name))[1] for title, name in names.items()}
        added = run_curves["torque"] - np.interp(t, air.time, air.array("crank.torque"))
        curves[RESTITUTION_NAMES[e]] = {**run_curves, "time": t, "energy": energy, "added": added}
    return curves
