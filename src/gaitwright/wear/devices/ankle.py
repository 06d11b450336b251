"""Ankle-foot orthoses: a spring with a neutral angle that acts in one direction, and a motor that pushes off.

In a trial on two measured walks a spring of 5 N m per degree that acts from foot-flat on reduced the peak ankle moment by
42 to 53 %; stiffness above 5 to 6 N m per degree gave no further reduction. Masses and sizes are OUR choice, of usual
orthoses.
"""

from __future__ import annotations

from collections.abc import Sequence

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model
from gaitwright.wear.devices.components import (
    SHELL_CUFF,
    SOLE_CUFF,
    add_strut,
    device_parameters,
    lateral_joint_position,
)

PUSH_OFF_TORQUE_CURVE = ((0.0, 0.0), (0.22, 0.0), (0.40, 0.45), (0.52, 1.0), (0.61, 0.25), (0.64, 0.0), (1.0, 0.0))
"""Points (fraction of the cycle, fraction of the peak torque): rises from mid-stance, falls at push-off. OUR choice, after
usual profiles of ankle exoskeletons, which peak at 50 to 55 % (J. Zhang et al., Science 356 (2017) 1280: from memory)."""


def _build_brace(name: str, mass: float, hinge_ahead: float, hinge_up: float, **own: float | str) -> Model:
    """A shell on the calf, a plate under the foot and a hinge beside the ankle; its angle is positive for raised toes."""
    model = Model(
        name, dimension=3,
        parameters=device_parameters(
            "ankle_height", "shank_length", "hip_width", "foot_length", shell_mass=0.6 * mass, plate_mass=0.4 * mass,
            hinge_ahead=hinge_ahead, hinge_up=hinge_up, **own,
        ),
    )  # fmt: skip
    at = lateral_joint_position("ankle", ahead="hinge_ahead", up="hinge_up")
    inwards = 0.05
    add_strut(model, "shell", at, "0.75*shank_length", "shell_mass", {
        "hinge": [0, 0, 0], "calf": ["-hinge_ahead", inwards, "0.65*shank_length - hinge_up"],
    })  # fmt: skip
    model.body(
        "plate", mass="plate_mass", inertia=["plate_mass*2e-3", "plate_mass*6e-3", "plate_mass*7e-3"], at=at,
        centre=["0.1*foot_length", inwards, "0.01 - ankle_height"],
        points={"hinge": [0, 0, 0], "sole": ["0.15*foot_length - hinge_ahead", inwards, "0.005 - ankle_height - hinge_up"]},
        shapes=[{"box": ["0.85*foot_length", 0.08, 0.004], "at": ["0.2*foot_length", inwards, "0.004 - ankle_height"]},
                {"box": [0.03, 0.006, "ankle_height"], "at": [0, 0, "-0.5*ankle_height"]}],
    )  # fmt: skip
    model.joint.revolute("shell.hinge", "plate.hinge", axis=[0, -1, 0], name="hinge")
    model.cuff("calf", "shell.calf", "shank", "bushing", **SHELL_CUFF)
    model.cuff("sole", "plate.sole", "foot", "bushing", **SOLE_CUFF)
    return model


def ankle_spring(
    stiffness: float = 5.0,
    neutral: float = 0.0,
    *,
    play: float = 60.0,
    mass: float = 0.6,
    hinge_ahead: float = 0.0,
    hinge_up: float = 0.0,
    side: str = "right",
) -> Model:
    """Ankle-foot orthosis with a spring. stiffness: N m per degree, of a spring that acts above `neutral`, degrees of
    dorsiflexion, and again more than `play` degrees below it. mass: kg. hinge_ahead, hinge_up: m, position of the hinge
    relative to the ankle. side: right, left or both. Returns a model with cuffs; raises ModelError for invalid numbers."""
    at = ErrorContext("ankle spring")
    at["stiffness"].not_negative(stiffness, "N m per degree, at least 0")
    at["play"].not_negative(play, "degrees, at least 0")
    model = _build_brace(
        "ankle spring",
        at["mass"].positive(mass, "kg"),
        hinge_ahead,
        hinge_up,
        stiffness=stiffness,
        neutral=neutral,
        play=play,
    )
    model.force(
        "bumper", "spring", joint="hinge", lower="(neutral - play)*pi/180", upper="neutral*pi/180",
        stiffness="stiffness*180/pi",
    )  # fmt: skip
    return model.worn(side)


def powered_ankle(
    torque: float = 50.0,
    curve: Sequence[tuple[float, float]] = PUSH_OFF_TORQUE_CURVE,
    *,
    mass: float = 1.2,
    hinge_ahead: float = 0.0,
    hinge_up: float = 0.0,
    side: str = "right",
) -> Model:
    """Ankle-foot orthosis with a motor that plantarflexes. torque: N m, peak. curve: over the cycle, points (fraction of the
    cycle from 0 to 1, fraction of the peak). mass: kg. hinge_ahead, hinge_up: m, position of the hinge relative to the ankle.
    side: right, left or both. Returns a model with cuffs."""
    model = _build_brace(
        "powered ankle",
        ErrorContext("powered ankle", "mass").positive(mass, "kg"),
        hinge_ahead,
        hinge_up,
        torque=torque,
    )
    times, values = zip(*curve, strict=True)
    model.series("push", times, values)
    model.force("joint-torque", "motor", joint="hinge", value="-torque*push(t)")
    return model.worn(side, over_cycle=["push"])
