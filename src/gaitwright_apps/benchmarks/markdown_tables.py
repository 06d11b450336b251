"""Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return [*lines, *("| " + " | ".join(_format_cell(value) for value in row) + " |" for row in rows), ""]


def _format_cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
