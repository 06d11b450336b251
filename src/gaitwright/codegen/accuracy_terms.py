"""Accuracy outputs of a generated program, as in `result/energy_balance.py`: the largest |Phi|, and the energy that drives,
loads and dampers do not account for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.derive.term_graph import Term

if TYPE_CHECKING:
    from gaitwright.codegen.equations import MechanismEquations
    from gaitwright.codegen.measures import DesignSeries, MeasureRequest, MeasureSource
    from gaitwright.model.model import Model
    from gaitwright.model.spec.document import AnalysisSpec

TermSequence = Sequence[Term]
CONSTRAINT_VIOLATION_OUTPUT, ENERGY_OUTPUT, SUPPLY_OUTPUT, KINETIC_OUTPUT = (
    "evidence.gap",
    "evidence.energy",
    "evidence.supply",
    "evidence.kinetic",
)
MAX_ENERGY_RESIDUAL_RATIO = 0.1
"""Residual of the energy balance, relative to the largest kinetic energy or work, above which a run has diverged."""
DIVERGED_REASON = "the motion has diverged: its energy does not balance; take a smaller step"
ENERGY_ATOL_J = 1e-12
"""Absolute tolerance of the energy balance, J: smaller residuals are rounding."""
MIN_SPLINE_SAMPLES = 4
"""Minimum number of samples for integration by a cubic spline; fewer are integrated by the trapezoidal rule."""


def _constraint_violation(
    equations: MechanismEquations, q: TermSequence, v: TermSequence, lam: TermSequence, phi_t: TermSequence
) -> Term:
    return functools.reduce(
        lambda a, b: equations.graph.call("max", a, abs(b)), equations.position(q).phi, equations.zero
    )


def _kinetic_energy(
    equations: MechanismEquations, q: TermSequence, v: TermSequence, lam: TermSequence, phi_t: TermSequence
) -> Term:
    """Kinetic energy, J."""
    return sum((0.5 * m * x * x for m, x in zip(equations.mass, v, strict=True)), equations.zero)


def _mechanical_energy(
    equations: MechanismEquations, q: TermSequence, v: TermSequence, lam: TermSequence, phi_t: TermSequence
) -> Term:
    """Kinetic and potential energy, J."""
    return _kinetic_energy(equations, q, v, lam, phi_t) + sum(
        (term for k, term in _force_energies(equations, q, v) if k == 0), equations.zero
    )


def _supplied_power(
    equations: MechanismEquations, q: TermSequence, v: TermSequence, lam: TermSequence, phi_t: TermSequence
) -> Term:
    """Power of drives and loads minus dissipated power, W."""
    rows = [row for rows in equations.drives.values() for row in rows if row < equations.m]
    supplied = sum((lam[row] * phi_t[row] for row in rows), equations.zero)
    return supplied + sum(
        (-term if k == 1 else term for k, term in _force_energies(equations, q, v) if k > 0), equations.zero
    )


def _force_energies(equations: MechanismEquations, q: TermSequence, v: TermSequence) -> list[tuple[int, Term]]:
    """Terms of every force as (kind, term): potential energy (0), dissipated power (1), power as a load (2)."""
    return [
        (k, term)
        for _, element in equations.mechanism.acting()
        for _, k, term in equations.of_element(element, "energy", {"q": q, "v": v})
    ]


ACCURACY_OUTPUTS: dict[
    str, Callable[[MechanismEquations, TermSequence, TermSequence, TermSequence, TermSequence], Term]
] = {
    CONSTRAINT_VIOLATION_OUTPUT: _constraint_violation,
    ENERGY_OUTPUT: _mechanical_energy,
    SUPPLY_OUTPUT: _supplied_power,
    KINETIC_OUTPUT: _kinetic_energy,
}
"""Outputs of a generated program in addition to those of results."""


def balance_source(damps: bool) -> MeasureSource:
    """Source for forward dynamics without contacts that marks diverged designs and has no numbers. damps: True if the
    method may lose energy."""
    from gaitwright.codegen.measures import DesignMeasures, MeasureSource

    return MeasureSource(
        {},
        (ENERGY_OUTPUT, SUPPLY_OUTPUT, KINETIC_OUTPUT),
        lambda *_: {},
        lambda turn: DesignMeasures({}, {DIVERGED_REASON: find_diverged(turn, damps)}),
    )


def add_energy_balance(question: MeasureRequest, section: AnalysisSpec, model: Model) -> MeasureRequest:
    """Add the energy balance, which detects diverging motions, to a request. Applies only to forward dynamics without contacts
    and with degrees of freedom: a motion that drives determine cannot diverge, and coarse steps integrate its power badly."""
    if section.type != "forward":
        return question
    mechanism = model.mechanism()
    if mechanism.contact_names or mechanism.degrees_of_freedom <= 0:
        return question
    source = balance_source(damps=section.method == "generalized-alpha")
    series = tuple(dict.fromkeys([*question.series, *source.series]))
    return question._replace(series=series, sources=(*question.sources, source))


def find_diverged(turn: DesignSeries, damps: bool) -> Any:
    """Mask (n_designs,) of the designs with a residual of the energy balance above MAX_ENERGY_RESIDUAL_RATIO. damps: only
    residuals that add energy count."""
    xp = turn.xp
    total, kinetic, supply = (turn.series[name] for name in (ENERGY_OUTPUT, KINETIC_OUTPUT, SUPPLY_OUTPUT))
    steps = 0.5 * (supply[1:] + supply[:-1]) * (turn.span / (supply.shape[0] - 1))
    work = xp.concatenate([xp.zeros_like(supply[:1]), xp.cumsum(steps, axis=0)])
    residual = total - total[0] - work
    residual_size = (residual if damps else abs(residual)).max(axis=0)
    size = xp.maximum(kinetic.max(axis=0), abs(work).max(axis=0))
    return ~(residual_size <= MAX_ENERGY_RESIDUAL_RATIO * size + ENERGY_ATOL_J)


def accuracy_numbers(series: Mapping[str, np.ndarray], span: np.ndarray) -> dict[str, np.ndarray]:
    """Accuracy numbers of a sweep, (n_designs,), from the accuracy outputs, (samples + 1, n_designs). span: duration of the
    runs, s. The energy residual is NaN without energy outputs, as in forward dynamics, whose work depends on steps and
    contacts."""
    from scipy.interpolate import CubicSpline

    numbers = {
        "max_constraint_violation": series[CONSTRAINT_VIOLATION_OUTPUT].max(axis=0),
        "max_energy_residual": np.full(span.shape, np.nan),
    }
    if SUPPLY_OUTPUT not in series:
        return numbers
    supply = series[SUPPLY_OUTPUT]
    count = supply.shape[0]
    if count < MIN_SPLINE_SAMPLES:
        steps = 0.5 * (supply[1:] + supply[:-1]) / (count - 1)
        work = np.concatenate([np.zeros_like(supply[:1]), np.cumsum(steps, axis=0)])
    else:
        fractions = np.linspace(0.0, 1.0, count)
        work = CubicSpline(fractions, supply).antiderivative()(fractions)
    total = series[ENERGY_OUTPUT] - work * span
    return {**numbers, "max_energy_residual": np.abs(total - total[0]).max(axis=0)}
