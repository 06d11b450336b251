"""Effect of one parameter on several outputs: one sweep, one figure with limits and the chosen value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.choose_result import Chosen
from gaitwright.design.evaluation import (
    AnalysisInput,
    OutputInput,
    ParameterEvaluator,
    failure_reason,
    is_logarithmic,
    read_scan_values,
)
from gaitwright.design.measure_plan import plan_analysis
from gaitwright.design.sweep import sweep
from gaitwright.model.model import Model

if TYPE_CHECKING:
    import xarray as xr


class TradeOff:
    """Outputs over a parameter. data: Dataset over the parameter; `failure` contains the reason if an analysis failed. targets:
    target values by output. marked: chosen value of the parameter, or None."""

    question: ParameterEvaluator
    data: xr.Dataset
    targets: dict[str, float]
    marked: float | None

    def __init__(self, question: ParameterEvaluator, data: xr.Dataset, targets: dict[str, float], marked: float | None):
        self.question, self.data, self.targets, self.marked = question, data, targets, marked

    def plot(self, path: str | Path | None = None, *, label: str = "", title: str = "") -> Any:
        """Plot one panel per output, with limits, target and the marked value.

        label: axis label of the parameter with its unit, such as "EI (N m^2)"; default: its name. Returns a matplotlib
        Figure."""
        from gaitwright.report.figures.trade_off_plot import plot_trade_off

        question = self.question
        x = self.data[question.parameter].values
        names = [*question.outputs, *(name for name in question.limits if name not in question.outputs)]
        panels = {name: (self.data[name].values, self.data[name].attrs["units"]) for name in names}
        return plot_trade_off(
            title or f"{question.model.document.name}: the choice of {question.parameter}", label or question.parameter,
            x, panels, limits=question.plain_limits, targets=self.targets, marked=self.marked, logarithmic=is_logarithmic(x),
            path=path,
        )  # fmt: skip

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with a chart per output, its limit and the marked value, and all numbers. Returns the written
        files."""
        from gaitwright.report.views.pages.trade_off_page import trade_off_report

        return trade_off_report(self).save(Path(path))

    def summary(self) -> dict[str, Any]:
        """Values of the parameter and of every output as JSON-ready data."""
        from gaitwright._core.json_types import to_json_types

        names = [str(name) for name in self.data.data_vars if name != "failure"]
        return to_json_types({
            "name": self.question.model.document.name, "parameter": self.question.parameter, "marked": self.marked,
            "values": self.data[self.question.parameter].values.tolist(),
            "outputs": {name: self.data[name].values.tolist() for name in names},
            "units": {name: self.data[name].attrs["units"] for name in names},
            "limits": self.question.plain_limits, "failures": [str(reason) for reason in self.data["failure"].values],
        })  # fmt: skip

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import trade_off_card

        return trade_off_card(self)

    def __repr__(self) -> str:
        x, failed = self.data[self.question.parameter].values, int((self.data["failure"] != "").sum())
        names = ", ".join(str(name) for name in self.data.data_vars if name != "failure")
        failures = f", {failed} failed" if failed else ""
        return f"<TradeOff of {names} over {self.question.parameter}: {x.size} values from {x[0]:g} to {x[-1]:g}{failures}>"


def trade_off(
    model: Model,
    parameter: str,
    *,
    outputs: Sequence[str] | Mapping[str, OutputInput],
    bounds: Sequence[float],
    analysis: AnalysisInput | None = None,
    measure: str | Callable[[np.ndarray], float] = "final",
    limits: Mapping[str, Any] | None = None,
    chosen: Chosen | float | None = None,
    samples: int = 25,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> TradeOff:
    """Study the effect of a parameter on several outputs, as numbers and as a figure to choose from.

        curve = gw.trade_off(support, "EI", outputs=["assist.moment", "blade.strain_energy"], bounds=(0.5, 10),
                             limits={"blade.max_strain": 0.006}, chosen=chosen)
        curve.plot("trade-off.png", label="EI (N m^2)")

    outputs: names, or {label: name or function of the Result}. chosen: result of `choose`, or a value, to be marked.
    bounds: (low, high), in the unit of the parameter. analysis, measure, limits: as in `choose`. samples: number of values
    within the bounds. workers: processes, as in `sweep`; an analysis given as a function runs in this process. progress:
    callback with the fraction done. Raises ModelError for invalid input."""
    named = dict(outputs) if isinstance(outputs, Mapping) else {name: name for name in outputs}
    analysis = plan_analysis(model, analysis, [*named.values(), *(limits or {})])
    question = ParameterEvaluator(model, parameter, named, analysis, measure, limits)
    values = read_scan_values(bounds, samples)
    marked = chosen.value if isinstance(chosen, Chosen) else chosen
    if marked is not None and values[0] <= marked <= values[-1]:
        values = np.union1d(values, [float(marked)])
    question.check(float(values[values.size // 2]))

    def measured(result: Any) -> dict[str, float]:
        numbers, sizes = question.numbers(result)
        return {**{name: size for name, size in sizes.items() if name not in numbers}, **numbers}

    if callable(analysis):
        data = _sweep_by_function(question, values, measured, progress)
    else:
        options: dict[str, Any] = {"workers": workers, "progress": progress}
        data = sweep(question.model, {parameter: values}, outputs=[], measure=measured, **options)
    names = list(dict.fromkeys([*named, *question.limits]))
    for name in names:
        if name not in data:
            data[name] = ((parameter,), np.full(values.size, math.nan))
        data[name].attrs["units"] = question.units.get(name, "")
    targets = {chosen.output: chosen.target} if isinstance(chosen, Chosen) else {}
    return TradeOff(question, data[[*names, "failure"]], targets, marked)


def _sweep_by_function(
    question: ParameterEvaluator, values: np.ndarray, measured: Callable[[Any], dict[str, float]], progress: Any
) -> xr.Dataset:
    """Sweep over the parameter by an analysis that is a function, in this process; the same Dataset as `sweep`."""
    import xarray as xr

    rows: list[dict[str, Any]] = []
    for k, value in enumerate(values):
        try:
            rows.append({**measured(question.run(float(value))), "failure": ""})
        except Exception as error:  # a user-defined function may raise anything
            rows.append({"failure": failure_reason(error)})
        if progress is not None:
            progress((k + 1) / values.size)
    data = xr.Dataset(coords={question.parameter: values})
    for name in dict.fromkeys(name for row in rows for name in row):
        column = [row.get(name, math.nan) for row in rows]
        data[name] = ((question.parameter,), np.array(column, dtype=object if name == "failure" else float))
    return data
