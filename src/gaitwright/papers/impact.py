"""What the two experiments of paper 003 chapter 5 share: their methods, the numbers of an impact, the curves of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gaitwright.model.model import Model
from gaitwright.papers.check import EQUATION, INPUT, STATEMENT, Check, Experiment, Table, judge
from gaitwright.papers.figures import Curve, Panel, save_panels
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.result.result import Result
from gaitwright.result.touches import Episode

PAPER = "003"
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
SOFT = 2e4
"""N/m^1.5, Table 4.1: the only stiffness that the thesis prints."""

REPEATS = 3


def moreau(complementarity: str = "lemke", step: float = STEP) -> dict[str, Any]:
    """Moreau's time stepping as in section 5.1.1: nothing keeps the joints from drifting."""
    return {"method": "moreau", "step": step, "complementarity": complementarity, "stabilisation": "none"}


def law(restitution: float, stiffness: float) -> LankaraniNikravesh:
    """Paper 003 Eq 3.9."""
    return LankaraniNikravesh(stiffness=stiffness, restitution=restitution)


def fastest(model: Model, options: dict[str, Any], until: float = UNTIL) -> Result:
    """The run that took the least time of a few: the first may compile."""
    runs = [model.simulate(until, **options) for _ in range(REPEATS)]
    return min(runs, key=lambda run: run.evidence.wall_seconds)


def first(run: Result) -> Episode:
    """The first impact."""
    return run.episodes[0]


def energy_of(speed: float, mass: float, restitution: float) -> float:
    """Eq 5.15: the energy that an impact at a speed (m/s) loses, J."""
    return 0.5 * mass * speed**2 * (1 - restitution**2)


def numbers(run: Result) -> dict[str, Any]:
    """A run in a few numbers, SI units: its first impact, its losses, its joints (Eq 2.14), its cost."""
    hit, evidence = first(run), run.evidence
    phi, phi_dot = run.values("evidence.position_violation"), run.values("evidence.velocity_violation")
    return {
        "method": evidence.method,
        "stabilisation": evidence.stabilisation,
        "touchdown": hit.begin,
        "approach_speed": hit.approach_speed,
        "separation_speed": hit.separation_speed,
        "largest_force": hit.max_force,
        "largest_penetration": hit.max_penetration,
        "impulse": hit.impulse,
        "duration": hit.duration,
        "dissipated_first_impact": hit.dissipated,
        "contacts": len(run.episodes),
        "dissipated": float(run.values("energy.dissipated")[-1]),
        "energy_residual": evidence.max_energy_residual,
        "max_position_violation": evidence.max_position_violation,
        "max_velocity_violation": evidence.max_velocity_violation,
        "total_position_error": float(phi.sum()),
        "mean_position_error": float(phi.mean()),
        "total_velocity_error": float(phi_dot.sum()),
        "mean_velocity_error": float(phi_dot.mean()),
        "steps": evidence.steps,
        "right_hand_sides": evidence.evaluations,
        "states_looked_at_for_events": evidence.event_evaluations,
        "wall_seconds": evidence.wall_seconds,
    }


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
    pictures: ClassVar[dict[str, Callable[[Any], Sequence[Panel]]]]
    """What a picture shows, and its panels."""

    given: ClassVar[Callable[..., Check]] = partial(judge, paper=PAPER, kind=INPUT)
    """About what the thesis puts in, or counts."""
    evaluated: ClassVar[Callable[..., Check]] = partial(judge, paper=PAPER, kind=EQUATION)
    """About an equation of which the thesis prints no number."""
    says: ClassVar[Callable[..., Check]] = partial(judge, paper=PAPER, kind=STATEMENT)
    """About what the text or a figure says without a number."""
    judge: ClassVar[Callable[..., Check]] = partial(judge, paper=PAPER)

    def numbers(self) -> dict[str, dict[str, Any]]:
        return {name: numbers(run) for name, run in self.runs.items() if run.episodes}

    def draw(self, folder: Path) -> dict[str, Path]:
        return {
            what: save_panels(panels(self), folder / f"{self.name}-{what}.png")
            for what, panels in self.pictures.items()
        }

    def tables(self) -> list[Table]:
        return [(ROW_HEADER, rows(self.runs))]


# pictures ------------------------------------------------------------------------------------------------------------

LAWS = {
    # run: label, look; the two that lie upon each other are told apart by their width
    "viscoelastic cr=1": ("$c_r$ = 1", {"color": "C0"}),
    "viscoelastic cr=0": ("$c_r$ = 0", {"color": "C2", "linewidth": 2.6}),
    "viscoelastic cr=0.1": ("$c_r$ = 0.1", {"color": "black", "linewidth": 0.9}),
}
SHOWN = {
    **LAWS,
    "moreau e=1 lemke": ("Moreau, e = 1", {"color": "C1", "linestyle": "--"}),
    "moreau e=0 lemke": ("Moreau, e = 0", {"color": "C3", "linestyle": "--"}),
}


def over_time(found: ImpactExperiment, output: str, offset: float = 0.0) -> list[Curve]:
    """An output of the runs in SHOWN."""
    return [
        Curve(label, found.runs[name].time, found.runs[name].values(output) + offset, look)
        for name, (label, look) in SHOWN.items()
    ]


def forces(found: ImpactExperiment, scale: float) -> list[Curve]:
    """Normal force over the first impact (times scale) against the time since touchdown, ms."""
    curves = []
    for name, (label, look) in LAWS.items():
        t, _, force = through(found.runs[name], found.contact)
        curves.append(Curve(label, 1e3 * t, scale * force, look))
    return curves


def loops(found: ImpactExperiment, scale: float, kind: str = "viscoelastic") -> list[Curve]:
    """Normal force (times scale) against penetration, mm, over the first impact."""
    curves = []
    for name, (label, look) in LAWS.items():
        _, depth, force = through(found.runs[name.replace("viscoelastic", kind)], found.contact)
        curves.append(Curve(label, 1e3 * depth, scale * force, look))
    return curves


def thesis_loops(found: ImpactExperiment, scale: float) -> list[Curve]:
    """The same at the steps of the thesis's scheme, as dots."""
    curves = []
    for e, colour in (("1", "C0"), ("0", "C2")):
        depth, force = steps_through(found.runs[f"thesis cr={e}"], found.contact)
        dots = {"color": colour, "linestyle": "none", "marker": ".", "markersize": 6}
        curves.append(Curve(f"$c_r$ = {e}, Euler 1 ms", 1e3 * depth, scale * force, dots))
    return curves


def impulses(found: ImpactExperiment, scale: float, labels: dict[str, str]) -> list[Curve]:
    """Force of Moreau's method, impulse over step (times scale), against time, ms."""
    return [
        Curve(
            label,
            1e3 * found.runs[name].time,
            scale * found.runs[name].values(f"{found.contact}.normal_force"),
            steps=True,
        )
        for name, label in labels.items()
    ]


# cost ----------------------------------------------------------------------------------------------------------------


def rows(runs: dict[str, Result]) -> list[tuple[str, ...]]:
    """Cost and accuracy of the runs as a table for people."""
    found = []
    for name, run in runs.items():
        if not run.episodes:
            continue
        e = run.evidence
        found.append(
            (name, e.method, str(e.steps), str(e.evaluations), f"{1e3 * e.wall_seconds:.2f}", f"{first(run).max_force:.5g}",
             f"{first(run).dissipated:.4g}", f"{e.max_position_violation:.1e}")
        )  # fmt: skip
    return found


ROW_HEADER = (
    "run", "method", "steps", "right-hand sides", "ms", "largest force (N)", "lost in the first impact (J)", "joints (m)",
)  # fmt: skip

Said = Callable[[str, float], None]


def silent(what: str, fraction: float) -> None:
    """No progress wanted."""
