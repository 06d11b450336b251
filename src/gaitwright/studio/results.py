"""What came of runs: outputs as curves, several laid over each other, tables, and other forms by a click."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.input_files import MAX_TABLE_BYTES, read_text, table_rows
from gaitwright.model.files import load_result
from gaitwright.report.animation import keep_peaks
from gaitwright.report.views.shown import shown_outputs
from gaitwright.result.result import Result
from gaitwright.saving import save_text
from gaitwright.studio.runs import Runs

POINTS = 2000
"""Of a curve, unless asked for: about two per pixel."""
MOST_CURVES, MOST_ROWS = 40, 20_000
EXPORTED = "result.csv"
"""Outputs over time, made of a result: not a table that a command wrote."""
FORMS = ("html", "png", "gif", "csv", "nc")


def outputs(runs: Runs, name: str) -> list[dict[str, Any]]:
    """What can be plotted of a run: name, unit, meaning; shown: whether the model asks for it, or would be asked."""
    result = _result(runs, name)
    wanted = set(shown_outputs(result))
    return [
        {
            "name": output,
            "unit": result.catalogue[output].unit,
            "text": result.catalogue[output].description,
            "shown": output in wanted,
        }
        for output in result.names
    ]


def curves(
    runs: Runs, asked: list[dict[str, Any]], against: str | None = None, points: int = POINTS
) -> list[dict[str, Any]]:
    """Outputs of runs over time, or over another output, as lists of numbers: asked: [{id, name}, ...]."""
    if not isinstance(asked, list) or len(asked) > MOST_CURVES:
        At("curves").fail("are too many", expected=f"at most {MOST_CURVES}")
    found = []
    for one in asked:
        result, output = _result(runs, one["id"]), str(one["name"])
        y = result.values(output)
        x = result.time if against is None else result.values(against)
        kept = keep_peaks(y, max(int(points), 10))
        title = f"{runs.get(one['id'])['name']}: {output}" if len({entry["id"] for entry in asked}) > 1 else output
        found.append({
            "id": one["id"], "name": output, "unit": result.catalogue[output].unit, "label": title,
            "x": _plain(x[kept]), "y": _plain(y[kept]), "x_name": against or "time",
            "x_unit": "s" if against is None else result.catalogue[against].unit,
        })  # fmt: skip
    return found


def table(runs: Runs, name: str) -> dict[str, Any]:
    """The table that a run wrote (sweep.csv, designs.csv): columns and rows, numbers where they are some."""
    home = runs.folder / runs.get(name)["id"]
    path = next((path for path in sorted(home.glob("*.csv")) if path.name != EXPORTED), None)
    if path is None:
        At(f"run {name}").fail("has no table", expected="a sweep, or designs")
    rows = table_rows(read_text(path, largest=MAX_TABLE_BYTES).content)[: MOST_ROWS + 1]
    return {"columns": rows[0], "rows": [[_number(cell) for cell in row] for row in rows[1:]]}


def export(runs: Runs, name: str, form: str) -> Path:
    """The run in another form, made once: a report (html), a picture (png), an animation (gif), a table (csv), or the result
    itself (nc)."""
    At("export", "form").one_of(form, FORMS)
    home = runs.folder / runs.get(name)["id"]
    ready = sorted(path for path in home.glob(f"*.{form}") if path.stem != "partial")
    if ready and form != "png":
        return ready[0]
    result = _result(runs, name)
    if form == "html":
        return result.report(home / "report.html")["report"]
    if form == "gif":
        return result.animate(home / "animation.gif")
    if form == "csv":
        return save_text(home / EXPORTED, result.to_pandas().to_csv(lineterminator="\n"))
    if form == "png":
        return result.draw(home / "mechanism.png")
    return _file(runs, name)


def _file(runs: Runs, name: str) -> Path:
    home = runs.folder / runs.get(name)["id"]
    for file in ("result.nc", "partial.nc"):
        if (home / file).is_file():
            return home / file
    return At(f"run {name}").fail(
        "has no curves over time", expected="a run that ended with a result, such as run or walk"
    )


def _result(runs: Runs, name: str) -> Result:
    path = _file(runs, name)
    try:
        return _loaded(str(path), path.stat().st_mtime_ns)
    except ModelError:  # of a device or a trial: its report and tables have the curves
        At(f"run {name}").fail("has no outputs over time", expected="a run such as run or walk; its report has curves")


@functools.lru_cache(maxsize=4)
def _loaded(path: str, changed: int) -> Result:
    """Of several curves of one run, only the first reads it."""
    return load_result(path)


def _plain(values: np.ndarray) -> list[float | None]:
    return [float(value) if math.isfinite(value) else None for value in values]


def _number(text: str) -> Any:
    try:
        value = float(text)
    except ValueError:
        return text
    return value if math.isfinite(value) else None
