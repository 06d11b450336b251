"""A trial: markers, plates and events of one walk, in SI units and in one frame; its notes state detections and
corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.gait import axes
from gaitwright.gait.events import GaitEvent
from gaitwright.gait.force_alignment import align_axes, align_clock
from gaitwright.gait.force_plates import ForcePlate, remove_offset
from gaitwright.gait.frame_times import recover_frame_times
from gaitwright.gait.gap_filling import MAX_FILLED_GAP_SECONDS, fill_gaps
from gaitwright.gait.label_swaps import correct_label_swaps
from gaitwright.gait.marker_sets import (
    detect_marker_set,
    is_computed_point,
    landmark_segment,
    match_landmarks,
)
from gaitwright.gait.segment_frames import LimbMeasures
from gaitwright.gait.trial_readers import RawTrial, read_markers, read_plates


@dataclass(frozen=True)
class GaitTrial:
    """A trial. markers: (time, marker, axis), m; x forward, y left, z up. rate: Hz. filled: (time, marker), True for
    filled positions.
    lab: transformation to the axes of the laboratory. landmarks: 'right_heel' -> label. faults: the notes about defects of
    the files. marker_set: name of the preset. measures: of the person's limbs, from the file."""

    name: str
    markers: xr.DataArray
    rate: float
    lab: axes.LaboratoryFrame
    plates: list[ForcePlate] = field(default_factory=list)
    events: list[GaitEvent] = field(default_factory=list)
    landmarks: dict[str, str] = field(default_factory=dict)
    filled: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    marker_set: str = ""
    measures: LimbMeasures = field(default_factory=LimbMeasures)

    @property
    def times(self) -> np.ndarray:
        return self.markers["time"].to_numpy()

    @property
    def labels(self) -> list[str]:
        return [str(label) for label in self.markers["marker"].to_numpy()]

    def marker(self, label: str) -> np.ndarray:
        """Positions of a marker over time, (frames, 3), m. Raises ModelError for an unknown label."""
        if label not in self.labels:
            ErrorContext(f"trial '{self.name}'", "marker").fail(
                "there is no such marker", label, format_choices(label, self.labels)
            )
        return self.markers.to_numpy()[:, self.labels.index(label)]

    def place(self, *names: str) -> np.ndarray | None:
        """Mean of landmarks, such as 'right_heel', (frames, 3), m; None if no frame shows a marker of them."""
        return axes.mean_landmark_positions(self.markers.to_numpy(), self.labels, self.landmarks, *names)

    def save(self, path: str | Path) -> Path:
        """Write the trial as .trc, .c3d, .csv, .nc (markers) or .mot (ground forces for OpenSim), by the suffix. Raises
        ModelError for another suffix."""
        from gaitwright.gait.trial_writers import TRIAL_WRITERS

        path = Path(path)
        return TRIAL_WRITERS[
            ErrorContext("save").one_of(path.suffix.lower(), TRIAL_WRITERS, "is no suffix of an output file")
        ](self, path)


def load(
    path: str | Path,
    forces: str | Path | None = None,
    markers: Mapping[str, str] | None = None,
    longest_gap: float = MAX_FILLED_GAP_SECONDS,
) -> GaitTrial:
    """Load a trial from C3D, TRC, or a table (.csv, .txt, .mot, .sto), with forces from a separate file (.forces, .mot,
    .sto, .c3d).

    markers: labels by landmark, in addition to the known marker sets: {'right_heel': 'my heel'}. longest_gap: s, longest
    gap that is filled. Raises ModelError for unreadable or inconsistent files."""
    raw, computed_notes = _without_computed_points(read_markers(Path(path)), markers)
    time = recover_frame_times(raw.times, raw.rate, raw.name)
    marker_set = detect_marker_set(raw.labels)[0]
    marks = match_landmarks(raw.labels, markers)
    unit, unit_notes = _length_unit(raw, marks)
    points = np.full((time.frames[-1] + 1, len(raw.labels), 3), np.nan)
    points[time.frames] = raw.points * unit
    points, swap_notes = correct_label_swaps(points, raw.start + np.arange(len(points)) / time.rate, raw.labels, marks)
    plates, force_notes = _read_all_plates(raw, forces, len(points) / time.rate)
    plates, axis_notes = align_axes(points, time.rate, raw.labels, marks, plates)
    faults = [*raw.notes, *time.notes, *unit_notes, *swap_notes, *force_notes, *axis_notes]
    lab = replace(axes.find_laboratory_frame(points, time.rate, raw.labels, marks, plates), unit=unit)
    plates = [_plate_in_trial_frame(plate, lab) for plate in plates]
    plates, more = _remove_offsets(plates)
    filled_markers = fill_gaps(points @ lab.axes.T, time.rate, raw.labels, longest_gap)
    times = raw.start + np.arange(len(points)) / time.rate
    array = xr.DataArray(
        filled_markers.points, {"time": times, "marker": raw.labels, "axis": ["x", "y", "z"]}, ("time", "marker", "axis"),
        "markers",
        {"units": "m"},
    )  # fmt: skip
    faults += more
    set_notes = [f"the marker set is {marker_set}"] if marker_set else []
    notes = [*faults, *computed_notes, *set_notes, *lab.notes, *filled_markers.notes]
    return GaitTrial(
        raw.name, array, time.rate, lab, plates, raw.events, marks, filled_markers.filled, notes, faults, marker_set,
        raw.measures,
    )  # fmt: skip


def split_marker_map(markers: Mapping[str, str] | None, *paths: str | Path | None) -> list[dict[str, str] | None]:
    """The labels of a marker map that each of several files has: of a walk and of its static trial, which may have others.
    Raises ModelError for a label that no file has."""
    if not markers:
        return [None for _ in paths]
    labels = [set() if path is None else set(read_markers(Path(path)).labels) for path in paths]
    for landmark, label in markers.items():
        ErrorContext("marker set", landmark).one_of(label, sorted(set().union(*labels)), "there is no such marker")
    return [{landmark: label for landmark, label in markers.items() if label in own} for own in labels]


def _without_computed_points(raw: RawTrial, own: Mapping[str, str] | None) -> tuple[RawTrial, list[str]]:
    """The trial without points that a program computed, such as angles, and a note about them."""
    declared, wanted = set(raw.computed), set((own or {}).values())
    keep = [
        k for k, label in enumerate(raw.labels)
        if label in wanted or not (label in declared or is_computed_point(label))
    ]  # fmt: skip
    if len(keep) == len(raw.labels):
        return raw, []
    computed = [label for k, label in enumerate(raw.labels) if k not in set(keep)]
    more = " .." if len(computed) > 3 else ""
    note = f"{len(computed)} computed points are no markers and are left out: {', '.join(computed[:3])}{more}"
    return replace(raw, labels=[raw.labels[k] for k in keep], points=raw.points[:, keep]), [note]


def _plate_in_trial_frame(plate: ForcePlate, lab: axes.LaboratoryFrame) -> ForcePlate:
    """The plate in the frame of the trial, with the force on the person, which points up."""
    force, moment = plate.force @ lab.axes.T, plate.moment @ lab.axes.T
    corners = None if plate.corners is None else plate.corners @ lab.axes.T
    vertical = np.nan_to_num(force[:, 2])
    # only loaded samples: an offset of -20 N over a long trial outweighs a step
    loaded = np.abs(vertical) >= 0.5 * np.abs(vertical).max()
    if vertical[loaded].sum() < 0:  # the file has the force on the plate: reverse it
        force, moment = -force, -moment
    height = 0.0 if corners is None else float(corners[:, 2].mean())
    return replace(plate, force=np.nan_to_num(force), moment=np.nan_to_num(moment), corners=corners, height=height)


def _remove_offsets(plates: list[ForcePlate]) -> tuple[list[ForcePlate], list[str]]:
    pairs = [remove_offset(plate) for plate in plates]
    return [plate for plate, _ in pairs], [note for _, note in pairs if note]


METRES_PER_UNIT = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "in": 0.0254, "meters": 1.0, "millimeters": 1e-3}


def _length_unit(raw: RawTrial, marks: Mapping[str, str]) -> tuple[float, list[str]]:
    """m per unit of the file: its stated unit, unless a person would then be smaller than 0.2 m or larger than 4 m; markers of
    feet alone are 0.05 m apart at least."""
    segments = {landmark_segment(mark) for mark in marks}
    smallest = 0.05 if segments and segments <= {"right_foot", "left_foot"} else 0.2
    seen = raw.points[:, np.isfinite(raw.points).all(axis=2).any(axis=0)]
    if not raw.labels:
        ErrorContext().fail(
            f"{raw.name} has no markers", expected="a trial with markers; a file with forces alone is given by --forces"
        )
    if not seen.size:
        ErrorContext().fail(
            f"{raw.name} names {len(raw.labels)} markers, but none is ever seen", expected="places of markers"
        )
    spread = float(np.ptp(np.nanmedian(seen, axis=0), axis=0).max())
    unit = METRES_PER_UNIT.get(raw.unit.lower(), 0.0)
    if unit and smallest < spread * unit < 4.0:
        return unit, []
    for other, name in ((1e-3, "mm"), (1.0, "m"), (1e-2, "cm")):
        if smallest < spread * other < 4.0:
            stated = f"states the unit {raw.unit}" if raw.unit else "has no unit"
            return other, [f"{raw.name} {stated}, but only {name} gives the size of a person: {name} is used"]
    return unit or 1e-3, [
        f"the markers of {raw.name} are spread over {spread:.3g} {raw.unit}: not the size of a person"
    ]


def _read_all_plates(raw: RawTrial, forces: str | Path | None, seconds: float) -> tuple[list[ForcePlate], list[str]]:
    """Plates of the trial and of a separate file of forces, on the clock of the markers, with notes. seconds: of the trial."""
    plates, notes = list(raw.plates), []
    if forces is not None:
        read = read_plates(Path(forces))
        notes += read.notes
        if read.has_clock:
            own, more = align_clock(read.plates, raw.start, seconds, Path(forces).name)
            plates, notes = [*plates, *own], [*notes, *more]
        else:
            plates += read.plates
    ends = [plate.start + len(plate.force) / plate.rate for plate in plates]
    if plates and abs(max(ends) - seconds) > 0.02 + 2 / plates[0].rate:
        notes.append(
            f"the forces last until {max(ends):.3f} s, the markers until {seconds:.3f} s after the first frame of the markers"
        )
    return plates, notes


TrialWriter = Callable[[GaitTrial, Path], Path]
