"""Five instants of a step (paper 004, chapter 6): heel strike, foot flat, heel-off, toe-off and swing, from the forces under
heel, forefoot and the whole sole."""

from __future__ import annotations

import numpy as np

from gaitwright.mesh.cell_kinds import Array

STANCE_INSTANTS: tuple[str, ...] = ("heel strike", "foot flat", "heel-off", "toe-off", "swing")
MIN_FORCE_RATIO = 0.02
"""Default force threshold, relative to the largest total force: about the resolution of a platform."""


def detect_stance_instants(
    time: Array, heel: Array, forefoot: Array, total: Array, least: float | None = None
) -> dict[str, float]:
    """Detect stance instants: times, s, NaN for those that do not occur. heel, forefoot, total: forces (times,), N; least:
    force threshold, N.

    Heel strike: the first force under the heel; foot flat: then the first under the forefoot; heel-off: then the last under the
    heel; toe-off: the last of all; swing: half way from there to the end. Only the first ground contact is considered;
    crossings are interpolated between samples."""
    least = MIN_FORCE_RATIO * float(np.max(total, initial=0.0)) if least is None else least
    instants: dict[str, float] = dict.fromkeys(STANCE_INSTANTS, float("nan"))
    if not (total > least).any():
        return instants
    first = int(np.argmax(total > least))
    away = np.flatnonzero(total[first:] <= least)
    stance = slice(first, first + int(away[0]) if away.size else len(time))
    t = np.asarray(time, dtype=float)

    def rises(force: Array, begin: int) -> float:
        """First crossing of `least` upward, from sample `begin`."""
        above = np.flatnonzero(force[begin : stance.stop] > least)
        return _crossing_time(t, force, begin + int(above[0]), least) if above.size else float("nan")

    def falls(force: Array) -> float:
        """Last crossing of `least` downward during stance; NaN if the force stays above."""
        above = np.flatnonzero(force[stance] > least)
        last = stance.start + int(above[-1]) if above.size else len(t)
        return _crossing_time(t, force, last + 1, least) if last + 1 < len(t) else float("nan")

    instants["heel strike"], instants["foot flat"] = rises(heel, stance.start), rises(forefoot, stance.start)
    if (forefoot[stance] > least).any():
        instants["heel-off"] = falls(heel)
    instants["toe-off"] = falls(total)
    instants["swing"] = 0.5 * (instants["toe-off"] + float(t[-1]))
    return instants


def _crossing_time(t: Array, force: Array, k: int, level: float) -> float:
    """Crossing time between samples k - 1 and k, by linear interpolation."""
    if k == 0:
        return float(t[0])
    a, b = float(force[k - 1]), float(force[k])
    return float(t[k - 1] + (t[k] - t[k - 1]) * (level - a) / (b - a)) if a != b else float(t[k])
