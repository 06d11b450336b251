"""Paper 003 section 5.2: a slider-crank hits a free block, by viscoelastic contact and by Moreau's time stepping.

The thesis prints none of the lengths, masses, stiffness, start or place of the block, so its forces, times and violations
of the joints cannot be computed. What can be: relations between its numbers, and its equations 5.25 to 5.28.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from gaitwright.contact.restitution import impact as free_impact
from gaitwright.errors import AnalysisError
from gaitwright.mechanisms.slider_crank import slider_crank, slider_position
from gaitwright.model.model import Model
from gaitwright.papers import impact
from gaitwright.papers.check import Said, heading, silent
from gaitwright.papers.disturb import built
from gaitwright.papers.impact import ELASTIC, INELASTIC, NEARLY_INELASTIC, ImpactExperiment
from gaitwright.papers.sheet import setup_of
from gaitwright.result.result import Result

NAME = "slider-crank-impact"
TINY = float(np.finfo(float).eps ** 2)
POSE = [
    "crank.angle",
    "rod.angle",
    "crank.spin",
    "rod.spin",
    "crank.angular_acceleration",
    "energy.kinetic",
    "impact.gap",
]


FORMULATIONS: dict[str, dict[str, Any]] = {
    "none": {"stabilisation": "none"},
    "baumgarte": {"stabilisation": "baumgarte"},
    "augmented": {},
    "partitioning": {"stabilisation": "partitioning"},
    "embedding": {"formulation": "embedding"},
}
"""Of Table 2.1, for the slider-crank without a block; `augmented` has the default stabilisation."""
TOUCHING: dict[str, dict[str, Any]] = {name: FORMULATIONS[name] for name in ("none", "baumgarte", "augmented")}
"""Stabilisations with which slider and block stay in touch by Eq 5.16 to 5.18."""
FORMULATION_STEPS: dict[str, Any] = {"method": "rk4", "step": 2e-3}
FORMULATION_TIME_S = 1.0
COMPARED = {"lagrangian": "moreau e=0 as printed", "proposed": "thesis cr=0.1"}
"""The columns of Tables 5.1 and 5.3, with the runs whose violations of the joints are compared."""
BESIDE = {"end": "moreau e=0 lemke", "larger beta": "thesis cr=0.1, beta = alpha sqrt(2)"}
"""Runs beside these: velocities that satisfy the joints at the end of a step, and the other reading of beta."""


class Setup(setup_of(NAME)):
    """Our choice, all of it, as the sheet tells; SI units."""

    @property
    def block_at(self) -> float:
        """x of the block's near face, m."""
        return slider_position(self.crank, self.rod, self.hit_angle) + self.slider_length / 2

    def model(self, block: bool = True, **how: Any) -> Model:
        given = {k: v for k, v in asdict(self).items() if k not in ("hit_angle", "stiffness", "block_mass")}
        if block:
            given |= {"block_mass": self.block_mass, "block_at": self.block_at}
        return slider_crank(**given, **how)

    def touching_model(self) -> Model:
        """Slider and block in contact by an equality constraint, Eq 5.16: the surface parameter is a place on the near face."""
        model, half = self.model(block=False), self.slider_length / 2
        near = slider_position(self.crank, self.rod, self.angle) + half
        inertia = self.block_mass * self.slider_length**2 / 12  # without effect: the block does not turn
        model.body("block", mass=self.block_mass, inertia=inertia, at=(near + half, 0.0), points={"near": (-half, 0.0)})
        model.prismatic("ground.O", "block", axis=(1, 0), name="track")
        return model.joint("point-on-curve", "touch", a="block.near", b="slider.front", x="0", y="s")

    def joined_model(self) -> Model:
        """The same motion without a contact: a slider with the mass of the block added."""
        return replace(self, slider_mass=self.slider_mass + self.block_mass).model(block=False)


# Eq 5.23 and 5.26 to 5.28 as printed, in the angles of crank and rod --------------------------------------------------


def mass_matrix(s: Setup, a1: float, a2: float) -> np.ndarray:
    """Eq 5.26: mass matrix for the angles of crank and rod."""
    j1, j2 = s.crank_mass * s.crank**2 / 12, s.rod_mass * s.rod**2 / 12
    m1, m2, m3, l1, l2 = s.crank_mass, s.rod_mass, s.slider_mass, s.crank, s.rod
    mixed = l1 * l2 * math.cos(a1 - a2) * (m2 / 2 + m3)
    return np.array([[j1 + l1**2 * (m1 / 4 + m2 + m3), mixed], [mixed, j2 + l2**2 * (m2 / 4 + m3)]])


def inelastic_impulse(s: Setup, run: Result, k: int) -> float:
    """Eq 5.23 and 5.28 for the impact that leaves slider and block at one speed, from the k-th state of a run, N s."""
    a1, a2, *before = (
        float(run.values(name)[k]) for name in ("crank.angle", "rod.angle", "crank.spin", "rod.spin", "block.vx")
    )
    guide = [s.crank * math.cos(a1), s.rod * math.cos(a2), 0.0]
    closing = [-s.crank * math.sin(a1), -s.rod * math.sin(a2), -1.0]  # speed of the slider minus that of the block
    mass = np.zeros((3, 3))
    mass[:2, :2], mass[2, 2] = mass_matrix(s, a1, a2), s.block_mass
    rows = np.array([guide, closing])
    matrix = np.block([[mass, rows.T], [rows, np.zeros((2, 2))]])
    return float(np.linalg.solve(matrix, np.concatenate([mass @ before, np.zeros(2)]))[-1])


def crank_acceleration(
    s: Setup, a1: float, a2: float, w1: float, w2: float, of_difference: Callable[[float], float]
) -> float:
    """Eq 5.26 to 5.28 solved for the acceleration of the crank; of_difference: what stands for theta_1 - theta_2 in
    Eq 5.27."""
    m1, m2, m3, l1, l2, g = s.crank_mass, s.rod_mass, s.slider_mass, s.crank, s.rod, s.gravity
    gyroscopic = l1 * l2 * of_difference(a1 - a2) * (m2 / 2 + m3)
    h = [
        -gyroscopic * w2**2 - g * l1 * math.cos(a1) * (m1 / 2 + m2 + m3),
        gyroscopic * w1**2 - g * l2 * math.cos(a2) * (m2 / 2 + m3),
        l1 * math.sin(a1) * w1**2 + l2 * math.sin(a2) * w2**2,
    ]
    guide = np.array([l1 * math.cos(a1), l2 * math.cos(a2)])
    matrix = np.zeros((3, 3))
    matrix[:2, :2], matrix[:2, 2], matrix[2, :2] = mass_matrix(s, a1, a2), guide, guide
    return float(np.linalg.solve(matrix, h)[0])


@dataclass
class SliderCrankImpact(ImpactExperiment):
    """Runs: `viscoelastic`, `thesis` by its scheme (once also with the other beta), `moreau`, `moreau ... as printed` with the
    joint velocities of Eq 5.5 to 5.11, and `swing` without a block. failures: runs that stopped, with the reason.
    formulations: runs without a block, by FORMULATIONS. touching: runs in which slider and block stay in touch, by TOUCHING,
    and `joined` with both in one body."""

    setup: Setup
    contact = "impact"
    failures: dict[str, str] = field(default_factory=dict)
    formulations: dict[str, Result] = field(default_factory=dict)
    touching: dict[str, Result] = field(default_factory=dict)

    def numbers(self) -> dict[str, dict[str, Any]]:
        return super().numbers() | {name: {"failed": why} for name, why in self.failures.items()}

    def remarks(self) -> list[str]:
        return [f"{name} stopped {why}" for name, why in self.failures.items()]

    def facts(self) -> dict[str, Any]:
        """pose: a moving one before the impact."""
        setup, run, rigid = self.setup, self.runs["viscoelastic cr=0.1"], self.runs["moreau e=0 lemke"]
        k = int(np.argmin(np.abs(run.time - 0.7 * impact.first(run).begin)))
        pose = {name: float(run.values(name)[k]) for name in POSE}
        a1, a2, w1, w2 = (pose[name] for name in POSE[:4])
        w, before = np.array([w1, w2]), int(np.searchsorted(rigid.time, impact.first(rigid).begin)) - 1
        # The slider is farthest out where the crank has swung to the other side and turns back.
        far = self.runs["swing"].crossings("crank.spin", direction=-1)[:2]
        wrong, right = (crank_acceleration(setup, a1, a2, w1, w2, f) for f in (lambda x: x, math.sin))
        of = {"5.1": "position", "5.3": "velocity"}
        sums = {
            n: {
                name: float(self.runs[run].values(f"evidence.{what}_violation").sum())
                for name, run in (BESIDE | COMPARED).items()
            }
            for n, what in of.items()
        }
        return {
            **super().facts(), "pose": pose, "pose_time": float(run.time[k]), "block_at": setup.block_at,
            "kinetic": float(w @ mass_matrix(setup, a1, a2) @ w) / 2, "turning": {"printed": wrong, "with_sine": right},
            "impulse": inelastic_impulse(setup, rigid, before), "before": float(rigid.time[before]),
            "guide": setup.crank * np.sin(run.values("crank.angle")) + setup.rod * np.sin(run.values("rod.angle")),
            "free": {e: free_impact(impact.law(e, setup.stiffness)).largest_force for e in (NEARLY_INELASTIC, ELASTIC)},
            "far": far, "sums": sums, "formulated": self._formulated(),
            "constrained": self._constrained(),
            "near": {  # for pictures; below the rounding of one joint nothing can be read
                name: {what: np.maximum(run.values(f"evidence.{what}_violation"), TINY) for what in of.values()}
                for name, run in self.runs.items()
            },
            "faces": {n: run.values("block.x") - setup.slider_length / 2 for n, run in self.runs.items() if n != "swing"},
            "around": [1e3 * impact.first(rigid).begin - 4, 1e3 * impact.first(rigid).begin + 8],
        }  # fmt: skip

    def _formulated(self) -> dict[str, Any]:
        """The embedding technique beside the augmented formulation: how many unknowns a step has, the largest differences of
        the crank's angle (rad) and of the reactions of guide and joints (N)."""
        one, other = self.formulations["augmented"], self.formulations["embedding"]
        system = one.mechanism.system

        def apart(name: str) -> float:
            return float(np.abs(one.values(name) - other.values(name)).max())

        return {
            "augmented": system.n + system.m_all, "embedding": system.n - system.m_all,
            "angle": apart("crank.angle"), "force": apart("guide.normal"),
        }  # fmt: skip

    def _constrained(self) -> dict[str, float]:
        """Contact as a constraint beside one body of slider and block: the largest difference of the crank's angle (rad), and
        of the reaction from mass times acceleration of the block (N); the least and the largest reaction (N)."""
        run, joined = self.touching["augmented"], self.touching["joined"]
        reaction = run.values("touch.normal")
        inertia = run.mechanism.body_names["block"].mass * run.values("block.ax")
        return {
            "angle": float(np.abs(run.values("crank.angle") - joined.values("crank.angle")).max()),
            "force": float(np.abs(reaction - inertia).max()),
            "least": float(reaction.min()), "most": float(reaction.max()),
        }  # fmt: skip


def run(progress: Said = silent, setup: Setup = Setup()) -> SliderCrankImpact:  # noqa: B008
    """All runs of the experiment."""
    wanted: dict[str, tuple[Model, dict[str, Any]]] = {"swing": (setup.model(block=False), impact.ACCURATE)}
    for e in (ELASTIC, NEARLY_INELASTIC, INELASTIC):
        model = setup.model(law=impact.law(e, setup.stiffness))
        wanted[f"viscoelastic cr={e:g}"], wanted[f"thesis cr={e:g}"] = (model, impact.ACCURATE), (model, impact.THESIS)
    nearly_inelastic = setup.model(law=impact.law(NEARLY_INELASTIC, setup.stiffness))
    wanted[BESIDE["larger beta"]] = (nearly_inelastic, impact.LARGER_BETA)
    for e in (ELASTIC, INELASTIC):
        for solver in ("lemke", "pgs"):
            wanted[f"moreau e={e:g} {solver}"] = (setup.model(restitution=e), impact.moreau(solver))
        wanted[f"moreau e={e:g} as printed"] = (setup.model(restitution=e), impact.moreau_as_printed())
    runs: dict[str, Result] = {}
    failures: dict[str, str] = {}
    for k, (name, (model, options)) in enumerate(wanted.items()):
        progress(name, 0.9 * k / len(wanted))
        try:
            runs[name] = impact.fastest(model, options)
        except AnalysisError as error:
            failures[name] = str(error)
    swing = built(setup.model(block=False))
    formulations = {
        name: swing.simulate(FORMULATION_TIME_S, **FORMULATION_STEPS, **how) for name, how in FORMULATIONS.items()
    }
    touching_model, joined = built(setup.touching_model()), built(setup.joined_model())
    touching = {
        name: touching_model.simulate(FORMULATION_TIME_S, **FORMULATION_STEPS, **how) for name, how in TOUCHING.items()
    }
    touching["joined"] = joined.simulate(FORMULATION_TIME_S, **FORMULATION_STEPS)
    about = heading(NAME, {**asdict(setup), "block_at": setup.block_at})
    return SliderCrankImpact(*about, runs, setup, failures, formulations, touching)
