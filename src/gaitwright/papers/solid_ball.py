"""Paper 004 section 5.2: the ball of section 5.1 by finite elements, as a force that is asked for at every evaluation.

The thesis shows curves beside those of Flores's law (Fig 5.9 to 5.11) and says that the force is linear in the deformation.
It is so where one node touches, which is what a coarse mesh does; a mesh whose contact has many nodes follows Hertz. And a
mesh of a fifth of the radius happens to have the stiffness with which one node gives the largest force of Flores's law.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from gaitwright.mesh import ball, disc
from gaitwright.model.model import Model
from gaitwright.papers import bouncing_ball, impact
from gaitwright.papers.check import Experiment, Said, done, heading, run_numbers, silent
from gaitwright.papers.disturb import built
from gaitwright.papers.impact import ACCURATE
from gaitwright.papers.sheet import setup_of
from gaitwright.result.result import Result
from gaitwright.system.solids.settling import FORCE

NAME = "solid-ball"
UNTIL = 0.5
"""s: the first bounce of the ball, as far as it counts."""
ODE23S: dict[str, Any] = {"method": "rosenbrock23", "tolerance": 1e-6, "output_step": 0.0}
"""The method of the thesis, which chooses its steps."""
FLORES, FINE, NODE, CYLINDER = "Flores", "finite elements", "one node", "cylinder"
SHALLOW, DEEP, SAMPLES = 2e-4, 2e-3, 20
"""m: between which an exponent is fitted, to this many points."""
PARTS = (2, 3, 4, 5, 6, 8, 10, 12)
"""Elements on the radius of even meshes."""


class Setup(setup_of(NAME)):
    """The ball of the thesis, and a cylinder."""

    @property
    def youngs_modulus(self) -> float:
        """Pa: for which Hertz's law of this ball on a rigid plane has the printed stiffness."""
        return 0.75 * self.stiffness / self.radius**0.5 * (1.0 - self.poissons_ratio**2)

    @property
    def material(self) -> dict[str, Any]:
        return {"type": "linear-elastic", "youngs_modulus": self.youngs_modulus, "poissons_ratio": self.poissons_ratio}

    def resting(self, mesh: Any, copies: int, **how: Any) -> Model:
        """A ball (or a disc) that rests at every instant, `height` above the ground: the piece of it that planes of symmetry
        leave, how often there is such a piece."""
        d = mesh.dimension
        up = np.eye(d)[-1]
        place = ((self.radius + self.height) * up).tolist()
        model = Model(
            f"{'ball' if d == 3 else 'cylinder'} by finite elements", dimension=d, gravity=tuple(-self.gravity * up)
        )
        inertia = 0.4 * self.mass * self.radius**2
        model.body("core", mass=self.mass, inertia=[inertia] * 3 if d == 3 else inertia, at=place)
        # Of mirrored pieces moments cancel; of one piece they do not.
        model.ground_point("O", *[0.0] * d).joint("prismatic", a="ground.O", b="core", axis=up.tolist(), name="guide")
        reach = [[-1.0] * d, [1.0] * (d - 1) + [self.height + 0.6 * self.radius]]
        surface = "surface" if d == 3 else "rim"
        plane = {"plane": [0.0, 0.0, 1.0, 0.0]} if d == 3 else {"line": [0.0, 1.0, 0.0]}
        return model.solid(
            "ball", mesh, at=place, fixed=[{"region": f"cut_{x}", "axes": x} for x in "xyz"[:d]],
            material={**self.material, "type": how.pop("material", "linear-elastic")},
            regions={"low": {"all": [surface, {"box": reach}]}}, **({"thickness": self.length} if d == 2 else {}),
            quasi_static={"body": "core", **plane, "region": "low", "copies": copies, **how},
        )  # fmt: skip

    def even(self, parts: int) -> Model:
        """An eighth of the ball in linear elements, so many on the radius."""
        return self.resting(ball(self.radius, self.radius / parts, cut=("x", "y", "-z")), 4, condensed=True)

    def fine(self, finest: float) -> Model:
        """The same with small elements, m, where it touches."""
        size, pole = 0.34 * self.radius, (0.0, 0.0, -self.radius)
        mesh = ball(self.radius, size, cut=("x", "y", "-z"), towards=pole, finest=finest)
        return self.resting(mesh, 4, condensed=True)

    def cylinder(self, parts: int) -> Model:
        """A quarter of a cylinder in plane strain, with all its nodes, as the thesis has it."""
        return self.resting(disc(self.radius, self.radius / parts, cut=("x", "-y")), 2, material="neo-hookean")


@dataclass
class Hit:
    """The first impact: SI units. steps: those of the run; before: those until the contact; within: those in it; share:
    how many of all. equilibria: that were solved."""

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
class OnMesh:
    """What a mesh makes of the ball. size: mm, of its elements where it touches. exponent: of the force in the depth.
    touching: nodes of the piece at the depth DEEP. stiffness: N/m, of the first node. force: N, the largest if it alone
    touched."""

    size: float
    nodes: int
    exponent: float
    touching: int
    stiffness: float
    force: float


def times_of(run: Result) -> tuple[float, float]:
    """Touchdown and release, s."""
    falling, rising = (run.crossings("ball.gap", direction=sign) for sign in (-1, 1))
    return float(falling[0]), float(rising[rising > falling[0]][0])


def resting(run: Result) -> Any:
    """The solid of a run."""
    return run.mechanism.parts["ball"]


def through(run: Result, samples: int = 400) -> dict[str, np.ndarray]:
    """Time since touchdown, s, depth, m, and force, N, over the impact, each (samples,)."""
    first, last = times_of(run)
    times = np.linspace(first, last, samples)
    states = run.at(times)
    gap, force = (run.catalogue[f"ball.{name}"].values(states) for name in ("gap", "normal_force"))
    return {"since": times - first, "depth": -gap, "force": force}


@dataclass
class SolidBall(Experiment):
    """runs: by model. solids: of meshes that are pressed without moving, by their size in parts of the radius."""

    runs: dict[str, Result]
    solids: dict[str, Any]
    setup: Setup

    @cached_property
    def curves(self) -> dict[str, dict[str, np.ndarray]]:
        found = {name: through(run) for name, run in self.runs.items() if name != FLORES}
        since, depth, force = impact.through(self.runs[FLORES], bouncing_ball.CONTACT)
        return {FLORES: {"since": since, "depth": depth, "force": force}, **found}

    @cached_property
    def hits(self) -> dict[str, Hit]:
        return {name: self._hit(name) for name in self.runs}

    def _hit(self, name: str) -> Hit:
        run, curve, e = self.runs[name], self.curves[name], self.runs[name].evidence
        up = "z" if run.mechanism.dimension == 3 else "y"
        speed = run.values(f"{'ball' if name == FLORES else 'core'}.v{up}")
        first = impact.first(run).begin if name == FLORES else times_of(run)[0]
        last = first + float(curve["since"][-1])
        within = int(np.sum((run.time > first * (1 + 1e-12)) & (run.time <= last * (1 + 1e-9))))
        solved = 0 if name == FLORES else resting(run).settling.tally["solved"]
        return Hit(
            float(curve["depth"].max()), float(curve["force"].max()), last - first, float(-speed.min()), float(speed.max()),
            e.steps, int(np.sum(run.time[1:] <= first * (1 + 1e-12))), within, solved, e.max_energy_residual, e.wall_seconds,
        )  # fmt: skip

    @cached_property
    def meshes(self) -> dict[str, OnMesh]:
        return {name: self._on_mesh(name) for name in self.solids}

    def _on_mesh(self, name: str) -> OnMesh:
        part = self.solids[name]
        depths = np.geomspace(SHALLOW, DEEP, SAMPLES)
        level = self.setup.height
        forces = [-part.settling.ask([-level - depth, 0.0, 0.0, 1.0], FORCE).slope[0] for depth in depths]
        exponent = float(np.polyfit(np.log(depths), np.log(forces), 1)[0])
        touching = int(np.sum(part.settling.forces([-level - DEEP, 0.0, 0.0, 1.0]) > 0.0))
        stiffness = float(part.settling.ask([-level - 1e-9, 0.0, 0.0, 1.0], FORCE).slope[0] / -1e-9)
        energy = self.setup.mass * self.setup.gravity * self.setup.height
        sides = part.mesh.nodes[part.touching[:, :2]]
        size = float(np.median(np.linalg.norm(sides[:, 0] - sides[:, 1], axis=1)))
        return OnMesh(
            1e3 * size, len(part.mesh.nodes), exponent, touching, stiffness, (2.0 * stiffness * energy) ** 0.5
        )

    def facts(self) -> dict[str, Any]:
        even = [self.meshes[name] for name in self.solids if name != FINE]
        hits, cylinder = self.hits, self.runs[CYLINDER]
        steps, first, last = np.diff(cylinder.time), *times_of(cylinder)
        inside = (cylinder.time[1:] > first * (1 + 1e-12)) & (cylinder.time[1:] <= last * (1 + 1e-9))
        flores, until = self.curves[FLORES], float(cylinder.time[-1])
        use = (flores["depth"] > SHALLOW) & (flores["force"] > 0.0)
        alone = [mesh for mesh in even if mesh.touching == 1]
        return {
            "hits": hits, "curves": self.curves, "meshes": self.meshes,
            "exponent": {
                FLORES: float(np.polyfit(np.log(flores["depth"][use]), np.log(flores["force"][use]), 1)[0]),
                "alone": max(mesh.exponent for mesh in alone), FINE: self.meshes[FINE].exponent,
            },
            "rises": float(self.meshes[FINE].exponent > max(mesh.exponent for mesh in even) > 1.001),
            "many": float(self.meshes[FINE].touching > 10),
            "of_size": {
                "parts": [float(name.split()[-1]) for name in self.solids if name != FINE],
                "exponent": [m.exponent for m in even], "touching": [float(m.touching) for m in even],
            },
            "points": self._points(), "longer": float(steps[~inside].mean() / steps[inside].mean()),
            "cylinder": {
                "number": np.arange(cylinder.time.size), "height": 1e3 * (cylinder.values("core.y") - self.setup.radius),
                "until": until, "time_share": 100.0 * (last - first) / until,
            },
            "listed": {"exponents": ", ".join(f"{m.exponent:.3f} with {m.nodes} nodes" for m in even[-3:])},
            "alone": {"nodes": max(mesh.nodes for mesh in alone)}, "at": self._hertz(),
            "shallower": hits[NODE].deepest / hits[FLORES].deepest,
        }  # fmt: skip

    def _hertz(self) -> dict[str, float]:
        """Force over depth^1.5 of the fine mesh where it is shallow, and where that is, mm."""
        depth = 5e-4
        force = -self.solids[FINE].settling.ask([-self.setup.height - depth, 0.0, 0.0, 1.0], FORCE).slope[0]
        return {"depth": 1e3 * depth, "hertz": float(force / depth**1.5)}

    def _points(self) -> float:
        """How far points of the floor by Eq 5.17, in a frame at the top of a ball that is turned, lie from the plane that
        our solid sees, m."""
        part, place = resting(self.runs[FINE]), np.array([0.03, -0.02, 0.08])
        A_j = bouncing_ball.matrix_of_turns((20.0, -35.0, 50.0))
        A_jj = bouncing_ball.matrix_of_turns((-10.0, 15.0, 25.0))
        q = np.zeros((1, self.runs[FINE].mechanism.n + 1))
        q[0, part.carrier.part.index] = np.concatenate([place, (A_j.T - np.eye(3)).ravel()])
        c, *m = part.planes(q)[0]
        top = np.array([0.0, 0.0, self.setup.radius])
        drawn = np.array([0.0, 0.0, self.setup.radius + self.setup.height])
        worst = 0.0
        for r_A in ([0.0, 0.0, 0.0], [0.4, -0.3, 0.0], [-0.2, 0.5, 0.0]):
            s = A_jj.T @ (A_j.T @ (np.array(r_A) - place) - top)  # Eq 5.17
            seen = A_jj @ s + top + drawn  # in the frame of the solid, which is the ground's where it is drawn
            worst = max(worst, abs(c + np.dot(m, seen)))
        return worst

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {name: run_numbers(run) | asdict(self.hits[name]) for name, run in self.runs.items()}


def run(progress: Said = silent, setup: Setup = Setup(), quick: bool = False) -> SolidBall:  # noqa: B008
    """All runs of the experiment. quick: with fewer meshes, and a coarser cylinder."""
    models = {
        FINE: setup.fine(setup.finest), NODE: setup.even(setup.parts),
        CYLINDER: setup.cylinder(8 if quick else 16),
    }  # fmt: skip
    until = 2.0 * (2.0 * setup.height / setup.gravity) ** 0.5
    jobs: dict[str, Any] = {
        FLORES: partial(built(bouncing_ball.Setup().ball_and_floor(1.0)).simulate, UNTIL, **ACCURATE)
    }
    jobs |= {name: partial(built(models[name]).simulate, UNTIL, **ACCURATE) for name in (FINE, NODE)}
    jobs[CYLINDER] = partial(built(models[CYLINDER]).simulate, until, **ODE23S)
    runs = done(jobs, progress, 0.8)
    parts = (3, setup.parts, 12) if quick else PARTS
    solids = {f"R by {n}": built(setup.even(n)).mechanism().parts["ball"] for n in parts}
    solids[FINE] = resting(runs[FINE])
    return SolidBall(*heading(NAME, asdict(setup)), runs, solids, setup)
