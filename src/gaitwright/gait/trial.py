"""A trial: markers, plates and events of one walk, in SI and in one frame, with what was found and mended in its notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import xarray as xr

from gaitwright.checks import At, offer
from gaitwright.gait import axes
from gaitwright.gait.clock import clock
from gaitwright.gait.events import Event
from gaitwright.gait.exchanged import mend_exchanged
from gaitwright.gait.gaps import LONGEST, mend
from gaitwright.gait.marker_sets import landmarks
from gaitwright.gait.plates import Plate, without_offset
from gaitwright.gait.reading import Raw, read_markers, read_plates


@dataclass(frozen=True)
class Trial:
    """markers: (time, marker, axis), m; x forward, y left, z up. filled: (time, marker), where a place was made, not measured.
    lab: the way back to the axes of the laboratory. landmarks: 'right_heel' -> label. faults: those of the notes that say that
    the files are not as they should be."""

    name: str
    markers: xr.DataArray
    rate: float
    lab: axes.Lab
    plates: list[Plate] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    landmarks: dict[str, str] = field(default_factory=dict)
    filled: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def times(self) -> np.ndarray:
        return self.markers["time"].to_numpy()

    @property
    def labels(self) -> list[str]:
        return [str(label) for label in self.markers["marker"].to_numpy()]

    def marker(self, label: str) -> np.ndarray:
        """(frames, 3), m."""
        if label not in self.labels:
            At(f"trial '{self.name}'", "marker").fail("there is no such marker", label, offer(label, self.labels))
        return self.markers.to_numpy()[:, self.labels.index(label)]

    def place(self, *names: str) -> np.ndarray | None:
        """The mean of landmarks, such as 'right_heel', (frames, 3), m; None where no marker stands for one."""
        return axes.places(self.markers.to_numpy(), self.labels, self.landmarks, *names)

    def save(self, path: str | Path) -> Path:
        """Write it as .trc, .c3d, .csv, .nc (markers) or .mot (forces of the ground for OpenSim), by the ending."""
        from gaitwright.gait.writing import WRITERS

        path = Path(path)
        return WRITERS[At("save").one_of(path.suffix.lower(), WRITERS, "is no ending of a file that is written")](
            self, path
        )


def load(
    path: str | Path,
    forces: str | Path | None = None,
    markers: Mapping[str, str] | None = None,
    longest_gap: float = LONGEST,
) -> Trial:
    """A trial from C3D, TRC, or a table (.csv, .txt, .mot, .sto), with forces of their own file (.forces, .mot, .sto, .c3d).

    markers: landmarks by label, beyond the known marker sets: {'right_heel': 'my heel'}. longest_gap: s, that is filled."""
    raw = read_markers(Path(path))
    time = clock(raw.times, raw.rate, raw.name)
    unit, said = _unit(raw)
    points = np.full((time.frames[-1] + 1, len(raw.labels), 3), np.nan)
    points[time.frames] = raw.points * unit
    marks = landmarks(raw.labels, markers)
    points, exchanged = mend_exchanged(points, raw.start + np.arange(len(points)) / time.rate, raw.labels, marks)
    plates = [*raw.plates, *(read_plates(Path(forces)) if forces is not None else [])]
    faults = [*raw.notes, *time.notes, *said, *exchanged, *_lengths(points, time.rate, plates)]
    lab = replace(axes.find(points, time.rate, raw.labels, marks, plates), unit=unit)
    plates = [_turned(plate, lab) for plate in plates]
    plates, more = _without_offsets(plates)
    mended = mend(points @ lab.axes.T, time.rate, raw.labels, longest_gap)
    times = raw.start + np.arange(len(points)) / time.rate
    array = xr.DataArray(
        mended.points, {"time": times, "marker": raw.labels, "axis": ["x", "y", "z"]}, ("time", "marker", "axis"), "markers",
        {"units": "m"},
    )  # fmt: skip
    faults += more
    notes = [*faults, *lab.notes, *mended.notes]
    return Trial(raw.name, array, time.rate, lab, plates, raw.events, marks, mended.filled, notes, faults)


def _turned(plate: Plate, lab: axes.Lab) -> Plate:
    """In the frame of the trial; up is where plates push."""
    force, moment = plate.force @ lab.axes.T, plate.moment @ lab.axes.T
    corners = None if plate.corners is None else plate.corners @ lab.axes.T
    vertical = np.nan_to_num(force[:, 2])
    # Only where it is loaded: an offset of -20 N over a long trial outweighs a step.
    loaded = np.abs(vertical) >= 0.5 * np.abs(vertical).max()
    if vertical[loaded].sum() < 0:  # what the person does to the plate: the opposite is what we speak of
        force, moment = -force, -moment
    height = 0.0 if corners is None else float(corners[:, 2].mean())
    return replace(plate, force=np.nan_to_num(force), moment=np.nan_to_num(moment), corners=corners, height=height)


def _without_offsets(plates: list[Plate]) -> tuple[list[Plate], list[str]]:
    pairs = [without_offset(plate) for plate in plates]
    return [plate for plate, _ in pairs], [note for _, note in pairs if note]


UNITS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "in": 0.0254, "meters": 1.0, "millimeters": 1e-3}


def _unit(raw: Raw) -> tuple[float, list[str]]:
    """m per unit of the file: as it says, unless a person would be below 0.2 m or above 4 m then."""
    seen = raw.points[:, np.isfinite(raw.points).all(axis=2).any(axis=0)]
    if not seen.size:
        At().fail(f"{raw.name} names {len(raw.labels)} markers, but none is ever seen", expected="places of markers")
    spread = float(np.ptp(np.nanmedian(seen, axis=0), axis=0).max())
    unit = UNITS.get(raw.unit.lower(), 0.0)
    if unit and 0.2 < spread * unit < 4.0:
        return unit, []
    for other, name in ((1e-3, "mm"), (1.0, "m"), (1e-2, "cm")):
        if 0.2 < spread * other < 4.0:
            said = f"says that it is in {raw.unit}" if raw.unit else "has no unit"
            return other, [f"{raw.name} {said}, but a person of that size is in {name}: taken so"]
    return unit or 1e-3, [
        f"the markers of {raw.name} are spread over {spread:.3g} {raw.unit}: not the size of a person"
    ]


def _lengths(points: np.ndarray, rate: float, plates: list[Plate]) -> list[str]:
    if not plates:
        return []
    markers, forces = len(points) / rate, max(len(plate.force) / plate.rate for plate in plates)
    if abs(markers - forces) <= 1.5 / rate:
        return []
    return [f"the forces last {forces:.3f} s, the markers {markers:.3f} s: both are taken to begin at the same time"]


Writer = Callable[[Trial, Path], Path]
