"""Field types of a model document: numbers and expressions, names, references, vectors."""

from __future__ import annotations

import functools
import math
import re
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from gaitwright._core.errors import ModelError
from gaitwright.model.dimension_checks import ANGLE_DIMENSION, infer_dimension
from gaitwright.model.expressions import evaluate, parse
from gaitwright.model.units import dimension_name, dimension_of, expected_quantity, is_compatible

NAME_PATTERN = re.compile(r"[^\W\d][\w-]*")
REFERENCE_PATTERN = re.compile(r"[^\W\d][\w-]*(\.[^\W\d][\w-]*)?")
MAX_NAME_LENGTH = 200
"""Maximum number of characters: names appear in legends, in messages and in the names of outputs."""
TITLE_PATTERN = re.compile(r"[\w .,:+/-]*")


def validate_number(value: Any, unit: str = "") -> float | str:
    """Validate a number, or an expression, returned as written; its units must be compatible with the unit of the field."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(
            f"is not a number; expected {expected_quantity(unit) + ',' if unit else 'a number'} or an expression"
        )
    if isinstance(value, str):
        try:
            parsed = parse(value, series=None)  # the names of series are only available with the whole model
            dimension = infer_dimension(parsed) if parsed.units else None
        except ModelError as error:
            raise ValueError(str(error)) from None
        required = dimension_of(unit) if unit and dimension is not None else None
        if dimension is not None and required is not None and not is_compatible(dimension, required):
            raise ValueError(f"is {dimension_name(dimension)}; expected {expected_quantity(unit)}")
        return value
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("is not finite; expected a finite number")
    return number


def _validate_degrees(value: Any) -> float | str:
    """Validate an angle in degrees; plain numbers are degrees. An expression with units must not contain parameters, which are
    degrees as well."""
    number = validate_number(value, "rad")
    parsed = parse(number, series=None)
    if not parsed.units:
        return number
    if parsed.names or infer_dimension(parsed) != ANGLE_DIMENSION:
        raise ValueError(
            "has units beside plain degrees; expected an angle in degrees, or with its unit, such as 30 deg"
        )
    return round(math.degrees(evaluate(parsed, {})), 12)


def _validate_one_or_two(value: Any, unit: str) -> Any:
    """Validate a number for both bodies of a contact, or [of the surface, of the touching side]."""
    if not isinstance(value, list):
        return validate_number(value, unit)
    if len(value) != 2:
        raise ValueError("is not a pair; expected a number, or two: [of the surface, of what touches it]")
    return [validate_number(v, unit) for v in value]


def pattern_validator(pattern: re.Pattern[str], expected: str) -> Any:
    def check(value: Any) -> str:
        if isinstance(value, bool):
            # YAML 1.1 takes these words for true and false.
            raise ValueError(f"is a yes or no; expected {expected} (put yes, no, on and off in quotes)")
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f"is not valid; expected {expected}")
        if len(value) > MAX_NAME_LENGTH:
            raise ValueError(f"has {len(value)} letters; expected at most {MAX_NAME_LENGTH}")
        return value

    return BeforeValidator(check)


@functools.cache
def unit_validator(unit: str) -> Any:
    """Validator of a field in this unit: a number in it, or an expression, which may have units."""
    return BeforeValidator(lambda value: validate_number(value, unit))


@functools.cache
def number_list_type(unit: str, count: int) -> Any:
    """Type of a list of `count` numbers in a unit."""
    return Annotated[list[Annotated[float | str, unit_validator(unit)]], Field(min_length=count, max_length=count)]


@functools.cache
def one_or_two_validator(unit: str) -> Any:
    """Validator of a field for both bodies of a contact."""
    return BeforeValidator(lambda value: _validate_one_or_two(value, unit))


@functools.cache
def per_facet_validator(unit: str) -> Any:
    """Validator of a number for all facets, or of a list with one for each."""

    def check(value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list):
            return validate_number(value, unit)
        return [x if type(x) is float else validate_number(x, unit) for x in value]

    return BeforeValidator(check)


def serialise_mesh(mesh: Any) -> Any:
    """Mesh as numbers, for files; other values (file names, shapes) are unchanged."""
    return mesh.to_dict() if hasattr(mesh, "to_dict") else mesh


TWO_ENTRIES, THREE_ENTRIES = (Field(min_length=count, max_length=count) for count in (2, 3))
ExpressionField = Annotated[float | str, BeforeValidator(validate_number)]
"""Number of any unit, in SI unless it has a unit."""
Dimensionless = Annotated[float | str, unit_validator("1")]
Length = Annotated[float | str, unit_validator("m")]
Area = Annotated[float | str, unit_validator("m^2")]
SecondMoment = Annotated[float | str, unit_validator("m^4")]
Curvature = Annotated[float | str, unit_validator("1/m")]
Mass = Annotated[float | str, unit_validator("kg")]
MassPerLength = Annotated[float | str, unit_validator("kg/m")]
Density = Annotated[float | str, unit_validator("kg/m^3")]
Inertia = Annotated[float | str, unit_validator("kg m^2")]
Time = Annotated[float | str, unit_validator("s")]
Rate = Annotated[float | str, unit_validator("1/s")]
Speed = Annotated[float | str, unit_validator("m/s")]
Acceleration = Annotated[float | str, unit_validator("m/s^2")]
Angle = Annotated[float | str, unit_validator("rad")]
AngularVelocity = Annotated[float | str, unit_validator("rad/s")]
Modulus = Annotated[float | str, unit_validator("Pa")]
AxialStiffness = Annotated[float | str, unit_validator("N")]
BendingStiffness = Annotated[float | str, unit_validator("N m^2")]
LengthPair = Annotated[list[Length], TWO_ENTRIES]
LengthTriple = Annotated[list[Length], THREE_ENTRIES]
"""Places and displacements, m."""
DimensionlessTriple = Annotated[list[Dimensionless], THREE_ENTRIES]
AnglesInDegrees = Annotated[list[Annotated[float | str, BeforeValidator(_validate_degrees)]], THREE_ENTRIES]
Name = Annotated[str, pattern_validator(NAME_PATTERN, "a name: a letter, then letters, digits, _ or -")]
Reference = Annotated[str, pattern_validator(REFERENCE_PATTERN, "a point or body, such as A, crank.A or ground.O")]
Title = Annotated[str, pattern_validator(TITLE_PATTERN, "a short text without quotes and brackets")]


TwoPoints = Annotated[list[Reference], Field(min_length=2, max_length=2)]


class StrictSpec(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", populate_by_name=True)
