"""Inverse dynamics: drive torques or forces and every joint reaction for the motion that the drives prescribe.

Where the drives determine everything, the motion is exact (kinematics.py). Where they leave degrees of freedom free, the
rest of the motion follows from the forces: forward dynamics, with the reactions of the drives reported.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.directions import require_directions
from gaitwright.analyse.forward import choose_method, simulate
from gaitwright.analyse.kinematics import follow_drives
from gaitwright.analyse.start import start
from gaitwright.checks import At
from gaitwright.result.result import Result
from gaitwright.system.mechanism import Mechanism


def inverse(
    mechanism: Mechanism,
    times: Any,
    *,
    progress: Any = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    along: Result | None = None,
    **options: Any,
) -> Result:
    """Motion and reactions at the given times, s. along: of `follow_drives`; options: of `simulate`, for mechanisms that keep
    freedom."""
    times = At(field="times").numbers(times, "increasing times, s")
    begin = start(mechanism, float(times[0]) if times.ndim == 1 and times.size else 0.0)
    require_directions(mechanism, begin.q, begin.t)
    free = mechanism.degrees_of_freedom
    if free == 0:
        found = {"begin": begin, "progress": progress, "document": document, "budget": budget}
        kept = {"store": options.get("store"), "along": along}
        return follow_drives(mechanism, times, analysis="inverse", **found, **kept)
    spacing = float(times[-1] - times[0]) / max(times.size - 1, 1) if times.size else 0.0
    if times.size < 2 or times[0] != 0 or not np.allclose(np.diff(times), spacing, rtol=1e-9, atol=0):
        At(field="times").fail(
            "the drives leave freedom, which is solved as forward dynamics",
            expected="evenly spaced times that start at 0, or until and step",
        )
    if mechanism.flexible:  # the fastest vibrations of a beam would take explicit methods millions of steps
        options.setdefault("method", "generalized-alpha")
    adaptive = choose_method(options.get("method"), None).adaptive
    options.setdefault("output_step" if adaptive else "step", spacing)
    options |= {"begin": begin, "progress": progress, "document": document, "budget": budget}
    result = simulate(mechanism, float(times[-1]), **options)
    result.evidence.analysis = "inverse"
    result.evidence.warnings.append(left_free(free))
    return result


def left_free(free: int) -> str:
    """What is said of drives that do not move all."""
    return f"the drives leave {free} degree{'s' if free > 1 else ''} of freedom free: solved as forward dynamics"
