"""Paper 001: pendulums by Runge-Kutta-Gill and by Gauss's methods of two and three stages, without stabilisation.

The paper prints the step, 0.1 s, and the number of steps, 1500, but neither rods nor start nor any error or time. Its
figures are judged by the order of the curves, which its text states. The rods are those of the recomputation of 001.

Only h sqrt(g / L) matters. With rods of 1 m the step of 0.1 s is too long for the double pendulum: all three methods
tear its joints apart, Gill's first. Its motion is chaotic: the later motion, the convergence of Newton's iteration and
the number of completed steps depend on the last bits of the processor and are not findings. The runs are therefore
judged up to the step at which the joints are torn (MAX_JOINT_ERROR_RATIO). With rods of 25 m, or a step of 0.02 s, all
three methods complete; these runs are shown as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.integrate import METHODS, gauss2, gauss3, gill
from gaitwright.mechanisms.pendulum import pendulum
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
    run_jobs,
)
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "integrators"
METHOD_ORDERS = {"gill": 4, "gauss2": 4, "gauss3": 6}
"""Methods of the paper and their stated orders."""
METHOD_LABELS = {"gill": "Gill's method", "gauss2": "Gauss with 2 stages", "gauss3": "Gauss with 3 stages"}
COMPARED_STEPS = (10, 150, 500, 1500)
"""Steps at which the errors of Fig 4 are compared, as in the recomputation of 001."""
METHOD_PAIRS = {"implicit": ("gill", "gauss2"), "order": ("gauss2", "gauss3"), "both": ("gill", "gauss3")}
"""Statements of the text about Fig 4: `implicit smaller than explicit`, `smaller as the order increases`, and both
combined."""
ROD_COUNTS = (1, 2, 4, 8)
"""Numbers of rods of the pendulums of Fig 5."""
ORDER_STEPS_S = {
    "gill": (0.05, 0.025, 0.0125, 0.00625), "gauss2": (0.05, 0.025, 0.0125, 0.00625), "gauss3": (0.05, 0.025, 0.0125),
}  # fmt: skip
"""Steps, s, each half the previous one. The order is that of the last two: short enough for the leading error term,
long enough to stay above rounding."""
MAX_JOINT_ERROR_RATIO = 0.1
"""Distance of the joints, in rod lengths, at which the motion of a double pendulum becomes meaningless. A change of
the start by 1e-14 rad changes neither the step at which this is reached nor anything printed before it."""
REFERENCE_STEP_S = 1e-3
"""Step of gauss3 for the reference motion, s."""
TIMING_REPEATS = 3


class PendulumSetup(make_setup_class(EXPERIMENT_NAME)):
    """Rods and simulation settings."""

    def simulate(self, rods: int, method: str, step: float, until: float, **how: Any) -> tuple[Result, str]:
        """Forward dynamics in the index-1 form. A run that stops early is returned up to there, with the cause."""
        model = pendulum((0.0,) * rods, length=self.length, mass=self.mass, gravity=self.gravity)
        try:
            return perturb_if_active(model).simulate(until, method=method, step=step, stabilisation="none", **how), ""
        except AnalysisError as error:
            if error.partial is None:
                raise
            return error.partial, error.cause

    def fastest(self, *job: Any) -> tuple[Result, str]:
        """Fastest of several runs, because the first may compile."""
        return min((self.simulate(*job) for _ in range(TIMING_REPEATS)), key=lambda run: run[0].evidence.wall_seconds)


# Tables 3 and 4, the Butcher arrays of Gauss's methods. Our copy is machine-read and corrupted in two numbers of the
# first row of Table 4 and two of its weights, so these are not judged.


@dataclass(frozen=True)
class GaussTableau:
    """Nodes c, coefficients a and weights b of a method with s stages: (s,), (s, s), (s,)."""

    c: np.ndarray
    a: np.ndarray
    b: np.ndarray

    @property
    def stages(self) -> int:
        return self.b.size

    def apart(self, other: GaussTableau) -> float:
        """Largest difference of corresponding numbers."""
        pairs = ((self.c, other.c), (self.a, other.a), (self.b, other.b))
        return max(float(np.abs(x - y).max()) for x, y in pairs)


OUR_TABLEAUS = {
    name: GaussTableau(module.C, module.A, module.B) for name, module in (("gauss2", gauss2), ("gauss3", gauss3))
}
TABLE_METHODS = {"3": "gauss2", "4": "gauss3"}


def printed_tableau(numbers: Mapping[str, float], table: str) -> GaussTableau:
    """A table as in our copy, from printed numbers by id: 3-c1, 3-a12, 3-b1."""
    places = range(1, OUR_TABLEAUS[TABLE_METHODS[table]].stages + 1)
    return GaussTableau(
        np.array([numbers[f"{table}-c{i}"] for i in places]),
        np.array([[numbers[f"{table}-a{i}{j}"] for j in places] for i in places]),
        np.array([numbers[f"{table}-b{j}"] for j in places]),
    )


def compare_tableaus(numbers: Mapping[str, float]) -> dict[str, Any]:
    """Our tables, with the sums of rows and weights of the printed ones."""
    arrays = {table: printed_tableau(numbers, table) for table in TABLE_METHODS}
    return {
        "tables": {table: OUR_TABLEAUS[name] for table, name in TABLE_METHODS.items()},
        "row_sums": {table: array.a.sum(axis=1) for table, array in arrays.items()},
        "weight_sums": {table: float(array.b.sum()) for table, array in arrays.items()},
    }


# the runs ----------------------------------------------------------------------------------------------------------


def joint_error(run: Result) -> np.ndarray:
    """Error of the joint coordinates (Fig 1), m: the largest distance at any joint, (times,)."""
    rods = len(run.mechanism.body_names)
    gaps = [np.hypot(*(run.array(f"rod1.P0.{axis}") for axis in "xy"))]  # P0 is the origin
    for k in range(1, rods):
        x, y = (run.array(f"rod{k}.P{k}.{axis}") - run.array(f"rod{k + 1}.P{k}.{axis}") for axis in "xy")
        gaps.append(np.hypot(x, y))
    return np.max(gaps, axis=0)


def angle_by_equations(array: GaussTableau, setup: PendulumSetup, steps: int) -> float:
    """Angle (rad) of the single pendulum after some steps by Eq 1, 4 and 5 as printed, k_i and l_i by fixed-point
    iteration."""
    half, m, h = setup.length / 2, setup.mass, setup.step
    inertia = np.array([m, m, m * setup.length**2 / 12])
    force = np.array([0.0, -m * setup.gravity, 0.0])

    def acceleration(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        cos, sin = half * np.cos(q[2]), half * np.sin(q[2])
        jacobian = np.array([[1.0, 0.0, sin], [0.0, 1.0, -cos]])
        matrix = np.block([[np.diag(inertia), jacobian.T], [jacobian, np.zeros((2, 2))]])
        gamma = np.array([-cos, -sin]) * v[2] ** 2
        return np.linalg.solve(matrix, np.concatenate([force, gamma]))[:3]

    q, v = np.array([half, 0.0, 0.0]), np.zeros(3)
    for _ in range(steps):
        k = np.zeros((array.stages, 3))
        for _ in range(60):  # contracts by a fifth or better with this step
            l = v + h * array.a @ k
            places = q + h * array.a @ l
            k = np.array([acceleration(*stage) for stage in zip(places, l, strict=True)])
        l = v + h * array.a @ k
        q, v = q + h * array.b @ l, v + h * array.b @ k
    return float(q[2])


@dataclass
class IntegratorsExperiment(Experiment):
    """runs: `single` and `double` with the paper's step, by method; `n rods` with the short one; `smaller steps`,
    the single pendulum over the same time by Gill's method with the short step. errors: of all coordinates relative
    to a fine motion by (rods, method), at the steps in ORDER_STEPS_S."""

    setup: PendulumSetup
    runs: dict[str, Result]
    errors: dict[tuple[int, str], list[float]] = field(default_factory=dict)
    stops: dict[str, str] = field(default_factory=dict)
    """Reasons of runs that stopped early."""

    @cached_property
    def apart(self) -> dict[str, np.ndarray]:
        """Joint errors of all runs, m."""
        return {name: joint_error(run) for name, run in self.runs.items()}

    def sound_steps(self, kind: str, name: str) -> int:
        """Number of steps before the joints are torn, for the chaotic pendulum with the paper's step; otherwise all
        steps."""
        apart = self.apart[f"{kind} {name}"]
        torn = np.flatnonzero(apart > MAX_JOINT_ERROR_RATIO * self.setup.length) if kind == "double" else []
        return int(torn[0]) - 1 if len(torn) else self.runs[f"{kind} {name}"].evidence.steps

    def facts(self) -> dict[str, Any]:
        first_run, second_run = (self.runs[f"single {name}"] for name in ("gill", "gauss3"))
        differences = [first_run.array(f"rod1.P1.{axis}") - second_run.array(f"rod1.P1.{axis}") for axis in "xy"]
        kinds, arrays = ("single", "double", "2 rods"), {"gill": GaussTableau(gill.C, gill.A, gill.B), **OUR_TABLEAUS}
        return {
            **compare_tableaus(self.sheet.printed),
            "apart": self.apart,
            "off": np.hypot(*differences),
            "angles": {
                name: angle_by_equations(array, self.setup, COMPARED_STEPS[0]) for name, array in arrays.items()
            },
            "sound": {f"{kind} {name}": self.sound_steps(kind, name) for kind in kinds[:2] for name in METHOD_ORDERS},
            "torn": MAX_JOINT_ERROR_RATIO,
            "below": {kind: {word: self._below(kind, *pair) for word, pair in METHOD_PAIRS.items()} for kind in kinds},
            "counts": {name: {rods: self.work(rods, name) for rods in ROD_COUNTS} for name in METHOD_ORDERS},
            "stages": {name: METHODS[name].coupled_stages for name in OUR_TABLEAUS},
            "unknowns": count_unknowns(ROD_COUNTS[-1]),
            "sizes": ROD_COUNTS,
            "halved": {name: np.log10(steps) for name, steps in ORDER_STEPS_S.items()},
            "shown": {name: self._shown(name) for name in self.runs},
        }

    def _below(self, kind: str, worse: str, better: str) -> dict[str, Any]:
        """Fig 4: errors of two methods, and the steps, among those completed by both, at which the second is not
        below the first."""
        first, second = (self.apart[f"{kind} {name}"] for name in (worse, better))
        common = min(first.size, second.size, *(self.sound_steps(kind, name) + 1 for name in (worse, better)))
        exceptions = np.flatnonzero(second[1:common] >= first[1:common]) + 1
        return {"wrong": exceptions, "common": common - 1, "first": first, "second": second}

    def _shown(self, name: str) -> dict[str, Any]:
        """Data for pictures and tables: errors above rounding, and the initial path of the last rod's end."""
        run, distances = self.runs[name], self.apart[name]
        rods = len(run.mechanism.body_names)
        last = (401 if rods == 1 else 131) if name.startswith(("single", "double")) else 0
        x, y = (run.array(f"rod{rods}.P{rods}.{axis}")[:last] for axis in "xy")
        floor = np.finfo(float).eps  # smaller values are rounding
        texts = {k: f"{distances[k]:.2e}" if k < distances.size else "-" for k in COMPARED_STEPS}
        return {
            "x": x,
            "y": y,
            "steps": np.arange(1, distances.size),
            "error": np.maximum(distances[1:], floor),
            "read": texts,
        }

    def work(self, rods: int, name: str) -> float:
        """Right-hand sides per step, times unknowns. An average per step, because with 8 rods Newton's iteration of
        two stages may fail before the last step on some processors."""
        run = self.runs[f"{rods} rods {name}"].evidence
        return run.evaluations / run.steps * count_unknowns(rods)

    def numbers(self) -> dict[str, dict[str, Any]]:
        orders = {f"{n} rods {name}": float(np.log2(e[-2] / e[-1])) for (n, name), e in self.errors.items()}
        errors = {name: {str(k): float(e[k]) for k in COMPARED_STEPS if k < e.size} for name, e in self.apart.items()}
        return {
            name: run_numbers | {"joint_error": errors[name]} for name, run_numbers in super().numbers().items()
        } | {"orders": orders}


def count_unknowns(rods: int) -> int:
    """Number of accelerations and multipliers of a pendulum."""
    return 5 * rods


def run(progress: ProgressCallback = ignore_progress, setup: PendulumSetup = PendulumSetup()) -> IntegratorsExperiment:  # noqa: B008
    """Run all parts of the experiment."""
    span, short = setup.step * setup.steps, setup.short_step * setup.steps
    jobs: dict[str, tuple[int, str, float, float]] = {}
    for name in METHOD_ORDERS:
        jobs |= {f"{kind} {name}": (rods, name, setup.step, span) for rods, kind in ((1, "single"), (2, "double"))}
    jobs |= {
        f"{rods} rods {name}": (rods, name, setup.short_step, short) for rods in ROD_COUNTS for name in METHOD_ORDERS
    }
    jobs["smaller steps"] = (1, "gill", setup.short_step, span)
    results = run_jobs({name: partial(setup.fastest, *job) for name, job in jobs.items()}, progress, 0.7)
    runs, stops = {name: run for name, (run, _) in results.items()}, {name: why for name, (_, why) in results.items()}
    errors = {}
    for rods, until in ((1, 2.0), (2, 1.0)):
        progress(f"orders, {rods} rods", 0.7 + 0.1 * rods)
        exact = setup.simulate(rods, "gauss3", REFERENCE_STEP_S, until, every=round(0.1 / REFERENCE_STEP_S))[0].motion.q
        for name, steps in ORDER_STEPS_S.items():
            motions = (setup.simulate(rods, name, h, until, every=round(0.1 / h))[0].motion.q for h in steps)
            errors[rods, name] = [float(np.abs(q - exact).max()) for q in motions]
    return IntegratorsExperiment(*experiment_heading(EXPERIMENT_NAME, asdict(setup)), setup, runs, errors, stops)
