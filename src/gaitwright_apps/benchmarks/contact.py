"""Cost of contact: a leg on the ground compared with the same leg in the air, and a ball drop compared with SciPy's Radau.

Leg: P1 through 3 s of generalized-alpha at 1 ms, without contact, with a ground that its toe penetrates by 8 mm, and with one
that it never reaches. The last shows the cost of monitoring the gap; the remaining difference between the first two is the
force evaluation and the location of touchdown and release (`events`).

Ball: the drop of the recomputation of 004 (Flores, 0.8, from 1 m) through the first impact and up again, until 0.9 s.
SciPy's solve_ivp integrates flight, contact and flight with terminal events and the same law in plain NumPy. Both use a
series of tolerances; the time at an error of 1e-6 m/s of the speed after the impact is interpolated where the error stays
below. Our time is that of the integration with its setup, as in P1; `setting up` is that of a run of a microsecond, and
`whole call` is Model.simulate with everything around it. SciPy's other methods are listed too: Radau is the appropriate
one for a stiff problem, not its fastest here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.analysis.forward import simulate
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanisms.falling_ball import falling_ball
from gaitwright.model.model import Model
from gaitwright.model.surfaces import LineGround
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright_apps.benchmarks import p1
from gaitwright_apps.benchmarks.timing import time_alternately, time_call

STEP_S = 1e-3
DURATION_S = 3.0
TOE_DEPTH_M = 8e-3
APPROACH_SPEED_M_S = 0.148
"""Touchdown speed of this leg, m/s; needed because the run starts in stance."""
MAX_LEG_COST_RATIO, MIN_BALL_SPEEDUP = 1.5, 20.0
"""Maximum cost ratio of contact (with / without), and required minimum speedup of the ball drop (SciPy / ours)."""

FALL_DURATION_S = 0.9
BALL_MASS_KG, BALL_RADIUS_M, GRAVITY_M_S2, CONTACT_STIFFNESS, BALL_RESTITUTION = 1.0, 0.1, 9.81, 1.4e8, 0.8
TARGET_ERROR_M_S, FINE_TARGET_ERROR_M_S = TARGET_ERRORS_M_S = (1e-6, 1e-8)
"""Errors of the speed after the impact at which times are compared, m/s; the first one counts."""
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(8, 21))
OUR_METHODS = ("dopri5", "radau5", "rosenbrock23")
SCIPY_METHODS = ("Radau", "RK45", "DOP853", "LSODA")
FIXED_STEP_RUNS: tuple[dict[str, Any], ...] = (
    {"method": "rk4", "step": STEP_S},
    {"method": "generalized-alpha", "step": STEP_S},
    {"method": "moreau", "step": STEP_S},
)


def measure(quick: bool) -> dict[str, Any]:
    leg, ball = measure_leg(quick), measure_ball(quick)
    # Ratios are peer over ours, as in all benchmarks: without contact over with, so at least 1 / 1.5.
    ratios = {"contact-leg": 1.0 / leg["ratio"]}
    if ball["ratio"] is not None:
        ratios["contact-ball"] = ball["ratio"]
    return {"leg": leg, "ball": ball, "ratios": ratios}


# leg -----------------------------------------------------------------------------------------------------------------


def leg_on_ground(level: float | None) -> Model:
    """P1 with a ground at a level, m; None: without contact."""
    leg = p1.p1_model()
    if level is None:
        return leg
    law, friction = LankaraniNikravesh(stiffness=2e4, restitution=0.0), Coulomb(coefficient=0.4)
    return leg.contact(
        "F", LineGround(level=level), law=law, friction=friction, approach_speed=APPROACH_SPEED_M_S, name="toe"
    )


def measure_leg(quick: bool) -> dict[str, Any]:
    lowest = float(p1.exact_foot_curve(np.linspace(0.0, 1.0, 20001))[:, 1].min())
    until, repeats = (0.3, 1) if quick else (DURATION_S, 15)
    models = {
        "without contact": leg_on_ground(None),
        "with contact": leg_on_ground(lowest + TOE_DEPTH_M),
        "never reached": leg_on_ground(lowest - 1.0),
    }
    steps = round(until / STEP_S)
    options: dict[str, Any] = {"step": STEP_S, "method": "generalized-alpha"}
    runs = {name: model.simulate(until, **options) for name, model in models.items()}

    def integration(model: Model) -> Callable[[], float]:
        return lambda: model.simulate(until, every=steps, **options).evidence.wall_seconds

    timed = {name: integration(model) for name, model in models.items()}
    call_times = {
        f"{name}, whole call": time_call(lambda m=m: m.simulate(until, **options)) for name, m in models.items()
    }
    best = time_alternately(timed | call_times, repeats)
    air, ground, watched = (best[name] for name in models)
    return {
        "until": until,
        "steps": steps,
        "seconds": best,
        "us_per_step": {name: 1e6 * best[name] / steps for name in models},
        "ratio": ground / air,
        "ratio_whole_call": best["with contact, whole call"] / best["without contact, whole call"],
        "ratio_never_reached": watched / air,
        "limit": MAX_LEG_COST_RATIO,
        "within_limit": ground / air <= MAX_LEG_COST_RATIO,
        "events": {name: event_counts(run) for name, run in runs.items()},
        "share_of_watching": (watched - air) / ground,
        "share_of_forces_and_events": (ground - watched) / ground,
        "share_of_events": event_time_share(runs["with contact"], best["with contact"], air / steps),
        "max_penetration": max(e.max_penetration for e in runs["with contact"].episodes),
    }


def event_counts(run: Any) -> dict[str, int]:
    e = run.evidence
    return {
        "events": e.events,
        "event_evaluations": e.event_evaluations,
        "rejected": e.rejected,
        "steps": e.steps,
        "evaluations": e.evaluations,
        "newton_iterations": e.newton_iterations,
    }


def event_time_share(run: Any, took: float, per_step: float) -> float:
    """Fraction of a run's time for the location of events: the rejected steps and those cut in two by an event, each
    counted as a step without contact. The states evaluated during the location are far cheaper than a step."""
    e = run.evidence
    extra = e.rejected + e.steps - round(run.time[-1] / STEP_S)
    return extra * per_step / took


# ball ----------------------------------------------------------------------------------------------------------------


def solve_drop_with_scipy(method: str, tolerance: float) -> tuple[float, int]:
    """Ball drop by solve_ivp: speed after the impact, m/s, and number of right-hand sides."""
    from scipy.integrate import solve_ivp

    factor = 8.0 * (1.0 - BALL_RESTITUTION) / (5.0 * BALL_RESTITUTION)
    options: dict[str, Any] = {"method": method, "rtol": tolerance, "atol": 1e-3 * tolerance}

    def flight(t: float, y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -GRAVITY_M_S2])

    def gap(t: float, y: np.ndarray) -> float:
        return y[0] - BALL_RADIUS_M

    def release(t: float, y: np.ndarray) -> float:
        return y[0] - BALL_RADIUS_M

    gap.terminal, gap.direction = True, -1  # type: ignore[attr-defined]
    release.terminal, release.direction = True, 1  # type: ignore[attr-defined]
    down = solve_ivp(flight, (0.0, FALL_DURATION_S), [1.0 + BALL_RADIUS_M, 0.0], events=gap, **options)
    approach = -down.y[1, -1]

    def touching(t: float, y: np.ndarray) -> np.ndarray:
        depth = max(BALL_RADIUS_M - y[0], 0.0)
        force = CONTACT_STIFFNESS * depth**1.5 * (1.0 - factor * y[1] / approach)
        return np.array([y[1], force / BALL_MASS_KG - GRAVITY_M_S2])

    contact_phase = solve_ivp(touching, (down.t[-1], FALL_DURATION_S), down.y[:, -1], events=release, **options)
    up = solve_ivp(flight, (contact_phase.t[-1], FALL_DURATION_S), contact_phase.y[:, -1], **options)
    return float(contact_phase.y[1, -1]), down.nfev + contact_phase.nfev + up.nfev


def ball_drop() -> Model:
    law = Flores(stiffness=CONTACT_STIFFNESS, restitution=BALL_RESTITUTION)
    return falling_ball(law, mass=BALL_MASS_KG, radius=BALL_RADIUS_M, gravity=GRAVITY_M_S2)


def run_drop(mechanism: Mechanism, until: float = FALL_DURATION_S, **options: Any) -> Any:
    """Ball drop by one of our methods; only the end is stored."""
    keep: dict[str, Any] = {"output_step": until} if "step" not in options else {"every": 10**9}
    return simulate(mechanism, until, **keep, **options)


def speed_after_impact(run: Any) -> float:
    return run.episodes[0].separation_speed


def measure_ball(quick: bool) -> dict[str, Any]:
    model = ball_drop()
    mechanism = model.mechanism()
    exact, _ = solve_drop_with_scipy("DOP853", 1e-13)
    ladder, repeats = (TOLERANCES[4:10:2], 1) if quick else (TOLERANCES, 5)
    peers, ours = (SCIPY_METHODS[:1], OUR_METHODS[:1]) if quick else (SCIPY_METHODS, OUR_METHODS)
    candidates: dict[str, Callable[[], float]] = {}
    rungs: dict[str, list[dict[str, Any]]] = {name: [] for name in (*ours, *peers)}
    for tolerance in ladder:
        for name in ours:
            run = run_drop(mechanism, method=name, tolerance=tolerance)
            rungs[name].append(ladder_rung(tolerance, speed_after_impact(run) - exact, run.evidence.evaluations))
            candidates[f"{name} {tolerance}"] = lambda n=name, tol=tolerance: (
                run_drop(mechanism, method=n, tolerance=tol).evidence.wall_seconds
            )
        for name in peers:
            speed, evaluations = solve_drop_with_scipy(name, tolerance)
            rungs[name].append(ladder_rung(tolerance, speed - exact, evaluations))
            candidates[f"{name} {tolerance}"] = time_call(lambda n=name, tol=tolerance: solve_drop_with_scipy(n, tol))
    fixed = {}
    for options in FIXED_STEP_RUNS:
        run = run_drop(mechanism, **options)
        fixed[options["method"]] = ladder_rung(
            options["step"], speed_after_impact(run) - exact, run.evidence.evaluations
        )
        candidates[options["method"]] = lambda o=options: run_drop(mechanism, **o).evidence.wall_seconds
    candidates["setting up"] = lambda: run_drop(mechanism, 1e-6, method="dopri5").evidence.wall_seconds
    candidates["whole call"] = time_call(
        lambda: model.simulate(FALL_DURATION_S, method="dopri5", tolerance=1e-8, output_step=FALL_DURATION_S)
    )
    best = time_alternately(candidates, repeats)
    for name, rows in rungs.items():
        for row in rows:
            row["seconds"] = best[f"{name} {row['fineness']}"]
    for name, row in fixed.items():
        row["seconds"] = best[name]
    errors_by_target = {
        name: {target: seconds_at_target(rows, target) for target in TARGET_ERRORS_M_S} for name, rows in rungs.items()
    }

    def ratio(target: float, less: float = 0.0) -> float | None:
        """Time of Radau over dopri5 at this error; less: seconds of ours to subtract. None if one of them does not
        reach the error, or if noise makes the part larger than the whole."""
        theirs, mine = errors_by_target["Radau"][target], errors_by_target["dopri5"][target]
        return None if theirs is None or mine is None or mine <= less else theirs / (mine - less)

    headline = ratio(TARGET_ERROR_M_S)
    return {
        "target": TARGET_ERROR_M_S,
        "exact": exact,
        "ladders": rungs,
        "fixed": fixed,
        "seconds_at_target": {
            name: seconds_by_error[TARGET_ERROR_M_S] for name, seconds_by_error in errors_by_target.items()
        },
        "setting_up_seconds": best["setting up"],
        "whole_call_seconds": best["whole call"],
        "ratio": headline,
        "ratio_without_setting_up": ratio(TARGET_ERROR_M_S, best["setting up"]),
        "ratio_at_fine_target": ratio(FINE_TARGET_ERROR_M_S),
        "fine_target": FINE_TARGET_ERROR_M_S,
        "limit": MIN_BALL_SPEEDUP,
        "within_limit": headline is not None and headline >= MIN_BALL_SPEEDUP,
    }


def ladder_rung(fineness: float, error: float, evaluations: int) -> dict[str, Any]:
    return {"fineness": fineness, "error": abs(error), "evaluations": evaluations}


def seconds_at_target(rows: list[dict[str, Any]], target: float) -> float | None:
    """Time from which the error stays below the target; linear in the logarithms between two rungs. Each error is
    raised to the largest of the finer rungs, so that an accidentally small error does not count."""
    worst = list(itertools.accumulate((row["error"] for row in reversed(rows)), max))[::-1]
    for (a, coarse), (b, fine) in itertools.pairwise(zip(worst, rows, strict=True)):
        if a >= target >= b > 0 and a > b:
            share = math.log(a / target) / math.log(a / b)
            return float(coarse["seconds"] ** (1 - share) * fine["seconds"] ** share)
    return None
