"""Writers for a trial, in the axes of its laboratory, in metres; ground forces in the frame of OpenSim: y up."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.output_files import save_bytes
from gaitwright.formats.c3d_file import C3dPlate, C3dTrial, write_c3d
from gaitwright.formats.opensim_table import write_ground_reaction, write_table
from gaitwright.formats.trc_file import write_trc

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

OPENSIM_AXES = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Rows: x forward, y up, z to the right, in the axes of the trial."""


def _trial_to_trc(trial: GaitTrial, path: Path) -> Path:
    points = trial.lab.back(trial.markers.to_numpy())
    return write_trc(path, trial.labels, points, trial.rate, "m", float(trial.times[0]))


def _trial_to_c3d(trial: GaitTrial, path: Path) -> Path:
    """Write plates as type 2 with their origin in the surface. Plates with unknown corners get a square of 0.6 m around
    their mean centre of pressure."""
    plates = []
    rate = max((plate.rate for plate in trial.plates), default=0.0)
    for plate in trial.plates:
        at = (
            plate
            if (plate.rate, plate.start) == (rate, 0.0)
            else plate.at(np.arange(int(len(plate.force) * rate / plate.rate)) / rate)
        )
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
    return write_c3d(path, C3dTrial(trial.labels, points, "m", trial.rate, float(trial.times[0]), rate, plates, events))


def _trial_to_csv(trial: GaitTrial, path: Path) -> Path:
    points = trial.lab.back(trial.markers.to_numpy())
    names = ["time", *(f"{label}_{axis}" for label in trial.labels for axis in "xyz")]
    return write_table(path, names, np.column_stack([trial.times, points.reshape(len(points), -1)]))


def _plates_to_mot(trial: GaitTrial, path: Path) -> Path:
    if not trial.plates:
        ErrorContext(f"trial '{trial.name}'").fail("has no forces to write", expected="a trial with plates")
    forces = {}
    times = trial.plates[0].times
    for plate in trial.plates:
        at = plate if np.array_equal(plate.times, times) else plate.at(times)
        torque = np.outer(np.nan_to_num(at.free_moment()), [0.0, 0.0, 1.0])
        forces[plate.name.replace(" ", "_")] = tuple(
            v @ OPENSIM_AXES.T for v in (at.force, at.centre_of_pressure(), torque)
        )
    return write_ground_reaction(path, float(trial.times[0]) + times, forces)


def _trial_to_netcdf(trial: GaitTrial, path: Path) -> Path:
    memory = io.BytesIO()
    dataset = trial.markers.assign_attrs(units="m", rate=trial.rate, notes="\n".join(trial.notes)).to_dataset()
    dataset.to_netcdf(memory, engine="h5netcdf")
    return save_bytes(path, memory.getvalue())


TRIAL_WRITERS = {
    ".trc": _trial_to_trc,
    ".c3d": _trial_to_c3d,
    ".csv": _trial_to_csv,
    ".mot": _plates_to_mot,
    ".nc": _trial_to_netcdf,
}
