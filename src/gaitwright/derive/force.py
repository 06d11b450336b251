"""Kernels of a force given by its potential V, Rayleigh dissipation R and loads (F, r).

Q = -V_q - R_v + sum r_q^T F
"""

from __future__ import annotations

import math
import random

import sympy

from gaitwright.derive.kernel_form import DerivedKernels, KernelOutput, make_interface_form
from gaitwright.derive.kernel_library import DerivationBasis
from gaitwright.derive.marker_symbols import make_symbols
from gaitwright.derive.numba_printer import print_form
from gaitwright.derive.observations import observe_outputs
from gaitwright.derive.symbols import ElementSymbols, call_declaration
from gaitwright.physics.declarations import Force
from gaitwright.physics.symbolic import rate


def _is_symmetric(tangent: list[str], pattern: list[tuple[int, int]], s: ElementSymbols, moving: bool) -> bool:
    """Return True if the generated tangents are symmetric at random points: symbolic simplification takes minutes for a
    spring. Coordinates and velocities have both signs, so that both sides of a stop are tested. moving: if False, velocities
    are zero."""
    n, namespace = len(s.q), dict(vars(math))
    exec("\n".join(tangent), namespace)
    generator = random.Random(0)
    tried = 0
    for _ in range(24):
        q, v = ([generator.choice((-1, 1)) * generator.uniform(0.3, 2.0) for _ in range(n)] for _ in range(2))
        v = [speed * moving for speed in v]
        par, u = ([generator.uniform(0.3, 2.0) for _ in range(k)] for k in (len(s.parameters), 3 * len(s.signals)))
        kq, kv = [0.0] * len(pattern), [0.0] * len(pattern)
        try:
            namespace["tangent"](1, range(n), par, range(len(s.signals)), range(len(pattern)), q, v, u, kq, kv)
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            continue  # outside the domain of the expression
        tried += 1
        for values in (kq, kv):
            entries = dict(zip(pattern, values, strict=True))
            size = max(map(abs, values), default=0.0)
            if any(abs(x - entries.get((j, i), 0.0)) > 1e-9 * size for (i, j), x in entries.items()):
                return False
    return tried > 0


def explicit_rate(expression: sympy.Expr, s: ElementSymbols) -> sympy.Expr:
    """Return the partial derivative in time, through the signals alone."""
    return sum((expression.diff(u) * u.rate for u in s.values if u.rate is not None), sympy.Integer(0))


def derive_force(declaration: type[Force], on: DerivationBasis) -> DerivedKernels:
    """Derive the kernels of a force."""
    s = make_symbols(declaration, on)
    effect = call_declaration(declaration, "effect", s.arguments)
    potential, dissipation = sympy.sympify(effect.potential), sympy.sympify(effect.dissipation)
    loads = [(sympy.sympify(f), sympy.sympify(r)) for f, r in effect.loads]
    s.require_known(declaration, "the potential", potential, [*s.positions, *s.values])
    for value in (dissipation, *(f for f, _ in loads)):
        s.require_known(declaration, "effect()", value, [*s.positions, *s.velocities, *s.loads])
    for _, displacement in loads:
        s.require_known(declaration, "the displacement of a load", displacement, [*s.positions, *s.values])
    observed = observe_outputs(declaration, s)
    s.settle([potential, dissipation, *(part for load in loads for part in load)], [value for *_, value in observed])
    n = len(s.q)

    q_force = [
        -s.diff(potential, q) - s.diff(dissipation, v) + sum(s.diff(r, q) * f for f, r in loads)
        for q, v in zip(s.q, s.v, strict=True)
    ]
    kq = {(i, j): -s.diff(q_force[i], q) for i in range(n) for j, q in enumerate(s.q)}
    kv = {(i, j): -s.diff(q_force[i], v) for i in range(n) for j, v in enumerate(s.v)}
    pattern = sorted(key for key in kq if kq[key] != 0 or kv[key] != 0)
    # Power input to the mechanism: Q v of the loads, without the part of r' due to time alone, and dV/dt at rest.
    load_power = sum((f * (rate(r) - explicit_rate(r, s)) for f, r in loads), sympy.Integer(0))
    load_power += explicit_rate(potential, s)
    dissipated = sum((dissipation.diff(v) * v for v in s.velocities), sympy.Integer(0))
    if effect.dissipative:
        dissipated, load_power = dissipated - load_power, sympy.Integer(0)

    kernels: dict[str, list[KernelOutput]] = {
        "force": [(f"total[dof[{n} * e + {i}]]", "+=", value) for i, value in enumerate(q_force)],
        "tangent": [
            (f"{name}[slot[{len(pattern)} * e + {k}]]", "+=", values[key])
            for name, values in (("kq", kq), ("kv", kv))
            for k, key in enumerate(pattern)
        ],
        "energy": [(f"energy[3 * e + {k}]", "=", value) for k, value in enumerate((potential, dissipated, load_power))],
    }
    if observed:
        kernels["observe"] = observed
    forms = [make_interface_form("force", name, outputs, s.everything) for name, outputs in kernels.items()]
    tangent = print_form(next(form for form in forms if form.name == "tangent"))
    symmetric, at_rest = (_is_symmetric(tangent, pattern, s, moving) for moving in (True, False))
    head = [
        'KIND = "force"',
        f"N_DOF, N_PAR, N_SIG = {n}, {len(s.parameters)}, {len(s.signals)}",
        f"TANGENT = {tuple(pattern)!r}",
        f"SYMMETRIC = {symmetric}",
        *(["SYMMETRIC_AT_REST = True"] if at_rest and not symmetric else []),  # the asymmetry is due to damping
        f"POTENTIAL, DISSIPATES, LOADS = {potential != 0}, {dissipated != 0}, {load_power != 0}",
        f"DAMPED = {any(value != 0 for value in kv.values())}",
        *s.definitions(),
    ]
    return DerivedKernels(head, forms, tuple(s.constants), tuple(s.everything))
