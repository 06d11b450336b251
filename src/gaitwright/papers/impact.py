"""What the two experiments of paper 003 chapter 5 share: their methods, the numbers of an impact, the curves of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.model.model import Model
from gaitwright.papers.check import Experiment
from gaitwright.papers.disturb import built
from gaitwright.papers.facts import Asked
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.result.result import Result
from gaitwright.result.touches import Episode

UNTIL = 3.0
"""s. Not printed, but the totals of Tables 5.1 and 5.3 divided by their means are 3000 steps of 1 ms."""
STEP = 1e-3
"""s, paper 003 section 4.1.4: the thesis's step, also of its Lagrangian method as far as one can tell."""
ALPHA = 15.0
ELASTIC, NEARLY_INELASTIC, INELASTIC = 1.0, 0.1, 0.0
"""Coefficients of restitution of chapter 5; 0.1 is that of Table 5.2."""

ACCURATE: dict[str, Any] = {"method": "dopri5", "tolerance": 1e-10, "output_step": 0.0, "max_step": 0.01}
THESIS: dict[str, Any] = {
    "method": "euler", "step": STEP, "stabilisation": "baumgarte", "alpha": ALPHA, "beta": math.sqrt(2 * ALPHA),
    "tolerance": 1.0,
}  # fmt: skip
"""The thesis's own scheme: Euler, Baumgarte with Table 4.1's alpha and beta = sqrt(2 alpha). The tolerance of 1 keeps its
step through the impact; only touchdown and release are located, which the thesis does not do."""
LARGER_BETA: dict[str, Any] = THESIS | {"beta": ALPHA * math.sqrt(2)}
"""The same with the other reading of the root in Table 4.1."""
REPEATS = 3


def moreau(complementarity: str = "lemke", step: float = STEP) -> dict[str, Any]:
    """Moreau's time stepping as in section 5.1.1: nothing keeps the joints from drifting."""
    return {"method": "moreau", "step": step, "complementarity": complementarity, "stabilisation": "none"}


def moreau_as_printed(step: float = STEP) -> dict[str, Any]:
    """The same with velocities that satisfy the joints at the midpoint, as Eq 5.5 to 5.11 are printed."""
    return moreau(step=step) | {"joint_velocities": "midpoint"}


def law(restitution: float, stiffness: float) -> LankaraniNikravesh:
    """Paper 003 Eq 3.9."""
    return LankaraniNikravesh(stiffness=stiffness, restitution=restitution)


def fastest(model: Model, options: dict[str, Any], until: float = UNTIL) -> Result:
    """The run that took the least time of a few: the first may compile."""
    runs = [built(model).simulate(until, **options) for _ in range(REPEATS)]
    return min(runs, key=lambda run: run.evidence.wall_seconds)


def first(run: Result) -> Episode:
    """The first impact."""
    return run.episodes[0]


def through(run: Result, contact: str, samples: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time since touchdown (s), penetration (m) and normal force (N) over the first impact, each (samples,), between the
    steps by the run's dense output."""
    hit = first(run)
    end = hit.end if math.isfinite(hit.end) else float(run.time[-1])
    times = np.linspace(hit.begin, end, samples)
    motion = run.at(times)
    penetration, force = (run.catalogue[f"{contact}.{name}"].values(motion) for name in ("penetration", "normal_force"))
    return times - hit.begin, np.asarray(penetration), np.asarray(force)


def steps_through(run: Result, contact: str) -> tuple[np.ndarray, np.ndarray]:
    """Penetration (m) and normal force (N) at the steps of the first impact."""
    hit = first(run)
    inside = (run.time >= hit.begin) & (run.time <= hit.end)
    return run.values(f"{contact}.penetration")[inside], run.values(f"{contact}.normal_force")[inside]


def loop_area(run: Result, contact: str) -> float:
    """Energy inside the force-penetration loop of the first impact, J: the integral of F d' dt."""
    t, penetration, force = through(run, contact, 4001)
    rate = np.gradient(penetration, t)
    return float(np.trapezoid(force * rate, t))


@dataclass
class ImpactExperiment(Experiment):
    """An experiment with runs by name and the contact that they are about."""

    runs: dict[str, Result]
    contact: ClassVar[str]

    def facts(self) -> dict[str, Any]:
        """through: the first impact of a run, for pictures; steps: the same at the steps of the run; hits: runs that meet
        something, by name."""

        def dense(name: str) -> dict[str, np.ndarray]:
            return dict(zip(("since", "depth", "force"), through(self.runs[name], self.contact), strict=True))

        def sampled(name: str) -> dict[str, np.ndarray]:
            return dict(zip(("depth", "force"), steps_through(self.runs[name], self.contact), strict=True))

        hits = {name: first(run) for name, run in self.runs.items() if run.episodes}
        return {"through": Asked(dense), "steps": Asked(sampled), "hits": hits, "step": STEP, "until": UNTIL}
