"""Tables of numbers in text files: CSV (commas, semicolons or tabs), and the motion files of OpenSim (.mot, .sto): two
columns of one, for a series, or the whole of it (opensim_table.py).

Messages name lines and columns of a file, not what is in them; names of columns only of what is a table of numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gaitwright.checks import At, did_you_mean
from gaitwright.input_files import decoded, line_cells, read_bytes

SEPARATORS = "\t;, "
"""The first one that the line of names contains separates: names may contain the later ones."""
EMPTY = {"", "-", "nan", "na", "n/a", "null", "none", "#n/a"}
"""What stands in a cell where nothing was measured."""
_IN_DEGREES = re.compile(r"indegrees\s*=\s*(yes|no|true|false|1|0)\b|angles are in (degrees|radians)", re.IGNORECASE)
_NO_ANGLE = re.compile(
    r"(^|_)t[xyz]$|_[vp][xyz]$|force|torque|moment|power|activation|excitation|length|work|energy", re.IGNORECASE
)
"""Columns of OpenSim that are no angles: coordinates that translate end in tx, ty, tz; forces and the points where they act in
vx .. pz; and what says so."""


class Columns(NamedTuple):
    """times, values: of the rows that have both. gaps: the lines in which the value is missing. name: of the column. degrees:
    whether the file says that its angles are in degrees; None if it says nothing. angle: whether the column can be one."""

    times: list[float]
    values: list[float]
    gaps: list[int]
    name: str
    degrees: bool | None
    angle: bool
    note: str


def read_columns(path: Path, time: str | None, value: str | None, label: str, gaps: bool = False) -> Columns:
    """The columns called `time` (the first unless given) and `value` (the second unless given, if there are two).

    Empty lines and lines that begin with # do not count, nor does what OpenSim writes before `endheader`. gaps: rows without
    a value are left out, otherwise they are an error."""
    at = At(label, "file")
    head, names, lines, separator, note = opened(path, label)
    shown = names if _is_table(names, lines[:1], separator) else None
    chosen = [_column(names, shown, given, k, path, label) for k, given in enumerate((time, value))]
    times, values, missing = [], [], []
    for k, line in lines:
        cells = cells_of(line, separator)
        if len(cells) < len(names):
            at.fail(
                f"line {k} of the file '{path}' has {len(cells)} of {len(names)} columns", expected="a complete file"
            )
        numbers = [number_in(cells[column], separator) for column in chosen]
        if gaps and numbers[0] is not None and cells[chosen[1]].lower() in EMPTY:
            missing.append(k)
            continue
        for column, number in zip(chosen, numbers, strict=True):
            if number is None:
                which = f"'{shown[column]}'" if shown else f"{column + 1}"
                at.fail(
                    f"line {k} of the file '{path}' has no finite number in the column {which}",
                    expected=_filled(cells[column], column == chosen[1]),
                )
        times.append(numbers[0])
        values.append(numbers[1])
    name = names[chosen[1]]
    return Columns(times, values, missing, name, says_degrees(head), can_be_angle(name), note)


class Opened(NamedTuple):
    """A table before its numbers are read. head: lines up to `endheader`. lines: with their numbers, without the names."""

    head: list[str]
    names: list[str]
    lines: list[tuple[int, str]]
    separator: str
    note: str


def opened(path: Path, label: str = "") -> Opened:
    """What is in a file of a table, or the sentence why it is none."""
    at, text = At(label, "file" if label else ""), decoded(read_bytes(path, label), f"the file '{path}'")
    if text is None:
        at.fail(f"the file '{path}' is not a text file", expected="a table such as CSV")
    lines = [(k, line) for k, line in enumerate(text.content.splitlines(), 1)]
    ends = [k for k, line in lines if line.strip().lower() == "endheader"]
    head = [line for k, line in lines if k <= max(ends, default=0)]
    lines = [(k, line) for k, line in lines if k > len(head) and line.strip() and line.lstrip()[0] != "#"]
    if not lines:
        at.fail(f"the file '{path}' is empty", expected="a line with the names of the columns, and numbers")
    header = lines[0][1]
    separator = next((s for s in SEPARATORS if s in header.strip()), ",")
    names = cells_of(header, separator)
    if all(number_in(name, separator) is not None for name in names):
        at.fail(f"the file '{path}' begins with numbers", expected="a first line that names the columns")
    return Opened(head, names, lines[1:], separator, text.note)


def _filled(cell: str, is_value: bool) -> str:
    if is_value and cell.lower() in EMPTY:
        return "a number in every line; or a cutoff, with which short gaps are bridged"
    return "a number in every line"


def _is_table(names: list[str], rows: list[tuple[int, str]], separator: str) -> bool:
    """Whether the first row below the names is one of numbers."""
    cells = [cell for _, line in rows for cell in cells_of(line, separator)]
    return len(cells) == len(names) and all(
        number_in(cell, separator) is not None or cell.lower() in EMPTY for cell in cells
    )


def says_degrees(head: list[str]) -> bool | None:
    said = [match for line in head if (match := _IN_DEGREES.search(line))]
    return any((m.group(1) or m.group(2)).lower() in ("yes", "true", "1", "degrees") for m in said) if said else None


def can_be_angle(name: str) -> bool:
    """By its name, of which OpenSim 4 makes a path: /jointset/hip_r/hip_flexion_r/value."""
    parts = [part for part in name.split("/") if part]
    while len(parts) > 1 and parts[-1] in ("value", "speed", "accel"):
        parts.pop()
    return not _NO_ANGLE.search(parts[-1] if parts else name)


def cells_of(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    return line_cells(line, separator)


def number_in(text: str, separator: str) -> float | None:
    """Where commas do not separate columns they may separate decimals."""
    try:
        number = float(text.replace(",", ".") if separator != "," else text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def plain_numbers(cells: Sequence[str]) -> list[float] | None:
    """All cells of a line, if each is a finite number: most lines, in a fraction of the time of looking at each."""
    try:
        row = list(map(float, cells))
    except ValueError:
        return None
    return row if math.isfinite(sum(row)) else None


def written(row: Sequence[float]) -> list[str]:
    """Cells with nine digits; NaN is an empty one. Python's own numbers, not NumPy's, take a tenth of the time."""
    return ["" if v != v else f"{v:.9g}" for v in row]


def _column(names: list[str], shown: list[str] | None, name: str | None, which: int, path: Path, label: str) -> int:
    if name is None and (which == 0 or len(names) == 2):
        return which
    if name in names:
        return names.index(name)
    problem = "is missing" if name is None else f"the file '{path}' has no such column"
    expected = f"the name of one of its {len(names)} columns"
    if shown:
        known = ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")
        expected = f"one of {known}{did_you_mean(name, shown)}"
    At(label, ("time", "value")[which]).fail(problem, name, expected)
