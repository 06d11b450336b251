"""A program on a chunk of designs: what is asked of it, how many at once, and what comes of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.derive.terms import NUMBER, Term
from gaitwright.design.many.forward import require_whole_steps
from gaitwright.design.many.gradient import beside_motion, seeds_of, slopes_of_sources
from gaitwright.design.many.measures import Asked, Measured, Turn
from gaitwright.design.many.program import Program
from gaitwright.model.analysis import UNTIL
from gaitwright.model.spec import Analysis

CHUNK, WHOLE = 32e6, 160e6
"""Bytes of outputs that one call writes, a chunk of designs; and with weights of samples and states, for derivatives. Not less:
arrays of some MB come in large pages, and those of smaller chunks took twice the time."""
FEWEST = 64
DIFFERENCE = 1e-5
"""Change of a parameter, relative to its size, for the start poses of free mechanisms: closing leaves 1e-14."""


class Plan(NamedTuple):
    """What is done with all designs. span: end of each run, s. numbers: what measures need of the parameters alone."""

    program: Program
    asked: Asked
    analysis: str
    samples: int
    P: np.ndarray
    span: np.ndarray
    numbers: dict[str, np.ndarray]
    terms: dict[str, Term]
    until: Term
    derived: list[str]
    """Basic measures whose derivatives are wanted."""


def planned(section: Analysis, program: Program, question: Asked, P: np.ndarray, derived: list[str]) -> Plan:
    lowering, graph = program.lowering, program.graph

    def term(value: Any) -> Term:
        return lowering.written(value) if isinstance(value, str) else graph.number(value)

    until = term(UNTIL if section.until is None else section.until)
    step = until / 1000.0 if section.step is None else term(section.step)
    needed: dict[str, Term] = {}
    for source in question.sources:
        needed |= source.numbers(lowering, program.mechanism)
    span, count, *numbers = graph.values([until, until / step, *needed.values()], inputs(P))
    size = P.shape[1]
    span, count = (np.broadcast_to(np.asarray(x, dtype=float), size) for x in (span, count))
    at = At("analysis", "step")
    if not np.all(np.isfinite(count)) or np.any(count <= 0):
        At("analysis", "until").fail(
            "is not positive and finite for all designs", section.until, "a positive number of s"
        )
    if program.march is not None:
        if derived and until.level > NUMBER:
            At("designs", "gradient").fail(
                "of runs whose length is a parameter cannot be printed yet for forward dynamics", section.until,
                "an `until` that is a number",
            )  # fmt: skip
        require_whole_steps(count, section)
    samples = np.maximum(1, np.round(count)).astype(int)
    if np.ptp(samples):
        at.fail(
            f"gives from {samples.min()} to {samples.max()} samples", section.step,
            "as many for all designs, by a step that is a part of the run, such as '1/turns_per_second/360'",
        )  # fmt: skip
    known = {name: np.broadcast_to(np.asarray(x, dtype=float), size) for name, x in zip(needed, numbers, strict=True)}
    return Plan(
        program, question, section.type, int(samples[0]), P, np.ascontiguousarray(span), known, needed, until, derived
    )


def inputs(P: np.ndarray) -> dict[str, np.ndarray]:
    return {f"p[{k}]": row for k, row in enumerate(P)}


def most(plan: Plan, made: Any, device: str) -> int:
    """Designs of one call."""
    program = plan.program
    numbers = len(program.outputs) * (1 + len(plan.derived)) + program.states  # weights of samples take as much room
    if device == "cuda":
        outputs = len(program.outputs)
        return made.most(plan.samples, outputs, numbers, program.drawn.size, len(program.varied))
    room = min(CHUNK / max(len(program.outputs), 1), WHOLE / max(numbers, 1))
    return max(FEWEST, int(room / (8 * (plan.samples + 1))) // made.lanes * made.lanes)


def analysed(plan: Plan, made: Any, place: np.ndarray) -> tuple[Any, ...]:
    """Close, follow and measure some designs: their codes, ends, which are good, and what was measured of these."""
    program, xp = plan.program, made.xp
    P = xp.asarray(plan.P[:, place])
    Q, flag = made.close(P, program.drawn, program.size, program.closed)
    closed = xp.flatnonzero(flag == 0)
    codes, ends = flag.copy(), xp.zeros(place.size)
    good = closed
    span = xp.asarray(plan.span[place])
    if closed.size:
        run = made.follow if program.march is None else made.march
        track, flag, when, states, *_ = run(
            P[:, closed], Q[:, closed], span[closed], plan.samples, len(program.outputs), program.states
        )
        codes[closed], ends[closed] = flag, when
        well = xp.flatnonzero(flag == 0)
        good = closed[well]
        track = track if well.size == closed.size else track[:, :, well]
    else:
        track = states = xp.zeros((plan.samples + 1, len(program.outputs), 0))
        well = closed
    where = place[host(good)]
    turn = Turn(
        {name: track[:, k] for k, name in enumerate(program.outputs)}, span[good],
        {name: xp.asarray(values[where]) for name, values in plan.numbers.items()}, xp,
    )  # fmt: skip
    found = measured(plan.asked, turn)
    if plan.derived and good.size:
        own = slopes_of_sources(plan.asked, plan.derived, turn)
        seeds = seeds_of(plan.asked, plan.derived, program.outputs, track, xp, own)
        given = P[:, good], span[good], plan.samples
        if program.states:
            by = host(made.differentiate(given[0], states, well, *given[1:], seeds))
            slopes = by[:, :-1] + beside_motion(
                program, by[:, -1], plan.P[:, where], plan.until, plan.terms, plan.derived, own, host
            )
        else:
            dQ = xp.asarray(poses_by_parameters(plan, made, where))
            *_, by = made.march(given[0], Q[:, good], *given[1:], len(program.outputs), seeds=seeds, dQ=dQ)
            slopes = host(by)
        found = found._replace(
            numbers={**found.numbers, **{
                (basic, name): slopes[m, j] for m, basic in enumerate(plan.derived) for j, name in enumerate(program.varied)
            }}
        )  # fmt: skip
    return (*map(host, (codes, ends, good)), found)


def poses_by_parameters(plan: Plan, made: Any, where: np.ndarray) -> np.ndarray:
    """Derivatives of closed poses in the parameters, (parameters, n, designs). Where something is free to move, its start
    depends on the way from the drawing to closed joints, of which differences tell; all else follows from the joints, and is
    found with the run."""
    program, P = plan.program, plan.P[:, where]
    found = np.zeros((P.shape[0], program.drawn.size, where.size))
    if not program.mechanism.degrees_of_freedom:
        return found
    for j in range(P.shape[0]):
        step = DIFFERENCE * np.maximum(np.abs(P[j]), 1e-3)
        ends = []
        for sign in (1.0, -1.0):
            moved = P.copy()
            moved[j] += sign * step
            closed = made.close(made.xp.asarray(moved), program.drawn, program.size, program.closed)
            Q, flag = map(host, closed)
            ends.append(np.where(flag == 0, Q, np.nan))  # next to a design that cannot be closed there is no derivative
        found[j] = (ends[0] - ends[1]) / (2.0 * step)
    return found


def measured(question: Asked, turn: Turn) -> Measured:
    if not turn.span.size:
        return Measured({}, {})
    found = question.measure(turn)
    return Measured(*({name: host(values) for name, values in part.items()} for part in found))


def host(values: Any) -> np.ndarray:
    """An array of NumPy."""
    return values.get() if hasattr(values, "get") else np.asarray(values)
