"""The same robots in MuJoCo, which reads URDF too: joint coordinates and recursive dynamics instead of ours.

Its limits of joints are switched off; links that are fixed to others it takes as one body with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from peers.convergence import assert_converges
from peers.trees import (
    State,
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

mujoco: Any = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'gaitwright[bench]'")
pytestmark = pytest.mark.peer

ROBOTS = {"arm": ARM, "branched": BRANCHED, "floating": FLOATING}
WITHIN = 1e-8
"""Relative to the largest number compared, or to 1 in SI units."""
STEPS = (4e-3, 2e-3, 1e-3)
TWIST = (1.5, -0.5, 2.0), (2.0, -3.0, 4.0)
"""Of a floating base: velocity in the ground frame, spin in its own."""


class Peer:
    """A robot of MuJoCo at a state given by the names of joints."""

    def __init__(self, text: str, state: State, step: float = 1e-3):
        self.model = mujoco.MjModel.from_xml_string(text)
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        self.model.opt.timestep = step
        self.data = mujoco.MjData(self.model)
        self.set(self.data.qpos, state.positions, "qposadr")
        self.set(self.data.qvel, state.speeds, "dofadr")

    def set(self, values: np.ndarray, given: Values, address: str) -> None:
        for name, value in given.items():
            values[getattr(self.model.joint(name), address)[0]] = value

    def get(self, values: np.ndarray, names: Any) -> list[float]:
        return [float(values[self.model.joint(name).dofadr[0]]) for name in names]

    def acceleration(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Of the origin of a link, and angular: J q'' + J' q', ground frame."""
        jacobian, rate = np.zeros((6, self.model.nv)), np.zeros((6, self.model.nv))
        point = self.data.xpos[body]
        mujoco.mj_jac(self.model, self.data, jacobian[:3], jacobian[3:], point, body)
        mujoco.mj_jacDot(self.model, self.data, rate[:3], rate[3:], point, body)
        found = jacobian @ self.data.qacc + rate @ self.data.qvel
        return found[:3], found[3:]


def near(ours: Any, theirs: Any) -> None:
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    size = max(1.0, float(np.abs(theirs).max()))
    assert np.abs(ours - theirs).max() < WITHIN * size, f"ours {ours}, MuJoCo's {theirs}"


def moving(parents: Any) -> list[str]:
    """Links that MuJoCo has as bodies."""
    return [name for name in bodies(parents) if parents[name][1] != "fixed"]


def launched(text: str, state: State, parents: Any, folder: Path, steps: Any = (1e-3,)) -> tuple[Any, list[Peer]]:
    """Our model and MuJoCo's, one per step, in the same state; a floating base with a twist."""
    model, peers = load(text, folder, positions=state.positions, speeds=state.speeds), []
    floats = next(iter(parents.values()))[1] == "floating"
    for step in steps:
        peers.append(Peer(text, state, step))
        if floats:
            peers[-1].data.qvel[:6] = [*TWIST[0], *TWIST[1]]
        mujoco.mj_forward(peers[-1].model, peers[-1].data)
    if floats:
        base = next(iter(parents))
        turned = peers[0].data.xmat[peers[0].model.body(base).id].reshape(3, 3)
        give_twist(model, base, np.array(TWIST[0]), turned @ np.array(TWIST[1]))
    return model, peers


@pytest.mark.parametrize("damping", [0.0, 0.7])
@pytest.mark.parametrize("name", ROBOTS)
def test_accelerations_of_a_free_robot(name: str, damping: float, tmp_path: Path) -> None:
    """mj_forward at a random state, without and with dampers in the joints, of hinges and of the slider."""
    parents = ROBOTS[name]
    state = random_state(parents, 11)
    model, (peer,) = launched(tree(parents, 11, damping=damping), state, parents, tmp_path)
    assert peer.get(peer.model.dof_damping, state.positions) == [damping] * len(state.positions)
    run = begin(model)
    for link in moving(parents):
        body = peer.model.body(link).id
        near(vector(run, f"{link}.origin.*"), peer.data.xpos[body])
        near(rotation(run, link), peer.data.xmat[body].reshape(3, 3))
        linear, angular = peer.acceleration(body)
        near(vector(run, f"{link}.origin.a*"), linear)
        near(vector(run, f"{link}.alpha_*"), angular)


@pytest.mark.parametrize("name", ["arm", "branched"])
def test_torques_of_a_driven_robot(name: str, tmp_path: Path) -> None:
    """mj_inverse at a random state."""
    parents = ROBOTS[name]
    text, state = tree(parents, 12), random_state(parents, 12)
    peer = Peer(text, state)
    peer.set(peer.data.qacc, state.accelerations, "dofadr")
    mujoco.mj_inverse(peer.model, peer.data)
    model = driven(text, tmp_path, state)
    found = efforts(model, inverse(model))
    near(list(found.values()), peer.get(peer.data.qfrc_inverse, found))


FREE = {"body": ("world", "floating")}


@pytest.mark.parametrize(
    ("name", "until", "order"), [("free body", 1.0, 2), ("branched", 1.0, 4), ("floating", 0.4, 2)]
)
def test_motion(name: str, until: float, order: int, tmp_path: Path) -> None:
    """MuJoCo's motion by RK4, with halved steps, converges to ours: with order 4, or 2 for a floating base, because MuJoCo
    rotates its quaternion by the mean of the angular velocities, as if they had one axis."""
    parents = {**ROBOTS, "free body": FREE}[name]
    state = random_state(parents, 13)
    model, peers = launched(tree(parents, 13), state, parents, tmp_path, STEPS)
    run = model.simulate(until, tolerance=1e-13)
    for peer in peers:
        for _ in range(round(until / peer.model.opt.timestep)):
            mujoco.mj_step(peer.model, peer.data)
        mujoco.mj_kinematics(peer.model, peer.data)
    for link in moving(parents):
        body = peers[0].model.body(link).id
        ours = np.column_stack([rotation(run, link, -1), vector(run, f"{link}.origin.*", -1)])
        theirs = [np.column_stack([p.data.xmat[body].reshape(3, 3), p.data.xpos[body]]) for p in peers]
        i, j = np.unravel_index(np.argmax(abs(theirs[0] - ours)), ours.shape)
        ends = {step: float(pose[i, j]) for step, pose in zip(STEPS, theirs, strict=True)}
        assert_converges(ends, ours[i, j], order=order, within=1e-8)
