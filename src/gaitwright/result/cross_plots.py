"""Outputs of a run over another output, as defined in the section `charts` of a model: moment over angle, force over travel.

If x moves back and forth, as the angle of a joint does, the curve is a loop, and its area is the dissipated work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.catalogue import RUN_OUTPUT_NAMES, OutputCatalogue, check_outputs

if TYPE_CHECKING:
    from gaitwright.result.result import Result

TIME_AXIS = "time"
JOULES_PER_UNIT_AREA = {
    ("N m", "rad"): 1.0, ("N m", "deg"): math.pi / 180, ("N", "m"): 1.0, ("N", "cm"): 1e-2, ("N", "mm"): 1e-3,
    ("N m/rad", "rad"): 1.0,
}  # fmt: skip
"""Factor from the product of the units of y and x to J; other products are not works."""


class CrossPlot(NamedTuple):
    """Chart of a document. x: an output, or time. y: outputs with a common unit."""

    x: str
    y: tuple[str, ...]
    title: str

    def named(self) -> str:
        """The title, or the names of its outputs."""
        return self.title or f"{', '.join(self.y)} over {self.x}"


def read_cross_plots(document: Mapping[str, Any] | None) -> list[CrossPlot]:
    """The charts of a document (plain data)."""
    return [CrossPlot(c["x"], tuple(c["y"]), c.get("title", "")) for c in (document or {}).get("charts") or []]


def check_cross_plot(mechanism: Mechanism, x: str, y: Sequence[str], label: str) -> None:
    """Raise ModelError for names that no result will have, and for y outputs with different units."""
    try:
        check_outputs(mechanism, [name for name in (x, *y) if name != TIME_AXIS])
    except ModelError as error:
        ErrorContext(label).fail(str(error))
    if TIME_AXIS in y:
        ErrorContext(label, "y").fail("is the time", TIME_AXIS, "outputs, and the time as x")
    outputs = OutputCatalogue(mechanism).outputs
    units = {outputs[name].unit: name for name in y if name not in RUN_OUTPUT_NAMES and name in outputs}
    if len(units) > 1:
        listed = " and ".join(f"{name} in {unit}" for unit, name in units.items())
        ErrorContext(label, "y").fail(f"has {listed}", expected="outputs in one unit, or a chart for each")


def axis_unit(result: Result, name: str) -> str:
    return "s" if name == TIME_AXIS else result.catalogue[name].unit


def axis_values(result: Result, name: str) -> np.ndarray:
    return result.time if name == TIME_AXIS else result.array(name)


def cross_plot_numbers(result: Result) -> list[dict[str, Any]]:
    """Numbers of every chart and each of its y: position and value of its maximum and minimum and, if its area is a work,
    the work (J) while x rises and while x falls, with its sign."""
    return [_curve_numbers(result, chart, y) for chart in read_cross_plots(result.document) for y in chart.y]


def _curve_numbers(result: Result, chart: CrossPlot, name: str) -> dict[str, Any]:
    x, y = axis_values(result, chart.x), axis_values(result, name)
    numbers: dict[str, Any] = {
        "title": chart.named(), "x": chart.x, "x_unit": axis_unit(result, chart.x), "y": name, "unit": axis_unit(result, name),
    }  # fmt: skip
    is_known = np.isfinite(x) & np.isfinite(y)
    if not is_known.any():
        return numbers
    x, y = x[is_known], y[is_known]
    for extreme, k in (("greatest", int(np.argmax(y))), ("least", int(np.argmin(y)))):
        numbers[extreme] = {"x": float(x[k]), "y": float(y[k])}
    joules = JOULES_PER_UNIT_AREA.get((numbers["unit"], numbers["x_unit"]))
    if joules is not None and x.size > 1:
        parts = joules * 0.5 * (y[1:] + y[:-1]) * np.diff(x)
        rising = np.diff(x) > 0
        numbers["work_rising"], numbers["work_falling"] = float(parts[rising].sum()), float(parts[~rising].sum())
    return numbers


def describe_numbers(numbers: Mapping[str, Any]) -> str:
    """One line of text with the numbers of a curve."""
    over, name, unit, x_unit = (numbers[key] for key in ("x", "y", "unit", "x_unit"))
    if "greatest" not in numbers:
        return f"{name} over {over}: nothing to show"
    ends = ("greatest", "least")
    heights, places = (_zero_noise([numbers[end][axis] for end in ends]) for axis in "yx")
    ends = [f"{end} {y:.5g} {unit} at {x:.5g} {x_unit}" for end, y, x in zip(ends, heights, places, strict=True)]
    text = f"{name} over {over}: {', '.join(ends)}".replace(" 1 at", " at").removesuffix(" 1")
    if "work_rising" in numbers:
        text += f"; {numbers['work_rising']:.5g} J while {over} rises"
        text += f", {numbers['work_falling']:.5g} J while it falls" if numbers["work_falling"] else ""
    return text


def _zero_noise(values: Sequence[float]) -> list[float]:
    """Replace values that are rounding errors, relative to the largest, by zero."""
    rounding = 1e-9 * max(map(abs, values))
    return [0.0 if abs(value) < rounding else value for value in values]


def find_turning_point(x: np.ndarray) -> int | None:
    """Index of the turning point of a curve that moves once forth and once back; None for other curves."""
    steps = np.diff(x)
    if not np.isfinite(steps).all() or x.size < 5:
        return None
    small = 1e-6 * np.ptp(x)
    signs = np.sign(np.where(np.abs(steps) <= small, 0.0, steps))
    signs = signs[signs != 0]
    if not signs.size or np.count_nonzero(np.diff(signs)) != 1:
        return None
    return int(np.argmax(x) if signs[0] > 0 else np.argmin(x))
