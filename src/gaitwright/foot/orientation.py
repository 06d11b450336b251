"""Which way a foot lies in a scan: up, forward and side, from its shape alone, in any unit and any position.

A foot stands where it lies flattest: of all planes on which the scan could rest, that on which most of its outline lies
near the plane, and then the one next to it on which it comes to rest. Its leg rises over the heel, its forefoot is wider and
lower than the heel, and its arch and big toe are on the medial side. Each finding says how sure it is, from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.foot.measures import Below, from_below
from gaitwright.foot.shape import Side
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh

FACETS, SAMPLED, CANDIDATES = 4000, 4000, 80
"""Planes on which a scan could rest that are looked at, the largest; nodes of which they are judged roughly; and how many of
them are then looked at closely."""
RESTING, TOPPLED = 20, 5.0
"""How often it is asked what lies below its middle; and degrees by which it may turn meanwhile: what topples over does not
stand."""
NEAR = 0.025
"""What is nearer to the plane than this part of the outline's length lies on it: 6 mm for an adult."""
SMOOTH = 3
"""How often nodes are moved to the middle of their neighbours before a foot is looked for."""
LOW = 0.13
"""Up to this part of the length a foot has its full outline: 35 mm for an adult, below the ankle."""
AXIS = 0.44
"""Where the heel-toe line crosses the ball, from its medial border, in widths: the second metatarsal head."""
HEEL, BALL, ARCH = (0.08, 0.22), (0.60, 0.78), (0.36, 0.54)
"""Where these are looked for, in lengths of the foot."""


@dataclass(frozen=True)
class Finding:
    """up and forward are unit vectors of the file; looks is the side that its shape has, whatever was told; sure has 0 to 1
    for what was found; standing is the part of its outline that lies near the ground."""

    up: Array
    forward: Array
    side: Side
    looks: Side
    sure: dict[str, float]
    standing: float

    @property
    def rotation(self) -> Array:
        """Rows are the axes of a foot in those of the file."""
        return np.stack([self.forward, np.cross(self.up, self.forward), self.up])


def found_in(surface: Mesh, up: Array | None = None, forward: Array | None = None, side: Side | None = None) -> Finding:
    """The axes of a foot. up, forward, side: where they are told."""
    sure: dict[str, float] = {}
    surface = _smoothed(surface)
    if up is None:
        up, sure["up"] = _up(surface)
    told = forward is not None
    if forward is None:
        forward, sure["forward"] = _forward(surface, up)
    else:
        forward = forward - (forward @ up) * up
        forward = forward / np.linalg.norm(forward)
    looks, sure["side"] = _side(surface, up, forward)
    side = side or looks
    for _ in range(0 if told else 4):
        forward = _along_the_line(surface, up, forward, side)
    return Finding(up, forward, side, looks, sure, _share_and_span(surface, surface.nodes, up)[0])


def _smoothed(surface: Mesh) -> Mesh:
    """Without the noise of a scanner: every node in the middle of its neighbours, a few times."""
    graph = surface.node_graph.astype(float)
    nodes, count = np.array(surface.nodes), np.asarray(graph.sum(axis=1)).reshape(-1, 1)
    for _ in range(SMOOTH):
        nodes = (graph @ nodes) / count
    return Mesh(nodes, surface.cells)


def turned(surface: Mesh, up: Array, forward: Array) -> Mesh:
    """In axes of a foot, the end of the heel at x = 0, the lowest point at z = 0; y as it comes."""
    rotation = np.stack([forward, np.cross(up, forward), up])
    nodes = (surface.nodes - surface.nodes.mean(axis=0)) @ rotation.T
    nodes[:, 2] -= nodes[:, 2].min()
    low = np.ones(len(nodes), dtype=bool)
    for _ in range(3):  # what is low, by the length that what is low has: a calf may stand out behind the heel
        low = nodes[:, 2] < LOW * np.ptp(nodes[low, 0])
    nodes[:, 0] -= nodes[low, 0].min()
    return Mesh(nodes, surface.cells)


def _up(surface: Mesh) -> tuple[Array, float]:
    from scipy.spatial import ConvexHull

    hull = ConvexHull(surface.nodes)
    normals = np.asarray(hull.equations)[:, :3]
    x = surface.nodes[hull.simplices]
    areas = 0.5 * np.linalg.norm(np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), axis=1)
    down = normals[np.argsort(-areas, kind="stable")[:FACETS]]
    corners = surface.nodes[hull.vertices]
    rough = _rough_shares(surface, corners, down, normals, areas)
    down = down[np.argsort(-rough, kind="stable")[:CANDIDATES]]
    shares = np.array([_standing(surface, corners, -direction) for direction in down])
    first = int(np.argmax(shares))
    others = shares[down @ down[first] < np.cos(np.radians(30.0))]
    second = float(others.max()) if len(others) else 0.0
    resting = _resting(np.asarray(hull.equations), _low_middle(surface, corners, -down[first]), down[first])
    return -resting, float(np.clip(2.0 * (1.0 - second / shares[first]), 0.0, 1.0))


def _low_middle(surface: Mesh, corners: Array, up: Array) -> Array:
    """The middle of what is low, of a foot without its leg."""
    base = np.linalg.svd(up[None])[2][1:]
    height = surface.nodes @ up - (corners @ up).min()
    low = height < LOW * np.ptp(corners @ base.T, axis=0).max()
    return np.average(surface.nodes[low], axis=0, weights=surface.node_areas[low])


def _resting(planes: Array, centre: Array, down: Array) -> Array:
    """Which way is down when it has come to rest from nearly there: on the facet of its hull that is below its middle. Of
    facets that differ by a degree the outline alone would choose any. planes: of the hull, (f, 4)."""
    for _ in range(RESTING):
        steep = planes[:, :3] @ down
        way = np.where(
            steep > 1e-9, -(planes[:, :3] @ centre + planes[:, 3]) / np.where(steep > 1e-9, steep, 1.0), np.inf
        )
        below = planes[int(np.argmin(way)), :3]
        if below @ down > 1.0 - 1e-12:
            break
        if below @ down < np.cos(np.radians(TOPPLED)):
            return down
        down = below
    return down


def _rough_shares(surface: Mesh, corners: Array, down: Array, normals: Array, areas: Array) -> Array:
    """Of the outline, what lies near the plane of each facet (f,), for all facets at once and from some of the nodes: by the
    area of the hull's outline, half the sum of what its facets show."""
    some = np.arange(0, len(surface.nodes), max(1, len(surface.nodes) // SAMPLED))
    weight = surface.node_areas[some] * surface.node_areas.sum() / surface.node_areas[some].sum()
    found = []
    for part in np.array_split(down, max(1, len(down) // 200)):
        outline = 0.5 * np.abs(part @ normals.T) @ areas
        low = (part @ corners.T).max(axis=1, keepdims=True) - part @ surface.nodes[some].T
        facing = np.abs(part @ surface.node_normals[some].T)
        near = (low < NEAR * np.sqrt(3.7 * outline)[:, None]) & (facing > 0.7)
        found.append((near * facing) @ weight / outline)
    return np.concatenate(found)


def _standing(surface: Mesh, corners: Array, up: Array) -> float:
    """How well it stands: how much of its outline lies near the plane, as far as that reaches along the outline. A flat cap
    reaches less far than a sole from heel to toe."""
    share, span = _share_and_span(surface, corners, up)
    return share * span


def _share_and_span(surface: Mesh, corners: Array, up: Array) -> tuple[float, float]:
    """Of the smallest rectangle about the outline seen along up: the part that lies near the plane on which it stands, and how
    far that reaches along the longer side. corners: (c, 3), of its hull."""
    base = np.linalg.svd(up[None])[2][1:]
    angles = np.radians(np.arange(0.0, 180.0, 3.0))
    turns = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ base
    sides = np.ptp(corners @ turns.T, axis=0)
    box = int(np.argmin(sides * np.roll(sides, len(angles) // 2)))
    other = (box + len(angles) // 2) % len(angles)
    box, other = (box, other) if sides[box] >= sides[other] else (other, box)
    height = surface.nodes @ up - (corners @ up).min()
    facing = np.abs(surface.node_normals @ up)
    near = (height < NEAR * sides[box]) & (facing > 0.7)
    if not near.any():
        return 0.0, 0.0
    share = float((surface.node_areas * facing)[near].sum() / (sides[box] * sides[other]))
    return share, float(np.ptp(surface.nodes[near] @ turns[box]) / sides[box])


def _forward(surface: Mesh, up: Array) -> tuple[Array, float]:
    """Along what is low; its front is where it is lower and wider, away from the leg."""
    base = np.linalg.svd(up[None])[2][1:]
    height = surface.nodes @ up
    height = height - height.min()
    weights = surface.node_areas
    flat = surface.nodes @ base.T
    length = float(np.ptp(flat[height < 0.1 * height.max()], axis=0).max())
    for _ in range(3):
        low = height < LOW * length
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


def _side(surface: Mesh, up: Array, forward: Array) -> tuple[Side, float]:
    """By the arch and by the longest toe: both are medial, on the left of a right foot."""
    mesh = turned(surface, up, forward)
    length = outline_length(mesh)
    seen = from_below(mesh, length / 130)
    heel, ball = _middle(seen, length, HEEL), _middle(seen, length, BALL)
    x, y = np.meshgrid(seen.x / length, seen.y, indexing="ij")
    line = heel[0] + (ball[0] - heel[0]) * (x - np.mean(HEEL)) / (np.mean(BALL) - np.mean(HEEL))
    sole = (seen.z < 0.2 * length) & (np.abs(y - line) < 0.42 * ball[1])
    arch = sole & (x > ARCH[0]) & (x < ARCH[1])
    votes = []
    left, right = (arch & ((y > line) == bool(k)) for k in (1, 0))
    if left.any() and right.any():
        votes.append((2.0, float(seen.z[left].mean() - seen.z[right].mean()) / (0.03 * length)))
    low = mesh.nodes[mesh.nodes[:, 2] < LOW * length]
    ahead = low[low[:, 0] > 0.97 * length]
    ahead_line = heel[0] + (ball[0] - heel[0]) * (1.0 - np.mean(HEEL)) / (np.mean(BALL) - np.mean(HEEL))
    if len(ahead):
        votes.append((1.0, float(ahead[:, 1].mean() - ahead_line) / (0.25 * ball[1])))
    total = sum(weight * float(np.clip(vote, -1.0, 1.0)) for weight, vote in votes)
    return ("right" if total > 0.0 else "left"), float(min(1.0, abs(total) / 1.5))


def outline_length(mesh: Mesh) -> float:
    """Of what is low, in axes of a foot."""
    length = float(np.ptp(mesh.nodes[:, 0]))
    for _ in range(3):
        length = float(np.ptp(mesh.nodes[mesh.nodes[:, 2] < LOW * length, 0]))
    return length


def _middle(seen: Below, length: float, span: tuple[float, float]) -> tuple[float, float]:
    """Middle and width of the outline between two places, in lengths of the foot."""
    rows = seen.z[(seen.x > span[0] * length) & (seen.x < span[1] * length)]
    there = seen.y[(rows < LOW * length).any(axis=0)]
    if not len(there):
        return 0.0, 1e-9
    return 0.5 * float(there.max() + there.min()), float(np.ptp(there))


def _along_the_line(surface: Mesh, up: Array, forward: Array, side: Side) -> Array:
    """Forward along the line from the middle of the heel to the second metatarsal head."""
    mesh = turned(surface, up, forward)
    length = outline_length(mesh)
    seen = from_below(mesh, length / 260)
    (heel, _), (ball, wide) = _middle(seen, length, HEEL), _middle(seen, length, BALL)
    across = ball + (0.5 - AXIS) * wide * (1.0 if side == "right" else -1.0)
    angle = np.arctan2(across - heel, (np.mean(BALL) - np.mean(HEEL)) * length)
    return np.cos(angle) * forward + np.sin(angle) * np.cross(up, forward)


def heel_middle(mesh: Mesh) -> float:
    """y of the middle of the heel, in axes of a foot."""
    length = outline_length(mesh)
    return _middle(from_below(mesh, length / 260), length, HEEL)[0]
