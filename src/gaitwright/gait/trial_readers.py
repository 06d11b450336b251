"""Readers for files of a laboratory, by suffix: markers, plates and events as one raw record, in the frame and unit of the
file.

Plates are already in SI units, because their formats define the units. Their frame is the laboratory's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.c3d_file import read_c3d
from gaitwright.formats.forces_file import read_forces
from gaitwright.formats.opensim_table import OpenSimTable, read_table
from gaitwright.formats.trc_file import read_trc
from gaitwright.gait.events import GaitEvent, events_from_labels
from gaitwright.gait.force_plates import ForcePlate, plate_from_c3d, plate_from_point
from gaitwright.gait.frame_times import recover_frame_times
from gaitwright.gait.segment_frames import LimbMeasures

METRES_PER_UNIT = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "in": 0.0254}
_UNLABELLED_MARKER = re.compile(r"^(\*|C_|\?)\d*$|^[Uu]nlabell?ed")


@dataclass(frozen=True)
class RawTrial:
    name: str
    labels: list[str]
    points: np.ndarray
    unit: str
    rate: float | None
    times: np.ndarray
    start: float = 0.0
    plates: list[ForcePlate] = field(default_factory=list)
    events: list[GaitEvent] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    computed: tuple[str, ...] = ()
    measures: LimbMeasures = field(default_factory=LimbMeasures)


def read_markers(path: Path) -> RawTrial:
    if path.is_dir():
        ErrorContext(f"trial '{path}'").fail(
            "is a folder", expected="the file of one trial, such as walk.c3d; `gaitwright trials` takes many files"
        )
    return TRIAL_READERS[
        ErrorContext(f"trial '{path}'").one_of(
            path.suffix.lower(), TRIAL_READERS, "files of this ending hold no markers"
        )
    ](path)


def read_plates(path: Path) -> list[ForcePlate]:
    """Read the plates of a force file, in the axes of the laboratory, SI units. Raises ModelError if there are none."""
    suffix = ErrorContext(f"forces '{path}'").one_of(
        path.suffix.lower(), PLATE_READERS, "files of this ending hold no forces"
    )
    plates = PLATE_READERS[suffix](path)
    if not plates:
        ErrorContext().fail(
            f"the file '{path}' has no forces of plates",
            expected="columns such as FX1 or right_force_vx, or plates in C3D",
        )
    return plates


def _trial_from_trc(path: Path) -> RawTrial:
    content = read_trc(path)
    start = float(content.times[0]) if np.isfinite(content.times[0]) else 0.0
    return RawTrial(
        path.stem, content.labels, content.points, content.unit, content.rate, content.times, start, notes=content.notes
    )


def _trial_from_c3d(path: Path) -> RawTrial:
    content = read_c3d(path)
    unit = METRES_PER_UNIT.get(content.unit.lower(), 1e-3)
    keep = [k for k, label in enumerate(content.labels) if not _UNLABELLED_MARKER.match(label)]
    notes = list(content.notes)
    if len(keep) < len(content.labels):
        notes.append(f"{len(content.labels) - len(keep)} markers without a label are left out")
    times = content.start + np.arange(len(content.points)) / content.rate
    plates = [
        plate_from_c3d(plate, f"plate {k}", unit, content.analog_rate) for k, plate in enumerate(content.plates, 1)
    ]
    return RawTrial(
        path.stem, [content.labels[k] for k in keep], content.points[:, keep], content.unit, content.rate, times,
        content.start, plates, events_from_labels(content.events), notes, tuple(content.computed),
        _limb_measures(content.parameters),
    )  # fmt: skip


def _limb_measures(parameters: dict[str, float]) -> LimbMeasures:
    """Measures of a person from parameters of Vicon, which are in mm, or by some programs in m."""
    lowered = {name.lower(): value for name, value in parameters.items()}

    def mean_of_sides(name: str) -> float | None:
        values = [lowered.get(f"{side}{name}", 0.0) for side in "lr"]
        values = [value * (1e-3 if value > 3.0 else 1.0) for value in values if value > 0.0]
        return float(np.mean(values)) if values else None

    return LimbMeasures(*(mean_of_sides(name) for name in ("kneewidth", "anklewidth", "leglength")))


def _trial_from_table(path: Path) -> RawTrial:
    """Read a table with vector columns, heel_x, heel_y, heel_z, or heelX .., that are no forces; the first column is time."""
    table = read_table(path)
    threes = {base: names for base, names in _vector_columns(table).items() if not _FORCE_COLUMN.search(base)}
    if not threes:
        ErrorContext().fail(
            f"the file '{path}' has no markers", expected="columns in threes, such as heel_x, heel_y, heel_z"
        )
    points = np.stack([np.column_stack([table.column(name) for name in names]) for names in threes.values()], axis=1)
    times = table.values[:, 0]
    plates = _plates_from_table(table, path)
    return RawTrial(path.stem, list(threes), points, "", None, times, float(times[0]), plates, notes=table.notes)


_FORCE_COLUMN = re.compile(r"force|torque|^F$|^COP$|^CoP$|moment", re.IGNORECASE)


def _vector_columns(table: OpenSimTable) -> dict[str, list[str]]:
    vectors: dict[str, dict[str, str]] = {}
    for name in table.names[1:]:
        match = re.fullmatch(r"(.+?)[_. ]?([xyzXYZ])", name)
        if match:
            vectors.setdefault(match.group(1), {})[match.group(2).lower()] = name
    return {base: [axes[a] for a in "xyz"] for base, axes in vectors.items() if len(axes) == 3}


def _plates_from_table(table: OpenSimTable, path: Path) -> list[ForcePlate]:
    """Read plates from F, COP and the moment My of one plate, in mm, or from columns of OpenSim's external loads."""
    threes = _vector_columns(table)
    rate = recover_frame_times(table.values[:, 0], None, path.stem).rate
    plates = []
    for base in threes:
        ours = re.fullmatch(r"(.*?)force_v", base)
        point, torque = (f"{ours.group(1)}force_p", f"{ours.group(1)}torque") if ours else ("COP", "")
        if not (ours or base == "F") or point not in threes:
            continue
        force, where = (np.column_stack([table.column(n) for n in threes[b]]) for b in (base, point))
        up = np.eye(3)[int(np.argmax(np.abs(np.nansum(force, axis=0))))]
        force = np.nan_to_num(force)
        if ours:
            turning = (
                np.column_stack([table.column(n) for n in threes[torque]]) @ up
                if torque in threes
                else np.zeros(len(force))
            )
            plates.append(
                plate_from_point(
                    ours.group(1).strip("_") or f"plate {len(plates) + 1}", force, where, turning, up, rate
                )
            )
        else:
            turning = table.column("My") * 1e-3 if "My" in table.names else np.zeros(len(force))
            plates.append(
                plate_from_point(f"plate {len(plates) + 1}", force, where * 1e-3, np.nan_to_num(turning), up, rate)
            )
    return plates


def _plates_from_forces_file(path: Path) -> list[ForcePlate]:
    content = read_forces(path)
    force, point = np.nan_to_num(content.force), content.point * 1e-3
    up = np.array([0.0, 1.0, 0.0])  # defined by the format: MZ is about Y
    turning = np.nan_to_num(content.free_moment) * 1e-3
    return [
        plate_from_point(f"plate {k + 1}", force[:, k], point[:, k], turning[:, k], up, content.rate)
        for k in range(force.shape[1])
    ]


TrialReader = Callable[[Path], RawTrial]
TRIAL_READERS: dict[str, TrialReader] = {
    ".c3d": _trial_from_c3d,
    ".trc": _trial_from_trc,
    **dict.fromkeys((".csv", ".txt", ".mot", ".sto"), _trial_from_table),
}
PLATE_READERS: dict[str, Callable[[Path], list[ForcePlate]]] = {
    ".forces": _plates_from_forces_file,
    ".c3d": lambda path: _trial_from_c3d(path).plates,
    **dict.fromkeys((".csv", ".txt", ".mot", ".sto"), lambda path: _plates_from_table(read_table(path), path)),
}
