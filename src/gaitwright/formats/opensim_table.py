"""Whole tables of numbers: the motion and storage files of OpenSim (.mot, .sto), those of the older SIMM, and CSV.

Three headers are read: `inDegrees=yes` with `nRows=`, `nColumns=` (OpenSim), `datacolumns 19`, `datarows 240` (SIMM), and
none (CSV). The first is written, which all versions of OpenSim read; ground forces are written in the columns that OpenSim's
external loads require.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.output_files import save_text
from gaitwright.formats.text_table import (
    EMPTY_CELLS,
    can_be_angle,
    declares_degrees,
    open_text_table,
    parse_number,
    split_cells,
)
from gaitwright.formats.trc_file import make_labels_unique

_ROW_COUNT_PATTERN = re.compile(r"^\s*(?:nrows\s*=|datarows)\s*(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class OpenSimTable:
    """names: of the columns. values: (rows, columns), as written, NaN for missing cells. degrees: True if the file declares its
    angles in degrees, False for radians, None without a declaration."""

    names: list[str]
    values: np.ndarray
    degrees: bool | None = None
    notes: list[str] = field(default_factory=list)

    def column(self, name: str) -> np.ndarray:
        return self.values[
            :, self.names.index(ErrorContext("table", "column").one_of(name, self.names, "there is no such column"))
        ]

    def angles(self) -> OpenSimTable:
        """Table with angles in radians; converted if the file declares degrees."""
        if not self.degrees:
            return self
        turn = [np.pi / 180 if k and can_be_angle(name) else 1.0 for k, name in enumerate(self.names)]
        return OpenSimTable(self.names, self.values * turn, False, self.notes)


def read_table(path: str | Path) -> OpenSimTable:
    """Read a whole .mot, .sto or CSV file. Rows that end early have gaps; a truncated last line is omitted, with a note."""
    path = Path(path)
    head, names, lines, separator, note = open_text_table(path)
    notes = [note] if note else []
    rows, widths = [], []
    for number, line in lines:
        cells = split_cells(line, separator)
        if separator == "\t" and len(cells) < len(names) and len(line.split()) == len(names):
            cells = line.split()  # SIMM mixes tabs and blanks
        extra = [cell for cell in cells[len(names) :] if cell]
        if extra:
            ErrorContext().fail(
                f"line {number} of the file '{path}' has more numbers than columns have names",
                expected=f"{len(names)} columns",
            )
        row = [_parse_cell(cell, separator, number, path) for cell in cells[: len(names)]]
        widths.append(len(row))
        rows.append(row + [np.nan] * (len(names) - len(row)))
    if len(rows) > 1 and widths[-1] < widths[-2]:
        rows.pop()
        notes.append(f"the file '{path.name}' is cut: its last line, {lines[-1][0]}, is incomplete and left out")
    if not rows:
        ErrorContext().fail(
            f"the file '{path}' has names of columns, but no rows", expected="a line of numbers for every instant"
        )
    counted = next((int(match.group(1)) for line in head if (match := _ROW_COUNT_PATTERN.match(line))), len(rows))
    if counted > len(rows):
        notes.append(
            f"the header of '{path.name}' declares {counted} rows, but there are {len(rows)}: the file may be cut"
        )
    names, label_notes = make_labels_unique(names)
    return OpenSimTable(names, np.array(rows, dtype=float), declares_degrees(head), notes + label_notes)


def write_table(path: str | Path, names: Sequence[str], values: np.ndarray, degrees: bool = False) -> Path:
    """Write a .mot or .sto file, or CSV, by the suffix of the path. values: (rows, columns), the first column is time, s."""
    path = Path(path)
    if path.suffix.lower() == ".csv":
        lines, separator, gap = [], ",", ""
    else:
        lines = [
            path.stem, "version=1", f"nRows={len(values)}", f"nColumns={len(names)}", f"inDegrees={'yes' if degrees else 'no'}",
            "endheader",
        ]  # fmt: skip
        separator, gap = "\t", "nan"
    lines.append(separator.join(names))
    lines += [separator.join(gap if np.isnan(v) else f"{v:.10g}" for v in row) for row in values]
    return save_text(path, "\n".join(lines) + "\n")


def write_ground_reaction(
    path: str | Path, times: np.ndarray, forces: Mapping[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
) -> Path:
    """Write a .mot file of external loads. times: (n,), s. forces: by name, force (n, 3), N, its point of application (n, 3),
    m, and the free torque (n, 3), N m, all in the frame of OpenSim: y up. Columns of a force called `right`: right_force_vx
    .. right_force_px .. right_torque_x, which external loads identify by right_force_v, right_force_p and right_torque_."""
    names, columns = ["time"], [times]
    for name, (force, point, torque) in forces.items():
        for kind, values in (("force_v", force), ("force_p", point), ("torque_", torque)):
            names += [f"{name}_{kind}{axis}" for axis in "xyz"]
            columns += list(np.nan_to_num(values).T)  # OpenSim accepts no gaps; without a force the point is irrelevant
    return write_table(path, names, np.column_stack(columns))


def _parse_cell(cell: str, separator: str, line: int, path: Path) -> float:
    if cell.lower() in EMPTY_CELLS or cell.lower().lstrip("+-") in ("inf", "nan(ind)"):
        return np.nan
    number = parse_number(cell, separator)
    if number is None:
        ErrorContext().fail(
            f"line {line} of the file '{path}' has a cell that is no number",
            expected="numbers, or empty cells for gaps",
        )
    return number
