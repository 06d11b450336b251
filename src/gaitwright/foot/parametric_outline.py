"""Plan view of the parametric foot: a lattice of points between heel, borders and toes, in proportions.

Lines run from the heel through the ball to the web of the toes, and on into five toes. Toes share their nodes at the web and
none beyond it. Proportions are of a right foot, medial is y > 0; along the foot in foot lengths, across in ball widths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator

from gaitwright.mesh.cell_kinds import Array

METATARSAL_HEAD_RATIOS = (0.64, 0.73)
"""Positions of the heads of metatarsals 5 and 1 along the foot. Metatarsal 1: ball of foot length 195 mm of 263 mm,
0.74 (means of 6068 men and women, C. C. Gordon et al., 2012 Anthropometric Survey of U.S. Army Personnel,
Natick/TR-15/007, 2014). Metatarsal 5 and the values below are drawn by eye."""
TOE_WEB_RATIOS = (0.765, 0.835)
"""Positions where toe 5 and the hallux separate from the foot, in foot lengths."""
HEEL_LINE_RATIO = 0.16
"""Position of the heel width measurement, in foot lengths: 40 mm of 250 mm from its end."""
MEDIAL_BORDER_PROFILE = (
    (HEEL_LINE_RATIO, None),
    (0.30, 0.345),
    (0.45, 0.350),
    (0.60, 0.405),
    (METATARSAL_HEAD_RATIOS[1], 0.440),
    (0.84, 0.405),
    (1.0, 0.40),
)
LATERAL_BORDER_PROFILE = (
    (HEEL_LINE_RATIO, None),
    (0.30, 0.395),
    (0.45, 0.465),
    (METATARSAL_HEAD_RATIOS[0], 0.560),
    (0.70, 0.552),
    (0.78, 0.500),
    (1.0, 0.48),
)
"""Distances of the borders from the heel-toe line, in ball widths; None: half the heel width."""
CORNER_ROUNDING = 0.45
"""Rounding of squares to discs: one half gives a disc; less keeps an angle at the corners of cells."""


@dataclass(frozen=True)
class Toe:
    """Proportions of a toe. share: of the web. tip: forward position, in foot lengths. across: lateral position of
    its end, in ball widths. half: half width there, in ball widths. up: thickness, in foot lengths."""

    share: float
    tip: float
    across: float
    half: float
    up: float


TOES = (
    Toe(0.317, 1.0, 0.266, 0.124, 0.082),
    Toe(0.202, 0.985, 0.010, 0.072, 0.066),
    Toe(0.160, 0.952, -0.143, 0.066, 0.063),
    Toe(0.151, 0.910, -0.286, 0.062, 0.061),
    Toe(0.170, 0.862, -0.424, 0.062, 0.060),
)
"""Toes from the hallux to toe 5."""


@dataclass(frozen=True)
class FootPlan:
    """Lattice in plan view. x, y: (n,), m. p, q: (n,) proximity of each node to an end and to a border of its trunk
    or toe, 0 in the middle, +-1 there. v: (n,) from -1 at the lateral border of the foot to 1. toe: (n,) 0 for the
    hallux, ... along: (n,) 0 from the heel to the web, up to 1 at the tip of the toe. ball: (n,) from -1 at the
    heel, 0 on the ball, to 1 at the web. triangles: (t, 3), counter-clockwise from above."""

    x: Array
    y: Array
    p: Array
    q: Array
    v: Array
    toe: Array
    along: Array
    ball: Array
    triangles: Array


def round_square(p: Array, q: Array) -> tuple[Array, Array]:
    """Round a square towards p = 1."""
    return p * np.sqrt(1.0 - CORNER_ROUNDING * q**2), q * np.sqrt(1.0 - CORNER_ROUNDING * p**2)


def border_curves(length: float, ball_width: float, heel_width: float) -> tuple[PchipInterpolator, PchipInterpolator]:
    """y of the medial and the lateral border, m, as functions of x, m."""
    curves = []
    for knots, sign in ((MEDIAL_BORDER_PROFILE, 1.0), (LATERAL_BORDER_PROFILE, -1.0)):
        x = [length * knot[0] for knot in knots]
        y = [sign * (0.5 * heel_width if knot[1] is None else ball_width * knot[1]) for knot in knots]
        curves.append(PchipInterpolator([-1e-9, *x], [y[0], *y]))
    return curves[0], curves[1]


def make_foot_plan(length: float, ball_width: float, heel_width: float, size: float) -> FootPlan:
    """Make the lattice with cells of about a size, m. The result is deterministic."""
    columns = [max(2, round(toe.share * 0.9 * ball_width / size)) for toe in TOES]
    rows, toe_rows = max(12, round(0.8 * length / size)), max(3, round(0.17 * length / size))
    edges = 1.0 - 2.0 * np.concatenate([[0.0], np.cumsum([toe.share for toe in TOES])])
    v = np.concatenate([[edges[0]], *(np.linspace(edges[k], edges[k + 1], n + 1)[1:] for k, n in enumerate(columns))])
    main = _trunk_lattice(length, ball_width, heel_width, v, np.linspace(0.0, 1.0, rows + 1))
    parts, count = [main], len(main[0])
    numbers = [np.arange(count).reshape(rows + 1, len(v))]
    last, first = numbers[0][-1], 0
    for k, n in enumerate(columns):
        mine = slice(first, first + n + 1)
        toe = _toe_lattice(length, ball_width, k, v[mine], main[0][last[mine]], main[1][last[mine]], toe_rows)
        grid = count + np.arange(toe_rows * (n + 1)).reshape(toe_rows, n + 1)
        numbers.append(np.concatenate([last[mine][None], grid]))
        parts.append(toe)
        count, first = count + grid.size, first + n
    x, y, p, q, whole, toe, along, ball = (np.concatenate(one) for one in zip(*parts, strict=True))
    triangles = np.concatenate([_lattice_triangles(grid) for grid in numbers])
    return FootPlan(x, y, p, q, whole, toe, along, ball, triangles)


def _trunk_lattice(length: float, ball_width: float, heel_width: float, v: Array, u: Array) -> tuple[Array, ...]:
    """Lattice of the trunk, from the heel to the web of the toes."""
    medial, lateral = border_curves(length, ball_width, heel_width)
    side = 0.5 * (1.0 + v)
    at_ball, at_web = (length * (low + (high - low) * side) for low, high in (METATARSAL_HEAD_RATIOS, TOE_WEB_RATIOS))
    ball_u = float(np.mean(METATARSAL_HEAD_RATIOS) / np.mean(TOE_WEB_RATIOS))
    heel = 0.55 * heel_width  # length of the round part of the heel
    rows = []
    for part in u:
        x = at_ball * part / ball_u if part <= ball_u else at_ball + (at_web - at_ball) * (part - ball_u) / (1 - ball_u)
        ball = np.full_like(v, part / ball_u - 1.0 if part <= ball_u else (part - ball_u) / (1.0 - ball_u))
        x_straight = length * np.mean(METATARSAL_HEAD_RATIOS) * part / ball_u
        p = np.full_like(v, max(0.0, 1.0 - x_straight / heel))
        across = v.copy()
        if p[0] > 0.0:
            back, across = round_square(p, v)
            x = heel * (1.0 - back)
        elif part <= ball_u:  # the slant of the ball line begins where the round of the heel ends
            slant = (x_straight - heel) / (length * np.mean(METATARSAL_HEAD_RATIOS) - heel)
            x = x_straight + slant * (at_ball - length * np.mean(METATARSAL_HEAD_RATIOS))
        inner, outer = medial(np.maximum(x, 0.0)), lateral(np.maximum(x, 0.0))
        y = 0.5 * (inner + outer) + 0.5 * (inner - outer) * across
        rows.append((x, y, p, v, v, np.full_like(v, -1.0), np.zeros_like(v), ball))
    return tuple(np.concatenate(column) for column in zip(*rows, strict=True))


def _toe_lattice(
    length: float, ball_width: float, number: int, v: Array, x_web: Array, y_web: Array, rows: int
) -> tuple[Array, ...]:
    toe = TOES[number]
    q = np.linspace(1.0, -1.0, len(v))
    half, middle = toe.half * ball_width, toe.across * ball_width
    root = length * toe.tip - 1.15 * half  # where its round end begins
    rows_of_nodes = []
    for along in np.arange(1, rows + 1) / rows:
        reach = (length * toe.tip - x_web.mean()) * along + x_web.mean()
        p = np.full_like(q, max(0.0, (reach - root) / (length * toe.tip - root)))
        ahead, across = round_square(p, q)
        straight = x_web + (root - x_web) * min(1.0, (reach - x_web.mean()) / (root - x_web.mean()))
        x = straight + (length * toe.tip - root) * ahead
        # Blend by x distance and not by row: neighbouring toes then separate uniformly.
        blend = np.clip((x - x_web) / (0.06 * length), 0.0, 1.0)
        blend = blend * (2.0 - blend)
        y = (1.0 - blend) * y_web + blend * (middle + half * across)
        rows_of_nodes.append((x, y, p, q, v, np.full_like(q, number), np.full_like(q, along), np.ones_like(q)))
    return tuple(np.concatenate(column) for column in zip(*rows_of_nodes, strict=True))


def _lattice_triangles(grid: Array) -> Array:
    """Triangles of a lattice of nodes, rows forward, columns from medial to lateral. Diagonals point to the nearest
    corner, since a triangle with two sides on a round corner would be flat."""
    a, b = grid[:-1, :-1].reshape(-1), grid[1:, :-1].reshape(-1)
    d, c = grid[:-1, 1:].reshape(-1), grid[1:, 1:].reshape(-1)
    rows, columns = (n - 1 for n in grid.shape)
    i, j = (k.reshape(-1) for k in np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij"))
    same = ((i < rows / 2) == (j < columns / 2))[:, None]
    one = np.where(same, np.stack([a, d, c], axis=1), np.stack([a, d, b], axis=1))
    two = np.where(same, np.stack([a, c, b], axis=1), np.stack([d, c, b], axis=1))
    return np.concatenate([one, two])
