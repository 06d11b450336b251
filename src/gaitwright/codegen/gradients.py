"""Exact derivatives of measures with respect to the parameters of designs, in reverse mode: one adjoint per measure of an
output at every sample that it depends on (one for a maximum, all for a mean), for any number of parameters.

    measure <- samples of outputs <- (q, c, t) <- design terms c and the length of the run <- parameters

This module computes the first step (weights of samples); the generated program computes the others (adjoint.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.measures import DesignSeries, MeasureDerivatives, MeasureRequest
from gaitwright.codegen.program import GeneratedProgram
from gaitwright.derive.term_graph import DESIGN_LEVEL, Term, TermGraph
from gaitwright.result.reductions import get_reduction

Array = Any


def require_derivable(question: MeasureRequest, requested: Sequence[str]) -> list[str]:
    """Basic measures on which the named measures depend. Raises ModelError if one has no derivative."""
    context = ErrorContext("designs", "gradient")
    reduced = [name for name, *_ in question.reduced]
    underivable = {name for source in question.sources for name in source.gives if name not in source.derivable}
    reduced += [name for source in question.sources for name in source.derivable]
    basics: dict[str, None] = {}
    for name in requested:
        context.one_of(name, list(question.expressions), "is not measured")
        for term in TermGraph.needed([question.expressions[name]]):
            basic = question.basic.get(term.name, "") if term.op == "input" else ""
            if basic in underivable:
                context.fail(
                    f"the derivative of '{basic}', a number of a leg, cannot be printed yet", name,
                    "measures of outputs such as crank.torque.max_abs, or of legs "
                    + ", ".join(name for source in question.sources for name in source.derivable),
                )  # fmt: skip
            if basic in reduced:
                basics[basic] = None
    return list(basics)


def differentiate_sources(
    question: MeasureRequest, basics: Sequence[str], turn: DesignSeries
) -> dict[str, MeasureDerivatives]:
    """Derivatives of the basic measures of sources."""
    derivatives: dict[str, MeasureDerivatives] = {}
    for source in question.sources:
        names = [name for name in basics if name in source.derivable]
        if names and source.slopes is not None:
            derivatives |= source.slopes(turn, names)
    return derivatives


def make_seeds(
    question: MeasureRequest,
    basics: Sequence[str],
    outputs: Sequence[str],
    track: Array,
    xp: Any,
    source_derivatives: Mapping[str, MeasureDerivatives],
) -> Array:
    """Weights of all samples, (n_basics, samples + 1, n_outputs, n_designs). track: outputs, (samples + 1, n_outputs,
    n_designs). source_derivatives: of measures of sources, by name."""
    seeds = xp.zeros((len(basics), *track.shape))
    for name, slopes in source_derivatives.items():
        for output, weights in slopes.series.items():
            seeds[list(basics).index(name), :, outputs.index(output)] += weights
    for name, output, reduction in question.reduced:
        if name in basics:
            k = outputs.index(output)
            seeds[list(basics).index(name), :, k] = get_reduction(reduction).sample_weights(xp, track[:, k])
    return seeds


def differentiate_direct_parameters(
    program: GeneratedProgram, by_span: np.ndarray, P: np.ndarray, until: Term, numbers: Mapping[str, Term],
    basics: Sequence[str], source_derivatives: Mapping[str, MeasureDerivatives], host: Callable[[Array], np.ndarray],
) -> np.ndarray:  # fmt: skip
    """Contributions to derivatives that do not pass through the motion, (n_basics, n_parameters, n_designs): of the length
    of the run, and of source numbers that depend on the parameters alone. by_span: derivatives with respect to the length
    of the run through the motion, (n_basics, n_designs). source_derivatives: of measures of sources, by name.
    host: converts arrays to NumPy."""
    graph, zero = program.graph, program.graph.number(0.0)
    terms = [until, *numbers.values()]
    contributions = np.zeros((len(basics), len(terms), P.shape[1]))
    contributions[:, 0] = by_span
    for name, slopes in source_derivatives.items():
        m = list(basics).index(name)
        contributions[m, 0] += host(slopes.span)
        for number, values in slopes.numbers.items():
            contributions[m, 1 + list(numbers).index(number)] = host(values)
    seeds: dict[Term, Term] = {}
    for k, term in enumerate(terms):
        seeds[term] = seeds.get(term, zero) + graph.input(f"slope[{k}]", DESIGN_LEVEL)
    slopes_by_term = graph.adjoint(seeds)
    slope_terms = [slopes_by_term.get(graph.input(f"p[{j}]", DESIGN_LEVEL), zero) for j in range(P.shape[0])]
    inputs = {f"p[{j}]": row for j, row in enumerate(P)}
    values_by_basic = [
        graph.values(slope_terms, {**inputs, **{f"slope[{k}]": weight for k, weight in enumerate(row)}})
        for row in contributions
    ]
    return np.array([[np.broadcast_to(value, P.shape[1]) for value in row] for row in values_by_basic])


def measure_gradients(
    question: MeasureRequest, names: Sequence[str], program: GeneratedProgram, P: np.ndarray,
    basic_values: Mapping[str, np.ndarray], slopes: Mapping[Any, np.ndarray],
) -> dict[str, np.ndarray]:  # fmt: skip
    """Derivatives of measures, (n_designs, n_parameters). basic_values: of the basic measures. slopes: their derivatives,
    by (basic, parameter)."""
    inputs = {text: basic_values[name] for text, name in question.basic.items()}
    at_designs = {f"p[{j}]": row for j, row in enumerate(P)}
    gradients = {}
    for name in names:
        expression = question.expressions[name]
        total = np.zeros((P.shape[1], P.shape[0]))
        for text, basic in question.basic.items():
            term = question.graph.input(text, 0)
            if term not in TermGraph.needed([expression]):
                continue
            (weight,) = question.graph.values([question.graph.slope(expression, term)], inputs)
            for j, parameter in enumerate(program.varied):
                if (basic, parameter) in slopes:
                    share = slopes[basic, parameter]
                else:  # a parameter of the model, which may depend on varied parameters
                    variable = program.graph.input(f"p[{j}]", DESIGN_LEVEL)
                    (share,) = program.graph.values(
                        [program.graph.slope(program.traced.terms[basic], variable)], at_designs
                    )
                total[:, j] += weight * share
        gradients[name] = total
    return gradients
