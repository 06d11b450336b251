"""Methods that propose trials to a search. A new one is a function with a decorator.

Powell's method was tried and left out: its line searches end where limits cross them. Energy of the Jansen leg, ten lengths
within 5 %, limits on the extents of the foot curve, 600 trials: 8 % better by Powell, 47 % by Nelder-Mead, 48 % by the others.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.design.search import Search, Spent, Trial

Method = Callable[[Search, np.ndarray, int], None]
METHODS: dict[str, Method] = {}
"""By name: functions of a search, the start in its unit box and a seed, that look at trials until they find no better."""
CLOUD = 0.08
"""Spread about the start, in the unit box, of that half of the first generation that stays near it."""
UNKNOWN = 10.0
"""What a method that models the objective is told about a trial that failed."""
INSIDE = 1e-6
"""How far within its limits COBYQA aims, relative to them: it ends as often just outside as inside."""
FINEST = 1e-7
"""Steps, in the unit box, at which methods that look nearby end."""


def method(name: str) -> Callable[[Method], Method]:
    def add(function: Method) -> Method:
        METHODS[name] = function
        return function

    return add


@method("nelder-mead")
def nelder_mead(search: Search, start: np.ndarray, seed: int) -> None:
    """A simplex that walks downhill."""
    simplex(search, start, 0.1)


def simplex(search: Search, start: np.ndarray, span: float) -> None:
    """A simplex that walks downhill, begun anew, smaller and from the best, as long as that still helps: simplices
    collapse on limits."""
    from scipy.optimize import minimize

    for _ in range(12):
        before = search.one(start)
        corners = np.vstack([start, *(_moved(start, k, span) for k in range(start.size))])
        options = {"initial_simplex": corners, "xatol": FINEST, "fatol": 1e-12, "maxfev": 10 * search.budget}
        minimize(search.one, start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * start.size, options=options)
        start, after = _best_unit(search, start)
        if not after < before - 1e-9 * (1.0 + abs(before)) and span < 0.01:
            return
        span *= 0.4


def _moved(start: np.ndarray, k: int, span: float) -> np.ndarray:
    """The start with one coordinate moved by the span, inwards."""
    corner = start.copy()
    corner[k] += span if start[k] + span <= 1.0 else -span
    return corner


def _best_unit(search: Search, otherwise: np.ndarray) -> tuple[np.ndarray, float]:
    best = min(search.trials, key=search.worth, default=None)
    best = search.best or best
    return (otherwise, math.inf) if best is None else (search.box.unit(best.values), search.worth(best))


@method("cobyqa")
def cobyqa(search: Search, start: np.ndarray, seed: int) -> None:
    """Quadratic models of the objective and of every limit (Ragonneau and Zhang 2023)."""
    models(search, start, 0.1)


def models(search: Search, start: np.ndarray, radius: float) -> None:
    """COBYQA, begun anew from the best as long as that helps: it may be caught outside limits, where they change little.
    radius: of the region in which the first models are trusted, in the unit box."""
    from scipy.optimize import NonlinearConstraint, minimize

    def look(unit: np.ndarray) -> Trial:
        return search.look([search.box.values_at(unit)])[0]

    def objective(unit: np.ndarray) -> float:
        trial = look(unit)
        return UNKNOWN if trial.failure else search.sign * trial.objective / search.scale

    def rooms(unit: np.ndarray) -> np.ndarray:
        """How far each limit is from being broken."""
        trial = look(unit)
        if trial.failure:
            return np.full(len(search.limits), -1.0)
        return np.array([limit.room(trial.numbers[name]) for name, limit in search.limits.items()])

    limits = [NonlinearConstraint(rooms, INSIDE, np.inf)] if search.limits else []
    bounds = [(0.0, 1.0)] * start.size
    known = search.one(start)
    for _ in range(6):
        options = {"initial_tr_radius": radius, "final_tr_radius": FINEST, "maxfev": 10 * search.budget}
        minimize(objective, start, method="COBYQA", bounds=bounds, constraints=limits, options=options)
        start, worth = _best_unit(search, start)
        if not worth < known - 1e-6 * (1.0 + abs(known)):
            return
        known, radius = worth, 0.3 * radius


@method("differential-evolution")
def differential_evolution(search: Search, start: np.ndarray, seed: int) -> None:
    """A population that improves by differences of its members (Storn and Price 1997), one half spread over the bounds,
    the other about the start; the last third of the budget goes to what looks nearby, from its best."""
    from scipy.optimize import differential_evolution as evolve
    from scipy.stats.qmc import LatinHypercube

    n, budget = start.size, search.budget
    size = int(np.clip(budget // 20, 8, 10 * n + 8))
    random = np.random.default_rng(seed)
    first = LatinHypercube(n, rng=random).random(size)
    near = size // 2
    first[:near] = np.clip(start + CLOUD * random.standard_normal((near, n)), 0.0, 1.0)
    first[0] = start
    search.budget = min(budget, max(size, 2 * budget // 3))
    options: dict[str, Any] = {"init": first, "maxiter": 10 * budget, "tol": 1e-8, "atol": 1e-12, "polish": False}
    together = {"updating": "deferred", "workers": lambda _, units: search.many(list(units))}
    with contextlib.suppress(Spent):
        evolve(search.one, [(0.0, 1.0)] * n, rng=random, **options, **together)
    search.budget = budget
    best, _ = _best_unit(search, start)
    models(search, best, 0.05)
    best, _ = _best_unit(search, start)
    simplex(search, best, 0.01)
