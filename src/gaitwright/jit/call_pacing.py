"""Amount of work per call of a compiled loop: between two calls Python shows progress and handles Ctrl-C."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator

TARGET_CALL_SECONDS = 0.2
"""Target duration of a call, s."""
MAX_NUMBERS_PER_CALL = 2_000_000
"""Coordinates times rows that a loop over stored rows processes per call: some tenths of a second."""


def split_rows(rows: int, width: int) -> Iterator[slice]:
    """Slices of stored rows, each `width` numbers wide, one call each."""
    step = max(1, MAX_NUMBERS_PER_CALL // max(width, 1))
    for begin in range(0, rows, step):
        yield slice(begin, min(begin + step, rows))


def initial_step_count(unknowns: int) -> int:
    """Steps of the first call, before the time per step is known: a few milliseconds of work."""
    return max(1, min(512, 20_000 // max(unknowns, 1)))


class CallPacer:
    """Number of steps of the next call, adapted to the duration of the previous calls."""

    def __init__(self, steps: int):
        self.steps, self.before = steps, clock.perf_counter()

    def begin(self) -> int:
        """Start a call and return its number of steps."""
        self.before = clock.perf_counter()
        return self.steps

    def end(self) -> None:
        took = clock.perf_counter() - self.before
        self.steps = int(min(max(self.steps * min(4.0, TARGET_CALL_SECONDS / max(took, 1e-6)), 1), 10_000_000))
