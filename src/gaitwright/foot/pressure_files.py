"""Files of the pressure under a foot: tables, the text of platforms, and maps for ParaView."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gaitwright.formats.apd_file import PressurePicture, read_apd, write_apd
from gaitwright.mesh.mesh import Mesh
from gaitwright.saving import save_text

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.foot.pressure import FootPressure


def save_pressure(found: FootPressure, folder: str | Path, vtu: bool = True) -> Path:
    """regions.csv: a row per area; path.csv: a row per time (force, centre, area, free moment, force of each area); maps.csv: a
    row per time and pressed cell; peak.apd: largest pressures; maps/: a .vtu file per time and maps.pvd. SI units."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    save_text(folder / "regions.csv", found.regions.to_csv())
    save_text(folder / "path.csv", over_time(found).to_csv(index=False))
    save_text(folder / "maps.csv", cells(found).to_csv(index=False))
    write_apd(picture_of(found.peak), folder / "peak.apd")
    if vtu:
        save_maps(found, folder / "maps")
    return folder


def over_time(found: FootPressure) -> pd.DataFrame:
    """A row per time, with units in the names."""
    table = {"time (s)": found.time, "normal force (N)": found.force.values}
    table |= {f"f{x} (N)": found.ground_force[:, k] for k, x in enumerate("xyz")}
    table |= {"free moment (N m)": found.free_moment, "contact area (m^2)": found.contact_area.values}
    table |= {f"centre {x} (m)": found.centre.sel(axis=x).values for x in "xy"}
    table |= {f"{name} (N)": found.forces.sel(area=name).values for name in found.forces.area.values}
    return pd.DataFrame(table)


def cells(found: FootPressure) -> pd.DataFrame:
    """A row per time and cell that presses."""
    t, j, i = np.nonzero(found.maps.values > 0.0)
    x, y = found.maps.x.values[i], found.maps.y.values[j]
    values = found.maps.values[t, j, i]
    return pd.DataFrame({"time (s)": found.time[t], "x (m)": x, "y (m)": y, "pressure (Pa)": values})


def picture_of(pressure: xr.DataArray) -> PressurePicture:
    """A map (y, x) as platforms write it: rows along x from the heel on, columns along y."""
    x, y = pressure.x.values, pressure.y.values
    pitch = [float(np.diff(v).mean()) if len(v) > 1 else 0.0 for v in (x, y)]
    pitch = [p or max(pitch) or 1e-3 for p in pitch]
    return PressurePicture(np.asarray(pressure.values).T, (pitch[0], pitch[1]))


def map_of(picture: PressurePicture) -> xr.DataArray:
    """A picture of a platform as a map, Pa, (y, x): x from its first row on, y about the middle of its columns."""
    import xarray as xr

    rows, columns = picture.pressure.shape
    x = (np.arange(rows) + 0.5) * picture.pitch[0]
    y = (np.arange(columns) + 0.5 - columns / 2) * picture.pitch[1]
    found = xr.DataArray(picture.pressure.T, dims=("y", "x"), coords={"y": y, "x": x}, attrs={"units": "Pa"})
    return found


def read_picture(path: str | Path) -> xr.DataArray:
    """A .apd file as a map."""
    return map_of(read_apd(path))


def save_maps(found: FootPressure, folder: str | Path) -> Path:
    """Maps for ParaView, at the middles of cells: the .pvd file."""
    from gaitwright.result.solid_fields import save_series

    maps = found.maps.pad(x=(0, max(2 - found.maps.sizes["x"], 0)), y=(0, max(2 - found.maps.sizes["y"], 0)))
    x, y = (np.asarray(found.maps[a].values[0] + found.cell * np.arange(maps.sizes[a])) for a in "xy")
    nodes = np.stack([*np.meshgrid(x, y), np.zeros((len(y), len(x)))], axis=2).reshape(-1, 3)
    k = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).ravel()
    triangles = np.concatenate([np.stack([k, k + 1, k + len(x) + 1], 1), np.stack([k, k + len(x) + 1, k + len(x)], 1)])
    values = np.nan_to_num(maps.values).reshape(len(found.time), -1)
    return save_series(
        Mesh(nodes, triangles, {}, "sensors of a sole"), "maps", found.time, {"pressure": values}, folder
    )
