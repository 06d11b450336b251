"""Zero-lag Butterworth filter and derivatives of samples.

A filter that runs forth and back has no lag, but each pass takes away 3 dB at its cut-off. So that the two together take away
3 dB at the one that is asked for, each has a higher one (Winter 2009, section 2.2.4.4; exact here for the digital filter):

    tan(pi f_pass / rate) = tan(pi f / rate) / (2^(1/2) - 1)^(1/(2 n)),    n: order of a pass

Order 4 as gait laboratories say it is two passes of order 2. Gaps stay gaps: each stretch of numbers is filtered by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.signal import butter, sosfiltfilt

from gaitwright.checks import At


def low_pass(values: np.ndarray, rate: float, cutoff: float, order: int = 4) -> np.ndarray:
    """values: (samples, ...), filtered along the first axis. cutoff: where 3 dB are lost, Hz."""
    at = At("low pass")
    at["cutoff"].positive(cutoff, "Hz")
    if order not in (2, 4, 8):
        at["order"].fail("is not the order of two equal passes", order, "2, 4 or 8")
    each = order // 2
    warped = math.tan(math.pi * min(cutoff / rate, 0.499)) / (math.sqrt(2) - 1) ** (0.5 / each)
    passing = rate / math.pi * math.atan(warped)
    if cutoff >= 0.5 * rate:
        at["cutoff"].fail("is not below half the rate", cutoff, f"less than {0.5 * rate:g} Hz")
    sections = butter(each, passing, fs=rate, output="sos")
    # what is reflected at the ends must have died away: some periods of the cut-off
    padding = round(4 * rate / cutoff)
    return _by_stretch(values, lambda one: sosfiltfilt(sections, one, axis=0, padlen=min(padding, len(one) - 1)))


def derivative(values: np.ndarray, rate: float, times: int = 1) -> np.ndarray:
    """Of samples (samples, ...), by a spline of degree 5 through them; of stretches below six samples NaN."""

    def of(one: np.ndarray) -> np.ndarray:
        if len(one) < 6:
            return np.full_like(one, np.nan)
        return make_interp_spline(np.arange(len(one)) / rate, one, k=5).derivative(times)(np.arange(len(one)) / rate)

    return _by_stretch(values, of)


def stretches(good: np.ndarray) -> Iterator[slice]:
    """Where a row of booleans is true, without interruption."""
    edges = np.flatnonzero(np.diff(np.r_[False, good, False].astype(int)))
    for start, end in edges.reshape(-1, 2):
        yield slice(int(start), int(end))


def _by_stretch(values: np.ndarray, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if np.isfinite(values).all():
        return of(values) if len(values) > 1 else values.copy()
    flat = values.reshape(len(values), -1)
    result = np.full_like(flat, np.nan)
    for column in range(flat.shape[1]):
        for one in stretches(np.isfinite(flat[:, column])):
            if one.stop - one.start > 1:
                result[one, column] = of(flat[one, column])
    return result.reshape(values.shape)
