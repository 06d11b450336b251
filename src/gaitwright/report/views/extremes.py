"""Least and greatest of curves over time, and when: a table from the charts of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from gaitwright.report.blocks import Block, Chart, Table

HEADER = ("curve", "least", "at (s)", "greatest", "at (s)", "unit")


def extremes_table(blocks: Sequence[Block], window: tuple[float, float] | None = None) -> Table:
    """Of every line of the charts over time among the blocks, with the unit of their y axis. window: times (from, to), s, that
    count; all unless given."""
    rows = []
    for chart in blocks:
        if not isinstance(chart, Chart) or not chart.over_time:
            continue
        unit = re.search(r"\(([^()]*)\)$", chart.ylabel)
        for line in chart.lines:
            t, y = np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float)
            inside = np.isfinite(y) & ((t >= window[0]) & (t <= window[1]) if window else True)
            if not inside.any():
                continue
            t, y = t[inside], y[inside]
            low, high = int(np.argmin(y)), int(np.argmax(y))
            name = chart.title if len(chart.lines) == 1 else f"{chart.title}: {line.label}"
            cells = (float(y[low]), f"{t[low]:.4g}", float(y[high]), f"{t[high]:.4g}")
            rows.append((name, *cells, unit[1] if unit else ""))
    return Table("Least, greatest and when", HEADER, rows)
