"""What every leg has to keep to walk at all, unless it is allowed to break it: the rules of design methods for legs.

A leg that locks, so that its crank cannot turn round, or whose foot never leaves or never reaches the ground, has no numbers
and so needs no rule. The limits are assumptions, not published values: wide enough for all legs of the library (relative steps
from 0.41 to 1.35, scuffing up to 0.095, of Klann's leg, relative accelerations from 2.5 to 10), narrow enough to reject legs
that stand on a foot above the hip, mark time on the spot, drag the foot forward over the ground or pass next to a dead point.
"""

from __future__ import annotations

from gaitwright.design.rules import Rule

LEAST_STEP = 0.1
"""Step length / leg length."""
MOST_ACCELERATION = 50.0
"""Greatest acceleration of the foot in relation to that of a harmonic motion."""
MOST_SCUFFING = 0.15
"""Part of the stance in which the foot moves forward; `legs/scuffing.py` warns from 2 % on."""
RULES = {
    "foot-below-hip": Rule("hip_height", 0.0, None, "the foot stands below the hip"),
    "step": Rule("relative_step", LEAST_STEP, None, f"a step is at least {100 * LEAST_STEP:g} % of the leg length"),
    "scuffing": Rule(
        "scuffing", None, MOST_SCUFFING, f"the foot moves forward in at most {100 * MOST_SCUFFING:g} % of its stance"
    ),
    "locking": Rule(
        "relative_acceleration", None, MOST_ACCELERATION,
        f"the foot is accelerated at most {MOST_ACCELERATION:g} times as in a harmonic motion: a leg that nearly locks jerks",
    ),
}  # fmt: skip
"""By name."""
