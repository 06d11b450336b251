"""Numbers for the statements without numbers in chapter 4 and section 2.2 of paper 003: savings, signs, shapes and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.leg import Turn, in_air
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.legs.statistics import curve
from gaitwright.model.model import Model
from gaitwright.papers import walking_legs_data as data
from gaitwright.papers.walking_legs_closed import one_turn
from gaitwright.papers.walking_legs_data import ELASTIC, INELASTIC, SAID
from gaitwright.papers.walking_legs_ground import FRICTION, RATES, on_ground, saving
from gaitwright.report.views.leg_page import turn_of
from gaitwright.result.result import Result

if TYPE_CHECKING:
    from gaitwright.papers.walking_legs_runs import LegRuns

Array = np.ndarray
STANCE_SAMPLES = 400
"""Number of samples of the torque in stance."""
BEFORE_TOUCHDOWN = 0.05
"""Part of a turn before touchdown over which the thesis states that the foot slows down."""
SHAPE_LIMIT = 0.1
"""Prominence of a peak over the largest value from which the peak counts."""


def leg_statements(leg: LegRuns) -> dict[str, Any]:
    """Numbers for all statements by name, many of them by direction of the crank (`as driven` is clockwise)."""
    foot = leg.exact.foot
    ground = leg.ground.turn
    return {
        "saving": {way: _saving(turn) for way, turn in leg.ground.turns.items()},
        "both ways": _ratio_of_directions(leg),
        "torque": {SAID[e]: leg.ground.turn.ground[e].torque[STANCE] for e in SAID},
        "negative work": {phase: -ground.ground[ELASTIC].energy[phase].negative for phase in (SWING, STANCE)},
        "negative work in the air": {phase: -ground.air.energy[phase].negative for phase in (SWING, STANCE)},
        "added": {way: {SAID[e]: added_torque(turn, e) for e in SAID} for way, turn in leg.ground.turns.items()},
        "peaks": {
            way: {SAID[e]: peaks(added_torque(turn, e)) for e in SAID} for way, turn in leg.ground.turns.items()
        },
        "strongest friction": {SAID[e]: _strongest_friction(leg.ground.turn, e) for e in SAID},
        "slip in middle": leg.numbers["relative_lowest"] / leg.numbers["relative_swing_largest"],
        "by rule": _by_rule(leg),
        "acceleration": {phase: foot.acceleration[phase].mean for phase in (STANCE, SWING)},
        "slows down": _slows_down(leg.exact.turn), "slows down, closed": _slows_down_closed(leg),
    }  # fmt: skip


def _saving(turn: Turn) -> float:
    """Part of the energy of a turn that elastic contact saves, %."""
    elastic, inelastic = (turn.ground[e].energy[TURN].absolute for e in (ELASTIC, INELASTIC))
    return 100 * (1 - elastic / inelastic)


def _ratio_of_directions(leg: LegRuns) -> dict[str, float]:
    """Energy of a turn counter-clockwise over clockwise, by contact."""
    clockwise, back = leg.ground.turns["as driven"], leg.ground.turns["backwards"]
    return {SAID[e]: back.ground[e].energy[TURN].absolute / clockwise.ground[e].energy[TURN].absolute for e in SAID}


def added_torque(turn: Turn, restitution: float) -> Array:
    """Torque of the drive on the ground minus that in the air, (STANCE_SAMPLES,), N m, at equal intervals from touchdown to
    lift-off."""
    (begin, end), *_ = turn.foot.phases.steps
    time, period = np.linspace(begin, end, STANCE_SAMPLES), turn.run.time[-1] - turn.run.time[0]
    loads = turn.ground[restitution]
    on_ground = turn_of(loads, loads.run.values("crank.torque"))
    in_the_air = turn.run.time, turn.run.values("crank.torque")
    on, off = (np.interp(np.mod(time, period), t - t[0], values) for t, values in (on_ground, in_the_air))
    return on - off


def peaks(values: Array) -> dict[str, float]:
    """Largest magnitude of a curve over stance, its place in stance (0 to 1), the number of peaks of the magnitude, its mean in
    the first half of stance over that in the second, and its mean in the first half."""
    from scipy.signal import find_peaks

    size = np.abs(values)
    most, half = float(size.max()), size.size // 2
    tops, _ = find_peaks(np.concatenate([[0.0], size, [0.0]]), prominence=SHAPE_LIMIT * most)
    return {
        "largest": most, "at": float(np.argmax(size)) / (size.size - 1), "count": float(tops.size),
        "early over late": float(size[:half].mean() / size[half:].mean()), "early": float(size[:half].mean()),
    }  # fmt: skip


def _strongest_friction(turn: Turn, restitution: float) -> float:
    """Time between the middle of stance and the largest tangential force, as a part of a turn."""
    loads = turn.ground[restitution]
    time, force = turn_of(loads, loads.run.values("foot.tangential_force"))
    (begin, end), *_ = turn.foot.phases.steps
    period = turn.run.time[-1] - turn.run.time[0]
    apart = np.mod(time[np.argmax(np.abs(force))] - 0.5 * (begin + end), period) / period
    return float(min(apart, 1 - apart))


def _slows_down(turn: Turn) -> float:
    """Speed of the foot over the ground, V_FT of Eq 4.16, at touchdown over that BEFORE_TOUCHDOWN earlier."""
    foot, time = turn.foot, turn.run.time
    (begin, _), *_ = foot.phases.steps
    period = time[-1] - time[0]
    along, up = (turn.run.values(f"{foot.name}.{v}") for v in ("vx", "vy"))
    speed = curve(time, np.hypot(along + foot.body_speed, up))
    now, before = (
        float(speed(time[0] + np.mod(t - time[0], period))) for t in (begin, begin - BEFORE_TOUCHDOWN * period)
    )
    return now / before


def _slows_down_closed(leg: LegRuns) -> float:
    """The ratio of _slows_down by closed-form kinematics, at the nearest samples."""
    of = one_turn(leg.name)
    stance = of.y < of.y.min() + leg.printed.depth
    begin = int(np.argmax(stance & ~np.roll(stance, 1)))
    speed = np.hypot(of.vx - of.vx[stance].mean(), of.vy)
    return float(speed[begin] / speed[begin - round(BEFORE_TOUCHDOWN * of.x.size)])


def _by_rule(leg: LegRuns) -> dict[str, Any]:
    """Savings (%) by rate of penetration and rule of friction, by hand, and energies counter-clockwise over clockwise without
    friction."""
    clockwise, back = leg.feet["as driven"], leg.feet["backwards"]
    saved = {
        rate: {rule: saving(*(on_ground(clockwise, e, rule, rate) for e in (ELASTIC, INELASTIC))) for rule in FRICTION}
        for rate in RATES
    }
    free_back, free = (on_ground(foot, ELASTIC, "none").energies[TURN] for foot in (back, clockwise))
    return {"saved": saved, "free both ways": free_back / free}


def open_loop(model: Model) -> Result:
    """Run of Fig 2-4 (a): method and step of the thesis without feedback of the constraints."""
    how: dict[str, Any] = {"method": "euler", "stabilisation": "none", "tolerance": 1.0}
    return in_air(model).simulate(data.UNTIL, step=data.STEP, **how)


def constraint_errors(with_feedback: Result, without: Result) -> dict[str, Any]:
    """Errors of Eq 2.14 in positions and velocities: the means with and without feedback, and the number of steps at which the
    error with feedback is not below the error without. The start and the first two steps are excluded: the start has no error,
    so that feedback acts from the second step on."""
    errors = {}
    for of in ("position", "velocity"):
        closed, free = (run.values(f"evidence.{of}_violation")[3:] for run in (with_feedback, without))
        errors[of] = {
            "with": float(closed.mean()), "without": float(free.mean()), "steps": int(closed.size),
            "not below": int(np.count_nonzero(closed >= free)),
        }  # fmt: skip
    return errors
