"""Numbers that a design question requests from the result of an analysis, by name.

crank.torque                    value of an output at the end
crank.torque.max                reduction of an output over time (result/reductions.py)
gain                            scalar result of the analysis, or number of a function such as gw.measure_leg
ratio=energy/step_length        expression of these and of parameters, with a name
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.analysis.modes import Modes
from gaitwright.codegen.measures import (
    POWER_SUFFIX,
    RESERVED_COLUMNS,
    DesignMeasures,
    MeasureRequest,
    MeasureSource,
    read_measures,
    split_measure,
)
from gaitwright.design.batch.fallback import output_series
from gaitwright.design.evaluation import find_motion, mode_scalars, output_over_time, read_scalars, scalar_unit
from gaitwright.design.number_limits import reduce_limited_series
from gaitwright.design.rules import DesignRule
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model
from gaitwright.result.catalogue import OutputCatalogue, check_outputs, unknown_output_error
from gaitwright.result.reductions import REDUCTION_CHOICES, get_reduction, split_reduction

if TYPE_CHECKING:
    from gaitwright.mechanism.mechanism import Mechanism

NumbersFunction = Callable[[Any], Mapping[str, float]]
"""Function of the Result, or of another return value of an analysis, that returns numbers by name."""
MeasureInput = str | NumbersFunction | Mapping[str, str | Callable[[Any], float]]
"""Name or expression; function of a result that returns numbers by name; or {name: expression or function of a result}."""
MeasuresInput = Sequence[MeasureInput] | NumbersFunction | Mapping[str, Any] | None
"""Measures of a design question: a list of the above, or one of them that is not a text."""
DEFAULT_REDUCTION = "final"
"""Reduction of an output that is requested without one."""
WORD_PATTERN = re.compile(r"[\w.]+")
MEASURES_EXAMPLE = "['energy', 'crank.torque.max'], {'ratio': 'energy/step_length'} or a function of the Result"


class RequestedNumbers:
    """Function of a result that returns the requested numbers by name.

    functions: functions that return several numbers, such as gw.measure_leg. texts: names and expressions by name of the
    number. single: functions that return one number, by its name. limits: limits in the user's form; a limited number that is
    not requested otherwise is an output, which must keep the limit all the time."""

    def __init__(self, element: str, measures: Any):
        """Raise ModelError if `measures` is not a list, a mapping or a function. element: design method, for messages."""
        self.element = element
        self.functions: list[NumbersFunction] = []
        self.texts: dict[str, str] = {}
        self.single: dict[str, Callable[[Any], float]] = {}
        self.limits: dict[str, Any] = {}
        self.explicit: set[str] = set()
        at = ErrorContext(element, "measures")
        if isinstance(measures, str):
            at.fail("is not a list, a mapping or a function", measures, MEASURES_EXAMPLE)
        if measures is not None and not callable(measures) and not isinstance(measures, Iterable):
            at.fail("is not a list, a mapping or a function", measures, MEASURES_EXAMPLE)
        for one in [measures] if isinstance(measures, Mapping) or callable(measures) else measures or ():
            if isinstance(one, Mapping):
                for name, value in one.items():
                    self._add(str(name), value)
            elif callable(one):
                self.functions.append(one)  # pyright: ignore[reportArgumentType]
            elif isinstance(one, str):
                self._add(*split_measure(one))
            else:
                at.fail("contains neither a name, an expression nor a function", one, MEASURES_EXAMPLE)

    def _add(self, name: str, value: Any) -> None:
        at = ErrorContext(self.element, "measures")
        if callable(value):
            self.single[name] = value  # pyright: ignore[reportArgumentType]
        elif not isinstance(value, str):
            at.fail(f"'{name}' is neither an expression nor a function of the Result", value, MEASURES_EXAMPLE)
        elif self.texts.get(name, value) != value:
            at.fail(f"'{name}' is the name of two measures", f"{name} = {value}", "a name for each")
        else:
            self.texts[name] = value

    def texts_with(self, further: Iterable[str]) -> list[str]:
        """Names and expressions of these and of further numbers, such as goals, which may be names of these."""
        return [*self.texts.values(), *(text for text in further if text not in self.texts)]

    def require(self, text: str) -> str:
        """Request a further number, such as a goal, and return its name."""
        name, expression = split_measure(text)
        if name not in self.single and name not in self.texts and name not in self.units:
            self.texts[name] = expression
        return name

    def limit(self, name: str, given: Any) -> None:
        """Request the number of a limit."""
        if name in self.single or name in self.texts or name in self.units:
            return
        if split_reduction(name)[1]:
            self.texts[name] = name
        else:
            self.limits[name] = given

    def request_all(self, sources: Sequence[MeasureSource]) -> None:
        """Request the numbers of functions and limits by name, for generated programs, which keep no outputs over time: a limit
        must name the reduction of an output. Raises ModelError for a function whose numbers no source has."""
        for one in [*self.functions, *self.single.values()]:
            own = [name for source in sources for name in source.gives if name in getattr(one, "units", {})]
            if not own:
                ErrorContext(self.element, "measures").fail(
                    f"'{getattr(one, '__name__', 'the measure')}' is a function of a result, which cannot be printed",
                    expected="names, expressions, or gw.measure_leg",
                )
            self.texts |= dict(zip(own, own, strict=True))
        self.functions.clear()
        for name in self.limits:
            self.texts[name] = name
            self.explicit.add(name)
        self.limits = {}

    def __bool__(self) -> bool:
        return bool(self.functions or self.texts or self.single or self.limits)

    @property
    def rules(self) -> dict[str, DesignRule]:
        """Rules for designs that functions have, by name."""
        return {name: rule for one in self.functions for name, rule in getattr(one, "rules", {}).items()}

    @property
    def units(self) -> dict[str, str]:
        """Units of the numbers of functions that declare them, by name."""
        return {name: unit for one in self.functions for name, unit in getattr(one, "units", {}).items()}

    def units_among(self, known: Mapping[str, tuple[str, str]]) -> dict[str, str]:
        """Units of the numbers of functions, and of those that an analysis has, by name. known: {name: (unit, meaning)}."""
        return self.units | {name: known[text][0] for name, text in self._named_texts() if text in known}

    def expressions(self, mechanism: Mechanism) -> dict[str, str]:
        """Expressions by name for a generated program; every output has its reduction."""
        outputs = OutputCatalogue(mechanism).outputs
        plain = {name for name, text in self.texts.items() if text in outputs and name not in self.explicit}
        return {name: f"{text}.{DEFAULT_REDUCTION}" if name in plain else text for name, text in self.texts.items()}

    def sources(self, model: Model) -> list[MeasureSource]:
        """Sources of the numbers of functions for a generated program. Raises ModelError for a number that no generated program
        computes."""
        for one in [*self.functions, *self.single.values()]:
            if not hasattr(one, "make_source"):
                text = getattr(one, "__name__", "the measure")
                ErrorContext().fail(
                    f"'{text}' is a function of a result, which cannot be printed",
                    expected="outputs, or gw.measure_leg",
                )
        return [one.make_source(model) for one in self.functions]  # pyright: ignore[reportFunctionMemberAccess]

    def check_names(self, parameters: Collection[str]) -> None:
        """Raise ModelError for a measure with the name of a parameter or of a column that every table has."""
        at = ErrorContext(self.element, "measures")
        for name, text in {**self.single, **self.texts}.items():
            if name in RESERVED_COLUMNS:
                at.fail(
                    f"'{name}' is a column that every table has", f"{name} = {text}", "another name for the measure"
                )
            if name in parameters and text != name:
                at.fail(f"'{name}' is a parameter of the model", f"{name} = {text}", "another name for the measure")

    def check(self, model: Model) -> dict[str, str]:
        """Units of the numbers by name. Raises ModelError, before any analysis, for an output or an expression that no
        motion of the model has."""
        known = self.units
        if any(not hasattr(one, "units") for one in self.functions):
            return known  # the names of the numbers of such a function are known only after an analysis
        mechanism, units = model.mechanism(), dict(known)
        catalogue = OutputCatalogue(mechanism)
        expressions: dict[str, str] = {}
        for name, text in self._named_texts():
            output = split_reduction(text)[0]
            base, _, ending = text.rpartition(".")
            if output in catalogue:
                units.setdefault(name, catalogue[output].unit)
            if text in known or output in catalogue:
                continue
            if base in catalogue and ending.isidentifier():
                ErrorContext(self.element, "measures").fail(
                    f"'{text}' does not name the reduction of an output",
                    text,
                    f"its name and one of {REDUCTION_CHOICES}",
                )
            if _is_output_name(output):
                check_outputs(mechanism, [output])
                if output.startswith("energy."):
                    units[name] = "J"
            else:
                expressions[name] = text
        if expressions:
            numbers = {name: (unit, name) for name, unit in known.items()}
            request = request_expressions(expressions, mechanism, model.document.parameters, numbers)
            units |= {name: unit for name, (unit, _) in request.units.items() if name in expressions}
        return units

    def __call__(self, result: Any) -> dict[str, float]:
        """Requested numbers of a result. Raises GaitwrightError for a name that the result does not have."""
        numbers: dict[str, float] = mode_scalars(result) if isinstance(result, Modes) else {}
        for function in self.functions:
            numbers |= {name: float(value) for name, value in function(result).items()}
        for name, text in self.texts.items():
            if name not in numbers:
                numbers[name] = self._number(result, text, numbers)
        for name, function in self.single.items():
            numbers[name] = float(function(result))
        for name, given in self.limits.items():
            if name not in numbers:
                numbers[name] = reduce_limited_series(name, output_over_time(result, name)[0], given)
        return numbers

    def _number(self, result: Any, text: str, known: Mapping[str, float]) -> float:
        if text in known:
            return known[text]
        output, what = _split_output(result, text)
        if not what:
            return evaluate_expressions({"number": text}, result, known)["number"]
        try:
            return get_reduction(what).of_series(output_over_time(result, output)[0])
        except ModelError:
            if find_motion(result) is None and self.functions:
                raise unknown_output_error(output, list(known)) from None
            raise

    def _named_texts(self) -> Iterator[tuple[str, str]]:
        yield from self.texts.items()
        yield from ((name, name) for name in self.limits)

    def units_of(self, result: Any) -> dict[str, str]:
        """Units of the numbers of a result, by name; expressions and functions without units have none."""
        scalars = read_scalars(result) or {}
        units = self.units | {name: scalar_unit(result, name) for name in scalars}
        for name, text in self._named_texts():
            output, what = _split_output(result, text)
            if what and name not in units:
                with suppress(GaitwrightError):  # number of a function without units
                    units[name] = output_over_time(result, output)[1]
        return units


def evaluate_expressions(
    expressions: Mapping[str, str], result: Any, more: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Evaluate {name: expression}, such as {"span": "P.x.max - P.x.min"}, for a result. Expressions may contain scalar results
    of the analysis, such as {"ratio": "energy / step_length"} of gw.LegTurns(). more: additional numbers by name."""
    run, numbers = find_motion(result), {**(read_scalars(result) or {}), **(more or {})}
    assert run is not None
    parameters = resolve_parameters((run.document or {}).get("parameters", {}))
    parameters |= getattr(result, "parameters", {})
    request = request_expressions(expressions, run.mechanism, parameters, {name: ("", name) for name in numbers})
    known = {name: np.array([value]) for name, value in {**numbers, **parameters}.items()}
    for name, output, what in request.reduced:
        known[name] = np.array([get_reduction(what).of_series(output_series(run, output))])
    return {name: float(value[0]) for name, value in request.results(known).items()}


def request_expressions(
    expressions: Mapping[str, str], mechanism: Mechanism, parameters: Iterable[str],
    numbers: Mapping[str, tuple[str, str]],
) -> MeasureRequest:  # fmt: skip
    """Request of {name: expression}. numbers: scalar results of the analysis, {name: (unit, meaning)}. Raises ModelError if an
    expression contains unknown numbers."""
    return read_measures(expressions, mechanism, list(parameters), [make_number_source(numbers)] if numbers else [])


def make_number_source(numbers: Mapping[str, tuple[str, str]]) -> MeasureSource:
    """Source of measures for the scalar results of an analysis. numbers: {name: (unit, meaning)}. No generated program computes
    them."""
    return MeasureSource(numbers, (), lambda *_: {}, lambda _: DesignMeasures({}, {}))


def _is_output_name(text: str) -> bool:
    """True for a dotted name that is not the power of a drive, which only expressions may contain."""
    return "." in text and WORD_PATTERN.fullmatch(text) is not None and not text.endswith(POWER_SUFFIX)


def _split_output(result: Any, text: str) -> tuple[str, str]:
    """Output and reduction of a text, or the text without a reduction if it is an expression."""
    if text in (read_scalars(result) or {}):
        return text, DEFAULT_REDUCTION
    output, what = split_reduction(text)
    run = find_motion(result)
    is_output = WORD_PATTERN.fullmatch(output) if run is None else output in run.catalogue or _is_output_name(output)
    return (output, what or DEFAULT_REDUCTION) if is_output else (text, "")
