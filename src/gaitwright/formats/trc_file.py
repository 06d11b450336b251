"""Markers over time in TRC, the text format of Motion Analysis that OpenSim reads as well: reader and writer.

The reader accepts defects that stop other readers: rows that end early, duplicate or missing labels, gaps as empty cells or as
three zeros, wrong counts in the header, and a truncated last line.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import decode_text, read_bytes
from gaitwright._core.output_files import save_text
from gaitwright.formats.text_table import EMPTY_CELLS, format_cells, parse_finite_numbers, parse_number

HEADER_FIELDS = (
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
    """Markers as in a file.

    points: (frames, markers, 3), in `unit`, NaN for missing markers. rate: from the header, Hz; None if it has none.
    times: (frames,), as written, s."""

    labels: list[str]
    points: np.ndarray
    unit: str
    rate: float | None
    times: np.ndarray
    notes: list[str] = field(default_factory=list)


def read_trc(path: str | Path) -> MarkerTable:
    """Read the markers of a .trc file; ModelError if it is no .trc file."""
    path = Path(path)
    text = decode_text(read_bytes(path), f"the file '{path}'")
    if text is None:
        ErrorContext().fail(f"the file '{path}' is not a text file", expected="a .trc file")
    notes = [text.note] if text.note else []
    lines = text.content.splitlines()
    start = next((k for k, line in enumerate(lines) if line.strip().lower().startswith("frame#")), None)
    if start is None:
        ErrorContext().fail(
            f"the file '{path}' has no line that begins with Frame#", expected="a .trc file with its five header lines"
        )
    header = _parse_header(lines[:start])
    unit = header.get("units", "")
    rate = parse_number(header.get("datarate", ""), "\t")
    separator = "\t" if "\t" in lines[start] else None
    labels = _parse_labels(lines[start], separator)
    rows, cut = [], 0
    for number, line in enumerate(lines[start + 1 :], start + 2):
        cells = [cell.strip() for cell in line.split(separator)]
        if parse_number(cells[0] if cells else "", "\t") is None or len(cells) < 2:
            continue  # the line X1 Y1 Z1, and empty ones
        row = parse_finite_numbers(cells) or [
            np.nan if c.lower() in EMPTY_CELLS else _parse_coordinate(c, number, path) for c in cells
        ]
        if (
            row[-1:]
            and len(row) < 2 + 3 * len(labels)
            and number == len(lines)
            and not text.content.endswith(("\n", "\r"))
        ):
            cut = number  # the last number of a truncated line may be incomplete
            continue
        rows.append(row)
    if not rows:
        ErrorContext().fail(f"the file '{path}' has no frames", expected="a line of numbers for every frame")
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
    counted = parse_number(header.get("numframes", ""), "\t")
    if counted is not None and counted > len(rows):
        notes.append(
            f"the header of '{path.name}' declares {counted:g} frames, but there are {len(rows)}: the file may be cut"
        )
    points = values[:, 2:].reshape(len(rows), len(labels), 3)
    notes += replace_zeros_with_nan(points)
    labels, label_notes = make_labels_unique(labels)
    return MarkerTable(labels, points, unit or "mm", rate, values[:, 1], notes + label_notes)


def write_trc(
    path: str | Path, labels: Sequence[str], points: np.ndarray, rate: float, unit: str = "m", start: float = 0.0
) -> Path:
    """Write a .trc file. points: (frames, markers, 3), in `unit`; NaN becomes an empty cell. rate: Hz. start: time of the first
    frame, s."""
    frames, count = points.shape[:2]
    values = [rate, rate, frames, count, unit, rate, 1, frames]
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{Path(path).name}",
        "\t".join(HEADER_FIELDS),
        "\t".join(str(v) if isinstance(v, str) else f"{v:.10g}" for v in values),
        "Frame#\tTime\t" + "\t\t\t".join(labels) + "\t\t",
        "\t\t" + "\t".join(f"{axis}{k + 1}" for k in range(count) for axis in "XYZ"),
        "",
    ]
    for k, row in enumerate(points.reshape(frames, -1).tolist()):
        lines.append("\t".join([str(k + 1), f"{start + k / rate:.9g}", *format_cells(row)]))
    return save_text(path, "\n".join(lines) + "\n")


def make_labels_unique(labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Unique labels, and notes: duplicates get a number, missing ones are named after their column."""
    unique, notes = [], []
    for k, label in enumerate(labels, 1):
        name = label or f"unnamed_{k}"
        number = 2
        while name in unique:
            name = f"{label}_{number}"
            number += 1
        if label and name != label:
            notes.append(f"the label '{label}' occurs twice: the second one is called '{name}'")
        unique.append(name)
    return unique, notes


def replace_zeros_with_nan(points: np.ndarray) -> list[str]:
    """Replace points with three exact zeros, the gap marker of many programs, by NaN in place; return a note."""
    zero = (points == 0).all(axis=2)
    points[zero] = np.nan
    return [f"{zero.sum()} places of exactly (0, 0, 0) are taken as gaps"] if zero.any() else []


def _parse_header(lines: Sequence[str]) -> dict[str, str]:
    for names, values in itertools.pairwise(lines):
        if "datarate" in names.lower():
            pair = zip(names.split(), values.split(), strict=False)
            return {name.lower(): value for name, value in pair}
    return {}


def _parse_labels(line: str, separator: str | None) -> list[str]:
    cells = [cell.strip() for cell in line.split(separator)][2:]
    while cells and not cells[-1]:
        cells.pop()
    every_third = cells[::3]
    if sum(map(bool, cells)) == sum(map(bool, every_third)):
        return every_third
    return [cell for cell in cells if cell]  # written without columns for Y and Z


def _parse_coordinate(cell: str, line: int, path: Path) -> float:
    number = parse_number(cell, "\t")
    if number is None:
        if cell.lower().lstrip("+-") in ("inf", "infinity", "-nan(ind)", "nan(ind)", "1.#qnan", "1.#ind"):
            return np.nan
        ErrorContext().fail(
            f"line {line} of the file '{path}' has a cell that is no number",
            expected="numbers, or empty cells for gaps",
        )
    return number
