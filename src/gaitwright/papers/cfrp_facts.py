"""What is computed beside the numbers of paper 002: Eq 7, 10, 22 and 26 in our model, the text about Table 2, and what tables
and pictures show; see cfrp_beam.py."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.model.model import Model
from gaitwright.papers.cfrp_beam import MESHES, PHI, WINDOWS, CfrpBeam, arc
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


def _by_node(values: Iterable[float]) -> dict[int, float]:
    return dict(enumerate(values, start=1))


def facts(found: CfrpBeam) -> dict[str, Any]:
    """table: Table 2 as computed; spread: least and largest among the beams with nearly the same E A; by_step: the table
    with the shorter and with the longer step."""
    printed, table = found.sheet.printed, found.table
    before = np.array([table[name] for name in ("bending", "holding")])
    by_step = {found.runs[name].evidence.largest_step: averages for name, averages in found.by_step.items()}
    readings = [name.removeprefix("reading ") for name in found.runs if name.startswith("reading ")]
    return {
        "element": element_facts(), "load": loading_facts(found.runs["bending"], found.setup.ramp), "table": table,
        "over_linear": {phi: float(found.statics[phi, 5][-1, 1] / (phi / 2)) for phi in PHI},
        "table_2": {row: [printed[f"2-{row}-{node}"] for node in range(1, 7)] for row in WINDOWS},
        "averages": {row: _by_node(values) for row, values in table.items()},
        "spread": {row: [_by_node(values) for values in found.spread(row)] for row in WINDOWS}, "steps": sorted(by_step),
        "by_step": [{row: _by_node(values) for row, values in by_step[step].items()} for step in sorted(by_step)],
        "upright": found.runs["released"].crossings("rod.end.x"), "inner": before[:, 1:-1].ravel(), "outer": before[:, [0, -1]],
        "more": [k + 1 for k in range(6) if table["releasing"][k] > table["holding"][k]],
        "highest": int(np.argmax(table["releasing"])) + 1, "until_release": found.moments["bending"][1:-1],
        "groups": ", ".join(f"{name} = {value:.4g}" for name, value in found.setup.groups.items()),
        "again": {row: found.after(row, "again") / table[row] - 1 for row in ("releasing", "released")},
        "readings": {name: found.after("releasing", f"reading {name}") for name in readings},
        "reference": {
            row: {name: found.after(row, f"reading {name}") for name in readings if name == "REFERENCE D"}
            for row in ("releasing", "released")
        },
        **shown(found),
    }  # fmt: skip


def shown(found: CfrpBeam) -> dict[str, Any]:
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
