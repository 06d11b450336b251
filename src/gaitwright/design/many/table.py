"""Designs and what was measured of them as one Dataset: limits, the Pareto front, reasons of failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, is_number, offer
from gaitwright.design.pareto import pareto
from gaitwright.design.rules import Rule

if TYPE_CHECKING:
    import xarray as xr

INTERRUPTED = "not computed: interrupted"
RULE = "rule "
"""What comes before the name of a rule among limits."""


class Goals(NamedTuple):
    """What designs are judged by. constraints: {measure: (low, high)}, or the largest size. rules: that hold besides, by
    name."""

    constraints: Mapping[str, Any]
    minimise: Sequence[str]
    maximise: Sequence[str]
    rules: Mapping[str, Rule] = {}

    @property
    def limits(self) -> dict[str, tuple[str, float, float]]:
        """Measure and its range by what each limit is called: the measure, or `rule NAME`."""
        found = {name: (name, *_bounds(name, bounds)) for name, bounds in self.constraints.items()}
        return found | {
            f"{RULE}{name}": (rule.number, *_bounds(rule.number, (rule.low, rule.high)))
            for name, rule in self.rules.items()
        }

    def require(self, known: Sequence[str]) -> None:
        """ModelError names one that is not measured, or that nothing can satisfy."""
        for what, goals in (("minimise", self.minimise), ("maximise", self.maximise)):
            if isinstance(goals, str):
                At("designs", what).fail("is not a list", goals, f"[{goals!r}]")
        for name in self.minimise:
            if name in self.maximise:
                At("designs", str(name)).fail(
                    "is to be both small and large", expected="minimise or maximise, not both"
                )
        for name in (*self.constraints, *self.minimise, *self.maximise):
            if name not in known:
                At("designs", str(name)).fail("is not measured", expected=offer(name, known))
        for name, bounds in self.constraints.items():
            _bounds(name, bounds)


def dataset(
    parameters: Mapping[str, np.ndarray], measured: Mapping[str, np.ndarray], units: Mapping[str, tuple[str, str]],
    codes: np.ndarray, ends: np.ndarray, reasons: Sequence[str], slopes: Mapping[str, np.ndarray], name: str = "",
) -> xr.Dataset:  # fmt: skip
    """One row per design. failure: 0, or the code of a reason; failed_at: s, when it failed on the way. slopes: of
    measures in the parameters, (designs, parameters), as MEASURE.gradient."""
    import xarray as xr

    data = xr.Dataset(attrs={"model": name})
    for parameter, values in parameters.items():
        data[parameter] = ("design", values, {"role": "parameter"})
    for measure, values in measured.items():
        if measure in parameters:  # one of them as a goal: it is there, and known of designs that failed, too
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


def judged(data: xr.Dataset, goals: Goals) -> xr.Dataset:
    """The same designs with `feasible`: it has not failed and keeps all constraints and rules; `broken`: which of these it
    breaks, where there are some; and, with goals, `front`: no other feasible design is better in one and as good in all."""
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
        front[among[pareto(costs[among])]] = True
        data["front"] = (
            "design",
            front,
            {"minimise": ", ".join(goals.minimise), "maximise": ", ".join(goals.maximise)},
        )
    return data


def again(data: xr.Dataset, goals: Goals) -> xr.Dataset:
    """Designs from a file, judged anew."""
    kept = data.drop_vars(["feasible", "front", "broken", "limit"], errors="ignore")
    return judged(kept.assign(reason=kept["reason"].astype(object)), goals)


def _bounds(measure: str, bounds: Any) -> tuple[float, float]:
    try:
        if is_number(bounds):
            bounds = (-bounds, bounds)
        low, high = bounds
        if low is None and high is None:
            raise ValueError
        low, high = (-np.inf if low is None else float(low)), (np.inf if high is None else float(high))
    except (TypeError, ValueError):
        At("designs", measure).fail(
            "has no limits", bounds, "two numbers (low, high), one of which may be None; or the largest size"
        )
    if not low <= high:
        At("designs", measure).fail("has limits that nothing keeps", bounds, "two numbers, the lower first")
    return low, high


def reasons_of(data: xr.Dataset) -> dict[str, int]:
    """Reasons of failures and how many designs have each, the most frequent first."""
    said = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
    codes, counts = np.unique(data["failure"].values, return_counts=True)
    found = {str(said[int(code)]): int(count) for code, count in zip(codes, counts, strict=True) if code}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def rejections(data: xr.Dataset) -> dict[str, int]:
    """How many designs break each limit and each rule, the most frequent first; one design may break several."""
    if "broken" not in data:
        return {}
    counts = data["broken"].values.astype(bool).sum(axis=0)
    found = {str(name): int(count) for name, count in zip(data["limit"].values, counts, strict=True) if count}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


class Account(NamedTuple):
    """What became of designs: analysed = failed + rejected + feasible. front: of the feasible ones; None without goals."""

    analysed: int
    failed: int
    rejected: int
    feasible: int
    front: int | None

    def __str__(self) -> str:
        said = f"{self.analysed} designs: {self.failed} without numbers, {self.rejected} rejected by limits or rules, "
        front = f", {self.front} of these on the front" if self.front is not None else ""
        return f"{said}{self.feasible} feasible{front}"


def account(data: xr.Dataset) -> Account:
    """Of a table of designs."""
    failed, feasible = int((data["failure"].values != 0).sum()), int(data["feasible"].values.astype(bool).sum())
    size = int(data.sizes["design"])
    front = int(data["front"].values.astype(bool).sum()) if "front" in data else None
    return Account(size, failed, size - failed - feasible, feasible, front)


def with_rules(measures: Sequence[str] | Mapping[str, str], rules: Mapping[str, Rule]) -> Any:
    """Measures, and the numbers of rules that are not among them."""
    if isinstance(measures, str) or not measures:
        return measures  # which is refused
    more = dict.fromkeys(rule.number for rule in rules.values())
    if isinstance(measures, Mapping):
        return {**measures, **{name: name for name in more if name not in measures}}
    given = {str(text).partition("=")[0].strip() for text in measures}
    return [*measures, *(name for name in more if name not in given)]
