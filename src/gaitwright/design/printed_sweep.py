"""The variants of a sweep by a program that is printed for the model, many at once, where that can be done and pays.

What comes of it is what the analyses give, to rounding. A variant that fails is left to them, for its reason in their words;
and some that do not are analysed both ways: if they differed, all would be left to them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.compiled.ahead import cores
from gaitwright.derive.terms import Graph
from gaitwright.design.cluster import Cluster
from gaitwright.design.many import forward
from gaitwright.design.many.chunks import FEWEST, Plan, analysed, inputs, most
from gaitwright.design.many.designs import ANALYSES, plan_designs
from gaitwright.design.many.evidence_terms import ENERGY, GAP, SUPPLY, evidence
from gaitwright.design.many.library import compiler, is_compiled, library
from gaitwright.design.many.measures import Asked, Measured, Source, Turn, asked
from gaitwright.design.many.sources import SOURCES
from gaitwright.design.many.threads import in_threads
from gaitwright.design.variant import Job, Variant
from gaitwright.design.variants import Prepared
from gaitwright.design.workers import Died
from gaitwright.errors import ModelError
from gaitwright.model.spec import Analysis

PROOF = ("max_constraint_violation", "max_energy_residual")
"""What a sweep tells of its accuracy."""
TIMED = 2
"""Variants that are analysed to know what one takes."""
PRINTING = 1.0
"""s that all of them have to take for a program to be printed, which takes some tenths of it."""
FEW = 50
"""Variants that are not worth a look at a printed program."""
COMPILING = 1e-5
"""s that a compiler takes for a character of the program: three times what was measured, as machines may be slow."""
AGREE = 1e-6
"""How far numbers and series of both ways may differ, relative to their size: rounding, next to dead points."""
NOTHING = 1e-10
"""What is smaller counts as zero in that, SI."""
BLOCK = 1024
"""Variants of a job of a cluster."""
PROVEN = ("inverse", "kinematic")
"""Analyses whose programs tell their accuracy as the usual ones do: others have to be asked for."""
OWN = ("max_seconds", "max_steps", "store")
"""Options of analyses that printed programs do not know."""


class Kept(NamedTuple):
    """Instead of a number: an output over time."""

    output: str


class PrintedTask:
    """What is done with many variants at once, on this machine or on a worker of a cluster."""

    def __init__(self, model: Prepared, names: Sequence[str], outputs: Sequence[str] | None, measure: Any):
        """names: parameters that are varied. outputs: series to keep; those of the model unless given."""
        self.model, self.names, self.outputs, self.measure = model, list(names), outputs, measure

    def __reduce__(self) -> Any:
        return PrintedTask, (self.model, self.names, self.outputs, self.measure)

    @cached_property
    def section(self) -> Analysis:
        """ModelError if it is none that can be printed."""
        section = self.model.document.analysis or Analysis()
        own = [name for name in OWN if getattr(section, name) is not None]
        if section.type not in ANALYSES or own:
            what = f"an analysis with {own[0]}" if own else f"an analysis of type {section.type}"
            At().fail(f"{what} cannot be printed yet", expected=" or ".join(ANALYSES))
        return section

    @cached_property
    def question(self) -> Asked:
        """What is measured and kept."""
        kept = list(self.model.document.outputs if self.outputs is None else self.outputs)
        if not kept and self.outputs is None:
            At().fail("all outputs cannot be printed yet", expected="some of them, as outputs=[...]")
        found = self._measured()

        def keep(turn: Turn) -> Measured:
            series: dict[Any, Any] = {Kept(name): turn.series[name] for name in kept}
            return Measured({**series, **evidence(turn.series, turn.span)}, {})

        told = (GAP, ENERGY, SUPPLY) if self.section.type in PROVEN else (GAP,)
        keeping = Source({}, (*kept, *told), lambda *_: {}, keep)
        series = tuple(dict.fromkeys([*found.series, *keeping.series]))
        return found._replace(series=series, sources=(*found.sources, keeping))

    def _measured(self) -> Asked:
        if self.measure is None:
            return Asked({}, Graph(), {}, {}, (), (), ())
        behind = getattr(self.measure, "source", self.measure)
        sources = [SOURCES[known](self.model) for known in SOURCES if known is behind]
        named = {name: name for source in sources for name in source.gives} | getattr(self.measure, "measures", {})
        if not sources and not hasattr(self.measure, "measures"):
            text = getattr(self.measure, "__name__", "the measure")
            At().fail(
                f"'{text}' is a function of a result, which cannot be printed", expected="outputs, or gw.measure_leg"
            )
        parameters = list(self.model.document.parameters)
        return (
            asked(named, self.model.mechanism(), parameters, sources)
            if named
            else Asked({}, Graph(), {}, {}, (), (), ())
        )

    def planned(self, P: np.ndarray) -> tuple[Plan, np.ndarray]:
        """What the program does with variants (parameters, variants), and codes of those that are no mechanism. ModelError
        tells why there is no such program."""
        plan, codes, _ = plan_designs(self.model, self.section, self.names, self.question, P, [])
        return plan, codes

    def variants(self, plan: Plan, made: Any, place: np.ndarray) -> list[Variant | None]:
        """Some of them; None for one that the analyses have to look at."""
        codes, _, good, found = analysed(plan, made, place)
        fine = codes[good] == 0
        for mask in found.wrong.values():
            fine &= ~mask
        rows: list[Variant | None] = [None] * place.size
        if not good.size:
            return rows
        here = place[good]
        known = {name: values for name, values in found.numbers.items() if not isinstance(name, Kept)}
        proof = {name: known.pop(name) for name in PROOF}
        for name in self.question.basic.values():
            if name not in known:
                term = plan.program.lowering.terms[name]
                known[name] = np.broadcast_to(plan.program.graph.values([term], inputs(plan.P[:, here]))[0], here.shape)
        numbers = {**proof, **(self.question.results(known) if self.question.expressions else {})}
        series = {name.output: values for name, values in found.numbers.items() if isinstance(name, Kept)}
        for name, values in numbers.items():
            if name not in PROOF:
                fine &= ~np.isnan(values)  # what is NaN in the air does not count in measures of results
        for k in np.flatnonzero(fine):
            time = np.linspace(0.0, plan.span[here[k]], plan.samples + 1) if series else None
            kept = {name: values[:, k].copy() for name, values in series.items()}
            rows[good[k]] = Variant(time, kept, {name: float(values[k]) for name, values in numbers.items()}, "")
        return rows


class PrintedSweep:
    """Variants with the values `rows` of parameters. ModelError tells why a program for them cannot be printed."""

    def __init__(self, task: PrintedTask, rows: Sequence[Mapping[str, float]]):
        if compiler() is None:
            At().fail("needs a C compiler on this machine", expected="one such as gcc or clang")
        self.task = task
        self.P = np.array([[row[name] for row in rows] for name in task.names])
        self.plan, self.codes = task.planned(self.P)

    def pays(self, seconds: float, count: int) -> bool:
        """Whether compiling takes less than `count` variants of so many seconds."""
        text = self.plan.program.text
        return is_compiled(text) or seconds * count > COMPILING * len(text)

    def compile(self, client: Any) -> None:
        """Unless others do."""
        if client is None:
            library(self.plan.program.text)

    def blocks(self, workers: int | None, client: Any, tick: Any) -> Iterator[list[tuple[int, Variant | None]]]:
        """Numbers of variants and what comes of them, some at a time; None for one that is left to the analyses."""
        yield [(int(k), None) for k in np.flatnonzero(self.codes)]
        places = np.flatnonzero(self.codes == 0)
        if client is None:
            yield from self._here(places, workers)
            return
        parts = [places[first : first + BLOCK] for first in range(0, places.size, BLOCK)]
        with Cluster(client, _block, self.task) as cluster:
            for j, found in cluster.results([self.P[:, part] for part in parts], tick):
                rows = [None] * parts[j].size if isinstance(found, Died) else found
                yield list(zip(parts[j].tolist(), rows, strict=True))

    def _here(self, places: np.ndarray, workers: int | None) -> Iterator[list[tuple[int, Variant | None]]]:
        made, threads = library(self.plan.program.text), workers or cores()
        share = -(-places.size // (4 * threads))  # so that something is heard of it, and Ctrl-C
        size = max(FEWEST, min(most(self.plan, made, "cpu"), -(-share // made.lanes) * made.lanes))
        parts = [places[first : first + size] for first in range(0, places.size, size)]
        answers = in_threads(lambda place: self.task.variants(self.plan, made, place), parts, threads)
        try:
            for place, rows in answers:
                yield list(zip(place.tolist(), rows, strict=True))
        finally:
            answers.close()


def _block(task: PrintedTask, P: np.ndarray) -> list[Variant | None]:
    """On a worker of a cluster."""
    plan, codes = task.planned(P)
    rows: list[Variant | None] = [None] * codes.size
    places = np.flatnonzero(codes == 0)
    if compiler() is None or not places.size:
        return rows
    made = library(plan.program.text)
    size = most(plan, made, "cpu")
    for first in range(0, places.size, size):
        place = places[first : first + size]
        for k, row in zip(place, task.variants(plan, made, place), strict=True):
            rows[k] = row
    return rows


def disagreement(here: Variant, there: Variant, agree: float = AGREE) -> str:
    """How a variant of the printed program differs from that of the analysis; empty if they agree."""
    if there.failure:
        return f"the analysis fails: {there.failure}"
    if [*here.series, *here.numbers] != [*there.series, *there.numbers]:
        return f"it gives {[*here.series, *here.numbers]} instead of {[*there.series, *there.numbers]}"
    pairs: list[tuple[str, Any, Any]] = [(name, here.series[name], there.series[name]) for name in there.series]
    pairs += [(name, here.numbers[name], there.numbers[name]) for name in there.numbers if name not in PROOF]
    if there.time is not None:
        pairs.append(("time", here.time, there.time))
    for name, a, b in pairs:
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        finite = b[np.isfinite(b)]
        room = agree * np.abs(finite).max(initial=0.0) + NOTHING
        if a.shape != b.shape or not np.allclose(a, b, rtol=0.0, atol=room, equal_nan=True):
            return f"'{name}' differs from that of the analysis"
    return ""


def printed_variants(
    task: PrintedTask, jobs: Sequence[Job], run: Callable[[Job], Variant], workers: int | None, client: Any,
    tick: Callable[[], None], forced: bool,
) -> Generator[tuple[int, Variant], None, Sequence[Job]]:  # fmt: skip
    """Variants by their number, as they come; returns the jobs that are left to the analyses. run: such an analysis. forced: a
    ModelError tells why there is no program, instead of leaving all to them."""
    try:
        if not forced:
            if len(jobs) < FEW or compiler() is None:
                return jobs
            if task.section.type not in PROVEN:
                return jobs
            _ = task.question
            hands = sum(client.nthreads().values()) if client is not None else workers or cores()
            seconds = 0.0
            for job in jobs[:TIMED]:  # the first may have to compile
                began = perf_counter()
                variant = run(job)
                seconds = (perf_counter() - began) / max(hands, 1)
                yield job[0], variant
            jobs = jobs[TIMED:]
            if seconds * len(jobs) < PRINTING:
                return jobs
        whole = PrintedSweep(task, [values for _, values in jobs])
        if not forced and not whole.pays(seconds, len(jobs)):  # pyright: ignore[reportPossiblyUnboundVariable]
            return jobs
        whole.compile(client)
    except (ModelError, RuntimeError) as error:
        if forced:
            raise ModelError(f"this sweep cannot be printed: {error}") from None
        return jobs
    left: list[Job] = []
    checked = False
    for block in whole.blocks(workers, client, tick):
        good = [(k, variant) for k, variant in block if variant is not None]
        if good and not checked:
            checked = True
            for k, variant in (good[len(good) // 3], good[2 * len(good) // 3]):
                why = disagreement(variant, run(jobs[k]), forward.AGREE if task.section.type == "forward" else AGREE)
                if why and forced:
                    raise ModelError(f"this sweep cannot be printed: {why}")
                if why:
                    return jobs
        left += [jobs[k] for k, variant in block if variant is None]
        yield from ((jobs[k][0], variant) for k, variant in good)
    return left
