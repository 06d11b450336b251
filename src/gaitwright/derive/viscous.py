"""Kernels of damping at one point of a solid: the dissipation R as a function of the rates y of the strains, one triangle row
by row, and its derivatives in them.

`power` gives 2 R, `stress` R_y, `tangent` R_y and then the upper triangle of the matrix R_yy, row by row; what is zero is not
written. What follows from these is in system/solids/viscous_point.py.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.form import Derived
from gaitwright.derive.interface import ARGUMENTS
from gaitwright.derive.solid import derivatives, kernel, strain_names
from gaitwright.derive.symbols import Quantity, Symbols, evaluate
from gaitwright.physics.materials.viscous import Viscosity

ORDERS = {"power": 0, "stress": 1, "tangent": 2}


def derive_viscosity(declaration: type[Viscosity], basis: Any) -> Derived:
    """The kernels of damping in a dimension."""
    clear_cache()  # SymPy would hand out symbols with the places of others of the same names
    names = strain_names("d", basis.dimension)
    y = {name: Quantity(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)}
    rate = [[y.get(f"d{min(i, j)}{max(i, j)}", sympy.Integer(0)) for j in (1, 2, 3)] for i in (1, 2, 3)]
    s = Symbols(declaration, ())
    R = sympy.sympify(evaluate(declaration, "dissipation", {"rate": rate, **s.arguments}))
    s.settle([R])
    s.require_known(declaration, "dissipation()", R, [*y.values(), *s.loads])
    inputs = [*y.values(), *s.loads]
    forms = [
        kernel(name, ARGUMENTS["viscosity"][name], derivatives(R if order else 2 * R, list(y.values()), order), inputs)
        for name, order in ORDERS.items()
    ]
    return Derived(['KIND = "viscosity"', f"N_PAR, LINEAR = {len(s.parameters)}, {declaration.linear}"], forms)
