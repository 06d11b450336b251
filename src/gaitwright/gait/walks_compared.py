"""Walks side by side, such as before and after a treatment, or with and without a device.

both = gw.gait.compare_walks([gw.gait.read_result("before"), gw.gait.read_result("after")])
both.report("compare.html")

A walk is an analysis, or what an analysis saved into a folder: summary.json and cycles.nc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright.checks import At
from gaitwright.gait.cycles import SIDES, mean_and_spread
from gaitwright.input_files import read_json, read_netcdf

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis


@dataclass(frozen=True)
class WalkResult:
    """summary: as GaitAnalysis has it. curves: (cycle, percent)."""

    name: str
    summary: dict[str, Any]
    curves: xr.Dataset

    @cached_property
    def both(self) -> tuple[xr.Dataset, xr.Dataset]:
        """Mean and spread, (side, percent)."""
        return mean_and_spread(self.curves)

    def value(self, row: str, side: str) -> float:
        """The mean of a row of the table, of 'right', 'left' or 'both'; NaN where there is none."""
        found = self.summary["cycles"]["table"].get(row, {}).get(side, {}).get("mean")
        return float("nan") if found is None else float(found)


def result_of(found: GaitAnalysis) -> WalkResult:
    return WalkResult(found.name, found.summary(), found.curves)


def read_result(folder: str | Path) -> WalkResult:
    """What `analyse(..).save(folder)` or `gaitwright gait --out folder` wrote."""
    folder = Path(folder)
    at = At(f"result '{folder}'")
    summary, curves = folder / "summary.json", folder / "cycles.nc"
    if not summary.is_file():
        at.fail("has no summary.json", expected="a folder that gaitwright gait wrote")
    said = read_json(summary, f"the summary.json of the {at.element}", "a folder that gaitwright gait wrote")
    if not isinstance(said, dict) or not {"cycles", "quality", "trial"} <= set(said):
        at.fail("is not of a walk", expected="a folder that gaitwright gait wrote")
    if not curves.is_file():
        at.fail("has no curves: no complete cycle was seen in that walk", expected="a walk with complete cycles")
    return WalkResult(folder.name, said, read_netcdf(curves))


@dataclass(frozen=True)
class WalksCompared:
    walks: tuple[WalkResult, ...]

    @property
    def rows(self) -> list[str]:
        """Of the table, that all of them have."""
        first = self.walks[0].summary["cycles"]["table"]
        return [name for name in first if all(name in walk.summary["cycles"]["table"] for walk in self.walks)]

    def summary(self) -> dict[str, Any]:
        """Table by walk and side with the change from the first, %; and of each curve how far it is from that of the first, by
        root mean square over the cycle, in its unit (angles in degrees)."""
        first = self.walks[0]
        table: dict[str, Any] = {}
        for row in self.rows:
            table[row] = {
                walk.name: {
                    side: {
                        "value": walk.value(row, side),
                        "change": change(first.value(row, side), walk.value(row, side)),
                    }
                    for side in (*SIDES, "both")
                }
                for walk in self.walks
            }
        curves = {walk.name: apart(first, walk) for walk in self.walks[1:]}
        quality = {walk.name: walk.summary["quality"]["verdict"] for walk in self.walks}
        return {"walks": [walk.name for walk in self.walks], "quality": quality, "table": table, "curves": curves}

    def report(self, path: str | Path) -> dict[str, Path]:
        """One page: the table side by side, and curves on one scale."""
        from gaitwright.report.views.walks_page import walks_report

        return walks_report(self).save(Path(path))


def compare_walks(walks: Sequence[WalkResult | GaitAnalysis]) -> WalksCompared:
    """Two or more; the first is the one that changes are counted from."""
    found = [one if isinstance(one, WalkResult) else result_of(one) for one in walks]
    if len(found) < 2:
        At(field="walks").fail("there is nothing to compare", len(found), "two walks or more")
    names: list[str] = []
    for one in found:  # two of a name are told apart by numbers
        again = sum(name == one.name or name.startswith(f"{one.name} (") for name in names)
        names.append(f"{one.name} ({again + 1})" if again else one.name)
    return WalksCompared(tuple(replace(one, name=name) for one, name in zip(found, names, strict=True)))


def change(before: float, after: float) -> float:
    """%, of the first."""
    return 100.0 * (after - before) / abs(before) if abs(before) > 1e-9 else float("nan")


def apart(first: WalkResult, other: WalkResult) -> dict[str, dict[str, float]]:
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
