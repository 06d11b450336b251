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
from gaitwright.papers.slider_crank_equations import crank_acceleration, inelastic_impulse, mass_matrix
from gaitwright.result.result import Result

NAME = "slider-crank-impact"


@dataclass(frozen=True)
class Setup:
    """OUR CHOICE, all of it; SI units.

    Lengths and masses are those of P. Flores, R. Leine, C. Glocker, Multibody Syst. Dyn. 23 (2010) 165-190, Table 1, whose
    mass matrix and gyroscopic terms the thesis prints as Eq 5.26 and 5.27. Like there no drive acts: the crank is let go
    level, at the inner dead centre, and swings under gravity. The block is as heavy as the slider and stands where the
    slider is fastest, with the crank straight down. The stiffness is that of the thesis's Table 4.1."""

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


MISSING = "lengths, masses, stiffness, start and block are not printed; computed with our choice"


@dataclass(frozen=True)
class Printed:
    """Tables 5.1 to 5.3 as printed: Lagrangian approach, proposed method."""

    mean_position: tuple[float, float] = (0.0045, 7.123)
    total_position: tuple[float, float] = (1.5585, 0.2138)
    mean_velocity: tuple[float, float] = (0.0705, 0.0012)
    total_velocity: tuple[float, float] = (211.5316, 3.4806)
    # Table 5.2: Lagrangian approach, c_r = 0.1, c_r = 1
    time: tuple[float, float, float] = (0.429, 0.429, 1.286)
    force: tuple[float, float, float] = (4.204, 2.806, 3.295)
    cpu: tuple[float, float, float] = (28.4063, 14.2344, 3.4063)


@dataclass
class SliderCrankImpact(ImpactExperiment):
    """Runs: `viscoelastic`, `thesis` by its scheme, `moreau`, and `swing` without a block. failures: runs that stopped,
    with the reason."""

    setup: Setup
    contact = "impact"
    failures: dict[str, str] = field(default_factory=dict)
    printed: Printed = Printed()

    def judged(self) -> list[Check]:
        return [*self._equations(), *self._violations(), *self._table(), *self._relations()]

    def numbers(self) -> dict[str, dict[str, Any]]:
        return super().numbers() | {name: {"failed": why} for name, why in self.failures.items()}

    def remarks(self) -> list[str]:
        return [f"{name} stopped {why}" for name, why in self.failures.items()]

    # verdicts --------------------------------------------------------------------------------------------------------

    def _equations(self) -> list[Check]:
        """Eq 5.25 to 5.28 as printed, in a moving pose before the impact, against the run."""
        setup, run, judged = self.setup, self.runs["viscoelastic cr=0.1"], self.evaluated
        k = int(np.argmin(np.abs(run.time - 0.7 * impact.first(run).begin)))
        names = ("crank.angle", "rod.angle", "crank.spin", "rod.spin", "crank.angular_acceleration")
        a1, a2, w1, w2, turning = (float(run.values(name)[k]) for name in names)
        l1, l2, half = setup.crank, setup.rod, setup.slider_length / 2
        gap = float(run.values(f"{self.contact}.gap")[k])
        printed = setup.block_at - l1 * math.cos(a1) + l2 * math.cos(a2) + half
        corrected = setup.block_at - (l1 * math.cos(a1) + l2 * math.cos(a2) + half)
        mass = mass_matrix(setup, a1, a2)
        w = np.array([w1, w2])
        guide = l1 * np.sin(run.values("crank.angle")) + l2 * np.sin(run.values("rod.angle"))
        pose = f"evaluated at {run.time[k]:.3g} s of our run"
        rigid = self.runs["moreau e=0 lemke"]
        before = int(np.searchsorted(rigid.time, impact.first(rigid).begin)) - 1
        exact = inelastic_impulse(setup, rigid, before)
        wrong, right = (crank_acceleration(setup, a1, a2, w1, w2, f) for f in (lambda x: x, math.sin))
        return [
            judged(
                "5.25", "gap in a moving pose, Eq 5.25", printed, gap, "m", tolerance=1e-9,
                confirmed=abs(corrected - gap) < 1e-9,
                impossible=f"{pose}: x_5 - (L_1 cos + L_2 cos + a) is meant, {corrected:.4g} m; the brackets are lost in print",
            ),
            judged(
                "5.26", "kinetic energy in a moving pose, mass matrix of Eq 5.26", float(w @ mass @ w) / 2,
                float(run.values("energy.kinetic")[k]), "J", tolerance=1e-9, remark=pose,
            ),
            judged(
                "5.27-printed", "acceleration of the crank, forces of Eq 5.27 as printed", wrong, turning, "rad/s^2",
                tolerance=1e-6, confirmed=abs(right - turning) < 1e-6,
                impossible=f"{pose}: the sine of theta_1 - theta_2 is missing; the line below has it",
            ),
            judged(
                "5.27", "acceleration of the crank, Eq 5.27 with the sine", right, turning, "rad/s^2", tolerance=1e-6,
                remark=f"{pose}, with the sine that print lost",
            ),
            judged(
                "5.23", "impulse of the impact, Lagrangian method, Eq 5.23", exact,
                impact.first(rigid).impulse, "N s", tolerance=0.01 * exact,
                remark=f"Eq 5.23 with the masses of Eq 5.26, solved for the state of our run at {rigid.time[before]:.4g} s; "
                f"1 % is allowed for what moves within the step of {STEP:g} s",
            ),
            judged(
                "5.28", "height of the slider, Eq 5.28", 0.0, float(np.abs(guide).max()), "m", tolerance=1e-12,
                remark="the largest of our run",
            ),
        ]  # fmt: skip

    def _violations(self) -> list[Check]:
        """Tables 5.1 and 5.3. Sums over the stored steps of Eq 2.14, Phi^T Phi and its rate."""
        p, judged, tables = self.printed, self.judge, []
        rigid, ours = self.runs["moreau e=0 lemke"], self.runs["thesis cr=0.1"]
        count = ours.time.size
        for label, table, output, total in (
            ("positions", "5.1", "evidence.position_violation", p.total_position),
            ("velocities", "5.3", "evidence.velocity_violation", p.total_velocity),
        ):
            sums = [float(run.values(output).sum()) for run in (rigid, ours)]
            order = "the same is smaller" if sums[0] > sums[1] else "the other is smaller"
            for who, printed, computed in zip(("Lagrangian", "proposed"), total, sums, strict=True):
                what = f"total error of the {label}, {who}"
                tables.append(judged(f"{table}-total-{who.lower()}", what, printed, computed, "mixed", void=MISSING))
            tables.append(
                judged(f"{table}-ratio", f"total error of the {label}, Lagrangian over proposed", total[0] / total[1],
                       sums[0] / sums[1], "1", void=f"{MISSING}, with which {order}")
            )  # fmt: skip
        each = f"total / {count} stored steps"
        corrected = p.mean_position[1] * 1e-5
        last = 5e-5  # what the printed totals leave open
        return [
            *tables,
            judged(
                "5.1-mean-proposed", f"mean error of the positions, proposed: {each}", p.mean_position[1],
                p.total_position[1] / count, "mixed", tolerance=1e-7,
                confirmed=abs(p.total_position[1] / count - corrected) < last / count + 5e-9,
                impossible=f"a mean cannot exceed its total, {p.total_position[1]:g}; 7.123e-5 is meant, with which "
                "its total agrees within rounding",
            ),
            judged(
                "5.1-mean-lagrangian", f"mean error of the positions, Lagrangian: {each}", p.mean_position[0],
                p.total_position[0] / count, "mixed", rounding=last,
                impossible=f"does not go with its own total, {p.total_position[0]:g}, in any number of steps near those of the "
                "other columns",
            ),
            judged(
                "5.3-mean-lagrangian", f"mean error of the velocities, Lagrangian: {each}", p.mean_velocity[0],
                p.total_velocity[0] / count, "mixed", rounding=last,
            ),
            judged(
                "5.3-mean-proposed", f"mean error of the velocities, proposed: {each}", p.mean_velocity[1],
                p.total_velocity[1] / count, "mixed", rounding=last,
            ),
            self.says(
                "5.3-text", "mean errors of the velocities, Lagrangian over proposed (text: the same)", 1.0,
                p.mean_velocity[0] / p.mean_velocity[1], "1", tolerance=0.1,
                impossible="the text contradicts its Table 5.3, from which this ratio is",
            ),
        ]  # fmt: skip

    def _table(self) -> list[Check]:
        """Table 5.2, number by number."""
        found = []
        for k, (label, name) in enumerate(
            (("Lagrangian", "moreau e=0 lemke"), ("c_r = 0.1", "thesis cr=0.1"), ("c_r = 1", "thesis cr=1"))
        ):
            run, p, slug = self.runs[name], self.printed, ("lagrangian", "cr0.1", "cr1")[k]
            hit, took = impact.first(run), run.evidence.wall_seconds
            force = "; impulse over step, so it doubles when the step is halved" if k == 0 else ""
            found += [
                self.judge(
                    f"5.2-time-{slug}", f"time of the contact, {label}", p.time[k], hit.begin, "s", void=MISSING
                ),
                self.judge(
                    f"5.2-force-{slug}", f"largest force, {label}", p.force[k], hit.max_force, "N", void=MISSING + force
                ),
                self.judge(
                    f"5.2-cpu-{slug}",
                    f"processing time, {label}",
                    p.cpu[k],
                    took,
                    "s",
                    void="their program, their machine",
                ),
            ]
        return found

    def _relations(self) -> list[Check]:
        """What must hold between the numbers of Table 5.2 whatever the missing parameters are."""
        p, runs, judged = self.printed, self.runs, self.judge
        nearly, elastic, rigid = runs["viscoelastic cr=0.1"], runs["viscoelastic cr=1"], runs["moreau e=0 lemke"]
        free = [free_impact(impact.law(e, self.setup.stiffness)).largest_force for e in (NEARLY_INELASTIC, ELASTIC)]
        ratio = impact.first(nearly).max_force / impact.first(elastic).max_force
        # The slider is farthest out where the crank has swung to the other side and turns back.
        far = runs["swing"].crossings("crank.spin", direction=-1)[:2]
        times = p.time[2] / p.time[1]
        return [
            judged(
                "5.2-force-ratio", "largest force, c_r = 0.1 over c_r = 1", p.force[1] / p.force[2], ratio, "1",
                tolerance=0.005, confirmed=abs(ratio - free[0] / free[1]) < 0.01,
                impossible=f"Eq 3.9 gives {free[0] / free[1]:.4f} for any masses, stiffness and speed (without other "
                "forces), so the two columns are not of the same impact; their times differ, too",
            ),
            judged(
                "5.2-time-ratio", "time of the contact, c_r = 1 over c_r = 0.1", times, float(far[1] / far[0]), "1",
                rounding=times * (5e-4 / p.time[1] + 5e-4 / p.time[2]),
                remark="an inference: as if the slider were farthest out at both times, half and three halves of a swing "
                "or turn (of 0.857 s) after a start at the inner dead centre",
            ),
            self.says(
                "5.2-instant", "time of the contact, Lagrangian minus c_r = 0.1 (text: different, Table 5.2: the same)",
                p.time[0] - p.time[1], impact.first(rigid).begin - impact.first(nearly).begin, "s", tolerance=STEP,
                remark="the table is right, the text is not",
            ),
            judged(
                "5.2-cpu-ratio", "processing time, Lagrangian over c_r = 0.1 (text: twice)", p.cpu[0] / p.cpu[1],
                rigid.evidence.wall_seconds / runs["thesis cr=0.1"].evidence.wall_seconds, "1",
                void=f"two MATLAB programs on their machine; ours need {rigid.evidence.evaluations} and "
                f"{runs['thesis cr=0.1'].evidence.evaluations} right-hand sides",
            ),
        ]  # fmt: skip


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
    choices = {**asdict(setup), "block_at": setup.block_at, "reasons": {"all": " ".join((Setup.__doc__ or "").split())}}
    title = "paper 003 section 5.2: slider-crank against a free block"
    return SliderCrankImpact(NAME, PAPER, title, choices, runs, setup, failures)


# pictures ------------------------------------------------------------------------------------------------------------

AROUND = (0.2, 0.4)
"""s, about the impact."""


def _motion_panels(found: SliderCrankImpact) -> list[Panel]:
    near = -found.setup.slider_length / 2
    block = impact.over_time(found, "block.x", near)
    return [
        Panel("x (m)", impact.over_time(found, "slider.front.x"), title="Front of the slider"),
        Panel("velocity (m/s)", impact.over_time(found, "slider.vx"), title="Slider, about the impact", xlim=AROUND),
        Panel("x (m)", block, title="Near face of the block, about the impact", xlim=AROUND),
        Panel("velocity (m/s)", impact.over_time(found, "block.vx"), title="Block, about the impact", xlim=AROUND),
    ]


def _force_panels(found: SliderCrankImpact) -> list[Panel]:
    rigid = impact.impulses(found, 1.0, {"moreau e=1 lemke": "Moreau, e = 1", "moreau e=0 lemke": "Moreau, e = 0"})
    at = 1e3 * impact.first(found.runs["moreau e=0 lemke"]).begin
    return [
        Panel("force (N)", impact.forces(found, 1.0), "time since touchdown (ms)", "Impact, viscoelastic"),
        Panel("force (N)", rigid, "time (ms)", "Impact, Moreau: impulse over step of 1 ms", xlim=(at - 4, at + 8)),
    ]


def _energy_panels(found: SliderCrankImpact) -> list[Panel]:
    lost = impact.over_time(found, "energy.dissipated")
    return [Panel("energy (J)", lost, title="Energy dissipated, about the impact", xlim=AROUND)]


def _loop_panels(found: SliderCrankImpact) -> list[Panel]:
    title = f"Impact, K = {found.setup.stiffness:g} N/m$^{{1.5}}$, and the thesis's steps"
    return [
        Panel("force (N)", [*impact.loops(found, 1.0), *impact.thesis_loops(found, 1.0)], "penetration (mm)", title)
    ]


def _violation_panels(found: SliderCrankImpact) -> list[Panel]:
    labels = {
        "moreau e=0 lemke": "Moreau, e = 0",
        "thesis cr=0.1": "Euler, Baumgarte",
        "viscoelastic cr=0.1": "dopri5, projection",
    }
    tiny = np.finfo(float).eps ** 2  # below the rounding of one joint nothing can be read

    def curves(output: str) -> list[Curve]:
        return [
            Curve(label, found.runs[n].time, np.maximum(found.runs[n].values(output), tiny), {"linewidth": 1.3})
            for n, label in labels.items()
        ]

    positions, velocities = (curves(f"evidence.{name}_violation") for name in ("position", "velocity"))
    return [
        Panel(r"$|\Phi|^2$", positions, title="Joints: positions, Eq 2.14", log=True),
        Panel(r"$|\dot\Phi|^2$", velocities, title="Joints: velocities, Eq 2.14", log=True),
    ]


SliderCrankImpact.pictures = {
    "motion": _motion_panels, "force": _force_panels, "energy": _energy_panels, "loops": _loop_panels,
    "violations": _violation_panels,
}  # fmt: skip
