"""Kernels of every element type, and their arguments. One batch call handles all elements of a type.

Arguments, all of them arrays except where noted:

    count            number of elements (integer)
    dof              coordinate indices, n_dof per element; ground coordinates point at entries that are always zero
    par              constant parameters, n_par per element
    sig              indices of the time signals, n_sig per element
    row              row of Phi per constraint row
    slot             indices in the value array of the entries of the element's matrix pattern
    q, v, a          coordinates, velocities, accelerations
    u                signals: value, first and second derivative at 3 k, 3 k + 1, 3 k + 2
    lam              multipliers
    coef             contact: force and moment on b in the frame of a
    given            inputs of a contact law or friction law
    out arrays       added to (jac, kq, kv, gq, gv, total) or set (phi, phi_t, phi_dot, gamma, energy, out)
"""

from __future__ import annotations

from typing import Any

COUNT, REAL, REALS, INTS = "count", "real", "reals", "ints"

_ELEMENT_ARGUMENTS = (("count", COUNT), ("dof", INTS), ("par", REALS), ("sig", INTS))
_ROW_ARGUMENTS = (*_ELEMENT_ARGUMENTS, ("row", INTS))
_PLACED_ARGUMENTS = (("count", COUNT), ("sig", INTS), ("u", REALS), ("q", REALS))

LAW_SIZE = 5
"""Number of outputs of a law: force, its derivatives in penetration and rate, elastic energy and elastic force; of planar
friction: force, its derivatives in slip, stretch and normal force, and the largest stretch."""
REGION_EVERYWHERE = 1


def rotation_size(dimension: int) -> int:
    """Number of rotational degrees of freedom: 1 in the plane, 3 in space."""
    return dimension * (dimension - 1) // 2


def twist_size(dimension: int) -> int:
    """Size of the motion of b in the frame of a: velocity of the point, and angular velocity."""
    return dimension + rotation_size(dimension)


def pose_size(dimension: int) -> int:
    """Number of outputs of `frame` of a pose: the position of b in the frame of a, the twist, the explicit part of the
    velocity in time, all axes of b but the last in the frame of a, the position of b in the ground frame, and the axes of a
    there."""
    d = dimension
    return d + twist_size(d) + d + d * (d - 1) + d + d * d


def surface_size(dimension: int) -> int:
    """Number of outputs of `surface` of a shape: gap, region (negative: another piece of the surface counts), normal,
    gradient."""
    return 2 + 2 * dimension


def friction_size(dimension: int) -> int:
    """Number of outputs of friction with vectors: force, its derivatives in slip, stretch and normal force, and the largest
    stretch."""
    return dimension + 2 * dimension**2 + dimension + 1


OBSERVE_ARGUMENTS = (*_ELEMENT_ARGUMENTS, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS))
"""Arguments of the kernel for observed quantities of an element, which is called from Python and not compiled."""

EXPONENT_ARGUMENTS = (("count", COUNT), ("par", REALS), ("out", REALS))
"""Arguments of the kernel for the exponents of a material that uses powers of stretches."""

KERNEL_ARGUMENTS: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "constraint": {
        # Phi alone
        "residual": (*_ROW_ARGUMENTS, ("q", REALS), ("u", REALS), ("phi", REALS)),
        # Phi and Phi_q
        "position": (*_ROW_ARGUMENTS, ("slot", INTS), ("q", REALS), ("u", REALS), ("phi", REALS), ("jac", REALS)),
        # Phi, Phi_t, Phi', gamma = -(Phi'' without accelerations), Phi_q
        "motion": (
            *_ROW_ARGUMENTS,
            ("slot", INTS),
            ("q", REALS),
            ("v", REALS),
            ("u", REALS),
            ("phi", REALS),
            ("phi_t", REALS),
            ("phi_dot", REALS),
            ("gamma", REALS),
            ("jac", REALS),
        ),
        # (Phi_q^T lambda)_q
        "hessian": (*_ROW_ARGUMENTS, ("slot", INTS), ("q", REALS), ("u", REALS), ("lam", REALS), ("kq", REALS)),
        # d/dq and d/dv of Phi'' + damp Phi' + stiff Phi (Baumgarte: damp = 2 alpha, stiff = beta^2)
        "acceleration": (
            *_ROW_ARGUMENTS,
            ("slot", INTS),
            ("q", REALS),
            ("v", REALS),
            ("a", REALS),
            ("u", REALS),
            ("damp", REAL),
            ("stiff", REAL),
            ("gq", REALS),
            ("gv", REALS),
        ),
    },
    "force": {
        # Q
        "force": (*_ELEMENT_ARGUMENTS, ("q", REALS), ("v", REALS), ("u", REALS), ("total", REALS)),
        # -Q_q, -Q_v
        "tangent": (
            *_ELEMENT_ARGUMENTS,
            ("slot", INTS),
            ("q", REALS),
            ("v", REALS),
            ("u", REALS),
            ("kq", REALS),
            ("kv", REALS),
        ),
        # per element: potential energy, dissipated power, power of the loads
        "energy": (*_ELEMENT_ARGUMENTS, ("q", REALS), ("v", REALS), ("u", REALS), ("energy", REALS)),
    },
    # LAW_SIZE numbers from penetration, its rate and the approach speed
    "law": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # LAW_SIZE numbers from slip velocity, stretch and normal force
    "friction": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # friction_size numbers from slip velocity, stretch, both vectors, and normal force
    "friction_in_space": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # in marker variables, which take the place of q; matrices contain only the entries of TWIST_V, TWIST_Q and TANGENT
    "placed_pose": {
        # pose_size numbers per element
        "frame": (*_PLACED_ARGUMENTS, ("v", REALS), ("out", REALS)),
        # generalised force on the variables of a force and a moment on b, coef, fixed in the frame of a
        "press": (*_PLACED_ARGUMENTS, ("coef", REALS), ("out", REALS)),
        # d twist/dv, then d twist/dq; -Q_q of coef
        "tangent": (*_PLACED_ARGUMENTS, ("v", REALS), ("coef", REALS), ("out", REALS), ("kq", REALS)),
    },
    "pose": {
        # pose_size numbers per element, and d twist/dv, row by row
        "frame": (*_ELEMENT_ARGUMENTS, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS), ("twist", REALS)),
        # d twist/dq, row by row; -Q_q of a force and a moment on b, coef, fixed in the frame of a
        "tangent": (
            *_ELEMENT_ARGUMENTS,
            ("slot", INTS),
            ("q", REALS),
            ("v", REALS),
            ("u", REALS),
            ("coef", REALS),
            ("out", REALS),
            ("kq", REALS),
        ),
    },
    # of a material, per point from invariants of the deformation (derive/material.py); and from these and the mean dilatation
    "material": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))
        for name in ("energy", "stress", "tangent", "mean_energy", "mean_stress", "mean_tangent")
    },
    # of damping, per point from the rates of the strains
    "viscosity": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))
        for name in ("power", "stress", "tangent")
    },
    # of a spatial beam, at one point from components along the axes of its section (derive/beam_section.py)
    "section": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)) for name in ("gradient", "curved")
    },
    # from the position of b in the frame of a
    "shape": {
        # surface_size numbers
        "surface": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)),
        # derivatives of the gradient, then of the normal, row by row
        "tangent": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)),
    },
}

OPTIONAL_KERNEL_ARGUMENTS: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "force": {
        # of a force with a gap: the gap, m, its rate, and the tolerance at which it counts as closed; three per element
        "gap": (*_ELEMENT_ARGUMENTS, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
        # of a force with history: store the end of a step
        "keep": (*_ELEMENT_ARGUMENTS, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
    }
}
"""Kernels that only some elements have; in tables after those of KERNEL_ARGUMENTS."""


SINGLE_ELEMENT_KINDS = ("pose", "placed_pose", "shape", "law", "friction")
"""Kinds of kernels that are always called for one element: they are compiled without a loop (jit/constant_types.py)."""


def kernel_signature(kind: str, kernel: str) -> Any:
    """Return the C signature of a kernel as a Numba type."""
    from gaitwright.jit.numba_names import types

    numba_type = {
        COUNT: types.literal(1) if kind in SINGLE_ELEMENT_KINDS else types.int64,
        REAL: types.float64,
        REALS: types.CPointer(types.float64),
        INTS: types.CPointer(types.int32),
    }
    return types.void(
        *(
            numba_type[argument_type]
            for _, argument_type in (KERNEL_ARGUMENTS[kind] | OPTIONAL_KERNEL_ARGUMENTS.get(kind, {}))[kernel]
        )
    )
