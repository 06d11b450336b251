"""Parameters of contacts of a document: law, friction, material."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.model.spec.document import CONTACT_CHOICE_REGISTRIES

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import ContactEntry, ContactMaterialEntry

HERTZ_EXPONENT, HERTZ_UNIT = 1.5, "N/m^1.5"


def read_law_or_friction(
    builder: MechanismBuilder, field: str, given: dict[str, Any] | None, label: str
) -> tuple[Any, dict[str, float]]:
    """Class of a law or friction and its parameters, in declared order."""
    if given is None:
        return None, {}
    declaration: Any = CONTACT_CHOICE_REGISTRIES[field][given["type"]]
    return declaration, builder.elements.parameter_values(declaration, given, label, {}, f"{field}.")


def law_with_stiffness(
    builder: MechanismBuilder, entry: ContactEntry, radius: float, own_radius: float, own_field: str, label: str
) -> dict[str, Any] | None:
    """Law entry; a missing stiffness is computed from the material. radius: of the touching side, m; own_radius: of the
    surface, given by the field own_field."""
    law, material = entry["law"], entry["material"]
    if law is None or material is None or "stiffness" not in law or law["stiffness"] is not None:
        return law
    declaration = CONTACT_CHOICE_REGISTRIES["law"][law["type"]]
    has_exponent = "exponent" in declaration.parameters
    exponent_entry = law.get("exponent")
    exponent = (
        HERTZ_EXPONENT if exponent_entry is None else builder.numbers.number(exponent_entry, label, "law.exponent")
    )
    if exponent != HERTZ_EXPONENT or not (has_exponent or declaration.parameters["stiffness"].unit == HERTZ_UNIT):
        ErrorContext(label, "law.exponent" if has_exponent else "law.type").fail(
            f"the stiffness of a material belongs to Hertz's exponent, {HERTZ_EXPONENT:g}",
            exponent if has_exponent else law["type"],
            f"{HERTZ_EXPONENT:g}, or the stiffness of this law" if has_exponent else "the stiffness of this law",
        )
    from gaitwright.contact.material import hertz_stiffness

    if material["radius"] is not None:
        radius = builder.numbers.number(material["radius"], label, "material.radius", "m")
    elif radius == 0.0:
        ErrorContext(label, "material.radius").fail(
            "a point has no radius from which to compute a stiffness",
            expected="the radius in m of the rounded end that the point stands for, or the stiffness of the law",
        )
    youngs, poisson = (
        _read_property_pair(builder, material, name, label) for name in ("youngs_modulus", "poissons_ratio")
    )
    try:
        return {**law, "stiffness": hertz_stiffness(own_radius, radius, *youngs, *poisson)}
    except ModelError as error:
        field = {"radius_a": own_field}.get(error.field, f"material.{error.field[:-2]}")
        raise with_location(error, label, field) from None


def _read_property_pair(
    builder: MechanismBuilder, material: ContactMaterialEntry, name: str, label: str
) -> tuple[float, float]:
    """Property of the surface and of the touching side."""
    given = material[name]
    if isinstance(given, list):
        return builder.numbers.pair(given, label, f"material.{name}", "")
    value = builder.numbers.number(given, label, f"material.{name}")
    return value, value


def max_approach_speed(builder: MechanismBuilder, material: ContactMaterialEntry | None, label: str) -> float | None:
    if material is None or material["density"] is None:
        return None
    from gaitwright.contact.material import fastest_approach

    youngs, density = (_read_property_pair(builder, material, name, label) for name in ("youngs_modulus", "density"))
    try:
        return min(fastest_approach(*properties) for properties in zip(youngs, density, strict=True))
    except ModelError as error:
        raise with_location(error, label, f"material.{error.field}") from None


def read_restitution(builder: MechanismBuilder, given: Any, law_values: dict[str, float], label: str) -> float:
    if given is None:
        return law_values.get("restitution", math.nan)
    value = builder.numbers.number(given, label, "restitution")
    if not 0.0 <= value <= 1.0:
        ErrorContext(label, "restitution").fail(
            "bodies cannot part faster than they met, nor pass through each other", value, "a number from 0 to 1"
        )
    return value


def read_non_negative(builder: MechanismBuilder, given: Any, label: str, field: str, unit: str) -> float:
    value = builder.numbers.number(given, label, field, unit)
    if value < 0.0:
        ErrorContext(label, field).fail("is negative", value, f"at least 0 {unit}")
    return value


def sliding_coefficient(friction: dict[str, float]) -> float:
    """Friction coefficient during sliding; 0 without friction."""
    return friction.get("coefficient", friction.get("kinetic_coefficient", 0.0))
