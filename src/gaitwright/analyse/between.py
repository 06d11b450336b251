"""States between the stored ones of a motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.analyse.outputs import Motion

# Quintic Hermite polynomials in x, 0 to 1 over an interval: coefficients of 1, x, x^2, ... for what belongs to the begin
# (v, a) and to the end (q - q_begin, v, a).
_HERMITE = np.array(
    [
        [0, 1, 0, -6, 8, -3],
        [0, 0, 0.5, -1.5, 1.5, -0.5],
        [0, 0, 0, 10, -15, 6],
        [0, 0, 0, -4, 7, -3],
        [0, 0, 0, 0.5, -1, 0.5],
    ]
)


def interpolate(m: Motion, times: np.ndarray) -> Motion:
    """Quintic Hermite interpolation of q, v, a between stored states; multipliers and works linearly,
    the memory of contacts as it was before.

    SciPy's BPoly gives the same but builds its curve interval by interval in Python: seconds for a long run."""
    from numpy.polynomial.polynomial import polyder, polyval

    if m.t.size == 1:
        return Motion(times, *(np.repeat(x, times.size, axis=0) for x in m[1:]))
    before = np.clip(np.searchsorted(m.t, times, side="right") - 1, 0, m.t.size - 1)
    i = np.minimum(before, m.t.size - 2)
    h = np.where(m.t[i + 1] > m.t[i], m.t[i + 1] - m.t[i], 1.0)[:, None]
    x = (times - m.t[i])[:, None] / h
    parts = (h * m.v[i], h * h * m.a[i], m.q[i + 1] - m.q[i], h * m.v[i + 1], h * h * m.a[i + 1])

    def derivative(order: int) -> Any:
        factors = (polyval(x, polyder(c, order)) for c in _HERMITE)
        return sum(factor * part for factor, part in zip(factors, parts, strict=True)) / h**order

    curves = m.q[i] + derivative(0), derivative(1), derivative(2)
    lam, work = (
        np.stack([np.interp(times, m.t, c) for c in x.T], axis=1) if x.size else np.zeros((times.size, 0))
        for x in (m.lam, m.work)
    )
    return Motion(times, *curves, lam, work, m.memory[before])
