"""Pictures of paper 002: equilibrium against the arc (Fig 5), shapes (Fig 6b), elastic moments, averages (Table 2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gaitwright.papers.cfrp_beam import MESHES, PHI, PRINTED, WINDOWS, CfrpBeam, arc
from gaitwright.papers.figures import Curve, Panel
from gaitwright.result.result import Result

DOTS = {"linestyle": "none", "marker": "o", "markersize": 4}
DOTTED = {"color": "#6b7685", "linestyle": ":", "linewidth": 1.4}


def _static_panels(found: CfrpBeam) -> list[Panel]:
    s = np.linspace(0.0, 1.0, 101)
    panels = []
    for phi in (PHI[1], PHI[-1]):
        exact, nodes = arc(phi, s), found.statics[phi, 5]
        curves = [
            Curve("exact arc", exact[:, 0], exact[:, 1], {"color": "black", "linewidth": 1.2}),
            Curve("Eq 25, linear", s, phi * s**2 / 2, DOTTED),
            Curve("5 elements", nodes[:, 0], nodes[:, 1], {**DOTS, "color": "C0"}),
        ]
        panels.append(Panel("y / L", curves, "x / L", f"Equilibrium, M L / E I = {phi:g}"))
    errors = []
    for phi in PHI[2:]:
        exact = arc(phi, np.ones(1))[0]
        off = [math.hypot(*(found.statics[phi, n][-1] - exact)) for n in MESHES]
        errors.append(Curve(f"M L / E I = {phi:g}", MESHES, off, {"marker": "o", "markersize": 4}))
    guide = [0.4 * errors[-1].y[0] * (MESHES[0] / n) ** 2 for n in MESHES]
    errors.append(Curve("second order", MESHES, guide, DOTTED))
    return [*panels, Panel("error of the tip / L", errors, "elements", "Convergence to the exact arc", log=True)]


def _shapes(run: Result, times: Sequence[float], zero: float = 0.0) -> list[Curve]:
    data = run.beam("rod", "x", "y", points=7)
    time = data["time"].values
    picked = [int(np.argmin(np.abs(time - t))) for t in times]
    return [
        Curve(f"{time[k] - zero:.3g} s", data["y"].values[k], -data["x"].values[k], {"color": f"C{n}"})
        for n, k in enumerate(picked)
    ]


def _shape_panels(found: CfrpBeam) -> list[Panel]:
    s = found.setup
    bending = _shapes(_thinned(found.runs["bending"]), [0.0, s.ramp / 4, s.ramp / 2, 3 * s.ramp / 4, s.ramp])
    after = [s.release + t for t in (0.0, 0.01, 0.02, 0.03062, 0.045, 0.06)]
    released = _shapes(_thinned(found.runs["released"]), after, s.release)
    return [
        Panel("deflection (m)", bending, "height (m)", "Bending (Fig 6b)"),
        Panel("deflection (m)", released, "height (m)", "Time since the release"),
    ]


def _thinned(run: Result, most: int = 5001) -> Result:
    """The run at fewer of its output times."""
    every = max(1, math.ceil(run.time.size / most))
    motion = type(run.motion)(*(x[::every] for x in run.motion))
    return Result(run.mechanism, motion, replace(run.evidence, warnings=[]), run.document)


def _moment_panels(found: CfrpBeam) -> list[Panel]:
    s, bending, released = found.setup, found.runs["bending"], found.runs["released"]
    names = [f"node {k + 1}" for k in range(s.elements + 1)]
    before, after = found.moments["bending"], found.moments["released"]
    every = max(1, bending.time.size // 2000)
    slow = [Curve(names[k], bending.time[::every], before[k, ::every]) for k in range(len(names))]
    inside = released.time < s.release + 0.06
    since = 1e3 * (released.time[inside] - s.release)
    fast = [Curve(names[k], since, after[k, inside], {"linewidth": 0.7}) for k in (0, 5)]
    inner = [Curve(names[k], since, after[k, inside], {"linewidth": 0.5, "color": f"C{k}"}) for k in (1, 4)]
    label = "elastic moment (N m)"
    return [
        Panel(label, slow, title="Bending and holding"),
        Panel(label, fast, "time since the release (ms)", "After the release: ends"),
        Panel(label, inner, "time since the release (ms)", "After the release: nodes 2 and 5"),
    ]


def _average_panels(found: CfrpBeam) -> list[Panel]:
    nodes = np.arange(1, 7)
    panels = []
    for row in ("holding", "releasing", "released"):
        since, until = WINDOWS[row]
        curves = [
            Curve(
                "paper 002", nodes, PRINTED[row], {**DOTS, "color": "black", "markerfacecolor": "none", "markersize": 9}
            ),
            Curve("computed", nodes, found.table[row], {**DOTS, "color": "C0"}),
        ]
        name = "reading REFERENCE D"
        if name in found.runs and row != "holding":
            values = found.after(row, name)
            curves.append(Curve("REFERENCE D", nodes, values, {**DOTS, "color": "C1", "marker": "x"}))
        panels.append(Panel("average (N m)", curves, "node", f"Table 2, {since:g} to {until:g} s", xlim=(0.7, 6.3)))
    return panels


PICTURES: dict[str, Callable[[CfrpBeam], Sequence[Panel]]] = {
    "statics": _static_panels, "shapes": _shape_panels, "moments": _moment_panels, "averages": _average_panels,
}  # fmt: skip
