"""Least squares over all markers of a skeleton whose joints hold: Gauss-Newton with Levenberg's damping, all frames at once.

Unknown in each frame: the place of the pelvis and the turn of each joint. A turn of a joint by a small vector theta (ground
frame) about its centre c moves every marker x of what hangs on it by theta x (x - c): that is the Jacobian. A hinge has
but the part of theta along its axis. Turns are added as rotations, never as angles, so that no pose is singular.
The start is the pose of each segment by itself.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.poses import owner_of
from gaitwright.gait.skeleton import Skeleton

Array = np.ndarray
STEPS = 40
SMALL = 1e-9
"""rad and m: a step that ends the search, taken."""
AT_ONCE = 512
"""Frames: some megabytes of Jacobians."""


class Chain:
    """A skeleton as arrays: parent, place of the joint in it, rest and kind by segment."""

    def __init__(self, skeleton: Skeleton, labels: list[str]) -> None:
        names = list(skeleton.segments)
        self.owner, self.local = owner_of(skeleton, labels)
        self.parent = np.full(len(names), -1)
        self.hinge = np.zeros(len(names), dtype=bool)
        self.centre, self.rest = np.zeros((len(names), 3)), np.tile(np.eye(3), (len(names), 1, 1))
        for joint in skeleton.joints.values():
            k = names.index(joint.child)
            self.parent[k] = names.index(joint.parent)
            self.centre[k] = skeleton.segments[joint.parent].joints[joint.name]
            self.rest[k], self.hinge[k] = joint.rest, joint.kind == "hinge"
        self.carries = np.zeros((len(names), len(labels)), dtype=bool)  # which markers hang on a segment
        for m, k in enumerate(self.owner):
            while k >= 0:
                self.carries[k, m] = True
                k = self.parent[k]
        self.unknowns, count = [], 3
        for k in range(len(names)):
            size = 1 if self.hinge[k] else 3
            self.unknowns.append(slice(count, count + size))
            count += size
        self.count = count

    def poses(self, root: Array, relative: Array) -> tuple[Array, Array]:
        """Origins and rotations of all segments from the place of the first and rotations in the frames of the parents."""
        position, rotation = np.empty(relative.shape[:3]), np.empty_like(relative)
        for k, p in enumerate(self.parent):
            if p < 0:
                position[:, k], rotation[:, k] = root, relative[:, k]
            else:
                position[:, k] = position[:, p] + rotation[:, p] @ self.centre[k]
                rotation[:, k] = rotation[:, p] @ relative[:, k]
        return position, rotation

    def markers(self, position: Array, rotation: Array) -> Array:
        return position[:, self.owner] + np.einsum("tmij,mj->tmi", rotation[:, self.owner], self.local)

    def axis(self, k: int, rotation: Array) -> Array:
        """Of a hinge, ground frame, (frames, 3)."""
        return rotation[:, self.parent[k], :, 2]

    def jacobian(self, position: Array, rotation: Array, places: Array, weight: Array) -> Array:
        """(frames, 3 markers, unknowns), rows times the roots of their weights."""
        frames, count = places.shape[:2]
        found = np.zeros((frames, count, 3, self.count))
        found[..., :3] = np.eye(3)
        for k, at in enumerate(self.unknowns):
            below = np.flatnonzero(self.carries[k])
            arm = places[:, below] - position[:, k, None]
            if self.hinge[k]:
                found[:, below, :, at] = np.cross(self.axis(k, rotation)[:, None], arm)[..., None]
                continue
            x, y, z = np.moveaxis(arm, -1, 0)
            zero = np.zeros_like(x)
            cross = np.array([[zero, z, -y], [-z, zero, x], [y, -x, zero]])  # theta x arm
            found[:, below, :, at] = np.moveaxis(cross, (0, 1), (-2, -1))
        return (found * weight[:, :, None, None]).reshape(frames, 3 * count, self.count)

    def moved(self, root: Array, relative: Array, rotation: Array, step: Array) -> tuple[Array, Array]:
        """Place and rotations after a step of the unknowns."""
        found = np.empty_like(relative)
        for k, at in enumerate(self.unknowns):
            turn = step[:, at]
            if self.hinge[k]:
                found[:, k] = turned_by(turn * np.array([0.0, 0.0, 1.0])) @ relative[:, k]
                continue
            if self.parent[k] >= 0:
                turn = np.einsum("tji,tj->ti", rotation[:, self.parent[k]], turn)
            found[:, k] = turned_by(turn) @ relative[:, k]
        return root + step[:, :3], found


def turned_by(vectors: Array) -> Array:
    """Rotations by vectors (frames, 3), rad (Rodrigues)."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    cross = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), (0, 1), (-2, -1))
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * (cross @ cross)


def fit(
    skeleton: Skeleton, labels: list[str], measured: Array, weight: Array, position: Array, rotation: Array
) -> tuple[Array, Array]:
    """Poses of all segments that come nearest to the markers (frames, markers, 3), from such a start; NaN of segments on which
    in a frame no seen marker hangs."""
    chain = Chain(skeleton, labels)
    seen = np.isfinite(measured).all(axis=2)
    root, relative = _start(chain, position, rotation)
    roots = np.sqrt(weight) * seen
    found = [
        _search(chain, np.nan_to_num(measured[part]), roots[part], root[part], relative[part])
        for part in (slice(k, k + AT_ONCE) for k in range(0, len(measured), AT_ONCE))
    ]
    position, rotation = (np.concatenate(parts) for parts in zip(*found, strict=True))
    lost = ~((seen * weight)[:, None] * chain.carries > 0).any(axis=2)
    position[lost], rotation[lost] = np.nan, np.nan
    return position, rotation


def _search(chain: Chain, measured: Array, weight: Array, root: Array, relative: Array) -> tuple[Array, Array]:
    """weight: (frames, markers), roots of weights."""
    position, rotation = chain.poses(root, relative)
    places = chain.markers(position, rotation)
    cost = np.sum(np.square((places - measured) * weight[..., None]), axis=(1, 2))
    damping = np.full(len(measured), 1e-12)
    active = np.arange(len(measured))
    for _ in range(STEPS):
        J = chain.jacobian(position[active], rotation[active], places[active], weight[active])
        rest = ((measured - places)[active] * weight[active][..., None]).reshape(len(active), -1, 1)
        normal, right = np.swapaxes(J, 1, 2) @ J, np.swapaxes(J, 1, 2) @ rest
        diagonal = np.einsum("tii->ti", normal)
        # an unknown that no marker shows keeps its value
        diagonal += damping[active][:, None] * (diagonal + 1e-3)
        step = np.linalg.solve(normal, right)[..., 0]
        new_root, new = chain.moved(root[active], relative[active], rotation[active], step)
        new_position, new_rotation = chain.poses(new_root, new)
        new_places = chain.markers(new_position, new_rotation)
        new_cost = np.sum(np.square((new_places - measured[active]) * weight[active][..., None]), axis=(1, 2))
        better = new_cost <= cost[active]
        done = np.abs(step).max(axis=1) < SMALL
        who = active[better]
        root[who], relative[who] = new_root[better], new[better]
        position[who], rotation[who], places[who] = new_position[better], new_rotation[better], new_places[better]
        cost[who] = new_cost[better]
        damping[active] = np.where(
            better, np.maximum(1e-12, 0.1 * damping[active]), np.maximum(1e-6, 10 * damping[active])
        )
        active = active[~(done | (~better & (damping[active] > 1e6)))]
        if not len(active):
            break
    return position, rotation


def _start(chain: Chain, position: Array, rotation: Array) -> tuple[Array, Array]:
    """From poses of single segments; where one is not known, that of the nearest frame in time."""
    root = _nearest_in_time(position[:, 0])
    relative = np.empty_like(rotation)
    for k, p in enumerate(chain.parent):
        own = rotation[:, k] if p < 0 else np.swapaxes(rotation[:, p], 1, 2) @ rotation[:, k]
        own = _nearest_in_time(own)
        if chain.hinge[k]:
            turn = own @ chain.rest[k].T
            angle = np.arctan2(turn[:, 1, 0] - turn[:, 0, 1], turn[:, 0, 0] + turn[:, 1, 1])
            own = turned_by(angle[:, None] * np.array([0.0, 0.0, 1.0])) @ chain.rest[k]
        relative[:, k] = own
    return root, relative


def _nearest_in_time(values: Array) -> Array:
    good = np.flatnonzero(np.isfinite(values).reshape(len(values), -1).all(axis=1))
    frames = np.arange(len(values))
    after = np.minimum(np.searchsorted(good, frames), len(good) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.where(np.abs(good[before] - frames) < np.abs(good[after] - frames), before, after)
    return values[good[nearer]]
