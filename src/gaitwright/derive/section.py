"""Kernels of twist and curvatures of a beam of space at a place, and of their derivatives (physics/beams/section.py).

They do not change when everything is turned, so it is enough to differentiate them where the axes of the section are those of
the ground, where nearly all is zero. Components along these axes change with a vector u and with the turn of the axes,

    du = (change of u) - turn x u

and so do those of a gradient g: d g = (change of its components) + turn x g. That gives second derivatives without a root.
Nor do they change when r_x and r_xx, or w2, w3, w2_x and w3_x, are multiplied by a number: kernels are given these divided by l
and by h = w2.y + w3.z, so that there is nothing to divide by, and derivatives have to be divided by them.

w2_x and w3_x count only by w2_x.x, w3_x.x, w2_x.y + w3_x.z and w2_x.z - w3_x.y: 16 VARIABLES are left of 18 components.
`gradient` gives the derivatives in the variables, of one after the other; `curved` the upper triangle of the matrix of second
derivatives, row by row, of the sum of the three with weights (par). What is zero is not written.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.form import Derived, made
from gaitwright.derive.interface import ARGUMENTS
from gaitwright.derive.symbols import Quantity
from gaitwright.physics.beams.section import TURNS, VECTORS, Section

VARIABLES = tuple(range(16))
"""Components whose derivatives are those in the 16 variables: r_x, r_xx, w2, w3, w2_x, w3_x.x."""
N = len(VARIABLES)


def derive_section(declaration: type[Section]) -> Derived:
    clear_cache()
    names = [f"{vector}_{axis}" for vector in VECTORS for axis in "xyz"]
    components = [Quantity(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)]
    weights = [Quantity(f"n_{strain}", f"par[{len(TURNS)} * e + {k}]") for k, strain in enumerate(TURNS)]
    vectors = [sympy.Matrix(components[3 * k : 3 * k + 3]) for k in range(len(VECTORS))]
    # On the axes of the section: r_x along t, and w2.z = w3.y; and divided by l and h.
    here = {components[1]: 0, components[2]: 0, components[10]: components[8]}
    along, here = here, here | {components[0]: 1, components[11]: 1 - components[7]}
    changes = [sympy.Matrix(sympy.symbols(f"change:{len(names)}")[3 * k : 3 * k + 3]) for k in range(len(VECTORS))]
    r_x, _, w2, w3, _, _ = vectors
    turn = sympy.Matrix(declaration.turn(r_x, w2, w3, changes[0], changes[2], changes[3]))  # type: ignore[arg-type]
    turns = turn.jacobian(sympy.Matrix.vstack(*changes))
    moved = sympy.Matrix.vstack(*(vector.cross(turn) for vector in vectors)).jacobian(sympy.Matrix.vstack(*changes))
    moved = (moved + sympy.eye(len(names))).subs(along)
    strains = declaration.turning(*vectors)  # type: ignore[arg-type]
    gradients, second = [], sympy.zeros(N, N)
    for strain, weight in zip(strains, weights, strict=True):
        gradient = sympy.Matrix([strain]).jacobian(components) * moved
        curved = gradient.jacobian(components) * moved
        turned = [skew(gradient[3 * k : 3 * k + 3]).T * turns for k in range(len(VECTORS))]
        curved = (curved + sympy.Matrix.vstack(*turned)).subs(here)
        gradients += [short(gradient[k].subs(here)) for k in VARIABLES]
        second += weight * curved.extract(VARIABLES, VARIABLES)
    triangle = [short(second[i, j]) for i in range(N) for j in range(i, N)]
    values = {"gradient": gradients, "curved": triangle}
    forms = [
        made(
            name,
            ARGUMENTS["section"][name],
            [(f"out[{k}]", "=", value) for k, value in enumerate(found) if value != 0],
            [*components, *weights],
        )
        for name, found in values.items()
    ]
    return Derived(['KIND = "section"'], forms)


def short(expression: Any) -> Any:
    return sympy.factor_terms(sympy.expand(expression))


def skew(v: Any) -> Any:
    """The matrix of v x u in u."""
    return sympy.Matrix([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
