"""Comparison of the computed pressure of a step with the measurement of a platform or an insole, by area of the sole.

Compared are peaks, and shares: of the impulse for a measurement over time, otherwise of the map of peak pressures, on both
sides alike. A factor on all pressures, as from a platform that reads too low, cancels in the shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.areas import AREA_GROUPS, AREAS, area_of
from gaitwright.foot.footprints import AlignedFootprint, align_footprint
from gaitwright.gait.cycles import SIDES
from gaitwright.mesh.cell_kinds import Array

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gaitwright.foot.pressure import FootPressure

MIN_SIDE_CORRELATION_DIFFERENCE = 0.03
"""Minimum difference between the correlations of a print with both sides to identify the side."""
MIN_PRINT_CORRELATION = 0.5
"""Correlation below which a map does not show a step of this foot."""


@dataclass(frozen=True)
class PressureComparison:
    """Measured and computed pressure of a step. name: of the file. side: of the measured foot. laid: measured peak
    pressures in the frame of the given foot, mirrored if `side` is the other one. areas, quarters: per row peak, Pa, and
    share, measured and computed; difference of shares in percentage points, computed minus measured. shares_of: 'impulse'
    or 'peak map'. notes: remarks on the alignment."""

    name: str
    side: str
    laid: AlignedFootprint
    computed: FootPressure
    areas: pd.DataFrame
    quarters: pd.DataFrame
    shares_of: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        def rows(table: pd.DataFrame) -> dict[str, Any]:
            return {str(name): {str(key): float(value) for key, value in row.items()} for name, row in table.iterrows()}

        return {
            "file": self.name, "side": self.side, "match": self.laid.match, "turned": float(np.degrees(self.laid.turned)),
            "shares_of": self.shares_of, "peak": float(self.laid.pressure.max()),
            "areas": rows(self.areas), "quarters": rows(self.quarters),
        }  # fmt: skip


def compare_pressure(
    steps: Mapping[str, FootPressure], measured: str | Path | xr.DataArray, side: str | None = None
) -> PressureComparison:
    """Compare computed and measured pressure. steps: computed, by side, all in the frame of one foot. measured: an .apd
    file, or a map, Pa, with x (forward) and y (to the left), m, and optionally time, s. side: of the measured foot;
    default: detected from the print. Raises ModelError for invalid maps, and if the side is not identified."""
    name, maps = read_pressure_maps(measured)
    at = ErrorContext(f"pressure '{name}'")
    if side is not None:
        at["side"].one_of(side, SIDES, "is not a side of the body")
    if not steps:
        at.fail("has no computed step for comparison", expected="a trial with a whole stance whose force is known")
    peak = maps.max("time") if "time" in maps.dims else maps
    fits = {one: _fit_side(steps, peak, one) for one in SIDES}
    ahead = fits["right"].match - fits["left"].match
    looks = "right" if ahead > 0.0 else "left"
    if max(fit.match for fit in fits.values()) < MIN_PRINT_CORRELATION:
        at.fail(f"does not look like a step of this foot: the prints correlate by {fits[looks].match:.2f}",
                expected="a picture of one whole step, and the foot of the person")  # fmt: skip
    if side is None and abs(ahead) < MIN_SIDE_CORRELATION_DIFFERENCE:
        at.fail("does not identify its side by its shape", expected="--pressure-side right or left (pressure_side)")
    evidence, shown = _side_evidence(side, looks, abs(ahead) >= MIN_SIDE_CORRELATION_DIFFERENCE)
    side = side or looks
    if side not in steps:
        at["side"].fail(
            "has no computed step: no whole stance of it has a force that is known", side,
            f"a picture of the {next(iter(steps))} foot",
        )  # fmt: skip
    step = steps[side]
    laid = fits[side] if shown == side else _lay_on_step(step, peak, shown)
    timed = "time" in maps.dims
    weighed = (maps.integrate("time") if timed else peak).values.ravel()
    own = step.integral if timed else step.peak
    where = _area_indices(step, laid.pressure.x.values, laid.pressure.y.values)
    sides = (
        (where.ravel(), laid.pressure.values.ravel(), weighed),
        (step.areas.ravel(), step.peak.values.ravel(), own.values.ravel()),
    )
    shares_of = "impulse" if timed else "peak map"
    ends = "; its toes came first" if laid.reversed else ""
    notes = (
        f"measured pressure: {name}, of the {side} foot, {evidence}",
        f"its print is {1e3 * laid.length:.0f} mm long, turned by {np.degrees(laid.turned):.0f} deg into the frame of the "
        f"foot, and correlates by {laid.match:.2f} with the computed one{ends}",
    )
    quarters = {quarter: [AREAS.index(area) for area in areas] for quarter, areas in AREA_GROUPS.items()}
    single = {area: [k] for k, area in enumerate(AREAS)}
    return PressureComparison(
        name,
        side,
        laid,
        step,
        _comparison_table(single, *sides),
        _comparison_table(quarters, *sides),
        shares_of,
        notes,
    )


def _side_evidence(side: str | None, looks: str, sure: bool) -> tuple[str, str]:
    """Text on the evidence for the side, and the side of the foot in the map as stored, which may be mirrored."""
    if side is None:
        return "by its shape, if columns of the file count to the left", looks
    if side != looks and sure:
        mirror = (
            f"as given, though it looks like a {looks} one: it was mirrored, as columns that count to the right are; "
        )
        return mirror + "if they do not, the file is one of the other foot", looks
    return "as given", side


def _fit_side(steps: Mapping[str, FootPressure], peak: xr.DataArray, side: str) -> AlignedFootprint:
    """Alignment with the step of a side, or with the only step, assuming that the map shows a foot of that side."""
    return _lay_on_step(steps.get(side) or next(iter(steps.values())), peak, side)


def _lay_on_step(found: FootPressure, peak: xr.DataArray, side: str) -> AlignedFootprint:
    """Align a map that shows a foot of a side with a computed step."""
    return align_footprint(peak, found.peak, found.shape.measures.length, mirrored=side != found.shape.side)


def read_pressure_maps(measured: Any) -> tuple[str, xr.DataArray]:
    """Name, and a map (y, x) or maps (time, y, x), Pa. Raises ModelError for other data."""
    from gaitwright.foot.pressure_files import read_picture

    if isinstance(measured, (str, Path)):
        path = Path(measured)
        if path.suffix.lower() != ".apd":
            ErrorContext(f"pressure '{path.name}'").fail(
                "is no file of a pressure platform", path.suffix, "an .apd file"
            )
        name, maps = path.name, read_picture(path)
    else:
        name, maps = str(getattr(measured, "name", None) or "map"), measured
    at = ErrorContext(f"pressure '{name}'")
    if set(getattr(maps, "dims", ())) not in ({"x", "y"}, {"x", "y", "time"}):
        at.fail("is no map of pressure", expected="an .apd file, or an xarray.DataArray with x, y and perhaps time")
    maps = maps.transpose(..., "y", "x")
    if not np.isfinite(maps.values).all() or not float(maps.max()) > 0.0:
        at.fail("has cells without a number, or nothing presses", expected="Pa, 0 where nothing touches")
    return name, maps


def _area_indices(found: FootPressure, x: Array, y: Array) -> Array:
    size = found.shape.measures
    return area_of(x, y, length=size.length, ball_width=size.ball_width, side=found.shape.side)


def _comparison_table(groups: Mapping[str, list[int]], *sides: tuple[Array, Array, Array]) -> pd.DataFrame:
    """Table by area group. sides: measured, then computed: area index, peak pressure and share weight of each cell."""
    import pandas as pd

    rows = {}
    for name, areas in groups.items():
        row: dict[str, float] = {}
        for what, (where, peak, weight) in zip(("measured", "computed"), sides, strict=True):
            mine = np.isin(where, areas)
            row[f"{what}_peak"] = float(peak[mine].max(initial=0.0))
            row[f"{what}_share"] = float(weight[mine].sum() / weight.sum())
        rows[name] = row | {"difference": 100.0 * (row["computed_share"] - row["measured_share"])}
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.name = "area"
    return table
