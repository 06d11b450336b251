"""Kernels of contacts: geometry (gap and slide), normal laws and friction, each on its own; compiled code chains them.

Q = F_n gap_q + F_t slide_q       F_n(-gap, -gap', approach speed)       F_t(slide', stretch, F_n)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright.derive.force import explicit_rate
from gaitwright.derive.form import Derived, Output, form
from gaitwright.derive.interface import CONTACT, FRAME, FRICTION_IN_SPACE, LAW, REGION_EVERYWHERE
from gaitwright.derive.symbols import Quantity, Symbols, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.physics.declare import ContactLaw, Family, Friction, Geometry
from gaitwright.physics.symbolic import Tangential, rate


def derive_geometry(declaration: type[Geometry], families: Sequence[type[Family]]) -> Derived:
    """The kernels of a contact geometry between bodies of the given families."""
    s = Symbols(declaration, families)
    gap, slide = (sympy.sympify(evaluate(declaration, what, s.arguments)) for what in ("gap", "slide"))
    region = [sympy.sympify(value) for value in evaluate(declaration, "region", s.arguments)]
    point = [sympy.sympify(value) for value in evaluate(declaration, "point", s.arguments)]
    for what, value in (("the gap", gap), ("the slide", slide), *(("the region", r) for r in region)):
        s.require_known(declaration, what, value, [*s.q, *s.values])
    s.settle([gap, slide])
    n = len(s.q)
    inside = sympy.Min(*region) if region else sympy.Integer(REGION_EVERYWHERE)
    gap_dot, slide_dot = sympy.sympify(rate(gap)), sympy.sympify(rate(slide))

    normal_row = [gap.diff(q) for q in s.q]
    tangent_row = [slide.diff(q) for q in s.q]
    seen = (gap, gap_dot, slide, slide_dot, inside)
    frame = (*seen, explicit_rate(gap, s), explicit_rate(slide, s), *point, *normal_row, *tangent_row)
    assert len(seen) == CONTACT and len(frame) == FRAME + 2 * n

    # What of -(F_n gap_q + F_t slide_q) changes because the rows do; the rest is made of rows: system/touch.py.
    fn, ft = (Quantity(name, f"coef[2 * e + {k}]") for k, name in enumerate(("fn", "ft")))
    forces = (fn, ft)
    pattern = [(i, j) for i in range(n) for j in range(n)]
    bent = {(i, j): -(fn * normal_row[i].diff(s.q[j]) + ft * tangent_row[i].diff(s.q[j])) for i, j in pattern}

    def listed(values: Sequence[Any]) -> list[Output]:
        return [(f"out[{len(values)} * e + {k}]", "=", value) for k, value in enumerate(values)]

    kernels = {
        "gap": listed(seen),
        "frame": listed(frame),
        "tangent": [
            *listed([value.diff(q) for value in (gap_dot, slide_dot) for q in s.q]),
            *((f"kq[slot[{len(pattern)} * e + {k}]]", "+=", bent[key]) for k, key in enumerate(pattern)),
        ],
    }
    lines = [
        'KIND = "contact"',
        f"N_DOF, N_PAR, N_SIG = {n}, {len(s.parameters)}, {len(s.signals)}",
        f"TANGENT = {tuple(pattern)!r}",
        "SYMMETRIC = False",
    ]
    quantities = (*s.q, *s.v, *s.loads, *forces)
    forms = [form("contact", name, outputs, quantities) for name, outputs in kernels.items()]
    return Derived(lines, forms, tuple(s.constants), quantities)


def _inputs(names: Sequence[str]) -> dict[str, Quantity]:
    return {name: Quantity(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)}


def _one_function(
    kind: str, values: Sequence[Any], s: Symbols, inputs: dict[str, Quantity], size: int = LAW
) -> Derived:
    outputs: list[Output] = [(f"out[{len(values)} * e + {k}]", "=", value) for k, value in enumerate(values)]
    assert len(values) == size
    quantities = (*inputs.values(), *s.loads)
    head = [f'KIND = "{kind}"', f"N_PAR = {len(s.parameters)}"]
    return Derived(head, [form(kind, "force", outputs, quantities)], tuple(s.constants), quantities)


def derive_law(declaration: type[ContactLaw]) -> Derived:
    """The kernel of a normal law: force (never negative), its derivatives, elastic energy and force."""
    s, inputs = Symbols(declaration, ()), _inputs(("penetration", "rate", "approach"))
    raw = sympy.sympify(evaluate(declaration, "force", {**inputs, **s.arguments}))
    energy = sympy.sympify(evaluate(declaration, "energy", {"penetration": inputs["penetration"], **s.arguments}))
    s.require_known(declaration, "force()", raw, [*inputs.values(), *s.values])
    s.require_known(declaration, "energy()", energy, [inputs["penetration"], *s.values])
    s.settle([raw, energy])
    force = sympy.Max(raw, 0)
    values = (
        force, force.diff(inputs["penetration"]), force.diff(inputs["rate"]), energy, energy.diff(inputs["penetration"]),
    )  # fmt: skip
    return _one_function("law", values, s, inputs)


def derive_friction(declaration: type[Friction], families: Sequence[type[Family]] = ()) -> Derived:
    """The kernel of a friction law: force, its derivatives, and the largest stretch (-1: no history). With
    a family of space: the same with vectors."""
    s, names = Symbols(declaration, ()), ("slip", "stretch")
    if not families:
        inputs = _inputs((*names, "normal"))
        slip, stretch = ([inputs[name]] for name in names)
        given: dict[str, Any] = inputs
    else:
        parts = {name: [f"{name}_{axis}" for axis in "xyz"] for name in names}
        inputs = _inputs((*parts["slip"], *parts["stretch"], "normal"))
        slip, stretch = ([inputs[part] for part in parts[name]] for name in names)
        given = {"slip": Tangential(slip), "stretch": Tangential(stretch), "normal": inputs["normal"]}
    found = evaluate(declaration, "force", {**given, **s.arguments})
    force = [sympy.sympify(part) for part in (found.parts if families else [found])]
    limit = evaluate(declaration, "limit", {"normal": inputs["normal"], **s.arguments})
    for part in force:
        s.require_known(declaration, "force()", part, [*inputs.values(), *s.values])
        if limit is None and part.free_symbols & set(stretch):
            raise ModelError(
                "the force depends on the stretch", element=describe(declaration), expected="a limit() of it"
            )
    limit = sympy.Integer(-1) if limit is None else sympy.sympify(limit)
    s.settle(force)
    slopes = [part.diff(x) for symbols in (slip, stretch, [inputs["normal"]]) for part in force for x in symbols]
    kind = "friction_in_space" if families else "friction"
    return _one_function(kind, (*force, *slopes, limit), s, inputs, FRICTION_IN_SPACE if families else LAW)
