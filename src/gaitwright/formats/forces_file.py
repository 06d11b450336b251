"""Forces of several plates in .forces files of Motion Analysis (Cortex): reader and writer.

Each plate has seven columns: FX FY FZ, the force on the person in N; X Y Z, its point of application in mm; and MZ, the free
moment in N mm. All are in the frame of the markers, with y up: FY is the vertical force, and MZ is about the vertical axis Y,
despite its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import decode_text, read_bytes
from gaitwright._core.output_files import save_text
from gaitwright.formats.text_table import EMPTY_CELLS, format_cells, parse_finite_numbers, parse_number

PLATE_COLUMNS = ("FX", "FY", "FZ", "X", "Y", "Z", "MZ")


@dataclass(frozen=True)
class PlateForceTable:
    """Samples of force plates. rate: Hz. force: (samples, plates, 3), N. point: (samples, plates, 3), mm. free_moment:
    (samples, plates), N mm."""

    rate: float
    force: np.ndarray
    point: np.ndarray
    free_moment: np.ndarray
    notes: list[str] = field(default_factory=list)


def read_forces(path: str | Path) -> PlateForceTable:
    """Read the samples of a .forces file, with notes about omitted lines. Raises ModelError if it is no such file."""
    path = Path(path)
    text = decode_text(read_bytes(path), f"the file '{path}'")
    lines = text.content.splitlines() if text else []
    start = next((k for k, line in enumerate(lines) if line.lower().startswith("#sample")), None)
    if text is None or start is None:
        ErrorContext().fail(
            f"the file '{path}' has no line that begins with #Sample", expected="a .forces file of Cortex"
        )
    header = {key.strip().lower(): value for line in lines[:start] for key, _, value in [line.partition("=")]}
    rate = parse_number(header.get("samplerate", ""), "\t")
    if not rate or rate <= 0:
        ErrorContext().fail(
            f"the file '{path}' does not say at which rate it was sampled", expected="a line such as SampleRate=450"
        )
    names = [name.strip() for name in lines[start].split("\t")[1:] if name.strip()]
    count = max((int(match.group(1)) for name in names if (match := re.fullmatch(r"FX(\d+)", name))), default=0)
    columns = [f"{name}{k + 1}" for k in range(count) for name in PLATE_COLUMNS]
    if not count or (missing := [name for name in columns if name not in names]):
        lacking = f"no column {missing[0]}" if count else "no columns FX1, FY1 .."
        ErrorContext().fail(
            f"the file '{path}' has {lacking}", expected=f"columns {', '.join(PLATE_COLUMNS)} for every plate"
        )
    rows, notes = [], [text.note] if text.note else []
    for number, line in enumerate(lines[start + 1 :], start + 2):
        cells = [cell.strip() for cell in line.split("\t")][1 : 1 + len(names)]
        if not any(cells):
            continue
        row = parse_finite_numbers(cells) or [
            np.nan if c.lower() in EMPTY_CELLS else parse_number(c, "\t") for c in cells
        ]
        if None in row:
            ErrorContext().fail(f"line {number} of the file '{path}' has a cell that is no number", expected="numbers")
        if len(row) < len(names) and number >= len(lines):
            notes.append(f"the file '{path.name}' is cut: its last line, {number}, is incomplete and left out")
            continue
        rows.append(row + [np.nan] * (len(names) - len(row)))
    if not rows:
        ErrorContext().fail(f"the file '{path}' has no samples", expected="a line of numbers for every sample")
    counted = parse_number(header.get("numberofsamples", ""), "\t")
    if counted is not None and counted > len(rows):
        notes.append(
            f"the header of '{path.name}' declares {counted:g} samples, but there are {len(rows)}: the file may be cut"
        )
    values = np.array(rows, dtype=float)[:, [names.index(name) for name in columns]].reshape(len(rows), count, 7)
    return PlateForceTable(rate, values[..., :3], values[..., 3:6], values[..., 6], notes)


def write_forces(path: str | Path, table: PlateForceTable) -> Path:
    """Write a .forces file and return its path."""
    samples, count = table.force.shape[:2]
    lines = [
        "[Force Data]", f"NumberOfForcePlates={count}", f"SampleRate={table.rate:.6f}", f"NumberOfSamples={samples}",
        "\t".join(["#Sample", *(f"{name}{k + 1}" for k in range(count) for name in PLATE_COLUMNS)]),
    ]  # fmt: skip
    values = np.concatenate([table.force, table.point, table.free_moment[..., None]], axis=2).reshape(samples, -1)
    lines += ["\t".join([str(k + 1), *format_cells(row)]) for k, row in enumerate(values.tolist())]
    return save_text(path, "\n".join(lines) + "\n")
