"""One number of each of some outputs, as commands and studies ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitwright.design.question import MEASURES, output_over_time


class Taken:
    """A function of a result: {output: its final, max, min or max_abs value over time}. measures: the same as expressions."""

    def __init__(self, names: Sequence[str], what: str):
        self.names, self.what = tuple(names), what
        self.measures = {name: f"{name}.{what}" for name in names}

    def __call__(self, result: Any) -> dict[str, float]:
        return {name: float(MEASURES[self.what](output_over_time(result, name)[0])) for name in self.names}
