"""Measures of designs: reductions of outputs over the run, numbers of sources such as legs, and user-defined expressions of
these and of the parameters.

    crank.torque.max_abs            an output and its reduction over time (result/reductions.py)
    step_length                     a number of a source, by name
    energy/step_length              any expression, as in model files

All measures are computed for many designs at once, on arrays with a column per design, with NumPy or on a GPU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError
from gaitwright.codegen.expression_terms import expression_to_term
from gaitwright.codegen.tracing import TracedNumberReader
from gaitwright.derive.term_graph import MOTION_LEVEL, Term, TermGraph
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.expressions import parse
from gaitwright.result.catalogue import OutputCatalogue, unknown_output_error
from gaitwright.result.reductions import REDUCTION_CHOICES, get_reduction, is_reduction

Array = Any
"""Array of NumPy or CuPy."""
POWER_SUFFIX = ".power"
"""Suffix of the output with the power of a drive, W, of a generated program."""
DOTTED_NAME_PATTERN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
UNKNOWN_NAME_PATTERN = re.compile(r"unknown name '(\w+)'")
COLUMN_PATTERN = re.compile(r" at column \d+ \(got '.*'\)")
MEASURE_NAME_PATTERN = re.compile(r"[\w. :-]+")
RESERVED_COLUMNS = ("design", "parameter", "code", "failure", "failed_at", "reason", "feasible", "front", "time")
"""Names reserved for columns of tables of designs and sweeps."""


class DesignSeries(NamedTuple):
    """Outputs of designs over time. series: by name, (samples + 1, n_designs). span: duration of the runs, s, (n_designs,).
    numbers: quantities that depend on the parameters alone, (n_designs,). xp: NumPy or CuPy."""

    series: Mapping[str, Array]
    span: Array
    numbers: Mapping[str, Array]
    xp: Any


class DesignMeasures(NamedTuple):
    """Measures of designs. numbers: by name, (n_designs,). wrong: masks (n_designs,) of the designs whose numbers are
    invalid, by reason."""

    numbers: dict[Any, Array]
    wrong: dict[str, Array]


class MeasureDerivatives(NamedTuple):
    """Derivatives of one measure. series: with respect to the samples of outputs, (samples + 1, n_designs). numbers: with
    respect to the source numbers that depend on the parameters alone, (n_designs,). span: with respect to the length of the
    run, (n_designs,)."""

    series: dict[str, Array]
    numbers: dict[str, Array]
    span: Array


class MeasureSource(NamedTuple):
    """Source of measures. gives: (unit, meaning) by name of the measure. series: required outputs. numbers: function that
    returns the required terms that depend on the parameters alone. measure: function that computes the measures. derivable:
    names of measures with derivatives, which `slopes` returns."""

    gives: Mapping[str, tuple[str, str]]
    series: Sequence[str]
    numbers: Callable[[TracedNumberReader, Mechanism], dict[str, Term]]
    measure: Callable[[DesignSeries], DesignMeasures]
    derivable: Sequence[str] = ()
    slopes: Callable[[DesignSeries, Sequence[str]], dict[str, MeasureDerivatives]] | None = None


class MeasureRequest(NamedTuple):
    """Requested measures as expressions of basic measures. units: (unit, meaning) by name. series: required outputs."""

    expressions: dict[str, Term]
    graph: TermGraph
    basic: dict[str, str]
    """Basic measure or parameter by the name of its input in the expressions."""
    units: dict[str, tuple[str, str]]
    series: tuple[str, ...]
    reduced: tuple[tuple[str, str, str], ...]
    """Basic measures of outputs: name, output, reduction."""
    sources: tuple[MeasureSource, ...]
    texts: Mapping[str, str] = {}
    """Expressions in the user's form, by name."""

    def results(self, basic_values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Evaluate all measures from the basic ones, (n_designs,)."""
        inputs = {text: basic_values[name] for text, name in self.basic.items()}
        values = self.graph.values(self.expressions.values(), inputs)
        size = np.shape(next(iter(basic_values.values())))
        return {name: np.broadcast_to(value, size) for name, value in zip(self.expressions, values, strict=True)}

    def undefined(
        self, basic_values: Mapping[str, np.ndarray], results: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Masks (n_designs,) by reason of the designs for which an expression of finite numbers is not finite, such as the root
        of a negative number. Expressions with infinite inputs, such as the cost of transport of a body that only sways, are
        valid."""
        masks = {}
        for name, term in self.expressions.items():
            input_values = [
                basic_values[self.basic[term_input.name]]
                for term_input in TermGraph.needed([term])
                if term_input.op == "input"
            ]
            undefined_designs = ~np.isfinite(results[name]) & np.all(np.isfinite(input_values), axis=0)
            if np.any(undefined_designs):
                masks[f"the measure '{name}' is not a finite number"] = undefined_designs
        return masks

    def measure(self, turn: DesignSeries) -> DesignMeasures:
        """Compute the basic measures of a run."""
        numbers: dict[str, Array] = {}
        invalid: dict[str, Array] = {}
        for name, output, reduction in self.reduced:
            numbers[name] = get_reduction(reduction).reduce(turn.series[output])
        for source in self.sources:
            measures = source.measure(turn)
            numbers |= measures.numbers
            invalid |= measures.wrong
        return DesignMeasures(numbers, invalid)


def read_measures(
    measures: Mapping[str, str],
    mechanism: Mechanism,
    parameters: Sequence[str],
    sources: Sequence[MeasureSource],
) -> MeasureRequest:
    """Parse measures {name: expression}. Raises ModelError for an unknown or invalid one."""
    context = ErrorContext("designs", "measures")
    if not measures:
        context.fail("is no list of measures", measures, "for example ['crank.torque.max_abs', 'step_length']")
    graph, catalogue = TermGraph(), OutputCatalogue(mechanism)
    basic: dict[str, str] = {}
    expressions: dict[str, Term] = {}
    units: dict[str, tuple[str, str]] = {}
    reduced: dict[str, tuple[str, str, str]] = {}
    used_sources: list[MeasureSource] = []
    drives = {names.name for names in mechanism.constraint_names if names.kind == "drive"}
    # a parameter of the model takes precedence over a source number of the same name
    by_name = {name: source for source in sources for name in source.gives if name not in parameters}

    def input_name(name: str) -> str:
        if name not in basic.values():
            basic[f"m{len(basic)}"] = name
        return next(text for text, allowed_names in basic.items() if allowed_names == name)

    def reduced_input_name(name: str) -> str:
        output, _, reduction = name.rpartition(".")
        if not is_reduction(reduction):
            context.fail(
                f"'{name}' does not name the reduction of an output",
                name,
                f"its name and one of {REDUCTION_CHOICES}",
            )
        is_power = output.endswith(POWER_SUFFIX) and output.removesuffix(POWER_SUFFIX) in drives
        if output not in catalogue and not is_power:
            raise unknown_output_error(output, [*catalogue, *(f"{drive}{POWER_SUFFIX}" for drive in drives)])
        reduced[name] = name, output, reduction
        unit = "W" if is_power else catalogue[output].unit
        text = f"power of the drive {output.removesuffix(POWER_SUFFIX)}" if is_power else catalogue[output].description
        units[name] = unit, f"{reduction.replace('_', ' ')} of {text}"
        return input_name(name)

    for name, text in measures.items():
        if not MEASURE_NAME_PATTERN.fullmatch(str(name)):
            context.fail("an expression needs a name", name, f"for example ratio={text}")
        output, _, reduction = str(text).rpartition(".")
        is_plain_name = (
            output in catalogue and reduction.isidentifier()
        )  # the name may contain operators: left1-L2.angle
        rewritten = (
            reduced_input_name(str(text))
            if is_plain_name
            else DOTTED_NAME_PATTERN.sub(lambda match: reduced_input_name(match[0]), str(text))
        )
        allowed_names = [*parameters, *by_name, *basic]
        try:
            parsed = parse(rewritten, allowed_names, {})
        except ModelError as error:
            unknown = UNKNOWN_NAME_PATTERN.search(str(error))
            if unknown:
                allowed_names = [*by_name, *parameters]
                context.fail(
                    f"there is no measure '{unknown[1]}'", text,
                    f"{format_choices(unknown[1], allowed_names)}; or an output and its reduction, such as crank.torque.max",
                )  # fmt: skip
            message = (
                str(error) if rewritten == text else COLUMN_PATTERN.sub("", str(error))
            )  # the column refers to the rewritten text
            context.fail(f"'{text}': {message}")
        values: dict[str, Term] = {}
        for symbol in parsed.names:
            if symbol == "t":
                context.fail(f"'{text}' depends on the time", text, "measures of the whole run")
            if symbol in by_name and by_name[symbol] not in used_sources:
                used_sources.append(by_name[symbol])
            values[symbol] = graph.input(symbol if symbol in basic else input_name(symbol), MOTION_LEVEL)
        expressions[name] = expression_to_term(parsed, graph, values)
        base = basic.get(rewritten, rewritten)
        units[name] = units.get(base) or (by_name[base].gives[base] if base in by_name else ("", str(text)))
    series = dict.fromkeys(
        [*(output for _, output, _ in reduced.values()), *(s for source in used_sources for s in source.series)]
    )
    return MeasureRequest(
        expressions, graph, basic, units, tuple(series), tuple(reduced.values()), tuple(used_sources), measures
    )


def split_measure(text: str) -> tuple[str, str]:
    """Split 'ratio=energy/step_length' into name and expression; a measure without a name is named by its text."""
    name, equals, value = str(text).partition("=")
    return (
        (name.strip(), value.strip())
        if equals and not value.startswith("=")
        else (str(text).strip(), str(text).strip())
    )
