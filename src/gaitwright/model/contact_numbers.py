"""Numbers of contacts of a document: law, friction, material."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.messages import relabel
from gaitwright.model.spec import CHOICES

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

HERTZ_EXPONENT, HERTZ_UNIT = 1.5, "N/m^1.5"


def chosen(s: Lowering, field: str, given: dict[str, Any] | None, label: str) -> tuple[Any, dict[str, float]]:
    """The class of a law or friction and its numbers, in the order of its parameters."""
    if given is None:
        return None, {}
    declaration: Any = CHOICES[field][given["type"]]
    values = s.numbers(declaration, given, label, {}, f"{field}.")
    try:
        declaration.check(**values)
    except ModelError as error:
        raise relabel(error, label, f"{field}.{error.field}") from None
    return declaration, values


def with_stiffness(
    s: Lowering, entry: dict[str, Any], radius: float, own_radius: float, own_field: str, label: str
) -> dict[str, Any] | None:
    """The law, with the stiffness of its material unless one is given. radius: of what touches; own_radius: of the surface,
    given by the field own_field."""
    law, material = entry["law"], entry["material"]
    if law is None or material is None or "stiffness" not in law or law["stiffness"] is not None:
        return law
    declaration = CHOICES["law"][law["type"]]
    free = "exponent" in declaration.parameters
    given = law.get("exponent")
    exponent = HERTZ_EXPONENT if given is None else s.number(given, label, "law.exponent")
    if exponent != HERTZ_EXPONENT or not (free or declaration.parameters["stiffness"].unit == HERTZ_UNIT):
        At(label, "law.exponent" if free else "law.type").fail(
            f"the stiffness of a material belongs to Hertz's exponent, {HERTZ_EXPONENT:g}",
            exponent if free else law["type"],
            f"{HERTZ_EXPONENT:g}, or the stiffness of this law" if free else "the stiffness of this law",
        )
    from gaitwright.contact.material import hertz_stiffness

    if material["radius"] is not None:
        radius = s.number(material["radius"], label, "material.radius", "m")
    elif radius == 0.0:
        At(label, "material.radius").fail(
            "a point has no radius from which to compute a stiffness",
            expected="the radius in m of the rounded end that the point stands for, or the stiffness of the law",
        )
    youngs, poisson = (_two(s, material, name, label) for name in ("youngs_modulus", "poissons_ratio"))
    try:
        return {**law, "stiffness": hertz_stiffness(own_radius, radius, *youngs, *poisson)}
    except ModelError as error:
        field = {"radius_a": own_field}.get(error.field, f"material.{error.field[:-2]}")
        raise relabel(error, label, field) from None


def _two(s: Lowering, material: dict[str, Any], name: str, label: str) -> tuple[float, float]:
    """A property of the surface and of what touches it."""
    given = material[name]
    if isinstance(given, list):
        return s.pair(given, label, f"material.{name}", "")
    value = s.number(given, label, f"material.{name}")
    return value, value


def fastest(s: Lowering, material: dict[str, Any] | None, label: str) -> float | None:
    if material is None or material["density"] is None:
        return None
    from gaitwright.contact.material import fastest_approach

    youngs, density = (_two(s, material, name, label) for name in ("youngs_modulus", "density"))
    try:
        return min(fastest_approach(*of) for of in zip(youngs, density, strict=True))
    except ModelError as error:
        raise relabel(error, label, f"material.{error.field}") from None


def restitution_of(s: Lowering, given: Any, law_values: dict[str, float], label: str) -> float:
    if given is None:
        return law_values.get("restitution", math.nan)
    value = s.number(given, label, "restitution")
    if not 0.0 <= value <= 1.0:
        At(label, "restitution").fail(
            "bodies cannot part faster than they met, nor pass through each other", value, "a number from 0 to 1"
        )
    return value


def not_negative(s: Lowering, given: Any, label: str, field: str, unit: str) -> float:
    value = s.number(given, label, field, unit)
    if value < 0.0:
        At(label, field).fail("is negative", value, f"at least 0 {unit}")
    return value


def sliding_coefficient(friction: dict[str, float]) -> float:
    """Of the numbers of a friction, the one that holds while it slides; 0 for none."""
    return friction.get("coefficient", friction.get("kinetic_coefficient", 0.0))
