"""The five instants of a step (paper 004, chapter 6): heel strike, foot flat, heel-off, toe-off and swing, from the forces
under heel, forefoot and all of the sole."""

from __future__ import annotations

import numpy as np

from gaitwright.mesh.kinds import Array

INSTANTS: tuple[str, ...] = ("heel strike", "foot flat", "heel-off", "toe-off", "swing")
LIFTED = 0.02
"""Part of the largest force of all that counts as none: a platform sees as little."""


def instants_of(
    time: Array, heel: Array, forefoot: Array, total: Array, least: float | None = None
) -> dict[str, float]:
    """Times, s, NaN for what does not happen. heel, forefoot, total: forces (times,), N; least: below it there is none, N.

    Heel strike: the first force under the heel; foot flat: then the first under the forefoot; heel-off: then the last under the
    heel; toe-off: the last of all; swing: half way from there to the end. Of the first time that the foot is on the ground;
    crossings are found between samples."""
    least = LIFTED * float(np.max(total, initial=0.0)) if least is None else least
    found: dict[str, float] = dict.fromkeys(INSTANTS, float("nan"))
    if not (total > least).any():
        return found
    first = int(np.argmax(total > least))
    away = np.flatnonzero(total[first:] <= least)
    stance = slice(first, first + int(away[0]) if away.size else len(time))
    t = np.asarray(time, dtype=float)

    def rises(force: Array, begin: int) -> float:
        """When it first passes `least` from sample `begin` on."""
        above = np.flatnonzero(force[begin : stance.stop] > least)
        return _crossing(t, force, begin + int(above[0]), least) if above.size else float("nan")

    def falls(force: Array) -> float:
        """When it passes `least` for the last time on the ground; NaN if it stays above."""
        above = np.flatnonzero(force[stance] > least)
        last = stance.start + int(above[-1]) if above.size else len(t)
        return _crossing(t, force, last + 1, least) if last + 1 < len(t) else float("nan")

    found["heel strike"], found["foot flat"] = rises(heel, stance.start), rises(forefoot, stance.start)
    if (forefoot[stance] > least).any():
        found["heel-off"] = falls(heel)
    found["toe-off"] = falls(total)
    found["swing"] = 0.5 * (found["toe-off"] + float(t[-1]))
    return found


def _crossing(t: Array, force: Array, k: int, level: float) -> float:
    """Between samples k - 1 and k, along a line."""
    if k == 0:
        return float(t[0])
    a, b = float(force[k - 1]), float(force[k])
    return float(t[k - 1] + (t[k] - t[k - 1]) * (level - a) / (b - a)) if a != b else float(t[k])
