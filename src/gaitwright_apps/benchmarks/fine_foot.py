"""Time of a foot roll as in `foot`, with finite elements of a mesh of 10,000 nodes.

quick: with condensed tissue, coarse, in few frames."""

from __future__ import annotations

from typing import Any

from gaitwright_apps.benchmarks.foot import measure_rolls

RUN_SIZES = {"quick": {"condensed": (0.016, 3, 1)}, "full": {"full": (0.0043, 100, 1)}}
"""Cell size, m; frames; repeats."""


def measure(quick: bool) -> dict[str, Any]:
    return {"speeds": measure_rolls(RUN_SIZES["quick" if quick else "full"])[0]}
