"""Time and error of every method on one motion: a four-bar that swings freely under gravity for 2 s, no drive.

For each method a ladder of steps or tolerances; the error is that of the crank's angle over the run, against gauss3
with a tiny step. Seconds at the target error are interpolated in the ladder; none if the ladder does not reach it.
No peer takes part: this is a guide for choosing a method.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from gaitwright.integrate import load_all
from gaitwright.mechanisms.four_bar import four_bar
from gaitwright.model.model import Model

UNTIL = 2.0
TARGET = 1e-6
STEPS = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
GRID = 0.1
"""Spacing of the times at which errors are taken; every step of the ladder divides it."""


def swinging() -> Model:
    """A crank-rocker without a drive, released with the crank level: it swings about its lowest position."""
    return four_bar(0.2, 0.3, 0.25, 0.3, angle=0.3, speed=None)


def options_of(name: str, adaptive: bool, fineness: float) -> dict[str, Any]:
    if adaptive:
        return {"method": name, "tolerance": fineness, "output_step": GRID}
    return {"method": name, "step": fineness, "every": round(GRID / fineness)}


def measure(quick: bool) -> dict[str, Any]:
    model, repeats = swinging(), 1 if quick else 3
    reference = model.simulate(UNTIL, method="gauss3", step=1e-2 if quick else 4e-4, every=10 if quick else 250)
    exact = reference.values("crank.angle")
    found: dict[str, Any] = {"until": UNTIL, "target": TARGET, "methods": {}}
    for name, method in load_all().items():
        ladder = TOLERANCES if method.adaptive else STEPS
        rows = [
            row
            for fineness in (ladder[2:4] if quick else ladder)
            if (row := rung(model, name, method.adaptive, fineness, exact, repeats))
        ]
        found["methods"][name] = {
            "adaptive": method.adaptive,
            "order": method.order,
            "ladder": rows,
            "seconds_at_target": at_target(rows),
        }
    return found


def rung(
    model: Model, name: str, adaptive: bool, fineness: float, exact: np.ndarray, repeats: int
) -> dict[str, float] | None:
    """One run of the ladder; None where the method fails at this step."""
    from gaitwright.errors import AnalysisError

    best = math.inf
    try:
        run = model.simulate(UNTIL, **options_of(name, adaptive, fineness))
        for _ in range(repeats):
            run = model.simulate(UNTIL, **options_of(name, adaptive, fineness))
            best = min(best, run.evidence.wall_seconds)
    except AnalysisError:
        return None
    error = float(np.abs(run.values("crank.angle") - exact).max())
    return {"fineness": fineness, "seconds": best, "error": error, "steps": run.evidence.steps}


def at_target(rows: list[dict[str, float]]) -> float | None:
    """Seconds at the target error, linear in the logarithms between the rungs beside it."""
    for coarse, fine in itertools.pairwise(rows):
        if coarse["error"] >= TARGET >= fine["error"] > 0 and coarse["error"] > fine["error"]:
            share = math.log(coarse["error"] / TARGET) / math.log(coarse["error"] / fine["error"])
            return float(coarse["seconds"] ** (1 - share) * fine["seconds"] ** share)
    return rows[0]["seconds"] if rows and rows[0]["error"] <= TARGET else None
