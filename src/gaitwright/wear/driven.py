"""Segments of a person as bodies that are driven along a motion, from standing on: what a device is put on.

The motion is preceded by LEAD seconds in which the person goes from standing upright, the pose in which the device is drawn and
nothing pulls, to the first frame, so that device and person begin together and at rest, and what swings has died away when the
motion begins. On the way there joints turn, and stay together: relative quaternions and places of the joints follow
polynomials of degree 5 that reach the first frame with its velocity and acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.filters import derivative, stretches
from gaitwright.gait.motion import Motion, matrices, quaternions
from gaitwright.gait.skeleton import Poses

Array = np.ndarray
LEAD = 0.8
"""s. OUR choice: half of it made cuffs of 2 kN/m ring into the first tenth of the motion."""
SWING = 0.3
"""s, of it, in which joints get up their speed. In all of it a foot that comes down at 3 rad/s had to go back by 26 degrees,
where no ankle goes, and a stiff spring came out of its place there. OUR choice: cuffs stay quiet."""
FEWEST = 8
"""Frames of a motion."""


@dataclass(frozen=True)
class Driven:
    """times: (n,), s, from 0, the lead included. first: number of the first frame of the motion in it. frames: which frames of
    the motion it follows. away: (3,), m, by which it is nearer to the origin than the motion is, on the level: standing upright
    above the origin is then where such a motion would come from. poses: origin (n, 3) and rotation (n, 3, 3) by segment."""

    times: Array
    first: int
    frames: slice
    away: Array
    poses: dict[str, tuple[Array, Array]]

    @property
    def lead(self) -> float:
        return float(self.times[self.first])


def driven(motion: Motion, standing: Poses, needed: list[str]) -> Driven:
    """The longest stretch of the motion in which the needed segments are known."""
    at = [motion.segments.index(name) for name in needed]
    known = np.isfinite(motion.position.to_numpy()[:, at]).all(axis=(1, 2))
    known = np.asarray(known & np.isfinite(motion.rotation.to_numpy()[:, at]).all(axis=(1, 2, 3)))
    whole = max(stretches(known), key=lambda one: one.stop - one.start, default=slice(0, 0))
    if whole.stop - whole.start < FEWEST:
        At("motion").fail(
            f"has no {FEWEST} frames after each other in which {', '.join(needed)} are known",
            expected="a longer motion",
        )
    chain = {joint.child: joint for joint in motion.skeleton.joints.values()}
    count, rate = max(FEWEST, round(LEAD * motion.rate)), motion.rate
    poses: dict[str, tuple[Array, Array]] = {}
    root = next(name for name in ("pelvis", *needed) if known_in(motion, name, whole))
    path = motion.origin(root)[whole]
    away = path[0] - standing[root][0] - derivative(path, rate)[0] * 0.5 * count / rate
    away[2] = 0.0

    def add(name: str) -> None:
        if name in poses:
            return
        origin, rotation = motion.origin(name)[whole] - away, motion.turned(name)[whole]
        start, upright = standing[name]
        above = chain[name].parent if name in chain else None
        if above is None or not known_in(motion, above, whole):
            place = np.concatenate([_approach(start, origin, count, rate), origin])
            turned = _turning(upright, rotation, count, rate)
        else:
            add(above)
            there, frame = poses[above]
            seen = np.swapaxes(motion.turned(above)[whole], 1, 2)
            relative, offset = (
                seen @ rotation,
                np.einsum("tij,tj->ti", seen, origin - (motion.origin(above)[whole] - away)),
            )
            begin, stood = standing[above]
            offsets = np.concatenate([_approach(stood.T @ (start - begin), offset, count, rate), offset])
            place = there + np.einsum("tij,tj->ti", frame, offsets)
            turned = frame @ _turning(stood.T @ upright, relative, count, rate)
            # what was measured is not computed again
            place[count:], turned[count:] = origin, rotation
        poses[name] = place, turned

    for name in needed:
        add(name)
    length = count + whole.stop - whole.start
    return Driven(np.arange(length) / rate, count, whole, away, {name: poses[name] for name in needed})


def known_in(motion: Motion, segment: str, frames: slice) -> bool:
    return bool(np.isfinite(motion.origin(segment)[frames]).all() and np.isfinite(motion.turned(segment)[frames]).all())


def _turning(begin: Array, rotation: Array, count: int, rate: float) -> Array:
    """Rotations from one at rest to those of a motion."""
    all_of = quaternions(np.concatenate([begin[None], rotation]))
    return matrices(np.concatenate([_approach(all_of[0], all_of[1:], count, rate, SWING), all_of[1:]]))


def _approach(begin: Array, values: Array, count: int, rate: float, swing: float = LEAD) -> Array:
    """(count, k): from rest at `begin` to the first of `values` (n, k) with its velocity and acceleration, evenly spaced.

    swing: s before the end, in which these two come about; to get up a speed v in it, it goes back by up to 0.19 v swing."""
    end, part = values[0], min(count, round(swing * rate))
    speed, gain = derivative(values, rate)[0] * part / rate, derivative(values, rate, 2)[0] * (part / rate) ** 2
    s, last = ((np.clip(np.arange(count) - count + n, 0, n) / n)[:, None] for n in (count, part))
    found = begin + (end - begin) * s**3 * (10 - 15 * s + 6 * s**2)
    return found + speed * last**3 * (-4 + 7 * last - 3 * last**2) + gain * 0.5 * last**3 * (1 - 2 * last + last**2)
