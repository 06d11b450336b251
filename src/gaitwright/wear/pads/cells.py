"""Cells of the skin below a pad: positions, areas, and their compression and shear under a rigid motion of the pad."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.pads.pad import CuffPad


@dataclass(frozen=True)
class PadCells:
    """Cells below a pad. along: (m,), m, and around: (k,), degrees from the pad's middle: positions of the cell centres.
    area: (c,), m^2, c = m k. places: (c, 3), m. normal: (c, 6), mean outward normal n and moment r x n over the cell,
    integrated exactly, so that a uniform pressure has its exact resultant; tangents: (c, 2, 6), along the limb and around
    it, with their moments. gap: (c,), m, between skin and pad if the pad's shape differs from the limb's."""

    along: Array
    around: Array
    area: Array
    places: Array
    normal: Array
    tangents: Array
    gap: Array


def build_pad_cells(pad: CuffPad) -> PadCells:
    """Build the cells of a pad on a cylinder or a cone."""
    rows, columns = pad.cells  # type: ignore[misc]
    dy, step = pad.width / rows, math.radians(pad.around) / columns
    y = dy * (np.arange(rows) + 0.5) - 0.5 * pad.width
    local = step * (np.arange(columns) + 0.5) - 0.5 * math.radians(pad.around)
    lower, upper = pad.radius  # type: ignore[misc]
    slope = (upper - lower) / pad.width
    slant = math.hypot(1.0, slope)
    height, turn = (part.ravel() for part in np.meshgrid(y, local, indexing="ij"))
    radius = pad.mean_radius + slope * height
    angle = turn + math.radians(pad.facing_angle or 0.0)
    cos, sin = np.cos(angle), np.sin(angle)
    shrink = math.sin(0.5 * step) / (0.5 * step)  # mean of the normal over the arc of a cell
    area = radius * step * dy * slant
    places = np.stack([radius * cos, height, radius * sin], axis=1)
    normal = np.stack([shrink * cos, np.full_like(cos, -slope), shrink * sin], axis=1) / slant
    upward = np.stack([slope * cos, np.ones_like(cos), slope * sin], axis=1) / slant
    sideways = np.stack([-sin, np.zeros_like(cos), cos], axis=1)
    tangents = np.stack([_append_moment(places, upward), _append_moment(places, sideways)], axis=1)
    gap = pad_gap(pad, turn, radius)
    return PadCells(y, np.degrees(local), area, places, _append_moment(places, normal), tangents, gap)


def _append_moment(places: Array, direction: Array) -> Array:
    return np.concatenate([direction, np.cross(places, direction)], axis=1)


def pad_gap(pad: CuffPad, turn: Array, radius: Array) -> Array:
    """Gap along the limb's normal below a pad of radius S that touches in its middle:
    R + g = D cos a + sqrt(S^2 - D^2 sin^2 a) with D = R - S; R/cos a for a flat pad. turn: angle a, rad; radius: R, m. Raises
    ModelError if the pad is too narrow for its angle."""
    if pad.shape is None:
        return np.zeros_like(turn)
    if math.isinf(pad.shape):
        return radius / np.cos(turn) - radius
    centre_offset = radius - pad.shape
    inside = pad.shape**2 - (centre_offset * np.sin(turn)) ** 2
    if np.any(inside < 0.0):
        pad.at["shape"].fail("is too narrow for the limb", pad.shape, "a radius nearer to that of the limb")
    return centre_offset * np.cos(turn) + np.sqrt(inside) - radius
