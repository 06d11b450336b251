"""Output files of an analysis: CSV, MOT and STO for OpenSim's plots, TRC, netCDF, and summary.json."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright._core.json_types import write_json
from gaitwright._core.output_files import save_bytes, save_text
from gaitwright.formats.opensim_table import write_table
from gaitwright.gait.cycles import SIDES

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis


def save_analysis(found: GaitAnalysis, folder: Path) -> dict[str, Path]:
    files = {
        "summary": write_json(found.summary(), folder / "summary.json"),
        "events": _write_csv(folder / "events.csv", ("side", "kind", "time (s)", "source"),
                       ((e.side, e.kind, f"{e.time:.4f}", e.source) for e in found.events)),
        "table": _write_csv(folder / "table.csv", ("quantity", "unit", "right", "left", "both", "asymmetry (%)"),
                      ((m.name, m.unit, m.right.mean, m.left.mean, m.both.mean, m.asymmetry) for m in found.table.values())),
    }  # fmt: skip
    if found.angles is not None:
        names, values = _time_columns(found.angles, 180.0 / np.pi)
        files["angles"] = write_table(folder / "angles.mot", names, values, degrees=True)
    if found.moments is not None:
        files["moments"] = write_table(folder / "moments.sto", *_time_columns(found.moments))
    for source, forces in found.forces.items():
        files[f"{source} forces"] = forces.save(folder / f"forces_{source}.mot")
    if found.cycles.all and found.curves.data_vars:
        files["curves"] = _write_csv(folder / "curves.csv", *_curve_rows(found))
        files["curves of cycles"] = _write_netcdf(found.curves, folder / "cycles.nc")
    files["series"] = _write_netcdf(found.series, folder / "series.nc")
    files["markers"] = found.trial.save(folder / "markers.trc")
    return files


def _write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([f"{v:.6g}" if isinstance(v, float) and np.isfinite(v) else "" if isinstance(v, float) else v for v in row]
                     for row in rows)  # fmt: skip
    return save_text(path, text.getvalue())


def _time_columns(data: xr.Dataset, scale: float = 1.0) -> tuple[list[str], np.ndarray]:
    """Names and values of one column per quantity over time; vectors by axis."""
    names, columns = ["time"], [data["time"].to_numpy()]
    for name, values in data.data_vars.items():
        array = scale * values.to_numpy().reshape(len(columns[0]), -1)
        ends = [""] if array.shape[1] == 1 else [f"_{axis}" for axis in "xyz"]
        names += [f"{name}{end}" for end in ends]
        columns += list(array.T)
    return names, np.column_stack(columns)


def _curve_rows(found: GaitAnalysis) -> tuple[list[str], Iterable[Sequence[Any]]]:
    """Means and standard deviations per side over the cycle; angles in degrees."""
    header, columns = ["percent"], [found.mean["percent"].to_numpy()]
    for name in (str(n) for n in found.mean.data_vars if found.mean[n].dims == ("side", "percent")):
        unit = found.mean[name].attrs.get("units", "")
        scale, unit = (180.0 / np.pi, "deg") if unit == "rad" else (1.0, unit)
        for side in SIDES:
            for what, data in (("mean", found.mean), ("deviation", found.spread)):
                header.append(f"{side} {name} {what} ({unit})")
                columns.append(scale * data[name].sel(side=side).to_numpy())
    return header, (list(map(float, row)) for row in np.column_stack(columns))


def _write_netcdf(data: xr.Dataset, path: Path) -> Path:
    memory = io.BytesIO()
    data.to_netcdf(memory, engine="h5netcdf")
    return save_bytes(path, memory.getvalue())
