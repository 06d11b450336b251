"""Measured functions of time (section `series`): read, checked, smoothed if asked for, and made into cubic splines.

The spline goes through all points and has a continuous second derivative, so that a drive along it has a velocity and an
acceleration: not-a-knot at the ends, or periodic. Value, velocity and acceleration of a smooth function sampled every h
are then wrong by O(h^4), O(h^3), O(h^2) (de Boor 1978, A practical guide to splines, chapters IV and V).

Noise is another matter: differentiated twice, an error e at every sample becomes one of the order of e/h^2. See
smoothing.py for what the field `cutoff` does about it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from gaitwright.errors import ModelError
from gaitwright.model.columns import read_columns
from gaitwright.model.grammar import IDENTIFIER, RESERVED
from gaitwright.model.messages import explain
from gaitwright.model.smoothing import smoothed
from gaitwright.system.splines import Spline, bounded_spline, periodic_spline

FEWEST = 4
"""Points of a cubic spline without a condition at its ends that nobody measured."""
CLOSED = 1e-9
"""How far, relative to the range of values, the end of a periodic series may be from its beginning: rounding."""


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
    cutoff: float | None = Field(None, strict=True, description="a frequency in Hz")

    _spline: Spline = PrivateAttr()


def read_series(name: str, entry: Any) -> Series:
    """A checked series with its points, also those of a file, in it."""
    label = f"series '{name}'"
    if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
        raise ModelError(
            f"{name!r} cannot name a series", element="series", expected="letters, digits and _, no digit first"
        )
    if name in RESERVED:
        problem = f"{name!r} has a meaning of its own in expressions"
        raise ModelError(problem, element="series", expected="another name")
    try:
        series = entry.model_copy() if isinstance(entry, Series) else Series.model_validate(entry)
    except ValidationError as error:
        raise explain(error, label, Series) from None
    if series.file is not None:
        for field in ("times", "values"):
            if getattr(series, field) is not None:
                raise ModelError("is given besides a file", element=label, field=field, expected="one of the two")
        series.times, series.values = read_columns(Path(series.file), series.time, series.value, label)
    elif series.time is not None or series.value is not None:
        field = "time" if series.time is not None else "value"
        raise ModelError("names a column, but there is no file", element=label, field=field,
                         value=getattr(series, field), expected="a file, or times and values")  # fmt: skip
    series.file = series.time = series.value = None
    series._spline = _spline(name, series, label)
    series.times, series.values = list(map(float, series.times)), list(map(float, series.values))
    return series


def splines(series: Mapping[str, Any]) -> dict[str, Spline]:
    """The functions that the series of a document, checked or as written, stand for."""
    checked = {name: s if isinstance(s, Series) else read_series(name, s) for name, s in series.items()}
    return {name: s._spline for name, s in checked.items()}


def _spline(name: str, series: Series, label: str) -> Spline:
    t, y = (_numbers(getattr(series, field), field, label) for field in ("times", "values"))
    _check_points(t, y, label)
    periodic = bool(series.periodic)
    if periodic:
        _check_period(y, series.outside, label)
        y[-1] = y[0]
    if series.cutoff is not None:
        y = smoothed(t, y, series.cutoff, periodic, label)
    coefficients = _fitted(t, y, periodic)
    if not np.all(np.isfinite(coefficients)):
        raise ModelError("the points are too far apart in size for a spline", element=label, field="values",
                         expected="values and steps of time of a usual size")  # fmt: skip
    if periodic:
        return periodic_spline(name, t, coefficients)
    return bounded_spline(name, t, coefficients, series.outside == "hold")


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
    meaning = Series.model_fields[field].description or ""
    if given is None:
        raise ModelError("is missing", element=label, field=field, expected=f"{meaning}, or a file")
    if not isinstance(given, list):
        raise ModelError("is not a list", element=label, field=field, value=given, expected=meaning)
    for k, number in enumerate(given):
        plain = isinstance(number, (int, float, np.integer)) and not isinstance(number, bool)
        if not plain or not abs(number) < math.inf:
            problem = "is not finite" if plain else "is not a number"
            raise ModelError(problem if number is not None else "is empty", element=label, field=f"{field}[{k}]",
                             value=number, expected="a plain, finite number")  # fmt: skip
    try:
        return np.array(given, dtype=np.float64)
    except OverflowError:
        raise ModelError("has a number that is too large", element=label, field=field, expected=meaning) from None


def _check_points(t: np.ndarray, y: np.ndarray, label: str) -> None:
    if t.size != y.size:
        raise ModelError(f"there are {t.size} times but {y.size} values", element=label, field="values",
                         expected="one value for each time")  # fmt: skip
    if t.size < FEWEST:
        raise ModelError(
            f"{t.size} point{'s are' if t.size != 1 else ' is'} too few for a smooth curve", element=label, field="times",
            expected=f"at least {FEWEST} points; for a straight line write an expression of t",
        )  # fmt: skip
    late = np.flatnonzero(np.diff(t) <= 0.0)
    if late.size:
        k = int(late[0]) + 1
        raise ModelError(f"is not later than the time {t[k - 1]:.10g} before it", element=label, field=f"times[{k}]",
                         value=float(t[k]), expected="increasing times")  # fmt: skip


def _check_period(y: np.ndarray, outside: str | None, label: str) -> None:
    if outside is not None:
        raise ModelError("is given, but a periodic series has no outside", element=label, field="outside", value=outside,
                         expected="one of the two")  # fmt: skip
    if abs(y[-1] - y[0]) > CLOSED * np.ptp(y):
        raise ModelError(
            f"begins with {y[0]:.6g} and ends with {y[-1]:.6g}", element=label, field="values",
            expected="the same value at both ends of a periodic series: a whole period with the point that closes it",
        )  # fmt: skip
