"""MJCF read and written, against MuJoCo itself: masses, positions, velocities and accelerations of all bodies.

Files of other authors are in the package gymnasium. Armature, friction, limits, contacts and actuators, which the reader
omits and reports, are switched off there."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import four_bar, pendulum
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.io.importers import convert_mjcf, import_document
from gaitwright.model.io.mjcf_export import mjcf_text
from made_up_mechanisms import made_up, motion

mujoco: Any = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'gaitwright[bench]'")
pytestmark = pytest.mark.peer


def _robots() -> list[Path]:
    found = importlib.util.find_spec("gymnasium")
    folders = [] if found is None else list(found.submodule_search_locations or ())
    return sorted(path for folder in folders for path in (Path(folder) / "envs/mujoco/assets").glob("*.xml"))


ROBOTS = _robots()
LIGHT = {"humanoid", "humanoidstandup", "reacher", "pusher", "pusher_v5"}
"""Those with bodies of a ten-millionth of the mass between joints."""


class Peer:
    """A model of MuJoCo without what ours leaves out, at a state at random, or at that of its file."""

    def __init__(self, model: Any, seed: int | None = None):
        off = mujoco.mjtDisableBit
        self.model, self.data = model, mujoco.MjData(model)
        model.opt.disableflags |= off.mjDSBL_LIMIT | off.mjDSBL_CONTACT | off.mjDSBL_ACTUATION
        model.dof_armature[:], model.dof_frictionloss[:], model.opt.density, model.opt.viscosity = 0, 0, 0, 0
        mujoco.mj_setConst(model, self.data)
        mujoco.mj_resetData(model, self.data)
        self.positions: dict[str, Any] = {}
        self.speeds: dict[str, Any] = {}
        if seed is not None:
            self._move(np.random.default_rng(seed))
        mujoco.mj_forward(model, self.data)

    def _move(self, random: Any) -> None:
        for k in range(self.model.njnt):
            joint, kind = self.model.joint(k), int(self.model.jnt_type[k])
            turn = random.normal(size=4)
            turn /= np.linalg.norm(turn)
            small = random.uniform(-0.5, 0.5, 1)
            position = {0: np.r_[random.normal(size=3), turn], 1: turn}.get(kind, small)
            speed = random.normal(size={0: 6, 1: 3}.get(kind, 1))
            q, v = self.model.jnt_qposadr[k], self.model.jnt_dofadr[k]
            self.data.qpos[q : q + len(position)], self.data.qvel[v : v + len(speed)] = position, speed
            self.positions[joint.name], self.speeds[joint.name] = position.tolist(), speed.tolist()

    def motion(self, name: str) -> np.ndarray:
        """As made_up_mechanisms.motion has it."""
        body = self.model.body(name).id
        jacobian, rate = np.zeros((6, self.model.nv)), np.zeros((6, self.model.nv))
        mujoco.mj_jac(self.model, self.data, jacobian[:3], jacobian[3:], self.data.xpos[body], body)
        mujoco.mj_jacDot(self.model, self.data, rate[:3], rate[3:], self.data.xpos[body], body)
        velocity, acceleration = jacobian @ self.data.qvel, jacobian @ self.data.qacc + rate @ self.data.qvel
        axes = self.data.xmat[body]
        return np.r_[self.data.xpos[body], velocity[:3], acceleration[:3], velocity[3:], acceleration[3:], axes]


def compare(peer: Peer, model: gw.Model, within: float = 1e-8) -> None:
    names = {peer.model.body(k).name for k in range(1, peer.model.nbody)}
    found = {name: numbers for name, numbers in motion(model).items() if name in names}
    assert found
    for name, ours in found.items():
        theirs = peer.motion(name)
        scale = max(1.0, float(np.abs(theirs).max()))
        assert np.abs(ours - theirs).max() < within * scale, f"{name}: ours {ours}, MuJoCo's {theirs}"


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_published_robots(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each robot unchanged, at a random state; masses to the last digits."""
    monkeypatch.chdir(tmp_path)  # where MuJoCo writes its log
    peer = Peer(mujoco.MjModel.from_xml_path(str(path)), 5)
    found = import_document(path, repair=True, positions=peer.positions, speeds=peer.speeds)
    model = gw.Model.from_dict(found.document)
    # bodies of 1e-9 kg in `pusher` next to ones of 1e-12 kg
    compare(peer, model, 5e-3 if "pusher" in path.stem else 1e-4 if path.stem in LIGHT else 1e-8)
    for entry in model.document.bodies:
        if entry.name in {peer.model.body(k).name for k in range(1, peer.model.nbody)}:
            assert entry.mass == pytest.approx(peer.model.body(entry.name).mass[0], rel=1e-9)


CHAINS = {
    "double pendulum": (["revolute", "revolute"], [-1, 0]),
    "spatial arm": (["revolute", "universal", "spherical", "prismatic"], [-1, 0, 1, 2]),
    "free body with an arm": (["free", "revolute", "cylindrical"], [-1, 0, 1]),
    "slides": (["planar", "point-on-line", "point-on-plane", "fixed"], [-1, 0, 1, 2]),
}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", CHAINS)
def test_exported_models(name: str, swapped: bool) -> None:
    """Written, compiled by MuJoCo at the start of ours: the same motion, with springs and dampers."""
    kinds, parents = CHAINS[name]
    model = made_up(len(name), kinds, parents, [swapped] * len(kinds))
    text, left = mjcf_text(model)
    assert not left
    peer = Peer(mujoco.MjModel.from_xml_string(text))
    if peer.model.nkey:
        mujoco.mj_resetDataKeyframe(peer.model, peer.data, 0)
        mujoco.mj_forward(peer.model, peer.data)
    compare(peer, model)


def rigid_acceleration(peer: Peer) -> None:
    """Accelerations with rigid constraints, at rest: M a + J^T f = tau, J a = 0. MuJoCo's constraints are soft."""
    model, data = peer.model, peer.data
    mass = np.zeros((model.nv, model.nv))
    for row, unit in zip(mass, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, unit)
    rows = data.efc_J.reshape(-1, model.nv)[: data.ne]
    force = data.qfrc_passive - data.qfrc_bias
    whole = np.block([[mass, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    data.qacc[:] = np.linalg.lstsq(whole, np.r_[force, np.zeros(len(rows))], rcond=1e-12)[0][: model.nv]


def _without_drive(model: gw.Model) -> gw.Model:
    raw = {k: v for k, v in model.to_dict().items() if k not in ("drives", "analysis", "outputs", "gait")}
    return gw.Model.from_dict(raw)


@pytest.mark.parametrize("name", ["four-bar", "spatial-four-bar", "spatial-slider-crank", "bricard"])
def test_exported_closed_loops(name: str) -> None:
    """Closed by connect: at rest with hard constraints the same accelerations."""
    model = _without_drive(CATALOGUE[name].make())
    text, _ = mjcf_text(model)
    peer = Peer(mujoco.MjModel.from_xml_string(text))
    peer.data.qvel[:] = 0
    mujoco.mj_forward(peer.model, peer.data)
    rigid_acceleration(peer)
    for k, again in enumerate(
        (gw.in_space(model) if model.dimension == 2 else model, gw.Model.from_dict(convert_mjcf(text, "t")[0]))
    ):
        for body in again.document.bodies if k else ():
            body.velocity = body.spin = None
        compare(peer, again, 1e-6)


def test_a_falling_four_bar_moves_alike() -> None:
    """For a tenth of a second, within the error due to the softness of MuJoCo's constraints."""
    model = _without_drive(four_bar())
    run = model.simulate(0.1, tolerance=1e-10, output_step=0.1)
    peer = mujoco.MjModel.from_xml_string(mjcf_text(model)[0])
    peer.opt.timestep = 1e-4
    data = mujoco.MjData(peer)
    mujoco.mj_step(peer, data, nstep=1000)
    mujoco.mj_kinematics(peer, data)
    for name in run.mechanism.body_names:
        x, _, z = data.xipos[peer.body(name).id]
        assert (x, z) == pytest.approx([run.array(f"{name}.{axis}")[-1] for axis in "xy"], abs=2e-4)


def test_a_double_pendulum_swings_alike() -> None:
    """Position after a second, by MuJoCo's RK4."""
    model = pendulum((0.4, 0.3))
    peer = mujoco.MjModel.from_xml_string(mjcf_text(model)[0])
    peer.opt.timestep, peer.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(peer)
    mujoco.mj_step(peer, data, nstep=10_000)
    mujoco.mj_kinematics(peer, data)
    run = model.simulate(1.0, tolerance=1e-11, output_step=0.5)
    for name in run.mechanism.body_names:
        x, _, z = data.xipos[peer.body(name).id]
        assert (x, z) == pytest.approx([run.array(f"{name}.{axis}")[-1] for axis in "xy"], abs=1e-6)
