"""Rigid body of space in fully Cartesian coordinates, with an origin anywhere (physics/bodies/spatial.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright.geometry.rotation import angles_of, axes_of, matrix_of, quaternion_of, spin_of
from gaitwright.physics.bodies.nodes import weighted
from gaitwright.physics.bodies.spatial import Spatial
from gaitwright.physics.declare import Family, Rigidity
from gaitwright.physics.drives.orientation import SEQUENCES
from gaitwright.system.blocks import Block, Element
from gaitwright.system.parts.base import Local, OutputOf, WantedVelocity
from gaitwright.system.parts.body import Body, grounded
from gaitwright.system.tables import Array

AXES = "xyz"
ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class SpatialBody(Body):
    """A link or body of space. brace: by how much its rigidity takes part in its mass matrix (system/brace.py)."""

    family: type[Family] = Spatial
    brace: float = 0.0

    def conditions(self) -> list[tuple[Element | Block, float]]:
        """Its axes stay perpendicular unit vectors (physics/bodies/rigidity.py)."""
        return [(self.element(Rigidity.registry[3]["orthonormal"], ORIGIN, []), self.brace)]

    def carried(self, places: Array) -> tuple[type[Family], Array, Array]:
        """As places without axes, sums of its reference point and its axes: what touches there asks for no spin."""
        return weighted(3, 4), self.index, np.concatenate([np.ones((len(places), 1)), places, places], axis=1)

    def positions(self, q: Array, places: Array) -> Array:
        own = q[..., self.index]
        own = own.reshape(*own.shape[:-1], 4, 3)
        return places + own[..., :1, :] + places @ own[..., 1:, :]

    def wanted_spin(self, label: str, value: tuple[float, ...]) -> WantedVelocity:
        """The wish for an angular velocity, rad/s: omega = 1/2 sum v_i x v_i'."""

        def rows(pose: Array) -> Array:
            crossed = [0.5 * np.cross(np.eye(3), axis).T for axis in axes_of(pose)]
            return np.hstack([np.zeros((3, 3)), *(-c for c in crossed)])

        return WantedVelocity(label, self.index, rows, value)

    # along a motion --------------------------------------------------------------------------------------------------

    def rotation(self, motion: Any) -> Array:
        """Rotation matrices (n_times, 3, 3)."""
        return matrix_of(motion.q[:, self.index])

    def angular_velocity(self, motion: Any) -> Array:
        """(n_times, 3), rad/s, ground frame."""
        return spin_of(motion.q[:, self.index], motion.v[:, self.index])

    def angular_acceleration(self, motion: Any) -> Array:
        """(n_times, 3), rad/s^2, ground frame."""
        return spin_of(motion.q[:, self.index], motion.a[:, self.index])

    def outputs(self) -> Iterator[OutputOf]:
        yield from self.outputs_at(self.middle, where="centre of mass, ")
        spin, gain = once(self.angular_velocity), once(self.angular_acceleration)
        quaternion = once(lambda motion: quaternion_of(self.rotation(motion)))
        for k, axis in enumerate(AXES):
            yield OutputOf(f"w{axis}", "rad/s", f"angular velocity about {axis}", column(spin, k))
        for k, axis in enumerate(AXES):
            yield OutputOf(f"alpha_{axis}", "rad/s^2", f"angular acceleration about {axis}", column(gain, k))
        for k, part in enumerate("wxyz"):
            yield OutputOf(f"q{part}", "1", f"quaternion, {part}", column(quaternion, k))

    def more_outputs(self) -> Iterator[OutputOf]:
        """There are many ways to say an orientation."""
        yield from self.outputs_at(ORIGIN, "origin.", "origin of its frame, ")
        matrix = once(self.rotation)
        own = once(lambda motion: seen_from(matrix(motion), self.angular_velocity(motion)))
        for k, axis in enumerate(AXES):
            yield OutputOf(f"w{axis}_body", "rad/s", f"angular velocity about its own {axis} axis", column(own, k))
        for i in range(3):
            for j in range(3):
                text = f"rotation matrix, component along {AXES[i]} of axis {j + 1}"
                yield OutputOf(f"r{i + 1}{j + 1}", "1", text, column(matrix, i, j))
        for sequence in SEQUENCES:
            angles = once(lambda motion, sequence=sequence: angles_of(matrix(motion), sequence))
            for k, axis in enumerate(sequence):
                text = f"angle {k + 1} of the sequence {sequence}, about {axis}"
                yield OutputOf(f"{sequence}_{k + 1}", "rad", text, column(angles, k))


def spatial_ground(points: Mapping[str, Local]) -> SpatialBody:
    return SpatialBody(
        name="ground", kind="ground", points=points, inertia=np.zeros((3, 3)), middle=ORIGIN, **grounded(12)
    )


def seen_from(matrix: Array, vector: Array) -> Array:
    """Vectors (n_times, 3) of the ground frame in frames with these rotation matrices."""
    return np.einsum("tji,tj->ti", matrix, vector)


def column(values: Callable[[Any], Array], *place: int) -> Callable[[Any], Array]:
    """One entry of an array over time."""
    return lambda motion: values(motion)[(slice(None), *place)]


def once(values: Callable[[Any], Array]) -> Callable[[Any], Array]:
    """Keeps the values of the last motion: several outputs are parts of one array."""
    kept: list[Any] = [None, None]

    def kept_values(motion: Any) -> Array:
        if kept[0] is not motion:
            kept[:] = motion, values(motion)
        return kept[1]

    return kept_values
