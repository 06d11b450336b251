"""Results of runs: outputs as curves, comparison of several runs, tables, and exports."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import MAX_TABLE_BYTES, read_text, table_rows
from gaitwright._core.output_files import save_text
from gaitwright.model.io.files import load_result
from gaitwright.report.animations.planar_animation import peak_sample_indices
from gaitwright.report.views.default_outputs import select_default_outputs
from gaitwright.result.result import Result
from gaitwright.studio.runs import RunManager

DEFAULT_CURVE_POINTS = 2000
"""Default number of points of a curve: about two per pixel."""
MAX_CURVES, MAX_ROWS = 40, 20_000
EXPORT_TABLE_FILE = "result.csv"
"""Exported table of outputs over time; not written by a command."""
EXPORT_FORMATS = ("html", "png", "gif", "csv", "nc")


def list_outputs(runs: RunManager, name: str) -> list[dict[str, Any]]:
    """Outputs of a run that can be plotted: name, unit, meaning; shown: True if the model selects the output, or it
    is a default."""
    result = _load_result(runs, name)
    selected = set(select_default_outputs(result))
    return [
        {
            "name": output,
            "unit": result.catalogue[output].unit,
            "text": result.catalogue[output].description,
            "shown": output in selected,
        }
        for output in result.names
    ]


def sample_curves(
    runs: RunManager, requested: list[dict[str, Any]], against: str | None = None, points: int = DEFAULT_CURVE_POINTS
) -> list[dict[str, Any]]:
    """Outputs of runs over time, or over another output, as lists of numbers. requested: [{id, name}, ...]."""
    if not isinstance(requested, list) or len(requested) > MAX_CURVES:
        ErrorContext("curves").fail("are too many", expected=f"at most {MAX_CURVES}")
    curves = []
    for curve_request in requested:
        result, output = _load_result(runs, curve_request["id"]), str(curve_request["name"])
        y = result.array(output)
        x = result.time if against is None else result.array(against)
        indices = peak_sample_indices(y, max(int(points), 10))
        title = (
            f"{runs.get(curve_request['id'])['name']}: {output}"
            if len({entry["id"] for entry in requested}) > 1
            else output
        )
        curves.append({
            "id": curve_request["id"], "name": output, "unit": result.catalogue[output].unit, "label": title,
            "x": _to_json_numbers(x[indices]), "y": _to_json_numbers(y[indices]), "x_name": against or "time",
            "x_unit": "s" if against is None else result.catalogue[against].unit,
        })  # fmt: skip
    return curves


def read_table(runs: RunManager, name: str) -> dict[str, Any]:
    """Table that a run wrote (sweep.csv, designs.csv): columns and rows, with numbers where possible."""
    home = runs.folder / runs.get(name)["id"]
    path = next((path for path in sorted(home.glob("*.csv")) if path.name != EXPORT_TABLE_FILE), None)
    if path is None:
        ErrorContext(f"run {name}").fail("has no table", expected="a sweep, or designs")
    rows = table_rows(read_text(path, largest=MAX_TABLE_BYTES).content)[: MAX_ROWS + 1]
    return {"columns": rows[0], "rows": [[_parse_cell(cell) for cell in row] for row in rows[1:]]}


def export_run(runs: RunManager, name: str, form: str) -> Path:
    """Export of a run, created once: a report (html), a picture (png), an animation (gif), a table (csv), or the
    result itself (nc)."""
    ErrorContext("export", "form").one_of(form, EXPORT_FORMATS)
    home = runs.folder / runs.get(name)["id"]
    ready = sorted(path for path in home.glob(f"*.{form}") if path.stem != "partial")
    if ready and form != "png":
        return ready[0]
    result = _load_result(runs, name)
    if form == "html":
        return result.report(home / "report.html")["report"]
    if form == "gif":
        return result.animate(home / "animation.gif")
    if form == "csv":
        return save_text(home / EXPORT_TABLE_FILE, result.to_pandas().to_csv(lineterminator="\n"))
    if form == "png":
        return result.draw(home / "mechanism.png")
    return _result_path(runs, name)


def _result_path(runs: RunManager, name: str) -> Path:
    home = runs.folder / runs.get(name)["id"]
    for file in ("result.nc", "partial.nc"):
        if (home / file).is_file():
            return home / file
    return ErrorContext(f"run {name}").fail(
        "has no curves over time", expected="a run that ended with a result, such as run or walk"
    )


def _load_result(runs: RunManager, name: str) -> Result:
    path = _result_path(runs, name)
    try:
        return _load_cached(str(path), path.stat().st_mtime_ns)
    except ModelError:  # devices and trials have curves in their reports and tables
        ErrorContext(f"run {name}").fail(
            "has no outputs over time", expected="a run such as run or walk; its report has curves"
        )


@functools.lru_cache(maxsize=4)
def _load_cached(path: str, changed: int) -> Result:
    """Load a result, cached for several curves of one run."""
    return load_result(path)


def _to_json_numbers(values: np.ndarray) -> list[float | None]:
    return [float(value) if math.isfinite(value) else None for value in values]


def _parse_cell(text: str) -> Any:
    try:
        value = float(text)
    except ValueError:
        return text
    return value if math.isfinite(value) else None
