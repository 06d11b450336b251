"""Registry of measure functions of a Result that generated programs can compute, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from gaitwright.codegen.measures import MeasureSource
    from gaitwright.model.model import Model

MeasureFunction = Callable[[Any], dict[str, float]]
MeasureT = TypeVar("MeasureT", bound=MeasureFunction)
MEASURE_SOURCES: dict[MeasureFunction, Callable[[Model], MeasureSource]] = {}
"""Factories of measure sources for many designs of a model, by the function of a Result that returns the same numbers."""


def register_source(source: Callable[[Model], MeasureSource]) -> Callable[[MeasureT], MeasureT]:
    """Decorator for a function of a Result. source: factory of a measure source that computes the same numbers for many
    designs."""

    def add(measure: MeasureT) -> MeasureT:
        MEASURE_SOURCES[measure] = source
        return measure

    return add
