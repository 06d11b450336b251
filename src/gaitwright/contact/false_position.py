"""False position with a memory: one step of the Illinois variant, for whatever is evaluated in between.

Source: M. Dowell, P. Jarratt, BIT 11 (1971) 168-174.
"""

from __future__ import annotations

from gaitwright.compiled import compiled

MOST, NARROW = 60, 1e-14
"""Steps, more than bisection would need; and the width of a bracket, in parts of a step, that is nothing but rounding."""


@compiled
def narrowed(low, high, f_low, f_high, side, x, f):
    """The bracket and its values after f was found at x; side: which end moved last. An end that stays twice counts half."""
    if (f > 0.0) == (f_high > 0.0):
        return low, x, (0.5 * f_low if side == 1 else f_low), f, 1
    return x, high, f, (0.5 * f_high if side == -1 else f_high), -1
