"""Orientation of a foot in a scan: up, forward and side, from its shape alone, in any unit and any position.

Up: of all planes on which the scan could rest, the one with the largest part of the foot's outline near it is selected, then
corrected to the stable resting plane next to it. Forward and side: the leg rises over the heel, the forefoot is wider and
lower than the heel, and the arch and the big toe are on the medial side. Each result has a confidence from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.foot.measures import (
    OUTLINE_HEIGHT_RATIO,
    SoleHeightMap,
    map_heights_from_below,
    outline_below_ankle,
)
from gaitwright.foot.shape import Side
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh

MAX_HULL_FACETS, MAX_SAMPLED_NODES, MAX_CANDIDATE_PLANES = 4000, 4000, 80
"""Numbers of the search for up: hull facets considered, the largest first; nodes for the rough score; and candidate
planes for the exact score."""
MAX_RESTING_ITERATIONS, MAX_RESTING_TILT_DEG = 20, 5.0
"""Maximum iterations of the resting-pose search, and maximum tilt per iteration (degrees); a larger tilt means the
foot topples."""
GROUND_DISTANCE_RATIO = 0.025
"""Distance, relative to the outline's length, within which a point counts as on the ground: 6 mm for an adult."""
SMOOTHING_ITERATIONS = 3
"""Number of smoothing iterations, each moving nodes to the mean of their neighbours."""
AXIS_FROM_MEDIAL_BORDER_RATIO = 0.44
"""Position of the heel-toe line at the ball, from its medial border, in ball widths: the second metatarsal head."""
HEEL_ZONE_RATIOS, BALL_ZONE_RATIOS, ARCH_ZONE_RATIOS = (0.08, 0.22), (0.60, 0.78), (0.36, 0.54)
"""Zones of heel, ball and arch, in foot lengths."""


@dataclass(frozen=True)
class FootAxes:
    """Axes of a foot in a scan. up, forward: unit vectors in file coordinates. side: given or detected side; looks: side
    according to the shape. sure: confidence, 0 to 1, of each detected property. standing: fraction of the outline near
    the ground."""

    up: Array
    forward: Array
    side: Side
    looks: Side
    sure: dict[str, float]
    standing: float

    @property
    def rotation(self) -> Array:
        """Rotation matrix; its rows are the foot axes in file coordinates."""
        return np.stack([self.forward, np.cross(self.up, self.forward), self.up])


def detect_foot_axes(
    surface: Mesh, up: Array | None = None, forward: Array | None = None, side: Side | None = None
) -> FootAxes:
    """Detect the axes of a foot. up, forward, side: given values, which are not detected."""
    sure: dict[str, float] = {}
    surface = _smooth_surface(surface)
    if up is None:
        up, sure["up"] = _detect_up(surface)
    given = forward is not None
    if forward is None:
        forward, sure["forward"] = _detect_forward(surface, up)
    else:
        forward = forward - (forward @ up) * up
        forward = forward / np.linalg.norm(forward)
    looks, sure["side"] = _detect_side(surface, up, forward)
    side = side or looks
    for _ in range(0 if given else 4):
        forward = _heel_toe_direction(surface, up, forward, side)
    return FootAxes(up, forward, side, looks, sure, _ground_share_and_span(surface, surface.nodes, up)[0])


def _smooth_surface(surface: Mesh) -> Mesh:
    """Reduce scanner noise: move every node to the mean of its neighbours, a few times."""
    graph = surface.node_graph.astype(float)
    nodes, count = np.array(surface.nodes), np.asarray(graph.sum(axis=1)).reshape(-1, 1)
    for _ in range(SMOOTHING_ITERATIONS):
        nodes = (graph @ nodes) / count
    return Mesh(nodes, surface.cells)


def rotate_to_foot_axes(surface: Mesh, up: Array, forward: Array) -> Mesh:
    """Rotate to foot axes, with the end of the heel at x = 0 and the lowest point at z = 0; y is not adjusted."""
    rotation = np.stack([forward, np.cross(up, forward), up])
    nodes = (surface.nodes - surface.nodes.mean(axis=0)) @ rotation.T
    nodes[:, 2] -= nodes[:, 2].min()
    nodes[:, 0] -= nodes[outline_below_ankle(nodes), 0].min()
    return Mesh(nodes, surface.cells)


def _detect_up(surface: Mesh) -> tuple[Array, float]:
    from scipy.spatial import ConvexHull

    hull = ConvexHull(surface.nodes)
    normals = np.asarray(hull.equations)[:, :3]
    x = surface.nodes[hull.simplices]
    areas = 0.5 * np.linalg.norm(np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), axis=1)
    down = normals[np.argsort(-areas, kind="stable")[:MAX_HULL_FACETS]]
    corners = surface.nodes[hull.vertices]
    rough = _estimate_ground_shares(surface, corners, down, normals, areas)
    down = down[np.argsort(-rough, kind="stable")[:MAX_CANDIDATE_PLANES]]
    shares = np.array([_standing_score(surface, corners, -direction) for direction in down])
    first = int(np.argmax(shares))
    others = shares[down @ down[first] < np.cos(np.radians(30.0))]
    second = float(others.max()) if len(others) else 0.0
    resting = _resting_direction(
        np.asarray(hull.equations), _low_outline_centre(surface, corners, -down[first]), down[first]
    )
    return -resting, float(np.clip(2.0 * (1.0 - second / shares[first]), 0.0, 1.0))


def _low_outline_centre(surface: Mesh, corners: Array, up: Array) -> Array:
    """Centroid of the low part of the surface: the foot without its leg."""
    base = np.linalg.svd(up[None])[2][1:]
    height = surface.nodes @ up - (corners @ up).min()
    low = height < OUTLINE_HEIGHT_RATIO * np.ptp(corners @ base.T, axis=0).max()
    return np.average(surface.nodes[low], axis=0, weights=surface.node_areas[low])


def _resting_direction(planes: Array, centre: Array, down: Array) -> Array:
    """Down direction after settling from a nearby pose: the normal of the hull facet below the centroid. The outline
    alone cannot choose between facets that differ by a degree. planes: of the hull, (f, 4)."""
    for _ in range(MAX_RESTING_ITERATIONS):
        steep = planes[:, :3] @ down
        way = np.where(
            steep > 1e-9, -(planes[:, :3] @ centre + planes[:, 3]) / np.where(steep > 1e-9, steep, 1.0), np.inf
        )
        below = planes[int(np.argmin(way)), :3]
        if below @ down > 1.0 - 1e-12:
            break
        if below @ down < np.cos(np.radians(MAX_RESTING_TILT_DEG)):
            return down
        down = below
    return down


def _estimate_ground_shares(surface: Mesh, corners: Array, down: Array, normals: Array, areas: Array) -> Array:
    """Fraction of the outline near the plane of each facet (f,), for all facets at once, from a sample of nodes. The
    outline area is that of the hull: half the sum of its projected facet areas."""
    some = np.arange(0, len(surface.nodes), max(1, len(surface.nodes) // MAX_SAMPLED_NODES))
    weight = surface.node_areas[some] * surface.node_areas.sum() / surface.node_areas[some].sum()
    shares = []
    for part in np.array_split(down, max(1, len(down) // 200)):
        outline = 0.5 * np.abs(part @ normals.T) @ areas
        low = (part @ corners.T).max(axis=1, keepdims=True) - part @ surface.nodes[some].T
        facing = np.abs(part @ surface.node_normals[some].T)
        near = (low < GROUND_DISTANCE_RATIO * np.sqrt(3.7 * outline)[:, None]) & (facing > 0.7)
        shares.append((near * facing) @ weight / outline)
    return np.concatenate(shares)


def _standing_score(surface: Mesh, corners: Array, up: Array) -> float:
    """Standing score: fraction of the outline near the plane, times the extent of that part along the outline. A
    flat cap extends less than a sole from heel to toe."""
    share, span = _ground_share_and_span(surface, corners, up)
    return share * span


def _ground_share_and_span(surface: Mesh, corners: Array, up: Array) -> tuple[float, float]:
    """Share and span of the ground contact in the smallest rectangle around the outline seen along up: the area
    fraction near the ground plane, and the extent along the longer side. corners: (c, 3), of the hull."""
    base = np.linalg.svd(up[None])[2][1:]
    angles = np.radians(np.arange(0.0, 180.0, 3.0))
    turns = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ base
    sides = np.ptp(corners @ turns.T, axis=0)
    box = int(np.argmin(sides * np.roll(sides, len(angles) // 2)))
    other = (box + len(angles) // 2) % len(angles)
    box, other = (box, other) if sides[box] >= sides[other] else (other, box)
    height = surface.nodes @ up - (corners @ up).min()
    facing = np.abs(surface.node_normals @ up)
    near = (height < GROUND_DISTANCE_RATIO * sides[box]) & (facing > 0.7)
    if not near.any():
        return 0.0, 0.0
    share = float((surface.node_areas * facing)[near].sum() / (sides[box] * sides[other]))
    return share, float(np.ptp(surface.nodes[near] @ turns[box]) / sides[box])


def _detect_forward(surface: Mesh, up: Array) -> tuple[Array, float]:
    """Forward direction: the long axis of the low part, towards its lower and wider end, away from the leg."""
    base = np.linalg.svd(up[None])[2][1:]
    height = surface.nodes @ up
    height = height - height.min()
    weights = surface.node_areas
    flat = surface.nodes @ base.T
    length = float(np.ptp(flat[height < 0.1 * height.max()], axis=0).max())
    for _ in range(3):
        low = height < OUTLINE_HEIGHT_RATIO * length
        about = flat[low] - np.average(flat[low], axis=0, weights=weights[low])
        values, vectors = np.linalg.eigh((about * weights[low][:, None]).T @ about)
        along = vectors[:, int(np.argmax(values))]
        length = float(np.ptp(flat[low] @ along))
    direction = along @ base
    place = (surface.nodes @ direction - (flat[low] @ along).min()) / length
    votes = []
    tall = height > 0.5 * height.max()
    votes.append((3.0, 0.5 - float(np.average(place[tall], weights=weights[tall]))))  # the leg stands over the heel
    ends = [height[(place > a) & (place < b)] for a, b in ((0.0, 0.12), (0.88, 1.0))]
    if all(len(end) for end in ends):  # toes are low
        high = [float(np.percentile(end, 95)) for end in ends]
        votes.append((1.0, (high[0] - high[1]) / max(high)))
    across = surface.nodes @ np.cross(up, direction)
    zones = ((0.1, 0.25), (0.2, 0.4), (0.6, 0.8), (0.75, 0.9))
    parts = [across[low & (place > a) & (place < b)] for a, b in zones]
    if all(len(part) > 1 and np.ptp(part) > 0.0 for part in parts):  # the forefoot is wide
        wide = [float(np.ptp(part)) for part in parts]
        votes += [(2.0, (wide[2] - wide[1]) / max(wide)), (1.0, (wide[3] - wide[0]) / max(wide))]
    total = sum(weight * vote for weight, vote in votes)
    sure = abs(total) / sum(weight * abs(vote) for weight, vote in votes)
    return (direction if total > 0.0 else -direction), float(np.clip(sure * min(1.0, abs(total) / 0.4), 0.0, 1.0))


def _detect_side(surface: Mesh, up: Array, forward: Array) -> tuple[Side, float]:
    """Detect the side from the arch and the longest toe: both are medial, on the left of a right foot."""
    mesh = rotate_to_foot_axes(surface, up, forward)
    length = outline_length(mesh)
    seen = map_heights_from_below(mesh, length / 130)
    heel, ball = _outline_middle(seen, length, HEEL_ZONE_RATIOS), _outline_middle(seen, length, BALL_ZONE_RATIOS)
    x, y = np.meshgrid(seen.x / length, seen.y, indexing="ij")
    line = heel[0] + (ball[0] - heel[0]) * (x - np.mean(HEEL_ZONE_RATIOS)) / (
        np.mean(BALL_ZONE_RATIOS) - np.mean(HEEL_ZONE_RATIOS)
    )
    sole = (seen.z < 0.2 * length) & (np.abs(y - line) < 0.42 * ball[1])
    arch = sole & (x > ARCH_ZONE_RATIOS[0]) & (x < ARCH_ZONE_RATIOS[1])
    votes = []
    left, right = (arch & ((y > line) == bool(k)) for k in (1, 0))
    if left.any() and right.any():
        votes.append((2.0, float(seen.z[left].mean() - seen.z[right].mean()) / (0.03 * length)))
    low = mesh.nodes[mesh.nodes[:, 2] < OUTLINE_HEIGHT_RATIO * length]
    ahead = low[low[:, 0] > 0.97 * length]
    ahead_line = heel[0] + (ball[0] - heel[0]) * (1.0 - np.mean(HEEL_ZONE_RATIOS)) / (
        np.mean(BALL_ZONE_RATIOS) - np.mean(HEEL_ZONE_RATIOS)
    )
    if len(ahead):
        votes.append((1.0, float(ahead[:, 1].mean() - ahead_line) / (0.25 * ball[1])))
    total = sum(weight * float(np.clip(vote, -1.0, 1.0)) for weight, vote in votes)
    return ("right" if total > 0.0 else "left"), float(min(1.0, abs(total) / 1.5))


def outline_length(mesh: Mesh) -> float:
    """Length of the low part, in foot axes."""
    length = float(np.ptp(mesh.nodes[:, 0]))
    for _ in range(3):
        length = float(np.ptp(mesh.nodes[mesh.nodes[:, 2] < OUTLINE_HEIGHT_RATIO * length, 0]))
    return length


def _outline_middle(seen: SoleHeightMap, length: float, span: tuple[float, float]) -> tuple[float, float]:
    """Middle and width of the outline between two positions, in foot lengths."""
    rows = seen.z[(seen.x > span[0] * length) & (seen.x < span[1] * length)]
    there = seen.y[(rows < OUTLINE_HEIGHT_RATIO * length).any(axis=0)]
    if not len(there):
        return 0.0, 1e-9
    return 0.5 * float(there.max() + there.min()), float(np.ptp(there))


def _heel_toe_direction(surface: Mesh, up: Array, forward: Array, side: Side) -> Array:
    """Forward along the line from the middle of the heel to the second metatarsal head."""
    mesh = rotate_to_foot_axes(surface, up, forward)
    length = outline_length(mesh)
    seen = map_heights_from_below(mesh, length / 260)
    (heel, _), (ball, wide) = (
        _outline_middle(seen, length, HEEL_ZONE_RATIOS),
        _outline_middle(seen, length, BALL_ZONE_RATIOS),
    )
    across = ball + (0.5 - AXIS_FROM_MEDIAL_BORDER_RATIO) * wide * (1.0 if side == "right" else -1.0)
    angle = np.arctan2(across - heel, (np.mean(BALL_ZONE_RATIOS) - np.mean(HEEL_ZONE_RATIOS)) * length)
    return np.cos(angle) * forward + np.sin(angle) * np.cross(up, forward)


def heel_middle(mesh: Mesh) -> float:
    """y of the middle of the heel, in foot axes."""
    length = outline_length(mesh)
    return _outline_middle(map_heights_from_below(mesh, length / 260), length, HEEL_ZONE_RATIOS)[0]
