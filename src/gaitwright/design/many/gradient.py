"""Exact derivatives of measures in the parameters of designs, backwards: for each measure of an output one adjoint at every
sample that it depends on (one for a maximum, all for a mean), whatever the number of parameters.

    measure <- samples of outputs <- (q, c, t) <- what the design enters by, c, and the length of the run <- parameters

The first step is here (weights of samples), the others in the printed program (adjoint.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.derive.terms import DESIGN, Graph, Term
from gaitwright.design.many.measures import SAMPLE, Asked, Slopes, Turn, require_sample
from gaitwright.design.many.program import Program

Array = Any


def _at_place(xp: Any, values: Array, place: Array, weight: Array | float) -> Array:
    found = xp.zeros_like(values)
    found[place, xp.arange(values.shape[1])] = weight
    return found


def _largest(xp: Any, values: Array) -> Array:
    place = abs(values).argmax(axis=0)
    return _at_place(xp, values, place, xp.sign(values[place, xp.arange(values.shape[1])]))


def _mean(xp: Any, values: Array) -> Array:
    found = xp.full_like(values, 1.0 / (values.shape[0] - 1))
    found[0] = found[-1] = 0.5 / (values.shape[0] - 1)
    return found


def _final(xp: Any, values: Array) -> Array:
    return _at_place(xp, values, xp.full(values.shape[1], values.shape[0] - 1), 1.0)


def _most(xp: Any, values: Array) -> Array:
    return _at_place(xp, values, values.argmax(axis=0), 1.0)


def _least(xp: Any, values: Array) -> Array:
    return _at_place(xp, values, values.argmin(axis=0), 1.0)


WEIGHTS: dict[str, Callable[[Any, Array], Array]] = {
    "max": _most,
    "min": _least,
    "max_abs": _largest,
    "mean": _mean,
    "final": _final,
    "end": _final,
    "range": lambda xp, values: _most(xp, values) - _least(xp, values),
}
"""By what is taken of an output: the derivatives of that in its samples, (samples + 1, designs)."""


def weights_of(what: str) -> Callable[[Any, Array], Array]:
    """By name, as in WEIGHTS or such as sample_90."""
    one = SAMPLE.fullmatch(what)
    if one is None:
        return WEIGHTS[what]
    return lambda xp, values: _at_place(
        xp, values, xp.full(values.shape[1], require_sample(int(one[1]), values.shape[0])), 1.0
    )


def require_derivable(question: Asked, wanted: Sequence[str]) -> list[str]:
    """The basic measures behind some measures; ModelError where one has no derivative yet."""
    at = At("designs", "gradient")
    reduced = [name for name, *_ in question.reduced]
    of_sources = {name for source in question.sources for name in source.gives if name not in source.derivable}
    reduced += [name for source in question.sources for name in source.derivable]
    found: dict[str, None] = {}
    for name in wanted:
        at.one_of(name, list(question.expressions), "is not measured")
        for term in Graph.needed([question.expressions[name]]):
            basic = question.basic.get(term.name, "") if term.op == "input" else ""
            if basic in of_sources:
                at.fail(
                    f"the derivative of '{basic}', a number of a leg, cannot be printed yet", name,
                    "measures of outputs such as crank.torque.max_abs, or of legs "
                    + ", ".join(name for source in question.sources for name in source.derivable),
                )  # fmt: skip
            if basic in reduced:
                found[basic] = None
    return list(found)


def slopes_of_sources(question: Asked, basics: Sequence[str], turn: Turn) -> dict[str, Slopes]:
    """Derivatives of the basic measures that sources give."""
    found: dict[str, Slopes] = {}
    for source in question.sources:
        names = [name for name in basics if name in source.derivable]
        if names and source.slopes is not None:
            found |= source.slopes(turn, names)
    return found


def seeds_of(
    question: Asked, basics: Sequence[str], outputs: Sequence[str], track: Array, xp: Any, known: Mapping[str, Slopes]
) -> Array:
    """Weights of all samples, (basics, samples + 1, outputs, designs). known: of sources."""
    seeds = xp.zeros((len(basics), *track.shape))
    for name, slopes in known.items():
        for output, weights in slopes.series.items():
            seeds[list(basics).index(name), :, outputs.index(output)] += weights
    for name, output, what in question.reduced:
        if name in basics:
            k = outputs.index(output)
            seeds[list(basics).index(name), :, k] = weights_of(what)(xp, track[:, k])
    return seeds


def beside_motion(
    program: Program, by_span: np.ndarray, P: np.ndarray, until: Term, numbers: Mapping[str, Term],
    basics: Sequence[str], known: Mapping[str, Slopes], host: Callable[[Array], np.ndarray],
) -> np.ndarray:  # fmt: skip
    """What does not go through the motion adds to derivatives, (basics, parameters, designs): the length of the run, and the
    numbers that sources need of the parameters alone. by_span: (basics, designs), through the motion. known: of sources."""
    graph, zero = program.graph, program.graph.number(0.0)
    terms = [until, *numbers.values()]
    by = np.zeros((len(basics), len(terms), P.shape[1]))
    by[:, 0] = by_span
    for name, slopes in known.items():
        m = list(basics).index(name)
        by[m, 0] += host(slopes.span)
        for number, values in slopes.numbers.items():
            by[m, 1 + list(numbers).index(number)] = host(values)
    seeds: dict[Term, Term] = {}
    for k, term in enumerate(terms):
        seeds[term] = seeds.get(term, zero) + graph.input(f"slope[{k}]", DESIGN)
    found = graph.adjoint(seeds)
    wanted = [found.get(graph.input(f"p[{j}]", DESIGN), zero) for j in range(P.shape[0])]
    inputs = {f"p[{j}]": row for j, row in enumerate(P)}
    answers = [graph.values(wanted, {**inputs, **{f"slope[{k}]": row for k, row in enumerate(one)}}) for one in by]
    return np.array([[np.broadcast_to(value, P.shape[1]) for value in one] for one in answers])


def gradients(
    question: Asked, wanted: Sequence[str], program: Program, P: np.ndarray, known: Mapping[str, np.ndarray],
    slopes: Mapping[Any, np.ndarray],
) -> dict[str, np.ndarray]:  # fmt: skip
    """Derivatives of measures, (designs, parameters). known: basic measures. slopes: theirs, by (basic, parameter)."""
    inputs = {text: known[name] for text, name in question.basic.items()}
    at_designs = {f"p[{j}]": row for j, row in enumerate(P)}
    found = {}
    for name in wanted:
        of = question.expressions[name]
        total = np.zeros((P.shape[1], P.shape[0]))
        for text, basic in question.basic.items():
            term = question.graph.input(text, 0)
            if term not in Graph.needed([of]):
                continue
            (weight,) = question.graph.values([question.graph.slope(of, term)], inputs)
            for j, parameter in enumerate(program.varied):
                if (basic, parameter) in slopes:
                    share = slopes[basic, parameter]
                else:  # a parameter of the model, which may depend on those that are varied
                    by = program.graph.input(f"p[{j}]", DESIGN)
                    (share,) = program.graph.values(
                        [program.graph.slope(program.lowering.terms[basic], by)], at_designs
                    )
                total[:, j] += weight * share
        found[name] = total
    return found
