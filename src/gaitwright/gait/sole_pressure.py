"""Pressure below the sole of a foot that follows the person's motion under the measured or predicted ground force.

The pose of the foot comes from the skeleton, relative to its pose when flat (a quarter to nearly half of the stance); the
height of its ankle follows from the force, so that a marker error of a millimetre has no effect. One foot model serves
both sides: the other side is mirrored. The result is no measurement; it is as accurate as the foot model (tissue, arch,
toes) and the forces.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.rolling import RollingResult
    from gaitwright.gait.events import GaitEvent
    from gaitwright.gait.motion import SkeletonMotion

STEP_FRAME_COUNT = 60
MIN_LOAD_PER_WEIGHT = 0.05
"""Load over the weight below which a foot hardly touches."""
FLAT_FOOT_STANCE_RANGE = (0.25, 0.45)
"""Fractions of a stance between which a foot is flat."""
MAX_FOOT_ROLL_RAD = np.radians(12.0)
"""Upper bound of the sideways tilt; larger angles belong to frames of a swinging foot."""


def find_whole_stance(
    events: Sequence[GaitEvent], forces: GroundForces, side: str, weight: float
) -> tuple[float, float] | None:
    """First stance, from strike to off, s, with a known force throughout and a load that carries the person; None without
    one."""
    k = FOOT_SIDES.index(side)
    own = [event for event in events if event.side == side]
    for one, other in pairwise(own):
        on = (forces.time >= one.time) & (forces.time <= other.time)
        carries = on.sum() > 20 and forces.known[on, k].all() and forces.force[on, k, 2].max() > 0.6 * weight
        if (one.kind, other.kind) == ("strike", "off") and carries:
            return one.time, other.time
    return None


def simulate_step(
    foot: Foot, motion: SkeletonMotion, forces: GroundForces, side: str, stance: tuple[float, float], weight: float,
    speed: str = "foundation",
) -> RollingResult:  # fmt: skip
    """Simulate one stance of the foot; pressure maps are of the foot model itself, also for the other, mirrored side.
    stance: start and end, s. weight: N. speed: tissue method, as in `Foot.roll`."""
    from gaitwright.foot.ankle_motion import AnkleMotion

    k = FOOT_SIDES.index(side)
    on = (
        (forces.time >= stance[0]) & (forces.time <= stance[1]) & (forces.force[:, k, 2] > MIN_LOAD_PER_WEIGHT * weight)
    )
    turned = motion.turned(f"{side}_foot")[on]
    axes = np.stack([turned[:, :, 0], -turned[:, :, 2], turned[:, :, 1]], axis=2)  # forward, left, up
    yaw = np.unwrap(np.arctan2(axes[:, 1, 0], axes[:, 0, 0]))
    pitch, roll = np.arcsin(np.clip(axes[:, 2, 0], -1, 1)), np.arctan2(axes[:, 2, 1], axes[:, 2, 2])
    first, last = (int(part * len(yaw)) for part in FLAT_FOOT_STANCE_RANGE)
    ahead, level, even = (float(values[first:last].mean()) for values in (yaw, pitch, roll))
    c, s = np.cos(ahead), np.sin(ahead)
    load = forces.force[on, k] @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    time = forces.time[on] - forces.time[on][0]
    step = AnkleMotion(
        time, pitch - level, roll=np.clip(roll - even, -MAX_FOOT_ROLL_RAD, MAX_FOOT_ROLL_RAD), yaw=yaw - ahead
    )
    if side != foot.shape.side:
        step, load = step.mirrored(), load * [1.0, -1.0, 1.0]
    return foot.roll(step, STEP_FRAME_COUNT, load=load, speed=speed)
