"""Outputs of a moving point: {name: (unit, text, function of r, v, a)}, arrays (n_times, dimension)."""

from __future__ import annotations

import numpy as np

PLANAR_POINT_OUTPUTS = {
    "x": ("m", "x", lambda r, v, a: r[:, 0]),
    "y": ("m", "y", lambda r, v, a: r[:, 1]),
    "vx": ("m/s", "velocity along x", lambda r, v, a: v[:, 0]),
    "vy": ("m/s", "velocity along y", lambda r, v, a: v[:, 1]),
    "ax": ("m/s^2", "acceleration along x", lambda r, v, a: a[:, 0]),
    "ay": ("m/s^2", "acceleration along y", lambda r, v, a: a[:, 1]),
    "speed": ("m/s", "speed", lambda r, v, a: np.sqrt((v * v).sum(axis=1))),
    "acceleration": ("m/s^2", "magnitude of the acceleration", lambda r, v, a: np.sqrt((a * a).sum(axis=1))),
}
_HEIGHT_OUTPUTS = {
    "z": ("m", "z", lambda r, v, a: r[:, 2]),
    "vz": ("m/s", "velocity along z", lambda r, v, a: v[:, 2]),
    "az": ("m/s^2", "acceleration along z", lambda r, v, a: a[:, 2]),
}
_SPATIAL_OUTPUT_NAMES = ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "speed", "acceleration")
POINT_OUTPUTS = {
    2: PLANAR_POINT_OUTPUTS,
    3: {what: (PLANAR_POINT_OUTPUTS | _HEIGHT_OUTPUTS)[what] for what in _SPATIAL_OUTPUT_NAMES},
}
"""Outputs of a point by dimension."""
