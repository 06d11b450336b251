"""Prediction of ground forces without plates, from the motion of the body and the stances of the feet.

    vertical       of both feet together: sum m (a_z + g), the dynamics of the whole body (L. Ren, R. K. Jones, D. Howard,
                   J. Biomech. 41 (2008) 2750); in double support, the rear foot has the share 1 - u^0.8 of it, u from 0
                   to 1 between strike and off, and shares are filtered like the motion
    centre         moves from heel to toes as the shank leans and the foot tilts: a roll-over shape (A. H. Hansen et al.,
                   Clin. Biomech. 19 (2004) 407)
    horizontal     of each foot towards a pivot above the hips (H.-M. Maus et al., Nat. Commun. 1 (2010) 70), slightly
                   behind them, such that the change of momentum of the body is matched
    free moment    a usual curve

Accelerations of a body without upper-body markers give poor horizontal forces (error 5 % of the weight fore and aft); the
line from the centre of pressure to a pivot is better (2 %). Parameters of shares, shapes and pivot were fitted to seven
double supports and six steps of two people: errors for other people are larger.

Not covered: running (both feet in the air), stairs, a body supported by a rail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces, ground_forces_at_points
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2, segment_motions
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS
from gaitwright.gait.stances import FootStance, find_stances

if TYPE_CHECKING:
    from gaitwright.gait.events import GaitEvent
    from gaitwright.gait.inverse_kinematics import SkeletonMotion
    from gaitwright.gait.subject import Subject

Array = np.ndarray
LOAD_TRANSFER_EXPONENT = 0.8
"""Exponent of the load transfer: the leading foot takes its load slightly earlier than linearly."""
PIVOT_ABOVE_HIPS_PER_BODY_HEIGHT, PIVOT_BEHIND_HIPS_PER_BODY_HEIGHT, MAX_PIVOT_SHIFT_PER_BODY_HEIGHT = (
    0.14,
    0.015,
    0.012,
)
"""In body heights: height of the pivot above the hips, its usual distance behind them, and its largest shift from there."""
(
    ROLLOVER_MIDDLE,
    ROLLOVER_AMPLITUDE,
    ROLLOVER_LEAN_DEG,
    ROLLOVER_WIDTH_DEG,
    ROLLOVER_TOES_DOWN_PER_DEG,
    ROLLOVER_TOES_UP_PER_DEG,
) = 0.4946, 0.4318, 2.8602, 3.6459, -0.0041, -0.0237
"""Centre of pressure ahead of the ankle, in distances from ankle to ball:
ROLLOVER_MIDDLE + ROLLOVER_AMPLITUDE tanh((lean - ROLLOVER_LEAN_DEG) / ROLLOVER_WIDTH_DEG), with the lean of the shank in
degrees, plus ROLLOVER_TOES_DOWN_PER_DEG or ROLLOVER_TOES_UP_PER_DEG per degree of foot tilt."""
CENTRE_OUTWARD_SHIFT_RATIO = 0.15
"""Outward shift at mid-stance, in the same unit."""
MAX_CENTRE_TO_HEEL_RATIO, MAX_CENTRE_TO_BALL_RATIO = 1.0, 1.25
"""Limits of the centre from the ankle: in distances to the heel, and to the ball."""
FLAT_FOOT_STANCE_FRACTION = 0.3
"""Fraction of the stance at which the foot is flat."""
FREE_MOMENT_PER_WEIGHT_AND_HEIGHT = 0.003
"""Largest free moment over weight times height, at two thirds of a stance; it turns the toes outwards at the ground."""


def predict_ground_forces(
    motion: SkeletonMotion,
    subject: Subject,
    events: Sequence[GaitEvent],
    *,
    ground: float = 0.0,
    gravity: float = GRAVITY_M_PER_S2,
) -> GroundForces:
    """Predict the forces on each foot at the instants of a motion. events: strikes and offs, from `find_events`. ground:
    its height, m. gravity: m/s^2. `known` is False near the ends of a trial, where stances are guessed or the filter lacks
    samples. Raises ModelError unless there are events of both feet."""
    times = motion.times
    steps = find_stances(events, float(times[0]), float(times[-1]))
    if {step.side for step in steps} != set(FOOT_SIDES):
        ErrorContext("events").fail(
            "are not of both feet", len(events), "strikes and offs of a walk, from gw.gait.find_events"
        )
    total = np.sum([one.needed(gravity)[0] for one in segment_motions(motion).values()], axis=0)
    if not np.isfinite(total).all(axis=1).any():
        unknown = [name for name in motion.segments if not np.isfinite(motion.origin(name)).any()]
        ErrorContext("motion").fail(
            "has no instant at which all segments are known",
            ", ".join(unknown) or None,
            "markers of both legs: the acceleration of the whole body gives the force",
        )
    share = foot_load_shares(steps, times)
    if motion.cutoff:
        share = low_pass(share, motion.rate, motion.cutoff)
    share = np.clip(share, 0.0, None)
    vertical = np.maximum(0.0, share * total[:, 2:])
    belt = estimate_belt_speed(motion, steps)
    centre, free = np.zeros((len(times), len(FOOT_SIDES), 3)), np.zeros((len(times), len(FOOT_SIDES)))
    for k, side in enumerate(FOOT_SIDES):
        centre[:, k], part = centre_of_pressure_path(
            motion, [step for step in steps if step.side == side], belt, ground
        )
        turn = (
            {"right": 1.0, "left": -1.0}[side]
            * FREE_MOMENT_PER_WEIGHT_AND_HEIGHT
            * subject.mass
            * gravity
            * subject.height
        )
        free[:, k] = turn * 6.75 * part**2 * (1 - part)
    horizontal = _pivot_forces(motion, subject, vertical, centre, ground)
    force = np.concatenate([horizontal, vertical[..., None]], axis=-1)
    sure = _reliable_frame_mask(steps, times, 0.5 / motion.cutoff if motion.cutoff else 0.0) & np.isfinite(force).all(
        axis=(1, 2)
    )
    known = np.repeat(sure[:, None], len(FOOT_SIDES), axis=1)
    return ground_forces_at_points(
        times, np.nan_to_num(force), np.nan_to_num(centre), free, "predicted", known, _flight_notes(steps, times)
    )


def foot_load_shares(steps: Sequence[FootStance], times: Array) -> Array:
    """Share of each foot in the total force (time, side): 1 in single support."""
    shares = np.zeros((len(times), len(FOOT_SIDES)))
    for step in steps:
        shares[(times >= step.start) & (times <= step.end), FOOT_SIDES.index(step.side)] = 1.0
    for behind in steps:
        for ahead in steps:
            if behind.side != ahead.side and behind.start < ahead.start < behind.end < ahead.end:
                both = (times >= ahead.start) & (times <= behind.end)
                late = (times[both] - ahead.start) / (behind.end - ahead.start)
                shares[both, FOOT_SIDES.index(behind.side)] = 1 - late**LOAD_TRANSFER_EXPONENT
                shares[both, FOOT_SIDES.index(ahead.side)] = late**LOAD_TRANSFER_EXPONENT
    return shares


def _flight_notes(steps: Sequence[FootStance], times: Array) -> list[str]:
    flying = float(np.mean(foot_load_shares(steps, times).sum(axis=1) == 0.0))
    notes = [f"both feet are in the air for {100 * flying:.0f} % of the time: no walk, or events are missing"]
    return notes if flying > 0.02 else []


def _reliable_frame_mask(steps: Sequence[FootStance], times: Array, edge: float) -> Array:
    """Mask of frames with detected stances, and at least `edge`, s, from the ends of the trial (half the filter length)."""
    sure = (times >= times[0] + edge) & (times <= times[-1] - edge)
    for step in steps:
        if not step.seen:
            sure &= (times < step.start) | (times > step.end)
    return sure


def heel_and_ball_positions(motion: SkeletonMotion, side: str) -> tuple[Array, Array]:
    """Positions of heel and ball in the frame of the foot, m; estimated from the foot length without such markers."""
    foot, marks = motion.skeleton.segments[f"{side}_foot"], motion.skeleton.landmarks
    places = {name: foot.markers.get(marks.get(f"{side}_{name}", "")) for name in ("heel", *FOREFOOT_LANDMARKS)}
    heel, ball = places["heel"], [place for name in FOREFOOT_LANDMARKS if (place := places[name]) is not None]
    return (
        np.array([-0.25 * foot.length, 0.0, 0.0]) if heel is None else heel,
        np.mean(ball, axis=0) if ball else np.array([0.5 * foot.length, 0.0, 0.0]),
    )


def centre_of_pressure_path(
    motion: SkeletonMotion, steps: Sequence[FootStance], belt: float, ground: float
) -> tuple[Array, Array]:
    """Centre of pressure of one foot (time, 3), m, also while it is unloaded, and the elapsed fraction of its stance, 0 to
    1."""
    side, times = steps[0].side, motion.times
    shank, foot = motion.turned(f"{side}_shank"), motion.turned(f"{side}_foot")
    lean = np.degrees(np.arctan2(shank[:, 0, 1], shank[:, 2, 1]))
    tilt = np.degrees(np.arctan2(foot[:, 2, 0], np.hypot(foot[:, 0, 0], foot[:, 1, 0])))
    heel, ball = heel_and_ball_positions(motion, side)
    on_ball = motion.place(f"{side}_foot", ball)
    along = (
        ROLLOVER_MIDDLE
        + ROLLOVER_AMPLITUDE * np.tanh((lean - ROLLOVER_LEAN_DEG) / ROLLOVER_WIDTH_DEG)
        + np.where(tilt < 0, ROLLOVER_TOES_DOWN_PER_DEG, ROLLOVER_TOES_UP_PER_DEG) * tilt
    )
    along = np.clip(along * ball[0], MAX_CENTRE_TO_HEEL_RATIO * heel[0], MAX_CENTRE_TO_BALL_RATIO * ball[0])
    middles = np.array([0.5 * (step.start + step.end) for step in steps])
    mine = np.abs(times[:, None] - middles).argmin(axis=1)
    centre, part = np.zeros((len(times), 3)), np.zeros(len(times))
    outer = {"right": -1.0, "left": 1.0}[side]
    for k, step in enumerate(steps):
        here = mine == k
        part[here] = np.clip((times[here] - step.start) / (step.end - step.start), 0.0, 1.0)
        when = np.where(
            np.isfinite(tilt),
            np.abs(times - (step.start + FLAT_FOOT_STANCE_FRACTION * (step.end - step.start))),
            np.inf,
        )
        flat = int(np.argmin(when))
        forward = foot[flat, :2, 0] / np.linalg.norm(foot[flat, :2, 0])
        left = np.array([-forward[1], forward[0]])
        # position of the ankle with a flat foot, from the ball, which stays in place when the heel rises
        ankle = on_ball[flat, :2] - ball[0] * forward + ball[2] * left
        out = outer * CENTRE_OUTWARD_SHIFT_RATIO * ball[0] * np.sin(np.pi * part[here])
        centre[here, :2] = ankle + np.outer(along[here], forward) + np.outer(out, left)
        centre[here, 0] -= belt * (times[here] - times[flat])
    centre[:, 2] = ground
    return centre, part


def estimate_belt_speed(motion: SkeletonMotion, steps: Sequence[FootStance]) -> float:
    """Backward speed of flat feet, m/s: 0 over ground."""
    speeds = []
    for step in steps:
        ball = motion.place(f"{step.side}_foot", heel_and_ball_positions(motion, step.side)[1])
        part = (motion.times - step.start) / (step.end - step.start)
        flat = (part > 0.3) & (part < 0.6)
        speeds += list(-derivative(ball[:, 0], motion.rate)[flat])
    belt = float(np.nanmedian(speeds)) if speeds else 0.0
    return belt if belt > 0.2 else 0.0


def _pivot_forces(motion: SkeletonMotion, subject: Subject, vertical: Array, centre: Array, ground: float) -> Array:
    """Horizontal forces (time, side, 2), N."""
    pivot = (
        motion.origin("pelvis")
        + np.array([-PIVOT_BEHIND_HIPS_PER_BODY_HEIGHT, 0.0, PIVOT_ABOVE_HIPS_PER_BODY_HEIGHT]) * subject.height
    )
    slope = vertical / (pivot[:, None, 2] - ground)
    force = slope[..., None] * (pivot[:, None, :2] - centre[..., :2])
    # shift the pivot so that the forces match the change of momentum, within a limit, because less than a stride constrains it
    # poorly
    velocity = derivative(motion.centre_of_mass().to_numpy()[:, :2], motion.rate)
    good = np.flatnonzero(np.isfinite(velocity).all(axis=1) & np.isfinite(slope).all(axis=1))
    if not len(good):
        ErrorContext("motion").fail(
            "has no instant with known stances and velocities", expected="markers without long gaps"
        )
    first, last = good[0], good[-1]
    gain = subject.mass * (velocity[last] - velocity[first])
    given, moved = (np.trapezoid(v[good], motion.times[good], axis=0) for v in (force.sum(axis=1), slope.sum(axis=1)))
    most = MAX_PIVOT_SHIFT_PER_BODY_HEIGHT * subject.height
    return force + slope[..., None] * np.clip((gain - given) / moved, -most, most)
