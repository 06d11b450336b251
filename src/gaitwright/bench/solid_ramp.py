"""A rubber pad of the size of a foot, held above, whose sole is pressed in and sheared in ten steps, against CalculiX.

    mesh       gaitwright.mesh.pad, 0.25 x 0.09 x 0.06 m, rounded; TET4 (C3D4)
    material   neo-Hookean, split: the one that both have
    steps      ten equal ones, to equilibrium in each; ours to rounding, CalculiX to 1e-6 of the forces

Ours is the whole call, from the model to its result: tables, order of elimination, steps. That of CalculiX is the whole
program, without the writing of its input; by the solver that it takes by itself (SPOOLES, direct), and beside it by the faster
of its two iterative ones. One thread each. Force and displacements of all nodes are compared.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from gaitwright.bench.calculix_peer import Deck, neo_hookean, race
from gaitwright.bench.clock import exponent
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.solid_shapes import pad
from gaitwright.model.model import Model
from gaitwright.result.result import Result

YOUNG, NU, DENSITY = 1e6, 0.3, 1000.0
MOVED = (0.006, 0.0, 0.012)
"""m, of the sole."""
STEPS = 10
SIZES = {"quick": (0.03, (0.03, 0.02)), "full": (0.0042, (0.0105, 0.0083, 0.0066, 0.0052, 0.0041))}
"""Of cells, m: of the ramp that is compared, and of those that tell how the time grows."""
SOLVERS = {"calculix": "", "calculix iterative": "ITERATIVE CHOLESKY"}


def sole(size: float) -> Mesh:
    return pad((0.25, 0.09), 0.06, size, rounding=0.04)


def ramp(mesh: Mesh) -> Model:
    model = Model("pad", dimension=3, gravity=(0.0, 0.0, 0.0))
    rubber = {"type": "neo-hookean-split", "youngs_modulus": YOUNG, "poissons_ratio": NU, "density": DENSITY}
    model.solid("pad", mesh, material=rubber, fixed="top")
    return model.drive_displacement("pad.bottom", **{axis: f"{by}*t" for axis, by in zip("xyz", MOVED, strict=True)})


def deck(mesh: Mesh, solver: str = "") -> Deck:
    held = np.zeros(mesh.nodes.shape, dtype=bool)
    held[mesh.region("top").nodes] = True
    moved = [(mesh.region("bottom").nodes, np.array(MOVED))]
    return Deck(mesh, neo_hookean(YOUNG, NU), held, moved, steps=STEPS, solver=solver)


def answer(run: Result) -> tuple[np.ndarray, np.ndarray]:
    """Force on what is held, N, and displacements (nodes, 3), m, at the end."""
    force = np.array([run.values(f"pad.top.reaction_{axis}")[-1] for axis in "xyz"])
    return force, run.solid("pad", "displacement")["displacement"].values[-1]


def measure(quick: bool) -> dict[str, Any]:
    size, sizes = SIZES["quick" if quick else "full"]
    grow(sole(sizes[0]))  # compiles, or loads machine code
    grown = [grow(sole(h)) for h in sizes]
    mesh, last = sole(size), {}

    def ours() -> float:
        began = time.perf_counter()
        last["ours"] = ramp(mesh).static_path(1.0, steps=STEPS)
        return time.perf_counter() - began

    raced = race(ours, {name: partial(deck, mesh, solver) for name, solver in SOLVERS.items()}, 1 if quick else 2)
    evidence = last["ours"].evidence
    details: dict[str, Any] = {
        "nodes": len(mesh.nodes),
        "cells": len(mesh.cells),
        "steps": STEPS,
        "seconds": raced.seconds,
        "factorisations": evidence.factorisations,
        "newton_iterations": evidence.newton_iterations,
        "growth": grown,
        "ratios": {},
    }
    counts, times = [row["cells"] for row in grown], [row["seconds"] for row in grown]
    details["exponent"] = exponent(counts, times)
    if raced.skipped:
        return details | {"skipped": raced.skipped}
    force, moved = answer(last["ours"])
    found = raced.found["calculix"]
    details |= {
        "force_difference": float(np.abs(force - found.held).max() / np.abs(force).max()),
        "displacement_difference": float(np.abs(found.displacements - moved).max() / np.abs(moved).max()),
        "calculix_iterations": found.iterations,
    }
    details["ratios"]["solids-ramp"] = raced.seconds["calculix"] / raced.seconds["ours"]
    return details


def grow(mesh: Mesh) -> dict[str, Any]:
    """The same ramp on another mesh, ours alone. memory: the most that the process had so far, MB."""
    from resource import RUSAGE_SELF, getrusage

    began = time.perf_counter()
    run = ramp(mesh).static_path(1.0, steps=STEPS)
    whole = time.perf_counter() - began
    return {
        "nodes": len(mesh.nodes),
        "cells": len(mesh.cells),
        "seconds": whole,
        "statics_seconds": run.evidence.wall_seconds,
        "factorisations": run.evidence.factorisations,
        "memory": getrusage(RUSAGE_SELF).ru_maxrss / 1024.0,
    }
