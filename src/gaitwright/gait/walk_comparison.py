"""Comparison of walks, such as before and after a treatment, or with and without a device.

both = gw.gait.compare_walks([gw.gait.read_result("before"), gw.gait.read_result("after")])
both.report("compare.html")

A walk is an analysis, or a folder saved by one: summary.json and cycles.nc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import read_json, read_netcdf
from gaitwright.gait.cycles import SIDES, mean_and_spread

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis


@dataclass(frozen=True)
class WalkResult:
    """A saved or computed walk. summary: as from GaitAnalysis. curves: (cycle, percent)."""

    name: str
    summary: dict[str, Any]
    curves: xr.Dataset

    @cached_property
    def both(self) -> tuple[xr.Dataset, xr.Dataset]:
        """Mean and standard deviation, (side, percent)."""
        return mean_and_spread(self.curves)

    def value(self, row: str, side: str) -> float:
        """Mean of a row of the table for 'right', 'left' or 'both'; NaN without a value."""
        mean = self.summary["cycles"]["table"].get(row, {}).get(side, {}).get("mean")
        return float("nan") if mean is None else float(mean)


def walk_result(found: GaitAnalysis) -> WalkResult:
    return WalkResult(found.name, found.summary(), found.curves)


def read_result(folder: str | Path) -> WalkResult:
    """Read a result folder of `analyse(..).save(folder)` or `gaitwright gait --out folder`. Raises ModelError for another
    folder."""
    folder = Path(folder)
    at = ErrorContext(f"result '{folder}'")
    summary, curves = folder / "summary.json", folder / "cycles.nc"
    if not summary.is_file():
        at.fail("has no summary.json", expected="a folder that gaitwright gait wrote")
    summary_data = read_json(summary, f"the summary.json of the {at.element}", "a folder that gaitwright gait wrote")
    if not isinstance(summary_data, dict) or not {"cycles", "quality", "trial"} <= set(summary_data):
        at.fail("is not of a walk", expected="a folder that gaitwright gait wrote")
    if not curves.is_file():
        at.fail("has no curves: no complete cycle was seen in that walk", expected="a walk with complete cycles")
    return WalkResult(folder.name, summary_data, read_netcdf(curves))


@dataclass(frozen=True)
class WalkComparison:
    walks: tuple[WalkResult, ...]

    @property
    def rows(self) -> list[str]:
        """Rows of the table that all walks have."""
        first = self.walks[0].summary["cycles"]["table"]
        return [name for name in first if all(name in walk.summary["cycles"]["table"] for walk in self.walks)]

    def summary(self) -> dict[str, Any]:
        """Table by walk and side with the change from the first, %; and for each curve the RMS difference from that of the
        first over the cycle, in its unit (angles in degrees)."""
        first = self.walks[0]
        table: dict[str, Any] = {}
        for row in self.rows:
            table[row] = {
                walk.name: {
                    side: {
                        "value": walk.value(row, side),
                        "change": percent_change(first.value(row, side), walk.value(row, side)),
                    }
                    for side in (*SIDES, "both")
                }
                for walk in self.walks
            }
        curves = {walk.name: curve_differences(first, walk) for walk in self.walks[1:]}
        quality = {walk.name: walk.summary["quality"]["verdict"] for walk in self.walks}
        return {"walks": [walk.name for walk in self.walks], "quality": quality, "table": table, "curves": curves}

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one page with the table side by side, and the curves on common axes."""
        from gaitwright.report.views.pages.walk_comparison_page import walk_comparison_report

        return walk_comparison_report(self).save(Path(path))


def compare_walks(walks: Sequence[WalkResult | GaitAnalysis]) -> WalkComparison:
    """Compare two or more walks; changes are relative to the first. Raises ModelError for fewer walks."""
    results = [one if isinstance(one, WalkResult) else walk_result(one) for one in walks]
    if len(results) < 2:
        ErrorContext(field="walks").fail("there is nothing to compare", len(results), "two walks or more")
    names: list[str] = []
    for one in results:  # equal names get numbers
        again = sum(name == one.name or name.startswith(f"{one.name} (") for name in names)
        names.append(f"{one.name} ({again + 1})" if again else one.name)
    return WalkComparison(tuple(replace(one, name=name) for one, name in zip(results, names, strict=True)))


def percent_change(before: float, after: float) -> float:
    """Change in % of the first value; NaN if it is zero."""
    return 100.0 * (after - before) / abs(before) if abs(before) > 1e-9 else float("nan")


def curve_differences(first: WalkResult, other: WalkResult) -> dict[str, dict[str, float]]:
    means = first.both[0], other.both[0]
    rows: dict[str, dict[str, float]] = {}
    for name in (
        str(name) for name in means[0].data_vars if name in means[1] and means[0][name].dims == ("side", "percent")
    ):
        scale = 180.0 / np.pi if means[0][name].attrs.get("units") == "rad" else 1.0
        off = scale * (means[1][name] - means[0][name])
        sides = {side: float(np.sqrt((off.sel(side=side) ** 2).mean())) for side in SIDES}
        rows[name] = {side: value for side, value in sides.items() if np.isfinite(value)}
    return {name: row for name, row in rows.items() if row}
