"""Paper 002 as a complete device: a trunk that bends and rises with the beam of section 5 behind its back.

The paper prints numbers of the beam alone (`cfrp-beam`). About the device it has sentences: the beam stores energy
while the body bends at the waist and returns it as a lifting force (section 2), a too stiff beam cannot be used (2),
node 1, fixed at the waist, has the largest elastic moment and must be fixed for a lifting force (5), and the end is
attached at the neck (6). They are judged with the ready model `back_support`. Its blade has the M L / E I of Table 2
and the length of a back; hip, trunk, guide and offset are ours. Table 2 itself is not compared with the device: there a
moment bends a beam alone, here a guide that slides along the back pushes its end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from gaitwright.mechanisms.back_support import back_support
from gaitwright.mechanisms.cantilever import bend_hold_release
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.cfrp_beam import UPRIGHT_SETUP
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
    run_jobs,
)
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "back-support"
SLOW_DURATION_S, NO_ONSET_TIME_S = 40.0, 1e12
"""Duration of the slow motion, s; placeholder time if the trunk never becomes upright, s."""


class BackSupportSetup(make_setup_class(EXPERIMENT_NAME)):
    """Parameters of the device."""

    @property
    def bending_stiffness(self) -> float:
        """E I, N m^2, of a blade of this length with the M L / E I of Table 2."""
        return self.moment * self.length / UPRIGHT_SETUP.groups["M L / E I"]

    def device(
        self, flexion: float, change: Callable[[dict[str, Any]], None] = lambda raw: None, **options: Any
    ) -> Model:
        """Model of the device. change: modifies the document of the ready model."""
        model = back_support(
            flexion, bending_stiffness=self.bending_stiffness, blade_length=self.length, offset=self.offset,
            trunk_mass=self.trunk_mass, trunk_length=self.trunk_length, elements=self.elements, formulation="takahashi",
            **{"gravity": 0.0, **options},
        )  # fmt: skip
        raw = model.to_dict()
        change(raw)
        return perturb_if_active(Model.from_dict(raw))

    def bend(self, flexion: float, steps: int = 20, **options: Any) -> Result:
        """Quasi-static motion from upright to a flexion, degrees, and back."""
        return self.device(flexion, **options).static_path(2.0, steps=steps)

    def loaded(self) -> Result:
        """Equilibria under the moment of Eq 26 on the trunk instead of a prescribed flexion."""
        moment = bend_hold_release(self.moment, self.ramp, self.hold)

        def change(raw: dict[str, Any]) -> None:
            self._free(raw)
            raw["forces"] = [{"type": "torque", "name": "load", "body": "trunk", "value": f"-({moment})"}]

        return self.device(0.0, change).static_path(self.ramp + self.hold, steps=9)

    def released(self, loaded: Result) -> Result:
        """Release from the pose held by the moment."""
        return self.device(0.0, self._free).simulate(self.after, start=loaded, step=2e-3, method="generalized-alpha")

    @staticmethod
    def _free(raw: dict[str, Any]) -> None:
        """Remove the drive of the trunk."""
        del raw["drives"], raw["quantities"]["assist.share"]

    def pinned(self) -> Result:
        """The blade rotates freely at the pelvis. Computed as a slow motion, because the solver finds no equilibria
        without any force."""

        def change(raw: dict[str, Any]) -> None:
            next(joint for joint in raw["joints"] if joint["name"] == "clamp")["type"] = "revolute"

        slowly = self.device(self.flexion, change, duration=SLOW_DURATION_S)
        return slowly.simulate(SLOW_DURATION_S, step=SLOW_DURATION_S / 500, method="generalized-alpha")


def elastic_moments(run: Result) -> np.ndarray:
    """Magnitude of the slope part of Q_k (Eq 23) at the nodes, N m: (nodes, times)."""
    nodes = run.mechanism.beams["blade"].stations.size
    return np.array([run.array(f"blade.node{k + 1}.elastic_moment") for k in range(nodes)])


def equation_1_slopes(run: Result, stiffness: float, k: int) -> dict[str, float]:
    """At the end of the blade: the slope by Eq 1, the integral of M over E I, compared with our slope and our angle
    (rad)."""
    outputs = run.beam("blade", "bending_moment", "angle", points=9)
    moment, s = outputs["bending_moment"].values[k], outputs["s"].values
    turned = float(outputs["angle"].values[k][0] - outputs["angle"].values[k][-1])
    return {"integral": float(-np.trapezoid(moment, s) / stiffness), "slope": math.tan(turned), "angle": turned}


@dataclass
class BackSupportExperiment(Experiment):
    """runs: `bent` to the flexion of the setup and back, `nearly upright`, `pinned` at the pelvis, `worn` with
    weight, `loaded` by the moment of Eq 26, `released` from there."""

    setup: BackSupportSetup
    runs: dict[str, Result]

    def facts(self) -> dict[str, Any]:
        """Facts for the verdicts. middle: index of the largest bending of a path. share: fraction of the trunk's
        weight moment carried by the support there."""
        s, runs = self.setup, self.runs
        bent, small, worn = runs["bent"], runs["nearly upright"], runs["worn"]
        middle = bent.time.size // 2
        work = np.diff(np.radians(bent.array("trunk.flexion"))) * 0.5 * (
            bent.array("assist.moment")[1:] + bent.array("assist.moment")[:-1]
        )  # fmt: skip
        weight = worn.array("assist.moment") + worn.array("trunk.torque")
        # the moment of the blade alone is E I times a function of the posture; this gives the E I that carries the
        # whole weight
        support_moment = bent.array("assist.moment")[1 : middle + 1]
        carries = s.bending_stiffness * weight[1 : middle + 1] / support_moment
        moments_at_end = elastic_moments(runs["loaded"])[:, -1]
        return {
            "middle": middle, "stored": float(work[work > 0].sum()), "returned": float(-work[work < 0].sum()),
            "energy": float(bent.array("blade.strain_energy")[middle]), "assist": float(bent.array("assist.moment")[middle]),
            "share": float(worn.array("assist.share")[middle]), "least": float(support_moment.min()),
            "stiffest": float(carries.min()), "group": UPRIGHT_SETUP.groups["M L / E I"],
            "without_clamp": float(np.abs(runs["pinned"].array("assist.moment")).max()),
            "over_linear": {name: self._over_linear(run) for name, run in (("small", small), ("large", bent))},
            "eq_1": {
                name: equation_1_slopes(run, s.bending_stiffness, run.time.size // 2)
                for name, run in (("small", small), ("large", bent))
            },
            "highest": int(np.argmax(moments_at_end)) + 1, "held": dict(enumerate(map(float, moments_at_end), start=1)),
            "load": self._load(), "rises": self._rises(),
            "held_at": float(runs["loaded"].array("trunk.flexion")[-1]),
            "reach": UPRIGHT_SETUP.length / s.hip_to_neck, "long": UPRIGHT_SETUP.length, "curves": self._curves(),
            "stiffness": s.bending_stiffness,
        }  # fmt: skip

    def _over_linear(self, run: Result) -> float:
        """Moment about the hip over that of the linear theory, 3 E I f / L, for a tip displaced by L f."""
        s, k = self.setup, run.time.size // 2
        linear = 3 * s.bending_stiffness * math.radians(run.array("trunk.flexion")[k]) / s.length
        return float(run.array("assist.moment")[k] / linear)

    def _load(self) -> dict[str, float]:
        """Load of Eq 26 from the moment in the fixed joint of the vest: nothing else moves the trunk."""
        run = self.runs["loaded"]
        moment, grows = run.array("assist.moment"), (run.time > 0) & (run.time < self.setup.ramp + 1e-9)
        return {"slope": float(np.median(moment[grows] / run.time[grows])), "held": float(moment[-1])}

    def _rises(self) -> dict[str, float]:
        """Time at which the released trunk is first upright, s after Eq 26 begins; and its initial flexion, degrees."""
        run, s = self.runs["released"], self.setup
        up = run.crossings("trunk.flexion")
        after = float(up[0]) if up.size else NO_ONSET_TIME_S
        return {"at": s.ramp + s.hold + after, "after": after, "from": float(run.array("trunk.flexion")[0])}

    def _curves(self) -> dict[str, Any]:
        """Curves for pictures."""
        s, bent, loaded = self.setup, self.runs["bent"], self.runs["loaded"]
        flexion = bent.array("trunk.flexion")
        shapes = bent.beam("blade", "x", "y", points=7)
        samples = [0, bent.time.size // 6, bent.time.size // 4, bent.time.size // 3, bent.time.size // 2]
        worn, released = self.runs["worn"], self.runs["released"]
        return {
            "flexion": flexion, "linear": 3 * s.bending_stiffness * np.radians(flexion) / s.length,
            "shapes": {
                f"{flexion[k]:.0f}": {"x": shapes["x"].values[k], "y": shapes["y"].values[k]} for k in samples
            },
            "weight": worn.array("assist.moment") + worn.array("trunk.torque"),
            "worn": {"flexion": worn.array("trunk.flexion"), "assist": worn.array("assist.moment")},
            "loaded": {"time": loaded.time, "nodes": elastic_moments(loaded)},
            "released": {"time": released.time, "flexion": released.array("trunk.flexion")},
        }  # fmt: skip


def run(
    progress: ProgressCallback = ignore_progress,
    setup: BackSupportSetup = BackSupportSetup(),  # noqa: B008
) -> BackSupportExperiment:
    """Run all parts of the experiment."""
    jobs = {
        "bent": partial(setup.bend, setup.flexion),
        "nearly upright": partial(setup.bend, setup.small, 4),
        "pinned": setup.pinned,
        "worn": partial(setup.bend, setup.flexion, gravity=setup.gravity),
        "loaded": setup.loaded,
    }
    runs = run_jobs(jobs, progress, 0.8)
    runs |= run_jobs({"released": partial(setup.released, runs["loaded"])}, progress, 0.9, 0.8)
    settings = {**asdict(setup), "bending_stiffness": setup.bending_stiffness}
    return BackSupportExperiment(*experiment_heading(EXPERIMENT_NAME, settings), setup, runs)
