"""How long a foot takes to roll from heel strike to toe-off: our own drawing, a schematic step of 700 N, with friction that
remembers, at rest in each frame.

    foundation   facets of the sole
    condensed    linear tissue on each core
    full         finite elements of a coarse mesh, and of one with 10,000 nodes

And how long forward dynamics of the same step take with condensed tissue: the ankle is led along the way that it went at rest,
midfoot, forefoot and toes swing freely, variable step. There is no peer that rolls; limits are our own. A foot that is pressed
on to a plane races CalculiX (pressed_foot.py); a rubber pad of the same size without contact is in `solids`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.bench import pressed_foot
from gaitwright.foot.drawn import from_measures
from gaitwright.foot.foot import Foot
from gaitwright.foot.rolling import WEIGHT, Rolling

SIZES = {
    "quick": {"foundation": (0.016, 12, 1), "condensed": (0.016, 12, 1)},
    "full": {
        "foundation": (0.0075, 100, 4),
        "condensed": (0.014, 100, 2),
        "full, coarse": (0.016, 100, 1),
        "full": (0.0043, 100, 1),
    },
}
"""Of cells, m; frames; repeats. What takes longer has larger cells."""
LIMITS = {"foundation": 1.0, "condensed": 3.0, "full, coarse": 60.0, "full": 300.0}
"""s, for 100 frames."""
FRAMES = 100
FORWARD = {"quick": 0.03, "full": 1.0}
"""Part of a step that is simulated."""
FORWARD_LIMIT = 30.0
"""s, for a step."""


def measure(quick: bool) -> dict[str, Any]:
    shape, size, found, forward = from_measures(), "quick" if quick else "full", {}, {}
    for name, (cell, frames, repeats) in SIZES[size].items():
        foot, speed = Foot(shape, shape.fill(cell)), name.partition(",")[0]
        found[name] = row = timed(foot, frames, speed, repeats)
        if speed == "condensed":
            forward = timed_forward(row["rolled"], FORWARD[size], repeats)
        del row["rolled"]
        row["limit"] = LIMITS[name]
        row["seconds_per_100"] = row["seconds"] * FRAMES / row["frames"]
    pressed = pressed_foot.measure(quick)
    ratios = {"foot-pressed": pressed["ratio"]} if "ratio" in pressed else {}
    return {"speeds": found, "forward": forward, "pressed": pressed, "ratios": ratios}


def timed_forward(rolled: Rolling, part: float, repeats: int) -> dict[str, Any]:
    """Forward dynamics of a part of a step, s, and how far its force is from that of equilibria, in the largest."""
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
        "seconds": float(best), "of_the_step": part, "limit": FORWARD_LIMIT, "steps": evidence.steps,
        "rejected": evidence.rejected, "evaluations": evidence.evaluations,
        "energy_residual": float(evidence.max_energy_residual),
        "force_apart": float(np.abs(moved.force[:, 2] - at_rest).max() / rolled.force[:, 2].max()),
    }  # fmt: skip


def timed(foot: Foot, frames: int, speed: str, repeats: int) -> dict[str, Any]:
    """Seconds of the whole call, the least of some, after one that compiles."""
    if speed == "full":
        foot.press(1e-3, speed=speed, friction=0.6)  # steps of three frames would take longer than what is measured
    else:
        foot.roll(None, 3, speed=speed, load=WEIGHT)
    best, rolled = np.inf, None
    for _ in range(repeats):
        began = time.perf_counter()
        rolled = foot.roll(None, frames, speed=speed, load=WEIGHT)
        best = min(best, time.perf_counter() - began)
    assert rolled is not None
    evidence, sole = rolled.run.evidence, foot.mesh.region("sole").nodes
    return {
        "seconds": float(best), "frames": frames, "nodes": len(foot.anatomy.mesh.nodes), "of_the_sole": len(sole),
        "newton_iterations": evidence.newton_iterations, "factorisations": evidence.factorisations,
        "largest_moment": float(rolled.moment[:, 1].max()), "rolled": rolled,
    }  # fmt: skip
