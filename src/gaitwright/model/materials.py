"""Materials of solids of a document: one of the library or of a script by its name, or an energy written in the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.messages import relabel
from gaitwright.model import expressions
from gaitwright.model.formulas import PREFIX, with_formulas
from gaitwright.physics.declare import Formula
from gaitwright.physics.materials.base import Material
from gaitwright.system.solids.kernels import rest_stress, small_strain

if TYPE_CHECKING:
    from gaitwright.model.scope import Scope

STRESSED = 1e-9
"""Stress without deformation, in moduli of the material, that is more than rounding."""


def read_material(s: Scope, fields: dict[str, Any], at: At) -> tuple[Any, tuple[float, ...]]:
    """A material and its constants. fields: what of its entry is not about damping, density or place; taken out of it."""
    kind = at["type"].one_of(fields.pop("type", None), list(Material.registry), "is not a material")
    material: Any = Material.registry[kind]
    if any(isinstance(parameter, Formula) for parameter in material.parameters.values()):
        return own_material(s, material, fields, at)
    return material, material.constants(**{name: s.number(x, at.element, name) for name, x in fields.items()})


def own_material(s: Scope, material: Any, fields: dict[str, Any], at: At) -> tuple[Any, tuple[float, ...]]:
    """An energy that is an expression, with constants of its own and parameters of the model."""
    given = fields.pop("constants", None) or {}
    if not isinstance(given, Mapping):
        at["constants"].fail("are no names with numbers", given, "a mapping such as {mu: 4e5, k: 1e6}")
    variables = next(p.variables for p in material.parameters.values() if isinstance(p, Formula))
    for name in given:
        if not str(name).isidentifier() or name in variables or name == "t":
            at[f"constants.{name}"].fail(
                "is no name for a constant", expected=f"another one than {', '.join(variables)}"
            )
    for name in fields:
        at[name].one_of(name, list(material.parameters), "is no field of this material")
    text = at["energy"].given(fields.get("energy"), "an expression of I1, I2 and J")
    if not isinstance(text, (str, float, int)):
        at["energy"].fail("is no expression", text, "an expression of I1, I2 and J")
    known = (s.known - set(variables)) | set(given)
    made: Any
    try:
        made, named = with_formulas(
            material, {"energy": text}, lambda text, more: expressions.parse(text, known | set(more), s.series)
        )
    except ModelError as error:
        raise relabel(error, at.element, "energy") from None
    values = {name: s.number(given.get(x, x), at.element, f"constants.{x}") for name, x in named.items()}
    unused = [name for name in given if PREFIX + name not in values]
    if unused:
        at[f"constants.{unused[0]}"].fail("is not in the energy", expected=f"constants of {text}")
    constants = made.constants(**values)
    require_stiffness(s, made, constants, at)
    return made, constants


def require_stiffness(s: Scope, material: Any, constants: tuple[float, ...], at: At) -> None:
    """ModelError if it gives way without deformation; a note if it is stressed there."""
    try:
        (lame, mu), stress = small_strain(material, constants), rest_stress(material, constants)
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
    if abs(stress) > STRESSED * (mu + kappa):
        s.notes.append(f"{at.element}: its energy has a slope without deformation, a stress of {stress:.3g} Pa")
