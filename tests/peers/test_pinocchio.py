"""The same robots in Pinocchio: joint coordinates and recursive algorithms (Featherstone) instead of twelve coordinates per
body and constraints. Both read the same URDF.

Carpentier et al., The Pinocchio C++ library, IEEE/SICE SII 2019."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitwright.geometry.rotation import angles_of
from peers.convergence import assert_converges
from peers.trees import (
    Values,
    begin,
    bodies,
    driven,
    efforts,
    give_twist,
    inverse,
    load,
    random_state,
    rotation,
    vector,
)
from robots import ARM, BRANCHED, FLOATING, tree

pin: Any = pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'gaitwright[test]'")
pytestmark = pytest.mark.peer

ROBOTS = {"arm": ARM, "branched": BRANCHED, "floating": FLOATING}
WITHIN = 1e-8
"""Relative to the largest number compared, or to 1 in SI units."""


class Peer:
    """A robot of Pinocchio with values by the names of joints."""

    def __init__(self, text: str):
        self.model = pin.buildModelFromXML(text)
        self.data = self.model.createData()

    def configuration(self, positions: Values) -> np.ndarray:
        """q; a joint without limits has the cosine and sine of its angle in it, a floating one its pose."""
        q = pin.neutral(self.model)
        for name, value in positions.items():
            joint = self.model.joints[self.model.getJointId(name)]
            both = [np.cos(value), np.sin(value)]
            q[joint.idx_q : joint.idx_q + joint.nq] = both if joint.nq == 2 else value
        return q

    def rates(self, speeds: Values) -> np.ndarray:
        v = np.zeros(self.model.nv)
        for name, value in speeds.items():
            v[self.model.joints[self.model.getJointId(name)].idx_v] = value
        return v

    def march(self, q: np.ndarray, v: np.ndarray, step: float, until: float) -> tuple[np.ndarray, np.ndarray]:
        """Classical Runge-Kutta of order 4 in steps of the configuration, moved by hand: Pinocchio has no integrators."""
        model, none = self.model, np.zeros(self.model.nv)

        def rate(shift: np.ndarray, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """Of the shift from q in the tangent space at q, and of the speed."""
            moved = pin.integrate(model, q, shift)
            slope = pin.dDifference(model, q, moved, pin.ARG1) @ speed
            return slope, pin.aba(model, self.data, moved, speed, none)

        for _ in range(round(until / step)):
            k1, l1 = rate(0 * v, v)
            k2, l2 = rate(step / 2 * k1, v + step / 2 * l1)
            k3, l3 = rate(step / 2 * k2, v + step / 2 * l2)
            k4, l4 = rate(step * k3, v + step * l3)
            q, v = (
                pin.integrate(model, q, step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)),
                v + step / 6 * (l1 + 2 * l2 + 2 * l3 + l4),
            )
        return q, v


def near(ours: Any, theirs: Any) -> None:
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    size = max(1.0, float(np.abs(theirs).max()))
    assert np.abs(ours - theirs).max() < WITHIN * size, f"ours {ours}, Pinocchio's {theirs}"


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ROBOTS)
def test_accelerations_of_a_free_robot(name: str, seed: int, tmp_path: Path) -> None:
    """Articulated bodies (aba): of all links at a random state, the floating one also in a random pose with a random twist."""
    parents = ROBOTS[name]
    text, state = tree(parents, seed), random_state(parents, seed)
    peer = Peer(text)
    q, v = peer.configuration(state.positions), peer.rates(state.speeds)
    model = load(text, tmp_path, positions=state.positions, speeds=state.speeds)
    if name == "floating":
        v[:6] = np.random.default_rng(seed).normal(size=6)
        pin.forwardKinematics(peer.model, peer.data, q)
        turned = peer.data.oMi[1].rotation
        give_twist(model, "pelvis", turned @ v[:3], turned @ v[3:6])
    run = begin(model)
    a = pin.aba(peer.model, peer.data, q, v, 0 * v)
    pin.forwardKinematics(peer.model, peer.data, q, v, a)
    for link in bodies(parents):
        frame = peer.model.getFrameId(link)
        seen = (peer.model, peer.data, frame, pin.LOCAL_WORLD_ALIGNED)
        near(vector(run, f"{link}.origin.*"), pin.updateFramePlacement(*seen[:3]).translation)
        near(rotation(run, link), peer.data.oMf[frame].rotation)
        near(vector(run, f"{link}.w*"), pin.getFrameVelocity(*seen).angular)
        near(vector(run, f"{link}.origin.v*"), pin.getFrameVelocity(*seen).linear)
        there = pin.getFrameClassicalAcceleration(*seen)
        near(vector(run, f"{link}.origin.a*"), there.linear)
        near(vector(run, f"{link}.alpha_*"), there.angular)
    for frame in set(parents) - set(bodies(parents)):
        place = pin.updateFramePlacement(peer.model, peer.data, peer.model.getFrameId(frame))
        near(vector(run, f"{parents[frame][0]}.{frame}.*"), place.translation)


@pytest.mark.parametrize("seed", [4, 5])
@pytest.mark.parametrize("name", ["arm", "branched"])
def test_torques_and_wrenches_of_a_driven_robot(name: str, seed: int, tmp_path: Path) -> None:
    """Newton and Euler's recursion (rnea): the torque or force of every motor, and the load of every joint on its child, force
    and moment at the joint, in the frame of the child, of the parent and of the ground."""
    parents = ROBOTS[name]
    text, state = tree(parents, seed), random_state(parents, seed)
    peer = Peer(text)
    q, v, a = peer.configuration(state.positions), peer.rates(state.speeds), peer.rates(state.accelerations)
    tau = pin.rnea(peer.model, peer.data, q, v, a)
    model = driven(text, tmp_path, state)
    run = inverse(model)
    found = efforts(model, run)
    ordered = [peer.model.joints[peer.model.getJointId(joint)].idx_v for joint in found]
    near(list(found.values()), tau[ordered])
    kinds = {joint["name"]: joint for joint in model.document.joints}
    for joint in found:
        wrench = peer.data.f[peer.model.getJointId(joint)]
        turned = rotation(run, joint.removeprefix("to_"))
        parent = kinds[joint]["a"].partition(".")[0]
        seen = np.eye(3) if parent == "ground" else rotation(run, parent)
        motor = seen @ np.array(kinds[joint]["axis"]) * found[joint]  # acts besides the joint, in the ground frame
        force, moment = (motor, 0 * motor) if kinds[joint]["type"] == "prismatic" else (0 * motor, motor)
        for frame, label in ((np.eye(3), ""), (seen, "_in_a"), (turned, "_in_b")):
            near(vector(run, f"{joint}.f*{label}") + frame.T @ force, frame.T @ turned @ wrench.linear)
            near(vector(run, f"{joint}.m*{label}") + frame.T @ moment, frame.T @ turned @ wrench.angular)


def test_wrench_that_leads_a_floating_base(tmp_path: Path) -> None:
    """A biped with its pelvis moved along a path, as by measured data: force and moment on the pelvis and the torques of all
    joints. Twist and acceleration of the pelvis for rnea are those of its path."""
    text, state = tree(FLOATING, 6), random_state(FLOATING, 6)
    peer = Peer(text)
    model = driven(text, tmp_path, state)
    path = {"x": "0.3 + 0.5*sin(2*t)", "y": "0.1*t^2 - t", "z": "0.9 + 0.2*cos(3*t)"}
    first, second, third = angles_of(peer.model.jointPlacements[1].rotation, "zxy").tolist()
    angles = [f"{first!r} + 2*t", f"{second!r} - sin(t)", f"{third!r} - t + 2*t^2"]
    model.drive("frame", "lead", point="pelvis.origin", **path, angles=angles, sequence="zxy")
    run = inverse(model)
    turned = rotation(run, "pelvis")
    q = peer.configuration(state.positions)
    base = peer.model.jointPlacements[1].actInv(pin.SE3(turned, vector(run, "pelvis.origin.*")))
    q[:7] = pin.SE3ToXYZQUAT(base)
    v, a = peer.rates(state.speeds), peer.rates(state.accelerations)
    velocity, spin = (turned.T @ vector(run, f"pelvis.{what}*") for what in ("origin.v", "w"))
    v[:6] = [*velocity, *spin]
    # the spatial acceleration of a moving frame: less what turning makes of its velocity
    a[:6] = [
        *(turned.T @ vector(run, "pelvis.origin.a*") - np.cross(spin, velocity)),
        *(turned.T @ vector(run, "pelvis.alpha_*")),
    ]
    tau = pin.rnea(peer.model, peer.data, q, v, a)
    found = efforts(model, run)
    near(list(found.values()), tau[[peer.model.joints[peer.model.getJointId(joint)].idx_v for joint in found]])
    near(turned.T @ vector(run, "lead.force_*"), tau[:3])
    near(turned.T @ vector(run, "lead.torque_*"), tau[3:6])


FREE = {"body": ("world", "floating")}


@pytest.mark.parametrize(("name", "until"), [("free body", 1.0), ("branched", 1.0), ("floating", 0.25)])
def test_motion(name: str, until: float, tmp_path: Path) -> None:
    """Pinocchio's motion, with halved steps, converges to ours with order 4."""
    parents = {**ROBOTS, "free body": FREE}[name]
    text, state = tree(parents, 7), random_state(parents, 7)
    peer = Peer(text)
    q, v = peer.configuration(state.positions), peer.rates(state.speeds)
    model = load(text, tmp_path, positions=state.positions, speeds=state.speeds)
    if name != "branched":
        v[:6] = 1.5, -0.5, 2.0, 2.0, -3.0, 4.0
        turned = peer.model.jointPlacements[1].rotation
        give_twist(model, next(iter(parents)), turned @ v[:3], turned @ v[3:6])
    run = model.simulate(until, tolerance=1e-13)
    ends = {}
    for step in (1 / 200, 1 / 400, 1 / 800):
        pin.framesForwardKinematics(peer.model, peer.data, peer.march(q, v, step, until)[0])
        ends[step] = [peer.data.oMf[peer.model.getFrameId(link)].copy() for link in bodies(parents)]
    for k, link in enumerate(bodies(parents)):
        ours = np.column_stack([rotation(run, link, -1), vector(run, f"{link}.origin.*", -1)])
        theirs = {step: np.column_stack([end[k].rotation, end[k].translation]) for step, end in ends.items()}
        i, j = np.unravel_index(np.argmax(abs(theirs[1 / 200] - ours)), ours.shape)
        assert_converges({step: float(pose[i, j]) for step, pose in theirs.items()}, ours[i, j], order=4, within=1e-8)
        near(theirs[1 / 800], ours)
