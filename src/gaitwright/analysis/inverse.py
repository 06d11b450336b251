"""Inverse dynamics: drive torques or forces and every joint reaction for the motion that the drives prescribe.

If the drives determine everything, the motion is exact (kinematics.py). If they leave degrees of freedom free, the rest of the
motion follows from the forces: forward dynamics, with the reactions of the drives reported.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.forward import choose_method, simulate
from gaitwright.analysis.kinematics import follow_drives
from gaitwright.analysis.spring_directions import require_spring_directions
from gaitwright.analysis.start_state import find_start
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.result import Result


def solve_inverse_dynamics(
    mechanism: Mechanism,
    times: Any,
    *,
    progress: Any = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    along: Result | None = None,
    **options: Any,
) -> Result:
    """Motion and reactions at the given times, s. along: result of `follow_drives` to reuse; options: those of `simulate`,
    for mechanisms with free degrees of freedom."""
    times = ErrorContext(field="times").numbers(times, "increasing times, s")
    begin = find_start(mechanism, float(times[0]) if times.ndim == 1 and times.size else 0.0)
    mechanism = begin.mechanism
    require_spring_directions(mechanism, begin.q, begin.t)
    free = mechanism.degrees_of_freedom
    if free == 0:
        common = {"begin": begin, "progress": progress, "document": document, "budget": budget}
        reuse = {"store": options.get("store"), "along": along}
        return follow_drives(mechanism, times, analysis="inverse", **common, **reuse)
    spacing = float(times[-1] - times[0]) / max(times.size - 1, 1) if times.size else 0.0
    if times.size < 2 or times[0] != 0 or not np.allclose(np.diff(times), spacing, rtol=1e-9, atol=0):
        ErrorContext(field="times").fail(
            "the drives leave degrees of freedom free, which requires forward dynamics",
            expected="evenly spaced times that start at 0, or until and step",
        )
    if mechanism.flexible:  # the fastest vibrations of a beam would take explicit methods millions of steps
        options.setdefault("method", "generalized-alpha")
    adaptive = choose_method(options.get("method"), None).adaptive
    options.setdefault("output_step" if adaptive else "step", spacing)
    options |= {"begin": begin, "progress": progress, "document": document, "budget": budget}
    result = simulate(mechanism, float(times[-1]), **options)
    result.evidence.analysis = "inverse"
    result.evidence.warnings.append(describe_free_motion(free))
    return result


def describe_free_motion(free: int) -> str:
    """Warning for drives that leave degrees of freedom free."""
    return f"the drives leave {free} degree{'s' if free > 1 else ''} of freedom free: solved as forward dynamics"
