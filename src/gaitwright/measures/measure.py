"""Measures: named numbers of analysed things, and one registry of them for each kind of thing.

    LEG_TURN_MEASURES["energy"].unit                  "J"
    LEG_TURN_MEASURES.compute(turn, ["energy"])       {"energy": 13.8}

Commands, design methods, pages, the studio and the documentation take the names, units and descriptions of measures from their
registry. A new measure is one entry. To add one at run time:

    LEG_TURN_MEASURES.add(Measure("torque_range", "N m", "greatest minus least torque of the drive",
                                  lambda turn: turn.torque.greatest - turn.torque.least))
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gaitwright._core.error_context import ErrorContext


@dataclass(frozen=True)
class Measure:
    """One number of an analysed thing.

    name: as in commands, files and expressions. unit: SI, "1" for a ratio. description: noun phrase for tables. scalar:
    function of the analysed thing that returns the number; None if an analysis computes all its numbers together. array:
    function of many things at once that returns (n_designs,), for generated programs; it may be the same as `scalar`. None if
    only separate analyses compute the number. Its derivatives follow from measures/array_derivatives.py.

    better: 1 if a larger magnitude is better, -1 if a smaller one is, 0 if neither. default_column: position among the default
    columns of design methods, from 1; 0 if it is none. key: True for the key numbers of a page. preview: label in the preview
    of the studio; empty if it is not shown there."""

    name: str
    unit: str
    description: str
    scalar: Callable[..., float] | None = field(default=None, repr=False)
    array: Callable[[Any], Any] | None = field(default=None, repr=False, kw_only=True)
    better: int = field(default=0, kw_only=True)
    default_column: int = field(default=0, kw_only=True)
    key: bool = field(default=False, kw_only=True)
    preview: str = field(default="", kw_only=True)

    def of(self, *thing: Any) -> float:
        """Number of an analysed thing."""
        assert self.scalar is not None
        return self.scalar(*thing)


AnyMeasure = TypeVar("AnyMeasure", bound=Measure)


class MeasureTable(Mapping[str, AnyMeasure]):
    """Measures by name, in the order of tables: all measures of a registry that satisfy a condition."""

    def __init__(self, measures: dict[str, AnyMeasure], condition: Callable[[AnyMeasure], bool]):
        self._measures, self._condition = measures, condition

    def __getitem__(self, name: str) -> AnyMeasure:
        measure = self._measures[name]
        if not self._condition(measure):
            raise KeyError(name)
        return measure

    def __iter__(self) -> Iterator[str]:
        return (name for name, measure in self._measures.items() if self._condition(measure))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def select(self, condition: Callable[[AnyMeasure], bool]) -> MeasureTable[AnyMeasure]:
        """Measures that satisfy a condition, including those that are registered later."""
        return MeasureTable(self._measures, lambda measure: self._condition(measure) and condition(measure))

    @property
    def descriptions(self) -> dict[str, tuple[str, str]]:
        """Unit and description by name."""
        return {name: (measure.unit, measure.description) for name, measure in self.items()}

    @property
    def units(self) -> dict[str, str]:
        return {name: measure.unit for name, measure in self.items()}

    @property
    def default_columns(self) -> list[str]:
        """Names of the default columns of design methods."""
        return sorted(
            self.select(lambda measure: measure.default_column > 0), key=lambda name: self[name].default_column
        )

    def compute(self, thing: Any, names: Iterable[str] | None = None) -> dict[str, float]:
        """Numbers of an analysed thing by name. names: default all."""
        return {name: float(self[name].of(thing)) for name in (self if names is None else names)}


class MeasureRegistry(MeasureTable[AnyMeasure]):
    """All measures of one kind of analysed thing. kind: noun phrase, such as "turn of a leg". prefix: text before the names in
    files and expressions, such as "walk_" for the walk of a leg's machine."""

    def __init__(self, kind: str, measures: Iterable[AnyMeasure], prefix: str = ""):
        super().__init__({}, lambda _: True)
        self.kind, self.prefix = kind, prefix
        for measure in measures:
            self.add(measure)

    def add(self, measure: AnyMeasure) -> AnyMeasure:
        """Register a measure. Raises ModelError if its name is taken."""
        if measure.name in self._measures:
            ErrorContext(f"measures of a {self.kind}").fail(
                f"'{measure.name}' is the name of two measures", expected="a name for each"
            )
        self._measures[measure.name] = measure
        return measure

    def remove(self, name: str) -> None:
        """Remove a measure that was registered at run time."""
        del self._measures[name]

    def __repr__(self) -> str:
        return f"<MeasureRegistry of a {self.kind}: {', '.join(self)}>"


MEASURE_MODULES = (
    "gaitwright.legs.turn_numbers",
    "gaitwright.legs.motor_use",
    "gaitwright.legs.walk_numbers",
    "gaitwright.foot.measures",
    "gaitwright.gait.spatiotemporal_table",
    "gaitwright.wear.device_measures",
)
"""Modules that define registries, in the order of the documentation. They are in higher packages, and imported on demand."""


def measure_registries() -> dict[str, MeasureRegistry[Any]]:
    """All registries by kind of analysed thing."""
    members = (value for module in MEASURE_MODULES for value in vars(importlib.import_module(module)).values())
    return {value.kind: value for value in members if isinstance(value, MeasureRegistry)}
