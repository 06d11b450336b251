"""Rubber pad of the size of a foot, fixed at the top, with its sole compressed and sheared in ten steps, compared with
CalculiX.

    mesh       gaitwright.mesh.pad, 0.25 x 0.09 x 0.06 m, rounded; TET4 (C3D4)
    material   split neo-Hookean, available in both programs
    steps      ten equal ones, to equilibrium in each; ours to rounding, CalculiX to 1e-6 of the forces

Our time is the whole call, from the model to its result: tables, elimination order, steps. That of CalculiX is the
whole program, without writing its input; with its default solver (SPOOLES, direct), and additionally with the faster of
its two iterative solvers. One thread each. Force and displacements of all nodes are compared.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.solid_shapes import pad
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.benchmarks.calculix_peer import CalculixDeck, neo_hookean_material, race_against_calculix
from gaitwright_apps.benchmarks.timing import cost_exponent

YOUNGS_MODULUS_PA, POISSONS_RATIO, DENSITY_KG_M3 = 1e6, 0.3, 1000.0
SOLE_DISPLACEMENT_M = (0.006, 0.0, 0.012)
"""Displacement of the sole, m."""
LOAD_STEPS = 10
CELL_SIZES_M = {"quick": (0.03, (0.03, 0.02)), "full": (0.0042, (0.0105, 0.0083, 0.0066, 0.0052, 0.0041))}
"""Cell sizes, m: of the compared ramp, and of those that show the growth of the time."""
CALCULIX_SOLVERS = {"calculix": "", "calculix iterative": "ITERATIVE CHOLESKY"}


def sole_mesh(size: float) -> Mesh:
    return pad((0.25, 0.09), 0.06, size, rounding=0.04)


def ramp_model(mesh: Mesh) -> Model:
    model = Model("pad", dimension=3, gravity=(0.0, 0.0, 0.0))
    rubber = {
        "type": "neo-hookean-split",
        "youngs_modulus": YOUNGS_MODULUS_PA,
        "poissons_ratio": POISSONS_RATIO,
        "density": DENSITY_KG_M3,
    }
    model.solid("pad", mesh, material=rubber, fixed="top")
    return model.drive.displacement(
        "pad.bottom",
        **{axis: f"{displacement}*t" for axis, displacement in zip("xyz", SOLE_DISPLACEMENT_M, strict=True)},
    )


def make_deck(mesh: Mesh, solver: str = "") -> CalculixDeck:
    is_fixed = np.zeros(mesh.nodes.shape, dtype=bool)
    is_fixed[mesh.region("top").nodes] = True
    prescribed = [(mesh.region("bottom").nodes, np.array(SOLE_DISPLACEMENT_M))]
    return CalculixDeck(
        mesh,
        neo_hookean_material(YOUNGS_MODULUS_PA, POISSONS_RATIO),
        is_fixed,
        prescribed,
        steps=LOAD_STEPS,
        solver=solver,
    )


def force_and_displacements(run: Result) -> tuple[np.ndarray, np.ndarray]:
    """Force on the support, N, and displacements (nodes, 3), m, at the end."""
    force = np.array([run.array(f"pad.top.reaction_{axis}")[-1] for axis in "xyz"])
    return force, run.solid("pad", "displacement")["displacement"].values[-1]


def measure(quick: bool) -> dict[str, Any]:
    size, sizes = CELL_SIZES_M["quick" if quick else "full"]
    measure_growth(sole_mesh(sizes[0]))  # compiles, or loads machine code
    grown = [measure_growth(sole_mesh(h)) for h in sizes]
    mesh, last = sole_mesh(size), {}

    def ours() -> float:
        began = time.perf_counter()
        last["ours"] = ramp_model(mesh).static_path(1.0, steps=LOAD_STEPS)
        return time.perf_counter() - began

    raced = race_against_calculix(
        ours, {name: partial(make_deck, mesh, solver) for name, solver in CALCULIX_SOLVERS.items()}, 1 if quick else 2
    )
    evidence = last["ours"].evidence
    details: dict[str, Any] = {
        "nodes": len(mesh.nodes),
        "cells": len(mesh.cells),
        "steps": LOAD_STEPS,
        "seconds": raced.seconds,
        "factorisations": evidence.factorisations,
        "newton_iterations": evidence.newton_iterations,
        "growth": grown,
        "ratios": {},
    }
    counts, times = [row["cells"] for row in grown], [row["seconds"] for row in grown]
    details["exponent"] = cost_exponent(counts, times)
    if raced.skipped:
        return details | {"skipped": raced.skipped}
    force, displacement = force_and_displacements(last["ours"])
    peer = raced.found["calculix"]
    details |= {
        "force_difference": float(np.abs(force - peer.held).max() / np.abs(force).max()),
        "displacement_difference": float(np.abs(peer.displacements - displacement).max() / np.abs(displacement).max()),
        "calculix_iterations": peer.iterations,
    }
    details["ratios"]["solids-ramp"] = raced.seconds["calculix"] / raced.seconds["ours"]
    return details


def measure_growth(mesh: Mesh) -> dict[str, Any]:
    """The same ramp on another mesh, ours alone. memory: peak of the process so far, MB."""
    from resource import RUSAGE_SELF, getrusage

    began = time.perf_counter()
    run = ramp_model(mesh).static_path(1.0, steps=LOAD_STEPS)
    total_time = time.perf_counter() - began
    return {
        "nodes": len(mesh.nodes),
        "cells": len(mesh.cells),
        "seconds": total_time,
        "statics_seconds": run.evidence.wall_seconds,
        "factorisations": run.evidence.factorisations,
        "memory": getrusage(RUSAGE_SELF).ru_maxrss / 1024.0,
    }
