"""Runs for the verdicts on paper 003 chapter 4: exact runs, runs with the thesis's scheme, and inertia
interpretations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.legs.leg import LegAnalysis, LegTurn, analyse_leg, analyse_turn_in_air, remove_contacts
from gaitwright.legs.phase_statistics import fit_spline
from gaitwright.legs.phases import TURN
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import walking_legs_closed_form as closed_form
from gaitwright_apps.reproductions import walking_legs_data as data
from gaitwright_apps.reproductions.facts import evaluate_fact
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.rounding_bands import PINNED_DEPTH, PRINTED_DEPTH, RoundingBand
from gaitwright_apps.reproductions.walking_legs_closed_form import CRANK_SPEED_RAD_S, TurnSamples, sampled_measures
from gaitwright_apps.reproductions.walking_legs_data import ELASTIC_RESTITUTION, INELASTIC_RESTITUTION, PrintedLeg
from gaitwright_apps.reproductions.walking_legs_ground_forces import SampledFoot, ground_reaction, sample_foot
from gaitwright_apps.reproductions.walking_legs_statements import constraint_errors, run_open_loop

BAUMGARTE_BETAS = {
    "sqrt(2 alpha)": math.sqrt(2 * data.BAUMGARTE_ALPHA),
    "alpha sqrt(2)": data.BAUMGARTE_ALPHA * math.sqrt(2),
}
"""Baumgarte beta, 1/s. Table 4.1 prints a root over 2 alpha; it is unclear whether alpha is under the root."""
CRANK_DIRECTION = "as driven"
"""Clockwise, as for all of the thesis's numbers."""
INERTIA_RULES: dict[str, str] = data.SHEET_DATA["inertia"]
"""Interpretations of the printed J."""


def turn_measures(turn: LegTurn) -> dict[str, float]:
    """Numbers of Tables 4.3 and 4.4 that need no contact, with the names of the sheet, SI units and %."""
    time, foot = turn.run.time, turn.foot
    height, vx = fit_spline(time, foot.track[2]), fit_spline(time, turn.run.array(f"{foot.name}.vx"))
    times = np.linspace(time[0], time[-1], 4001)
    facts = {
        "foot": foot, "air": turn.air, "vx_when_lowest": float(vx(times[np.argmin(height(times))])),
        "speed_in_middle": float(turn.run.array(f"{foot.name}.speed")[0]),
        "elastic": ground_reaction(sample_foot(turn, CRANK_SPEED_RAD_S), ELASTIC_RESTITUTION, "none"),
    }  # fmt: skip
    return {name: float(evaluate_fact(facts, path)) for name, path in data.SHEET_DATA["measures"].items()}


def run_thesis_scheme(model: Model, beta: float) -> Result:
    """The thesis's scheme: Euler, 1 ms, Baumgarte; three turns. The tolerance keeps its steps through contacts."""
    options: dict[str, Any] = {"method": "euler", "stabilisation": "baumgarte", "tolerance": 1.0}
    return model.simulate(data.DURATION_S, step=data.STEP_S, alpha=data.BAUMGARTE_ALPHA, beta=beta, **options)


def thesis_measures(run: Result, foot: str, hip: float, depth: float, turn: int) -> dict[str, float]:
    """The same numbers from the steps of one turn."""
    steps = round(1.0 / data.STEP_S)
    inside = slice(turn * steps, (turn + 1) * steps)
    names = (f"{foot}.x", f"{foot}.y", f"{foot}.vx", f"{foot}.vy", f"{foot}.acceleration", "crank.torque")
    return sampled_measures(TurnSamples(*(run.array(name)[inside] for name in names)), hip, depth)


def set_inertia(model: Model, printed: PrintedLeg, rule: str) -> Model:
    """Leg with inertias by a rule of INERTIA_RULES."""
    raw = model.to_dict()
    for link in raw["links"]:
        _, _, length, mass = printed.links[link["name"]]
        link["inertia"] = INERTIA_RULES[rule].format(mass=f"{mass}*{link['name']}/{length}", name=link["name"])
    return Model.from_dict(raw)


@dataclass(frozen=True)
class LegRuns:
    """Results computed for one leg.

    exact: at the printed penetration; numbers: of it. ground: with contact, at the penetration determined by the printed
    elastic peak; pinned: numbers of it. bands, pinned_bands: rounding bands at both penetrations. thesis: by the thesis's
    scheme and turn. euler: its runs by beta; euler_ground: its largest normal force on the ground, N, by restitution.
    readings: by inertia interpretation, swing only. feet: for forces computed by hand, by direction. agree: largest
    differences between two computations of the same model. closed: the numbers by closed-form kinematics of the leg as
    printed; anchors: largest differences of our run from these. errors: of the constraints, by beta, see
    `constraint_errors`; free: the run without feedback."""

    name: str
    printed: PrintedLeg
    exact: LegAnalysis = field(repr=False)
    ground: LegAnalysis = field(repr=False)
    numbers: dict[str, float] = field(repr=False)
    pinned: dict[str, float] = field(repr=False)
    bands: Mapping[str, RoundingBand] = field(repr=False)
    pinned_bands: Mapping[str, RoundingBand] = field(repr=False)
    thesis: dict[str, dict[str, float]] = field(repr=False)
    euler: dict[str, Result] = field(repr=False)
    euler_ground: dict[float, float]
    readings: dict[str, dict[str, float]]
    feet: dict[str, SampledFoot] = field(repr=False)
    agree: dict[str, float]
    closed: dict[str, float] = field(repr=False)
    anchors: dict[str, float]
    errors: dict[str, dict[str, Any]]
    free: Result = field(repr=False)


def run_leg(leg: str, bands: Mapping[str, Mapping[str, RoundingBand]], model: Model | None = None) -> LegRuns:
    """Run all computations of a leg. model: replaces ours, to test whether the verdicts detect it."""
    printed = data.PRINTED_LEGS[leg]
    model = perturb_if_active(model or printed.make())
    exact = analyse_leg(model, restitutions=(ELASTIC_RESTITUTION, INELASTIC_RESTITUTION))
    ground = analyse_leg(
        model, penetration=data.pinned_depth(leg), restitutions=(ELASTIC_RESTITUTION, INELASTIC_RESTITUTION)
    )
    settings = exact.settings
    euler = {name: run_thesis_scheme(remove_contacts(model), beta) for name, beta in BAUMGARTE_BETAS.items()}
    free = run_open_loop(model)
    foot = exact.foot
    hip = foot.lowest + foot.leg_length
    thesis = {
        f"beta = {name}, turn {turn + 1}": thesis_measures(run, foot.name, hip, printed.depth, turn)
        for name, run in euler.items()
        for turn in range(round(data.DURATION_S))
    }
    feet = {direction: sample_foot(turn, CRANK_SPEED_RAD_S) for direction, turn in ground.turns.items()}
    readings = {
        rule: _swing_measures(analyse_turn_in_air(remove_contacts(set_inertia(model, printed, rule)), settings))
        for rule in INERTIA_RULES
    }
    stiff = run_thesis_scheme(
        remove_contacts(set_inertia(model, printed, "m L^2 / 3")), BAUMGARTE_BETAS["sqrt(2 alpha)"]
    )
    coarse = thesis_measures(stiff, foot.name, hip, printed.depth, 0)
    readings["m L^2 / 3, thesis's steps"] = {name: coarse[name] for name in SWING_NUMBERS}
    return LegRuns(
        leg,
        printed,
        exact,
        ground,
        turn_measures(exact.turn),
        turn_measures(ground.turn),
        bands[PRINTED_DEPTH],
        bands[PINNED_DEPTH],
        thesis,
        euler,
        {e: _euler_peak(ground, e) for e in (ELASTIC_RESTITUTION, INELASTIC_RESTITUTION)},
        readings,
        feet,
        _agreement(ground, feet),
        closed_form.closed_form_measures(leg, printed.depth),
        _anchors(leg, ground.turn),
        {name: constraint_errors(run, free) for name, run in euler.items()},
        free,
    )


SWING_NUMBERS = ("torque_swing_max", "torque_swing_min", "energy_swing")


def _swing_measures(turn: LegTurn) -> dict[str, float]:
    measures = turn_measures(turn)
    return {name: measures[name] for name in SWING_NUMBERS}


def _euler_peak(ground: LegAnalysis, restitution: float) -> float:
    """Largest normal force of the thesis's scheme after the first step, N: it starts on the ground, without a
    touchdown."""
    run = run_thesis_scheme(
        Model.from_dict(ground.turn.ground[restitution].run.document), BAUMGARTE_BETAS["alpha sqrt(2)"]
    )
    return float(max(episode.max_force for episode in run.episodes[1:]))


def _agreement(ground: LegAnalysis, feet: dict[str, SampledFoot]) -> dict[str, float]:
    """Relative differences between our two computations of the same numbers: forward and inverse dynamics, and runs
    on the ground compared with forces computed from the curve in the air."""
    turn, foot = ground.turn, feet["as driven"]
    torque = float(np.abs(turn.run.array("crank.torque")).max())
    differences = {f"forward, {case}": difference / torque for case, difference in ground.check_forward().items()}
    for e, loads in turn.ground.items():
        reaction = ground_reaction(foot, e)
        differences[f"peak, {e:g}"] = abs(reaction.normal.max() / loads.normal[TURN].greatest - 1)
        differences[f"mean force, {e:g}"] = abs(reaction.normal.mean() / loads.normal[TURN].mean - 1)
        differences[f"energy, {e:g}"] = abs(reaction.energies[TURN] / loads.energy[TURN].absolute - 1)
    return differences


def _anchors(leg: str, turn: LegTurn) -> dict[str, float]:
    """Differences of a turn in the air from closed-form kinematics of the printed leg: of the foot, m, and relative
    to the largest acceleration and torque."""
    run, foot = turn.run, turn.foot.name
    closed = closed_form.sample_turn(leg, samples=run.time.size - 1)
    foot_positions = closed_form.joint_positions(leg, -CRANK_SPEED_RAD_S * run.time)[closed_form.FOOT_POINTS[leg]]
    pairs = {"acceleration": f"{foot}.acceleration", "torque": "crank.torque"}
    differences = {"foot": float(np.abs(run.array(f"{foot}.x") + 1j * run.array(f"{foot}.y") - foot_positions).max())}
    for quantity, name in pairs.items():
        reference = getattr(closed, quantity)
        differences[quantity] = float(np.abs(run.array(name)[:-1] - reference).max() / np.abs(reference).max())
    return differences
