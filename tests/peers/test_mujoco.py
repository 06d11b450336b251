"""The same trees in MuJoCo: relative joint coordinates and recursive dynamics instead of ours.

MuJoCo integrates with RK4; with halved steps its results must converge to ours with order 4.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import pendulum
from peers.convergence import assert_converges

mujoco: Any = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'gaitwright[bench]'")
pytestmark = pytest.mark.peer

STEPS = (4e-3, 2e-3, 1e-3)
HEAD = '<mujoco><compiler angle="radian"/><option integrator="RK4" timestep="{step}" gravity="0 -9.81 0"/>'


def rod(inner: str = "", *, at: float = 0.0, length: float, mass: float, joint: str = "", tip: str = "tip") -> str:
    """A rod along x with a hinge about z at its start, which lies at x = `at` of its parent."""
    inertia = mass * length**2 / 12
    return f"""<body pos="{at} 0 0"><joint type="hinge" axis="0 0 1" {joint}/>
        <inertial pos="{length / 2} 0 0" mass="{mass}" diaginertia="1e-9 {inertia} {inertia}"/>
        <site name="{tip}" pos="{length} 0 0"/>{inner}</body>"""


def angles(xml: str, until: float, start: list[float]) -> dict[float, np.ndarray]:
    """Angles of the hinges (relative) at the end, by step; from rest."""
    found = {}
    for step in STEPS:
        model = mujoco.MjModel.from_xml_string(HEAD.format(step=step) + xml + "</mujoco>")
        data = mujoco.MjData(model)
        data.qpos[:] = start
        for _ in range(round(until / step)):
            mujoco.mj_step(model, data)
        found[step] = data.qpos.copy()
    return found


@pytest.mark.parametrize("start", [(0.0, 0.0), (-0.3, 0.4, -1.2)], ids=["double", "triple"])
def test_pendulum(start: tuple[float, ...]) -> None:
    tree = ""
    for k in reversed(range(len(start))):
        tree = rod(tree, at=1.0 if k else 0.0, length=1.0, mass=1.0, tip=f"tip{k}")
    relative = list(np.diff(start, prepend=0.0))
    peer = angles(f"<worldbody>{tree}</worldbody>", 0.8, relative)
    ours = pendulum(start).simulate(0.8, method="gauss3", step=1e-3)
    for k in range(len(start)):
        absolute = {step: float(np.sum(q[: k + 1])) for step, q in peer.items()}
        assert_converges(absolute, ours.array(f"rod{k + 1}.angle")[-1], order=4, within=1e-8)


def test_pendulum_with_torsion_spring_and_damper() -> None:
    joint = 'stiffness="3" damping="0.2" springref="0.5"'
    peer = angles(f"<worldbody>{rod(length=0.7, mass=0.4, joint=joint)}</worldbody>", 1.6, [-0.2])
    model = gw.Model()
    model.ground_point("O", 0, 0).point("A", 0.7 * math.cos(-0.2), 0.7 * math.sin(-0.2))
    model.link("rod", "O", "A", mass=0.4)
    model.force.torsion_spring("ground", "rod", stiffness=3.0, damping=0.2, rest_angle=0.5)
    ours = model.simulate(1.6, tolerance=1e-13)
    assert_converges({h: float(q[0]) for h, q in peer.items()}, ours.array("rod.angle")[-1], order=4, within=1e-9)


def test_pendulum_on_a_linear_spring_and_damper() -> None:
    """A spring between the tip and a fixed point beside it: a spatial tendon in MuJoCo."""
    length, fixed = 0.5, (0.1, 0.6)
    tree = rod(length=length, mass=0.4)
    tendon = """<tendon><spatial stiffness="40" damping="0.3" springlength="0.3">
        <site site="wall"/><site site="tip"/></spatial></tendon>"""
    wall = f'<site name="wall" pos="{fixed[0]} {fixed[1]} 0"/>'
    peer = angles(f"<worldbody>{wall}{tree}</worldbody>{tendon}", 1.6, [0.3])
    model = gw.Model()
    model.ground_point("O", 0, 0).ground_point("S", *fixed)
    model.point("A", length * math.cos(0.3), length * math.sin(0.3)).link("rod", "O", "A", mass=0.4)
    model.force.spring_damper("ground.S", "rod.A", stiffness=40.0, damping=0.3, rest_length=0.3)
    ours = model.simulate(1.6, tolerance=1e-13)
    assert_converges({h: float(q[0]) for h, q in peer.items()}, ours.array("rod.angle")[-1], order=4, within=1e-9)
