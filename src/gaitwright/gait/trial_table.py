"""Table of trials and their subjects: a CSV file with one line per trial.

trial,forces,static,mass,height,sex
p1/walk1.c3d,,p1/standing.c3d,72.2,1.75,male
p1/walk2.trc,p1/walk2.forces,,72.2,1.75,male
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import contained_path, read_text, table_rows
from gaitwright.gait.subject import Subject

ALLOW_FILES_OPTION = "--allow-files {folder}"
"""Option with which the user allows files outside the folder of a table."""
TRIAL_TABLE_COLUMNS = ("trial", "forces", "static", "name", "mass", "height", "sex")


def read_trials(path: str | Path, allow_files: Sequence[str | Path] = ()) -> list[dict[str, Any]]:
    """Read the table for `analyse_trials`. Files lie below the folder of the table, or below one of `allow_files`. Raises
    ModelError for an invalid table."""
    path = Path(path)
    at = ErrorContext(f"table of trials '{path.name}'")
    expected = f"a line with some of {', '.join(TRIAL_TABLE_COLUMNS)}, and a line for each trial"
    rows = table_rows(read_text(path, at.element, expected=expected).content, at=at)
    names = rows[0] if rows else []
    if len(rows) < 2 or "trial" not in names:
        at.fail("names no trials", expected=expected)
    for name in names:
        at.one_of(name, TRIAL_TABLE_COLUMNS, "is no column of such a table")
    if len(set(names)) < len(names):
        at.fail("has a column twice", names, expected)
    return [
        _read_trial_row(at[f"line {k}"], names, row, path.parent, allow_files)
        for k, row in enumerate(rows[1:], start=2)
    ]


def _read_trial_row(
    at: ErrorContext, names: Sequence[str], row: Sequence[str], folder: Path, allow_files: Sequence[str | Path]
) -> dict[str, Any]:
    if len(row) != len(names):
        at.fail("has more or fewer cells than the first line")
    given = {name: text for name, text in zip(names, row, strict=True) if text}
    if "trial" not in given:
        at.fail("has no trial", expected="the name of its file")
    trial: dict[str, Any] = {
        name: contained_path(folder, given[name], allow_files, f"{at.element} {at.field}", name, ALLOW_FILES_OPTION)
        for name in ("trial", "forces", "static")
        if name in given
    }
    if "name" in given:
        trial["name"] = given["name"]
    numbers = {name: given[name] for name in ("mass", "height") if name in given}
    if len(numbers) == 1:
        at.fail(f"has only the {next(iter(numbers))} of the person", expected="mass, kg, and height, m, or neither")
    if numbers:
        try:
            mass, height = (float(numbers[name]) for name in ("mass", "height"))
        except ValueError:
            at.fail("has no numbers as mass and height", list(numbers.values()), "kg and m")
        trial["subject"] = Subject(mass, height, given.get("sex"))
    return trial
