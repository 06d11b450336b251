"""What contact costs: a leg on the ground beside the same leg in the air, and a ball drop beside SciPy's Radau.

Leg: P1 through 3 s of generalized-alpha at 1 ms, without contact, with a ground that its toe enters by 8 mm, and with one
that it never reaches. The last shows the price of watching; what the first two differ by beyond that is the force in
the steps and the location of touchdown and release (`events`).

Ball: the drop of REFERENCE C (Flores, 0.8, from 1 m) through the first impact and up again, until 0.9 s. SciPy's
solve_ivp integrates flight, contact and flight with terminal events and the same law in plain NumPy. Both go down a ladder
of tolerances; the time at an error of 1e-6 m/s of the speed after the impact is interpolated where the error stays below.
Our time is that of the integration with its setting up, as in P1; `setting up` is that of a run of a microsecond, and
`whole call` is Model.simulate with everything around it. SciPy's other methods are listed too: Radau is the one that a
stiff problem asks for, not its fastest here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.analyse.forward import simulate
from gaitwright.bench import p1
from gaitwright.bench.clock import alternate, seconds
from gaitwright.mechanisms.falling_ball import falling_ball
from gaitwright.model.model import Model
from gaitwright.model.surfaces import LineGround
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.system.mechanism import Mechanism

STEP = 1e-3
UNTIL = 3.0
DEPTH = 8e-3
APPROACH = 0.148
"""m/s: the start is in stance, and this is how fast this leg touches down."""
LEG_LIMIT, BALL_LIMIT = 1.5, 20.0
"""Most that contact may cost (with / without), least that the ball drop must be faster (SciPy / ours)."""

FALL_UNTIL = 0.9
MASS, RADIUS, GRAVITY, STIFFNESS, RESTITUTION = 1.0, 0.1, 9.81, 1.4e8, 0.8
TARGET, FINE_TARGET = TARGETS = (1e-6, 1e-8)
"""m/s, errors of the speed after the impact at which times are compared; the first counts."""
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(8, 21))
OURS = ("dopri5", "radau5", "rosenbrock23")
PEERS = ("Radau", "RK45", "DOP853", "LSODA")
FIXED: tuple[dict[str, Any], ...] = (
    {"method": "rk4", "step": STEP},
    {"method": "generalized-alpha", "step": STEP},
    {"method": "moreau", "step": STEP},
)


def measure(quick: bool) -> dict[str, Any]:
    leg, ball = measure_leg(quick), measure_ball(quick)
    # Peer over ours, as everywhere in the bench: without contact over with, so at least 1 / 1.5.
    ratios = {"contact-leg": 1.0 / leg["ratio"]}
    if ball["ratio"] is not None:
        ratios["contact-ball"] = ball["ratio"]
    return {"leg": leg, "ball": ball, "ratios": ratios}


# leg -----------------------------------------------------------------------------------------------------------------


def leg_on_ground(level: float | None) -> Model:
    """P1 with a ground at a level, m; None: without contact."""
    leg = p1.model()
    if level is None:
        return leg
    law, friction = LankaraniNikravesh(stiffness=2e4, restitution=0.0), Coulomb(coefficient=0.4)
    return leg.contact("F", LineGround(level=level), law=law, friction=friction, approach_speed=APPROACH, name="toe")


def measure_leg(quick: bool) -> dict[str, Any]:
    lowest = float(p1.exact_foot(np.linspace(0.0, 1.0, 20001))[:, 1].min())
    until, repeats = (0.3, 1) if quick else (UNTIL, 15)
    models = {
        "without contact": leg_on_ground(None),
        "with contact": leg_on_ground(lowest + DEPTH),
        "never reached": leg_on_ground(lowest - 1.0),
    }
    steps = round(until / STEP)
    options: dict[str, Any] = {"step": STEP, "method": "generalized-alpha"}
    runs = {name: model.simulate(until, **options) for name, model in models.items()}

    def integration(model: Model) -> Callable[[], float]:
        return lambda: model.simulate(until, every=steps, **options).evidence.wall_seconds

    timed = {name: integration(model) for name, model in models.items()}
    whole = {f"{name}, whole call": seconds(lambda m=m: m.simulate(until, **options)) for name, m in models.items()}
    best = alternate(timed | whole, repeats)
    air, ground, watched = (best[name] for name in models)
    return {
        "until": until,
        "steps": steps,
        "seconds": best,
        "us_per_step": {name: 1e6 * best[name] / steps for name in models},
        "ratio": ground / air,
        "ratio_whole_call": best["with contact, whole call"] / best["without contact, whole call"],
        "ratio_never_reached": watched / air,
        "limit": LEG_LIMIT,
        "within_limit": ground / air <= LEG_LIMIT,
        "events": {name: events_of(run) for name, run in runs.items()},
        "share_of_watching": (watched - air) / ground,
        "share_of_forces_and_events": (ground - watched) / ground,
        "share_of_events": share_of_events(runs["with contact"], best["with contact"], air / steps),
        "max_penetration": max(e.max_penetration for e in runs["with contact"].episodes),
    }


def events_of(run: Any) -> dict[str, int]:
    e = run.evidence
    return {
        "events": e.events,
        "event_evaluations": e.event_evaluations,
        "rejected": e.rejected,
        "steps": e.steps,
        "evaluations": e.evaluations,
        "newton_iterations": e.newton_iterations,
    }


def share_of_events(run: Any, took: float, per_step: float) -> float:
    """Part of a run's time that goes into locating events: the steps that were given up and those that an event cut in
    two, each at the price of a step without contact. The states looked at on the way are far cheaper than a step."""
    e = run.evidence
    extra = e.rejected + e.steps - round(run.time[-1] / STEP)
    return extra * per_step / took


# ball ----------------------------------------------------------------------------------------------------------------


def scipy_drop(method: str, tolerance: float) -> tuple[float, int]:
    """The drop by solve_ivp: speed after the impact, m/s, and right-hand sides."""
    from scipy.integrate import solve_ivp

    factor = 8.0 * (1.0 - RESTITUTION) / (5.0 * RESTITUTION)
    options: dict[str, Any] = {"method": method, "rtol": tolerance, "atol": 1e-3 * tolerance}

    def flight(t: float, y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -GRAVITY])

    def gap(t: float, y: np.ndarray) -> float:
        return y[0] - RADIUS

    def release(t: float, y: np.ndarray) -> float:
        return y[0] - RADIUS

    gap.terminal, gap.direction = True, -1  # type: ignore[attr-defined]
    release.terminal, release.direction = True, 1  # type: ignore[attr-defined]
    down = solve_ivp(flight, (0.0, FALL_UNTIL), [1.0 + RADIUS, 0.0], events=gap, **options)
    approach = -down.y[1, -1]

    def touching(t: float, y: np.ndarray) -> np.ndarray:
        depth = max(RADIUS - y[0], 0.0)
        force = STIFFNESS * depth**1.5 * (1.0 - factor * y[1] / approach)
        return np.array([y[1], force / MASS - GRAVITY])

    through = solve_ivp(touching, (down.t[-1], FALL_UNTIL), down.y[:, -1], events=release, **options)
    up = solve_ivp(flight, (through.t[-1], FALL_UNTIL), through.y[:, -1], **options)
    return float(through.y[1, -1]), down.nfev + through.nfev + up.nfev


def drop() -> Model:
    law = Flores(stiffness=STIFFNESS, restitution=RESTITUTION)
    return falling_ball(law, mass=MASS, radius=RADIUS, gravity=GRAVITY)


def our_drop(mechanism: Mechanism, until: float = FALL_UNTIL, **options: Any) -> Any:
    """The drop by one of our methods; only the end is stored."""
    keep: dict[str, Any] = {"output_step": until} if "step" not in options else {"every": 10**9}
    return simulate(mechanism, until, **keep, **options)


def speed_after(run: Any) -> float:
    return run.episodes[0].separation_speed


def measure_ball(quick: bool) -> dict[str, Any]:
    model = drop()
    mechanism = model.mechanism()
    exact, _ = scipy_drop("DOP853", 1e-13)
    ladder, repeats = (TOLERANCES[4:10:2], 1) if quick else (TOLERANCES, 5)
    peers, ours = (PEERS[:1], OURS[:1]) if quick else (PEERS, OURS)
    candidates: dict[str, Callable[[], float]] = {}
    rungs: dict[str, list[dict[str, Any]]] = {name: [] for name in (*ours, *peers)}
    for tolerance in ladder:
        for name in ours:
            run = our_drop(mechanism, method=name, tolerance=tolerance)
            rungs[name].append(rung(tolerance, speed_after(run) - exact, run.evidence.evaluations))
            candidates[f"{name} {tolerance}"] = lambda n=name, tol=tolerance: (
                our_drop(mechanism, method=n, tolerance=tol).evidence.wall_seconds
            )
        for name in peers:
            speed, evaluations = scipy_drop(name, tolerance)
            rungs[name].append(rung(tolerance, speed - exact, evaluations))
            candidates[f"{name} {tolerance}"] = seconds(lambda n=name, tol=tolerance: scipy_drop(n, tol))
    fixed = {}
    for options in FIXED:
        run = our_drop(mechanism, **options)
        fixed[options["method"]] = rung(options["step"], speed_after(run) - exact, run.evidence.evaluations)
        candidates[options["method"]] = lambda o=options: our_drop(mechanism, **o).evidence.wall_seconds
    candidates["setting up"] = lambda: our_drop(mechanism, 1e-6, method="dopri5").evidence.wall_seconds
    candidates["whole call"] = seconds(
        lambda: model.simulate(FALL_UNTIL, method="dopri5", tolerance=1e-8, output_step=FALL_UNTIL)
    )
    best = alternate(candidates, repeats)
    for name, rows in rungs.items():
        for row in rows:
            row["seconds"] = best[f"{name} {row['fineness']}"]
    for name, row in fixed.items():
        row["seconds"] = best[name]
    at = {name: {target: at_target(rows, target) for target in TARGETS} for name, rows in rungs.items()}

    def ratio(target: float, less: float = 0.0) -> float | None:
        """Radau over dopri5 where both have this error; less: seconds of ours that are left out. None where one of them
        does not get there, or where noise has made the part larger than the whole."""
        theirs, mine = at["Radau"][target], at["dopri5"][target]
        return None if theirs is None or mine is None or mine <= less else theirs / (mine - less)

    headline = ratio(TARGET)
    return {
        "target": TARGET,
        "exact": exact,
        "ladders": rungs,
        "fixed": fixed,
        "seconds_at_target": {name: of[TARGET] for name, of in at.items()},
        "setting_up_seconds": best["setting up"],
        "whole_call_seconds": best["whole call"],
        "ratio": headline,
        "ratio_without_setting_up": ratio(TARGET, best["setting up"]),
        "ratio_at_fine_target": ratio(FINE_TARGET),
        "fine_target": FINE_TARGET,
        "limit": BALL_LIMIT,
        "within_limit": headline is not None and headline >= BALL_LIMIT,
    }


def rung(fineness: float, error: float, evaluations: int) -> dict[str, Any]:
    return {"fineness": fineness, "error": abs(error), "evaluations": evaluations}


def at_target(rows: list[dict[str, Any]], target: float) -> float | None:
    """Seconds from which on the error stays below the target; linear in the logarithms between two rungs, with each
    error raised to the largest of the finer rungs, so that an error that is small by accident does not count."""
    worst = list(itertools.accumulate((row["error"] for row in reversed(rows)), max))[::-1]
    for (a, coarse), (b, fine) in itertools.pairwise(zip(worst, rows, strict=True)):
        if a >= target >= b > 0 and a > b:
            share = math.log(a / target) / math.log(a / b)
            return float(coarse["seconds"] ** (1 - share) * fine["seconds"] ** share)
    return None
