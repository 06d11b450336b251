"""Chain of bars in MuJoCo, in joint coordinates, without the constraint equations and multipliers that our joints have. It is
listed to show the minimum cost of a tree, not to compare the same work."""

from __future__ import annotations

import importlib
import time
from typing import Any

import numpy as np

HINGE_AXES = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
"""Hinge axes of even and odd bars."""


class MujocoChain:
    """Bars along x; speed: rad/s of the first joint about z. Contact and constraints are disabled."""

    def __init__(
        self, bars: int, joint: str, length: float, mass: float, inertia: list[float], speed: float, gravity: Any,
        step: float, integrator: str,
    ):  # fmt: skip
        self.mujoco: Any = importlib.import_module("mujoco")
        self.speed, self.place = speed, 2 if joint == "spherical" else 0
        spec = self.mujoco.MjSpec()  # a file with a thousand nested bodies exceeds the depth limit of MuJoCo's parser
        off = self.mujoco.mjtDisableBit
        spec.option.disableflags = off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
        spec.option.timestep, spec.option.gravity = step, list(gravity)
        spec.option.integrator = getattr(self.mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
        kinds, body = self.mujoco.mjtJoint, spec.worldbody
        for k in range(bars):
            body = body.add_body(pos=[length if k else 0.0, 0.0, 0.0])
            body.mass, body.ipos, body.inertia, body.explicitinertial = mass, [length / 2, 0.0, 0.0], inertia, True
            if joint == "spherical":
                body.add_joint(type=kinds.mjJNT_BALL)
            else:
                body.add_joint(type=kinds.mjJNT_HINGE, axis=list(HINGE_AXES[k % 2]))
        self.model = spec.compile()
        self.data = self.mujoco.MjData(self.model)

    def solve(self, steps: int) -> float:
        """Integrate from the start. Return the seconds."""
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[self.place] = self.speed
        begin = time.perf_counter()
        self.mujoco.mj_step(self.model, self.data, nstep=steps)
        return time.perf_counter() - begin

    def places(self) -> np.ndarray:
        """Centres of mass at the end of the last run, (n_bars, 3)."""
        self.mujoco.mj_kinematics(self.model, self.data)
        return self.data.xipos[1:].copy()
