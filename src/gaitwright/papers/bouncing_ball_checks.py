"""Verdicts on what paper 004 puts in and says about the bouncing ball; see bouncing_ball.py. Its equations: see
bouncing_ball_formulas.py."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.contact.restitution import rebound
from gaitwright.papers import impact
from gaitwright.papers.bouncing_ball import CONTACT, MIDDLE, PAPER, PRINTED_INERTIA, RESTITUTIONS, through
from gaitwright.papers.bouncing_ball_formulas import formulas
from gaitwright.papers.check import INPUT, STATEMENT, Check, judge

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall

ELASTIC, DAMPED = RESTITUTIONS[0], RESTITUTIONS[1:]
PRINTED = {"mass": 1.0, "radius": 0.1, "height": 1.0, "stiffness": 1.4e8, "exponent": 1.5}
"""Chapter 5, SI units."""

_judge = partial(judge, paper=PAPER)
_given = partial(_judge, kind=INPUT)
_says = partial(_judge, kind=STATEMENT)


def verdicts(found: BouncingBall) -> list[Check]:
    """All checks, in the order of the thesis."""
    return [*formulas(found), *_inputs(found), *_motion(found), *_force(found), *_loops(found), *_elsewhere(found)]


def _yes(answer: object) -> float:
    return float(bool(answer))


def _growing(values: list[float]) -> bool:
    return all(b > a for a, b in itertools.pairwise(values))


def _listed(values: list[float], unit: str, digits: int = 5) -> str:
    return ", ".join(f"{value:.{digits}g}" for value in values) + f" {unit} for c_r = 1 to 0.2"


# What the thesis puts in ----------------------------------------------------------------------------------------------


def _inputs(found: BouncingBall) -> list[Check]:
    """Chapter 5, read back from the runs."""
    run, setup = found.at(ELASTIC), found.setup
    k = int(np.argmax(run.time > 0.2))  # while it falls
    read = {
        "mass": 2 * run.values("energy.kinetic")[k] / run.values("ball.vz")[k] ** 2,
        "radius": (run.values("ball.z") - run.values(f"{CONTACT}.gap"))[k],
        "height": impact.first(run).approach_speed ** 2 / (2 * setup.gravity),
    }
    (_, depth), (_, force) = (through(run, output) for output in ("penetration", "normal_force"))
    exponent, constant = np.polyfit(np.log(depth[10:-10]), np.log(force[10:-10]), 1)
    read |= {"stiffness": math.exp(constant), "exponent": exponent}
    what = {
        "mass": ("mass of the ball, from its kinetic energy", "kg"),
        "radius": ("radius of the ball, height of its centre over the gap", "m"),
        "height": ("initial height, from the speed at touchdown", "m"),
        "stiffness": ("stiffness of the contact, from force and deformation at c_r = 1", "N/m^1.5"),
        "exponent": ("exponent n, from force and deformation at c_r = 1", "1"),
    }
    checks = [
        _given(f"5-{name}", text, PRINTED[name], float(read[name]), unit, tolerance=1e-7 * PRINTED[name])
        for name, (text, unit) in what.items()
    ]
    for e in RESTITUTIONS:
        factor = _factor(found, e)
        checks.append(
            _given(
                f"5.1-cr-{e:g}", f"c_r = {e:g}, from the force on the way in by Eq 2.7", e, 8 / (8 + 5 * factor), "1",
                tolerance=1e-7,
            )
        )  # fmt: skip
    return [*checks, _inertia(found)]


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


def _inertia(found: BouncingBall) -> Check:
    setup = found.setup
    largest = 2 / 3 * setup.mass * setup.radius**2
    out = math.sqrt(3 * PRINTED_INERTIA / (2 * setup.mass))
    ours, printed = (impact.first(run) for run in (found.at(MIDDLE), found.runs["printed inertia"]))
    same = abs(printed.max_force / ours.max_force - 1)
    density = setup.mass / (4 / 3 * math.pi * setup.radius**3)
    return _given(
        "5-inertia", "moment of inertia of the ball", PRINTED_INERTIA, largest, "kg m^2", tolerance=1e-3,
        confirmed=same < 1e-8,
        impossible="three equal moments are 2/3 of the sum of m r^2, so at most 2/3 m R^2 for matter within the ball (beside "
        f"it; solid: {setup.inertia:g}). The triangle inequality would allow it, but the matter would lie {out:.2g} m from the "
        "centre (root of the mean square). Without effect: with it the largest force is the same. Nor is the ball solid PTFE: "
        f"its density is {density:.0f} kg/m^3, that of PTFE about 2200",
    )  # fmt: skip


# What it says about its figures ---------------------------------------------------------------------------------------


def _motion(found: BouncingBall) -> list[Check]:
    """Fig 5.2 and 5.3."""
    hits = [impact.first(found.at(e)) for e in RESTITUTIONS]
    when = list(found.moments.values())
    depths, durations = [1e6 * h.max_penetration for h in hits], [1e6 * h.duration for h in hits]
    lost, deepest = [h.dissipated for h in hits], [1e6 * m.deepest for m in when]
    ratios = [h.restitution for h in hits]
    mean = [h.approach_speed / m.deepest for h, m in zip(hits, when, strict=True)]
    most = [h.max_force / found.setup.mass - found.setup.gravity for h in hits]
    courses = [_course(found, e) for e in RESTITUTIONS]
    gain = max(course.gain for course in courses)
    return [
        _says(
            "5-2-depth", "the lower c_r, the smaller the largest deformation (1: yes)", 1, _yes(_growing(depths[::-1])), "1",
            remark=_listed(depths, "um"),
        ),
        _says(
            "5-2-duration", "the lower c_r, the longer the contact (1: yes)", 1, _yes(_growing(durations)), "1",
            remark=_listed(durations, "us"),
        ),
        _says(
            "5-2-loss", "the lower c_r, the more energy is lost (1: yes)", 1, _yes(_growing(lost)), "1",
            remark=_listed([round(value, 9) + 0.0 for value in lost], "J"),
        ),
        _says(
            "5-3-sign", "the velocity is positive until the deepest point and negative after it (1: yes)", 1,
            _yes(all(course.signs for course in courses)), "1",
        ),
        _says(
            "5-3-falls", "the velocity falls until the deepest point (1: yes)", 1,
            _yes(all(course.falls for course in courses)), "1",
            remark="but for the first microseconds, in which the contact carries less than the weight and it gains "
            f"{gain:.1e} m/s",
        ),
        _says(
            "5-3-before", "spread of the velocities at touchdown (text: the same for all c_r)", 0.0,
            float(np.ptp([h.approach_speed for h in hits])), "m/s", tolerance=1e-8,
        ),
        _says(
            "5-3-after", "the higher c_r, the closer the last speed is to the first (1: yes)", 1,
            _yes(_growing(ratios[::-1])), "1", remark=_listed(ratios, "of the first"),
        ),
        _says(
            "5-3-null", "the lower c_r, the sooner the velocity is null (1: yes)", 1, _yes(_growing(deepest[::-1])), "1",
            remark=_listed(deepest, "us", 4),
        ),
        _says(
            "5-3-deceleration", "the lower c_r, the greater the deceleration until then (1: yes)", 1, _yes(_growing(mean)), "1",
            remark=f"of the mean, {_listed(mean, 'm/s^2', 4)}; the greatest is {_listed(most, 'm/s^2')}",
        ),
        *(_rebound(found, e) for e in RESTITUTIONS),
    ]  # fmt: skip


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


def _rebound(found: BouncingBall, restitution: float) -> Check:
    hit = impact.first(found.at(restitution))
    closed, free = rebound(found.setup.law(restitution)), found.without_gravity[restitution].rebound
    heavy = found.setup.gravity * hit.duration / hit.approach_speed  # what gravity can change
    return _says(
        f"2.7-rebound-{restitution:g}", f"speed after over speed before, c_r = {restitution:g} (text: that is c_r)",
        restitution, hit.restitution, "1", tolerance=1e-6,
        confirmed=abs(closed - free) < 1e-6 and abs(hit.restitution - closed) < heavy,
        impossible=f"Eq 2.8 is an approximation: without gravity it rebounds with {closed:.5f}, whatever mass, stiffness and "
        f"speed (closed form; integrated {free:.5f}), and with gravity a little less",
    )  # fmt: skip


def _force(found: BouncingBall) -> list[Check]:
    """Fig 5.4."""
    peaks = [impact.first(found.at(e)).max_force for e in DAMPED]
    free = [found.without_gravity[e].largest_force for e in DAMPED]
    elastic = impact.first(found.at(ELASTIC)).max_force
    ends = [abs(float(through(found.at(e), "normal_force")[1][k])) / m.largest_force
            for e, m in found.moments.items() for k in (0, -1)]  # fmt: skip
    return [
        _says(
            "5-4-largest", "the lower c_r, the higher the largest force, but for c_r = 1 (1: yes)", 1, _yes(_growing(peaks)),
            "1", confirmed=_growing(free) == _growing(peaks),
            impossible=f"{peaks[0]:.1f} N at 0.8 is more than {peaks[1]:.1f} N at 0.6; without gravity, by another program, "
            f"{free[0]:.1f} and {free[1]:.1f} N. From 0.6 down it holds: {peaks[2]:.1f} N at 0.4, {peaks[3]:.1f} N at 0.2. "
            "The two differ by 0.4 %, which no figure shows",
        ),
        _says(
            "5-4-exception", "at c_r = 1 the force is higher than at some lower c_r (1: yes)", 1, _yes(elastic > min(peaks)),
            "1", remark=f"{elastic:.1f} N, more than all but that at c_r = 0.2",
        ),
        *(_coincidence(found, e) for e in RESTITUTIONS),
        _says(
            "2.6-null", "force at the first and the last instant of contact, over the largest (text of Eq 2.6: null)", 0.0,
            max(ends), "1", tolerance=1e-6, remark="of Flores's law, the largest of all c_r",
        ),
    ]  # fmt: skip


def _coincidence(found: BouncingBall, restitution: float) -> Check:
    """Largest force and deepest point at once? d/dt of Eq 2.7 at the deepest point is K d^n k d''/v0, which is negative."""
    run, when, setup = found.at(restitution), found.moments[restitution], found.setup
    hit = impact.first(run)
    factor = 8 * (1 - restitution) / (5 * restitution)
    elastic = setup.stiffness * hit.max_penetration**setup.exponent
    slope = elastic * factor * (setup.gravity - elastic / setup.mass) / hit.approach_speed
    times = hit.begin + when.deepest + np.array([-1e-7, 1e-7])
    force = run.catalogue[f"{CONTACT}.normal_force"].values(run.at(times))
    seen = float(force[1] - force[0]) / 2e-7
    return _says(
        f"5-4-moment-{restitution:g}", f"time from the largest force to the deepest point, c_r = {restitution:g} (text: none)",
        0.0, when.deepest - when.strongest, "s", tolerance=1e-7, confirmed=abs(seen / slope - 1) < 1e-3 if slope else True,
        impossible=f"{1e6 * when.strongest:.0f} and {1e6 * when.deepest:.0f} us after touchdown. Where d' = 0, Eq 2.7 falls "
        f"with K d^n k d''/v0 = {slope:.2e} N/s (seen in the run: {seen:.2e}), k = 8 (1 - c_r)/(5 c_r): the force is past its "
        f"largest, {when.force_when_deepest:.0f} of {when.largest_force:.0f} N",
    )  # fmt: skip


def _loops(found: BouncingBall) -> list[Check]:
    """Fig 5.5."""
    areas = [impact.loop_area(found.at(e), CONTACT) for e in RESTITUTIONS]
    lost = [impact.first(found.at(e)).dissipated for e in RESTITUTIONS]
    return [
        _says(
            "5-5-grows", "the lower c_r, the larger the hysteresis loop (1: yes)", 1, _yes(_growing(areas)), "1",
            remark=_listed([round(area, 4) + 0.0 for area in areas], "J"),
        ),
        _says(
            "5-5-energy", "area of the loop minus the energy lost, the largest of all c_r (text: associated)", 0.0,
            float(np.abs(np.subtract(areas, lost)).max()), "J", tolerance=1e-3, remark="by quadrature of the sampled loop",
        ),
        _says(
            "5-5-hertz", "area of the loop at c_r = 1 (text: Hertz's law, no loop)", 0.0, areas[0], "J", tolerance=1e-3,
        ),
        _says(
            "5-5-identical", "the curves are those of Flores et al. 2011 (1: yes)", 1, 1, "1",
            void="curves beside curves: neither work prints their numbers. Ours are those of REFERENCE C to five digits",
        ),
    ]  # fmt: skip


def _elsewhere(found: BouncingBall) -> list[Check]:
    """Section 5.2.1: the only numbers printed about a bounce, of an elastic cylinder."""
    run = found.at(ELASTIC)
    hit = impact.first(run)
    inside = float(np.mean((run.time > hit.begin) & (run.time <= hit.end)))
    missing = (
        "a cylinder of finite elements, whose size, mesh and duration are not printed; beside it our ball at c_r = 1"
    )
    return [
        _judge("5.2.1-steps", "share of the steps within the contact", 76.0, 100 * inside, "%", void=missing),
        _judge(
            "5.2.1-time", "share of the time within the contact", 0.12, 100 * hit.duration / float(run.time[-1]), "%",
            void=f"{missing}, in {run.time[-1]:g} s",
        ),
    ]  # fmt: skip
