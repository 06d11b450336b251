"""Collected results of chunks of designs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.codegen.measures import DesignMeasures, MeasureRequest
from gaitwright.design.batch.design_table import INTERRUPTED_REASON
from gaitwright.design.batch.fallback import CODE_DEAD_POINT, CODE_MOTION_LOST, CODE_SINGULAR_POSE
from gaitwright.design.result_store import ResultStore

FAILURE_REASONS = [
    "",
    "the mechanism cannot be closed from the drawn pose",
    "the mechanism cannot follow its drives: it reaches a dead point or the end of its range",
    "the mechanism reaches a singular pose",
    "the motion is lost: the step is too long for it",
    "a contact starts inside its surface with an unknown approach speed (approach_speed)",
    INTERRUPTED_REASON,
]
"""Reasons by failure code; larger codes are assigned to inadmissible numbers and undefined measures."""
CODE_INTERRUPTED = FAILURE_REASONS.index(INTERRUPTED_REASON)


class DesignResults(NamedTuple):
    """Results of all designs. codes: failure codes, 0 on success. ends: time of failure, s, or NaN. numbers: basic measures by
    name, and their derivatives by (measure, parameter). reasons: by code. finished: True if no design was left out or given
    up."""

    codes: np.ndarray
    ends: np.ndarray
    numbers: dict[Any, np.ndarray]
    reasons: list[str]
    finished: bool


class DesignBlock(NamedTuple):
    """Results of some designs. place: their indices. codes: failure codes. ends: time of failure, s. good: positions within
    `place` of the measured designs. measured: their measures."""

    place: np.ndarray
    codes: np.ndarray
    ends: np.ndarray
    good: np.ndarray
    measured: DesignMeasures

    def entry(self) -> dict[str, Any]:
        """Entry of a store. Names are text, or pairs (measure, parameter) for derivatives."""
        wrong = {problem: mask for problem, mask in self.measured.wrong.items() if mask.any()}
        return {
            "place": self.place.astype(np.uint32), "codes": self.codes.astype(np.uint8), "ends": self.ends,
            "good": self.good.astype(np.uint32), "numbers": list(self.measured.numbers.items()), "wrong": wrong,
        }  # fmt: skip

    @classmethod
    def from_entry(cls, entry: dict[str, Any]) -> DesignBlock:
        numbers = {tuple(name) if isinstance(name, list) else name: values for name, values in entry["numbers"]}
        measured = DesignMeasures(numbers, entry["wrong"])
        return cls(entry["place"], entry["codes"], entry["ends"], entry["good"], measured)


class ResultCollector:
    """Collect the results of chunks of designs; start with the results in a store, if given, and add new ones to it."""

    def __init__(self, codes: np.ndarray, reasons: list[str], kept: ResultStore | None = None):
        self.codes, self.reasons, self.kept = codes.copy(), reasons, kept
        self.waiting = codes == 0
        self.codes[self.waiting] = CODE_INTERRUPTED
        self.ends = np.full(codes.size, np.nan)
        self.numbers: dict[Any, np.ndarray] = {}
        self.lost = False
        for entry in kept.take_entries() if kept else ():
            block = DesignBlock.from_entry(entry)
            self._take(block)
            self.waiting[block.place] = False

    def take(
        self, place: np.ndarray, codes: np.ndarray, ends: np.ndarray, good: np.ndarray, measured: DesignMeasures
    ) -> None:
        """Add results of the designs with indices `place`. good: positions within `place` of the measured designs."""
        block = DesignBlock(place, codes, ends, good, measured)
        self._take(block)
        if self.kept is not None:
            self.kept.add((float(place[0]),), block.entry())  # the first design belongs to no other block

    def _take(self, block: DesignBlock) -> None:
        place, codes, ends, good, measured = block
        self.codes[place] = codes
        self.ends[place] = np.where(
            np.isin(codes, (CODE_DEAD_POINT, CODE_SINGULAR_POSE, CODE_MOTION_LOST)), ends, np.nan
        )
        for name, values in measured.numbers.items():
            self.numbers.setdefault(name, np.full(self.codes.size, np.nan))[place[good]] = values
        for problem, mask in measured.wrong.items():
            if mask.any():
                self.fail(place[good][mask], problem)

    def fail(self, place: np.ndarray, said: str) -> None:
        """Mark designs as failed with a reason."""
        if said not in self.reasons:
            self.reasons.append(said)
        self.codes[place] = self.reasons.index(said)

    def give_up(self, place: np.ndarray, said: str) -> None:
        """Mark designs that crashed their worker; a later call with the same store tries them again."""
        self.fail(place, said)
        self.lost = True

    def fraction(self) -> float:
        """Fraction of the designs that have a result."""
        return 1.0 - np.count_nonzero(self.codes == CODE_INTERRUPTED) / self.codes.size

    def found(self, question: MeasureRequest, derived: Sequence[str], varied: Sequence[str]) -> DesignResults:
        names: list[Any] = [name for name, *_ in question.reduced] + [
            name for source in question.sources for name in source.gives
        ]
        names += [(basic, name) for basic in derived for name in varied]
        for name in names:
            self.numbers.setdefault(name, np.full(self.codes.size, np.nan))
        finished = not self.lost and not np.any(self.codes == CODE_INTERRUPTED)
        return DesignResults(self.codes, self.ends, self.numbers, self.reasons, finished)
