"""A user-defined material, by an expression in a model file. In Python: a class with an `energy`, as in the modules here."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Parameter
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.deformation import Deformation
from gaitwright.physics.parameters import Formula

GRADIENT_ENTRIES = tuple(f"F{i}{j}" for i in "123" for j in "123")


class OwnMaterial(Material):
    """W as an expression of the invariants I1, I2, J and of the entries F11 ... F33 of the deformation gradient, and of the
    parameters of the model: `energy: C1*(I1 - 3 - 2*log(J)) + K/2*(J - 1)^2`.

    W and its slope should be zero without deformation, where I1 = I2 = 3 and J = 1. An expression with entries of F must itself
    be invariant under rotations; invariants are."""

    name = "own"
    stands_for_others = True
    parameters: ClassVar[dict[str, Parameter]] = {
        "energy": Formula("J/m^3", "W(I1, I2, J, F11 ... F33)", ("I1", "I2", "J", *GRADIENT_ENTRIES))
    }

    @staticmethod
    def energy(deformation: Deformation, **formula: Any) -> Any:
        inputs = {"I1": deformation.I1, "I2": deformation.I2, "J": deformation.J}
        inputs |= {f"F{i + 1}{j + 1}": f for i, row in enumerate(deformation.F) for j, f in enumerate(row)}
        return formula["energy"](*inputs.values())
