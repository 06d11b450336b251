"""A trial as a file, in the axes of its laboratory, metres; forces of the ground in the frame of OpenSim: y up."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.c3d_file import C3d, C3dPlate, write_c3d
from gaitwright.formats.opensim_table import write_ground_reaction, write_table
from gaitwright.formats.trc_file import write_trc
from gaitwright.saving import save_bytes

if TYPE_CHECKING:
    from gaitwright.gait.trial import Trial

OPENSIM = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Rows: x forward, y up, z to the right, in our axes."""


def _trc(trial: Trial, path: Path) -> Path:
    points = trial.lab.back(trial.markers.to_numpy())
    return write_trc(path, trial.labels, points, trial.rate, "m", float(trial.times[0]))


def _c3d(trial: Trial, path: Path) -> Path:
    """Plates as type 2 with their origin in the surface. Those whose corners nobody knows get a square of 0.6 m around where
    they are stepped on."""
    plates = []
    rate = max((plate.rate for plate in trial.plates), default=0.0)
    for plate in trial.plates:
        at = plate if plate.rate == rate else plate.at(np.arange(int(len(plate.force) * rate / plate.rate)) / rate)
        corners = plate.corners
        if corners is None:
            middle = (
                np.nan_to_num(np.nanmean(at.centre_of_pressure(), axis=0))
                if (at.force[:, 2] > 50).any()
                else np.zeros(3)
            )
            corners = middle + 0.3 * np.array([[1.0, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0]])
        c1, c2, c3, c4 = corners
        x, y = c1 + c4 - c2 - c3, c1 + c2 - c3 - c4
        x, z = x / np.linalg.norm(x), np.cross(x, y) / np.linalg.norm(np.cross(x, y))
        own = np.stack([x, np.cross(z, x), z])
        moment = at.moment - np.cross(corners.mean(axis=0), at.force)
        channels = np.hstack([at.force @ own.T, moment @ own.T])
        plates.append(C3dPlate(2, channels, ["N"] * 3 + ["Nm"] * 3, trial.lab.back(corners), np.zeros(3)))
    points = trial.lab.back(trial.markers.to_numpy())
    events = [(event.label, event.side.capitalize(), event.time) for event in trial.events]
    return write_c3d(path, C3d(trial.labels, points, "m", trial.rate, float(trial.times[0]), rate, plates, events))


def _csv(trial: Trial, path: Path) -> Path:
    points = trial.lab.back(trial.markers.to_numpy())
    names = ["time", *(f"{label}_{axis}" for label in trial.labels for axis in "xyz")]
    return write_table(path, names, np.column_stack([trial.times, points.reshape(len(points), -1)]))


def _mot(trial: Trial, path: Path) -> Path:
    if not trial.plates:
        At(f"trial '{trial.name}'").fail("has no forces to write", expected="a trial with plates")
    forces = {}
    times = trial.plates[0].times
    for plate in trial.plates:
        at = plate if len(plate.force) == len(times) and plate.rate == trial.plates[0].rate else plate.at(times)
        torque = np.outer(np.nan_to_num(at.free_moment()), [0.0, 0.0, 1.0])
        forces[plate.name.replace(" ", "_")] = tuple(v @ OPENSIM.T for v in (at.force, at.centre_of_pressure(), torque))
    return write_ground_reaction(path, float(trial.times[0]) + times, forces)


def _netcdf(trial: Trial, path: Path) -> Path:
    memory = io.BytesIO()
    dataset = trial.markers.assign_attrs(units="m", rate=trial.rate, notes="\n".join(trial.notes)).to_dataset()
    dataset.to_netcdf(memory, engine="h5netcdf")
    return save_bytes(path, memory.getvalue())


WRITERS = {".trc": _trc, ".c3d": _c3d, ".csv": _csv, ".mot": _mot, ".nc": _netcdf}
