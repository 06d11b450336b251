"""What is usual in healthy people who walk at the speed they like: ranges of the table, and bands of curves over a cycle.

spatio_temporal.yaml, curves.yaml: each with its sources, and a word where it is coarse. They are there to see at a glance where
to look; whether a person is ill is not for a band to say. schematic_walk.yaml: a walk that goes through the middle of them;
sit_to_stand.yaml, lift.yaml: motions by published figures.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.input_files import packaged_yaml

ADULT = 30.0
"""Years, of a person whose age nobody told."""


class Range(NamedTuple):
    low: float
    high: float
    source: str

    def holds(self, value: float) -> bool:
        return bool(self.low <= value <= self.high)


@cache
def _sheet(name: str) -> dict[str, Any]:
    return packaged_yaml(Path(__file__).parent / f"{name}.yaml")


def usual(sex: str | None = None, age: float | None = None) -> dict[str, Range]:
    """Ranges of the rows of the spatio-temporal table, in their units; of both sexes together where none is told. Nothing
    of people below 18: there is no table of them here."""
    sheet = _sheet("spatio_temporal")
    years = ADULT if age is None else age
    coarse, limits = sheet["coarse"], sheet["limits"]
    if years < 18:
        return {}
    found = {name: Range(low, high, coarse["source"]) for name, (low, high) in coarse["rows"].items()}
    sexes = [sex] if sex in ("male", "female") else ["male", "female"]
    tables = [limits[one][max(since for since in limits[one] if since <= years)] for one in sexes]
    for name in ("cadence", "stride_length", "speed"):
        low, high = min(table[name][0] for table in tables), max(table[name][1] for table in tables)
        found[name] = Range(low, high, limits["source"])
    stride, cadence = found["stride_length"], found["cadence"]
    found["step_length"] = Range(0.5 * stride.low, 0.5 * stride.high, f"half a stride of {limits['source']}")
    for name, steps in (("step_time", 1), ("stride_time", 2)):
        found[name] = Range(
            60 * steps / cadence.high, 60 * steps / cadence.low, f"from the cadence of {limits['source']}"
        )
    return found


def asymmetry_limit() -> Range:
    """%, of either sign."""
    sheet = _sheet("spatio_temporal")["asymmetry"]
    return Range(-sheet["limit"], sheet["limit"], sheet["source"])


class Band(NamedTuple):
    """low, high: (n,), over `percent` (n,) of a cycle, in `unit`."""

    percent: np.ndarray
    low: np.ndarray
    high: np.ndarray
    unit: str
    source: str


def band(name: str) -> Band | None:
    """Of a curve such as `knee_flexion`, deg; None where there is none."""
    sheet = _sheet("curves")
    for group in sheet["groups"]:
        if name in group["curves"]:
            percent, low, high = np.asarray(group["curves"][name], dtype=float).T
            return Band(percent, low, high, group["unit"], group["source"])
    return None


def schematic_curves() -> dict[str, Any]:
    """Of the walk that is nobody's: see the sheet."""
    return _sheet("schematic_walk")


def motion_sheet(name: str) -> dict[str, Any]:
    """Of `sit_to_stand` or `lift`, which are nobody's: see the sheets."""
    return _sheet(name)


def curves_with_bands() -> list[str]:
    return [name for group in _sheet("curves")["groups"] for name in group["curves"]]
