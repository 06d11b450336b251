"""Balance of a walking foot: corrections of its pose, frame by frame, for which the ground carries a given force.

The sole is 200 to 400 N/mm stiff, and 20 to 80 N/mm in shear: a millimetre of marker error is hundreds of newtons. The
pose of the rearfoot is therefore unknown within the uncertainty of markers, and the force of a plate (or of the
dynamics of the body) and its point of application are given. Hinges are in equilibrium; friction has memory; the free
moment and the pressure follow. The corrections measure how well motion and forces agree.

In each frame, Newton's method (Levenberg and Marquardt's, with exact derivatives) finds the most probable pose, which
minimises

    sum ((F - F_0)/s_F)^2 + sum (M/s_M)^2 + sum (correction/s_c)^2 + sum (change/s_d)^2

together with the equilibrium of the hinges. M is the tilting moment about the given point of application. Height, pitch
and roll give the vertical force and its point of application almost exactly; corrections matter only where no nearby
pose does, as at the ends of the foot and at light loads. Markers of a standing foot also drift forward by up to 12 mm
over a stance (skin, rolling of the metatarsal heads), which would stretch the sole: corrections in the plane, within
their uncertainty, follow the horizontal force. Without them, friction misses the fore-aft force by 60 to 90 N, and the
ankle moment by 4 to 8 %."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gaitwright.foot.sole_springs import (
    POSE_COORDINATES,
    TRANSLATIONS,
    BristleState,
    SoleForces,
    SolePose,
    SoleSprings,
)
from gaitwright.geometry.rotation import matrix_from_vector, rotation_vector_rates
from gaitwright.mesh.cell_kinds import Array

FORCE_TOLERANCE_N = np.array([12.0, 50.0, 1.0])
CENTRE_TOLERANCE_M, MOMENT_TOLERANCE_NM = 4e-4, 0.3
"""Uncertainties s_F, forward, left and up, and s_M = F CENTRE_TOLERANCE_M + MOMENT_TOLERANCE_NM."""
HINGE_TOLERANCE_NM = 1e-2
CORRECTION_NAMES: tuple[str, ...] = ("height", "pitch", "roll", "forward", "left")
"""Corrections, m and rad: pitch with the toes up, roll with the medial side of a right foot up."""
POSE_TOLERANCE = np.array([2.6e-3, *np.radians([3.2, 2.3]), 8e-3, 4e-3])
"""Uncertainties s_c of a pose from markers (m, rad)."""
POSE_DRIFT_PER_S = np.array([1.0, *np.radians([1000.0, 300.0]), 1.0, 0.1])
"""Uncertainties s_d of the change of a correction (m/s, rad/s), times the length of a frame. Only roll and the sideways
position are smooth: without this term, friction with memory amplifies their freedom to jumps of 100 N sideways."""
MAX_CORRECTION = np.array([8e-3, *np.radians([6.0, 6.0]), np.inf, np.inf])
"""Corrections (m, rad) above which a frame is flagged."""
COORDINATE_ORDER, COORDINATE_SIGNS = [3, 4, 0, 1, 2], np.array([1.0, 1.0, 1.0, -1.0, 1.0])
"""Corrections in the order and with the signs of the coordinates of sole_springs.py: translations, then rotations about
the axes to the left, which turns the toes down, and forward."""
MAX_STEP = np.array([2e-3, 2e-3, 2e-3, *np.radians([2.0, 2.0])])
"""Upper bounds of one iteration (m, rad)."""
MAX_HINGE_STEP_RAD = np.radians(4.0)
MAX_ITERATIONS = 60
MIN_CENTRE_LOAD_N = 50.0
"""Load, N, from which a point of application is defined (less is noise of a plate)."""
MAX_DAMPING = 1e8
MAX_PLAUSIBLE_COST = 100.0
"""Cost (squared standard deviations) above which a frame is solved again from the pose of the markers."""
INITIAL_DEPTH_M = 1e-3
"""Depth of the lowest facet at the start of a frame without contact, m."""
CONVERGED_COST_DROP = 1e-4
"""Decrease of the cost, relative to 1 + cost, at which a frame has converged."""


@dataclass(frozen=True, eq=False)
class FootTrack:
    """Motion of a rearfoot from markers. time: (n,), s. ankle: (n, 3), m, over the ground z = 0. rotation: (n, 3, 3),
    frame of the foot to ground."""

    time: Array
    ankle: Array
    rotation: Array

    def mirrored(self) -> FootTrack:
        """Track of the opposite foot in the plane y = 0."""
        flip = np.array([1.0, -1.0, 1.0])
        return FootTrack(self.time, self.ankle * flip, self.rotation * flip[:, None] * flip)


@dataclass(frozen=True, eq=False)
class StepLoad:
    """Load of a step. force: (n, 3), N, of the ground on the foot. centre: (n, 2), m, point of application on the
    ground. free_moment: (n,), N m, about the vertical there."""

    force: Array
    centre: Array
    free_moment: Array

    def mirrored(self) -> StepLoad:
        flip = np.array([1.0, -1.0, 1.0])
        return StepLoad(self.force * flip, self.centre * flip[:2], -self.free_moment)

    @property
    def centre_defined(self) -> Array:
        """(n,): True for frames whose load defines a point of application."""
        return self.force[:, 2] >= MIN_CENTRE_LOAD_N

    def at(self, k: int) -> StepLoad:
        """Load of one frame, with n = 1."""
        return StepLoad(self.force[k : k + 1], self.centre[k : k + 1], self.free_moment[k : k + 1])

    def moment(self, points: Array) -> Array:
        """Moment (n, 3), N m, about points (n, 3), m."""
        arms = np.column_stack([self.centre - points[:, :2], -points[:, 2]])
        moment = np.cross(arms, self.force)
        moment[:, 2] += self.free_moment
        return moment


@dataclass(frozen=True, eq=False)
class StepBalance:
    """Result of a balance. track: of the markers. corrections: (n, 5), see CORRECTION_NAMES. angles: (n, hinges), rad.
    load: of the ground on the foot, computed. target: given load, or None. stiffness: (n, 2): vertical force per
    height, N/m, and moment about the ankle per pitch, N m/rad: the conditioning of a pose from markers.
    tilting_stiffness: (n, 2, 2): change of the tilting moments (about x and y, through the centre of pressure) with the
    rotations about correction_axes, N m/rad, under a constant vertical force."""

    track: FootTrack
    corrections: Array
    angles: Array
    load: StepLoad
    target: StepLoad | None
    stiffness: Array
    tilting_stiffness: Array

    @cached_property
    def corrected(self) -> FootTrack:
        """Corrected motion."""
        poses = [
            correct_pose(*pose)
            for pose in zip(self.track.ankle, self.track.rotation, coordinates_of(self.corrections), strict=True)
        ]
        ankle, rotation = zip(*poses, strict=True)
        return FootTrack(self.track.time, np.array(ankle), np.array(rotation))

    @property
    def flagged(self) -> np.ndarray:
        """(n,): True for frames with a correction above 8 mm or 6 degrees."""
        return np.any(np.abs(self.corrections) > MAX_CORRECTION, axis=1)

    @property
    def correction_rms(self) -> Array:
        """RMS of each correction, m and rad, over frames with a defined point of application."""
        on = np.ones(len(self.corrections), dtype=bool) if self.target is None else self.target.centre_defined
        return np.sqrt(np.mean(self.corrections[on] ** 2, axis=0))


def correction_axes(rotation: Array) -> Array:
    """Horizontal axes (2, 3) of the corrections: to the left of the foot, and forward."""
    forward = rotation[:2, 0] / np.linalg.norm(rotation[:2, 0])
    return np.array([[-forward[1], forward[0], 0.0], [*forward, 0.0]])


def pivot_of(ankle: Array) -> Array:
    """Point on the ground below the ankle, about which corrections rotate the foot: contact points then stay in
    place."""
    return np.array([ankle[0], ankle[1], 0.0])


def coordinates_of(corrections: Array) -> Array:
    """Coordinates (..., 5) of corrections (..., 5)."""
    return corrections[..., COORDINATE_ORDER] * COORDINATE_SIGNS


def corrections_of(coordinates: Array) -> Array:
    """Corrections (..., 5) of coordinates (..., 5)."""
    return (coordinates * COORDINATE_SIGNS)[..., np.argsort(COORDINATE_ORDER)]


def correct_pose(ankle: Array, rotation: Array, coordinates: Array) -> tuple[Array, Array]:
    """Ankle (3,), m, and rotation (3, 3) after translations, m, and rotations about correction_axes, rad."""
    turn = matrix_from_vector(coordinates[TRANSLATIONS:] @ correction_axes(rotation))
    pivot = pivot_of(ankle)
    return pivot + turn @ (ankle - pivot) + coordinates[:TRANSLATIONS], turn @ rotation


def balance_step(springs: SoleSprings, track: FootTrack, target: StepLoad | None) -> StepBalance:
    """Balance every frame. target: given load; None for a pose from markers alone, where only the hinges move."""
    frames, hinges = len(track.time), len(springs.hinge_stiffness)
    state, values = springs.unloaded(), np.concatenate([np.zeros(POSE_COORDINATES), springs.hinge_rest])
    fresh = values
    corrections, angles = np.zeros((frames, POSE_COORDINATES)), np.zeros((frames, hinges))
    force, centre, free = np.zeros((frames, 3)), np.zeros((frames, 2)), np.zeros(frames)
    stiffness, tilting = np.zeros((frames, 2)), np.zeros((frames, 2, 2))
    for k in range(frames):
        drift = np.inf if k == 0 else float(track.time[k] - track.time[k - 1])
        frame = _Frame(springs, track.ankle[k], track.rotation[k], state, values[:POSE_COORDINATES], drift)
        load = None if target is None else target.at(k)
        values, contact, cost = frame.settle(values, load)
        if cost > MAX_PLAUSIBLE_COST:  # a local minimum, or too many iterations
            values, contact, cost = min(((values, contact, cost), frame.settle(fresh, load)), key=lambda one: one[2])
        state = BristleState(contact.places, contact.stretch)
        corrections[k], angles[k] = corrections_of(values[:POSE_COORDINATES]), values[POSE_COORDINATES:]
        force[k], centre[k], free[k] = contact.force, contact.centre, contact.free_moment
        stiffness[k], tilting[k] = frame.conditioning(contact)
    return StepBalance(track, corrections, angles, StepLoad(force, centre, free), target, stiffness, tilting)


class _Frame:
    """One frame: the pose of the markers and the friction state at its beginning."""

    def __init__(
        self, springs: SoleSprings, ankle: Array, rotation: Array, state: BristleState, before: Array, seconds: float
    ) -> None:
        """before: coordinates of the pose in the previous frame, `seconds` earlier."""
        self.springs, self.ankle, self.rotation, self.state = springs, ankle, rotation, state
        self.before, self.drift = before, np.abs(coordinates_of(POSE_DRIFT_PER_S)) * seconds
        self.axes = correction_axes(rotation)

    def forces(self, values: Array) -> SoleForces:
        coordinates = values[:POSE_COORDINATES]
        pose = SolePose(*correct_pose(self.ankle, self.rotation, coordinates), values[POSE_COORDINATES:])
        axes = self.axes @ rotation_vector_rates(coordinates[TRANSLATIONS:] @ self.axes).T
        return self.springs.forces(pose, self.state, axes, pivot_of(self.ankle) + coordinates[:TRANSLATIONS])

    def settle(self, start: Array, target: StepLoad | None) -> tuple[Array, SoleForces, float]:
        """Coordinates of the balanced pose, the forces there, and the cost. target: load of this frame; None: only
        hinges move."""
        values = start.copy()
        contact = self.forces(values)
        if target is not None and contact.force[2] <= 0.0:
            values[2] -= contact.places[:, 2].min() + INITIAL_DEPTH_M
            contact = self.forces(values)
        free = slice(POSE_COORDINATES if target is None else 0, None)
        limit = np.concatenate([MAX_STEP, np.full(len(values) - POSE_COORDINATES, MAX_HINGE_STEP_RAD)])
        residual, slope = self._residual(values, contact, target)
        cost, damping = float(residual @ residual), 1e-6
        for _ in range(MAX_ITERATIONS):
            normal = slope[:, free].T @ slope[:, free]
            step = np.zeros(len(values))
            step[free] = -np.linalg.solve(normal + damping * np.diag(np.diag(normal)), slope[:, free].T @ residual)
            step *= min(1.0, float((limit / np.maximum(np.abs(step), 1e-300)).min()))
            trial = self.forces(values + step)
            new, new_slope = self._residual(values + step, trial, target)
            new_cost = float(new @ new)
            if new_cost <= cost:
                small = cost - new_cost <= CONVERGED_COST_DROP * (1.0 + cost)
                values, contact, residual, slope, cost = values + step, trial, new, new_slope, new_cost
                damping = max(0.1 * damping, 1e-9)
                if small:
                    break
            else:
                damping = max(10.0 * damping, 1e-6)
                if damping > MAX_DAMPING:
                    break
        return values, contact, cost

    def _residual(self, values: Array, contact: SoleForces, target: StepLoad | None) -> tuple[Array, Array]:
        """Weighted residuals and their derivatives (r, c)."""
        hinge, hinge_slope = contact.hinge_moments / HINGE_TOLERANCE_NM, contact.hinge_slope / HINGE_TOLERANCE_NM
        if target is None:
            return hinge, hinge_slope
        force, centre = target.force[0], target.centre[0]
        tolerance = max(force[2], 0.0) * CENTRE_TOLERANCE_M + MOMENT_TOLERANCE_NM
        # tilting moments of the computed forces about the given point of application
        shift = np.array([[0.0, 0.0, -centre[1]], [0.0, 0.0, centre[0]]])
        moment = contact.moment[:2] + shift @ contact.force
        moment_slope = contact.moment_slope[:2] + shift @ contact.force_slope
        likely = np.zeros((POSE_COORDINATES, len(values)))
        likely[:, :POSE_COORDINATES] = np.diag(1.0 / np.abs(coordinates_of(POSE_TOLERANCE)))
        smooth = np.zeros_like(likely)
        smooth[:, :POSE_COORDINATES] = np.diag(1.0 / self.drift)
        change = (values[:POSE_COORDINATES] - self.before) / self.drift
        rows = [(contact.force - force) / FORCE_TOLERANCE_N, moment / tolerance, likely @ values, change, hinge]
        slopes = [
            contact.force_slope / FORCE_TOLERANCE_N[:, None],
            moment_slope / tolerance,
            likely,
            smooth,
            hinge_slope,
        ]
        return np.concatenate(rows), np.concatenate(slopes)

    def conditioning(self, contact: SoleForces) -> tuple[Array, Array]:
        """Stiffness (2,) and tilting stiffness (2, 2) of StepBalance, with hinges that follow."""
        if contact.force[2] <= 0.0:
            return np.zeros(2), np.zeros((2, 2))
        pose, hinges = slice(0, POSE_COORDINATES), slice(POSE_COORDINATES, None)
        follow = -np.linalg.lstsq(contact.hinge_slope[:, hinges], contact.hinge_slope[:, pose], rcond=None)[0]
        vertical = contact.force_slope[2, pose] + contact.force_slope[2, hinges] @ follow
        tilting = contact.moment_slope[:2, pose] + contact.moment_slope[:2, hinges] @ follow
        about_ankle, about_centre = (
            tilting - np.outer([point[1], -point[0]], vertical) for point in (self.ankle, contact.centre)
        )
        per_pitch = -float(self.axes[0, :2] @ about_ankle[:, TRANSLATIONS])
        up = TRANSLATIONS - 1
        constant_force = about_centre[:, TRANSLATIONS:] - np.outer(
            about_centre[:, up], vertical[TRANSLATIONS:] / vertical[up]
        )
        return np.array([-vertical[up], per_pitch]), constant_force


def tilt_towards_target(balance: StepBalance, load: StepLoad, height: Array) -> StepBalance:
    """Balance with other pitch and roll, one step of Newton's method towards its target. load: ground force of another
    model of the same foot, in the poses of the balance except for their height. height: (n,), m, correction of the
    height there."""
    target = balance.target
    assert target is not None
    corrections = balance.corrections.copy()
    corrections[:, 0] = height
    for k, force in enumerate(load.force[:, 2]):
        if not (force > 0.0 and np.isfinite(load.centre[k]).all()):
            continue
        apart = load.centre[k] - target.centre[k]
        tolerance = force * CENTRE_TOLERANCE_M + MOMENT_TOLERANCE_NM
        # rows: tilting moments, and the corrections themselves
        signs = COORDINATE_SIGNS[TRANSLATIONS:]
        now = corrections[k, 1:3] * signs
        system = np.concatenate([balance.tilting_stiffness[k] / tolerance, np.diag(1.0 / POSE_TOLERANCE[1:3])])
        right = np.concatenate([force * np.array([apart[1], -apart[0]]) / tolerance, now / POSE_TOLERANCE[1:3]])
        step = -np.linalg.lstsq(system, right, rcond=None)[0]
        limit = MAX_STEP[TRANSLATIONS:]
        corrections[k, 1:3] += signs * np.clip(step, -limit, limit)
    return replace(balance, corrections=corrections, load=load)
