"""Least and greatest value of an output, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.result.touches import contact_summaries

if TYPE_CHECKING:
    from gaitwright.result.result import Result


class Range(NamedTuple):
    """Values in the unit of the output; times, s, of the first such value; NaN where the output never exists."""

    least: float
    least_at: float
    greatest: float
    greatest_at: float


NOWHERE = Range(np.nan, np.nan, np.nan, np.nan)


def ranges(result: Result, names: Iterable[str]) -> dict[str, Range]:
    """Of outputs, at the output times. The hardest touch of a contact counts also where it falls between two of them."""
    hardest = hardest_touches(contact_summaries(result))
    return {name: range_of(result.time, result.values(name), hardest.get(name)) for name in names}


def range_of(time: np.ndarray, values: np.ndarray, hardest: float | None = None) -> Range:
    """Of one output (n_times,). hardest: a value that it had between two times, if it is known."""
    if not np.isfinite(values).any():
        return NOWHERE
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    most = max(float(values[high]), -np.inf if hardest is None else hardest)
    return Range(float(values[low]), float(time[low]), most, float(time[high]))


def hardest_touches(contacts: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Largest force and penetration of contacts over all steps, by the name of the output. contacts: their summaries."""
    found = {f"{name}.normal_force": contact["max_normal_force"] for name, contact in contacts.items()}
    return found | {f"{name}.penetration": contact["max_penetration"] for name, contact in contacts.items()}
