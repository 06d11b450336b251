"""Slider-crank, driven or free, and a block that its slider may hit. Paper 003 section 5.2, Fig 5-8."""

from __future__ import annotations

import math

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Face
from gaitwright.physics.declarations import ContactLaw, Friction


def slider_position(crank: float, rod: float, angle: float) -> float:
    """x of the slider's centre, m, for a crank angle, rad; the guide passes through the crank's pin."""
    return crank * math.cos(angle) + math.sqrt(rod**2 - (crank * math.sin(angle)) ** 2)


def slider_crank(
    crank: float = 0.1,
    rod: float = 0.4,
    *,
    angle: float = 0.0,
    speed: float | None = None,
    spin: float = 0.0,
    crank_mass: float = 0.025,
    rod_mass: float = 0.1,
    slider_mass: float = 0.1,
    slider_length: float = 0.1,
    slider_height: float = 0.05,
    block_mass: float | None = None,
    block_at: float | None = None,
    law: ContactLaw | None = None,
    restitution: float | None = None,
    friction: Friction | None = None,
    gravity: float = 9.81,
) -> Model:
    """Crank O-A and rod A-B, uniform bars, and a slider centred at B, on a horizontal guide through O; B is right of A.

    Lengths in m, masses in kg. angle: of the crank at the start, rad. speed: constant speed of the driven crank, rad/s;
    default: the crank is free and starts with `spin`, rad/s. block_mass: of a block on the same guide, as large as the
    slider, initially at rest with its near face at x = block_at; default: no block. The middle of the slider's front is in
    contact with that face, `impact`, with the law, or with the restitution for the method moreau."""
    ErrorContext("slider-crank", "angle").radians(angle)
    model = Model("slider-crank", gravity=(0.0, -gravity))
    ax, ay, x = crank * math.cos(angle), crank * math.sin(angle), slider_position(crank, rod, angle)
    half_length, half_height = slider_length / 2, slider_height / 2
    model.ground_point("O", 0.0, 0.0).point("A", ax, ay).point("B", x, 0.0)
    model.link("crank", "O", "A", length=crank, mass=crank_mass)
    model.link("rod", "A", "B", length=rod, mass=rod_mass)
    model.body(
        "slider", mass=slider_mass, inertia=_box_inertia(slider_mass, slider_length, slider_height), at=(x, 0.0),
        points={"front": (half_length, 0.0)},
    )  # fmt: skip
    model.joint.revolute("rod.B", "slider", name="wrist").joint.prismatic(
        "ground.O", "slider", axis=(1, 0), name="guide"
    )
    if speed is not None:
        model.drive.rotation("crank", f"{angle!r} + {speed!r}*t")
    elif spin:
        model.velocity("A", -spin * ay, spin * ax)
    if block_mass is None:
        return model
    face_x = x + half_length if block_at is None else block_at
    model.body(
        "block", mass=block_mass, inertia=_box_inertia(block_mass, slider_length, slider_height),
        at=(face_x + half_length, 0.0), points={"low": (-half_length, -half_height), "high": (-half_length, half_height)},
    )  # fmt: skip
    model.joint.prismatic("ground.O", "block", axis=(1, 0), name="track")
    return model.contact(
        "slider.front", Face("block.low", "block.high"), law=law, restitution=restitution, friction=friction,
        name="impact",
    )  # fmt: skip


def _box_inertia(mass: float, length: float, height: float) -> float:
    """Moment of inertia of a uniform rectangle about its centre, kg m^2."""
    return mass * (length**2 + height**2) / 12
