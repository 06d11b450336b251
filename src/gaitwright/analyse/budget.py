"""How much work an analysis may take before it is given up: steps, wall time and room for its samples.

A model can ask for more than anybody wants to wait for, often by a slip: friction of 1e6 makes steps of a nanosecond. An
analysis therefore ends when its budget is used up, with what was computed, and says how to give it more. The limits are
far beyond every run of the documentation and the papers, the longest of which take 1e7 steps and some minutes.
"""

from __future__ import annotations

import math
import os
import time as clock
from typing import Any

from gaitwright.checks import At
from gaitwright.errors import OutOfBudget

MAX_STEPS = 100_000_000
"""Steps that are tried, also those that are rejected: an hour for a small mechanism. Samples of a motion that drives
prescribe; factorisations on the way to an equilibrium."""
MAX_SECONDS = 3600.0
"""Wall time, s."""


def _memory() -> float:
    """Bytes of memory that the machine has; 8 GB where it does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8e9


MOST_ROOM = max(8e9, _memory())
"""Bytes of the states that a result keeps."""


class Budget:
    """What is left for one analysis; the clock runs from its making."""

    def __init__(self, max_steps: float | None = None, max_seconds: float | None = None):
        self.max_steps = MAX_STEPS if max_steps is None else _positive(max_steps, "max_steps")
        self.max_seconds = MAX_SECONDS if max_seconds is None else _positive(max_seconds, "max_seconds")
        At("analysis", "max_steps").whole(self.max_steps, "is no number of steps", "1, 2, 3, ...")
        self.steps, self.kept = 0, 0.0  # kept: bytes of what was stored so far
        self.began = clock.monotonic()

    @property
    def steps_left(self) -> int:
        return int(max(self.max_steps - self.steps, 0))

    def is_late(self) -> bool:
        """Whether the wall time is used up."""
        return clock.monotonic() - self.began >= self.max_seconds

    def spent(self) -> str:
        """What is used up, and nothing while nothing is."""
        if self.steps >= self.max_steps:
            return f"the analysis took its {self.max_steps:.6g} steps (max_steps)"
        if self.is_late():
            return f"the analysis took its {self.max_seconds:.6g} s of wall time (max_seconds)"
        if self.kept > MOST_ROOM:
            return f"the analysis has filled the {1e-9 * MOST_ROOM:.3g} GB of memory that there are"
        return ""

    def spend(self, steps: int = 1, time: float | None = None) -> None:
        """Count steps; OutOfBudget when there are no more."""
        self.steps += steps
        if self.spent():
            raise self.failure(time)

    def failure(self, time: float | None = None, partial: Any = None) -> OutOfBudget:
        """What to raise when it is used up."""
        which = "max_steps" if self.steps >= self.max_steps else "max_seconds"
        advice = f"raise {which}, in the section analysis or as an option, or look for what makes the steps so small"
        if self.kept > MOST_ROOM:
            advice = "ask for fewer outputs (output_step, every)"
        return OutOfBudget(f"{self.spent()} before its end", time=time, partial=partial, suggestion=advice)


def require_room(samples: float, width: int, field: str, value: float) -> None:
    """Refuse a result that no memory holds. samples: times; width: numbers in the state at one of them."""
    if not samples * width * 8.0 <= MOST_ROOM:
        At("analysis", field).fail(
            f"asks for {samples:.2g} samples, {8e-9 * samples * width:.2g} GB",
            value,
            f"at most {MOST_ROOM / 8.0 / width:.2g} samples of this model on this machine",
        )


def _positive(value: float, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value) or value <= 0:
        At("analysis", field).fail("is not positive", value, "a positive number")
    return value
