"""Ground forces with a worn device: increased by the weight of the device and the inertial loads of its motion.

The ground must also balance the wrench of all cuffs on the person, F and M about the origin: -F and -M. Each standing foot
takes a share of the force in proportion to its given vertical force, at its given centre of pressure, and the same share
of the moment that is then left; so forces and moments of the whole person stay balanced exactly as well as before. While
no foot stands (in flight, or outside all plates), the ground forces stay unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gaitwright.gait.ground_reaction import GroundForces
from gaitwright.gait.plate_contacts import CONTACT_THRESHOLD_N
from gaitwright.gait.segment_loads import Wrench


def add_device_loads(forces: GroundForces, loads: Iterable[Wrench]) -> GroundForces:
    wrenches = list(loads)
    if not wrenches:
        return forces
    total_force = -sum((wrench.force for wrench in wrenches), np.zeros((len(forces.time), 3)))
    total_moment = -sum((wrench.moment for wrench in wrenches), np.zeros((len(forces.time), 3)))
    up = np.where(forces.known, np.nan_to_num(forces.force[..., 2]), 0.0)
    up = np.where(up > CONTACT_THRESHOLD_N, up, 0.0)
    total = up.sum(axis=1, keepdims=True)
    share = np.where(total > 0, up / np.where(total > 0, total, 1.0), 0.0)
    centre = np.nan_to_num(forces.centre(CONTACT_THRESHOLD_N))
    added = share[..., None] * total_force[:, None]
    remaining_moment = total_moment - np.cross(centre, added).sum(axis=1)
    moment = np.cross(centre, added) + share[..., None] * remaining_moment[:, None]
    return replace(forces, force=forces.force + added, moment=forces.moment + moment)
