"""Designs and what was measured of them as one Dataset: limits, the Pareto front, reasons of failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.design.pareto import pareto

if TYPE_CHECKING:
    import xarray as xr

INTERRUPTED = "not computed: interrupted"


def dataset(
    parameters: Mapping[str, np.ndarray], measured: Mapping[str, np.ndarray], units: Mapping[str, tuple[str, str]],
    codes: np.ndarray, ends: np.ndarray, reasons: Sequence[str], constraints: Mapping[str, Any],
    minimise: Sequence[str], maximise: Sequence[str], slopes: Mapping[str, np.ndarray], name: str = "",
) -> xr.Dataset:  # fmt: skip
    """One row per design. failure: 0, or the code of a reason; failed_at: s, when it failed on the way. feasible: it has not
    failed and keeps all constraints. front: no other feasible design is better in one goal and as good in all. slopes: of
    measures in the parameters, (designs, parameters), as MEASURE.gradient."""
    import xarray as xr

    data = xr.Dataset(attrs={"model": name})
    for parameter, values in parameters.items():
        data[parameter] = ("design", values, {"role": "parameter"})
    for measure, values in measured.items():
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
    feasible = codes == 0
    for measure, bounds in constraints.items():
        low, high = _bounds(measure, bounds, data)
        values = data[measure].values
        feasible = feasible & (values >= low) & (values <= high)
    data["feasible"] = ("design", feasible)
    if minimise or maximise:
        goals = [(measure, 1.0) for measure in minimise] + [(measure, -1.0) for measure in maximise]
        for measure, _ in goals:
            _known(measure, data)
        costs = np.stack([sign * data[measure].values for measure, sign in goals], axis=1)
        front = np.zeros(codes.size, dtype=bool)
        among = np.flatnonzero(feasible & np.all(np.isfinite(costs), axis=1))
        front[among[pareto(costs[among])]] = True
        data["front"] = ("design", front, {"minimise": ", ".join(minimise), "maximise": ", ".join(maximise)})
    return data


def _known(measure: str, data: xr.Dataset) -> None:
    known = [str(name) for name, one in data.data_vars.items() if one.attrs.get("role")]
    if measure not in known:
        At("designs", str(measure)).fail("is not measured", expected=offer(measure, known))


def _bounds(measure: str, bounds: Any, data: xr.Dataset) -> tuple[float, float]:
    _known(measure, data)
    try:
        low, high = bounds
        if low is None and high is None:
            raise ValueError
        low, high = (-np.inf if low is None else float(low)), (np.inf if high is None else float(high))
    except (TypeError, ValueError):
        At("designs", measure).fail("has no limits", bounds, "two numbers (low, high), one of which may be None")
    return low, high


def reasons_of(data: xr.Dataset) -> dict[str, int]:
    """Reasons of failures and how many designs have each, the most frequent first."""
    said = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
    codes, counts = np.unique(data["failure"].values, return_counts=True)
    found = {str(said[int(code)]): int(count) for code, count in zip(codes, counts, strict=True) if code}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
