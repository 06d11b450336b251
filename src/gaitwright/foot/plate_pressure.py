"""Pressure per cell of a plate on the ground, under all contacts of a foot, for every speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh.cell_kinds import Array

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.result import Result

EDGE_SUBDIVISIONS = 6
"""Subdivisions per edge of a sole facet, so that its force is distributed over all cells that it covers."""


def pressure_cells(run: Result, names: Sequence[str], cell: float) -> xr.DataArray:
    """Pressure at the last pose of a run, Pa (y, x): normal force per cell divided by its area. names: of contacts,
    or of quasi-static solids. cell: its side, m."""
    import xarray as xr

    place, force = zip(*(_cell_forces(run, name, cell) for name in names), strict=True)
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


def _cell_forces(run: Result, name: str, cell: float) -> tuple[Array, Array]:
    """Cell indices (n, 2), and forces on the cells, N."""
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
    local = _subtriangle_centres()
    place = np.einsum("jc,sci->sji", local, points[sides])[..., :2]
    force = (pressure[sides] @ local.T) * areas[:, None] / len(local)
    return np.floor(place.reshape(-1, 2) / cell).astype(int), force.ravel()


def _subtriangle_centres() -> Array:
    """Centres of the equal parts of a subdivided triangle, as weights of its corners (parts, 3)."""
    up = [(i + 1 / 3, j + 1 / 3) for i in range(EDGE_SUBDIVISIONS) for j in range(EDGE_SUBDIVISIONS - i)]
    down = [(i + 2 / 3, j + 2 / 3) for i in range(EDGE_SUBDIVISIONS) for j in range(EDGE_SUBDIVISIONS - 1 - i)]
    first = np.array(up + down) / EDGE_SUBDIVISIONS
    return np.column_stack([first, 1.0 - first.sum(axis=1)])
