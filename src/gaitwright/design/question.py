"""What a search for a parameter asks of a model: which analysis, which outputs of it, which one number of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At, did_you_mean, is_number
from gaitwright.design.number_limits import Limit, read_limit
from gaitwright.design.store import Store
from gaitwright.design.told import motion_of, told, unit_told, why_not
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.model.model import Model, require_model
from gaitwright.result.catalogue import Catalogue, check_outputs, unknown_output
from gaitwright.result.result import Result

Output = str | Callable[[Any], float]
"""Name of an output, or of a number that the result tells; or a function of the Result that gives a number."""
Analysis = str | Mapping[str, Any] | Callable[[Model], Any]
"""Name of an analysis, a section as in a model file, or a function that runs a model and gives its Result."""
MEASURES: dict[str, Callable[[np.ndarray], float]] = {
    "final": lambda values: values[-1],
    "max": lambda values: np.max(_known(values), initial=-math.inf),
    "min": lambda values: np.min(_known(values), initial=math.inf),
    "max_abs": lambda values: np.max(np.abs(_known(values)), initial=0.0),
}
"""What one number to take of an output over time; what only exists in contact is NaN in the air and does not count."""
WIDE = 10.0
"""Ratio of the bounds from which on they are scanned in equal ratios instead of equal differences."""
MOST_SAMPLES = 10_000


class Evaluation(NamedTuple):
    """One value of the parameter and what came of it. achieved: NaN if the analysis failed, with the reason in `failure`.
    limits: for each limit, the number of its output over the run that it is about: of a limit of its size, the largest size."""

    value: float
    achieved: float
    limits: dict[str, float]
    failure: str = ""


class Question:
    """What is asked for, and all answers so far. No value of the parameter is analysed twice."""

    parameter: str
    outputs: dict[str, Output]
    limits: dict[str, Limit]
    model: Model
    analyse: Callable[..., Any]
    of_motion: bool

    def __init__(
        self, model: Model, parameter: str, outputs: Mapping[str, Output], analysis: Analysis | None,
        measure: str | Callable[[np.ndarray], float], limits: Mapping[str, Any] | None,
    ):  # fmt: skip
        known = require_model(model, "the search").document.parameters
        if parameter not in known:
            At(field="parameter").fail(
                f"'{parameter}' is not a parameter of this model",
                expected=f"one of: {', '.join(known) or '(the model has none)'}{did_you_mean(parameter, list(known))}",
            )
        if not callable(measure) and measure not in MEASURES:
            At(field="measure").fail(
                "is not known", measure,
                f"{', '.join(MEASURES)}, or a function of the values over time{did_you_mean(measure, list(MEASURES))}",
            )  # fmt: skip
        self.parameter, self.outputs = parameter, dict(outputs)
        for name, limit in (limits or {}).items():
            if not isinstance(limit, (tuple, list)) and (not is_number(limit) or not limit > 0.0):
                At(field=f"limits['{name}']").fail(
                    "is no limit", limit, "a positive number, the largest size, or (low, high)"
                )
        self.limits = {name: read_limit(name, limit, {}) for name, limit in (limits or {}).items()}
        self.measure: Callable[[np.ndarray], float] = measure if callable(measure) else MEASURES[measure]
        self.model, self.analyse = read_analysis(model, analysis)
        section = self.model.document.analysis
        self.of_motion = not callable(analysis) and section is not None and section.type != "modes"
        self.rules: dict[str, str] = {}
        """Names of the rules among the limits, by number."""
        self.units: dict[str, str] = {}
        self.tell: Callable[[float], None] = lambda fraction: None
        self.kept: Store | None = None

    @property
    def plain_limits(self) -> dict[str, Any]:
        """The limits as they are given: largest sizes, or (low, high)."""
        return {name: limit.plain for name, limit in self.limits.items()}

    def check(self, value: float) -> None:
        """What is wrong whatever the value of the parameter, said before anything is analysed."""
        mechanism = self.variant(value).mechanism()
        if self.of_motion:  # what else a function may return is not known, nor how many modes there are
            names = {name: o for name, o in self.outputs.items() if isinstance(o, str)} | {n: n for n in self.limits}
            check_outputs(mechanism, list(names.values()))
            known = Catalogue(mechanism).outputs
            self.units |= {name: known[output].unit for name, output in names.items() if output in known}

    def variant(self, value: float) -> Model:
        return self.model.copy(**{self.parameter: value})

    def run(self, value: float) -> Any:
        result = self.analyse(self.variant(value), self.tell)
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        return result

    def numbers(self, result: Any) -> tuple[dict[str, float], dict[str, float]]:
        """The measured outputs and the sizes of the limited ones."""
        found = {}
        for name, output in self.outputs.items():
            if callable(output):
                found[name] = float(output(result))
            else:
                series, self.units[name] = output_over_time(result, output)
                found[name] = float(self.measure(series))
        sizes = {}
        for name, limit in self.limits.items():
            series, self.units[name] = output_over_time(result, name)
            sizes[name] = limit.of_series(series)
        return found, sizes

    def evaluation(self, value: float, result: Any) -> Evaluation:
        """What came of a value, measured by the first output."""
        try:
            found, sizes = self.numbers(result)
        except ModelError:  # a name that no result has is wrong whatever the value
            raise
        except Exception as error:
            return Evaluation(value, math.nan, {}, reason(error))
        name, achieved = next(iter(found.items()))
        if not math.isfinite(achieved):
            return Evaluation(value, math.nan, sizes, f"{name} is not a finite number")
        return Evaluation(value, achieved, sizes)

    def unit(self, name: str) -> str:
        """With a space before it; nothing where there is none."""
        unit = self.units.get(name, "")
        return "" if unit in ("", "1", "mixed") else f" {unit}"


def read_analysis(model: Model, analysis: Analysis | None) -> tuple[Model, Callable[..., Any]]:
    """The model with the analysis in it, and how to run a variant of it, given where to report progress."""
    if callable(analysis):
        return model, lambda variant, tell: analysis(variant)
    if analysis is None and model.document.analysis is None:
        analysis = "static"
    if analysis is not None:
        section = {"type": analysis} if isinstance(analysis, str) else dict(analysis)
        model = Model.from_dict({**model.to_dict(), "analysis": section})
    return model, lambda variant, tell: variant.analyse(tell)


def read_bounds(bounds: Any, samples: int) -> np.ndarray:
    """Values from the low to the high bound, at equal ratios if these are far apart."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        At(field="bounds").fail("must be two finite numbers, the lower one first", bounds, "for example (0.5, 50)")
    At(field="samples").whole(samples, "is no number of samples", f"2 to {MOST_SAMPLES}", 2, MOST_SAMPLES)
    values = np.geomspace(low, high, int(samples)) if high > WIDE * low > 0 else np.linspace(low, high, int(samples))
    values[0], values[-1] = low, high
    return values


def is_logarithmic(values: np.ndarray) -> bool:
    return bool(values.min() > 0.0 and values.max() > WIDE * values.min())


def reason(error: Exception) -> str:
    """Why an analysis failed; what a function of the user's raised, with its type."""
    return str(error) if isinstance(error, GaitwrightError) else f"{type(error).__name__}: {error}"


def output_over_time(result: Any, name: str) -> tuple[np.ndarray, str]:
    """An output over time with its unit; one number of modes, and of what tells numbers by name, besides the outputs of its
    motion."""
    numbers = told(result)
    run: Result | None = motion_of(result)
    if numbers is not None and name in numbers:
        return np.array([numbers[name]]), unit_told(result, name)
    if numbers is not None and (run is None or name not in run.catalogue):
        why = why_not(result, name)
        others = [] if run is None else list(run.catalogue)
        raise GaitwrightError(f"there is no {name}: {why}") if why else unknown_output(name, [*numbers, *others])
    return (run or result).values(name), (run or result).catalogue[name].unit


def _known(values: np.ndarray) -> np.ndarray:
    return values[~np.isnan(values)]
