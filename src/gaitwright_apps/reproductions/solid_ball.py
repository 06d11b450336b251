"""Paper 004 section 5.2: the ball of section 5.1 by finite elements, as a force computed at every evaluation.

The thesis shows curves beside those of Flores's law (Fig 5.9 to 5.11) and states that the force is linear in the
deformation. This holds if one node is in contact, as with a coarse mesh; a mesh with many contact nodes follows Hertz.
A mesh size of a fifth of the radius happens to have the stiffness with which one node gives the largest force of
Flores's law.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from gaitwright.fem.plane_equilibrium import REQUEST_FORCE
from gaitwright.mesh import ball, disc
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import bouncing_ball, impact_runs
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
    run_jobs,
    summarise_run,
)
from gaitwright_apps.reproductions.impact_runs import ACCURATE_OPTIONS
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "solid-ball"
DURATION_S = 0.5
"""Duration, s: the first bounce of the ball."""
ODE23S_OPTIONS: dict[str, Any] = {"method": "rosenbrock23", "tolerance": 1e-6, "output_step": 0.0}
"""Method of the thesis, with adaptive steps."""
FLORES_RUN, FINE_RUN, ONE_NODE_RUN, CYLINDER_RUN = "Flores", "finite elements", "one node", "cylinder"
MIN_FIT_DEPTH_M, MAX_FIT_DEPTH_M, FIT_SAMPLES = 2e-4, 2e-3, 20
"""Range of depths for the fit of an exponent, m, and number of its samples."""
RADIUS_ELEMENTS = (2, 3, 4, 5, 6, 8, 10, 12)
"""Numbers of elements on the radius of uniform meshes."""


class SolidBallSetup(make_setup_class(EXPERIMENT_NAME)):
    """Ball of the thesis, and a cylinder."""

    @property
    def youngs_modulus(self) -> float:
        """Young's modulus, Pa, for which Hertz's law of this ball on a rigid plane has the printed stiffness."""
        return 0.75 * self.stiffness / self.radius**0.5 * (1.0 - self.poissons_ratio**2)

    @property
    def material(self) -> dict[str, Any]:
        return {"type": "linear-elastic", "youngs_modulus": self.youngs_modulus, "poissons_ratio": self.poissons_ratio}

    def resting(self, mesh: Any, copies: int, **how: Any) -> Model:
        """Model of a quasi-static ball (or disc), `height` above the ground. mesh: one piece between planes of
        symmetry; copies: number of such pieces."""
        d = mesh.dimension
        up = np.eye(d)[-1]
        position = ((self.radius + self.height) * up).tolist()
        model = Model(
            f"{'ball' if d == 3 else 'cylinder'} by finite elements", dimension=d, gravity=tuple(-self.gravity * up)
        )
        inertia = 0.4 * self.mass * self.radius**2
        model.body("core", mass=self.mass, inertia=[inertia] * 3 if d == 3 else inertia, at=position)
        # Moments of mirrored pieces cancel; those of a single piece do not.
        model.ground_point("O", *[0.0] * d).joint("prismatic", a="ground.O", b="core", axis=up.tolist(), name="guide")
        reach = [[-1.0] * d, [1.0] * (d - 1) + [self.height + 0.6 * self.radius]]
        surface = "surface" if d == 3 else "rim"
        plane = {"plane": [0.0, 0.0, 1.0, 0.0]} if d == 3 else {"line": [0.0, 1.0, 0.0]}
        return model.solid(
            "ball", mesh, at=position, fixed=[{"region": f"cut_{x}", "axes": x} for x in "xyz"[:d]],
            material={**self.material, "type": how.pop("material", "linear-elastic")},
            regions={"low": {"all": [surface, {"box": reach}]}}, **({"thickness": self.length} if d == 2 else {}),
            quasi_static={"body": "core", **plane, "region": "low", "copies": copies, **how},
        )  # fmt: skip

    def even(self, parts: int) -> Model:
        """An eighth of the ball in linear elements of uniform size; parts: number on the radius."""
        return self.resting(ball(self.radius, self.radius / parts, cut=("x", "y", "-z")), 4, condensed=True)

    def fine(self, finest: float) -> Model:
        """The same with small elements, m, in the contact zone."""
        size, pole = 0.34 * self.radius, (0.0, 0.0, -self.radius)
        mesh = ball(self.radius, size, cut=("x", "y", "-z"), towards=pole, finest=finest)
        return self.resting(mesh, 4, condensed=True)

    def cylinder(self, parts: int) -> Model:
        """A quarter of a cylinder in plane strain, with all its nodes, as in the thesis."""
        return self.resting(disc(self.radius, self.radius / parts, cut=("x", "-y")), 2, material="neo-hookean")


@dataclass
class SolidBallImpact:
    """First impact, SI units. steps: number of steps of the run; before: of those until the contact; within: of
    those during it; share: percentage of all. equilibria: number of solved equilibria."""

    deepest: float
    force: float
    duration: float
    speed_in: float
    speed_out: float
    steps: int
    before: int
    within: int
    equilibria: int
    residual: float
    seconds: float

    @property
    def share(self) -> float:
        return 100.0 * self.within / self.steps


@dataclass
class SolidBallMeshResult:
    """Results of the ball for one mesh. size: mm, of its elements in the contact zone. exponent: of the force over
    the depth. touching: contact nodes of the piece at MAX_FIT_DEPTH_M. stiffness: N/m, of the first node. force: N,
    the largest with this node alone in contact."""

    size: float
    nodes: int
    exponent: float
    touching: int
    stiffness: float
    force: float


def contact_interval(run: Result) -> tuple[float, float]:
    """Times of touchdown and release, s."""
    falling, rising = (run.crossings("ball.gap", direction=sign) for sign in (-1, 1))
    return float(falling[0]), float(rising[rising > falling[0]][0])


def find_solid(run: Result) -> Any:
    """The solid of a run."""
    return run.mechanism.parts["ball"]


def impact_curves(run: Result, samples: int = 400) -> dict[str, np.ndarray]:
    """Time since touchdown, s, depth, m, and force, N, over the impact, each (samples,)."""
    first, last = contact_interval(run)
    times = np.linspace(first, last, samples)
    states = run.at(times)
    gap, force = (run.catalogue[f"ball.{name}"].values(states) for name in ("gap", "normal_force"))
    return {"since": times - first, "depth": -gap, "force": force}


@dataclass
class SolidBallExperiment(Experiment):
    """runs: by model. solids: meshes pressed without motion, by their size relative to the radius."""

    runs: dict[str, Result]
    solids: dict[str, Any]
    setup: SolidBallSetup

    @cached_property
    def curves(self) -> dict[str, dict[str, np.ndarray]]:
        curves = {name: impact_curves(run) for name, run in self.runs.items() if name != FLORES_RUN}
        since, depth, force = impact_runs.first_impact_curves(self.runs[FLORES_RUN], bouncing_ball.CONTACT_NAME)
        return {FLORES_RUN: {"since": since, "depth": depth, "force": force}, **curves}

    @cached_property
    def hits(self) -> dict[str, SolidBallImpact]:
        return {name: self._hit(name) for name in self.runs}

    def _hit(self, name: str) -> SolidBallImpact:
        run, curve, e = self.runs[name], self.curves[name], self.runs[name].evidence
        up = "z" if run.mechanism.dimension == 3 else "y"
        speed = run.array(f"{'ball' if name == FLORES_RUN else 'core'}.v{up}")
        first = impact_runs.first_impact(run).begin if name == FLORES_RUN else contact_interval(run)[0]
        last = first + float(curve["since"][-1])
        within = int(np.sum((run.time > first * (1 + 1e-12)) & (run.time <= last * (1 + 1e-9))))
        solved = 0 if name == FLORES_RUN else find_solid(run).equilibrium.tally["solved"]
        return SolidBallImpact(
            float(curve["depth"].max()), float(curve["force"].max()), last - first, float(-speed.min()), float(speed.max()),
            e.steps, int(np.sum(run.time[1:] <= first * (1 + 1e-12))), within, solved, e.max_energy_residual, e.wall_seconds,
        )  # fmt: skip

    @cached_property
    def meshes(self) -> dict[str, SolidBallMeshResult]:
        return {name: self._on_mesh(name) for name in self.solids}

    def _on_mesh(self, name: str) -> SolidBallMeshResult:
        part = self.solids[name]
        depths = np.geomspace(MIN_FIT_DEPTH_M, MAX_FIT_DEPTH_M, FIT_SAMPLES)
        level = self.setup.height
        forces = [
            -part.equilibrium.evaluate([-level - depth, 0.0, 0.0, 1.0], REQUEST_FORCE).slope[0] for depth in depths
        ]
        exponent = float(np.polyfit(np.log(depths), np.log(forces), 1)[0])
        touching = int(np.sum(part.equilibrium.forces([-level - MAX_FIT_DEPTH_M, 0.0, 0.0, 1.0]) > 0.0))
        stiffness = float(part.equilibrium.evaluate([-level - 1e-9, 0.0, 0.0, 1.0], REQUEST_FORCE).slope[0] / -1e-9)
        energy = self.setup.mass * self.setup.gravity * self.setup.height
        sides = part.mesh.nodes[part.touching[:, :2]]
        size = float(np.median(np.linalg.norm(sides[:, 0] - sides[:, 1], axis=1)))
        return SolidBallMeshResult(
            1e3 * size, len(part.mesh.nodes), exponent, touching, stiffness, (2.0 * stiffness * energy) ** 0.5
        )

    def facts(self) -> dict[str, Any]:
        even = [self.meshes[name] for name in self.solids if name != FINE_RUN]
        hits, cylinder = self.hits, self.runs[CYLINDER_RUN]
        steps, first, last = np.diff(cylinder.time), *contact_interval(cylinder)
        inside = (cylinder.time[1:] > first * (1 + 1e-12)) & (cylinder.time[1:] <= last * (1 + 1e-9))
        flores, until = self.curves[FLORES_RUN], float(cylinder.time[-1])
        use = (flores["depth"] > MIN_FIT_DEPTH_M) & (flores["force"] > 0.0)
        single_contact = [mesh for mesh in even if mesh.touching == 1]
        return {
            "hits": hits, "curves": self.curves, "meshes": self.meshes,
            "exponent": {
                FLORES_RUN: float(np.polyfit(np.log(flores["depth"][use]), np.log(flores["force"][use]), 1)[0]),
                "alone": max(mesh.exponent for mesh in single_contact), FINE_RUN: self.meshes[FINE_RUN].exponent,
            },
            "rises": float(self.meshes[FINE_RUN].exponent > max(mesh.exponent for mesh in even) > 1.001),
            "many": float(self.meshes[FINE_RUN].touching > 10),
            "of_size": {
                "parts": [float(name.split()[-1]) for name in self.solids if name != FINE_RUN],
                "exponent": [m.exponent for m in even], "touching": [float(m.touching) for m in even],
            },
            "points": self._points(), "longer": float(steps[~inside].mean() / steps[inside].mean()),
            "cylinder": {
                "number": np.arange(cylinder.time.size), "height": 1e3 * (cylinder.array("core.y") - self.setup.radius),
                "until": until, "time_share": 100.0 * (last - first) / until,
            },
            "listed": {"exponents": ", ".join(f"{m.exponent:.3f} with {m.nodes} nodes" for m in even[-3:])},
            "alone": {"nodes": max(mesh.nodes for mesh in single_contact)}, "at": self._hertz(),
            "shallower": hits[ONE_NODE_RUN].deepest / hits[FLORES_RUN].deepest,
        }  # fmt: skip

    def _hertz(self) -> dict[str, float]:
        """Force over depth^1.5 of the fine mesh at a small depth, and this depth, mm."""
        depth = 5e-4
        force = (
            -self.solids[FINE_RUN]
            .equilibrium.evaluate([-self.setup.height - depth, 0.0, 0.0, 1.0], REQUEST_FORCE)
            .slope[0]
        )
        return {"depth": 1e3 * depth, "hertz": float(force / depth**1.5)}

    def _points(self) -> float:
        """Largest distance of floor points by Eq 5.17, in a frame at the top of a rotated ball, from the plane used
        by our solid, m."""
        part, point = find_solid(self.runs[FINE_RUN]), np.array([0.03, -0.02, 0.08])
        A_j = bouncing_ball.rotation_from_turns((20.0, -35.0, 50.0))
        A_jj = bouncing_ball.rotation_from_turns((-10.0, 15.0, 25.0))
        q = np.zeros((1, self.runs[FINE_RUN].mechanism.n + 1))
        q[0, part.carrier.part.index] = np.concatenate([point, (A_j.T - np.eye(3)).ravel()])
        c, *m = part.planes(q)[0]
        top = np.array([0.0, 0.0, self.setup.radius])
        start_position = np.array([0.0, 0.0, self.setup.radius + self.setup.height])
        worst = 0.0
        for r_A in ([0.0, 0.0, 0.0], [0.4, -0.3, 0.0], [-0.2, 0.5, 0.0]):
            s = A_jj.T @ (A_j.T @ (np.array(r_A) - point) - top)  # Eq 5.17
            position = (
                A_jj @ s + top + start_position
            )  # in the frame of the solid, which coincides with the ground's as drawn
            worst = max(worst, abs(c + np.dot(m, position)))
        return worst

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {name: summarise_run(run) | asdict(self.hits[name]) for name, run in self.runs.items()}


def run(
    progress: ProgressCallback = ignore_progress,
    setup: SolidBallSetup = SolidBallSetup(),  # noqa: B008
    quick: bool = False,
) -> SolidBallExperiment:
    """Run all parts of the experiment. quick: with fewer meshes, and a coarser cylinder."""
    models = {
        FINE_RUN: setup.fine(setup.finest), ONE_NODE_RUN: setup.even(setup.parts),
        CYLINDER_RUN: setup.cylinder(8 if quick else 16),
    }  # fmt: skip
    until = 2.0 * (2.0 * setup.height / setup.gravity) ** 0.5
    jobs: dict[str, Any] = {
        FLORES_RUN: partial(
            perturb_if_active(bouncing_ball.BouncingBallSetup().ball_and_floor(1.0)).simulate,
            DURATION_S,
            **ACCURATE_OPTIONS,
        )
    }
    jobs |= {
        name: partial(perturb_if_active(models[name]).simulate, DURATION_S, **ACCURATE_OPTIONS)
        for name in (FINE_RUN, ONE_NODE_RUN)
    }
    jobs[CYLINDER_RUN] = partial(perturb_if_active(models[CYLINDER_RUN]).simulate, until, **ODE23S_OPTIONS)
    runs = run_jobs(jobs, progress, 0.8)
    parts = (3, setup.parts, 12) if quick else RADIUS_ELEMENTS
    solids = {f"R by {n}": perturb_if_active(setup.even(n)).mechanism().parts["ball"] for n in parts}
    solids[FINE_RUN] = find_solid(runs[FINE_RUN])
    return SolidBallExperiment(*experiment_heading(EXPERIMENT_NAME, asdict(setup)), runs, solids, setup)
