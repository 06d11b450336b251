"""Paper 003 section 5.2: a slider-crank hits a free block, with viscoelastic contact and with Moreau's time stepping.

The thesis prints none of the lengths, masses, stiffness, start or position of the block, so its forces, times and joint
violations cannot be computed. Relations between its numbers, and its equations 5.25 to 5.28, can be checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.contact.restitution import impact as free_impact
from gaitwright.mechanisms.slider_crank import slider_crank, slider_position
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import impact_runs
from gaitwright_apps.reproductions.experiments import ProgressCallback, experiment_heading, ignore_progress
from gaitwright_apps.reproductions.impact_runs import (
    ELASTIC_RESTITUTION,
    INELASTIC_RESTITUTION,
    NEARLY_INELASTIC_RESTITUTION,
    ImpactExperiment,
)
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "slider-crank-impact"
VIOLATION_FLOOR = float(np.finfo(float).eps ** 2)
POSE_OUTPUTS = [
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
"""Formulations of Table 2.1, for the slider-crank without a block; `augmented` has the default stabilisation."""
TOUCHING_FORMULATIONS: dict[str, dict[str, Any]] = {
    name: FORMULATIONS[name] for name in ("none", "baumgarte", "augmented")
}
"""Stabilisations with which slider and block stay in contact by Eq 5.16 to 5.18."""
FORMULATION_OPTIONS: dict[str, Any] = {"method": "rk4", "step": 2e-3}
FORMULATION_TIME_S = 1.0
COMPARED_RUNS = {"lagrangian": "moreau e=0 as printed", "proposed": "thesis cr=0.1"}
"""Columns of Tables 5.1 and 5.3, with the runs to compare joint violations."""
ADDITIONAL_RUNS = {"end": "moreau e=0 lemke", "larger beta": "thesis cr=0.1, beta = alpha sqrt(2)"}
"""Additional runs: velocities that satisfy the joints at the end of a step, and the other interpretation of beta."""


class SliderCrankImpactSetup(make_setup_class(EXPERIMENT_NAME)):
    """Setup; all values are our choice, as stated in the sheet; SI units."""

    @property
    def block_at(self) -> float:
        """x of the block's near face, m."""
        return slider_position(self.crank, self.rod, self.hit_angle) + self.slider_length / 2

    def model(self, block: bool = True, **how: Any) -> Model:
        fields = {k: v for k, v in asdict(self).items() if k not in ("hit_angle", "stiffness", "block_mass")}
        if block:
            fields |= {"block_mass": self.block_mass, "block_at": self.block_at}
        return slider_crank(**fields, **how)

    def touching_model(self) -> Model:
        """Model with slider and block in contact by an equality constraint, Eq 5.16: the surface parameter is a
        position on the near face."""
        model, half = self.model(block=False), self.slider_length / 2
        face_x = slider_position(self.crank, self.rod, self.angle) + half
        inertia = self.block_mass * self.slider_length**2 / 12  # without effect: the block does not rotate
        model.body(
            "block", mass=self.block_mass, inertia=inertia, at=(face_x + half, 0.0), points={"near": (-half, 0.0)}
        )
        model.joint.prismatic("ground.O", "block", axis=(1, 0), name="track")
        return model.joint("point-on-curve", "touch", a="block.near", b="slider.front", x="0", y="s")

    def joined_model(self) -> Model:
        """Model of the same motion without contact: the mass of the block is added to the slider."""
        return replace(self, slider_mass=self.slider_mass + self.block_mass).model(block=False)


# Eq 5.23 and 5.26 to 5.28 as printed, in the angles of crank and rod --------------------------------------------------


def mass_matrix(s: SliderCrankImpactSetup, a1: float, a2: float) -> np.ndarray:
    """Eq 5.26: mass matrix for the angles of crank and rod."""
    j1, j2 = s.crank_mass * s.crank**2 / 12, s.rod_mass * s.rod**2 / 12
    m1, m2, m3, l1, l2 = s.crank_mass, s.rod_mass, s.slider_mass, s.crank, s.rod
    mixed = l1 * l2 * math.cos(a1 - a2) * (m2 / 2 + m3)
    return np.array([[j1 + l1**2 * (m1 / 4 + m2 + m3), mixed], [mixed, j2 + l2**2 * (m2 / 4 + m3)]])


def inelastic_impulse(s: SliderCrankImpactSetup, run: Result, k: int) -> float:
    """Impulse by Eq 5.23 and 5.28 for the impact after which slider and block have the same speed, from the k-th
    state of a run, N s."""
    a1, a2, *before = (
        float(run.array(name)[k]) for name in ("crank.angle", "rod.angle", "crank.spin", "rod.spin", "block.vx")
    )
    guide = [s.crank * math.cos(a1), s.rod * math.cos(a2), 0.0]
    closing = [-s.crank * math.sin(a1), -s.rod * math.sin(a2), -1.0]  # speed of the slider minus that of the block
    mass = np.zeros((3, 3))
    mass[:2, :2], mass[2, 2] = mass_matrix(s, a1, a2), s.block_mass
    rows = np.array([guide, closing])
    matrix = np.block([[mass, rows.T], [rows, np.zeros((2, 2))]])
    return float(np.linalg.solve(matrix, np.concatenate([mass @ before, np.zeros(2)]))[-1])


def crank_acceleration(
    s: SliderCrankImpactSetup, a1: float, a2: float, w1: float, w2: float, of_difference: Callable[[float], float]
) -> float:
    """Acceleration of the crank by Eq 5.26 to 5.28; of_difference: function of theta_1 - theta_2 in Eq 5.27."""
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
class SliderCrankImpactExperiment(ImpactExperiment):
    """Runs: `viscoelastic`, `thesis` by its scheme (once also with the other beta), `moreau`, `moreau ... as
    printed` with the joint velocities of Eq 5.5 to 5.11, and `swing` without a block. failures: runs that stopped,
    with the reason. formulations: runs without a block, by FORMULATIONS. touching: runs with slider and block in
    permanent contact, by TOUCHING_FORMULATIONS, and `joined` with both in one body."""

    setup: SliderCrankImpactSetup
    contact = "impact"
    failures: dict[str, str] = field(default_factory=dict)
    formulations: dict[str, Result] = field(default_factory=dict)
    touching: dict[str, Result] = field(default_factory=dict)

    def numbers(self) -> dict[str, dict[str, Any]]:
        return super().numbers() | {name: {"failed": why} for name, why in self.failures.items()}

    def remarks(self) -> list[str]:
        return [f"{name} stopped {why}" for name, why in self.failures.items()]

    def facts(self) -> dict[str, Any]:
        """Facts for the verdicts. pose: a moving one before the impact."""
        setup, run, rigid = self.setup, self.runs["viscoelastic cr=0.1"], self.runs["moreau e=0 lemke"]
        k = int(np.argmin(np.abs(run.time - 0.7 * impact_runs.first_impact(run).begin)))
        pose = {name: float(run.array(name)[k]) for name in POSE_OUTPUTS}
        a1, a2, w1, w2 = (pose[name] for name in POSE_OUTPUTS[:4])
        w, before = np.array([w1, w2]), int(np.searchsorted(rigid.time, impact_runs.first_impact(rigid).begin)) - 1
        # The slider is farthest out after the crank has swung to the other side and reverses.
        turning_points = self.runs["swing"].crossings("crank.spin", direction=-1)[:2]
        linear_acceleration, sine_acceleration = (
            crank_acceleration(setup, a1, a2, w1, w2, f) for f in (lambda x: x, math.sin)
        )
        level_by_equation = {"5.1": "position", "5.3": "velocity"}
        sums = {
            n: {
                name: float(self.runs[run].array(f"evidence.{level}_violation").sum())
                for name, run in (ADDITIONAL_RUNS | COMPARED_RUNS).items()
            }
            for n, level in level_by_equation.items()
        }
        return {
            **super().facts(),
            "pose": pose,
            "pose_time": float(run.time[k]),
            "block_at": setup.block_at,
            "kinetic": float(w @ mass_matrix(setup, a1, a2) @ w) / 2,
            "turning": {"printed": linear_acceleration, "with_sine": sine_acceleration},
            "impulse": inelastic_impulse(setup, rigid, before),
            "before": float(rigid.time[before]),
            "guide": setup.crank * np.sin(run.array("crank.angle")) + setup.rod * np.sin(run.array("rod.angle")),
            "free": {
                e: free_impact(impact_runs.impact_law(e, setup.stiffness)).largest_force
                for e in (NEARLY_INELASTIC_RESTITUTION, ELASTIC_RESTITUTION)
            },
            "far": turning_points,
            "sums": sums,
            "formulated": self._formulated(),
            "constrained": self._constrained(),
            "near": {  # for pictures; smaller values are rounding of one joint
                name: {
                    level: np.maximum(run.array(f"evidence.{level}_violation"), VIOLATION_FLOOR)
                    for level in level_by_equation.values()
                }
                for name, run in self.runs.items()
            },
            "faces": {
                n: run.array("block.x") - setup.slider_length / 2 for n, run in self.runs.items() if n != "swing"
            },
            "around": [
                1e3 * impact_runs.first_impact(rigid).begin - 4,
                1e3 * impact_runs.first_impact(rigid).begin + 8,
            ],
        }

    def _formulated(self) -> dict[str, Any]:
        """Embedding technique compared with the augmented formulation: number of unknowns per step, largest
        differences of the crank angle (rad) and of the reactions of guide and joints (N)."""
        augmented, embedding = self.formulations["augmented"], self.formulations["embedding"]
        system = augmented.mechanism.system

        def apart(name: str) -> float:
            return float(np.abs(augmented.array(name) - embedding.array(name)).max())

        return {
            "augmented": system.n + system.m_all,
            "embedding": system.n - system.m_all,
            "angle": apart("crank.angle"),
            "force": apart("guide.normal"),
        }

    def _constrained(self) -> dict[str, float]:
        """Contact as a constraint compared with slider and block as one body: largest difference of the crank angle
        (rad), and of the reaction from mass times acceleration of the block (N); smallest and largest reaction (N)."""
        run, joined = self.touching["augmented"], self.touching["joined"]
        reaction = run.array("touch.normal")
        inertia = run.mechanism.body_names["block"].mass * run.array("block.ax")
        return {
            "angle": float(np.abs(run.array("crank.angle") - joined.array("crank.angle")).max()),
            "force": float(np.abs(reaction - inertia).max()),
            "least": float(reaction.min()),
            "most": float(reaction.max()),
        }


def run(
    progress: ProgressCallback = ignore_progress,
    setup: SliderCrankImpactSetup = SliderCrankImpactSetup(),  # noqa: B008
) -> SliderCrankImpactExperiment:
    """Run all parts of the experiment."""
    cases: dict[str, tuple[Model, dict[str, Any]]] = {"swing": (setup.model(block=False), impact_runs.ACCURATE_OPTIONS)}
    for e in (ELASTIC_RESTITUTION, NEARLY_INELASTIC_RESTITUTION, INELASTIC_RESTITUTION):
        model = setup.model(law=impact_runs.impact_law(e, setup.stiffness))
        cases[f"viscoelastic cr={e:g}"], cases[f"thesis cr={e:g}"] = (
            (model, impact_runs.ACCURATE_OPTIONS),
            (model, impact_runs.THESIS_OPTIONS),
        )
    nearly_inelastic = setup.model(law=impact_runs.impact_law(NEARLY_INELASTIC_RESTITUTION, setup.stiffness))
    cases[ADDITIONAL_RUNS["larger beta"]] = (nearly_inelastic, impact_runs.LARGER_BETA_OPTIONS)
    for e in (ELASTIC_RESTITUTION, INELASTIC_RESTITUTION):
        for solver in ("lemke", "pgs"):
            cases[f"moreau e={e:g} {solver}"] = (setup.model(restitution=e), impact_runs.moreau_options(solver))
        cases[f"moreau e={e:g} as printed"] = (setup.model(restitution=e), impact_runs.printed_moreau_options())
    runs: dict[str, Result] = {}
    failures: dict[str, str] = {}
    for k, (name, (model, options)) in enumerate(cases.items()):
        progress(name, 0.9 * k / len(cases))
        try:
            runs[name] = impact_runs.fastest_run(model, options)
        except AnalysisError as error:
            failures[name] = str(error)
    swing = perturb_if_active(setup.model(block=False))
    formulations = {
        name: swing.simulate(FORMULATION_TIME_S, **FORMULATION_OPTIONS, **how) for name, how in FORMULATIONS.items()
    }
    touching_model, joined = perturb_if_active(setup.touching_model()), perturb_if_active(setup.joined_model())
    touching = {
        name: touching_model.simulate(FORMULATION_TIME_S, **FORMULATION_OPTIONS, **how)
        for name, how in TOUCHING_FORMULATIONS.items()
    }
    touching["joined"] = joined.simulate(FORMULATION_TIME_S, **FORMULATION_OPTIONS)
    heading = experiment_heading(EXPERIMENT_NAME, {**asdict(setup), "block_at": setup.block_at})
    return SliderCrankImpactExperiment(*heading, runs, setup, failures, formulations, touching)
