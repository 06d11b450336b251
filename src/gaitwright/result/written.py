"""A result as a netCDF file: outputs, and beside them whatever it takes to be the same result again when it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.result.energy import SERIES
from gaitwright.result.netcdf import Variable, write
from gaitwright.result.outputs import Motion
from gaitwright.result.touches import EPISODE_UNITS, Episode

if TYPE_CHECKING:
    from gaitwright.result.result import Result
    from gaitwright.result.snapshots import Snapshot


def write_result(result: Result, path: str | Path) -> Path:
    """See Result.save."""
    variables = _time(result)
    for name in result.default_names():
        output = result.catalogue[name]
        attributes = {"units": output.unit, "long_name": output.description}
        variables[name] = Variable(("time",), result.values(name), attributes)
    if result.stored is not None:
        variables |= {f"balance.{n}": Variable(("time",), getattr(result.balance, n)) for n in SERIES}
        if result.balance.idle.shape[1]:
            variables["balance.idle"] = Variable(("time", "idle"), result.balance.idle)
    variables |= _states(result.motion, result.stored is not None, result.steps, result.episodes)
    return write(path, variables, {**result.attributes(), **_model(result)})


def write_snapshot(snapshot: Snapshot, path: str | Path) -> Path:
    """Write the samples of an analysis that is running, so that `gaitwright.load_result` reads them as a result. Where all
    states are kept, the outputs are left out: they are computed from the states when the file is read."""
    found = snapshot
    if found.stored is not None:
        from gaitwright.result.result import Result

        result = Result(
            found.mechanism, found.motion, found.evidence, found.document, found.episodes, found.stored, **found.steps
        )
        return write_result(result, path)
    variables = _time(found) | _states(found.motion, False, found.steps, found.episodes)
    return write(path, variables, {**run_attributes(found), **_model(found)})


def run_attributes(found: Result | Snapshot) -> dict[str, str]:
    """Attributes of a run as a whole. status: "complete", or the time until which it was computed."""
    evidence, status = found.evidence, "complete"
    if not evidence.complete or evidence.interrupted:
        status = f"incomplete until t = {found.time[-1]:.6g} s" if found.time.size else "incomplete"
    told = json.dumps(asdict(evidence))
    return {"title": found.mechanism.name, "source": "gaitwright", "status": status, "evidence": told}


def time_name(time: np.ndarray) -> str:
    """What the times of a result are."""
    return "time" if np.all(np.diff(time) >= 0) else "time that loads and drives are held at; goes back and forth"


def _time(found: Result | Snapshot) -> dict[str, Variable]:
    return {"time": Variable(("time",), found.time, {"units": "s", "long_name": time_name(found.time)})}


def _states(
    motion: Motion, at_frames: bool, steps: Mapping[str, Any], episodes: Sequence[Episode]
) -> dict[str, Variable]:
    """States at all times, or at those of the frames only; numbers of every step, and episodes of contacts."""
    rows, variables = "frame" if at_frames else "time", {}
    if at_frames:
        variables["frame"] = Variable(("frame",), motion.t, {"units": "s", "long_name": "times of whole states"})
    for name in Motion._fields[1:]:
        states = getattr(motion, name)
        if states.shape[1]:  # netCDF takes a dimension of size zero for an unlimited one
            variables[f"state.{name}"] = Variable((rows, f"state_{name}"), states)
    for name, values in steps.items():
        variables[f"state.{name}"] = Variable(("time",), np.asarray(values, dtype=float))
    if episodes:
        for name, values in zip(Episode._fields, zip(*episodes, strict=True), strict=True):
            attributes = {"units": EPISODE_UNITS[name]} if name in EPISODE_UNITS else {}
            variables[f"episode.{name}"] = Variable(("episode",), np.asarray(values), attributes)
    return variables


def _model(found: Result | Snapshot) -> dict[str, str]:
    return {
        "model": json.dumps(with_meshes(found.document or {})),
        "redundant": json.dumps(found.mechanism.redundant),
    }


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
