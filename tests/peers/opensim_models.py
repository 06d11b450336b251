"""A skeleton of ours as a model of OpenSim: the same bodies, joints and markers."""

from __future__ import annotations

from typing import Any

import numpy as np
import opensim

from gaitwright.gait.skeleton import Skeleton

UP = (np.pi / 2, 0.0, 0.0)
"""The frame on the ground in which the pelvis turns: as an upright pelvis, so that its second angle stays small."""


def vector(values: Any) -> Any:
    return opensim.Vec3(*(float(value) for value in values))


def as_opensim(skeleton: Skeleton) -> Any:
    """Gimbals for spherical joints: body-fixed turns about x, y, z."""
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
