"""Kernels of contacts: relative pose of two bodies (pose), surfaces as functions of it (shape), laws and friction, each
separate; compiled code combines them (contact/state.py).

w = (f, m)        force and moment on b in the frame of a         Q = twist_v^T w        twist = (at', spin)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_form import DerivedKernels, KernelOutput, make_interface_form
from gaitwright.derive.kernel_interface import (
    LAW_SIZE,
    REGION_EVERYWHERE,
    friction_size,
    pose_size,
    surface_size,
    twist_size,
)
from gaitwright.derive.kernel_library import MarkerBasis, PlacedBasis
from gaitwright.derive.marker_symbols import MarkerSymbols
from gaitwright.derive.symbols import ElementSymbols, QuantitySymbol, call_declaration, describe_declaration
from gaitwright.physics.attachments import FacePoint, Place
from gaitwright.physics.bodies.place_marker import GROUND_AXES_MARKERS
from gaitwright.physics.declarations import ContactLaw, ContactPose, ContactShape, Friction
from gaitwright.physics.symbolic import Tangential, rate


def derive_pose(declaration: type[ContactPose], basis: Any) -> DerivedKernels:
    """Derive the kernels of a pose between bodies of the given families, or in the variables of two markers."""
    placed = isinstance(basis, PlacedBasis)
    s = MarkerSymbols(declaration, MarkerBasis(basis.dimension)) if placed else ElementSymbols(declaration, basis)
    d = s.dimension
    for label, kind in declaration.attachments.items():
        if type(kind) in (Place, FacePoint) or (label == "b" and placed and not basis.axes):
            s.arguments[label] = GROUND_AXES_MARKERS[d](s.arguments[label].position)
    place = [sympy.sympify(value) for value in call_declaration(declaration, "place", s.arguments)]
    spin = [sympy.sympify(value) for value in call_declaration(declaration, "spin", s.arguments)]
    turned = [sympy.sympify(value) for value in call_declaration(declaration, "turned", s.arguments)]
    twist = [*(sympy.sympify(rate(value)) for value in place), *spin]
    a, b = s.arguments["a"], s.arguments["b"]
    where = [*turned, *b.position, *(part for axis in a.axes for part in axis)]
    s.settle([*place, *twist, *where])
    n = len(s.q)
    if placed:
        for k, (q, v) in enumerate(zip(s.q, s.v, strict=True)):
            q.load, v.load = f"q[{n} * e + {k}]", f"v[{n} * e + {k}]"
    explicit = [s.at_rest(value, velocities=True) for value in twist[:d]]
    coef = [QuantitySymbol(f"w_{k}", f"coef[{len(twist)} * e + {k}]") for k in range(len(twist))]
    power = sum((w * value for w, value in zip(coef, twist, strict=True)), sympy.Integer(0))
    force = [s.diff(power, v) for v in s.v]
    bent = {(i, j): -s.diff(force[i], s.q[j]) for i in range(n) for j in range(n)}
    pose_values = (*place, *twist, *explicit, *where)
    assert len(twist) == twist_size(d) and len(pose_values) == pose_size(d)
    by_v, by_q = ({(k, i): s.diff(t, x) for k, t in enumerate(twist) for i, x in enumerate(to)} for to in (s.v, s.q))
    if placed:  # the non-zero entries; converted to coordinates in contact/marker_kinematics.py
        by_v, by_q, bent = ({key: x for key, x in part.items() if x != 0} for part in (by_v, by_q, bent))
    bending = [(f"kq[slot[{len(bent)} * e + {k}]]", "+=", value) for k, value in enumerate(bent.values())]
    kernels: dict[str, list[KernelOutput]] = {
        "frame": [*_array_outputs(pose_values), *_array_outputs(list(by_v.values()), "twist")],
        "tangent": [*_array_outputs(list(by_q.values())), *bending],
    }
    if placed:  # most calls need the pose alone, some the force, and few the matrix of the twist
        kernels = {
            "frame": _array_outputs(pose_values),
            "press": _array_outputs(force),
            "tangent": [*_array_outputs([*by_v.values(), *by_q.values()]), *_array_outputs(list(bent.values()), "kq")],
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
    return DerivedKernels(
        lines,
        [make_interface_form(kind, name, out, quantities) for name, out in kernels.items()],
        tuple(s.constants),
        quantities,
    )


def derive_shape(declaration: type[ContactShape], basis: MarkerBasis) -> DerivedKernels:
    """Derive the kernels of a planar or spatial surface."""
    s, d = ElementSymbols(declaration, (), basis.dimension), basis.dimension
    if "radius" not in s.arguments:
        raise ModelError(
            "has no parameter 'radius'",
            element=describe_declaration(declaration),
            expected="radius of the touching body, m",
        )
    at = [QuantitySymbol(f"at_{axis}", f"given[{d} * e + {k}]") for k, axis in enumerate("xyz"[:d])]
    arguments = {"at": tuple(at), **s.arguments}
    gap = sympy.sympify(call_declaration(declaration, "gap", arguments))
    normal = [sympy.sympify(part) for part in call_declaration(declaration, "normal", arguments)]
    region = [sympy.sympify(value) for value in call_declaration(declaration, "region", arguments)]
    for quantity, values in (("the gap", [gap]), ("the normal", normal), ("the region", region)):
        for value in values:
            s.require_known(declaration, quantity, value, [*at, *s.values])
    s.settle([gap, *normal])
    inside = sympy.Min(*region) if region else sympy.Integer(REGION_EVERYWHERE)
    gradient = [gap.diff(x) for x in at]
    surface_values = (gap, inside, *normal, *gradient)
    assert len(surface_values) == surface_size(d)
    kernels = {
        "surface": _array_outputs(surface_values),
        "tangent": _array_outputs([part.diff(x) for vector in (gradient, normal) for part in vector for x in at]),
    }
    lines = ['KIND = "shape"', f"N_PAR = {len(s.parameters)}"]
    quantities = (*at, *s.loads)
    return DerivedKernels(
        lines,
        [make_interface_form("shape", name, out, quantities) for name, out in kernels.items()],
        tuple(s.constants),
        quantities,
    )


def _array_outputs(values: Sequence[Any], array: str = "out") -> list[KernelOutput]:
    return [(f"{array}[{len(values)} * e + {k}]", "=", value) for k, value in enumerate(values)]


def _given_symbols(names: Sequence[str]) -> dict[str, QuantitySymbol]:
    return {name: QuantitySymbol(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)}


def _single_kernel(
    kind: str, values: Sequence[Any], s: ElementSymbols, inputs: dict[str, QuantitySymbol], size: int
) -> DerivedKernels:
    assert len(values) == size
    quantities = (*inputs.values(), *s.loads)
    head = [f'KIND = "{kind}"', f"N_PAR = {len(s.parameters)}"]
    return DerivedKernels(
        head, [make_interface_form(kind, "force", _array_outputs(values), quantities)], tuple(s.constants), quantities
    )


def derive_law(declaration: type[ContactLaw]) -> DerivedKernels:
    """Derive the kernel of a normal law: force (never negative), its derivatives, elastic energy and force."""
    s, inputs = ElementSymbols(declaration, ()), _given_symbols(("penetration", "rate", "approach"))
    raw = sympy.sympify(call_declaration(declaration, "force", {**inputs, **s.arguments}))
    energy = sympy.sympify(
        call_declaration(declaration, "energy", {"penetration": inputs["penetration"], **s.arguments})
    )
    s.require_known(declaration, "force()", raw, [*inputs.values(), *s.values])
    s.require_known(declaration, "energy()", energy, [inputs["penetration"], *s.values])
    s.settle([raw, energy])
    force = sympy.Max(raw, 0)
    values = (
        force, force.diff(inputs["penetration"]), force.diff(inputs["rate"]), energy, energy.diff(inputs["penetration"]),
    )  # fmt: skip
    return _single_kernel("law", values, s, inputs, LAW_SIZE)


def derive_friction(declaration: type[Friction], basis: MarkerBasis | None = None) -> DerivedKernels:
    """Derive the kernel of a friction law: force, its derivatives, and the largest stretch (-1: no history), along the single
    tangent in the plane; with a spatial basis the same with vectors."""
    s, names = ElementSymbols(declaration, ()), ("slip", "stretch")
    if basis is None:
        inputs = _given_symbols((*names, "normal"))
        slip, stretch = ([inputs[name]] for name in names)
        arguments: dict[str, Any] = inputs
    else:
        parts = {name: [f"{name}_{axis}" for axis in "xyz"[: basis.dimension]] for name in names}
        inputs = _given_symbols((*parts["slip"], *parts["stretch"], "normal"))
        slip, stretch = ([inputs[part] for part in parts[name]] for name in names)
        arguments = {"slip": Tangential(slip), "stretch": Tangential(stretch), "normal": inputs["normal"]}
    result = call_declaration(declaration, "force", {**arguments, **s.arguments})
    force = [sympy.sympify(part) for part in (result.parts if basis else [result])]
    limit = call_declaration(declaration, "limit", {"normal": inputs["normal"], **s.arguments})
    for part in force:
        s.require_known(declaration, "force()", part, [*inputs.values(), *s.values])
        if limit is None and part.free_symbols & set(stretch):
            raise ModelError(
                "the force depends on the stretch",
                element=describe_declaration(declaration),
                expected="a limit() of it",
            )
    limit = sympy.Integer(-1) if limit is None else sympy.sympify(limit)
    s.settle(force)
    slopes = [part.diff(x) for symbols in (slip, stretch, [inputs["normal"]]) for part in force for x in symbols]
    kind = "friction_in_space" if basis else "friction"
    return _single_kernel(
        kind, (*force, *slopes, limit), s, inputs, friction_size(basis.dimension) if basis else LAW_SIZE
    )
