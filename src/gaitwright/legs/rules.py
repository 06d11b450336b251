"""Rules of design methods for legs: requirements for walking, which the user may allow designs to break.

A leg that locks, so that its crank cannot make a full turn, or with a foot that never leaves or never reaches the ground,
has no numbers and needs no rule. The limits are assumptions, not published values: wide enough for all legs of the library
(relative steps from 0.41 to 1.35, scuffing up to 0.095 for Klann's leg, relative accelerations from 2.5 to 10), narrow
enough to reject legs that stand on a foot above the hip, step on the spot, drag the foot forward over the ground or pass
close to a dead point.
"""

from __future__ import annotations

from gaitwright.design.rules import DesignRule

MIN_RELATIVE_STEP = 0.1
"""Step length / leg length."""
MAX_RELATIVE_ACCELERATION = 50.0
"""Greatest acceleration of the foot, relative to that of a harmonic motion."""
MAX_SCUFFING = 0.15
"""Fraction of the stance in which the foot moves forward; `legs/scuffing.py` warns above 2 %."""
LEG_RULES = {
    "foot-below-hip": DesignRule("hip_height", 0.0, None, "the foot stands below the hip"),
    "step": DesignRule(
        "relative_step", MIN_RELATIVE_STEP, None, f"a step is at least {100 * MIN_RELATIVE_STEP:g} % of the leg length"
    ),
    "scuffing": DesignRule(
        "scuffing", None, MAX_SCUFFING, f"the foot moves forward in at most {100 * MAX_SCUFFING:g} % of its stance"
    ),
    "locking": DesignRule(
        "relative_acceleration",
        None,
        MAX_RELATIVE_ACCELERATION,
        (
            f"the foot is accelerated at most {MAX_RELATIVE_ACCELERATION:g} times as in a harmonic motion: a leg that "
            f"nearly locks jerks"
        ),
    ),
}
"""Rules for legs by name."""
