"""Kernels of a constraint Phi(q, u(t)) = 0.

Phi'  = Phi_q v + Phi_t
Phi'' = Phi_q a - gamma           gamma = -(Phi_q v)_q v - 2 Phi_qt v - Phi_tt
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_form import DerivedKernels, KernelOutput, make_interface_form
from gaitwright.derive.kernel_library import DerivationBasis, MarkerBasis
from gaitwright.derive.marker_symbols import make_symbols
from gaitwright.derive.observations import observe_outputs
from gaitwright.derive.symbols import QuantitySymbol, call_declaration, describe_declaration
from gaitwright.physics.declarations import Constraint
from gaitwright.physics.symbolic import rate


def derive_constraint(declaration: type[Constraint], on: DerivationBasis) -> DerivedKernels:
    """Derive the kernels of a constraint."""
    s = make_symbols(declaration, on)
    phi = [s.shortened(sympy.sympify(value)) for value in call_declaration(declaration, "residual", s.arguments)]
    if len(phi) != len(declaration.rows):
        raise ModelError(
            f"residual() has {len(phi)} entries but rows names {len(declaration.rows)}",
            element=describe_declaration(declaration),
            expected="one name per entry",
        )
    for value in phi:
        s.require_known(declaration, "residual()", value, [*s.positions, *s.values])
    observed = observe_outputs(declaration, s)
    s.settle(phi, [value for *_, value in observed])
    n_rows = len(phi)
    lam = [QuantitySymbol(f"lam_{k}", f"lam[row[{n_rows} * e + {k}]]") for k in range(n_rows)]
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

    def rows(name: str, values: Sequence[Any]) -> list[KernelOutput]:
        return [(f"{name}[row[{n_rows} * e + {k}]]", "=", value) for k, value in enumerate(values)]

    def entries(name: str, values: dict[tuple[int, int], Any], pattern: list[tuple[int, int]]) -> list[KernelOutput]:
        return [(f"{name}[slot[{len(pattern)} * e + {k}]]", "+=", values[key]) for k, key in enumerate(pattern)]

    kernels: dict[str, list[KernelOutput]] = {
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
    if isinstance(on, MarkerBasis):  # Phi_x costs almost nothing there: `position` is used instead
        del kernels["residual"]
    quantities = (*s.everything, *lam)
    forms = [make_interface_form("constraint", kernel, outputs, quantities) for kernel, outputs in kernels.items()]
    return DerivedKernels(head, forms, tuple(s.constants), quantities)
