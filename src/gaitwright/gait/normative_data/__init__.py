"""Normative data: usual values of healthy people at their preferred walking speed, as ranges for the table and bands for
curves.

spatio_temporal.yaml, curves.yaml: with sources, and remarks where they are coarse. They serve for a quick overview; a band
does not diagnose a person. schematic_walk.yaml: a walk through the middle of the bands; sit_to_stand.yaml, lift.yaml:
motions from published figures.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.input_files import packaged_yaml

DEFAULT_AGE_YEARS = 30.0
"""Default age, years."""


class NormativeRange(NamedTuple):
    low: float
    high: float
    source: str

    def holds(self, value: float) -> bool:
        return bool(self.low <= value <= self.high)


@cache
def _read_sheet(name: str) -> dict[str, Any]:
    return packaged_yaml(Path(__file__).parent / f"{name}.yaml")


def normative_ranges(sex: str | None = None, age: float | None = None) -> dict[str, NormativeRange]:
    """Ranges for the rows of the spatio-temporal table, in their units; for both sexes together if no sex is given. Empty
    below 18 years: there are no data for children here."""
    sheet = _read_sheet("spatio_temporal")
    years = DEFAULT_AGE_YEARS if age is None else age
    coarse, limits = sheet["coarse"], sheet["limits"]
    if years < 18:
        return {}
    ranges = {name: NormativeRange(low, high, coarse["source"]) for name, (low, high) in coarse["rows"].items()}
    sexes = [sex] if sex in ("male", "female") else ["male", "female"]
    tables = [limits[one][max(since for since in limits[one] if since <= years)] for one in sexes]
    for name in ("cadence", "stride_length", "speed"):
        low, high = min(table[name][0] for table in tables), max(table[name][1] for table in tables)
        ranges[name] = NormativeRange(low, high, limits["source"])
    stride, cadence = ranges["stride_length"], ranges["cadence"]
    ranges["step_length"] = NormativeRange(0.5 * stride.low, 0.5 * stride.high, f"half a stride of {limits['source']}")
    for name, steps in (("step_time", 1), ("stride_time", 2)):
        ranges[name] = NormativeRange(
            60 * steps / cadence.high, 60 * steps / cadence.low, f"from the cadence of {limits['source']}"
        )
    return ranges


def asymmetry_limit() -> NormativeRange:
    """Largest usual asymmetry, %, of either sign."""
    sheet = _read_sheet("spatio_temporal")["asymmetry"]
    return NormativeRange(-sheet["limit"], sheet["limit"], sheet["source"])


class NormativeBand(NamedTuple):
    """Band of a curve: low, high: (n,), over `percent` (n,) of a cycle, in `unit`."""

    percent: np.ndarray
    low: np.ndarray
    high: np.ndarray
    unit: str
    source: str


def normative_band(name: str) -> NormativeBand | None:
    """Band of a curve such as `knee_flexion`, deg; None if there are no data."""
    sheet = _read_sheet("curves")
    for group in sheet["groups"]:
        if name in group["curves"]:
            percent, low, high = np.asarray(group["curves"][name], dtype=float).T
            return NormativeBand(percent, low, high, group["unit"], group["source"])
    return None


def schematic_walk_curves() -> dict[str, Any]:
    """Curves of the schematic walk; see the data sheet for sources."""
    return _read_sheet("schematic_walk")


def schematic_motion_sheet(name: str) -> dict[str, Any]:
    """Data sheet of the schematic motion `sit_to_stand` or `lift`, with sources."""
    return _read_sheet(name)


def normative_curve_names() -> list[str]:
    return [name for group in _read_sheet("curves")["groups"] for name in group["curves"]]
