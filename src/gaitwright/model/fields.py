"""What the fields of a model document are made of: numbers and expressions, names, references, vectors."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from gaitwright.errors import ModelError
from gaitwright.model.expressions import parse

NAME = re.compile(r"[^\W\d][\w-]*")
REFERENCE = re.compile(r"[^\W\d][\w-]*(\.[^\W\d][\w-]*)?")
TITLE = re.compile(r"[\w .,:+/-]*")


def number(value: Any) -> float | str:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError("is not a number; expected a number or an expression")
    if isinstance(value, str):
        try:
            parse(value, series=None)  # which series there are is known when the whole model is
        except ModelError as error:
            raise ValueError(str(error)) from None
        return value
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise ValueError("is not finite; expected a finite number")
    return found


def _one_or_two(value: Any) -> Any:
    """A number for both bodies of a contact, or [of the surface, of what touches it]."""
    if not isinstance(value, list):
        return number(value)
    if len(value) != 2:
        raise ValueError("is not a pair; expected a number, or two: [of the surface, of what touches it]")
    return [number(v) for v in value]


def matching(pattern: re.Pattern[str], expected: str) -> Any:
    def check(value: Any) -> str:
        if isinstance(value, bool):
            # YAML 1.1 takes these words for true and false.
            raise ValueError(f"is a yes or no; expected {expected} (put yes, no, on and off in quotes)")
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f"is not valid; expected {expected}")
        return value

    return BeforeValidator(check)


Expression = Annotated[float | str, BeforeValidator(number)]
Pair = Annotated[list[Expression], Field(min_length=2, max_length=2)]
Triple = Annotated[list[Expression], Field(min_length=3, max_length=3)]
VECTOR: dict[int, Any] = {2: Pair, 3: Triple}
"""By dimension."""
Name = Annotated[str, matching(NAME, "a name: a letter, then letters, digits, _ or -")]
Reference = Annotated[str, matching(REFERENCE, "a point or body, such as A, crank.A or ground.O")]
Title = Annotated[str, matching(TITLE, "a short text without quotes and brackets")]


OneOrTwo = Annotated[Any, BeforeValidator(_one_or_two)]
TwoPoints = Annotated[list[Reference], Field(min_length=2, max_length=2)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)
