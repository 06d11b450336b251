"""Static equilibrium: the pose in which springs, weights and loads balance, with drives and loads held as at one time.

    Q(q, 0, t) - Phi_q^T lambda = 0,   Phi(q, t) = 0

It is sought from the assembled pose (search.py); what was found is looked at, told, and becomes a result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.contact_memory import drawn_inside, look, resting_memory
from gaitwright.analyse.directions import require_directions
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.start import start
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.relax import STRAINED
from gaitwright.analyse.statics.rubbing import remember
from gaitwright.analyse.statics.search import Search
from gaitwright.checks import At
from gaitwright.compiled import Stopwatch
from gaitwright.errors import AnalysisError, DidNotConverge, OutOfBudget, SingularPose
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.system.evaluate import power_count
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array

GROWING = 8
"""Steps in which drives move a solid that they would turn inside out at once; where it takes more, they are halved."""


@dataclass
class Equilibrium:
    """An equilibrium and how it was found. lam: multipliers, as in Motion.

    unbalanced: largest |Q - Phi_q^T lambda| relative to the largest force. stable: whether every free motion has a
    positive or zero stiffness; None if not examined. neutral: number of free motions without stiffness.
    history: unbalanced after each iteration. rest: the mechanism there, with the factors of its stiffness."""

    rest: AtRest
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
    """The equilibrium next to the drawn pose, and the same as a Result. Failures carry the last pose as a Result."""
    if not np.isfinite(t):
        At(field="time").fail("is not finite", t, "a time in s")
    begin = start(mechanism, float(t), still=True)
    require_directions(mechanism, begin.q, begin.t)
    stopwatch = Stopwatch()
    memory = resting_memory(mechanism, float(t), begin.q)
    rest = AtRest(mechanism, float(t), memory, budget)
    inside = [
        f"contact '{name}' is drawn {1000 * deep:.3g} mm inside its surface and is let out the nearest way: draw it "
        "outside unless that is meant"
        for name, deep in drawn_inside(mechanism, look(mechanism, rest.w, float(t), begin.q, rest.still))
    ]
    search = Search(rest, begin.q, any(found.strain > STRAINED for found in begin.strains.values()))
    failure: AnalysisError | None = None
    try:
        search.run()
    except (DidNotConverge, SingularPose, OutOfBudget) as error:
        failure = error
    found = Equilibrium(
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
    evidence = Evidence(
        analysis="static",
        method="newton",
        stabilisation="exact",
        steps=found.iterations,
        newton_iterations=found.iterations,
        factorisations=found.factorisations,
        evaluations=found.evaluations,
        wall_seconds=stopwatch.seconds(),
        redundant=list(begin.redundant),
        initial_strains=begin.initial_strains(),
        warnings=found.warnings,
    )
    remember(rest, found.q)
    result = _as_result(mechanism, found, rest.w.memory.copy(), evidence, document)
    if failure is not None:
        failure.partial = result
        raise failure
    return found, result


def _as_result(
    mechanism: Mechanism, found: Equilibrium, memory: Array, evidence: Evidence, document: dict[str, Any] | None
) -> Result:
    """One instant at rest. Drives are held: they have no speed and do no work, whatever they do at other times."""
    s = mechanism.system
    q, still = found.q[None, :], np.zeros((1, s.n + 1))
    nothing = np.zeros((1, power_count(s)))
    motion = Motion(np.array([found.t]), q, still, still.copy(), found.lam[None, :], nothing, memory[None, :])
    return Result(mechanism, minimum_norm(mechanism, motion), evidence, document)


def equilibrium(
    mechanism: Mechanism, t: float = 0.0, *, document: dict[str, Any] | None = None, budget: Budget | None = None
) -> Result:
    """Equilibrium near the drawn pose with drives and loads as at time t (s): pose, reactions, drive torques.

    A Result with a single time. `evidence.warnings` tells of an unstable or neutral equilibrium. DidNotConverge names
    the body that nothing holds. Where a drive at once turns a solid inside out, it is moved there from t = 0 step by step."""
    budget = budget or Budget()
    try:
        return find_equilibrium(mechanism, t, document, budget)[1]
    except DidNotConverge as error:
        if error.partial is not None or t == 0.0 or not mechanism.flexible:
            raise
        from gaitwright.analyse.statics.path import static_path  # which begins with an equilibrium

        try:
            path = static_path(mechanism, t, steps=GROWING, document=document, budget=budget)
        except AnalysisError as further:
            raise (further if further.partial is not None else error) from None
    path.evidence.warnings.append(
        f"found by moving drives and loads from t = 0 to {t:g} s in {path.evidence.steps} steps"
    )
    last = Motion(*(x[-1:] for x in path.motion))
    return Result(mechanism, last, path.evidence, document)
