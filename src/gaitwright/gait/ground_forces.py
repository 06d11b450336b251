"""Forces of the ground without plates, from the motion of the body and when its feet stand.

    vertical       of both feet together: sum m (a_z + g), the dynamics of the whole body (L. Ren, R. K. Jones, D. Howard,
                   J. Biomech. 41 (2008) 2750); while both stand, the foot behind has the share 1 - u^0.8 of it, u from 0 to 1
                   between strike and off, and shares are filtered like the motion
    centre         runs from heel to toes as the shank leans and the foot tilts: a roll-over shape (A. H. Hansen et al.,
                   Clin. Biomech. 19 (2004) 407)
    horizontal     of each foot towards a pivot above the hips (H.-M. Maus et al., Nat. Commun. 1 (2010) 70), which lies a
                   little behind them, so that the momentum of the body changes as it does
    free moment    a usual course

Accelerations of a body whose upper half has no markers say little about horizontal forces (5 % of the weight fore and aft); the
line from the centre of pressure to a pivot says more (2 %). Numbers of shares, shapes and the pivot were chosen on seven double
supports and six steps of two people: other people will be farther off.

What it is not: running (both feet in the air), stairs, a body that is held by a rail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.forces import FEET, GroundForces, at_points
from gaitwright.gait.marker_sets import FOREFOOT
from gaitwright.gait.moments import GRAVITY, moving
from gaitwright.gait.stances import Stance, stances

if TYPE_CHECKING:
    from gaitwright.gait.events import Event
    from gaitwright.gait.poses import Motion
    from gaitwright.gait.subject import Subject

Array = np.ndarray
HANDING_OVER = 0.8
"""Exponent: the foot that lands takes its load a little earlier than evenly."""
PIVOT, BEHIND, MOVED = 0.14, 0.015, 0.012
"""Of body height: how far the pivot is above and usually behind the hips, and by how much it may be moved from there."""
MIDDLE, SWING, LEANING, WIDTH, TOES, HEEL = 0.4946, 0.4318, 2.8602, 3.6459, -0.0041, -0.0237
"""Centre of pressure before the ankle, in distances from ankle to ball: MIDDLE + SWING tanh((lean - LEANING) / WIDTH), lean of
the shank in degrees, and TOES or HEEL per degree by which the foot points down or up."""
OUTWARDS = 0.15
"""At mid-stance, in the same unit."""
BACK, FRONT = 1.0, 1.25
"""Farthest centre, from the ankle: in distances to the heel, and to the ball."""
FLAT = 0.3
"""Of a stance: when a foot lies flat."""
FREE = 0.003
"""Of weight times height: largest free moment, at two thirds of a stance, turning the toes outwards at the ground."""


def predicted(
    motion: Motion, subject: Subject, events: Sequence[Event], *, ground: float = 0.0, gravity: float = GRAVITY
) -> GroundForces:
    """Forces on either foot at the instants of a motion. events: strikes and offs, from `find_events`. ground: its height, m.
    known is False near the ends of a trial, where stances had to be guessed or accelerations are those of half a filter."""
    times = motion.times
    steps = stances(events, float(times[0]), float(times[-1]))
    if {step.side for step in steps} != set(FEET):
        At("events").fail("are not of both feet", len(events), "strikes and offs of a walk, from gw.gait.find_events")
    total = np.sum([one.needed(gravity)[0] for one in moving(motion).values()], axis=0)
    share = shares(steps, times)
    if motion.cutoff:
        share = low_pass(share, motion.rate, motion.cutoff)
    share = np.clip(share, 0.0, None)
    vertical = np.maximum(0.0, share * total[:, 2:])
    belt = belt_speed(motion, steps)
    centre, free = np.zeros((len(times), len(FEET), 3)), np.zeros((len(times), len(FEET)))
    for k, side in enumerate(FEET):
        centre[:, k], part = centre_path(motion, [step for step in steps if step.side == side], belt, ground)
        turn = {"right": 1.0, "left": -1.0}[side] * FREE * subject.mass * gravity * subject.height
        free[:, k] = turn * 6.75 * part**2 * (1 - part)
    horizontal = _towards_pivot(motion, subject, vertical, centre, ground)
    force = np.concatenate([horizontal, vertical[..., None]], axis=-1)
    sure = _sure(steps, times, 0.5 / motion.cutoff if motion.cutoff else 0.0) & np.isfinite(force).all(axis=(1, 2))
    known = np.repeat(sure[:, None], len(FEET), axis=1)
    return at_points(times, np.nan_to_num(force), np.nan_to_num(centre), free, "predicted", known, _notes(steps, times))


def shares(steps: Sequence[Stance], times: Array) -> Array:
    """(time, side), of the whole force: 1 where a foot stands alone."""
    found = np.zeros((len(times), len(FEET)))
    for step in steps:
        found[(times >= step.start) & (times <= step.end), FEET.index(step.side)] = 1.0
    for behind in steps:
        for ahead in steps:
            if behind.side != ahead.side and behind.start < ahead.start < behind.end < ahead.end:
                both = (times >= ahead.start) & (times <= behind.end)
                late = (times[both] - ahead.start) / (behind.end - ahead.start)
                found[both, FEET.index(behind.side)] = 1 - late**HANDING_OVER
                found[both, FEET.index(ahead.side)] = late**HANDING_OVER
    return found


def _notes(steps: Sequence[Stance], times: Array) -> list[str]:
    flying = float(np.mean(shares(steps, times).sum(axis=1) == 0.0))
    notes = [f"both feet are in the air for {100 * flying:.0f} % of the time: no walk, or events are missing"]
    return notes if flying > 0.02 else []


def _sure(steps: Sequence[Stance], times: Array, edge: float) -> Array:
    """Where stances were seen, and accelerations have neighbours on either side: edge, s, of the filter."""
    sure = (times >= times[0] + edge) & (times <= times[-1] - edge)
    for step in steps:
        if not step.seen:
            sure &= (times < step.start) | (times > step.end)
    return sure


def heel_and_ball(motion: Motion, side: str) -> tuple[Array, Array]:
    """Where they are in the frame of the foot, m; of a foot without such markers by its length."""
    foot, marks = motion.skeleton.segments[f"{side}_foot"], motion.skeleton.landmarks
    places = {name: foot.markers.get(marks.get(f"{side}_{name}", "")) for name in ("heel", *FOREFOOT)}
    heel, ball = places["heel"], [place for name in FOREFOOT if (place := places[name]) is not None]
    return (
        np.array([-0.25 * foot.length, 0.0, 0.0]) if heel is None else heel,
        np.mean(ball, axis=0) if ball else np.array([0.5 * foot.length, 0.0, 0.0]),
    )


def centre_path(motion: Motion, steps: Sequence[Stance], belt: float, ground: float) -> tuple[Array, Array]:
    """Centre of pressure of one foot (time, 3), m, as if it carried always, and how much of its stance is over, 0 to 1."""
    side, times = steps[0].side, motion.times
    shank, foot = motion.turned(f"{side}_shank"), motion.turned(f"{side}_foot")
    lean = np.degrees(np.arctan2(shank[:, 0, 1], shank[:, 2, 1]))
    tilt = np.degrees(np.arctan2(foot[:, 2, 0], np.hypot(foot[:, 0, 0], foot[:, 1, 0])))
    heel, ball = heel_and_ball(motion, side)
    on_ball = motion.place(f"{side}_foot", ball)
    along = MIDDLE + SWING * np.tanh((lean - LEANING) / WIDTH) + np.where(tilt < 0, TOES, HEEL) * tilt
    along = np.clip(along * ball[0], BACK * heel[0], FRONT * ball[0])
    middles = np.array([0.5 * (step.start + step.end) for step in steps])
    mine = np.abs(times[:, None] - middles).argmin(axis=1)
    centre, part = np.zeros((len(times), 3)), np.zeros(len(times))
    outer = {"right": -1.0, "left": 1.0}[side]
    for k, step in enumerate(steps):
        here = mine == k
        part[here] = np.clip((times[here] - step.start) / (step.end - step.start), 0.0, 1.0)
        when = np.where(np.isfinite(tilt), np.abs(times - (step.start + FLAT * (step.end - step.start))), np.inf)
        flat = int(np.argmin(when))
        forward = foot[flat, :2, 0] / np.linalg.norm(foot[flat, :2, 0])
        left = np.array([-forward[1], forward[0]])
        # where the ankle is while the foot lies flat, from the ball, which also stays when the heel is up
        ankle = on_ball[flat, :2] - ball[0] * forward + ball[2] * left
        out = outer * OUTWARDS * ball[0] * np.sin(np.pi * part[here])
        centre[here, :2] = ankle + np.outer(along[here], forward) + np.outer(out, left)
        centre[here, 0] -= belt * (times[here] - times[flat])
    centre[:, 2] = ground
    return centre, part


def belt_speed(motion: Motion, steps: Sequence[Stance]) -> float:
    """m/s, with which flat feet go back: 0 over ground."""
    speeds = []
    for step in steps:
        ball = motion.place(f"{step.side}_foot", heel_and_ball(motion, step.side)[1])
        part = (motion.times - step.start) / (step.end - step.start)
        flat = (part > 0.3) & (part < 0.6)
        speeds += list(-derivative(ball[:, 0], motion.rate)[flat])
    belt = float(np.nanmedian(speeds)) if speeds else 0.0
    return belt if belt > 0.2 else 0.0


def _towards_pivot(motion: Motion, subject: Subject, vertical: Array, centre: Array, ground: float) -> Array:
    """(time, side, 2): horizontal forces, N."""
    pivot = motion.origin("pelvis") + np.array([-BEHIND, 0.0, PIVOT]) * subject.height
    slope = vertical / (pivot[:, None, 2] - ground)
    force = slope[..., None] * (pivot[:, None, :2] - centre[..., :2])
    # the pivot is moved until all forces change the momentum by what it does change; less than a stride tells little of that
    velocity = derivative(motion.centre_of_mass().to_numpy()[:, :2], motion.rate)
    good = np.flatnonzero(np.isfinite(velocity).all(axis=1) & np.isfinite(slope).all(axis=1))
    first, last = good[0], good[-1]
    gain = subject.mass * (velocity[last] - velocity[first])
    given, moved = (np.trapezoid(v[good], motion.times[good], axis=0) for v in (force.sum(axis=1), slope.sum(axis=1)))
    most = MOVED * subject.height
    return force + slope[..., None] * np.clip((gain - given) / moved, -most, most)
