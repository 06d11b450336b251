"""How long a foot takes to roll from heel strike to toe-off: our own drawing, a schematic step of 700 N, at rest in each frame.

    foundation   facets of the sole, with friction that remembers
    condensed    linear tissue on each core, without friction: the ankle is led forward as the foundation went
    full         finite elements with friction; a few frames of a coarse mesh, from which the time of a frame is told

A rubber pad of the size of a foot against CalculiX is in `solids`. There is no peer that rolls; limits are our own."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.foot.drawn import from_measures
from gaitwright.foot.foot import Foot
from gaitwright.foot.motion import Motion, step
from gaitwright.foot.rolling import Rolling

SIZES = {
    "quick": {"foundation": (0.016, 12, 1), "condensed": (0.016, 8, 1)},
    "full": {"foundation": (0.0075, 100, 4), "condensed": (0.014, 100, 2), "full": (0.016, 10, 1)},
}
"""Of cells, m; frames; repeats. What takes longer has larger cells, and fewer frames."""
LIMITS = {"foundation": 1.0, "condensed": 3.0, "full": 300.0}
"""s, for 100 frames."""
FRAMES = 100


def measure(quick: bool) -> dict[str, Any]:
    shape, way, found = from_measures(), None, {}
    for speed, (size, frames, repeats) in SIZES["quick" if quick else "full"].items():
        foot = Foot(shape, shape.fill(size))
        smooth = {"way": way, "friction": None} if speed == "condensed" else {}
        found[speed] = row = timed(foot, frames, speed, repeats, **smooth)
        way = way or led(row["rolled"])
        del row["rolled"]
        row["limit"] = LIMITS[speed]
        row["seconds_per_100"] = row["seconds"] * FRAMES / row["frames"]
    return {"speeds": found}


def led(rolled: Rolling) -> tuple[Motion, Any]:
    """The same step along the way that an ankle went, and the force upward."""
    drawn = step()
    pitch = np.interp(rolled.time, drawn.time, drawn.pitch)
    return Motion(rolled.time, pitch, rolled.ankle[:, 0], 0.0), rolled.force[:, 2]


def timed(foot: Foot, frames: int, speed: str, repeats: int, way: Any = None, **options: Any) -> dict[str, Any]:
    """Seconds of the whole call, the least of some, after one that compiles."""
    motion, load = (None, 700.0) if way is None else way
    foot.roll(motion, 3, speed=speed, load=load, **options)
    best, rolled = np.inf, None
    for _ in range(repeats):
        began = time.perf_counter()
        rolled = foot.roll(motion, frames, speed=speed, load=load, **options)
        best = min(best, time.perf_counter() - began)
    assert rolled is not None
    evidence, sole = rolled.run.evidence, foot.mesh.region("sole").nodes
    return {
        "seconds": float(best), "frames": frames, "nodes": len(foot.anatomy.mesh.nodes), "of_the_sole": len(sole),
        "newton_iterations": evidence.newton_iterations, "factorisations": evidence.factorisations,
        "largest_moment": float(rolled.moment[:, 1].max()), "rolled": rolled,
    }  # fmt: skip
