"""C3D, the binary format of motion laboratories, read and written by the package ezc3d.

The data are those of the file: gait/force_plates.py interprets plates. Missing frames of a truncated file are
counted here, since ezc3d does not report them; ezc3d always receives Intel numbers (c3d_byte_order.py).

ezc3d runs in the helper process only (_core/isolation.py). It cannot share a process with OpenSim: both contain SWIG's
`swig::traits_info<std::vector<T>>::type_info()::info`, a symbol of binding GNU_UNIQUE, which exists once per process. The
library that uses it first stores its own type there, and the other one then rejects its own vectors.
"""

from __future__ import annotations

import importlib.util
import os
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import MAX_BINARY_BYTES, read_bytes
from gaitwright._core.isolation import UnreadableFile, failure_cause, run_isolated
from gaitwright._core.output_files import save_bytes
from gaitwright.formats.c3d_byte_order import convert_to_intel, iterate_records, read_processor
from gaitwright.formats.trc_file import make_labels_unique, replace_zeros_with_nan

INSTALL_COMMAND = "pip install 'gaitwright[gait]'"
EZC3D_MISSING_MESSAGE = f"C3D files need the package ezc3d: {INSTALL_COMMAND}"
MIN_FRAME_RATE_HZ, MAX_FRAME_RATE_HZ = 0.1, 1e5
"""Plausible frame rates, Hz; a file with a wrong processor code gives values far outside."""


@dataclass(frozen=True)
class C3dPlate:
    """Force plate. type: 1 to 7. channels: (samples, 6, 8 or 12). units: of each channel. corners: (4, 3) and origin: (3,), in
    the unit of the points. matrix: calibration of types 4 to 7."""

    type: int
    channels: np.ndarray
    units: list[str]
    corners: np.ndarray
    origin: np.ndarray
    matrix: np.ndarray | None = None


@dataclass(frozen=True)
class C3dTrial:
    """points: (frames, markers, 3), in `unit`, NaN in gaps. rate: Hz. start: time of the first frame, s. analog_rate: of the
    plates' channels, Hz. events: label ('Foot Strike'), context ('Left') and time, s, on the same clock as `start`. computed:
    labels of points that the groups of POINT declare as angles, forces, moments and so on. parameters: numbers of the group
    PROCESSING, such as LKneeWidth."""

    labels: list[str]
    points: np.ndarray
    unit: str
    rate: float
    start: float = 0.0
    analog_rate: float = 0.0
    plates: list[C3dPlate] = field(default_factory=list)
    events: list[tuple[str, str, float]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    computed: list[str] = field(default_factory=list)
    parameters: dict[str, float] = field(default_factory=dict)


def import_ezc3d() -> Any:
    """Import the package ezc3d. Called in the helper process only."""
    try:
        return importlib.import_module("ezc3d")
    except ImportError:
        raise GaitwrightError(EZC3D_MISSING_MESSAGE) from None


def require_ezc3d() -> None:
    """Raise GaitwrightError if ezc3d is not installed, without loading it into this process."""
    if importlib.util.find_spec("ezc3d") is None:
        raise GaitwrightError(EZC3D_MISSING_MESSAGE)


def read_c3d(path: str | Path) -> C3dTrial:
    """Read a trial. Raises ModelError if the file is no C3D file."""
    path = Path(path)
    content = read_bytes(path, largest=MAX_BINARY_BYTES)
    if len(content) < 1024 or content[1] != 80:
        ErrorContext().fail(f"the file '{path}' is no C3D file, or is too short", expected="a C3D file, complete")
    processor = read_processor(content)
    if len(content) < 512 * (min(struct.unpack_from(f"{order}H", content, 16)[0] for order in "<>") - 1):
        # ezc3d would search for it in gigabytes. A file with the wrong processor code does not count as truncated.
        ErrorContext().fail(f"the C3D file '{path}' is cut before its first frame", len(content), "a complete file")
    require_ezc3d()
    source = f"the C3D file '{path}' ({processor} numbers)"
    return run_isolated(_parse_content, os.path.abspath(path), content, source, source=source, size=len(content))


def _parse_content(name: str, content: bytes, source: str) -> C3dTrial:
    """Called in the helper process: ezc3d ends the process, or allocates gigabytes, for a damaged file."""
    path = Path(name)
    try:
        plain = convert_to_intel(content)
        for _ in iterate_records(plain):
            pass  # raises UnreadableFile where ezc3d would not return
        return _extract_trial(
            _open_with_ezc3d(path, plain if plain != content else None), path, _header_frame_count(plain)
        )
    except (OSError, RuntimeError, ValueError, IndexError, KeyError, TypeError, struct.error, OverflowError) as error:
        ErrorContext().fail(
            f"{source} cannot be read: {failure_cause(error)}",
            expected="a complete file; saving it again with Intel numbers in the program it comes from often helps",
        )


def _open_with_ezc3d(path: Path, content: bytes | None) -> Any:
    """Open a file, or its converted content: ezc3d reads only from a path."""
    if content is None:
        return import_ezc3d().c3d(str(path))
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "intel.c3d"
        written.write_bytes(content)
        return import_ezc3d().c3d(str(written))


def _header_frame_count(content: bytes) -> int:
    """Number of frames from the header, which ezc3d corrects silently; 0 if it exceeds 16 bits."""
    first, last = struct.unpack_from("<HH", content, 6)
    return last - first + 1 if last < 65535 else 0


def _extract_trial(file: Any, path: Path, promised: int) -> C3dTrial:
    head, parameters, data = file["header"], file["parameters"], file["data"]
    points = np.array(data["points"][:3]).transpose(2, 1, 0)
    points[np.asarray(data["meta_points"]["residuals"])[0].T < 0] = np.nan
    notes = replace_zeros_with_nan(points)
    if len(points) < promised:
        notes.append(
            f"the file '{path.name}' is cut: its header declares {promised} frames, but there are {len(points)}"
        )
    if not len(points):
        ErrorContext().fail(f"the C3D file '{path}' has no frames", expected="a trial with markers")
    rate = float(_parameter_value(parameters, "POINT", "RATE", [head["points"]["frame_rate"]])[0])
    if not MIN_FRAME_RATE_HZ < rate < MAX_FRAME_RATE_HZ:
        raise UnreadableFile(f"it declares {rate:.4g} frames a second")
    labels, label_notes = make_labels_unique(
        [str(label).strip() for label in _read_labels(parameters, "POINT")[: points.shape[1]]]
    )
    unit = str(next(iter(_parameter_value(parameters, "POINT", "UNITS", ["mm"])), "mm")).strip()
    start = head["points"]["first_frame"] / rate
    analog_rate = float(next(iter(_parameter_value(parameters, "ANALOG", "RATE", [rate])), rate))
    return C3dTrial(
        labels, points, unit, rate, start, analog_rate, _read_plates(parameters, np.asarray(data["analogs"])[0].T),
        _read_events(parameters), notes + label_notes, _computed_labels(parameters), _processing_numbers(parameters),
    )  # fmt: skip


COMPUTED_POINT_GROUPS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS", "MODELED_MARKERS")


def _computed_labels(parameters: Any) -> list[str]:
    """Labels of the points that are no markers."""
    labels = [
        str(label).strip()
        for group in COMPUTED_POINT_GROUPS
        for label in _parameter_value(parameters, "POINT", group, [])
    ]
    return list(dict.fromkeys(label for label in labels if label))


def _processing_numbers(parameters: Any) -> dict[str, float]:
    """Numbers of the group PROCESSING, which Vicon uses for the measures of the person."""
    numbers = {}
    for name, parameter in parameters["PROCESSING"].items() if "PROCESSING" in parameters else ():
        values = np.ravel(parameter["value"]) if isinstance(parameter, dict) and "value" in parameter else []
        if len(values) == 1 and isinstance(values[0], (int, float, np.number)) and np.isfinite(values[0]):
            numbers[str(name)] = float(values[0])
    return numbers


PLATE_CHANNEL_COUNTS = {3: 8, 5: 8, 6: 12, 7: 8}
"""Channels by type of plate; 6 for the others."""
CALIBRATED_PLATE_TYPES = (4, 5, 6, 7)


def _read_plates(parameters: Any, analog: np.ndarray) -> list[C3dPlate]:
    used = int(next(iter(_parameter_value(parameters, "FORCE_PLATFORM", "USED", [0])), 0))
    if not used or not len(analog):
        return []
    group = {
        name: np.asarray(_parameter_value(parameters, "FORCE_PLATFORM", name, []))
        for name in ("TYPE", "CORNERS", "ORIGIN", "CHANNEL")
    }
    matrices = np.asarray(_parameter_value(parameters, "FORCE_PLATFORM", "CAL_MATRIX", []))
    units = [str(unit).strip() for unit in _parameter_value(parameters, "ANALOG", "UNITS", [])]
    plates = []
    for k in range(min(used, len(group["TYPE"]))):
        kind = int(group["TYPE"][k])
        count = PLATE_CHANNEL_COUNTS.get(kind, 6)
        columns = [int(c) - 1 for c in group["CHANNEL"][:count, k] if c > 0]
        if len(columns) != count or max(columns) >= analog.shape[1]:
            continue
        calibrated = matrices.ndim == 3 and k < matrices.shape[2]
        plates.append(
            C3dPlate(
                kind, analog[:, columns], [units[c] if c < len(units) else "" for c in columns], group["CORNERS"][:, :, k].T,
                group["ORIGIN"][:, k], matrices[:, :, k] if calibrated and kind in CALIBRATED_PLATE_TYPES else None,
            )
        )  # fmt: skip
    return plates


def _read_events(parameters: Any) -> list[tuple[str, str, float]]:
    times = np.asarray(_parameter_value(parameters, "EVENT", "TIMES", []), dtype=float)
    if times.ndim != 2:
        return []
    labels, contexts = (_parameter_value(parameters, "EVENT", name, []) for name in ("LABELS", "CONTEXTS"))
    events = zip(labels, contexts, times.T, strict=False)
    return [(str(label).strip(), str(context).strip(), float(60 * t[0] + t[1])) for label, context, t in events]


def _parameter_value(parameters: Any, group: str, name: str, otherwise: Any) -> Any:
    value = parameters[group][name]["value"] if group in parameters and name in parameters[group] else []
    return value if len(value) else otherwise


def _read_labels(parameters: Any, group: str) -> list[str]:
    """Labels; beyond 255 they continue in LABELS2, LABELS3, ..."""
    labels, k = list(_parameter_value(parameters, group, "LABELS", [])), 2
    while continued := list(_parameter_value(parameters, group, f"LABELS{k}", [])):
        labels, k = labels + continued, k + 1
    return labels


def write_c3d(path: str | Path, trial: C3dTrial) -> Path:
    """Write a trial with Intel numbers, points and channels as 32-bit floats. Returns the path."""
    require_ezc3d()
    size = 16 * trial.points.shape[0] * trial.points.shape[1] + 4 * sum(plate.channels.size for plate in trial.plates)
    content = run_isolated(_encode_trial, trial, source=f"the C3D file '{path}'", size=size, writes=True)
    return save_bytes(path, content)


def _encode_trial(trial: C3dTrial) -> bytes:
    """File content of a trial. Called in the helper process."""
    library = import_ezc3d()
    file = library.c3d()
    frames, count = trial.points.shape[:2]

    def put(group: str, name: str, value: Any, integer: bool = False) -> None:
        file.add_parameter(group, name, np.asarray(value, dtype=float))
        if integer:
            file["parameters"][group][name]["type"] = library.ezc3d.INT

    file["parameters"]["POINT"]["RATE"]["value"] = [trial.rate]
    file["parameters"]["POINT"]["LABELS"]["value"] = tuple(trial.labels)
    file["parameters"]["POINT"]["UNITS"]["value"] = [trial.unit]
    file["header"]["points"]["first_frame"] = round(trial.start * trial.rate)
    points = np.ones((4, count, frames))
    points[:3] = trial.points.transpose(2, 1, 0)
    file["data"]["points"] = points
    if trial.plates:
        channels = np.hstack([plate.channels for plate in trial.plates])
        names, units = _channel_names(trial.plates)
        file["parameters"]["ANALOG"]["RATE"]["value"] = [trial.analog_rate]
        file["parameters"]["ANALOG"]["LABELS"]["value"] = tuple(names)
        file["parameters"]["ANALOG"]["UNITS"]["value"] = tuple(units)
        needed = frames * round(trial.analog_rate / trial.rate)
        padded = np.zeros((needed, channels.shape[1]))
        padded[: len(channels)] = channels[:needed]
        file["data"]["analogs"] = padded.T[None]
        widths = [plate.channels.shape[1] for plate in trial.plates]
        firsts = np.cumsum([0, *widths[:-1]])
        columns = np.zeros((max(widths), len(widths)))
        for k, (first, width) in enumerate(zip(firsts, widths, strict=True)):
            columns[:width, k] = first + 1 + np.arange(width)
        put("FORCE_PLATFORM", "USED", [len(widths)], integer=True)
        put("FORCE_PLATFORM", "TYPE", [plate.type for plate in trial.plates], integer=True)
        put("FORCE_PLATFORM", "ZERO", [1, 0], integer=True)
        put("FORCE_PLATFORM", "CHANNEL", columns, integer=True)
        put("FORCE_PLATFORM", "CORNERS", np.stack([plate.corners.T for plate in trial.plates], axis=2))
        put("FORCE_PLATFORM", "ORIGIN", np.stack([plate.origin for plate in trial.plates], axis=1))
        if any(plate.matrix is not None for plate in trial.plates):
            matrices = [np.eye(6) if plate.matrix is None else plate.matrix for plate in trial.plates]
            put("FORCE_PLATFORM", "CAL_MATRIX", np.stack(matrices, axis=2))
    for label, context, time in trial.events:
        file.add_event([0.0, time], context=context, label=label)
    with tempfile.TemporaryDirectory() as folder:  # ezc3d writes to a path only
        written = Path(folder) / "trial.c3d"
        file.write(str(written))
        return read_bytes(written, largest=MAX_BINARY_BYTES)


def _channel_names(plates: Sequence[C3dPlate]) -> tuple[list[str], list[str]]:
    by_type = {1: "Fx Fy Fz Px Py Mz", 3: "Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4"}
    names = [
        f"{name}{k}"
        for k, plate in enumerate(plates, 1)
        for name in by_type.get(plate.type, "Fx Fy Fz Mx My Mz").split()
    ]
    return names, [unit for plate in plates for unit in plate.units]
