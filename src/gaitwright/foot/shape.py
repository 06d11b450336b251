"""Shape of a foot: its closed surface in the frame of a foot.

Frame: x forward from heel to toe, y to the left, z up. The end of the heel has x = 0, the lowest point of the sole z = 0, and
the heel-toe line, from the middle of the heel to the second toe, y = 0. A right foot has its big toe at y > 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.measures import FootMeasures, measure_foot
from gaitwright.mesh.mesh import Mesh

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.foot.parametric_shape import ParametricFootDimensions

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
DEFAULT_CELL_SIZE_M = 0.0075
"""Default cell size of a filled foot, m."""


def check_side(side: Any, at: ErrorContext) -> Side:
    """Validate a side: 'left' or 'right'."""
    return at["side"].one_of(side, SIDES, "is not a side of the body")


@dataclass(frozen=True, eq=False)
class FootShape:
    """Closed surface of a foot. surface: triangles in the frame of a foot, m. side: 'left' or 'right'. notes:
    detection results and decisions. origin: data of its source. drawing: dimensions of a parametric foot, which is
    filled without a mesher."""

    surface: Mesh
    side: Side
    notes: tuple[str, ...] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)
    drawing: ParametricFootDimensions | None = None

    def __post_init__(self) -> None:
        at = ErrorContext("foot")
        check_side(self.side, at)
        if not self.surface.is_surface or len(self.surface.boundary):
            at["surface"].fail(
                "is not closed", self.surface, "a closed surface of triangles: gw.mesh.repaired closes holes"
            )
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "origin", MappingProxyType(dict(self.origin)))

    def __repr__(self) -> str:
        measures = self.measures
        return f"FootShape({self.side}, {1e3 * measures.length:.0f} mm long, {len(self.surface.cells)} triangles)"

    @cached_property
    def measures(self) -> FootMeasures:
        """Length, widths, arch and area of the surface."""
        return measure_foot(self.surface, self.side)

    @property
    def medial(self) -> float:
        """Sign of y on the side of the big toe."""
        return 1.0 if self.side == "right" else -1.0

    def mirrored(self) -> FootShape:
        """Return the opposite foot of the pair."""
        other: Side = "left" if self.side == "right" else "right"
        return replace(
            self, surface=mirror_surface(self.surface), side=other, origin={**self.origin, "mirrored": True},
            drawing=None if self.drawing is None else replace(self.drawing, side=other),
        )  # fmt: skip

    def scaled(self, scale: Sequence[float]) -> FootShape:
        """Return the shape scaled along its axes. scale: of length, width and height, all positive."""
        at = ErrorContext("foot", "scale")
        factors = np.array([at.positive(factor) for factor in scale])
        surface = replace(self.surface, nodes=self.surface.nodes * factors)
        return replace(self, surface=surface, origin={**self.origin, "scaled": factors.tolist()}, drawing=None)

    def fill(self, size: float = DEFAULT_CELL_SIZE_M) -> Mesh:
        """Fill with tetrahedra of about a size, m, with the regions sole (facets that face down) and cut (the flat top).

        A parametric foot has structured layers and a deterministic mesh. A scanned foot is filled by fTetWild
        (mesh/filling.py), which takes longer and never makes the same mesh twice: save it as a file."""
        size = ErrorContext("foot", "size").positive(size, "m")
        if self.drawing is not None:
            return self.drawing.filled(size)
        from gaitwright.foot.parametric_shape import add_sole_and_cut_regions
        from gaitwright.mesh.filling import fill

        return add_sole_and_cut_regions(fill(self.surface, size), self.measures.height)

    def plot(self, path: str | Path | None = None, view: str = "sole") -> Figure:
        """Draw its sole with areas and measures, or its surface with the axes of the frame."""
        from gaitwright.report.views.foot_plots import draw_sole, draw_surface

        views = {"sole": draw_sole, "surface": draw_surface}
        return views[ErrorContext("foot", "view").one_of(view, tuple(views))](self, path)


def mirror_surface(surface: Mesh) -> Mesh:
    """Mirror y -> -y and keep the outward orientation of triangles."""
    return replace(surface, nodes=surface.nodes * np.array([1.0, -1.0, 1.0]), cells=surface.cells[:, [1, 0, 2]])
