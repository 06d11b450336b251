"""A skeleton of ours as a model of OpenSim: the same bodies, joints and markers; and a motion in its coordinates."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.gait.filters import derivative
from gaitwright.gait.motion import Motion
from gaitwright.gait.skeleton import Skeleton
from gaitwright.geometry.rotation import angles_of

UP = (np.pi / 2, 0.0, 0.0)
"""The frame on the ground in which the pelvis turns: as an upright pelvis, so that its second angle stays small."""
ANGLE = 1
"""What OpenSim calls a coordinate that is an angle, which its files have in degrees."""
ROOT = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""The same as a matrix."""


def available() -> bool:
    return importlib.util.find_spec("opensim") is not None


def load() -> Any:
    """OpenSim, which says only what goes wrong."""
    opensim = importlib.import_module("opensim")
    opensim.Logger.setLevelString("error")
    return opensim


def vector(values: Any) -> Any:
    return load().Vec3(*(float(value) for value in values))


def as_opensim(skeleton: Skeleton) -> Any:
    """Gimbals for spherical joints: body-fixed turns about x, y, z."""
    opensim = load()
    model = opensim.Model()
    model.setGravity(vector([0, 0, -9.81]))
    above = {joint.child: joint for joint in skeleton.joints.values()}
    here = vector([0, 0, 0])
    bodies = {}
    for name, segment in skeleton.segments.items():
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = segment.inertia
        inertia = opensim.Inertia(*(float(one) for one in (xx, yy, zz, xy, xz, yz)))
        bodies[name] = opensim.Body(name, segment.mass, vector(segment.centre), inertia)
        model.addBody(bodies[name])
        for label, at in segment.markers.items():
            model.addMarker(opensim.Marker(label, bodies[name], vector(at)))
        if name in above:
            joint = above[name]
            places = [vector(skeleton.segments[one].joints[joint.name]) for one in (joint.parent, name)]
            model.addJoint(
                opensim.GimbalJoint(joint.name, bodies[joint.parent], places[0], here, bodies[name], places[1], here)
            )
        else:
            model.addJoint(opensim.FreeJoint("root", model.getGround(), here, vector(UP), bodies[name], here, here))
    model.finalizeConnections()
    return model


def pose(model: Any, state: Any, body: str) -> tuple[np.ndarray, np.ndarray]:
    """Origin and rotation of a body on the ground."""
    found = model.getBodySet().get(body).getTransformInGround(state)
    return (
        np.array([found.p().get(i) for i in range(3)]),
        np.array([[found.R().get(i, j) for j in range(3)] for i in range(3)]),
    )


def coordinates(motion: Motion, names: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, u and du/dt over time. u of a gimbal are the derivatives of its angles; those of the free joint are angular velocity
    and velocity in the frame of the ground."""
    pelvis = ROOT.T @ motion.turned("pelvis")
    found = dict(
        zip((f"root_coord_{i}" for i in range(6)), (*_angles(pelvis), *(motion.origin("pelvis") @ ROOT).T), strict=True)
    )
    for joint in motion.skeleton.joints.values():
        relative = np.swapaxes(motion.turned(joint.parent), 1, 2) @ motion.turned(joint.child)
        found |= {f"{joint.name}_coord_{i}": angle for i, angle in enumerate(_angles(relative))}
    q = np.column_stack([found[name] for name in names])
    u, a = derivative(q, motion.rate, 1), derivative(q, motion.rate, 2)
    turning = [names.index(f"root_coord_{i}") for i in range(3)]
    for out, rate in ((u, motion.angular_velocity), (a, motion.angular_acceleration)):
        out[:, turning] = np.einsum("tij,tj->ti", pelvis, rate.sel(segment="pelvis").to_numpy())
    return q, u, a


def _angles(rotation: np.ndarray) -> np.ndarray:
    return np.unwrap(angles_of(rotation, "xyz"), axis=0).T


def axes_of(motion: Motion, joint: str, frame: int) -> np.ndarray:
    """Rows: the axes of a gimbal on the ground: x of the parent, y after the first turn, z of the child."""
    of = motion.skeleton.joints[joint]
    above, below = motion.turned(of.parent)[frame], motion.turned(of.child)[frame]
    second = np.cross(below[:, 2], above[:, 0])
    return np.array([above[:, 0], second / np.linalg.norm(second), below[:, 2]])


def inverse_kinematics(model: Any, markers: Path, times: np.ndarray, folder: Path) -> Any:
    """Its tool, ready to run; what it finds goes to found.mot."""
    tool = load().InverseKinematicsTool()
    tool.setModel(model)
    tool.setMarkerDataFileName(str(markers))
    tool.setStartTime(float(times[0]))
    tool.setEndTime(float(times[-1]))
    tool.setResultsDir(str(folder))
    tool.setOutputMotionFileName(str(folder / "found.mot"))
    return tool
