"""A foot of one rubber, held above and pressed on to a plane in ten steps, against CalculiX: a penalty keeps both out of it.

    mesh       our own drawing of a foot, filled with TET4 (C3D4)
    material   neo-Hookean, split: the one that both have
    contact    ours: points of the sole on a plane; CalculiX: nodes of the sole on the face of a block, which holds still
    steps      ten equal ones, to equilibrium in each; ours to rounding, CalculiX to 1e-6 of the forces

Without friction, which CalculiX does not follow to the end here. Ours is the whole call, theirs the whole program, one thread
each; the force on the plane is compared.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.bench.calculix_peer import Deck, Ground, neo_hookean, race
from gaitwright.foot.drawn import from_measures
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneGround, Skin
from gaitwright.physics.contact_laws.penalty import Penalty
from gaitwright.result.result import Result

YOUNG, NU, DENSITY = 1e6, 0.3, 1000.0
DEPTH, STEPS = 0.006, 10
SIZES = {"quick": 0.02, "full": 0.006}
"""Of cells, m."""
HARD = 50.0
"""Stiffness of the contact for a cell, in Young's modulus."""


def ramp(mesh: Mesh, size: float) -> Model:
    model = Model("pressed", dimension=3, gravity=(0.0, 0.0, 0.0))
    rubber = {"type": "neo-hookean-split", "youngs_modulus": YOUNG, "poissons_ratio": NU, "density": DENSITY}
    model.solid("foot", mesh, material=rubber)
    model.drive_displacement("foot.cut", x="0", y="0", z=f"-{DEPTH}*t")
    return model.contact(
        Skin("foot", "sole"), PlaneGround(0.0), law=Penalty(stiffness=HARD * YOUNG / size), name="sole"
    )


def deck(mesh: Mesh, size: float) -> Deck:
    cut = mesh.region("cut").nodes
    held = np.zeros(mesh.nodes.shape, dtype=bool)
    moved = [(cut, np.array([0.0, 0.0, -DEPTH]))]
    ground = Ground(mesh.region("sole").nodes, HARD * YOUNG / size)
    return Deck(mesh, neo_hookean(YOUNG, NU), held, moved, steps=STEPS, ground=ground)


def force(run: Result) -> float:
    """On the plane at the end, N."""
    return float(run.values("sole.normal_force")[-1])


def measure(quick: bool) -> dict[str, Any]:
    size, last = SIZES["quick" if quick else "full"], {}
    mesh = from_measures().fill(size)

    def ours() -> float:
        began = time.perf_counter()
        last["ours"] = ramp(mesh, size).static_path(1.0, steps=STEPS)
        return time.perf_counter() - began

    ours()  # compiles, or loads machine code
    raced = race(ours, {"calculix": lambda: deck(mesh, size)}, 1 if quick else 2)
    evidence = last["ours"].evidence
    details: dict[str, Any] = {
        "nodes": len(mesh.nodes), "cells": len(mesh.cells), "steps": STEPS, "seconds": raced.seconds,
        "force": force(last["ours"]), "factorisations": evidence.factorisations,
        "newton_iterations": evidence.newton_iterations,
    }  # fmt: skip
    if raced.skipped:
        return details | {"skipped": raced.skipped}
    found = raced.found["calculix"]
    return details | {
        "force_difference": abs(found.held[2]) / details["force"] - 1.0,
        "calculix_iterations": found.iterations,
        "ratio": raced.seconds["calculix"] / raced.seconds["ours"],
    }
