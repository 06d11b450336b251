"""Whole tables of numbers: the motion and storage files of OpenSim (.mot, .sto) and of SIMM before it, and CSV.

Three headers are read: `inDegrees=yes` with `nRows=`, `nColumns=` (OpenSim), `datacolumns 19`, `datarows 240` (SIMM), and
none (CSV). Written is the first, which all versions of OpenSim take; forces of the ground in the columns that its external
loads ask for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.columns import EMPTY, can_be_angle, cells_of, number_in, opened, says_degrees
from gaitwright.formats.trc_file import distinct
from gaitwright.saving import save_text

_ROWS = re.compile(r"^\s*(?:nrows\s*=|datarows)\s*(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """names: of the columns. values: (rows, columns), as written, NaN where nothing is. degrees: whether the file says that
    angles are in degrees; None if it says nothing."""

    names: list[str]
    values: np.ndarray
    degrees: bool | None = None
    notes: list[str] = field(default_factory=list)

    def column(self, name: str) -> np.ndarray:
        return self.values[
            :, self.names.index(At("table", "column").one_of(name, self.names, "there is no such column"))
        ]

    def angles(self) -> Table:
        """The same with angles in radians, if the file says that they are in degrees."""
        if not self.degrees:
            return self
        turn = [np.pi / 180 if k and can_be_angle(name) else 1.0 for k, name in enumerate(self.names)]
        return Table(self.names, self.values * turn, False, self.notes)


def read_table(path: str | Path) -> Table:
    """All of a .mot, .sto or CSV file. Rows that end early are gaps; a last line that was cut is left out, with a note."""
    path = Path(path)
    head, names, lines, separator, note = opened(path)
    notes = [note] if note else []
    rows, widths = [], []
    for number, line in lines:
        cells = cells_of(line, separator)
        if separator == "\t" and len(cells) < len(names) and len(line.split()) == len(names):
            cells = line.split()  # SIMM mixes tabs and blanks
        extra = [cell for cell in cells[len(names) :] if cell]
        if extra:
            At().fail(
                f"line {number} of the file '{path}' has more numbers than columns have names",
                expected=f"{len(names)} columns",
            )
        row = [_value(cell, separator, number, path) for cell in cells[: len(names)]]
        widths.append(len(row))
        rows.append(row + [np.nan] * (len(names) - len(row)))
    if len(rows) > 1 and widths[-1] < widths[-2]:
        rows.pop()
        notes.append(f"the file '{path.name}' is cut: its last line, {lines[-1][0]}, is incomplete and left out")
    if not rows:
        At().fail(
            f"the file '{path}' has names of columns, but no rows", expected="a line of numbers for every instant"
        )
    counted = next((int(found.group(1)) for line in head if (found := _ROWS.match(line))), len(rows))
    if counted > len(rows):
        notes.append(
            f"the header of '{path.name}' speaks of {counted} rows, but there are {len(rows)}: the file may be cut"
        )
    names, more = distinct(names)
    return Table(names, np.array(rows, dtype=float), says_degrees(head), notes + more)


def write_table(path: str | Path, names: Sequence[str], values: np.ndarray, degrees: bool = False) -> Path:
    """A .mot or .sto file, or CSV, by the ending of the path. values: (rows, columns), the first one time, s."""
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
    """A .mot file of external loads. forces: by name, force (n, 3), N, the point where it acts (n, 3), m, and the free torque
    (n, 3), N m, all in the frame of OpenSim: y up. Columns of a force called `right`: right_force_vx .. right_force_px ..
    right_torque_x, which external loads find by the identifiers right_force_v, right_force_p and right_torque_."""
    names, columns = ["time"], [times]
    for name, (force, point, torque) in forces.items():
        for kind, values in (("force_v", force), ("force_p", point), ("torque_", torque)):
            names += [f"{name}_{kind}{axis}" for axis in "xyz"]
            columns += list(np.nan_to_num(values).T)  # OpenSim takes no gaps: without a force the point means nothing
    return write_table(path, names, np.column_stack(columns))


def _value(cell: str, separator: str, line: int, path: Path) -> float:
    if cell.lower() in EMPTY or cell.lower().lstrip("+-") in ("inf", "nan(ind)"):
        return np.nan
    number = number_in(cell, separator)
    if number is None:
        At().fail(
            f"line {line} of the file '{path}' has a cell that is no number",
            expected="numbers, or empty cells for gaps",
        )
    return number
