"""Paper 001 on the device of its title: the linkage of a knee support by explicit and implicit methods.

The paper shows the linkage in Fig 1, with joints torn apart by the integration error, and prints neither a length nor a
number of it; its computations are of pendulums (`integrators`). It leaves the application to the knee to further
analysis. Here it is done, with the ready model `knee_exoskeleton`, whose pins are our choice: a shank that is released
bent and swings on its crossed links, without stabilisation: bare with the printed step, and with a torsion spring at
the knee, as "dynamic components such as springs and dampers" are the subject of the paper. With the spring the printed
step is too long for Gill's method, whose motion diverges before step 50; these runs, and one without spring for
comparison, therefore have a shorter step.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from gaitwright.integrate import gill
from gaitwright.mechanisms.knee_exoskeleton import LINKS, PIN_POSITIONS_M, SEGMENT_PARAMETERS, knee_exoskeleton
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
    run_jobs,
)
from gaitwright_apps.reproductions.integrators import METHOD_ORDERS, METHOD_PAIRS, OUR_TABLEAUS, GaussTableau
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "knee-support"
LEG_KINDS = ("bare", "sprung")
COMPARED_STEPS = (10, 150, 500)
"""Steps at which errors are compared; the first three of those of the pendulums."""
ORDER_STEPS_S = {"gill": (0.02, 0.01, 0.005), "gauss2": (0.02, 0.01, 0.005), "gauss3": (0.05, 0.025, 0.0125)}
"""Steps, s, each half the previous one; the order is that of the last two."""
REFERENCE_STEP_S = 1e-3
"""Step of gauss3 for the reference motion, s."""
ORDER_TIME_SPAN_S = 1.0
"""Time span of the order estimates, s; all steps above divide a tenth of it."""


class KneeSupportSetup(make_setup_class(EXPERIMENT_NAME)):
    """Leg and simulation settings."""

    def model(self, kind: str) -> Model:
        spring = {"torsion_stiffness": self.torsion_stiffness} if kind == "sprung" else {}
        options = {"body_mass": self.body_mass, "link_mass": self.link_mass, "gravity": self.gravity}
        return perturb_if_active(knee_exoskeleton(start=self.start, driven=False, **options, **spring))

    def simulate(self, kind: str, method: str, step: float, until: float, **how: Any) -> Result:
        """Forward dynamics in the index-1 form."""
        return self.model(kind).simulate(until, method=method, step=step, stabilisation="none", **how)


def joint_error(run: Result) -> np.ndarray:
    """Error of the joint coordinates (Fig 1), m: the largest distance at any pin, (times,)."""
    pins = [
        (segment, link, pin)
        for link, ends in LINKS.items()
        for segment, pin in zip(SEGMENT_PARAMETERS, ends, strict=True)
    ]
    gaps = [
        np.hypot(*(run.array(f"{segment}.{pin}.{axis}") - run.array(f"{link}.{pin}.{axis}") for axis in "xy"))
        for segment, link, pin in pins
    ]
    return np.max(gaps, axis=0)


class KneeEquations:
    """Eq 1, 4 and 5 of the bare leg as printed, implemented independently: shank and links as three bodies, (x, y,
    angle) each, eight equations of pins. The thigh hangs at rest."""

    def __init__(self, setup: KneeSupportSetup):
        self.setup = setup
        mass = SEGMENT_PARAMETERS["shank"][0] * setup.body_mass
        a, b, c, d = (np.array([PIN_POSITIONS_M[f"{pin}_forward"], PIN_POSITIONS_M[f"{pin}_up"]]) for pin in "ABCD")
        lengths = np.linalg.norm(c - a), np.linalg.norm(d - b)
        turning = [
            mass * (SEGMENT_PARAMETERS["shank"][2] * setup.segment) ** 2,
            *(setup.link_mass * n**2 / 12 for n in lengths),
        ]
        masses = [mass, setup.link_mass, setup.link_mass]
        self.inertia = np.array([x for m, j in zip(masses, turning, strict=True) for x in (m, m, j)])
        self.force = np.array([x for m in masses for x in (0.0, -m * setup.gravity, 0.0)])
        centre = np.array([0.0, SEGMENT_PARAMETERS["shank"][1] * setup.segment])
        knee = np.array([0.0, -setup.segment])
        front, rear = (np.array([n / 2, 0.0]) for n in lengths)
        # body, point in its frame; body or None for the thigh, point in its frame or position
        self.pins = [
            (1, -front, None, knee + a), (2, -rear, None, knee + b), (1, front, 0, c - centre), (2, rear, 0, d - centre),
        ]  # fmt: skip

    def acceleration(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Accelerations by Eq 1."""
        jacobian, gamma = np.zeros((8, 9)), np.zeros(8)
        for row, (body, point, other_body, other_point) in enumerate(self.pins):
            rows = slice(2 * row, 2 * row + 2)
            for sign, owner, local in ((1.0, body, point), (-1.0, other_body, other_point)):
                if owner is None:
                    continue
                cos, sin = np.cos(q[3 * owner + 2]), np.sin(q[3 * owner + 2])
                arm = np.array([cos * local[0] - sin * local[1], sin * local[0] + cos * local[1]])
                jacobian[rows, 3 * owner : 3 * owner + 2] += sign * np.eye(2)
                jacobian[rows, 3 * owner + 2] += sign * np.array([-arm[1], arm[0]])
                gamma[rows] += sign * arm * v[3 * owner + 2] ** 2
        matrix = np.block([[np.diag(self.inertia), jacobian.T], [jacobian, np.zeros((8, 8))]])
        return np.linalg.solve(matrix, np.concatenate([self.force, gamma]))[:9]

    def angle(self, array: GaussTableau, start: np.ndarray, steps: int) -> float:
        """Angle of the shank (rad) after some steps from rest, by Eq 4 and 5, k_i and l_i by fixed-point iteration."""
        q, v, h = start.copy(), np.zeros(9), self.setup.step
        for _ in range(steps):
            k = np.zeros((array.stages, 9))
            for _ in range(60):
                l = v + h * array.a @ k
                places = q + h * array.a @ l
                k = np.array([self.acceleration(*stage) for stage in zip(places, l, strict=True)])
            l = v + h * array.a @ k
            q, v = q + h * array.b @ l, v + h * array.b @ k
        return float(q[2])


@dataclass
class KneeSupportExperiment(Experiment):
    """runs: `bare` with the printed step, `sprung` with the short one, by method; `bare, short step` by Gill's.
    errors: of all coordinates relative to a fine motion by (kind, method), at the steps in ORDER_STEPS_S."""

    setup: KneeSupportSetup
    runs: dict[str, Result]
    errors: dict[tuple[str, str], list[float]]

    @cached_property
    def apart(self) -> dict[str, np.ndarray]:
        """Joint errors of all runs, m."""
        return {name: joint_error(run) for name, run in self.runs.items()}

    def facts(self) -> dict[str, Any]:
        equations, bare_run = KneeEquations(self.setup), self.runs["bare gauss3"]
        start = np.array([bare_run.array(f"{b}.{x}")[0] for b in ("shank", *LINKS) for x in ("x", "y", "angle")])
        arrays = {"gill": GaussTableau(gill.C, gill.A, gill.B), **OUR_TABLEAUS}
        first = equations.acceleration(start, np.zeros(9))[2]
        ends = [[PIN_POSITIONS_M[f"{pin}_{direction}"] for direction in ("forward", "up")] for pin in "ACBD"]
        links = [float(np.hypot(x[0] - y[0], x[1] - y[1])) for x, y in (ends[:2], ends[2:])]
        return {
            "apart": self.apart, "links": links, "first": float(first),
            "angles": {name: equations.angle(array, start, COMPARED_STEPS[0]) for name, array in arrays.items()},
            "below": {kind: {word: self._below(kind, *pair) for word, pair in METHOD_PAIRS.items()} for kind in LEG_KINDS},
            "observed": {kind: {name: self._order(kind, name) for name in METHOD_ORDERS} for kind in LEG_KINDS},
            "shown": {name: self._shown(name) for name in self.runs},
            "halved": {name: np.log10(steps) for name, steps in ORDER_STEPS_S.items()},
            "fine": {f"{kind} {name}": np.log10(e) for (kind, name), e in self.errors.items()},
        }  # fmt: skip

    def _order(self, kind: str, name: str) -> float:
        errors = self.errors[kind, name]
        return float(np.log2(errors[-2] / errors[-1]))

    def _below(self, kind: str, worse: str, better: str) -> dict[str, Any]:
        """Errors of two methods, and the steps at which the second is not below the first."""
        first, second = (self.apart[f"{kind} {name}"] for name in (worse, better))
        return {"wrong": np.flatnonzero(second[1:] >= first[1:]) + 1, "first": first, "second": second}

    def _shown(self, name: str) -> dict[str, Any]:
        run, distances = self.runs[name], self.apart[name]
        floor = np.finfo(float).eps
        return {
            "steps": np.arange(1, distances.size), "error": np.maximum(distances[1:], floor), "time": run.time,
            "angle": np.degrees(run.array("shank.angle")), "x": run.array("shank.ankle.x"), "y": run.array("shank.ankle.y"),
            "read": {k: f"{distances[k]:.2e}" for k in COMPARED_STEPS if k < distances.size},
        }  # fmt: skip

    def numbers(self) -> dict[str, dict[str, Any]]:
        errors = {name: {str(k): float(e[k]) for k in COMPARED_STEPS if k < e.size} for name, e in self.apart.items()}
        return {name: run_numbers | {"joint_error": errors[name]} for name, run_numbers in super().numbers().items()}


def run(
    progress: ProgressCallback = ignore_progress,
    setup: KneeSupportSetup = KneeSupportSetup(),  # noqa: B008
) -> KneeSupportExperiment:
    """Run all parts of the experiment."""
    steps = {"bare": setup.step, "sprung": setup.short_step}
    jobs = {
        f"{kind} {name}": partial(setup.simulate, kind, name, h, h * setup.steps)
        for kind, h in steps.items() for name in METHOD_ORDERS
    }  # fmt: skip
    short = setup.short_step
    jobs["bare, short step"] = partial(setup.simulate, "bare", "gill", short, short * setup.steps)
    runs = run_jobs(jobs, progress, 0.6)
    errors = {}
    for k, kind in enumerate(LEG_KINDS):
        progress(f"orders, {kind}", 0.6 + 0.15 * k)
        exact = setup.simulate(
            kind, "gauss3", REFERENCE_STEP_S, ORDER_TIME_SPAN_S, every=round(0.1 / REFERENCE_STEP_S)
        ).motion.q
        for name, steps in ORDER_STEPS_S.items():
            motions = (setup.simulate(kind, name, h, ORDER_TIME_SPAN_S, every=round(0.1 / h)).motion.q for h in steps)
            errors[kind, name] = [float(np.abs(q - exact).max()) for q in motions]
    return KneeSupportExperiment(*experiment_heading(EXPERIMENT_NAME, asdict(setup)), setup, runs, errors)
