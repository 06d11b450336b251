"""Compiled model: names of a document resolved and numbers evaluated, once for all analyses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.grammar import substitute_time
from gaitwright.model.reader.mechanism_builder import MechanismBuilder
from gaitwright.model.reader.number_reader import require_known_parameters
from gaitwright.model.spec.document import ELEMENT_REGISTRIES, ModelDocument
from gaitwright.model.unit_checks import plausibility_warnings
from gaitwright.physics.parameters import Signal

SECTIONS_BESIDE_ELEMENTS = frozenset({"contacts", "gait", "analysis", "quantities", "charts", "outputs"})
"""Sections of a document that are not needed to read its bodies, joints, drives and forces."""
_PLAIN_TYPES = frozenset({str, float, int, bool, type(None)})
"""Types of values without parts. Comparison and copies run in every analysis and drag, so they test types first."""


class CompiledModel:
    """Immutable compiled form of a document. Inputs of its mechanism are the parameter values, the contacts and the direction
    of the drives: `variant` returns the same model with others and shares everything that they do not change. Bodies,
    joints, drives and forces are read once; the mechanism with its tables and the plausibility checks are made once, when
    they are first used.

    is_checked: True if plausibility warnings, requested outputs and charts are checked; variants of a sweep are not."""

    document: ModelDocument
    is_checked: bool

    def __init__(self, document: ModelDocument):
        self.sections = freeze_sections(document)
        self.document, self.is_checked = copy_structure(document), True
        self._source: CompiledModel | None = None
        self._is_reversed = False
        self._clear()

    def _clear(self) -> None:
        self._builder: MechanismBuilder | None = None
        self._mechanism: Mechanism | None = None
        self._warnings: tuple[str, ...] | None = None
        self._has_checked_outputs = False

    def __getstate__(self) -> dict[str, Any]:
        """State for another process, which reads the document there."""
        return {"document": self.document, "is_checked": self.is_checked}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(CompiledModel(state["document"]).__dict__, is_checked=state["is_checked"])

    @property
    def builder(self) -> MechanismBuilder:
        """Reader that has read everything except contacts. It reads again if parts remember their past, because a result keeps
        the parts of its analysis."""
        if self._builder is None or self._builder.has_history:
            if self._source is None:
                self._builder = MechanismBuilder(self.document).read()
            else:
                source = self._source.builder
                self._builder = source.backwards() if self._is_reversed else source
        return self._builder

    def mechanism(
        self, parameters: Mapping[str, float] | None = None, contacts: list[Any] | None = None, reverse: bool = False
    ) -> Mechanism:
        """Mechanism for parameter values (default: those of the document), validated contacts (default: all), and drives as
        given or reversed in time. The mechanism of the defaults is built once."""
        if parameters or contacts is not None or reverse:
            return self.variant(parameters, contacts, reverse).mechanism()
        mechanism = self._build_mechanism()
        if self.is_checked and not self._has_checked_outputs:
            self._check_outputs(mechanism)
            self._has_checked_outputs = True
        return mechanism

    def _build_mechanism(self) -> Mechanism:
        """Mechanism of the defaults; that of another variant if only sections differ of which it is independent."""
        if self._mechanism is not None and not any(part.remembers for part in self._mechanism.parts.values()):
            return self._mechanism
        source = self._source
        if (
            source is not None
            and not self._is_reversed
            and all(self.sections[name] == source.sections[name] for name in ("contacts", "quantities"))
        ):
            self._mechanism = source._build_mechanism()
            return self._mechanism
        document = self.document
        mechanism = self.builder.touching(document.contacts).mechanism()
        if self.is_checked:
            mechanism = replace(mechanism, warnings=(*mechanism.warnings, *self._plausibility_warnings(mechanism)))
        if document.quantities:
            from gaitwright.model.reader.user_outputs import read_user_outputs

            mechanism = replace(mechanism, quantities=read_user_outputs(document, mechanism, self.builder.numbers))
        self._mechanism = mechanism
        return mechanism

    def _check_outputs(self, mechanism: Mechanism) -> None:
        """ModelError if a requested output or the output of a chart does not exist."""
        if self.document.outputs:
            from gaitwright.result.catalogue import check_outputs

            check_outputs(mechanism, self.document.outputs)
        for k, chart in enumerate(self.document.charts):
            from gaitwright.result.cross_plots import check_cross_plot

            check_cross_plot(mechanism, chart.x, chart.y, f"chart {k + 1}")

    def _plausibility_warnings(self, mechanism: Mechanism) -> tuple[str, ...]:
        """Warnings of the model, checked once for all variants with its parameters."""
        if self._source is not None:
            return self._source._plausibility_warnings(mechanism)
        if self._warnings is None:
            self._warnings = tuple(plausibility_warnings(self.builder.numbers, mechanism))
        return self._warnings

    def variant(
        self,
        parameters: Mapping[str, float] | None = None,
        contacts: list[Any] | None = None,
        reverse: bool = False,
        **sections: Any,
    ) -> CompiledModel:
        """The same model with other inputs of its mechanism. parameters: numbers by name; the model is read again, and not
        checked for plausibility. contacts: validated entries. reverse: drives reversed in time (a crank turns the other way
        from the same pose); time-dependent loads are unchanged. sections: other SECTIONS_BESIDE_ELEMENTS."""
        document, changes = self.document, dict(sections)
        require_known_parameters(document, parameters or {})
        if contacts is not None:
            changes["contacts"] = list(contacts)
        if reverse:
            changes["drives"] = [_reverse_drive(entry, document.dimension) for entry in document.drives]
        if parameters:
            values = {name: float(value) for name, value in parameters.items()}
            changes["parameters"] = {**document.parameters, **values}
        new = object.__new__(CompiledModel)
        new.document, new.is_checked = document.model_copy(update=changes), self.is_checked and not parameters
        new.sections = self.sections | {name: freeze(value) for name, value in changes.items()}
        new._source, new._is_reversed = None if parameters else self, reverse
        new._clear()
        return new

    def number(self, value: float | str, element: str, field: str, unit: str = "") -> float:
        """Evaluate a number of the document with its parameters; ModelError for an invalid one."""
        return self.builder.numbers.number(value, element, field, unit)


def freeze(value: Any) -> Any:
    """Value of a document for comparison: its containers as tuples; arrays, meshes and other objects by identity."""
    kind = type(value)
    if kind in _PLAIN_TYPES:
        return value
    if kind is list or kind is tuple:
        return tuple([entry if type(entry) in _PLAIN_TYPES else freeze(entry) for entry in value])
    if kind is dict:
        return tuple(value), tuple(
            [entry if type(entry) in _PLAIN_TYPES else freeze(entry) for entry in value.values()]
        )
    return freeze(value.__dict__) if isinstance(value, BaseModel) else ("object", id(value))


def freeze_sections(document: ModelDocument) -> dict[str, Any]:
    """Frozen sections of a document by name."""
    return {name: freeze(value) for name, value in document.__dict__.items()}


def copy_structure(value: Any) -> Any:
    """Copy of a document with containers of its own, and the same numbers, arrays and meshes."""
    kind = type(value)
    if kind is dict:
        return {name: entry if type(entry) in _PLAIN_TYPES else copy_structure(entry) for name, entry in value.items()}
    if kind is list:
        return [entry if type(entry) in _PLAIN_TYPES else copy_structure(entry) for entry in value]
    if not isinstance(value, BaseModel):
        return value
    copied = value.__copy__()
    fields = vars(copied)
    for name, entry in fields.items():
        if type(entry) not in _PLAIN_TYPES:
            fields[name] = copy_structure(entry)
    return copied


def _reverse_drive(entry: dict[str, Any], dimension: int) -> dict[str, Any]:
    """Entry of a drive as a function of -t."""
    parameters = ELEMENT_REGISTRIES["drives"][dimension][entry["type"]].parameters
    timed = [field for field, parameter in parameters.items() if isinstance(parameter, Signal)]
    return {**entry, **{field: _reverse_time(entry.get(field)) for field in timed if field in entry}}


def _reverse_time(value: Any) -> Any:
    """Substitute -t in a number or an expression, or in a list of them."""
    if isinstance(value, list):
        return [_reverse_time(part) for part in value]
    return substitute_time(value, "-t") if isinstance(value, str) else value
