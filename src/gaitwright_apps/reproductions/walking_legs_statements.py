"""Numbers for the statements without numbers in chapter 4 and section 2.2 of paper 003: savings, signs, shapes and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.leg import LegTurn, remove_contacts
from gaitwright.legs.phase_statistics import fit_spline
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.model.model import Model
from gaitwright.report.views.pages.leg_page import cut_to_turn
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import walking_legs_data as data
from gaitwright_apps.reproductions.walking_legs_closed_form import sample_turn
from gaitwright_apps.reproductions.walking_legs_data import (
    ELASTIC_RESTITUTION,
    INELASTIC_RESTITUTION,
    RESTITUTION_NAMES,
)
from gaitwright_apps.reproductions.walking_legs_ground_forces import (
    FRICTION_RULES,
    PENETRATION_RATES,
    energy_saving_percent,
    ground_reaction,
)

if TYPE_CHECKING:
    from gaitwright_apps.reproductions.walking_legs_runs import LegRuns

Array = np.ndarray
STANCE_SAMPLES = 400
"""Number of samples of the torque in stance."""
TOUCHDOWN_WINDOW_RATIO = 0.05
"""Time before touchdown, as a fraction of a turn, over which the foot slows down according to the thesis."""
MIN_PEAK_PROMINENCE_RATIO = 0.1
"""Minimum prominence of a counted peak, relative to the largest value."""


def leg_statements(leg: LegRuns) -> dict[str, Any]:
    """Numbers for all statements by name, many of them by direction of the crank (`as driven` is clockwise)."""
    foot = leg.exact.foot
    ground = leg.ground.turn
    return {
        "saving": {way: _energy_saving(turn) for way, turn in leg.ground.turns.items()},
        "both ways": _direction_ratio(leg),
        "torque": {RESTITUTION_NAMES[e]: leg.ground.turn.ground[e].torque[STANCE] for e in RESTITUTION_NAMES},
        "negative work": {
            phase: -ground.ground[ELASTIC_RESTITUTION].energy[phase].negative for phase in (SWING, STANCE)
        },
        "negative work in the air": {phase: -ground.air.energy[phase].negative for phase in (SWING, STANCE)},
        "added": {
            way: {RESTITUTION_NAMES[e]: added_torque(turn, e) for e in RESTITUTION_NAMES}
            for way, turn in leg.ground.turns.items()
        },
        "peaks": {
            way: {RESTITUTION_NAMES[e]: curve_peaks(added_torque(turn, e)) for e in RESTITUTION_NAMES}
            for way, turn in leg.ground.turns.items()
        },
        "strongest friction": {
            RESTITUTION_NAMES[e]: _strongest_friction(leg.ground.turn, e) for e in RESTITUTION_NAMES
        },
        "slip in middle": leg.numbers["relative_lowest"] / leg.numbers["relative_swing_largest"],
        "by rule": _rule_facts(leg),
        "acceleration": {phase: foot.acceleration[phase].mean for phase in (STANCE, SWING)},
        "slows down": _touchdown_speed_ratio(leg.exact.turn),
        "slows down, closed": _closed_touchdown_speed_ratio(leg),
    }


def _energy_saving(turn: LegTurn) -> float:
    """Energy saving of elastic contact over a turn, %."""
    elastic, inelastic = (turn.ground[e].energy[TURN].absolute for e in (ELASTIC_RESTITUTION, INELASTIC_RESTITUTION))
    return 100 * (1 - elastic / inelastic)


def _direction_ratio(leg: LegRuns) -> dict[str, float]:
    """Energy of a turn counter-clockwise over clockwise, by contact."""
    clockwise, back = leg.ground.turns["as driven"], leg.ground.turns["backwards"]
    return {
        RESTITUTION_NAMES[e]: back.ground[e].energy[TURN].absolute / clockwise.ground[e].energy[TURN].absolute
        for e in RESTITUTION_NAMES
    }


def added_torque(turn: LegTurn, restitution: float) -> Array:
    """Torque of the drive on the ground minus that in the air, (STANCE_SAMPLES,), N m, at equal intervals from touchdown to
    lift-off."""
    (begin, end), *_ = turn.foot.phases.steps
    time, period = np.linspace(begin, end, STANCE_SAMPLES), turn.run.time[-1] - turn.run.time[0]
    loads = turn.ground[restitution]
    on_ground = cut_to_turn(loads, loads.run.array("crank.torque"))
    in_the_air = turn.run.time, turn.run.array("crank.torque")
    on, off = (np.interp(np.mod(time, period), t - t[0], values) for t, values in (on_ground, in_the_air))
    return on - off


def curve_peaks(values: Array) -> dict[str, float]:
    """Largest magnitude of a curve over stance, its position in stance (0 to 1), the number of peaks of the
    magnitude, its mean in the first half of stance over that in the second, and its mean in the first half."""
    from scipy.signal import find_peaks

    size = np.abs(values)
    most, half = float(size.max()), size.size // 2
    tops, _ = find_peaks(np.concatenate([[0.0], size, [0.0]]), prominence=MIN_PEAK_PROMINENCE_RATIO * most)
    return {
        "largest": most,
        "at": float(np.argmax(size)) / (size.size - 1),
        "count": float(tops.size),
        "early over late": float(size[:half].mean() / size[half:].mean()),
        "early": float(size[:half].mean()),
    }


def _strongest_friction(turn: LegTurn, restitution: float) -> float:
    """Time between the middle of stance and the largest tangential force, as a part of a turn."""
    loads = turn.ground[restitution]
    time, force = cut_to_turn(loads, loads.run.array("foot.tangential_force"))
    (begin, end), *_ = turn.foot.phases.steps
    period = turn.run.time[-1] - turn.run.time[0]
    apart = np.mod(time[np.argmax(np.abs(force))] - 0.5 * (begin + end), period) / period
    return float(min(apart, 1 - apart))


def _touchdown_speed_ratio(turn: LegTurn) -> float:
    """Speed of the foot over the ground, V_FT of Eq 4.16, at touchdown over that TOUCHDOWN_WINDOW_RATIO of a turn
    earlier."""
    foot, time = turn.foot, turn.run.time
    (begin, _), *_ = foot.phases.steps
    period = time[-1] - time[0]
    along, up = (turn.run.array(f"{foot.name}.{v}") for v in ("vx", "vy"))
    speed = fit_spline(time, np.hypot(along + foot.body_speed, up))
    now, before = (
        float(speed(time[0] + np.mod(t - time[0], period))) for t in (begin, begin - TOUCHDOWN_WINDOW_RATIO * period)
    )
    return now / before


def _closed_touchdown_speed_ratio(leg: LegRuns) -> float:
    """Ratio of `_touchdown_speed_ratio` by closed-form kinematics, at the nearest samples."""
    of = sample_turn(leg.name)
    stance = of.y < of.y.min() + leg.printed.depth
    begin = int(np.argmax(stance & ~np.roll(stance, 1)))
    speed = np.hypot(of.vx - of.vx[stance].mean(), of.vy)
    return float(speed[begin] / speed[begin - round(TOUCHDOWN_WINDOW_RATIO * of.x.size)])


def _rule_facts(leg: LegRuns) -> dict[str, Any]:
    """Savings (%) by penetration rate and friction rule, computed by hand, and energies counter-clockwise over
    clockwise without friction."""
    clockwise, back = leg.feet["as driven"], leg.feet["backwards"]
    saved = {
        rate: {
            rule: energy_saving_percent(
                *(ground_reaction(clockwise, e, rule, rate) for e in (ELASTIC_RESTITUTION, INELASTIC_RESTITUTION))
            )
            for rule in FRICTION_RULES
        }
        for rate in PENETRATION_RATES
    }
    free_back, free = (ground_reaction(foot, ELASTIC_RESTITUTION, "none").energies[TURN] for foot in (back, clockwise))
    return {"saved": saved, "free both ways": free_back / free}


def run_open_loop(model: Model) -> Result:
    """Run of Fig 2-4 (a): method and step of the thesis without feedback of the constraints."""
    how: dict[str, Any] = {"method": "euler", "stabilisation": "none", "tolerance": 1.0}
    return remove_contacts(model).simulate(data.DURATION_S, step=data.STEP_S, **how)


def constraint_errors(with_feedback: Result, without: Result) -> dict[str, Any]:
    """Errors of Eq 2.14 in positions and velocities: the means with and without feedback, and the number of steps at which the
    error with feedback is not below the error without. The start and the first two steps are excluded: the start has no error,
    so that feedback acts from the second step on."""
    errors = {}
    for of in ("position", "velocity"):
        closed, free = (run.array(f"evidence.{of}_violation")[3:] for run in (with_feedback, without))
        errors[of] = {
            "with": float(closed.mean()), "without": float(free.mean()), "steps": int(closed.size),
            "not below": int(np.count_nonzero(closed >= free)),
        }  # fmt: skip
    return errors
