"""Beams that are stressed in every pose of their loops: the pose of least strain energy, and strains in a pose.

    strain energy -> least,   Phi(q, t) = 0

No springs, weights, loads or contacts: those act once the analysis starts. If motions without strain are left, the pose does
not move along them. The path is that of a massless mechanism with artificial drag, in long implicit steps:

    Phi_q^T lambda - Q + drag (q - q_before) = 0,   Phi = 0

Each step is solved completely, so that it follows the bottom of a winding valley; drag decreases from step to step
(pseudo-transient continuation, Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.analysis.statics.continuation import MAX_GROWTH_ITERATIONS, EquilibriumCurve, TimeParameter
from gaitwright.analysis.statics.records import StaticForces
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.softest_motions import find_softest_motions
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.mechanism import ConstraintNames, ForceNames, Mechanism
from gaitwright.mechanism.parts.base import PartStrain
from gaitwright.mechanism.tables import Array
from gaitwright.physics.declarations import Elasticity

FIRST_MAX_CHANGE = 0.5
"""Largest change of a coordinate in one step, in its scale, until the steps are known to be predicted well."""
MAX_RELAXATION_STEPS = 400
UNSTRESSED_STRAIN_TOL = 1e-9
"""Strain below which a beam counts as unstressed: error of a short element with joints closed to rounding."""
MIN_WARNING_STRAIN = 1e-4
"""Strain at a surface above which an unintended prestress causes a warning: 7 MPa in aluminium, 20 MPa in steel."""


class RelaxationStep(NamedTuple):
    """A pose on the path, its forces, the number of Newton iterations, and True for the last pose."""

    q: Array
    forces: StaticForces
    iterations: int
    last: bool


def relax_stepwise(rest: RestingMechanism, q: Array, now: StaticForces, soft: bool = False) -> Iterator[RelaxationStep]:
    """Relax from a pose with artificial drag; ends early if no drag helps. soft: True if some motion has no stiffness."""
    curve = EquilibriumCurve(rest, TimeParameter(rest, 1.0), soft)
    first = drag = float(np.max(np.abs(now.free), initial=0.0)) / FIRST_MAX_CHANGE
    x = curve.join(q, now.lam, rest.t)
    for _ in range(MAX_RELAXATION_STEPS):
        # With less drag the step would lead up to a saddle.
        lowest = float(np.min(find_softest_motions(rest, q, now.lam).stiffness, initial=0.0))
        curve.drag, curve.origin = max(drag, 0.0 if soft and drag == 0.0 else -2.0 * lowest), x[: curve.n]
        result = curve.correct(x)
        if result is None or curve.largest(result.x - x) > 2.0 * FIRST_MAX_CHANGE:
            drag = 4.0 * curve.drag
            if drag > 1e12 * first or drag == 0.0:
                return
            continue
        x, step, quick = result.x, curve.largest(result.x - x), len(result.history) <= MAX_GROWTH_ITERATIONS
        q = curve.split(x)[0]
        now = rest.forces(q)
        yield RelaxationStep(q, now, len(result.history) - 1, curve.drag == 0.0)
        if curve.drag == 0.0:
            return
        # The last step is Newton's own, without drag.
        drag *= 0.0 if quick and step < 1e-3 else 0.1 if quick else 0.5


def measure_strains(mechanism: Mechanism, q: Array) -> dict[str, PartStrain]:
    """Strain of every flexible part in a pose."""
    return {part.name: part.strain(q) for part in mechanism.flexible}


def relax_strains(mechanism: Mechanism, q: Array, t: float) -> Array:
    """The pose of least strain energy next to the closed pose q; q itself on failure. Beams with an explicit prestress keep the
    distance of their ends."""
    from gaitwright.analysis.redundant_constraints import exclude_redundant

    try:
        elastic = exclude_redundant(isolate_elasticity(mechanism), q, t).mechanism
        rest = RestingMechanism(elastic, t)
        for step in relax_stepwise(rest, q, rest.forces(q), soft=True):
            q = step.q
    except AnalysisError:
        pass
    return q


def isolate_elasticity(mechanism: Mechanism) -> Mechanism:
    """The mechanism with the elasticity of its parts as its only forces."""
    prestress = [(part.name, element) for part in mechanism.flexible for element in part.held()]
    first = sum(names.rows.size for names in mechanism.constraint_names)
    names = []
    for name, element in prestress:
        declaration: Any = element.declaration
        rows = first + np.arange(len(declaration.rows))
        first += rows.size
        names.append(ConstraintNames(f"ends of {name}", "joint", declaration.name, declaration, rows, (name,)))
    return replace(
        mechanism,
        constraints=[*mechanism.constraints, *(element for _, element in prestress)],
        constraint_names=[*mechanism.constraint_names, *names],
        forces=[names.element for names in mechanism.force_names if _is_elasticity(names)],
        force_names=[],
        contacts=[],
        contact_names=[],
        wanted=[],
        redundant=(),
    )


def _is_elasticity(names: ForceNames) -> bool:
    """True if a force is the elasticity of a part."""
    declaration = names.declaration
    return issubclass(declaration, Elasticity) and kernel_module(declaration, names.element.families).POTENTIAL
