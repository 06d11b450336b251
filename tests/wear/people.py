"""A walking person, and small devices, for tests."""

from __future__ import annotations

from typing import Any

import gaitwright as gw

SUBJECT = gw.gait.Subject(73.0, 1.74)
SIZES: dict[str, float | int | str] = {"ankle_height": 0.07, "knee_height": 0.5, "hip_width": 0.17}
"""Device parameters that take the person's values."""


def two_halves(stiffness: float = 60.0, rest: float = 0.2, mass: float = 1e-9, **cuffs: Any) -> gw.Model:
    """A body on the thigh, a body on the shank, and a torsion spring about the knee between them; no hinge."""
    model = gw.Model("halves", dimension=3, parameters=SIZES)
    for name, up in (("upper", 0.2), ("lower", -0.2)):
        model.body(
            name, mass=mass, inertia=[0.01 * mass] * 3, at=[0.0, "-hip_width/2", "knee_height"], centre=[0.0, 0.0, up],
            points={"cuff": [0.0, 0.0, up]},
        )  # fmt: skip
    model.force("torsion-spring", "spring", a="upper", b="lower", axis=[0, 1, 0], stiffness=stiffness, rest_angle=rest)
    model.cuff("thigh", "upper.cuff", "thigh", **cuffs)
    model.cuff("shank", "lower.cuff", "shank", **cuffs)
    return model.worn("right")


def ankle_spring(stiffness: float = 280.0, neutral: float = 0.05, mass: float = 0.3, **more: Any) -> gw.Model:
    """A shell on the shank (soft), a plate under the foot (rigid), a hinge at the ankle, a spring above an angle."""
    model = gw.Model("ankle spring", dimension=3, parameters={**SIZES, "shank_length": 0.43})
    at = {"at": [more.get("ahead", 0.0), "-hip_width/2", "ankle_height"], "mass": mass, "inertia": [2e-3 * mass] * 3}
    model.body(
        "shell", **at, centre=[0.0, 0.0, 0.15], points={"hinge": [0, 0, 0], "calf": [0.0, 0.0, "0.6*shank_length"]}
    )
    model.body(
        "plate", **at, centre=[0.05, 0, -0.05], points={"hinge": [0, 0, 0], "sole": [0.05, 0.0, "-ankle_height"]}
    )
    model.joint.revolute("shell.hinge", "plate.hinge", axis=[0, -1, 0], name="hinge")
    model.force("bumper", "spring", joint="hinge", lower=-2.0, upper=neutral, stiffness=stiffness)
    model.cuff("sole", "plate.sole", "foot")
    model.cuff("calf", "shell.calf", "shank", "bushing", stiffness=[2e4] * 3, torsional_stiffness=[60.0] * 3)
    return model.worn(more.get("side", "right"))
