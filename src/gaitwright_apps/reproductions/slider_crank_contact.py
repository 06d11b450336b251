"""Paper 000: the head of a driven slider-crank hits a wall; rigid, with a flexible rod, with a spring-damper, with both.

The paper prints the speed of the crank, the stiffness and restitution of the contact, spring, damper, friction and
step, but no length, no mass, nothing about the rod and no force, so only its equations and the order of the forces can
be judged. Lengths and masses are those of the recomputation of 000.

The rigid head is driven into the wall by the crank: its force depends on nothing else. The flexible rod buckles, and the force
depends on its deflection at touchdown: on its weight, which the paper omits for flexible bodies, and, without damping, on the
start.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import find_start
from gaitwright.mechanisms.slider_crank_wall import (
    SliderCrankWallSetup,
    flexible_slider_crank,
    integrated_slider_crank,
    rigid_slider_crank,
    sprung_slider_crank,
)
from gaitwright.model.model import Model
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
    run_jobs,
)
from gaitwright_apps.reproductions.facts import LazyFacts
from gaitwright_apps.reproductions.perturbation import perturb_if_active

EXPERIMENT_NAME = "slider-crank"
VARIANTS: dict[str, str] = {"rigid": "slider", "flexible": "slider", "sprung": "head", "integrated": "head"}
"""Variants of Fig 6 and, `integrated`, of Figs 3 and 4, with the body that hits the wall."""
COMPARISON_STEPS_S = (1e-3, 2e-4)
"""Steps of generalized-alpha for comparison with the paper's step, s."""


@dataclass(frozen=True)
class SliderCrankContactSetup:
    """bench: speed, stiffness and restitution are printed; spring, damper, friction and step as well. All other
    values are ours."""

    bench: SliderCrankWallSetup = field(default_factory=SliderCrankWallSetup)
    spring: float = 50.0
    damper: float = 0.1
    friction: float = 0.45
    elements: int = 8
    step: float = 1e-5

    @property
    def turn(self) -> float:
        """Duration of one turn of the crank, s."""
        return 2 * math.pi / self.bench.speed

    @property
    def outer(self) -> float:
        """Time of the outer dead centre of the crank, s."""
        return -self.bench.angle / self.bench.speed

    @property
    def past(self) -> float:
        """Time at which the head has left the wall, s."""
        return self.outer + 0.3

    def model(self, variant: str, **bench: Any) -> Model:
        """Model of one of VARIANTS, with changes of the bench."""
        changed = replace(self.bench, **bench)
        rod: dict[str, Any] = {"elements": self.elements}
        head: dict[str, Any] = {"spring": self.spring, "damper": self.damper}
        makers: dict[str, Callable[[], Model]] = {
            "rigid": partial(rigid_slider_crank, changed),
            "flexible": partial(flexible_slider_crank, changed, **rod),
            "sprung": partial(sprung_slider_crank, changed, **head),
            "integrated": partial(integrated_slider_crank, changed, **rod, **head),
        }
        return perturb_if_active(makers[variant]())


def largest_force(run: Result) -> float:
    """Largest contact force, N."""
    return max((episode.max_force for episode in run.episodes), default=0.0)


def deepest_penetration(run: Result) -> float:
    """Deepest penetration, m."""
    return max((episode.max_penetration for episode in run.episodes), default=0.0)


def simulate_sagging(model: Model, until: float, **how: Any) -> Result:
    """Run that starts from the static equilibrium of the mechanism instead of a straight rod."""
    mechanism = model.mechanism()
    begin = replace(find_start(mechanism), q=model.static().motion.q[0].copy())
    return simulate(mechanism, until, begin=begin, document=model.to_dict(), **how)


@dataclass
class SliderCrankContactExperiment(Experiment):
    """runs: each variant over a turn by generalized-alpha, through the contact by `gill` and by larger steps; the
    flexible rod `simulate_sagging` and `weightless`; the rigid one `with friction`. starts: largest force on the
    flexible rod by the start angle of the crank, N and rad."""

    setup: SliderCrankContactSetup
    runs: dict[str, Result]
    starts: dict[float, float] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """Facts for the verdicts. pose, start, low, middle: the rigid run by Gill's method in a moving pose, at its
        start, at the deepest contact, and half way to it."""
        bench, run, setup = self.setup.bench, self.runs["rigid gill"], self.setup
        flexible, nodes = self.runs["flexible"], self.runs["flexible gill"].mechanism.beams["rod"].nodes
        middle = int(np.argmin(np.abs(run.time - 0.5 * (run.episodes[0].begin + setup.outer))))
        low = int(np.argmax(run.array("wall.penetration")))
        places = {"pose": run.time.size // 3, "start": 0, "low": low, "middle": middle}
        facts_at_place = {place: LazyFacts(lambda name, k=k: float(run.array(name)[k])) for place, k in places.items()}
        x, y = (flexible.array(f"rod.node{setup.elements // 2 + 1}.{axis}") for axis in "xy")
        ax, ay, bx, by = (flexible.array(f"rod.{end}.{axis}") for end in ("start", "end") for axis in "xy")
        return {
            **facts_at_place,
            "bench": bench,
            "times": {place: float(run.time[k]) for place, k in places.items()},
            # The motion of the rigid head does not depend on the force. A model with the printed exponent is refused.
            "eq9": {name: float(self._force(run, n).max()) for name, n in (("2", 2 / 3), ("3", bench.exponent))},
            "largest": {name: largest_force(run) for name, run in self.runs.items()},
            "deepest": {name: 1e3 * deepest_penetration(run) for name, run in self.runs.items()},
            "farthest": {name: self._farthest(name) for name in VARIANTS},
            "law": fit_contact_law(run, bench.exponent),
            "spring": fit_spring_damper(self.runs["sprung gill"]),
            "nodes": nodes.shape,
            "body": run.mechanism.body_names["crank"].index,
            "started": sorted(self.starts.values()),
            "friction": (self.runs["rigid with friction"].document or {})["contacts"][0]["friction"],
            "across": 1e3 * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay),
            "angles": sorted(self.starts),
            "forces": [self.starts[angle] for angle in sorted(self.starts)],
            "around": [setup.outer - 0.2, setup.outer + 0.2],
            "turn": setup.turn,
        }

    def _farthest(self, variant: str) -> float:
        """Largest x of the contact point beyond the wall, Fig 5, by Gill's method, mm."""
        x = self.runs[f"{variant} gill"].array(f"{VARIANTS[variant]}.front.x")
        return 1e3 * (float(x.max()) - self.setup.bench.wall)

    def _force(self, run: Result, exponent: float) -> np.ndarray:
        """Force of Eq 9 along a run, N."""
        bench, depth, rate = self.setup.bench, run.array("wall.penetration"), run.array("wall.penetration_rate")
        factor = 0.75 * (1 - bench.restitution**2) / run.episodes[0].approach_speed
        return np.where(depth > 0, bench.stiffness * np.maximum(depth, 0) ** exponent * (1 + factor * rate), 0.0)

    def numbers(self) -> dict[str, dict[str, Any]]:
        starts = {f"{angle:.4f} rad": {"largest_force": force} for angle, force in self.starts.items()}
        return super().numbers() | {"starts": starts}


def fit_contact_law(run: Result, exponent: float) -> tuple[float, float]:
    """Stiffness (N/m^exponent) and restitution of Eq 9 from the force over the first contact: F / d^n is linear in the
    penetration rate, K + chi d', with chi = 3 K (1 - c_r^2) / 4 over the approach speed."""
    depth, rate, force = (run.array(f"wall.{name}") for name in ("penetration", "penetration_rate", "normal_force"))
    first = run.episodes[0]
    inside = (run.time > first.begin) & (run.time < first.end) & (depth > 0.1 * first.max_penetration) & (force > 0)
    chi, stiffness = np.polyfit(rate[inside], force[inside] / depth[inside] ** exponent, 1)
    return float(stiffness), math.sqrt(max(0.0, 1 - 4 * chi * first.approach_speed / (3 * stiffness)))


def fit_spring_damper(run: Result) -> tuple[float, float]:
    """Stiffness (N/m) and damping (N s/m) of the spring-damper from its force, length and rate."""
    length, rate, force = (run.array(f"spring.{name}") for name in ("length", "rate", "force"))
    table = np.column_stack([length, rate, np.ones_like(length)])
    stiffness, damping, _ = np.linalg.lstsq(table, force, rcond=None)[0]
    return abs(float(stiffness)), abs(float(damping))


def run(
    progress: ProgressCallback = ignore_progress, setup: SliderCrankContactSetup = SliderCrankContactSetup()
) -> SliderCrankContactExperiment:
    """Run all parts of the experiment."""
    gill: dict[str, Any] = {"method": "gill", "step": setup.step, "every": max(1, round(5e-5 / setup.step))}
    implicit: dict[str, Any] = {"method": "generalized-alpha", "step": COMPARISON_STEPS_S[-1]}
    jobs: dict[str, Callable[[], Result]] = {}
    for name in VARIANTS:
        model = setup.model(name)
        jobs[name] = partial(model.simulate, setup.turn, **implicit)
        jobs[f"{name} gill"] = partial(model.simulate, setup.past, **gill)
        for h in COMPARISON_STEPS_S:
            jobs[f"{name} {h:g} s"] = partial(model.simulate, setup.past, **{**implicit, "step": h})
    jobs["flexible weightless"] = partial(setup.model("flexible", gravity=0.0).simulate, setup.past, **implicit)
    jobs["flexible sagging"] = partial(simulate_sagging, setup.model("flexible"), setup.past, **implicit)
    rubbing = setup.model("rigid", friction=Coulomb(setup.friction))
    jobs["rigid with friction"] = partial(rubbing.simulate, setup.past, **implicit)
    runs, starts = run_jobs(jobs, progress, 0.75), {}
    for angle in (setup.bench.angle - 0.0145 * np.arange(8)).tolist():  # one period of the rod's first vibration
        progress(f"flexible from {angle:.3f} rad", 0.8)
        begun = replace(setup, bench=replace(setup.bench, angle=angle))
        starts[angle] = largest_force(begun.model("flexible").simulate(begun.past, **implicit))
    return SliderCrankContactExperiment(*experiment_heading(EXPERIMENT_NAME, asdict(setup)), setup, runs, starts)
