"""Interpolation between the stored states of a motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.result.outputs import StateHistory

# Quintic Hermite polynomials in x, 0 to 1 over an interval: coefficients of 1, x, x^2, ... of the terms of the start (v, a)
# and of the end (q - q_start, v, a).
_QUINTIC_HERMITE = np.array(
    [
        [0, 1, 0, -6, 8, -3],
        [0, 0, 0.5, -1.5, 1.5, -0.5],
        [0, 0, 0, 10, -15, 6],
        [0, 0, 0, -4, 7, -3],
        [0, 0, 0, 0.5, -1, 0.5],
    ]
)


def interpolate_states(m: StateHistory, times: np.ndarray) -> StateHistory:
    """Quintic Hermite interpolation of q, v, a between stored states; multipliers and works are interpolated linearly, and
    the memory of contacts is that of the preceding state. Between equilibria, which have no speed, q is interpolated
    linearly.

    SciPy's BPoly gives the same result, but builds its curve interval by interval in Python: seconds for a long run."""
    if m.t.size == 1:
        return StateHistory(times, *(np.repeat(x, times.size, axis=0) for x in m[1:]))
    before = np.clip(np.searchsorted(m.t, times, side="right") - 1, 0, m.t.size - 1)
    i = np.minimum(before, m.t.size - 2)
    h = np.where(m.t[i + 1] > m.t[i], m.t[i + 1] - m.t[i], 1.0)[:, None]
    x = (times - m.t[i])[:, None] / h
    if is_at_rest(m):
        still = np.zeros((times.size, m.q.shape[1]))
        curves = m.q[i] + x * (m.q[i + 1] - m.q[i]), still, still.copy()
    else:
        curves = _hermite_states(m, i, h, x)
    lam, work = (
        np.stack([np.interp(times, m.t, c) for c in x.T], axis=1) if x.size else np.zeros((times.size, 0))
        for x in (m.lam, m.work)
    )
    return StateHistory(times, *curves, lam, work, m.memory[before])


def is_at_rest(m: StateHistory) -> bool:
    """True if the states are equilibria."""
    return not m.v.any() and not m.a.any()


def accumulate_times(t: np.ndarray) -> np.ndarray:
    """Times that never decrease: t itself, or the accumulated absolute changes of t if it goes back, as along a static path."""
    return t if np.all(np.diff(t) >= 0) else t[0] + np.concatenate([[0.0], np.cumsum(np.abs(np.diff(t)))])


def _hermite_states(m: StateHistory, i: np.ndarray, h: np.ndarray, x: np.ndarray) -> tuple[Any, Any, Any]:
    """q, v and a at the relative positions x in the intervals i of length h."""
    from numpy.polynomial.polynomial import polyder, polyval

    parts = (h * m.v[i], h * h * m.a[i], m.q[i + 1] - m.q[i], h * m.v[i + 1], h * h * m.a[i + 1])

    def derivative(order: int) -> Any:
        factors = (polyval(x, polyder(c, order)) for c in _QUINTIC_HERMITE)
        return sum(factor * part for factor, part in zip(factors, parts, strict=True)) / h**order

    return m.q[i] + derivative(0), derivative(1), derivative(2)
