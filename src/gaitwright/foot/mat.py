"""Soft mat on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.solid_shapes import box
from gaitwright.model.model import Model
from gaitwright.model.surfaces import SolidSurface

MAT_TO_SOLE_CELL_RATIO = 1.2
"""Cell size of a mat relative to that of the sole. Points of the sole press on faces of the mat; smaller faces would
bulge between them."""
MAT_MARGIN_M = 0.03
"""Default margin of a mat around the sole as drawn, m."""


@dataclass(frozen=True)
class Mat(SoftLayer):
    """A mat as ground: Foot.stand(ground=gw.foot.Mat(0.02, 2e5)). level: m, of its top. sides: m, (along x, along y), and
    size: m, of its cells, for finite elements; by default from the foot and the thickness.

    With the speed full it is a solid fixed to the ground; with foundation, a layer of independent springs in series with the
    tissue."""

    level: float = 0.0
    sides: Sequence[float] | None = None
    size: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        at = ErrorContext("mat")
        at["level"].finite(self.level, "m")
        if self.size is not None:
            at["size"].positive(self.size, "m")
        for side in self.sides or ():
            at["sides"].positive(side, "m")

    def put(self, model: Model, name: str, sole: Array, spacing: float) -> SolidSurface:
        """Add the solid. Return its top as contact surface. sole: nodes (n, 3) of the sole as drawn, m, `spacing`
        apart, m."""
        low, high = sole[:, :2].min(axis=0), sole[:, :2].max(axis=0)
        sides = np.array(self.sides) if self.sides is not None else high - low + 2.0 * MAT_MARGIN_M
        size = self.size or max(0.5 * self.thickness, MAT_TO_SOLE_CELL_RATIO * spacing)
        counts = [*np.ceil(sides / size).astype(int), max(2, round(self.thickness / size))]
        mesh = box((*sides, self.thickness), [int(n) for n in counts])
        # A box has its corner or its middle at the origin; shift it so that the foot stands over its middle.
        shift = (
            np.array([*(0.5 * (low + high)), self.level]) - mesh.bounds.mean(axis=0) - [0.0, 0.0, 0.5 * self.thickness]
        )
        model.solid(name, mesh, at=shift.tolist(), fixed="bottom", material=self.material())
        return SolidSurface(name, "top")
