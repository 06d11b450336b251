"""Static equilibrium: the pose in which springs, weights and loads balance, with drives and loads held at one time.

    Q(q, 0, t) - Phi_q^T lambda = 0,   Phi(q, t) = 0

The search starts from the assembled pose (equilibrium_search.py); its outcome is checked, described and converted to a result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AnalysisError, DidNotConverge, OutOfBudget, SingularPose
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.initial_contact_state import find_deep_penetrations, make_resting_memory, observe_contacts_at
from gaitwright.analysis.reactions import minimise_reaction_norm
from gaitwright.analysis.spring_directions import require_spring_directions
from gaitwright.analysis.start_state import find_start
from gaitwright.analysis.statics.equilibrium_search import EquilibriumSearch
from gaitwright.analysis.statics.friction_equilibrium import commit_bristles
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.strain_relaxation import UNSTRESSED_STRAIN_TOL
from gaitwright.jit import Stopwatch
from gaitwright.mechanism.evaluation import power_count
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result

DRIVE_STEP_COUNT = 8
"""Number of steps in which drives move a solid that they would turn inside out in one step; failing steps are halved."""


@dataclass
class Equilibrium:
    """An equilibrium and data of its search. lam: multipliers, as in StateHistory.

    unbalanced: largest |Q - Phi_q^T lambda| relative to the largest force. stable: True if every free motion has a positive or
    zero stiffness; None if not examined. neutral: number of free motions without stiffness.
    history: unbalanced after each iteration. rest: the mechanism in this pose, with the factors of its stiffness."""

    rest: RestingMechanism
    q: Array
    lam: Array
    t: float
    unbalanced: float
    stable: bool | None
    neutral: int
    iterations: int
    factorisations: int
    evaluations: int
    warnings: list[str] = field(default_factory=list)
    history: list[float] = field(default_factory=list)


def find_equilibrium(
    mechanism: Mechanism, t: float = 0.0, document: dict[str, Any] | None = None, budget: Budget | None = None
) -> tuple[Equilibrium, Result]:
    """The equilibrium next to the drawn pose, also as a Result. Exceptions carry the last pose as a partial Result."""
    if not np.isfinite(t):
        ErrorContext(field="time").fail("is not finite", t, "a time in s")
    begin = find_start(mechanism, float(t), still=True)
    mechanism = begin.mechanism
    require_spring_directions(mechanism, begin.q, begin.t)
    stopwatch = Stopwatch()
    memory = make_resting_memory(mechanism, float(t), begin.q)
    rest = RestingMechanism(mechanism, float(t), memory, budget)
    inside = [
        f"contact '{name}' is drawn {1000 * deep:.3g} mm inside its surface and is moved out by the shortest way: draw it "
        "outside unless this is intended"
        for name, deep in find_deep_penetrations(
            mechanism, observe_contacts_at(mechanism, rest.w, float(t), begin.q, rest.still)
        )
    ]
    search = EquilibriumSearch(
        rest, begin.q, any(part.strain > UNSTRESSED_STRAIN_TOL for part in begin.strains.values())
    )
    failure: AnalysisError | None = None
    try:
        search.run()
    except (DidNotConverge, SingularPose, OutOfBudget) as error:
        failure = error
    equilibrium = Equilibrium(
        rest=rest,
        q=search.q,
        lam=search.now.lam,
        t=float(t),
        unbalanced=search.now.unbalanced,
        stable=None if search.motions is None else not (search.motions.unstable.size or search.motions.flutter),
        neutral=0 if search.motions is None else int(search.motions.neutral.size),
        iterations=search.iterations + search.corrections,
        factorisations=rest.factorisations,
        evaluations=rest.evaluations,
        warnings=[*mechanism.warnings, *begin.warnings, *inside, *([] if failure else search.findings())],
        history=search.history,
    )
    evidence = RunEvidence(
        analysis="static",
        method="newton",
        stabilisation="exact",
        steps=equilibrium.iterations,
        newton_iterations=equilibrium.iterations,
        factorisations=equilibrium.factorisations,
        evaluations=equilibrium.evaluations,
        wall_seconds=stopwatch.seconds(),
        redundant=list(begin.redundant),
        initial_strains=begin.initial_strains(),
        warnings=equilibrium.warnings,
    )
    commit_bristles(rest, equilibrium.q)
    result = _make_result(mechanism, equilibrium, rest.w.memory.copy(), evidence, document)
    if failure is not None:
        failure.partial = result
        raise failure
    return equilibrium, result


def _make_result(
    mechanism: Mechanism,
    equilibrium: Equilibrium,
    memory: Array,
    evidence: RunEvidence,
    document: dict[str, Any] | None,
) -> Result:
    """Result with a single state at rest. Drives are held: they have no speed and do no work, even if they move later."""
    s = mechanism.system
    q, still = equilibrium.q[None, :], np.zeros((1, s.n + 1))
    no_powers = np.zeros((1, power_count(s)))
    motion = StateHistory(
        np.array([equilibrium.t]), q, still, still.copy(), equilibrium.lam[None, :], no_powers, memory[None, :]
    )
    return Result(mechanism, minimise_reaction_norm(mechanism, motion), evidence, document)


def equilibrium_result(
    mechanism: Mechanism, t: float = 0.0, *, document: dict[str, Any] | None = None, budget: Budget | None = None
) -> Result:
    """Equilibrium near the drawn pose with drives and loads at time t (s): pose, reactions, drive torques.

    Returns a Result with a single time. `evidence.warnings` reports an unstable or neutral equilibrium. Raises DidNotConverge
    with the name of a body that nothing holds. If a drive would turn a solid inside out in one step, drives and loads are moved
    from t = 0 in steps."""
    budget = budget or Budget()
    try:
        return find_equilibrium(mechanism, t, document, budget)[1]
    except DidNotConverge as error:
        if error.partial is not None or t == 0.0 or not mechanism.flexible:
            raise
        from gaitwright.analysis.statics.quasi_static_path import static_path  # which begins with an equilibrium

        try:
            path = static_path(mechanism, t, steps=DRIVE_STEP_COUNT, document=document, budget=budget)
        except AnalysisError as further:
            raise (further if further.partial is not None else error) from None
    path.evidence.warnings.append(
        f"found by moving drives and loads from t = 0 to {t:g} s in {path.evidence.steps} steps"
    )
    last = StateHistory(*(x[-1:] for x in path.motion))
    return Result(mechanism, last, path.evidence, document)
