"""What an analysis found, in plain numbers for other programs: `summary.json`. Angles in degrees, all else in SI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import SIDES
from gaitwright.gait.events import from_markers
from gaitwright.gait.forces import FEET, GroundForces
from gaitwright.gait.normal import usual

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis

LOADED = 20.0
"""N, of a foot on the ground, where predicted and measured forces are compared."""
LATE = 50.0
"""N, of a centre of pressure that is compared."""


def summary_of(found: GaitAnalysis) -> dict[str, Any]:
    return {
        "trial": _trial(found),
        "quality": {
            "verdict": found.verdict,
            "findings": [vars(one) | {"sentence": str(one)} for one in found.findings],
        },
        "subject": _subject(found),
        "events": [vars(event) for event in found.events],
        "cycles": _cycles(found),
        "angles": _extremes(found, found.angles, 180.0 / np.pi, "deg"),
        "moments": _extremes(found, found.moments, 1.0, ""),
        "forces": _forces(found),
        "pressure": _pressure(found),
        "methods": found.methods,
        "notes": found.notes,
        "versions": _versions(),
    }


def _trial(found: GaitAnalysis) -> dict[str, Any]:
    trial = found.trial
    return {
        "name": trial.name, "frames": len(trial.times), "rate": trial.rate, "duration": float(len(trial.times) / trial.rate),
        "markers": len(trial.labels), "plates": [plate.name for plate in trial.plates],
        "frame": {"axes_in_laboratory": trial.lab.axes, "unit": trial.lab.unit, "belt": trial.lab.belt,
                  "meaning": "rows: forward, left, up; results have x forward, y left, z up"},
    }  # fmt: skip


def _subject(found: GaitAnalysis) -> dict[str, Any] | None:
    if found.subject is None:
        return None
    one = found.subject
    segments = {} if found.skeleton is None else found.skeleton.segments
    return {
        "mass": one.mass, "height": one.height, "sex": one.sex, "table": one.table,
        "segments": {name: {"mass": s.mass, "length": s.length, "centre": s.centre} for name, s in segments.items()},
    }  # fmt: skip


def _cycles(found: GaitAnalysis) -> dict[str, Any]:
    normal = usual(found.subject.sex if found.subject else None)
    rows = {}
    for name, row in found.table.items():
        limits = normal.get(name)
        extra = {} if limits is None else {"usual": [limits.low, limits.high], "source": limits.source}
        rows[name] = row.to_dict() | extra
    return {
        "complete": [vars(cycle) | {"phases": cycle.phases} for cycle in found.cycles.all],
        "incomplete": list(found.cycles.incomplete),
        "table": rows,
    }


def _extremes(found: GaitAnalysis, series: xr.Dataset | None, scale: float, unit: str) -> dict[str, Any]:
    """Of the mean curve of each side: largest and smallest value, and at which part of the cycle."""
    if series is None or not found.cycles.all:
        return {}
    rows: dict[str, Any] = {}
    mean = found.mean
    names = {str(name).removeprefix("right_").removeprefix("left_") for name in series.data_vars}
    for name in (str(n) for n in mean.data_vars if n in names and mean[n].dims == ("side", "percent")):
        row = {}
        for side in SIDES:
            values = scale * mean[name].sel(side=side).to_numpy()
            if np.isfinite(values).any():
                low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
                percent = mean["percent"].to_numpy()
                row[side] = {"max": values[high], "max_at": percent[high], "min": values[low], "min_at": percent[low]}
        if row:
            attrs = mean[name].attrs
            rows[name] = {"unit": unit or attrs.get("units", ""), "plus": attrs.get("plus", ""), **row}
    if "residual_force" in series:
        for name in ("residual_force", "residual_moment"):
            size = np.linalg.norm(series[name].to_numpy(), axis=1)
            if np.isfinite(size).any():
                rows[name] = {"unit": series[name].attrs["units"], "rms": float(np.sqrt(np.nanmean(size**2)))}
    return rows


def _forces(found: GaitAnalysis) -> dict[str, Any]:
    rows: dict[str, Any] = {"weight": found.weight, "unit": "body weights"}
    for source in found.forces:
        loads = found.loads(source)
        if loads is None:
            continue
        rows[source] = {
            side: {name: {"max": float(values.max()), "min": float(values.min())}
                   for name in ("up", "forward", "inward")
                   if np.isfinite(values := loads[f"{side}_force_{name}"]).any()}
            for side in FEET
        }  # fmt: skip
    if {"measured", "predicted"} <= set(found.forces) and found.weight:
        rows["events"] = _events(found)
        rows["rmse"] = compared(found.forces["measured"], found.forces["predicted"], found.weight)
    return rows


def _events(found: GaitAnalysis) -> dict[str, float]:
    """How far events of markers are from those of forces, s, by root mean square."""
    seen = from_markers(found.trial)
    rows = {}
    for kind in ("strike", "off"):
        apart = [
            min(
                (other.time - one.time for other in seen if (other.kind, other.side) == (kind, one.side)),
                key=abs,
                default=np.inf,
            )
            for one in found.events
            if one.kind == kind and one.source == "forces"
        ]
        rows[kind] = _rms(np.array([one for one in apart if abs(one) < 0.2]))
    return rows


def compared(truth: GroundForces, guess: GroundForces, weight: float) -> dict[str, Any]:
    """Root mean square of what is predicted less what is measured, per foot, while the foot is loaded and its force is known: %
    of the weight; of the centre of pressure along and across, m."""
    rows: dict[str, Any] = {}
    for k, side in enumerate(FEET):
        on = truth.known[:, k] & guess.known[:, k] & ((truth.force[:, k, 2] > LOADED) | (guess.force[:, k, 2] > LOADED))
        if not (truth.force[on, k, 2] > LOADED).any():
            continue
        off = guess.force[on, k] - truth.force[on, k]
        row = {name: _rms(100 * off[:, axis] / weight) for name, axis in (("up", 2), ("forward", 0), ("left", 1))}
        apart = (guess.centre(LATE) - truth.centre(LATE))[on, k]
        row |= {"centre_along": _rms(apart[:, 0]), "centre_across": _rms(apart[:, 1])}
        rows[side] = row
    return rows


def _pressure(found: GaitAnalysis) -> dict[str, Any]:
    """Of a step of each side: Pa, m^2; shares of the impulse. measured: a plate beside it, differences in points."""
    rows: dict[str, Any] = {}
    for side, step in found.steps.items():
        pressure = step.pressure
        regions = {
            str(name): {str(key): float(value) for key, value in row.items()}
            for name, row in pressure.regions.iterrows()
        }
        rows[side] = {
            "peak": float(pressure.peak.max()),
            "area": float(pressure.contact_area.max()),
            "regions": regions,
        }
    if found.plate is not None:
        rows["measured"] = found.plate.to_dict()
    return rows


def _rms(values: np.ndarray) -> float:
    good = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(good**2))) if len(good) else float("nan")


def _versions() -> dict[str, str]:
    from gaitwright.report.versions import versions

    return dict(versions())
