"""Files of a worn device (summary, tables, netCDF), and devices read from files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright._core.json_types import write_json
from gaitwright._core.output_files import save_bytes, save_text
from gaitwright.model.model import Model
from gaitwright.wear.device_assembly import device_section

if TYPE_CHECKING:
    from gaitwright.wear.comfort.assessment import Comfort
    from gaitwright.wear.device_result import DeviceResult


def load(file: str | Path) -> Model:
    """Load a device from its file: a model in space with a section `worn`. Raises ModelError without that section."""
    from gaitwright.model.io.files import load as load_model

    device = load_model(file)
    device_section(device)
    return device


def dataset_of(worn: DeviceResult) -> xr.Dataset:
    """Time series by name: moments, N m/kg, and powers, W/kg, without and with the device, cuff loads and joint angles."""
    series = {}
    for ending, data in (("without", worn.moments), ("with", worn.moments_with)):
        series |= {f"{name}_{ending}": values for name, values in data.data_vars.items()}
    series |= {str(name): values for name, values in worn.angles.data_vars.items()}
    series |= {f"{name}_device_power": values for name, values in worn.joint_power.data_vars.items()}
    series |= {f"cuff_{name}": values for name, values in worn.cuffs.data_vars.items()}
    return xr.Dataset({**series, "device_power": worn.power()}, attrs={"device": worn.name, "motion": worn.source})


def save_device_result(worn: DeviceResult, folder: Path, comfort: Comfort | None = None) -> dict[str, Path]:
    memory = io.BytesIO()
    dataset_of(worn).to_netcdf(memory, engine="h5netcdf")
    first_side = next(iter(worn.sides.values()))
    comfort_summary = {} if comfort is None else {"comfort": comfort.summary()}
    comfort_files = {} if comfort is None else {"comfort": save_text(folder / "comfort.csv", comfort.table().to_csv())}
    return {
        "summary": write_json({**worn.summary(), **comfort_summary}, folder / "summary.json"),
        "cuffs": _write_csv(folder / "cuffs.csv", _cuff_columns(worn)),
        "moments": _write_csv(folder / "moments.csv", _moment_columns(worn)),
        "result": save_bytes(folder / "result.nc", memory.getvalue()),
        "device as it fits": first_side.put.device.save(folder / "device.yaml"),
        **comfort_files,
    }


def _cuff_columns(worn: DeviceResult) -> dict[str, np.ndarray]:
    columns = {"time (s)": worn.motion.times}
    for kind, values in worn.cuffs.data_vars.items():
        for k, cuff in enumerate(worn.cuffs["cuff"].to_numpy()):
            for i, axis in enumerate(("forward", "up", "right")):
                columns[f"{cuff} {kind} {axis} ({values.attrs['units']})"] = values.to_numpy()[:, k, i]
    return columns


def _moment_columns(worn: DeviceResult) -> dict[str, np.ndarray]:
    columns = {"time (s)": worn.motion.times}
    for name in (str(name) for name in worn.moments.data_vars):
        if name.endswith(("_moment", "_power")) and worn.moments[name].ndim == 1:
            unit = worn.moments[name].attrs["units"]
            columns[f"{name} without ({unit})"] = worn.moments[name].to_numpy()
            columns[f"{name} with ({unit})"] = worn.moments_with[name].to_numpy()
    return columns


def _write_csv(path: Path, columns: dict[str, np.ndarray]) -> Path:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow([f"{value:.6g}" if np.isfinite(value) else "" for value in row])
    return save_text(path, text.getvalue())
