"""Measured functions of time (section `series`): read, checked, smoothed if asked for, and made into cubic splines.

The spline goes through all points and has a continuous second derivative, so that a drive along it has a velocity and an
acceleration: not-a-knot at the ends, or periodic. Value, velocity and acceleration of a smooth function sampled every h
are then wrong by O(h^4), O(h^3), O(h^2) (de Boor 1978, A practical guide to splines, chapters IV and V).

Times that are an even grid, rounded as files round them, are put back on it: see sampling.py.

Noise is another matter: differentiated twice, an error e at every sample becomes one of the order of e/h^2. See
smoothing.py for what the field `cutoff` does about it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.formats.columns import read_columns
from gaitwright.messages import explain
from gaitwright.model.expressions import evaluate, parse
from gaitwright.model.fields import number
from gaitwright.model.grammar import IDENTIFIER, RESERVED
from gaitwright.model.sampling import even_grid, evenly
from gaitwright.model.smoothing import smoothed
from gaitwright.model.units import near, read_unit
from gaitwright.system.splines import Spline, bounded_spline, periodic_spline

FEWEST = 4
"""Points of a cubic spline without a condition at its ends that nobody measured."""
CLOSED = 1e-9
"""How far, relative to the range of values, the end of a periodic series may be from its beginning: rounding."""
BRIDGED = 0.25
"""Periods of the cut-off over which gaps are bridged: at four samples per period a spline keeps 98.5 % of an amplitude."""
WORTH_SAYING = 1e-4
"""Rounding of times, in steps, from which on it is mentioned that they were put right."""


def _frequency(value: Any) -> Any:
    """Plain, or with its unit: 6 Hz."""
    if not isinstance(value, str):
        return value
    try:
        given = parse(number(value, "Hz"))
        return evaluate(given, {}) if given.units and not given.names else value
    except ModelError:
        return value  # no number: the check that follows says so


class Series(BaseModel):
    """A function of time given by points. Plain numbers: a factor or a shift belongs into the expression that uses it."""

    model_config = ConfigDict(extra="forbid")

    times: Any = Field(None, description="a list of times in s")
    values: Any = Field(None, description="a list of numbers, one for each time")
    file: str | None = Field(None, description="a table such as knee.csv")
    time: str | None = Field(None, description="the name of a column")
    value: str | None = Field(None, description="the name of a column")
    periodic: bool | None = None
    outside: Literal["error", "hold"] | None = None
    cutoff: Annotated[float, BeforeValidator(_frequency)] | None = Field(
        None, strict=True, description="a frequency in Hz"
    )
    unit: str | None = Field(None, description="the unit of the values, such as deg or mm")

    _spline: Spline = PrivateAttr()
    _from_file: list[str] = PrivateAttr(default_factory=list)
    _notes: list[str] = PrivateAttr(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """What was done to the data, for people: the warnings of checks and results."""
        return [*self._from_file, *self._notes]


def read_series(name: str, entry: Any) -> Series:
    """A checked series with its points, also those of a file, in it."""
    label = f"series '{name}'"
    if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
        At("series").fail(f"{name!r} cannot name a series", expected="letters, digits and _, no digit first")
    if name in RESERVED:
        At("series").fail(f"{name!r} has a meaning of its own in expressions", expected="another name")
    try:
        series = entry.model_copy() if isinstance(entry, Series) else Series.model_validate(entry)
    except ValidationError as error:
        raise explain(error, label, Series) from None
    if series.file is not None:
        for field in ("times", "values"):
            if getattr(series, field) is not None:
                At(label, field).fail("is given besides a file", expected="one of the two")
        _read_file(series, label)
    elif series.time is not None or series.value is not None:
        field = "time" if series.time is not None else "value"
        At(label, field).fail(
            "names a column, but there is no file", getattr(series, field), "a file, or times and values"
        )
    series.file = series.time = series.value = None
    if series.unit is not None:
        _to_si(series, label)
    series._notes = []
    series._spline = _spline(name, series, label)
    series.times, series.values = list(map(float, series.times)), list(map(float, series.values))
    return series


def _read_file(series: Series, label: str) -> None:
    """Put the points of the file into the series; with a cutoff without the rows that have no value."""
    assert series.file is not None
    path = Path(series.file)
    found = read_columns(path, series.time, series.value, label, gaps=series.cutoff is not None)
    series.times, series.values = found.times, found.values
    notes = [found.note] if found.note else []
    if found.gaps:
        notes.append(f"{len(found.gaps)} rows of the file have no value, the first in line {found.gaps[0]}")
    if found.degrees and found.angle and series.unit is None:
        series.unit = "deg"
        notes.append(
            f"the header of the file says that angles are in degrees, so the column '{found.name}' is converted to radians; "
            "unit: rad would keep it as it is"
        )
    series._from_file = [f"{label}: {note}" for note in notes]


def _to_si(series: Series, label: str) -> None:
    unit = read_unit(series.unit or "")
    if unit is None:
        At(label, "unit").fail(
            "is not a unit", series.unit, f"a unit such as deg, mm or N, or 1{near(series.unit or '')}"
        )
    series.values = [unit.si(y) for y in _numbers(series.values, "values", label).tolist()]
    series.unit = None


def splines(series: Mapping[str, Any]) -> dict[str, Spline]:
    """The functions that the series of a document, checked or as written, stand for."""
    checked = {name: s if isinstance(s, Series) else read_series(name, s) for name, s in series.items()}
    return {name: s._spline for name, s in checked.items()}


def _spline(name: str, series: Series, label: str) -> Spline:
    t, y = (_numbers(getattr(series, field), field, label) for field in ("times", "values"))
    _check_points(t, y, label)
    given_end = t[-1]
    periodic = bool(series.periodic)
    if periodic:
        _check_period(y, series.outside, label)
        y[-1] = y[0]
    t, y = _prepared(t, y, series, label)
    coefficients = _fitted(t, y, periodic)
    if not np.all(np.isfinite(coefficients)):
        At(label, "values").fail(
            "the points are too far apart in size for a spline", expected="values and steps of time of a usual size"
        )
    if periodic:
        return periodic_spline(name, t, coefficients)
    t[-1] = max(t[-1], given_end)  # rounded up: the analysis may go on until the time that the file shows
    return bounded_spline(name, t, coefficients, series.outside == "hold")


def _prepared(t: np.ndarray, y: np.ndarray, series: Series, label: str) -> tuple[np.ndarray, np.ndarray]:
    """The points through which the spline goes: on their even grid if they have one, smoothed if asked for."""
    grid, periodic = even_grid(t), bool(series.periodic)
    if grid is not None and grid.rounding:
        t = grid.times(float(t[0]))
        if grid.rounding > WORTH_SAYING * grid.step:
            series._notes.append(
                f"{label}: its times are those of {1.0 / grid.step:.6g} samples per second, rounded to {grid.rounding:g} s; "
                "they are put back on the even grid"
            )
    _check_increasing(t, label)
    if series.cutoff is None:
        return t, y
    if grid is None or not grid.whole:
        t, y = _bridged(t, y, series, label, grid.step if grid is not None else float(np.median(np.diff(t))))
    step = float(t[-1] - t[0]) / (t.size - 1)
    return t, smoothed(y, step, series.cutoff, periodic, label)


def _bridged(t: np.ndarray, y: np.ndarray, series: Series, label: str, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Even samples of uneven ones, of which none is too far from the next for the filter that follows."""
    assert series.cutoff is not None
    gaps = np.diff(t)
    k, longest = int(np.argmax(gaps)), float(gaps.max())
    most = BRIDGED / series.cutoff if series.cutoff > 0.0 else np.inf
    if longest > most * (1 + CLOSED):
        At(label, "cutoff").fail(
            f"a filter needs evenly spaced times, and the gap of {longest:.4g} s after times[{k}] = {t[k]:.6g} is too long to "
            "be bridged",
            series.cutoff,
            f"gaps of at most 1/(4 cutoff) = {most:.4g} s, a lower cutoff, or none",
        )
    series._notes.append(
        f"{label}: its times are not evenly spaced (the longest gap is {longest:.4g} s after t = {t[k]:.6g} s); it is "
        f"resampled every {step:.4g} s by a spline before it is smoothed"
    )
    return evenly(t, y, step, bool(series.periodic))


def _fitted(t: np.ndarray, y: np.ndarray, periodic: bool) -> np.ndarray:
    """Coefficients of the pieces, float64[n - 1, 4], constant term first; NaN where numbers overflow."""
    from scipy.interpolate import CubicSpline

    try:
        with np.errstate(all="ignore"):
            fit = CubicSpline(t, y, bc_type="periodic" if periodic else "not-a-knot")
    except ValueError:  # SciPy's word for an overflow on the way
        return np.full((t.size - 1, 4), np.nan)
    return np.ascontiguousarray(fit.c[::-1].T)


def _numbers(given: Any, field: str, label: str) -> np.ndarray:
    at, meaning = At(label, field), Series.model_fields[field].description or ""
    at.given(given, f"{meaning}, or a file")
    if not isinstance(given, list):
        at.fail("is not a list", given, meaning)
    for k, entry in enumerate(given):
        plain = isinstance(entry, (int, float, np.integer)) and not isinstance(entry, bool)
        if not plain or not abs(entry) < math.inf:
            problem = "is not finite" if plain else "is not a number" if entry is not None else "is empty"
            at[f"{field}[{k}]"].fail(problem, entry, "a plain, finite number")
    try:
        return np.array(given, dtype=np.float64)
    except OverflowError:
        at.fail("has a number that is too large", expected=meaning)


def _check_points(t: np.ndarray, y: np.ndarray, label: str) -> None:
    if t.size != y.size:
        At(label, "values").fail(f"there are {t.size} times but {y.size} values", expected="one value for each time")
    if t.size < FEWEST:
        At(label, "times").fail(
            f"{t.size} point{'s are' if t.size != 1 else ' is'} too few for a smooth curve",
            expected=f"at least {FEWEST} points; for a straight line write an expression of t",
        )


def _check_increasing(t: np.ndarray, label: str) -> None:
    late = np.flatnonzero(np.diff(t) <= 0.0)
    if late.size:
        k = int(late[0]) + 1
        At(label, f"times[{k}]").fail(
            f"is not later than the time {t[k - 1]:.10g} before it", float(t[k]), "increasing times"
        )


def _check_period(y: np.ndarray, outside: str | None, label: str) -> None:
    if outside is not None:
        At(label, "outside").fail("is given, but a periodic series has no outside", outside, "one of the two")
    if abs(y[-1] - y[0]) > CLOSED * np.ptp(y):
        At(label, "values").fail(
            f"begins with {y[0]:.6g} and ends with {y[-1]:.6g}",
            expected="the same value at both ends of a periodic series: a whole period with the point that closes it",
        )
