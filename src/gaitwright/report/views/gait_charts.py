"""Curves of a walk over its cycles: both sides with their spread, normal ranges behind them, a cursor for each foot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import SIDES, mean_and_spread, split_into_cycles
from gaitwright.gait.normative_data import NormativeBand, normative_band
from gaitwright.gait.plate_contacts import foot_coordinates
from gaitwright.report.blocks import Chart, ChartLine, ReportBlock, ShadedArea

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.ground_reaction import GroundForces

SIDE_COLOURS = {"right": 0, "left": 3}
"""Indices in the palette: blue and vermilion, distinguishable for all readers."""
CYCLE_LABEL = "gait cycle (%)"
DEGREES_PER_RADIAN = 180.0 / np.pi


class GaitCurve(NamedTuple):
    """Curve of a gait page: its name in the datasets, and its title."""

    name: str
    title: str


SAGITTAL_CURVES = (
    GaitCurve("hip_flexion", "Hip flexion"),
    GaitCurve("hip_moment", "Hip moment"),
    GaitCurve("hip_power", "Hip power"),
    GaitCurve("knee_flexion", "Knee flexion"),
    GaitCurve("knee_moment", "Knee moment"),
    GaitCurve("knee_power", "Knee power"),
    GaitCurve("ankle_dorsiflexion", "Ankle dorsiflexion"),
    GaitCurve("ankle_moment", "Ankle moment"),
    GaitCurve("ankle_power", "Ankle power"),
)
"""Three per row: angle, moment, power."""
OTHER_PLANE_CURVES = (
    GaitCurve("pelvis_tilt", "Pelvic tilt"),
    GaitCurve("pelvis_obliquity", "Pelvic obliquity"),
    GaitCurve("pelvis_rotation", "Pelvic rotation"),
    GaitCurve("hip_adduction", "Hip adduction"),
    GaitCurve("hip_rotation", "Hip rotation"),
    GaitCurve("hip_moment_frontal", "Hip moment, frontal"),
    GaitCurve("knee_adduction", "Knee adduction"),
    GaitCurve("knee_rotation", "Knee rotation"),
    GaitCurve("knee_moment_frontal", "Knee moment, frontal"),
    GaitCurve("ankle_inversion", "Ankle inversion"),
    GaitCurve("foot_progression", "Foot progression"),
    GaitCurve("ankle_moment_frontal", "Ankle moment, frontal"),
)
FORCE_CURVES = (
    GaitCurve("force_up", "Vertical force"),
    GaitCurve("force_forward", "Fore-aft force"),
    GaitCurve("force_inward", "Mediolateral force"),
)
POSITIVE_DIRECTIONS = {"force_up": "up", "force_forward": "forward", "force_inward": "inwards"}


def cycle_charts(gait: GaitAnalysis, curves: Sequence[GaitCurve]) -> list[ReportBlock]:
    """Charts of the curves that have data."""
    return [chart for curve in curves if (chart := cycle_chart(gait, curve)) is not None]


def time_charts(gait: GaitAnalysis, curves: Sequence[GaitCurve]) -> list[ReportBlock]:
    """Charts over the time of the trial, used without complete cycles."""
    charts: list[ReportBlock] = []
    for curve in curves:
        own = {side: gait.series[f"{side}_{curve.name}"] for side in SIDES if f"{side}_{curve.name}" in gait.series}
        lines, words = [], ""
        for side, values in own.items():
            scale, words = axis_scale_and_label(curve, values.attrs)
            lines.append(
                ChartLine(side, values["time"].to_numpy(), scale * values.to_numpy(), colour=SIDE_COLOURS[side])
            )
        if any(np.isfinite(line.y).any() for line in lines):
            charts.append(Chart(curve.title, lines, ylabel=words))
    return charts


def axis_scale_and_label(curve: GaitCurve, attrs: dict) -> tuple[float, str]:
    """Display factor of the values, and the label of the axis."""
    scale, unit = (DEGREES_PER_RADIAN, "deg") if attrs.get("units") == "rad" else (1.0, attrs.get("units", ""))
    plus = attrs.get("plus") or POSITIVE_DIRECTIONS.get(curve.name, "")
    return scale, f"{plus} ({unit})" if plus else unit


def cycle_chart(gait: GaitAnalysis, curve: GaitCurve) -> Chart | None:
    """Chart of a curve over the gait cycle; None without data."""
    if curve.name not in gait.mean or not np.isfinite(gait.mean[curve.name]).any():
        return None
    scale, words = axis_scale_and_label(curve, gait.mean[curve.name].attrs)
    lines, areas, source = [], [], ""
    usual = usual_band(gait, curve.name)
    if usual is not None:
        areas.append(ShadedArea(usual.percent, usual.low, usual.high))
        source = usual.source
    for side in SIDES:
        mean, spread = (scale * data[curve.name].sel(side=side).to_numpy() for data in (gait.mean, gait.spread))
        if np.isfinite(mean).any():
            percent = gait.mean["percent"].to_numpy()
            lines.append(ChartLine(side, percent, mean, colour=SIDE_COLOURS[side], spans=cycle_spans(gait, side)))
            if np.isfinite(spread).any():
                areas.append(ShadedArea(percent, mean - spread, mean + spread, SIDE_COLOURS[side]))
    return Chart(
        curve.title, lines, CYCLE_LABEL, words, areas=areas, marks=toe_off_marks(gait),
        band_label="usual" if source else "",
    )  # fmt: skip


def usual_band(gait: GaitAnalysis, name: str) -> NormativeBand | None:
    """Band of a curve in walks of healthy people; None for a run, or without data."""
    return None if gait.running else normative_band(name)


def cycle_spans(gait: GaitAnalysis, side: str) -> list[tuple[float, float]]:
    return [(cycle.start, cycle.end) for cycle in gait.cycles.of(side)]


def toe_off_marks(gait: GaitAnalysis) -> list[tuple[float, int]]:
    """Positions of toe-off in the cycle, with the colour of the side."""
    limits = {side: gait.cycles.limits(side) for side in SIDES}
    return [
        (float(limits_of_side[4]), SIDE_COLOURS[side])
        for side, limits_of_side in limits.items()
        if limits_of_side is not None
    ]


def force_charts(gait: GaitAnalysis) -> list[ReportBlock]:
    """Charts of measured and predicted ground forces, in body weights."""
    both = {source: _average_force_cycles(gait, source) for source in ("measured", "predicted")}
    charts: list[ReportBlock] = []
    for curve in FORCE_CURVES:
        usual = usual_band(gait, curve.name)
        lines, areas = [], [ShadedArea(usual.percent, usual.low, usual.high)] if usual is not None else []
        for source, pair in both.items():
            for side in SIDES if pair is not None else ():
                assert pair is not None
                mean, spread = (data[curve.name].sel(side=side).to_numpy() for data in pair)
                if not np.isfinite(mean).any():
                    continue
                percent = pair[0]["percent"].to_numpy()
                look, label = ("dashed", f"{side}, predicted") if source == "predicted" else ("line", side)
                lines.append(
                    ChartLine(label, percent, mean, look=look, colour=SIDE_COLOURS[side], spans=cycle_spans(gait, side))
                )
                if source == "measured" and np.isfinite(spread).any():
                    areas.append(ShadedArea(percent, mean - spread, mean + spread, SIDE_COLOURS[side]))
        if lines:
            charts.append(
                Chart(
                    curve.title,
                    lines,
                    CYCLE_LABEL,
                    f"{POSITIVE_DIRECTIONS[curve.name]} (body weights)",
                    areas=areas,
                    marks=toe_off_marks(gait),
                    band_label="usual" if usual is not None else "",
                )
            )
    return charts


def _average_force_cycles(gait: GaitAnalysis, source: str) -> tuple[xr.Dataset, xr.Dataset] | None:
    loads = gait.loads(source)
    return None if loads is None or not gait.cycles.all else mean_and_spread(split_into_cycles(loads, gait.cycles))


def trial_overview_charts(gait: GaitAnalysis) -> list[ReportBlock]:
    """Charts of vertical forces and knee flexion over the trial."""
    lines = []
    for source in gait.forces:
        loads = gait.loads(source)
        for side in SIDES if loads is not None else ():
            assert loads is not None
            look, label = ("dashed", f"{side}, predicted") if source == "predicted" else ("line", side)
            values = loads[f"{side}_force_up"].to_numpy()
            if np.isfinite(values).any():
                lines.append(ChartLine(label, loads["time"].to_numpy(), values, look=look, colour=SIDE_COLOURS[side]))
    charts: list[ReportBlock] = (
        [Chart("Vertical force over the trial", lines, ylabel="up (body weights)")] if lines else []
    )
    if gait.angles is not None:
        knees = [
            ChartLine(
                side,
                gait.angles["time"],
                DEGREES_PER_RADIAN * gait.angles[f"{side}_knee_flexion"],
                colour=SIDE_COLOURS[side],
            )
            for side in SIDES
            if f"{side}_knee_flexion" in gait.angles
        ]
        charts += [Chart("Knee flexion over the trial", knees, ylabel="bent (deg)")] if knees else []
    return charts


def centre_of_pressure_charts(gait: GaitAnalysis) -> list[ReportBlock]:
    """Charts of the path of the centre of pressure in the axes of each flat foot, seen from above, toes up."""
    charts: list[ReportBlock] = []
    for side in SIDES:
        lines: list[ChartLine] = []
        for source, forces in gait.forces.items():
            look = "dashed" if source == "predicted" else "line"
            paths = _centre_paths(gait, forces, side)
            if paths:  # one line, with gaps between steps
                gap = np.full((1, 3), np.nan)
                times, along, beside = np.concatenate([part for path in paths for part in (path, gap)])[:-1].T
                times = np.interp(np.arange(len(times)), np.flatnonzero(np.isfinite(times)), times[np.isfinite(times)])
                lines.append(
                    ChartLine(source, -1e3 * beside, 1e3 * along, time=times, look=look, colour=SIDE_COLOURS[side])
                )
        if lines:
            lines.append(_sole_markers(gait, side))
            title = f"Centre of pressure under the {side} foot"
            charts.append(Chart(title, lines, "to the right (mm)", "from the heel marker (mm)", equal=True,
                                note="seen from above, toes up; not shown below 50 N"))  # fmt: skip
    return charts


def _centre_paths(gait: GaitAnalysis, forces: GroundForces, side: str) -> list[np.ndarray]:
    """Path of the centre of pressure for each step, (n, 3): time, s, forward and lateral position, m."""
    k = SIDES.index(side)
    centre = forces.centre()[:, k]
    paths = []
    for contact in _stances(gait, side):
        on = (
            (forces.time >= contact[0])
            & (forces.time <= contact[1])
            & np.isfinite(centre).all(axis=1)
            & forces.known[:, k]
        )
        in_foot = foot_coordinates(gait.trial, side, forces.time[on], centre[on]) if on.sum() > 5 else None
        if in_foot is not None:
            paths.append(np.column_stack([forces.time[on], in_foot[1], in_foot[2]]))
    return paths


def _stances(gait: GaitAnalysis, side: str) -> list[tuple[float, float]]:
    """Times of strike and toe-off of all complete stances."""
    own = [event for event in gait.events if event.side == side]
    return [(a.time, b.time) for a, b in pairwise(own) if (a.kind, b.kind) == ("strike", "off")]


def _sole_markers(gait: GaitAnalysis, side: str) -> ChartLine:
    """Markers of a flat foot, as dots."""
    trial = gait.trial
    heel = trial.place(f"{side}_heel")
    marks = [trial.place(f"{side}_{name}") for name in ("heel", "mt1", "mt2", "mt5")]
    ball = trial.place(*(f"{side}_{name}" for name in ("mt1", "mt2", "mt5")))
    assert heel is not None and ball is not None
    flat = int(np.nanargmin(heel[:, 2] + ball[:, 2]))
    forward = (ball - heel)[flat, :2]
    forward = forward / np.linalg.norm(forward)
    left = np.array([-forward[1], forward[0]])
    away = np.array([(marker - heel)[flat, :2] for marker in marks if marker is not None])
    return ChartLine("markers", -1e3 * away @ left, 1e3 * away @ forward, look="dots", colour=6)
