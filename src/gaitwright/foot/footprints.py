"""Alignment of a footprint with another one in the frame of a foot: heels and balls are matched first, then the
correlation is maximised.

A platform has no foot frame: its picture starts at the first loaded sensor, and the toes point outward. Both prints are
read by the same rule, so the picture of the other print itself is mapped onto its original position. Cell positions are
transformed, pressures are not interpolated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array

if TYPE_CHECKING:
    import xarray as xr

FULL_CONTACT_PRESSURE_PA = 2e4
"""Pressure, Pa, from which a cell has full weight; below, its weight is proportional, so that the edge of a print
does not jump from cell to cell."""
PRINT_END_RATIO = 0.25
"""Weight of a cell (fraction of FULL_CONTACT_PRESSURE_PA) at which a print ends."""
HEEL_ZONE_RATIOS, BALL_ZONE_RATIOS = (0.0, 0.25), (0.5, 0.75)
"""Zones whose centres are matched, in foot lengths from the end of the print."""
COMPARISON_CELL_SIZE_M = 5e-3
"""Side of the squares in which two prints are compared, m."""
BLUR_LENGTH_M = 8e-3
"""Blur length, m: about one sensor of a platform."""
ALIGNMENT_STARTS = ((0.0, 0.0, 0.0), (3e-3, 0.0, 0.0), (0.0, 3e-3, 0.0), (0.0, 0.0, 0.03))
"""Start points of the fit (m, m, rad): cell rows of coarse prints are some millimetres apart."""


class AlignedFootprint(NamedTuple):
    """pressure: unchanged, (column, row), with cell positions x and y in the frame of the foot, m. match:
    correlation of both prints, -1 to 1. turned: rotation, rad. reversed: True if the file has its toes first.
    length: of the print, m."""

    pressure: xr.DataArray
    match: float
    turned: float
    reversed: bool
    length: float


class _FootprintAxis(NamedTuple):
    """Axis from the middle of the heel to the middle of the ball: position, m, unit vector, and print length along
    it, m."""

    heel: Array
    forward: Array
    length: float

    @property
    def angle(self) -> float:
        return float(np.arctan2(self.forward[1], self.forward[0]))


def align_footprint(
    pressure: xr.DataArray, onto: xr.DataArray, length: float, mirrored: bool = False
) -> AlignedFootprint:
    """Align a map of peak pressures, Pa, (y, x), with one in the frame of a foot of the given length, m. The end
    with the better fit is the heel. mirrored: the pressure is from the opposite foot."""
    x, y = np.meshgrid(pressure["x"].values, (-1.0 if mirrored else 1.0) * pressure["y"].values)
    places, weights = np.stack([x.ravel(), y.ravel()], axis=1), _contact_weights(pressure)
    own = np.stack([v.ravel() for v in np.meshgrid(onto["x"].values, onto["y"].values)], axis=1)
    there = _find_axis(own, _contact_weights(onto), length, np.array([1.0, 0.0]))
    picture, values = _sample_on_grid(own, onto.values.ravel(), length), pressure.values.ravel()
    pressed = values > 0.0

    def moved(by: Array, here: _FootprintAxis, cells: Array) -> Array:
        """Align the axes, then move by (m, m, rad) about the middle of the heel."""
        angle = there.angle - here.angle + by[2]
        c, s = np.cos(angle), np.sin(angle)
        return (cells - here.heel) @ np.array([[c, s], [-s, c]]) + there.heel + by[:2]

    def apart(by: Array, here: _FootprintAxis) -> float:
        return -_correlation(_sample_on_grid(moved(by, here, places[pressed]), values[pressed], length), picture)

    axes = [_find_axis(places, weights, length, np.array([ahead, 0.0])) for ahead in (1.0, -1.0)]
    here = min(axes, key=lambda way: apart(np.zeros(3), way))
    best = minimize(
        apart,
        np.zeros(3),
        (here,),
        "Nelder-Mead",
        options={"initial_simplex": ALIGNMENT_STARTS, "xatol": 1e-4, "fatol": 1e-5},
    )
    positions, angle = moved(best.x, here, places), there.angle - here.angle + best.x[2]
    aligned = pressure.drop_vars(["x", "y"]).rename(y="column", x="row")
    coords = {axis: (("column", "row"), positions[:, k].reshape(x.shape)) for k, axis in enumerate("xy")}
    turned = float(np.angle(np.exp(1j * angle)))
    return AlignedFootprint(aligned.assign_coords(coords), -float(best.fun), turned, here is axes[1], here.length)


def _contact_weights(pressure: xr.DataArray) -> Array:
    """Weight of each cell in the print, 0 to 1."""
    return np.clip(pressure.values.ravel() / FULL_CONTACT_PRESSURE_PA, 0.0, 1.0)


def _find_axis(places: Array, weights: Array, length: float, forward: Array) -> _FootprintAxis:
    """Axis of a print that points approximately forward. The direction is updated in a fixed number of iterations."""
    on = weights > PRINT_END_RATIO
    if not on.any():
        ErrorContext("pressure").fail(
            "touches nowhere",
            float(weights.max() * FULL_CONTACT_PRESSURE_PA),
            f"Pa, more than {PRINT_END_RATIO * FULL_CONTACT_PRESSURE_PA:g} of them",
        )
    heel, end, start = np.zeros(2), 0.0, 0.0
    for _ in range(6):
        along = places @ forward
        start, end = float(along[on].min()), float(along[on].max())
        middles = []
        for low, high in (HEEL_ZONE_RATIOS, BALL_ZONE_RATIOS):
            inside = np.where((along >= start + low * length) & (along < start + high * length), weights, 0.0)
            if not inside.sum() > 0.0:
                ErrorContext("pressure").fail(
                    "is no footprint: it has no heel or no ball", expected="a picture of a whole step"
                )
            middles.append((inside @ places) / inside.sum())
        heel = middles[0]
        forward = (middles[1] - heel) / np.linalg.norm(middles[1] - heel)
    return _FootprintAxis(heel, forward, end - start)


def _sample_on_grid(places: Array, values: Array, length: float) -> Array:
    """Values on a grid around the foot, blurred to compare prints with different cells."""
    x = np.arange(-0.15 * length, 1.15 * length, COMPARISON_CELL_SIZE_M)
    y = np.arange(-0.3 * length, 0.3 * length, COMPARISON_CELL_SIZE_M)
    near_x, near_y = (
        np.exp(-0.5 * ((grid[:, None] - places[:, k]) / BLUR_LENGTH_M) ** 2) for k, grid in enumerate((x, y))
    )
    return near_x @ (values[:, None] * near_y.T)


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])
