"""Shared components of ready devices: default sizes (of a man of 1.74 m; the person's sizes replace them), bodies and
cuffs."""

from __future__ import annotations

from typing import Any

from gaitwright.model.model import Model, NumberLike

DEFAULT_SIZES_M: dict[str, NumberLike] = {
    "ankle_height": 0.068, "knee_height": 0.508, "hip_height": 0.93, "navel_height": 1.075, "hip_width": 0.174,
    "shank_length": 0.44, "thigh_length": 0.422, "foot_length": 0.258, "trunk_length": 0.476,
}  # fmt: skip
"""m: parameters that the person's sizes replace when the device is put on."""
SHELL_CUFF = {"stiffness": [2e4, 8e3, 2e4], "torsional_stiffness": [25.0, 10.0, 25.0]}
"""N/m and N m/rad, of a shell with straps on a leg. OUR choice: cuffs of upper arms have 2.1 to 4.5 kN/m and 1.7 N m/rad about
the arm at small forces, and stiffen (J. Schiebl et al., Sensors 25 (2025) 4605); shells of legs press on more, and on bone."""

SOLE_CUFF = {"stiffness": [1e5] * 3, "torsional_stiffness": [20.0, 20.0, 2e3]}
"""Cuff of a foot in a shoe on a plate: stiff against ankle flexion, compliant in tilt and rotation. OUR choice."""


def device_parameters(*names: str, **own: NumberLike) -> dict[str, NumberLike]:
    """Parameters of a device: the named default sizes, and its own."""
    return {**{name: DEFAULT_SIZES_M[name] for name in names}, **own}


def lateral_joint_position(
    joint: str, out: str = "hip_width/2 + 0.05", ahead: NumberLike = 0.0, up: NumberLike = 0.0
) -> list[NumberLike]:
    """Position on the outer side of a joint of the right leg, in upright standing."""
    return [ahead, f"-({out})", f"{joint}_height + {up}"]


def add_strut(
    model: Model, name: str, at: list[NumberLike], length: NumberLike, mass: NumberLike, points: dict[str, Any]
) -> None:
    """Add an upright strut of this length (negative: downwards) from its origin, as a slender rod of about a hand's width."""
    across = f"{mass}*(({length})^2/12 + 2e-4)"
    model.body(
        name, mass=mass, inertia=[across, across, f"{mass}*4e-4"], centre=[0, 0, f"0.5*({length})"], at=at, points=points,
        shapes=[{"box": [0.03, 0.006, f"abs({length})"], "at": [0, 0, f"0.5*({length})"]}],
    )  # fmt: skip
