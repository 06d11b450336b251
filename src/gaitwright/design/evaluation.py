"""Evaluation of a model in a search for a parameter: analysis, outputs, and the reduction of each output to one number."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number, suggest_spelling
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.design.number_limits import NumberLimit, read_limit
from gaitwright.design.result_store import ResultStore
from gaitwright.design.scalar_results import explain_missing_scalar, find_motion, read_scalars, scalar_unit
from gaitwright.model.model import Model, require_model
from gaitwright.result.catalogue import OutputCatalogue, check_outputs, unknown_output_error
from gaitwright.result.reductions import get_reduction, read_reduction
from gaitwright.result.result import Result

OutputInput = str | Callable[[Any], float]
"""Name of an output or of a scalar result; or a function of the Result that returns a number."""
AnalysisInput = str | Mapping[str, Any] | Callable[[Model], Any]
"""Name of an analysis, a section as in a model file, or a function that runs a model and returns its Result."""
LOGARITHMIC_RATIO = 10.0
"""Ratio of the bounds above which they are scanned at equal ratios instead of equal differences."""
MAX_SAMPLES = 10_000


class ParameterEvaluation(NamedTuple):
    """Evaluation of one value of the parameter. achieved: output, or NaN if the analysis failed, with the reason in `failure`.
    limits: by limit, the reduced number of its output that the limit applies to, such as the largest size."""

    value: float
    achieved: float
    limits: dict[str, float]
    failure: str = ""


class ParameterEvaluator:
    """Analysis, outputs and limits of a search for one parameter; evaluates the model for a value of it."""

    parameter: str
    outputs: dict[str, OutputInput]
    limits: dict[str, NumberLimit]
    model: Model
    analyse: Callable[..., Any]
    of_motion: bool

    def __init__(
        self, model: Model, parameter: str, outputs: Mapping[str, OutputInput], analysis: AnalysisInput | None,
        measure: str | Callable[[np.ndarray], float], limits: Mapping[str, Any] | None,
    ):  # fmt: skip
        known = require_model(model, "the search").document.parameters
        if parameter not in known:
            ErrorContext(field="parameter").fail(
                f"'{parameter}' is not a parameter of this model",
                expected=f"one of: {', '.join(known) or '(the model has none)'}{suggest_spelling(parameter, list(known))}",
            )
        self.measure: Callable[[np.ndarray], float] = (
            measure
            if callable(measure)
            else read_reduction(measure, ErrorContext(field="measure"), "a function of the values over time").of_series
        )
        self.parameter, self.outputs = parameter, dict(outputs)
        for name, limit in (limits or {}).items():
            if not isinstance(limit, (tuple, list)) and (not is_number(limit) or not limit > 0.0):
                ErrorContext(field=f"limits['{name}']").fail(
                    "is no limit", limit, "a positive number, the largest size, or (low, high)"
                )
        self.limits = {name: read_limit(name, limit, {}) for name, limit in (limits or {}).items()}
        self.model, self.analyse = read_analysis(model, analysis)
        section = self.model.document.analysis
        self.of_motion = not callable(analysis) and section is not None and section.type != "modes"
        self.rules: dict[str, str] = {}
        """Names of the rules among the limits, by the name of their number."""
        self.units: dict[str, str] = {}
        self.tell: Callable[[float], None] = lambda fraction: None
        self.kept: ResultStore | None = None

    @property
    def plain_limits(self) -> dict[str, Any]:
        """Limits in the user's form: largest sizes, or (low, high)."""
        return {name: limit.plain for name, limit in self.limits.items()}

    def check(self, value: float) -> None:
        """Raise errors that do not depend on the value of the parameter, before the first analysis."""
        mechanism = self.variant(value).mechanism()
        if self.of_motion:  # the result type of a function and the number of modes are not known in advance
            names = {name: o for name, o in self.outputs.items() if isinstance(o, str)} | {n: n for n in self.limits}
            check_outputs(mechanism, list(names.values()))
            known = OutputCatalogue(mechanism).outputs
            self.units |= {name: known[output].unit for name, output in names.items() if output in known}

    def variant(self, value: float) -> Model:
        return self.model.copy(**{self.parameter: value})

    def run(self, value: float) -> Any:
        result = self.analyse(self.variant(value), self.tell)
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        return result

    def numbers(self, result: Any) -> tuple[dict[str, float], dict[str, float]]:
        """Reduced outputs, and the limited numbers, by name."""
        numbers = {}
        for name, output in self.outputs.items():
            if callable(output):
                numbers[name] = float(output(result))
            else:
                series, self.units[name] = output_over_time(result, output)
                numbers[name] = float(self.measure(series))
        sizes = {}
        for name, limit in self.limits.items():
            series, self.units[name] = output_over_time(result, name)
            sizes[name] = limit.of_series(series)
        return numbers, sizes

    def evaluation(self, value: float, result: Any) -> ParameterEvaluation:
        """Evaluation of a value from its analysis result; the first output is `achieved`."""
        try:
            numbers, sizes = self.numbers(result)
        except ModelError:  # an unknown name is an error for every value
            raise
        except Exception as error:
            return ParameterEvaluation(value, math.nan, {}, failure_reason(error))
        name, achieved = next(iter(numbers.items()))
        if not math.isfinite(achieved):
            return ParameterEvaluation(value, math.nan, sizes, f"{name} is not a finite number")
        return ParameterEvaluation(value, achieved, sizes)

    def unit(self, name: str) -> str:
        """Unit of a number with a leading space; empty if it has none."""
        unit = self.units.get(name, "")
        return "" if unit in ("", "1", "mixed") else f" {unit}"


def read_analysis(model: Model, analysis: AnalysisInput | None) -> tuple[Model, Callable[..., Any]]:
    """Model with the analysis section, and a function (variant, progress callback) that runs a variant."""
    if callable(analysis):
        return model, lambda variant, tell: analysis(variant)
    if analysis is None and model.document.analysis is None:
        analysis = "static"
    if analysis is not None:
        section = {"type": analysis} if isinstance(analysis, str) else dict(analysis)
        model = Model.from_dict({**model.to_dict(), "analysis": section})
    return model, lambda variant, tell: variant.analyse(tell)


def read_scan_values(bounds: Any, samples: int) -> np.ndarray:
    """Values from the low to the high bound (samples,), at equal ratios if the bounds are far apart."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        ErrorContext(field="bounds").fail(
            "must be two finite numbers, the lower one first", bounds, "for example (0.5, 50)"
        )
    ErrorContext(field="samples").whole(samples, "is no number of samples", f"2 to {MAX_SAMPLES}", 2, MAX_SAMPLES)
    values = (
        np.geomspace(low, high, int(samples))
        if high > LOGARITHMIC_RATIO * low > 0
        else np.linspace(low, high, int(samples))
    )
    values[0], values[-1] = low, high
    return values


def is_logarithmic(values: np.ndarray) -> bool:
    return bool(values.min() > 0.0 and values.max() > LOGARITHMIC_RATIO * values.min())


def failure_reason(error: Exception) -> str:
    """Reason of a failed analysis; exceptions of user-defined functions include their type."""
    return str(error) if isinstance(error, GaitwrightError) else f"{type(error).__name__}: {error}"


def output_over_time(result: Any, name: str) -> tuple[np.ndarray, str]:
    """Output over time (n_samples,) with its unit; for modes and other scalar results an array with one number. Raises
    GaitwrightError for an unknown name."""
    numbers = read_scalars(result)
    run: Result | None = find_motion(result)
    if numbers is not None and name in numbers:
        return np.array([numbers[name]]), scalar_unit(result, name)
    if numbers is not None and (run is None or name not in run.catalogue):
        why = explain_missing_scalar(result, name)
        others = [] if run is None else list(run.catalogue)
        raise GaitwrightError(f"there is no {name}: {why}") if why else unknown_output_error(name, [*numbers, *others])
    return (run or result).array(name), (run or result).catalogue[name].unit


class OutputReduction:
    """Function of a result that returns {output: its reduction over time}. what: name of the reduction. measures: the same
    numbers as expressions."""

    def __init__(self, names: Sequence[str], what: str):
        self.names, self.what = tuple(names), what
        self.measures = {name: f"{name}.{what}" for name in names}

    def __call__(self, result: Any) -> dict[str, float]:
        reduction = get_reduction(self.what)
        return {name: reduction.of_series(output_over_time(result, name)[0]) for name in self.names}
