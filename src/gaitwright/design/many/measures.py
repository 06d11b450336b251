"""What is measured of every design: numbers of outputs over the run, numbers of sources such as legs, and a user's own
expressions of these and of the parameters.

    crank.torque.max_abs            an output and what to take of it: max, min, max_abs, mean, final (or end), range;
                                    sample_90: its value at sample 90, counted from 0
    step_length                     a number that a source gives by its name
    energy/step_length              any expression, as in model files

All of it is computed for many designs at once, on arrays with a column for each, of NumPy or on a GPU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.derive.terms import MOVING, Graph, Term
from gaitwright.design.many.equations import POWER
from gaitwright.design.many.expressions import term_of
from gaitwright.design.many.lowering import TracedLowering
from gaitwright.errors import ModelError
from gaitwright.model.expressions import parse
from gaitwright.result.catalogue import Catalogue, unknown_output
from gaitwright.system.mechanism import Mechanism

Array = Any
"""Of NumPy or CuPy."""
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
UNKNOWN = re.compile(r"unknown name '(\w+)'")
STANDS = re.compile(r" at column \d+ \(got '.*'\)")
NAME = re.compile(r"[\w. :-]+")
COLUMNS = ("design", "parameter", "code", "failure", "failed_at", "reason", "feasible", "front", "time")
"""Names that a table of designs or of a sweep has for its own."""


class Turn(NamedTuple):
    """What designs did. series: outputs by name, (samples + 1, designs). span: (designs,), s. numbers: (designs,), that depend
    on the parameters alone. xp: NumPy or CuPy."""

    series: Mapping[str, Array]
    span: Array
    numbers: Mapping[str, Array]
    xp: Any


class Measured(NamedTuple):
    """Numbers by name, (designs,), and what is wrong with designs for which they mean nothing: sentences, with a mask each."""

    numbers: dict[Any, Array]
    wrong: dict[str, Array]


class Slopes(NamedTuple):
    """Derivatives of a number of each design: in the samples of outputs, (samples + 1, designs), in the numbers that a source
    needs of the parameters alone, and in the length of the run, (designs,)."""

    series: dict[str, Array]
    numbers: dict[str, Array]
    span: Array


class Source(NamedTuple):
    """Something that measures. gives: unit and meaning by name. series: outputs that it needs. numbers: what it needs of the
    parameters alone. measure: does it. derivable: names of what has derivatives, which `slopes` gives."""

    gives: Mapping[str, tuple[str, str]]
    series: Sequence[str]
    numbers: Callable[[TracedLowering, Mechanism], dict[str, Term]]
    measure: Callable[[Turn], Measured]
    derivable: Sequence[str] = ()
    slopes: Callable[[Turn, Sequence[str]], dict[str, Slopes]] | None = None


def _mean(values: Array) -> Array:
    """Over even samples, by trapezoids."""
    return (values[1:].sum(axis=0) + values[:-1].sum(axis=0)) / (2 * (values.shape[0] - 1))


REDUCTIONS: dict[str, Callable[[Array], Array]] = {
    "max": lambda values: values.max(axis=0),
    "min": lambda values: values.min(axis=0),
    "max_abs": lambda values: abs(values).max(axis=0),
    "mean": _mean,
    "final": lambda values: values[-1],
    "end": lambda values: values[-1],
    "range": lambda values: values.max(axis=0) - values.min(axis=0),
}
"""What one number to take of an output over time, at the samples."""
SAMPLE = re.compile(r"sample_([0-9]+)")
"""Also: its value at one sample, counted from 0, the start."""


def reduction(what: str) -> Callable[[Array], Array]:
    """By name, as in REDUCTIONS or such as sample_90."""
    one = SAMPLE.fullmatch(what)
    if one is None:
        return REDUCTIONS[what]
    return lambda values: values[require_sample(int(one[1]), values.shape[0])]


def require_sample(sample: int, count: int) -> int:
    """ModelError if there are not so many."""
    if sample >= count:
        At("designs", "measures").fail(
            "is not among the samples", f"sample_{sample}", f"sample_0 to sample_{count - 1}"
        )
    return sample


class Asked(NamedTuple):
    """Measures by name, as expressions of basic ones. basic: names that stand behind the inputs of the expressions."""

    expressions: dict[str, Term]
    graph: Graph
    basic: dict[str, str]
    """By text of an input: the basic measure or parameter."""
    units: dict[str, tuple[str, str]]
    series: tuple[str, ...]
    reduced: tuple[tuple[str, str, str], ...]
    """Basic measures of outputs: name, output, what to take of it."""
    sources: tuple[Source, ...]
    texts: Mapping[str, str] = {}
    """The expressions as they were given, by name."""

    def results(self, known: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """All measures from the basic ones."""
        inputs = {text: known[name] for text, name in self.basic.items()}
        values = self.graph.values(self.expressions.values(), inputs)
        size = np.shape(next(iter(known.values())))
        return {name: np.broadcast_to(value, size) for name, value in zip(self.expressions, values, strict=True)}

    def undefined(self, known: Mapping[str, np.ndarray], results: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Designs of which an expression of finite numbers is none, as the root of a negative one, by what is said of them.
        What is infinite by its meaning, as the cost of transport of a body that only sways, is no failure."""
        found = {}
        for name, term in self.expressions.items():
            behind = [known[self.basic[one.name]] for one in Graph.needed([term]) if one.op == "input"]
            wrong = ~np.isfinite(results[name]) & np.all(np.isfinite(behind), axis=0)
            if np.any(wrong):
                found[f"the measure '{name}' is not a finite number"] = wrong
        return found

    def measure(self, turn: Turn) -> Measured:
        """The basic measures of a run."""
        numbers: dict[str, Array] = {}
        wrong: dict[str, Array] = {}
        for name, output, what in self.reduced:
            numbers[name] = reduction(what)(turn.series[output])
        for source in self.sources:
            found = source.measure(turn)
            numbers |= found.numbers
            wrong |= found.wrong
        return Measured(numbers, wrong)


def asked(
    measures: Sequence[str] | Mapping[str, str],
    mechanism: Mechanism,
    parameters: Sequence[str],
    sources: Sequence[Source],
) -> Asked:
    """Measures as texts, understood. ModelError names one that is not known."""
    at = At("designs", "measures")
    if isinstance(measures, str) or not measures:
        at.fail("is no list of measures", measures, "for example ['crank.torque.max_abs', 'step_length']")
    given = _given(measures, parameters)
    graph, catalogue = Graph(), Catalogue(mechanism)
    basic: dict[str, str] = {}
    found: dict[str, Term] = {}
    units: dict[str, tuple[str, str]] = {}
    reduced: dict[str, tuple[str, str, str]] = {}
    used: list[Source] = []
    drives = {names.name for names in mechanism.constraint_names if names.kind == "drive"}
    # a parameter of the model goes before a number of the same name
    by_name = {name: source for source in sources for name in source.gives if name not in parameters}

    def placed(name: str) -> str:
        if name not in basic.values():
            basic[f"m{len(basic)}"] = name
        return next(text for text, known in basic.items() if known == name)

    def of_output(name: str) -> str:
        output, _, what = name.rpartition(".")
        if what not in REDUCTIONS and not SAMPLE.fullmatch(what):
            at.fail(
                f"'{name}' does not say what to take of an output",
                name,
                f"its name and one of {', '.join(REDUCTIONS)}, sample_90",
            )
        is_power = output.endswith(POWER) and output.removesuffix(POWER) in drives
        if output not in catalogue and not is_power:
            raise unknown_output(output, [*catalogue, *(f"{drive}{POWER}" for drive in drives)])
        reduced[name] = name, output, what
        unit = "W" if is_power else catalogue[output].unit
        text = f"power of the drive {output.removesuffix(POWER)}" if is_power else catalogue[output].description
        units[name] = unit, f"{what.replace('_', ' ')} of {text}"
        return placed(name)

    for name, text in given.items():
        if not NAME.fullmatch(str(name)):
            at.fail("an expression needs a name", name, f"for example ratio={text}")
        output, _, what = str(text).rpartition(".")
        whole = output in catalogue and what.isidentifier()  # the name may have signs of expressions: left1-L2.angle
        plain = of_output(str(text)) if whole else DOTTED.sub(lambda match: of_output(match[0]), str(text))
        known = [*parameters, *by_name, *basic]
        try:
            parsed = parse(plain, known, {})
        except ModelError as error:
            unknown = UNKNOWN.search(str(error))
            if unknown:
                known = [*by_name, *parameters]
                at.fail(
                    f"there is no measure '{unknown[1]}'", text,
                    f"{offer(unknown[1], known)}; or an output and what to take of it, such as crank.torque.max",
                )  # fmt: skip
            said = str(error) if plain == text else STANDS.sub("", str(error))  # columns of a text that nobody wrote
            at.fail(f"'{text}': {said}")
        values: dict[str, Term] = {}
        for symbol in parsed.names:
            if symbol == "t":
                at.fail(f"'{text}' depends on the time", text, "measures of the whole run")
            if symbol in by_name and by_name[symbol] not in used:
                used.append(by_name[symbol])
            values[symbol] = graph.input(symbol if symbol in basic else placed(symbol), MOVING)
        found[name] = term_of(parsed, graph, values)
        alone = basic.get(plain, plain)
        units[name] = units.get(alone) or (by_name[alone].gives[alone] if alone in by_name else ("", str(text)))
    series = dict.fromkeys(
        [*(output for _, output, _ in reduced.values()), *(s for source in used for s in source.series)]
    )
    return Asked(found, graph, basic, units, tuple(series), tuple(reduced.values()), tuple(used), given)


def _given(measures: Sequence[str] | Mapping[str, str], parameters: Sequence[str]) -> dict[str, str]:
    """Expressions by name; ModelError names one that would take the place of something else in the table."""
    at = At("designs", "measures")
    given: dict[str, str] = {}
    for name, text in measures.items() if isinstance(measures, Mapping) else map(_named, measures):
        if name in COLUMNS:
            at.fail(
                f"'{name}' is a column that the table has anyway", f"{name} = {text}", "another name for the measure"
            )
        if name in parameters and str(text).strip() != name:
            at.fail(f"'{name}' is a parameter of the model", f"{name} = {text}", "another name for the measure")
        if given.get(name, text) != text:
            at.fail(f"'{name}' is the name of two measures", f"{name} = {text}", "a name for each")
        given[name] = text
    return given


def _named(text: str) -> tuple[str, str]:
    """'ratio=energy/step_length' as name and expression; a measure without a name is called by its text."""
    name, equals, value = str(text).partition("=")
    return (
        (name.strip(), value.strip())
        if equals and not value.startswith("=")
        else (str(text).strip(), str(text).strip())
    )
