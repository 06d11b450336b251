"""Synthetic step of a right foot: blobs of pressure under heel, outer edge, ball, hallux and toes, one after
another."""

from functools import cache

import numpy as np
import xarray as xr

import gaitwright as gw
from gaitwright.foot.pressure import FootPressure

LENGTH = 0.26
BLOBS = (
    (0.045, 0.0, 0.026, 0.022, 3.0e5, 0.25),
    (0.125, -0.022, 0.04, 0.012, 0.8e5, 0.4),
    (0.185, 0.028, 0.014, 0.013, 2.0e5, 0.7),
    (0.180, -0.008, 0.016, 0.018, 2.6e5, 0.7),
    (0.165, -0.036, 0.016, 0.012, 1.4e5, 0.6),
    (0.240, 0.024, 0.011, 0.011, 2.8e5, 0.8),
    (0.228, -0.012, 0.008, 0.016, 0.7e5, 0.8),
)
"""x, y, width along and across, m, peak pressure, Pa, and time of the peak as a fraction of the step."""


def pressure_at(x: np.ndarray, y: np.ndarray, t: float) -> np.ndarray:
    """Pressure, Pa, at points of the sole of a right foot."""
    pressure = np.zeros(np.broadcast(x, y).shape)
    for u, v, a, b, most, when in BLOBS:
        loaded = max(0.0, 1.0 - ((t - when) / 0.4) ** 2)
        pressure = pressure + loaded * most * np.exp(-(((x - u) / a) ** 2) - ((y - v) / b) ** 2)
    return np.where(pressure > 2e3, pressure, 0.0)


@cache
def step() -> FootPressure:
    """Computed pressure of the step, with cells of 5 mm."""
    x, y, t = np.arange(0.0025, LENGTH, 0.005), np.arange(-0.0575, 0.06, 0.005), np.linspace(0.0, 0.7, 29)
    maps = np.stack([pressure_at(x[None, :], y[:, None], when / 0.7) for when in t])
    shape = gw.foot.from_measures(length=LENGTH, ball_width=0.1, side="right")
    data = xr.DataArray(maps, dims=("time", "y", "x"), coords={"time": t, "y": y, "x": x})
    return FootPressure(data, shape, 0.005, 1e3, np.zeros((len(t), 3)), np.zeros(len(t)))


def on_a_platform(turn: float, side: str = "right", cell: float = 8.5e-3) -> xr.DataArray:
    """Peak pressures of the same step, rotated by an angle, deg, and shifted, as measured by a platform."""
    x, y = np.arange(0.0, 0.32, cell), np.arange(-0.12, 0.12, cell)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    ahead, left = np.meshgrid(x - 0.02, y)
    own_x, own_y = c * ahead + s * left, (c * left - s * ahead) * (1.0 if side == "right" else -1.0)
    peak = np.max([pressure_at(own_x, own_y, t) for t in np.linspace(0.0, 1.0, 29)], axis=0)
    return xr.DataArray(peak, dims=("y", "x"), coords={"y": y + 0.5, "x": x + 0.3})
