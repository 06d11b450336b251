"""Bodies that deform in pictures of the plane: triangles coloured by a field, edges of elements, outlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.deforming import DeformingBody, Showing
from gaitwright.report.fields import FieldScale
from gaitwright.report.mesh_faces import subdivided

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PIECE = 0.008
"""About how large a triangle of one colour may be, in widths of the picture."""
MOST_TRIANGLES = 40_000
"""Of a body; a finer mesh is drawn as it is."""
INK = (0.06, 0.08, 0.11)


def draw_body(
    ax: Axes, body: DeformingBody, frame: int, colour: str, scale: FieldScale | None, showing: Showing, *,
    ghost: bool = False,
) -> None:  # fmt: skip
    """One frame into axes. ghost: faintly, without field and edges."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgb

    nodes, field = body.at(frame, showing.exaggeration), body.quantity(scale.name) if scale else None
    if ghost or scale is None or field is None:
        # Opaque: of triangles that can be seen through, the seams are seen.
        white = 0.9 if ghost else 0.55
        shape, paint = nodes[body.faces], np.array([to_rgb(colour)]) * (1 - white) + white
    else:
        small = _small(np.concatenate([nodes[body.faces], field.values[frame][body.faces][..., None]], axis=2), ax)
        shape, paint = small[..., :2], scale.rgb(small[..., 2].mean(axis=1))
    depth = 1.8 if ghost else 4.0
    filled = PolyCollection(list(shape), facecolors=paint, edgecolors=paint, linewidths=0.3, zorder=depth)
    ax.add_collection(filled, autolim=False)
    lines = [(body.outline, 1.0, 0.3 if ghost else 0.75)]
    if showing.edges and not ghost:
        lines.append((body.edges, 0.4, 0.3))
    for pairs, width, strength in lines:
        drawn = LineCollection(list(nodes[pairs]), colors=[(*INK, strength)], linewidths=width, zorder=depth + 0.1)
        ax.add_collection(drawn, autolim=False)


def _small(triangles: np.ndarray, ax: Axes) -> np.ndarray:
    """Triangles (n, 3, 3) with values as third numbers, so small that each may have one colour."""
    left, right = ax.get_xlim()
    long = float(np.quantile(np.linalg.norm(triangles[:, 1, :2] - triangles[:, 0, :2], axis=1), 0.9))
    most = max(np.sqrt(MOST_TRIANGLES / len(triangles)), 1)
    return subdivided(triangles, int(np.clip(np.ceil(long / (PIECE * (right - left))), 1, most)))
