"""The times of measured samples: an even grid behind rounded ones, rows that are missing, and resampling.

Files give times with few decimals: 150 Hz as 0, 0.007, 0.013, 0.02. Taken literally, each sample is misplaced by up to half of
the last digit, q/2, which a spline differentiated twice turns into an acceleration of the order of v q/h^2: tens of m/s^2 for a
walking pelvis. But such times are still known exactly: they are those of t0 + h k, rounded, if

    max_k(t_k - h k) - min_k(t_k - h k) <= q              for some h

(the samples lie within a strip of height q about a straight line), and then the line is put in their place. Times that were
cut off instead of rounded lie in such a strip too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

EVEN = 1e-7
"""How far, in steps, even times may be from their grid: rounding of the numbers of a computer."""
COARSEST = 0.01
"""s: times with fewer than two decimals are not taken for rounded ones, but for what they say."""
FEWEST = 10
"""Samples that must agree before times are called rounded: a few numbers written by hand are meant as they are."""
TYPICAL = 3
"""Steps of another size than the shortest that rounding must have made. Fewer are rows that are missing."""
Array = np.ndarray


class Grid(NamedTuple):
    """Even times. index: int64[n], place of each sample, from 0; step: s; rounding: s, of the times as given, 0 if none."""

    index: Array
    step: float
    rounding: float

    @property
    def whole(self) -> bool:
        """Whether no row is missing."""
        return int(self.index[-1]) == self.index.size - 1

    def times(self, start: float) -> Array:
        return start + self.step * self.index


def even_grid(t: Array) -> Grid | None:
    """The even grid on which times lie, exactly or up to their rounding; None if they are uneven. t: float64[n], s."""
    index = np.arange(t.size)
    if not np.all(np.isfinite(t)) or t[-1] <= t[0] or np.any(np.diff(t) < 0.0):
        return None
    step = float(t[-1] - t[0]) / (t.size - 1)
    if _strip(t, index, step) <= EVEN * step:
        return Grid(index, step, 0.0)
    rounding = _rounding(t) if t.size >= FEWEST else 0.0
    if rounding and _made_by_rounding(t):
        found = _fitted(t, index, rounding)
        if found:
            return Grid(index, found, rounding)
    return _with_missing_rows(t, rounding)


def _with_missing_rows(t: Array, rounding: float) -> Grid | None:
    """The same where steps are whole multiples of the usual one."""
    steps = np.diff(t)
    if steps.min() <= 0.0:
        return None
    usual = float(np.mean(steps[steps < 1.5 * np.median(steps)]))
    index = np.concatenate(([0], np.cumsum(np.maximum(np.round(steps / usual), 1.0)))).astype(np.int64)
    exact = float(t[-1] - t[0]) / int(index[-1])
    if _strip(t, index, exact) <= EVEN * exact:
        return Grid(index, exact, 0.0)
    found = _fitted(t, index, rounding) if 0.0 < rounding < 0.5 * usual else None
    return Grid(index, found, rounding) if found else None


def _strip(t: Array, index: Array, step: float) -> float:
    """Height of the strip in which the samples lie."""
    return float(np.ptp(t - step * index))


def _rounding(t: Array) -> float:
    """The last digit of the times, s; 0 if they have too few or too many decimals to be rounded ones."""
    for decimals in range(10):
        if np.all(np.abs(np.round(t, decimals) - t) <= 1e-12 * max(1.0, float(np.abs(t).max()))):
            return 10.0**-decimals if 10.0**-decimals <= COARSEST * (1 + EVEN) else 0.0
    return 0.0


def _made_by_rounding(t: Array) -> bool:
    """Whether the steps are not simply those of an even grid of which one or two rows are missing."""
    steps = np.diff(t)
    shortest = steps.min()
    if shortest <= 0.0:
        return True
    multiples = steps / shortest
    return bool(np.any(np.abs(multiples - np.round(multiples)) > 1e-6)) or int(np.sum(multiples > 1.5)) >= TYPICAL


def _fitted(t: Array, index: Array, rounding: float) -> float | None:
    """The step of a line whose strip is no higher than the rounding; that of a whole number of samples per second if one
    does."""
    most = rounding * (1 + 1e-6)
    slope = float(np.polyfit(index - index.mean(), t - t.mean(), 1)[0])
    if slope <= 0.0:
        return None
    for step in (1.0 / max(1, round(1.0 / slope)), slope):
        if _strip(t, index, step) <= most:
            return step
    from scipy.optimize import minimize_scalar

    # The height is a convex function of the step.
    reach = 2.0 * rounding / int(index[-1])
    best: Any = minimize_scalar(
        lambda step: _strip(t, index, step), bounds=(slope - reach, slope + reach), method="bounded",
        options={"xatol": 1e-7 * reach},
    )  # fmt: skip
    return float(best.x) if best.fun <= most and best.x > 0.0 else None


def evenly(t: Array, y: Array, step: float, periodic: bool) -> tuple[Array, Array]:
    """Samples at even times from first to last, about `step` apart, of the cubic spline through uneven ones."""
    from scipy.interpolate import CubicSpline

    count = max(1, round(float(t[-1] - t[0]) / step))
    times = np.linspace(t[0], t[-1], count + 1)
    return times, CubicSpline(t, y, bc_type="periodic" if periodic else "not-a-knot")(times)
