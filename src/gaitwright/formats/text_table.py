"""Tables of numbers in text files: CSV (commas, semicolons or tabs), and the motion files of OpenSim (.mot, .sto): two columns
of a table, for a series; opensim_table.py reads whole tables.

Messages contain lines and columns of a file, not its content; they contain column names only if the file is a numeric table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright._core.input_files import decode_text, line_cells, read_bytes

SEPARATORS = "\t;, "
"""Separators by priority: the first one in the line of names is used, because names may contain the later ones."""
EMPTY_CELLS = {"", "-", "nan", "na", "n/a", "null", "none", "#n/a"}
"""Content of a cell without a measurement."""
_DEGREES_PATTERN = re.compile(
    r"indegrees\s*=\s*(yes|no|true|false|1|0)\b|angles are in (degrees|radians)", re.IGNORECASE
)
_NON_ANGLE_PATTERN = re.compile(
    r"(^|_)t[xyz]$|_[vp][xyz]$|force|torque|moment|power|activation|excitation|length|work|energy", re.IGNORECASE
)
"""OpenSim columns that are no angles: translations end in tx, ty, tz; forces and their points of application in vx .. pz;
others contain a word such as force or length."""


class TextColumns(NamedTuple):
    """times, values: of the rows with both. gaps: numbers of the lines without a value. name: of the value column. degrees:
    True if the file declares its angles in degrees, None without a declaration. angle: True if the column can be an angle."""

    times: list[float]
    values: list[float]
    gaps: list[int]
    name: str
    degrees: bool | None
    angle: bool
    note: str


def read_columns(path: Path, time: str | None, value: str | None, label: str, gaps: bool = False) -> TextColumns:
    """Read the columns called `time` (default: the first) and `value` (default: the second of two).

    Empty lines and lines that begin with # are ignored, and so is the OpenSim header before `endheader`. gaps: rows without
    a value are skipped, otherwise they are an error."""
    at = ErrorContext(label, "file")
    head, names, lines, separator, note = open_text_table(path, label)
    column_names = names if _has_numeric_row(names, lines[:1], separator) else None
    chosen = [_find_column(names, column_names, name, k, path, label) for k, name in enumerate((time, value))]
    times, values, missing = [], [], []
    for k, line in lines:
        cells = split_cells(line, separator)
        if len(cells) < len(names):
            at.fail(
                f"line {k} of the file '{path}' has {len(cells)} of {len(names)} columns", expected="a complete file"
            )
        numbers = [parse_number(cells[column], separator) for column in chosen]
        if gaps and numbers[0] is not None and cells[chosen[1]].lower() in EMPTY_CELLS:
            missing.append(k)
            continue
        for column, number in zip(chosen, numbers, strict=True):
            if number is None:
                which = f"'{column_names[column]}'" if column_names else f"{column + 1}"
                at.fail(
                    f"line {k} of the file '{path}' has no finite number in the column {which}",
                    expected=_expected_cell(cells[column], column == chosen[1]),
                )
        times.append(numbers[0])
        values.append(numbers[1])
    name = names[chosen[1]]
    return TextColumns(times, values, missing, name, declares_degrees(head), can_be_angle(name), note)


class RawTextTable(NamedTuple):
    """Table with unparsed numbers. head: lines up to `endheader`. lines: with their line numbers, without the names."""

    head: list[str]
    names: list[str]
    lines: list[tuple[int, str]]
    separator: str
    note: str


def open_text_table(path: Path, label: str = "") -> RawTextTable:
    """Open a text file with a table; ModelError if it contains none."""
    at, text = ErrorContext(label, "file" if label else ""), decode_text(read_bytes(path, label), f"the file '{path}'")
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
    names = split_cells(header, separator)
    if all(parse_number(name, separator) is not None for name in names):
        at.fail(f"the file '{path}' begins with numbers", expected="a first line that names the columns")
    return RawTextTable(head, names, lines[1:], separator, text.note)


def _expected_cell(cell: str, is_value: bool) -> str:
    if is_value and cell.lower() in EMPTY_CELLS:
        return "a number in every line; or a cutoff, with which short gaps are bridged"
    return "a number in every line"


def _has_numeric_row(names: list[str], rows: list[tuple[int, str]], separator: str) -> bool:
    """True if the first row below the names is numeric."""
    cells = [cell for _, line in rows for cell in split_cells(line, separator)]
    return len(cells) == len(names) and all(
        parse_number(cell, separator) is not None or cell.lower() in EMPTY_CELLS for cell in cells
    )


def declares_degrees(head: list[str]) -> bool | None:
    matches = [match for line in head if (match := _DEGREES_PATTERN.search(line))]
    return (
        any((m.group(1) or m.group(2)).lower() in ("yes", "true", "1", "degrees") for m in matches) if matches else None
    )


def can_be_angle(name: str) -> bool:
    """True if the name can be that of an angle. OpenSim 4 uses paths: /jointset/hip_r/hip_flexion_r/value."""
    parts = [part for part in name.split("/") if part]
    while len(parts) > 1 and parts[-1] in ("value", "speed", "accel"):
        parts.pop()
    return not _NON_ANGLE_PATTERN.search(parts[-1] if parts else name)


def split_cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    return line_cells(line, separator)


def parse_number(text: str, separator: str) -> float | None:
    """Finite number in a cell, or None. If commas do not separate columns, they may be decimal separators."""
    try:
        number = float(text.replace(",", ".") if separator != "," else text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def parse_finite_numbers(cells: Sequence[str]) -> list[float] | None:
    """All cells of a line if each is a finite number, else None; fast path for most lines."""
    try:
        row = list(map(float, cells))
    except ValueError:
        return None
    return row if math.isfinite(sum(row)) else None


def format_cells(row: Sequence[float]) -> list[str]:
    """Cells with nine digits; NaN becomes an empty cell. Python floats take a tenth of the time of NumPy's."""
    return ["" if v != v else f"{v:.9g}" for v in row]


def _find_column(
    names: list[str], column_names: list[str] | None, name: str | None, which: int, path: Path, label: str
) -> int:
    if name is None and (which == 0 or len(names) == 2):
        return which
    if name in names:
        return names.index(name)
    problem = "is missing" if name is None else f"the file '{path}' has no such column"
    expected = f"the name of one of its {len(names)} columns"
    if column_names:
        listed = ", ".join(column_names[:20]) + (
            f" and {len(column_names) - 20} more" if len(column_names) > 20 else ""
        )
        expected = f"one of {listed}{suggest_spelling(name, column_names)}"
    ErrorContext(label, ("time", "value")[which]).fail(problem, name, expected)
