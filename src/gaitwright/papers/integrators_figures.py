"""Pictures of paper 001: trajectories (Fig 3), errors of the joints (Fig 4), orders, computing times (Fig 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gaitwright.papers.figures import Curve, Panel
from gaitwright.papers.integrators import HALVED, LABELS, ORDERS, SIZES, Integrators

LOOKS: dict[str, dict[str, Any]] = {
    "gill": {"color": "C3", "linewidth": 1.0},
    "gauss2": {"color": "C1", "linewidth": 1.4},
    "gauss3": {"color": "C0", "linewidth": 1.4},
}


def _trajectory_panels(found: Integrators) -> list[Panel]:
    """Fig 3: the end of the last rod."""
    panels = []
    for kind, rods, last in (("single", 1, 400), ("double", 2, 130)):
        curves = []
        for name in ORDERS:
            x, y = (found.runs[f"{kind} {name}"].values(f"rod{rods}.P{rods}.{axis}")[: last + 1] for axis in "xy")
            curves.append(Curve(LABELS[name], x, y, {**LOOKS[name], "linewidth": 0.8}))
        title = f"{kind.capitalize()} pendulum, end of the last rod, first {last} steps of {found.setup.step:g} s"
        panels.append(Panel("y (m)", curves, "x (m)", title))
    return panels


def _error_panels(found: Integrators) -> list[Panel]:
    """Fig 4."""
    floor = np.finfo(float).eps  # below that nothing can be read
    panels = []
    for kind, title in (
        ("single", f"Single pendulum, h = {found.setup.step:g} s"),
        ("double", f"Double pendulum, h = {found.setup.step:g} s: the implicit methods end early"),
        ("2 rods", f"Double pendulum, h = {found.setup.short_step:g} s"),
    ):
        curves = []
        for name in ORDERS:
            apart = np.maximum(found.apart[f"{kind} {name}"][1:], floor)
            curves.append(Curve(LABELS[name], np.arange(1, apart.size + 1), apart, LOOKS[name]))
        panels.append(Panel("error of the joints (m)", curves, "step", title, log=True))
    return panels


def _order_panels(found: Integrators) -> list[Panel]:
    panels = []
    for rods in (1, 2):
        curves = [
            Curve(LABELS[name], np.log10(HALVED[name]), found.errors[rods, name], {**LOOKS[name], "marker": "o"})
            for name in ORDERS
        ]
        title = f"{rods} rod{'s' * (rods > 1)}: error against the step"
        panels.append(Panel("error (m, rad)", curves, "log10 of the step in seconds", title, log=True))
    return panels


def _time_panels(found: Integrators) -> list[Panel]:
    """Fig 5."""
    dots = {"marker": "o", "markersize": 4}
    times, counts = [], []
    for name in ORDERS:
        took = [1e3 * found.runs[f"{rods} rods {name}"].evidence.wall_seconds for rods in SIZES]
        times.append(Curve(LABELS[name], SIZES, took, {**LOOKS[name], **dots}))
        counts.append(Curve(LABELS[name], SIZES, [found.work(rods, name) for rods in SIZES], {**LOOKS[name], **dots}))
    steps = f"{found.setup.steps} steps of {found.setup.short_step:g} s"
    return [
        Panel("time (ms)", times, "rods", f"Computing time of {steps}, on this machine"),
        Panel("count", counts, "rods", "Right-hand sides times unknowns, on any machine", log=True),
    ]


PICTURES: dict[str, Callable[[Integrators], Sequence[Panel]]] = {
    "trajectories": _trajectory_panels, "errors": _error_panels, "orders": _order_panels, "times": _time_panels,
}  # fmt: skip
