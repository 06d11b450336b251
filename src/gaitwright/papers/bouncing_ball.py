"""Paper 004 section 5.1: a ball of PTFE bounces on a plane in space, by the contact law of Flores.

Both bodies are those of Fig 5.1: their reference points lie away from sphere and plane, their frames are turned. The thesis
prints curves and sentences, no numbers; REFERENCE C has the numbers. Two of the sentences do not hold: the largest force is not
the higher the lower the restitution, and it comes before the deepest point.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gaitwright.contact.restitution import Impact
from gaitwright.contact.restitution import impact as free_impact
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneOfBody, Sphere
from gaitwright.papers import impact
from gaitwright.papers.bouncing_ball_equations import Touch, state
from gaitwright.papers.check import Experiment, Said, heading, silent
from gaitwright.papers.disturb import built
from gaitwright.papers.sheet import read_sheet
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.result.result import Result

NAME = "bouncing-ball"
RESTITUTIONS = (1.0, 0.8, 0.6, 0.4, 0.2)
UNTIL = 0.8
"""s: the first bounce and what one wants to see of the way up."""
ACCURATE: dict[str, Any] = {"method": "dopri5", "tolerance": 1e-10, "output_step": 0.0, "max_step": 0.01}
CONTACT = "floor"
APPROACH, MIDDLE = 4.0, 0.6
"""Approach speed, m/s, and c_r where one is enough."""
LANDING, THICK = (0.2, 0.1), 0.04
"""Where the ball lands, seen from A in the ground frame, and the thickness of the floor in pictures, m."""
PRINTED_INERTIA = read_sheet(NAME).printed["5-inertia"]
"""kg m^2, more than a ball of 1 kg and 0.1 m can have."""


@dataclass(frozen=True)
class Setup:
    """The ball of the thesis, SI units. Printed: mass, radius, height, stiffness, exponent. Ours: gravity, and where reference
    points, centre, plane and frames are. centre: of the ball in its frame. plane: of a point A in the frame of the
    floor, away from where the ball lands. turns: of the frames of ball and floor, degrees, about x, y, z of the body."""

    mass: float = 1.0
    radius: float = 0.1
    height: float = 1.0
    stiffness: float = 1.4e8
    exponent: float = 1.5
    gravity: float = 9.81
    centre: tuple[float, float, float] = (0.3, -0.2, 0.5)
    plane: tuple[float, float, float] = (0.5, -0.4, 0.3)
    ball_turns: tuple[float, float, float] = (20.0, -35.0, 50.0)
    floor_turns: tuple[float, float, float] = (-40.0, 25.0, 10.0)

    def shown(self) -> dict[str, Any]:
        """The slab in pictures, a box under the plane."""
        middle = np.array(self.plane) + self.floor_matrix.T @ [*LANDING, -THICK / 2]
        return {"box": [0.8, 0.8, THICK], "at": middle.tolist(), "orientation": {"axes": self.floor_matrix.tolist()}}

    def law(self, restitution: float) -> Flores:
        return Flores(stiffness=self.stiffness, exponent=self.exponent, restitution=restitution)

    @property
    def inertia(self) -> float:
        """Of a solid ball, kg m^2."""
        return 0.4 * self.mass * self.radius**2

    @property
    def ball_matrix(self) -> np.ndarray:
        return matrix_of_turns(self.ball_turns)

    @property
    def floor_matrix(self) -> np.ndarray:
        return matrix_of_turns(self.floor_turns)

    @property
    def normal(self) -> np.ndarray:
        """Of the level plane, in the frame of the floor."""
        return self.floor_matrix.T @ [0.0, 0.0, 1.0]


def matrix_of_turns(turns: tuple[float, float, float]) -> np.ndarray:
    """Rotation matrix of angles, degrees, about x, y, z of the body."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler("XYZ", turns, degrees=True).as_matrix()


def ball_and_floor(setup: Setup, restitution: float, inertia: float | None = None) -> Model:
    """Bodies `slab`, fixed to the ground, and `ball`; the contact `floor`. The plane is z = 0. inertia: kg m^2, of
    a solid ball unless given."""
    moment = setup.inertia if inertia is None else inertia
    model = Model("bouncing ball", dimension=3, gravity=(0.0, 0.0, -setup.gravity))
    reference = -setup.floor_matrix @ setup.plane  # so that A is the origin of the ground
    model.ground_point("O", *reference.tolist())
    model.body(
        "slab", mass=1.0, inertia=[1.0, 1.0, 1.0], at=reference.tolist(),
        orientation={"axes": setup.floor_matrix.T.tolist()}, points={"O": [0.0, 0.0, 0.0], "A": list(setup.plane)},
        shapes=[setup.shown()],
    )  # fmt: skip
    model.joint("fixed", a="ground.O", b="slab.O", name="held")
    centre = np.array([*LANDING, setup.height + setup.radius])
    model.body(
        "ball", mass=setup.mass, inertia=[moment] * 3, centre=list(setup.centre), points={"B": list(setup.centre)},
        at=(centre - setup.ball_matrix @ setup.centre).tolist(), orientation={"axes": setup.ball_matrix.T.tolist()},
    )  # fmt: skip
    plane = PlaneOfBody("slab.A", setup.normal.tolist())
    return model.contact(Sphere("ball.B", setup.radius), plane, name=CONTACT, law=setup.law(restitution))


def moving_bodies(setup: Setup, depth: float) -> Model:
    """The same sphere and plane on two free bodies that move and turn, already `depth` (m) inside each other."""
    model = Model("ball and floor, both free", dimension=3, gravity=(0.0, 0.0, -setup.gravity))
    reference = -setup.floor_matrix @ setup.plane
    model.body(
        "slab", mass=2.0, inertia=[0.5, 0.6, 0.7], centre=[-0.1, 0.2, 0.1], at=reference.tolist(),
        orientation={"axes": setup.floor_matrix.T.tolist()}, points={"A": list(setup.plane)},
        velocity=[0.3, -0.2, 0.5], spin=[1.5, -2.0, 0.7],
    )  # fmt: skip
    centre = np.array([*LANDING, setup.radius - depth])
    model.body(
        "ball", mass=setup.mass, inertia=[0.05, 0.06, 0.07], centre=[0.1, 0.15, -0.2], points={"B": list(setup.centre)},
        at=(centre - setup.ball_matrix @ setup.centre).tolist(), orientation={"axes": setup.ball_matrix.T.tolist()},
        velocity=[-0.4, 0.6, -2.0], spin=[-3.0, 2.5, 4.0],
    )  # fmt: skip
    plane = PlaneOfBody("slab.A", setup.normal.tolist())
    ball = Sphere("ball.B", setup.radius)
    return model.contact(ball, plane, name=CONTACT, law=setup.law(MIDDLE), approach_speed=APPROACH)


@dataclass
class Moments:
    """When, s since touchdown, and what: the deepest point and the largest force of the first impact."""

    deepest: float
    strongest: float
    largest_force: float
    force_when_deepest: float


def moments(run: Result) -> Moments:
    """On the dense output of a run."""
    from scipy.optimize import minimize_scalar

    hit, force = impact.first(run), run.catalogue[f"{CONTACT}.normal_force"]
    rates = run.crossings(f"{CONTACT}.penetration_rate", direction=-1)
    deepest = float(rates[(rates > hit.begin) & (rates < hit.end)][0])

    def push(t: float) -> float:
        return float(force.values(run.at(t))[0])

    # The force has one maximum, in the way in or, without damping, at its end.
    ends = (hit.begin, 0.5 * (deepest + hit.end))
    found: Any = minimize_scalar(lambda t: -push(t), bounds=ends, method="bounded", options={"xatol": 1e-12})
    return Moments(deepest - hit.begin, float(found.x) - hit.begin, -float(found.fun), push(deepest))


def through(run: Result, output: str, samples: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Time since touchdown, s, and an output of the contact over the first impact, each (samples,)."""
    hit = impact.first(run)
    times = np.linspace(hit.begin, hit.end, samples)
    return times - hit.begin, np.asarray(run.catalogue[f"{CONTACT}.{output}"].values(run.at(times)))


@dataclass
class BouncingBall(Experiment):
    """runs: of the ball by c_r, and that with the printed inertia. moving, sunk: a single state of two free bodies, with the
    centre of the sphere above and below the plane."""

    runs: dict[str, Result]
    moving: Result
    sunk: Result
    setup: Setup

    def at(self, restitution: float) -> Result:
        return self.runs[f"cr={restitution:g}"]

    @cached_property
    def moments(self) -> dict[float, Moments]:
        return {e: moments(self.at(e)) for e in RESTITUTIONS}

    @cached_property
    def without_gravity(self) -> dict[float, Impact]:
        """The same impacts, integrated by another program for one coordinate."""
        speed = (2 * self.setup.gravity * self.setup.height) ** 0.5
        return {e: free_impact(self.setup.law(e), mass=self.setup.mass, approach=speed) for e in RESTITUTIONS}

    def touch(self, run: Result, k: int = 0) -> Touch:
        """The k-th state of a run in the words of the thesis."""
        s = self.setup
        floor, ball = state(run, "slab", k), state(run, "ball", k)
        return Touch(floor, ball, np.array(s.plane), s.normal, np.array(s.centre), s.radius)

    def facts(self) -> dict[str, Any]:
        from gaitwright.papers import bouncing_ball_facts, bouncing_ball_formulas

        return {**bouncing_ball_formulas.facts(self), **bouncing_ball_facts.facts(self)}

    def numbers(self) -> dict[str, dict[str, Any]]:
        found = super().numbers()
        for e, when in self.moments.items():
            found[f"cr={e:g}"] |= {"deepest_after": when.deepest, "largest_force_after": when.strongest}
        return found


def run(progress: Said = silent, setup: Setup = Setup()) -> BouncingBall:  # noqa: B008
    """All runs of the experiment."""
    models = {f"cr={e:g}": ball_and_floor(setup, e) for e in RESTITUTIONS}
    models["printed inertia"] = ball_and_floor(setup, MIDDLE, PRINTED_INERTIA)
    runs = {}
    for k, (name, model) in enumerate(models.items()):
        progress(name, 0.8 * k / len(models))
        runs[name] = built(model).simulate(UNTIL, **ACCURATE)
    progress("bodies that move", 0.8)
    moving, sunk = (
        built(moving_bodies(setup, depth)).simulate(1e-6, **ACCURATE) for depth in (1e-3, 1.5 * setup.radius)
    )
    return BouncingBall(*heading(NAME, {**asdict(setup), "inertia": setup.inertia}), runs, moving, sunk, setup)
