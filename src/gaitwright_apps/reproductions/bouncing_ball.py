"""Paper 004 section 5.1: a ball of PTFE bounces on a plane in space, by the contact law of Flores.

Both bodies are those of Fig 5.1: their reference points are away from sphere and plane, their frames are rotated. The
thesis prints curves and sentences, no numbers; the recomputation of 004 has the numbers. Two of the sentences do not hold: the
largest force does not increase with decreasing restitution, and it occurs before the deepest point.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from typing import Any

import numpy as np

from gaitwright.contact.restitution import FreeImpact, rebound
from gaitwright.contact.restitution import impact as free_impact
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneOfBody, Sphere
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import bouncing_ball_equations as equations
from gaitwright_apps.reproductions import impact_runs
from gaitwright_apps.reproductions.bouncing_ball_equations import (
    APPROACH_SPEED_M_S,
    CONTACT_NAME,
    REFERENCE_RESTITUTION,
    SpherePlaneContact,
    body_coordinates,
)
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
    run_jobs,
)
from gaitwright_apps.reproductions.facts import LazyFacts
from gaitwright_apps.reproductions.impact_runs import ACCURATE_OPTIONS
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class, read_sheet

EXPERIMENT_NAME = "bouncing-ball"
ELASTIC_RESTITUTION, *DAMPED_RESTITUTIONS = RESTITUTIONS = (1.0, 0.8, 0.6, 0.4, 0.2)
DURATION_S = 0.8
"""Duration, s: the first bounce and part of the way up."""
LANDING_POINT_M, FLOOR_THICKNESS_M = (0.2, 0.1), 0.04
"""Landing point of the ball, relative to A in the ground frame, m; thickness of the floor in pictures, m."""
PRINTED_INERTIA_KG_M2 = read_sheet(EXPERIMENT_NAME).printed["5-inertia"]
"""Printed inertia, kg m^2, more than a ball of 1 kg and 0.1 m can have."""
CONTACT_OUTPUTS = ("penetration", "penetration_rate", "normal_force")


class BouncingBallSetup(make_setup_class(EXPERIMENT_NAME)):
    """Ball and floor of the thesis."""

    def law(self, restitution: float) -> Flores:
        return Flores(stiffness=self.stiffness, exponent=self.exponent, restitution=restitution)

    @property
    def inertia(self) -> float:
        """Inertia of a solid ball, kg m^2."""
        return 0.4 * self.mass * self.radius**2

    @property
    def ball_matrix(self) -> np.ndarray:
        return rotation_from_turns(self.ball_turns)

    @property
    def floor_matrix(self) -> np.ndarray:
        return rotation_from_turns(self.floor_turns)

    @property
    def normal(self) -> np.ndarray:
        """Normal of the level plane, in the frame of the floor."""
        return self.floor_matrix.T @ [0.0, 0.0, 1.0]

    @property
    def reference(self) -> list[float]:
        """Position of the floor, such that A is the origin of the ground."""
        return (-self.floor_matrix @ self.plane).tolist()

    def bodies(
        self, over: float, restitution: float, slab: dict[str, Any], ball: dict[str, Any], **contact: Any
    ) -> Model:
        """Model of the plane z = 0 on the body `slab`, the sphere on the body `ball`, `over` it (m), and their
        contact. slab, ball: further arguments of the bodies."""
        model = Model("ball and floor", dimension=3, gravity=(0.0, 0.0, -self.gravity))
        points: dict[str, Any] = {"O": [0.0, 0.0, 0.0], "A": list(self.plane)}
        slab_pose = {"at": self.reference, "orientation": {"axes": self.floor_matrix.T.tolist()}}
        model.body("slab", points=points, **slab_pose, **slab)
        ball_position = np.array([*LANDING_POINT_M, over + self.radius]) - self.ball_matrix @ self.centre
        ball_pose = {"at": ball_position.tolist(), "orientation": {"axes": self.ball_matrix.T.tolist()}}
        model.body("ball", mass=self.mass, points={"B": list(self.centre)}, **ball_pose, **ball)
        surfaces = Sphere("ball.B", self.radius), PlaneOfBody("slab.A", self.normal.tolist())
        return model.contact(*surfaces, name=CONTACT_NAME, law=self.law(restitution), **contact)

    def ball_and_floor(self, restitution: float, inertia: float | None = None) -> Model:
        """Model with the slab fixed to the ground. inertia: kg m^2; default: of a solid ball."""
        moments = [self.inertia if inertia is None else inertia] * 3
        middle = np.array(self.plane) + self.floor_matrix.T @ [*LANDING_POINT_M, -FLOOR_THICKNESS_M / 2]
        box = {
            "box": [0.8, 0.8, FLOOR_THICKNESS_M],
            "at": middle.tolist(),
            "orientation": {"axes": self.floor_matrix.tolist()},
        }
        slab = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "shapes": [box]}
        model = self.bodies(self.height, restitution, slab, {"inertia": moments, "centre": list(self.centre)})
        return model.ground_point("O", *self.reference).joint("fixed", a="ground.O", b="slab.O", name="held")

    def moving_bodies(self, depth: float) -> Model:
        """Model with both bodies free, in translation and rotation, initially penetrating by `depth` (m)."""
        slab = {"mass": 2.0, "inertia": [0.5, 0.6, 0.7], "centre": [-0.1, 0.2, 0.1], "velocity": [0.3, -0.2, 0.5],
                "spin": [1.5, -2.0, 0.7]}  # fmt: skip
        ball = {"inertia": [0.05, 0.06, 0.07], "centre": [0.1, 0.15, -0.2], "velocity": [-0.4, 0.6, -2.0],
                "spin": [-3.0, 2.5, 4.0]}  # fmt: skip
        return self.bodies(-depth, REFERENCE_RESTITUTION, slab, ball, approach_speed=APPROACH_SPEED_M_S)


def rotation_from_turns(turns: tuple[float, float, float]) -> np.ndarray:
    """Rotation matrix of angles, degrees, about x, y, z of the body."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler("XYZ", turns, degrees=True).as_matrix()


@dataclass
class ImpactMoments:
    """Instants, s since touchdown, and forces of the deepest point and the largest force of the first impact."""

    deepest: float
    strongest: float
    largest_force: float
    force_when_deepest: float


def find_impact_moments(run: Result) -> ImpactMoments:
    """Find the instants on the dense output of a run."""
    from scipy.optimize import minimize_scalar

    hit, force = impact_runs.first_impact(run), run.catalogue[f"{CONTACT_NAME}.normal_force"]
    rates = run.crossings(f"{CONTACT_NAME}.penetration_rate", direction=-1)
    deepest = float(rates[(rates > hit.begin) & (rates < hit.end)][0])

    def push(t: float) -> float:
        return float(force.values(run.at(t))[0])

    # The force has one maximum, during compression or, without damping, at its end.
    ends = (hit.begin, 0.5 * (deepest + hit.end))
    optimum: Any = minimize_scalar(lambda t: -push(t), bounds=ends, method="bounded", options={"xatol": 1e-12})
    return ImpactMoments(deepest - hit.begin, float(optimum.x) - hit.begin, -float(optimum.fun), push(deepest))


@dataclass
class BouncingBallExperiment(Experiment):
    """runs: of the ball by c_r, and that with the printed inertia. moving, sunk: a single state of two free bodies,
    with the centre of the sphere above and below the plane."""

    runs: dict[str, Result]
    moving: Result
    sunk: Result
    setup: BouncingBallSetup

    def at(self, restitution: float) -> Result:
        return self.runs[f"cr={restitution:g}"]

    @cached_property
    def moments(self) -> dict[float, ImpactMoments]:
        return {e: find_impact_moments(self.at(e)) for e in RESTITUTIONS}

    @cached_property
    def without_gravity(self) -> dict[float, FreeImpact]:
        """The same impacts, integrated by another program for one coordinate."""
        speed = (2 * self.setup.gravity * self.setup.height) ** 0.5
        return {e: free_impact(self.setup.law(e), mass=self.setup.mass, approach=speed) for e in RESTITUTIONS}

    def touch(self, run: Result, k: int = 0) -> SpherePlaneContact:
        """The k-th state of a run in the notation of the thesis."""
        s = self.setup
        return SpherePlaneContact(
            body_coordinates(run, "slab", k),
            body_coordinates(run, "ball", k),
            np.array(s.plane),
            s.normal,
            np.array(s.centre),
            s.radius,
        )

    def through(self, restitution: float, samples: int = 400) -> dict[str, np.ndarray]:
        """Outputs of the contact over the first impact, and the time since touchdown, s, each (samples,)."""
        run = self.at(restitution)
        times = np.linspace(impact_runs.first_impact(run).begin, impact_runs.first_impact(run).end, samples)
        states = run.at(times)
        outputs = {name: np.asarray(run.catalogue[f"{CONTACT_NAME}.{name}"].values(states)) for name in CONTACT_OUTPUTS}
        return {"since": times - times[0], **outputs}

    def facts(self) -> dict[str, Any]:
        hits = {e: impact_runs.first_impact(self.at(e)) for e in RESTITUTIONS}
        run, s, curves = self.at(ELASTIC_RESTITUTION), self.setup, {e: self.through(e) for e in RESTITUTIONS}
        k, courses = int(np.argmax(run.time > 0.2)), [self._course(e) for e in RESTITUTIONS]
        depth, force = (curves[ELASTIC_RESTITUTION][name][10:-10] for name in ("penetration", "normal_force"))
        exponent, constant = np.polyfit(np.log(depth), np.log(force), 1)
        signs, falls, gains = zip(*courses, strict=True)
        return {
            **equations.equation_facts(self, [self.at(e) for e in RESTITUTIONS]),
            **self._rows(),
            "hits": hits,
            "moments": self.moments,
            "falling": LazyFacts(lambda name: float(run.array(name)[k])),  # during the fall
            "read": {"stiffness": math.exp(constant), "exponent": exponent},
            "factor": {e: self._factor(e) for e in RESTITUTIONS},
            "solid": s.inertia,
            "with_printed_inertia": impact_runs.first_impact(self.runs["printed inertia"]),
            "signs": float(all(signs)),
            "falls": float(all(falls)),
            "gain": max(gains),
            "ends": [
                np.abs(curves[e]["normal_force"][[0, -1]]).max() / m.largest_force for e, m in self.moments.items()
            ],
            "approach": [hit.approach_speed for hit in hits.values()],
            "free": self.without_gravity,
            "closed": {e: rebound(s.law(e)) for e in RESTITUTIONS},
            "slope": {e: self._slopes(e) for e in RESTITUTIONS},
            "curves": curves,
            "when": {
                moment_field.name: [getattr(m, moment_field.name) for m in self.moments.values()]
                for moment_field in fields(ImpactMoments)
            },
        }

    def _factor(self, restitution: float) -> float:
        """Factor 8 (1 - c_r) / (5 c_r) of Eq 2.7, from force, deformation and its rate half way to the deepest
        point."""
        run = self.at(restitution)
        hit = impact_runs.first_impact(run)
        motion = run.at(hit.begin + self.moments[restitution].deepest / 2)
        depth, rate, force = (
            float(run.catalogue[f"{CONTACT_NAME}.{name}"].values(motion)[0]) for name in CONTACT_OUTPUTS
        )
        return (force / (self.setup.stiffness * depth**self.setup.exponent) - 1) * hit.approach_speed / rate

    def _rows(self) -> dict[str, Any]:
        """Rows of Fig 5.2 to 5.5 for all c_r, from 1 to 0.2, as text, and whether they increase; um, us, J, m/s^2,
        N."""
        hits, when = [impact_runs.first_impact(self.at(e)) for e in RESTITUTIONS], list(self.moments.values())
        areas, free = (
            [impact_runs.hysteresis_energy(self.at(e), CONTACT_NAME) for e in RESTITUTIONS],
            self.without_gravity,
        )
        rows = {
            "depth": [1e6 * h.max_penetration for h in hits],
            "duration": [1e6 * h.duration for h in hits],
            "loss": [round(h.dissipated, 9) + 0.0 for h in hits],
            "after": [h.restitution for h in hits],
            "null": [1e6 * m.deepest for m in when],
            "area": [round(area, 4) + 0.0 for area in areas],
            "mean": [h.approach_speed / m.deepest for h, m in zip(hits, when, strict=True)],
            "most": [h.max_force / self.setup.mass - self.setup.gravity for h in hits],
            "peak": [h.max_force for h in hits[1:]],
            "free": [free[e].largest_force for e in DAMPED_RESTITUTIONS],
        }
        digits = {name: 4 if name in ("null", "mean") else 5 for name in rows}
        return {
            "listed": {name: ", ".join(f"{value:.{digits[name]}g}" for value in row) for name, row in rows.items()},
            "falls_with": {name: float(np.all(np.diff(row) < 0)) for name, row in rows.items()},
            "grows_with": {name: float(np.all(np.diff(row) > 0)) for name, row in rows.items()},
            "peak": rows["peak"],
            "free_peak": rows["free"],
            "areas": areas,
            "same": [abs(h.max_force / f.largest_force - 1) for h, f in zip(hits, free.values(), strict=True)],
            "area_apart": np.subtract(areas, [h.dissipated for h in hits]),
        }

    def _course(self, restitution: float) -> tuple[bool, bool, float]:
        """Course of the deformation rate: True if it has the signs stated in the text; True if it decreases until
        the deepest point, except for at most 10 us; and its excess over the touchdown rate, m/s."""
        curve = self.through(restitution, 2001)
        t, rate = curve["since"], curve["penetration_rate"]
        after, top = t - self.moments[restitution].deepest, int(np.argmax(rate))
        signs = rate[after < 0].min() > 0 and rate[after > 0].max() < 0
        falls = t[top] < 1e-5 and np.diff(rate[top:][after[top:] < 0]).max() < 0
        return bool(signs), bool(falls), float(rate[top] - rate[0])

    def _slopes(self, restitution: float) -> dict[str, float]:
        """Slope of the force at the deepest point, N/s: d/dt of Eq 2.7 is K d^n k d''/v0 there, which is negative;
        and its value in the run."""
        run, setup = self.at(restitution), self.setup
        hit = impact_runs.first_impact(run)
        elastic = setup.stiffness * hit.max_penetration**setup.exponent
        factor = 8 * (1 - restitution) / (5 * restitution)
        times = hit.begin + self.moments[restitution].deepest + np.array([-1e-7, 1e-7])
        force = run.catalogue[f"{CONTACT_NAME}.normal_force"].values(run.at(times))
        printed = elastic * factor * (setup.gravity - elastic / setup.mass) / hit.approach_speed
        return {"printed": printed, "seen": float(force[1] - force[0]) / 2e-7}

    def numbers(self) -> dict[str, dict[str, Any]]:
        numbers = super().numbers()
        for e, when in self.moments.items():
            numbers[f"cr={e:g}"] |= {"deepest_after": when.deepest, "largest_force_after": when.strongest}
        return numbers


def run(
    progress: ProgressCallback = ignore_progress,
    setup: BouncingBallSetup = BouncingBallSetup(),  # noqa: B008
) -> BouncingBallExperiment:
    """Run all parts of the experiment."""
    models = {f"cr={e:g}": setup.ball_and_floor(e) for e in RESTITUTIONS}
    models["printed inertia"] = setup.ball_and_floor(REFERENCE_RESTITUTION, PRINTED_INERTIA_KG_M2)
    runs = run_jobs(
        {
            name: partial(perturb_if_active(model).simulate, DURATION_S, **ACCURATE_OPTIONS)
            for name, model in models.items()
        },
        progress,
        0.8,
    )
    moving, sunk = (
        perturb_if_active(setup.moving_bodies(depth)).simulate(1e-6, **ACCURATE_OPTIONS)
        for depth in (1e-3, 1.5 * setup.radius)
    )
    return BouncingBallExperiment(
        *experiment_heading(EXPERIMENT_NAME, {**asdict(setup), "inertia": setup.inertia}), runs, moving, sunk, setup
    )
