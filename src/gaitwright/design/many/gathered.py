"""What chunks of designs gave, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.many.classic import DEAD_POINT, LOST, SINGULAR_POSE
from gaitwright.design.many.kept_designs import Block, KeptDesigns
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
    (measure, parameter). finished: none was left out or given up."""

    codes: np.ndarray
    ends: np.ndarray
    numbers: dict[Any, np.ndarray]
    reasons: list[str]
    finished: bool


class Gathered:
    """What chunks of designs gave, put together; and kept in a file, if there is one, from which it begins."""

    def __init__(self, codes: np.ndarray, reasons: list[str], kept: KeptDesigns | None = None):
        self.codes, self.reasons, self.kept = codes.copy(), reasons, kept
        self.waiting = codes == 0
        self.codes[self.waiting] = CODE_INTERRUPTED
        self.ends = np.full(codes.size, np.nan)
        self.numbers: dict[Any, np.ndarray] = {}
        self.lost = False
        for block in kept.blocks() if kept else ():
            self._take(block)
            self.waiting[block.place] = False

    def take(
        self, place: np.ndarray, codes: np.ndarray, ends: np.ndarray, good: np.ndarray, measured: Measured
    ) -> None:
        """place: which designs. good: those of them that were measured."""
        block = Block(place, codes, ends, good, measured)
        self._take(block)
        if self.kept is not None:
            self.kept.add(block)

    def _take(self, block: Block) -> None:
        place, codes, ends, good, measured = block
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

    def give_up(self, place: np.ndarray, said: str) -> None:
        """These designs took down who worked on them; they are tried again when they are asked for again."""
        self.fail(place, said)
        self.lost = True

    def fraction(self) -> float:
        """Part of the designs of which something is known."""
        return 1.0 - np.count_nonzero(self.codes == CODE_INTERRUPTED) / self.codes.size

    def found(self, question: Asked, derived: Sequence[str], varied: Sequence[str]) -> Found:
        names: list[Any] = [name for name, *_ in question.reduced] + [
            name for source in question.sources for name in source.gives
        ]
        names += [(basic, name) for basic in derived for name in varied]
        for name in names:
            self.numbers.setdefault(name, np.full(self.codes.size, np.nan))
        finished = not self.lost and not np.any(self.codes == CODE_INTERRUPTED)
        return Found(self.codes, self.ends, self.numbers, self.reasons, finished)
