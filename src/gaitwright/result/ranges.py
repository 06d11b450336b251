"""Least and greatest value of an output, and when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

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
    contacts = contact_summaries(result)
    hardest = {f"{name}.normal_force": found["max_normal_force"] for name, found in contacts.items()}
    hardest |= {f"{name}.penetration": found["max_penetration"] for name, found in contacts.items()}
    found = {}
    for name in names:
        values, time = result.values(name), result.time
        if not np.isfinite(values).any():
            found[name] = NOWHERE
            continue
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        most = max(float(values[high]), hardest.get(name, -np.inf))
        found[name] = Range(float(values[low]), float(time[low]), most, float(time[high]))
    return found
