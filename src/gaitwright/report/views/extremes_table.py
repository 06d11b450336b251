"""Table of the least and greatest values of curves over time, with their times, from the charts of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from gaitwright.report.blocks import Chart, ReportBlock, Table

EXTREMES_HEADER = ("curve", "least", "at (s)", "greatest", "at (s)", "unit")


def extremes_table(blocks: Sequence[ReportBlock], window: tuple[float, float] | None = None) -> Table:
    """Table of every line of the charts over time among the blocks, with the unit of their y axis. window: times (from, to),
    s, to use; default: all."""
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
    return Table("Least, greatest and when", EXTREMES_HEADER, rows)
