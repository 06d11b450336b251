"""What our runs show beside what paper 004 puts in and says about the bouncing ball; see bouncing_ball.py. Its equations: see
bouncing_ball_formulas.py."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.contact.restitution import rebound
from gaitwright.papers import impact
from gaitwright.papers.bouncing_ball import CONTACT, MIDDLE, PRINTED_INERTIA, RESTITUTIONS, through
from gaitwright.papers.facts import said

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall

ELASTIC, DAMPED = RESTITUTIONS[0], RESTITUTIONS[1:]


def facts(found: BouncingBall) -> dict[str, Any]:
    hits = {e: impact.first(found.at(e)) for e in RESTITUTIONS}
    return {
        "hits": hits, "moments": found.moments, "read": _read_back(found), **_inertia(found), **_impacts(found),
        "rebound": {e: _rebound(found, e) for e in RESTITUTIONS}, "moment": {e: _moment(found, e) for e in RESTITUTIONS},
        "curves": {e: _curves(found, e) for e in RESTITUTIONS},
        "times": {of: [1e3 * getattr(m, of) for m in found.moments.values()] for of in ("deepest", "strongest")},
        "peaks": {
            of: [1e-3 * getattr(m, of) for m in found.moments.values()] for of in ("largest_force", "force_when_deepest")
        },
    }  # fmt: skip


def _growing(values: list[float]) -> float:
    """1: yes."""
    return float(all(b > a for a, b in itertools.pairwise(values)))


def _listed(values: list[float], digits: int = 5) -> str:
    return ", ".join(f"{value:.{digits}g}" for value in values)


def _read_back(found: BouncingBall) -> dict[str, float]:
    """Chapter 5, from the runs."""
    run = found.at(ELASTIC)
    k = int(np.argmax(run.time > 0.2))  # while it falls
    (_, depth), (_, force) = (through(run, output) for output in ("penetration", "normal_force"))
    exponent, constant = np.polyfit(np.log(depth[10:-10]), np.log(force[10:-10]), 1)
    return {
        "mass": 2 * run.values("energy.kinetic")[k] / run.values("ball.vz")[k] ** 2,
        "radius": (run.values("ball.z") - run.values(f"{CONTACT}.gap"))[k],
        "height": impact.first(run).approach_speed ** 2 / (2 * found.setup.gravity),
        "stiffness": math.exp(constant), "exponent": exponent,
        **{said(e): 8 / (8 + 5 * _factor(found, e)) for e in RESTITUTIONS},
    }  # fmt: skip


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


def _inertia(found: BouncingBall) -> dict[str, Any]:
    """Three equal moments are 2/3 of the sum of m r^2, so at most 2/3 m R^2 for matter within the ball."""
    s = found.setup
    ours, printed = (impact.first(run) for run in (found.at(MIDDLE), found.runs["printed inertia"]))
    largest = 2 / 3 * s.mass * s.radius**2
    return {
        "inertia": {
            "largest": largest, "solid": s.inertia, "out": math.sqrt(3 * PRINTED_INERTIA / (2 * s.mass)),
            "density": s.mass / (4 / 3 * math.pi * s.radius**3),
        },
        "too_much": largest < PRINTED_INERTIA, "no_effect": abs(printed.max_force / ours.max_force - 1) < 1e-8,
    }  # fmt: skip


def _impacts(found: BouncingBall) -> dict[str, Any]:
    """Fig 5.2 to 5.5 and the text about them, over all c_r; um, us, J."""
    hits, when = [impact.first(found.at(e)) for e in RESTITUTIONS], list(found.moments.values())
    courses = [_course(found, e) for e in RESTITUTIONS]
    areas = [impact.loop_area(found.at(e), CONTACT) for e in RESTITUTIONS]
    rows = {
        "depth": [1e6 * h.max_penetration for h in hits], "duration": [1e6 * h.duration for h in hits],
        "loss": [round(h.dissipated, 9) + 0.0 for h in hits], "after": [h.restitution for h in hits],
        "null": [1e6 * m.deepest for m in when], "area": [round(area, 4) + 0.0 for area in areas],
        "mean": [h.approach_speed / m.deepest for h, m in zip(hits, when, strict=True)],
        "most": [h.max_force / found.setup.mass - found.setup.gravity for h in hits],
    }  # fmt: skip
    peaks = [impact.first(found.at(e)).max_force for e in DAMPED]
    free = [found.without_gravity[e].largest_force for e in DAMPED]
    ends = [abs(float(through(found.at(e), "normal_force")[1][k])) / m.largest_force
            for e, m in found.moments.items() for k in (0, -1)]  # fmt: skip
    run, hit = found.at(ELASTIC), hits[0]
    inside = float(np.mean((run.time > hit.begin) & (run.time <= hit.end)))
    same = [
        abs(h.max_force / free.largest_force - 1) for h, free in zip(hits, found.without_gravity.values(), strict=True)
    ]
    return {
        "listed": {name: _listed(row, 4 if name in ("null", "mean") else 5) for name, row in rows.items()},
        "falling": {name: _growing(rows[name][::-1]) for name in ("depth", "after", "null")},
        "growing": {name: _growing(rows[name]) for name in ("duration", "loss", "mean", "area")},
        "signs": float(all(course.signs for course in courses)), "falls": float(all(course.falls for course in courses)),
        "gain": max(course.gain for course in courses), "spread": float(np.ptp([h.approach_speed for h in hits])),
        "peak": peaks, "free": free, "peaks_grow": _growing(peaks), "peaks_agree": _growing(free) == _growing(peaks),
        "elastic": hit.max_force, "exception": float(hit.max_force > min(peaks)), "ends": max(ends),
        "areas": areas, "area_apart": float(np.abs(np.subtract(areas, [h.dissipated for h in hits])).max()),
        "same_curves": float(max(same) < 2e-3),
        "share": {"steps": 100 * inside, "time": 100 * hit.duration / float(run.time[-1]), "of": float(run.time[-1])},
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


def _rebound(found: BouncingBall, restitution: float) -> dict[str, Any]:
    """Speed after over speed before; without gravity by a closed form and by another program."""
    hit = impact.first(found.at(restitution))
    closed, free = rebound(found.setup.law(restitution)), found.without_gravity[restitution].rebound
    heavy = found.setup.gravity * hit.duration / hit.approach_speed  # what gravity can change
    agrees = abs(closed - free) < 1e-6 and abs(hit.restitution - closed) < heavy
    return {"closed": closed, "free": free, "agrees": agrees}


def _moment(found: BouncingBall, restitution: float) -> dict[str, Any]:
    """Largest force and deepest point at once? d/dt of Eq 2.7 at the deepest point is K d^n k d''/v0, which is negative."""
    run, when, setup = found.at(restitution), found.moments[restitution], found.setup
    hit = impact.first(run)
    factor = 8 * (1 - restitution) / (5 * restitution)
    elastic = setup.stiffness * hit.max_penetration**setup.exponent
    slope = elastic * factor * (setup.gravity - elastic / setup.mass) / hit.approach_speed
    times = hit.begin + when.deepest + np.array([-1e-7, 1e-7])
    force = run.catalogue[f"{CONTACT}.normal_force"].values(run.at(times))
    seen = float(force[1] - force[0]) / 2e-7
    agrees = abs(seen / slope - 1) < 1e-3 if slope else True
    return {"apart": when.deepest - when.strongest, "slope": slope, "seen": seen, "agrees": agrees}


def _curves(found: BouncingBall, restitution: float) -> dict[str, np.ndarray]:
    """Over the first impact, for pictures."""
    run = found.at(restitution)
    rows = {name: through(run, name) for name in ("penetration", "penetration_rate", "normal_force")}
    return {"since": rows["penetration"][0]} | {name: values for name, (_, values) in rows.items()}
