"""Deforming bodies in planar pictures: triangles coloured by a field, edges of elements, outlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.scenes.deformable_body import DeformationDisplay, DeformingBody
from gaitwright.report.scenes.mesh_faces import subdivide_triangles
from gaitwright.report.scenes.nodal_field import FieldScale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_PIECE_WIDTH_RATIO = 0.008
"""Approximate size of triangles of one colour, relative to the width of the picture."""
MAX_TRIANGLES = 40_000
"""Maximum number of triangles of a body after subdivision; a finer mesh is drawn unchanged."""
EDGE_RGB = (0.06, 0.08, 0.11)


def draw_deforming_body(
    ax: Axes, body: DeformingBody, frame: int, colour: str, scale: FieldScale | None, showing: DeformationDisplay, *,
    ghost: bool = False,
) -> None:  # fmt: skip
    """Draw one frame into axes. ghost: faint, without field and edges."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgb

    nodes, field = body.at(frame, showing.exaggeration), body.quantity(scale.name) if scale else None
    if ghost or scale is None or field is None:
        # Opaque: transparent triangles would show their seams.
        white = 0.9 if ghost else 0.55
        shape, paint = nodes[body.faces], np.array([to_rgb(colour)]) * (1 - white) + white
    else:
        small = _refine_triangles(
            np.concatenate([nodes[body.faces], field.values[frame][body.faces][..., None]], axis=2), ax
        )
        shape, paint = small[..., :2], scale.rgb(small[..., 2].mean(axis=1))
    depth = 1.8 if ghost else 4.0
    filled = PolyCollection(list(shape), facecolors=paint, edgecolors=paint, linewidths=0.3, zorder=depth)
    ax.add_collection(filled, autolim=False)
    lines = [(body.outline, 1.0, 0.3 if ghost else 0.75)]
    if showing.edges and not ghost:
        lines.append((body.edges, 0.4, 0.3))
    for pairs, width, strength in lines:
        drawn = LineCollection(list(nodes[pairs]), colors=[(*EDGE_RGB, strength)], linewidths=width, zorder=depth + 0.1)
        ax.add_collection(drawn, autolim=False)


def _refine_triangles(triangles: np.ndarray, ax: Axes) -> np.ndarray:
    """Subdivide triangles (n, 3, 3), with values as third numbers, so that each may have one colour."""
    left, right = ax.get_xlim()
    long = float(np.quantile(np.linalg.norm(triangles[:, 1, :2] - triangles[:, 0, :2], axis=1), 0.9))
    most = max(np.sqrt(MAX_TRIANGLES / len(triangles)), 1)
    return subdivide_triangles(
        triangles, int(np.clip(np.ceil(long / (MAX_PIECE_WIDTH_RATIO * (right - left))), 1, most))
    )
