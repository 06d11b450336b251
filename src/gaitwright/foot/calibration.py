"""Calibration of a foot against measurements: bounded least squares for a few named parameters. The result reports
residuals, confidence intervals and parameters that the tests do not determine.

    result = gw.foot.calibrate(foot, {"modulus": (0.2e6, 20e6)}, pressed=[(8.8e-3, 622.0)])
    stood = gw.foot.StandingTest(350.0, shares=..., peak_pressure=...)
    result = gw.foot.calibrate(foot, ["tissue", "midtarsal"], stood=stood)
    print(result)
    result.foot.stand(350.0)
| parameter | meaning |
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

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.least_squares import FitResult, ParameterRange, fit_parameters
from gaitwright.foot.calibration_tests import CalibrationDatum, CalibrationTest, CustomTest, PressTest, StandingTest
from gaitwright.foot.rigid_parts import FOOT_JOINTS, Cores
from gaitwright.foot.tissue import TISSUE_REGIONS
from gaitwright.mesh.cell_kinds import Array

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot

CALIBRATION_PARAMETERS = (
    "modulus",
    "tissue",
    *(f"tissue.{region}" for region in TISSUE_REGIONS),
    *FOOT_JOINTS,
    "friction",
)
FRICTION_RANGE = ParameterRange(0.6, 0.05, 2.0)
DEFAULT_BOUND_FACTORS = {"modulus": 30.0, "tissue": 30.0, "joint": 20.0}
"""Default bounds, as a factor above and below the start value."""
MAX_MISFIT_SPREADS = 3.0
"""Data with a larger misfit than this, in spreads, are reported as missed."""


class CalibrationResidual(NamedTuple):
    """Measured and computed value of one datum. misfit: in spreads."""

    name: str
    measured: float
    computed: float
    unit: str
    misfit: float


@dataclass(frozen=True)
class FootCalibration:
    """Result of a calibration. foot: with the identified values. values, intervals (95 %, within the bounds), units:
    by name of the parameter. data: measured and computed values. rms: of the misfits, in spreads. correlation:
    (parameters, parameters). at_bounds, undetermined, missed: a sentence for each case. runs: number of evaluations
    of all tests."""

    foot: Foot
    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    units: dict[str, str]
    data: tuple[CalibrationResidual, ...]
    correlation: Array
    at_bounds: tuple[str, ...]
    undetermined: tuple[str, ...]
    missed: tuple[str, ...]
    rms: float
    runs: int

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings to read before the result is used."""
        return (*self.at_bounds, *self.undetermined, *self.missed)

    def correlated(self, first: str, second: str) -> float:
        """Correlation of two parameters, -1 to 1."""
        names = list(self.values)
        for name in (first, second):
            ErrorContext("calibration", "parameter").one_of(name, names)
        return float(self.correlation[names.index(first), names.index(second)])

    def to_dict(self) -> dict[str, Any]:
        """Numbers and sentences, for files."""
        return {
            "values": dict(self.values), "intervals": {name: list(each) for name, each in self.intervals.items()},
            "units": dict(self.units), "data": [each._asdict() for each in self.data], "rms": self.rms,
            "correlation": self.correlation.tolist(), "notes": list(self.notes), "runs": self.runs,
        }  # fmt: skip

    def __str__(self) -> str:
        parameters = [
            f"{name} = {value:.4g}{unit and f' {unit}'} ({low:.4g} to {high:.4g})"
            for (name, value), unit, (low, high) in zip(
                self.values.items(), self.units.values(), self.intervals.values(), strict=True
            )
        ]
        beside = [
            f"{d.name}: {d.computed:.4g} {d.unit}, measured {d.measured:.4g} ({d.misfit:+.2g} spreads)"
            for d in self.data
        ]
        return "\n".join([*parameters, *beside, f"rms {self.rms:.2g} spreads, {self.runs} runs", *self.notes])


def calibrate(
    foot: Foot, parameters: Sequence[str] | Mapping[str, tuple[float, float]], *,
    pressed: Iterable[PressTest | Sequence[float]] = (), stood: Iterable[StandingTest] | StandingTest = (),
    measured: Iterable[CustomTest] | CustomTest = (), **options: Any,
) -> FootCalibration:  # fmt: skip
    """Identify parameters for which the foot reproduces measurements.

    parameters: names of the table above, or with bounds, {name: (least, most)}. pressed: depth (m) and force (N), of a
    foot held above. stood: on a pressure plate. measured: other data, such as the force of a step, with a model
    function of the caller. options: as in Foot.press and Foot.stand, such as speed, friction, ground.

    Returns the calibrated foot with residuals and confidence intervals. Raises an error if no test is given, or if
    all parameters are at their bounds and a datum is still missed."""
    at = ErrorContext("calibration")
    tests: list[CalibrationTest] = [
        *(each if isinstance(each, PressTest) else _parse_press_test(each) for each in pressed),
        *([stood] if isinstance(stood, StandingTest) else stood),
        *([measured] if isinstance(measured, CustomTest) else measured),
    ]
    if not tests:
        at.fail("has nothing to be calibrated by", expected="pressed, stood or measured")
    data = [datum for test in tests for datum in test.data(foot)]
    ranges = _search_ranges(foot, parameters)

    def computed(values: dict[str, float]) -> list[float]:
        other, settings = set_parameter_values(foot, values), dict(options)
        if "friction" in values:
            settings["friction"] = values["friction"]
        return [float(number) for test in tests for number in test.computed(other, values, settings)]

    latest: dict[tuple[float, ...], list[float]] = {}

    def misfit(values: dict[str, float]) -> list[float]:
        latest[tuple(values.values())] = numbers = computed(values)
        return [datum.misfit(number) for datum, number in zip(data, numbers, strict=True)]

    fit = fit_parameters(misfit, ranges, sum(test.independent for test in tests))
    numbers = latest[tuple(fit.values.values())]
    return _make_calibration(foot, fit, ranges, data, numbers)


def set_parameter_values(foot: Foot, values: Mapping[str, float]) -> Foot:
    """Return the foot with the given parameter values."""
    tissue, inside = foot.tissue, foot.inside
    for name, value in values.items():
        kind, _, region = name.partition(".")
        if name == "modulus":
            tissue = tissue.with_values(youngs_modulus=value)
        elif kind == "tissue":
            tissue = tissue.scaled(value, region or None)
        elif name in FOOT_JOINTS and isinstance(inside, Cores):
            inside = inside.stiffer(name, value)
    return foot.with_tissue(tissue).with_inside(inside)


def _parse_press_test(given: Any) -> PressTest:
    try:
        depth, force = given
    except (TypeError, ValueError):
        return ErrorContext("calibration", "pressed").fail("is no pair", given, "(depth in m, force in N)")
    return PressTest(depth, force)


def _search_ranges(
    foot: Foot, parameters: Sequence[str] | Mapping[str, tuple[float, float]]
) -> dict[str, ParameterRange]:
    """Start value and bounds of each parameter. Factors of all tissue come before those of its regions."""
    at = ErrorContext("calibration", "parameters")
    if isinstance(parameters, str):
        at.fail("is one name", parameters, "a list of names, or {name: (least, most)}")
    for name in parameters:
        at.one_of(name, CALIBRATION_PARAMETERS, "is not a parameter")
        if name in FOOT_JOINTS and not isinstance(foot.inside, Cores):
            at.fail(f"the foot is clamped and has no joint '{name}'", expected="tissue, or a foot with Cores")
    bounds = parameters if isinstance(parameters, Mapping) else {}
    return {
        name: _search_range(foot, name, bounds.get(name))
        for name in sorted(parameters, key=CALIBRATION_PARAMETERS.index)
    }


def _search_range(foot: Foot, name: str, bounds: Any) -> ParameterRange:
    if name == "friction":
        usual = FRICTION_RANGE
    else:
        start, unit, wider = 1.0, "", DEFAULT_BOUND_FACTORS["tissue"]
        if name == "modulus":
            moduli = [soft.youngs_modulus for soft in foot.tissue.regions.values()]
            start, unit, wider = float(np.exp(np.mean(np.log(moduli)))), "Pa", DEFAULT_BOUND_FACTORS["modulus"]
        elif name in FOOT_JOINTS and isinstance(foot.inside, Cores):
            start, unit, wider = foot.inside.joints[name].stiffness, "N m/rad", DEFAULT_BOUND_FACTORS["joint"]
        usual = ParameterRange(start, start / wider, start * wider, unit)
    if bounds is None:
        return usual
    at = ErrorContext(f"calibration parameter '{name}'", "bounds")
    try:
        least, most = (at.positive(bound, usual.unit) for bound in bounds)
    except (TypeError, ValueError):
        return at.fail("is no pair", bounds, "(least, most)")
    within = usual.start if least <= usual.start <= most else float(np.sqrt(least * most))
    return ParameterRange(within, least, most, usual.unit)


def _make_calibration(
    foot: Foot,
    found: FitResult,
    ranges: Mapping[str, ParameterRange],
    data: list[CalibrationDatum],
    numbers: list[float],
) -> FootCalibration:
    compared = tuple(
        CalibrationResidual(datum.name, datum.measured, number, datum.unit, misfit)
        for datum, number, misfit in zip(data, numbers, found.misfits.tolist(), strict=True)
    )
    outliers = [each for each in compared if abs(each.misfit) > MAX_MISFIT_SPREADS]
    if outliers and len(found.pinned) == len(ranges):
        worst = max(outliers, key=lambda each: abs(each.misfit))
        ErrorContext("calibration", worst.name).fail(
            f"is out of reach: at best {worst.computed:.4g} {worst.unit}, where {', '.join(found.at_bounds)}",
            worst.measured, "wider bounds, another parameter, or another unit",
        )  # fmt: skip
    missed = tuple(
        f"{each.name} is missed by {abs(each.misfit):.2g} spreads: {each.computed:.4g} {each.unit}, not {each.measured:.4g}"
        for each in outliers
    )
    return FootCalibration(
        set_parameter_values(foot, found.values), found.values, found.intervals, {name: r.unit for name, r in ranges.items()},
        compared, found.correlation, found.at_bounds, found.undetermined, missed, found.rms, found.runs,
    )  # fmt: skip
