"""Zero-lag Butterworth filter and derivatives of samples.

Forward and backward filtering has no lag, but each pass attenuates by 3 dB at its cut-off. For a total of 3 dB at the
requested cut-off, each pass has a higher one (Winter 2009, section 2.2.4.4; exact here for the digital filter):

    tan(pi f_pass / rate) = tan(pi f / rate) / (2^(1/2) - 1)^(1/(2 n)),    n: order of a pass

Order 4, as stated by gait laboratories, means two passes of order 2. Gaps remain: each run of finite samples is filtered
separately.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.signal import butter, sosfiltfilt

from gaitwright._core.error_context import ErrorContext


def low_pass(values: np.ndarray, rate: float, cutoff: float, order: int = 4) -> np.ndarray:
    """Filter values (samples, ...) along the first axis. cutoff: Hz, with 3 dB attenuation. rate: Hz. order: of both passes
    together. Raises ModelError for an invalid cutoff or order."""
    at = ErrorContext("low pass")
    at["cutoff"].positive(cutoff, "Hz")
    if order not in (2, 4, 8):
        at["order"].fail("is not the order of two equal passes", order, "2, 4 or 8")
    each = order // 2
    warped = math.tan(math.pi * min(cutoff / rate, 0.499)) / (math.sqrt(2) - 1) ** (0.5 / each)
    passing = rate / math.pi * math.atan(warped)
    if cutoff >= 0.5 * rate:
        at["cutoff"].fail("is not below half the rate", cutoff, f"less than {0.5 * rate:g} Hz")
    sections = butter(each, passing, fs=rate, output="sos")
    # the padding at the ends covers some periods of the cut-off, over which the reflection decays
    padding = round(4 * rate / cutoff)
    return _apply_to_runs(values, lambda one: sosfiltfilt(sections, one, axis=0, padlen=min(padding, len(one) - 1)))


def derivative(values: np.ndarray, rate: float, times: int = 1) -> np.ndarray:
    """Derivative of samples (samples, ...) by a spline of degree 5; NaN for runs of less than six samples. rate: Hz.
    times: order of the derivative."""

    def of(one: np.ndarray) -> np.ndarray:
        if len(one) < 6:
            return np.full_like(one, np.nan)
        return make_interp_spline(np.arange(len(one)) / rate, one, k=5).derivative(times)(np.arange(len(one)) / rate)

    return _apply_to_runs(values, of)


def true_runs(good: np.ndarray) -> Iterator[slice]:
    """Slices of the uninterrupted runs of True in a boolean array (n,)."""
    edges = np.flatnonzero(np.diff(np.r_[False, good, False].astype(int)))
    for start, end in edges.reshape(-1, 2):
        yield slice(int(start), int(end))


def _apply_to_runs(values: np.ndarray, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if np.isfinite(values).all():
        return of(values) if len(values) > 1 else values.copy()
    flat = values.reshape(len(values), -1)
    result = np.full_like(flat, np.nan)
    for column in range(flat.shape[1]):
        for one in true_runs(np.isfinite(flat[:, column])):
            if one.stop - one.start > 1:
                result[one, column] = of(flat[one, column])
    return result.reshape(values.shape)
