"""A result as a netCDF file: outputs, and beside them whatever it takes to be the same result again when it is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.result.energy import SERIES
from gaitwright.result.netcdf import Variable, write
from gaitwright.result.outputs import Motion
from gaitwright.result.touches import EPISODE_UNITS, Episode

if TYPE_CHECKING:
    from gaitwright.result.result import Result


def write_result(result: Result, path: str | Path) -> Path:
    """See Result.save."""
    variables = {"time": Variable(("time",), result.time, {"units": "s", "long_name": result.time_name})}
    for name in result.default_names():
        output = result.catalogue[name]
        attributes = {"units": output.unit, "long_name": output.description}
        variables[name] = Variable(("time",), result.values(name), attributes)
    rows = "time" if result.stored is None else "frame"
    if result.stored is not None:
        variables["frame"] = Variable(("frame",), result.motion.t, {"units": "s", "long_name": "times of whole states"})
        variables |= {f"balance.{n}": Variable(("time",), getattr(result.balance, n)) for n in SERIES}
        if result.balance.idle.shape[1]:
            variables["balance.idle"] = Variable(("time", "idle"), result.balance.idle)
    for name in Motion._fields[1:]:
        states = getattr(result.motion, name)
        if states.shape[1]:  # netCDF takes a dimension of size zero for an unlimited one
            variables[f"state.{name}"] = Variable((rows, f"state_{name}"), states)
    for name, values in result.steps.items():
        variables[f"state.{name}"] = Variable(("time",), np.asarray(values, dtype=float))
    if result.episodes:
        for name, values in zip(Episode._fields, zip(*result.episodes, strict=True), strict=True):
            attributes = {"units": EPISODE_UNITS[name]} if name in EPISODE_UNITS else {}
            variables[f"episode.{name}"] = Variable(("episode",), np.asarray(values), attributes)
    attributes = {
        "model": json.dumps(with_meshes(result.document or {})),
        "redundant": json.dumps(result.mechanism.redundant),
    }
    return write(path, variables, {**result.attributes(), **attributes})


def with_meshes(document: dict[str, Any]) -> dict[str, Any]:
    """A document with meshes in the place of their files, which may be elsewhere when the result is read."""
    solids = [{**solid, **_mesh(solid)} for solid in document.get("solids", ())]
    contacts = [
        {**entry, "surface": {**entry["surface"], **_mesh(entry["surface"])}} for entry in document.get("contacts", ())
    ]
    found = {"solids": solids, "contacts": contacts}
    return {**document, **{section: entries for section, entries in found.items() if entries}}


def _mesh(entry: dict[str, Any]) -> dict[str, Any]:
    given = entry.get("mesh")
    if not isinstance(given, str) or not Path(given).is_file():
        return {}
    from gaitwright.mesh.files import read

    return {"mesh": read(given, unit=entry.get("unit")).to_dict(), "unit": None}
