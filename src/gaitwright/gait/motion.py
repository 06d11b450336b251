"""Motion of a skeleton: poses of all segments over time, with velocities, accelerations, and the centre of mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.filters import derivative
from gaitwright.gait.skeleton import HumanSkeleton, SegmentPoses
from gaitwright.geometry.rotation import quaternion_of

Array = np.ndarray
AXIS_NAMES = ["x", "y", "z"]


@dataclass(frozen=True, repr=False)
class SkeletonMotion:
    """Poses of a skeleton over time. Frame: x forward, y left, z up. position: (time, segment, axis) of the segment
    origins, m.
    rotation: (time, segment, row, column), columns are the axes of the segment. residual: (time, marker), distance of a
    marker from its position in the skeleton, m. rate: Hz. method: 'joints' or 'segments'. cutoff: Hz, of the filter over
    poses; 0: none.
    NaN for unknown poses. Derivatives are those of a spline of degree 5."""

    skeleton: HumanSkeleton
    position: xr.DataArray
    rotation: xr.DataArray
    residual: xr.DataArray
    rate: float
    method: str
    cutoff: float = 0.0

    def __repr__(self) -> str:
        subject, span = self.skeleton.subject, self.times[-1] - self.times[0]
        person = f"{subject.mass:g} kg, {subject.height:g} m"
        return f"<Motion: {person}, {len(self.segments)} segments, {len(self.times)} frames in {span:.4g} s, by {self.method}>"

    @property
    def times(self) -> Array:
        return self.position["time"].to_numpy()

    @property
    def segments(self) -> list[str]:
        return [str(name) for name in self.position["segment"].to_numpy()]

    def origin(self, segment: str) -> Array:
        """Origin of a segment over time, (time, 3), m."""
        return self.position.to_numpy()[:, self._index(segment)]

    def turned(self, segment: str) -> Array:
        """Rotation matrices of a segment, (time, 3, 3)."""
        return self.rotation.to_numpy()[:, self._index(segment)]

    def place(self, segment: str, local: Array) -> Array:
        """Position over time, (time, 3), m, of a local point (3,) of a segment."""
        return self.origin(segment) + self.turned(segment) @ np.asarray(local, dtype=float)

    def joint_centre(self, joint: str) -> Array:
        """Centre of a joint over time, (time, 3), m, from the segment above it."""
        of = self.skeleton.joints[ErrorContext("motion", "joint").one_of(joint, self.skeleton.joints, "is no joint")]
        return self.place(of.parent, self.skeleton.segments[of.parent].joints[joint])

    def poses(self, frame: int) -> SegmentPoses:
        """Poses of all segments in one frame."""
        return {name: (self.origin(name)[frame], self.turned(name)[frame]) for name in self.segments}

    def _index(self, segment: str) -> int:
        return self.segments.index(ErrorContext("motion", "segment").one_of(segment, self.segments, "is no segment"))

    @cached_property
    def velocity(self) -> xr.DataArray:
        """Velocities of the origins, (time, segment, axis), m/s."""
        return self.position.copy(data=derivative(self.position.to_numpy(), self.rate))

    @cached_property
    def acceleration(self) -> xr.DataArray:
        """Accelerations of the origins, (time, segment, axis), m/s^2."""
        return self.position.copy(data=derivative(self.position.to_numpy(), self.rate, 2))

    @cached_property
    def angular_velocity(self) -> xr.DataArray:
        """Angular velocities, (time, segment, axis), rad/s, in the frame of each segment."""
        return self._like_position(self._spin[0])

    @cached_property
    def angular_acceleration(self) -> xr.DataArray:
        """Angular accelerations, (time, segment, axis), rad/s^2, in the frame of each segment."""
        return self._like_position(self._spin[1])

    @cached_property
    def _spin(self) -> tuple[Array, Array]:
        """omega = 2 q* q', omega' = 2 q* q'', vector parts. A spline through unit quaternions is not of unit length
        between the samples: its change of length s' at the samples, the scalar part of q* q', is removed from the second
        derivative."""
        q = quaternions_from_matrices(self.rotation.to_numpy())
        once, twice = (_conjugate_product(q, derivative(q, self.rate, k)) for k in (1, 2))
        return 2 * once[..., 1:], 2 * (twice[..., 1:] - 2 * once[..., :1] * once[..., 1:])

    def _like_position(self, values: Array) -> xr.DataArray:
        return self.position.copy(data=values)

    @cached_property
    def coordinates(self) -> xr.DataArray | None:
        """Generalised coordinates (time, coordinate): position of the pelvis, m, and rotations of the pelvis and the
        joints, rad, which define all poses; None for segments that were tracked independently."""
        if self.method != "joints":
            return None
        from gaitwright.gait.angles import joint_angles

        angles = joint_angles(self)
        hinges = {name for name, joint in self.skeleton.joints.items() if joint.kind == "hinge"}
        free = [str(name) for name, one in angles.items() if one.attrs["joint"] in {"pelvis", *self.skeleton.joints}]
        free = [name for name in free if angles[name].attrs["joint"] not in hinges or "flexion" in name]
        columns = [*self.origin("pelvis").T, *(angles[name].to_numpy() for name in free)]
        names = [*(f"pelvis_{axis}" for axis in AXIS_NAMES), *free]
        return xr.DataArray(
            np.column_stack(columns), {"time": self.times, "coordinate": names}, ("time", "coordinate"), "coordinates"
        )

    @cached_property
    def centres(self) -> xr.DataArray:
        """Centres of mass of the segments, (time, segment, axis), m."""
        local = np.array([self.skeleton.segments[name].centre for name in self.segments])
        return self.position + np.einsum("tsij,sj->tsi", self.rotation.to_numpy(), local)

    def centre_of_mass(self) -> xr.DataArray:
        """Centre of mass of all segments, (time, axis), m."""
        mass = np.array([self.skeleton.segments[name].mass for name in self.segments])
        values = np.einsum("tsi,s->ti", self.centres.to_numpy(), mass) / mass.sum()
        return xr.DataArray(
            values, {"time": self.times, "axis": AXIS_NAMES}, ("time", "axis"), "centre of mass", {"units": "m"}
        )

    def mean_residual(self) -> float:
        """RMS of the distances of all markers, m."""
        return float(np.sqrt(np.nanmean(np.square(self.residual.to_numpy()))))


def quaternions_from_matrices(rotation: Array) -> Array:
    """Quaternions (time, ..., 4) of rotations (time, ..., 3, 3), without jumps of sign, also across gaps; NaN in gaps."""
    flat = rotation.reshape(len(rotation), -1, 3, 3)
    quaternions = np.full((*flat.shape[:2], 4), np.nan)
    for k in range(flat.shape[1]):
        good = np.isfinite(flat[:, k]).all(axis=(1, 2))
        if good.any():
            quaternions[good, k] = quaternion_of(flat[good, k])
    return quaternions.reshape(*rotation.shape[:-2], 4)


def matrices_from_quaternions(quaternion: Array) -> Array:
    """Rotation matrices of quaternions (..., 4) of any length but zero."""
    w, x, y, z = np.moveaxis(quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _conjugate_product(q: Array, p: Array) -> Array:
    """q* p, the conjugate of q times p."""
    w = np.sum(q * p, axis=-1, keepdims=True)
    return np.concatenate(
        [w, q[..., :1] * p[..., 1:] - p[..., :1] * q[..., 1:] - np.cross(q[..., 1:], p[..., 1:])], axis=-1
    )
