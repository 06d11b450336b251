"""What is written of a device that is worn, and devices from files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright.model.model import Model
from gaitwright.plain import write_json
from gaitwright.saving import save_bytes, save_text
from gaitwright.wear.wearing import worn_of

if TYPE_CHECKING:
    from gaitwright.wear.comfort.judging import Comfort
    from gaitwright.wear.worn import Worn


def load(file: str | Path) -> Model:
    """A device from its file: a model in space with a section `worn`."""
    from gaitwright.model.files import load as load_model

    device = load_model(file)
    worn_of(device)
    return device


def dataset_of(worn: Worn) -> xr.Dataset:
    """Moments, N m/kg, and powers, W/kg, without and with it, cuffs and angles over time, by name."""
    found = {}
    for ending, data in (("without", worn.moments), ("with", worn.moments_with)):
        found |= {f"{name}_{ending}": values for name, values in data.data_vars.items()}
    found |= {str(name): values for name, values in worn.angles.data_vars.items()}
    found |= {f"{name}_device_power": values for name, values in worn.joint_power.data_vars.items()}
    found |= {f"cuff_{name}": values for name, values in worn.cuffs.data_vars.items()}
    return xr.Dataset({**found, "device_power": worn.power()}, attrs={"device": worn.name, "motion": worn.source})


def save_all(worn: Worn, folder: Path, comfort: Comfort | None = None) -> dict[str, Path]:
    memory = io.BytesIO()
    dataset_of(worn).to_netcdf(memory, engine="h5netcdf")
    one = next(iter(worn.sides.values()))
    judged = {} if comfort is None else {"comfort": comfort.summary()}
    more = {} if comfort is None else {"comfort": save_text(folder / "comfort.csv", comfort.table().to_csv())}
    return {
        "summary": write_json({**worn.summary(), **judged}, folder / "summary.json"),
        "cuffs": _table(folder / "cuffs.csv", _cuffs(worn)),
        "moments": _table(folder / "moments.csv", _moments(worn)),
        "result": save_bytes(folder / "result.nc", memory.getvalue()),
        "device as it fits": one.put.device.save(folder / "device.yaml"),
        **more,
    }


def _cuffs(worn: Worn) -> dict[str, np.ndarray]:
    columns = {"time (s)": worn.motion.times}
    for kind, values in worn.cuffs.data_vars.items():
        for k, cuff in enumerate(worn.cuffs["cuff"].to_numpy()):
            for i, axis in enumerate(("forward", "up", "right")):
                columns[f"{cuff} {kind} {axis} ({values.attrs['units']})"] = values.to_numpy()[:, k, i]
    return columns


def _moments(worn: Worn) -> dict[str, np.ndarray]:
    columns = {"time (s)": worn.motion.times}
    for name in (str(name) for name in worn.moments.data_vars):
        if name.endswith(("_moment", "_power")) and worn.moments[name].ndim == 1:
            unit = worn.moments[name].attrs["units"]
            columns[f"{name} without ({unit})"] = worn.moments[name].to_numpy()
            columns[f"{name} with ({unit})"] = worn.moments_with[name].to_numpy()
    return columns


def _table(path: Path, columns: dict[str, np.ndarray]) -> Path:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow([f"{value:.6g}" if np.isfinite(value) else "" for value in row])
    return save_text(path, text.getvalue())
