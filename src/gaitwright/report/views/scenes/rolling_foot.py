"""Scene of a rolling foot: its skin follows the cores below it, its sole is coloured by pressure.

Between two cores the skin is interpolated, so that it bends over a hinge. This is for display only, without effect on the
forces. The sole, which is hidden during stance, is shown a second time beside the foot, in its drawn shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.geometry.rotation import matrix_of
from gaitwright.report.scenes.deformable_body import DeformationDisplay, DeformingBody
from gaitwright.report.scenes.nodal_field import NodalField
from gaitwright.report.scenes.spatial_scene import SpatialScene

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.rolling import RollingResult

HINGE_BEND_LENGTH_RATIO = 0.06
"""Length of the bending zone of the skin over a hinge, relative to the length of the foot."""
MAX_SOLE_NORMAL_Z = -0.25
"""Upper limit of the z component of the normal for a face of the sole."""
DEFAULT_FRAME_COUNT = 60
SKIN_COLOUR = "#d9b8a0"
SOLE_OFFSET_RATIO, SOLE_HEIGHT_M = 1.6, 1e-3
"""Lateral offset of the second sole, relative to the ball width, and its height over the ground, m."""
NO_EDGES = np.zeros((0, 2), dtype=int)


def rolling_scene(rolled: RollingResult, frames: int = DEFAULT_FRAME_COUNT) -> SpatialScene:
    """Scene of the rolling foot, with the ground force at the centre of pressure; on level ground."""
    chosen = np.unique(np.linspace(0, len(rolled.time) - 1, frames).round().astype(int))
    skin, pressure = rolled.foot.shape.surface, skin_pressure(rolled, chosen)
    sole = skin.side_normals[:, 2] < MAX_SOLE_NORMAL_Z
    points = skin_positions(rolled, chosen)
    away = -SOLE_OFFSET_RATIO * rolled.foot.shape.medial * rolled.foot.shape.measures.ball_width
    beside = skin.nodes + np.array([0.0, away, 0.0])
    beside = np.repeat(np.where([True, True, False], beside, SOLE_HEIGHT_M)[None], len(chosen), axis=0)
    under = skin.cells[sole]
    bodies = [
        DeformingBody("foot", *_extract_nodes(skin.cells[~sole], points), edges=NO_EDGES, colour=SKIN_COLOUR),
        _pressure_body("sole", under, points, pressure),
        _pressure_body("its sole, beside it", under[:, ::-1], beside, pressure),
    ]
    centre = np.nan_to_num(np.column_stack([rolled.centre_of_pressure, np.zeros(len(rolled.time))]))[chosen]
    return SpatialScene(
        "one step", rolled.time[chosen], deforming=bodies, floor=0.0, showing=DeformationDisplay(edges=False),
        forces={"ground": (centre, rolled.force[chosen])}, traces={"centre of pressure": centre},
    )  # fmt: skip


def _pressure_body(name: str, faces: np.ndarray, points: np.ndarray, pressure: np.ndarray) -> DeformingBody:
    used = np.unique(faces)
    field = NodalField("pressure", "Pa", pressure[:, used], on_surface=True)
    return DeformingBody(name, *_extract_nodes(faces, points), [field], edges=NO_EDGES, colour=SKIN_COLOUR)


def _extract_nodes(faces: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes used by some faces, and the faces renumbered."""
    used, flat = np.unique(faces, return_inverse=True)
    return points[:, used], flat.reshape(faces.shape)


def skin_positions(rolled: RollingResult, chosen: np.ndarray) -> np.ndarray:
    """Positions of the skin nodes, (frames, nodes, 3), m; clipped at the ground."""
    foot, placing, run = rolled.foot, rolled.placing, rolled.run
    nodes = foot.shape.surface.nodes
    positions = np.zeros((len(chosen), len(nodes), 3))
    for core, weight in core_weights(foot, nodes).items():
        part: Any = run.mechanism.parts[placing.bodies[core]]
        drawn, rotation = part.drawn[:3], matrix_of(part.drawn[None])[0]
        mine = np.flatnonzero(weight > 0.0)
        local = (placing.to_ground(nodes[mine]) - drawn) @ rotation
        positions[:, mine] += weight[mine, None] * part.positions(run.motion.q[chosen], local)
    positions[..., 2] = np.maximum(positions[..., 2], 0.0)
    return positions


def core_weights(foot: Foot, points: np.ndarray) -> dict[str, np.ndarray]:
    """Weights of the cores for the motion of points (n, 3) of the drawn foot."""
    remaining = np.ones(len(points))
    weights: dict[str, np.ndarray] = {}
    for hinge in foot.anatomy.hinges:
        ahead = (
            -np.cross(hinge.axis, points - hinge.at)[:, 2] / (HINGE_BEND_LENGTH_RATIO * foot.shape.measures.length)
            + 0.5
        )
        ahead = np.clip(ahead, 0.0, 1.0)
        ahead = ahead * ahead * (3.0 - 2.0 * ahead)
        weights[hinge.a] = remaining * (1.0 - ahead)
        remaining = remaining * ahead
    return {**weights, foot.anatomy.cores[-1].name: remaining}


def skin_pressure(rolled: RollingResult, chosen: np.ndarray) -> np.ndarray:
    """Pressure at the sole nodes from the pressure maps, (frames, nodes), Pa; 0 at other nodes."""
    from scipy.ndimage import map_coordinates

    pressure, skin = rolled.pressure, rolled.foot.shape.surface
    below = skin.node_normals[:, 2] < MAX_SOLE_NORMAL_Z
    x, y = ((skin.nodes[:, k] - pressure.maps[axis].values[0]) / pressure.cell for k, axis in enumerate("xy"))
    maps = pressure.maps.values[chosen]
    return np.stack([np.where(below, map_coordinates(pressure_map, [y, x], order=1), 0.0) for pressure_map in maps])
