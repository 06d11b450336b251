"""The page about a foot that stands and takes a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.blocks import Animation, Block, Chart, Fact, Figures, Heading, Line, Picture, Table, Text
from gaitwright.report.page import Report
from gaitwright.report.views.foot_pictures import draw_pressure
from gaitwright.report.views.pressure_pictures import draw_peak, draw_rollover
from gaitwright.report.views.rolling_picture import rolling_scene

if TYPE_CHECKING:
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.foot.rolling import Rolling
    from gaitwright.foot.standing import Standing

SWING = 0.1
"""s, after toe-off, that a strip shows of the swing."""
REGION_HEADER = (
    "area",
    "peak (kPa)",
    "pressure-time integral (kPa s)",
    "area (cm²)",
    "time (s)",
    "share of impulse (%)",
)


def rolling_report(
    standing: Standing, rolled: Rolling, folder: Path, notes: Sequence[str] = (), title: str = "A foot takes a step"
) -> tuple[Report, dict[str, Path]]:
    """The page, and the pictures that were written into the folder for it."""
    shape, found = rolled.foot.shape, with_swing(rolled.pressure)
    files = {"standing": folder / "standing.png", "roll-over": folder / "rollover.png", "peak": folder / "peak.png"}
    draw_pressure(shape, standing.pressure, standing.centre_of_pressure, files["standing"])
    draw_rollover(found, files["roll-over"])
    draw_peak(found, files["peak"])
    blocks: list[Block] = [
        Figures(facts(standing, rolled)),
        Animation(rolling_scene(rolled), "One step"),
        *paths(rolled),
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
        *loads(rolled),
        Heading("How it was found"),
        Text([*notes, *rolled.notes, *evidence(rolled)]),
    ]
    measures = shape.measures
    return Report(title, f"{shape.side} foot, {1e3 * measures.length:.0f} mm long, our own drawing" if shape.drawing else
                  f"{shape.side} foot, {1e3 * measures.length:.0f} mm long", blocks), files  # fmt: skip


def facts(standing: Standing, rolled: Rolling) -> list[Fact]:
    found, weight = rolled.pressure, rolled.force[:, 2].max()
    return [
        Fact("largest force", round(float(weight)), "N"),
        Fact("ankle moment", round(float(rolled.moment[:, 1].max()), 1), "N m", "at push-off"),
        Fact("peak pressure", round(1e-3 * float(found.peak.max())), "kPa", "of a cell, in the step"),
        Fact("standing", round(1e-3 * standing.peak_pressure), "kPa", f"at {standing.force:.0f} N"),
        Fact("toes bend by", round(float(-np.degrees(rolled.angles["toe"].min()))) if "toe" in rolled.angles else "-", "deg"),
        Fact("area", round(1e4 * float(found.contact_area.max()), 1), "cm²", "the largest in the step"),
    ]  # fmt: skip


def paths(rolled: Rolling) -> list[Block]:
    """Force of the ground, and where it acts."""
    t, centre = rolled.time, 1e3 * rolled.pressure.centre.values
    parts = {"up": 2, "forward": 0, "left": 1}
    return [
        Chart("Force of the ground", [Line(name, t, rolled.force[:, k]) for name, k in parts.items()], ylabel="force (N)"),
        Chart("Centre of pressure", [Line("from the heel", t, centre[:, 0]), Line("to the left", t, centre[:, 1])],
              ylabel="in the foot (mm)"),
    ]  # fmt: skip


def loads(rolled: Rolling) -> list[Block]:
    """Moment of the leg, and angles of the hinges."""
    t, moment = rolled.time, rolled.moment
    blocks: list[Block] = [
        Chart("Moment at the ankle", [Line("toes down", t, moment[:, 1]), Line("about x, forward", t, moment[:, 0])],
              ylabel="moment of the leg (N m)")
    ]  # fmt: skip
    if rolled.angles:
        lines = [Line(name, t, -np.degrees(angle)) for name, angle in rolled.angles.items()]
        blocks.append(Chart("Hinges", lines, ylabel="toes up (deg)"))
    return blocks


def region_rows(found: FootPressure) -> list[tuple[str, ...]]:
    return [
        (str(name).replace("_", " "), f"{1e-3 * row.peak_pressure:.0f}", f"{1e-3 * row.integral:.1f}",
         f"{1e4 * row.contact_area:.1f}", f"{row.contact_time:.2f}", f"{100 * row.share:.1f}")
        for name, row in found.regions.iterrows()
    ]  # fmt: skip


def evidence(rolled: Rolling) -> list[str]:
    """How far to trust it."""
    seen, felt = rolled.pressure.force.values, rolled.force[:, 2]
    off = float(np.abs(seen - felt).max() / felt.max())
    return [
        f"{len(rolled.time)} frames at rest, with friction that remembers; pressure adds up to the force to {off:.0e}",
        "the ankle is where the force of the ground is that of the scheme; inertia of the foot is left out",
    ]


def with_swing(found: FootPressure) -> FootPressure:
    """The same with a while in which nothing touches."""
    import xarray as xr

    end = float(found.time[-1])
    air = xr.concat([0.0 * found.maps[-1].assign_coords(time=end + part * SWING) for part in (0.01, 1.0)], "time")
    nothing = np.zeros((2, 3))
    maps = xr.concat([found.maps, air], "time").assign_attrs(found.maps.attrs)
    return replace(
        found, maps=maps, ground_force=np.concatenate([found.ground_force, nothing]),
        free_moment=np.concatenate([found.free_moment, np.zeros(2)]),
    )  # fmt: skip
