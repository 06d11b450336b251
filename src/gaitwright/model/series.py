"""Measured functions of time (section `series`): read, validated, smoothed on request, and fitted by cubic splines.

The spline interpolates all points and has a continuous second derivative, so that a drive along it has a velocity and an
acceleration: not-a-knot at the ends, or periodic. Value, velocity and acceleration of a smooth function sampled every h
then have errors of O(h^4), O(h^3), O(h^2) (de Boor 1978, A practical guide to splines, chapters IV and V).

Rounded times of a uniform grid are put back on it: see sampling.py.

Noise is amplified: differentiated twice, an error e at every sample becomes one of the order of e/h^2. The field `cutoff`
reduces it: see smoothing.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import explain_validation_error
from gaitwright.formats.text_table import read_columns
from gaitwright.mechanism.splines import SignalSpline, bounded_spline, periodic_spline
from gaitwright.model.expressions import evaluate, parse
from gaitwright.model.grammar import IDENTIFIER_PATTERN, RESERVED_WORDS
from gaitwright.model.sampling import fit_even_grid, resample_evenly
from gaitwright.model.smoothing import smooth_samples
from gaitwright.model.spec.field_types import validate_number
from gaitwright.model.units import read_unit, unit_suggestion

MIN_SPLINE_POINTS = 4
"""Minimum number of points of a cubic spline without artificial end conditions."""
PERIODIC_CLOSURE_RTOL = 1e-9
"""Tolerance between the ends of a periodic series, relative to the range of values: rounding."""
MAX_BRIDGED_PERIODS = 0.25
"""Longest bridged gap in periods of the cut-off: at four samples per period a spline keeps 98.5 % of an amplitude."""
MIN_REPORTED_ROUNDING = 1e-4
"""Rounding of times, in steps, above which its correction is reported."""


def _validate_frequency(value: Any) -> Any:
    """Frequency as a number, or with its unit: 6 Hz."""
    if not isinstance(value, str):
        return value
    try:
        expression = parse(validate_number(value, "Hz"))
        return evaluate(expression, {}) if expression.units and not expression.names else value
    except ModelError:
        return value  # no number: reported by the following validator


class MeasuredSeries(BaseModel):
    """Function of time given by points. Its values are plain numbers: factors and shifts belong in the expressions that use
    it."""

    model_config = ConfigDict(extra="forbid")

    times: Any = Field(None, description="a list of times in s")
    values: Any = Field(None, description="a list of numbers, one for each time")
    file: str | None = Field(None, description="a table such as knee.csv")
    time: str | None = Field(None, description="the name of a column")
    value: str | None = Field(None, description="the name of a column")
    periodic: bool | None = None
    outside: Literal["error", "hold"] | None = None
    cutoff: Annotated[float, BeforeValidator(_validate_frequency)] | None = Field(
        None, strict=True, description="a frequency in Hz"
    )
    unit: str | None = Field(None, description="the unit of the values, such as deg or mm")

    _spline: SignalSpline = PrivateAttr()
    _from_file: list[str] = PrivateAttr(default_factory=list)
    _notes: list[str] = PrivateAttr(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """Changes made to the data, for the warnings of checks and results."""
        return [*self._from_file, *self._notes]


def read_series(name: str, entry: Any) -> MeasuredSeries:
    """Validated series with its points, including those of a file; ModelError if it is invalid."""
    label = f"series '{name}'"
    if not isinstance(name, str) or not IDENTIFIER_PATTERN.fullmatch(name):
        ErrorContext("series").fail(f"{name!r} cannot name a series", expected="letters, digits and _, no digit first")
    if name in RESERVED_WORDS:
        ErrorContext("series").fail(f"{name!r} has a meaning of its own in expressions", expected="another name")
    try:
        series = entry.model_copy() if isinstance(entry, MeasuredSeries) else MeasuredSeries.model_validate(entry)
    except ValidationError as error:
        raise explain_validation_error(error, label, MeasuredSeries) from None
    if series.file is not None:
        for field in ("times", "values"):
            if getattr(series, field) is not None:
                ErrorContext(label, field).fail("is given besides a file", expected="one of the two")
        _read_file(series, label)
    elif series.time is not None or series.value is not None:
        field = "time" if series.time is not None else "value"
        ErrorContext(label, field).fail(
            "names a column, but there is no file", getattr(series, field), "a file, or times and values"
        )
    series.file = series.time = series.value = None
    if series.unit is not None:
        _convert_to_si(series, label)
    series._notes = []
    series._spline = _build_spline(name, series, label)
    series.times, series.values = list(map(float, series.times)), list(map(float, series.values))
    return series


def _read_file(series: MeasuredSeries, label: str) -> None:
    """Read the points of the file into the series; with a cutoff, rows without a value are skipped."""
    assert series.file is not None
    path = Path(series.file)
    columns = read_columns(path, series.time, series.value, label, gaps=series.cutoff is not None)
    series.times, series.values = columns.times, columns.values
    notes = [columns.note] if columns.note else []
    if columns.gaps:
        notes.append(f"{len(columns.gaps)} rows of the file have no value, the first in line {columns.gaps[0]}")
    if columns.degrees and columns.angle and series.unit is None:
        series.unit = "deg"
        notes.append(
            f"the header of the file says that angles are in degrees, so the column '{columns.name}' is converted to radians; "
            "unit: rad would keep it as it is"
        )
    series._from_file = [f"{label}: {note}" for note in notes]


def _convert_to_si(series: MeasuredSeries, label: str) -> None:
    unit = read_unit(series.unit or "")
    if unit is None:
        ErrorContext(label, "unit").fail(
            "is not a unit", series.unit, f"a unit such as deg, mm or N, or 1{unit_suggestion(series.unit or '')}"
        )
    series.values = [unit.si(y) for y in _read_numbers(series.values, "values", label).tolist()]
    series.unit = None


def build_splines(series: Mapping[str, Any]) -> dict[str, SignalSpline]:
    """Splines of the series of a document, validated or as written."""
    checked = {name: s if isinstance(s, MeasuredSeries) else read_series(name, s) for name, s in series.items()}
    return {name: s._spline for name, s in checked.items()}


def _build_spline(name: str, series: MeasuredSeries, label: str) -> SignalSpline:
    t, y = (_read_numbers(getattr(series, field), field, label) for field in ("times", "values"))
    _check_points(t, y, label)
    given_end = t[-1]
    periodic = bool(series.periodic)
    if periodic:
        _check_period(y, series.outside, label)
        y[-1] = y[0]
    t, y = _prepare_points(t, y, series, label)
    coefficients = _fit_coefficients(t, y, periodic)
    if not np.all(np.isfinite(coefficients)):
        ErrorContext(label, "values").fail(
            "the points are too far apart in size for a spline", expected="values and steps of time of a usual size"
        )
    if periodic:
        return periodic_spline(name, t, coefficients)
    t[-1] = max(t[-1], given_end)  # a rounded-up end: the analysis may run until the time given in the file
    return bounded_spline(name, t, coefficients, series.outside == "hold")


def _prepare_points(t: np.ndarray, y: np.ndarray, series: MeasuredSeries, label: str) -> tuple[np.ndarray, np.ndarray]:
    """Points of the spline: on their uniform grid if they have one, smoothed on request."""
    grid, periodic = fit_even_grid(t), bool(series.periodic)
    if grid is not None and grid.rounding:
        t = grid.times(float(t[0]))
        if grid.rounding > MIN_REPORTED_ROUNDING * grid.step:
            series._notes.append(
                f"{label}: its times are those of {1.0 / grid.step:.6g} samples per second, rounded to {grid.rounding:g} s; "
                "they are put back on the even grid"
            )
    _check_increasing(t, label)
    if series.cutoff is None:
        return t, y
    if grid is None or not grid.whole:
        t, y = _bridge_gaps(t, y, series, label, grid.step if grid is not None else float(np.median(np.diff(t))))
    step = float(t[-1] - t[0]) / (t.size - 1)
    return t, smooth_samples(y, step, series.cutoff, periodic, label)


def _bridge_gaps(
    t: np.ndarray, y: np.ndarray, series: MeasuredSeries, label: str, step: float
) -> tuple[np.ndarray, np.ndarray]:
    """Uniform samples from non-uniform ones; ModelError if a gap is too long for the following filter."""
    assert series.cutoff is not None
    gaps = np.diff(t)
    k, longest = int(np.argmax(gaps)), float(gaps.max())
    max_gap = MAX_BRIDGED_PERIODS / series.cutoff if series.cutoff > 0.0 else np.inf
    if longest > max_gap * (1 + PERIODIC_CLOSURE_RTOL):
        ErrorContext(label, "cutoff").fail(
            f"a filter needs evenly spaced times, and the gap of {longest:.4g} s after times[{k}] = {t[k]:.6g} is too long to "
            "be bridged",
            series.cutoff,
            f"gaps of at most 1/(4 cutoff) = {max_gap:.4g} s, a lower cutoff, or none",
        )
    series._notes.append(
        f"{label}: its times are not evenly spaced (the longest gap is {longest:.4g} s after t = {t[k]:.6g} s); it is "
        f"resampled every {step:.4g} s by a spline before it is smoothed"
    )
    return resample_evenly(t, y, step, bool(series.periodic))


def _fit_coefficients(t: np.ndarray, y: np.ndarray, periodic: bool) -> np.ndarray:
    """Coefficients of the pieces, float64[n - 1, 4], constant term first; NaN if numbers overflow."""
    from scipy.interpolate import CubicSpline

    try:
        with np.errstate(all="ignore"):
            fit = CubicSpline(t, y, bc_type="periodic" if periodic else "not-a-knot")
    except ValueError:  # raised by SciPy for an overflow
        return np.full((t.size - 1, 4), np.nan)
    return np.ascontiguousarray(fit.c[::-1].T)


def _read_numbers(values: Any, field: str, label: str) -> np.ndarray:
    context, meaning = ErrorContext(label, field), MeasuredSeries.model_fields[field].description or ""
    context.given(values, f"{meaning}, or a file")
    if not isinstance(values, list):
        context.fail("is not a list", values, meaning)
    for k, entry in enumerate(values):
        is_plain = isinstance(entry, (int, float, np.integer)) and not isinstance(entry, bool)
        if not is_plain or not abs(entry) < math.inf:
            problem = "is not finite" if is_plain else "is not a number" if entry is not None else "is empty"
            context[f"{field}[{k}]"].fail(problem, entry, "a plain, finite number")
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError:
        context.fail("has a number that is too large", expected=meaning)


def _check_points(t: np.ndarray, y: np.ndarray, label: str) -> None:
    if t.size != y.size:
        ErrorContext(label, "values").fail(
            f"there are {t.size} times but {y.size} values", expected="one value for each time"
        )
    if t.size < MIN_SPLINE_POINTS:
        ErrorContext(label, "times").fail(
            f"{t.size} point{'s are' if t.size != 1 else ' is'} too few for a smooth curve",
            expected=f"at least {MIN_SPLINE_POINTS} points; for a straight line write an expression of t",
        )


def _check_increasing(t: np.ndarray, label: str) -> None:
    late = np.flatnonzero(np.diff(t) <= 0.0)
    if late.size:
        k = int(late[0]) + 1
        ErrorContext(label, f"times[{k}]").fail(
            f"is not later than the time {t[k - 1]:.10g} before it", float(t[k]), "increasing times"
        )


def _check_period(y: np.ndarray, outside: str | None, label: str) -> None:
    if outside is not None:
        ErrorContext(label, "outside").fail("is given, but a periodic series has no outside", outside, "one of the two")
    if abs(y[-1] - y[0]) > PERIODIC_CLOSURE_RTOL * np.ptp(y):
        ErrorContext(label, "values").fail(
            f"begins with {y[0]:.6g} and ends with {y[-1]:.6g}",
            expected="the same value at both ends of a periodic series: a whole period with the point that closes it",
        )
