"""A person with fully known motion, forces and moments: the walking mechanism `lower_body`, run by the solver, with given
forces on heel and ball.

The mechanism has y up and z to the right; a trial x forward, y left, z up. Segments have the same axes in both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces
from gaitwright.gait.inverse_dynamics import SegmentMotion
from gaitwright.gait.skeleton import HumanSkeleton, SkeletonJoint, SkeletonSegment
from gaitwright.gait.subject import Subject
from gaitwright.mechanisms import lower_body
from gaitwright.result.result import Result

TURNED = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""Rows: axes of a trial in those of the mechanism."""
MASS, HEIGHT, STRIDE = 73.0, 1.741, 1.1
JOINTS = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot")}
PUSHES = {
    # functions of time, N, in the axes of the mechanism
    "right_foot.heel": ("-90*cos(6*t)", "500 + 200*sin(7*t)", "30*cos(2*t)"),
    "right_foot.ball": ("80*sin(3*t)", "300*cos(5*t)", "-20 + 9*t"),
    "left_foot.heel": ("40*t", "350*cos(9*t)", "-25*sin(4*t)"),
    "left_foot.ball": ("-60*sin(8*t)", "400 - 150*cos(3*t)", "15*cos(5*t)"),
}


@dataclass(frozen=True)
class Walker:
    run: Result
    skeleton: HumanSkeleton
    segments: dict[str, SegmentMotion]
    forces: GroundForces


def vector(run: Result, name: str) -> np.ndarray:
    """Vector over time, (time, 3), in the axes of a trial."""
    return np.stack([run.array(f"{name}{axis}") for axis in "xyz"], axis=1) @ TURNED.T


@cache
def walker(seconds: float = STRIDE, rate: float = 100.0) -> Walker:
    model = lower_body(body_mass=MASS, height=HEIGHT, stride=STRIDE, on_ground=False)
    for point, push in PUSHES.items():
        model.force.at_point(point, list(push), name=point.replace(".", "_"))
    run = model.inverse(seconds, step=1 / rate)
    joints = {
        f"{side}_{name}": SkeletonJoint(f"{side}_{name}", above if above == "pelvis" else f"{side}_{above}", f"{side}_{below}",
                                "spherical", np.eye(3))
        for side in FOOT_SIDES for name, (above, below) in JOINTS.items()
    }  # fmt: skip
    segments = {}
    for name in ("pelvis", *(f"{side}_{kind}" for side in FOOT_SIDES for kind in ("thigh", "shank", "foot"))):
        body = run.mechanism.body_names[name]
        places = {
            joint.name: np.array(body.points[joint.name if name == "pelvis" else joint.name.partition("_")[2]])
            for joint in joints.values()
            if name in (joint.parent, joint.child)
        }
        segments[name] = SkeletonSegment(name, body.mass, np.array(body.middle), np.array(body.inertia), 0.4, places)
    skeleton = HumanSkeleton(Subject(MASS, HEIGHT, "male"), segments, joints, {}, False, [])
    return Walker(run, skeleton, {name: _moving(run, one) for name, one in segments.items()}, _forces(run))


def _moving(run: Result, segment: SkeletonSegment) -> SegmentMotion:
    name = segment.name
    matrix = np.array([[run.array(f"{name}.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)])
    rotation = TURNED @ np.moveaxis(matrix, -1, 0)
    centre, gain, spin, spin_rate = (vector(run, f"{name}.{what}") for what in ("", "a", "w", "alpha_"))
    return SegmentMotion(segment, vector(run, f"{name}.origin."), rotation, centre, gain, spin, spin_rate)


def _forces(run: Result) -> GroundForces:
    shape = (len(run.time), len(FOOT_SIDES))
    force, moment = np.zeros((*shape, 3)), np.zeros((*shape, 3))
    for point, push in PUSHES.items():
        k = FOOT_SIDES.index(point.partition("_")[0])
        values = [eval(one, {"t": run.time, "sin": np.sin, "cos": np.cos}) for one in push]
        one = np.stack(values, axis=1) @ TURNED.T
        force[:, k] += one
        moment[:, k] += np.cross(vector(run, f"{point}."), one)
    return GroundForces(run.time, force, moment, np.zeros(shape), np.ones(shape, dtype=bool), "plates")
