"""Smoothing of measured series as gait analysis does it: a low-pass filter without lag.

A Butterworth filter of second order runs forwards and backwards, which makes it one of fourth order whose lags cancel. Two
passes cut off earlier than one, so each pass is given a higher frequency (Winter 2009, Biomechanics and motor control of
human movement, chapter 3): a motion at the cut-off frequency f_c keeps 1/sqrt(2) of its amplitude, one at f

    1/(1 + (sqrt(2) - 1) (tan(pi f h)/tan(pi f_c h))^4)         h: the step between samples

Such a filter is one of samples, not of times: they must be evenly spaced. sampling.py sees to that.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.checks import At

PASSES = math.sqrt(2.0) - 1.0
"""Both passes leave 1/(1 + w^4), w relative to the frequency of each: 1/sqrt(2) at w^4 = sqrt(2) - 1."""
SLOWEST = 0.01
"""Periods of the cut-off that the data must last: of less than a hundredth of one, a filter leaves no motion at all."""
MEMORY = 3.0
"""Periods of the cut-off after which the filter has forgotten how it began, to exp(-sqrt(2) pi 3) = 2e-6."""


def smoothed(y: np.ndarray, step: float, cutoff: float, periodic: bool, label: str) -> np.ndarray:
    """Zero-lag low-pass of samples that are `step` s apart, see above."""
    from scipy.signal import butter, sosfiltfilt

    slowest = SLOWEST / (step * (y.size - 1))
    if not slowest <= cutoff < 0.5 / step:
        expected = f"a frequency between 0 ({slowest:.2g}) and {0.5 / step:.6g} Hz, half the sampling rate"
        At(label, "cutoff").fail("cannot be filtered out", cutoff, expected)
    # The correction belongs to the frequency of the analogue filter, which butter() makes from the digital one by tan.
    each = math.atan(math.tan(math.pi * cutoff * step) / PASSES**0.25) * 2.0 / math.pi
    once: Any = butter(2, each, output="sos")
    memory = math.ceil(MEMORY / (cutoff * step))
    if periodic:  # whole periods before and after, so that the ends meet smoothly
        n = y.size - 1
        turns = math.ceil(memory / n)
        smooth = sosfiltfilt(once, np.tile(y[:-1], 2 * turns + 1), padlen=0)[turns * n : (turns + 1) * n]
        return np.append(smooth, smooth[0])
    return sosfiltfilt(once, y, padlen=min(y.size - 1, memory))  # mirrored about the points at both ends
