"""Search by exact gradients: several starts, the best of a sweep, improved in parallel by sequential quadratic programming.

In the unit box u, with f = +-objective / |objective at the start| and the distance g_i(u) >= 0 to each limit, every start
follows SLSQP (Kraft 1988). The next designs of all starts are computed together. At an optimum there are multipliers
l, m >= 0 of active limits and bounds with

    grad f = sum l_i grad g_i + m_low - m_high                                         (Karush, Kuhn, Tucker)

and the norm of the residual, for the best such multipliers, measures the distance from an optimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.codegen_objective import CodegenObjective, ProgramEvaluation
from gaitwright.design.lockstep import run_lockstep
from gaitwright.design.sampling import unit_points
from gaitwright.design.trial_search import DEFAULT_STARTS, BudgetExhausted, DesignTrial, TrialSearch, assess_trial

SWEEP_DESIGNS = 2048
"""Number of designs of the sweep from which starts are taken."""
MIN_START_DISTANCE_RATIO = 0.1
"""Minimum distance between starts in the unit box, as a fraction of its diagonal."""
LIMIT_MARGIN_RTOL = 1e-8
"""Safety margin inside the limits, relative to them, so that the answer keeps them despite rounding."""
ACTIVE_LIMIT_TOL = 1e-6
"""Distance below which a limit, or a bound in the unit box, counts as active."""
OBJECTIVE_TOL = 1e-10
"""Change of f at which SLSQP stops."""
FAILED_DESIGN_OBJECTIVE = 10.0
"""Value of f passed to SLSQP for a design that cannot be analysed: SLSQP then reduces its step to a tenth."""
MAX_RESTARTS = 4
MIN_RESTART_GAIN_RTOL = 1e-7
"""Relative gain that a restart from the best design must reach to be followed by another restart."""


class GradientPoint(NamedTuple):
    """A trial with scaled objective f and distances to limits (rooms), and their derivatives in the unit box, (n,) and
    (n_limits, n)."""

    trial: DesignTrial
    f: float
    slope: np.ndarray
    rooms: np.ndarray
    slopes: np.ndarray


class GradientSearch:
    """Search with gradients. Results of `run`: swept, failed: number of designs of the sweep, and of failed ones among them;
    starts: number of starts. Results of `check`, at the best design: kkt: residual of the optimality conditions; gradient:
    norm of grad f."""

    search: TrialSearch
    question: CodegenObjective
    wanted: int
    swept: int
    failed: int
    starts: int
    kkt: float
    gradient: float
    sides: list[tuple[str, float, float, float, float]]

    def __init__(
        self, search: TrialSearch, question: CodegenObjective, first: DesignTrial, starts: int = DEFAULT_STARTS
    ):
        """Raise ModelError if no program can be generated, or if its numbers for the start differ from the analysis."""
        self.search, self.question, self.wanted = search, question, starts
        self.points: dict[tuple[float, ...], GradientPoint] = {}
        self.confirmed: dict[tuple[float, ...], DesignTrial] = {}
        self.swept = self.failed = self.starts = 0
        self.kkt = self.gradient = math.nan
        self.sides = [
            (measure, sign, edge, limit.size, min(LIMIT_MARGIN_RTOL, 0.25 * (limit.high - limit.low) / limit.size))
            for name, limit in search.limits.items()
            for k, (sign, edge) in enumerate(((1.0, limit.low), (-1.0, limit.high)))
            if math.isfinite(edge)
            for measure in [question.asked[name][k % len(question.asked[name])]]
        ]
        (design,) = question.designs([first.values])
        difference = question.disagreement(question.numbers(design, search.limits), first.numbers, {})
        if bool(design.failure) != bool(first.failure):
            difference = f"at the start it says '{design.failure}', the analysis '{first.failure}'"
        if difference:
            ErrorContext(field="method").fail(
                f"gradients cannot be trusted here: {difference}", expected="another method"
            )
        self.points[tuple(first.values.values())] = self._point(first, design)

    def run(self, start: np.ndarray, seed: int) -> None:
        """Search from the start and the best of a sweep; then restart from the best as long as that improves it."""
        units = [start, *self.sweep(start, seed)]
        self.starts = len(units)
        run_lockstep([self._descent(unit) for unit in units], self.look)
        for _ in range(MAX_RESTARTS):
            best = self.best()
            if best is None:
                return
            before = self.search.worth(best)
            run_lockstep([self._descent(self.search.box.unit(best.values))], self.look)
            after = self.best()
            if after is None or self.search.worth(after) > before - MIN_RESTART_GAIN_RTOL * abs(before):
                return

    def best(self) -> DesignTrial | None:
        """Best trial that keeps its limits, with numbers of the classic analysis. A design counts as failed if these differ
        from those of the generated program, which is possible where a mechanism has two branches of motion."""
        search = self.search
        sizes = {name: limit.size for name, limit in search.limits.items()}
        while (best := search.best) is not None:
            key = tuple(best.values.values())
            if key in self.confirmed:
                return self.confirmed[key]
            confirmed_trial = search.trial(best.values, *assess_trial(search.aim, best.values))
            difference = confirmed_trial.failure or self.question.disagreement(
                best.numbers, confirmed_trial.numbers, {next(iter(best.numbers)): search.scale, **sizes}
            )
            if difference:
                confirmed_trial = search.trial(best.values, {}, f"not confirmed by the analysis: {difference}")
                self.points[key] = self._failed(confirmed_trial)
            search.trials[search.trials.index(best)] = search.known[key] = self.confirmed[key] = confirmed_trial
        return None

    def sweep(self, start: np.ndarray, seed: int) -> list[np.ndarray]:
        """Best designs of a Sobol sweep with a minimum distance between them, as further starts in the unit box."""
        if self.wanted < 2:
            return []
        search = self.search
        units = unit_points("sobol", start.size, SWEEP_DESIGNS, seed)
        values = [search.box.values_at(unit) for unit in units]
        evaluations = self.question.designs(values, slopes=False)
        self.swept, self.failed = len(evaluations), sum(1 for design in evaluations if design.failure)
        trials = [self._trial(one, design) for one, design in zip(values, evaluations, strict=True)]
        good = [k for k, trial in enumerate(trials) if not trial.failure]
        if good and not search.scale:  # the start failed
            search.scale = abs(trials[good[0]].objective) or 1.0
        chosen = [start]
        for k in sorted(good, key=lambda k: search.worth(trials[k])):
            if len(chosen) == self.wanted:
                break
            if all(
                np.linalg.norm(units[k] - other) > MIN_START_DISTANCE_RATIO * math.sqrt(start.size) for other in chosen
            ):
                chosen.append(units[k])
        return chosen[1:]

    def _trial(self, values: dict[str, float], design: ProgramEvaluation) -> DesignTrial:
        return self.search.trial(values, self.question.numbers(design, self.search.limits), design.failure)

    def look(self, units: Sequence[np.ndarray]) -> list[GradientPoint]:
        """Evaluate several points of the unit box. Raises BudgetExhausted if the budget ends before all are evaluated."""
        search = self.search
        designs = [search.box.values_at(unit) for unit in units]
        keys = [tuple(values.values()) for values in designs]
        new = {key: values for key, values in zip(keys, designs, strict=True) if key not in self.points}
        room = search.budget - len(search.trials)
        todo: dict[tuple[float, ...], dict[str, float]] = {}
        for key, values in new.items():
            fresh = key not in search.known  # the start is in search.known, but has no slopes yet
            if fresh and room <= 0:
                break
            room -= fresh
            todo[key] = values
        for (key, values), design in zip(todo.items(), self._designs(list(todo.values())), strict=True):
            trial = self._trial(values, design)
            if key not in search.known:
                search.add(trial)
            self.points[key] = self._point(trial, design)
            search.tell(min(len(search.trials) / search.budget, 1.0))
        if len(todo) < len(new):
            raise BudgetExhausted
        return [self.points[key] for key in keys]

    def _designs(self, todo: list[dict[str, float]]) -> list[ProgramEvaluation]:
        """Evaluations of designs from the store; the missing ones are computed in one call and stored."""
        store = self.search.store
        known: list[ProgramEvaluation | None] = []
        for values in todo:
            entry = store.get(tuple(values.values())) if store else None
            known.append(ProgramEvaluation(**entry["printed"]) if entry and "printed" in entry else None)
        missing = [values for values, design in zip(todo, known, strict=True) if design is None]
        computed = iter(self.question.designs(missing) if missing else [])
        evaluations = []
        for values, design in zip(todo, known, strict=True):
            if design is None:
                design = next(computed)
                if store is not None:
                    numbers = self.question.numbers(design, self.search.limits)
                    entry = {"numbers": numbers, "failure": design.failure, "printed": design._asdict()}
                    store.add(tuple(values.values()), entry)
            evaluations.append(design)
        return evaluations

    def _point(self, trial: DesignTrial, design: ProgramEvaluation) -> GradientPoint:
        search, n = self.search, len(self.search.box)
        if design.failure:
            return self._failed(trial)
        by_unit = np.array([axis.slope(trial.values[name]) for name, axis in search.box.items()])
        (objective,) = next(iter(self.question.asked.values()))
        scale = search.sign / (search.scale or 1.0)
        rooms = np.array(
            [sign * (design.measured[m] - edge) / size - inside for m, sign, edge, size, inside in self.sides]
        )
        slopes = np.array([sign * design.slopes[m] * by_unit / size for m, sign, _, size, _ in self.sides])
        return GradientPoint(
            trial, scale * design.measured[objective], scale * design.slopes[objective] * by_unit, rooms,
            slopes.reshape(-1, n),
        )  # fmt: skip

    def _failed(self, trial: DesignTrial) -> GradientPoint:
        n, sides = len(self.search.box), len(self.sides)
        return GradientPoint(trial, FAILED_DESIGN_OBJECTIVE, np.zeros(n), np.full(sides, -1.0), np.zeros((sides, n)))

    def _descent(self, start: np.ndarray) -> Callable[[Callable[[np.ndarray], GradientPoint]], None]:
        """Function that runs SLSQP from one start, for run_lockstep."""
        from scipy.optimize import minimize

        def descend(ask: Callable[[np.ndarray], GradientPoint]) -> None:
            if ask(start).trial.failure:
                return
            limits: list[Any] = []
            if self.sides:
                limits = [{"type": "ineq", "fun": lambda u: ask(u).rooms, "jac": lambda u: ask(u).slopes}]
            minimize(
                lambda u: ask(u).f, start, jac=lambda u: ask(u).slope, method="SLSQP", constraints=limits,
                bounds=[(0.0, 1.0)] * start.size, options={"ftol": OBJECTIVE_TOL, "maxiter": 200},
            )  # fmt: skip

        return descend

    def check(self, best: DesignTrial) -> None:
        """Compute kkt and gradient at the best trial."""
        from scipy.optimize import nnls

        point = self.points.get(tuple(best.values.values()))
        if point is None or point.trial.failure:
            return
        unit = self.search.box.unit(best.values)
        normals = [slope for room, slope in zip(point.rooms, point.slopes, strict=True) if room < ACTIVE_LIMIT_TOL]
        identity = np.eye(unit.size)
        normals += [identity[k] for k in np.flatnonzero(unit < ACTIVE_LIMIT_TOL)]
        normals += [-identity[k] for k in np.flatnonzero(unit > 1.0 - ACTIVE_LIMIT_TOL)]
        self.gradient = self.kkt = float(np.linalg.norm(point.slope))
        if normals:
            self.kkt = float(nnls(np.array(normals).T, point.slope)[1])
