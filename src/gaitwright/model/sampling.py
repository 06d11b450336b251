"""Times of measured samples: detection of a uniform grid behind rounded times, missing rows, and resampling.

Files give times with few decimals: 150 Hz as 0, 0.007, 0.013, 0.02. Taken literally, each sample is misplaced by up to half of
the last digit, q/2, which a spline differentiated twice turns into an acceleration of the order of v q/h^2: tens of m/s^2 for a
walking pelvis. But such times can be recovered exactly: they are rounded values of t0 + h k, if

    max_k(t_k - h k) - min_k(t_k - h k) <= q              for some h

(the samples lie within a strip of height q about a straight line); the line then replaces them. Truncated times lie in such a
strip as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

EVEN_GRID_TOL = 1e-7
"""Maximum deviation of uniform times from their grid, in steps: floating-point rounding."""
MAX_TIME_ROUNDING_S = 0.01
"""Largest rounding of times, s: times with fewer than two decimals are taken literally."""
MIN_ROUNDED_SAMPLES = 10
"""Minimum number of samples for the detection of rounding: a few numbers written by hand are taken literally."""
MIN_UNEVEN_STEPS = 3
"""Minimum number of steps longer than the shortest, if caused by rounding. Fewer are missing rows."""
Array = np.ndarray


class SampleGrid(NamedTuple):
    """Uniform times. index: int64[n], index of each sample, from 0; step: s; rounding of the given times: s, 0 if none."""

    index: Array
    step: float
    rounding: float

    @property
    def whole(self) -> bool:
        """True if no row is missing."""
        return int(self.index[-1]) == self.index.size - 1

    def times(self, start: float) -> Array:
        return start + self.step * self.index


def fit_even_grid(t: Array) -> SampleGrid | None:
    """Uniform grid of times, exact or up to rounding; None if they are not uniform. t: float64[n], s."""
    index = np.arange(t.size)
    if not np.all(np.isfinite(t)) or t[-1] <= t[0] or np.any(np.diff(t) < 0.0):
        return None
    step = float(t[-1] - t[0]) / (t.size - 1)
    if _strip_height(t, index, step) <= EVEN_GRID_TOL * step:
        return SampleGrid(index, step, 0.0)
    rounding = _time_rounding(t) if t.size >= MIN_ROUNDED_SAMPLES else 0.0
    if rounding and _is_rounded(t):
        fitted_step = _fit_step(t, index, rounding)
        if fitted_step:
            return SampleGrid(index, fitted_step, rounding)
    return _fit_with_missing_rows(t, rounding)


def _fit_with_missing_rows(t: Array, rounding: float) -> SampleGrid | None:
    """Uniform grid with missing rows: steps are whole multiples of the usual one."""
    steps = np.diff(t)
    if steps.min() <= 0.0:
        return None
    usual = float(np.mean(steps[steps < 1.5 * np.median(steps)]))
    index = np.concatenate(([0], np.cumsum(np.maximum(np.round(steps / usual), 1.0)))).astype(np.int64)
    exact = float(t[-1] - t[0]) / int(index[-1])
    if _strip_height(t, index, exact) <= EVEN_GRID_TOL * exact:
        return SampleGrid(index, exact, 0.0)
    fitted_step = _fit_step(t, index, rounding) if 0.0 < rounding < 0.5 * usual else None
    return SampleGrid(index, fitted_step, rounding) if fitted_step else None


def _strip_height(t: Array, index: Array, step: float) -> float:
    """Height of the strip that contains the samples, s."""
    return float(np.ptp(t - step * index))


def _time_rounding(t: Array) -> float:
    """Last digit of the times, s; 0 if they have too few or too many decimals for rounded times."""
    for decimals in range(10):
        if np.all(np.abs(np.round(t, decimals) - t) <= 1e-12 * max(1.0, float(np.abs(t).max()))):
            return 10.0**-decimals if 10.0**-decimals <= MAX_TIME_ROUNDING_S * (1 + EVEN_GRID_TOL) else 0.0
    return 0.0


def _is_rounded(t: Array) -> bool:
    """True unless the steps are those of a uniform grid with one or two missing rows."""
    steps = np.diff(t)
    shortest = steps.min()
    if shortest <= 0.0:
        return True
    multiples = steps / shortest
    return (
        bool(np.any(np.abs(multiples - np.round(multiples)) > 1e-6)) or int(np.sum(multiples > 1.5)) >= MIN_UNEVEN_STEPS
    )


def _fit_step(t: Array, index: Array, rounding: float) -> float | None:
    """Step of a line with a strip no higher than the rounding, preferably a whole number of samples per second; None without
    one."""
    max_height = rounding * (1 + 1e-6)
    slope = float(np.polyfit(index - index.mean(), t - t.mean(), 1)[0])
    if slope <= 0.0:
        return None
    for step in (1.0 / max(1, round(1.0 / slope)), slope):
        if _strip_height(t, index, step) <= max_height:
            return step
    from scipy.optimize import minimize_scalar

    # The height is a convex function of the step.
    reach = 2.0 * rounding / int(index[-1])
    best: Any = minimize_scalar(
        lambda step: _strip_height(t, index, step), bounds=(slope - reach, slope + reach), method="bounded",
        options={"xatol": 1e-7 * reach},
    )  # fmt: skip
    return float(best.x) if best.fun <= max_height and best.x > 0.0 else None


def resample_evenly(t: Array, y: Array, step: float, periodic: bool) -> tuple[Array, Array]:
    """Resample at uniform times, approximately `step` s apart, by the cubic spline through non-uniform samples."""
    from scipy.interpolate import CubicSpline

    count = max(1, round(float(t[-1] - t[0]) / step))
    times = np.linspace(t[0], t[-1], count + 1)
    return times, CubicSpline(t, y, bc_type="periodic" if periodic else "not-a-knot")(times)
