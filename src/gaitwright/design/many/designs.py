"""Many designs of one model, analysed by a program that is printed for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.compiled.ahead import cores
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.many import classic
from gaitwright.design.many.bounds import require_parameters
from gaitwright.design.many.by_cluster import Elsewhere, by_cluster
from gaitwright.design.many.chunks import FEWEST, Plan, analysed, inputs, measured, most, planned
from gaitwright.design.many.contact_outputs import OUTPUTS
from gaitwright.design.many.cuda import cuda_library
from gaitwright.design.many.evidence_terms import with_balance
from gaitwright.design.many.forward import March, march_of
from gaitwright.design.many.gathered import REASONS, Found, Gathered
from gaitwright.design.many.gradient import (
    gradients,
    require_derivable,
)
from gaitwright.design.many.kept_designs import KeptDesigns
from gaitwright.design.many.library import compiler, library
from gaitwright.design.many.lowering import Limit, require_same
from gaitwright.design.many.measures import Asked, Measured, Source, Turn, asked
from gaitwright.design.many.one_by_one import analysed_one_by_one
from gaitwright.design.many.program import Program, printed
from gaitwright.design.many.table import Goals, again, dataset, judged, with_rules
from gaitwright.design.many.threads import in_threads
from gaitwright.design.rules import ALL, active_rules
from gaitwright.design.variants import Prepared
from gaitwright.design.workers import Died, Workers
from gaitwright.model.model import Model, require_model
from gaitwright.model.spec import Analysis

if TYPE_CHECKING:
    import xarray as xr

ANALYSES = ("inverse", "kinematic", "forward")
DEVICES = ("cpu", "cuda")
CHECKED = 3
"""Designs that are lowered the plain way, too, to compare every number."""
KEPT = 4
"""Programs that are kept: a search asks for the same one again and again."""
_programs: dict[tuple[Any, ...], Program] = {}


def analyse_designs(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    analysis: str | Mapping[str, Any] | Callable[[Model], Any] | None = None,
    measures: Sequence[str] | Mapping[str, str],
    constraints: Mapping[str, tuple[float | None, float | None]] | None = None,
    minimise: Sequence[str] = (),
    maximise: Sequence[str] = (),
    gradient: Sequence[str] = (),
    device: str = "cpu",
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    sources: Sequence[Source] = (),
    client: Any = None,
    store: str | Path | None = None,
    allow: Sequence[str] = (),
    rules_of: Any = None,
) -> xr.Dataset:
    """See gw.designs. sources: of measures, besides those of outputs. rules_of: what has the rules that designs have to keep,
    as an attribute `rules`; an analysis that is a function has its own."""
    require_model(model, "designs")
    P, names = _values(model, parameters)
    At("designs", "device").one_of(device, DEVICES)
    if workers is not None:
        At("designs", "workers").whole(
            workers, "is not a number of cores", "a whole number of at least 1, or None for all"
        )
    if isinstance(gradient, (str, bool)) or not isinstance(gradient, Iterable):
        At("designs", "gradient").fail("is not a list of measures", gradient, "for example ['crank.torque.max_abs']")
    section: Any = analysis if callable(analysis) else _section(model, analysis)
    prepared = Prepared(Model.from_dict({**model.to_dict(), "outputs": []}))
    rules = active_rules(analysis if callable(analysis) else rules_of, allow, list(constraints or {}))
    if ALL not in allow:  # also those that are allowed: what is measured, and so kept in a store, hangs on no verdict
        measures = with_rules(measures, getattr(analysis if callable(analysis) else rules_of, "rules", {}))
    question = asked(measures, prepared.mechanism(), list(model.document.parameters), sources)
    derived = require_derivable(question, gradient)
    goals = Goals(constraints or {}, minimise, maximise, rules)
    goals.require([*names, *question.expressions])
    kept = None
    if store is not None:
        kept = KeptDesigns(store, _asked(model, section, P, names, measures, gradient))
        if (whole := kept.whole()) is not None:
            return again(whole, goals)
    if callable(section):
        if gradient:
            At("designs", "gradient").fail(
                "needs an analysis that can be printed, not a function", list(gradient), "none"
            )
        with kept or nullcontext():
            found = analysed_one_by_one(
                prepared, section, names, P, question, Gathered(np.zeros(P.shape[1], dtype=np.int32), [*REASONS], kept),
                workers, client, progress,
            )  # fmt: skip
            data = _table(model, names, P, question, found, {}, goals)
            if kept is not None:
                kept.close(data, found.finished)
        return data
    question = with_balance(question, section, prepared)
    plan, codes, limits = plan_designs(prepared, section, names, question, P, derived)
    program = plan.program
    task = Elsewhere(prepared.document, names, section, measures, list(sources), derived, device)
    with kept or nullcontext():
        found = _found(plan, prepared, task, Gathered(codes, [*REASONS, *limits], kept), workers, client, progress)
        own = model.document.parameters
        known = {name: None if name in own else found.numbers.get(name) for name in question.basic.values()}
        for name in known:
            if known[name] is None:
                term = program.lowering.terms[name]
                known[name] = np.broadcast_to(program.graph.values([term], inputs(P))[0], P.shape[1:])
        with np.errstate(all="ignore"):  # the table says it
            results = question.results(known)  # pyright: ignore[reportArgumentType]
        for said, wrong in question.undefined(known, results).items():  # pyright: ignore[reportArgumentType]
            found.codes[wrong & (found.codes == 0)] = len(found.reasons)
            found.reasons.append(said)
        results = {name: np.where(found.codes == 0, values, np.nan) for name, values in results.items()}
        slopes = gradients(question, gradient, program, P, known, found.numbers)  # pyright: ignore[reportArgumentType]
        data = _table(model, names, P, question, found._replace(numbers=results), slopes, goals)
        if kept is not None:
            kept.close(data, found.finished)
    return data


def _table(
    model: Model, names: Sequence[str], P: np.ndarray, question: Asked, found: Found, slopes: Mapping[str, np.ndarray],
    goals: Goals,
) -> xr.Dataset:  # fmt: skip
    """Designs as a Dataset, judged. found: with the measures as its numbers."""
    data = dataset(
        dict(zip(names, P, strict=True)), found.numbers, question.units, found.codes, found.ends, found.reasons, slopes,
        name=model.document.name,
    )  # fmt: skip
    return judged(data, goals)


def _found(
    plan: Plan, prepared: Prepared, task: Elsewhere, gathered: Gathered, workers: int | None, client: Any, progress: Any
) -> Found:
    """By a cluster, by this machine, or, without a compiler, one after another."""
    if client is not None:
        return by_cluster(plan, task, client, gathered, progress)
    if task.device == "cpu" and compiler() is None:
        if plan.derived:
            At("designs", "gradient").fail("needs a C compiler on this machine", expected="one such as gcc or clang")
        warnings.warn(
            "there is no C compiler on this machine: designs are analysed one after another, with the same results but about a "
            "hundred times slower (a compiler such as gcc or clang, named by GAITWRIGHT_CC, helps)", stacklevel=4,
        )  # fmt: skip
        return _one_by_one(plan, prepared, gathered, workers, progress)
    return _printed(plan, task.device, gathered, workers, progress)


def _asked(
    model: Model, section: Any, P: np.ndarray, names: Sequence[str], measures: Any, gradient: Sequence[str]
) -> dict[str, Any]:
    """What designs are asked: two calls that agree in this compute the same."""
    raw = {name: part for name, part in model.to_dict().items() if name not in ("analysis", "outputs")}
    return {
        "model": model_fingerprint(raw),
        "parameters": [list(names), P.shape[1], fingerprint(P)],
        "analysis": fingerprint(section) if callable(section) else section.model_dump(exclude_none=True),
        "measures": dict(measures) if isinstance(measures, Mapping) else list(measures),
        "gradient": list(gradient),
    }


def plan_designs(
    prepared: Prepared, section: Analysis, names: Sequence[str], question: Asked, P: np.ndarray, derived: list[str]
) -> tuple[Plan, np.ndarray, list[str]]:
    """A printed program and what it is to do, codes of designs that have no mechanism, and what is said of these. ModelError
    tells why there can be no such program."""
    _require_outputs(prepared, question)
    march = march_of(section, prepared.document, names)
    program = _program(prepared, names, question.series, bool(derived), march)
    plan = planned(section, program, question, P, derived)
    picked = np.random.default_rng(0).choice(P.shape[1], min(CHECKED, P.shape[1]), replace=False)
    some = [dict(zip(names, P[:, k].tolist(), strict=True)) for k in picked]
    mechanism, lowering = program.mechanism, program.lowering
    drawn = lowering.drawn if mechanism.degrees_of_freedom else {}
    require_same(prepared.document, names, mechanism, lowering.signal_terms, program.graph, some, drawn)
    return plan, *_within_limits(program, P)


def _require_outputs(prepared: Prepared, question: Asked) -> None:
    """ModelError names an output of a contact that has no terms: what is summed over steps."""
    contacts = {names.name for names in prepared.mechanism().contact_names}
    for name in question.series:
        owner, _, what = name.rpartition(".")
        if owner in contacts and what not in OUTPUTS:
            At("designs", name).fail(
                "is an output that cannot be printed yet", expected=f"of a contact {', '.join(OUTPUTS)}, or gw.sweep"
            )


def _program(
    model: Model, names: Sequence[str], outputs: Sequence[str], gradient: bool, march: March | None
) -> Program:
    """Of a model: one of the last ones, or printed."""
    key = model_fingerprint(model.to_dict()), tuple(names), tuple(outputs), gradient, march
    found = _programs.pop(key, None) or printed(model.document, names, outputs, gradient, march)
    _programs[key] = found
    while len(_programs) > KEPT:
        _programs.pop(next(iter(_programs)))
    return found


def _values(model: Model, parameters: Mapping[str, Any]) -> tuple[np.ndarray, list[str]]:
    """Parameters as rows, a column for each design."""
    at = At("designs", "parameters")
    if not isinstance(parameters, Mapping):
        at.fail("is not a mapping", parameters, "names with a value for each design, such as {'L3': [0.26, 0.27]}")
    require_parameters(model, list(parameters))
    rows = {name: np.atleast_1d(At("designs", name).numbers(values, "numbers")) for name, values in parameters.items()}
    for name, row in rows.items():
        if row.ndim != 1 or not row.size:
            said = "has no values" if not row.size else f"has values in {row.ndim} dimensions"
            At("designs", name).fail(said, expected="a list of numbers, one for every design")
    counts = {row.size for row in rows.values()}
    if len(counts) != 1:
        sizes = ", ".join(f"{name}: {row.size}" for name, row in rows.items())
        at.fail(f"have different numbers of values ({sizes})", expected="one value of each for every design")
    for name, row in rows.items():
        if not np.all(np.isfinite(row)):
            At("designs", name).fail("has values that are not finite numbers", float(row[~np.isfinite(row)][0]))
    return np.stack(list(rows.values())), list(rows)


def _section(model: Model, analysis: Any) -> Analysis:
    """The analysis that is asked for."""
    at = At("designs", "analysis")
    own = model.document.analysis
    if analysis is None:
        given = own or Analysis(type="inverse")
    elif isinstance(analysis, str):
        given = (own or Analysis()).model_copy(update={"type": analysis})
    elif isinstance(analysis, Mapping):
        given = Model.from_dict({**model.to_dict(), "analysis": dict(analysis)}).document.analysis or Analysis()
    else:
        expected = f"{', '.join(map(repr, ANALYSES))} or a section such as {{'type': 'inverse', 'until': 1}}"
        at.fail("is not known", analysis, expected)
    if given.type not in ANALYSES:
        at.fail("cannot be printed yet", given.type, f"{' or '.join(ANALYSES)}; gw.sweep does the others")
    if is_number(given.step) and is_number(given.until) and given.step > given.until:
        At("analysis", "step").fail("is longer than the run", given.step, f"at most until, {given.until:g} s")
    return given


def _within_limits(program: Program, P: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Codes of designs with numbers that no mechanism has, and what is said of them."""
    codes = np.zeros(P.shape[1], dtype=np.int32)
    said: list[str] = []
    distinct: dict[Any, Limit] = {(limit.term, limit.least): limit for limit in program.limits}
    values = program.graph.values([limit.term for limit in distinct.values()], inputs(P))
    for limit, value in zip(distinct.values(), values, strict=True):
        value = np.broadcast_to(np.asarray(value, dtype=float), codes.shape)
        low = np.zeros_like(codes, dtype=bool) if limit.least is None else ~(value >= limit.least)
        for bad, what in (
            (low, "must be greater than zero"),
            (~(np.abs(value) <= limit.most), "is too large to compute with"),
        ):
            bad = bad & (codes == 0)
            if bad.any():
                codes[bad] = len(REASONS) + len(said)
                said.append(f"{limit.where}: {what}")
    return codes, said


def _printed(plan: Plan, device: str, gathered: Gathered, workers: int | None, progress: Any) -> Found:
    """By the printed program, in chunks."""
    program = plan.program
    made: Any = cuda_library(program.text) if device == "cuda" else library(program.text)
    size = most(plan, made, device)
    threads = 1
    if device == "cpu":
        threads = workers or cores()
        share = -(-int(gathered.waiting.sum()) // threads)
        size = max(FEWEST, min(size, -(-share // made.lanes) * made.lanes))
    places = np.flatnonzero(gathered.waiting)
    chunks = [places[first : first + size] for first in range(0, places.size, size)]
    answers = in_threads(lambda place: analysed(plan, made, place), chunks, threads)
    try:
        for place, answer in answers:
            gathered.take(place, *answer)
            if progress is not None:
                progress(gathered.fraction())
    except KeyboardInterrupt:
        answers.close()
    return gathered.found(plan.asked, plan.derived, program.varied)


def _one_by_one(plan: Plan, model: Prepared, gathered: Gathered, workers: int | None, progress: Any) -> Found:
    """By the classic analyses."""
    program = plan.program
    task = classic.Task(model, plan.analysis, program.outputs, plan.samples, program.march)
    places = np.flatnonzero(gathered.waiting)
    jobs = [(dict(zip(program.varied, plan.P[:, k].tolist(), strict=True)), float(plan.span[k])) for k in places]
    count = min(workers or cores(), len(jobs))

    def results() -> Iterator[tuple[int, Any]]:
        if count <= 1:
            yield from ((k, classic.one(task, job)) for k, job in enumerate(jobs))
            return
        yield 0, classic.one(task, jobs[0])  # here: processes then inherit its compiled code
        with Workers(count, classic.one, task) as pool:
            yield from ((k + 1, found) for k, found in pool.results(jobs[1:], lambda: None))

    try:
        for k, found in results():
            place = places[k : k + 1]
            if isinstance(found, Died):
                gathered.give_up(place, found.reason)
                continue
            if found.code == classic.NO_MODEL:
                gathered.fail(place, found.reason)
                continue
            good = np.arange(int(found.track is not None))
            taken = Measured({}, {})
            if found.track is not None:
                numbers = {name: values[place] for name, values in plan.numbers.items()}
                series = {name: found.track[:, j : j + 1] for j, name in enumerate(program.outputs)}
                taken = measured(plan.asked, Turn(series, plan.span[place], numbers, np))
            gathered.take(place, np.array([found.code]), np.array([np.nan]), good, taken)
            if progress is not None:
                progress(gathered.fraction())
    except KeyboardInterrupt:
        pass
    return gathered.found(plan.asked, plan.derived, program.varied)
