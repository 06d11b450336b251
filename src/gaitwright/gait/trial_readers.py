"""Readers for files of a laboratory, by suffix: markers, plates and events as one raw record, in the frame and unit of the
file.

Plates are already in SI units, because their formats define the units. Their frame is the laboratory's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.formats.c3d_file import read_c3d
from gaitwright.formats.forces_file import read_forces
from gaitwright.formats.opensim_table import OpenSimTable, read_table
from gaitwright.formats.trc_file import read_trc
from gaitwright.gait.events import GaitEvent, events_from_labels
from gaitwright.gait.force_plates import ForcePlate, plate_from_c3d, plate_from_point
from gaitwright.gait.frame_times import recover_frame_times
from gaitwright.gait.segment_frames import LimbMeasures

METRES_PER_UNIT = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "in": 0.0254}
MIN_PEAK_FORCE_N = 20.0
"""Smaller peaks are no forces of a person in N: body weights or kN."""
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


class PlateFile(NamedTuple):
    """Plates of a force file. has_clock: True if the starts of the plates are times of a clock, s. notes: corrections."""

    plates: list[ForcePlate]
    has_clock: bool
    notes: list[str]


def read_plates(path: Path) -> PlateFile:
    """Read the plates of a force file, in the axes of the laboratory, SI units. Raises ModelError if there are none."""
    suffix, at = path.suffix.lower(), ErrorContext(f"forces '{path}'")
    if suffix in UNSUPPORTED_FORCE_FILES:
        at.fail(
            f"cannot be converted to N: {UNSUPPORTED_FORCE_FILES[suffix]}",
            expected=f"the forces exported by the same program as .forces or .c3d; {', '.join(PLATE_READERS)} are supported",
        )
    read = PLATE_READERS[at.one_of(suffix, PLATE_READERS, "files of this ending hold no forces")](path)
    if not read.plates:
        if read.notes:
            ErrorContext().fail(f"the forces cannot be used: {read.notes[0]}", expected="forces in N")
        ErrorContext().fail(
            f"the file '{path}' has no forces of plates{_column_text(path)}",
            expected="columns such as FX1, ground_force_vx, 1_ground_force_vx or right_force_vx with their points (.._px), or "
            "plates in C3D",
        )
    return read


def _column_text(path: Path) -> str:
    """Columns of a table, for a message."""
    if path.suffix.lower() in (".c3d", ".forces"):
        return ""
    names = read_table(path).names
    return f"; its columns are {', '.join(names[:8])}{' ..' if len(names) > 8 else ''}"


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
    plates = []
    for k, plate in enumerate(content.plates, 1):
        try:
            plates.append(plate_from_c3d(plate, f"plate {k}", unit, content.analog_rate))
        except ModelError as error:
            notes.append(f"{error}: it is left out")
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
    read = _plates_from_table(table, path)
    plates = [replace(plate, start=0.0) for plate in read.plates]
    notes = [*table.notes, *read.notes]
    return RawTrial(path.stem, list(threes), points, "", None, times, float(times[0]), plates, notes=notes)


_FORCE_COLUMN = re.compile(r"force|torque|^F$|^COP$|^CoP$|moment", re.IGNORECASE)


def _vector_columns(table: OpenSimTable) -> dict[str, list[str]]:
    vectors: dict[str, dict[str, str]] = {}
    for name in table.names[1:]:
        match = re.fullmatch(r"(.+?)[_. ]?([xyzXYZ])", name)
        if match:
            vectors.setdefault(match.group(1), {})[match.group(2).lower()] = name
    return {base: [axes[a] for a in "xyz"] for base, axes in vectors.items() if len(axes) == 3}


def _plates_from_table(table: OpenSimTable, path: Path) -> PlateFile:
    """Read plates from columns of external loads of OpenSim in any usual spelling, or from F, COP and the moment My, N mm, of
    one plate. Points with values of more than 20 are in mm."""
    threes = _vector_columns(table)
    keys = {re.sub(r"[\s._-]", "", base).lower(): base for base in threes}
    start = float(table.values[0, 0])
    plates: list[ForcePlate] = []
    notes: list[str] = []

    def vectors(base: str) -> np.ndarray:
        return np.column_stack([table.column(name) for name in threes[base]])

    for key, base in keys.items():
        parts = re.fullmatch(r"(.*)force(.*?)v", key)
        point = f"{parts.group(1)}force{parts.group(2)}p" if parts else "cop"
        if not (parts or key == "f") or point not in keys:
            continue
        force, where = np.nan_to_num(vectors(base)), vectors(keys[point])
        up = np.eye(3)[int(np.argmax(np.abs(force.sum(axis=0))))]
        loaded = np.abs(force @ up) > 0.5 * np.abs(force @ up).max()
        name = f"plate {len(plates) + 1}"
        if parts:
            ends = [
                f"{parts.group(1)}{word}{parts.group(2)}{end}"
                for word in ("torque", "moment")
                for end in ("", "m", "t")
            ]
            torque = next((keys[end] for end in ends if end in keys), None)
            turning = np.zeros(len(force)) if torque is None else np.nan_to_num(vectors(torque)) @ up
            name = re.sub(r"_*force_*", "_", base[:-1]).strip("_") or name
        else:
            turning = np.nan_to_num(table.column("My")) if "My" in table.names else np.zeros(len(force))
        where = np.where(np.isfinite(where), where, 0.0)
        in_mm = bool(np.abs(where[loaded]).max(initial=0.0) > 20.0) or not parts
        if in_mm:
            where, turning = where * 1e-3, turning * 1e-3
            notes += [f"the points of application of {name} are in mm"] if parts else []
        if 0.0 < np.abs(force).max() < MIN_PEAK_FORCE_N:
            peak = np.abs(force).max()
            notes.append(
                f"{name} of '{path.name}' has forces of {peak:.3g} at most: they are not in N, and it is left out"
            )
            continue
        rate = recover_frame_times(table.values[:, 0], None, path.stem).rate
        plates.append(replace(plate_from_point(name, force, where, turning, up, rate), start=start))
    return PlateFile(plates, True, notes)


def _plates_from_c3d_file(path: Path) -> PlateFile:
    trial = _trial_from_c3d(path)
    return PlateFile([replace(plate, start=trial.start) for plate in trial.plates], True, [])


def _plates_from_forces_file(path: Path) -> PlateFile:
    content = read_forces(path)
    force, point = np.nan_to_num(content.force), content.point * 1e-3
    up = np.array([0.0, 1.0, 0.0])  # defined by the format: MZ is about Y
    turning = np.nan_to_num(content.free_moment) * 1e-3
    plates = [
        plate_from_point(f"plate {k + 1}", force[:, k], point[:, k], turning[:, k], up, content.rate)
        for k in range(force.shape[1])
    ]
    return PlateFile(plates, False, list(content.notes))


TrialReader = Callable[[Path], RawTrial]
TRIAL_READERS: dict[str, TrialReader] = {
    ".c3d": _trial_from_c3d,
    ".trc": _trial_from_trc,
    **dict.fromkeys((".csv", ".txt", ".mot", ".sto"), _trial_from_table),
}
PLATE_READERS: dict[str, Callable[[Path], PlateFile]] = {
    ".forces": _plates_from_forces_file,
    ".c3d": _plates_from_c3d_file,
    **dict.fromkeys((".csv", ".txt", ".mot", ".sto"), lambda path: _plates_from_table(read_table(path), path)),
}
UNSUPPORTED_FORCE_FILES = {
    ".anc": "the file holds samples of an analog board, without scale, calibration and position of the plates",
    ".kin": "the format has no public description",
}
"""Force files of Motion Analysis that are refused, with the reason. Programs that read .anc files assume a gain and an
excitation voltage (BTK: 4000 and 10 V), and differ in the sign of the origin of forcepla.cal."""
