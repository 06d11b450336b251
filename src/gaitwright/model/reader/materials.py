"""Materials of solids of a document: a registered one by its name, or a strain energy given in the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.fem.kernel_modules import lame_constants, rest_stress
from gaitwright.model import expressions
from gaitwright.model.formulas import PARAMETER_PREFIX, declare_formulas
from gaitwright.physics.materials.base import Material
from gaitwright.physics.parameters import Formula

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver

REST_STRESS_RTOL = 1e-9
"""Tolerance for the stress without deformation, relative to the moduli of the material; more is not rounding."""


def read_material(names: NameResolver, fields: dict[str, Any], at: ErrorContext) -> tuple[Any, tuple[float, ...]]:
    """Material and its constants. fields: its entry without damping, density and region; consumed here."""
    kind = at["type"].one_of(fields.pop("type", None), list(Material.registry), "is not a material")
    material: Any = Material.registry[kind]
    if any(isinstance(parameter, Formula) for parameter in material.parameters.values()):
        return read_own_material(names, material, fields, at)
    return material, material.constants(
        **{name: names.numbers.number(x, at.element, name) for name, x in fields.items()}
    )


def read_own_material(
    names: NameResolver, material: Any, fields: dict[str, Any], at: ErrorContext
) -> tuple[Any, tuple[float, ...]]:
    """Material with an energy given as an expression, with its own constants and parameters of the model."""
    constant_entries = fields.pop("constants", None) or {}
    if not isinstance(constant_entries, Mapping):
        at["constants"].fail("are no names with numbers", constant_entries, "a mapping such as {mu: 4e5, k: 1e6}")
    variables = next(p.variables for p in material.parameters.values() if isinstance(p, Formula))
    for name in constant_entries:
        if not str(name).isidentifier() or name in variables or name == "t":
            at[f"constants.{name}"].fail(
                "is no name for a constant", expected=f"another one than {', '.join(variables)}"
            )
    for name in fields:
        at[name].one_of(name, list(material.parameters), "is no field of this material")
    text = at["energy"].given(fields.get("energy"), "an expression of I1, I2 and J")
    if not isinstance(text, (str, float, int)):
        at["energy"].fail("is no expression", text, "an expression of I1, I2 and J")
    allowed_names = (names.numbers.known - set(variables)) | set(constant_entries)
    declaration: Any
    try:
        declaration, parameter_names = declare_formulas(
            material,
            {"energy": text},
            lambda text, variable_names: expressions.parse(
                text, allowed_names | set(variable_names), names.numbers.series
            ),
        )
    except ModelError as error:
        raise with_location(error, at.element, "energy") from None
    values = {
        name: names.numbers.number(constant_entries.get(x, x), at.element, f"constants.{x}")
        for name, x in parameter_names.items()
    }
    unused = [name for name in constant_entries if PARAMETER_PREFIX + name not in values]
    if unused:
        at[f"constants.{unused[0]}"].fail("is not in the energy", expected=f"constants of {text}")
    constants = declaration.constants(**values)
    require_stiffness(names, declaration, constants, at)
    return declaration, constants


def require_stiffness(names: NameResolver, material: Any, constants: tuple[float, ...], at: ErrorContext) -> None:
    """ModelError if the material is unstable without deformation; a note if it is stressed there."""
    try:
        (lame, mu), stress = lame_constants(material, constants), rest_stress(material, constants)
    except (ValueError, ArithmeticError):
        at["energy"].fail(
            "has no value without deformation, where I1 = I2 = 3 and J = 1", expected="one that is zero there"
        )
    kappa = lame + 2.0 * mu / 3.0
    if not (mu >= 0.0 and kappa >= 0.0 and mu + kappa > 0.0):
        at["energy"].fail(
            f"gives a shear modulus of {mu:.3g} Pa and a bulk modulus of {kappa:.3g} Pa without deformation",
            expected="an energy that deforming costs, such as mu/2*(I1 - 3) - mu*log(J) + k/2*log(J)^2",
        )
    if abs(stress) > REST_STRESS_RTOL * (mu + kappa):
        names.notes.append(f"{at.element}: its energy has a slope without deformation, a stress of {stress:.3g} Pa")
