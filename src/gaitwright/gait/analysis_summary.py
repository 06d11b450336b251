"""Summary of an analysis as JSON-compatible numbers, `summary.json`. Angles in degrees, everything else in SI units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import SIDES
from gaitwright.gait.events import events_from_markers
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis

MIN_COMPARED_FORCE_N = 20.0
"""N: foot load above which predicted and measured forces are compared."""
MIN_COMPARED_CENTRE_FORCE_N = 50.0
"""N: foot load above which centres of pressure are compared."""


def summary_of(found: GaitAnalysis) -> dict[str, Any]:
    return {
        "trial": _trial_summary(found),
        "quality": {
            "verdict": found.verdict,
            "findings": [vars(one) | {"sentence": str(one)} for one in found.findings],
        },
        "subject": _subject_summary(found),
        "events": [vars(event) for event in found.events],
        "cycles": _cycle_summary(found),
        "angles": _curve_extremes(found, found.angles, 180.0 / np.pi, "deg"),
        "moments": _curve_extremes(found, found.moments, 1.0, ""),
        "forces": _force_summary(found),
        "pressure": _pressure_summary(found),
        "methods": found.methods,
        "notes": found.notes,
        "versions": _program_versions(),
    }


def _trial_summary(found: GaitAnalysis) -> dict[str, Any]:
    trial = found.trial
    return {
        "name": trial.name, "frames": len(trial.times), "rate": trial.rate, "duration": float(len(trial.times) / trial.rate),
        "markers": len(trial.labels), "plates": [plate.name for plate in trial.plates],
        "frame": {"axes_in_laboratory": trial.lab.axes, "unit": trial.lab.unit, "belt": trial.lab.belt,
                  "meaning": "rows: forward, left, up; results have x forward, y left, z up"},
    }  # fmt: skip


def _subject_summary(found: GaitAnalysis) -> dict[str, Any] | None:
    if found.subject is None:
        return None
    one = found.subject
    segments = {} if found.skeleton is None else found.skeleton.segments
    return {
        "mass": one.mass, "height": one.height, "sex": one.sex, "table": one.table,
        "segments": {name: {"mass": s.mass, "length": s.length, "centre": s.centre} for name, s in segments.items()},
    }  # fmt: skip


def _cycle_summary(found: GaitAnalysis) -> dict[str, Any]:
    normal = found.usual_ranges
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


def _curve_extremes(found: GaitAnalysis, series: xr.Dataset | None, scale: float, unit: str) -> dict[str, Any]:
    """Maximum and minimum of the mean curve of each side, with their position in the cycle; RMS of the residuals."""
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


def _force_summary(found: GaitAnalysis) -> dict[str, Any]:
    rows: dict[str, Any] = {"weight": found.weight, "unit": "body weights"}
    for source in found.forces:
        loads = found.loads(source)
        if loads is None:
            continue
        rows[source] = {
            side: {name: {"max": float(values.max()), "min": float(values.min())}
                   for name in ("up", "forward", "inward")
                   if np.isfinite(values := loads[f"{side}_force_{name}"]).any()}
            for side in FOOT_SIDES
        }  # fmt: skip
    if {"measured", "predicted"} <= set(found.forces) and found.weight:
        rows["events"] = _event_time_errors(found)
        rows["rmse"] = compare_forces(found.forces["measured"], found.forces["predicted"], found.weight)
    return rows


def _event_time_errors(found: GaitAnalysis) -> dict[str, float]:
    """RMS difference between event times of markers and of forces, s."""
    marker_events = events_from_markers(found.trial)
    rows = {}
    for kind in ("strike", "off"):
        apart = [
            min(
                (other.time - one.time for other in marker_events if (other.kind, other.side) == (kind, one.side)),
                key=abs,
                default=np.inf,
            )
            for one in found.events
            if one.kind == kind and one.source == "forces"
        ]
        rows[kind] = _rms(np.array([one for one in apart if abs(one) < 0.2]))
    return rows


def compare_forces(truth: GroundForces, guess: GroundForces, weight: float) -> dict[str, Any]:
    """RMS of predicted minus measured force per foot, in % of the weight, while the foot is loaded and its force known;
    and of the centre of pressure along and across the walk, m."""
    rows: dict[str, Any] = {}
    for k, side in enumerate(FOOT_SIDES):
        on = (
            truth.known[:, k]
            & guess.known[:, k]
            & ((truth.force[:, k, 2] > MIN_COMPARED_FORCE_N) | (guess.force[:, k, 2] > MIN_COMPARED_FORCE_N))
        )
        if not (truth.force[on, k, 2] > MIN_COMPARED_FORCE_N).any():
            continue
        off = guess.force[on, k] - truth.force[on, k]
        row = {name: _rms(100 * off[:, axis] / weight) for name, axis in (("up", 2), ("forward", 0), ("left", 1))}
        apart = (guess.centre(MIN_COMPARED_CENTRE_FORCE_N) - truth.centre(MIN_COMPARED_CENTRE_FORCE_N))[on, k]
        row |= {"centre_along": _rms(apart[:, 0]), "centre_across": _rms(apart[:, 1])}
        rows[side] = row
    return rows


def _pressure_summary(found: GaitAnalysis) -> dict[str, Any]:
    """Summary of the step of each side: Pa, m^2; shares of the impulse. measured: comparison with measured pressure."""
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
            **step.to_dict(),
        }
    if found.plate is not None:
        rows["measured"] = found.plate.to_dict()
    return rows


def _rms(values: np.ndarray) -> float:
    good = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(good**2))) if len(good) else float("nan")


def _program_versions() -> dict[str, str]:
    from gaitwright.report.software_versions import collect_versions

    return dict(collect_versions())
