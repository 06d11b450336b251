"""Joint angles of level walking over a stride, from heel strike to the next heel strike of the same foot.

PUBLISHED_ANGLES_DEG are means and standard deviations of 83 healthy children and young people at their preferred speed
(M. H. Schwartz, A. Rozumalski, J. P. Trost, The effect of walking speed on the gait of typically developing children,
Journal of Biomechanics 41 (2008) 1639, electronic addendum, 'free'), unchanged. A mean of many people fits no skeleton:
with ours, the feet float and sink by centimetres.

JOINT_ANGLES_DEG are these curves, fitted by least squares over their first six harmonics so that the foot of a standing
leg rests on the ground: heel and toe in contact are within 1.5 mm of it and do not slip by more than 3 mm, while the
pelvis moves by PELVIS_HEIGHT_HARMONICS and the others. The fit changed no angle of hip and knee by more than 0.7
standard deviations, and none of the ankle by more than 1.4: the foot has no joint at the toes and rolls over their tip.
PELVIS_TILT_DEG is subtracted from hip flexion, because the pelvis of the model is upright whereas that of people is
tilted. The source has no hip rotation; ours keeps the foot from twisting. For curves of other people see
`add_gait_curves`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model

JOINT_ANGLES_DEG: dict[str, tuple[float, ...]] = {
    # degrees, every 5 % of a stride
    "hip_flexion": (
        21.11, 19.66, 18.67, 15.81, 11.01, 5.07, -1.28, -6.76, -11.52, -16.53, -19.34, -16.68, -10.3, -3.41, 4.73,
        14.6, 22.9, 26.93, 26.93, 24.21,
    ),
    "hip_adduction": (
        -0.78, 0.92, 2.43, 3.59, 4.15, 4.07, 3.53, 2.74, 1.97, 1.22, 0.19, -1.31, -3.38, -5.54, -6.33, -4.91, -2.84,
        -2.2, -2.58, -2.22,
    ),
    "hip_rotation": (
        -0.69, -0.73, -0.78, -0.36, 0.87, 2.04, 3.19, 4.44, 4.38, 2.57, 0.22, -2.59, -5.27, -5.08, -2.37, -1.22,
        -2.11, -1.91, -0.65, -0.38,
    ),
    "knee_flexion": (
        6.41, 12.26, 17.51, 18.21, 16.16, 12.98, 8.42, 4.93, 4.19, 4.73, 9.34, 21.88, 36.98, 47.94, 56.44, 61.18,
        53.53, 34.04, 15.31, 6.12,
    ),
    "ankle_dorsiflexion": (
        -3.88, -5.14, -1.23, 2.58, 5.06, 7.87, 9.55, 11.49, 15.36, 16.89, 14.51, 10, -0.52, -14.38, -15.72, -2.68,
        6.01, 3.72, 1, -0.22,
    ),
}  # fmt: skip
PUBLISHED_ANGLES_DEG: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    # degrees, every 4 % of a stride: mean, standard deviation
    "hip_flexion": (
        (
            35.8, 35.5, 34.2, 31.1, 26.9, 22.5, 18.1, 13.6, 9.3, 5.3, 1.6, -1.7, -4.4, -5.8, -4.9, -0.9, 6.1, 14.1,
            21.4, 27.4, 32, 35.1, 36.6, 36.5, 35.8,
        ),
        (
            5.4, 5.6, 5.9, 6, 6, 6, 5.9, 6, 6.1, 6.4, 6.7, 6.8, 6.8, 6.8, 6.7, 6.8, 6.6, 6.3, 6, 5.7, 5.5, 5.4, 5.4,
            5.5, 5.5,
        ),
    ),
    "hip_adduction": (
        (
            -1.6, 0.1, 2.6, 4.5, 5.2, 5, 4.4, 3.6, 2.9, 2.6, 2.4, 2.2, 1.4, -0, -2.3, -5.2, -7, -6.8, -5.6, -4.2,
            -3.1, -2.4, -2.2, -2.3, -2.4,
        ),
        (
            3.5, 3.5, 3.5, 3.4, 3.4, 3.3, 3.3, 3.2, 3.1, 3, 3, 3, 3, 3.1, 3.2, 3.3, 3.1, 2.9, 2.8, 2.8, 2.8, 2.8,
            2.9, 3.1, 3.3,
        ),
    ),
    "knee_flexion": (
        (
            5.6, 10.9, 16.9, 19.3, 18.6, 16.5, 13.9, 11.3, 9, 7.2, 6.2, 6.8, 9.5, 14.5, 22.6, 33.9, 46.3, 55.7, 59.1,
            56.9, 49.8, 38.8, 25.5, 12.5, 4.6,
        ),
        (
            5.7, 5.6, 6.1, 6.3, 6.2, 5.9, 5.7, 5.5, 5.5, 5.7, 5.7, 5.7, 5.6, 5.8, 6.2, 6.6, 6.4, 5.7, 5.9, 6.8, 7.8,
            8.5, 8.7, 8.1, 6.6,
        ),
    ),
    "ankle_dorsiflexion": (
        (
            -2.1, -5.6, -4.1, -0.2, 2.9, 5.2, 6.8, 8, 9.1, 10.2, 11.1, 11.8, 11.5, 8.4, -0.2, -13.8, -19.8, -14.7,
            -7.9, -2.4, 1.1, 2.5, 1.8, 0.1, -1.1,
        ),
        (
            5.6, 4.8, 4, 4, 4, 3.8, 3.7, 3.8, 3.9, 4.1, 4.4, 4.7, 5.2, 6.2, 8.3, 9.5, 8.8, 8.2, 6.8, 5.7, 4.9, 4.2,
            4.1, 4.7, 5.3,
        ),
    ),
}  # fmt: skip
PELVIS_TILT_DEG = 12.06
"""Forward tilt of the pelvis, degrees."""
HIP_HEIGHT_RATIO, STRIDE_LENGTH_RATIO = 0.522246, 0.758936
PELVIS_HEIGHT_HARMONICS: tuple[float, ...] = (-0.006635, -0.000376, 0.000117, 0.001481, 0.000305, 0.000546)
PELVIS_FORWARD_HARMONICS: tuple[float, ...] = (0.007052, 0.010717, 0.002926, 0.004374, -0.000354, -0.000195)
PELVIS_LATERAL_HARMONICS: tuple[float, ...] = (-0.003215, 0.011845, -0.002617, 0.001685)
"""Path of the pelvis with resting feet, in body heights: mean height, length of a stride, harmonics 2, 4 and 6 of the stride
(cosine, sine) of its height and of its forward deviation from uniform motion, and harmonics 1 and 3 to the right."""
PELVIS_OBLIQUITY_HARMONICS_DEG: tuple[float, ...] = (-0.521147, -2.468655)
PELVIS_ROTATION_HARMONICS_DEG: tuple[float, ...] = (2.85182, -0.6318)
"""Harmonic 1, degrees, of the pelvis rotations about the forward and upward axes."""
MAX_HARMONIC = 6
"""Highest harmonic of the stride that is kept: it covers nearly all of walking (Winter, as above, on the frequencies
of gait)."""
CURVE_SAMPLES = 50


def add_gait_curves(model: Model, names: Sequence[str], curves: Mapping[str, Sequence[float]] | None = None) -> None:
    """Add curves to a model as periodic series, in degrees, of the fraction of a stride: `knee_flexion(t/stride)`.

    curves: replacement curves, degrees, at even fractions of a stride, from heel strike up to but excluding the next one.
    All curves are truncated to their first harmonics. Raises an error for unknown names and too few values."""
    unknown = sorted(set(curves or {}) - set(names))
    if unknown:
        ErrorContext(field=unknown[0]).fail("is no curve of this model", expected=f"one of: {', '.join(names)}")
    for name in names:
        values = np.asarray((curves or {}).get(name, JOINT_ANGLES_DEG[name]), dtype=float)
        if values.ndim != 1 or values.size <= 2 * MAX_HARMONIC or not np.isfinite(values).all():
            ErrorContext(field=name).fail(
                "is not a curve", values.shape, f"at least {2 * MAX_HARMONIC + 1} finite angles in degrees"
            )
        smooth = truncate_harmonics(values)
        model.series(name, np.linspace(0.0, 1.0, CURVE_SAMPLES + 1).round(6), smooth.round(6), periodic=True)


def truncate_harmonics(values: np.ndarray) -> np.ndarray:
    """Truncate a periodic curve to its mean and first harmonics, at CURVE_SAMPLES even steps plus the closing point."""
    spectrum = np.fft.rfft(values)[: MAX_HARMONIC + 1] / values.size
    phase = 2j * np.pi * np.outer(np.arange(CURVE_SAMPLES) / CURVE_SAMPLES, np.arange(MAX_HARMONIC + 1))
    weight = np.where(np.arange(MAX_HARMONIC + 1) == 0, 1.0, 2.0)
    smooth = (np.exp(phase) * (weight * spectrum)).sum(axis=1).real
    return np.append(smooth, smooth[0])
