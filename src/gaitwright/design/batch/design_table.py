"""Designs and their measures as one Dataset: limits, Pareto front, reasons of failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, is_number
from gaitwright.design.pareto import find_pareto_front
from gaitwright.design.rules import DesignRule

if TYPE_CHECKING:
    import xarray as xr

INTERRUPTED_REASON = "not computed: interrupted"
RULE_PREFIX = "rule "
"""Prefix of the names of rules among limits."""


class DesignGoals(NamedTuple):
    """Criteria for designs. constraints: {measure: (low, high)}, or the largest size. minimise, maximise: measures. rules:
    additional rules by name."""

    constraints: Mapping[str, Any]
    minimise: Sequence[str]
    maximise: Sequence[str]
    rules: Mapping[str, DesignRule] = {}

    @property
    def limits(self) -> dict[str, tuple[str, float, float]]:
        """(measure, low, high) by label of the limit: the measure, or `rule NAME`."""
        limits = {name: (name, *_read_limits(name, bounds)) for name, bounds in self.constraints.items()}
        return limits | {
            f"{RULE_PREFIX}{name}": (rule.number, *_read_limits(rule.number, (rule.low, rule.high)))
            for name, rule in self.rules.items()
        }

    def require(self, known: Sequence[str]) -> None:
        """Raise ModelError for a goal or constraint that is not measured, or that no design can satisfy."""
        for what, goals in (("minimise", self.minimise), ("maximise", self.maximise)):
            if isinstance(goals, str):
                ErrorContext("designs", what).fail("is not a list", goals, f"[{goals!r}]")
        for name in self.minimise:
            if name in self.maximise:
                ErrorContext("designs", str(name)).fail(
                    "is to be both small and large", expected="minimise or maximise, not both"
                )
        for name in (*self.constraints, *self.minimise, *self.maximise):
            if name not in known:
                ErrorContext("designs", str(name)).fail("is not measured", expected=format_choices(name, known))
        for name, bounds in self.constraints.items():
            _read_limits(name, bounds)


def make_dataset(
    parameters: Mapping[str, np.ndarray], measured: Mapping[str, np.ndarray], units: Mapping[str, tuple[str, str]],
    codes: np.ndarray, ends: np.ndarray, reasons: Sequence[str], slopes: Mapping[str, np.ndarray], name: str = "",
) -> xr.Dataset:  # fmt: skip
    """Make a Dataset with one row per design. failure: 0, or the code of a reason; failed_at: time of the failure, s. slopes:
    derivatives of measures with respect to the parameters, (n_designs, n_parameters), stored as MEASURE.gradient."""
    import xarray as xr

    data = xr.Dataset(attrs={"model": name})
    for parameter, values in parameters.items():
        data[parameter] = ("design", values, {"role": "parameter"})
    for measure, values in measured.items():
        if measure in parameters:  # a parameter as a goal: already in the table, also for designs that failed
            continue
        unit, text = units.get(measure, ("", measure))
        data[measure] = ("design", values, {"role": "measure", "units": unit, "long_name": text})
    if slopes:
        data = data.assign_coords(parameter=list(parameters))
    for measure, values in slopes.items():
        unit = units.get(measure, ("", ""))[0]
        good = np.where((codes == 0)[:, None], values, np.nan)
        text = f"derivatives of {measure} in the parameters, {unit or '1'} per unit of each"
        data[f"{measure}.gradient"] = (("design", "parameter"), good, {"long_name": text})
    used = {int(code) for code in np.unique(codes)} | {0}
    data["failure"] = ("design", codes.astype(np.int32), {"long_name": "code of the reason, 0 where all is well"})
    data["failed_at"] = ("design", ends, {"units": "s"})
    data = data.assign_coords(code=sorted(used))
    data["reason"] = ("code", np.array([reasons[code] for code in sorted(used)], dtype=object))
    return data


def judge_designs(data: xr.Dataset, goals: DesignGoals) -> xr.Dataset:
    """Add verdicts to a table of designs. `feasible`: no failure, all constraints and rules kept. `broken`: the broken limits
    of each design, if there are limits. `front`, if there are goals: feasible, and no other feasible design is better in one
    goal and as good in all."""
    codes = data["failure"].values
    feasible = codes == 0
    broken = []
    for measure, low, high in goals.limits.values():
        values = data[measure].values
        keeps = (values >= low) & (values <= high)
        broken.append((codes == 0) & ~keeps)
        feasible = feasible & keeps
    data["feasible"] = ("design", feasible)
    if broken:
        data = data.assign_coords(limit=np.array(list(goals.limits), dtype=object))
        texts = [rule.text for rule in goals.rules.values()]
        data["broken"] = (("design", "limit"), np.stack(broken, axis=1), {"rules": "; ".join(texts)})
    signs = [(measure, 1.0) for measure in goals.minimise] + [(measure, -1.0) for measure in goals.maximise]
    if signs:
        costs = np.stack([sign * data[measure].values for measure, sign in signs], axis=1)
        front = np.zeros(codes.size, dtype=bool)
        among = np.flatnonzero(feasible & np.all(np.isfinite(costs), axis=1))
        front[among[find_pareto_front(costs[among])]] = True
        data["front"] = (
            "design",
            front,
            {"minimise": ", ".join(goals.minimise), "maximise": ", ".join(goals.maximise)},
        )
    return data


def judge_again(data: xr.Dataset, goals: DesignGoals) -> xr.Dataset:
    """Replace the verdicts of designs that were read from a file."""
    table = data.drop_vars(["feasible", "front", "broken", "limit"], errors="ignore")
    return judge_designs(table.assign(reason=table["reason"].astype(object)), goals)


def _read_limits(measure: str, bounds: Any) -> tuple[float, float]:
    try:
        if is_number(bounds):
            bounds = (-bounds, bounds)
        low, high = bounds
        if low is None and high is None:
            raise ValueError
        low, high = (-np.inf if low is None else float(low)), (np.inf if high is None else float(high))
    except (TypeError, ValueError):
        ErrorContext("designs", measure).fail(
            "has no limits", bounds, "two numbers (low, high), one of which may be None; or the largest size"
        )
    if not low <= high:
        ErrorContext("designs", measure).fail(
            "has limits that no value can keep", bounds, "two numbers, the lower first"
        )
    return low, high


def count_reasons(data: xr.Dataset) -> dict[str, int]:
    """Number of designs by reason of failure, the most frequent first."""
    reasons = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
    codes, counts = np.unique(data["failure"].values, return_counts=True)
    counts_by_reason = {str(reasons[int(code)]): int(count) for code, count in zip(codes, counts, strict=True) if code}
    return dict(sorted(counts_by_reason.items(), key=lambda item: -item[1]))


def count_rejections(data: xr.Dataset) -> dict[str, int]:
    """Number of designs that break each limit and each rule, the most frequent first; one design may break several."""
    if "broken" not in data:
        return {}
    counts = data["broken"].values.astype(bool).sum(axis=0)
    counts_by_limit = {str(name): int(count) for name, count in zip(data["limit"].values, counts, strict=True) if count}
    return dict(sorted(counts_by_limit.items(), key=lambda item: -item[1]))


class DesignAccount(NamedTuple):
    """Counts of designs: analysed = failed + rejected + feasible. front: feasible designs on the front; None without goals."""

    analysed: int
    failed: int
    rejected: int
    feasible: int
    front: int | None

    def __str__(self) -> str:
        counts = (
            f"{self.analysed} designs: {self.failed} without numbers, {self.rejected} rejected by limits or rules, "
        )
        front = f", {self.front} of these on the front" if self.front is not None else ""
        return f"{counts}{self.feasible} feasible{front}"


def count_designs(data: xr.Dataset) -> DesignAccount:
    """Count the designs of a table by verdict."""
    failed, feasible = int((data["failure"].values != 0).sum()), int(data["feasible"].values.astype(bool).sum())
    size = int(data.sizes["design"])
    front = int(data["front"].values.astype(bool).sum()) if "front" in data else None
    return DesignAccount(size, failed, size - failed - feasible, feasible, front)


def add_rule_measures(measures: Sequence[str] | Mapping[str, str], rules: Mapping[str, DesignRule]) -> Any:
    """Append the numbers of rules that are not among the measures."""
    if isinstance(measures, str) or not measures:
        return measures  # invalid; rejected later
    more = dict.fromkeys(rule.number for rule in rules.values())
    if isinstance(measures, Mapping):
        return {**measures, **{name: name for name in more if name not in measures}}
    given = {str(text).partition("=")[0].strip() for text in measures}
    return [*measures, *(name for name in more if name not in given)]
