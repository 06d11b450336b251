"""Page about a foot that stands and takes a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.blocks import (
    Animation,
    Chart,
    ChartLine,
    Fact,
    Figures,
    Heading,
    Picture,
    ReportBlock,
    Table,
    Text,
)
from gaitwright.report.page import Report
from gaitwright.report.views.foot_plots import draw_pressure
from gaitwright.report.views.pressure_plots import draw_peak_pressure, draw_rollover
from gaitwright.report.views.scenes.rolling_foot import rolling_scene

if TYPE_CHECKING:
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.foot.rolling import RollingResult
    from gaitwright.foot.standing import StandingResult

SWING_SECONDS = 0.1
"""Duration of the swing after toe-off that a strip shows, s."""
REGION_HEADER = (
    "area",
    "peak (kPa)",
    "pressure-time integral (kPa s)",
    "area (cm²)",
    "time (s)",
    "share of impulse (%)",
)


def rolling_report(
    standing: StandingResult,
    rolled: RollingResult,
    folder: Path,
    notes: Sequence[str] = (),
    title: str = "A foot takes a step",
) -> tuple[Report, dict[str, Path]]:
    """Create the page; return it with the pictures that were written into the folder."""
    shape, pressure = rolled.foot.shape, append_swing(rolled.pressure)
    files = {"standing": folder / "standing.png", "roll-over": folder / "rollover.png", "peak": folder / "peak.png"}
    draw_pressure(shape, standing.pressure, standing.centre_of_pressure, files["standing"])
    draw_rollover(pressure, files["roll-over"])
    draw_peak_pressure(pressure, files["peak"])
    blocks: list[ReportBlock] = [
        Figures(rolling_facts(standing, rolled)),
        Animation(rolling_scene(rolled), "One step"),
        *ground_force_charts(rolled),
        Heading("The roll-over"),
        Picture(
            "Five instants of the step",
            files["roll-over"],
            "maps in the frame of the foot, one scale; forces of its areas",
            wide=True,
        ),
        Heading("Pressure"),
        Picture("Standing", files["standing"], f"{standing.force:.0f} N, centre of pressure where the load is"),
        Picture("The step", files["peak"], "largest pressure of each cell, and the path of the centre of pressure"),
        Table("Areas of the sole in the step", REGION_HEADER, region_rows(rolled.pressure)),
        Heading("The leg and the hinges"),
        *leg_load_charts(rolled),
        Heading("How it was found"),
        Text([*notes, *rolled.notes, *rolling_evidence(rolled)]),
    ]
    measures = shape.measures
    return Report(title, f"{shape.side} foot, {1e3 * measures.length:.0f} mm long, our own drawing" if shape.drawing else
                  f"{shape.side} foot, {1e3 * measures.length:.0f} mm long", blocks), files  # fmt: skip


def rolling_facts(standing: StandingResult, rolled: RollingResult) -> list[Fact]:
    pressure, weight = rolled.pressure, rolled.force[:, 2].max()
    return [
        Fact("largest force", round(float(weight)), "N"),
        Fact("ankle moment", round(float(rolled.moment[:, 1].max()), 1), "N m", "at push-off"),
        Fact("peak pressure", round(1e-3 * float(pressure.peak.max())), "kPa", "of a cell, in the step"),
        Fact("standing", round(1e-3 * standing.peak_pressure), "kPa", f"at {standing.force:.0f} N"),
        Fact("toes bend by", round(float(-np.degrees(rolled.angles["toe"].min()))) if "toe" in rolled.angles else "-", "deg"),
        Fact("area", round(1e4 * float(pressure.contact_area.max()), 1), "cm²", "the largest in the step"),
    ]  # fmt: skip


def ground_force_charts(rolled: RollingResult) -> list[ReportBlock]:
    """Charts of the ground force, and of its point of application."""
    t, centre = rolled.time, 1e3 * rolled.pressure.centre.values
    parts = {"up": 2, "forward": 0, "left": 1}
    return [
        Chart("Force of the ground", [ChartLine(name, t, rolled.force[:, k]) for name, k in parts.items()], ylabel="force (N)"),
        Chart("Centre of pressure", [ChartLine("from the heel", t, centre[:, 0]), ChartLine("to the left", t, centre[:, 1])],
              ylabel="in the foot (mm)"),
    ]  # fmt: skip


def leg_load_charts(rolled: RollingResult) -> list[ReportBlock]:
    """Charts of the moment of the leg, and of the hinge angles."""
    t, moment = rolled.time, rolled.moment
    blocks: list[ReportBlock] = [
        Chart("Moment at the ankle", [ChartLine("toes down", t, moment[:, 1]), ChartLine("about x, forward", t, moment[:, 0])],
              ylabel="moment of the leg (N m)")
    ]  # fmt: skip
    if rolled.angles:
        lines = [ChartLine(name, t, -np.degrees(angle)) for name, angle in rolled.angles.items()]
        blocks.append(Chart("Hinges", lines, ylabel="toes up (deg)"))
    return blocks


def region_rows(pressure: FootPressure) -> list[tuple[str, ...]]:
    return [
        (str(name).replace("_", " "), f"{1e-3 * row.peak_pressure:.0f}", f"{1e-3 * row.integral:.1f}",
         f"{1e4 * row.contact_area:.1f}", f"{row.contact_time:.2f}", f"{100 * row.share:.1f}")
        for name, row in pressure.regions.iterrows()
    ]  # fmt: skip


def rolling_evidence(rolled: RollingResult) -> list[str]:
    """Sentences about the accuracy of the step."""
    total_pressure, felt = rolled.pressure.force.values, rolled.force[:, 2]
    off = float(np.abs(total_pressure - felt).max() / felt.max())
    return [
        f"{len(rolled.time)} quasi-static frames with history-dependent friction; pressure sums to the force within {off:.0e}",
        "the ankle is where the force of the ground is that of the scheme; inertia of the foot is left out",
    ]


def append_swing(pressure: FootPressure) -> FootPressure:
    """The same pressure, followed by an interval without contact."""
    import xarray as xr

    end = float(pressure.time[-1])
    air = xr.concat(
        [0.0 * pressure.maps[-1].assign_coords(time=end + part * SWING_SECONDS) for part in (0.01, 1.0)], "time"
    )
    no_force = np.zeros((2, 3))
    maps = xr.concat([pressure.maps, air], "time").assign_attrs(pressure.maps.attrs)
    return replace(
        pressure, maps=maps, ground_force=np.concatenate([pressure.ground_force, no_force]),
        free_moment=np.concatenate([pressure.free_moment, np.zeros(2)]),
    )  # fmt: skip
