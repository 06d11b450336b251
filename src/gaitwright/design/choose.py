"""Choosing a parameter, such as a stiffness, so that an output takes a wanted value: a root of the whole nonlinear model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.design.chosen import Chosen, OutOfReach
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.question import Analysis, Evaluation, Output, Question, read_bounds, reason
from gaitwright.design.roots import Roots
from gaitwright.design.rules import active_rules, rule_limits, rule_names
from gaitwright.design.store import Store, plain_numbers, real_numbers
from gaitwright.errors import DidNotConverge
from gaitwright.model.model import Model

EDGE = 1e-4
"""Accuracy of the place at which a limit is reached, relative to the parameter."""


def choose(
    model: Model,
    parameter: str,
    *,
    output: Output,
    target: float,
    bounds: Sequence[float],
    analysis: Analysis | None = None,
    measure: str | Callable[[np.ndarray], float] = "final",
    limits: Mapping[str, Any] | None = None,
    samples: int = 9,
    tolerance: float = 1e-8,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    allow: Sequence[str] = (),
) -> Chosen:
    """Find the value of a parameter, within bounds, for which an output has the value `target`.

        chosen = gw.choose(support, "thickness", output="assist.moment", target=20, bounds=(0.001, 0.005),
                           limits={"blade.max_strain": 0.006})
        print(chosen)
        chosen.model.save("chosen.yaml")

    Every evaluation is an analysis of the whole model. The bounds are scanned at `samples` values (in equal ratios if they
    are far apart), and wherever neighbours lie on both sides of the target, the root between them is found to `tolerance`,
    relative to the parameter. The output need not rise or fall all the way: of several roots the lowest that keeps the
    limits is chosen, the others are reported. Roots closer together than the scan may be missed: take more samples.

    output: a name, or a function of the Result that gives a number. measure: what to take of an output over time: final,
        max, min, max_abs, or a function of its values.
    analysis: "static", or as the section of a model file, such as {"until": 2, "step": 1e-3}; the model's own unless
        given, static if it has none. Or a function of the model: lambda m: m.static(time=0.5).
    limits: largest allowed size of other outputs, such as {"blade.max_strain": 0.006}, or {name: (low, high)}, either of which
    may
        be None. They are reported; where they are exceeded, so is the closest to the target that keeps them.

    allow: rules that the choice may break, by name or "all": an analysis may have some, as gw.LegTurns() has, which hold like
        limits.

    store: a file in which every evaluation is kept as it comes (or a folder for one): the same call after an interruption,
        or one with another target or other bounds, looks them up instead of computing them again. A store of another
        question is refused.

    A value that cannot be analysed is passed over with a note. Raises OutOfReach, with the range that can be reached, if no
    value gives the target, and DidNotConverge if no value can be analysed."""
    At(field="target").finite(target, "the value the output shall take")
    if not is_number(tolerance) or not 0.0 < tolerance < 0.1:
        At(field="tolerance").fail("is no relative tolerance", tolerance, "such as 1e-8")
    name = (
        output if isinstance(output, str) else getattr(output, "__name__", "<lambda>").replace("<lambda>", "the output")
    )
    rules = active_rules(analysis, allow, list(limits or {}))
    question = Question(model, parameter, {name: output}, analysis, measure, {**(limits or {}), **rule_limits(rules)})
    question.rules = rule_names(rules)
    values = read_bounds(bounds, samples)
    question.check(float(values[values.size // 2]))
    told = progress or (lambda fraction: None)
    with _kept_in(store, question, name, output, analysis, measure) as question.kept:
        return _choose(question, values, name, float(target), tolerance, told)


def _kept_in(store: str | Path | None, question: Question, name: str, *asked: Any) -> Any:
    """Where evaluations are kept. asked: what they depend on, besides the model and the limits."""
    if store is None:
        return nullcontext()
    about = {
        "model": model_fingerprint(question.model.to_dict()),
        "parameter": question.parameter,
        "output": name,
        "output, analysis or measure": fingerprint([part if callable(part) else repr(part) for part in asked]),
        "limits": question.plain_limits,
    }
    return Store(store, "choice", about)


def _choose(
    question: Question, values: np.ndarray, name: str, target: float, tolerance: float, told: Callable[[float], None]
) -> Chosen:
    """The search: a scan, then the roots between."""
    parameter, samples, kept = question.parameter, values.size, question.kept
    tried: dict[float, Evaluation] = {}
    runs: dict[float, Any] = {}

    def evaluate(value: float) -> Evaluation:
        entry = kept.get((value,)) if kept is not None and value not in tried else None
        if entry is not None:
            achieved, sizes = float(entry["achieved"]), real_numbers(entry["limits"])
            tried[value] = Evaluation(value, achieved, sizes, entry["failure"])
        if value not in tried:
            done = len(tried) / (len(tried) + max(samples - len(tried), 4) + 4)
            question.tell = lambda part: told(done + 0.05 * part)
            question.tell(0.0)
            try:
                runs[value] = question.run(value)
            except Exception as error:  # a function of the user's own may raise anything
                tried[value] = Evaluation(value, math.nan, {}, reason(error))
            else:
                tried[value] = question.evaluation(value, runs[value])
            if kept is not None:
                found = tried[value]
                numbers = {**plain_numbers({"achieved": found.achieved}), "limits": plain_numbers(found.limits)}
                kept.add((value,), {**numbers, "failure": found.failure})
        return tried[value]

    near = tolerance * abs(target)
    roots = Roots(lambda value: evaluate(value).achieved, target, max(tolerance, 1e-15), (near, near))
    roots.search(map(float, values))
    if not roots.good():
        first = next(iter(tried.values()))
        raise DidNotConverge(
            f"none of the {len(tried)} values of {parameter} from {values[0]:.6g} to {values[-1]:.6g} could be analysed; "
            f"{parameter} = {first.value:.6g}: {first.failure}"
        )
    if not roots.found:
        raise OutOfReach(question, sorted(tried.values(), key=lambda e: e.value), name, target, roots)
    keeping = [root for root in roots.found if _excess(question, evaluate(root)) <= 0.0]
    root = (keeping or roots.found)[0]
    closest = None if keeping else _closest(question, evaluate, tried, root, target)
    notes = [
        f"between {parameter} = {low:.6g} and {high:.6g} {name} passes over {target:.6g}"
        + (": the analyses there fail" if failed else ": it jumps there")
        for low, high, failed in roots.jumps
    ]
    others = [other for other in roots.found if other != root]
    if roots.is_flat() and len(roots.good()) > 1:
        others = []
        notes.append(f"{name} does not depend on {parameter}: it is the same at every value; choose another parameter")
    if root not in runs:  # it was looked up
        runs[root] = question.run(root)
        question.numbers(runs[root])  # for the units
    found = sorted(tried.values(), key=lambda e: e.value)
    return Chosen(question, found, name, target, evaluate(root), runs[root], others, closest, notes)


def _excess(question: Question, evaluation: Evaluation) -> float:
    """By how much the limits are exceeded, relative to them; NaN if the analysis failed."""
    if evaluation.failure:
        return math.nan
    return max((-limit.room(evaluation.limits[name]) for name, limit in question.limits.items()), default=-1.0)


def _closest(
    question: Question,
    evaluate: Callable[[float], Evaluation],
    tried: dict[float, Evaluation],
    root: float,
    target: float,
) -> Evaluation | None:
    """What comes closest to the target within the limits, on either side of a root that exceeds them."""
    edges: list[Evaluation] = []
    for side in (-1.0, 1.0):
        kept = [x for x, e in tried.items() if side * (x - root) > 0.0 and _excess(question, e) <= 0.0]
        if not kept:
            continue
        edge = Roots(lambda x: _excess(question, evaluate(x)), 0.0, EDGE, (EDGE, 0.0))
        edge.search((min(kept, key=lambda x: abs(x - root)), root))
        kept = [x for x in edge.good() if edge.known[x] <= 0.0]
        edges.append(evaluate(min(kept, key=lambda x: abs(x - root))))
    return min(edges, key=lambda e: abs(e.achieved - target), default=None)
