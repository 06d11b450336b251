"""C3D, the binary format of motion laboratories, read and written by the package ezc3d.

As the file has it: what plates of types 1 to 4 mean is said in gait/plates.py. Frames that a cut file lacks are counted here,
since ezc3d does not say; it gets Intel numbers whatever computer wrote the file (c3d_processors.py).

ezc3d runs in the helper process only (isolation.py). It cannot share a process with OpenSim: both contain SWIG's
`swig::traits_info<std::vector<T>>::type_info()::info`, a symbol of binding GNU_UNIQUE, of which a process has one. The library
that uses it first stores its own type there, and the other one then rejects its own vectors.
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

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError
from gaitwright.formats.c3d_processors import as_intel, processor_of, records
from gaitwright.formats.trc_file import distinct, mark_zeros
from gaitwright.input_files import MAX_BINARY_BYTES, read_bytes
from gaitwright.isolation import Unreadable, cause_of, isolated
from gaitwright.saving import save_bytes

INSTALL = "pip install 'gaitwright[gait]'"
NEEDED = f"C3D files need the package ezc3d: {INSTALL}"
SLOWEST, FASTEST = 0.1, 1e5
"""Frames a second; where a file does not tell the truth about its computer, what comes out is far from these."""


@dataclass(frozen=True)
class C3dPlate:
    """One plate. type: 1 to 4. channels: (samples, 6 or 8). units: of each channel. corners: (4, 3) and origin: (3,), in the
    unit of the points. matrix: (6, 6), of type 4."""

    type: int
    channels: np.ndarray
    units: list[str]
    corners: np.ndarray
    origin: np.ndarray
    matrix: np.ndarray | None = None


@dataclass(frozen=True)
class C3d:
    """points: (frames, markers, 3), in `unit`, NaN in gaps. analog_rate: of the plates' channels, Hz. events: label ('Foot
    Strike'), context ('Left') and time, s, of the clock in which the first frame is at `start`."""

    labels: list[str]
    points: np.ndarray
    unit: str
    rate: float
    start: float = 0.0
    analog_rate: float = 0.0
    plates: list[C3dPlate] = field(default_factory=list)
    events: list[tuple[str, str, float]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def ezc3d() -> Any:
    """The package ezc3d. Called in the helper process only."""
    try:
        return importlib.import_module("ezc3d")
    except ImportError:
        raise GaitwrightError(NEEDED) from None


def require_ezc3d() -> None:
    """Raise GaitwrightError if ezc3d is not installed, without loading it into this process."""
    if importlib.util.find_spec("ezc3d") is None:
        raise GaitwrightError(NEEDED)


def read_c3d(path: str | Path) -> C3d:
    path = Path(path)
    content = read_bytes(path, largest=MAX_BINARY_BYTES)
    if len(content) < 1024 or content[1] != 80:
        At().fail(f"the file '{path}' is no C3D file, or hardly anything of one", expected="a C3D file, complete")
    processor = processor_of(content)
    if len(content) < 512 * (min(struct.unpack_from(f"{order}H", content, 16)[0] for order in "<>") - 1):
        # ezc3d would look for it in gigabytes. A file that names the wrong processor is not taken for one that is cut.
        At().fail(f"the C3D file '{path}' is cut before its first frame", len(content), "a complete file")
    require_ezc3d()
    source = f"the C3D file '{path}' ({processor} numbers)"
    return isolated(_parsed, os.path.abspath(path), content, source, source=source, size=len(content))


def _parsed(name: str, content: bytes, source: str) -> C3d:
    """Called in the helper process: ezc3d ends the process, or takes gigabytes, where a file is damaged."""
    path = Path(name)
    try:
        plain = as_intel(content)
        for _ in records(plain):
            pass  # raises Unreadable where ezc3d would not come back
        return _plain(_opened(path, plain if plain != content else None), path, _promised(plain))
    except (OSError, RuntimeError, ValueError, IndexError, KeyError, TypeError, struct.error, OverflowError) as error:
        At().fail(
            f"{source} cannot be read: {cause_of(error)}",
            expected="a complete file; saving it again with Intel numbers in the program it comes from often helps",
        )


def _opened(path: Path, content: bytes | None) -> Any:
    """A file, or what was made of its content: ezc3d reads files only."""
    if content is None:
        return ezc3d().c3d(str(path))
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "intel.c3d"
        written.write_bytes(content)
        return ezc3d().c3d(str(written))


def _promised(content: bytes) -> int:
    """Frames by the first and the last one of the header, which ezc3d corrects silently; 0 where its 16 bits end."""
    first, last = struct.unpack_from("<HH", content, 6)
    return last - first + 1 if last < 65535 else 0


def _plain(file: Any, path: Path, promised: int) -> C3d:
    head, parameters, data = file["header"], file["parameters"], file["data"]
    points = np.array(data["points"][:3]).transpose(2, 1, 0)
    points[np.asarray(data["meta_points"]["residuals"])[0].T < 0] = np.nan
    notes = mark_zeros(points)
    if len(points) < promised:
        notes.append(
            f"the file '{path.name}' is cut: its header speaks of {promised} frames, but there are {len(points)}"
        )
    if not len(points):
        At().fail(f"the C3D file '{path}' has no frames", expected="a trial with markers")
    rate = float(_value(parameters, "POINT", "RATE", [head["points"]["frame_rate"]])[0])
    if not SLOWEST < rate < FASTEST:
        raise Unreadable(f"it speaks of {rate:.4g} frames a second")
    labels, more = distinct([str(label).strip() for label in _labels(parameters, "POINT")[: points.shape[1]]])
    unit = str(next(iter(_value(parameters, "POINT", "UNITS", ["mm"])), "mm")).strip()
    start = head["points"]["first_frame"] / rate
    analog_rate = float(next(iter(_value(parameters, "ANALOG", "RATE", [rate])), rate))
    return C3d(
        labels, points, unit, rate, start, analog_rate, _plates(parameters, np.asarray(data["analogs"])[0].T),
        _events(parameters), notes + more,
    )  # fmt: skip


def _plates(parameters: Any, analog: np.ndarray) -> list[C3dPlate]:
    used = int(next(iter(_value(parameters, "FORCE_PLATFORM", "USED", [0])), 0))
    if not used or not len(analog):
        return []
    group = {
        name: np.asarray(_value(parameters, "FORCE_PLATFORM", name, []))
        for name in ("TYPE", "CORNERS", "ORIGIN", "CHANNEL")
    }
    matrices = np.asarray(_value(parameters, "FORCE_PLATFORM", "CAL_MATRIX", []))
    units = [str(unit).strip() for unit in _value(parameters, "ANALOG", "UNITS", [])]
    plates = []
    for k in range(min(used, len(group["TYPE"]))):
        kind = int(group["TYPE"][k])
        columns = [int(c) - 1 for c in group["CHANNEL"][: 8 if kind == 3 else 6, k] if c > 0]
        if len(columns) != (8 if kind == 3 else 6) or max(columns) >= analog.shape[1]:
            continue
        plates.append(
            C3dPlate(
                kind, analog[:, columns], [units[c] if c < len(units) else "" for c in columns], group["CORNERS"][:, :, k].T,
                group["ORIGIN"][:, k], matrices[:, :, k] if kind == 4 and matrices.ndim == 3 else None,
            )
        )  # fmt: skip
    return plates


def _events(parameters: Any) -> list[tuple[str, str, float]]:
    times = np.asarray(_value(parameters, "EVENT", "TIMES", []), dtype=float)
    if times.ndim != 2:
        return []
    labels, contexts = (_value(parameters, "EVENT", name, []) for name in ("LABELS", "CONTEXTS"))
    found = zip(labels, contexts, times.T, strict=False)
    return [(str(label).strip(), str(context).strip(), float(60 * t[0] + t[1])) for label, context, t in found]


def _value(parameters: Any, group: str, name: str, otherwise: Any) -> Any:
    found = parameters[group][name]["value"] if group in parameters and name in parameters[group] else []
    return found if len(found) else otherwise


def _labels(parameters: Any, group: str) -> list[str]:
    """More than 255 go on in LABELS2, LABELS3."""
    found, k = list(_value(parameters, group, "LABELS", [])), 2
    while more := list(_value(parameters, group, f"LABELS{k}", [])):
        found, k = found + more, k + 1
    return found


def write_c3d(path: str | Path, trial: C3d) -> Path:
    """Write a trial with Intel numbers, points and channels as floating point numbers of 32 bits. Returns the path."""
    require_ezc3d()
    size = 16 * trial.points.shape[0] * trial.points.shape[1] + 4 * sum(plate.channels.size for plate in trial.plates)
    content = isolated(_encoded, trial, source=f"the C3D file '{path}'", size=size, writes=True)
    return save_bytes(path, content)


def _encoded(trial: C3d) -> bytes:
    """Content of the file of a trial. Called in the helper process."""
    library = ezc3d()
    file = library.c3d()
    frames, count = trial.points.shape[:2]

    def put(group: str, name: str, value: Any, whole: bool = False) -> None:
        file.add_parameter(group, name, np.asarray(value, dtype=float))
        if whole:
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
        put("FORCE_PLATFORM", "USED", [len(widths)], whole=True)
        put("FORCE_PLATFORM", "TYPE", [plate.type for plate in trial.plates], whole=True)
        put("FORCE_PLATFORM", "ZERO", [1, 0], whole=True)
        put("FORCE_PLATFORM", "CHANNEL", columns, whole=True)
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
