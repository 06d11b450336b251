"""What the ground carries when a device is worn: more by what the device weighs and its motion needs.

The wrench of all cuffs on the person, F and M about the origin, must be held by the ground besides: -F and -M. Each standing
foot takes its share of the force, as of the given vertical ones, where it stands already, and the same share of the moment that
is then left; so forces and moments of the whole person are balanced exactly as well as before. Where no foot stands, in a
flight or outside all plates, the ground is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gaitwright.gait.forces import GroundForces
from gaitwright.gait.loads import Wrench
from gaitwright.gait.steps import THRESHOLD


def with_device(forces: GroundForces, loads: Iterable[Wrench]) -> GroundForces:
    wrenches = list(loads)
    if not wrenches:
        return forces
    more = -sum((one.force for one in wrenches), np.zeros((len(forces.time), 3)))
    turning = -sum((one.moment for one in wrenches), np.zeros((len(forces.time), 3)))
    up = np.where(forces.known, np.nan_to_num(forces.force[..., 2]), 0.0)
    up = np.where(up > THRESHOLD, up, 0.0)
    total = up.sum(axis=1, keepdims=True)
    share = np.where(total > 0, up / np.where(total > 0, total, 1.0), 0.0)
    centre = np.nan_to_num(forces.centre(THRESHOLD))
    added = share[..., None] * more[:, None]
    left = turning - np.cross(centre, added).sum(axis=1)
    moment = np.cross(centre, added) + share[..., None] * left[:, None]
    return replace(forces, force=forces.force + added, moment=forces.moment + moment)
