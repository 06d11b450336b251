"""Joint angles after the ISB: Grood and Suntay's joint coordinate systems as Cardan angles, signed alike on both sides.

The rotation of a segment in the frame of the one above is R = R_z(a) R_x(b) R_y(c): a about the sideways axis of the upper
segment, b about the floating axis, c about the long axis of the lower segment (E. S. Grood, W. J. Suntay, J. Biomech. Eng.
105 (1983) 136; G. Wu et al., J. Biomech. 35 (2002) 543). The pelvis angles relative to the direction of walking have the
order y, x, z: rotation, obliquity, tilt (R. Baker, Hum. Mov. Sci. 20 (2001) 787). Segment axes are x forward, y up, z to
the right on both sides; so b and c of a left joint have the opposite sign of the mirrored right one, and are negated here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.segment_frames import SIDE_SIGNS, UPRIGHT_AXES
from gaitwright.geometry.rotation import angles_of

Array = np.ndarray


class CardanAngle(NamedTuple):
    """One angle of a joint. name: suffix after the name of the joint. plus: meaning of the positive direction. sign:
    relative to the Cardan angle of a right joint. mirrored: True if a left joint has the opposite sign."""

    name: str
    plus: str
    sign: float
    mirrored: bool


JOINT_CARDAN_ANGLES = {
    "hip": (
        CardanAngle("flexion", "knee forward", 1.0, False),
        CardanAngle("adduction", "knee inwards", 1.0, True),
        CardanAngle("rotation", "thigh turned inwards", 1.0, True),
    ),
    "knee": (
        CardanAngle("flexion", "bent", -1.0, False),
        CardanAngle("adduction", "shank inwards (varus)", 1.0, True),
        CardanAngle("rotation", "shank turned inwards", 1.0, True),
    ),
    "ankle": (
        CardanAngle("dorsiflexion", "toes up", 1.0, False),
        CardanAngle("inversion", "sole inwards", 1.0, True),
        CardanAngle("rotation", "toes inwards", 1.0, True),
    ),
}
PELVIS_CARDAN_ANGLES = (
    CardanAngle("rotation", "right side forward", 1.0, False),
    CardanAngle("obliquity", "right side up", -1.0, False),
    CardanAngle("tilt", "front down (anterior)", -1.0, False),
)
TRUNK_CARDAN_ANGLES = (
    CardanAngle("flexion", "forward on the pelvis", -1.0, False),
    CardanAngle("bending", "to the right on the pelvis", 1.0, False),
    CardanAngle("rotation", "to the left on the pelvis", 1.0, False),
)


def joint_angles(motion: SkeletonMotion) -> xr.Dataset:
    """Angles over time by name, rad: right_knee_flexion, left_ankle_dorsiflexion, pelvis_tilt, right_foot_progression and
    so on; the attributes of each are `plus` (positive direction) and `joint`. Unwrapped; NaN for unknown poses."""
    series: dict[str, Array] = {}
    attributes: dict[str, dict[str, str]] = {}

    def add(name: str, values: Array, plus: str, joint: str) -> None:
        series[name], attributes[name] = values, {"units": "rad", "plus": plus, "joint": joint}

    for turn, values in zip(
        PELVIS_CARDAN_ANGLES, cardan_angles(UPRIGHT_AXES.T @ motion.turned("pelvis"), "yxz"), strict=True
    ):
        add(f"pelvis_{turn.name}", turn.sign * values, turn.plus, "pelvis")
    for joint in motion.skeleton.joints.values():
        if joint.name == "lumbar" and motion.skeleton.carried:
            continue  # without trunk markers the angles are unknown
        relative = np.swapaxes(motion.turned(joint.parent), 1, 2) @ motion.turned(joint.child)
        side, _, kind = joint.name.partition("_")
        for turn, values in zip(
            JOINT_CARDAN_ANGLES.get(kind, TRUNK_CARDAN_ANGLES), cardan_angles(relative, "zxy"), strict=True
        ):
            sign = turn.sign * (SIDE_SIGNS[side] if turn.mirrored else 1.0)
            name = f"trunk_{turn.name}" if joint.name == "lumbar" else f"{joint.name}_{turn.name}"
            add(name, sign * values, turn.plus, joint.name)
    for side, sign in SIDE_SIGNS.items():
        ahead = motion.turned(f"{side}_foot")[:, :, 0]
        add(
            f"{side}_foot_progression",
            unwrap_angles(sign * np.arctan2(ahead[:, 1], ahead[:, 0])),
            "toes inwards",
            f"{side}_foot",
        )
    return xr.Dataset(
        {name: ("time", values, attributes[name]) for name, values in series.items()}, {"time": motion.times},
        {"convention": "ISB / Grood-Suntay", "method": motion.method},
    )  # fmt: skip


def cardan_angles(rotation: Array, sequence: str) -> tuple[Array, Array, Array]:
    """The three Cardan angles over time, rad, of rotations (time, 3, 3); NaN for unknown rotations."""
    good = np.isfinite(rotation).all(axis=(1, 2))
    angles = np.full((len(rotation), 3), np.nan)
    if good.any():
        angles[good] = angles_of(rotation[good], sequence)
    return angles[:, 0], angles[:, 1], angles[:, 2]


def unwrap_angles(values: Array) -> Array:
    unwrapped = np.array(values)
    good = np.isfinite(unwrapped)
    unwrapped[good] = np.unwrap(unwrapped[good])
    return unwrapped
