"""Paper 003 section 5.1: a ball falls onto the ground, by viscoelastic contact and by Moreau's time stepping.

The thesis finds the inelastic ball at rest after its first impact with both methods. With its own law, Eq 3.9, that
cannot be: at restitution 0 the ball rebounds with 0.663 of its speed, whatever its mass, stiffness and height.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from gaitwright.contact.lcp import solve_lcp
from gaitwright.contact.restitution import rebound
from gaitwright.mechanisms.falling_ball import falling_ball
from gaitwright.papers import impact
from gaitwright.papers.check import Said, done, heading, silent
from gaitwright.papers.facts import Asked
from gaitwright.papers.impact import ELASTIC, INELASTIC, NEARLY_INELASTIC, STEP, ImpactExperiment
from gaitwright.papers.sheet import setup_of
from gaitwright.result.result import Result

NAME = "falling-ball"
FINE = 1e-4
"""s, a step at which Moreau's rule overshoots the ground by less than a millimetre."""
PAIRS = 3
"""Of the complementarity problem whose cases are counted."""


class Setup(setup_of(NAME)):
    """The thesis's ball; the inertia, 2/5 m R^2, is ours."""

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
        """fall: while the ball falls. later: after the impact in the Lagrangian method."""
        runs, s = self.runs, self.setup
        fall, rigid, fine = runs["viscoelastic cr=0"], runs["moreau e=0 lemke"], runs["moreau e=0 fine"]
        k, later = int(np.argmax(fall.time > 0.2)), rigid.time > impact.first(rigid).begin + STEP
        # w = z + q, w >= 0, z >= 0, w z = 0: which of each pair is zero follows from the sign of q
        found = (solve_lcp(np.eye(PAIRS), np.array(q)).z > 0 for q in itertools.product((-1.0, 1.0), repeat=PAIRS))
        at = 1e3 * impact.first(fine).begin
        return {
            **super().facts(), "fine": FINE, "pairs": PAIRS, "cases": len({tuple(z) for z in found}),
            "closed": {e: rebound(impact.law(e, s.stiffness)) for e in (INELASTIC, NEARLY_INELASTIC)},
            "areas": {e: impact.loop_area(runs[f"viscoelastic cr={e}"], self.contact) for e in ("0", "1")},
            "height": {e: _height(runs[f"viscoelastic cr={e}"]) for e in ("0", "1")},
            "fall": Asked(lambda name: float(fall.values(name)[k])), "later": Asked(lambda name: rigid.values(name)[later]),
            "spins": [float(np.abs(run.values("ball.spin")).max()) for run in runs.values()],
            "peaks": {
                name: {"begin": [e.begin for e in run.episodes], "force": [1e-3 * e.max_force for e in run.episodes]}
                for name, run in runs.items()
            },
            "around": [at - 1.5, at + 2.5],
        }  # fmt: skip


def _height(run: Result) -> float:
    """Largest gap between the first and the second impact, m."""
    first, second = run.episodes[:2]
    flight = (run.time >= first.end) & (run.time <= second.begin)
    t, gap, rate = run.time[flight], run.values("floor.gap")[flight], run.values("ball.vy")[flight]
    # Ballistic between two steps: the top is v^2 / 2g above any point of the flight.
    top, slope = int(np.argmax(gap)), -np.polyfit(t, rate, 1)[0]
    return float(gap[top] + rate[top] ** 2 / (2 * slope))


def run(progress: Said = silent, setup: Setup = Setup()) -> FallingBall:  # noqa: B008
    """All runs of the experiment."""
    wanted: dict[str, tuple[Any, dict[str, Any]]] = {}
    for e in (ELASTIC, NEARLY_INELASTIC, INELASTIC):
        wanted[f"viscoelastic cr={e:g}"] = (setup.model(law=impact.law(e, setup.stiffness)), impact.ACCURATE)
        soft = setup.model(law=impact.law(e, setup.soft_stiffness))
        wanted[f"soft cr={e:g}"], wanted[f"thesis cr={e:g}"] = (soft, impact.ACCURATE), (soft, impact.THESIS)
    for e in (ELASTIC, INELASTIC):
        for solver in ("lemke", "pgs"):
            wanted[f"moreau e={e:g} {solver}"] = (setup.model(restitution=e), impact.moreau(solver))
    wanted["moreau e=0 fine"] = (setup.model(restitution=INELASTIC), impact.moreau(step=FINE))
    jobs = {name: partial(impact.fastest, *job) for name, job in wanted.items()}
    return FallingBall(*heading(NAME, {**asdict(setup), "inertia": setup.inertia}), done(jobs, progress), setup)
