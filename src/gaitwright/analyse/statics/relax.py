"""Beams that their loops leave no unstressed pose: the pose of least strain energy, and how much strain is in a pose.

    strain energy -> least,   Phi(q, t) = 0

No springs, weights, loads or contacts: those act on the mechanism once it starts. Where motions are left that strain
nothing, the pose stays where it is. The way there is that of a mechanism without mass in thick oil, by long implicit steps:

    Phi_q^T lambda - Q + drag (q - q_before) = 0,   Phi = 0

Each step is solved completely, so that it keeps to the bottom of a winding valley; drag falls from step to step
(pseudo-transient continuation, Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.statics.continuation import QUICK, Curve, Time
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.records import Forces
from gaitwright.analyse.statics.softest import softest
from gaitwright.derive.library import kernel_module
from gaitwright.errors import AnalysisError
from gaitwright.physics.declare import Elasticity
from gaitwright.system.mechanism import ConstraintNames, ForceNames, Mechanism
from gaitwright.system.parts.base import Strain
from gaitwright.system.tables import Array

FIRST_REACH = 0.5
"""Largest change of a coordinate in one step, in its scale, as long as steps are not known to be predicted well."""
MAX_STEPS = 400
STRAINED = 1e-9
"""Strain below which a beam counts as unstressed: what closing joints to rounding leaves in a short element."""
NOTABLE = 1e-4
"""Strain at a surface that is worth a warning, if nobody asked for it: 7 MPa in aluminium, 20 MPa in steel."""


class Crept(NamedTuple):
    """A pose on the way, the forces there, the Newton iterations it took, and whether it is the end of the way."""

    q: Array
    forces: Forces
    iterations: int
    last: bool


def creep(rest: AtRest, q: Array, now: Forces, soft: bool = False) -> Iterator[Crept]:
    """The way in thick oil from a pose with its forces; ends early where no drag helps. soft: some motion has no stiffness."""
    curve = Curve(rest, Time(rest, 1.0), soft)
    first = drag = float(np.max(np.abs(now.free), initial=0.0)) / FIRST_REACH
    x = curve.join(q, now.lam, rest.t)
    for _ in range(MAX_STEPS):
        # With less drag than this the step would lead up to a saddle.
        lowest = float(np.min(softest(rest, q, now.lam).stiffness, initial=0.0))
        curve.drag, curve.origin = max(drag, 0.0 if soft and drag == 0.0 else -2.0 * lowest), x[: curve.n]
        found = curve.correct(x)
        if found is None or curve.largest(found.x - x) > 2.0 * FIRST_REACH:
            drag = 4.0 * curve.drag
            if drag > 1e12 * first or drag == 0.0:
                return
            continue
        x, step, quick = found.x, curve.largest(found.x - x), len(found.history) <= QUICK
        q = curve.split(x)[0]
        now = rest.forces(q)
        yield Crept(q, now, len(found.history) - 1, curve.drag == 0.0)
        if curve.drag == 0.0:
            return
        # The last step is Newton's own.
        drag *= 0.0 if quick and step < 1e-3 else 0.1 if quick else 0.5


def strains(mechanism: Mechanism, q: Array) -> dict[str, Strain]:
    """How much every flexible part is strained in a pose."""
    return {part.name: part.strain(q) for part in mechanism.flexible}


def relaxed(mechanism: Mechanism, q: Array, t: float) -> Array:
    """The pose of least strain energy next to the closed pose q; q itself where none is found. Beams that are prestressed by
    name keep the distance of their ends."""
    from gaitwright.analyse.redundant_constraints import remove_redundant

    alone = strain_alone(mechanism)
    try:
        remove_redundant(alone, q, t)
        rest = AtRest(alone, t)
        for step in creep(rest, q, rest.forces(q), soft=True):
            q = step.q
    except AnalysisError:
        pass
    return q


def strain_alone(mechanism: Mechanism) -> Mechanism:
    """The mechanism with nothing that acts but the elasticity of its parts."""
    held = [(part.name, element) for part in mechanism.flexible for element in part.held()]
    first = sum(names.rows.size for names in mechanism.constraint_names)
    names = []
    for name, element in held:
        declaration: Any = element.declaration
        rows = first + np.arange(len(declaration.rows))
        first += rows.size
        names.append(ConstraintNames(f"ends of {name}", "joint", declaration.name, declaration, rows, (name,)))
    return replace(
        mechanism,
        constraints=[*mechanism.constraints, *(element for _, element in held)],
        constraint_names=[*mechanism.constraint_names, *names],
        forces=[names.element for names in mechanism.force_names if _stores(names)],
        force_names=[],
        contacts=[],
        contact_names=[],
        wanted=[],
        redundant=[],
    )


def _stores(names: ForceNames) -> bool:
    """Whether a force is the elasticity of a part."""
    declaration = names.declaration
    return issubclass(declaration, Elasticity) and kernel_module(declaration, names.element.families).POTENTIAL
