"""Designs and their measures as one Dataset: limits, Pareto front, reasons of failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.design.number_limits import NumberLimit, read_limit
from gaitwright.design.pareto import find_pareto_front
from gaitwright.design.question import DesignQuestion

if TYPE_CHECKING:
    import xarray as xr

INTERRUPTED_REASON = "not computed: interrupted"
RULE_PREFIX = "rule "
"""Prefix of the names of rules among limits."""
BEST_IN_ALL_LABEL = "best in all goals"
MAX_LISTED_GOALS = 2
"""Maximum number of goals listed in the name of a design that is best in several."""


class DesignGoals(NamedTuple):
    """Criteria for designs. goals: by measure, True to maximise. limits: (measure, limit) by label of the limit: the measure,
    or `rule NAME`. rule_texts: requirements of the rules."""

    goals: Mapping[str, bool]
    limits: Mapping[str, tuple[str, NumberLimit]]
    rule_texts: Sequence[str] = ()


def read_design_goals(question: DesignQuestion) -> DesignGoals:
    """Criteria of a question; limits and rules are listed separately."""
    limits = {name: (name, read_limit(name, given, {})) for name, given in question.own_limits.items()}
    rules = question.active_rules
    limits |= {
        f"{RULE_PREFIX}{name}": (rule.number, read_limit(rule.number, (rule.low, rule.high), {}))
        for name, rule in rules.items()
    }
    return DesignGoals(question.goals, limits, [rule.text for rule in rules.values()])


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
    for measure, limit in goals.limits.values():
        keeps = limit.keeps(data[measure].values)
        broken.append((codes == 0) & ~keeps)
        feasible = feasible & keeps
    data["feasible"] = ("design", feasible)
    if broken:
        data = data.assign_coords(limit=np.array(list(goals.limits), dtype=object))
        texts = "; ".join(goals.rule_texts)
        data["broken"] = (("design", "limit"), np.stack(broken, axis=1), {"rules": texts})
    signs = sorted(
        ((measure, -1.0 if large else 1.0) for measure, large in goals.goals.items()), key=lambda goal: -goal[1]
    )
    if signs:
        costs = np.stack([sign * data[measure].values for measure, sign in signs], axis=1)
        front = np.zeros(codes.size, dtype=bool)
        among = np.flatnonzero(feasible & np.all(np.isfinite(costs), axis=1))
        front[among[find_pareto_front(costs[among])]] = True
        data["front"] = (
            "design",
            front,
            {
                "minimise": ", ".join(name for name, large in goals.goals.items() if not large),
                "maximise": ", ".join(name for name, large in goals.goals.items() if large),
            },
        )
    return data


def judge_again(data: xr.Dataset, goals: DesignGoals) -> xr.Dataset:
    """Replace the verdicts of designs that were read from a file."""
    table = data.drop_vars(["feasible", "front", "broken", "limit"], errors="ignore")
    return judge_designs(table.assign(reason=table["reason"].astype(object)), goals)


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


def variable_names(data: xr.Dataset, role: str) -> list[str]:
    """Parameters or measures of a table of designs."""
    return [str(name) for name, one in data.data_vars.items() if one.attrs.get("role") == role]


def goal_signs(data: xr.Dataset) -> list[tuple[str, float]]:
    """Goals with their sign: 1 to minimise, -1 to maximise."""
    if "front" not in data:
        return []
    attrs = data["front"].attrs
    return [
        (name, sign)
        for key, sign in (("minimise", 1.0), ("maximise", -1.0))
        for name in _split_list(attrs.get(key, ""))
    ]


def _split_list(text: str) -> list[str]:
    return [part for part in text.split(", ") if part]


def find_best_designs(data: xr.Dataset) -> dict[str, int]:
    """Indices of the best designs: the best in each goal, and with several goals the one nearest to the best values of
    all. A design that is best in several ways appears once, under all its names."""
    goals = goal_signs(data)
    place = np.flatnonzero(data["front"].values) if goals else np.zeros(0, dtype=int)
    if not place.size:
        return {}
    costs = np.stack([sign * data[name].values[place] for name, sign in goals], axis=1)
    best = {
        f"{'least' if sign > 0 else 'greatest'} {name}": int(place[np.argmin(costs[:, k])])
        for k, (name, sign) in enumerate(goals)
    }
    if len(goals) > 1:
        spread = np.ptp(costs, axis=0)
        far = np.linalg.norm((costs - costs.min(axis=0)) / np.where(spread > 0, spread, 1.0), axis=1)
        best["between"] = int(place[np.argmin(far)])
    names: dict[int, list[str]] = {}
    for name, k in best.items():
        names.setdefault(k, []).append(name)
    if len(names) > 1:  # a design that is best in a goal is not also called `between`
        names = {k: [name for name in own if name != "between"] or own for k, own in names.items()}
    return {
        BEST_IN_ALL_LABEL if len(names) == 1 and len(goals) > 1 else _join_goal_names(own): k
        for k, own in names.items()
    }


def _join_goal_names(names: list[str]) -> str:
    """Name of a design that is best in several goals."""
    if len(names) <= MAX_LISTED_GOALS + 1:
        return " and ".join(names)
    return f"{', '.join(names[:MAX_LISTED_GOALS])} and {len(names) - MAX_LISTED_GOALS} more"
