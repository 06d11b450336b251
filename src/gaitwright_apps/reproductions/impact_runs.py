"""Common parts of the two experiments of paper 003 chapter 5: methods, numbers of an impact, curves of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.model.model import Model
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.result.contact_episodes import ContactEpisode
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.experiments import Experiment
from gaitwright_apps.reproductions.facts import LazyFacts
from gaitwright_apps.reproductions.perturbation import perturb_if_active

DURATION_S = 3.0
"""Duration, s. Not printed, but the totals of Tables 5.1 and 5.3 divided by their means give 3000 steps of 1 ms."""
STEP_S = 1e-3
"""Step, s, paper 003 section 4.1.4: the thesis's step, apparently also of its Lagrangian method."""
BAUMGARTE_ALPHA = 15.0
ELASTIC_RESTITUTION, NEARLY_INELASTIC_RESTITUTION, INELASTIC_RESTITUTION = 1.0, 0.1, 0.0
"""Coefficients of restitution of chapter 5; 0.1 is that of Table 5.2."""

ACCURATE_OPTIONS: dict[str, Any] = {"method": "dopri5", "tolerance": 1e-10, "output_step": 0.0, "max_step": 0.01}
THESIS_OPTIONS: dict[str, Any] = {
    "method": "euler",
    "step": STEP_S,
    "stabilisation": "baumgarte",
    "alpha": BAUMGARTE_ALPHA,
    "beta": math.sqrt(2 * BAUMGARTE_ALPHA),
    "tolerance": 1.0,
}
"""The thesis's own scheme: Euler, Baumgarte with Table 4.1's alpha and beta = sqrt(2 alpha). The tolerance of 1
keeps its step through the impact; only touchdown and release are located, which the thesis does not do."""
LARGER_BETA_OPTIONS: dict[str, Any] = THESIS_OPTIONS | {"beta": BAUMGARTE_ALPHA * math.sqrt(2)}
"""The same with the other interpretation of the root in Table 4.1."""
TIMING_REPEATS = 3


def moreau_options(complementarity: str = "lemke", step: float = STEP_S) -> dict[str, Any]:
    """Moreau's time stepping as in section 5.1.1, without stabilisation of the joints."""
    return {"method": "moreau", "step": step, "complementarity": complementarity, "stabilisation": "none"}


def printed_moreau_options(step: float = STEP_S) -> dict[str, Any]:
    """The same with velocities that satisfy the joints at the midpoint, as Eq 5.5 to 5.11 are printed."""
    return moreau_options(step=step) | {"joint_velocities": "midpoint"}


def impact_law(restitution: float, stiffness: float) -> LankaraniNikravesh:
    """Contact law of paper 003 Eq 3.9."""
    return LankaraniNikravesh(stiffness=stiffness, restitution=restitution)


def fastest_run(model: Model, options: dict[str, Any], until: float = DURATION_S) -> Result:
    """Fastest of several runs, because the first may compile."""
    runs = [perturb_if_active(model).simulate(until, **options) for _ in range(TIMING_REPEATS)]
    return min(runs, key=lambda run: run.evidence.wall_seconds)


def first_impact(run: Result) -> ContactEpisode:
    """First impact of a run."""
    return run.episodes[0]


def first_impact_curves(run: Result, contact: str, samples: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time since touchdown (s), penetration (m) and normal force (N) over the first impact, each (samples,), between
    the steps by the run's dense output."""
    hit = first_impact(run)
    end = hit.end if math.isfinite(hit.end) else float(run.time[-1])
    times = np.linspace(hit.begin, end, samples)
    motion = run.at(times)
    penetration, force = (run.catalogue[f"{contact}.{name}"].values(motion) for name in ("penetration", "normal_force"))
    return times - hit.begin, np.asarray(penetration), np.asarray(force)


def first_impact_steps(run: Result, contact: str) -> tuple[np.ndarray, np.ndarray]:
    """Penetration (m) and normal force (N) at the steps of the first impact."""
    hit = first_impact(run)
    inside = (run.time >= hit.begin) & (run.time <= hit.end)
    return run.array(f"{contact}.penetration")[inside], run.array(f"{contact}.normal_force")[inside]


def hysteresis_energy(run: Result, contact: str) -> float:
    """Energy inside the force-penetration loop of the first impact, J: the integral of F d' dt."""
    t, penetration, force = first_impact_curves(run, contact, 4001)
    rate = np.gradient(penetration, t)
    return float(np.trapezoid(force * rate, t))


@dataclass
class ImpactExperiment(Experiment):
    """Experiment with runs by name and one contact."""

    runs: dict[str, Result]
    contact: ClassVar[str]

    def facts(self) -> dict[str, Any]:
        """Facts for the sheet. through: the first impact of a run, for pictures; steps: the same at the steps of the
        run; hits: runs with an impact, by name."""

        def dense(name: str) -> dict[str, np.ndarray]:
            return dict(
                zip(("since", "depth", "force"), first_impact_curves(self.runs[name], self.contact), strict=True)
            )

        def sampled(name: str) -> dict[str, np.ndarray]:
            return dict(zip(("depth", "force"), first_impact_steps(self.runs[name], self.contact), strict=True))

        hits = {name: first_impact(run) for name, run in self.runs.items() if run.episodes}
        return {
            "through": LazyFacts(dense),
            "steps": LazyFacts(sampled),
            "hits": hits,
            "step": STEP_S,
            "until": DURATION_S,
        }
