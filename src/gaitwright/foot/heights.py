"""The foot of our drawing from the side: how high its sole and its back lie over each point of its plan, m."""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import PchipInterpolator

from gaitwright.foot.outline import TOES, Plan
from gaitwright.mesh.kinds import Array

ADULT = 0.26
"""Length for which what follows is told in m; it grows with the foot."""
ARCH = (0.19, 0.44, 0.67)
"""Where the arch begins, is highest and ends, in lengths of the foot."""
ARCH_LINE = 0.25
"""How far on the medial side of the heel-toe line the height of the arch is told, in widths of the ball."""
BORDER = ((0.0, 0.014), (0.16, 0.011), (0.40, 0.010), (0.70, 0.009), (0.83, 0.007))
"""How far the sole rises to the border, m, over lengths of the foot."""
RIDGE = (
    (0.0, 0.60),
    (0.34, 0.45),
    (0.42, 0.310),
    (0.50, 0.250),
    (0.60, 0.192),
    (0.70, 0.142),
    (0.80, 0.104),
    (1.0, 0.080),
)
SHOULDER = (
    (0.0, 0.60),
    (0.20, 0.46),
    (0.30, 0.28),
    (0.40, 0.165),
    (0.50, 0.120),
    (0.62, 0.095),
    (0.75, 0.082),
    (1.0, 0.065),
)
"""The back of the foot along its middle and along its borders, in lengths of the foot."""
STEEP = 0.82
"""How round the sole is at its borders: 1 would be upright there, and leave no room for cells."""
TOE_SIDE = (0.22, 0.72)
"""Between which heights the sides of a toe are upright, in its thickness."""
TIP = 0.12
"""How far its tip is turned up, in its thickness."""
LOWEST, HIGHEST = 0.14, 0.4
"""Where it can be cut, in lengths of the foot."""


def _curve(knots: tuple[tuple[float, float], ...], x: Array) -> Array:
    places, values = np.array(knots).T
    return PchipInterpolator(places, values)(np.clip(x, 0.0, places[-1]))


def _step(t: Array) -> Array:
    """From 0 to 1 between 0 and 1, smoothly."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def near_border(plan: Plan) -> Array:
    """0 inside, 1 at the border, steep there as a round side is: 1 - sqrt((1 - a p^4) (1 - a q^4)), a = STEEP, in parts of its
    greatest; that of the foot passes into those of its toes beyond the web."""
    trunk = np.where(plan.along > 0.0, plan.v, plan.q)

    def side(p: Array, q: Array) -> Array:
        steep = np.sqrt(np.maximum((1.0 - STEEP * p**4) * (1.0 - STEEP * q**4), 1.0 - STEEP))
        return (1.0 - steep) / (1.0 - math.sqrt(1.0 - STEEP))

    own = _step(2.5 * plan.along)
    return np.where(
        plan.along > 0.0,
        (1.0 - own) * side(np.zeros_like(trunk), trunk) + own * side(plan.p, plan.q),
        side(plan.p, plan.q),
    )


def arch(plan: Plan, length: float, ball_width: float) -> Array:
    """The shape of the longitudinal arch, 1 where it is highest: cos^2 along the foot, fading to the lateral side."""
    x, (start, top, end) = plan.x / length, ARCH
    t = np.where(x < top, (top - x) / (top - start), (x - top) / (end - top))
    along = np.cos(0.5 * np.pi * np.clip(t, 0.0, 1.0)) ** 2
    across = 0.06 + 0.94 * _step((plan.y / ball_width + 0.30) / (ARCH_LINE + 0.30)) ** 1.3
    return along * across * (plan.along == 0.0)


def sole(plan: Plan, length: float, ball_width: float) -> Array:
    """z of the sole without its arch, m: round borders, the furrow behind the toes, toes that turn up at their tips."""
    unit, own, thick = length / ADULT, _step(2.0 * plan.along), length * _thickness(plan)
    rise = (1.0 - own) * unit * _curve(BORDER, plan.x / length) + own * TOE_SIDE[0] * thick
    rise = rise * near_border(plan)
    furrow = 0.0045 * np.exp(-(((plan.ball - 1.0) / 0.45) ** 2)) * (plan.ball > 0.0)
    after = 0.0045 * np.exp(-((plan.along / 0.25) ** 2))
    furrow = unit * np.where(plan.along > 0.0, after, furrow) * (1.0 - 0.8 * near_border(plan))
    tips = TIP * thick * (np.maximum(plan.along - 0.6, 0.0) / 0.4) ** 2
    convex = unit * 0.0008 * (2.0 * plan.y / ball_width) ** 2 * (1.0 - own)
    return rise + furrow + tips + convex


def _thickness(plan: Plan) -> Array:
    """Of the toe to which a node belongs, in lengths of the foot."""
    return np.array([toe.up for toe in TOES])[np.maximum(plan.toe, 0.0).astype(int)]


def back(plan: Plan, length: float) -> Array:
    """z of the back of the foot, m, before it is cut."""
    x = plan.x / length
    top, side = _curve(RIDGE, x), _curve(SHOULDER, x) * (1.0 + 0.12 * plan.v)
    dome = side + (top - side) * np.maximum(1.0 - plan.v**2, 0.0) ** 0.8
    own = _step(2.0 * plan.along)
    toe = _thickness(plan) * (1.0 - (1.0 - TOE_SIDE[1]) * near_border(plan))
    return length * np.where(plan.along > 0.0, (1.0 - own) * dome + own * toe, dome)
