"""Result of `designs`: a table of many designs with verdicts, and the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright._core.errors import AnalysisError
from gaitwright.design.batch.design_table import (
    count_designs,
    count_reasons,
    count_rejections,
    find_best_designs,
    variable_names,
)
from gaitwright.design.evaluation import find_motion
from gaitwright.design.result import DesignResult, require_folder

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

MAX_CSV_ROWS = 100_000
"""Largest number of designs for which a CSV file is written."""
MAX_LISTED_REASONS = 3


class DesignTable(DesignResult):
    """Result of `designs`. The chosen design is the first of `best`."""

    @property
    def names(self) -> list[str]:
        return variable_names(self.data, "measure")

    @property
    def failures(self) -> list[str]:
        reasons = dict(zip(self.data["code"].values.tolist(), self.data["reason"].values.tolist(), strict=True))
        return [str(reasons[int(code)]) for code in self.data["failure"].values if code]

    @property
    def table(self) -> pd.DataFrame:
        """A row per design, and the reason of each failure as text."""
        data = self.data
        reasons = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
        table = data.drop_dims(["code", "limit", "parameter"], errors="ignore").to_dataframe()
        table["failure"] = [reasons[int(code)] for code in table["failure"]]
        if "broken" in data:
            names, broken = [str(name) for name in data["limit"].values], data["broken"].values.astype(bool)
            table["broken"] = ["; ".join(name for name, one in zip(names, row, strict=True) if one) for row in broken]
        return table

    @property
    def best(self) -> dict[str, int]:
        """Indices of the best designs by their names, see `find_best_designs`."""
        return find_best_designs(self.data)

    @property
    def values(self) -> dict[str, float]:
        place = next(iter(self.best.values()), None)
        if place is None:
            raise AnalysisError("no design is the best: none is feasible, or there are no goals")
        return self.values_of(place)

    @property
    def numbers(self) -> dict[str, float]:
        place = next(iter(self.best.values()))
        return {name: float(self.data[name].values[place]) for name in self.names}

    def values_of(self, design: int) -> dict[str, float]:
        """Parameters of a design by its index."""
        return {name: float(self.data[name].values[design]) for name in self.parameters}

    def run_of(self, design: int) -> Result | None:
        """Motion of a design by its classic analysis; None if its result contains none."""
        from gaitwright.model.model import compile_model, make_variant, model_of_compiled

        prepared = model_of_compiled(compile_model(self.question.model).variant(outputs=[]))
        return find_motion(self.question.run(make_variant(prepared, self.values_of(design))))

    def lines(self) -> list[str]:
        lines = [str(count_designs(self.data))]
        for name, design in self.best.items():
            numbers = (f"{one} = {float(self.data[one].values[design]):.6g}{self.unit(one)}" for one in self.names)
            lines.append(f"{name}: design {design}, with {', '.join(numbers)}")
        lines += [f"  {count} x: {why}" for why, count in list(count_reasons(self.data).items())[:MAX_LISTED_REASONS]]
        return [*lines, *(f"  {count} x: breaks {name}" for name, count in count_rejections(self.data).items())]

    def unit(self, name: str) -> str:
        """Unit of a number with a leading space; empty if it has none."""
        unit = str(self.data[name].attrs.get("units", ""))
        return f" {unit}" if unit not in ("", "1") else ""

    def summary(self) -> dict[str, Any]:
        from gaitwright._core.json_types import to_json_types

        shown = [*self.parameters, *(name for name in self.names if name not in self.parameters)]
        best = {
            name: {"design": k, **{one: float(self.data[one].values[k]) for one in shown}}
            for name, k in self.best.items()
        }
        return to_json_types({
            "name": self.question.name, "designs": int(self.data.sizes["design"]),
            **count_designs(self.data)._asdict(), "reasons": count_reasons(self.data),
            "rejections": count_rejections(self.data), "best": best,
        })  # fmt: skip

    def plot(self, path: str | Path | None = None, *, title: str = "") -> Any:
        """Plot feasible designs as one line per design over parameters and measures; the front stands out. Returns a matplotlib
        Figure."""
        from gaitwright.report.views.pages.designs_page import plot_design_lines

        return plot_design_lines(self.data, self.parameters, self.names, title or "Feasible designs", path)

    def report(self, path: str | Path, facts: Mapping[str, Any] | None = None) -> dict[str, Path]:
        """Write one web page: Pareto front, all designs, animations of the best. facts: further numbers for its top, {name:
        (value, unit)}. Returns the written files."""
        from gaitwright.report.views.pages.designs_page import save_designs_page

        runs = {name: (k, run) for name, k in self.best.items() if (run := self.run_of(k)) is not None}
        return save_designs_page(self.data, runs, Path(path), count_reasons(self.data), facts or {})

    def save(self, folder: str | Path, *, data: bool = True) -> dict[str, Path]:
        """Write designs.nc, and designs.csv for up to 100,000 designs. data: False if designs.nc is the store. Returns the
        files."""
        from gaitwright._core.output_files import save_text
        from gaitwright.result.files.netcdf import write_dataset

        folder = require_folder(folder)
        if data:
            write_dataset(folder / "designs.nc", self.data)
        files = {"designs": folder / "designs.nc"}
        if self.data.sizes["design"] <= MAX_CSV_ROWS:
            text = self.table.to_csv(index_label="design", lineterminator="\n")
            files["table"] = save_text(folder / "designs.csv", text)
        return files
