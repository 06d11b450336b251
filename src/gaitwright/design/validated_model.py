"""Variants of one model with other parameter values, made without repeated validation of the document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model
from gaitwright.model.spec.document import ModelDocument


class ValidatedModel(Model):
    """Model that was validated once and can be analysed with many parameter values: validation takes as long as the analysis of
    a leg's turn. A variant shares everything but the parameters with its model, so nothing may be added to it.
    """

    def __init__(self, model: Model):
        self.document: ModelDocument = model.document
        super().mechanism()  # raises errors that apply to all variants, such as an unknown output

    def variant(self, values: Mapping[str, float]) -> ValidatedModel:
        """Model with other values of some of its parameters, which must exist."""
        parameters = {**self.document.parameters, **{name: float(value) for name, value in values.items()}}
        return ValidatedModel.of(self.document.model_copy(update={"parameters": parameters}))

    def mechanism(self, **parameters: float) -> Mechanism:
        from gaitwright.model.reader.mechanism_builder import build_mechanism

        mechanism = build_mechanism(self.document, parameters)
        if self.document.quantities:
            from gaitwright.model.reader.user_outputs import read_user_outputs

            mechanism = replace(mechanism, quantities=read_user_outputs(self.document, mechanism, parameters))
        return mechanism
