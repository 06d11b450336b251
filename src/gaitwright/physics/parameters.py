"""Parameters of elements: numbers, vectors, choices and functions of time, each with its unit."""

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
    """A constant vector, [x, y] or [x, y, z]; every entry is at least `minimum`."""

    unit: str
    doc: str = ""
    default: Any = None
    minimum: float | None = None


@dataclass(frozen=True)
class Direction:
    """A constant direction, [x, y] or [x, y, z], in the frame of the body named by `frame` (an attachment); normalised to a
    unit vector. `DRAWN` takes it from the drawn pose."""

    frame: str
    doc: str = ""
    default: Any = None
    unit: str = "1"


@dataclass(frozen=True)
class ComputedVector:
    """A constant vector that is never given: `drawn` computes it from the other parameters in the drawn pose."""

    doc: str = ""
    unit: str = "1"
    default: Any = field(default_factory=lambda: DRAWN)


@dataclass(frozen=True)
class Choice:
    """A named option; the expression gets the number of the chosen name."""

    options: dict[str, float]
    doc: str = ""
    default: Any = None
    unit: str = "1"


@dataclass(frozen=True)
class Signal:
    """A function of time; the expression may use its rate. A `vector` is [x, y] or [x, y, z]; `parts` names the entries of a
    list of other length."""

    unit: str
    doc: str = ""
    vector: bool = False
    default: Any = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Formula:
    """An expression of a model file in variables of the element, which is derived with it (model/formulas.py). The expression
    of a declaration with a Formula gets a function of these variables, with `integral` over the first of them."""

    unit: str
    doc: str = ""
    variables: tuple[str, ...] = ()
    default: Any = None


ZERO_DIRECTION_TOL = 1e-12
"""Length of a vector below which it has no direction: near zero, division by it overflows."""
ELEMENT_LENGTH = Number("m", "length of the element in the unstressed shape")

DRAWN = object()
"""Default of a parameter that is measured in the drawn pose by the declaration's `drawn` method."""

Parameter = Number | Components | Direction | ComputedVector | Choice | Signal | Formula
VECTOR_PARAMETERS = (Components, Direction, ComputedVector)
"""Parameters with one number per dimension."""
