"""A foot that rolls, as it is drawn: its skin goes with the cores below it, its sole is coloured by pressure.

Between two cores the skin goes with both, so that it bends over a hinge. That is for the eye: forces do not know of it. The
sole, which nobody sees while it stands on it, lies beside it once more, as it was drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.geometry.rotation import matrix_of
from gaitwright.report.deforming import DeformingBody, Showing
from gaitwright.report.fields import Field
from gaitwright.report.spatial_scene import SpaceScene

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.rolling import Rolling

BENDS = 0.06
"""Along how much of the foot the skin bends over a hinge, in its lengths."""
SOLE = -0.25
"""Upward part of the normal of what counts as sole."""
FRAMES = 60
SKIN = "#d9b8a0"
BESIDE, THIN = 1.6, 1e-3
"""How far the sole lies beside the foot, in widths of its ball, and over the ground, m."""
NO_EDGES = np.zeros((0, 2), dtype=int)


def rolling_scene(rolled: Rolling, frames: int = FRAMES) -> SpaceScene:
    """The foot on its way, with the force of the ground at the centre of pressure; on level ground."""
    chosen = np.unique(np.linspace(0, len(rolled.time) - 1, frames).round().astype(int))
    skin, pressure = rolled.foot.shape.surface, pressure_at_skin(rolled, chosen)
    sole = skin.side_normals[:, 2] < SOLE
    points = skin_along(rolled, chosen)
    away = -BESIDE * rolled.foot.shape.medial * rolled.foot.shape.measures.ball_width
    beside = skin.nodes + np.array([0.0, away, 0.0])
    beside = np.repeat(np.where([True, True, False], beside, THIN)[None], len(chosen), axis=0)
    under = skin.cells[sole]
    bodies = [
        DeformingBody("foot", *_with_nodes(skin.cells[~sole], points), edges=NO_EDGES, colour=SKIN),
        _coloured("sole", under, points, pressure),
        _coloured("its sole, beside it", under[:, ::-1], beside, pressure),
    ]
    centre = np.nan_to_num(np.column_stack([rolled.centre_of_pressure, np.zeros(len(rolled.time))]))[chosen]
    return SpaceScene(
        "one step", rolled.time[chosen], deforming=bodies, floor=0.0, showing=Showing(edges=False),
        forces={"ground": (centre, rolled.force[chosen])}, traces={"centre of pressure": centre},
    )  # fmt: skip


def _coloured(name: str, faces: np.ndarray, points: np.ndarray, pressure: np.ndarray) -> DeformingBody:
    kept = np.unique(faces)
    field = Field("pressure", "Pa", pressure[:, kept], on_surface=True)
    return DeformingBody(name, *_with_nodes(faces, points), [field], edges=NO_EDGES, colour=SKIN)


def _with_nodes(faces: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that some faces have, and these in their numbers."""
    kept, flat = np.unique(faces, return_inverse=True)
    return points[:, kept], flat.reshape(faces.shape)


def skin_along(rolled: Rolling, chosen: np.ndarray) -> np.ndarray:
    """Where the nodes of the skin are, (frames, nodes, 3), m; none of them below the ground."""
    foot, placing, run = rolled.foot, rolled.placing, rolled.run
    nodes = foot.shape.surface.nodes
    found = np.zeros((len(chosen), len(nodes), 3))
    for core, weight in weights(foot, nodes).items():
        part: Any = run.mechanism.parts[placing.bodies[core]]
        drawn, rotation = part.drawn[:3], matrix_of(part.drawn[None])[0]
        mine = np.flatnonzero(weight > 0.0)
        local = (placing.to_ground(nodes[mine]) - drawn) @ rotation
        found[:, mine] += weight[mine, None] * part.positions(run.motion.q[chosen], local)
    found[..., 2] = np.maximum(found[..., 2], 0.0)
    return found


def weights(foot: Foot, points: np.ndarray) -> dict[str, np.ndarray]:
    """How much points (n, 3) of the drawn foot go with each core."""
    left = np.ones(len(points))
    found: dict[str, np.ndarray] = {}
    for hinge in foot.anatomy.hinges:
        ahead = -np.cross(hinge.axis, points - hinge.at)[:, 2] / (BENDS * foot.shape.measures.length) + 0.5
        ahead = np.clip(ahead, 0.0, 1.0)
        ahead = ahead * ahead * (3.0 - 2.0 * ahead)
        found[hinge.a] = left * (1.0 - ahead)
        left = left * ahead
    return {**found, foot.anatomy.cores[-1].name: left}


def pressure_at_skin(rolled: Rolling, chosen: np.ndarray) -> np.ndarray:
    """Of the cell that each node of the sole lies in, (frames, nodes), Pa; none above."""
    from scipy.ndimage import map_coordinates

    found, skin = rolled.pressure, rolled.foot.shape.surface
    below = skin.node_normals[:, 2] < SOLE
    x, y = ((skin.nodes[:, k] - found.maps[axis].values[0]) / found.cell for k, axis in enumerate("xy"))
    maps = found.maps.values[chosen]
    return np.stack([np.where(below, map_coordinates(one, [y, x], order=1), 0.0) for one in maps])
