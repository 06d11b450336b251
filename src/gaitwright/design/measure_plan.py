"""Analysis that provides requested numbers of a model.

    plan_numbers(leg, {"energy", "step_length"})      one turn by inverse dynamics, and gw.measure_leg
    plan_numbers(leg, {"air_energy_turn"})            gw.LegTurns(ground=False)
    plan_numbers(leg, {"walk_slip"})                  the leg and the machine that walks on pairs of it
    plan_numbers(machine, {"slip"})                   gw.MachineWalks()

Each kind of model has a NumberProvider, the constant NUMBER_PROVIDER of its module. Design methods without a given analysis use
it, so that `gw.sweep(leg, {"L3": [0.27, 0.28]}, measures=["ratio=energy/step_length"])` needs no further argument.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright.codegen.measures import MeasureSource, split_measure
from gaitwright.design.rules import DesignRule
from gaitwright.model.grammar import RESERVED_WORDS
from gaitwright.model.model import Model
from gaitwright.result.catalogue import OutputCatalogue

if TYPE_CHECKING:
    from gaitwright.result.result import Result

PROVIDER_MODULES = ("gaitwright.mechanisms.leg_walk_analysis", "gaitwright.legs.machine_walks")
"""Modules with a NumberProvider. They are in higher packages, and imported on demand."""
NAME_PATTERN = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*")
MAX_LISTED_NAMES = 8
"""Maximum number of names listed in a message."""


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


class NumberPlan(NamedTuple):
    """Analysis of requested numbers. analysis: a section, a function of the model, or None for the model's own analysis. known:
    unit and description of its numbers, by name. measure: function of the Result that returns the numbers; None if the return
    value of the analysis contains them."""

    analysis: Any = None
    known: Mapping[str, tuple[str, str]] = {}
    measure: MeasureSet | None = None


class NumberProvider(NamedTuple):
    """Source of the numbers of one kind of model. applies: True for models of this kind. plan: function of the model, the names
    of numbers, and of a flag that allows a MeasureSet; it raises ModelError for an unknown name."""

    applies: Callable[[Model], bool]
    plan: Callable[[Model, Collection[str], bool], NumberPlan]


def find_provider(model: Model) -> NumberProvider | None:
    """Provider of the numbers of a model; None for a model that has outputs only."""
    providers = (importlib.import_module(module).NUMBER_PROVIDER for module in PROVIDER_MODULES)
    return next((provider for provider in providers if provider.applies(model)), None)


def plan_numbers(model: Model, names: Collection[str], *, measured: bool = True) -> NumberPlan:
    """Plan the analysis of numbers by name; without names, of all numbers. measured: True to prefer a section with a
    MeasureSet, for which a program can be generated, to an analysis function. Raises ModelError for a name that neither a leg
    nor a walk has."""
    provider = find_provider(model)
    return provider.plan(model, names, measured) if provider else NumberPlan()


def plan_analysis(model: Model, analysis: Any, texts: Iterable[str], *, measured: bool = False) -> NumberPlan:
    """Plan of the given analysis; without one, of the analysis that provides the numbers in the texts, such as
    ratio=energy/step_length. Its analysis is None if they contain outputs only. measured: as in `plan_numbers`."""
    if analysis is not None or find_provider(model) is None:
        return NumberPlan(analysis)
    names = find_number_names(texts, model)
    return plan_numbers(model, names, measured=measured) if names else NumberPlan()


def find_number_names(texts: Iterable[str], model: Model) -> set[str]:
    """Names of numbers of a leg or of a walk: names without a dot that are neither outputs nor parameters of the model, nor
    functions of expressions. Names of expressions do not count."""
    outputs = OutputCatalogue(model.mechanism()).outputs
    names: set[str] = set()
    for text in texts:
        expression = split_measure(text)[1]
        if expression in outputs or expression.rpartition(".")[0] in outputs:
            continue
        names |= {word for word in NAME_PATTERN.findall(expression) if "." not in word}
    return names - set(model.document.parameters) - set(outputs) - RESERVED_WORDS


def require_known(names: Collection[str], known: Collection[str], command: str) -> None:
    """Raise ModelError if a leg or a walk has no such number. command: the command that prints these numbers."""
    for name in sorted(set(names) - set(known)):
        expected = f"a number that `gaitwright {command}` prints, such as {', '.join(list(known)[:MAX_LISTED_NAMES])}"
        expected += ", or walk_ and a number that `walk` prints" if command == "leg" else ""
        ErrorContext().fail(
            f"there is no output and no number of a {command} '{name}'{suggest_spelling(name, known)}",
            expected=expected,
        )
