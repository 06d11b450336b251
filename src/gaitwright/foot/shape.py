"""The shape of a foot: its closed surface in the frame of a foot.

The frame: x forward from heel to toe, y to the left, z up; the end of the heel has x = 0, the lowest point of the sole z = 0,
and the heel-toe line, from the middle of the heel to the second toe, y = 0. A right foot has its big toe at y > 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gaitwright.checks import At
from gaitwright.foot.measures import Measures, measured
from gaitwright.mesh.mesh import Mesh

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.foot.drawn import Drawing

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
SIZE = 0.0075
"""Of the cells of a filled foot unless told, m."""


def side_of(side: Any, at: At) -> Side:
    """'left' or 'right'."""
    return at["side"].one_of(side, SIDES, "is not a side of the body")


@dataclass(frozen=True, eq=False)
class FootShape:
    """surface: closed, of triangles, in the frame of a foot, m. side: 'left' or 'right'. notes: what was found and decided on
    the way. origin: from what it was made. drawing: of a foot that was drawn, what fills it without a mesher."""

    surface: Mesh
    side: Side
    notes: tuple[str, ...] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)
    drawing: Drawing | None = None

    def __post_init__(self) -> None:
        at = At("foot")
        side_of(self.side, at)
        if not self.surface.is_surface or len(self.surface.boundary):
            at["surface"].fail(
                "is not closed", self.surface, "a closed surface of triangles: gw.mesh.repaired closes holes"
            )
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "origin", MappingProxyType(dict(self.origin)))

    def __repr__(self) -> str:
        found = self.measures
        return f"FootShape({self.side}, {1e3 * found.length:.0f} mm long, {len(self.surface.cells)} triangles)"

    @cached_property
    def measures(self) -> Measures:
        """Length, widths, arch and area, of the surface as it is."""
        return measured(self.surface, self.side)

    @property
    def medial(self) -> float:
        """The sign of y on the side of the big toe."""
        return 1.0 if self.side == "right" else -1.0

    def mirrored(self) -> FootShape:
        """The other foot of the pair."""
        other: Side = "left" if self.side == "right" else "right"
        return replace(
            self, surface=mirrored(self.surface), side=other, origin={**self.origin, "mirrored": True},
            drawing=None if self.drawing is None else replace(self.drawing, side=other),
        )  # fmt: skip

    def fill(self, size: float = SIZE) -> Mesh:
        """Tetrahedra of about a size, m, with the regions sole (what looks down) and cut (the flat top).

        A drawn foot has layers of its own, the same whenever it is asked for; a scanned one is filled by fTetWild
        (mesh/filling.py), which takes longer and never makes the same mesh twice: keep it as a file."""
        size = At("foot", "size").positive(size, "m")
        if self.drawing is not None:
            return self.drawing.filled(size)
        from gaitwright.foot.drawn import with_regions
        from gaitwright.mesh.filling import fill

        return with_regions(fill(self.surface, size), self.measures.height)

    def plot(self, path: str | Path | None = None, view: str = "sole") -> Figure:
        """A picture: its sole with areas and measures, or its surface with the axes of the frame."""
        from gaitwright.report.views.foot_pictures import draw_sole, draw_surface

        views = {"sole": draw_sole, "surface": draw_surface}
        return views[At("foot", "view").one_of(view, tuple(views))](self, path)


def mirrored(surface: Mesh) -> Mesh:
    """y -> -y, with triangles still seen from outside."""
    return replace(surface, nodes=surface.nodes * np.array([1.0, -1.0, 1.0]), cells=surface.cells[:, [1, 0, 2]])
