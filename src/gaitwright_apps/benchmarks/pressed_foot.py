"""Foot of one rubber material, held above and pressed on a plane in ten steps, compared with CalculiX; both with
penalty contact.

    mesh       our parametric foot, filled with TET4 (C3D4)
    material   split neo-Hookean, available in both programs
    contact    ours: points of the sole on a plane; CalculiX: nodes of the sole on the face of a fixed block
    steps      ten equal ones, to equilibrium in each; ours to rounding, CalculiX to 1e-6 of the forces

Without friction, because CalculiX does not converge to the end with it. Times: our whole call, the whole CalculiX program, one
thread each; the force on the plane is compared.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.foot.parametric_shape import from_measures
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneGround, Skin
from gaitwright.physics.contact_laws.penalty import Penalty
from gaitwright.result.result import Result
from gaitwright_apps.benchmarks.calculix_peer import (
    CalculixDeck,
    CalculixGround,
    neo_hookean_material,
    race_against_calculix,
)

YOUNGS_MODULUS_PA, POISSONS_RATIO, DENSITY_KG_M3 = 1e6, 0.3, 1000.0
PRESS_DEPTH_M, LOAD_STEPS = 0.006, 10
CELL_SIZES_M = {"quick": 0.02, "full": 0.006}
"""Cell sizes, m."""
CONTACT_STIFFNESS_RATIO = 50.0
"""Contact stiffness times cell size, relative to Young's modulus."""


def ramp_model(mesh: Mesh, size: float) -> Model:
    model = Model("pressed", dimension=3, gravity=(0.0, 0.0, 0.0))
    rubber = {
        "type": "neo-hookean-split",
        "youngs_modulus": YOUNGS_MODULUS_PA,
        "poissons_ratio": POISSONS_RATIO,
        "density": DENSITY_KG_M3,
    }
    model.solid("foot", mesh, material=rubber)
    model.drive.displacement("foot.cut", x="0", y="0", z=f"-{PRESS_DEPTH_M}*t")
    return model.contact(
        Skin("foot", "sole"),
        PlaneGround(0.0),
        law=Penalty(stiffness=CONTACT_STIFFNESS_RATIO * YOUNGS_MODULUS_PA / size),
        name="sole",
    )


def make_deck(mesh: Mesh, size: float) -> CalculixDeck:
    cut = mesh.region("cut").nodes
    is_fixed = np.zeros(mesh.nodes.shape, dtype=bool)
    prescribed = [(cut, np.array([0.0, 0.0, -PRESS_DEPTH_M]))]
    ground = CalculixGround(mesh.region("sole").nodes, CONTACT_STIFFNESS_RATIO * YOUNGS_MODULUS_PA / size)
    return CalculixDeck(
        mesh,
        neo_hookean_material(YOUNGS_MODULUS_PA, POISSONS_RATIO),
        is_fixed,
        prescribed,
        steps=LOAD_STEPS,
        ground=ground,
    )


def ground_force(run: Result) -> float:
    """Force on the plane at the end, N."""
    return float(run.array("sole.normal_force")[-1])


def measure(quick: bool) -> dict[str, Any]:
    size, last = CELL_SIZES_M["quick" if quick else "full"], {}
    mesh = from_measures().fill(size)

    def ours() -> float:
        began = time.perf_counter()
        last["ours"] = ramp_model(mesh, size).static_path(1.0, steps=LOAD_STEPS)
        return time.perf_counter() - began

    ours()  # compiles, or loads machine code
    raced = race_against_calculix(ours, {"calculix": lambda: make_deck(mesh, size)}, 1 if quick else 2)
    evidence = last["ours"].evidence
    details: dict[str, Any] = {
        "nodes": len(mesh.nodes), "cells": len(mesh.cells), "steps": LOAD_STEPS, "seconds": raced.seconds,
        "force": ground_force(last["ours"]), "factorisations": evidence.factorisations,
        "newton_iterations": evidence.newton_iterations,
    }  # fmt: skip
    if raced.skipped:
        return details | {"skipped": raced.skipped}
    peer = raced.found["calculix"]
    return details | {
        "force_difference": abs(peer.held[2]) / details["force"] - 1.0,
        "calculix_iterations": peer.iterations,
        "ratio": raced.seconds["calculix"] / raced.seconds["ours"],
    }
