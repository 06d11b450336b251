"""XML of other programs: names of elements, and their attributes as checked numbers. input_files.py parses it."""

from __future__ import annotations

import math
from typing import Any

from gaitwright.checks import At


def tag(element: Any) -> str:
    """The name of an element without its namespace; empty for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def numbers(text: str | None, counts: int | tuple[int, ...], at: At, expected: str = "") -> list[float]:
    """So many finite numbers, or one of several counts."""
    counts = (counts,) if isinstance(counts, int) else counts
    said = expected or f"{' or '.join(map(str, counts))} finite numbers"
    try:
        found = [float(word) for word in at.given(text, said).replace(",", " ").split()]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(math.isfinite, found)):
        at.fail(f"is not {said}", text)
    return found
