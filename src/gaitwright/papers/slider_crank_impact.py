"""Paper 003 section 5.2: a slider-crank hits a free block, by viscoelastic contact and by Moreau's time stepping.

The thesis prints none of the lengths, masses, stiffness, start or place of the block, so its forces, times and violations
of the joints cannot be computed. What can be: relations between its numbers, and its equations 5.25 to 5.28.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from gaitwright.contact.restitution import impact as free_impact
from gaitwright.errors import AnalysisError
from gaitwright.mechanisms.slider_crank import slider_crank, slider_position
from gaitwright.model.model import Model
from gaitwright.papers import impact
from gaitwright.papers.check import heading
from gaitwright.papers.impact import (
    ACCURATE,
    ELASTIC,
    INELASTIC,
    NEARLY_INELASTIC,
    SOFT,
    THESIS,
    ImpactExperiment,
    moreau,
)
from gaitwright.papers.slider_crank_equations import crank_acceleration, inelastic_impulse, mass_matrix
from gaitwright.result.result import Result

NAME = "slider-crank-impact"
TINY = float(np.finfo(float).eps ** 2)


@dataclass(frozen=True)
class Setup:
    """Our choice, all of it, as the sheet tells; SI units."""

    crank: float = 0.153
    rod: float = 0.306
    crank_mass: float = 0.038
    rod_mass: float = 0.038
    slider_mass: float = 0.076
    slider_length: float = 0.1
    block_mass: float = 0.076
    angle: float = math.pi
    hit_angle: float = -math.pi / 2
    stiffness: float = SOFT
    gravity: float = 9.81

    @property
    def block_at(self) -> float:
        """x of the block's near face, m."""
        return slider_position(self.crank, self.rod, self.hit_angle) + self.slider_length / 2

    def model(self, block: bool = True, **how: Any) -> Model:
        given = {k: v for k, v in asdict(self).items() if k not in ("hit_angle", "stiffness", "block_mass")}
        if block:
            given |= {"block_mass": self.block_mass, "block_at": self.block_at}
        return slider_crank(**given, **how)


@dataclass
class SliderCrankImpact(ImpactExperiment):
    """Runs: `viscoelastic`, `thesis` by its scheme, `moreau`, and `swing` without a block. failures: runs that stopped,
    with the reason."""

    setup: Setup
    contact = "impact"
    failures: dict[str, str] = field(default_factory=dict)

    def numbers(self) -> dict[str, dict[str, Any]]:
        return super().numbers() | {name: {"failed": why} for name, why in self.failures.items()}

    def remarks(self) -> list[str]:
        return [f"{name} stopped {why}" for name, why in self.failures.items()]

    def facts(self) -> dict[str, Any]:
        return {**super().facts(), **self._equations(), **self._tables()}

    def _equations(self) -> dict[str, Any]:
        """Eq 5.23 to 5.28 as printed, in a moving pose before the impact, beside the run."""
        setup, run, rigid = self.setup, self.runs["viscoelastic cr=0.1"], self.runs["moreau e=0 lemke"]
        k = int(np.argmin(np.abs(run.time - 0.7 * impact.first(run).begin)))
        names = ("crank.angle", "rod.angle", "crank.spin", "rod.spin", "crank.angular_acceleration", "energy.kinetic")
        a1, a2, w1, w2, turning, kinetic = (float(run.values(name)[k]) for name in names)
        l1, l2, half = setup.crank, setup.rod, setup.slider_length / 2
        gap = float(run.values(f"{self.contact}.gap")[k])
        corrected = setup.block_at - (l1 * math.cos(a1) + l2 * math.cos(a2) + half)
        w = np.array([w1, w2])
        guide = l1 * np.sin(run.values("crank.angle")) + l2 * np.sin(run.values("rod.angle"))
        before = int(np.searchsorted(rigid.time, impact.first(rigid).begin)) - 1
        wrong, right = (crank_acceleration(setup, a1, a2, w1, w2, f) for f in (lambda x: x, math.sin))
        return {
            "pose": float(run.time[k]), "gap": gap, "kinetic": kinetic, "turning": turning,
            "gap_printed": setup.block_at - l1 * math.cos(a1) + l2 * math.cos(a2) + half, "gap_meant": corrected,
            "brackets": abs(corrected - gap) < 1e-9,
            "kinetic_printed": float(w @ mass_matrix(setup, a1, a2) @ w) / 2,
            "turning_printed": wrong, "turning_with_sine": right, "sine": abs(right - turning) < 1e-6,
            "impulse": inelastic_impulse(setup, rigid, before), "before": float(rigid.time[before]),
            "guide": float(np.abs(guide).max()),
        }  # fmt: skip

    def _tables(self) -> dict[str, Any]:
        """What Tables 5.1 to 5.3 have beside our runs, and relations that hold whatever the missing parameters are."""
        rigid, ours = self.runs["moreau e=0 lemke"], self.runs["thesis cr=0.1"]
        nearly, elastic = (impact.first(self.runs[f"viscoelastic cr={e}"]) for e in ("0.1", "1"))
        free = [free_impact(impact.law(e, self.setup.stiffness)).largest_force for e in (NEARLY_INELASTIC, ELASTIC)]
        # The slider is farthest out where the crank has swung to the other side and turns back.
        far = self.runs["swing"].crossings("crank.spin", direction=-1)[:2]
        ratio, p, count = nearly.max_force / elastic.max_force, self.sheet.printed, ours.time.size
        of = {"5.1": "position", "5.3": "velocity"}
        sums = {
            n: [float(run.values(f"evidence.{what}_violation").sum()) for run in (rigid, ours)]
            for n, what in of.items()
        }
        means = {f"{n}-{who}": p[f"{n}-total-{who}"] / count for n in of for who in ("lagrangian", "proposed")}
        last = 5e-5  # what the printed totals leave open
        early, late = p["5.2-time-cr0.1"], p["5.2-time-cr1"]
        return {
            "sums": sums, "sum_ratios": {n: lagrangian / proposed for n, (lagrangian, proposed) in sums.items()},
            "order": {n: "the same" if a > b else "the other" for n, (a, b) in sums.items()},
            "total_ratios": {n: p[f"{n}-total-lagrangian"] / p[f"{n}-total-proposed"] for n in sums},
            "count": count, "means": means, "last": last,
            "power_lost": p["5.1-mean-proposed"] > p["5.1-total-proposed"]
            and abs(means["5.1-proposed"] - 1e-5 * p["5.1-mean-proposed"]) < last / count + 5e-9,
            # of any number of steps within a sixth of those that the other columns imply
            "no_count": all(abs(p["5.1-total-lagrangian"] / n - p["5.1-mean-lagrangian"]) > last for n in range(2500, 3502)),
            "mean_ratio": p["5.3-mean-lagrangian"] / p["5.3-mean-proposed"],
            "means_apart": means["5.3-lagrangian"] > 10 * means["5.3-proposed"],
            "printed_force_ratio": p["5.2-force-cr0.1"] / p["5.2-force-cr1"], "force_ratio": ratio,
            "free_ratio": free[0] / free[1], "force_ratio_holds": abs(ratio - free[0] / free[1]) < 0.01,
            "printed_time_ratio": late / early, "time_ratio": float(far[1] / far[0]),
            "time_rounding": late / early * (5e-4 / early + 5e-4 / late),
            "instants": {"printed": p["5.2-time-lagrangian"] - early, "ours": impact.first(rigid).begin - nearly.begin},
            "cpu": {
                "printed": p["5.2-cpu-lagrangian"] / p["5.2-cpu-cr0.1"],
                "ours": rigid.evidence.wall_seconds / ours.evidence.wall_seconds,
            },
            "near": {  # for pictures; below the rounding of one joint nothing can be read
                name: {what: np.maximum(run.values(f"evidence.{what}_violation"), TINY) for what in of.values()}
                for name, run in self.runs.items()
            },
            "faces": {n: run.values("block.x") - self.setup.slider_length / 2 for n, run in self.runs.items() if n != "swing"},
            "around": [1e3 * impact.first(rigid).begin - 4, 1e3 * impact.first(rigid).begin + 8],
        }  # fmt: skip


def run(progress: impact.Said = impact.silent, setup: Setup = Setup()) -> SliderCrankImpact:  # noqa: B008
    """All runs of the experiment."""
    wanted: dict[str, tuple[Model, dict[str, Any]]] = {"swing": (setup.model(block=False), ACCURATE)}
    for e in (ELASTIC, NEARLY_INELASTIC, INELASTIC):
        model = setup.model(law=impact.law(e, setup.stiffness))
        wanted[f"viscoelastic cr={e:g}"], wanted[f"thesis cr={e:g}"] = (model, ACCURATE), (model, THESIS)
    for e in (ELASTIC, INELASTIC):
        for solver in ("lemke", "pgs"):
            wanted[f"moreau e={e:g} {solver}"] = (setup.model(restitution=e), moreau(solver))
    runs: dict[str, Result] = {}
    failures: dict[str, str] = {}
    for k, (name, (model, options)) in enumerate(wanted.items()):
        progress(name, 0.9 * k / len(wanted))
        try:
            runs[name] = impact.fastest(model, options)
        except AnalysisError as error:
            failures[name] = str(error)
    return SliderCrankImpact(*heading(NAME, {**asdict(setup), "block_at": setup.block_at}), runs, setup, failures)
