"""Paper 001: pendulums by Runge-Kutta-Gill and by Gauss's methods of two and three stages, without stabilisation.

The paper prints the step, 0.1 s, and the number of steps, 1500, but neither rods nor start nor any error or time: its
figures are judged by the order of the curves, which its text states. The rods are those of REFERENCE E.

Only h sqrt(g / L) matters. With rods of 1 m the step of 0.1 s is too long for the double pendulum: all three methods tear its
joints apart, Gill's first. Its motion is chaotic: what comes after, whether Newton's iteration of the implicit ones still
converges and for how many steps, hangs on the last bits of the processor, and is no finding. So the runs are judged up to the
step at which the joints are TORN. With rods of 25 m, or a step of 0.02 s, all three get through, and so these runs are shown
beside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.errors import AnalysisError
from gaitwright.integrate import METHODS, gill
from gaitwright.mechanisms.pendulum import pendulum
from gaitwright.papers.butcher import OURS, Array, table_checks
from gaitwright.papers.check import EQUATION, INPUT, STATEMENT, Check, Experiment, Table, judge
from gaitwright.papers.figures import save_panels
from gaitwright.result.result import Result

NAME, PAPER = "integrators", "001"
ORDERS = {"gill": 4, "gauss2": 4, "gauss3": 6}
"""Methods of the paper and the orders that it names."""
LABELS = {"gill": "Gill's method", "gauss2": "Gauss with 2 stages", "gauss3": "Gauss with 3 stages"}
READ_AT = (10, 150, 500, 1500)
"""Steps at which the errors of Fig 4 are compared; REFERENCE E has the same."""
PAIRS = {"implicit": ("gill", "gauss2"), "order": ("gauss2", "gauss3"), "both": ("gill", "gauss3")}
"""What the text says about Fig 4: `implicit smaller than explicit`, `smaller as the order increases`, and the two together."""
SIZES = (1, 2, 4, 8)
"""Rods of the pendulums of Fig 5."""
HALVED = {
    "gill": (0.05, 0.025, 0.0125, 0.00625), "gauss2": (0.05, 0.025, 0.0125, 0.00625), "gauss3": (0.05, 0.025, 0.0125),
}  # fmt: skip
"""s, each half the one before. The order is that of the last two: short enough for the leading term of the error, long
enough to stay above rounding."""
TORN = 0.1
"""Distance of the joints, in lengths of a rod, at which the motion of a double pendulum no longer means anything. A start that
differs by 1e-14 rad changes neither the step at which this is reached nor anything before it that is printed."""
DEARER, GROWS = 1.3, 1.9
"""Least ratio of the cost with another stage, and with twice as many rods. The count of Newton's iterations down to rounding
differs by some per cent from one processor to another; the ratios are 1.45 and 2 at least."""
FINE = 1e-3
"""s, step of gauss3 for the motion that stands for the exact one there."""
REPEATS = 3


@dataclass(frozen=True)
class Setup:
    """SI units. step and steps are printed; rods are those of REFERENCE E: uniform, 1 m, 1 kg, level at the start."""

    length: float = 1.0
    mass: float = 1.0
    gravity: float = 9.81
    step: float = 0.1
    steps: int = 1500
    short_step: float = 0.02

    def simulate(self, rods: int, method: str, step: float, until: float, **how: Any) -> tuple[Result, str]:
        """Forward dynamics in the index-1 form. A run that stops early is returned up to there, with the cause."""
        model = pendulum((0.0,) * rods, length=self.length, mass=self.mass, gravity=self.gravity)
        try:
            return model.simulate(until, method=method, step=step, stabilisation="none", **how), ""
        except AnalysisError as error:
            if error.partial is None:
                raise
            return error.partial, error.cause


CHOICES = {
    "rods": "uniform, 1 m and 1 kg each, at rest and level at the start; the paper prints none of them",
    "error": "the largest distance, over the joints, between the points of two bodies that a joint should keep together",
    "short_step": "0.02 s with rods of 1 m is 0.1 s with rods of 25 m: only h sqrt(g / L) matters",
}
MISSING = "the paper prints neither rods nor start"


def joint_error(run: Result) -> np.ndarray:
    """Error of the joint coordinates (Fig 1), m: the largest distance at any joint, (times,)."""
    rods = len(run.mechanism.body_names)
    apart = [np.hypot(*(run.values(f"rod1.P0.{axis}") for axis in "xy"))]  # P0 is the origin
    for k in range(1, rods):
        x, y = (run.values(f"rod{k}.P{k}.{axis}") - run.values(f"rod{k + 1}.P{k}.{axis}") for axis in "xy")
        apart.append(np.hypot(x, y))
    return np.max(apart, axis=0)


def angle_by_equations(array: Array, setup: Setup, steps: int) -> float:
    """Angle (rad) of the single pendulum after some steps by Eq 1, 4 and 5 as printed, k_i and l_i found by insertion."""
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
class Integrators(Experiment):
    """runs: `single` and `double` with the paper's step, by method; `n rods` with the short one; `smaller steps`, the
    single pendulum over the same time by Gill's method with the short step. errors: of all coordinates against a fine
    motion by (rods, method), at the steps in HALVED."""

    setup: Setup
    runs: dict[str, Result]
    errors: dict[tuple[int, str], list[float]] = field(default_factory=dict)
    stops: dict[str, str] = field(default_factory=dict)
    """Why a run stopped before its end."""

    says = staticmethod(partial(judge, paper=PAPER, kind=STATEMENT))
    """About what the text says without a number."""
    judge = staticmethod(partial(judge, paper=PAPER))

    @cached_property
    def apart(self) -> dict[str, np.ndarray]:
        """Joint errors of all runs, m."""
        return {name: joint_error(run) for name, run in self.runs.items()}

    def sound_steps(self, kind: str, name: str) -> int:
        """Steps made before the joints are torn, of the chaotic pendulum with the paper's step; of others all."""
        apart = self.apart[f"{kind} {name}"]
        torn = np.flatnonzero(apart > TORN * self.setup.length) if kind == "double" else []
        return int(torn[0]) - 1 if len(torn) else self.runs[f"{kind} {name}"].evidence.steps

    def judged(self) -> list[Check]:
        return [
            *self._methods(),
            *table_checks(self.judge),
            *self._equations(),
            *self._runs(),
            *self._errors(),
            *self._cost(),
        ]

    # verdicts --------------------------------------------------------------------------------------------------------

    def _methods(self) -> list[Check]:
        """Section 2.2: orders, by halving the step."""
        found = []
        for (rods, name), (*_, coarse, fine) in self.errors.items():
            steps = " and ".join(f"{h:g}" for h in HALVED[name][-2:])
            found.append(
                self.judge(
                    f"2.2-order-{name}-{rods}", f"order of {LABELS[name]}, observed on {rods} rod{'s' * (rods > 1)}",
                    ORDERS[name], float(np.log2(coarse / fine)), "1", tolerance=0.1,
                    remark=f"errors {coarse:.3g} and {fine:.3g} with steps of {steps} s",
                )
            )  # fmt: skip
        return found

    def _equations(self) -> list[Check]:
        """Eq 1, 4 and 5 as printed against the runs."""
        steps, arrays = READ_AT[0], {"gill": Array(gill.C, gill.A, gill.B), **OURS}
        return [
            self.judge(
                f"5-{name}", f"angle after {steps} steps by Eq 1, 4 and 5, single pendulum, {LABELS[name]}",
                angle_by_equations(array, self.setup, steps), float(self.runs[f"single {name}"].values("rod1.angle")[steps]),
                "rad", tolerance=1e-12, kind=EQUATION,
                remark=f"the equations evaluated by us, from a level rod at rest over {steps * self.setup.step:g} s, beside "
                "our run; with the coefficients that give the orders above",
            )
            for name, array in arrays.items()
        ]  # fmt: skip

    def _runs(self) -> list[Check]:
        """Section 3: the step, the number of steps, the trajectories."""
        s, wide = self.setup, self.apart["single gill"].max()
        found = [
            self.judge(
                "3.1-step", "time increment", 0.1, self.runs["single gauss3"].evidence.largest_step, "s", tolerance=1e-12,
                kind=INPUT,
            )
        ]  # fmt: skip
        for kind in ("single", "double"):
            for name in ORDERS:
                done, apart = self.sound_steps(kind, name), float(self.apart[f"{kind} {name}"][-1])
                end = f"the joints are {apart:.2g} m apart in the end"
                if apart > s.length:
                    end += f", with rods of {s.length:g} m: the steps are made, but their motion means nothing"
                void = f"{MISSING}; with ours {self._torn(kind, name)}" if done < s.steps else ""
                what = "number of steps" + (" with the joints together" if kind == "double" else "")
                found.append(
                    self.judge(
                        f"3.2-steps-{kind}-{name}", f"{what}, {kind} pendulum, {LABELS[name]}", 1500, done, "1",
                        tolerance=0.1, void=void, remark=end, kind=INPUT,
                    )
                )  # fmt: skip
        found.append(
            self.says(
                "3-trajectories", "the trajectories differ visibly, by more than a hundredth of the rod (Fig 3; 1: yes)", 1.0,
                float(self._off_the_path() > 0.01 * s.length), "1",
                remark=f"single pendulum, Gill off Gauss with 3 stages by {self._off_the_path():.3g} m, and off its own pin "
                f"by {wide:.3g} m",
            )
        )  # fmt: skip
        return found

    def _off_the_path(self) -> float:
        """Largest distance between the ends of the single pendulum by two methods, m."""
        one, other = (self.runs[f"single {name}"] for name in ("gill", "gauss3"))
        x, y = (one.values(f"rod1.P1.{axis}") - other.values(f"rod1.P1.{axis}") for axis in "xy")
        return float(np.hypot(x, y).max())

    def _torn(self, kind: str, name: str) -> str:
        done = self.sound_steps(kind, name)
        if done == self.setup.steps:
            return ""
        return f"{LABELS[name]} has the joints {TORN * self.setup.length:g} m apart at step {done + 1}; what follows is chaos"

    def _errors(self) -> list[Check]:
        """Fig 4 and the text about it."""
        s, found = self.setup, []
        for id, kind, steps, how in (
            ("4a", "single", READ_AT, f"single pendulum, h = {s.step:g} s"),
            ("4b", "double", READ_AT[:1], f"double pendulum, h = {s.step:g} s"),  # later not all are still there
            ("4b-slow", "2 rods", READ_AT, f"double pendulum, h = {s.short_step:g} s (or rods 25 times as long)"),
        ):
            for k in steps:
                found += [
                    self._smaller(f"{id}-{word}-{k}", kind, *pair, k, how) for word, pair in list(PAIRS.items())[:2]
                ]
            found += [self._exceptions(f"{id}-{word}-all", kind, *pair, how) for word, pair in PAIRS.items()]
        return [*found, self._chipped()]

    def _chipped(self) -> Check:
        """Section 1: that it `cannot be solved by a simple way to chip the time step`."""
        s, names = self.setup, ("single gauss2", "smaller steps")
        (same, chipped), cost = (self.apart[n][-1] for n in names), [self.runs[n].evidence.evaluations for n in names]
        return self.says(
            "1-chip", "a shorter step does not make the explicit method as good as the implicit one (section 1; 1: yes)",
            1.0, float(chipped > same), "1", confirmed=self.apart["single gill"][-1] > chipped * (s.step / s.short_step) ** 3.5,
            impossible=f"after the same {s.step * s.steps:g} s Gill with h = {s.short_step:g} s is {chipped:.2g} m off, Gauss "
            f"with 2 stages and h = {s.step:g} s {same:.2g} m, for {cost[1]:.2g} against {cost[0]:.2g} right-hand sides",
        )  # fmt: skip

    def _exceptions(self, id: str, kind: str, worse: str, better: str, how: str) -> Check:
        """How often the order of two curves is not that of the text, over all steps that both methods reach."""
        first, second = (self.apart[f"{kind} {name}"] for name in (worse, better))
        common = min(first.size, second.size, *(self.sound_steps(kind, name) + 1 for name in (worse, better)))
        wrong = np.flatnonzero(second[1:common] >= first[1:common]) + 1
        reach = "make with the joints together" if kind == "double" else "reach"
        share = f"{wrong.size} of the {common - 1} steps that both {reach}"
        span = f", between {wrong[0]} and {wrong[-1]}" if wrong.size > 1 else f", {wrong[0]}" if wrong.size else ""
        return self.says(
            id, f"{how}: steps at which the error of {LABELS[better]} is not below that of {LABELS[worse]} (text: smaller)", 0,
            wrong.size, "1", remark=share, void=f"{MISSING}; with ours it is not below at {share}{span}" if wrong.size else "",
        )  # fmt: skip

    def _smaller(self, id: str, kind: str, worse: str, better: str, step: int, how: str) -> Check:
        """One method's error below the other's after some steps."""
        above, below = (float(self.apart[f"{kind} {name}"][step]) for name in (worse, better))
        return self.says(
            id, f"{how}, step {step}: error of {LABELS[better]} below that of {LABELS[worse]} (1: yes)", 1.0,
            float(below < above), "1", remark=f"{below:.2g} against {above:.2g} m",
        )  # fmt: skip

    def _cost(self) -> list[Check]:
        """Fig 5: no time is printed, only that it grows. Judged by a count that is the same on every machine."""
        found = []
        for rods in SIZES:
            counts = [self.work(rods, name) for name in ORDERS]
            found.append(
                self.says(
                    f"5-stages-{rods}", f"cost grows from Gill to 2 to 3 stages, {rods} rod{'s' * (rods > 1)} (1: yes)", 1.0,
                    float(min(counts[1] / counts[0], counts[2] / counts[1]) > DEARER), "1",
                    remark=f"right-hand sides per step times unknowns, each more than {DEARER:g} times the one before",
                )
            )  # fmt: skip
        for name in ORDERS:
            counts = [self.work(rods, name) for rods in SIZES]
            found.append(
                self.says(
                    f"5-size-{name}", f"cost grows with the number of variables, {LABELS[name]} (1: yes)", 1.0,
                    float(np.min(np.divide(counts[1:], counts[:-1])) > GROWS), "1",
                    remark=f"{SIZES} rods, each more than {GROWS:g} times the one before",
                )
            )  # fmt: skip
        matrices = [METHODS[name].coupled_stages * unknowns(SIZES[-1]) for name in OURS]
        found.append(
            self.says(
                "5-matrix", "the matrix of Newton's method is enlarged by a third stage (text; 1: yes)", 1.0,
                float(matrices[1] > matrices[0]), "1", remark=f"{matrices[0]} and {matrices[1]} rows for {SIZES[-1]} rods",
            )
        )  # fmt: skip
        return found

    def work(self, rods: int, name: str) -> float:
        """Right-hand sides per step, times unknowns. Per step: with 8 rods Newton's iteration of two stages may end before the
        last one, on some processors."""
        run = self.runs[f"{rods} rods {name}"].evidence
        return run.evaluations / run.steps * unknowns(rods)

    # files -----------------------------------------------------------------------------------------------------------

    def numbers(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name, run in self.runs.items():
            e, apart = run.evidence, self.apart[name]
            found[name] = {
                "method": e.method, "step": e.largest_step, "steps": e.steps, "right_hand_sides": e.evaluations,
                "newton_iterations": e.newton_iterations, "factorisations": e.factorisations, "wall_seconds": e.wall_seconds,
                "joint_error": {str(k): float(apart[k]) for k in READ_AT if k < apart.size},
                "energy_residual": e.max_energy_residual,
            }  # fmt: skip
        found["orders"] = {f"{n} rods {name}": float(np.log2(e[-2] / e[-1])) for (n, name), e in self.errors.items()}
        return found

    def tables(self) -> list[Table]:
        rows = [
            (
                name,
                str(run.evidence.steps),
                *(f"{self.apart[name][k]:.2e}" if k < run.time.size else "-" for k in READ_AT),
            )
            for name, run in self.runs.items()
        ]
        cost = [
            (LABELS[name], str(n), f"{1e3 * self.runs[f'{n} rods {name}'].evidence.wall_seconds:.1f}",
             str(self.runs[f"{n} rods {name}"].evidence.evaluations), f"{self.work(n, name):.0f}")
            for name in ORDERS for n in SIZES
        ]  # fmt: skip
        errors = ("joint error (m)", "steps", *(f"step {k}" for k in READ_AT))
        return [(errors, rows), (("Fig 5", "rods", "ms", "right-hand sides", "per step, times unknowns"), cost)]

    def remarks(self) -> list[str]:
        stops = [
            f"{kind} pendulum: {why}" for kind in ("single", "double") for n in ORDERS if (why := self._torn(kind, n))
        ]
        return [*stops, "Eq 5 changes its letters: y' and p for the velocity of q, P for the same at the step before"]

    def draw(self, folder: Path) -> dict[str, Path]:
        from gaitwright.papers.integrators_figures import PICTURES

        return {
            what: save_panels(panels(self), folder / f"{self.name}-{what}.png") for what, panels in PICTURES.items()
        }


def unknowns(rods: int) -> int:
    """Accelerations and multipliers of a pendulum."""
    return 5 * rods


def run(
    progress: Callable[[str, float], None] = lambda what, fraction: None,
    setup: Setup = Setup(),  # noqa: B008
) -> Integrators:
    """All runs of the experiment."""
    span, short = setup.step * setup.steps, setup.short_step * setup.steps
    jobs: dict[str, tuple[int, str, float, float]] = {}
    for name in ORDERS:
        jobs[f"single {name}"] = (1, name, setup.step, span)
        jobs[f"double {name}"] = (2, name, setup.step, span)
    jobs |= {f"{rods} rods {name}": (rods, name, setup.short_step, short) for rods in SIZES for name in ORDERS}
    jobs["smaller steps"] = (1, "gill", setup.short_step, span)
    runs, stops = {}, {}
    for k, (name, job) in enumerate(jobs.items()):
        progress(name, 0.7 * k / len(jobs))
        tried = [setup.simulate(*job) for _ in range(REPEATS)]  # the first may compile
        runs[name], stops[name] = min(tried, key=lambda found: found[0].evidence.wall_seconds)
    errors = {}
    for rods, until in ((1, 2.0), (2, 1.0)):
        progress(f"orders, {rods} rods", 0.7 + 0.1 * rods)
        exact = setup.simulate(rods, "gauss3", FINE, until, every=round(0.1 / FINE))[0].motion.q
        for name, steps in HALVED.items():
            found = (setup.simulate(rods, name, h, until, every=round(0.1 / h))[0].motion.q for h in steps)
            errors[rods, name] = [float(np.abs(q - exact).max()) for q in found]
    choices = {**asdict(setup), "reasons": CHOICES}
    title = "paper 001: pendulums by explicit and implicit methods"
    return Integrators(NAME, PAPER, title, choices, setup, runs, errors, stops)
