"""Search by exact gradients: many starts, the best of a sweep, improved at once by sequential quadratic programming.

In the unit box u, with f = +-objective / |objective at the start| and the room g_i(u) >= 0 that each limit leaves, every start
follows SLSQP (Kraft 1988). The designs that all of them ask for next are computed together. At an optimum there are
multipliers l, m >= 0 of limits and bounds that are reached for which

    grad f = sum l_i grad g_i + m_low - m_high                                         (Karush, Kuhn, Tucker)

and the size of what is left, for the best such multipliers, tells how near it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.design.lockstep import lockstep
from gaitwright.design.many.spread import unit_points
from gaitwright.design.printed_question import Design, PrintedQuestion
from gaitwright.design.search import STARTS, Search, Spent, Trial, assess
from gaitwright.design.store import plain_numbers, real_numbers

SWEPT = 2048
"""Designs of the sweep from which starts are taken."""
APART = 0.1
"""How far starts are apart at least, in the unit box, as a part of its diagonal."""
INSIDE = 1e-8
"""How far within limits is aimed, relative to them, so that the answer keeps them whatever the rounding."""
REACHED = 1e-6
"""What is nearer than this to a limit, or to a bound in the unit box, has reached it."""
FINEST = 1e-10
"""Change of f at which SLSQP ends."""
STEP_BACK = 10.0
"""What SLSQP is told of a design that cannot be analysed: it goes back to a tenth of its step."""
ROUNDS = 4
AGAIN = 1e-7
"""What a descent begun anew from the best has to gain to be followed by another."""


class Point(NamedTuple):
    """A trial, and objective and rooms with their derivatives in the unit box, (n,) and (limits, n)."""

    trial: Trial
    f: float
    slope: np.ndarray
    rooms: np.ndarray
    slopes: np.ndarray


class Descent:
    """The search with gradients. After `run`: swept, failed: designs of the sweep, and how many of them failed; starts; kkt:
    what is left of the conditions of an optimum at the best, and gradient, the size of grad f there."""

    search: Search
    question: PrintedQuestion
    wanted: int
    swept: int
    failed: int
    starts: int
    kkt: float
    gradient: float
    sides: list[tuple[str, float, float, float, float]]

    def __init__(self, search: Search, question: PrintedQuestion, first: Trial, starts: int = STARTS):
        """ModelError tells why the program cannot be printed, or that the start has other numbers by it."""
        self.search, self.question, self.wanted = search, question, starts
        self.points: dict[tuple[float, ...], Point] = {}
        self.confirmed: dict[tuple[float, ...], Trial] = {}
        self.swept = self.failed = self.starts = 0
        self.kkt = self.gradient = math.nan
        self.sides = [
            (measure, sign, edge, limit.size, min(INSIDE, 0.25 * (limit.high - limit.low) / limit.size))
            for name, limit in search.limits.items()
            for k, (sign, edge) in enumerate(((1.0, limit.low), (-1.0, limit.high)))
            if math.isfinite(edge)
            for measure in [question.asked[name][k % len(question.asked[name])]]
        ]
        (design,) = question.designs([first.values])
        differs = question.disagreement(question.numbers(design, search.limits), first.numbers, {})
        if bool(design.failure) != bool(first.failure):
            differs = f"at the start it says '{design.failure}', the analysis '{first.failure}'"
        if differs:
            At(field="method").fail(f"gradients cannot be trusted here: {differs}", expected="another method")
        self.points[tuple(first.values.values())] = self._point(first, design)

    def run(self, start: np.ndarray, seed: int) -> None:
        """From the start and the best of a sweep; then anew from the best, as long as that helps."""
        units = [start, *self.sweep(start, seed)]
        self.starts = len(units)
        lockstep([self._descent(unit) for unit in units], self.look)
        for _ in range(ROUNDS):
            best = self.best()
            if best is None:
                return
            before = self.search.worth(best)
            lockstep([self._descent(self.search.box.unit(best.values))], self.look)
            after = self.best()
            if after is None or self.search.worth(after) > before - AGAIN * abs(before):
                return

    def best(self) -> Trial | None:
        """The best trial that keeps its limits, with numbers of the analysis itself. A design for which these are others than
        those of the printed program, as they may be where a mechanism can go on in two ways, counts as failed."""
        search = self.search
        sizes = {name: limit.size for name, limit in search.limits.items()}
        while (best := search.best) is not None:
            key = tuple(best.values.values())
            if key in self.confirmed:
                return self.confirmed[key]
            found = search.trial(best.values, *assess(search.aim, best.values))
            differs = found.failure or self.question.disagreement(
                best.numbers, found.numbers, {next(iter(best.numbers)): search.scale, **sizes}
            )
            if differs:
                found = search.trial(best.values, {}, f"not confirmed by the analysis: {differs}")
                self.points[key] = self._failed(found)
            search.trials[search.trials.index(best)] = search.known[key] = self.confirmed[key] = found
        return None

    def sweep(self, start: np.ndarray, seed: int) -> list[np.ndarray]:
        """The best designs of an even sweep that differ, for all starts but the first."""
        if self.wanted < 2:
            return []
        search = self.search
        units = unit_points("sobol", start.size, SWEPT, seed)
        values = [search.box.values_at(unit) for unit in units]
        found = self.question.designs(values, slopes=False)
        self.swept, self.failed = len(found), sum(1 for design in found if design.failure)
        trials = [self._trial(one, design) for one, design in zip(values, found, strict=True)]
        good = [k for k, trial in enumerate(trials) if not trial.failure]
        if good and not search.scale:  # the start has no numbers
            search.scale = abs(trials[good[0]].objective) or 1.0
        chosen = [start]
        for k in sorted(good, key=lambda k: search.worth(trials[k])):
            if len(chosen) == self.wanted:
                break
            if all(np.linalg.norm(units[k] - other) > APART * math.sqrt(start.size) for other in chosen):
                chosen.append(units[k])
        return chosen[1:]

    def _trial(self, values: dict[str, float], design: Design) -> Trial:
        return self.search.trial(values, self.question.numbers(design, self.search.limits), design.failure)

    def look(self, units: Sequence[np.ndarray]) -> list[Point]:
        """What comes of several points of the box; raises Spent when the budget ends among them."""
        search = self.search
        asked = [search.box.values_at(unit) for unit in units]
        keys = [tuple(values.values()) for values in asked]
        new = {key: values for key, values in zip(keys, asked, strict=True) if key not in self.points}
        room = search.budget - len(search.trials)
        todo: dict[tuple[float, ...], dict[str, float]] = {}
        for key, values in new.items():
            fresh = key not in search.known  # the start is known, but not its slopes
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
            raise Spent
        return [self.points[key] for key in keys]

    def _designs(self, todo: list[dict[str, float]]) -> list[Design]:
        """Looked up, or computed together and kept."""
        store = self.search.store
        known: list[Design | None] = []
        for values in todo:
            entry = store.get(tuple(values.values())) if store else None
            known.append(_read(entry) if entry and "printed" in entry else None)
        missing = [values for values, design in zip(todo, known, strict=True) if design is None]
        computed = iter(self.question.designs(missing) if missing else [])
        found = []
        for values, design in zip(todo, known, strict=True):
            if design is None:
                design = next(computed)
                if store is not None:
                    numbers = self.question.numbers(design, self.search.limits)
                    store.add(tuple(values.values()), _entry(design, numbers))
            found.append(design)
        return found

    def _point(self, trial: Trial, design: Design) -> Point:
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
        return Point(
            trial, scale * design.measured[objective], scale * design.slopes[objective] * by_unit, rooms,
            slopes.reshape(-1, n),
        )  # fmt: skip

    def _failed(self, trial: Trial) -> Point:
        n, sides = len(self.search.box), len(self.sides)
        return Point(trial, STEP_BACK, np.zeros(n), np.full(sides, -1.0), np.zeros((sides, n)))

    def _descent(self, start: np.ndarray) -> Callable[[Callable[[np.ndarray], Point]], None]:
        """SLSQP from one start."""
        from scipy.optimize import minimize

        def descend(ask: Callable[[np.ndarray], Point]) -> None:
            if ask(start).trial.failure:
                return
            limits: list[Any] = []
            if self.sides:
                limits = [{"type": "ineq", "fun": lambda u: ask(u).rooms, "jac": lambda u: ask(u).slopes}]
            minimize(
                lambda u: ask(u).f, start, jac=lambda u: ask(u).slope, method="SLSQP", constraints=limits,
                bounds=[(0.0, 1.0)] * start.size, options={"ftol": FINEST, "maxiter": 200},
            )  # fmt: skip

        return descend

    def check(self, best: Trial) -> None:
        """How near the best is to the conditions of an optimum."""
        from scipy.optimize import nnls

        point = self.points.get(tuple(best.values.values()))
        if point is None or point.trial.failure:
            return
        unit = self.search.box.unit(best.values)
        normals = [slope for room, slope in zip(point.rooms, point.slopes, strict=True) if room < REACHED]
        identity = np.eye(unit.size)
        normals += [identity[k] for k in np.flatnonzero(unit < REACHED)]
        normals += [-identity[k] for k in np.flatnonzero(unit > 1.0 - REACHED)]
        self.gradient = self.kkt = float(np.linalg.norm(point.slope))
        if normals:
            self.kkt = float(nnls(np.array(normals).T, point.slope)[1])


def _entry(design: Design, numbers: dict[str, float]) -> dict[str, Any]:
    """A design as plain data."""
    slopes = {
        name: [float(x) if math.isfinite(x) else repr(float(x)) for x in row] for name, row in design.slopes.items()
    }
    return {
        "numbers": plain_numbers(numbers), "failure": design.failure,
        "printed": {"measured": plain_numbers(design.measured), "slopes": slopes},
    }  # fmt: skip


def _read(entry: dict[str, Any]) -> Design:
    printed = entry["printed"]
    slopes = {name: np.array([float(x) for x in row]) for name, row in printed["slopes"].items()}
    return Design(real_numbers(printed["measured"]), slopes, entry["failure"])
