"""Spatial rigid body in fully Cartesian coordinates, with an arbitrary origin (physics/bodies/spatial.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright.geometry.rotation import angles_of, angular_rate_of, axes_of, matrix_of, quaternion_of
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.parts.base import PartOutput, PlaceCoordinates, RequestedVelocity
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart, ground_fields
from gaitwright.mechanism.tables import Array
from gaitwright.physics.bodies.interpolated_point import interpolated_point_family
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.physics.declarations import Family, Rigidity
from gaitwright.physics.drives.orientation import AXIS_SEQUENCES

AXIS_NAMES = "xyz"
ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class SpatialBodyPart(RigidBodyPart):
    """Spatial link or body. brace: weight of its rigidity in its mass matrix (mechanism/mass_regularisation.py)."""

    family: type[Family] = SpatialRigidBody
    brace: float = 0.0

    def conditions(self) -> list[tuple[MechanismElement | ElementBlock, float]]:
        """Its axes stay perpendicular unit vectors (physics/bodies/rigidity.py)."""
        return [(self.element(Rigidity.registry[3]["orthonormal"], ORIGIN, []), self.brace)]

    def carried(self, places: Array) -> tuple[type[Family], Array, Array]:
        """As places without axes, sums of its reference point and its axes: contacts at them need no angular velocity."""
        return (
            interpolated_point_family(3, 4),
            self.index,
            np.concatenate([np.ones((len(places), 1)), places, places], axis=1),
        )

    def positions(self, q: Array, places: Array) -> Array:
        own = q[..., self.index]
        own = own.reshape(*own.shape[:-1], 4, 3)
        return places + own[..., :1, :] + places @ own[..., 1:, :]

    def wanted_spin(self, label: str, value: tuple[float, ...]) -> RequestedVelocity:
        """Request an angular velocity, rad/s: omega = 1/2 sum v_i x v_i'."""

        def rows(pose: Array) -> Array:
            crossed = [0.5 * np.cross(np.eye(3), axis).T for axis in axes_of(pose)]
            return np.hstack([np.zeros((3, 3)), *(-c for c in crossed)])

        return RequestedVelocity(label, self.index, rows, value)

    # along a motion --------------------------------------------------------------------------------------------------

    def rotation(self, motion: Any) -> Array:
        """Return the rotation matrices (n_times, 3, 3)."""
        return matrix_of(motion.q[:, self.index])

    def angular_velocity(self, motion: Any) -> Array:
        """Return the angular velocity (n_times, 3), rad/s, ground frame."""
        return angular_rate_of(motion.q[:, self.index], motion.v[:, self.index])

    def angular_acceleration(self, motion: Any) -> Array:
        """Return the angular acceleration (n_times, 3), rad/s^2, ground frame."""
        return angular_rate_of(motion.q[:, self.index], motion.a[:, self.index])

    def outputs(self) -> Iterator[PartOutput]:
        yield from self.outputs_at(self.middle, where="centre of mass, ")
        spin, gain = cache_last_motion(self.angular_velocity), cache_last_motion(self.angular_acceleration)
        quaternion = cache_last_motion(lambda motion: quaternion_of(self.rotation(motion)))
        for k, axis in enumerate(AXIS_NAMES):
            yield PartOutput(f"w{axis}", "rad/s", f"angular velocity about {axis}", select_entry(spin, k))
        for k, axis in enumerate(AXIS_NAMES):
            yield PartOutput(f"alpha_{axis}", "rad/s^2", f"angular acceleration about {axis}", select_entry(gain, k))
        for k, part in enumerate("wxyz"):
            yield PartOutput(f"q{part}", "1", f"quaternion, {part}", select_entry(quaternion, k))

    def more_outputs(self) -> Iterator[PartOutput]:
        """Yield the many further representations of position and orientation."""
        yield from self.outputs_at(ORIGIN, "origin.", "origin of its frame, ")
        matrix = cache_last_motion(self.rotation)
        own = cache_last_motion(lambda motion: rotate_into_frames(matrix(motion), self.angular_velocity(motion)))
        for k, axis in enumerate(AXIS_NAMES):
            yield PartOutput(
                f"w{axis}_body", "rad/s", f"angular velocity about its own {axis} axis", select_entry(own, k)
            )
        for i in range(3):
            for j in range(3):
                text = f"rotation matrix, component along {AXIS_NAMES[i]} of axis {j + 1}"
                yield PartOutput(f"r{i + 1}{j + 1}", "1", text, select_entry(matrix, i, j))
        for sequence in AXIS_SEQUENCES:
            angles = cache_last_motion(lambda motion, sequence=sequence: angles_of(matrix(motion), sequence))
            for k, axis in enumerate(sequence):
                text = f"angle {k + 1} of the sequence {sequence}, about {axis}"
                yield PartOutput(f"{sequence}_{k + 1}", "rad", text, select_entry(angles, k))


def spatial_ground(points: Mapping[str, PlaceCoordinates]) -> SpatialBodyPart:
    """The ground as a spatial body with these points."""
    return SpatialBodyPart(
        name="ground", kind="ground", points=points, inertia=np.zeros((3, 3)), middle=ORIGIN, **ground_fields(12)
    )


def rotate_into_frames(matrix: Array, vector: Array) -> Array:
    """Transform vectors (n_times, 3) from the ground frame to frames with these rotation matrices."""
    return np.einsum("tji,tj->ti", matrix, vector)


def select_entry(values: Callable[[Any], Array], *place: int) -> Callable[[Any], Array]:
    """Return a function for one entry of an array over time."""
    return lambda motion: values(motion)[(slice(None), *place)]


def cache_last_motion(values: Callable[[Any], Array]) -> Callable[[Any], Array]:
    """Cache the values for the last motion: several outputs are parts of one array."""
    last: list[Any] = [None, None]

    def kept_values(motion: Any) -> Array:
        if last[0] is not motion:
            last[:] = motion, values(motion)
        return last[1]

    return kept_values
