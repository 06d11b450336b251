"""Markers over time in TRC, the text format of Motion Analysis that OpenSim reads, too: read and written.

What other readers stumble over is read here: rows that end early, labels that are there twice or not at all, gaps as empty
cells or as three zeros, a header that counts wrong, and a last line that was cut.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.columns import EMPTY, number_in, plain_numbers, written
from gaitwright.input_files import decoded, read_bytes
from gaitwright.saving import save_text

FIELDS = (
    "DataRate",
    "CameraRate",
    "NumFrames",
    "NumMarkers",
    "Units",
    "OrigDataRate",
    "OrigDataStartFrame",
    "OrigNumFrames",
)


@dataclass(frozen=True)
class MarkerTable:
    """Markers as a file has them.

    points: (frames, markers, 3), in `unit`, NaN where there was none. rate: as the header says, Hz; None if it says nothing.
    times: (frames,), as written, s."""

    labels: list[str]
    points: np.ndarray
    unit: str
    rate: float | None
    times: np.ndarray
    notes: list[str] = field(default_factory=list)


def read_trc(path: str | Path) -> MarkerTable:
    """The markers of a .trc file."""
    path = Path(path)
    text = decoded(read_bytes(path), f"the file '{path}'")
    if text is None:
        At().fail(f"the file '{path}' is not a text file", expected="a .trc file")
    notes = [text.note] if text.note else []
    lines = text.content.splitlines()
    start = next((k for k, line in enumerate(lines) if line.strip().lower().startswith("frame#")), None)
    if start is None:
        At().fail(
            f"the file '{path}' has no line that begins with Frame#", expected="a .trc file with its five header lines"
        )
    says = _header(lines[:start])
    unit = says.get("units", "")
    rate = number_in(says.get("datarate", ""), "\t")
    separator = "\t" if "\t" in lines[start] else None
    labels = _labels(lines[start], separator)
    rows, cut = [], 0
    for number, line in enumerate(lines[start + 1 :], start + 2):
        cells = [cell.strip() for cell in line.split(separator)]
        if number_in(cells[0] if cells else "", "\t") is None or len(cells) < 2:
            continue  # the line X1 Y1 Z1, and empty ones
        row = plain_numbers(cells) or [np.nan if c.lower() in EMPTY else _finite(c, number, path) for c in cells]
        if (
            row[-1:]
            and len(row) < 2 + 3 * len(labels)
            and number == len(lines)
            and not text.content.endswith(("\n", "\r"))
        ):
            cut = number  # what a cut line ends with may be half a number
            continue
        rows.append(row)
    if not rows:
        At().fail(f"the file '{path}' has no frames", expected="a line of numbers for every frame")
    if cut:
        notes.append(f"the file '{path.name}' is cut: its last line, {cut}, is incomplete and left out")
    wide = max(map(len, rows))
    while wide > 2 + 3 * len(labels) and any(
        len(row) > 2 + 3 * len(labels) and np.isfinite(row[2 + 3 * len(labels)]) for row in rows
    ):
        labels.append("")
    values = np.full((len(rows), 2 + 3 * len(labels)), np.nan)
    for k, row in enumerate(rows):
        values[k, : len(row)] = row[: values.shape[1]]
    counted = number_in(says.get("numframes", ""), "\t")
    if counted is not None and counted > len(rows):
        notes.append(
            f"the header of '{path.name}' speaks of {counted:g} frames, but there are {len(rows)}: the file may be cut"
        )
    points = values[:, 2:].reshape(len(rows), len(labels), 3)
    notes += mark_zeros(points)
    labels, more = distinct(labels)
    return MarkerTable(labels, points, unit or "mm", rate, values[:, 1], notes + more)


def write_trc(
    path: str | Path, labels: Sequence[str], points: np.ndarray, rate: float, unit: str = "m", start: float = 0.0
) -> Path:
    """points: (frames, markers, 3), in `unit`; NaN becomes an empty cell. The first frame is at `start`, s."""
    frames, count = points.shape[:2]
    values = [rate, rate, frames, count, unit, rate, 1, frames]
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{Path(path).name}",
        "\t".join(FIELDS),
        "\t".join(str(v) if isinstance(v, str) else f"{v:.10g}" for v in values),
        "Frame#\tTime\t" + "\t\t\t".join(labels) + "\t\t",
        "\t\t" + "\t".join(f"{axis}{k + 1}" for k in range(count) for axis in "XYZ"),
        "",
    ]
    for k, row in enumerate(points.reshape(frames, -1).tolist()):
        lines.append("\t".join([str(k + 1), f"{start + k / rate:.9g}", *written(row)]))
    return save_text(path, "\n".join(lines) + "\n")


def distinct(labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Labels, each once: what comes again has a number, what has none is called after its place; and notes of it."""
    found, notes = [], []
    for k, label in enumerate(labels, 1):
        name = label or f"unnamed_{k}"
        again = 2
        while name in found:
            name = f"{label}_{again}"
            again += 1
        if label and name != label:
            notes.append(f"the label '{label}' is there twice: the second one is called '{name}'")
        found.append(name)
    return found, notes


def mark_zeros(points: np.ndarray) -> list[str]:
    """Three zeros exactly are nothing seen, in the files of many programs: they become NaN, in place; and a note."""
    zero = (points == 0).all(axis=2)
    points[zero] = np.nan
    return [f"{zero.sum()} places of exactly (0, 0, 0) are taken as gaps"] if zero.any() else []


def _header(lines: Sequence[str]) -> dict[str, str]:
    for names, values in itertools.pairwise(lines):
        if "datarate" in names.lower():
            pair = zip(names.split(), values.split(), strict=False)
            return {name.lower(): value for name, value in pair}
    return {}


def _labels(line: str, separator: str | None) -> list[str]:
    cells = [cell.strip() for cell in line.split(separator)][2:]
    while cells and not cells[-1]:
        cells.pop()
    every_third = cells[::3]
    if sum(map(bool, cells)) == sum(map(bool, every_third)):
        return every_third
    return [cell for cell in cells if cell]  # written without room for Y and Z


def _finite(cell: str, line: int, path: Path) -> float:
    number = number_in(cell, "\t")
    if number is None:
        if cell.lower().lstrip("+-") in ("inf", "infinity", "-nan(ind)", "nan(ind)", "1.#qnan", "1.#ind"):
            return np.nan
        At().fail(
            f"line {line} of the file '{path}' has a cell that is no number",
            expected="numbers, or empty cells for gaps",
        )
    return number
