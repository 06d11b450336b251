"""Equations 7, 10, 22 and 26 of paper 002 in our model: mass and stiffness of one element, and the moment applied."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.model.model import Model
from gaitwright.papers.disturb import built
from gaitwright.result.result import Result

LENGTH, MASS_PER_LENGTH, AXIAL, BENDING = 0.3, 0.2, 5e3, 1.7
"""m, kg/m, N, N m^2: any would do, the coefficients do not depend on them."""


def element_matrices() -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness of one straight, unstressed element along x in the order of Eq 4, each (8, 8)."""
    model = Model("element", gravity=(0.0, 0.0)).point("A", 0.0, 0.0).point("B", LENGTH, 0.0)
    model.beam(
        "rod", "A", "B", length=LENGTH, elements=1, formulation="takahashi", axial_stiffness=AXIAL,
        bending_stiffness=BENDING, mass_per_length=MASS_PER_LENGTH,
    )  # fmt: skip
    mechanism = built(model).mechanism()
    s, order = mechanism.system, mechanism.beams["rod"].nodes.ravel()
    mass, stiffness = np.zeros((s.n, s.n)), np.zeros((s.n, s.n))
    mass[s.mass_row, s.mass_col] = s.mass
    scale = mechanism.scale
    values = AtRest(mechanism, 0.0).stiffness(np.asarray(mechanism.drawn, dtype=float), np.zeros(s.m))
    stiffness[s.k_row, s.k_col] = values / (scale[s.k_row] * scale[s.k_col])
    return mass[np.ix_(order, order)], stiffness[np.ix_(order, order)]


def element_facts() -> dict[str, Any]:
    """Entries of both matrices as Eq 7 and 22 count them, in their units, less the power of l that goes with each; and what
    Eq 10 adds along the element."""
    mass, stiffness = element_matrices()
    slopes = np.isin(np.arange(8), (2, 3, 6, 7)).astype(int)  # coordinates that are slopes bring a length
    lengths = LENGTH ** (slopes[:, None] + slopes)
    tables = {"mass": mass / (MASS_PER_LENGTH * LENGTH), "stiffness": stiffness / (BENDING / LENGTH**3)}
    found: dict[str, Any] = {
        name: {f"{i + 1}{j + 1}": float(table[i, j] / lengths[i, j]) for i in range(8) for j in range(8)}
        for name, table in tables.items()
    }
    return found | {"axial": (float(stiffness[0, 0]) - 12 * BENDING / LENGTH**3) * LENGTH / AXIAL}


def loading_facts(bending: Result, ramp: float) -> dict[str, float]:
    """Eq 26 from the power of the moment and the spin of the end; the mesh of section 5."""
    power, spin = bending.values("load.power"), bending.values("rod.end.spin")
    moving = np.abs(spin) > 1e-3 * np.abs(spin).max()
    moment = np.divide(power, spin, out=np.zeros_like(power), where=moving)
    grows, held = moving & (bending.time > 0.0) & (bending.time <= ramp), moving & (bending.time > ramp)
    nodes = bending.mechanism.beams["rod"].nodes.shape[0]
    return {
        "slope": float(np.median(moment[grows] / bending.time[grows])), "held": float(np.median(moment[held])),
        "ramp": float(bending.time[grows][np.argmax(moment[grows])]),
        "nodes": nodes, "elements": nodes - 1,
    }  # fmt: skip
