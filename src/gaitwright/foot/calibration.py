"""A foot made to behave as one that was measured: a few named parameters by bounded least squares, with what is left over,
how sure they are, and what the tests do not tell.

    found = gw.foot.calibrate(foot, {"modulus": (0.2e6, 20e6)}, pressed=[(8.8e-3, 622.0)])
    found = gw.foot.calibrate(foot, ["tissue", "midtarsal"], stood=[gw.foot.Stood(350.0, shares=..., peak_pressure=...)])
    print(found)
    found.foot.stand(350.0)

| parameter | what it is |
| --- | --- |
| modulus | Young's modulus of all tissue, the same everywhere, Pa |
| tissue | factor of the moduli of all tissue |
| tissue.heel, .midfoot, .ball, .toes, .rest | factor of the modulus of a region |
| midtarsal (the arch), tarsometatarsal, toe | stiffness of a joint between cores, N m/rad |
| friction | coefficient of the sole on the ground |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.design.least_squares import Fitted, Range, fitted
from gaitwright.foot.inside import JOINTS, Cores
from gaitwright.foot.measured import Datum, Measured, Pressed, Stood, Test
from gaitwright.foot.tissue import REGIONS
from gaitwright.mesh.kinds import Array

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot

PARAMETERS = ("modulus", "tissue", *(f"tissue.{region}" for region in REGIONS), *JOINTS, "friction")
FRICTION = Range(0.6, 0.05, 2.0)
WIDER = {"modulus": 30.0, "tissue": 30.0, "joint": 20.0}
"""How far from where the search begins bounds are, unless told, as a factor to each side."""
MISSED = 3.0
"""Spreads: a datum that is missed by more is not explained by them."""


class Compared(NamedTuple):
    """A datum beside what the calibrated foot does. misfit: in spreads."""

    name: str
    measured: float
    computed: float
    unit: str
    misfit: float


@dataclass(frozen=True)
class Calibrated:
    """foot: with what was found. values, intervals (95 %, not beyond the bounds): by name of the parameter, whose `units` are
    beside. data: what was measured beside what the foot does. rms: of the misfits, in spreads. correlation: (parameters,
    parameters). at_bounds, undetermined, missed: a sentence each. runs: how often all tests were computed."""

    foot: Foot
    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    units: dict[str, str]
    data: tuple[Compared, ...]
    correlation: Array
    at_bounds: tuple[str, ...]
    undetermined: tuple[str, ...]
    missed: tuple[str, ...]
    rms: float
    runs: int

    @property
    def notes(self) -> tuple[str, ...]:
        """All that is to be known before it is trusted."""
        return (*self.at_bounds, *self.undetermined, *self.missed)

    def correlated(self, first: str, second: str) -> float:
        """How far two parameters can stand for each other: -1 to 1."""
        names = list(self.values)
        for name in (first, second):
            At("calibration", "parameter").one_of(name, names)
        return float(self.correlation[names.index(first), names.index(second)])

    def to_dict(self) -> dict[str, Any]:
        """Numbers and sentences, for files."""
        return {
            "values": dict(self.values), "intervals": {name: list(each) for name, each in self.intervals.items()},
            "units": dict(self.units), "data": [each._asdict() for each in self.data], "rms": self.rms,
            "correlation": self.correlation.tolist(), "notes": list(self.notes), "runs": self.runs,
        }  # fmt: skip

    def __str__(self) -> str:
        found = [
            f"{name} = {value:.4g}{unit and f' {unit}'} ({low:.4g} to {high:.4g})"
            for (name, value), unit, (low, high) in zip(
                self.values.items(), self.units.values(), self.intervals.values(), strict=True
            )
        ]
        beside = [
            f"{d.name}: {d.computed:.4g} {d.unit}, measured {d.measured:.4g} ({d.misfit:+.2g} spreads)"
            for d in self.data
        ]
        return "\n".join([*found, *beside, f"rms {self.rms:.2g} spreads, {self.runs} runs", *self.notes])


def calibrate(
    foot: Foot, parameters: Sequence[str] | Mapping[str, tuple[float, float]], *,
    pressed: Iterable[Pressed | Sequence[float]] = (), stood: Iterable[Stood] | Stood = (),
    measured: Iterable[Measured] | Measured = (), **options: Any,
) -> Calibrated:  # fmt: skip
    """Find parameters for which the foot does what was measured.

    parameters: names of the table above, or with bounds, {name: (least, most)}. pressed: depth (m) and force (N), of a foot
    held above. stood: on a pressure plate. measured: anything else, such as the force of a step, with a computation of yours.
    options: as in Foot.press and Foot.stand, such as speed, friction, ground."""
    at = At("calibration")
    tests: list[Test] = [
        *(each if isinstance(each, Pressed) else _pair(each) for each in pressed),
        *([stood] if isinstance(stood, Stood) else stood),
        *([measured] if isinstance(measured, Measured) else measured),
    ]
    if not tests:
        at.fail("has nothing to be calibrated by", expected="pressed, stood or measured")
    data = [datum for test in tests for datum in test.data(foot)]
    ranges = _ranges(foot, parameters)

    def computed(values: dict[str, float]) -> list[float]:
        other, told = with_values(foot, values), dict(options)
        if "friction" in values:
            told["friction"] = values["friction"]
        return [float(number) for test in tests for number in test.computed(other, values, told)]

    latest: dict[tuple[float, ...], list[float]] = {}

    def misfit(values: dict[str, float]) -> list[float]:
        latest[tuple(values.values())] = numbers = computed(values)
        return [datum.misfit(number) for datum, number in zip(data, numbers, strict=True)]

    found = fitted(misfit, ranges, sum(test.independent for test in tests))
    numbers = latest[tuple(found.values.values())]
    return _told(foot, found, ranges, data, numbers)


def with_values(foot: Foot, values: Mapping[str, float]) -> Foot:
    """The foot with values of parameters by name."""
    tissue, inside = foot.tissue, foot.inside
    for name, value in values.items():
        kind, _, region = name.partition(".")
        if name == "modulus":
            tissue = tissue.with_values(youngs_modulus=value)
        elif kind == "tissue":
            tissue = tissue.scaled(value, region or None)
        elif name in JOINTS and isinstance(inside, Cores):
            inside = inside.stiffer(name, value)
    return foot.with_tissue(tissue).with_inside(inside)


def _pair(given: Any) -> Pressed:
    try:
        depth, force = given
    except (TypeError, ValueError):
        return At("calibration", "pressed").fail("is no pair", given, "(depth in m, force in N)")
    return Pressed(depth, force)


def _ranges(foot: Foot, parameters: Sequence[str] | Mapping[str, tuple[float, float]]) -> dict[str, Range]:
    """Where the search begins and ends. All of the tissue is set before its regions are."""
    at = At("calibration", "parameters")
    if isinstance(parameters, str):
        at.fail("is one name", parameters, "a list of names, or {name: (least, most)}")
    for name in parameters:
        at.one_of(name, PARAMETERS, "is not a parameter")
        if name in JOINTS and not isinstance(foot.inside, Cores):
            at.fail(f"the foot is clamped and has no joint '{name}'", expected="tissue, or a foot with Cores")
    told = parameters if isinstance(parameters, Mapping) else {}
    return {name: _range(foot, name, told.get(name)) for name in sorted(parameters, key=PARAMETERS.index)}


def _range(foot: Foot, name: str, bounds: Any) -> Range:
    if name == "friction":
        usual = FRICTION
    else:
        start, unit, wider = 1.0, "", WIDER["tissue"]
        if name == "modulus":
            moduli = [soft.youngs_modulus for soft in foot.tissue.regions.values()]
            start, unit, wider = float(np.exp(np.mean(np.log(moduli)))), "Pa", WIDER["modulus"]
        elif name in JOINTS and isinstance(foot.inside, Cores):
            start, unit, wider = foot.inside.joints[name].stiffness, "N m/rad", WIDER["joint"]
        usual = Range(start, start / wider, start * wider, unit)
    if bounds is None:
        return usual
    at = At(f"calibration parameter '{name}'", "bounds")
    try:
        least, most = (at.positive(bound, usual.unit) for bound in bounds)
    except (TypeError, ValueError):
        return at.fail("is no pair", bounds, "(least, most)")
    within = usual.start if least <= usual.start <= most else float(np.sqrt(least * most))
    return Range(within, least, most, usual.unit)


def _told(
    foot: Foot, found: Fitted, ranges: Mapping[str, Range], data: list[Datum], numbers: list[float]
) -> Calibrated:
    compared = tuple(
        Compared(datum.name, datum.measured, number, datum.unit, misfit)
        for datum, number, misfit in zip(data, numbers, found.misfits.tolist(), strict=True)
    )
    far = [each for each in compared if abs(each.misfit) > MISSED]
    if far and len(found.pinned) == len(ranges):
        worst = max(far, key=lambda each: abs(each.misfit))
        At("calibration", worst.name).fail(
            f"is out of reach: at best {worst.computed:.4g} {worst.unit}, where {', '.join(found.at_bounds)}",
            worst.measured, "wider bounds, another parameter, or another unit",
        )  # fmt: skip
    missed = tuple(
        f"{each.name} is missed by {abs(each.misfit):.2g} spreads: {each.computed:.4g} {each.unit}, not {each.measured:.4g}"
        for each in far
    )
    return Calibrated(
        with_values(foot, found.values), found.values, found.intervals, {name: r.unit for name, r in ranges.items()},
        compared, found.correlation, found.at_bounds, found.undetermined, missed, found.rms, found.runs,
    )  # fmt: skip
