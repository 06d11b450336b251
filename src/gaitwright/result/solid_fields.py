"""A solid at every instant: its fields at the nodes, as a table and as files that ParaView reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.mesh import Mesh
from gaitwright.result.outputs import Motion
from gaitwright.result.skins import contact_pressure
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.solid import SolidPart
from gaitwright.system.solids.fields import MOVING, QUANTITIES, field

if TYPE_CHECKING:
    import xarray as xr

CONTACT = "contact_pressure"


def solid_dataset(mechanism: Mechanism, part: SolidPart, motion: Motion, names: Sequence[str]) -> xr.Dataset:
    """Quantities over (time, node, component)."""
    import xarray as xr

    axes = list("xyz"[: part.dimension])
    data: dict[str, Any] = {}
    units = {"displacement": "m", "position": "m", "velocity": "m/s", "acceleration": "m/s^2"}
    for name in names or ("displacement", "von_mises"):
        known = [*MOVING, *QUANTITIES, CONTACT]
        At(f"solid '{part.name}'").one_of(name, known, "is nothing that is known of a solid")
        values = _field(mechanism, part, motion, name)
        if name == CONTACT:
            attrs = {"units": "Pa", "long_name": "pressure of contacts, by undeformed area"}
            data[name] = xr.DataArray(values, dims=("time", "node"), attrs=attrs)
            continue
        unit, text, parts = (units[name], name, axes) if name in MOVING else QUANTITIES[name][:3]
        dims, coords = ("time", "node"), {}
        if parts:
            along = "axis" if name in MOVING else f"{name}_component"
            dims, coords = (*dims, along), {along: list(parts)}
        data[name] = xr.DataArray(values, dims=dims, coords=coords, attrs={"units": unit, "long_name": text})
    nodes = np.arange(1, len(part.mesh.nodes) + 1)
    found = xr.Dataset(data, coords={"time": motion.t, "node": nodes})
    found.time.attrs["units"] = "s"
    return found


def _field(mechanism: Mechanism, part: SolidPart, motion: Motion, name: str) -> Any:
    part.look_along(motion)
    return contact_pressure(mechanism, motion, part.name) if name == CONTACT else field(part, motion, name)


def save_vtu_series(
    mechanism: Mechanism, part: SolidPart, motion: Motion, folder: str | Path, names: Sequence[str], every: int = 1
) -> Path:
    """A .vtu file per time and a .pvd file that lists them, as ParaView reads: the path of the latter."""
    kept = Motion(*(x[:: max(int(every), 1)] for x in motion))
    fields = {name: _field(mechanism, part, kept, name) for name in names or ("displacement", "von_mises")}
    return save_series(part.mesh, part.name, kept.t, fields, folder)


def save_series(mesh: Mesh, name: str, times: Any, fields: Mapping[str, Any], folder: str | Path) -> Path:
    """The same of any mesh with quantities (times, nodes, ...) at its nodes."""
    from gaitwright.mesh.foreign_files import written
    from gaitwright.saving import save_bytes, save_text

    folder = Path(folder)
    lines = ['<VTKFile type="Collection" version="0.1"><Collection>']
    for k, t in enumerate(times):
        file = f"{name}_{k:05d}.vtu"
        here = {what: values[k] for what, values in fields.items()}
        save_bytes(folder / file, written(mesh, ".vtu", mesh.origin, here))
        lines.append(f'<DataSet timestep="{float(t)!r}" file="{file}"/>')
    return save_text(folder / f"{name}.pvd", "\n".join([*lines, "</Collection></VTKFile>"]) + "\n")
