"""Equations 7, 12, 22 and 26 of paper 002, number by number: mass and stiffness of one element, and the moment applied."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.model.model import Model
from gaitwright.papers.check import EQUATION, INPUT, Check
from gaitwright.result.result import Result

MASS = {
    # row and column of Eq 7, its coefficient, the power of l that goes with it
    (1, 1): (13 / 35, 0), (1, 3): (11 / 210, 1), (1, 5): (9 / 70, 0), (1, 7): (-13 / 420, 1), (3, 3): (1 / 105, 2),
    (3, 5): (13 / 420, 1), (3, 7): (-1 / 140, 2), (5, 7): (-11 / 210, 1),
}  # fmt: skip
STIFFNESS = {
    # the same of Eq 22, across the element
    (2, 2): (12, 0), (2, 4): (6, 1), (2, 6): (-12, 0), (2, 8): (6, 1), (4, 4): (4, 2), (4, 6): (-6, 1), (4, 8): (2, 2),
}  # fmt: skip
LENGTH, MASS_PER_LENGTH, AXIAL, BENDING = 0.3, 0.2, 5e3, 1.7
"""m, kg/m, N, N m^2: any would do, the coefficients do not depend on them."""


def element_matrices() -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness of one straight, unstressed element along x in the order of Eq 4, each (8, 8)."""
    model = Model("element", gravity=(0.0, 0.0)).point("A", 0.0, 0.0).point("B", LENGTH, 0.0)
    model.beam(
        "rod", "A", "B", length=LENGTH, elements=1, formulation="takahashi", axial_stiffness=AXIAL,
        bending_stiffness=BENDING, mass_per_length=MASS_PER_LENGTH,
    )  # fmt: skip
    mechanism = model.mechanism()
    s, order = mechanism.system, mechanism.beams["rod"].nodes.ravel()
    mass, stiffness = np.zeros((s.n, s.n)), np.zeros((s.n, s.n))
    mass[s.mass_row, s.mass_col] = s.mass
    scale = mechanism.scale
    values = AtRest(mechanism, 0.0).stiffness(np.asarray(mechanism.drawn, dtype=float), np.zeros(s.m))
    stiffness[s.k_row, s.k_col] = values / (scale[s.k_row] * scale[s.k_col])
    return mass[np.ix_(order, order)], stiffness[np.ix_(order, order)]


def element_checks(judge: Callable[..., Check]) -> list[Check]:
    """Each coefficient of Eq 7 and 22 once, and what Eq 12 adds along the element."""
    mass, stiffness = element_matrices()
    found = []
    for id, name, table, matrix, unit in (
        ("7", "mass matrix, Eq 7", MASS, mass, MASS_PER_LENGTH * LENGTH),
        ("22", "stiffness against bending, Eq 22", STIFFNESS, stiffness, BENDING / LENGTH**3),
    ):
        for (i, j), (printed, power) in table.items():
            computed = float(matrix[i - 1, j - 1]) / (unit * LENGTH**power)
            found.append(
                judge(
                    f"{id}-{i}{j}",
                    f"{name}, row {i}, column {j}",
                    printed,
                    computed,
                    "1",
                    tolerance=1e-9 * abs(printed),
                )
            )
    along = float(stiffness[0, 0]) - 12 * BENDING / LENGTH**3
    found.append(
        judge(
            "10-axial", "stiffness along the unstressed element over E A / l, from Eq 10", 1.0, along * LENGTH / AXIAL, "1",
            tolerance=1e-9, kind=EQUATION,
            remark="the second derivative of Eq 10, evaluated by us; Eq 12, the matrix, is missing in our copy",
        )
    )  # fmt: skip
    return found


def loading_checks(judge: Callable[..., Check], bending: Result, ramp: float) -> list[Check]:
    """Eq 26 from the power of the moment and the spin of the end; the mesh of section 5."""
    power, spin = bending.values("load.power"), bending.values("rod.end.spin")
    moving = np.abs(spin) > 1e-3 * np.abs(spin).max()
    moment = np.divide(power, spin, out=np.zeros_like(power), where=moving)
    grows, held = moving & (bending.time > 0.0) & (bending.time <= ramp), moving & (bending.time > ramp)
    nodes = bending.mechanism.beams["rod"].nodes.shape[0]
    return [
        judge(
            "26-slope", "moment over time while it grows, Eq 26", 1.125, float(np.median(moment[grows] / bending.time[grows])),
            "N m/s", tolerance=1e-9, kind=INPUT,
        ),
        judge(
            "26-held", "moment while it is held, Eq 26", 4.5, float(np.median(moment[held])), "N m", tolerance=1e-9, kind=INPUT
        ),
        judge(
            "26-ramp", "end of the ramp, Eq 26", 4.0, float(bending.time[grows][np.argmax(moment[grows])]), "s",
            tolerance=2e-3, kind=INPUT, remark="the last time at which the moment grows, by the steps that are kept",
        ),
        judge("5-elements", "elements of the beam", 5, nodes - 1, "1", tolerance=0.1, kind=INPUT),
        judge("5-nodes", "nodes of the beam", 6, nodes, "1", tolerance=0.1, kind=INPUT),
    ]  # fmt: skip
