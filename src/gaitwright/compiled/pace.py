"""How much compiled loops do before Python looks up again: progress is shown and Ctrl-C noticed between two calls."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator

GLANCE = 0.2
"""Seconds that a call should take."""
NUMBERS = 2_000_000
"""Coordinates times rows that a loop over stored rows takes at a call: some tenths of a second."""


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Slices of stored rows, each `width` numbers wide, one call each."""
    step = max(1, NUMBERS // max(width, 1))
    for begin in range(0, rows, step):
        yield slice(begin, min(begin + step, rows))


def first_steps(unknowns: int) -> int:
    """Steps of the first call, when nobody knows yet how long one takes: a few milliseconds of work."""
    return max(1, min(512, 20_000 // max(unknowns, 1)))


class Pace:
    """Counts how many steps a call should take, from how long the last ones took."""

    def __init__(self, steps: int):
        self.steps, self.before = steps, clock.perf_counter()

    def begin(self) -> int:
        """Steps of the call that begins now."""
        self.before = clock.perf_counter()
        return self.steps

    def end(self) -> None:
        took = clock.perf_counter() - self.before
        self.steps = int(min(max(self.steps * min(4.0, GLANCE / max(took, 1e-6)), 1), 10_000_000))
