"""The kernels that every element type has. One batch call handles all elements of a type.

Arguments, all of them arrays except where noted:

    count            number of elements (integer)
    dof              coordinate indices, n_dof per element; ground coordinates point at entries that are always zero
    par              constant parameters, n_par per element
    sig              indices of the time signals, n_sig per element
    row              row of Phi per constraint row
    slot             where the entries of the element's matrix pattern lie in the value array
    q, v, a          coordinates, velocities, accelerations
    u                signals: value, first and second derivative at 3 k, 3 k + 1, 3 k + 2
    lam              multipliers
    coef             contact: force and moment on b in the frame of a
    given            what a contact law or friction law depends on
    out arrays       added to (jac, kq, kv, gq, gv, total) or set (phi, phi_t, phi_dot, gamma, energy, out)
"""

from __future__ import annotations

from typing import Any

COUNT, REAL, REALS, INTS = "count", "real", "reals", "ints"

_ELEMENT = (("count", COUNT), ("dof", INTS), ("par", REALS), ("sig", INTS))
_ROWS = (*_ELEMENT, ("row", INTS))
_PLACED = (("count", COUNT), ("sig", INTS), ("u", REALS), ("q", REALS))

LAW = 5
"""What a law writes: force, its derivatives in penetration and rate, elastic energy and elastic force; friction in the plane:
force, its derivatives in slip, stretch and normal force, and the largest stretch."""
REGION_EVERYWHERE = 1


def turns(dimension: int) -> int:
    """Ways to turn: 1 in the plane, 3 in space."""
    return dimension * (dimension - 1) // 2


def twist_size(dimension: int) -> int:
    """The motion of b in the frame of a: velocity of the point, and spin."""
    return dimension + turns(dimension)


def pose_size(dimension: int) -> int:
    """What `frame` of a pose writes: the place of b in the frame of a, the twist, the explicit part of the velocity in time,
    all axes of b but the last in the frame of a, the place of b in the ground frame, and the axes of a there."""
    d = dimension
    return d + twist_size(d) + d + d * (d - 1) + d + d * d


def surface_size(dimension: int) -> int:
    """What `surface` of a shape writes: gap, region (negative: another piece of the surface counts), normal, gradient."""
    return 2 + 2 * dimension


def friction_size(dimension: int) -> int:
    """What friction writes with vectors: force, its derivatives in slip, stretch and normal force, and the largest stretch."""
    return dimension + 2 * dimension**2 + dimension + 1


OBSERVE = (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS))
"""Arguments of the kernel for observed quantities of a force, which is called from Python and not compiled."""

EXPONENTS = (("count", COUNT), ("par", REALS), ("out", REALS))
"""Arguments of the kernel for the exponents of a material that is made of powers of stretches."""

ARGUMENTS: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "constraint": {
        # Phi alone
        "residual": (*_ROWS, ("q", REALS), ("u", REALS), ("phi", REALS)),
        # Phi and Phi_q
        "position": (*_ROWS, ("slot", INTS), ("q", REALS), ("u", REALS), ("phi", REALS), ("jac", REALS)),
        # Phi, Phi_t, Phi', gamma = -(Phi'' without accelerations), Phi_q
        "motion": (
            *_ROWS, ("slot", INTS), ("q", REALS), ("v", REALS), ("u", REALS),
            ("phi", REALS), ("phi_t", REALS), ("phi_dot", REALS), ("gamma", REALS), ("jac", REALS),
        ),
        # (Phi_q^T lambda)_q
        "hessian": (*_ROWS, ("slot", INTS), ("q", REALS), ("u", REALS), ("lam", REALS), ("kq", REALS)),
        # d/dq and d/dv of Phi'' + damp Phi' + stiff Phi (Baumgarte: damp = 2 alpha, stiff = beta^2)
        "acceleration": (
            *_ROWS, ("slot", INTS), ("q", REALS), ("v", REALS), ("a", REALS), ("u", REALS),
            ("damp", REAL), ("stiff", REAL), ("gq", REALS), ("gv", REALS),
        ),
    },
    "force": {
        # Q
        "force": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("total", REALS)),
        # -Q_q, -Q_v
        "tangent": (*_ELEMENT, ("slot", INTS), ("q", REALS), ("v", REALS), ("u", REALS), ("kq", REALS), ("kv", REALS)),
        # per element: potential energy, dissipated power, power of the loads
        "energy": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("energy", REALS)),
    },
    # LAW numbers from penetration, its rate and the approach speed
    "law": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # LAW numbers from slip velocity, stretch and normal force
    "friction": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # friction_size numbers from slip velocity, stretch, both vectors, and normal force
    "friction_in_space": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # in variables of markers, which are here q; matrices have the entries of TWIST_V, TWIST_Q and TANGENT alone
    "placed_pose": {
        # pose_size numbers per element
        "frame": (*_PLACED, ("v", REALS), ("out", REALS)),
        # what a force and a moment on b, coef, held in the frame of a, do to the variables
        "press": (*_PLACED, ("coef", REALS), ("out", REALS)),
        # d twist/dv, then d twist/dq; -Q_q of coef
        "tangent": (*_PLACED, ("v", REALS), ("coef", REALS), ("out", REALS), ("kq", REALS)),
    },
    "pose": {
        # pose_size numbers per element, and d twist/dv, row by row
        "frame": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS), ("twist", REALS)),
        # d twist/dq, row by row; -Q_q of a force and a moment on b, coef, held in the frame of a
        "tangent": (
            *_ELEMENT, ("slot", INTS), ("q", REALS), ("v", REALS), ("u", REALS), ("coef", REALS),
            ("out", REALS), ("kq", REALS),
        ),
    },
    # of a material, per point from invariants of the deformation (derive/solid.py); and from these and the mean dilatation
    "material": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))
        for name in ("energy", "stress", "tangent", "mean_energy", "mean_stress", "mean_tangent")
    },
    # of damping, per point from the rates of the strains
    "viscosity": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)) for name in ("power", "stress", "tangent")
    },
    # of a beam of space, at one place from components along the axes of its section (derive/section.py)
    "section": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)) for name in ("gradient", "curved")
    },
    # from the place of b in the frame of a
    "shape": {
        # surface_size numbers
        "surface": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)),
        # derivatives of the gradient, then of the normal, row by row
        "tangent": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)),
    },
}  # fmt: skip

OPTIONAL: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "force": {
        # of a force that begins or ends somewhere: how far away that is, m, its rate, and what counts as there; three per
        # element
        "gap": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
        # of a force that remembers: a step has ended here
        "keep": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
    },
}  # fmt: skip
"""Kernels that only some elements have; in tables behind those of ARGUMENTS."""


ONE_AT_A_TIME = ("pose", "placed_pose", "shape", "law", "friction")
"""Kinds of kernels that are always called for one element: they are compiled without a loop (compiled/known.py)."""


def signature(kind: str, kernel: str) -> Any:
    """The C signature of a kernel, as Numba wants it."""
    from numba import types

    numba_type = {
        COUNT: types.literal(1) if kind in ONE_AT_A_TIME else types.int64,
        REAL: types.float64,
        REALS: types.CPointer(types.float64),
        INTS: types.CPointer(types.int32),
    }
    return types.void(*(numba_type[what] for _, what in (ARGUMENTS[kind] | OPTIONAL.get(kind, {}))[kernel]))
