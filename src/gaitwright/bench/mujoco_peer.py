"""A chain of bars in MuJoCo, in joint coordinates: no constraint equations, so it has none of the unknowns that joints are
here. It is beside our times to show what a tree costs at least, not to compare the same work."""

from __future__ import annotations

import importlib
import time
from typing import Any

import numpy as np

JOINT = {
    "spherical": ('<joint type="ball"/>',) * 2,
    "revolute": tuple(f'<joint axis="{a}"/>' for a in ("0 0 1", "0 1 0")),
}
"""Of even and of odd bars."""


class Chain:
    """Bars along x; speed: rad/s of the first joint about z. Contact and constraints are switched off."""

    def __init__(
        self, bars: int, joint: str, length: float, mass: float, inertia: list[float], speed: float, gravity: Any,
        step: float, integrator: str,
    ):  # fmt: skip
        self.mujoco: Any = importlib.import_module("mujoco")
        self.speed, self.place = speed, 2 if joint == "spherical" else 0
        numbers, acceleration = (" ".join(map(str, part)) for part in (inertia, gravity))
        bar = f'<inertial pos="{length / 2} 0 0" mass="{mass}" diaginertia="{numbers}"/>'
        bodies = "".join(f'<body pos="{length if k else 0} 0 0">{JOINT[joint][k % 2]}{bar}' for k in range(bars))
        self.model = self.mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{step}" gravity="{acceleration}" integrator="{integrator}">'
            f'<flag contact="disable" constraint="disable"/></option>'
            f"<worldbody>{bodies}{'</body>' * bars}</worldbody></mujoco>"
        )
        self.data = self.mujoco.MjData(self.model)

    def solve(self, steps: int) -> float:
        """Integrate from the start; seconds."""
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[self.place] = self.speed
        begin = time.perf_counter()
        self.mujoco.mj_step(self.model, self.data, nstep=steps)
        return time.perf_counter() - begin

    def places(self) -> np.ndarray:
        """Centres of mass at the end of the last run, (n_bars, 3)."""
        self.mujoco.mj_kinematics(self.model, self.data)
        return self.data.xipos[1:].copy()
