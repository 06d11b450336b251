"""A result as a netCDF file: outputs, and all data needed to restore the result when the file is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.result.contact_episodes import EPISODE_UNITS, ContactEpisode
from gaitwright.result.energy_balance import BALANCE_SERIES
from gaitwright.result.files.netcdf import NetcdfVariable, write_netcdf
from gaitwright.result.outputs import StateHistory

if TYPE_CHECKING:
    from gaitwright.result.files.snapshots import Snapshot
    from gaitwright.result.result import Result


def write_result(result: Result, path: str | Path) -> Path:
    """Write a result; see Result.save."""
    variables = _time_variable(result)
    for name in result.default_names():
        output = result.catalogue[name]
        attributes = {"units": output.unit, "long_name": output.description}
        variables[name] = NetcdfVariable(("time",), result.array(name), attributes)
    if result.stored is not None:
        variables |= {f"balance.{n}": NetcdfVariable(("time",), getattr(result.balance, n)) for n in BALANCE_SERIES}
        if result.balance.idle.shape[1]:
            variables["balance.idle"] = NetcdfVariable(("time", "idle"), result.balance.idle)
    variables |= _state_variables(result.motion, result.stored is not None, result.steps, result.episodes)
    return write_netcdf(path, variables, {**result.attributes(), **_model_attributes(result)})


def write_snapshot(snapshot: Snapshot, path: str | Path) -> Path:
    """Write the samples of a running analysis, so that `gaitwright.load_result` reads them as a result. If all states are
    stored, the outputs are left out: they are computed from the states when the file is read."""
    s = snapshot
    if s.stored is not None:
        from gaitwright.result.result import Result

        return write_result(
            Result(s.mechanism, s.motion, s.evidence, s.document, s.episodes, s.stored, **s.steps), path
        )
    variables = _time_variable(s) | _state_variables(s.motion, False, s.steps, s.episodes)
    return write_netcdf(path, variables, {**run_attributes(s), **_model_attributes(s)})


def run_attributes(result: Result | Snapshot) -> dict[str, str]:
    """Attributes of a run as a whole. status: "complete", or the time until which it was computed."""
    evidence, status = result.evidence, "complete"
    if not evidence.complete or evidence.interrupted:
        status = f"incomplete until t = {result.time[-1]:.6g} s" if result.time.size else "incomplete"
    evidence_json = json.dumps(asdict(evidence))
    return {"title": result.mechanism.name, "source": "gaitwright", "status": status, "evidence": evidence_json}


def describe_times(time: np.ndarray) -> str:
    """Description of the times of a result."""
    return "time" if np.all(np.diff(time) >= 0) else "time that loads and drives are held at; goes back and forth"


def _time_variable(result: Result | Snapshot) -> dict[str, NetcdfVariable]:
    return {"time": NetcdfVariable(("time",), result.time, {"units": "s", "long_name": describe_times(result.time)})}


def _state_variables(
    motion: StateHistory, at_frames: bool, steps: Mapping[str, Any], episodes: Sequence[ContactEpisode]
) -> dict[str, NetcdfVariable]:
    """Variables of the states at all times, or at the frames only; step data, and contact episodes."""
    rows, variables = "frame" if at_frames else "time", {}
    if at_frames:
        variables["frame"] = NetcdfVariable(("frame",), motion.t, {"units": "s", "long_name": "times of whole states"})
    for name in StateHistory._fields[1:]:
        states = getattr(motion, name)
        if states.shape[1]:  # netCDF interprets a dimension of size zero as unlimited
            variables[f"state.{name}"] = NetcdfVariable((rows, f"state_{name}"), states)
    for name, values in steps.items():
        variables[f"state.{name}"] = NetcdfVariable(("time",), np.asarray(values, dtype=float))
    if episodes:
        for name, values in zip(ContactEpisode._fields, zip(*episodes, strict=True), strict=True):
            attributes = {"units": EPISODE_UNITS[name]} if name in EPISODE_UNITS else {}
            variables[f"episode.{name}"] = NetcdfVariable(("episode",), np.asarray(values), attributes)
    return variables


def _model_attributes(result: Result | Snapshot) -> dict[str, str]:
    return {
        "model": json.dumps(embed_meshes(result.document or {})),
        "redundant": json.dumps(list(result.mechanism.redundant)),
    }


def embed_meshes(document: dict[str, Any]) -> dict[str, Any]:
    """Replace mesh files in a document by their meshes, since the files may be missing when the result is read."""
    solids = [{**solid, **_embedded_mesh(solid)} for solid in document.get("solids", ())]
    contacts = [
        {**entry, "surface": {**entry["surface"], **_embedded_mesh(entry["surface"])}}
        for entry in document.get("contacts", ())
    ]
    sections = {"solids": solids, "contacts": contacts}
    return {**document, **{section: entries for section, entries in sections.items() if entries}}


def _embedded_mesh(entry: dict[str, Any]) -> dict[str, Any]:
    mesh_file = entry.get("mesh")
    if not isinstance(mesh_file, str) or not Path(mesh_file).is_file():
        return {}
    from gaitwright.mesh.files import read

    return {"mesh": read(mesh_file, unit=entry.get("unit")).to_dict(), "unit": None}
