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
    coef             contact: normal and tangential force
    given            what a contact law or friction law depends on
    out arrays       added to (jac, kq, kv, gq, gv, total) or set (phi, phi_t, phi_dot, gamma, energy, out)
"""

from __future__ import annotations

from typing import Any

COUNT, REAL, REALS, INTS = "count", "real", "reals", "ints"

_ELEMENT = (("count", COUNT), ("dof", INTS), ("par", REALS), ("sig", INTS))
_ROWS = (*_ELEMENT, ("row", INTS))

CONTACT = 5
"""What the kernel `gap` of a contact writes per element: gap, gap', slide, slide', region (negative: another piece of the
surface counts)."""
FRAME = CONTACT + 4
"""What the kernel `frame` writes before gap_q and slide_q: the same, the explicit parts of gap' and slide' in time, and the
point (x, y) where the bodies touch."""
LAW = 5
"""What a law writes: force, its derivatives in penetration and rate, elastic energy and elastic force; friction: force,
its derivatives in slip, stretch and normal force, and the largest stretch."""
REGION_EVERYWHERE = 1

# Contacts in space ------------------------------------------------------------------------------------------------------
TWIST = 6
"""The motion of b in the frame of a: velocity of the point, and spin."""
POSE = 3 + TWIST + 3 + 3 + 9
"""What `pose` writes: the place of b in the frame of a, the twist, the explicit part of the velocity in time, the place of
b in the ground frame, and the axes of a."""
SEEN = 9
"""What `gap` of a shape writes: gap, gap', region, slip velocity (3), normal (3)."""
SHAPE = SEEN + 3 + 3 * TWIST
"""What `frame` of a shape writes: the same, the gradient of the gap, and d slip/d twist, row by row."""
FORCES_IN_SPACE = 1 + 3 + 2 + 3 + 3 + 9
"""What `tangent` of a shape is given: F_n, F_t, the derivatives of F_n in gap and gap', of F_t in gap, gap' and slip."""
FRICTION_IN_SPACE = 3 + 9 + 9 + 3 + 1
"""What friction in space writes: force, its derivatives in slip, stretch and normal force, and the largest stretch."""

OBSERVE = (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS))
"""Arguments of the kernel for observed quantities of a force, which is called from Python and not compiled."""

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
    "contact": {
        # CONTACT numbers per element
        "gap": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
        # FRAME numbers, gap_q and slide_q
        "frame": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
        # d gap'/dq and d slide'/dq; and of -Q_q what comes from the curvature of gap and slide, with F_n and F_t in coef
        "tangent": (
            *_ELEMENT, ("slot", INTS), ("q", REALS), ("v", REALS), ("u", REALS), ("coef", REALS),
            ("out", REALS), ("kq", REALS),
        ),
    },
    # LAW numbers from penetration, its rate and the approach speed
    "law": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # LAW numbers from slip velocity, stretch and normal force
    "friction": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    # FRICTION_IN_SPACE numbers from slip velocity (3), stretch (3) and normal force
    "friction_in_space": {"force": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))},
    "pose": {
        # POSE numbers per element
        "pose": (*_ELEMENT, ("q", REALS), ("v", REALS), ("u", REALS), ("out", REALS)),
        # Q of a force and a moment on b, coef, in the frame of a
        "force": (*_ELEMENT, ("q", REALS), ("u", REALS), ("coef", REALS), ("total", REALS)),
        # d twist/dv and d twist/dq, row by row; -Q_q of the force and moment held in the frame of a
        "tangent": (
            *_ELEMENT, ("slot", INTS), ("q", REALS), ("v", REALS), ("u", REALS), ("coef", REALS),
            ("out", REALS), ("kq", REALS),
        ),
    },
    # of a material, per point from the gradient H of the displacement, n numbers; and from H and the mean dilatation
    "material": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS))
        for name in ("energy", "stress", "tangent", "mean_energy", "mean_stress", "mean_tangent")
    },
    # of damping, per point from H and its rate
    "viscosity": {
        name: (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)) for name in ("power", "stress", "tangent")
    },
    # from place and twist
    "shape": {
        "gap": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)),
        "frame": (("count", COUNT), ("par", REALS), ("given", REALS), ("out", REALS)),
        # derivatives of the force and moment on b in place (3) and twist (6), row by row
        "tangent": (("count", COUNT), ("par", REALS), ("given", REALS), ("coef", REALS), ("out", REALS)),
    },
}  # fmt: skip


def signature(kind: str, kernel: str) -> Any:
    """The C signature of a kernel, as Numba wants it."""
    from numba import types

    numba_type = {
        COUNT: types.int64,
        REAL: types.float64,
        REALS: types.CPointer(types.float64),
        INTS: types.CPointer(types.int32),
    }
    return types.void(*(numba_type[what] for _, what in ARGUMENTS[kind][kernel]))
