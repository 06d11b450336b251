"""Paper 004 section 5.1: a ball of PTFE bounces on a plane in space, by the contact law of Flores.

Both bodies are those of Fig 5.1: their reference points lie away from sphere and plane, their frames are turned. The thesis
prints curves and sentences, no numbers; REFERENCE C has the numbers. Two of the sentences do not hold: the largest force is not
the higher the lower the restitution, and it comes before the deepest point.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from typing import Any

import numpy as np

from gaitwright.contact.restitution import Impact, rebound
from gaitwright.contact.restitution import impact as free_impact
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneOfBody, Sphere
from gaitwright.papers import bouncing_ball_equations as equations
from gaitwright.papers import impact
from gaitwright.papers.bouncing_ball_equations import APPROACH, CONTACT, MIDDLE, Touch, state
from gaitwright.papers.check import Experiment, Said, done, heading, silent
from gaitwright.papers.disturb import built
from gaitwright.papers.facts import Asked
from gaitwright.papers.impact import ACCURATE
from gaitwright.papers.sheet import read_sheet, setup_of
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.result.result import Result

NAME = "bouncing-ball"
ELASTIC, *DAMPED = RESTITUTIONS = (1.0, 0.8, 0.6, 0.4, 0.2)
UNTIL = 0.8
"""s: the first bounce and what one wants to see of the way up."""
LANDING, THICK = (0.2, 0.1), 0.04
"""Where the ball lands, seen from A in the ground frame, and the thickness of the floor in pictures, m."""
PRINTED_INERTIA = read_sheet(NAME).printed["5-inertia"]
"""kg m^2, more than a ball of 1 kg and 0.1 m can have."""
OUTPUTS = ("penetration", "penetration_rate", "normal_force")


class Setup(setup_of(NAME)):
    """The ball of the thesis and its floor."""

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

    @property
    def reference(self) -> list[float]:
        """Of the floor, so that A is the origin of the ground."""
        return (-self.floor_matrix @ self.plane).tolist()

    def bodies(
        self, over: float, restitution: float, slab: dict[str, Any], ball: dict[str, Any], **contact: Any
    ) -> Model:
        """The plane z = 0 on the body `slab`, the sphere on the body `ball`, `over` it (m), and their contact. slab, ball: what
        else the bodies have."""
        model = Model("ball and floor", dimension=3, gravity=(0.0, 0.0, -self.gravity))
        points: dict[str, Any] = {"O": [0.0, 0.0, 0.0], "A": list(self.plane)}
        at = {"at": self.reference, "orientation": {"axes": self.floor_matrix.T.tolist()}}
        model.body("slab", points=points, **at, **slab)
        place = np.array([*LANDING, over + self.radius]) - self.ball_matrix @ self.centre
        at = {"at": place.tolist(), "orientation": {"axes": self.ball_matrix.T.tolist()}}
        model.body("ball", mass=self.mass, points={"B": list(self.centre)}, **at, **ball)
        surfaces = Sphere("ball.B", self.radius), PlaneOfBody("slab.A", self.normal.tolist())
        return model.contact(*surfaces, name=CONTACT, law=self.law(restitution), **contact)

    def ball_and_floor(self, restitution: float, inertia: float | None = None) -> Model:
        """The slab fixed to the ground. inertia: kg m^2, of a solid ball unless given."""
        moments = [self.inertia if inertia is None else inertia] * 3
        middle = np.array(self.plane) + self.floor_matrix.T @ [*LANDING, -THICK / 2]
        box = {"box": [0.8, 0.8, THICK], "at": middle.tolist(), "orientation": {"axes": self.floor_matrix.tolist()}}
        slab = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "shapes": [box]}
        model = self.bodies(self.height, restitution, slab, {"inertia": moments, "centre": list(self.centre)})
        return model.ground_point("O", *self.reference).joint("fixed", a="ground.O", b="slab.O", name="held")

    def moving_bodies(self, depth: float) -> Model:
        """Both free, moving and turning, already `depth` (m) inside each other."""
        slab = {"mass": 2.0, "inertia": [0.5, 0.6, 0.7], "centre": [-0.1, 0.2, 0.1], "velocity": [0.3, -0.2, 0.5],
                "spin": [1.5, -2.0, 0.7]}  # fmt: skip
        ball = {"inertia": [0.05, 0.06, 0.07], "centre": [0.1, 0.15, -0.2], "velocity": [-0.4, 0.6, -2.0],
                "spin": [-3.0, 2.5, 4.0]}  # fmt: skip
        return self.bodies(-depth, MIDDLE, slab, ball, approach_speed=APPROACH)


def matrix_of_turns(turns: tuple[float, float, float]) -> np.ndarray:
    """Rotation matrix of angles, degrees, about x, y, z of the body."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler("XYZ", turns, degrees=True).as_matrix()


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
        return Touch(
            state(run, "slab", k), state(run, "ball", k), np.array(s.plane), s.normal, np.array(s.centre), s.radius
        )

    def through(self, restitution: float, samples: int = 400) -> dict[str, np.ndarray]:
        """Outputs of the contact over the first impact, and the time since touchdown, s, each (samples,)."""
        run = self.at(restitution)
        times = np.linspace(impact.first(run).begin, impact.first(run).end, samples)
        states = run.at(times)
        found = {name: np.asarray(run.catalogue[f"{CONTACT}.{name}"].values(states)) for name in OUTPUTS}
        return {"since": times - times[0], **found}

    def facts(self) -> dict[str, Any]:
        hits = {e: impact.first(self.at(e)) for e in RESTITUTIONS}
        run, s, curves = self.at(ELASTIC), self.setup, {e: self.through(e) for e in RESTITUTIONS}
        k, courses = int(np.argmax(run.time > 0.2)), [self._course(e) for e in RESTITUTIONS]
        depth, force = (curves[ELASTIC][name][10:-10] for name in ("penetration", "normal_force"))
        exponent, constant = np.polyfit(np.log(depth), np.log(force), 1)
        signs, falls, gains = zip(*courses, strict=True)
        return {
            **equations.facts(self, [self.at(e) for e in RESTITUTIONS]), **self._rows(), "hits": hits, "moments": self.moments,
            "falling": Asked(lambda name: float(run.values(name)[k])),  # while it does
            "read": {"stiffness": math.exp(constant), "exponent": exponent},
            "factor": {e: self._factor(e) for e in RESTITUTIONS}, "solid": s.inertia,
            "with_printed_inertia": impact.first(self.runs["printed inertia"]),
            "signs": float(all(signs)), "falls": float(all(falls)), "gain": max(gains),
            "ends": [np.abs(curves[e]["normal_force"][[0, -1]]).max() / m.largest_force for e, m in self.moments.items()],
            "approach": [hit.approach_speed for hit in hits.values()],
            "free": self.without_gravity, "closed": {e: rebound(s.law(e)) for e in RESTITUTIONS},
            "slope": {e: self._slopes(e) for e in RESTITUTIONS}, "curves": curves,
            "when": {of.name: [getattr(m, of.name) for m in self.moments.values()] for of in fields(Moments)},
        }  # fmt: skip

    def _factor(self, restitution: float) -> float:
        """8 (1 - c_r) / (5 c_r) of Eq 2.7, from force, deformation and its velocity half way to the deepest point."""
        run = self.at(restitution)
        hit = impact.first(run)
        motion = run.at(hit.begin + self.moments[restitution].deepest / 2)
        depth, rate, force = (float(run.catalogue[f"{CONTACT}.{name}"].values(motion)[0]) for name in OUTPUTS)
        return (force / (self.setup.stiffness * depth**self.setup.exponent) - 1) * hit.approach_speed / rate

    def _rows(self) -> dict[str, Any]:
        """What Fig 5.2 to 5.5 show for all c_r, from 1 to 0.2, in words, and whether it grows; um, us, J, m/s^2, N."""
        hits, when = [impact.first(self.at(e)) for e in RESTITUTIONS], list(self.moments.values())
        areas, free = [impact.loop_area(self.at(e), CONTACT) for e in RESTITUTIONS], self.without_gravity
        rows = {
            "depth": [1e6 * h.max_penetration for h in hits], "duration": [1e6 * h.duration for h in hits],
            "loss": [round(h.dissipated, 9) + 0.0 for h in hits], "after": [h.restitution for h in hits],
            "null": [1e6 * m.deepest for m in when], "area": [round(area, 4) + 0.0 for area in areas],
            "mean": [h.approach_speed / m.deepest for h, m in zip(hits, when, strict=True)],
            "most": [h.max_force / self.setup.mass - self.setup.gravity for h in hits],
            "peak": [h.max_force for h in hits[1:]], "free": [free[e].largest_force for e in DAMPED],
        }  # fmt: skip
        digits = {name: 4 if name in ("null", "mean") else 5 for name in rows}
        return {
            "listed": {name: ", ".join(f"{value:.{digits[name]}g}" for value in row) for name, row in rows.items()},
            "falls_with": {name: float(np.all(np.diff(row) < 0)) for name, row in rows.items()},
            "grows_with": {name: float(np.all(np.diff(row) > 0)) for name, row in rows.items()},
            "peak": rows["peak"], "free_peak": rows["free"], "areas": areas,
            "same": [abs(h.max_force / f.largest_force - 1) for h, f in zip(hits, free.values(), strict=True)],
            "area_apart": np.subtract(areas, [h.dissipated for h in hits]),
        }  # fmt: skip

    def _course(self, restitution: float) -> tuple[bool, bool, float]:
        """Of the velocity of the deformation: whether it has the signs that the text says; whether it falls until the deepest
        point, but for 10 us at most; and by how much it exceeds that of touchdown, m/s."""
        curve = self.through(restitution, 2001)
        t, rate = curve["since"], curve["penetration_rate"]
        after, top = t - self.moments[restitution].deepest, int(np.argmax(rate))
        signs = rate[after < 0].min() > 0 and rate[after > 0].max() < 0
        falls = t[top] < 1e-5 and np.diff(rate[top:][after[top:] < 0]).max() < 0
        return bool(signs), bool(falls), float(rate[top] - rate[0])

    def _slopes(self, restitution: float) -> dict[str, float]:
        """Of the force at the deepest point, N/s: d/dt of Eq 2.7 is K d^n k d''/v0 there, which is negative; and in the run."""
        run, setup = self.at(restitution), self.setup
        hit = impact.first(run)
        elastic = setup.stiffness * hit.max_penetration**setup.exponent
        factor = 8 * (1 - restitution) / (5 * restitution)
        times = hit.begin + self.moments[restitution].deepest + np.array([-1e-7, 1e-7])
        force = run.catalogue[f"{CONTACT}.normal_force"].values(run.at(times))
        printed = elastic * factor * (setup.gravity - elastic / setup.mass) / hit.approach_speed
        return {"printed": printed, "seen": float(force[1] - force[0]) / 2e-7}

    def numbers(self) -> dict[str, dict[str, Any]]:
        found = super().numbers()
        for e, when in self.moments.items():
            found[f"cr={e:g}"] |= {"deepest_after": when.deepest, "largest_force_after": when.strongest}
        return found


def run(progress: Said = silent, setup: Setup = Setup()) -> BouncingBall:  # noqa: B008
    """All runs of the experiment."""
    models = {f"cr={e:g}": setup.ball_and_floor(e) for e in RESTITUTIONS}
    models["printed inertia"] = setup.ball_and_floor(MIDDLE, PRINTED_INERTIA)
    runs = done(
        {name: partial(built(model).simulate, UNTIL, **ACCURATE) for name, model in models.items()}, progress, 0.8
    )
    moving, sunk = (
        built(setup.moving_bodies(depth)).simulate(1e-6, **ACCURATE) for depth in (1e-3, 1.5 * setup.radius)
    )
    return BouncingBall(*heading(NAME, {**asdict(setup), "inertia": setup.inertia}), runs, moving, sunk, setup)
