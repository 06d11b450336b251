"""A model that is read once and then analysed in variants that differ in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from gaitwright.model.grammar import at_time
from gaitwright.model.lower import Lowering
from gaitwright.model.model import Model, require_model
from gaitwright.model.spec import REGISTRIES
from gaitwright.physics.declare import Signal
from gaitwright.system.mechanism import Mechanism


class Lowered(Model):
    """A model whose bodies, joints, drives and forces are read once: variants of it are free of contacts, stand on others, or
    run their drives backwards. Nothing but contacts may be added to one."""

    def __init__(self, model: Model):
        self.document = require_model(model, "analyse_leg").document
        self.lowering = model.lowering if isinstance(model, Lowered) else Lowering(model.document).read()

    _tables: tuple[list[Any], Mechanism] | None = None
    """Contacts and the mechanism with them, as it was built last."""

    def lowered(self, parameters: Mapping[str, float]) -> Mechanism:
        """A mechanism of its own for each caller, which may eliminate redundant rows; the tables are built once."""
        if parameters:
            raise TypeError("a model that is read already has its parameters")
        contacts = self.document.contacts
        if self._tables is None or not _same_entries(self._tables[0], contacts):
            self._tables = list(contacts), self.lowering.touching(contacts).mechanism()
        mechanism = copy(self._tables[1])
        mechanism.warnings = list(mechanism.warnings)
        return mechanism

    def in_air(self) -> Lowered:
        """Without contacts, and without wishes for outputs and an analysis."""
        return self._variant(self.lowering, contacts=[], quantities={}, charts=[], outputs=[], analysis=None)

    def backwards(self) -> Lowered:
        """With its drives run backwards in time: a crank turns the other way round from the same pose. Loads that are
        functions of time stay as they are."""
        drives = [_backwards(entry, self.dimension) for entry in self.document.drives]
        return self._variant(self.lowering.backwards(), drives=drives)

    def _variant(self, lowering: Lowering, **changes: Any) -> Lowered:
        new = Lowered.of(self.document.model_copy(update={"contacts": list(self.document.contacts), **changes}))
        new.lowering = lowering
        if lowering is self.lowering:
            new._tables = self._tables
        return new


def _same_entries(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _backwards(entry: dict[str, Any], dimension: int) -> dict[str, Any]:
    """A drive of a document, as a function of -t."""
    parameters = REGISTRIES["drives"][dimension][entry["type"]].parameters
    timed = [field for field, parameter in parameters.items() if isinstance(parameter, Signal)]
    return {**entry, **{field: _reversed(entry.get(field)) for field in timed if field in entry}}


def _reversed(value: Any) -> Any:
    """Of a number or an expression, or of several."""
    if isinstance(value, list):
        return [_reversed(part) for part in value]
    return at_time(value, "-t") if isinstance(value, str) else value
