"""A hip spring: stores energy while the thigh extends at the end of stance, and returns it in swing."""

from __future__ import annotations

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model
from gaitwright.wear.devices.components import SHELL_CUFF, add_strut, device_parameters, lateral_joint_position


def hip_spring(
    stiffness: float = 1.0, neutral: float = 10.0, *, mass: float = 1.0, hinge_ahead: float = 0.0, hinge_up: float = 0.0,
    side: str = "right",
) -> Model:  # fmt: skip
    """Hip orthosis. stiffness: N m per degree, of a spring between a belt and a cuff on the thigh, at rest at `neutral`
    degrees of flexion. mass: kg. hinge_ahead, hinge_up: m, position of the hinge relative to the hip. side: right, left or
    both. Returns a model with cuffs; raises ModelError for invalid numbers."""
    at = ErrorContext("hip spring")
    at["stiffness"].not_negative(stiffness, "N m per degree, at least 0")
    own = {"belt_mass": 0.6 * at["mass"].positive(mass, "kg"), "strut_mass": 0.4 * mass, "stiffness": stiffness}
    model = Model(
        "hip spring", dimension=3,
        parameters=device_parameters("hip_height", "hip_width", "thigh_length", **own, neutral=neutral, hinge_ahead=hinge_ahead,
                         hinge_up=hinge_up),
    )  # fmt: skip
    place = lateral_joint_position("hip", "hip_width/2 + 0.09", "hinge_ahead", "hinge_up")
    add_strut(model, "belt", place, 0.12, "belt_mass", {
        "hinge": [0, 0, 0], "waist": ["-hinge_ahead", "hip_width/2 + 0.09", "0.1 - hinge_up"],
    })  # fmt: skip
    add_strut(model, "strut", place, "-0.6*thigh_length", "strut_mass", {
        "hinge": [0, 0, 0], "thigh": ["-hinge_ahead", 0.09, "-0.55*thigh_length - hinge_up"],
    })  # fmt: skip
    model.joint.universal(
        "belt.hinge", "strut.hinge", axis=[0, -1, 0], axis_b=[1, 0, 0], name="hinge"
    )  # abduction is free
    model.force(
        "torsion-spring", "spring", a="belt", b="strut", axis=[0, -1, 0], stiffness="stiffness*180/pi",
        rest_angle="neutral*pi/180",
    )  # fmt: skip
    model.cuff("waist", "belt.waist", "pelvis")
    model.cuff("thigh", "strut.thigh", "thigh", "bushing", **SHELL_CUFF)
    return model.worn(side)
