"""Smooth surfaces that straight cells only approximate: midpoint nodes of their edges can be projected onto them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.mesh.cell_kinds import Array


@dataclass(frozen=True)
class SphereOrCylinder:
    """A sphere (in the plane: a circle), or with an axis the cylinder about it. Called with points (n, d), m, it returns
    their nearest points on it; for points at the centre or on the axis, one of many."""

    radius: float
    centre: tuple[float, ...] | None = None
    axis: tuple[float, float, float] | None = None

    def __call__(self, points: Array) -> Array:
        centre = np.zeros(points.shape[1]) if self.centre is None else np.asarray(self.centre, dtype=float)
        arm = points - centre
        along = np.zeros_like(arm)
        if self.axis is not None:
            axis = np.asarray(self.axis, dtype=float) / np.linalg.norm(self.axis)
            along = np.outer(arm @ axis, axis)
        across = arm - along
        size = np.linalg.norm(across, axis=1, keepdims=True)
        across = np.where(size > 0.0, across, self._aside(points.shape[1]))
        return centre + along + across * (self.radius / np.where(size > 0.0, size, 1.0))

    def _aside(self, dimension: int) -> Array:
        """A radial direction for points without a unique nearest point."""
        if self.axis is None:
            return np.eye(dimension)[0]
        axis = np.asarray(self.axis, dtype=float)
        across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        return across / np.linalg.norm(across)
