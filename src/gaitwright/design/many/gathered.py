"""What chunks of designs gave, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.many.classic import DEAD_POINT, LOST, SINGULAR_POSE
from gaitwright.design.many.measures import Asked, Measured
from gaitwright.design.many.table import INTERRUPTED

REASONS = [
    "",
    "the mechanism cannot be closed from the drawn pose",
    "the mechanism cannot follow its drives: it reaches a dead point or the end of its range",
    "the mechanism reaches a singular pose",
    "the motion is lost: the step is too long for it",
    "a contact starts inside its surface, and nobody knows how fast it came there (approach_speed)",
    INTERRUPTED,
]
"""By code of a failure; codes behind them are those of numbers beyond limits, and of measures."""
CODE_INTERRUPTED = REASONS.index(INTERRUPTED)


class Found(NamedTuple):
    """codes: 0 where all is well. ends: s, when a design failed, or NaN. numbers: basic measures, and their derivatives by
    (measure, parameter)."""

    codes: np.ndarray
    ends: np.ndarray
    numbers: dict[Any, np.ndarray]
    reasons: list[str]


class Gathered:
    """What chunks of designs gave, put together."""

    def __init__(self, codes: np.ndarray, reasons: list[str]):
        self.codes, self.reasons = codes.copy(), reasons
        self.waiting = codes == 0
        self.codes[self.waiting] = CODE_INTERRUPTED
        self.ends = np.full(codes.size, np.nan)
        self.numbers: dict[Any, np.ndarray] = {}

    def take(
        self, place: np.ndarray, codes: np.ndarray, ends: np.ndarray, good: np.ndarray, measured: Measured
    ) -> None:
        """place: which designs. good: those of them that were measured."""
        self.codes[place] = codes
        self.ends[place] = np.where(np.isin(codes, (DEAD_POINT, SINGULAR_POSE, LOST)), ends, np.nan)
        for name, values in measured.numbers.items():
            self.numbers.setdefault(name, np.full(self.codes.size, np.nan))[place[good]] = values
        for said, mask in measured.wrong.items():
            if mask.any():
                self.fail(place[good][mask], said)

    def fail(self, place: np.ndarray, said: str) -> None:
        """These designs have no numbers, for a reason of their own."""
        if said not in self.reasons:
            self.reasons.append(said)
        self.codes[place] = self.reasons.index(said)

    def found(self, question: Asked, derived: Sequence[str], varied: Sequence[str]) -> Found:
        names: list[Any] = [name for name, *_ in question.reduced] + [
            name for source in question.sources for name in source.gives
        ]
        names += [(basic, name) for basic in derived for name in varied]
        for name in names:
            self.numbers.setdefault(name, np.full(self.codes.size, np.nan))
        return Found(self.codes, self.ends, self.numbers, self.reasons)
