"""The computed pressure of a step beside what a platform or an insole measured, by area of the sole.

What is compared are peaks, and shares: of the impulse if the measurement goes over time, otherwise of the picture of largest
pressures, on both sides the same. A factor on all pressures, as a platform that reads too low has, cancels in shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.foot.areas import AREAS, QUARTERS, area_of
from gaitwright.foot.footprints import Laid, lay
from gaitwright.gait.cycles import SIDES
from gaitwright.mesh.kinds import Array

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gaitwright.foot.pressure import FootPressure

SURE = 0.03
"""By how much a print must fit one side better than the other, as a correlation, to tell them apart."""
LIKE = 0.5
"""Below this correlation a picture is not one of such a foot."""


@dataclass(frozen=True)
class PressureCompared:
    """name: of the file. side: of the foot that pressed. laid: its largest pressures in the frame of the foot that was given,
    which is a mirror where `side` is the other one. areas, quarters: per row peak, Pa, and share, as measured and computed;
    difference of shares in points, computed less measured. shares_of: 'impulse' or 'peak map'. notes: how it was laid."""

    name: str
    side: str
    laid: Laid
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
) -> PressureCompared:
    """steps: computed, by side, all in the frame of one foot. measured: an .apd file, or a map, Pa, with x (forward) and y (to
    the left), m, and time, s, if there is one. side: of the foot that pressed; found from the print without it."""
    name, maps = measured_maps(measured)
    at = At(f"pressure '{name}'")
    if side is not None:
        at["side"].one_of(side, SIDES, "is not a side of the body")
    if not steps:
        at.fail(
            "has nothing beside it: no step was computed", expected="a trial with a whole stance whose force is known"
        )
    peak = maps.max("time") if "time" in maps.dims else maps
    fits = {one: _fit(steps, peak, one) for one in SIDES}
    ahead = fits["right"].match - fits["left"].match
    looks = "right" if ahead > 0.0 else "left"
    if max(fit.match for fit in fits.values()) < LIKE:
        at.fail(f"does not look like a step of this foot: the prints correlate by {fits[looks].match:.2f}",
                expected="a picture of one whole step, and the foot of the person")  # fmt: skip
    if side is None and abs(ahead) < SURE:
        at.fail("does not tell its side by its shape", expected="--pressure-side right or left (pressure_side)")
    told, shown = _told(side, looks, abs(ahead) >= SURE)
    side = side or looks
    if side not in steps:
        at["side"].fail(
            "has no computed step: no whole stance of it has a force that is known", side,
            f"a picture of the {next(iter(steps))} foot",
        )  # fmt: skip
    found = steps[side]
    laid = fits[side] if shown == side else _lay(found, peak, shown)
    timed = "time" in maps.dims
    weighed = (maps.integrate("time") if timed else peak).values.ravel()
    own = found.integral if timed else found.peak
    where = _areas(found, laid.pressure.x.values, laid.pressure.y.values)
    sides = (
        (where.ravel(), laid.pressure.values.ravel(), weighed),
        (found.areas.ravel(), found.peak.values.ravel(), own.values.ravel()),
    )
    shares_of = "impulse" if timed else "peak map"
    ends = "; its toes came first" if laid.reversed else ""
    notes = (
        f"measured pressure: {name}, of the {side} foot, {told}",
        f"its print is {1e3 * laid.length:.0f} mm long, turned by {np.degrees(laid.turned):.0f} deg into the frame of the "
        f"foot, and correlates by {laid.match:.2f} with the computed one{ends}",
    )
    quarters = {quarter: [AREAS.index(area) for area in areas] for quarter, areas in QUARTERS.items()}
    single = {area: [k] for k, area in enumerate(AREAS)}
    return PressureCompared(name, side, laid, found, _table(single, *sides), _table(quarters, *sides), shares_of, notes)


def _told(side: str | None, looks: str, sure: bool) -> tuple[str, str]:
    """Where the side is from, and the side of the foot that the picture shows as it is, which a mirror may have changed."""
    if side is None:
        return "as its shape tells, with columns of the file that count to the left", looks
    if side != looks and sure:
        mirror = (
            f"as told, though it looks like a {looks} one: it was mirrored, as columns that count to the right are; "
        )
        return mirror + "if they do not, the file is one of the other foot", looks
    return "as told", side


def _fit(steps: Mapping[str, FootPressure], peak: xr.DataArray, side: str) -> Laid:
    """As if it were of a side."""
    return _lay(steps.get(side) or next(iter(steps.values())), peak, side)


def _lay(found: FootPressure, peak: xr.DataArray, side: str) -> Laid:
    """On a computed step, a picture that shows a foot of a side."""
    return lay(peak, found.peak, found.shape.measures.length, mirrored=side != found.shape.side)


def measured_maps(measured: Any) -> tuple[str, xr.DataArray]:
    """Name, and a map (y, x) or maps (time, y, x), Pa."""
    from gaitwright.foot.pressure_files import read_picture

    if isinstance(measured, (str, Path)):
        path = Path(measured)
        if path.suffix.lower() != ".apd":
            At(f"pressure '{path.name}'").fail("is no file of a pressure platform", path.suffix, "an .apd file")
        name, maps = path.name, read_picture(path)
    else:
        name, maps = str(getattr(measured, "name", None) or "map"), measured
    at = At(f"pressure '{name}'")
    if set(getattr(maps, "dims", ())) not in ({"x", "y"}, {"x", "y", "time"}):
        at.fail("is no map of pressure", expected="an .apd file, or an xarray.DataArray with x, y and perhaps time")
    maps = maps.transpose(..., "y", "x")
    if not np.isfinite(maps.values).all() or not float(maps.max()) > 0.0:
        at.fail("has cells without a number, or nothing presses", expected="Pa, 0 where nothing touches")
    return name, maps


def _areas(found: FootPressure, x: Array, y: Array) -> Array:
    size = found.shape.measures
    return area_of(x, y, length=size.length, ball_width=size.ball_width, side=found.shape.side)


def _table(groups: Mapping[str, list[int]], *sides: tuple[Array, Array, Array]) -> pd.DataFrame:
    """sides: measured, then computed: area of each cell, its largest pressure, and what shares are of."""
    import pandas as pd

    rows = {}
    for name, areas in groups.items():
        row: dict[str, float] = {}
        for what, (where, peak, weight) in zip(("measured", "computed"), sides, strict=True):
            mine = np.isin(where, areas)
            row[f"{what}_peak"] = float(peak[mine].max(initial=0.0))
            row[f"{what}_share"] = float(weight[mine].sum() / weight.sum())
        rows[name] = row | {"difference": 100.0 * (row["computed_share"] - row["measured_share"])}
    found = pd.DataFrame.from_dict(rows, orient="index")
    found.index.name = "area"
    return found
