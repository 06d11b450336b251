"""Measure functions of a Result that design methods and generated programs can use by the names of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gaitwright.design.rules import DesignRule

if TYPE_CHECKING:
    from gaitwright.codegen.measures import MeasureSource
    from gaitwright.model.model import Model
    from gaitwright.result.result import Result


class MeasureSet:
    """Function of a Result that returns several numbers by name, with their properties.

    function: function of a Result, which this object replaces as a decorator; it has the name and the documentation of the
    function. units: function that returns the unit of every number that it may return, by name. rules: for searches.
    make_source: function of a model that returns the same numbers as a source for generated programs."""

    def __init__(
        self, function: Callable[[Result], dict[str, float]], *, units: Callable[[], Mapping[str, str]],
        rules: Mapping[str, DesignRule], make_source: Callable[[Model], MeasureSource],
    ):  # fmt: skip
        self.function, self._units, self.rules, self.make_source = function, units, rules, make_source
        self.__name__, self.__module__, self.__doc__ = function.__name__, function.__module__, function.__doc__

    @property
    def units(self) -> Mapping[str, str]:
        """Unit of every number, by name."""
        return self._units()

    def __call__(self, run: Result) -> dict[str, float]:
        return self.function(run)

    def __reduce__(self) -> str:
        return self.__name__  # pickled by reference, like a function

    def __repr__(self) -> str:
        return f"<MeasureSet {self.__name__}: {', '.join(self.units)}>"
