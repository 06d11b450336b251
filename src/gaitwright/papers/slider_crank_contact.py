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
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
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
from gaitwright.papers.check import EQUATION, INPUT, STATEMENT, Check, Experiment, Table, judge
from gaitwright.papers.figures import Curve, Panel, save_panels
from gaitwright.papers.slider_crank_numbers import parameter_checks
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.result.result import Result

NAME, PAPER = "slider-crank", "000"
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
        return makers[variant]()


CHOICES = {
    "bench": "REFERENCE F: 0.10 m crank, 0.40 m rod of 20 x 3 mm, 2 GPa, 1200 kg/m^3, 0.1 kg slider, 0.1 kg head, wall 2 mm "
    "before the outer dead centre; the paper prints none of them",
    "angle": "start of the crank, not printed. With -1.06 rad the forces are those of REFERENCE F, whose start is not "
    "recorded; others give the flexible rod 4.6 to 12.7 N",
    "sprung": "Fig 6c read as a head that the slider carries by spring and damper along the guide",
    "exponent": "3/2, Hertz's, instead of the printed 2/3",
}


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

    judge = staticmethod(partial(judge, paper=PAPER))

    def judged(self) -> list[Check]:
        bench = self.setup.bench
        printed = parameter_checks(self.judge, self.runs, bench.exponent, bench.angle)
        return [*self._equations(), *self._law(), *printed, *self._figures()]

    # verdicts --------------------------------------------------------------------------------------------------------

    def _equations(self) -> list[Check]:
        """Eq 11 to 16 as printed, against the rigid run."""
        bench, run = self.setup.bench, self.runs["rigid gill"]
        spins = run.values("crank.spin")
        k = run.time.size // 3  # some moving pose
        angle, spin = (float(run.values(f"crank.{name}")[k]) for name in ("angle", "spin"))
        half, vx, at_end = bench.crank / 2, run.values("crank.vx")[k], run.values("crank.A.vx")[k]
        gap, deep = run.values("wall.gap"), run.values("wall.penetration")
        low = int(np.argmax(deep))
        x = run.values("slider.front.x")
        rubbed = self.runs["rigid with friction"]
        return [
            self.judge(
                "15", "speed of the crank, Eq 15", 2 * math.pi / 5, float(np.abs(spins).max()), "rad/s", tolerance=1e-9,
                kind=INPUT,
            ),
            self.judge(
                "11", "velocity of the crank's end along x in a moving pose, Eq 11", float(vx - half * spin),
                float(at_end), "m/s", tolerance=1e-9,
                confirmed=abs(vx - half * math.sin(angle) * spin - at_end) < 1e-9,
                impossible=f"x' - r theta', evaluated at {run.time[k]:.3g} s of our run: the arm is not turned with the body; "
                "with r sin(theta) instead of r it holds", kind=EQUATION,
            ),
            self.judge(
                "12", "penetration at the start, Eq 12", abs(x[0] - bench.wall), float(deep[0]), "m", tolerance=1e-9,
                confirmed=abs(bench.wall - x[0] - gap[0]) < 1e-9,
                impossible="evaluated at the start of our run: the absolute value takes the gap for a penetration, and the "
                "wall would push from afar", kind=EQUATION,
            ),
            self.judge(
                "16-sign", "x_3 - x_2 where the contact is deepest, Eq 16", float(bench.wall - x[low]), float(deep[low]),
                "m", tolerance=1e-9, confirmed=abs(x[low] - bench.wall - deep[low]) < 1e-9,
                impossible="evaluated in our run: if x_2 is the contact point, on L_2, and x_3 the wall, x_2 - x_3 is meant: a "
                "power 2/3 or 3/2 of a negative number is no force", kind=EQUATION,
            ),
            self.judge(
                "16-velocity", "velocity of the contact point along y (text: always 0)", 0.0,
                float(np.abs(run.values("slider.front.vy")).max()), "m/s", tolerance=1e-12, kind=STATEMENT,
            ),
            self.judge(
                "16-friction", f"tangential force with mu = {self.setup.friction:g}, Eq 16", 0.0,
                float(np.abs(rubbed.values("wall.tangential_force")).max()), "N", tolerance=1e-12,
                remark="so the printed mu is without effect", kind=STATEMENT,
            ),
        ]  # fmt: skip

    def _law(self) -> list[Check]:
        """Eq 6 to 9 and the exponent."""
        bench, run = self.setup.bench, self.runs["rigid gill"]
        episode = run.episodes[0]
        middle = 0.5 * (episode.begin + self.setup.outer)
        k = int(np.argmin(np.abs(run.time - middle)))
        force, depth, rate = (
            float(run.values(f"wall.{name}")[k]) for name in ("normal_force", "penetration", "penetration_rate")
        )
        hertz = bench.stiffness * depth**bench.exponent
        # The motion of the rigid head does not depend on the force. A model with this exponent is refused.
        printed, right = (float(self._force(run, exponent).max()) for exponent in (2 / 3, bench.exponent))
        return [
            self.judge(
                "9", "hysteresis factor of Eq 8, from the force in the contact", 0.75 * (1 - bench.restitution**2),
                (force / hertz - 1) * episode.approach_speed / rate, "1", tolerance=1e-6, kind=EQUATION,
                remark=f"3 (1 - c_r^2) / 4 with the printed c_r, against the force at {run.time[k]:.3g} s of our run",
            ),
            self.judge(
                "6-exponent", "exponent of Hertz's law, text of Eq 6 and Eq 16", 2 / 3, bench.exponent, "1",
                confirmed=bool(abs(right / largest(run) - 1) < 1e-4), kind=INPUT,
                impossible=f"Hertz's exponent, for which the paper cites [11], is 3/2; with 2/3 the printed K would push the "
                f"rigid head with {printed:.0f} N instead of {largest(run):.2f} N, and be infinitely stiff at touchdown",
            ),
        ]  # fmt: skip

    def _force(self, run: Result, exponent: float) -> np.ndarray:
        """Eq 9 along a run, N."""
        bench, depth, rate = self.setup.bench, run.values("wall.penetration"), run.values("wall.penetration_rate")
        factor = 0.75 * (1 - bench.restitution**2) / run.episodes[0].approach_speed
        return np.where(depth > 0, bench.stiffness * np.maximum(depth, 0) ** exponent * (1 + factor * rate), 0.0)

    def _figures(self) -> list[Check]:
        """Fig 5, Fig 7 and the text about them: no number is printed, but an order."""
        force = {name: largest(self.runs[f"{name} gill"]) for name in VARIANTS}
        depth = {name: deepest(self.runs[f"{name} gill"]) for name in VARIANTS}
        found = []
        for name, what in (("flexible", "a flexible rod"), ("sprung", "a spring-damper")):
            found += [
                self.judge(
                    f"7-{name}", f"largest force with {what} is below the rigid one's (text: smaller; 1: yes)", 1.0,
                    float(force[name] < force["rigid"]), "1", remark=f"{force[name]:.4g} against {force['rigid']:.4g} N",
                    kind=STATEMENT,
                ),
                self.judge(
                    f"5-{name}", f"penetration with {what} is below the rigid one's (text: reduced; 1: yes)", 1.0,
                    float(depth[name] < depth["rigid"]), "1", kind=STATEMENT,
                    remark=f"{1e3 * depth[name]:.3g} against {1e3 * depth['rigid']:.3g} mm",
                ),
            ]  # fmt: skip
        others = {name: largest(self.runs[f"flexible {name}"]) for name in ("weightless", "sagging")}
        most = max([*others.values(), *self.starts.values()])
        low, high = (f(self.starts.values(), default=math.nan) for f in (min, max))
        found.append(
            self.judge(
                "7-any", "the same for the other weights and starts of the flexible rod tried here (1: yes)", 1.0,
                float(most < force["rigid"]), "1", kind=STATEMENT,
                remark=f"{others['weightless']:.3g} N without weight, as Eq 4 is explained; {others['sagging']:.3g} N if it "
                f"starts bent by its weight; {low:.3g} to {high:.3g} N if it starts straight, by the phase of its vibration",
            )
        )  # fmt: skip
        return found

    # files -----------------------------------------------------------------------------------------------------------

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

    def tables(self) -> list[Table]:
        rows = [
            (name, run.evidence.method, str(run.evidence.steps), f"{1e3 * run.evidence.wall_seconds:.0f}",
             f"{largest(run):.5g}", f"{1e3 * deepest(run):.4g}", f"{run.episodes[0].begin:.5f}", str(len(run.episodes)))
            for name, run in self.runs.items()
        ]  # fmt: skip
        header = ("run", "method", "steps", "ms", "largest force (N)", "penetration (mm)", "touchdown (s)", "contacts")
        return [(header, rows)]

    def remarks(self) -> list[str]:
        said = []
        for name in VARIANTS:
            gill = largest(self.runs[f"{name} gill"])
            apart = [100 * abs(largest(self.runs[f"{name} {h:g} s"]) / gill - 1) for h in STEPS]
            offs = ", ".join(f"{off:.2g} % with {h:g} s" for off, h in zip(apart, STEPS, strict=True))
            said.append(
                f"{name}: {gill:.5g} N by Runge-Kutta-Gill, {self.setup.step:g} s; generalized-alpha is off by {offs}"
            )
        said.append(
            "Eq 4 has Phi_Rq^T in its second row, where Phi_Fq^T is meant, and Phi_Fq twice in its last; c_r stands for "
            "restitution in Eq 8 and for a speed in Eq 13"
        )
        return said

    def draw(self, folder: Path) -> dict[str, Path]:
        return {
            what: save_panels(panels(self), folder / f"{self.name}-{what}.png") for what, panels in PICTURES.items()
        }


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
    choices = {**asdict(setup), "reasons": CHOICES}
    title = "paper 000: contact forces of a rigid, a flexible and a sprung slider-crank"
    return SliderCrankContact(NAME, PAPER, title, choices, setup, runs, starts)


# pictures ------------------------------------------------------------------------------------------------------------

LOOKS = {
    "rigid": ("rigid", {"color": "C0"}),
    "flexible": ("flexible rod", {"color": "C3"}),
    "sprung": ("spring-damper", {"color": "C2"}),
}


def _coordinate_panels(found: SliderCrankContact) -> list[Panel]:
    """Fig 4."""
    run = found.runs["rigid"]
    panels = []
    for label, unit, what in (("x", "m", "x"), ("y", "m", "y"), (r"$\theta$", "rad", "angle")):
        curves = [
            Curve(f"{label} of the {body}", run.time, run.values(f"{body}.{what}"), {"linewidth": width})
            for body, width in BODIES.items()
        ]
        panels.append(Panel(f"{label} ({unit})", curves, title="Rigid links over a turn" if what == "x" else ""))
    return panels


BODIES = {"crank": 3.4, "rod": 1.4, "slider": 1.8}
"""Widths of their lines: the first two lie upon each other in y."""


def _contact_point_panels(found: SliderCrankContact) -> list[Panel]:
    """Fig 5."""
    wall, around = found.setup.bench.wall, (found.setup.outer - 0.2, found.setup.outer + 0.2)
    turn, near = [], []
    for name, (label, look) in LOOKS.items():
        slow, fine, output = found.runs[name], found.runs[f"{name} gill"], f"{VARIANTS[name]}.front.x"
        turn.append(Curve(label, slow.time, slow.values(output), look))
        near.append(Curve(label, fine.time, 1e3 * fine.values(output), look))
    dotted = {"color": "#6b7685", "linestyle": ":", "linewidth": 1.2}
    turn.append(Curve("wall", [0.0, found.setup.turn], [wall, wall], dotted))
    near.append(Curve("wall", around, [1e3 * wall, 1e3 * wall], dotted))
    return [
        Panel("x (m)", turn, title="Contact point over a turn"),
        Panel("x (mm)", near, title="The same about the contact", xlim=around),
    ]


def _force_panels(found: SliderCrankContact) -> list[Panel]:
    """Fig 7."""
    around = (found.setup.outer - 0.2, found.setup.outer + 0.2)
    curves = {}
    for name, (label, look) in LOOKS.items():
        run = found.runs[f"{name} gill"]
        curves[name] = Curve(label, run.time, run.values("wall.normal_force"), look)
    alone = {name: [curves[name]] for name in ("flexible", "sprung")}
    run = found.runs["flexible sagging"]
    alone["flexible"].append(Curve("starts sagging", run.time, run.values("wall.normal_force"), {"color": "C4"}))
    return [
        Panel("force (N)", list(curves.values()), title="Contact force", xlim=around),
        Panel("force (N)", alone["flexible"], title="Flexible rod alone", xlim=around),
        Panel("force (N)", alone["sprung"], title="Spring-damper alone", xlim=around),
    ]


def _rod_panels(found: SliderCrankContact) -> list[Panel]:
    """How the flexible rod bends, and that it starts straight."""
    run = found.runs["flexible"]
    x, y = (run.values(f"rod.node{found.setup.elements // 2 + 1}.{axis}") for axis in "xy")
    ax, ay, bx, by = (run.values(f"rod.{end}.{axis}") for end in ("start", "end") for axis in "xy")
    across = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay)
    angles, forces = zip(*sorted(found.starts.items()), strict=True)
    return [
        Panel("deflection (mm)", [Curve("middle of the rod", run.time, 1e3 * across)], title="Flexible rod over a turn"),
        Panel("force (N)", [Curve("largest force", angles, forces, {"marker": "o", "markersize": 4})],
              "angle of the crank at the start (rad)", "Flexible rod, started straight: a question of phase"),
    ]  # fmt: skip


PICTURES: dict[str, Callable[[SliderCrankContact], Sequence[Panel]]] = {
    "coordinates": _coordinate_panels, "contact-point": _contact_point_panels, "force": _force_panels, "rod": _rod_panels,
}  # fmt: skip
