"""Pressure under the sole of a foot that stands and rolls as the person's did, under the force that the ground had on it.

The pose of the foot comes from the skeleton, counted from where it lies flat (a quarter to nearly half of the stance); its
ankle goes where the force leaves it, so that a millimetre of a marker does not count. One foot serves both sides: the other
one steps in a mirror. What it is not: a measurement; it is as good as the foot (tissue, arch, toes) and the forces are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.gait.forces import FEET, GroundForces

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.rolling import Rolling
    from gaitwright.gait.events import Event
    from gaitwright.gait.motion import Motion

FRAMES = 60
LEAST = 0.05
"""Of the weight: below, a foot hardly touches."""
FLAT = (0.25, 0.45)
"""Parts of a stance between which a foot lies flat."""
ROLL = np.radians(12.0)
"""Most by which it is tilted sideways: beyond, the frames of a swinging foot are meant."""


def whole_stance(events: Sequence[Event], forces: GroundForces, side: str, weight: float) -> tuple[float, float] | None:
    """The first one, from strike to off, s, all through which the force is known and which carries the person."""
    k = FEET.index(side)
    own = [event for event in events if event.side == side]
    for one, other in pairwise(own):
        on = (forces.time >= one.time) & (forces.time <= other.time)
        carries = on.sum() > 20 and forces.known[on, k].all() and forces.force[on, k, 2].max() > 0.6 * weight
        if (one.kind, other.kind) == ("strike", "off") and carries:
            return one.time, other.time
    return None


def step_of(
    foot: Foot, motion: Motion, forces: GroundForces, side: str, stance: tuple[float, float], weight: float,
    speed: str = "foundation",
) -> Rolling:  # fmt: skip
    """One stance, as the foot takes it; maps are of the foot as it is, also where the other side steps. speed: of its tissue,
    as in `Foot.roll`."""
    from gaitwright.foot.motion import Motion as AnkleMotion

    k = FEET.index(side)
    on = (forces.time >= stance[0]) & (forces.time <= stance[1]) & (forces.force[:, k, 2] > LEAST * weight)
    turned = motion.turned(f"{side}_foot")[on]
    axes = np.stack([turned[:, :, 0], -turned[:, :, 2], turned[:, :, 1]], axis=2)  # forward, left, up
    yaw = np.unwrap(np.arctan2(axes[:, 1, 0], axes[:, 0, 0]))
    pitch, roll = np.arcsin(np.clip(axes[:, 2, 0], -1, 1)), np.arctan2(axes[:, 2, 1], axes[:, 2, 2])
    first, last = (int(part * len(yaw)) for part in FLAT)
    ahead, level, even = (float(values[first:last].mean()) for values in (yaw, pitch, roll))
    c, s = np.cos(ahead), np.sin(ahead)
    load = forces.force[on, k] @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    time = forces.time[on] - forces.time[on][0]
    step = AnkleMotion(time, pitch - level, roll=np.clip(roll - even, -ROLL, ROLL), yaw=yaw - ahead)
    if side != foot.shape.side:
        step, load = step.mirrored(), load * [1.0, -1.0, 1.0]
    return foot.roll(step, FRAMES, load=load, speed=speed)
