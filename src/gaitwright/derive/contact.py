"""Kernels of contacts: how two bodies lie to each other (pose), surfaces as functions of that (shape), laws and friction,
each on its own; compiled code chains them (system/touch.py).

w = (f, m)        force and moment on b in the frame of a         Q = twist_v^T w        twist = (at', spin)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright.derive.form import Derived, Output, form
from gaitwright.derive.interface import LAW, REGION_EVERYWHERE, friction_size, pose_size, surface_size, twist_size
from gaitwright.derive.library import Markers, Placed
from gaitwright.derive.markers import MarkerSymbols
from gaitwright.derive.symbols import Quantity, Symbols, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.physics.bodies.still import STILL
from gaitwright.physics.declare import ContactLaw, Facet, Friction, Place, Pose, Shape
from gaitwright.physics.symbolic import Tangential, rate


def derive_pose(declaration: type[Pose], basis: Any) -> Derived:
    """The kernels of a pose between bodies of the given families, or in the variables of two markers."""
    placed = isinstance(basis, Placed)
    s = MarkerSymbols(declaration, Markers(basis.dimension)) if placed else Symbols(declaration, basis)
    d = s.dimension
    for label, kind in declaration.attachments.items():
        if type(kind) in (Place, Facet) or (label == "b" and placed and not basis.axes):
            s.arguments[label] = STILL[d](s.arguments[label].position)
    place = [sympy.sympify(value) for value in evaluate(declaration, "place", s.arguments)]
    spin = [sympy.sympify(value) for value in evaluate(declaration, "spin", s.arguments)]
    turned = [sympy.sympify(value) for value in evaluate(declaration, "turned", s.arguments)]
    twist = [*(sympy.sympify(rate(value)) for value in place), *spin]
    a, b = s.arguments["a"], s.arguments["b"]
    where = [*turned, *b.position, *(part for axis in a.axes for part in axis)]
    s.settle([*place, *twist, *where])
    n = len(s.q)
    if placed:
        for k, (q, v) in enumerate(zip(s.q, s.v, strict=True)):
            q.load, v.load = f"q[{n} * e + {k}]", f"v[{n} * e + {k}]"
    explicit = [s.at_rest(value, velocities=True) for value in twist[:d]]
    coef = [Quantity(f"w_{k}", f"coef[{len(twist)} * e + {k}]") for k in range(len(twist))]
    power = sum((w * value for w, value in zip(coef, twist, strict=True)), sympy.Integer(0))
    force = [s.diff(power, v) for v in s.v]
    bent = {(i, j): -s.diff(force[i], s.q[j]) for i in range(n) for j in range(n)}
    seen = (*place, *twist, *explicit, *where)
    assert len(twist) == twist_size(d) and len(seen) == pose_size(d)
    by_v, by_q = ({(k, i): s.diff(t, x) for k, t in enumerate(twist) for i, x in enumerate(to)} for to in (s.v, s.q))
    if placed:  # the entries that there are; what becomes of them in coordinates: system/placing.py
        by_v, by_q, bent = ({key: x for key, x in part.items() if x != 0} for part in (by_v, by_q, bent))
    bending = [(f"kq[slot[{len(bent)} * e + {k}]]", "+=", value) for k, value in enumerate(bent.values())]
    kernels: dict[str, list[Output]] = {
        "frame": [*_listed(seen), *_listed(list(by_v.values()), "twist")],
        "tangent": [*_listed(list(by_q.values())), *bending],
    }
    if placed:  # most ask for the pose alone, some for the force, and few for the matrix of the twist
        kernels = {
            "frame": _listed(seen),
            "press": _listed(force),
            "tangent": [*_listed([*by_v.values(), *by_q.values()]), *_listed(list(bent.values()), "kq")],
        }
    kind = "placed_pose" if placed else "pose"
    lines = [
        f'KIND = "{kind}"',
        f"N_DOF, N_PAR, N_SIG = {n}, {len(s.parameters)}, {len(s.signals)}",
        "SYMMETRIC = False",
    ]
    if placed:
        entries = {"TWIST_V": by_v, "TWIST_Q": by_q, "TANGENT": bent}
        lines += [*(f"{name} = {tuple(part)!r}" for name, part in entries.items()), *s.definitions()]
    else:
        lines += [f"TANGENT = tuple((i, j) for i in range({n}) for j in range({n}))"]
    quantities = (*s.everything, *coef)
    return Derived(
        lines, [form(kind, name, out, quantities) for name, out in kernels.items()], tuple(s.constants), quantities
    )


def derive_shape(declaration: type[Shape], basis: Markers) -> Derived:
    """The kernels of a surface in the plane or in space."""
    s, d = Symbols(declaration, (), basis.dimension), basis.dimension
    if "radius" not in s.arguments:
        raise ModelError(
            "has no parameter 'radius'", element=describe(declaration), expected="that of what touches it, m"
        )
    at = [Quantity(f"at_{axis}", f"given[{d} * e + {k}]") for k, axis in enumerate("xyz"[:d])]
    arguments = {"at": tuple(at), **s.arguments}
    gap = sympy.sympify(evaluate(declaration, "gap", arguments))
    normal = [sympy.sympify(part) for part in evaluate(declaration, "normal", arguments)]
    region = [sympy.sympify(value) for value in evaluate(declaration, "region", arguments)]
    for what, values in (("the gap", [gap]), ("the normal", normal), ("the region", region)):
        for value in values:
            s.require_known(declaration, what, value, [*at, *s.values])
    s.settle([gap, *normal])
    inside = sympy.Min(*region) if region else sympy.Integer(REGION_EVERYWHERE)
    gradient = [gap.diff(x) for x in at]
    seen = (gap, inside, *normal, *gradient)
    assert len(seen) == surface_size(d)
    kernels = {
        "surface": _listed(seen),
        "tangent": _listed([part.diff(x) for vector in (gradient, normal) for part in vector for x in at]),
    }
    lines = ['KIND = "shape"', f"N_PAR = {len(s.parameters)}"]
    quantities = (*at, *s.loads)
    return Derived(
        lines, [form("shape", name, out, quantities) for name, out in kernels.items()], tuple(s.constants), quantities
    )


def _listed(values: Sequence[Any], array: str = "out") -> list[Output]:
    return [(f"{array}[{len(values)} * e + {k}]", "=", value) for k, value in enumerate(values)]


def _inputs(names: Sequence[str]) -> dict[str, Quantity]:
    return {name: Quantity(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)}


def _one_function(kind: str, values: Sequence[Any], s: Symbols, inputs: dict[str, Quantity], size: int) -> Derived:
    assert len(values) == size
    quantities = (*inputs.values(), *s.loads)
    head = [f'KIND = "{kind}"', f"N_PAR = {len(s.parameters)}"]
    return Derived(head, [form(kind, "force", _listed(values), quantities)], tuple(s.constants), quantities)


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
    return _one_function("law", values, s, inputs, LAW)


def derive_friction(declaration: type[Friction], basis: Markers | None = None) -> Derived:
    """The kernel of a friction law: force, its derivatives, and the largest stretch (-1: no history), along the one tangent
    there is in the plane; with a basis of space the same with vectors."""
    s, names = Symbols(declaration, ()), ("slip", "stretch")
    if basis is None:
        inputs = _inputs((*names, "normal"))
        slip, stretch = ([inputs[name]] for name in names)
        given: dict[str, Any] = inputs
    else:
        parts = {name: [f"{name}_{axis}" for axis in "xyz"[: basis.dimension]] for name in names}
        inputs = _inputs((*parts["slip"], *parts["stretch"], "normal"))
        slip, stretch = ([inputs[part] for part in parts[name]] for name in names)
        given = {"slip": Tangential(slip), "stretch": Tangential(stretch), "normal": inputs["normal"]}
    found = evaluate(declaration, "force", {**given, **s.arguments})
    force = [sympy.sympify(part) for part in (found.parts if basis else [found])]
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
    kind = "friction_in_space" if basis else "friction"
    return _one_function(kind, (*force, *slopes, limit), s, inputs, friction_size(basis.dimension) if basis else LAW)
