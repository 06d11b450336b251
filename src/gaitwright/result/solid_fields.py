"""Nodal fields of a solid over time, as a dataset and as files for ParaView."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.nodal_fields import MOTION_FIELDS, NODAL_QUANTITIES, evaluate_nodal_field
from gaitwright.fem.solid_part import SolidPart
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mesh.mesh import Mesh
from gaitwright.result.contact_surfaces import contact_pressure
from gaitwright.result.outputs import StateHistory

if TYPE_CHECKING:
    import xarray as xr

CONTACT_PRESSURE = "contact_pressure"


def solid_dataset(mechanism: Mechanism, part: SolidPart, motion: StateHistory, names: Sequence[str]) -> xr.Dataset:
    """Dataset of quantities over (time, node, component)."""
    import xarray as xr

    axes = list("xyz"[: part.dimension])
    data: dict[str, Any] = {}
    units = {"displacement": "m", "position": "m", "velocity": "m/s", "acceleration": "m/s^2"}
    for name in names or ("displacement", "von_mises"):
        quantities = [*MOTION_FIELDS, *NODAL_QUANTITIES, CONTACT_PRESSURE]
        ErrorContext(f"solid '{part.name}'").one_of(name, quantities, "is not a quantity of a solid")
        values = _solid_field(mechanism, part, motion, name)
        if name == CONTACT_PRESSURE:
            attrs = {"units": "Pa", "long_name": "pressure of contacts, by undeformed area"}
            data[name] = xr.DataArray(values, dims=("time", "node"), attrs=attrs)
            continue
        unit, text, parts = (units[name], name, axes) if name in MOTION_FIELDS else NODAL_QUANTITIES[name][:3]
        dims, coords = ("time", "node"), {}
        if parts:
            along = "axis" if name in MOTION_FIELDS else f"{name}_component"
            dims, coords = (*dims, along), {along: list(parts)}
        data[name] = xr.DataArray(values, dims=dims, coords=coords, attrs={"units": unit, "long_name": text})
    nodes = np.arange(1, len(part.mesh.nodes) + 1)
    dataset = xr.Dataset(data, coords={"time": motion.t, "node": nodes})
    dataset.time.attrs["units"] = "s"
    return dataset


def _solid_field(mechanism: Mechanism, part: SolidPart, motion: StateHistory, name: str) -> Any:
    part.prepare_motion(motion)
    return (
        contact_pressure(mechanism, motion, part.name)
        if name == CONTACT_PRESSURE
        else evaluate_nodal_field(part, motion, name)
    )


def save_vtu_series(
    mechanism: Mechanism,
    part: SolidPart,
    motion: StateHistory,
    folder: str | Path,
    names: Sequence[str],
    every: int = 1,
) -> Path:
    """Write a .vtu file per time and a .pvd file that lists them, for ParaView; return the path of the .pvd file."""
    selected = StateHistory(*(x[:: max(int(every), 1)] for x in motion))
    fields = {name: _solid_field(mechanism, part, selected, name) for name in names or ("displacement", "von_mises")}
    return save_mesh_series(part.mesh, part.name, selected.t, fields, folder)


def save_mesh_series(mesh: Mesh, name: str, times: Any, fields: Mapping[str, Any], folder: str | Path) -> Path:
    """Write such a series for any mesh with quantities (times, nodes, ...) at its nodes."""
    from gaitwright._core.output_files import save_bytes, save_text
    from gaitwright.mesh.meshio_files import write_meshio_bytes

    folder = Path(folder)
    lines = ['<VTKFile type="Collection" version="0.1"><Collection>']
    for k, t in enumerate(times):
        file = f"{name}_{k:05d}.vtu"
        step_fields = {quantity: values[k] for quantity, values in fields.items()}
        save_bytes(folder / file, write_meshio_bytes(mesh, ".vtu", mesh.origin, step_fields))
        lines.append(f'<DataSet timestep="{float(t)!r}" file="{file}"/>')
    return save_text(folder / f"{name}.pvd", "\n".join([*lines, "</Collection></VTKFile>"]) + "\n")
