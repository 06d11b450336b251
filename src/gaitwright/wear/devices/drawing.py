"""What ready devices share: sizes of a man of 1.74 m, which the person's take the place of, bodies and cuffs."""

from __future__ import annotations

from typing import Any

from gaitwright.model.model import Model, Number

SIZES: dict[str, Number] = {
    "ankle_height": 0.068, "knee_height": 0.508, "hip_height": 0.93, "navel_height": 1.075, "hip_width": 0.174,
    "shank_length": 0.44, "thigh_length": 0.422, "foot_length": 0.258, "trunk_length": 0.476,
}  # fmt: skip
"""m: parameters that the person's sizes replace when the device is put on."""
SHELL = {"stiffness": [2e4, 8e3, 2e4], "torsional_stiffness": [25.0, 10.0, 25.0]}
"""N/m and N m/rad, of a shell with straps on a leg. OUR choice: cuffs of upper arms have 2.1 to 4.5 kN/m and 1.7 N m/rad about
the arm at small forces, and stiffen (J. Schiebl et al., Sensors 25 (2025) 4605); shells of legs press on more, and on bone."""

SOLE = {"stiffness": [1e5] * 3, "torsional_stiffness": [20.0, 20.0, 2e3]}
"""Of a foot in a shoe on a plate: it holds against bending of the ankle, and lets the foot tilt and turn. OUR choice."""


def sized(*names: str, **own: Number) -> dict[str, Number]:
    """Parameters: these sizes, and a device's own."""
    return {**{name: SIZES[name] for name in names}, **own}


def beside(joint: str, out: str = "hip_width/2 + 0.05", ahead: Number = 0.0, up: Number = 0.0) -> list[Number]:
    """Where something is that sits on the outer side of a joint of the right leg, of who stands upright."""
    return [ahead, f"-({out})", f"{joint}_height + {up}"]


def bar(model: Model, name: str, at: list[Number], length: Number, mass: Number, points: dict[str, Any]) -> None:
    """An upright strut of this length (negative: downwards) from its origin, as a slender rod with the width of a hand."""
    across = f"{mass}*(({length})^2/12 + 2e-4)"
    model.body(
        name, mass=mass, inertia=[across, across, f"{mass}*4e-4"], centre=[0, 0, f"0.5*({length})"], at=at, points=points,
        shapes=[{"box": [0.03, 0.006, f"abs({length})"], "at": [0, 0, f"0.5*({length})"]}],
    )  # fmt: skip
