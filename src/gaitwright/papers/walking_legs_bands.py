"""Rounding bands of the numbers of paper 003 chapter 4: what legs with lengths off by up to 0.5 mm give.

Kept in walking_legs_bands.yaml, which `table()` writes from 200 drawn legs each, 10 s per leg; a test recomputes a part. Low
and high: nine of ten legs lie between them; least and most: all. Units as in `walking_legs_runs.measures`."""

from __future__ import annotations

from pathlib import Path

import yaml

from gaitwright.papers.rounding import Band, rounding_bands
from gaitwright.papers.walking_legs_data import LEGS
from gaitwright.papers.walking_legs_runs import measures

FILE = Path(__file__).with_suffix(".yaml")
BANDS = {
    leg: {number: Band(*values) for number, values in bands.items()}
    for leg, bands in yaml.safe_load(FILE.read_text("utf-8")).items()
}


def table() -> str:
    """The file, computed again."""
    lines = ["# low, high, least, most; printed by walking_legs_bands.table()"]
    for name, leg in LEGS.items():
        lines.append(f"{name}:")
        for number, band in rounding_bands(leg.make(), leg.lengths, measures).items():
            lines.append(f"  {number}: [{', '.join(f'{value:.5g}' for value in band)}]")
    return "\n".join(lines) + "\n"
