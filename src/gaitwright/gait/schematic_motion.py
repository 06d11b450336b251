"""Schematic motions without laboratory data: common functions for motions defined by curves.

Poses follow from joint angles, in a skeleton scaled by height. Forces follow from the motion: all segments together need a
force F and a moment M about the origin; minus the loads, the ground provides them, and as a single force it acts at the
point with zero horizontal moment,

    x = -M_y / F_z      y = M_x / F_z

The given shares distribute it to both feet. So residuals are zero by construction: small residuals here validate no method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr
from scipy.spatial.transform import Rotation

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.axes import LaboratoryFrame
from gaitwright.gait.force_plates import ForcePlate
from gaitwright.gait.ground_reaction import GroundForces, ground_forces_at_points
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2, joint_moments, segment_motions
from gaitwright.gait.inverse_kinematics import marker_positions
from gaitwright.gait.motion import AXIS_NAMES, SkeletonMotion
from gaitwright.gait.segment_frames import UPRIGHT_AXES
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.skeleton import HumanSkeleton
from gaitwright.gait.trial import GaitTrial

Array = np.ndarray
SegmentPoseSeries = dict[str, tuple[Array, Array]]
"""Origin (time, 3), m, and rotation (time, 3, 3), x forward, y left, z up, by segment."""
PLATE_SIZE_M = (0.6, 0.4)
"""Length and width of a plate below a step, m."""


@dataclass(frozen=True, repr=False)
class SchematicMotion:
    """A SCHEMATIC motion. motion, forces: as from `follow` and `ground_forces_from_plates`. loads: loads besides the
    ground force, by segment. phases: by name, start and end, s. notes: origin of the motion."""

    motion: SkeletonMotion
    forces: GroundForces
    loads: dict[str, Wrench]
    phases: dict[str, tuple[float, float]]
    notes: list[str]

    def __repr__(self) -> str:
        subject, times = self.motion.skeleton.subject, self.motion.times
        person = f"{subject.mass:g} kg, {subject.height:g} m"
        return (
            f"<{type(self).__name__}: {person}, {len(times)} frames in {times[-1] - times[0]:.4g} s; {self.notes[0]}>"
        )

    def moments(self, gravity: float = GRAVITY_M_PER_S2) -> xr.Dataset:
        """Joint moments, by `gw.gait.joint_moments`, with the loads of the motion."""
        return joint_moments(self.motion, self.forces, gravity, self.loads)

    @property
    def plates(self) -> list[ForcePlate]:
        """Plates, one below each foot."""
        forces = self.forces
        return [
            build_plate(
                number,
                forces.force[:, k],
                forces.moment[:, k],
                self.motion.rate,
                np.nanmean(forces.centre()[:, k], axis=0),
            )
            for number, k in ((1, 0), (2, 1))
        ]

    def trial(self, name: str = "schematic", noise: float = 0.0, seed: int = 0) -> GaitTrial:
        """Synthetic trial: markers on the segments, with normal noise, m, and plates below the feet, without the loads.
        Its laboratory has y up, as in OpenSim."""
        motion = self.motion
        labels = [str(label) for label in motion.residual["marker"].to_numpy()]
        places = marker_positions(motion.skeleton, labels, motion.position.to_numpy(), motion.rotation.to_numpy())
        places = places + np.random.default_rng(seed).normal(scale=noise, size=places.shape)
        markers = xr.DataArray(
            places,
            {"time": motion.times, "marker": labels, "axis": AXIS_NAMES},
            ("time", "marker", "axis"),
            attrs={"units": "m"},
        )
        nothing = np.zeros(places.shape[:2], dtype=bool)
        return GaitTrial(
            name,
            markers,
            motion.rate,
            LaboratoryFrame(UPRIGHT_AXES),
            self.plates,
            [],
            dict(motion.skeleton.landmarks),
            nothing,
            list(self.notes),
        )


def sample_times(at: ErrorContext, seconds: float, rate: float) -> Array:
    """Sample times from 0 on, s. Raises ModelError for invalid numbers or too few samples."""
    at["seconds"].positive(seconds, "s")
    at["rate"].positive(rate, "1/s")
    times = np.arange(round(seconds * rate) + 1) / rate
    if len(times) < 8:
        at["seconds"].fail(
            "is too short for accelerations", seconds, f"at least {7 / rate:g} s at {rate:g} frames a second"
        )
    return times


def joint_rotations(first: Array, second: Array | float = 0.0, third: Array | float = 0.0) -> Array:
    """Rotation matrices (time, 3, 3) of a joint from flexion, adduction and rotation, rad: about z, the floating x, and y."""
    return Rotation.from_euler("ZXY", np.column_stack(np.broadcast_arrays(first, second, third))).as_matrix()


def attach_segment(skeleton: HumanSkeleton, poses: SegmentPoseSeries, name: str, relative: Array) -> None:
    """Add the pose of the segment below a joint, from its rotation relative to the segment above, (time, 3, 3)."""
    joint = skeleton.joints[name]
    origin, rotation = poses[joint.parent]
    poses[joint.child] = (origin + rotation @ skeleton.segments[joint.parent].joints[name], rotation @ relative)


def build_motion(skeleton: HumanSkeleton, times: Array, rate: float, poses: SegmentPoseSeries) -> SkeletonMotion:
    names = list(skeleton.segments)
    labels = [label for one in skeleton.segments.values() for label in one.markers]
    at_times = {"time": times, "segment": names}
    ordered = [poses[name] for name in names]
    return SkeletonMotion(
        skeleton,
        xr.DataArray(np.stack([origin for origin, _ in ordered], axis=1), {**at_times, "axis": AXIS_NAMES},
                     ("time", "segment", "axis"), "position", {"units": "m"}),
        xr.DataArray(np.stack([rotation for _, rotation in ordered], axis=1), at_times,
                     ("time", "segment", "row", "column"), "rotation", {"units": "1"}),
        xr.DataArray(np.zeros((len(times), len(labels))), {"time": times, "marker": labels}, ("time", "marker"), "residual",
                     {"units": "m"}),
        rate, "joints",
    )  # fmt: skip


def required_ground_wrench(motion: SkeletonMotion, gravity: float, loads: Mapping[str, Wrench]) -> Wrench:
    """Wrench that all segments together need for their motion against gravity, minus the loads."""
    wrenches = [Wrench(*one.needed(gravity)) for one in segment_motions(motion).values()] + [
        -load for load in loads.values()
    ]
    return Wrench(*(np.sum([getattr(one, part) for one in wrenches], axis=0) for part in ("force", "moment")))


def point_of_application(whole: Wrench) -> Array:
    """Point on the ground at which the wrench acts as a single force, (time, 2), m."""
    return np.column_stack([-whole.moment[:, 1], whole.moment[:, 0]]) / whole.force[:, 2:]


def distribute_to_feet(
    times: Array, whole: Wrench, centre: Array, share: Array, pushes: Array | float = 0.0, notes: tuple[str, ...] = ()
) -> GroundForces:
    """Distribute the whole wrench to the feet. centre: (time, side, 3), m, intended points of application; both are
    shifted equally until the moments balance. share: (time, side), of the force and of the moment about the vertical.
    pushes: (time, side, 3), N, forces of the feet against each other, with zero sum."""
    off = point_of_application(whole) - np.einsum("ts,tsi->ti", share, centre[..., :2])
    centre = centre.copy()
    centre[..., :2] += off[:, None]
    own = share[..., None] * whole.force[:, None] + pushes
    left = whole.moment[:, 2] - np.cross(centre, own)[..., 2].sum(axis=1)
    return ground_forces_at_points(
        times, own, centre, share * left[:, None], "schematic",
        notes=["schematic: forces follow from the motion", *notes],
    )  # fmt: skip


def build_plate(number: int, force: Array, moment: Array, rate: float, middle: Array) -> ForcePlate:
    half = 0.5 * np.array(PLATE_SIZE_M)
    corners = middle + np.array([[sx * half[0], sy * half[1], 0.0] for sx, sy in ((1, 1), (1, -1), (-1, -1), (-1, 1))])
    return ForcePlate(f"plate {number}", force, moment, rate, corners)
