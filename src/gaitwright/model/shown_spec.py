"""Sections of the document about what is shown: outputs of the model's own, and charts of one output over another."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gaitwright.errors import ModelError
from gaitwright.model.fields import Strict, Title, matching
from gaitwright.model.grammar import parse
from gaitwright.model.units import near, read_unit

OutputName = Annotated[str, matching(re.compile(r"[\w.:-]+"), "an output, such as crank.torque")]


def _formula(value: Any) -> Any:
    """An expression that may name outputs, as it was written."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError("is not an expression; expected one of outputs, such as pi/2 - trunk.angle")
    try:
        parse(value, series=None, outputs=True)
    except ModelError as error:
        raise ValueError(str(error)) from None
    return value


def _unit(value: Any) -> Any:
    if not isinstance(value, str) or read_unit(value) is None:
        hint = near(value) if isinstance(value, str) else ""
        raise ValueError(f"is no unit; expected one such as deg, mm or N m{hint}")
    return value


def _whole(value: Any) -> Any:
    """`share: a/b` is short for `share: {value: a/b}`."""
    return {"value": value} if isinstance(value, (str, int, float)) and not isinstance(value, bool) else value


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class QuantityFields(Strict):
    """value: an expression of outputs, parameters and t, in SI. unit: what it is shown in."""

    value: Annotated[float | str, BeforeValidator(_formula)] = Field(description="an expression of outputs")
    unit: Annotated[str, BeforeValidator(_unit)] | None = None
    description: Title = ""


Quantity = Annotated[QuantityFields, BeforeValidator(_whole)]


class Chart(Strict):
    """Outputs y over an output x, or over time."""

    x: OutputName = Field(description="an output, or time")
    y: Annotated[list[OutputName], BeforeValidator(_several), Field(min_length=1)] = Field(
        description="an output, or a list of outputs in one unit"
    )
    title: Title = ""
