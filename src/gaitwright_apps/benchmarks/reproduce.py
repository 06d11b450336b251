"""Time of `gaitwright reproduce all` with an empty and with a full machine-code cache; quick: of one experiment, once.

There is no peer for comparison; the limit is our own."""

from __future__ import annotations

from typing import Any

from gaitwright_apps.benchmarks.legs import measure_command

MAX_SECONDS = {"cold": 300.0, "warm": None}
"""Time limits, s; None: no limit."""


def measure(quick: bool) -> dict[str, Any]:
    return {"reproduce": measure_command(["reproduce", "bouncing-ball" if quick else "all"], MAX_SECONDS, quick)}
