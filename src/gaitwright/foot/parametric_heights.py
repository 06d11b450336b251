"""Side view of the parametric foot: heights of its sole and its back over each point of its plan, m."""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import PchipInterpolator

from gaitwright.foot.parametric_outline import TOES, FootPlan
from gaitwright.mesh.cell_kinds import Array

REFERENCE_LENGTH_M = 0.26
"""Length to which the profiles in m refer; they scale with the foot."""
ARCH_SPAN_RATIOS = (0.19, 0.44, 0.67)
"""Start, highest point and end of the arch, in foot lengths."""
ARCH_LINE_RATIO = 0.25
"""Distance of the line of the arch height from the heel-toe line, on the medial side, in ball widths."""
BORDER_RISE_PROFILE = ((0.0, 0.014), (0.16, 0.011), (0.40, 0.010), (0.70, 0.009), (0.83, 0.007))
"""Rise of the sole at the border, m, over foot length."""
BACK_RIDGE_PROFILE = (
    (0.0, 0.60),
    (0.34, 0.45),
    (0.42, 0.310),
    (0.50, 0.250),
    (0.60, 0.192),
    (0.70, 0.142),
    (0.80, 0.104),
    (1.0, 0.080),
)
BACK_BORDER_PROFILE = (
    (0.0, 0.60),
    (0.20, 0.46),
    (0.30, 0.28),
    (0.40, 0.165),
    (0.50, 0.120),
    (0.62, 0.095),
    (0.75, 0.082),
    (1.0, 0.065),
)
"""Height of the back of the foot along its middle and along its borders, in foot lengths."""
BORDER_ROUNDNESS = 0.82
"""Roundness of the sole at its borders: 1 would be vertical there and leave no room for cells."""
TOE_SIDE_RATIOS = (0.22, 0.72)
"""Heights, relative to the toe thickness, between which the sides of a toe are vertical."""
TOE_TIP_RISE_RATIO = 0.12
"""Rise of the tip of a toe, relative to its thickness."""
MIN_CUT_HEIGHT_RATIO, MAX_CUT_HEIGHT_RATIO = 0.14, 0.4
"""Range of the cut height, in foot lengths."""


def _interpolate_profile(knots: tuple[tuple[float, float], ...], x: Array) -> Array:
    places, values = np.array(knots).T
    return PchipInterpolator(places, values)(np.clip(x, 0.0, places[-1]))


def _smooth_step(t: Array) -> Array:
    """Smooth step from 0 to 1 between t = 0 and t = 1."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def border_proximity(plan: FootPlan) -> Array:
    """Border proximity: 0 inside, 1 at the border, with the steep slope of a round side: 1 - sqrt((1 - a p^4) (1 - a
    q^4)), a = BORDER_ROUNDNESS, relative to its maximum. The trunk's value blends into those of the toes beyond the
    web."""
    trunk = np.where(plan.along > 0.0, plan.v, plan.q)

    def side(p: Array, q: Array) -> Array:
        steep = np.sqrt(
            np.maximum((1.0 - BORDER_ROUNDNESS * p**4) * (1.0 - BORDER_ROUNDNESS * q**4), 1.0 - BORDER_ROUNDNESS)
        )
        return (1.0 - steep) / (1.0 - math.sqrt(1.0 - BORDER_ROUNDNESS))

    own = _smooth_step(2.5 * plan.along)
    return np.where(
        plan.along > 0.0,
        (1.0 - own) * side(np.zeros_like(trunk), trunk) + own * side(plan.p, plan.q),
        side(plan.p, plan.q),
    )


def arch_shape(plan: FootPlan, length: float, ball_width: float) -> Array:
    """Shape function of the longitudinal arch, 1 at its highest point: cos^2 along the foot, fading to the lateral
    side."""
    x, (start, top, end) = plan.x / length, ARCH_SPAN_RATIOS
    t = np.where(x < top, (top - x) / (top - start), (x - top) / (end - top))
    along = np.cos(0.5 * np.pi * np.clip(t, 0.0, 1.0)) ** 2
    across = 0.06 + 0.94 * _smooth_step((plan.y / ball_width + 0.30) / (ARCH_LINE_RATIO + 0.30)) ** 1.3
    return along * across * (plan.along == 0.0)


def sole_heights(plan: FootPlan, length: float, ball_width: float) -> Array:
    """z of the sole without its arch, m: round borders, the furrow behind the toes, upturned toe tips."""
    unit, own, thick = length / REFERENCE_LENGTH_M, _smooth_step(2.0 * plan.along), length * _toe_thickness(plan)
    rise = (1.0 - own) * unit * _interpolate_profile(BORDER_RISE_PROFILE, plan.x / length) + own * TOE_SIDE_RATIOS[
        0
    ] * thick
    rise = rise * border_proximity(plan)
    furrow = 0.0045 * np.exp(-(((plan.ball - 1.0) / 0.45) ** 2)) * (plan.ball > 0.0)
    after = 0.0045 * np.exp(-((plan.along / 0.25) ** 2))
    furrow = unit * np.where(plan.along > 0.0, after, furrow) * (1.0 - 0.8 * border_proximity(plan))
    tips = TOE_TIP_RISE_RATIO * thick * (np.maximum(plan.along - 0.6, 0.0) / 0.4) ** 2
    convex = unit * 0.0008 * (2.0 * plan.y / ball_width) ** 2 * (1.0 - own)
    return rise + furrow + tips + convex


def _toe_thickness(plan: FootPlan) -> Array:
    """Thickness of the toe to which each node belongs, in foot lengths."""
    return np.array([toe.up for toe in TOES])[np.maximum(plan.toe, 0.0).astype(int)]


def back_heights(plan: FootPlan, length: float) -> Array:
    """z of the back of the foot, m, before it is cut."""
    x = plan.x / length
    top, side = (
        _interpolate_profile(BACK_RIDGE_PROFILE, x),
        _interpolate_profile(BACK_BORDER_PROFILE, x) * (1.0 + 0.12 * plan.v),
    )
    dome = side + (top - side) * np.maximum(1.0 - plan.v**2, 0.0) ** 0.8
    own = _smooth_step(2.0 * plan.along)
    toe = _toe_thickness(plan) * (1.0 - (1.0 - TOE_SIDE_RATIOS[1]) * border_proximity(plan))
    return length * np.where(plan.along > 0.0, (1.0 - own) * dome + own * toe, dome)
