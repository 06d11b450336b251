"""Variants of one model with other values of its parameters, made without checking the whole document again."""

from __future__ import annotations

from collections.abc import Mapping

from gaitwright.model.model import Model
from gaitwright.model.spec import Document
from gaitwright.system.mechanism import Mechanism


class Prepared(Model):
    """A model that was checked once, to be analysed with many values of its parameters: checking takes as long as a turn of
    a leg. A variant shares everything but the parameters with the model that it comes from, so nothing may be added to it.
    """

    def __init__(self, model: Model):
        self.document: Document = model.document
        super().mechanism()  # what is wrong for all variants, such as an unknown output, is said once

    def variant(self, values: Mapping[str, float]) -> Prepared:
        """The model with other values of some of its parameters, which must exist."""
        parameters = {**self.document.parameters, **{name: float(value) for name, value in values.items()}}
        return Prepared.of(self.document.model_copy(update={"parameters": parameters}))

    def mechanism(self, **parameters: float) -> Mechanism:
        from gaitwright.model.lower import lower

        mechanism = lower(self.document, parameters)
        if self.document.quantities:
            from gaitwright.model.own_quantities import read_quantities

            mechanism.quantities = read_quantities(self.document, mechanism, parameters)
        return mechanism
