"""Paper 003 section 5.1: a ball falls on the ground, with viscoelastic contact and with Moreau's time stepping.

According to the thesis, the inelastic ball is at rest after its first impact with both methods. With its own law, Eq 3.9, this
is impossible: at restitution 0 the ball rebounds with 0.663 of its speed, for any mass, stiffness and height.
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
from gaitwright.result.result import Result
from gaitwright_apps.reproductions import impact_runs
from gaitwright_apps.reproductions.experiments import ProgressCallback, experiment_heading, ignore_progress, run_jobs
from gaitwright_apps.reproductions.facts import LazyFacts
from gaitwright_apps.reproductions.impact_runs import (
    ELASTIC_RESTITUTION,
    INELASTIC_RESTITUTION,
    NEARLY_INELASTIC_RESTITUTION,
    STEP_S,
    ImpactExperiment,
)
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "falling-ball"
FINE_STEP_S = 1e-4
"""Step, s, at which Moreau's rule penetrates the ground by less than a millimetre."""
LCP_SIZE = 3
"""Size of the complementarity problem with counted cases."""


class FallingBallSetup(make_setup_class(EXPERIMENT_NAME)):
    """The thesis's ball; the inertia, 2/5 m R^2, is ours."""

    def model(self, **how: Any) -> Any:
        return falling_ball(height=self.height, mass=self.mass, radius=self.radius, gravity=self.gravity, **how)

    @property
    def inertia(self) -> float:
        return float(self.model(restitution=0.0).document.bodies[0].inertia)


@dataclass
class FallingBallExperiment(ImpactExperiment):
    """Runs: `viscoelastic` with our stiffness, `soft` with the thesis's, `thesis` also by its scheme, `moreau`."""

    setup: FallingBallSetup
    contact = "floor"

    def facts(self) -> dict[str, Any]:
        """Facts for the verdicts. fall: during the fall. later: after the impact in the Lagrangian method."""
        runs, s = self.runs, self.setup
        fall, rigid, fine = runs["viscoelastic cr=0"], runs["moreau e=0 lemke"], runs["moreau e=0 fine"]
        k, later = int(np.argmax(fall.time > 0.2)), rigid.time > impact_runs.first_impact(rigid).begin + STEP_S
        # w = z + q, w >= 0, z >= 0, w z = 0: the sign of q determines which of each pair is zero
        active_sets = (
            solve_lcp(np.eye(LCP_SIZE), np.array(q)).z > 0 for q in itertools.product((-1.0, 1.0), repeat=LCP_SIZE)
        )
        first_impact_ms = 1e3 * impact_runs.first_impact(fine).begin
        return {
            **super().facts(),
            "fine": FINE_STEP_S,
            "pairs": LCP_SIZE,
            "cases": len({tuple(z) for z in active_sets}),
            "closed": {
                e: rebound(impact_runs.impact_law(e, s.stiffness))
                for e in (INELASTIC_RESTITUTION, NEARLY_INELASTIC_RESTITUTION)
            },
            "areas": {e: impact_runs.hysteresis_energy(runs[f"viscoelastic cr={e}"], self.contact) for e in ("0", "1")},
            "height": {e: _rebound_height(runs[f"viscoelastic cr={e}"]) for e in ("0", "1")},
            "fall": LazyFacts(lambda name: float(fall.array(name)[k])),
            "later": LazyFacts(lambda name: rigid.array(name)[later]),
            "spins": [float(np.abs(run.array("ball.spin")).max()) for run in runs.values()],
            "peaks": {
                name: {"begin": [e.begin for e in run.episodes], "force": [1e-3 * e.max_force for e in run.episodes]}
                for name, run in runs.items()
            },
            "around": [first_impact_ms - 1.5, first_impact_ms + 2.5],
        }


def _rebound_height(run: Result) -> float:
    """Largest gap between the first and the second impact, m."""
    first, second = run.episodes[:2]
    flight = (run.time >= first.end) & (run.time <= second.begin)
    t, gap, rate = run.time[flight], run.array("floor.gap")[flight], run.array("ball.vy")[flight]
    # Between two steps the motion is ballistic: the top is v^2 / 2g above any point of the flight.
    top, slope = int(np.argmax(gap)), -np.polyfit(t, rate, 1)[0]
    return float(gap[top] + rate[top] ** 2 / (2 * slope))


def run(
    progress: ProgressCallback = ignore_progress,
    setup: FallingBallSetup = FallingBallSetup(),  # noqa: B008
) -> FallingBallExperiment:
    """Run all parts of the experiment."""
    cases: dict[str, tuple[Any, dict[str, Any]]] = {}
    for e in (ELASTIC_RESTITUTION, NEARLY_INELASTIC_RESTITUTION, INELASTIC_RESTITUTION):
        cases[f"viscoelastic cr={e:g}"] = (
            setup.model(law=impact_runs.impact_law(e, setup.stiffness)),
            impact_runs.ACCURATE_OPTIONS,
        )
        soft = setup.model(law=impact_runs.impact_law(e, setup.soft_stiffness))
        cases[f"soft cr={e:g}"], cases[f"thesis cr={e:g}"] = (
            (soft, impact_runs.ACCURATE_OPTIONS),
            (soft, impact_runs.THESIS_OPTIONS),
        )
    for e in (ELASTIC_RESTITUTION, INELASTIC_RESTITUTION):
        for solver in ("lemke", "pgs"):
            cases[f"moreau e={e:g} {solver}"] = (setup.model(restitution=e), impact_runs.moreau_options(solver))
    cases["moreau e=0 fine"] = (
        setup.model(restitution=INELASTIC_RESTITUTION),
        impact_runs.moreau_options(step=FINE_STEP_S),
    )
    jobs = {name: partial(impact_runs.fastest_run, *job) for name, job in cases.items()}
    return FallingBallExperiment(
        *experiment_heading(EXPERIMENT_NAME, {**asdict(setup), "inertia": setup.inertia}),
        run_jobs(jobs, progress),
        setup,
    )
