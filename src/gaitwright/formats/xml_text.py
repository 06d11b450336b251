"""XML of other programs: element names, and attributes as checked numbers. _core/input_files.py parses the XML."""

from __future__ import annotations

import math
from typing import Any

from gaitwright._core.error_context import ErrorContext


def tag_name(element: Any) -> str:
    """Name of an element without its namespace; empty for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def parse_numbers(text: str | None, counts: int | tuple[int, ...], at: ErrorContext, expected: str = "") -> list[float]:
    """Parse a given count of finite numbers, or one of several counts; ModelError otherwise."""
    counts = (counts,) if isinstance(counts, int) else counts
    expectation = expected or f"{' or '.join(map(str, counts))} finite numbers"
    try:
        numbers = [float(word) for word in at.given(text, expectation).replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) not in counts or not all(map(math.isfinite, numbers)):
        at.fail(f"is not {expectation}", text)
    return numbers
