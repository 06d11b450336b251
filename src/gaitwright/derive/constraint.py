"""Kernels of a constraint Phi(q, u(t)) = 0.

Phi'  = Phi_q v + Phi_t
Phi'' = Phi_q a - gamma           gamma = -(Phi_q v)_q v - 2 Phi_qt v - Phi_tt
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright.derive.form import Derived, Output, form
from gaitwright.derive.library import Basis, Markers
from gaitwright.derive.markers import symbols_of
from gaitwright.derive.observed import observed_values
from gaitwright.derive.symbols import Quantity, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.physics.declare import Constraint
from gaitwright.physics.symbolic import rate


def derive_constraint(declaration: type[Constraint], on: Basis) -> Derived:
    """The kernels of a constraint."""
    s = symbols_of(declaration, on)
    phi = [s.shortened(sympy.sympify(value)) for value in evaluate(declaration, "residual", s.arguments)]
    if len(phi) != len(declaration.rows):
        raise ModelError(
            f"residual() has {len(phi)} entries but rows names {len(declaration.rows)}", element=describe(declaration),
            expected="one name per entry",
        )  # fmt: skip
    for value in phi:
        s.require_known(declaration, "residual()", value, [*s.positions, *s.values])
    observed = observed_values(declaration, s)
    s.settle(phi, [value for *_, value in observed])
    n_rows = len(phi)
    lam = [Quantity(f"lam_{k}", f"lam[row[{n_rows} * e + {k}]]") for k in range(n_rows)]
    damp, stiff = sympy.symbols("damp stiff", real=True)

    phi_dot = [sympy.sympify(rate(value)) for value in phi]
    phi_t = [s.at_rest(value, velocities=True) for value in phi_dot]
    phi_ddot = [sympy.sympify(rate(value)) for value in phi_dot]
    gamma = [-s.at_rest(value, velocities=False) for value in phi_ddot]

    jacobian = {(k, i): s.diff(phi[k], q) for k in range(n_rows) for i, q in enumerate(s.q)}
    weighted = sum((l * value for l, value in zip(lam, phi, strict=True)), sympy.Integer(0))
    hessian = {(i, j): s.diff(weighted, p, q) for i, p in enumerate(s.q) for j, q in enumerate(s.q)}
    stabilised = [dd + damp * d + stiff * p for dd, d, p in zip(phi_ddot, phi_dot, phi, strict=True)]
    gq = {(k, i): s.diff(stabilised[k], q) for k in range(n_rows) for i, q in enumerate(s.q)}
    gv = {(k, i): s.diff(stabilised[k], v) for k in range(n_rows) for i, v in enumerate(s.v)}

    jac_pattern = sorted(key for key, value in jacobian.items() if value != 0)
    hess_pattern = sorted(key for key, value in hessian.items() if value != 0)

    def rows(name: str, values: Sequence[Any]) -> list[Output]:
        return [(f"{name}[row[{n_rows} * e + {k}]]", "=", value) for k, value in enumerate(values)]

    def entries(name: str, values: dict[tuple[int, int], Any], pattern: list[tuple[int, int]]) -> list[Output]:
        return [(f"{name}[slot[{len(pattern)} * e + {k}]]", "+=", values[key]) for k, key in enumerate(pattern)]

    kernels: dict[str, list[Output]] = {
        "residual": rows("phi", phi),
        "position": [*rows("phi", phi), *entries("jac", jacobian, jac_pattern)],
        "motion": [
            *rows("phi", phi),
            *rows("phi_t", phi_t),
            *rows("phi_dot", phi_dot),
            *rows("gamma", gamma),
            *entries("jac", jacobian, jac_pattern),
        ],
        "hessian": entries("kq", hessian, hess_pattern),
        "acceleration": [*entries("gq", gq, jac_pattern), *entries("gv", gv, jac_pattern)],
    }
    if observed:
        kernels["observe"] = observed
    head = [
        'KIND = "constraint"',
        f"N_DOF, N_PAR, N_SIG, N_ROW = {len(s.q)}, {len(s.parameters)}, {len(s.signals)}, {n_rows}",
        f"JACOBIAN = {tuple(jac_pattern)!r}",
        f"HESSIAN = {tuple(hess_pattern)!r}",
        "SYMMETRIC = True",
        *s.definitions(),
    ]
    if isinstance(on, Markers):  # Phi_x costs next to nothing there: `position` serves as well
        del kernels["residual"]
    quantities = (*s.everything, *lam)
    forms = [form("constraint", kernel, outputs, quantities) for kernel, outputs in kernels.items()]
    return Derived(head, forms, tuple(s.constants), quantities)
