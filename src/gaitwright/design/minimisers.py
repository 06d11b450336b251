"""Methods that propose trials to a search. A new method is a function with the decorator `register_minimiser`.

Powell's method was tried and left out: its line searches end where limits cross them. Energy of the Jansen leg, ten lengths
within 5 %, limits on the extents of the foot curve, 600 trials: 8 % better by Powell, 47 % by Nelder-Mead, 48 % by the others.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.design.trial_search import BudgetExhausted, DesignTrial, TrialSearch

Minimiser = Callable[[TrialSearch, np.ndarray, int], None]
MINIMISERS: dict[str, Minimiser] = {}
"""Methods by name: functions of a search, the start in its unit box (n,) and a seed, that evaluate trials until they find no
better one."""
START_SPREAD = 0.08
"""Standard deviation, in the unit box, of the half of the first generation that is placed around the start."""
FAILED_TRIAL_OBJECTIVE = 10.0
"""Objective of a failed trial, for methods that model the objective."""
LIMIT_MARGIN_RTOL = 1e-6
"""Safety margin inside the limits for COBYQA, relative to them: it ends as often just outside as inside."""
MIN_STEP = 1e-7
"""Step in the unit box at which local methods stop."""


def register_minimiser(name: str) -> Callable[[Minimiser], Minimiser]:
    def add(function: Minimiser) -> Minimiser:
        MINIMISERS[name] = function
        return function

    return add


@register_minimiser("nelder-mead")
def nelder_mead(search: TrialSearch, start: np.ndarray, seed: int) -> None:
    """Nelder-Mead simplex method with restarts."""
    run_simplex(search, start, 0.1)


def run_simplex(search: TrialSearch, start: np.ndarray, span: float) -> None:
    """Nelder-Mead method, restarted from the best trial with a smaller simplex as long as that improves it: simplices
    collapse on limits. span: edge of the first simplex in the unit box."""
    from scipy.optimize import minimize

    for _ in range(12):
        before = search.one(start)
        corners = np.vstack([start, *(_move_coordinate(start, k, span) for k in range(start.size))])
        options = {"initial_simplex": corners, "xatol": MIN_STEP, "fatol": 1e-12, "maxfev": 10 * search.budget}
        minimize(search.one, start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * start.size, options=options)
        start, after = _best_unit(search, start)
        if not after < before - 1e-9 * (1.0 + abs(before)) and span < 0.01:
            return
        span *= 0.4


def _move_coordinate(start: np.ndarray, k: int, span: float) -> np.ndarray:
    """Copy of the start with coordinate k moved by the span, inwards."""
    corner = start.copy()
    corner[k] += span if start[k] + span <= 1.0 else -span
    return corner


def _best_unit(search: TrialSearch, otherwise: np.ndarray) -> tuple[np.ndarray, float]:
    best = min(search.trials, key=search.worth, default=None)
    best = search.best or best
    return (otherwise, math.inf) if best is None else (search.box.unit(best.values), search.worth(best))


@register_minimiser("cobyqa")
def cobyqa(search: TrialSearch, start: np.ndarray, seed: int) -> None:
    """Quadratic models of the objective and of every limit (Ragonneau and Zhang 2023)."""
    run_cobyqa(search, start, 0.1)


def run_cobyqa(search: TrialSearch, start: np.ndarray, radius: float) -> None:
    """COBYQA, restarted from the best trial as long as that improves it: it may stall outside limits that vary little. radius:
    initial trust-region radius in the unit box."""
    from scipy.optimize import NonlinearConstraint, minimize

    def look(unit: np.ndarray) -> DesignTrial:
        return search.look([search.box.values_at(unit)])[0]

    def objective(unit: np.ndarray) -> float:
        trial = look(unit)
        return FAILED_TRIAL_OBJECTIVE if trial.failure else search.sign * trial.objective / search.scale

    def rooms(unit: np.ndarray) -> np.ndarray:
        """Relative distance to each limit, negative if broken."""
        trial = look(unit)
        if trial.failure:
            return np.full(len(search.limits), -1.0)
        return np.array([limit.room(trial.numbers[name]) for name, limit in search.limits.items()])

    limits = [NonlinearConstraint(rooms, LIMIT_MARGIN_RTOL, np.inf)] if search.limits else []
    bounds = [(0.0, 1.0)] * start.size
    known = search.one(start)
    for _ in range(6):
        options = {"initial_tr_radius": radius, "final_tr_radius": MIN_STEP, "maxfev": 10 * search.budget}
        minimize(objective, start, method="COBYQA", bounds=bounds, constraints=limits, options=options)
        start, worth = _best_unit(search, start)
        if not worth < known - 1e-6 * (1.0 + abs(known)):
            return
        known, radius = worth, 0.3 * radius


@register_minimiser("differential-evolution")
def differential_evolution(search: TrialSearch, start: np.ndarray, seed: int) -> None:
    """Differential evolution (Storn and Price 1997) with one half of the population spread over the bounds and the other half
    around the start; the last third of the budget goes to local methods, from the best trial."""
    from scipy.optimize import differential_evolution as evolve
    from scipy.stats.qmc import LatinHypercube

    n, budget = start.size, search.budget
    size = int(np.clip(budget // 20, 8, 10 * n + 8))
    random = np.random.default_rng(seed)
    first = LatinHypercube(n, rng=random).random(size)
    near = size // 2
    first[:near] = np.clip(start + START_SPREAD * random.standard_normal((near, n)), 0.0, 1.0)
    first[0] = start
    search.budget = min(budget, max(size, 2 * budget // 3))
    options: dict[str, Any] = {"init": first, "maxiter": 10 * budget, "tol": 1e-8, "atol": 1e-12, "polish": False}
    together = {"updating": "deferred", "workers": lambda _, units: search.many(list(units))}
    with contextlib.suppress(BudgetExhausted):
        evolve(search.one, [(0.0, 1.0)] * n, rng=random, **options, **together)
    search.budget = budget
    best, _ = _best_unit(search, start)
    run_cobyqa(search, best, 0.05)
    best, _ = _best_unit(search, start)
    run_simplex(search, best, 0.01)
