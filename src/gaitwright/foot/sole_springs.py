"""Sole of a foot as independent springs on rigid cores with hinges: forces and exact derivatives for Newton's method.

The same law as the speed foundation (foundation_model.py): normal force K A d/t of each facet, friction by bristles
with stiffness G A/t and the limit mu times the normal force. Here the pose of the rearfoot is an unknown of a few
numbers instead of coordinates of a mechanism, so that a pose that carries a given force is found in milliseconds.

Coordinates: three translations of the rearfoot along x, y and z, two rotations about given axes, angles of the
hinges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gaitwright.foot.foundation_model import make_sole_facets
from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.foot.tissue import oedometric_modulus
from gaitwright.geometry.rotation import matrix_from_vector
from gaitwright.mesh.cell_kinds import Array

GRAVITY_M_S2 = 9.81
POSE_COORDINATES = 5
"""Number of coordinates of the rearfoot: translations, then rotations."""
TRANSLATIONS = 3


class SolePose(NamedTuple):
    """Pose of a foot. ankle: position, m. rotation: (3, 3), of the rearfoot, frame of the foot to ground. angles: rad,
    of the hinges, positive when the toes bend down."""

    ankle: Array
    rotation: Array
    angles: Array


class BristleState(NamedTuple):
    """Friction state of the facets: position (n, 3), m, and stretch (n, 2), m, at the end of the previous frame."""

    places: Array
    stretch: Array


class SoleForces(NamedTuple):
    """Forces of the ground on the facets, N, at `places`, m, (n, 3). normal: (n,); shear: (n, 2). stretch: (n, 2), m,
    of the bristles. force: (3,), N. moment: (3,), N m, about the origin, of forces that act at z = 0. hinge_moments:
    residual of each hinge, N m. Slopes are derivatives with respect to the coordinates (c,)."""

    places: Array
    normal: Array
    shear: Array
    stretch: Array
    force: Array
    moment: Array
    hinge_moments: Array
    force_slope: Array
    moment_slope: Array
    hinge_slope: Array

    @property
    def centre(self) -> Array:
        """Centre of pressure (2,), m; NaN without contact."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.normal @ self.places[:, :2] / self.normal.sum()

    @property
    def free_moment(self) -> float:
        """Moment about the vertical through the centre of pressure, N m."""
        if not self.force[2] > 0.0:
            return 0.0
        x, y = self.centre
        return float(self.moment[2] - (x * self.force[1] - y * self.force[0]))


@dataclass(frozen=True, eq=False)
class SoleSprings:
    """Facets of a sole. points: (n, 3), m, in the frame of the foot; core: (n,), index of the core of each; stiffness,
    shear: (n,), N/m. hinge_at, hinge_axes: (h, 3); hinge_stiffness, hinge_rest: (h,). weights: (h + 1,), N, and
    centres: (h + 1, 3), m, of the cores. ankle: (3,), m, reference point of the pose. friction: coefficient."""

    points: Array
    core: Array
    stiffness: Array
    shear: Array
    hinge_at: Array
    hinge_axes: Array
    hinge_stiffness: Array
    hinge_rest: Array
    weights: Array
    centres: Array
    ankle: Array
    friction: float

    def unloaded(self) -> BristleState:
        """State before the first contact."""
        return BristleState(np.full(self.points.shape, np.inf), np.zeros((len(self.points), 2)))

    def place(self, pose: SolePose, points: Array, core: Array) -> tuple[Array, Array, Array]:
        """Positions of points (n, 3) of cores in the ground frame, and the positions (h, 3) and axes (h, 3) of the
        hinges there."""
        where = pose.ankle + (points - self.ankle) @ pose.rotation.T
        at = pose.ankle + (self.hinge_at - self.ankle) @ pose.rotation.T
        axes = self.hinge_axes @ pose.rotation.T
        for k, angle in enumerate(pose.angles):
            turn = matrix_from_vector(angle * axes[k])
            ahead = core > k
            where[ahead] = at[k] + (where[ahead] - at[k]) @ turn.T
            at[k + 1 :] = at[k] + (at[k + 1 :] - at[k]) @ turn.T
            axes[k + 1 :] = axes[k + 1 :] @ turn.T
        return where, at, axes

    def forces(self, pose: SolePose, state: BristleState, axes: Array, pivot: Array) -> SoleForces:
        """Forces at a pose. axes: (2, 3), of the rotations of the rearfoot; pivot: (3,), m, a point on them."""
        places, at, hinge_axes = self.place(pose, self.points, self.core)
        depth = -places[:, 2]
        on = np.flatnonzero(depth > 0.0)
        places_on, core = places[on], self.core[on]
        motions = _point_motions(places_on, core, pivot, axes, at, hinge_axes)
        normal = self.stiffness[on] * depth[on]
        normal_slope = -self.stiffness[on, None] * motions[:, :, 2]
        stretch, stretch_slope = _stretch(places_on, motions, depth[on], state, on)
        shear, shear_slope, stretch = self._friction(on, normal, normal_slope, stretch, stretch_slope)
        force = np.concatenate([shear, normal[:, None]], axis=1)
        slope = np.concatenate([shear_slope, normal_slope[:, :, None]], axis=2)
        x, y = places_on[:, 0], places_on[:, 1]
        moment = np.array([y @ normal, -x @ normal, x @ shear[:, 1] - y @ shear[:, 0]])
        moment_slope = np.stack(
            [
                y @ normal_slope + normal @ motions[:, :, 1],
                -x @ normal_slope - normal @ motions[:, :, 0],
                x @ shear_slope[:, :, 1] + shear[:, 1] @ motions[:, :, 0]
                - y @ shear_slope[:, :, 0] - shear[:, 0] @ motions[:, :, 1],
            ]
        )  # fmt: skip
        centres, own = self.place(pose, self.centres, np.arange(len(self.centres)))[0], np.arange(len(self.centres))
        gravity = np.zeros((len(centres), 3))
        gravity[:, 2] = -self.weights
        weight_motions = _point_motions(centres, own, pivot, axes, at, hinge_axes)
        pull = np.tensordot(force, motions, ((0, 1), (0, 2))) + np.tensordot(gravity, weight_motions, ((0, 1), (0, 2)))
        pull_slope = np.tensordot(motions, slope, ((0, 2), (0, 2)))
        for points, loads, cores in ((places_on, force, core), (centres, gravity, own)):
            pull_slope += _geometric_stiffness(points, loads, cores, pivot, axes, at, hinge_axes)
        hinge = pull[POSE_COORDINATES:] - self.hinge_stiffness * (pose.angles - self.hinge_rest)
        hinge_slope = pull_slope[POSE_COORDINATES:].copy()
        hinge_slope[:, POSE_COORDINATES:] -= np.diag(self.hinge_stiffness)
        normal_all, shear_all, stretch_all = (self._all_facets(on, values) for values in (normal, shear, stretch))
        return SoleForces(
            places, normal_all, shear_all, stretch_all, force.sum(axis=0), moment, hinge, slope.sum(axis=0).T, moment_slope,
            hinge_slope,
        )  # fmt: skip

    def _all_facets(self, on: Array, values: Array) -> Array:
        """Values of all facets, zero for those that do not touch."""
        everywhere = np.zeros((len(self.points), *values.shape[1:]))
        everywhere[on] = values
        return everywhere

    def _friction(
        self, on: Array, normal: Array, normal_slope: Array, stretch: Array, stretch_slope: Array
    ) -> tuple[Array, Array, Array]:
        """Shear (n, 2), N, its slope (n, c, 2), and the stretch that remains (n, 2)."""
        stiffness = self.shear[on]
        size = np.linalg.norm(stretch, axis=1)
        limit = self.friction * normal
        slides = stiffness * size > limit
        shear, slope = -stiffness[:, None] * stretch, -stiffness[:, None, None] * stretch_slope
        along = stretch[slides] / size[slides, None]
        shear[slides] = -limit[slides, None] * along
        across = (
            stretch_slope[slides] - np.einsum("ncx,nx->nc", stretch_slope[slides], along)[..., None] * along[:, None]
        )
        slope[slides] = -self.friction * normal_slope[slides, :, None] * along[:, None]
        slope[slides] -= (limit[slides] / size[slides])[:, None, None] * across
        remains = stretch.copy()
        remains[slides] *= (limit[slides] / (stiffness[slides] * size[slides]))[:, None]
        return shear, slope, remains


def _stretch(places: Array, motions: Array, depth: Array, state: BristleState, on: Array) -> tuple[Array, Array]:
    """Stretch (n, 2) of bristles and its slope. A facet that touches down within the frame is stretched by the part of
    its path below the ground."""
    before, stretch = state.places[on], state.stretch[on]
    fresh = ~np.isfinite(before[:, 0])
    path = np.where(fresh[:, None], 0.0, places[:, :2] - np.where(fresh[:, None], 0.0, before[:, :2]))
    height = np.where(fresh, 0.0, np.maximum(before[:, 2], 0.0))
    part = np.where(fresh, 0.0, depth / (depth + height))
    slope = part[:, None, None] * motions[:, :, :2]
    part_slope = np.where(fresh, 0.0, height / (depth + height) ** 2)[:, None] * -motions[:, :, 2]
    slope = slope + part_slope[:, :, None] * path[:, None]
    return stretch + part[:, None] * path, slope


def _point_motions(points: Array, core: Array, pivot: Array, axes: Array, at: Array, hinge_axes: Array) -> Array:
    """Derivative (n, c, 3) of points with respect to the coordinates."""
    motions = np.zeros((len(points), POSE_COORDINATES + len(at), 3))
    motions[:, :TRANSLATIONS] = np.eye(3)
    for k, axis in enumerate(axes):
        motions[:, TRANSLATIONS + k] = (points - pivot) @ _cross_matrix(axis).T
    for k in range(len(at)):
        ahead = core > k
        motions[ahead, POSE_COORDINATES + k] = (points[ahead] - at[k]) @ _cross_matrix(hinge_axes[k]).T
    return motions


def _cross_matrix(vector: Array) -> Array:
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _geometric_stiffness(
    points: Array, force: Array, core: Array, pivot: Array, axes: Array, at: Array, hinge_axes: Array
) -> Array:
    """Derivative (c, c) of the generalised forces of constant forces: sum F . d2x / dq dq. For a rotation about a that
    carries one about b at p, sum F . (a x (b x r)) = a S b - (a . b) tr S with S = sum r F^T and r = x - p."""
    rotations = [*((axis, pivot) for axis in axes), *zip(hinge_axes, at, strict=True)]
    stiffness = np.zeros((TRANSLATIONS + len(rotations), TRANSLATIONS + len(rotations)))
    first = TRANSLATIONS - POSE_COORDINATES
    for l, (inner, place) in enumerate(rotations):
        moves = core > l + first if l + first >= 0 else slice(None)
        spread = (points[moves] - place).T @ force[moves]
        trace = float(np.trace(spread))
        for j, (outer, _) in enumerate(rotations[: l + 1]):
            value = float(outer @ spread @ inner - (outer @ inner) * trace)
            stiffness[TRANSLATIONS + j, TRANSLATIONS + l] = stiffness[TRANSLATIONS + l, TRANSLATIONS + j] = value
    return stiffness


def make_sole_springs(foot: Any, friction: float, ankle: Array, below: Sequence[SoftLayer] = ()) -> SoleSprings:
    """Springs of a foot. friction: coefficient. ankle: (3,), m, in the frame of the foot. below: layers on the
    ground."""
    points, owners, stiffness, shear = [], [], [], []
    for k in range(len(foot.anatomy.cores)):
        facets = make_sole_facets(foot, k, below)
        points.append(facets.middles)
        owners.append(np.full(len(facets.areas), k))
        stiffness.append(oedometric_modulus(facets.modulus, facets.poisson) * facets.areas / facets.thickness)
        shear.append(facets.modulus / (2.0 * (1.0 + facets.poisson)) * facets.areas / facets.thickness)
    hinges, whole = foot.anatomy.hinges, foot.anatomy.whole
    return SoleSprings(
        np.concatenate(points), np.concatenate(owners), np.concatenate(stiffness), np.concatenate(shear),
        np.array([hinge.at for hinge in hinges]).reshape(-1, 3), np.array([hinge.axis for hinge in hinges]).reshape(-1, 3),
        np.array([hinge.stiffness for hinge in hinges]), np.array([hinge.rest for hinge in hinges]),
        GRAVITY_M_S2 * np.array([core.mass for core in whole]), np.array([core.centre for core in whole]),
        np.asarray(ankle, dtype=float), float(friction),
    )  # fmt: skip
