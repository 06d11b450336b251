"""Result of `optimise`: the best variant compared with the start, and all trials as a table and as a figure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.design.evaluation import find_motion
from gaitwright.design.result import DesignResult, require_folder, trials_dataset
from gaitwright.design.rules import describe_allowing
from gaitwright.design.trial_search import DesignTrial, TrialSearch
from gaitwright.model.model import make_variant
from gaitwright.result.result import Result
from gaitwright.result.result_plotting import SMOOTH_CURVE_POINTS

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gaitwright.design.gradient_search import GradientSearch

INTERRUPTED_NOTE = "interrupted: the best so far"
MAX_LISTED_REASONS = 3
"""Number of kinds of failure that are listed."""
NUMBER_PATTERN = re.compile(r"[-+]?[0-9]+\.?[0-9]*(?:e[-+]?[0-9]+)?")


def count_failure_kinds(failures: Iterable[str]) -> dict[str, int]:
    """Count failures by kind, the most frequent first; reasons that differ only in numbers or advice are one kind."""
    kinds: dict[str, list[str]] = {}
    for failure in failures:
        why = failure.partition(";")[0]
        kinds.setdefault(NUMBER_PATTERN.sub("", why), []).append(why)
    return {reasons[0]: len(reasons) for reasons in sorted(kinds.values(), key=len, reverse=True)}


class OptimiseOutcome:
    """Trials of a search as a table, and failures by reason; base of OptimisationResult and NothingFeasible."""

    search: TrialSearch

    @property
    def table(self) -> pd.DataFrame:
        """All trials in order: parameters, objective and limited numbers, feasible (True if the limits are kept), failure
        (reason, or empty)."""
        import pandas as pd

        names = list(dict.fromkeys(name for trial in self.search.trials for name in trial.numbers))
        rows = [
            {**t.values, **{name: t.numbers.get(name, math.nan) for name in names}, "feasible": t.feasible,
             "failure": t.failure}
            for t in self.search.trials
        ]  # fmt: skip
        return pd.DataFrame(rows)

    @property
    def failures(self) -> dict[str, int]:
        """Number of failed trials by kind of reason, the most frequent first; see count_failure_kinds."""
        return count_failure_kinds(trial.failure for trial in self.search.trials if trial.failure)

    def counted(self) -> list[str]:
        """Sentences with the number of trials, of trials that break limits and of failures by reason."""
        trials, failed = self.search.trials, self.failures
        broken = sum(1 for t in trials if not t.failure and not t.feasible)
        line = f"{len(trials)} variants analysed in the search"
        line += f", of which {broken} {'breaks' if broken == 1 else 'break'} limits" if broken else ""
        lines = [
            line + (f"{' and' if broken else ', of which'} {sum(failed.values())} cannot be analysed" if failed else "")
        ]
        lines += [f"  {count} x: {why}" for why, count in list(failed.items())[:MAX_LISTED_REASONS]]
        more = sum(list(failed.values())[MAX_LISTED_REASONS:])
        lines += [f"  {more} x: other reasons"] if more else []
        return [*lines, *(f"  {count} x: breaks {name}" for name, count in self.rejections.items())]

    @property
    def rejections(self) -> dict[str, int]:
        """Number of analysed trials that break each limit and each rule, the most frequent first; one may break several."""
        counts = {}
        for name, limit in self.search.limits.items():
            count = sum(1 for t in self.search.trials if not t.failure and limit.broken(t.numbers[name]))
            counts |= {f"{self.search.question.limit_label(name)}, allowed {limit}": count} if count else {}
        return dict(sorted(counts.items(), key=lambda item: -item[1]))


class NothingFeasible(AnalysisError, OptimiseOutcome):
    """Raised if no trial keeps the limits. closest: the trial that breaks them least, or None if all failed."""

    closest: DesignTrial | None

    def __init__(self, search: TrialSearch):
        self.search = search
        tried = [t for t in search.trials if not t.failure]
        self.closest = min(tried, key=lambda t: t.broken, default=None)
        cause = f"none of {len(search.trials)} variants "
        if self.closest is None:
            why, count = next(iter(self.failures.items()), ("nothing was tried", 0))
            super().__init__(f"{cause}can be analysed; {count} of them: {why}", suggestion="change the bounds")
            return
        numbers = {name: self.closest.numbers[name] for name in search.limits}
        off = ", ".join(
            f"{search.question.limit_label(name)} = {number:.6g}, allowed {search.limits[name]}"
            for name, number in numbers.items()
            if search.limits[name].broken(number)
        )
        suggestions = "widen the bounds, loosen the limits or start elsewhere"
        names = [rule for name, rule in search.question.rules.items() if search.limits[name].broken(numbers[name])]
        suggestions += f"; {describe_allowing(names)}" if names else ""
        super().__init__(f"{cause}keeps the limits; the closest has {off}", suggestion=suggestions)


class OptimisationResult(OptimiseOutcome, DesignResult):
    """Result of `optimise`: the best design, compared with the start, and all trials.

    values, start: parameters of the best design and of the start. model: model with `values`. before, after: analysis
    results of the start (None if it cannot be analysed) and of the best design. numbers: objective and limited numbers of
    the best; numbers_before: of the start. interrupted: True if Ctrl-C or a lost scheduler ended the search."""

    notes: list[str]
    evaluations: dict[str, int]
    starts: int
    gradient: float
    kkt: float
    swept_failures: int
    objective: str
    ended: str
    start: dict[str, float]
    numbers_before: dict[str, float]
    interrupted: bool
    first: DesignTrial
    best: DesignTrial
    after: Any
    before: Any

    def __init__(self, search: TrialSearch, first: DesignTrial, best: DesignTrial, ended: str,
                 descent: GradientSearch | None = None, notes: Sequence[str] = ()):  # fmt: skip
        self.search, self.first, self.best, self.ended, self.notes = search, first, best, ended, list(notes)
        rows = [{**t.values, **t.numbers, "feasible": t.feasible, "failure": t.failure} for t in search.trials]
        super().__init__(search.question, trials_dataset(search.question.parameters, rows))
        self.evaluations = {"sweep": descent.swept if descent else 0, "search": len(search.trials)}
        self.starts = descent.starts if descent else 1
        self.gradient, self.kkt = (descent.gradient, descent.kkt) if descent else (math.nan, math.nan)
        self.swept_failures = descent.failed if descent else 0
        (self.objective,) = self.question.goals
        self.start, self.numbers_before = first.values, first.numbers
        self.interrupted = ended.startswith(INTERRUPTED_NOTE)
        prepared = search.aim.model
        self.after = self.question.run(make_variant(prepared, best.values))
        self.before = None if first.failure else self.question.run(make_variant(prepared, first.values))
        self.question.learn_units(self.after)

    @property
    def values(self) -> dict[str, float]:
        return self.best.values

    @property
    def numbers(self) -> dict[str, float]:
        return self.best.numbers

    @property
    def names(self) -> list[str]:
        return list(self.search.aim.names)

    @property
    def feasible(self) -> xr.DataArray:
        return self.data["feasible"]

    @property
    def improvement(self) -> float:
        """Relative improvement of the objective, positive if better; NaN if the start failed or its objective is 0."""
        before, after = self.first.objective, self.best.objective
        gain = self.search.sign * (before - after)
        return gain / abs(before) if before else (0.0 if gain == 0.0 else math.nan)

    def lines(self) -> list[str]:
        """Result as sentences."""
        word = "smallest" if self.search.sign > 0 else "largest"
        lines = [f"{word} {self.objective}: {self._said(self.objective, self.best)}"]
        if self.before is None:
            lines.append(f"the start could not be analysed: {self.first.failure}")
        else:
            broken = " (which breaks limits)" if self.first.broken else ""
            better = f"better by {100 * self.improvement:.3g} %" if self.improvement > 0 else "which is not improved"
            lines[0] += f", before {self._said(self.objective, self.first)}{broken}: {better}"
        for name, value in self.values.items():
            axis = self.search.box[name]
            near = min(value - axis.low, axis.high - value) < 1e-6 * (axis.high - axis.low)
            lines.append(f"{name} = {value:.6g}, before {self.start[name]:.6g}{' (now at its bound)' if near else ''}")
        for name in self.search.limits:
            before = f", before {self._said(name, self.first)}" if self.before is not None else ""
            called = self.question.limit_label(name)
            lines.append(f"{called} = {self._said(name, self.best)}{before}, allowed {self.search.limits[name]}")
        lines += self.account()
        if math.isfinite(self.kkt):
            lines.append(f"gradient {self.gradient:.2g}, residual of the optimality conditions {self.kkt:.2g} (scaled)")
        return [*lines, *self.notes, self.ended]

    def account(self) -> list[str]:
        """Sentences with the number of designs of the sweep and of the search, and their outcome."""
        swept, searched = self.evaluations["sweep"], self.evaluations["search"]
        if not swept:
            return self.counted()
        failed = f", of which {self.swept_failures} cannot be analysed" if self.swept_failures else ""
        return [
            f"{swept + searched} designs tried: {swept} in a sweep, {searched} in the search from its best",
            f"{self.starts} starts, the best of a sweep of {swept} designs{failed}",
            *self.counted(),
        ]

    def _said(self, name: str, trial: DesignTrial) -> str:
        return f"{trial.numbers.get(name, math.nan):.6g}{self.question.unit(name)}"

    def summary(self) -> dict[str, Any]:
        """Result and all trials as JSON-ready data."""
        from gaitwright._core.json_types import to_json_types

        limits = {
            name: {
                "value": self.numbers[name],
                "before": self.numbers_before.get(name),
                "low": limit.low,
                "high": limit.high,
                "rule": self.question.rules.get(name),
            }
            for name, limit in self.search.limits.items()
        }
        data = {
            "name": self.model.document.name, "objective": self.objective,
            "goal": "minimise" if self.search.sign > 0 else "maximise", "before": self.first.objective,
            "after": self.best.objective, "unit": self.question.units.get(self.objective, ""), "improvement": self.improvement,
            "values": self.values, "start": self.start, "bounds": {n: [a.low, a.high] for n, a in self.search.box.items()},
            "limits": limits, "trials": len(self.search.trials), "evaluations": self.evaluations, "starts": self.starts,
            "gradient": self.gradient, "kkt": self.kkt, "notes": self.notes, "failures": self.failures,
            "rejections": self.rejections, "ended": self.ended,
            "interrupted": self.interrupted, "history": self.table.to_dict("records"),
        }  # fmt: skip
        return to_json_types(data)

    def plot(self, path: str | Path | None = None, *, points: Sequence[str] | None = None, title: str = "") -> Any:
        """Plot curves of points before and after, the values within their bounds, and the history of the objective. points:
        points whose curves are shown; default: the feet of a model with a section `gait`. Returns a matplotlib Figure."""
        from gaitwright.report.figures.optimisation_plot import plot_optimisation

        gait = self.model.document.gait
        points = list(points) if points is not None else list(gait.feet) if gait is not None else []
        runs = {"before": find_motion(self.before), "after": find_motion(self.after)}
        curves = {
            point: {when: point_track(run, point) for when, run in runs.items() if run is not None} for point in points
        }
        trials = self.search.trials
        return plot_optimisation(
            title or f"{self.model.document.name}: {self.objective} {'smallest' if self.search.sign > 0 else 'largest'}",
            self.question.label(self.objective),
            np.array([t.objective for t in trials]), np.array([t.feasible for t in trials]),
            {n: (float(self.search.box.unit(self.start)[k]), float(self.search.box.unit(self.values)[k]),
                 self.start[n], self.values[n]) for k, n in enumerate(self.search.box)},
            curves={point: curve for point, curve in curves.items() if curve}, sign=self.search.sign,
            before=self.first.objective, path=path,
        )  # fmt: skip

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page: animations before and after, changes, limits, history of the search. Returns the written
        files."""
        from gaitwright.report.views.pages.optimisation_page import optimisation_report

        return optimisation_report(self).save(Path(path))

    def save(self, folder: str | Path) -> dict[str, Path]:
        """Write improved.yaml, summary.json and plot.png. Returns the written files."""
        from gaitwright._core.json_types import write_json

        folder = require_folder(folder)
        files = {"model": self.model.save(folder / "improved.yaml")}
        files["summary"] = write_json(self.summary(), folder / "summary.json")
        self.plot(folder / "plot.png")
        return {**files, "plot": folder / "plot.png"}


def point_track(run: Result, point: str) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates x and y of a point over time, m; interpolated if there are few output times."""
    motion = run.motion
    if 4 <= run.time.size < SMOOTH_CURVE_POINTS and np.all(np.diff(run.time) > 0.0):
        motion = run.at(np.linspace(run.time[0], run.time[-1], SMOOTH_CURVE_POINTS))
    x, y = (np.asarray(run.catalogue[f"{point}.{axis}"].values(motion), dtype=float) for axis in "xy")
    return x, y
