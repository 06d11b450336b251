"""Motions without a laboratory, of nobody: what those have in common that follow from curves alone.

Poses come from angles of joints, in a skeleton that is sized by height. Forces follow from the motion: all segments together
need a force F and a moment M about the origin; less what loads give, the ground gives it, and as one force it acts where
nothing is left to balance,

    x = -M_y / F_z      y = M_x / F_z

Between two feet it is shared by parts that are told. So residuals are zero by construction: that they are small proves no
method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr
from scipy.spatial.transform import Rotation

from gaitwright.checks import At
from gaitwright.gait.axes import Lab
from gaitwright.gait.forces import GroundForces, at_points
from gaitwright.gait.loads import Wrench
from gaitwright.gait.moments import GRAVITY, joint_moments, moving
from gaitwright.gait.motion import AXES, Motion
from gaitwright.gait.plates import Plate
from gaitwright.gait.poses import marker_places
from gaitwright.gait.segment_frames import UPRIGHT
from gaitwright.gait.skeleton import Skeleton
from gaitwright.gait.trial import Trial

Array = np.ndarray
Poses = dict[str, tuple[Array, Array]]
"""By segment: origin (time, 3), m, and rotation (time, 3, 3), x forward, y left, z up."""
PLATE = (0.6, 0.4)
"""m: length and width of a plate below a step."""


@dataclass(frozen=True, repr=False)
class SchematicMotion:
    """SCHEMATIC. motion, forces: as `follow` and `measured` have them. loads: what acts besides the ground, by segment. phases:
    by name, from and to, s. notes: what it is made of."""

    motion: Motion
    forces: GroundForces
    loads: dict[str, Wrench]
    phases: dict[str, tuple[float, float]]
    notes: list[str]

    def __repr__(self) -> str:
        subject, times = self.motion.skeleton.subject, self.motion.times
        who = f"{subject.mass:g} kg, {subject.height:g} m"
        return f"<{type(self).__name__}: {who}, {len(times)} frames in {times[-1] - times[0]:.4g} s; {self.notes[0]}>"

    def moments(self, gravity: float = GRAVITY) -> xr.Dataset:
        """`gw.gait.joint_moments` of it, with its loads."""
        return joint_moments(self.motion, self.forces, gravity, self.loads)

    @property
    def plates(self) -> list[Plate]:
        """One below each foot."""
        forces = self.forces
        return [
            plate(number, forces.force[:, k], forces.moment[:, k], self.motion.rate, np.nanmean(forces.centre()[:, k], axis=0))
            for number, k in ((1, 0), (2, 1))
        ]  # fmt: skip

    def trial(self, name: str = "schematic", noise: float = 0.0, seed: int = 0) -> Trial:
        """Markers on the segments, with normal noise, m, and plates below the feet; loads are not in it. Its laboratory has y
        up, as OpenSim's."""
        motion = self.motion
        labels = [str(label) for label in motion.residual["marker"].to_numpy()]
        places = marker_places(motion.skeleton, labels, motion.position.to_numpy(), motion.rotation.to_numpy())
        places = places + np.random.default_rng(seed).normal(scale=noise, size=places.shape)
        markers = xr.DataArray(
            places, {"time": motion.times, "marker": labels, "axis": AXES}, ("time", "marker", "axis"), attrs={"units": "m"}
        )  # fmt: skip
        nothing = np.zeros(places.shape[:2], dtype=bool)
        return Trial(
            name, markers, motion.rate, Lab(UPRIGHT), self.plates, [], dict(motion.skeleton.landmarks), nothing,
            list(self.notes),
        )  # fmt: skip


def instants(at: At, seconds: float, rate: float) -> Array:
    """s, from 0 on."""
    at["seconds"].positive(seconds, "s")
    at["rate"].positive(rate, "1/s")
    times = np.arange(round(seconds * rate) + 1) / rate
    if len(times) < 8:
        at["seconds"].fail(
            "is too short for accelerations", seconds, f"at least {7 / rate:g} s at {rate:g} frames a second"
        )
    return times


def turned(first: Array, second: Array | float = 0.0, third: Array | float = 0.0) -> Array:
    """(time, 3, 3): flexion, adduction and rotation of a joint, rad: about z, the floating x, and y."""
    return Rotation.from_euler("ZXY", np.column_stack(np.broadcast_arrays(first, second, third))).as_matrix()


def hang(skeleton: Skeleton, poses: Poses, name: str, relative: Array) -> None:
    """The segment below a joint, by its turn in the one above, (time, 3, 3)."""
    joint = skeleton.joints[name]
    origin, rotation = poses[joint.parent]
    poses[joint.child] = (origin + rotation @ skeleton.segments[joint.parent].joints[name], rotation @ relative)


def motion_of(skeleton: Skeleton, times: Array, rate: float, poses: Poses) -> Motion:
    names = list(skeleton.segments)
    labels = [label for one in skeleton.segments.values() for label in one.markers]
    at_times = {"time": times, "segment": names}
    ordered = [poses[name] for name in names]
    return Motion(
        skeleton,
        xr.DataArray(np.stack([origin for origin, _ in ordered], axis=1), {**at_times, "axis": AXES},
                     ("time", "segment", "axis"), "position", {"units": "m"}),
        xr.DataArray(np.stack([rotation for _, rotation in ordered], axis=1), at_times,
                     ("time", "segment", "row", "column"), "rotation", {"units": "1"}),
        xr.DataArray(np.zeros((len(times), len(labels))), {"time": times, "marker": labels}, ("time", "marker"), "residual",
                     {"units": "m"}),
        rate, "joints",
    )  # fmt: skip


def from_ground(motion: Motion, gravity: float, loads: Mapping[str, Wrench]) -> Wrench:
    """What all segments together need besides their weight and the loads."""
    wrenches = [Wrench(*one.needed(gravity)) for one in moving(motion).values()] + [-load for load in loads.values()]
    return Wrench(*(np.sum([getattr(one, part) for one in wrenches], axis=0) for part in ("force", "moment")))


def acting_at(whole: Wrench) -> Array:
    """(time, 2), m: where on the ground it acts as one force."""
    return np.column_stack([-whole.moment[:, 1], whole.moment[:, 0]]) / whole.force[:, 2:]


def on_feet(
    times: Array, whole: Wrench, centre: Array, share: Array, pushes: Array | float = 0.0, notes: tuple[str, ...] = ()
) -> GroundForces:
    """The whole on either foot. centre: (time, side, 3), m, where each would act; both are moved alike until nothing is left to
    balance. share: (time, side), of the force and of the moment about the vertical. pushes: (time, side, 3), N, of feet against
    each other, none together."""
    off = acting_at(whole) - np.einsum("ts,tsi->ti", share, centre[..., :2])
    centre = centre.copy()
    centre[..., :2] += off[:, None]
    own = share[..., None] * whole.force[:, None] + pushes
    left = whole.moment[:, 2] - np.cross(centre, own)[..., 2].sum(axis=1)
    return at_points(
        times, own, centre, share * left[:, None], "schematic",
        notes=["schematic: forces follow from the motion", *notes],
    )  # fmt: skip


def plate(number: int, force: Array, moment: Array, rate: float, middle: Array) -> Plate:
    half = 0.5 * np.array(PLATE)
    corners = middle + np.array([[sx * half[0], sy * half[1], 0.0] for sx, sy in ((1, 1), (1, -1), (-1, -1), (-1, 1))])
    return Plate(f"plate {number}", force, moment, rate, corners)
