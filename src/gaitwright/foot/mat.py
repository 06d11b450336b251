"""A soft mat on the ground, on which a foot stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gaitwright.checks import At
from gaitwright.foot.layer import Layer
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.solid_shapes import box
from gaitwright.model.model import Model
from gaitwright.model.surfaces import SolidSurface

COARSER = 1.2
"""Cells of a mat against those of the sole: points of the sole press on faces of the mat, which would bulge between them."""
MARGIN = 0.03
"""How far a mat reaches beyond the sole as drawn, m, unless told."""


@dataclass(frozen=True)
class Mat(Layer):
    """A mat as a ground: Foot.stand(ground=gw.foot.Mat(0.02, 2e5)). level: m, of its top. sides: m, (along x, along y), and
    size: m, of its cells, for finite elements; of the foot and of the thickness unless given.

    With the speed full it is a solid that lies fast on the ground; with foundation, a layer in series with the tissue, of which
    every place gives way by itself."""

    level: float = 0.0
    sides: Sequence[float] | None = None
    size: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        at = At("mat")
        at["level"].finite(self.level, "m")
        if self.size is not None:
            at["size"].positive(self.size, "m")
        for side in self.sides or ():
            at["sides"].positive(side, "m")

    def put(self, model: Model, name: str, sole: Array, spacing: float) -> SolidSurface:
        """The solid, and its top as what is touched. sole: places (n, 3) of the foot as drawn, m, `spacing` apart, m."""
        low, high = sole[:, :2].min(axis=0), sole[:, :2].max(axis=0)
        sides = np.array(self.sides) if self.sides is not None else high - low + 2.0 * MARGIN
        size = self.size or max(0.5 * self.thickness, COARSER * spacing)
        counts = [*np.ceil(sides / size).astype(int), max(2, round(self.thickness / size))]
        mesh = box((*sides, self.thickness), [int(n) for n in counts])
        # A box has its corner or its middle at the origin: laid so that the foot is over its middle.
        shift = (
            np.array([*(0.5 * (low + high)), self.level]) - mesh.bounds.mean(axis=0) - [0.0, 0.0, 0.5 * self.thickness]
        )
        model.solid(name, mesh, at=shift.tolist(), fixed="bottom", material=self.material())
        return SolidSurface(name, "top")
