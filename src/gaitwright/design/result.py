"""Result of a design question: all analysed designs as a Dataset, and the chosen one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AnalysisError
from gaitwright.design.question import DesignQuestion

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gaitwright.model.model import Model

EVIDENCE_NAMES = ("failure", "max_constraint_violation", "max_energy_residual")
"""Columns of a sweep that are no numbers of the question."""
MAX_LISTED_NUMBERS = 6
FILE_SUFFIXES = (".nc", ".csv", ".json", ".yaml", ".html", ".png")
"""Endings that a folder for results does not have."""


class DesignResult:
    """Result of `sweep`, `designs`, `choose`, `optimise`, `trade_off` and `study`.

    question: parameters, goals and limits as they were read. data: all analysed designs; `result["energy"]` is one variable
    of it. Grids (`sweep`, `trade_off`, `study`) have the parameters as dimensions, the other results one row per design.
    `failure` is the reason if a design has no numbers, or empty (for `designs` the code of a reason, or 0). values, numbers:
    parameters and numbers of the chosen design. model: model with these parameters. table: a row per design.

    lines() returns the result as sentences, summary() as JSON-ready data; plot() draws it, report() writes a web page and
    save() the files of the result."""

    question: DesignQuestion
    data: xr.Dataset

    def __init__(self, question: DesignQuestion, data: xr.Dataset):
        self.question, self.data = question, data

    # data ---------------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> xr.DataArray:
        return self.data[name]

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(str(name) for name in self.data.data_vars)

    @property
    def parameters(self) -> list[str]:
        """Names of the varied parameters."""
        return self.question.parameters

    @property
    def names(self) -> list[str]:
        """Names of the numbers of each design, without evidence and series."""
        varied = set(self.parameters)
        return [
            str(name)
            for name, values in self.data.data_vars.items()
            if name not in EVIDENCE_NAMES and varied >= set(map(str, values.dims))
        ]

    @property
    def table(self) -> pd.DataFrame:
        """A row per design: parameters, numbers, evidence and `failure`."""
        names = [name for name in self.data.data_vars if "time" not in self.data[name].dims]
        return self.data[names].to_dataframe().reset_index()

    @property
    def failures(self) -> list[str]:
        """Reason of each design without numbers."""
        return [str(reason) for reason in self.data["failure"].values.ravel() if reason]

    @property
    def feasible(self) -> xr.DataArray:
        """Mask of the designs that have numbers and keep all limits. A largest size limits the magnitude."""
        good = self.data["failure"] == ""
        for name, limit in self.question.number_limits().items():
            values = self.data[name]
            good = good & limit.keeps(abs(values) if limit.is_size else values)
        return good

    def extremes(self, names: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
        """Least and greatest value of every number, with the parameters: {name: {"least": {"value", "at"},
        "greatest": ...}}."""
        places = {}
        for name in self.names if names is None else names:
            values = self.data[name].values
            if not np.isnan(values).all():
                ends = {"least": int(np.nanargmin(values)), "greatest": int(np.nanargmax(values))}
                places[name] = {which: self._place(name, place) for which, place in ends.items()}
        return places

    def _place(self, name: str, place: int) -> dict[str, Any]:
        values = self.data[name]
        where = np.unravel_index(place, values.shape)
        at = {str(axis): float(values[axis].values[k]) for axis, k in zip(values.dims, where, strict=True)}
        return {"value": float(values.values[where]), "at": at}

    # chosen design ------------------------------------------------------------------------------------------------

    @property
    def values(self) -> dict[str, float]:
        """Parameters of the chosen design. Raises AnalysisError if there is none."""
        raise AnalysisError(f"a {self.question.method} chooses no design", suggestion="use gw.study or gw.optimise")

    @property
    def numbers(self) -> dict[str, float]:
        """Numbers of the chosen design. Raises AnalysisError if there is none."""
        at = {name: value for name, value in self.values.items() if name in self.data.dims}
        return {name: float(self.data[name].sel(at)) for name in self.names}

    @property
    def model(self) -> Model:
        """Model with the parameters of the chosen design. Raises AnalysisError if there is none."""
        return self.question.variant(self.values)

    # display ------------------------------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """Result as sentences."""
        count, failed = self.data["failure"].size, len(self.failures)
        ranges = (
            f"{name} {self.question.box[name].low:g} to {self.question.box[name].high:g}" for name in self.parameters
        )
        failures = f", {failed} of which cannot be analysed" if failed else ""
        sentences = [f"{count} variants over {', '.join(ranges)}{failures}"]
        for name, ends in list(self.extremes().items())[:MAX_LISTED_NUMBERS]:
            low, high = ends["least"], ends["greatest"]
            unit = self.question.unit(name)
            sentences.append(
                f"{name}: {low['value']:.6g}{unit} at {format_values(low['at'])}, to {high['value']:.6g}{unit} at "
                f"{format_values(high['at'])}"
            )
        return sentences

    def summary(self) -> dict[str, Any]:
        """Result as JSON-ready data."""
        from gaitwright._core.json_types import to_json_types

        return to_json_types({
            "name": self.question.name, "parameters": self.parameters, "variants": int(self.data["failure"].size),
            "failed": len(self.failures), "numbers": self.extremes(), "units": self.question.units,
        })  # fmt: skip

    def plot(self, path: str | Path | None = None, *, title: str = "") -> Any:
        """Plot the first numbers over the parameters; gw.plot_map plots others. Returns a matplotlib Figure."""
        from gaitwright.report.figures.sweep_maps import MAX_MAP_PANELS, plot_map

        shown = [name for name in self.names if not bool(self.data[name].isnull().all())]
        return plot_map(self.data, shown[:MAX_MAP_PANELS], title=title, path=path)

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page. Returns the written files."""
        from gaitwright.report.views.pages.sweep_page import sweep_report

        return sweep_report(self.data, self.names, f"{self.question.name}: a sweep").save(Path(path))

    def save(self, folder: str | Path) -> dict[str, Path]:
        """Write the Dataset, METHOD.nc, and the table, METHOD.csv. Returns the written files."""
        from gaitwright._core.output_files import save_text
        from gaitwright.result.files.netcdf import write_dataset

        folder, stem = require_folder(folder), self.question.method.replace("_", "-")
        write_dataset(folder / f"{stem}.nc", self.data)
        table = self.table.to_csv(index=False, lineterminator="\n")
        return {"data": folder / f"{stem}.nc", "table": save_text(folder / f"{stem}.csv", table)}

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import design_card

        return design_card(self)

    def __repr__(self) -> str:
        first, *rest = self.lines()
        return "\n".join([f"<DesignResult of {self.question.method}: {first}", *(f"  {line}" for line in rest)]) + ">"


def require_folder(path: str | Path) -> Path:
    """Path of an output folder. Raises ModelError for the name of a file, such as result.nc."""
    if Path(path).suffix in FILE_SUFFIXES and not Path(path).is_dir():
        ErrorContext(field="folder").fail(
            "is the name of a file", str(path), "a folder, in which the files of the result are written"
        )
    return Path(path)


def format_values(values: Mapping[str, float]) -> str:
    """Parameter values as text."""
    return ", ".join(f"{name} = {value:.6g}" for name, value in values.items())


def trials_dataset(parameters: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> xr.Dataset:
    """Dataset with one row per design, along the dimension `design`. rows: parameters, numbers, failure and further columns;
    missing numbers are NaN."""
    import xarray as xr

    columns = {}
    for name in dict.fromkeys([*parameters, *(name for row in rows for name in row)]):
        column = [row.get(name, "" if name == "failure" else math.nan) for row in rows]
        kind = object if name == "failure" else None
        columns[name] = "design", np.array(column, dtype=kind), {"role": "parameter"} if name in parameters else {}
    return xr.Dataset(columns)
