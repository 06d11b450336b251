"""What our runs show beside what paper 004 puts in and says about the bouncing ball; see bouncing_ball.py. Its equations: see
bouncing_ball_formulas.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.contact.restitution import rebound
from gaitwright.papers import impact
from gaitwright.papers.bouncing_ball import CONTACT, RESTITUTIONS, Moments, through
from gaitwright.papers.facts import Asked

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall

ELASTIC, DAMPED = RESTITUTIONS[0], RESTITUTIONS[1:]


def facts(found: BouncingBall) -> dict[str, Any]:
    hits = {e: impact.first(found.at(e)) for e in RESTITUTIONS}
    run, s, courses = found.at(ELASTIC), found.setup, [_course(found, e) for e in RESTITUTIONS]
    k = int(np.argmax(run.time > 0.2))
    ends = [abs(float(through(found.at(e), "normal_force")[1][k])) / m.largest_force
            for e, m in found.moments.items() for k in (0, -1)]  # fmt: skip
    return {
        "hits": hits, "moments": found.moments, "falling": Asked(lambda name: float(run.values(name)[k])),  # while it does
        "read": _read_back(found), "factor": {e: _factor(found, e) for e in RESTITUTIONS}, "solid": s.inertia,
        "with_printed_inertia": impact.first(found.runs["printed inertia"]), **_rows(found),
        "signs": float(all(course.signs for course in courses)), "falls": float(all(course.falls for course in courses)),
        "gain": max(course.gain for course in courses), "ends": ends, "approach": [hit.approach_speed for hit in hits.values()],
        "free": found.without_gravity, "closed": {e: rebound(s.law(e)) for e in RESTITUTIONS},
        "inside": 100 * float(np.mean((run.time > hits[ELASTIC].begin) & (run.time <= hits[ELASTIC].end))),
        "slope": {e: _slopes(found, e) for e in RESTITUTIONS}, "curves": {e: _curves(found, e) for e in RESTITUTIONS},
        "when": {of: [getattr(m, of) for m in found.moments.values()] for of in Moments.__annotations__},
    }  # fmt: skip


def _read_back(found: BouncingBall) -> dict[str, float]:
    """Stiffness and exponent of the contact, from force and deformation at c_r = 1."""
    (_, depth), (_, force) = (through(found.at(ELASTIC), output) for output in ("penetration", "normal_force"))
    exponent, constant = np.polyfit(np.log(depth[10:-10]), np.log(force[10:-10]), 1)
    return {"stiffness": math.exp(constant), "exponent": exponent}


def _factor(found: BouncingBall, restitution: float) -> float:
    """8 (1 - c_r) / (5 c_r) of Eq 2.7, from force, deformation and its velocity half way to the deepest point."""
    run = found.at(restitution)
    hit, when = impact.first(run), found.moments[restitution]
    motion = run.at(hit.begin + when.deepest / 2)
    depth, rate, force = (
        float(run.catalogue[f"{CONTACT}.{name}"].values(motion)[0])
        for name in ("penetration", "penetration_rate", "normal_force")
    )
    elastic = found.setup.stiffness * depth**found.setup.exponent
    return (force / elastic - 1) * hit.approach_speed / rate


def _rows(found: BouncingBall) -> dict[str, Any]:
    """What Fig 5.2 to 5.5 show for all c_r, from 1 to 0.2, in words, and whether it grows; um, us, J, m/s^2, N."""
    hits, when = [impact.first(found.at(e)) for e in RESTITUTIONS], list(found.moments.values())
    areas = [impact.loop_area(found.at(e), CONTACT) for e in RESTITUTIONS]
    rows = {
        "depth": [1e6 * h.max_penetration for h in hits], "duration": [1e6 * h.duration for h in hits],
        "loss": [round(h.dissipated, 9) + 0.0 for h in hits], "after": [h.restitution for h in hits],
        "null": [1e6 * m.deepest for m in when], "area": [round(area, 4) + 0.0 for area in areas],
        "mean": [h.approach_speed / m.deepest for h, m in zip(hits, when, strict=True)],
        "most": [h.max_force / found.setup.mass - found.setup.gravity for h in hits],
        "peak": [h.max_force for h in hits[1:]], "free": [found.without_gravity[e].largest_force for e in DAMPED],
    }  # fmt: skip
    same = [
        abs(h.max_force / free.largest_force - 1) for h, free in zip(hits, found.without_gravity.values(), strict=True)
    ]
    return {
        "listed": {
            name: ", ".join(f"{value:.{4 if name in ('null', 'mean') else 5}g}" for value in row) for name, row in rows.items()
        },
        "falls_with": {name: float(np.all(np.diff(row) < 0)) for name, row in rows.items()},
        "grows_with": {name: float(np.all(np.diff(row) > 0)) for name, row in rows.items()},
        "peak": rows["peak"], "free_peak": rows["free"], "areas": areas, "same": same,
        "area_apart": np.subtract(areas, [h.dissipated for h in hits]),
    }  # fmt: skip


class Course(NamedTuple):
    """Of the velocity of the deformation: whether it has the signs that the text says; whether it falls until the deepest
    point, but for 10 us at most; and by how much it exceeds that of touchdown, m/s."""

    signs: bool
    falls: bool
    gain: float


def _course(found: BouncingBall, restitution: float) -> Course:
    t, rate = through(found.at(restitution), "penetration_rate", 2001)
    after = t - found.moments[restitution].deepest
    top = int(np.argmax(rate))
    signs = rate[after < 0].min() > 0 and rate[after > 0].max() < 0
    falls = t[top] < 1e-5 and np.diff(rate[top:][after[top:] < 0]).max() < 0
    return Course(bool(signs), bool(falls), float(rate[top] - rate[0]))


def _slopes(found: BouncingBall, restitution: float) -> dict[str, float]:
    """Of the force at the deepest point, N/s: d/dt of Eq 2.7 is K d^n k d''/v0 there, which is negative; and in the run."""
    run, when, setup = found.at(restitution), found.moments[restitution], found.setup
    hit = impact.first(run)
    elastic = setup.stiffness * hit.max_penetration**setup.exponent
    factor = 8 * (1 - restitution) / (5 * restitution)
    times = hit.begin + when.deepest + np.array([-1e-7, 1e-7])
    force = run.catalogue[f"{CONTACT}.normal_force"].values(run.at(times))
    printed = elastic * factor * (setup.gravity - elastic / setup.mass) / hit.approach_speed
    return {"printed": printed, "seen": float(force[1] - force[0]) / 2e-7}


def _curves(found: BouncingBall, restitution: float) -> dict[str, np.ndarray]:
    """Over the first impact, for pictures."""
    run = found.at(restitution)
    rows = {name: through(run, name) for name in ("penetration", "penetration_rate", "normal_force")}
    return {"since": rows["penetration"][0]} | {name: values for name, (_, values) in rows.items()}
