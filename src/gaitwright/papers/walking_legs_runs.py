"""The runs behind the verdicts on paper 003 chapter 4: exact ones, those of its scheme, and readings of its inertia."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.legs.leg import LegAnalysis, Turn, analyse_leg, in_air, turn_in_air
from gaitwright.legs.phases import TURN
from gaitwright.legs.statistics import curve
from gaitwright.model.model import Model
from gaitwright.papers import walking_legs_closed as closed_form
from gaitwright.papers import walking_legs_data as data
from gaitwright.papers.disturb import built
from gaitwright.papers.facts import work_out
from gaitwright.papers.rounding import PINNED, PRINTED, Band
from gaitwright.papers.walking_legs_closed import OMEGA, Samples, sampled_measures
from gaitwright.papers.walking_legs_data import ELASTIC, INELASTIC, Printed
from gaitwright.papers.walking_legs_ground import Foot, on_ground, sampled_foot
from gaitwright.papers.walking_legs_statements import constraint_errors, open_loop
from gaitwright.result.result import Result

BETA = {"sqrt(2 alpha)": math.sqrt(2 * data.ALPHA), "alpha sqrt(2)": data.ALPHA * math.sqrt(2)}
"""1/s. Table 4.1 prints a root over 2 alpha; whether alpha stands below it, one cannot tell."""
DIRECTION = "as driven"
"""Clockwise, as all of the thesis's numbers."""
INERTIA: dict[str, str] = data.DATA["inertia"]
"""Readings of the printed J."""


def measures(turn: Turn) -> dict[str, float]:
    """Numbers of Tables 4.3 and 4.4 that need no contact, as the sheet names them, SI units and %."""
    time, foot = turn.run.time, turn.foot
    height, vx = curve(time, foot.track[2]), curve(time, turn.run.values(f"{foot.name}.vx"))
    times = np.linspace(time[0], time[-1], 4001)
    known = {
        "foot": foot, "air": turn.air, "vx_when_lowest": float(vx(times[np.argmin(height(times))])),
        "speed_in_middle": float(turn.run.values(f"{foot.name}.speed")[0]),
        "elastic": on_ground(sampled_foot(turn, OMEGA), ELASTIC, "none"),
    }  # fmt: skip
    return {name: float(work_out(known, path)) for name, path in data.DATA["measures"].items()}


def thesis_run(model: Model, beta: float) -> Result:
    """The thesis's scheme: Euler, 1 ms, Baumgarte; three turns. The tolerance keeps its steps through contacts."""
    how: dict[str, Any] = {"method": "euler", "stabilisation": "baumgarte", "tolerance": 1.0}
    return model.simulate(data.UNTIL, step=data.STEP, alpha=data.ALPHA, beta=beta, **how)


def thesis_measures(run: Result, foot: str, hip: float, depth: float, turn: int) -> dict[str, float]:
    """The same numbers from the steps of one turn."""
    steps = round(1.0 / data.STEP)
    inside = slice(turn * steps, (turn + 1) * steps)
    names = (f"{foot}.x", f"{foot}.y", f"{foot}.vx", f"{foot}.vy", f"{foot}.acceleration", "crank.torque")
    return sampled_measures(Samples(*(run.values(name)[inside] for name in names)), hip, depth)


def with_inertia(model: Model, printed: Printed, rule: str) -> Model:
    """The leg with inertias by a rule of INERTIA."""
    raw = model.to_dict()
    for link in raw["links"]:
        _, _, length, mass = printed.links[link["name"]]
        link["inertia"] = INERTIA[rule].format(mass=f"{mass}*{link['name']}/{length}", name=link["name"])
    return Model.from_dict(raw)


@dataclass(frozen=True)
class LegRuns:
    """What was computed for one leg.

    exact: at the printed penetration; numbers: of it. ground: at the penetration which the printed elastic peak pins, with
    contact; pinned: numbers of it. bands, pinned_bands: what digits leave open at both penetrations. thesis: by the
    thesis's scheme and turn. euler: its runs by beta; euler_ground: its largest normal force on the ground, N, by
    restitution. readings: of the inertia, swing only. feet: for forces by hand, by direction. agree: largest differences
    between two computations of the same model. closed: the numbers by closed kinematics of the leg as printed; anchors:
    largest differences of our run from these. errors: of the constraints, by beta, see `constraint_errors`;
    free: the run without feedback."""

    name: str
    printed: Printed
    exact: LegAnalysis = field(repr=False)
    ground: LegAnalysis = field(repr=False)
    numbers: dict[str, float] = field(repr=False)
    pinned: dict[str, float] = field(repr=False)
    bands: Mapping[str, Band] = field(repr=False)
    pinned_bands: Mapping[str, Band] = field(repr=False)
    thesis: dict[str, dict[str, float]] = field(repr=False)
    euler: dict[str, Result] = field(repr=False)
    euler_ground: dict[float, float]
    readings: dict[str, dict[str, float]]
    feet: dict[str, Foot] = field(repr=False)
    agree: dict[str, float]
    closed: dict[str, float] = field(repr=False)
    anchors: dict[str, float]
    errors: dict[str, dict[str, Any]]
    free: Result = field(repr=False)


def leg_runs(leg: str, bands: Mapping[str, Mapping[str, Band]], model: Model | None = None) -> LegRuns:
    """All runs of a leg. model: in place of ours, to see whether the verdicts notice."""
    printed = data.LEGS[leg]
    model = built(model or printed.make())
    exact = analyse_leg(model, restitutions=(ELASTIC, INELASTIC))
    ground = analyse_leg(model, penetration=data.pinned_depth(leg), restitutions=(ELASTIC, INELASTIC))
    settings = exact.settings
    euler = {name: thesis_run(in_air(model), beta) for name, beta in BETA.items()}
    free = open_loop(model)
    foot = exact.foot
    hip = foot.lowest + foot.leg_length
    thesis = {
        f"beta = {name}, turn {turn + 1}": thesis_measures(run, foot.name, hip, printed.depth, turn)
        for name, run in euler.items()
        for turn in range(round(data.UNTIL))
    }
    feet = {direction: sampled_foot(turn, OMEGA) for direction, turn in ground.turns.items()}
    readings = {rule: _swing(turn_in_air(in_air(with_inertia(model, printed, rule)), settings)) for rule in INERTIA}
    stiff = thesis_run(in_air(with_inertia(model, printed, "m L^2 / 3")), BETA["sqrt(2 alpha)"])
    coarse = thesis_measures(stiff, foot.name, hip, printed.depth, 0)
    readings["m L^2 / 3, thesis's steps"] = {name: coarse[name] for name in SWING_NUMBERS}
    return LegRuns(
        leg, printed, exact, ground, measures(exact.turn), measures(ground.turn), bands[PRINTED], bands[PINNED], thesis, euler,
        {e: _euler_peak(ground, e) for e in (ELASTIC, INELASTIC)}, readings, feet, _agreement(ground, feet),
        closed_form.closed_measures(leg, printed.depth), _anchors(leg, ground.turn),
        {name: constraint_errors(run, free) for name, run in euler.items()}, free,
    )  # fmt: skip


SWING_NUMBERS = ("torque_swing_max", "torque_swing_min", "energy_swing")


def _swing(turn: Turn) -> dict[str, float]:
    found = measures(turn)
    return {name: found[name] for name in SWING_NUMBERS}


def _euler_peak(ground: LegAnalysis, restitution: float) -> float:
    """Largest normal force of the thesis's scheme after the first step, N: it starts on the ground, without a touchdown."""
    run = thesis_run(Model.from_dict(ground.turn.ground[restitution].run.document), BETA["alpha sqrt(2)"])
    return float(max(episode.max_force for episode in run.episodes[1:]))


def _agreement(ground: LegAnalysis, feet: dict[str, Foot]) -> dict[str, float]:
    """How far our two ways to the same numbers are apart, in parts of the larger: forward and inverse dynamics, and runs on
    the ground beside forces by hand from the curve in the air."""
    turn, foot = ground.turn, feet["as driven"]
    torque = float(np.abs(turn.run.values("crank.torque")).max())
    found = {f"forward, {what}": apart / torque for what, apart in ground.check_forward().items()}
    for e, loads in turn.ground.items():
        hand = on_ground(foot, e)
        found[f"peak, {e:g}"] = abs(hand.normal.max() / loads.normal[TURN].greatest - 1)
        found[f"mean force, {e:g}"] = abs(hand.normal.mean() / loads.normal[TURN].mean - 1)
        found[f"energy, {e:g}"] = abs(hand.energies[TURN] / loads.energy[TURN].absolute - 1)
    return found


def _anchors(leg: str, turn: Turn) -> dict[str, float]:
    """How far a turn in the air is from closed kinematics of the printed leg: of the foot, m, and in parts of the largest of
    acceleration and torque."""
    run, foot = turn.run, turn.foot.name
    closed = closed_form.one_turn(leg, samples=run.time.size - 1)
    at = closed_form.joints(leg, -OMEGA * run.time)[closed_form.FOOT[leg]]
    pairs = {"acceleration": f"{foot}.acceleration", "torque": "crank.torque"}
    found = {"foot": float(np.abs(run.values(f"{foot}.x") + 1j * run.values(f"{foot}.y") - at).max())}
    for what, name in pairs.items():
        theirs = getattr(closed, what)
        found[what] = float(np.abs(run.values(name)[:-1] - theirs).max() / np.abs(theirs).max())
    return found
