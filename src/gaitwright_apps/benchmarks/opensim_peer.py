"""Conversion of our skeleton to an OpenSim model: the same bodies, joints and markers; and of a motion to its
coordinates."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.gait.filters import derivative
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.skeleton import HumanSkeleton
from gaitwright.geometry.rotation import angles_of

GROUND_FRAME_ANGLES_RAD = (np.pi / 2, 0.0, 0.0)
"""Orientation of the ground frame of the pelvis joint: that of an upright pelvis, so that its second angle stays
small."""
ROTATIONAL_COORDINATE = 1
"""OpenSim's motion type of rotational coordinates, which are in degrees in files."""
GROUND_FRAME_ROTATION = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""The same orientation as a matrix."""


def is_available() -> bool:
    return importlib.util.find_spec("opensim") is not None


def load_opensim() -> Any:
    """Import OpenSim with only error messages enabled."""
    opensim = importlib.import_module("opensim")
    opensim.Logger.setLevelString("error")
    return opensim


def to_vector(values: Any) -> Any:
    return load_opensim().Vec3(*(float(value) for value in values))


def to_opensim(skeleton: HumanSkeleton) -> Any:
    """Convert a skeleton. Spherical joints become gimbals: body-fixed rotations about x, y, z."""
    opensim = load_opensim()
    model = opensim.Model()
    model.setGravity(to_vector([0, 0, -9.81]))
    above = {joint.child: joint for joint in skeleton.joints.values()}
    origin = to_vector([0, 0, 0])
    bodies = {}
    for name, segment in skeleton.segments.items():
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = segment.inertia
        inertia = opensim.Inertia(*(float(body_name) for body_name in (xx, yy, zz, xy, xz, yz)))
        bodies[name] = opensim.Body(name, segment.mass, to_vector(segment.centre), inertia)
        model.addBody(bodies[name])
        for label, position in segment.markers.items():
            model.addMarker(opensim.Marker(label, bodies[name], to_vector(position)))
        if name in above:
            joint = above[name]
            places = [to_vector(skeleton.segments[body_name].joints[joint.name]) for body_name in (joint.parent, name)]
            model.addJoint(
                opensim.GimbalJoint(
                    joint.name, bodies[joint.parent], places[0], origin, bodies[name], places[1], origin
                )
            )
        else:
            model.addJoint(
                opensim.FreeJoint(
                    "root", model.getGround(), origin, to_vector(GROUND_FRAME_ANGLES_RAD), bodies[name], origin, origin
                )
            )
    model.finalizeConnections()
    return model


def body_pose(model: Any, state: Any, body: str) -> tuple[np.ndarray, np.ndarray]:
    """Origin and rotation of a body on the ground."""
    transform = model.getBodySet().get(body).getTransformInGround(state)
    return (
        np.array([transform.p().get(i) for i in range(3)]),
        np.array([[transform.R().get(i, j) for j in range(3)] for i in range(3)]),
    )


def motion_coordinates(motion: SkeletonMotion, names: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, u and du/dt over time. u of a gimbal are the derivatives of its angles; those of the free joint are angular
    velocity and velocity in the ground frame."""
    pelvis = GROUND_FRAME_ROTATION.T @ motion.turned("pelvis")
    coordinates = dict(
        zip(
            (f"root_coord_{i}" for i in range(6)),
            (*_gimbal_angles(pelvis), *(motion.origin("pelvis") @ GROUND_FRAME_ROTATION).T),
            strict=True,
        )
    )
    for joint in motion.skeleton.joints.values():
        relative = np.swapaxes(motion.turned(joint.parent), 1, 2) @ motion.turned(joint.child)
        coordinates |= {f"{joint.name}_coord_{i}": angle for i, angle in enumerate(_gimbal_angles(relative))}
    q = np.column_stack([coordinates[name] for name in names])
    u, a = derivative(q, motion.rate, 1), derivative(q, motion.rate, 2)
    turning = [names.index(f"root_coord_{i}") for i in range(3)]
    for out, rate in ((u, motion.angular_velocity), (a, motion.angular_acceleration)):
        out[:, turning] = np.einsum("tij,tj->ti", pelvis, rate.sel(segment="pelvis").to_numpy())
    return q, u, a


def _gimbal_angles(rotation: np.ndarray) -> np.ndarray:
    return np.unwrap(angles_of(rotation, "xyz"), axis=0).T


def gimbal_axes(motion: SkeletonMotion, joint: str, frame: int) -> np.ndarray:
    """Axes of a gimbal on the ground, as rows: x of the parent, y after the first rotation, z of the child."""
    joint_data = motion.skeleton.joints[joint]
    above, below = motion.turned(joint_data.parent)[frame], motion.turned(joint_data.child)[frame]
    second = np.cross(below[:, 2], above[:, 0])
    return np.array([above[:, 0], second / np.linalg.norm(second), below[:, 2]])


def inverse_kinematics(model: Any, markers: Path, times: np.ndarray, folder: Path) -> Any:
    """OpenSim's inverse kinematics tool, ready to run; its results are written to found.mot."""
    tool = load_opensim().InverseKinematicsTool()
    tool.setModel(model)
    tool.setMarkerDataFileName(str(markers))
    tool.setStartTime(float(times[0]))
    tool.setEndTime(float(times[-1]))
    tool.setResultsDir(str(folder))
    tool.setOutputMotionFileName(str(folder / "found.mot"))
    return tool
