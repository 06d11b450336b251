"""Compiled model: read once, then analysed in variants that differ in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.grammar import substitute_time
from gaitwright.model.model import Model, require_model
from gaitwright.model.reader.mechanism_builder import MechanismBuilder
from gaitwright.model.spec.document import ELEMENT_REGISTRIES
from gaitwright.physics.parameters import Signal


class CompiledModel(Model):
    """Model whose bodies, joints, drives and forces are read once. Its variants have no contacts, other contacts, or drives
    reversed in time. Only contacts may be added to it."""

    def __init__(self, model: Model):
        self.document = require_model(model, "analyse_leg").document
        self.lowering = model.lowering if isinstance(model, CompiledModel) else MechanismBuilder(model.document).read()

    _tables: tuple[list[Any], Mechanism] | None = None
    """Contacts, and the mechanism last built with them."""

    def lowered(self, parameters: Mapping[str, float]) -> Mechanism:
        """Mechanism with the present contacts, built once."""
        if parameters:
            raise TypeError("a model that is read already has its parameters")
        contacts = self.document.contacts
        if self._tables is None or not _are_same_entries(self._tables[0], contacts):
            self._tables = list(contacts), self.lowering.touching(contacts).mechanism()
        return self._tables[1]

    def in_air(self) -> CompiledModel:
        """Variant without contacts, quantities, charts, output selection and analysis."""
        return self._variant(self.lowering, contacts=[], quantities={}, charts=[], outputs=[], analysis=None)

    def backwards(self) -> CompiledModel:
        """Variant with drives reversed in time: a crank turns the other way from the same pose. Time-dependent loads are
        unchanged."""
        drives = [_reverse_drive(entry, self.dimension) for entry in self.document.drives]
        return self._variant(self.lowering.backwards(), drives=drives)

    def _variant(self, lowering: MechanismBuilder, **changes: Any) -> CompiledModel:
        new = CompiledModel.of(self.document.model_copy(update={"contacts": list(self.document.contacts), **changes}))
        new.lowering = lowering
        if lowering is self.lowering:
            new._tables = self._tables
        return new


def _are_same_entries(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


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
