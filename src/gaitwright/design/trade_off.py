"""What a parameter does to several outputs at once: one sweep, one picture with limits and the value that was chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.chosen import Chosen
from gaitwright.design.question import Analysis, Output, Question, is_logarithmic, read_bounds, reason
from gaitwright.design.sweep import sweep
from gaitwright.model.model import Model

if TYPE_CHECKING:
    import xarray as xr


class TradeOff:
    """Outputs over a parameter. data: Dataset over the parameter, with `failure` where an analysis failed."""

    question: Question
    data: xr.Dataset
    targets: dict[str, float]
    marked: float | None

    def __init__(self, question: Question, data: xr.Dataset, targets: dict[str, float], marked: float | None):
        self.question, self.data, self.targets, self.marked = question, data, targets, marked

    def plot(self, path: str | Path | None = None, *, label: str = "", title: str = "") -> Any:
        """One panel per output, with limits, target and the marked value; a matplotlib Figure.

        label: of the parameter, with its unit, such as "EI (N m^2)"; its name unless given."""
        from gaitwright.report.trade_off import plot_trade_off

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
        """One web page with a chart per output, its limit and the marked value, and all numbers."""
        from gaitwright.report.views.trade_off_page import trade_off_report

        return trade_off_report(self).save(Path(path))

    def summary(self) -> dict[str, Any]:
        """For JSON: the values of the parameter, and of every output beside them."""
        from gaitwright.plain import plain

        names = [str(name) for name in self.data.data_vars if name != "failure"]
        return plain({
            "name": self.question.model.document.name, "parameter": self.question.parameter, "marked": self.marked,
            "values": self.data[self.question.parameter].values.tolist(),
            "outputs": {name: self.data[name].values.tolist() for name in names},
            "units": {name: self.data[name].attrs["units"] for name in names},
            "limits": dict(self.question.limits), "failures": [str(reason) for reason in self.data["failure"].values],
        })  # fmt: skip

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import trade_off_card

        return trade_off_card(self)

    def __repr__(self) -> str:
        x, failed = self.data[self.question.parameter].values, int((self.data["failure"] != "").sum())
        names = ", ".join(str(name) for name in self.data.data_vars if name != "failure")
        said = f", {failed} failed" if failed else ""
        return f"<TradeOff of {names} over {self.question.parameter}: {x.size} values from {x[0]:g} to {x[-1]:g}{said}>"


def trade_off(
    model: Model,
    parameter: str,
    *,
    outputs: Sequence[str] | Mapping[str, Output],
    bounds: Sequence[float],
    analysis: Analysis | None = None,
    measure: str | Callable[[np.ndarray], float] = "final",
    limits: Mapping[str, Any] | None = None,
    chosen: Chosen | float | None = None,
    samples: int = 25,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> TradeOff:
    """What a parameter does to several outputs, as numbers and as a picture to choose by.

        curve = gw.trade_off(support, "EI", outputs=["assist.moment", "blade.strain_energy"], bounds=(0.5, 10),
                             limits={"blade.max_strain": 0.006}, chosen=chosen)
        curve.plot("trade-off.png", label="EI (N m^2)")

    outputs: names, or {label: name or function of the Result}. chosen: what `choose` found, or a value, to be marked.
    analysis, measure, limits: as in `choose`. samples: values within the bounds. workers: processes, as in `sweep`; an
    analysis given as a function stays in this process."""
    named = dict(outputs) if isinstance(outputs, Mapping) else {name: name for name in outputs}
    question = Question(model, parameter, named, analysis, measure, limits)
    values = read_bounds(bounds, samples)
    marked = chosen.value if isinstance(chosen, Chosen) else chosen
    if marked is not None and values[0] <= marked <= values[-1]:
        values = np.union1d(values, [float(marked)])
    question.check(float(values[values.size // 2]))

    def measured(result: Any) -> dict[str, float]:
        found, sizes = question.numbers(result)
        return {**{name: size for name, size in sizes.items() if name not in found}, **found}

    if callable(analysis):
        data = _in_turn(question, values, measured, progress)
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


def _in_turn(
    question: Question, values: np.ndarray, measured: Callable[[Any], dict[str, float]], progress: Any
) -> xr.Dataset:
    """What `sweep` does, for an analysis that is a function."""
    import xarray as xr

    rows: list[dict[str, Any]] = []
    for k, value in enumerate(values):
        try:
            rows.append({**measured(question.run(float(value))), "failure": ""})
        except Exception as error:  # a function of the user's own may raise anything
            rows.append({"failure": reason(error)})
        if progress is not None:
            progress((k + 1) / values.size)
    data = xr.Dataset(coords={question.parameter: values})
    for name in dict.fromkeys(name for row in rows for name in row):
        column = [row.get(name, math.nan) for row in rows]
        data[name] = ((question.parameter,), np.array(column, dtype=object if name == "failure" else float))
    return data
