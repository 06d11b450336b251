"""Types of a validated contact, as `validate_contact` returns it: the fields of ContactSpec with defaults filled in."""

from __future__ import annotations

from typing import Any, TypedDict

NumberField = float | str
"""Number, or an expression of the parameters."""


class CircleEntry(TypedDict):
    """Circle or sphere on a body. body: its centre. radius: m."""

    body: str
    radius: NumberField


class BeamContactEntry(TypedDict):
    """All nodes of a beam. radius: half of its thickness, m."""

    beam: str
    radius: NumberField | None


class ContactMaterialEntry(TypedDict):
    """Material of both sides, or [surface, touching side]: youngs_modulus, Pa; density, kg/m^3. radius: m."""

    youngs_modulus: NumberField | list[NumberField]
    poissons_ratio: NumberField | list[NumberField]
    density: NumberField | list[NumberField] | None
    radius: NumberField | None


class ContactEntry(TypedDict):
    """Contact. Exactly one touching side is given: point, circle, along, solid or foundation in the plane; point, points,
    sphere, spheres, solid or foundation in space. surface: kinds of surfaces by name, one of them given. law, friction: a
    type with its parameters. approach_speed, slowest_approach: m/s."""

    name: str | None
    point: str | None
    points: list[str] | None
    circle: CircleEntry | None
    sphere: CircleEntry | None
    spheres: list[CircleEntry] | None
    along: BeamContactEntry | None
    solid: str | None
    region: str | None
    foundation: dict[str, Any] | None
    surface: dict[str, Any]
    law: dict[str, Any] | None
    friction: dict[str, Any] | None
    restitution: NumberField | None
    material: ContactMaterialEntry | None
    approach_speed: NumberField | None
    slowest_approach: NumberField | None
