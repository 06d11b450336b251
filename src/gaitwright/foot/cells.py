"""Pressure per cell of a plate on the ground, under all that a foot touches with, in every speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh.kinds import Array

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.result import Result

PARTS = 6
"""Into which a side of the sole is cut along an edge, so that it lies in all cells that it covers."""


def pressure_cells(run: Result, names: Sequence[str], cell: float) -> xr.DataArray:
    """Of the last pose of a run, Pa (y, x): normal forces per cell by its area. names: of contacts, or of solids at rest. cell:
    its side, m."""
    import xarray as xr

    place, force = zip(*(_pressed(run, name, cell) for name in names), strict=True)
    where, weight = np.concatenate(place), np.concatenate(force)
    low = where.min(axis=0)
    total = np.zeros(where.max(axis=0) - low + 1)
    np.add.at(total, tuple((where - low).T), weight)
    coords = {axis: cell * (low[k] + np.arange(total.shape[k]) + 0.5) for k, axis in enumerate("xy")}
    data = xr.DataArray(total.T / cell**2, dims=("y", "x"), coords=coords, name="pressure")
    data.attrs |= {"units": "Pa", "long_name": "pressure per cell"}
    for axis in "xy":
        data[axis].attrs["units"] = "m"
    return data


def _pressed(run: Result, name: str, cell: float) -> tuple[Array, Array]:
    """Numbers of cells (n, 2), and forces on them, N."""
    part: Any = run.mechanism.parts.get(name)
    if part is None:
        seen = run.pressure(name, cell)[-1]
        x, y = np.meshgrid(seen["x"].values, seen["y"].values)
        place = np.stack([x.ravel(), y.ravel()], axis=1) / cell - 0.5
        return np.round(place).astype(int), seen.values.ravel() * cell**2
    pressure, points = part.own_pressures(run.motion)[-1], part.deforming(run.motion).points[-1]
    sides = part.touching
    sides = sides[(pressure[sides] > 0.0).any(axis=1)]
    corners = part.mesh.nodes[sides]
    areas = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    local = _middles()
    place = np.einsum("jc,sci->sji", local, points[sides])[..., :2]
    force = (pressure[sides] @ local.T) * areas[:, None] / len(local)
    return np.floor(place.reshape(-1, 2) / cell).astype(int), force.ravel()


def _middles() -> Array:
    """Of the equal parts into which a triangle is cut, as weights of its corners (parts, 3)."""
    up = [(i + 1 / 3, j + 1 / 3) for i in range(PARTS) for j in range(PARTS - i)]
    down = [(i + 2 / 3, j + 2 / 3) for i in range(PARTS) for j in range(PARTS - 1 - i)]
    first = np.array(up + down) / PARTS
    return np.column_stack([first, 1.0 - first.sum(axis=1)])
