"""Legs from tables of bars: what the legs of paper 003 have in common."""

from __future__ import annotations

from collections.abc import Mapping

from gaitwright.checks import At
from gaitwright.model.model import Model

Bars = Mapping[str, tuple[str, str, float, float]]
"""Name to from, to, length (m), mass (kg)."""


def check_lengths(table: Mapping[str, float], lengths: Mapping[str, float]) -> dict[str, float]:
    """The lengths of the table, m, with those that are given instead."""
    unknown = sorted(set(lengths) - set(table))
    if unknown:
        At(field=unknown[0]).fail("is not a length of this leg", expected=f"one of {', '.join(table)}")
    return {**table, **lengths}


def add_bars(model: Model, bars: Bars, drawn: Mapping[str, tuple[float, float]]) -> Model:
    """Add points and links. The length of each link is the parameter of its name, and its mass goes with its length: a
    longer bar is a heavier one. The drawing grows with the bars, or a leg of twice the size would close another way."""
    total = sum(length for _, _, length, _ in bars.values())
    model.document.parameters["drawn"] = f"({' + '.join(bars)})/{total!r}"
    for name, (x, y) in drawn.items():
        model.point(name, f"{x!r}*drawn", f"{y!r}*drawn")
    for name, (start, end, length, mass) in bars.items():
        model.link(name, start, end, length=name, mass=f"{mass}*{name}/{length}")
    return model
