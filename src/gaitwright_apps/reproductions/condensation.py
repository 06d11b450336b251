"""Paper 004 sections 4.2.1 and 5.2.2: a contact step with and without static condensation, and internal results of the ball.

Three methods for one equilibrium of a quarter cylinder on the floor, of a linear material: Newton's method on all nodes; as in
the thesis (Eq 4.5), Newton's method on the boundary nodes with their dense stiffness; and the active set on compliances. The
thesis's crossover is that of the first two. Times are those of this machine, and only reported; no conclusion is drawn from
them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.fem.condensation import Condensation
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.fem.plane_equilibrium import REQUEST_STIFFNESS
from gaitwright.mesh import disc
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import bouncing_ball, solid_ball
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
)
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "condensation"
RADIUS_ELEMENTS, QUICK_RADIUS_ELEMENTS = (4, 6, 8, 12, 16, 24, 32, 48), (4, 8, 12)
"""Numbers of elements on the radius."""
CONTACT_DEPTHS_M = (1e-3, 1.05e-3)
"""Depths of two successive contact steps, m."""
TIMING_REPEATS = 5


class CondensationSetup(make_setup_class(EXPERIMENT_NAME)):
    """Cylinder and ball of section 5.2."""

    @property
    def ball(self) -> Any:
        return solid_ball.SolidBallSetup()

    def cylinder(self, parts: int, condensed: bool) -> Any:
        """A quarter of the cylinder, quasi-static, of a linear material."""
        mesh = disc(self.ball.radius, self.ball.radius / parts, cut=("x", "-y"))
        how = {"condensed": True} if condensed else {}
        return perturb_if_active(self.ball.resting(mesh, 2, **how)).mechanism().parts["ball"]

    def on_the_floor(self) -> Result:
        """An eighth of the ball at its full depth, for pictures."""
        model = self.ball.fine(self.finest)
        document = model.to_dict()
        for part in (document["bodies"][0], document["solids"][0]):
            part["at"][2] = self.ball.radius - self.depth
        document["solids"][0]["regions"]["low"]["all"][1]["box"][1][2] = 0.6 * self.ball.radius
        return perturb_if_active(type(model).from_dict(document)).simulate(1e-7, step=1e-7)


class DenseCondensation:
    """The thesis's method: Newton's method on the boundary nodes, with the penalty of the full model (Eq 4.5)."""

    def __init__(self, part: Any):
        sides, is_fixed = part.with_all_nodes().sides, part.number == HELD_COORDINATE
        boundary_nodes = np.unique(part.mesh.boundary)
        self.condensation = Condensation(
            part.mesh.nodes, part.fillings, is_fixed, boundary_nodes[~is_fixed[boundary_nodes].all(axis=1)]
        )
        number, places = self.condensation.number, np.searchsorted(self.condensation.nodes, sides.nodes[:, 0])
        self.number, self.X = number[places], part.mesh.nodes[sides.nodes[:, 0]]
        self.weights, self.copies = sides.parameters[:, 0], part.copies
        self.u = np.zeros(self.condensation.size)

    def press(self, x: Any) -> float:
        """Force on a plane (c, m), N."""
        c, m = x[0], np.asarray(x[1:])
        while True:
            moved = np.where(self.number == HELD_COORDINATE, 0.0, self.u[self.number])
            gaps = c + (self.X + moved) @ m
            K, f = self.condensation.stiffness.copy(), -self.condensation.stiffness @ self.u
            for i in np.flatnonzero(gaps < 0.0):
                use = self.number[i] != HELD_COORDINATE
                rows, n = self.number[i][use], m[use]
                K[np.ix_(rows, rows)] += self.weights[i] * np.outer(n, n)
                f[rows] -= self.weights[i] * gaps[i] * n
            step = np.linalg.solve(K, f)
            self.u += step
            if np.abs(step).max() < 1e-12:
                return float(-self.copies * self.weights @ np.minimum(gaps, 0.0))


@dataclass
class CondensationMeshResult:
    """Seconds of one contact step, and of the preparation before the first: with all nodes, as in the thesis, with
    compliances. apart: difference of the forces of the first two, relative to the largest."""

    size: float
    nodes: int
    outside: int
    whole: float
    dense: float
    dense_before: float
    compliant: float
    compliant_before: float
    apart: float

    @property
    def paid(self) -> float:
        """Number of steps after which the condensation to compliances is faster in total."""
        return self.compliant_before / max(self.whole - self.compliant, 1e-12)


def time_repeatedly(work: Callable[[], Any], repeats: int = TIMING_REPEATS) -> float:
    """Minimum time of several repetitions, s."""
    durations = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        durations.append(time.perf_counter() - began)
    return min(durations)


def measure_mesh(setup: CondensationSetup, parts: int) -> CondensationMeshResult:
    whole, condensed = setup.cylinder(parts, False), setup.cylinder(parts, True)
    level = setup.ball.height
    planes = [[-level - depth, 0.0, 1.0] for depth in CONTACT_DEPTHS_M]

    def steps(ask: Callable[[Any], Any]) -> Callable[[], Any]:
        """Solve both poses; half of the time is that of one step."""
        return lambda: [ask(x) for x in planes]

    before = time_repeatedly(lambda: DenseCondensation(whole), 1)
    dense = DenseCondensation(whole)
    solver = condensed.solver(condensed)
    solver_before = time_repeatedly(lambda: condensed.solver(condensed), 1)
    seconds = [
        time_repeatedly(steps(ask)) / 2 for ask in (
            lambda x: whole.equilibrium.evaluate(x, REQUEST_STIFFNESS), dense.press,
            lambda x: solver.evaluate(x, REQUEST_STIFFNESS),
        )
    ]  # fmt: skip
    force = -whole.equilibrium.evaluate(planes[-1], REQUEST_STIFFNESS).slope[0]
    outside = len(np.unique(whole.mesh.boundary))
    apart = abs(dense.press(planes[-1]) / force - 1.0)
    size = 1e3 * setup.ball.radius / parts
    return CondensationMeshResult(
        size, len(whole.mesh.nodes), outside, seconds[0], seconds[1], before, seconds[2], solver_before, apart
    )


@dataclass
class CondensationExperiment(Experiment):
    """meshes: by elements on the radius. pressed: the ball on the floor. inside: differences of recovered results
    from those with all nodes; see `recovery_errors`."""

    meshes: dict[str, CondensationMeshResult]
    pressed: Result
    inside: dict[str, float]
    setup: CondensationSetup
    runs: dict[str, Result] = field(default_factory=dict)

    @cached_property
    def pressures(self) -> dict[str, np.ndarray]:
        """Pressures of the possible contact nodes of the ball, by distance from the axis, mm and MPa, and Hertz's
        solution."""
        part: Any = self.pressed.mechanism.parts["ball"]
        x = part.planes(self.pressed.motion.q)[0]
        r = np.linalg.norm(part.equilibrium.places[:, :2], axis=1)
        order = np.argsort(r)
        force, ball = -part.equilibrium.evaluate(x).slope[0], self.setup.ball
        # a^3 = 3 F R / (4 E*), with E* of the stiffness K = 4/3 E* sqrt(R)
        reach = (force * ball.radius**1.5 / ball.stiffness) ** (1.0 / 3.0)
        at = np.linspace(0.0, reach, 100)
        hertz = 1.5 * force / (np.pi * reach**2) * np.sqrt(np.maximum(1.0 - (at / reach) ** 2, 0.0))
        near = r[order] < 2.0 * reach
        pressure = np.nan_to_num(part.equilibrium.pressures(x))[order]
        return {"r": 1e3 * r[order][near], "p": 1e-6 * pressure[near], "at": 1e3 * at, "hertz": 1e-6 * hertz}

    def facts(self) -> dict[str, Any]:
        meshes = list(self.meshes.values())
        ratio = [mesh.outside / (mesh.nodes - mesh.outside) for mesh in meshes]
        first = meshes[0].whole
        columns = {
            name: [getattr(mesh, name) for mesh in meshes] for name in ("size", "whole", "dense", "compliant", "paid")
        }
        faster = [mesh.size for mesh in meshes if mesh.dense < mesh.whole]
        return {
            "first": first, "ratio": ratio, "apart": max(mesh.apart for mesh in meshes),
            "smaller": float(ratio[0] < ratio[-1]), "falls": float(all(np.diff(ratio) < 0.0)),
            "by_size": {name: np.array(x) / (1.0 if name in ("size", "paid") else first) for name, x in columns.items()},
            "crossover": f"from {max(faster):.3g} mm down" if faster else "on none of these meshes",
            "pressure": self.pressures,
        }  # fmt: skip

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {name: asdict(mesh) for name, mesh in self.meshes.items()}

    def draw(self, folder: Path) -> dict[str, Path]:
        """Draw the pictures, and the ball coloured by stress, cut at its symmetry planes (Fig 5.12, 5.13)."""
        path = self.pressed.draw(folder / f"{self.name}-stress.png", labels=False)
        return {**super().draw(folder), "stress": path}


def recovery_errors(setup: CondensationSetup, parts: int) -> dict[str, float]:
    """Differences of recovered results from those of the full solid on the same floor, relative to the largest
    value. The full solid has a penalty, which allows a small penetration."""
    whole, condensed = setup.cylinder(parts, False), setup.cylinder(parts, True)
    x = [-setup.ball.height - CONTACT_DEPTHS_M[0], 0.0, 1.0]
    moved = [part.equilibrium.displacements(x) for part in (whole, condensed)]
    stress = [part.fields(part.fillings[0], u).von_mises for part, u in zip((whole, condensed), moved, strict=True)]
    pressure = [np.nan_to_num(part.equilibrium.pressures(x)) for part in (whole, condensed)]
    largest = [float(values.max()) for values in pressure]
    return {
        "displacement": float(np.abs(moved[0] - moved[1]).max() / np.abs(moved[0]).max()),
        "stress": float(np.abs(stress[0] - stress[1]).max() / stress[0].max()),
        "pressure": abs(largest[1] / largest[0] - 1.0),
        "let_in": float(np.abs(moved[0] - moved[1]).max() / CONTACT_DEPTHS_M[0]),
    }  # fmt: skip


def run(
    progress: ProgressCallback = ignore_progress,
    setup: CondensationSetup = CondensationSetup(),  # noqa: B008
    quick: bool = False,
) -> CondensationExperiment:
    """Run all parts of the experiment. quick: with fewer meshes."""
    chosen, meshes = QUICK_RADIUS_ELEMENTS if quick else RADIUS_ELEMENTS, {}
    for k, parts in enumerate(chosen):
        progress(f"{parts} elements on the radius", 0.7 * k / len(chosen))
        meshes[str(parts)] = measure_mesh(setup, parts)
    progress("the ball", 0.7)
    pressed = setup.on_the_floor()
    inside = recovery_errors(setup, 8)
    about = experiment_heading(EXPERIMENT_NAME, {**asdict(setup), "floor": bouncing_ball.EXPERIMENT_NAME})
    return CondensationExperiment(*about, meshes, pressed, inside, setup)
