"""Effect of one parameter on several outputs: one sweep, one figure with limits and the chosen value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.choose_result import ChoiceResult
from gaitwright.design.evaluation import AnalysisInput
from gaitwright.design.parameter_ranges import is_logarithmic
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import MeasuresInput
from gaitwright.design.result import DesignResult
from gaitwright.design.sweep import sample_grid, sweep_numbers
from gaitwright.model.model import Model

if TYPE_CHECKING:
    import xarray as xr


class TradeOffResult(DesignResult):
    """Result of `trade_off`: numbers over one parameter. targets: target values by name. marked: chosen value of the parameter,
    or None."""

    targets: dict[str, float]
    marked: float | None

    def __init__(self, question: DesignQuestion, data: xr.Dataset, targets: dict[str, float], marked: float | None):
        super().__init__(question, data)
        self.targets, self.marked = targets, marked

    @property
    def parameter(self) -> str:
        return self.question.parameters[0]

    @property
    def values(self) -> dict[str, float]:
        return super().values if self.marked is None else {self.parameter: self.marked}

    def plot(self, path: str | Path | None = None, *, label: str = "", title: str = "") -> Any:
        """Plot one panel per number, with limits, target and the marked value.

        label: axis label of the parameter with its unit, such as "EI (N m^2)"; default: its name. Returns a matplotlib
        Figure."""
        from gaitwright.report.figures.trade_off_plot import plot_trade_off

        x = self.data[self.parameter].values
        panels = {name: (self.data[name].values, self.question.units.get(name, "")) for name in self.names}
        limits = {name: limit.plain for name, limit in self.question.number_limits().items()}
        return plot_trade_off(
            title or f"{self.question.name}: the choice of {self.parameter}", label or self.parameter, x, panels,
            limits=limits, targets=self.targets, marked=self.marked, logarithmic=is_logarithmic(x), path=path,
        )  # fmt: skip

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with a chart per number, its limit and the marked value, and all numbers. Returns the written
        files."""
        from gaitwright.report.views.pages.trade_off_page import trade_off_report

        return trade_off_report(self).save(Path(path))

    def summary(self) -> dict[str, Any]:
        """Values of the parameter and of every number as JSON-ready data."""
        from gaitwright._core.json_types import to_json_types

        return to_json_types({
            "name": self.question.name, "parameter": self.parameter, "marked": self.marked,
            "values": self.data[self.parameter].values.tolist(),
            "outputs": {name: self.data[name].values.tolist() for name in self.names},
            "units": {name: self.question.units.get(name, "") for name in self.names},
            "limits": {name: limit.plain for name, limit in self.question.number_limits().items()},
            "failures": [str(reason) for reason in self.data["failure"].values],
        })  # fmt: skip

    def lines(self) -> list[str]:
        x, failed = self.data[self.parameter].values, len(self.failures)
        failures = f", {failed} failed" if failed else ""
        lines = [f"{', '.join(self.names)} over {self.parameter}: {x.size} values from {x[0]:g} to {x[-1]:g}{failures}"]
        if self.question.limits:
            good = x[self.feasible.values]
            where = f"from {good.min():.5g} to {good.max():.5g}" if good.size else "for no value"
            lines.append(f"the limits are kept {where} of {self.parameter}")
        return lines


def trade_off(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    measures: MeasuresInput,
    limits: Mapping[str, Any] | None = None,
    chosen: ChoiceResult | float | None = None,
    samples: int = 25,
    analysis: AnalysisInput | None = None,
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> TradeOffResult:
    """Study the effect of a parameter on several numbers, as a table and as a figure to choose from.

        curve = gw.trade_off(support, {"EI": (0.5, 10)}, measures=["assist.moment", "blade.strain_energy"],
                             limits={"blade.max_strain": 0.006}, chosen=chosen)
        curve.plot("trade-off.png", label="EI (N m^2)")

    parameters: {name: (low, high)} of one parameter, of which `samples` values are analysed, or a list of values. measures:
    as in `sweep`. limits, analysis: as in `choose`. chosen: result of `choose`, or a value, to be marked. workers, client,
    store, progress: as in `sweep`. Raises ModelError for invalid input."""
    question = DesignQuestion(
        "trade_off", model, parameters, measures=measures, limits=limits, analysis=analysis, default_analysis="static",
        known_rules={},
    )  # fmt: skip
    if len(question.box) != 1:
        ErrorContext("trade_off", "parameters").fail(
            "has several parameters", question.parameters, "one; gw.sweep varies several"
        )
    ((parameter, axis),) = question.box.items()
    grid = sample_grid(question, samples)
    marked = chosen.value if isinstance(chosen, ChoiceResult) else chosen
    if marked is not None and axis.low <= marked <= axis.high:
        grid[parameter] = np.union1d(grid[parameter], [float(marked)])
    data = sweep_numbers(question, grid, Execution(workers, client, store, progress))
    return TradeOffResult(question, data, chosen.targets if isinstance(chosen, ChoiceResult) else {}, marked)
