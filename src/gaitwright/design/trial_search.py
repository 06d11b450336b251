"""Search of `optimise`: trials of a model within bounds, and their score. The methods in minimisers.py propose the trials.

A trial that cannot be analysed, or has a number that is not finite, is worse than any other; broken limits are penalised:

    worth = +-objective / |objective at the start| + LIMIT_PENALTY * (sum of relative violations of the limits)

The answer of a search is not the trial with the lowest worth but the best trial that keeps all limits.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.errors import ModelError
from gaitwright.design.evaluation import failure_reason, run_variant
from gaitwright.design.executors.dask_executor import DaskExecutor
from gaitwright.design.executors.process_pool import JobCrashed, ProcessPool
from gaitwright.design.number_limits import NumberLimit
from gaitwright.design.parameter_ranges import ParameterBox
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import RequestedNumbers
from gaitwright.design.result_store import ResultStore
from gaitwright.model.model import Model, make_variant, require_compilable

DEFAULT_STARTS = 6
"""Default number of starts of a gradient search."""
LIMIT_PENALTY = 20.0
"""Penalty factor of limits: a violation of 1 % counts as much as an objective that is worse by 20 %."""
FAILED_TRIAL_SCORE = 1e6
"""Worth of a failed trial. Finite, because some methods fit parabolas."""


class BudgetExhausted(Exception):
    """Raised when the budget is used up."""


class OptimiseTask(NamedTuple):
    """Task shared by all trials. analyse: function of a variant, or None for its section. numbers: function of its result that
    returns numbers by name. names: objective and limited numbers, the objective first."""

    model: Model
    analyse: Callable[[Any], Any] | None
    numbers: RequestedNumbers
    names: Sequence[str]


class DesignTrial(NamedTuple):
    """One set of parameter values and its result. broken: sum of the relative violations of limits; 0 if all are kept, infinite
    if it failed. failure: reason, or empty."""

    values: dict[str, float]
    numbers: dict[str, float]
    broken: float
    failure: str

    @property
    def objective(self) -> float:
        return next(iter(self.numbers.values()), math.nan)

    @property
    def feasible(self) -> bool:
        return not self.failure and self.broken == 0.0


def assess_trial(aim: OptimiseTask, values: dict[str, float], strict: bool = False) -> tuple[dict[str, float], str]:
    """Numbers of a trial and an empty string, or the reason of the failure. strict: raise ModelError for an unknown name."""
    try:
        result = run_variant(aim.analyse, make_variant(aim.model, values))
    except Exception as error:  # a user-defined function may raise anything
        return {}, failure_reason(error)
    try:
        measured = aim.numbers(result)
        numbers = {name: measured[name] for name in aim.names}
    except Exception as error:
        if strict and isinstance(error, ModelError):
            raise
        return {}, failure_reason(error)
    wrong = [name for name, value in numbers.items() if not math.isfinite(value)]
    return numbers, f"{wrong[0]} is not a finite number" if wrong else ""


class TrialSearch:
    """Trials of a search. No values are analysed twice, and none that are in the store. limits: complete once the numbers of
    the start are known. sign: -1 to maximise, else 1. Use as a context manager, which ends the processes."""

    question: DesignQuestion
    aim: OptimiseTask
    box: ParameterBox
    sign: float
    budget: int
    workers: int
    scale: float
    store: ResultStore | None
    client: Any

    def __init__(self, question: DesignQuestion, budget: int, execution: Execution, store: ResultStore | None = None):
        ((objective, largest),) = question.goals.items()
        names = list(dict.fromkeys([objective, *question.limits]))
        self.question, self.box = question, question.box
        self.aim = OptimiseTask(require_compilable(question.model), question.analysis, question.numbers, names)
        self.sign, self.budget = -1.0 if largest else 1.0, budget
        self.workers, self.client, self.tell = (
            execution.workers or os.cpu_count() or 1,
            execution.client,
            execution.report,
        )
        self.limits: dict[str, NumberLimit] = {}
        self.trials: list[DesignTrial] = []
        self.known: dict[tuple[float, ...], DesignTrial] = {}
        self.scale = 0.0
        self.pool: ProcessPool | DaskExecutor | None = None
        self.store = store
        self.found: Callable[..., None] | None = getattr(execution.progress, "found", None)
        """Callback for each new best trial, if the progress listener supports it."""
        self.worthy: DesignTrial | None = None

    def __enter__(self) -> TrialSearch:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.__exit__()

    @property
    def best(self) -> DesignTrial | None:
        """Best trial that keeps all limits; of equals the first."""
        return min((t for t in self.trials if t.feasible), key=lambda t: self.sign * t.objective, default=None)

    def trial(self, values: dict[str, float], numbers: dict[str, float], failure: str) -> DesignTrial:
        broken = math.inf if failure else sum(limit.broken(numbers[name]) for name, limit in self.limits.items())
        return DesignTrial(values, numbers, broken, failure)

    def add(self, trial: DesignTrial) -> None:
        self.known[tuple(trial.values.values())] = trial
        self.trials.append(trial)
        if not self.scale and not trial.failure:
            self.scale = abs(trial.objective) or 1.0
        better = not self.worthy or self.sign * trial.objective < self.sign * self.worthy.objective
        if self.found and trial.feasible and better:
            self.worthy = trial
            self.found(trial.values, trial.numbers)

    def look(self, asked: Sequence[dict[str, float]]) -> list[DesignTrial]:
        """Evaluate several sets of values. Raises BudgetExhausted if the budget ends before all are evaluated."""
        keys = [tuple(values.values()) for values in asked]
        new = {key: values for key, values in zip(keys, asked, strict=True) if key not in self.known}
        room = self.budget - len(self.trials)
        todo = list(new.values())[:room]
        for values, (numbers, failure) in zip(todo, self._assessed(todo), strict=True):
            self.add(self.trial(values, numbers, failure))
            self._tell()
        if len(new) > room:
            raise BudgetExhausted
        return [self.known[key] for key in keys]

    def _tell(self) -> None:
        self.tell(min(len(self.trials) / self.budget, 1.0))

    def _assessed(self, todo: list[dict[str, float]]) -> Iterator[tuple[dict[str, float], str]]:
        """Yield numbers and failure of each set of values, in order: from the store, or computed."""
        known = [self.store.get(tuple(values.values())) if self.store else None for values in todo]
        computed = self._computed([values for values, entry in zip(todo, known, strict=True) if entry is None])
        for entry in known:
            yield next(computed) if entry is None else (entry["numbers"], entry["failure"])

    def _computed(self, todo: list[dict[str, float]]) -> Iterator[tuple[dict[str, float], str]]:
        if (self.workers == 1 and self.client is None) or len(todo) < 2:
            for values in todo:
                outcome = assess_trial(self.aim, values)
                self._keep(values, *outcome)
                yield outcome
            return
        if self.pool is None:
            on_cluster = self.client is not None
            self.pool = (
                DaskExecutor(self.client, assess_trial, self.aim)
                if on_cluster
                else ProcessPool(self.workers, assess_trial, self.aim)
            )
        early: dict[int, tuple[dict[str, float], str]] = {}
        due = 0
        for k, outcome in self.pool.results(todo, self._tell):
            if isinstance(outcome, JobCrashed):
                early[k] = {}, outcome.reason
            else:
                early[k] = outcome
                self._keep(todo[k], *outcome)
            while due in early:
                yield early.pop(due)
                due += 1

    def _keep(self, values: dict[str, float], numbers: dict[str, float], failure: str) -> None:
        if self.store is not None:
            self.store.add(tuple(values.values()), {"numbers": numbers, "failure": failure})

    def worth(self, trial: DesignTrial) -> float:
        """Score of a trial that the methods minimise."""
        if trial.failure:
            return FAILED_TRIAL_SCORE
        return min(self.sign * trial.objective / self.scale + LIMIT_PENALTY * trial.broken, FAILED_TRIAL_SCORE)

    def many(self, units: Sequence[np.ndarray]) -> list[float]:
        return [self.worth(trial) for trial in self.look([self.box.values_at(unit) for unit in units])]

    def one(self, unit: np.ndarray) -> float:
        return self.many([unit])[0]
