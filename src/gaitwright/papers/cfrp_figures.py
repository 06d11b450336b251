"""What the pictures of paper 002 show: equilibrium against the arc (Fig 5), shapes (Fig 6b), elastic moments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.papers.cfrp_beam import MESHES, PHI, CfrpBeam, arc
from gaitwright.result.result import Result


def facts(found: CfrpBeam) -> dict[str, Any]:
    s, bending, released = found.setup, found.runs["bending"], found.runs["released"]
    along = np.linspace(0.0, 1.0, 101)
    tips = {phi: arc(phi, np.ones(1))[0] for phi in PHI}
    errors = {phi: [math.hypot(*(found.statics[phi, n][-1] - tips[phi])) for n in MESHES] for phi in PHI}
    every, inside = max(1, bending.time.size // 2000), released.time < s.release + 0.06
    return {
        "meshes": MESHES, "along": along, "nodes": np.arange(1, s.elements + 2),
        "arcs": {phi: arc(phi, along).T for phi in PHI}, "linear": {phi: phi * along**2 / 2 for phi in PHI},
        "at_nodes": {phi: found.statics[phi, 5].T for phi in PHI},
        "errors": errors, "guide": [0.4 * errors[PHI[-1]][0] * (MESHES[0] / n) ** 2 for n in MESHES],
        "bending": _shapes(bending, [0.0, s.ramp / 4, s.ramp / 2, 3 * s.ramp / 4, s.ramp]),
        "release": _shapes(released, [s.release + t for t in (0.0, 0.01, 0.02, 0.03062, 0.045, 0.06)], s.release),
        "slow": {"time": bending.time[::every], "nodes": found.moments["bending"][:, ::every]},
        "fast": {"since": 1e3 * (released.time[inside] - s.release), "nodes": found.moments["released"][:, inside]},
        "tips": {
            f"{axis} {phi:g}": {
                "exact": tips[phi][k], "linear": (1.0, phi / 2)[k], "ours": [found.statics[phi, n][-1, k] for n in MESHES],
            }
            for k, axis in enumerate("xy") for phi in PHI
        },
    }  # fmt: skip


def _shapes(run: Result, times: Sequence[float], zero: float = 0.0) -> dict[str, dict[str, np.ndarray]]:
    """Height and deflection along the beam, m, by time."""
    data = _thinned(run).beam("rod", "x", "y", points=7)
    time = data["time"].values
    picked = [int(np.argmin(np.abs(time - t))) for t in times]
    return {
        f"{time[k] - zero:.3g}": {"height": data["y"].values[k], "deflection": -data["x"].values[k]} for k in picked
    }


def _thinned(run: Result, most: int = 5001) -> Result:
    """The run at fewer of its output times."""
    every = max(1, math.ceil(run.time.size / most))
    motion = type(run.motion)(*(x[::every] for x in run.motion))
    return Result(run.mechanism, motion, replace(run.evidence, warnings=[]), run.document)
