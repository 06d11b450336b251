"""Outputs of a run over another output, as the section `charts` of a model asks for: moment over angle, force over travel.

Where x goes forth and back, as the angle of a joint does, the curve is a loop, and its area is the work that was lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.result.catalogue import DERIVED, Catalogue, check_outputs
from gaitwright.system.mechanism import Mechanism

if TYPE_CHECKING:
    from gaitwright.result.result import Result

TIME = "time"
JOULES = {
    ("N m", "rad"): 1.0, ("N m", "deg"): math.pi / 180, ("N", "m"): 1.0, ("N", "cm"): 1e-2, ("N", "mm"): 1e-3,
    ("N m/rad", "rad"): 1.0,
}  # fmt: skip
"""Of a product of y and x in these units, J: where it is a work at all."""


class Chart(NamedTuple):
    """What a document asks for. x: an output, or time. y: outputs in one unit."""

    x: str
    y: tuple[str, ...]
    title: str

    def named(self) -> str:
        """Its title, or what it shows."""
        return self.title or f"{', '.join(self.y)} over {self.x}"


def charts_of(document: Mapping[str, Any] | None) -> list[Chart]:
    """The charts of a document as plain data."""
    return [Chart(c["x"], tuple(c["y"]), c.get("title", "")) for c in (document or {}).get("charts") or []]


def check_chart(mechanism: Mechanism, x: str, y: Sequence[str], label: str) -> None:
    """Complain about names that no result will have, and about units that share no axis."""
    try:
        check_outputs(mechanism, [name for name in (x, *y) if name != TIME])
    except ModelError as error:
        At(label).fail(str(error))
    if TIME in y:
        At(label, "y").fail("is the time", TIME, "outputs, and the time as x")
    known = Catalogue(mechanism).outputs
    units = {known[name].unit: name for name in y if name not in DERIVED and name in known}
    if len(units) > 1:
        shown = " and ".join(f"{name} in {unit}" for unit, name in units.items())
        At(label, "y").fail(f"has {shown}", expected="outputs in one unit, or a chart for each")


def unit_of(result: Result, name: str) -> str:
    return "s" if name == TIME else result.catalogue[name].unit


def values_of(result: Result, name: str) -> np.ndarray:
    return result.time if name == TIME else result.values(name)


def chart_numbers(result: Result) -> list[dict[str, Any]]:
    """Of every chart and each of its y: where it is greatest and least, and, where its area is a work, the work (J) while x
    rises and while it falls, with its sign."""
    return [_numbers(result, chart, y) for chart in charts_of(result.document) for y in chart.y]


def _numbers(result: Result, chart: Chart, name: str) -> dict[str, Any]:
    x, y = values_of(result, chart.x), values_of(result, name)
    found: dict[str, Any] = {
        "title": chart.named(), "x": chart.x, "x_unit": unit_of(result, chart.x), "y": name, "unit": unit_of(result, name),
    }  # fmt: skip
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return found
    x, y = x[known], y[known]
    for what, k in (("greatest", int(np.argmax(y))), ("least", int(np.argmin(y)))):
        found[what] = {"x": float(x[k]), "y": float(y[k])}
    joules = JOULES.get((found["unit"], found["x_unit"]))
    if joules is not None and x.size > 1:
        parts = joules * 0.5 * (y[1:] + y[:-1]) * np.diff(x)
        rising = np.diff(x) > 0
        found["work_rising"], found["work_falling"] = float(parts[rising].sum()), float(parts[~rising].sum())
    return found


def told(numbers: Mapping[str, Any]) -> str:
    """One line for people."""
    over, name, unit, x_unit = (numbers[key] for key in ("x", "y", "unit", "x_unit"))
    if "greatest" not in numbers:
        return f"{name} over {over}: nothing to show"
    ends = ("greatest", "least")
    heights, places = (_sized([numbers[end][axis] for end in ends]) for axis in "yx")
    ends = [f"{end} {y:.5g} {unit} at {x:.5g} {x_unit}" for end, y, x in zip(ends, heights, places, strict=True)]
    text = f"{name} over {over}: {', '.join(ends)}".replace(" 1 at", " at").removesuffix(" 1")
    if "work_rising" in numbers:
        text += f"; {numbers['work_rising']:.5g} J while {over} rises"
        text += f", {numbers['work_falling']:.5g} J while it falls" if numbers["work_falling"] else ""
    return text


def _sized(values: Sequence[float]) -> list[float]:
    """Without what is rounding beside the largest."""
    rounding = 1e-9 * max(map(abs, values))
    return [0.0 if abs(value) < rounding else value for value in values]


def turned_at(x: np.ndarray) -> int | None:
    """The place where a curve turns back, of one that goes once forth and once back; None of any other."""
    steps = np.diff(x)
    if not np.isfinite(steps).all() or x.size < 5:
        return None
    small = 1e-6 * np.ptp(x)
    signs = np.sign(np.where(np.abs(steps) <= small, 0.0, steps))
    signs = signs[signs != 0]
    if not signs.size or np.count_nonzero(np.diff(signs)) != 1:
        return None
    return int(np.argmax(x) if signs[0] > 0 else np.argmin(x))
