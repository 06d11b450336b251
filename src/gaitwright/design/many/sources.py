"""Functions of a Result that printed programs measure, too: who has written one tells here what does the same there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from gaitwright.design.many.measures import Source
    from gaitwright.model.model import Model

Measure = Callable[[Any], dict[str, float]]
M = TypeVar("M", bound=Measure)
SOURCES: dict[Measure, Callable[[Model], Source]] = {}
"""By function of a Result that gives numbers by name: the source of the same numbers of many designs of a model."""


def measured_by(source: Callable[[Model], Source]) -> Callable[[M], M]:
    """Decorator of a function of a Result: `source` gives the same numbers of many designs."""

    def add(measure: M) -> M:
        SOURCES[measure] = source
        return measure

    return add
