"""Files of the pressure under a foot: tables, text files of platforms, and maps for ParaView."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gaitwright._core.output_files import save_text
from gaitwright.formats.apd_file import PressureImage, read_apd, write_apd
from gaitwright.mesh.mesh import Mesh

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.foot.pressure import FootPressure


def save_pressure(found: FootPressure, folder: str | Path, vtu: bool = True) -> Path:
    """Write pressure files to a folder, in SI units; return the folder.

    regions.csv: a row per area; path.csv: a row per time (force, centre, area, free moment, force of each area); maps.csv:
    a row per time and loaded cell; peak.apd: largest pressures; maps/: a .vtu file per time and maps.pvd, unless vtu is
    False."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    save_text(folder / "regions.csv", found.regions.to_csv())
    save_text(folder / "path.csv", pressure_time_table(found).to_csv(index=False))
    save_text(folder / "maps.csv", pressed_cell_table(found).to_csv(index=False))
    write_apd(to_platform_picture(found.peak), folder / "peak.apd")
    if vtu:
        save_maps(found, folder / "maps")
    return folder


def pressure_time_table(found: FootPressure) -> pd.DataFrame:
    """Table with a row per time, with units in the column names."""
    table = {"time (s)": found.time, "normal force (N)": found.force.values}
    table |= {f"f{x} (N)": found.ground_force[:, k] for k, x in enumerate("xyz")}
    table |= {"free moment (N m)": found.free_moment, "contact area (m^2)": found.contact_area.values}
    table |= {f"centre {x} (m)": found.centre.sel(axis=x).values for x in "xy"}
    table |= {f"{name} (N)": found.forces.sel(area=name).values for name in found.forces.area.values}
    return pd.DataFrame(table)


def pressed_cell_table(found: FootPressure) -> pd.DataFrame:
    """Table with a row per time and loaded cell."""
    t, j, i = np.nonzero(found.maps.values > 0.0)
    x, y = found.maps.x.values[i], found.maps.y.values[j]
    values = found.maps.values[t, j, i]
    return pd.DataFrame({"time (s)": found.time[t], "x (m)": x, "y (m)": y, "pressure (Pa)": values})


def to_platform_picture(pressure: xr.DataArray) -> PressureImage:
    """Convert a map (y, x) to the layout of platforms: rows along x from the heel on, columns along y."""
    x, y = pressure.x.values, pressure.y.values
    pitch = [float(np.diff(v).mean()) if len(v) > 1 else 0.0 for v in (x, y)]
    pitch = [p or max(pitch) or 1e-3 for p in pitch]
    return PressureImage(np.asarray(pressure.values).T, (pitch[0], pitch[1]))


def from_platform_picture(picture: PressureImage) -> xr.DataArray:
    """Convert a platform picture to a map, Pa, (y, x): x starts at its first row, y is centred on its columns."""
    import xarray as xr

    rows, columns = picture.pressure.shape
    x = (np.arange(rows) + 0.5) * picture.pitch[0]
    y = (np.arange(columns) + 0.5 - columns / 2) * picture.pitch[1]
    return xr.DataArray(picture.pressure.T, dims=("y", "x"), coords={"y": y, "x": x}, attrs={"units": "Pa"})


def read_picture(path: str | Path) -> xr.DataArray:
    """Read a .apd file as a map, Pa, (y, x). path: of the file."""
    return from_platform_picture(read_apd(path))


def save_maps(found: FootPressure, folder: str | Path) -> Path:
    """Write maps for ParaView, at cell centres. Return the .pvd file."""
    from gaitwright.result.solid_fields import save_mesh_series

    maps = found.maps.pad(x=(0, max(2 - found.maps.sizes["x"], 0)), y=(0, max(2 - found.maps.sizes["y"], 0)))
    x, y = (np.asarray(found.maps[a].values[0] + found.cell * np.arange(maps.sizes[a])) for a in "xy")
    nodes = np.stack([*np.meshgrid(x, y), np.zeros((len(y), len(x)))], axis=2).reshape(-1, 3)
    k = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).ravel()
    triangles = np.concatenate([np.stack([k, k + 1, k + len(x) + 1], 1), np.stack([k, k + len(x) + 1, k + len(x)], 1)])
    values = np.nan_to_num(maps.values).reshape(len(found.time), -1)
    return save_mesh_series(
        Mesh(nodes, triangles, {}, "sensors of a sole"), "maps", found.time, {"pressure": values}, folder
    )
