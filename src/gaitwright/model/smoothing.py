"""Smoothing of measured series as in gait analysis: a zero-lag low-pass filter.

A Butterworth filter of second order runs forwards and backwards, which gives a filter of fourth order with zero lag. Two
passes have a lower cut-off than one, so each pass uses a higher frequency (Winter 2009, Biomechanics and motor control of
human movement, chapter 3): a motion at the cut-off frequency f_c keeps 1/sqrt(2) of its amplitude, one at f

    1/(1 + (sqrt(2) - 1) (tan(pi f h)/tan(pi f_c h))^4)         h: the step between samples

The filter works on samples, not on times: they must be uniformly spaced. sampling.py ensures that.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext

TWO_PASS_CORRECTION = math.sqrt(2.0) - 1.0
"""The gain of both passes is 1/(1 + w^4), w relative to the frequency of each: 1/sqrt(2) at w^4 = sqrt(2) - 1."""
MIN_CUTOFF_PERIODS = 0.01
"""Minimum duration of the data in periods of the cut-off: with less than a hundredth of one, no motion would remain."""
FILTER_MEMORY_PERIODS = 3.0
"""Periods of the cut-off after which the initial transient has decayed to exp(-sqrt(2) pi 3) = 2e-6."""


def smooth_samples(y: np.ndarray, step: float, cutoff: float, periodic: bool, label: str) -> np.ndarray:
    """Zero-lag low-pass filter of samples `step` s apart; cutoff: Hz. ModelError for an invalid cutoff. See above."""
    from scipy.signal import butter, sosfiltfilt

    slowest = MIN_CUTOFF_PERIODS / (step * (y.size - 1))
    if not slowest <= cutoff < 0.5 / step:
        expected = f"a frequency between 0 ({slowest:.2g}) and {0.5 / step:.6g} Hz, half the sampling rate"
        ErrorContext(label, "cutoff").fail("cannot be filtered out", cutoff, expected)
    # The correction applies to the frequency of the analogue filter, which butter() computes from the digital one by tan.
    pass_cutoff = math.atan(math.tan(math.pi * cutoff * step) / TWO_PASS_CORRECTION**0.25) * 2.0 / math.pi
    sections: Any = butter(2, pass_cutoff, output="sos")
    memory = math.ceil(FILTER_MEMORY_PERIODS / (cutoff * step))
    if periodic:  # whole periods before and after, so that the ends meet smoothly
        n = y.size - 1
        turns = math.ceil(memory / n)
        smooth = sosfiltfilt(sections, np.tile(y[:-1], 2 * turns + 1), padlen=0)[turns * n : (turns + 1) * n]
        return np.append(smooth, smooth[0])
    return sosfiltfilt(
        sections, y, padlen=min(y.size - 1, memory)
    )  # extended by reflection about the points at both ends
