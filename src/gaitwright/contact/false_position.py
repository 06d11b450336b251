"""Root bracketing by false position: one step of the Illinois variant, with function evaluations by the caller.

Source: M. Dowell, P. Jarratt, BIT 11 (1971) 168-174.
"""

from __future__ import annotations

from gaitwright.jit import jit_compile

MAX_BRACKET_STEPS, MIN_BRACKET_WIDTH = 60, 1e-14
"""Maximum number of steps, more than bisection would need; bracket width, as a fraction of a step, that is rounding error."""


@jit_compile
def narrow_bracket(low, high, f_low, f_high, side, x, f):
    """The new bracket and its values after f was evaluated at x, and the end that moved. side: end that moved last. The
    value of an end that stays twice is halved."""
    if (f > 0.0) == (f_high > 0.0):
        return low, x, (0.5 * f_low if side == 1 else f_low), f, 1
    return x, high, f, (0.5 * f_high if side == -1 else f_high), -1
