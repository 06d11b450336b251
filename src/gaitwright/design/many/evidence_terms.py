"""What a printed program tells of its own accuracy, as `result/energy.py` has it of a run: the largest |Phi|, and the energy
that drives, loads and dampers do not account for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.derive.terms import Term

if TYPE_CHECKING:
    from gaitwright.design.many.equations import Equations
    from gaitwright.design.many.measures import Asked, Source, Turn
    from gaitwright.model.model import Model
    from gaitwright.model.spec import Analysis

State = Sequence[Term]
GAP, ENERGY, SUPPLY, KINETIC = "evidence.gap", "evidence.energy", "evidence.supply", "evidence.kinetic"
MOST_RESIDUAL = 0.1
"""Residual of the energy balance, as a part of the largest kinetic energy or work, beyond which a run has diverged."""
DIVERGED = "the motion has diverged: its energy does not balance; take a smaller step"
TINY = 1e-12
"""J that always are rounding."""
LEAST_OF_A_SPLINE = 4
"""Samples; fewer are joined by straight lines."""


def _gap(of: Equations, q: State, v: State, lam: State, phi_t: State) -> Term:
    return functools.reduce(lambda a, b: of.graph.call("max", a, abs(b)), of.position(q).phi, of.zero)


def _kinetic(of: Equations, q: State, v: State, lam: State, phi_t: State) -> Term:
    """J."""
    return sum((0.5 * m * x * x for m, x in zip(of.mass, v, strict=True)), of.zero)


def _energy(of: Equations, q: State, v: State, lam: State, phi_t: State) -> Term:
    """Kinetic and potential, J."""
    return _kinetic(of, q, v, lam, phi_t) + sum((term for k, term in _of_forces(of, q, v) if k == 0), of.zero)


def _supply(of: Equations, q: State, v: State, lam: State, phi_t: State) -> Term:
    """What drives and loads give less what is dissipated, W."""
    rows = [row for rows in of.drives.values() for row in rows if row < of.m]
    given = sum((lam[row] * phi_t[row] for row in rows), of.zero)
    return given + sum((-term if k == 1 else term for k, term in _of_forces(of, q, v) if k > 0), of.zero)


def _of_forces(of: Equations, q: State, v: State) -> list[tuple[int, Term]]:
    """Of every force its potential energy (0), dissipated power (1) and power as a load (2)."""
    return [
        (k, term)
        for _, element in of.mechanism.acting()
        for _, k, term in of.of_element(element, "energy", {"q": q, "v": v})
    ]


EVIDENCE: dict[str, Callable[[Equations, State, State, State, State], Term]] = {
    GAP: _gap,
    ENERGY: _energy,
    SUPPLY: _supply,
    KINETIC: _kinetic,
}
"""Outputs of a printed program besides those of results."""


def balance_source(damps: bool) -> Source:
    """Of forward dynamics without contacts: no numbers, but which designs have diverged. damps: whether the method may lose
    energy."""
    from gaitwright.design.many.measures import Measured, Source

    return Source(
        {}, (ENERGY, SUPPLY, KINETIC), lambda *_: {}, lambda turn: Measured({}, {DIVERGED: diverged(turn, damps)})
    )


def with_balance(question: Asked, section: Analysis, model: Model) -> Asked:
    """The question with the balance of energy, which reveals motions that diverge; only for forward dynamics without contacts,
    if something is free: where drives determine the motion it cannot diverge; coarse steps integrate power badly."""
    if section.type != "forward":
        return question
    mechanism = model.mechanism()
    if mechanism.contact_names or mechanism.degrees_of_freedom <= 0:
        return question
    source = balance_source(damps=section.method == "generalized-alpha")
    series = tuple(dict.fromkeys([*question.series, *source.series]))
    return question._replace(series=series, sources=(*question.sources, source))


def diverged(turn: Turn, damps: bool) -> Any:
    """Designs whose energy changes otherwise than by drives, loads and dampers, beyond MOST_RESIDUAL: a mask, (designs,).
    damps: only those whose energy grows."""
    xp = turn.xp
    total, kinetic, supply = (turn.series[name] for name in (ENERGY, KINETIC, SUPPLY))
    steps = 0.5 * (supply[1:] + supply[:-1]) * (turn.span / (supply.shape[0] - 1))
    work = xp.concatenate([xp.zeros_like(supply[:1]), xp.cumsum(steps, axis=0)])
    residual = total - total[0] - work
    gained = (residual if damps else abs(residual)).max(axis=0)
    size = xp.maximum(kinetic.max(axis=0), abs(work).max(axis=0))
    return ~(gained <= MOST_RESIDUAL * size + TINY)


def evidence(series: Mapping[str, np.ndarray], span: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of a sweep that tell its accuracy, (designs,), from those outputs, (samples + 1, designs). Without energies,
    as of forward dynamics, whose works come from its steps and its contacts, their residual is not known: NaN."""
    from scipy.interpolate import CubicSpline

    found = {"max_constraint_violation": series[GAP].max(axis=0), "max_energy_residual": np.full(span.shape, np.nan)}
    if SUPPLY not in series:
        return found
    supply = series[SUPPLY]
    count = supply.shape[0]
    if count < LEAST_OF_A_SPLINE:
        steps = 0.5 * (supply[1:] + supply[:-1]) / (count - 1)
        work = np.concatenate([np.zeros_like(supply[:1]), np.cumsum(steps, axis=0)])
    else:
        at = np.linspace(0.0, 1.0, count)
        work = CubicSpline(at, supply).antiderivative()(at)
    total = series[ENERGY] - work * span
    return {**found, "max_energy_residual": np.abs(total - total[0]).max(axis=0)}
