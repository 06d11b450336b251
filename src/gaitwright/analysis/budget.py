"""Limits of an analysis: number of steps, wall time and memory for its samples.

A model can need far more time than intended, often because of a wrong number: friction of 1e6 makes steps of a nanosecond. An
analysis therefore ends when its budget is used up, returns the states computed so far, and names the option that raises the
limit. The limits are far beyond all runs of the documentation and the papers: these take up to 1e7 steps and some
minutes.
"""

from __future__ import annotations

import math
import os
import time as clock
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import OutOfBudget

MAX_STEPS = 100_000_000
"""Maximum number of tried steps, including rejected ones: about an hour for a small mechanism. In kinematic analysis it limits
the samples, in statics the factorisations."""
MAX_SECONDS = 3600.0
"""Maximum wall time, s."""


def _machine_memory_bytes() -> float:
    """Physical memory of the machine in bytes; 8 GB if the operating system does not report it."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8e9


MAX_RESULT_BYTES = max(8e9, _machine_memory_bytes())
"""Maximum size of the states in a result, bytes."""


class Budget:
    """Remaining steps and wall time of one analysis; the clock starts at construction."""

    def __init__(self, max_steps: float | None = None, max_seconds: float | None = None):
        self.max_steps = MAX_STEPS if max_steps is None else _positive(max_steps, "max_steps")
        self.max_seconds = MAX_SECONDS if max_seconds is None else _positive(max_seconds, "max_seconds")
        ErrorContext("analysis", "max_steps").whole(self.max_steps, "is no number of steps", "1, 2, 3, ...")
        self.steps, self.kept = 0, 0.0  # kept: bytes stored so far
        self.began = clock.monotonic()

    @property
    def steps_left(self) -> int:
        return int(max(self.max_steps - self.steps, 0))

    def is_late(self) -> bool:
        """True if the wall time is used up."""
        return clock.monotonic() - self.began >= self.max_seconds

    def spent(self) -> str:
        """Description of the limit that is reached; empty if none is."""
        if self.steps >= self.max_steps:
            return f"the analysis took its {self.max_steps:.6g} steps (max_steps)"
        if self.is_late():
            return f"the analysis took its {self.max_seconds:.6g} s of wall time (max_seconds)"
        if self.kept > MAX_RESULT_BYTES:
            return f"the analysis has filled the {1e-9 * MAX_RESULT_BYTES:.3g} GB of available memory"
        return ""

    def spend(self, steps: int = 1, time: float | None = None) -> None:
        """Count steps; raise OutOfBudget if a limit is reached."""
        self.steps += steps
        if self.spent():
            raise self.failure(time)

    def failure(self, time: float | None = None, partial: Any = None) -> OutOfBudget:
        """Exception to raise when the budget is used up."""
        which = "max_steps" if self.steps >= self.max_steps else "max_seconds"
        advice = f"raise {which}, in the section analysis or as an option, or find the reason for the small steps"
        if self.kept > MAX_RESULT_BYTES:
            advice = "request fewer outputs (output_step, every)"
        return OutOfBudget(f"{self.spent()} before its end", time=time, partial=partial, suggestion=advice)


def require_result_memory(samples: float, width: int, field: str, value: float) -> None:
    """Raise ModelError if a result does not fit into memory. samples: number of times; width: numbers stored per time."""
    if not samples * width * 8.0 <= MAX_RESULT_BYTES:
        ErrorContext("analysis", field).fail(
            f"needs {samples:.2g} samples, {8e-9 * samples * width:.2g} GB",
            value,
            f"at most {MAX_RESULT_BYTES / 8.0 / width:.2g} samples of this model on this machine",
        )


def _positive(value: float, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value) or value <= 0:
        ErrorContext("analysis", field).fail("is not positive", value, "a positive number")
    return value
