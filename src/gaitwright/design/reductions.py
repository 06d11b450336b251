"""Reduction of several outputs to one number each, for commands and studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitwright.design.evaluation import OUTPUT_REDUCTIONS, output_over_time


class OutputReduction:
    """Function of a result that returns {output: final, max, min or max_abs value over time}. what: name of the reduction.
    measures: the same numbers as expressions."""

    def __init__(self, names: Sequence[str], what: str):
        self.names, self.what = tuple(names), what
        self.measures = {name: f"{name}.{what}" for name in names}

    def __call__(self, result: Any) -> dict[str, float]:
        return {name: float(OUTPUT_REDUCTIONS[self.what](output_over_time(result, name)[0])) for name in self.names}
