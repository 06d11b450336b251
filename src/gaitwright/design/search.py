"""The search behind `optimise`: trials of a model within bounds, and what they are worth. Who proposes them: minimisers.py.

A trial that cannot be analysed, or whose number is none, is worse than any other; one that breaks limits pays for it:

    worth = +-objective / |objective at the start| + STEEP * (sum of how far limits are broken, relative to them)

The answer of a search is never a point of this curve but the best trial that keeps all limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.cluster import Cluster
from gaitwright.design.number_limits import Limit
from gaitwright.design.question import reason
from gaitwright.design.store import Store, plain_numbers, real_numbers
from gaitwright.design.variants import Prepared
from gaitwright.design.workers import Died, Workers
from gaitwright.errors import ModelError

STARTS = 6
"""Of a search that goes by gradients, unless told otherwise."""
STEEP = 20.0
"""Price of breaking limits: 1 % costs as much as an objective worse by 20 %."""
FAILED = 1e6
"""Worth of a trial that failed. Finite, because some methods fit parabolas."""


class Spent(Exception):
    """The budget is used up."""


class Aim(NamedTuple):
    """What is done with every trial: a model with other values, analysed, gives numbers by name, the objective first."""

    model: Prepared
    analyse: Callable[[Any], Any]
    numbers: Callable[[Any], dict[str, float]]


class Trial(NamedTuple):
    """One set of values and what came of it. broken: how far limits are, relative to them and summed; 0 if all are kept."""

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


class Axis(NamedTuple):
    """The bounds of a parameter as 0 to 1; in equal ratios where they are far apart."""

    low: float
    high: float
    wide: bool

    def value(self, unit: float) -> float:
        unit = min(max(unit, 0.0), 1.0)
        ratio = self.high / self.low if self.wide else 1.0
        found = self.low * ratio**unit if self.wide else self.low + unit * (self.high - self.low)
        return min(max(found, self.low), self.high)  # rounding

    def unit(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        if self.wide:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def slope(self, value: float) -> float:
        """How fast the value changes from 0 to 1."""
        return value * math.log(self.high / self.low) if self.wide else self.high - self.low


class Box(dict[str, Axis]):
    """The bounds of all parameters by name, as a unit box."""

    def values_at(self, unit: np.ndarray) -> dict[str, float]:
        return {name: axis.value(float(u)) for (name, axis), u in zip(self.items(), unit, strict=True)}

    def unit(self, values: Mapping[str, float]) -> np.ndarray:
        return np.array([axis.unit(values[name]) for name, axis in self.items()])


def assess(aim: Aim, values: dict[str, float], strict: bool = False) -> tuple[dict[str, float], str]:
    """The numbers of a trial, or why there are none. strict: a name that no result has is an error of its own."""
    try:
        result = aim.analyse(aim.model.variant(values))
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
    except Exception as error:  # a function of the user's own may raise anything
        return {}, reason(error)
    try:
        numbers = aim.numbers(result)
    except Exception as error:
        if strict and isinstance(error, ModelError):
            raise
        return {}, reason(error)
    wrong = [name for name, value in numbers.items() if not math.isfinite(value)]
    return numbers, f"{wrong[0]} is not a finite number" if wrong else ""


class Search:
    """All trials so far. No values are analysed twice, and none that are in the store. sign: -1 to maximise. Use as a
    context: it may own processes. client: of a cluster, in their place."""

    aim: Aim
    box: Box
    sign: float
    budget: int
    workers: int
    tell: Callable[[float], None]
    scale: float
    store: Store | None
    client: Any

    def __init__(
        self, aim: Aim, box: Box, *, sign: float, budget: int, workers: int, tell: Callable[[float], None],
        store: Store | None = None, client: Any = None,
    ):  # fmt: skip
        self.aim, self.box, self.sign, self.budget, self.workers, self.tell = aim, box, sign, budget, workers, tell
        self.limits: dict[str, Limit] = {}
        self.rules: dict[str, str] = {}
        """Names of the rules among the limits, by number."""
        self.trials: list[Trial] = []
        self.known: dict[tuple[float, ...], Trial] = {}
        self.scale = 0.0
        self.pool: Workers | Cluster | None = None
        self.store, self.client = store, client
        self.found: Callable[..., None] | None = getattr(tell, "found", None)
        """Told of each trial that is better than all before, where whoever follows the progress wants that."""
        self.worthy: Trial | None = None

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.__exit__()

    @property
    def best(self) -> Trial | None:
        """The best trial that keeps all limits; of equals the first."""
        return min((t for t in self.trials if t.feasible), key=lambda t: self.sign * t.objective, default=None)

    def called(self, name: str) -> str:
        """What a limit is called: its number, and the rule that it is."""
        return f"{name} (rule '{self.rules[name]}')" if name in self.rules else name

    def trial(self, values: dict[str, float], numbers: dict[str, float], failure: str) -> Trial:
        broken = math.inf if failure else sum(limit.broken(numbers[name]) for name, limit in self.limits.items())
        return Trial(values, numbers, broken, failure)

    def add(self, trial: Trial) -> None:
        self.known[tuple(trial.values.values())] = trial
        self.trials.append(trial)
        if not self.scale and not trial.failure:
            self.scale = abs(trial.objective) or 1.0
        better = not self.worthy or self.sign * trial.objective < self.sign * self.worthy.objective
        if self.found and trial.feasible and better:
            self.worthy = trial
            self.found(trial.values, trial.numbers)

    def look(self, asked: Sequence[dict[str, float]]) -> list[Trial]:
        """What comes of several sets of values; raises Spent when the budget ends among them."""
        keys = [tuple(values.values()) for values in asked]
        new = {key: values for key, values in zip(keys, asked, strict=True) if key not in self.known}
        room = self.budget - len(self.trials)
        todo = list(new.values())[:room]
        for values, (numbers, failure) in zip(todo, self._assessed(todo), strict=True):
            self.add(self.trial(values, numbers, failure))
            self._tell()
        if len(new) > room:
            raise Spent
        return [self.known[key] for key in keys]

    def _tell(self) -> None:
        self.tell(min(len(self.trials) / self.budget, 1.0))

    def _assessed(self, todo: list[dict[str, float]]) -> Iterator[tuple[dict[str, float], str]]:
        """What comes of values, in their order: looked up, or computed."""
        known = [self.store.get(tuple(values.values())) if self.store else None for values in todo]
        computed = self._computed([values for values, entry in zip(todo, known, strict=True) if entry is None])
        for entry in known:
            yield next(computed) if entry is None else (real_numbers(entry["numbers"]), entry["failure"])

    def _computed(self, todo: list[dict[str, float]]) -> Iterator[tuple[dict[str, float], str]]:
        if (self.workers == 1 and self.client is None) or len(todo) < 2:
            for values in todo:
                found = assess(self.aim, values)
                self._keep(values, *found)
                yield found
            return
        if self.pool is None:
            there = self.client is not None
            self.pool = Cluster(self.client, assess, self.aim) if there else Workers(self.workers, assess, self.aim)
        early: dict[int, tuple[dict[str, float], str]] = {}
        due = 0
        for k, found in self.pool.results(todo, self._tell):
            if isinstance(found, Died):
                early[k] = {}, found.reason
            else:
                early[k] = found
                self._keep(todo[k], *found)
            while due in early:
                yield early.pop(due)
                due += 1

    def _keep(self, values: dict[str, float], numbers: dict[str, float], failure: str) -> None:
        if self.store is not None:
            self.store.add(tuple(values.values()), {"numbers": plain_numbers(numbers), "failure": failure})

    def worth(self, trial: Trial) -> float:
        """What methods make small."""
        if trial.failure:
            return FAILED
        return min(self.sign * trial.objective / self.scale + STEEP * trial.broken, FAILED)

    def many(self, units: Sequence[np.ndarray]) -> list[float]:
        return [self.worth(trial) for trial in self.look([self.box.values_at(unit) for unit in units])]

    def one(self, unit: np.ndarray) -> float:
        return self.many([unit])[0]
