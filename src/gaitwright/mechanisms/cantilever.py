"""A flexible beam clamped at one end, with a moment at the other; and the carbon fibre beam of paper 002."""

from __future__ import annotations

import math

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model, NumberLike


def cantilever(
    length: float = 0.5,
    *,
    axial_stiffness: float = 5.52e6,
    bending_stiffness: float = 1.38,
    mass_per_length: float = 0.1116,
    elements: int = 5,
    formulation: str = "takahashi",
    moment: NumberLike = 0.0,
    angle: float = 0.0,
    gravity: float = 0.0,
) -> Model:
    """The beam `rod`, straight without load, from the ground point O, where it is clamped, to its free end E.

    SI units: length in m, stiffnesses in N and N m^2, mass in kg/m. moment: N m at E, counter-clockwise, constant or an
    expression of t. angle: direction of the straight beam, rad from the x axis. The clamp fixes position and tangent, but
    not the stretch. Default stiffnesses and mass: a strip of 40 x 1.73 mm, 79 GPa, 1600 kg/m^3."""
    ErrorContext("cantilever", "angle").radians(angle)
    model = Model("cantilever", gravity=(0.0, -gravity))
    model.ground_point("O", 0.0, 0.0).point("E", length * math.cos(angle), length * math.sin(angle))
    model.beam(
        "rod", "O", "E", length=length, elements=elements, formulation=formulation, axial_stiffness=axial_stiffness,
        bending_stiffness=bending_stiffness, mass_per_length=mass_per_length,
    )  # fmt: skip
    model.joint.fixed("ground.O", "rod.start", name="clamp")
    return model.force.moment("rod.end", moment, name="load") if moment != 0.0 else model


def bend_hold_release(moment: float = 4.5, ramp: float = 4.0, hold: float = 0.5) -> str:
    """Moment of paper 002 Eq 26, N m: grows for `ramp` s, constant for `hold` s, then zero; an expression of t."""
    return f"if(t <= {ramp!r}, {moment / ramp!r}*t, if(t <= {ramp + hold!r}, {moment!r}, 0))"


def cfrp_beam(
    length: float = 0.9,
    *,
    axial_stiffness: float = 1.81e6,
    bending_stiffness: float = 2.57,
    mass_per_length: float = 0.0433,
    moment: NumberLike | None = None,
    gravity: float = 9.81,
    elements: int = 5,
) -> Model:
    """The carbon fibre beam of paper 002, Fig 6: upright on the ground, bent to the left and released by the moment of
    Eq 26 (default). The default stiffnesses and mass are identified from the averages in its Table 2
    (gaitwright_apps/reproductions/cfrp_beam.py, which also fixes the stretch at the clamp): a strip of about
    6.5 x 4.1 mm, 67 GPa, 1600 kg/m^3. Parameters as in `cantilever`."""
    return cantilever(
        length, axial_stiffness=axial_stiffness, bending_stiffness=bending_stiffness, mass_per_length=mass_per_length,
        elements=elements, moment=bend_hold_release() if moment is None else moment, angle=math.pi / 2, gravity=gravity,
    )  # fmt: skip
