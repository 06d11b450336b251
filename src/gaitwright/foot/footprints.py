"""A footprint laid on another one, in the frame of a foot: turned and moved so that heels and balls of both lie on each other,
and then until they correlate best.

A platform knows nothing of the frame of a foot: its picture begins wherever the first sensor was touched, and toes point out.
Both prints are read by the same rule, so a picture of the other print itself comes back to where it was. Places of cells are
turned, pressures are not: nothing is smeared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize

from gaitwright.checks import At
from gaitwright.mesh.kinds import Array

if TYPE_CHECKING:
    import xarray as xr

TOUCHED = 2e4
"""Pa. A cell counts in full from here on, in part below: then a print has no edge that jumps from cell to cell."""
END = 0.25
"""How much of a cell counts where a print ends, in parts of TOUCHED."""
HEEL, BALL = (0.0, 0.25), (0.5, 0.75)
"""Zones whose middles are laid on each other, in lengths of the foot from the end of the print."""
CELL = 5e-3
"""m, of the squares in which two prints are compared."""
BLUR = 8e-3
"""m: about a sensor of a platform."""
FIRST_TRIES = ((0.0, 0.0, 0.0), (3e-3, 0.0, 0.0), (0.0, 3e-3, 0.0), (0.0, 0.0, 0.03))
"""From where the best fit is sought, m, m, rad: lines of coarse prints are some millimetres apart."""


class Laid(NamedTuple):
    """pressure: as it was, (column, row), with places x and y of cells in the frame of the foot, m. match: correlation of both
    prints, from -1 to 1. turned: by how much, rad. reversed: whether the file had its toes first. length: of the print, m."""

    pressure: xr.DataArray
    match: float
    turned: float
    reversed: bool
    length: float


class _Line(NamedTuple):
    """From the middle of the heel to that of the ball: place, m, unit vector, and length of the print along it, m."""

    heel: Array
    forward: Array
    length: float

    @property
    def angle(self) -> float:
        return float(np.arctan2(self.forward[1], self.forward[0]))


def lay(pressure: xr.DataArray, onto: xr.DataArray, length: float, mirrored: bool = False) -> Laid:
    """A map of largest pressures, Pa, (y, x), on one that is in the frame of a foot of a length, m; the end that fits better
    is its heel. mirrored: the foot that pressed was the other one of the pair."""
    x, y = np.meshgrid(pressure["x"].values, (-1.0 if mirrored else 1.0) * pressure["y"].values)
    places, weights = np.stack([x.ravel(), y.ravel()], axis=1), _touched(pressure)
    own = np.stack([v.ravel() for v in np.meshgrid(onto["x"].values, onto["y"].values)], axis=1)
    there = _line(own, _touched(onto), length, np.array([1.0, 0.0]))
    picture, values = _squares(own, onto.values.ravel(), length), pressure.values.ravel()
    pressed = values > 0.0

    def moved(by: Array, here: _Line, cells: Array) -> Array:
        """Laid line on line, and then by (m, m, rad) about the middle of the heel."""
        angle = there.angle - here.angle + by[2]
        c, s = np.cos(angle), np.sin(angle)
        return (cells - here.heel) @ np.array([[c, s], [-s, c]]) + there.heel + by[:2]

    def apart(by: Array, here: _Line) -> float:
        return -_correlation(_squares(moved(by, here, places[pressed]), values[pressed], length), picture)

    ways = [_line(places, weights, length, np.array([ahead, 0.0])) for ahead in (1.0, -1.0)]
    here = min(ways, key=lambda way: apart(np.zeros(3), way))
    best = minimize(
        apart,
        np.zeros(3),
        (here,),
        "Nelder-Mead",
        options={"initial_simplex": FIRST_TRIES, "xatol": 1e-4, "fatol": 1e-5},
    )
    laid, angle = moved(best.x, here, places), there.angle - here.angle + best.x[2]
    found = pressure.drop_vars(["x", "y"]).rename(y="column", x="row")
    coords = {axis: (("column", "row"), laid[:, k].reshape(x.shape)) for k, axis in enumerate("xy")}
    turned = float(np.angle(np.exp(1j * angle)))
    return Laid(found.assign_coords(coords), -float(best.fun), turned, here is ways[1], here.length)


def _touched(pressure: xr.DataArray) -> Array:
    """How much each cell belongs to the print, from 0 to 1."""
    return np.clip(pressure.values.ravel() / TOUCHED, 0.0, 1.0)


def _line(places: Array, weights: Array, length: float, forward: Array) -> _Line:
    """Of a print that points about forward. It is turned and read again until it stays."""
    on = weights > END
    if not on.any():
        At("pressure").fail(
            "touches nowhere", float(weights.max() * TOUCHED), f"Pa, more than {END * TOUCHED:g} of them"
        )
    heel, end, start = np.zeros(2), 0.0, 0.0
    for _ in range(6):
        along = places @ forward
        start, end = float(along[on].min()), float(along[on].max())
        middles = []
        for low, high in (HEEL, BALL):
            inside = np.where((along >= start + low * length) & (along < start + high * length), weights, 0.0)
            if not inside.sum() > 0.0:
                At("pressure").fail("is no footprint: it has no heel or no ball", expected="a picture of a whole step")
            middles.append((inside @ places) / inside.sum())
        heel = middles[0]
        forward = (middles[1] - heel) / np.linalg.norm(middles[1] - heel)
    return _Line(heel, forward, end - start)


def _squares(places: Array, values: Array, length: float) -> Array:
    """Values on a grid around the foot, blurred, so that prints of different cells compare."""
    x = np.arange(-0.15 * length, 1.15 * length, CELL)
    y = np.arange(-0.3 * length, 0.3 * length, CELL)
    near_x, near_y = (np.exp(-0.5 * ((grid[:, None] - places[:, k]) / BLUR) ** 2) for k, grid in enumerate((x, y)))
    return near_x @ (values[:, None] * near_y.T)


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])
