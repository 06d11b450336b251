"""What the fields of a model document are made of: numbers and expressions, names, references, vectors."""

from __future__ import annotations

import functools
import math
import re
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from gaitwright.errors import ModelError
from gaitwright.model.expressions import evaluate, parse
from gaitwright.model.quantities import ANGLE, dimension_in
from gaitwright.model.units import dimension_of, fits, name_of, wanted

NAME = re.compile(r"[^\W\d][\w-]*")
REFERENCE = re.compile(r"[^\W\d][\w-]*(\.[^\W\d][\w-]*)?")
LONGEST_NAME = 200
"""Letters: names stand in legends, in messages and in the names of outputs."""
TITLE = re.compile(r"[\w .,:+/-]*")


def number(value: Any, unit: str = "") -> float | str:
    """A number, or an expression as it was written; with a unit in it that fits the one of the field, if it has one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"is not a number; expected {wanted(unit) + ',' if unit else 'a number'} or an expression")
    if isinstance(value, str):
        try:
            parsed = parse(value, series=None)  # which series there are is known when the whole model is
            found = dimension_in(parsed) if parsed.units else None
        except ModelError as error:
            raise ValueError(str(error)) from None
        asked = dimension_of(unit) if unit and found is not None else None
        if found is not None and asked is not None and not fits(found, asked):
            raise ValueError(f"is {name_of(found)}; expected {wanted(unit)}")
        return value
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise ValueError("is not finite; expected a finite number")
    return found


def _degrees(value: Any) -> float | str:
    """Plain numbers are degrees here; what has a unit says which, and has no parameters beside it, which are degrees too."""
    given = number(value, "rad")
    parsed = parse(given, series=None)
    if not parsed.units:
        return given
    if parsed.names or dimension_in(parsed) != ANGLE:
        raise ValueError(
            "has units beside plain degrees; expected an angle in degrees, or with its unit, such as 30 deg"
        )
    return round(math.degrees(evaluate(parsed, {})), 12)


def _one_or_two(value: Any, unit: str) -> Any:
    """A number for both bodies of a contact, or [of the surface, of what touches it]."""
    if not isinstance(value, list):
        return number(value, unit)
    if len(value) != 2:
        raise ValueError("is not a pair; expected a number, or two: [of the surface, of what touches it]")
    return [number(v, unit) for v in value]


def matching(pattern: re.Pattern[str], expected: str) -> Any:
    def check(value: Any) -> str:
        if isinstance(value, bool):
            # YAML 1.1 takes these words for true and false.
            raise ValueError(f"is a yes or no; expected {expected} (put yes, no, on and off in quotes)")
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f"is not valid; expected {expected}")
        if len(value) > LONGEST_NAME:
            raise ValueError(f"has {len(value)} letters; expected at most {LONGEST_NAME}")
        return value

    return BeforeValidator(check)


@functools.cache
def of(unit: str) -> Any:
    """The check of a field in this unit: a number in it, or an expression, which may have units."""
    return BeforeValidator(lambda value: number(value, unit))


@functools.cache
def numbers(unit: str, count: int) -> Any:
    """The type of a list of that many numbers in a unit."""
    return Annotated[list[Annotated[float | str, of(unit)]], Field(min_length=count, max_length=count)]


@functools.cache
def one_or_two(unit: str) -> Any:
    """The check of a field for both bodies of a contact."""
    return BeforeValidator(lambda value: _one_or_two(value, unit))


TWO, THREE = (Field(min_length=count, max_length=count) for count in (2, 3))
Expression = Annotated[float | str, BeforeValidator(number)]
"""Of any unit: in SI unless it says so."""
Plain = Annotated[float | str, of("1")]
Length = Annotated[float | str, of("m")]
Area = Annotated[float | str, of("m^2")]
SecondMoment = Annotated[float | str, of("m^4")]
Curvature = Annotated[float | str, of("1/m")]
Mass = Annotated[float | str, of("kg")]
MassPerLength = Annotated[float | str, of("kg/m")]
Density = Annotated[float | str, of("kg/m^3")]
Inertia = Annotated[float | str, of("kg m^2")]
Time = Annotated[float | str, of("s")]
Rate = Annotated[float | str, of("1/s")]
Speed = Annotated[float | str, of("m/s")]
Acceleration = Annotated[float | str, of("m/s^2")]
Angle = Annotated[float | str, of("rad")]
Spin = Annotated[float | str, of("rad/s")]
Modulus = Annotated[float | str, of("Pa")]
AxialStiffness = Annotated[float | str, of("N")]
BendingStiffness = Annotated[float | str, of("N m^2")]
Pair = Annotated[list[Length], TWO]
Triple = Annotated[list[Length], THREE]
"""Places and displacements."""
PlainTriple = Annotated[list[Plain], THREE]
Degrees = Annotated[list[Annotated[float | str, BeforeValidator(_degrees)]], THREE]
Name = Annotated[str, matching(NAME, "a name: a letter, then letters, digits, _ or -")]
Reference = Annotated[str, matching(REFERENCE, "a point or body, such as A, crank.A or ground.O")]
Title = Annotated[str, matching(TITLE, "a short text without quotes and brackets")]


TwoPoints = Annotated[list[Reference], Field(min_length=2, max_length=2)]


class Strict(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", populate_by_name=True)
