"""Bar tables: common functions of the legs of paper 003."""

from __future__ import annotations

from collections.abc import Mapping

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model

BarTable = Mapping[str, tuple[str, str, float, float]]
"""Name to from, to, length (m), mass (kg)."""


def check_lengths(table: Mapping[str, float], lengths: Mapping[str, float]) -> dict[str, float]:
    """Lengths of the table, m, updated by given ones. Raises an error for a name that is not in the table."""
    unknown = sorted(set(lengths) - set(table))
    if unknown:
        ErrorContext(field=unknown[0]).fail("is not a length of this leg", expected=f"one of {', '.join(table)}")
    return {**table, **lengths}


def add_bars(model: Model, bars: BarTable, drawn_points: Mapping[str, tuple[float, float]]) -> Model:
    """Add points and links. Each link length is a parameter with the link's name; its mass is proportional to the
    length. The drawing scales with the bars; otherwise a leg of twice the size would close on another branch."""
    total_length = sum(length for _, _, length, _ in bars.values())
    model.document.parameters["drawn"] = f"({' + '.join(bars)})/{total_length!r}"
    for name, (x, y) in drawn_points.items():
        model.point(name, f"{x!r}*drawn", f"{y!r}*drawn")
    for name, (start, end, length, mass) in bars.items():
        model.link(name, start, end, length=name, mass=f"{mass}*{name}/{length}")
    return model
