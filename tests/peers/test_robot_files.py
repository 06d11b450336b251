"""Robots as their makers publish them: all files of the package example-robot-data that Pinocchio reads, against Pinocchio.

Inverse dynamics at a random state: torque of every motor. Joints that follow others (mimic) are independent in Pinocchio,
which supports gears only with an option that fails on four of the files; virtual work gives the load of their motors on the
joint that they follow: tau = tau_a + ratio tau_b. Damping of the file is added likewise, because it is part of our
model."""

from __future__ import annotations

import functools
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.formats.urdf_file import ROTATING_JOINT_TYPES, SINGLE_POSITION_JOINT_TYPES, UrdfRobot, parse_urdf
from gaitwright.model.io.urdf_import import read_urdf

pin: Any = pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'gaitwright[test]'")
FOLDERS = [Path(entry) / "cmeel.prefix/share/example-robot-data/robots" for entry in sys.path]
FOLDER = next((folder for folder in FOLDERS if folder.is_dir()), None)
if FOLDER is None:
    pytest.skip("no robots: pip install 'gaitwright[test]'", allow_module_level=True)
pytestmark = pytest.mark.peer

FILES = {str(path.relative_to(FOLDER)): path for path in sorted(FOLDER.rglob("*.urdf"))}
UNREADABLE = {"ur_description/urdf/ur3.urdf"}
"""A macro that Pinocchio does not read either."""
ROBOTS = [name for name in FILES if name not in UNREADABLE]
REPAIRED = {
    "human_description/robots/human.urdf",  # hips, ankles, ... of several hinges with links without mass between them
    "icub_description/robots/icub.urdf",  # points: masses without inertia
    "icub_description/robots/icub_reduced.urdf",
    "romeo_description/urdf/romeo.urdf",  # fingers without mass
    "romeo_description/urdf/romeo_laas_small.urdf",  # moments that are negative or more than the sum of the others
    "romeo_description/urdf/romeo_small.urdf",
}
"""Robots with impossible bodies, however links are merged: rejected unless repair is requested."""
WITHIN = 1e-10
"""Tolerance relative to the largest torque. Rounding of a few hundred elimination steps is 1e-13 of it; a missing term would be
1e-6 or more."""


def quietly(read: Any, name: str, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read(FILES[name], repair=name in REPAIRED, **options)


@pytest.mark.parametrize("name", ROBOTS)
def test_robot_file_is_read(name: str) -> None:
    """Every part that can be a body is one, every joint of the file exists unless it connects parts of one body, and masses
    add up."""
    found = quietly(read_urdf, name, base="free")
    model = gw.Model.from_dict(found.document)
    robot = parsed(name)
    assert len(found.table) == len(robot.links) + len(robot.joints)
    mechanism = model.mechanism()
    repairs = [row for row in found.table if row.remark.startswith("repaired")]
    assert bool(repairs) == (name in REPAIRED)
    on_ground = {row.name for row in found.table if row.model == "the ground"}
    whole = sum(link.own.mass for link in robot.links.values() if link.name not in on_ground)
    assert sum(body.mass for body in mechanism.body_names.values()) == pytest.approx(whole, rel=1e-4)
    moving = [joint for joint in robot.joints.values() if joint.kind in SINGLE_POSITION_JOINT_TYPES]
    followers = [joint for joint in moving if joint.mimic is not None]
    kinds = [entry["type"] for entry in model.document.joints]
    assert sum(kind in ("revolute", "prismatic") for kind in kinds) == len(moving)
    assert sum(kind in ("gear", "rack") for kind in kinds) == len(followers)


@pytest.mark.parametrize("name", sorted(REPAIRED))
def test_invalid_file_raises_unless_repaired(name: str) -> None:
    with pytest.raises(gw.ModelError, match=r"link '.*repair=True"):
        gw.import_model(FILES[name])


def test_most_files_are_read_without_repair() -> None:
    assert len(ROBOTS) == 68 and len(ROBOTS) - len(REPAIRED) >= 62


@pytest.mark.parametrize("name", ROBOTS)
def test_torques(name: str) -> None:
    robot, state, ours = parsed(name), random_state(name), our_names(name)
    if not state:
        pytest.skip("nothing moves")
    model = quietly(gw.import_model, name, merge=True, positions={joint: values[0] for joint, values in state.items()})
    drives = {"revolute": model.drive.rotation, "prismatic": model.drive.translation}
    types = {entry["name"]: entry["type"] for entry in model.document.joints}
    for joint, (q, v, a) in state.items():
        drives[types[ours[joint]]](ours[joint], f"{q!r} + {v!r}*t + {a / 2!r}*t^2", name=f"{ours[joint]}-motor")
    run = model.inverse(times=[0.0, 1e-3])
    what = {"revolute": "torque", "prismatic": "force"}
    found = {joint: run.array(f"{ours[joint]}-motor.{what[types[ours[joint]]]}")[0] for joint in state}
    theirs = torques(name, robot, state)
    size = max(map(abs, theirs.values()))
    assert max(abs(found[joint] - theirs[joint]) for joint in state) < WITHIN * size


FREE = [
    "anymal_b_simple_description/robots/anymal.urdf", "bolt_description/robots/bolt.urdf", "go1_description/urdf/go1.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf", "solo_description/robots/solo12.urdf",
]  # fmt: skip
"""Walking robots, free to fall."""


@pytest.mark.parametrize("name", FREE)
def test_accelerations(name: str) -> None:
    """Of all bodies, with the base free and the legs moving, by articulated bodies (aba)."""
    state = random_state(name)
    positions, speeds = ({joint: values[k] for joint, values in state.items()} for k in (0, 1))
    model = quietly(gw.import_model, name, base="free", merge=True, positions=positions, speeds=speeds)
    model.document.forces.clear()  # damping, which aba leaves out
    run = model.simulate(1e-6, tolerance=1e-9, output_step=1e-6)
    peer = pin.buildModelFromUrdf(str(FILES[name]), pin.JointModelFreeFlyer())
    data, q, v = peer.createData(), pin.neutral(peer), np.zeros(peer.nv)
    for joint, (position, rate, _) in state.items():
        place = peer.joints[peer.getJointId(joint)]
        both = [np.cos(position), np.sin(position)]
        q[place.idx_q : place.idx_q + place.nq] = both if place.nq == 2 else position
        v[place.idx_v] = rate
    # Our first link is fixed: so is Pinocchio's, because its floating joint carries it.
    pin.forwardKinematics(peer, data, q, v, pin.aba(peer, data, q, v, 0 * v))
    pairs = []
    for body in model.document.bodies:
        seen = (peer, data, peer.getFrameId(body.name), pin.LOCAL_WORLD_ALIGNED)
        pin.updateFramePlacement(*seen[:3])
        theirs = pin.getFrameClassicalAcceleration(*seen)
        ours = [[run.array(f"{body.name}.{what}{axis}")[0] for axis in "xyz"] for what in ("origin.a", "alpha_")]
        pairs += [(ours[0], theirs.linear), (ours[1], theirs.angular)]
    size = max(np.abs(theirs).max() for _, theirs in pairs)
    assert max(np.abs(np.subtract(*pair)).max() for pair in pairs) < WITHIN * size


# results of Pinocchio ------------------------------------------------------------------------------------------------


@functools.cache
def parsed(name: str) -> UrdfRobot:
    return parse_urdf(FILES[name].read_text(), name)


def our_names(name: str) -> dict[str, str]:
    """Our names of joints."""
    table = quietly(read_urdf, name, merge=True).table
    return {row.name: row.called for row in table if row.file.startswith("joint") and row.called}


def random_state(name: str) -> dict[str, tuple[float, float, float]]:
    """Position, rate and acceleration of the joints that move on their own."""
    random, robot = np.random.default_rng(len(name)), parsed(name)
    moving = [
        joint for joint in robot.joints.values() if joint.kind in SINGLE_POSITION_JOINT_TYPES and joint.mimic is None
    ]
    sizes = {joint.name: 1.0 if joint.kind in ROTATING_JOINT_TYPES else 0.1 for joint in moving}
    return {joint: tuple((random.uniform(-1, 1, 3) * (2.0, 3.0, 10.0) * s).tolist()) for joint, s in sizes.items()}


def torques(name: str, robot: UrdfRobot, state: dict[str, tuple[float, float, float]]) -> dict[str, float]:
    model = pin.buildModelFromUrdf(str(FILES[name]))
    repair(model, name)
    q, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    moved = {joint: (joint, 1.0, 0.0) for joint in state}
    for joint in robot.joints.values():
        if joint.mimic is not None:
            moved[joint.name] = (joint.mimic.follows, joint.mimic.multiplier, joint.mimic.offset)
    for joint, (ahead, ratio, offset) in moved.items():
        place = model.joints[model.getJointId(joint)]
        position = ratio * state[ahead][0] + offset
        both = [np.cos(position), np.sin(position)]
        q[place.idx_q : place.idx_q + place.nq] = both if place.nq == 2 else position
        v[place.idx_v], a[place.idx_v] = (ratio * value for value in state[ahead][1:])
    tau = pin.rnea(model, model.createData(), q, v, a)
    found = dict.fromkeys(state, 0.0)
    for joint, (ahead, ratio, _) in moved.items():
        place = model.joints[model.getJointId(joint)].idx_v
        found[ahead] += ratio * (tau[place] + robot.joints[joint].damping * v[place])
    return found


def repair(model: Any, name: str) -> None:
    """Give Pinocchio the bodies that we had to change; it takes any numbers."""
    found = quietly(read_urdf, name, merge=True)
    changed = {row.name: row.called for row in found.table if row.remark.startswith("repaired")}
    bodies = {body.name: body for body in gw.Model.from_dict(found.document).mechanism().body_names.values()}
    for link, called in changed.items():
        body, frame = bodies[called], model.frames[model.getFrameId(link)]
        own = pin.Inertia(body.mass, np.array(body.centre), body.inertia)
        model.inertias[frame.parentJoint] = frame.placement.act(own)
