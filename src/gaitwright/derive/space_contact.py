"""Kernels of contacts in space: how two bodies lie to each other (pose), and surfaces as functions of that (shape).

w = (f, m)        force and moment on b in the frame of a         f = F_n gap_at + slip_at'^T F_t      m = slip_spin^T F_t
Q = twist_v^T w                                                   twist = (at', spin)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright.derive.form import Derived, Output, form
from gaitwright.derive.interface import FORCES_IN_SPACE, POSE, REGION_EVERYWHERE, SEEN, SHAPE, TWIST
from gaitwright.derive.symbols import Quantity, Symbols, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.physics.declare import Family, Pose, Shape
from gaitwright.physics.symbolic import cross3, dot, rate


def derive_pose(declaration: type[Pose], families: Sequence[type[Family]]) -> Derived:
    """The kernels of a pose between bodies of the given families."""
    s = Symbols(declaration, families)
    place = [sympy.sympify(value) for value in evaluate(declaration, "place", s.arguments)]
    spin = [sympy.sympify(value) for value in evaluate(declaration, "spin", s.arguments)]
    twist = [*(sympy.sympify(rate(value)) for value in place), *spin]
    s.settle(twist)
    n, a, b = len(s.q), s.arguments["a"], s.arguments["b"]
    explicit = [s.at_rest(value, velocities=True) for value in twist[:3]]
    coef = [Quantity(f"w_{k}", f"coef[{TWIST} * e + {k}]") for k in range(TWIST)]
    power = sum((w * value for w, value in zip(coef, twist, strict=True)), sympy.Integer(0))
    force = [s.diff(power, v) for v in s.v]
    pattern = [(i, j) for i in range(n) for j in range(n)]
    seen = (*place, *twist, *explicit, *b.position, *(part for axis in a.axes for part in axis))
    assert len(seen) == POSE
    kernels: dict[str, list[Output]] = {
        "pose": _listed(seen),
        "force": [(f"total[dof[{n} * e + {i}]]", "+=", value) for i, value in enumerate(force)],
        "tangent": [
            *_listed([*(s.diff(t, v) for t in twist for v in s.v), *(s.diff(t, q) for t in twist for q in s.q)]),
            *((f"kq[slot[{n * n} * e + {k}]]", "+=", -s.diff(force[i], s.q[j])) for k, (i, j) in enumerate(pattern)),
        ],
    }
    lines = [
        'KIND = "pose"',
        f"N_DOF, N_PAR, N_SIG = {n}, {len(s.parameters)}, {len(s.signals)}",
        f"TANGENT = tuple((i, j) for i in range({n}) for j in range({n}))",
        "SYMMETRIC = False",
    ]
    quantities = (*s.everything, *coef)
    return Derived(
        lines, [form("pose", name, out, quantities) for name, out in kernels.items()], tuple(s.constants), quantities
    )


def derive_shape(declaration: type[Shape]) -> Derived:
    """The kernels of a surface in space."""
    s = Symbols(declaration, ())
    if "radius" not in s.arguments:
        raise ModelError(
            "has no parameter 'radius'", element=describe(declaration), expected="that of what touches it, m"
        )
    names = [*(f"at_{axis}" for axis in "xyz"), *(f"v_{axis}" for axis in "xyz"), *(f"spin_{axis}" for axis in "xyz")]
    given = [Quantity(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)]
    at, velocity, spin, twist = given[:3], given[3:6], given[6:], given[3:]
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
    gap_dot = dot(gradient, velocity)
    turning = cross3(spin, normal)
    radius, along = s.arguments["radius"], dot(normal, velocity)
    slip = [v - n * along - radius * t for v, n, t in zip(velocity, normal, turning, strict=True)]
    rows = [[part.diff(x) for x in twist] for part in slip]
    seen = (gap, gap_dot, inside, *slip, *normal)
    frame = (*seen, *gradient, *(entry for row in rows for entry in row))
    assert len(seen) == SEEN and len(frame) == SHAPE

    # Derivatives of w in place and twist, with those of the forces given as numbers.
    labels = [
        "fn", *(f"ft_{k}" for k in range(3)), "fn_gap", "fn_rate", *(f"ft_gap_{k}" for k in range(3)),
        *(f"ft_rate_{k}" for k in range(3)), *(f"ft_slip_{k}{l}" for k in range(3) for l in range(3)),
    ]  # fmt: skip
    forces = [Quantity(label, f"coef[{len(labels)} * e + {k}]") for k, label in enumerate(labels)]
    assert len(forces) == FORCES_IN_SPACE
    fn, ft, fn_gap, fn_rate = forces[0], forces[1:4], forces[4], forces[5]
    ft_gap, ft_rate, ft_slip = forces[6:9], forces[9:12], [forces[12 + 3 * k : 15 + 3 * k] for k in range(3)]
    columns = [*gradient, 0, 0, 0]  # of gap in the twist: its rate is linear in the velocity alone

    def slope(i: int, x: Any) -> Any:
        """d w_i / dx."""
        gap_x, rate_x = gap.diff(x), gap_dot.diff(x)
        total = columns[i] * (fn_gap * gap_x + fn_rate * rate_x) + fn * sympy.sympify(columns[i]).diff(x)
        slip_x = [part.diff(x) for part in slip]
        for k in range(3):
            change = ft_gap[k] * gap_x + ft_rate[k] * rate_x + dot(ft_slip[k], slip_x)
            total += rows[k][i] * change + ft[k] * rows[k][i].diff(x)
        return total

    kernels = {
        "gap": _listed(seen),
        "frame": _listed(frame),
        "tangent": _listed([slope(i, x) for i in range(TWIST) for x in given]),
    }
    lines = ['KIND = "shape"', f"N_PAR = {len(s.parameters)}"]
    quantities = (*given, *s.loads, *forces)
    return Derived(
        lines, [form("shape", name, out, quantities) for name, out in kernels.items()], tuple(s.constants), quantities
    )


def _listed(values: Sequence[Any]) -> list[Output]:
    return [(f"out[{len(values)} * e + {k}]", "=", value) for k, value in enumerate(values)]
