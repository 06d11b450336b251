"""Kernels of damping at one point of a solid: the dissipation R as a function of the rates y of the strains, one triangle row
by row, and its derivatives.

`power` writes 2 R, `stress` R_y, `tangent` R_y and then the upper triangle of the matrix R_yy, row by row; zeros are not
written. fem/viscous_point.py computes the viscous stress from these.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.kernel_form import DerivedKernels
from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS
from gaitwright.derive.material import differentiate_energy, make_point_form, strain_names
from gaitwright.derive.symbols import ElementSymbols, QuantitySymbol, call_declaration
from gaitwright.physics.materials.viscous import Viscosity

DERIVATIVE_ORDERS = {"power": 0, "stress": 1, "tangent": 2}


def derive_viscosity(declaration: type[Viscosity], basis: Any) -> DerivedKernels:
    """Derive the kernels of damping in a dimension."""
    clear_cache()  # from its cache SymPy would return symbols of the same names with other loads
    names = strain_names("d", basis.dimension)
    y = {name: QuantitySymbol(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)}
    rate = [[y.get(f"d{min(i, j)}{max(i, j)}", sympy.Integer(0)) for j in (1, 2, 3)] for i in (1, 2, 3)]
    s = ElementSymbols(declaration, ())
    R = sympy.sympify(call_declaration(declaration, "dissipation", {"rate": rate, **s.arguments}))
    s.settle([R])
    s.require_known(declaration, "dissipation()", R, [*y.values(), *s.loads])
    inputs = [*y.values(), *s.loads]
    forms = [
        make_point_form(
            name,
            KERNEL_ARGUMENTS["viscosity"][name],
            differentiate_energy(R if order else 2 * R, list(y.values()), order),
            inputs,
        )
        for name, order in DERIVATIVE_ORDERS.items()
    ]
    return DerivedKernels(['KIND = "viscosity"', f"N_PAR, LINEAR = {len(s.parameters)}, {declaration.linear}"], forms)
