"""Multibody fit: least squares over all markers of a skeleton with joint constraints, by a Gauss-Newton method with
Levenberg-Marquardt damping, for all frames together.

Unknowns in each frame: position of the pelvis and rotation of each joint. A rotation of a joint by a small vector theta
(ground frame) about its centre c moves every distal marker x by theta x (x - c): this is the Jacobian. A hinge has only
the component of theta along its axis. Increments are applied as rotations, never as angles, so no pose is singular. The
initial guess is the independent pose of each segment.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.inverse_kinematics import marker_owners
from gaitwright.gait.skeleton import HumanSkeleton

Array = np.ndarray
MAX_FIT_ITERATIONS = 40
STEP_TOL = 1e-9
"""rad and m: convergence tolerance of the step."""
FRAME_BATCH_SIZE = 512
"""Frames per batch, to limit the size of the Jacobians to some megabytes."""


class SkeletonChain:
    """A skeleton as arrays by segment: parent, position of the joint in the parent, rest rotation and kind."""

    def __init__(self, skeleton: HumanSkeleton, labels: list[str]) -> None:
        names = list(skeleton.segments)
        self.owner, self.local = marker_owners(skeleton, labels)
        self.parent = np.full(len(names), -1)
        self.hinge = np.zeros(len(names), dtype=bool)
        self.centre, self.rest = np.zeros((len(names), 3)), np.tile(np.eye(3), (len(names), 1, 1))
        for joint in skeleton.joints.values():
            k = names.index(joint.child)
            self.parent[k] = names.index(joint.parent)
            self.centre[k] = skeleton.segments[joint.parent].joints[joint.name]
            self.rest[k], self.hinge[k] = joint.rest, joint.kind == "hinge"
        self.carries = np.zeros((len(names), len(labels)), dtype=bool)  # True for markers on a segment or distal to it
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
        """Origins and rotations of all segments from the position of the first and rotations in the frames of the parents."""
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
        """Axis of a hinge, ground frame, (frames, 3)."""
        return rotation[:, self.parent[k], :, 2]

    def jacobian(self, position: Array, rotation: Array, places: Array, weight: Array) -> Array:
        """Jacobian (frames, 3 markers, unknowns), rows multiplied by the square roots of their weights."""
        frames, count = places.shape[:2]
        derivatives = np.zeros((frames, count, 3, self.count))
        derivatives[..., :3] = np.eye(3)
        for k, at in enumerate(self.unknowns):
            below = np.flatnonzero(self.carries[k])
            arm = places[:, below] - position[:, k, None]
            if self.hinge[k]:
                derivatives[:, below, :, at] = np.cross(self.axis(k, rotation)[:, None], arm)[..., None]
                continue
            x, y, z = np.moveaxis(arm, -1, 0)
            zero = np.zeros_like(x)
            cross = np.array([[zero, z, -y], [-z, zero, x], [y, -x, zero]])  # theta x arm
            derivatives[:, below, :, at] = np.moveaxis(cross, (0, 1), (-2, -1))
        return (derivatives * weight[:, :, None, None]).reshape(frames, 3 * count, self.count)

    def moved(self, root: Array, relative: Array, rotation: Array, step: Array) -> tuple[Array, Array]:
        """Position and rotations after a step of the unknowns."""
        rotations = np.empty_like(relative)
        for k, at in enumerate(self.unknowns):
            turn = step[:, at]
            if self.hinge[k]:
                rotations[:, k] = rotation_from_vectors(turn * np.array([0.0, 0.0, 1.0])) @ relative[:, k]
                continue
            if self.parent[k] >= 0:
                turn = np.einsum("tji,tj->ti", rotation[:, self.parent[k]], turn)
            rotations[:, k] = rotation_from_vectors(turn) @ relative[:, k]
        return root + step[:, :3], rotations


def rotation_from_vectors(vectors: Array) -> Array:
    """Rotation matrices from rotation vectors (frames, 3), rad (Rodrigues)."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    cross = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), (0, 1), (-2, -1))
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * (cross @ cross)


def fit_markers(
    skeleton: HumanSkeleton, labels: list[str], measured: Array, weight: Array, position: Array, rotation: Array
) -> tuple[Array, Array]:
    """Poses of all segments that fit the markers (frames, markers, 3) best, from a given initial guess; NaN for segments
    without a visible distal or own marker in a frame."""
    chain = SkeletonChain(skeleton, labels)
    seen = np.isfinite(measured).all(axis=2)
    root, relative = _start_pose(chain, position, rotation)
    roots = np.sqrt(weight) * seen
    batches = [
        _minimise_marker_distances(chain, np.nan_to_num(measured[part]), roots[part], root[part], relative[part])
        for part in (slice(k, k + FRAME_BATCH_SIZE) for k in range(0, len(measured), FRAME_BATCH_SIZE))
    ]
    position, rotation = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    lost = ~((seen * weight)[:, None] * chain.carries > 0).any(axis=2)
    position[lost], rotation[lost] = np.nan, np.nan
    return position, rotation


def _minimise_marker_distances(
    chain: SkeletonChain, measured: Array, weight: Array, root: Array, relative: Array
) -> tuple[Array, Array]:
    """Minimise the weighted distances. weight: (frames, markers), square roots of weights."""
    position, rotation = chain.poses(root, relative)
    places = chain.markers(position, rotation)
    cost = np.sum(np.square((places - measured) * weight[..., None]), axis=(1, 2))
    damping = np.full(len(measured), 1e-12)
    active = np.arange(len(measured))
    for _ in range(MAX_FIT_ITERATIONS):
        J = chain.jacobian(position[active], rotation[active], places[active], weight[active])
        rest = ((measured - places)[active] * weight[active][..., None]).reshape(len(active), -1, 1)
        normal, right = np.swapaxes(J, 1, 2) @ J, np.swapaxes(J, 1, 2) @ rest
        diagonal = np.einsum("tii->ti", normal)
        # an unknown that affects no marker keeps its value
        diagonal += damping[active][:, None] * (diagonal + 1e-3)
        step = np.linalg.solve(normal, right)[..., 0]
        new_root, new = chain.moved(root[active], relative[active], rotation[active], step)
        new_position, new_rotation = chain.poses(new_root, new)
        new_places = chain.markers(new_position, new_rotation)
        new_cost = np.sum(np.square((new_places - measured[active]) * weight[active][..., None]), axis=(1, 2))
        better = new_cost <= cost[active]
        done = np.abs(step).max(axis=1) < STEP_TOL
        improved = active[better]
        root[improved], relative[improved] = new_root[better], new[better]
        position[improved], rotation[improved] = new_position[better], new_rotation[better]
        places[improved], cost[improved] = new_places[better], new_cost[better]
        damping[active] = np.where(
            better, np.maximum(1e-12, 0.1 * damping[active]), np.maximum(1e-6, 10 * damping[active])
        )
        active = active[~(done | (~better & (damping[active] > 1e6)))]
        if not len(active):
            break
    return position, rotation


def _start_pose(chain: SkeletonChain, position: Array, rotation: Array) -> tuple[Array, Array]:
    """Initial guess from independent poses of segments; unknown poses are taken from the nearest frame in time."""
    root = _fill_from_nearest_frame(position[:, 0])
    relative = np.empty_like(rotation)
    for k, p in enumerate(chain.parent):
        own = rotation[:, k] if p < 0 else np.swapaxes(rotation[:, p], 1, 2) @ rotation[:, k]
        own = _fill_from_nearest_frame(own)
        if chain.hinge[k]:
            turn = own @ chain.rest[k].T
            angle = np.arctan2(turn[:, 1, 0] - turn[:, 0, 1], turn[:, 0, 0] + turn[:, 1, 1])
            own = rotation_from_vectors(angle[:, None] * np.array([0.0, 0.0, 1.0])) @ chain.rest[k]
        relative[:, k] = own
    return root, relative


def _fill_from_nearest_frame(values: Array) -> Array:
    good = np.flatnonzero(np.isfinite(values).reshape(len(values), -1).all(axis=1))
    if not len(good):  # a segment without markers: its pose is discarded
        return np.broadcast_to(np.eye(3), values.shape).copy()
    frames = np.arange(len(values))
    after = np.minimum(np.searchsorted(good, frames), len(good) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.where(np.abs(good[before] - frames) < np.abs(good[after] - frames), before, after)
    return values[good[nearer]]
