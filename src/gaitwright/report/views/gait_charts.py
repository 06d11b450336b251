"""Curves of a walk over its cycles: both sides with their spread, what is usual behind them, a cursor for each foot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import SIDES, mean_and_spread, per_cycle
from gaitwright.gait.normal import band
from gaitwright.gait.steps import under_foot
from gaitwright.report.blocks import Area, Block, Chart, Line

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.forces import GroundForces

COLOUR = {"right": 0, "left": 3}
"""Of the palette: blue and vermilion, which all eyes tell apart."""
CYCLE = "gait cycle (%)"
DEGREES = 180.0 / np.pi


class Curve(NamedTuple):
    name: str
    title: str


SAGITTAL = (
    Curve("hip_flexion", "Hip flexion"), Curve("hip_moment", "Hip moment"), Curve("hip_power", "Hip power"),
    Curve("knee_flexion", "Knee flexion"), Curve("knee_moment", "Knee moment"), Curve("knee_power", "Knee power"),
    Curve("ankle_dorsiflexion", "Ankle dorsiflexion"), Curve("ankle_moment", "Ankle moment"),
    Curve("ankle_power", "Ankle power"),
)  # fmt: skip
"""Three in a row: angle, moment, power."""
OTHER_PLANES = (
    Curve("pelvis_tilt", "Pelvic tilt"), Curve("pelvis_obliquity", "Pelvic obliquity"),
    Curve("pelvis_rotation", "Pelvic rotation"),
    Curve("hip_adduction", "Hip adduction"), Curve("hip_rotation", "Hip rotation"),
    Curve("hip_moment_frontal", "Hip moment, frontal"),
    Curve("knee_adduction", "Knee adduction"), Curve("knee_rotation", "Knee rotation"),
    Curve("knee_moment_frontal", "Knee moment, frontal"), Curve("ankle_inversion", "Ankle inversion"),
    Curve("foot_progression", "Foot progression"), Curve("ankle_moment_frontal", "Ankle moment, frontal"),
)  # fmt: skip
FORCES = (
    Curve("force_up", "Vertical force"), Curve("force_forward", "Fore-aft force"), Curve("force_inward", "Mediolateral force"),
)  # fmt: skip
PLUS = {"force_up": "up", "force_forward": "forward", "force_inward": "inwards"}


def cycle_charts(found: GaitAnalysis, curves: Sequence[Curve]) -> list[Block]:
    """Those of which something was seen."""
    return [chart for curve in curves if (chart := cycle_chart(found, curve)) is not None]


def time_charts(found: GaitAnalysis, curves: Sequence[Curve]) -> list[Block]:
    """Over the trial, where there is no cycle."""
    charts: list[Block] = []
    for curve in curves:
        own = {side: found.series[f"{side}_{curve.name}"] for side in SIDES if f"{side}_{curve.name}" in found.series}
        lines, words = [], ""
        for side, values in own.items():
            scale, words = axis_words(curve, values.attrs)
            lines.append(Line(side, values["time"].to_numpy(), scale * values.to_numpy(), colour=COLOUR[side]))
        if any(np.isfinite(line.y).any() for line in lines):
            charts.append(Chart(curve.title, lines, ylabel=words))
    return charts


def axis_words(curve: Curve, attrs: dict) -> tuple[float, str]:
    """By what values are multiplied to be shown, and what stands beside the axis."""
    scale, unit = (DEGREES, "deg") if attrs.get("units") == "rad" else (1.0, attrs.get("units", ""))
    plus = attrs.get("plus") or PLUS.get(curve.name, "")
    return scale, f"{plus} ({unit})" if plus else unit


def cycle_chart(found: GaitAnalysis, curve: Curve) -> Chart | None:
    if curve.name not in found.mean or not np.isfinite(found.mean[curve.name]).any():
        return None
    scale, words = axis_words(curve, found.mean[curve.name].attrs)
    lines, areas, source = [], [], ""
    usual = band(curve.name)
    if usual is not None:
        areas.append(Area(usual.percent, usual.low, usual.high))
        source = usual.source
    for side in SIDES:
        mean, spread = (scale * one[curve.name].sel(side=side).to_numpy() for one in (found.mean, found.spread))
        if np.isfinite(mean).any():
            percent = found.mean["percent"].to_numpy()
            lines.append(Line(side, percent, mean, colour=COLOUR[side], spans=spans(found, side)))
            if np.isfinite(spread).any():
                areas.append(Area(percent, mean - spread, mean + spread, COLOUR[side]))
    return Chart(
        curve.title, lines, CYCLE, words, areas=areas, marks=offs(found),
        band_label="usual" if source else "",
    )  # fmt: skip


def spans(found: GaitAnalysis, side: str) -> list[tuple[float, float]]:
    return [(cycle.start, cycle.end) for cycle in found.cycles.of(side)]


def offs(found: GaitAnalysis) -> list[tuple[float, int]]:
    """Where each foot leaves the ground."""
    limits = {side: found.cycles.limits(side) for side in SIDES}
    return [(float(one[4]), COLOUR[side]) for side, one in limits.items() if one is not None]


def force_charts(found: GaitAnalysis) -> list[Block]:
    """Measured and predicted, in body weights."""
    both = {source: _cut(found, source) for source in ("measured", "predicted")}
    charts: list[Block] = []
    for curve in FORCES:
        usual = band(curve.name)
        assert usual is not None
        lines, areas = [], [Area(usual.percent, usual.low, usual.high)]
        for source, pair in both.items():
            for side in SIDES if pair is not None else ():
                assert pair is not None
                mean, spread = (one[curve.name].sel(side=side).to_numpy() for one in pair)
                if not np.isfinite(mean).any():
                    continue
                percent = pair[0]["percent"].to_numpy()
                look, label = ("dashed", f"{side}, predicted") if source == "predicted" else ("line", side)
                lines.append(Line(label, percent, mean, look=look, colour=COLOUR[side], spans=spans(found, side)))
                if source == "measured" and np.isfinite(spread).any():
                    areas.append(Area(percent, mean - spread, mean + spread, COLOUR[side]))
        if lines:
            charts.append(Chart(curve.title, lines, CYCLE, f"{PLUS[curve.name]} (body weights)", areas=areas, marks=offs(found),
                                band_label="usual"))  # fmt: skip
    return charts


def _cut(found: GaitAnalysis, source: str) -> tuple[xr.Dataset, xr.Dataset] | None:
    loads = found.loads(source)
    return None if loads is None or not found.cycles.all else mean_and_spread(per_cycle(loads, found.cycles))


def over_time(found: GaitAnalysis) -> list[Block]:
    """Vertical forces and knees along the trial."""
    lines = []
    for source in found.forces:
        loads = found.loads(source)
        for side in SIDES if loads is not None else ():
            assert loads is not None
            look, label = ("dashed", f"{side}, predicted") if source == "predicted" else ("line", side)
            values = loads[f"{side}_force_up"].to_numpy()
            if np.isfinite(values).any():
                lines.append(Line(label, loads["time"].to_numpy(), values, look=look, colour=COLOUR[side]))
    charts: list[Block] = [Chart("Vertical force over the trial", lines, ylabel="up (body weights)")] if lines else []
    if found.angles is not None:
        knees = [
            Line(side, found.angles["time"], DEGREES * found.angles[f"{side}_knee_flexion"], colour=COLOUR[side])
            for side in SIDES
        ]
        charts.append(Chart("Knee flexion over the trial", knees, ylabel="bent (deg)"))
    return charts


def centre_charts(found: GaitAnalysis) -> list[Block]:
    """The path of the centre of pressure in the axes of each flat foot, seen from above, toes up."""
    charts: list[Block] = []
    for side in SIDES:
        lines: list[Line] = []
        for source, forces in found.forces.items():
            look = "dashed" if source == "predicted" else "line"
            paths = _paths(found, forces, side)
            if paths:  # one line, with gaps between steps
                gap = np.full((1, 3), np.nan)
                times, along, beside = np.concatenate([part for path in paths for part in (path, gap)])[:-1].T
                times = np.interp(np.arange(len(times)), np.flatnonzero(np.isfinite(times)), times[np.isfinite(times)])
                lines.append(Line(source, -1e3 * beside, 1e3 * along, time=times, look=look, colour=COLOUR[side]))
        if lines:
            lines.append(_sole(found, side))
            title = f"Centre of pressure under the {side} foot"
            charts.append(Chart(title, lines, "to the right (mm)", "from the heel marker (mm)", equal=True,
                                note="seen from above, toes up; not shown below 50 N"))  # fmt: skip
    return charts


def _paths(found: GaitAnalysis, forces: GroundForces, side: str) -> list[np.ndarray]:
    """Of each step (n, 3): time, s, along and beside, m."""
    k = SIDES.index(side)
    centre = forces.centre()[:, k]
    paths = []
    for contact in _stances(found, side):
        on = (
            (forces.time >= contact[0])
            & (forces.time <= contact[1])
            & np.isfinite(centre).all(axis=1)
            & forces.known[:, k]
        )
        seen = under_foot(found.trial, side, forces.time[on], centre[on]) if on.sum() > 5 else None
        if seen is not None:
            paths.append(np.column_stack([forces.time[on], seen[1], seen[2]]))
    return paths


def _stances(found: GaitAnalysis, side: str) -> list[tuple[float, float]]:
    """From strike to off, of all that were seen whole."""
    own = [event for event in found.events if event.side == side]
    return [(a.time, b.time) for a, b in pairwise(own) if (a.kind, b.kind) == ("strike", "off")]


def _sole(found: GaitAnalysis, side: str) -> Line:
    """The markers of a flat foot, as dots."""
    trial = found.trial
    heel = trial.place(f"{side}_heel")
    marks = [trial.place(f"{side}_{name}") for name in ("heel", "mt1", "mt2", "mt5")]
    ball = trial.place(*(f"{side}_{name}" for name in ("mt1", "mt2", "mt5")))
    assert heel is not None and ball is not None
    flat = int(np.nanargmin(heel[:, 2] + ball[:, 2]))
    forward = (ball - heel)[flat, :2]
    forward = forward / np.linalg.norm(forward)
    left = np.array([-forward[1], forward[0]])
    away = np.array([(one - heel)[flat, :2] for one in marks if one is not None])
    return Line("markers", -1e3 * away @ left, 1e3 * away @ forward, look="dots", colour=6)
