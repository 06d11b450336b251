"""Any file of a laboratory as one raw record, by its ending: markers, plates and events, in the frame and unit of the file.

Plates are in SI already: their formats say their units. Their frame is the laboratory's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.c3d_file import read_c3d
from gaitwright.formats.forces_file import read_forces
from gaitwright.formats.opensim_table import Table, read_table
from gaitwright.formats.trc_file import read_trc
from gaitwright.gait.clock import clock
from gaitwright.gait.events import Event, from_labels
from gaitwright.gait.plates import Plate, from_c3d, from_point

METRES = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "in": 0.0254}
_UNLABELLED = re.compile(r"^(\*|C_|\?)\d*$|^[Uu]nlabell?ed")


@dataclass(frozen=True)
class Raw:
    name: str
    labels: list[str]
    points: np.ndarray
    unit: str
    rate: float | None
    times: np.ndarray
    start: float = 0.0
    plates: list[Plate] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_markers(path: Path) -> Raw:
    if path.is_dir():
        At(f"trial '{path}'").fail(
            "is a folder", expected="the file of one trial, such as walk.c3d; `gaitwright trials` takes many files"
        )
    return READERS[At(f"trial '{path}'").one_of(path.suffix.lower(), READERS, "files of this ending hold no markers")](
        path
    )


def read_plates(path: Path) -> list[Plate]:
    """Plates of a file of forces, in the axes of the laboratory, SI; ModelError if there are none."""
    suffix = At(f"forces '{path}'").one_of(path.suffix.lower(), PLATE_READERS, "files of this ending hold no forces")
    plates = PLATE_READERS[suffix](path)
    if not plates:
        At().fail(
            f"the file '{path}' has no forces of plates",
            expected="columns such as FX1 or right_force_vx, or plates in C3D",
        )
    return plates


def _trc(path: Path) -> Raw:
    found = read_trc(path)
    start = float(found.times[0]) if np.isfinite(found.times[0]) else 0.0
    return Raw(path.stem, found.labels, found.points, found.unit, found.rate, found.times, start, notes=found.notes)


def _c3d(path: Path) -> Raw:
    found = read_c3d(path)
    unit = METRES.get(found.unit.lower(), 1e-3)
    keep = [k for k, label in enumerate(found.labels) if not _UNLABELLED.match(label)]
    notes = list(found.notes)
    if len(keep) < len(found.labels):
        notes.append(f"{len(found.labels) - len(keep)} markers without a label are left out")
    times = found.start + np.arange(len(found.points)) / found.rate
    plates = [from_c3d(plate, f"plate {k}", unit, found.analog_rate) for k, plate in enumerate(found.plates, 1)]
    return Raw(
        path.stem, [found.labels[k] for k in keep], found.points[:, keep], found.unit, found.rate, times, found.start, plates,
        from_labels(found.events), notes,
    )  # fmt: skip


def _table(path: Path) -> Raw:
    """Columns in threes: heel_x, heel_y, heel_z, or heelX .., but no forces; the first column is time."""
    table = read_table(path)
    threes = {base: names for base, names in _threes(table).items() if not _FORCE.search(base)}
    if not threes:
        At().fail(f"the file '{path}' has no markers", expected="columns in threes, such as heel_x, heel_y, heel_z")
    points = np.stack([np.column_stack([table.column(name) for name in names]) for names in threes.values()], axis=1)
    times = table.values[:, 0]
    plates = _plates_of(table, path)
    return Raw(path.stem, list(threes), points, "", None, times, float(times[0]), plates, notes=table.notes)


_FORCE = re.compile(r"force|torque|^F$|^COP$|^CoP$|moment", re.IGNORECASE)


def _threes(table: Table) -> dict[str, list[str]]:
    found: dict[str, dict[str, str]] = {}
    for name in table.names[1:]:
        match = re.fullmatch(r"(.+?)[_. ]?([xyzXYZ])", name)
        if match:
            found.setdefault(match.group(1), {})[match.group(2).lower()] = name
    return {base: [axes[a] for a in "xyz"] for base, axes in found.items() if len(axes) == 3}


def _plates_of(table: Table, path: Path) -> list[Plate]:
    """Either F, COP and the moment My of one plate, in mm, or columns of OpenSim's external loads."""
    threes = _threes(table)
    rate = clock(table.values[:, 0], None, path.stem).rate
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
                from_point(ours.group(1).strip("_") or f"plate {len(plates) + 1}", force, where, turning, up, rate)
            )
        else:
            turning = table.column("My") * 1e-3 if "My" in table.names else np.zeros(len(force))
            plates.append(from_point(f"plate {len(plates) + 1}", force, where * 1e-3, np.nan_to_num(turning), up, rate))
    return plates


def _forces(path: Path) -> list[Plate]:
    found = read_forces(path)
    force, point = np.nan_to_num(found.force), found.point * 1e-3
    up = np.array([0.0, 1.0, 0.0])  # of the format: MZ is about Y
    turning = np.nan_to_num(found.free_moment) * 1e-3
    return [
        from_point(f"plate {k + 1}", force[:, k], point[:, k], turning[:, k], up, found.rate)
        for k in range(force.shape[1])
    ]


Reader = Callable[[Path], Raw]
READERS: dict[str, Reader] = {".c3d": _c3d, ".trc": _trc, **dict.fromkeys((".csv", ".txt", ".mot", ".sto"), _table)}
PLATE_READERS: dict[str, Callable[[Path], list[Plate]]] = {
    ".forces": _forces,
    ".c3d": lambda path: _c3d(path).plates,
    **dict.fromkeys((".csv", ".txt", ".mot", ".sto"), lambda path: _plates_of(read_table(path), path)),
}
