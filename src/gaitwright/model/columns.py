"""Two columns of a table in a text file: CSV (commas, semicolons or tabs), or the motion files of OpenSim (.mot, .sto)."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from gaitwright.errors import ModelError
from gaitwright.model.messages import did_you_mean

SEPARATORS = "\t;, "
"""The first one that the line of names contains separates: names may contain the later ones."""


def read_columns(path: Path, time: str | None, value: str | None, label: str) -> tuple[list[float], list[float]]:
    """The columns called `time` (the first unless given) and `value` (the second unless given, if there are two).

    Empty lines and lines that begin with # do not count, nor does what OpenSim writes before `endheader`."""
    lines = [(k, line) for k, line in enumerate(_text(path, label).splitlines(), 1)]
    ends = [k for k, line in lines if line.strip().lower() == "endheader"]
    lines = [(k, line) for k, line in lines if k > max(ends, default=0) and line.strip() and line.lstrip()[0] != "#"]
    if not lines:
        raise _wrong(label, f"the file '{path}' is empty", expected="a line with the names of the columns, and numbers")
    header = lines[0][1]
    separator = next((s for s in SEPARATORS if s in header.strip()), ",")
    names = _cells(header, separator)
    if all(_number(name, separator) is not None for name in names):
        raise _wrong(label, f"the file '{path}' begins with numbers", expected="a first line that names the columns")
    chosen = _column(names, time, 0, "time", path, label), _column(names, value, 1, "value", path, label)
    found: tuple[list[float], list[float]] = [], []
    for k, line in lines[1:]:
        cells = _cells(line, separator)
        if len(cells) < len(names):
            raise _wrong(label, f"line {k} of the file '{path}' has {len(cells)} of {len(names)} columns",
                         expected="a complete file")  # fmt: skip
        for column, numbers in zip(chosen, found, strict=True):
            number = _number(cells[column], separator)
            if number is None:
                raise _wrong(label, f"line {k} of the file '{path}' has no finite number in the column '{names[column]}'",
                             value=cells[column], expected="a number in every line")  # fmt: skip
            numbers.append(number)
    return found


def _text(path: Path, label: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise _wrong(label, f"there is no file '{path}'") from None
    except UnicodeDecodeError:
        raise _wrong(label, f"the file '{path}' is not a text file", expected="a table such as CSV") from None
    except OSError as error:
        raise _wrong(label, f"the file '{path}' cannot be read: {error.strerror or error}") from None


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line.strip("\r\n")], delimiter=separator, skipinitialspace=True))]


def _number(text: str, separator: str) -> float | None:
    """Where commas do not separate columns they may separate decimals."""
    try:
        number = float(text.replace(",", ".") if separator != "," else text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _column(names: list[str], name: str | None, otherwise: int, field: str, path: Path, label: str) -> int:
    if name is None and (field == "time" or len(names) == 2):
        return otherwise
    if name in names:
        return names.index(name)
    problem = "is missing" if name is None else f"the file '{path}' has no such column"
    known = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    expected = f"one of {known}{did_you_mean(name, names)}"
    raise ModelError(problem, element=label, field=field, value=name, expected=expected)


def _wrong(label: str, problem: str, value: str | None = None, expected: str = "") -> ModelError:
    return ModelError(problem, element=label, field="file", value=value, expected=expected)
