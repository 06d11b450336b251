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

from gaitwright.contact.lcp import solve_lcp
from gaitwright.contact.restitution import rebound
from gaitwright.mechanisms.falling_ball import falling_ball
from gaitwright.papers import impact
from gaitwright.papers.check import heading
from gaitwright.papers.impact import (
    ACCURATE,
    ELASTIC,
    INELASTIC,
    NEARLY_INELASTIC,
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
PAIRS = 3
"""Of the complementarity problem whose cases are counted."""


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


@dataclass
class FallingBall(ImpactExperiment):
    """Runs: `viscoelastic` with our stiffness, `soft` with the thesis's, `thesis` also by its scheme, `moreau`."""

    setup: Setup
    contact = "floor"

    def facts(self) -> dict[str, Any]:
        return {**super().facts(), "fine": FINE, **self._energy(), **self._motion(), **self._ball()}

    def _energy(self) -> dict[str, Any]:
        """Eq 5.15, and the closed form of the rebound, without gravity, beside our runs."""
        runs, s = self.runs, self.setup
        inelastic, fine = runs["viscoelastic cr=0"], runs["moreau e=0 fine"]
        speed, closed = math.sqrt(2 * s.gravity * s.height), rebound(impact.law(INELASTIC, s.stiffness))
        nearly = rebound(impact.law(NEARLY_INELASTIC, s.stiffness))
        peaks = [
            impact.first(runs[name]).max_force for name in ("viscoelastic cr=0", "moreau e=0 lemke", "moreau e=0 fine")
        ]
        return {
            "given": {e: impact.energy_of(speed, s.mass, e) for e in (INELASTIC, NEARLY_INELASTIC, ELASTIC)},
            "closed": closed,
            "closed_energy": impact.energy_of(speed, s.mass, closed),
            "contact_work": s.mass * s.gravity * impact.first(inelastic).max_penetration,  # of gravity, to the deepest point
            "rebounds": abs(impact.first(inelastic).restitution - closed) < 0.01,
            "nearly_rebounds": abs(impact.first(runs["viscoelastic cr=0.1"]).restitution - nearly) < 0.01,
            "touchdown_energy": 0.5 * s.mass * impact.first(inelastic).approach_speed ** 2,
            "overshoot": s.mass * s.gravity * speed * FINE,
            "areas": {e: impact.loop_area(runs[f"viscoelastic cr={e}"], self.contact) for e in ("0", "1")},
            "lost_apart": float(np.subtract(*(run.values("energy.dissipated")[-1] for run in (inelastic, fine)))),
            "peak_ratio": peaks[0] / peaks[1],
            "peak_is_impulse": abs(peaks[2] / peaks[1] * FINE / STEP - 1) < 0.01,
        }  # fmt: skip

    def _motion(self) -> dict[str, Any]:
        """Fig 5-2 to 5-4 and what the two methods do after the impact."""
        runs, rigid = self.runs, self.runs["moreau e=0 lemke"]
        inelastic, fine = runs["viscoelastic cr=0"], runs["moreau e=0 fine"]
        later = rigid.time > impact.first(rigid).begin + STEP
        depth, depth_fine = (-float(run.values("floor.gap")[-1]) for run in (rigid, fine))
        fastest = (
            1.01 * impact.first(inelastic).approach_speed
        )  # the first midpoint below the ground is at most v h deep
        final = [float(run.values("floor.normal_force")[-1]) for run in (inelastic, rigid)]
        peaks = {
            name: {"begin": [e.begin for e in run.episodes], "force": [1e-3 * e.max_force for e in run.episodes]}
            for name, run in runs.items()
        }
        at = 1e3 * impact.first(fine).begin
        return {
            "height": {e: _height(runs[f"viscoelastic cr={e}"]) for e in ("0", "1")},
            "rigid_rise": float(np.ptp(rigid.values("ball.y")[later])),
            "rigid_speed": float(np.abs(rigid.values("ball.vy")[later]).max()),
            "later": impact.first(rigid).begin - impact.first(inelastic).begin,
            "rest_apart": final[0] - final[1],
            "depth": {"coarse": 1e3 * depth, "fine": 1e3 * depth_fine},
            "gap_times_force": -depth * final[1],
            "depth_is_of_the_step": 0 < depth < fastest * STEP and 0 < depth_fine < fastest * FINE,
            "repeats": float(len(runs["viscoelastic cr=1"].episodes) > 1),
            "peaks": peaks,
            "around": [at - 1.5, at + 2.5],
        }

    def _ball(self) -> dict[str, Any]:
        """The ball read back from how it falls; the cases of a complementarity problem, counted."""
        s, fall = self.setup, self.runs["viscoelastic cr=0"]
        k = int(np.argmax(fall.time > 0.2))  # while it falls
        mass = float(2 * fall.values("energy.kinetic")[k] / fall.values("ball.vy")[k] ** 2)
        radius = float((fall.values("ball.y") - fall.values("floor.gap"))[k])
        spins = max(float(np.abs(run.values("ball.spin")).max()) for run in self.runs.values())
        # w = z + q, w >= 0, z >= 0, w z = 0: which of each pair is zero follows from the sign of q
        found = (solve_lcp(np.eye(PAIRS), np.array(q)).z > 0 for q in itertools.product((-1.0, 1.0), repeat=PAIRS))
        cases = len({tuple(z) for z in found})
        rigid, euler = self.runs["moreau e=0 lemke"].evidence, self.runs["thesis cr=0"].evidence
        return {
            "read": {
                "mass": mass, "radius": radius, "height": impact.first(fall).approach_speed ** 2 / (2 * s.gravity),
                "rim": mass * radius**2,
            },
            "does_not_turn": spins < 1e-12, "too_much": self.sheet.printed["5.1-inertia"] > mass * radius**2,
            "pairs": PAIRS, "printed_cases": 2 * PAIRS, "cases": cases, "power": cases == 2**PAIRS,
            "time_ratio": rigid.wall_seconds / euler.wall_seconds,
        }  # fmt: skip


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
    return FallingBall(*heading(NAME, {**asdict(setup), "inertia": setup.inertia}), runs, setup)
