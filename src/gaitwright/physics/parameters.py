"""What an element is given besides its attachments: numbers, vectors, choices and functions of time, each with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Number:
    """A constant parameter. `default=None` makes it required; `DRAWN` takes it from the drawn pose (see `drawn`)."""

    unit: str
    doc: str = ""
    default: Any = None
    minimum: float | None = None


@dataclass(frozen=True)
class Components:
    """A constant vector, [x, y] or [x, y, z]; every entry is one of `minimum` at least."""

    unit: str
    doc: str = ""
    default: Any = None
    minimum: float | None = None


@dataclass(frozen=True)
class Direction:
    """A constant direction, [x, y] or [x, y, z], in the frame of the body named by `frame` (an attachment); made a unit
    vector. `DRAWN` takes it from the drawn pose."""

    frame: str
    doc: str = ""
    default: Any = None
    unit: str = "1"


@dataclass(frozen=True)
class Computed:
    """A constant vector that nobody gives: `drawn` computes it from the other parameters in the drawn pose."""

    doc: str = ""
    unit: str = "1"
    default: Any = field(default_factory=lambda: DRAWN)


@dataclass(frozen=True)
class Choice:
    """A named option; the expression sees the number behind the chosen name."""

    options: dict[str, float]
    doc: str = ""
    default: Any = None
    unit: str = "1"


@dataclass(frozen=True)
class Signal:
    """A function of time; the expression may use its rate. A `vector` is [x, y] or [x, y, z]; `parts` names those of a
    list of other length."""

    unit: str
    doc: str = ""
    vector: bool = False
    default: Any = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Formula:
    """An expression of a model file in variables of the element, which is derived with it: model/formulas.py. The expression
    of a declaration with a Formula sees a function of these variables, with `integral` over the first of them."""

    unit: str
    doc: str = ""
    variables: tuple[str, ...] = ()
    default: Any = None


NO_DIRECTION = 1e-12
"""Length of a vector below which it has no direction: next to zero, dividing by it overflows."""
LENGTH = Number("m", "length of the element in the unstressed shape")

DRAWN = object()
"""Default of a parameter that is measured in the drawn pose by the declaration's `drawn` method."""

Parameter = Number | Components | Direction | Computed | Choice | Signal | Formula
VECTORS = (Components, Direction, Computed)
"""Parameters with one number per dimension."""
