"""Schema of user-defined outputs and of charts of one output over another."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gaitwright._core.errors import ModelError
from gaitwright.model.grammar import parse
from gaitwright.model.spec.field_types import StrictSpec, Title, pattern_validator
from gaitwright.model.units import read_unit, unit_suggestion

OutputName = Annotated[str, pattern_validator(re.compile(r"[\w.:-]+"), "an output, such as crank.torque")]


def _validate_formula(value: Any) -> Any:
    """Validate an expression that may name outputs; returned as written."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError("is not an expression; expected one of outputs, such as pi/2 - trunk.angle")
    try:
        parse(value, series=None, outputs=True)
    except ModelError as error:
        raise ValueError(str(error)) from None
    return value


def _validate_unit(value: Any) -> Any:
    if not isinstance(value, str) or read_unit(value) is None:
        hint = unit_suggestion(value) if isinstance(value, str) else ""
        raise ValueError(f"is no unit; expected one such as deg, mm or N m{hint}")
    return value


def _expand_short_form(value: Any) -> Any:
    """Expand the short form `share: a/b` to `share: {value: a/b}`."""
    return {"value": value} if isinstance(value, (str, int, float)) and not isinstance(value, bool) else value


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class UserOutputSpec(StrictSpec):
    """User-defined output. value: an expression of outputs, parameters and t, in SI. unit: display unit."""

    value: Annotated[float | str, BeforeValidator(_validate_formula)] = Field(description="an expression of outputs")
    unit: Annotated[str, BeforeValidator(_validate_unit)] | None = None
    description: Title = ""


UserOutputField = Annotated[UserOutputSpec, BeforeValidator(_expand_short_form)]


class ChartSpec(StrictSpec):
    """Chart of outputs y over an output x, or over time."""

    x: OutputName = Field(description="an output, or time")
    y: Annotated[list[OutputName], BeforeValidator(_as_list), Field(min_length=1)] = Field(
        description="an output, or a list of outputs in one unit"
    )
    title: Title = ""
