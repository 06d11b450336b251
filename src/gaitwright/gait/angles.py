"""Joint angles after the ISB: Grood and Suntay's joint coordinate systems as Cardan angles, signed alike on both sides.

The rotation of a segment in the frame of the one above is R = R_z(a) R_x(b) R_y(c): a about the sideways axis of the upper, b
about a floating one, c about the long axis of the lower segment (E. S. Grood, W. J. Suntay, J. Biomech. Eng. 105 (1983) 136;
G. Wu et al., J. Biomech. 35 (2002) 543). The pelvis turns against the direction of walking in the order y, x, z: rotation,
obliquity, tilt (R. Baker, Hum. Mov. Sci. 20 (2001) 787). x forward, y up, z to the right on both sides; so b and c of a left
joint have the opposite sign of the mirrored right one, and are turned round here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.motion import Motion
from gaitwright.gait.segment_frames import SIDES, UPRIGHT
from gaitwright.geometry.rotation import angles_of

Array = np.ndarray


class Turn(NamedTuple):
    """One angle of a joint. name: what follows that of the joint. plus: which way is positive. sign: of the Cardan angle of a
    right joint. mirrored: that a left joint has the opposite sign."""

    name: str
    plus: str
    sign: float
    mirrored: bool


JOINTS = {
    "hip": (
        Turn("flexion", "knee forward", 1.0, False),
        Turn("adduction", "knee inwards", 1.0, True),
        Turn("rotation", "thigh turned inwards", 1.0, True),
    ),
    "knee": (
        Turn("flexion", "bent", -1.0, False),
        Turn("adduction", "shank inwards (varus)", 1.0, True),
        Turn("rotation", "shank turned inwards", 1.0, True),
    ),
    "ankle": (
        Turn("dorsiflexion", "toes up", 1.0, False),
        Turn("inversion", "sole inwards", 1.0, True),
        Turn("rotation", "toes inwards", 1.0, True),
    ),
}
PELVIS = (
    Turn("rotation", "right side forward", 1.0, False),
    Turn("obliquity", "right side up", -1.0, False),
    Turn("tilt", "front down (anterior)", -1.0, False),
)
TRUNK = (
    Turn("flexion", "forward on the pelvis", -1.0, False),
    Turn("bending", "to the right on the pelvis", 1.0, False),
    Turn("rotation", "to the left on the pelvis", 1.0, False),
)


def joint_angles(motion: Motion) -> xr.Dataset:
    """rad, over time, by name: right_knee_flexion, left_ankle_dorsiflexion, pelvis_tilt, right_foot_progression and so on; each
    has the attributes `plus` (which way is positive) and `joint`. Without jumps; NaN where a pose is not known."""
    found: dict[str, Array] = {}
    told: dict[str, dict[str, str]] = {}

    def add(name: str, values: Array, plus: str, joint: str) -> None:
        found[name], told[name] = values, {"units": "rad", "plus": plus, "joint": joint}

    for turn, values in zip(PELVIS, cardan(UPRIGHT.T @ motion.turned("pelvis"), "yxz"), strict=True):
        add(f"pelvis_{turn.name}", turn.sign * values, turn.plus, "pelvis")
    for joint in motion.skeleton.joints.values():
        if joint.name == "lumbar" and motion.skeleton.carried:
            continue  # a trunk that nobody saw has no angles
        relative = np.swapaxes(motion.turned(joint.parent), 1, 2) @ motion.turned(joint.child)
        side, _, kind = joint.name.partition("_")
        for turn, values in zip(JOINTS.get(kind, TRUNK), cardan(relative, "zxy"), strict=True):
            sign = turn.sign * (SIDES[side] if turn.mirrored else 1.0)
            name = f"trunk_{turn.name}" if joint.name == "lumbar" else f"{joint.name}_{turn.name}"
            add(name, sign * values, turn.plus, joint.name)
    for side, sign in SIDES.items():
        ahead = motion.turned(f"{side}_foot")[:, :, 0]
        add(
            f"{side}_foot_progression",
            unwrapped(sign * np.arctan2(ahead[:, 1], ahead[:, 0])),
            "toes inwards",
            f"{side}_foot",
        )
    return xr.Dataset(
        {name: ("time", values, told[name]) for name, values in found.items()}, {"time": motion.times},
        {"convention": "ISB / Grood-Suntay", "method": motion.method},
    )  # fmt: skip


def cardan(rotation: Array, sequence: str) -> tuple[Array, Array, Array]:
    """The three angles over time, without jumps, also over gaps."""
    good = np.isfinite(rotation).all(axis=(1, 2))
    angles = np.full((len(rotation), 3), np.nan)
    if good.any():
        angles[good] = angles_of(rotation[good], sequence)
    return angles[:, 0], angles[:, 1], angles[:, 2]


def unwrapped(values: Array) -> Array:
    found = np.array(values)
    good = np.isfinite(found)
    found[good] = np.unwrap(found[good])
    return found
