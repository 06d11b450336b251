"""Paper 000: the head of a driven slider-crank meets a wall; rigid, with a flexible rod, with a spring-damper.

The paper prints the speed of the crank, the stiffness and restitution of the contact, spring, damper, friction and step,
but no length, no mass, nothing about the rod and no force, so only its equations and the order of the forces can be judged.
Lengths and masses are those of REFERENCE F.

The rigid head is driven into the wall by the crank: its force depends on nothing else. The flexible rod buckles, and at
what force depends on how it is bent when the head touches: on its weight, which the paper does not give to flexible bodies,
and, since nothing damps it, on the start.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from gaitwright.analyse.forward import simulate
from gaitwright.analyse.start import start
from gaitwright.mechanisms.slider_crank_wall import (
    Bench,
    flexible_slider_crank,
    rigid_slider_crank,
    sprung_slider_crank,
)
from gaitwright.model.model import Model
from gaitwright.papers.check import Experiment, heading
from gaitwright.papers.disturb import built
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.result.result import Result

NAME = "slider-crank"
VARIANTS: dict[str, str] = {"rigid": "slider", "flexible": "slider", "sprung": "head"}
"""Of Fig 6, with the body that meets the wall."""
STEPS = (1e-3, 2e-4)
"""s, of generalized-alpha beside the paper's step."""


@dataclass(frozen=True)
class Setup:
    """bench: speed, stiffness and restitution are printed; spring, damper, friction and step, too. Ours: all else."""

    bench: Bench = field(default_factory=Bench)
    spring: float = 50.0
    damper: float = 0.1
    friction: float = 0.45
    elements: int = 8
    step: float = 1e-5

    @property
    def turn(self) -> float:
        """s, one turn of the crank."""
        return 2 * math.pi / self.bench.speed

    @property
    def outer(self) -> float:
        """s, when the crank is at its outer dead centre."""
        return -self.bench.angle / self.bench.speed

    @property
    def past(self) -> float:
        """s, when the head has left the wall."""
        return self.outer + 0.3

    def model(self, variant: str, **bench: Any) -> Model:
        """One of VARIANTS, with changes of the bench."""
        changed = replace(self.bench, **bench)
        makers: dict[str, Callable[[], Model]] = {
            "rigid": partial(rigid_slider_crank, changed),
            "flexible": partial(flexible_slider_crank, changed, elements=self.elements),
            "sprung": partial(sprung_slider_crank, changed, spring=self.spring, damper=self.damper),
        }
        return built(makers[variant]())


def largest(run: Result) -> float:
    """Largest contact force, N."""
    return max((episode.max_force for episode in run.episodes), default=0.0)


def deepest(run: Result) -> float:
    """Deepest penetration, m."""
    return max((episode.max_penetration for episode in run.episodes), default=0.0)


def sagging(model: Model, until: float, **how: Any) -> Result:
    """A run that starts from the equilibrium of the standing mechanism instead of a straight rod."""
    mechanism = model.mechanism()
    begin = replace(start(mechanism), q=model.static().motion.q[0].copy())
    return simulate(mechanism, until, begin=begin, document=model.to_dict(), **how)


@dataclass
class SliderCrankContact(Experiment):
    """runs: each variant over a turn by generalized-alpha, through the contact by `gill` and by larger steps; the flexible
    rod `sagging` and `weightless`; the rigid one `with friction`. starts: largest force on the flexible rod by the start
    angle of the crank, N and rad."""

    setup: Setup
    runs: dict[str, Result]
    starts: dict[float, float] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        return {**self._pose(), **self._law(), **self._figures(), **self._read_back(), **self._shown()}

    def _pose(self) -> dict[str, Any]:
        """Eq 11 to 16 as printed, in a moving pose of the rigid run, at its start and where the contact is deepest."""
        bench, run = self.setup.bench, self.runs["rigid gill"]
        k = run.time.size // 3
        names = ("crank.angle", "crank.spin", "crank.x", "crank.vx", "crank.A.x", "crank.A.vx", "slider.front.vx",
                 "slider.front.vy", "wall.penetration_rate", "wall.slip_velocity")  # fmt: skip
        angle, spin, x, vx, end, end_vx, front_vx, front_vy, rate, slip = (float(run.values(name)[k]) for name in names)
        half, slope = bench.crank / 2, math.atan2(-1.0, 0.0)  # of the wall x - x_3 = 0: a = 1, b = 0
        front, gap, deep = (run.values(name) for name in ("slider.front.x", "wall.gap", "wall.penetration"))
        low = int(np.argmax(deep))
        return {
            "pose": float(run.time[k]), "angle": angle, "end": end, "end_vx": end_vx, "rate": rate, "slip": slip,
            "eq": {
                "11": vx - half * spin, "11-place": x + half * math.cos(angle), "12": abs(front[0] - bench.wall),
                "13": -front_vx * math.sin(slope) + front_vy * math.cos(slope),
                "13-slip": -front_vx * math.cos(slope) - front_vy * math.sin(slope),
                "15-angle": 2 * math.pi / 5 * float(run.time[k]) + bench.angle, "16": bench.wall - front[low],
            },
            "meant": {
                "11": abs(vx - half * math.sin(angle) * spin - end_vx) < 1e-9,
                "12": abs(bench.wall - front[0] - gap[0]) < 1e-9,
                "16": abs(front[low] - bench.wall - deep[low]) < 1e-9,
            },
            "deep": {"start": float(deep[0]), "most": float(deep[low])},
        }  # fmt: skip

    def _law(self) -> dict[str, Any]:
        """Eq 6 to 9 and the exponent."""
        bench, run = self.setup.bench, self.runs["rigid gill"]
        episode = run.episodes[0]
        k = int(np.argmin(np.abs(run.time - 0.5 * (episode.begin + self.setup.outer))))
        names = ("normal_force", "penetration", "penetration_rate")
        force, depth, rate = (float(run.values(f"wall.{name}")[k]) for name in names)
        hertz = bench.stiffness * depth**bench.exponent
        # The motion of the rigid head does not depend on the force. A model with the printed exponent is refused.
        printed, right = (float(self._force(run, exponent).max()) for exponent in (2 / 3, bench.exponent))
        return {
            "factor": {
                "printed": 0.75 * (1 - bench.restitution**2), "ours": (force / hertz - 1) * episode.approach_speed / rate,
                "at": float(run.time[k]),
            },
            "force_with": {"printed": printed, "hertz": largest(run)}, "exponent": abs(right / largest(run) - 1) < 1e-4,
        }  # fmt: skip

    def _force(self, run: Result, exponent: float) -> np.ndarray:
        """Eq 9 along a run, N."""
        bench, depth, rate = self.setup.bench, run.values("wall.penetration"), run.values("wall.penetration_rate")
        factor = 0.75 * (1 - bench.restitution**2) / run.episodes[0].approach_speed
        return np.where(depth > 0, bench.stiffness * np.maximum(depth, 0) ** exponent * (1 + factor * rate), 0.0)

    def _figures(self) -> dict[str, Any]:
        """Fig 5, Fig 7: no number is printed, but an order."""
        force = {name: largest(self.runs[f"{name} gill"]) for name in VARIANTS}
        depth = {name: deepest(self.runs[f"{name} gill"]) for name in VARIANTS}
        others = {name: largest(self.runs[f"flexible {name}"]) for name in ("weightless", "sagging")}
        most = max([*others.values(), *self.starts.values()])
        return {
            "force": force, "depth": depth, "others": others,
            "less_force": {name: float(force[name] < force["rigid"]) for name in VARIANTS},
            "less_deep": {name: float(depth[name] < depth["rigid"]) for name in VARIANTS},
            "less_for_any": float(most < force["rigid"]),
            "started": [f(self.starts.values(), default=math.nan) for f in (min, max)],
            "off": {
                f"{name} {h:g}": 100 * abs(largest(self.runs[f"{name} {h:g} s"]) / force[name] - 1)
                for name in VARIANTS for h in STEPS
            },
        }  # fmt: skip

    def _read_back(self) -> dict[str, Any]:
        """What the paper puts in, from what the runs did."""
        rigid, flexible, sprung = (self.runs[f"{name} gill"] for name in ("rigid", "flexible", "sprung"))
        nodes = flexible.mechanism.beams["rod"].nodes
        (stiffness, restitution), (spring, damper) = law_of(rigid, self.setup.bench.exponent), spring_of(sprung)
        rubbing = (self.runs["rigid with friction"].document or {})["contacts"][0]["friction"]["coefficient"]
        return {
            "read": {
                "body": rigid.mechanism.body_names["crank"].index.size, "node": nodes.shape[1], "elements": nodes.shape[0] - 1,
                "spring": spring, "damper": damper, "stiffness": stiffness, "restitution": restitution, "mu": float(rubbing),
            }
        }  # fmt: skip

    def _shown(self) -> dict[str, Any]:
        """For tables and pictures."""
        run, outer = self.runs["flexible"], self.setup.outer
        x, y = (run.values(f"rod.node{self.setup.elements // 2 + 1}.{axis}") for axis in "xy")
        ax, ay, bx, by = (run.values(f"rod.{end}.{axis}") for end in ("start", "end") for axis in "xy")
        return {
            "deepest": {name: 1e3 * deepest(run) for name, run in self.runs.items()},
            "largest": {name: largest(run) for name, run in self.runs.items()},
            "across": 1e3 * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay),
            "angles": sorted(self.starts), "forces": [self.starts[angle] for angle in sorted(self.starts)],
            "around": [outer - 0.2, outer + 0.2], "turn": self.setup.turn,
        }  # fmt: skip

    def numbers(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name, run in self.runs.items():
            e = run.evidence
            found[name] = {
                "method": e.method, "steps": e.steps, "right_hand_sides": e.evaluations, "wall_seconds": e.wall_seconds,
                "largest_force": largest(run), "largest_penetration": deepest(run), "contacts": len(run.episodes),
                "touchdown": run.episodes[0].begin, "approach_speed": run.episodes[0].approach_speed,
                "duration": sum(episode.duration for episode in run.episodes),
                "energy_residual": e.max_energy_residual, "max_position_violation": e.max_position_violation,
            }  # fmt: skip
        found["starts"] = {f"{angle:.4f} rad": {"largest_force": force} for angle, force in self.starts.items()}
        return found


def law_of(run: Result, exponent: float) -> tuple[float, float]:
    """Stiffness (N/m^exponent) and restitution of Eq 9 from the force over the first contact: F / d^n is linear in the
    penetration rate, K + chi d', with chi = 3 K (1 - c_r^2) / 4 over the approach speed."""
    depth, rate, force = (run.values(f"wall.{name}") for name in ("penetration", "penetration_rate", "normal_force"))
    first = run.episodes[0]
    inside = (run.time > first.begin) & (run.time < first.end) & (depth > 0.1 * first.max_penetration) & (force > 0)
    chi, stiffness = np.polyfit(rate[inside], force[inside] / depth[inside] ** exponent, 1)
    return float(stiffness), math.sqrt(max(0.0, 1 - 4 * chi * first.approach_speed / (3 * stiffness)))


def spring_of(run: Result) -> tuple[float, float]:
    """Stiffness (N/m) and damping (N s/m) of the spring-damper from its force, length and rate."""
    length, rate, force = (run.values(f"spring.{name}") for name in ("length", "rate", "force"))
    table = np.column_stack([length, rate, np.ones_like(length)])
    stiffness, damping, _ = np.linalg.lstsq(table, force, rcond=None)[0]
    return abs(float(stiffness)), abs(float(damping))


def run(
    progress: Callable[[str, float], None] = lambda what, fraction: None,
    setup: Setup = Setup(),  # noqa: B008
) -> SliderCrankContact:
    """All runs of the experiment."""
    gill: dict[str, Any] = {"method": "gill", "step": setup.step, "every": max(1, round(5e-5 / setup.step))}
    implicit: dict[str, Any] = {"method": "generalized-alpha", "step": STEPS[-1]}
    jobs: dict[str, Callable[[], Result]] = {}
    for name in VARIANTS:
        model = setup.model(name)
        jobs[name] = partial(model.simulate, setup.turn, **implicit)
        jobs[f"{name} gill"] = partial(model.simulate, setup.past, **gill)
        for h in STEPS:
            jobs[f"{name} {h:g} s"] = partial(model.simulate, setup.past, **{**implicit, "step": h})
    jobs["flexible weightless"] = partial(setup.model("flexible", gravity=0.0).simulate, setup.past, **implicit)
    jobs["flexible sagging"] = partial(sagging, setup.model("flexible"), setup.past, **implicit)
    rubbing = setup.model("rigid", friction=Coulomb(setup.friction))
    jobs["rigid with friction"] = partial(rubbing.simulate, setup.past, **implicit)
    runs = {}
    for k, (name, job) in enumerate(jobs.items()):
        progress(name, 0.75 * k / len(jobs))
        runs[name] = job()
    starts = {}
    for k, angle in enumerate(setup.bench.angle - 0.0145 * np.arange(8)):  # a period of the rod's first vibration
        progress(f"flexible from {angle:.3f} rad", 0.75 + 0.15 * k / 8)
        begun = replace(setup, bench=replace(setup.bench, angle=float(angle)))
        starts[float(angle)] = largest(begun.model("flexible").simulate(begun.past, **implicit))
    return SliderCrankContact(*heading(NAME, asdict(setup)), setup, runs, starts)
