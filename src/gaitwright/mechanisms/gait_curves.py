"""Joint angles of level walking over a stride, from heel strike to the next heel strike of the same foot.

A SCHEMATIC gait: drawn by us through the ranges that textbooks agree on for healthy adults (J. Perry and J. M. Burnfield,
Gait Analysis; D. A. Winter, Biomechanics and Motor Control of Human Movement), and then bent, by least squares over its first
six harmonics, until the foot of a standing leg rests on the ground: heel and toe where they touch down, within 2 mm, while the
pelvis moves as PELVIS_HEIGHT and PELVIS_AHEAD say. No angle moved by more than 17 degrees for it.
The foot has no joint at the toes and rolls over their tip, so that hip and ankle go further in late stance than people's do.
They are nobody's measurements; for those see `series`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitwright.checks import At
from gaitwright.model.model import Model

CURVES: dict[str, tuple[float, ...]] = {
    # degrees, every 5 % of a stride
    "hip_flexion": (
        21.05,
        18.17,
        17.07,
        15.3,
        10.72,
        4.49,
        -1.39,
        -6.48,
        -10.66,
        -13.31,
        -13.58,
        -10.69,
        -4.82,
        3.15,
        13.22,
        24.59,
        32.96,
        34.53,
        30.79,
        25.61,
    ),
    "hip_adduction": (0, 2, 4, 5, 4.5, 4, 3.5, 3, 2.5, 1.5, 0, -3, -5.5, -6, -5, -4, -3, -2, -1.5, -1),
    "hip_rotation": (0, 1.5, 2.5, 2.5, 2, 1.5, 1, 1, 1, 0.5, 0, -1, -2, -2.5, -2.5, -2, -1.5, -1.5, -1, -0.5),
    "knee_flexion": (
        7.61,
        10.81,
        14.25,
        15.58,
        14.5,
        11.4,
        7.98,
        5.97,
        5.47,
        7.9,
        16.12,
        29.0,
        42.45,
        54.69,
        62.94,
        60.86,
        47.1,
        29.39,
        15.67,
        8.5,
    ),
    "ankle_dorsiflexion": (
        -1.73,
        -4.13,
        -2.75,
        0.56,
        3.86,
        6.76,
        9.3,
        12.33,
        16.06,
        18.84,
        18.74,
        13.66,
        3.17,
        -6.34,
        -6.72,
        -0.4,
        3.5,
        3.35,
        3.02,
        1.82,
    ),
}
HIP_HEIGHT, STRIDE_LENGTH = 0.522587, 0.707164
PELVIS_HEIGHT: tuple[float, ...] = (-0.006556, -0.000509, 0.000309, 0.00161, -0.000131, 0.000485)
PELVIS_AHEAD: tuple[float, ...] = (0.005325, 0.002946, 0.001032, 0.00638, -0.001905, 0.001729)
"""Path of the pelvis on which the feet rest, in body heights: its mean height, the way of a stride, and harmonics 2, 4 and 6 of
the stride (cosine, sine) of its height and of what it is ahead of an even walk."""
HARMONICS = 6
"""Of the stride that are kept: nearly all there is in walking (Winter, as above, on the frequencies of gait)."""
SAMPLES = 50


def add_curves(model: Model, names: Sequence[str], given: Mapping[str, Sequence[float]] | None = None) -> None:
    """Put curves into a model as periodic series, in degrees, of the fraction of a stride: `knee_flexion(t/stride)`.

    given: others in their place, values in degrees at even fractions of a stride, the first at heel strike, without that of
    the next heel strike. All are smoothed to their first harmonics."""
    unknown = sorted(set(given or {}) - set(names))
    if unknown:
        At(field=unknown[0]).fail("is no curve of this model", expected=f"one of: {', '.join(names)}")
    for name in names:
        values = np.asarray((given or {}).get(name, CURVES[name]), dtype=float)
        if values.ndim != 1 or values.size <= 2 * HARMONICS or not np.isfinite(values).all():
            At(field=name).fail(
                "is not a curve", values.shape, f"at least {2 * HARMONICS + 1} finite angles in degrees"
            )
        smooth = harmonics(values)
        model.series(name, np.linspace(0.0, 1.0, SAMPLES + 1).round(6), smooth.round(6), periodic=True)


def harmonics(values: np.ndarray) -> np.ndarray:
    """A periodic curve by its mean and first harmonics, at SAMPLES even steps and the point that closes it."""
    spectrum = np.fft.rfft(values)[: HARMONICS + 1] / values.size
    phase = 2j * np.pi * np.outer(np.arange(SAMPLES) / SAMPLES, np.arange(HARMONICS + 1))
    weight = np.where(np.arange(HARMONICS + 1) == 0, 1.0, 2.0)
    smooth = (np.exp(phase) * (weight * spectrum)).sum(axis=1).real
    return np.append(smooth, smooth[0])
