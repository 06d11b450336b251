"""Which trials to analyse, and who walks in each: a CSV file with a line for each, as a study keeps it.

trial,forces,static,mass,height,sex
p1/walk1.c3d,,p1/standing.c3d,72.2,1.75,male
p1/walk2.trc,p1/walk2.forces,,72.2,1.75,male
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from gaitwright.checks import At
from gaitwright.gait.subject import Subject

COLUMNS = ("trial", "forces", "static", "name", "mass", "height", "sex")


def read_trials(path: str | Path) -> list[dict[str, Any]]:
    """As `analyse_trials` takes them. Files are looked for beside the table."""
    path = Path(path)
    at = At(f"table of trials '{path.name}'")
    try:
        lines = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    except OSError as error:
        at.fail(f"cannot be read: {(error.strerror or str(error)).lower()}")
    except (UnicodeDecodeError, csv.Error):
        at.fail("is not a CSV file", expected=f"a line with some of {', '.join(COLUMNS)}, and a line for each trial")
    if not lines or "trial" not in lines[0]:
        at.fail("names no trials", expected=f"a line with some of {', '.join(COLUMNS)}, and a line for each trial")
    for name in lines[0]:
        at.one_of(name, COLUMNS, "is no column of such a table")
    return [_trial(at[f"line {k}"], line, path.parent) for k, line in enumerate(lines, start=2)]


def _trial(at: At, line: dict[str, Any], folder: Path) -> dict[str, Any]:
    if None in line or None in line.values():
        at.fail("has more or fewer cells than the first line")
    given = {name: text.strip() for name, text in line.items() if text.strip()}
    if "trial" not in given:
        at.fail("has no trial", expected="the name of its file")
    found: dict[str, Any] = {n: folder / given[n] for n in ("trial", "forces", "static") if n in given}
    if "name" in given:
        found["name"] = given["name"]
    numbers = {name: given[name] for name in ("mass", "height") if name in given}
    if len(numbers) == 1:
        at.fail(f"has only the {next(iter(numbers))} of who walks", expected="mass, kg, and height, m, or neither")
    if numbers:
        try:
            mass, height = (float(numbers[name]) for name in ("mass", "height"))
        except ValueError:
            at.fail("has no numbers as mass and height", list(numbers.values()), "kg and m")
        found["subject"] = Subject(mass, height, given.get("sex"))
    return found
