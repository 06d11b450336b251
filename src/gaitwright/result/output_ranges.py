"""Least and greatest value of an output, and their times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.result.contact_episodes import contact_summaries

if TYPE_CHECKING:
    from gaitwright.result.result import Result


class OutputRange(NamedTuple):
    """Range of an output: values in its unit; times, s, of their first occurrence; NaN if the output is never defined."""

    least: float
    least_at: float
    greatest: float
    greatest_at: float


UNDEFINED_RANGE = OutputRange(np.nan, np.nan, np.nan, np.nan)


def compute_ranges(result: Result, names: Iterable[str]) -> dict[str, OutputRange]:
    """Ranges of outputs at the output times. The largest contact forces and penetrations between these times are included."""
    hardest = peak_contact_values(contact_summaries(result))
    return {name: compute_range(result.time, result.array(name), hardest.get(name)) for name in names}


def compute_range(time: np.ndarray, values: np.ndarray, hardest: float | None = None) -> OutputRange:
    """Range of one output (n_times,). hardest: largest value between the output times, if known."""
    if not np.isfinite(values).any():
        return UNDEFINED_RANGE
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    largest = max(float(values[high]), -np.inf if hardest is None else hardest)
    return OutputRange(float(values[low]), float(time[low]), largest, float(time[high]))


def peak_contact_values(contacts: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Largest force and penetration of contacts over all steps, by the name of the output. contacts: their summaries."""
    forces = {f"{name}.normal_force": contact["max_normal_force"] for name, contact in contacts.items()}
    return forces | {f"{name}.penetration": contact["max_penetration"] for name, contact in contacts.items()}
