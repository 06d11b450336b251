"""Paper 003 section 5.1: a ball falls onto the ground, by viscoelastic contact and by Moreau's time stepping.

The thesis finds the inelastic ball at rest after its first impact with both methods. With its own law, Eq 3.9, that
cannot be: at restitution 0 the ball rebounds with 0.663 of its speed, whatever its mass, stiffness and height.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gaitwright.contact.restitution import rebound
from gaitwright.mechanisms.falling_ball import falling_ball
from gaitwright.papers import impact
from gaitwright.papers.check import Check
from gaitwright.papers.figures import Curve, Panel
from gaitwright.papers.impact import (
    ACCURATE,
    ELASTIC,
    INELASTIC,
    NEARLY_INELASTIC,
    PAPER,
    SOFT,
    STEP,
    THESIS,
    ImpactExperiment,
    moreau,
)
from gaitwright.result.result import Result

NAME = "falling-ball"
FINE = 1e-4
"""s, a step at which Moreau's rule overshoots the ground by less than a millimetre."""


@dataclass(frozen=True)
class Setup:
    """The thesis's ball, SI units. mass, radius, height: printed. Ours: stiffness and the inertia, 2/5 m R^2."""

    mass: float = 1.0
    radius: float = 0.1
    height: float = 1.0
    gravity: float = 9.81
    stiffness: float = 1.4e8
    soft_stiffness: float = SOFT

    def model(self, **how: Any) -> Any:
        return falling_ball(height=self.height, mass=self.mass, radius=self.radius, gravity=self.gravity, **how)

    @property
    def inertia(self) -> float:
        return float(self.model(restitution=0.0).document.bodies[0].inertia)


CHOICES = {
    "stiffness": "1.4e8 N/m^1.5, about that of a steel ball; section 5 prints none. Rebound and energy hardly depend on it",
    "soft_stiffness": "2e4 N/m^1.5 of Table 4.1, for the thesis's own scheme, which explodes with the other",
    "height": "the gap under the ball, not the height of its centre",
    "inertia": "2/5 m R^2 instead of the printed 0.1 kg m^2, which is ten times m R^2; the ball does not spin",
    "until": "3 s",
}


@dataclass
class FallingBall(ImpactExperiment):
    """Runs: `viscoelastic` with our stiffness, `soft` with the thesis's, `thesis` also by its scheme, `moreau`."""

    setup: Setup
    contact = "floor"

    def judged(self) -> list[Check]:
        return [*self._energy(), *self._motion(), *self._force(), *self._the_rest()]

    # verdicts --------------------------------------------------------------------------------------------------------

    def _rebounds(self) -> tuple[str, bool]:
        """The argument against an inelastic ball that stays down, and whether the closed form without gravity agrees."""
        inelastic = self.runs["viscoelastic cr=0"]
        closed = rebound(impact.law(INELASTIC, self.setup.stiffness))
        soft, euler = (impact.first(self.runs[name]).restitution for name in ("soft cr=0", "thesis cr=0"))
        found = impact.first(inelastic).restitution
        why = (
            f"Eq 3.9 at c_r = 0 rebounds with {closed:.4f} of the speed whatever mass, stiffness and speed (closed form; with "
            f"gravity {found:.4f} here, {soft:.4f} with K = {self.setup.soft_stiffness:g}, there {euler:.3f} by Euler's steps)"
        )
        return why, abs(found - closed) < 0.01

    def _energy(self) -> list[Check]:
        """Eq 5.15, Fig 5-5, Fig 5-6 and the text about them."""
        runs, setup, evaluated, says = self.runs, self.setup, self.evaluated, self.says
        inelastic, nearly, elastic = (impact.first(runs[f"viscoelastic cr={e}"]) for e in ("0", "0.1", "1"))
        speed = math.sqrt(2 * setup.gravity * setup.height)
        given = {e: impact.energy_of(speed, setup.mass, e) for e in (INELASTIC, NEARLY_INELASTIC, ELASTIC)}
        why, agrees = self._rebounds()
        overshoot = setup.mass * setup.gravity * speed
        rigid, fine = runs["moreau e=0 lemke"], runs["moreau e=0 fine"]
        at_rest = [run.values("energy.dissipated")[-1] for run in (runs["viscoelastic cr=0"], fine)]
        here = f"Eq 5.15 with the printed mass and height, {given[INELASTIC]:.4g} J at c_r = 0; no energy is printed"
        out = rebound(impact.law(INELASTIC, setup.stiffness))
        closed = {"published": impact.energy_of(speed, setup.mass, out), "unit": "J"}
        # The closed form leaves out gravity, which works this much down to the deepest point.
        closed["tolerance"] = setup.mass * setup.gravity * inelastic.max_penetration
        closed["remark"] = (
            f"evaluated with the printed mass and height and the closed form of the rebound, {out:.4f}, without gravity, of "
            f"which the work in the contact, {closed['tolerance']:.2g} J, is allowed"
        )
        return [
            evaluated(
                "5.15-kinetic", "energy at touchdown, Eq 5.15 at c_r = 0", given[INELASTIC],
                0.5 * setup.mass * inelastic.approach_speed**2, "J", tolerance=1e-8, remark=f"{here}. It is m g h",
            ),
            evaluated(
                "5.15-lagrangian-inelastic", "energy lost, Lagrangian method", given[INELASTIC],
                impact.first(fine).dissipated, "J", tolerance=overshoot * FINE,
                remark=f"{here}. Step {FINE:g} s; {impact.first(rigid).dissipated:.4f} J at {STEP:g} s, which falls m g v h "
                "deeper",
            ),
            evaluated(
                "5.15-lagrangian-elastic", "energy lost, Lagrangian method with restitution 1", given[ELASTIC],
                impact.first(runs["moreau e=1 lemke"]).dissipated, "J", tolerance=1e-9, remark="Eq 5.15 at c_r = 1",
            ),
            evaluated(
                "5.15-inelastic", "energy lost in the first impact, c_r = 0", given[INELASTIC], inelastic.dissipated, "J",
                tolerance=0.01, impossible=f"{here}. {why}", confirmed=agrees,
            ),
            evaluated(
                "5.15-nearly-inelastic", "energy lost in the first impact, c_r = 0.1", given[NEARLY_INELASTIC],
                nearly.dissipated, "J", tolerance=0.01, confirmed=agrees,
                impossible=f"{here}. Eq 3.9 at c_r = 0.1 rebounds with {nearly.restitution:.4f}, not with 0.1",
            ),
            evaluated(
                "5.15-elastic", "energy lost in the first impact, c_r = 1", given[ELASTIC], elastic.dissipated, "J",
                tolerance=1e-9, remark="Eq 5.15 at c_r = 1",
            ),
            evaluated(
                "5.14", "energy lost in the first impact, c_r = 0, from the speeds before and after, Eq 5.14",
                computed=inelastic.dissipated, **closed,
            ),
            evaluated(
                "5-6-loop-inelastic", "area of the force-penetration loop, c_r = 0 (text, Fig 5-6b: the energy lost)",
                computed=impact.loop_area(runs["viscoelastic cr=0"], self.contact), **closed,
            ),
            says(
                "5-6-loop-elastic", "area of the force-penetration loop, c_r = 1 (Fig 5-6a: none)", 0.0,
                impact.loop_area(runs["viscoelastic cr=1"], self.contact), "J", tolerance=1e-3,
                remark="by quadrature of the sampled loop",
            ),
            says(
                "5-5-difference", "energy lost until rest, c_r = 0 against the Lagrangian method (Fig 5-5: the same)", 0.0,
                at_rest[0] - at_rest[1], "J", tolerance=overshoot * FINE,
                remark=f"true only in the end: {len(runs['viscoelastic cr=0'].episodes)} impacts against one",
            ),
        ]  # fmt: skip

    def _motion(self) -> list[Check]:
        """Fig 5-2, Fig 5-3 and the text about them."""
        runs, setup, says = self.runs, self.setup, self.says
        why, agrees = self._rebounds()
        inelastic, elastic, rigid = runs["viscoelastic cr=0"], runs["viscoelastic cr=1"], runs["moreau e=0 lemke"]
        later = rigid.time > impact.first(rigid).begin + STEP
        return [
            says(
                "5-2-elastic", "height after the first rebound, c_r = 1", setup.height, _height(elastic), "m",
                tolerance=1e-6, remark="back where it came from; the text says only that it rebounds",
            ),
            says(
                "5-2-inelastic", "height after the first rebound, c_r = 0 (as in the Lagrangian method)", 0.0,
                _height(inelastic), "m", tolerance=0.01, impossible=why, confirmed=agrees,
            ),
            says(
                "5-2-lagrangian", "rebound in the Lagrangian method", 0.0, float(np.ptp(rigid.values("ball.y")[later])), "m",
                tolerance=1e-12,
            ),
            says(
                "5-3-lagrangian", "speed after the impact, Lagrangian method", 0.0,
                float(np.abs(rigid.values("ball.vy")[later]).max()), "m/s", tolerance=1e-12,
            ),
            says(
                "5-3-inelastic", "speed just after the impact, c_r = 0", 0.0, impact.first(inelastic).separation_speed, "m/s",
                tolerance=0.01, impossible=why, confirmed=agrees,
            ),
            says(
                "5-3-instant", "touchdown in the Lagrangian method after that of viscoelastic contact (text: the same)", 0.0,
                impact.first(rigid).begin - impact.first(inelastic).begin, "s", tolerance=STEP,
                remark="Moreau's rule sees the ground at the middle of a step",
            ),
            says(
                "5-4-stays", f"contacts within {impact.UNTIL:g} s, c_r = 0 (text: stays on the ground after the first)", 1,
                len(inelastic.episodes), "1", tolerance=0.5, impossible=why, confirmed=agrees,
            ),
        ]  # fmt: skip

    def _force(self) -> list[Check]:
        """Fig 5-4: forces `consistent in two methods`."""
        runs = self.runs
        inelastic, rigid, fine = runs["viscoelastic cr=0"], runs["moreau e=0 lemke"], runs["moreau e=0 fine"]
        peaks = [impact.first(run).max_force for run in (inelastic, rigid, fine)]
        final = [run.values(f"{self.contact}.normal_force")[-1] for run in (inelastic, rigid)]
        return [
            self.says(
                "5-4-peak", "largest force, c_r = 0, over that of the Lagrangian method (text: consistent)", 1.0,
                peaks[0] / peaks[1], "1", tolerance=0.01, confirmed=abs(peaks[2] / peaks[1] * FINE / STEP - 1) < 0.01,
                impossible="what Moreau's method gives as a force is an impulse over a step: "
                f"{peaks[1]:.0f} N with {STEP:g} s, {peaks[2]:.0f} N with {FINE:g} s",
            ),
            self.says(
                "5-4-rest", "force at rest, c_r = 0, minus that of the Lagrangian method", 0.0, final[0] - final[1], "N",
                tolerance=1e-3, remark=f"both carry the weight, {final[1]:.4g} N",
            ),
        ]  # fmt: skip

    def _the_rest(self) -> list[Check]:
        runs, setup = self.runs, self.setup
        solid, ring = setup.inertia, setup.mass * setup.radius**2
        fall, coarse, fine = runs["viscoelastic cr=0"], *(runs[f"moreau e=0 {name}"] for name in ("lemke", "fine"))
        k = int(np.argmax(fall.time > 0.2))  # while it falls
        mass = 2 * fall.values("energy.kinetic")[k] / fall.values("ball.vy")[k] ** 2
        depth, depth_fine = (-float(run.values(f"{self.contact}.gap")[-1]) for run in (coarse, fine))
        rest = -depth * float(coarse.values(f"{self.contact}.normal_force")[-1])
        speed = 1.01 * impact.first(fall).approach_speed  # the first midpoint below the ground is at most v h deep
        elastic = runs["viscoelastic cr=1"]
        spins = max(float(np.abs(run.values("ball.spin")).max()) for run in runs.values())
        rigid, euler = runs["moreau e=0 lemke"].evidence, runs["thesis cr=0"].evidence
        size = 3
        return [
            self.given("5.1-mass", "mass of the ball, from its kinetic energy", 1.0, float(mass), "kg", tolerance=1e-9),
            self.given(
                "5.1-radius", "radius of the ball, height of its centre over the gap", 0.1,
                float((fall.values("ball.y") - fall.values(f"{self.contact}.gap"))[k]), "m", tolerance=1e-9,
            ),
            self.given(
                "5.1-height", "initial height, from the energy at touchdown", 1.0,
                impact.first(fall).approach_speed ** 2 / (2 * setup.gravity), "m", tolerance=1e-9,
                remark="read as the gap under the ball",
            ),
            self.evaluated(
                "5.3", "gap times force at rest in the Lagrangian method, Eq 5.3", 0.0, rest, "J", tolerance=1e-9,
                confirmed=0 < depth < speed * STEP and 0 < depth_fine < speed * FINE,
                impossible="evaluated at the end of our run: Eq 5.5 to 5.11 ask the velocity, not the gap, to be zero, so that "
                "the ball stays as deep as it fell within "
                f"the step of the impact, {1e3 * depth:.2g} mm with {STEP:g} s, "
                f"{1e3 * depth_fine:.2g} mm with {FINE:g} s",
            ),
            self.says(
                "5-4-repeats", f"the elastic ball touches the ground repeatedly within {impact.UNTIL:g} s (text; 1: yes)", 1.0,
                float(len(elastic.episodes) > 1), "1", remark=f"{len(elastic.episodes)} times",
            ),
            self.given(
                "5.1-inertia", "moment of inertia of the ball", 0.1, ring, "kg m^2", tolerance=1e-3, confirmed=spins < 1e-12,
                impossible=f"all of the mass on the rim would give m R^2 = {ring:g}, a solid ball has {solid:g}; without "
                "effect here, since nothing turns the ball",
            ),
            self.evaluated(
                "5.1.1-combinations", f"cases of an LCP of dimension {size} (printed: 2n)", 2 * size,
                len(list(itertools.product((0, 1), repeat=size))), "1",
                impossible=f"evaluated for n = {size}: each of the n pairs has two cases, so there are 2^n; the exponent is "
                "lost in print",
            ),
            self.judge(
                "5-7-time", "processing time of the Lagrangian method over the other (text: twice)", 2.0,
                rigid.wall_seconds / euler.wall_seconds, "1",
                void=f"a ratio of two MATLAB programs on their machine; ours need {rigid.evaluations} and {euler.evaluations} "
                "right-hand sides at the same step, and the pivoting for a ball at rest takes longest here too",
            ),
        ]  # fmt: skip


def _height(run: Result) -> float:
    """Largest gap between the first and the second impact, m."""
    first, second = run.episodes[:2]
    flight = (run.time >= first.end) & (run.time <= second.begin)
    t, gap, rate = run.time[flight], run.values("floor.gap")[flight], run.values("ball.vy")[flight]
    # Ballistic between two steps: the top is v^2 / 2g above any point of the flight.
    top, slope = int(np.argmax(gap)), -np.polyfit(t, rate, 1)[0]
    return float(gap[top] + rate[top] ** 2 / (2 * slope))


def run(progress: impact.Said = impact.silent, setup: Setup = Setup()) -> FallingBall:  # noqa: B008
    """All runs of the experiment."""
    wanted: dict[str, tuple[Any, dict[str, Any]]] = {}
    for e in (ELASTIC, NEARLY_INELASTIC, INELASTIC):
        wanted[f"viscoelastic cr={e:g}"] = (setup.model(law=impact.law(e, setup.stiffness)), ACCURATE)
        soft = setup.model(law=impact.law(e, setup.soft_stiffness))
        wanted[f"soft cr={e:g}"], wanted[f"thesis cr={e:g}"] = (soft, ACCURATE), (soft, THESIS)
    for e in (ELASTIC, INELASTIC):
        for solver in ("lemke", "pgs"):
            wanted[f"moreau e={e:g} {solver}"] = (setup.model(restitution=e), moreau(solver))
    wanted["moreau e=0 fine"] = (setup.model(restitution=INELASTIC), moreau(step=FINE))
    runs = {}
    for k, (name, (model, options)) in enumerate(wanted.items()):
        progress(name, 0.9 * k / len(wanted))
        runs[name] = impact.fastest(model, options)
    choices = {**asdict(setup), "inertia": setup.inertia, "reasons": CHOICES}
    return FallingBall(NAME, PAPER, "paper 003 section 5.1: the falling ball", choices, runs, setup)


# pictures ------------------------------------------------------------------------------------------------------------


def _motion_panels(found: FallingBall) -> list[Panel]:
    return [
        Panel("gap (m)", impact.over_time(found, f"{found.contact}.gap"), title="Falling ball: gap and velocity"),
        Panel("velocity (m/s)", impact.over_time(found, "ball.vy")),
    ]


def _force_panels(found: FallingBall) -> list[Panel]:
    peaks = []
    for name, (label, look) in impact.LAWS.items():
        begins, largest = zip(*((e.begin, 1e-3 * e.max_force) for e in found.runs[name].episodes), strict=True)
        peaks.append(Curve(label, begins, largest, look, stems=True))
    labels = {"moreau e=0 lemke": f"e = 0, h = {1e3 * STEP:g} ms", "moreau e=0 fine": f"e = 0, h = {1e3 * FINE:g} ms"}
    at = 1e3 * impact.first(found.runs["moreau e=0 fine"]).begin
    return [
        Panel("force (kN)", impact.forces(found, 1e-3), "time since touchdown (ms)", "First impact, viscoelastic"),
        Panel(
            "force (kN)", impact.impulses(found, 1e-3, labels), "time (ms)", "First impact, Moreau: impulse over step",
            xlim=(at - 1.5, at + 2.5),
        ),
        Panel("force (kN)", peaks, title="Largest force of each impact", xlim=(0.0, impact.UNTIL)),
    ]  # fmt: skip


def _energy_panels(found: FallingBall) -> list[Panel]:
    lost = found.setup.mass * found.setup.gravity * found.setup.height
    dotted = {"color": "#6b7685", "linestyle": ":", "linewidth": 1.2}
    given = Curve("Eq 5.15, $c_r$ = 0", [0, impact.UNTIL], [lost, lost], dotted)
    return [Panel("energy (J)", [*impact.over_time(found, "energy.dissipated"), given], title="Energy dissipated")]


def _loop_panels(found: FallingBall) -> list[Panel]:
    hard, soft = (f"First impact, K = {k:g} N/m$^{{1.5}}$" for k in (found.setup.stiffness, found.setup.soft_stiffness))
    both = [*impact.loops(found, 1e-3, "soft"), *impact.thesis_loops(found, 1e-3)]
    return [
        Panel("force (kN)", impact.loops(found, 1e-3), "penetration (mm)", hard),
        Panel("force (kN)", both, "penetration (mm)", soft + ", and the thesis's steps"),
    ]


FallingBall.pictures = {
    "motion": _motion_panels, "force": _force_panels, "energy": _energy_panels, "loops": _loop_panels,
}  # fmt: skip
