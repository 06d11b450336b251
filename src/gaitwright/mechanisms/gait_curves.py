"""Joint angles of level walking over a stride, from heel strike to the next heel strike of the same foot.

A SCHEMATIC gait: drawn by us through the ranges that textbooks agree on for healthy adults (J. Perry and J. M. Burnfield,
Gait Analysis; D. A. Winter, Biomechanics and Motor Control of Human Movement): the hip from 30 degrees of flexion at heel
strike to 10 of extension before toe-off, the knee with a small wave of 18 in early stance and a large one of 60 in swing, the
ankle with 10 of dorsiflexion in late stance and 17 of plantarflexion after toe-off. They are nobody's measurements; for those
see `series`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.model.model import Model

CURVES: dict[str, tuple[float, ...]] = {
    # degrees, every 5 % of a stride
    "hip_flexion": (30, 29, 26, 21, 15, 9, 4, -1, -5, -8, -10, -9, -3, 7, 17, 25, 31, 34, 34, 32),
    "hip_adduction": (0, 2, 4, 5, 4.5, 4, 3.5, 3, 2.5, 1.5, 0, -3, -5.5, -6, -5, -4, -3, -2, -1.5, -1),
    "hip_rotation": (0, 1.5, 2.5, 2.5, 2, 1.5, 1, 1, 1, 0.5, 0, -1, -2, -2.5, -2.5, -2, -1.5, -1.5, -1, -0.5),
    "knee_flexion": (4, 10, 16, 18, 16, 12, 9, 6, 5, 7, 12, 22, 38, 53, 60, 56, 43, 26, 10, 3),
    "ankle_dorsiflexion": (0, -5, -5, -1, 2, 4, 6, 7.5, 9, 10, 8, -1, -13, -17, -11, -4, 0, 2, 2.5, 1.5),
}
HARMONICS = 6
"""Of the stride that are kept: nearly all there is in walking (Winter, as above, on the frequencies of gait)."""
SAMPLES = 50


def add_curves(model: Model, names: Sequence[str], given: Mapping[str, Sequence[float]] | None = None) -> None:
    """Put curves into a model as periodic series, in degrees, of the fraction of a stride: `knee_flexion(t/stride)`.

    given: others in their place, values in degrees at even fractions of a stride, the first at heel strike, without that of
    the next heel strike. All are smoothed to their first harmonics."""
    unknown = sorted(set(given or {}) - set(names))
    if unknown:
        raise ModelError("is no curve of this model", field=unknown[0], expected=f"one of: {', '.join(names)}")
    for name in names:
        values = np.asarray((given or {}).get(name, CURVES[name]), dtype=float)
        if values.ndim != 1 or values.size <= 2 * HARMONICS or not np.isfinite(values).all():
            raise ModelError("is not a curve", field=name, value=values.shape,
                             expected=f"at least {2 * HARMONICS + 1} finite angles in degrees")  # fmt: skip
        smooth = harmonics(values)
        model.series(name, np.linspace(0.0, 1.0, SAMPLES + 1).round(6), smooth.round(6), periodic=True)


def harmonics(values: np.ndarray) -> np.ndarray:
    """A periodic curve by its mean and first harmonics, at SAMPLES even steps and the point that closes it."""
    spectrum = np.fft.rfft(values)[: HARMONICS + 1] / values.size
    phase = 2j * np.pi * np.outer(np.arange(SAMPLES) / SAMPLES, np.arange(HARMONICS + 1))
    weight = np.where(np.arange(HARMONICS + 1) == 0, 1.0, 2.0)
    smooth = (np.exp(phase) * (weight * spectrum)).sum(axis=1).real
    return np.append(smooth, smooth[0])
