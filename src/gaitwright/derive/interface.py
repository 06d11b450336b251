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
    out arrays       added to (jac, kq, kv, gq, gv, total) or set (phi, phi_t, phi_dot, gamma, energy)
"""

from __future__ import annotations

from typing import Any

COUNT, REAL, REALS, INTS = "count", "real", "reals", "ints"

_ELEMENT = (("count", COUNT), ("dof", INTS), ("par", REALS), ("sig", INTS))
_ROWS = (*_ELEMENT, ("row", INTS))

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
