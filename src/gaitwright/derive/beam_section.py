"""Kernels of twist and curvatures of a spatial beam at one point, and of their derivatives (physics/beams/section.py).

They are invariant under rotations, so it is sufficient to differentiate them where the axes of the section are those of the
ground, where most terms are zero. Components along these axes change with a vector u and with the turn of the axes,

    du = (change of u) - turn x u

and so do those of a gradient g: d g = (change of its components) + turn x g. This gives second derivatives without a root.
They are also invariant if r_x and r_xx, or w2, w3, w2_x and w3_x, are multiplied by a number: kernels take these divided by l
and by h = w2.y + w3.z, so that they contain no division, and the caller divides the derivatives by l and h.

Only w2_x.x, w3_x.x, w2_x.y + w3_x.z and w2_x.z - w3_x.y of w2_x and w3_x matter: 18 components reduce to 16 variables.
`gradient` writes the derivatives in the variables, one strain after the other; `curved` the upper triangle of the matrix of
second derivatives, row by row, of the sum of the three with weights (par). Zeros are not written.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.kernel_form import DerivedKernels, make_form
from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS
from gaitwright.derive.symbols import QuantitySymbol
from gaitwright.physics.beams.section import CURVATURE_NAMES, STRAIN_VECTORS, BeamSectionCurvature

VARIABLE_COMPONENTS = tuple(range(16))
"""Components with the same derivatives as the 16 variables: r_x, r_xx, w2, w3, w2_x, w3_x.x."""
VARIABLE_COUNT = len(VARIABLE_COMPONENTS)


def derive_section(declaration: type[BeamSectionCurvature]) -> DerivedKernels:
    """Derive the kernels of the curvatures of a section."""
    clear_cache()
    names = [f"{vector}_{axis}" for vector in STRAIN_VECTORS for axis in "xyz"]
    components = [QuantitySymbol(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)]
    weights = [
        QuantitySymbol(f"n_{strain}", f"par[{len(CURVATURE_NAMES)} * e + {k}]")
        for k, strain in enumerate(CURVATURE_NAMES)
    ]
    vectors = [sympy.Matrix(components[3 * k : 3 * k + 3]) for k in range(len(STRAIN_VECTORS))]
    # In the axes of the section: r_x along t, and w2.z = w3.y; and divided by l and h.
    at_unit_scale = {components[1]: 0, components[2]: 0, components[10]: components[8]}
    along, at_unit_scale = at_unit_scale, at_unit_scale | {components[0]: 1, components[11]: 1 - components[7]}
    changes = [
        sympy.Matrix(sympy.symbols(f"change:{len(names)}")[3 * k : 3 * k + 3]) for k in range(len(STRAIN_VECTORS))
    ]
    r_x, _, w2, w3, _, _ = vectors
    turn = sympy.Matrix(declaration.turn(r_x, w2, w3, changes[0], changes[2], changes[3]))  # type: ignore[arg-type]
    turns = turn.jacobian(sympy.Matrix.vstack(*changes))
    moved = sympy.Matrix.vstack(*(vector.cross(turn) for vector in vectors)).jacobian(sympy.Matrix.vstack(*changes))
    moved = (moved + sympy.eye(len(names))).subs(along)
    strains = declaration.turning(*vectors)  # type: ignore[arg-type]
    gradients, second = [], sympy.zeros(VARIABLE_COUNT, VARIABLE_COUNT)
    for strain, weight in zip(strains, weights, strict=True):
        gradient = sympy.Matrix([strain]).jacobian(components) * moved
        curved = gradient.jacobian(components) * moved
        turned = [skew_matrix(gradient[3 * k : 3 * k + 3]).T * turns for k in range(len(STRAIN_VECTORS))]
        curved = (curved + sympy.Matrix.vstack(*turned)).subs(at_unit_scale)
        gradients += [simplify_factors(gradient[k].subs(at_unit_scale)) for k in VARIABLE_COMPONENTS]
        second += weight * curved.extract(VARIABLE_COMPONENTS, VARIABLE_COMPONENTS)
    triangle = [simplify_factors(second[i, j]) for i in range(VARIABLE_COUNT) for j in range(i, VARIABLE_COUNT)]
    values = {"gradient": gradients, "curved": triangle}
    forms = [
        make_form(
            name,
            KERNEL_ARGUMENTS["section"][name],
            [(f"out[{k}]", "=", value) for k, value in enumerate(expressions) if value != 0],
            [*components, *weights],
        )
        for name, expressions in values.items()
    ]
    return DerivedKernels(['KIND = "section"'], forms)


def simplify_factors(expression: Any) -> Any:
    return sympy.factor_terms(sympy.expand(expression))


def skew_matrix(v: Any) -> Any:
    """Return the cross-product matrix: skew_matrix(v) u = v x u."""
    return sympy.Matrix([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
