"""Time of a foot roll from heel strike to toe-off: our parametric foot, a schematic step of 700 N, friction with history,
equilibrium in each frame.

    foundation   facets of the sole
    condensed    linear tissue on each core
    full         finite elements of a coarse mesh (of one with 10,000 nodes: fine_foot.py)

Also timed: forward dynamics of the same step with condensed tissue, with the ankle path of the equilibria prescribed,
midfoot, forefoot and toes free, and variable steps. No peer computes a roll; the limits are our own. A foot pressed on
a plane is compared with CalculiX (pressed_foot.py); a rubber pad of the same size without contact is in `solids`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.foot.foot import Foot
from gaitwright.foot.parametric_shape import from_measures
from gaitwright.foot.rolling import BODY_WEIGHT_N, RollingResult
from gaitwright_apps.benchmarks import pressed_foot

RUN_SIZES = {
    "quick": {"foundation": (0.016, 12, 1), "condensed": (0.016, 12, 1)},
    "full": {
        "foundation": (0.0075, 100, 4),
        "condensed": (0.014, 100, 2),
        "full, coarse": (0.016, 100, 1),
    },
}
"""Cell size, m; frames; repeats. Slower speeds use larger cells."""
MAX_SECONDS = {"foundation": 1.0, "condensed": 3.0, "full, coarse": 60.0, "full": 300.0}
"""Time limits for 100 frames, s."""
FULL_FRAMES = 100
FORWARD_STEP_RATIO = {"quick": 0.03, "full": 1.0}
"""Simulated fraction of a step."""
MAX_FORWARD_SECONDS = 30.0
"""Time limit for a step, s."""


def measure(quick: bool) -> dict[str, Any]:
    size = "quick" if quick else "full"
    results, rolled = measure_rolls(RUN_SIZES[size])
    forward = time_forward(rolled["condensed"], FORWARD_STEP_RATIO[size], RUN_SIZES[size]["condensed"][-1])
    pressed = pressed_foot.measure(quick)
    ratios = {"foot-pressed": pressed["ratio"]} if "ratio" in pressed else {}
    return {"speeds": results, "forward": forward, "pressed": pressed, "ratios": ratios}


def measure_rolls(sizes: dict[str, tuple[float, int, int]]) -> tuple[dict[str, Any], dict[str, RollingResult]]:
    """Times and results of rolls by name. sizes: cell size, m; frames; repeats."""
    shape, times, results = from_measures(), {}, {}
    for name, (cell, frames, repeats) in sizes.items():
        times[name], results[name] = time_roll(Foot(shape, shape.fill(cell)), frames, name.partition(",")[0], repeats)
        times[name]["limit"] = MAX_SECONDS[name]
        times[name]["seconds_per_100"] = times[name]["seconds"] * FULL_FRAMES / frames
    return times, results


def time_forward(rolled: RollingResult, part: float, repeats: int) -> dict[str, Any]:
    """Time of forward dynamics of a part of a step, s, and the deviation of its force from the equilibria, relative
    to the largest force."""
    until, moved = part * float(np.ptp(rolled.time)), None
    rolled.forward(1e-3 * until)
    best = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        moved = rolled.forward(until)
        best = min(best, time.perf_counter() - began)
    assert moved is not None
    evidence = moved.run.evidence
    at_rest = np.interp(moved.time, rolled.time, rolled.force[:, 2])
    return {
        "seconds": float(best), "of_the_step": part, "limit": MAX_FORWARD_SECONDS, "steps": evidence.steps,
        "rejected": evidence.rejected, "evaluations": evidence.evaluations,
        "energy_residual": float(evidence.max_energy_residual),
        "force_apart": float(np.abs(moved.force[:, 2] - at_rest).max() / rolled.force[:, 2].max()),
    }  # fmt: skip


def time_roll(foot: Foot, frames: int, speed: str, repeats: int) -> tuple[dict[str, Any], RollingResult]:
    """Seconds of the whole call, minimum of several repeats, after a run for compilation; and the result."""
    if speed == "full":
        foot.press(1e-3, speed=speed, friction=0.6)  # a roll of three frames would take longer than the measurement
    else:
        foot.roll(None, 3, speed=speed, load=BODY_WEIGHT_N)
    best, rolled = np.inf, None
    for _ in range(repeats):
        began = time.perf_counter()
        rolled = foot.roll(None, frames, speed=speed, load=BODY_WEIGHT_N)
        best = min(best, time.perf_counter() - began)
    assert rolled is not None
    evidence, sole = rolled.run.evidence, foot.mesh.region("sole").nodes
    return {
        "seconds": float(best), "frames": frames, "nodes": len(foot.anatomy.mesh.nodes), "of_the_sole": len(sole),
        "newton_iterations": evidence.newton_iterations, "factorisations": evidence.factorisations,
        "largest_moment": float(rolled.moment[:, 1].max()),
    }, rolled  # fmt: skip
