"""Time and error of every method for one motion: a four-bar that swings freely under gravity for 2 s, without a drive.

Each method runs with a series of steps or tolerances; the error is that of the crank angle over the run, relative to
gauss3 with a tiny step. Seconds at the target error are interpolated in the series; None if it does not reach the
target. There is no peer: this is a guide for the choice of a method.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from gaitwright.integrate import load_all
from gaitwright.mechanisms.four_bar import four_bar
from gaitwright.model.model import Model

DURATION_S = 2.0
TARGET_ERROR_RAD = 1e-6
STEPS_S = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
ERROR_GRID_S = 0.1
"""Spacing of the times at which errors are evaluated, s; a multiple of every step of the series."""


def swinging_four_bar() -> Model:
    """Crank-rocker without a drive, released with the crank near horizontal: it swings about its lowest position."""
    return four_bar(0.2, 0.3, 0.25, 0.3, angle=0.3, speed=None)


def method_options(name: str, adaptive: bool, fineness: float) -> dict[str, Any]:
    if adaptive:
        return {"method": name, "tolerance": fineness, "output_step": ERROR_GRID_S}
    return {"method": name, "step": fineness, "every": round(ERROR_GRID_S / fineness)}


def measure(quick: bool) -> dict[str, Any]:
    model, repeats = swinging_four_bar(), 1 if quick else 3
    reference = model.simulate(DURATION_S, method="gauss3", step=1e-2 if quick else 4e-4, every=10 if quick else 250)
    exact = reference.array("crank.angle")
    details: dict[str, Any] = {"until": DURATION_S, "target": TARGET_ERROR_RAD, "methods": {}}
    for name, method in load_all().items():
        ladder = TOLERANCES if method.adaptive else STEPS_S
        rows = [
            row
            for fineness in (ladder[2:4] if quick else ladder)
            if (row := run_rung(model, name, method.adaptive, fineness, exact, repeats))
        ]
        details["methods"][name] = {
            "adaptive": method.adaptive,
            "order": method.order,
            "ladder": rows,
            "seconds_at_target": seconds_at_target(rows),
        }
    return details


def run_rung(
    model: Model, name: str, adaptive: bool, fineness: float, exact: np.ndarray, repeats: int
) -> dict[str, float] | None:
    """Make one run of the series; None if the method fails with this step."""
    from gaitwright._core.errors import AnalysisError

    best = math.inf
    try:
        run = model.simulate(DURATION_S, **method_options(name, adaptive, fineness))
        for _ in range(repeats):
            run = model.simulate(DURATION_S, **method_options(name, adaptive, fineness))
            best = min(best, run.evidence.wall_seconds)
    except AnalysisError:
        return None
    error = float(np.abs(run.array("crank.angle") - exact).max())
    return {"fineness": fineness, "seconds": best, "error": error, "steps": run.evidence.steps}


def seconds_at_target(rows: list[dict[str, float]]) -> float | None:
    """Seconds at the target error, linear in the logarithms between the adjacent rungs."""
    for coarse, fine in itertools.pairwise(rows):
        if coarse["error"] >= TARGET_ERROR_RAD >= fine["error"] > 0 and coarse["error"] > fine["error"]:
            share = math.log(coarse["error"] / TARGET_ERROR_RAD) / math.log(coarse["error"] / fine["error"])
            return float(coarse["seconds"] ** (1 - share) * fine["seconds"] ** share)
    return rows[0]["seconds"] if rows and rows[0]["error"] <= TARGET_ERROR_RAD else None
