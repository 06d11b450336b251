"""Designs and what was measured of them as one Dataset: limits, the Pareto front, reasons of failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.design.pareto import pareto

if TYPE_CHECKING:
    import xarray as xr

INTERRUPTED = "not computed: interrupted"


class Goals(NamedTuple):
    """What designs are judged by. constraints: {measure: (low, high)}."""

    constraints: Mapping[str, Any]
    minimise: Sequence[str]
    maximise: Sequence[str]

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
    """The same designs with `feasible`: it has not failed and keeps all constraints; and, with goals, `front`: no other
    feasible design is better in one and as good in all."""
    codes = data["failure"].values
    feasible = codes == 0
    for measure, bounds in goals.constraints.items():
        low, high = _bounds(measure, bounds)
        values = data[measure].values
        feasible = feasible & (values >= low) & (values <= high)
    data["feasible"] = ("design", feasible)
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
    kept = data.drop_vars(["feasible", "front"], errors="ignore")
    return judged(kept.assign(reason=kept["reason"].astype(object)), goals)


def _bounds(measure: str, bounds: Any) -> tuple[float, float]:
    try:
        low, high = bounds
        if low is None and high is None:
            raise ValueError
        low, high = (-np.inf if low is None else float(low)), (np.inf if high is None else float(high))
    except (TypeError, ValueError):
        At("designs", measure).fail("has no limits", bounds, "two numbers (low, high), one of which may be None")
    if not low <= high:
        At("designs", measure).fail("has limits that nothing keeps", bounds, "two numbers, the lower first")
    return low, high


def reasons_of(data: xr.Dataset) -> dict[str, int]:
    """Reasons of failures and how many designs have each, the most frequent first."""
    said = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
    codes, counts = np.unique(data["failure"].values, return_counts=True)
    found = {str(said[int(code)]): int(count) for code, count in zip(codes, counts, strict=True) if code}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
