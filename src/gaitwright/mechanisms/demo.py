"""The demonstration: one turn of Theo Jansen's leg, its numbers beside those of the thesis (paper 003), pictures.

Every number of ours comes out of the run. What to think of a difference follows from a second computation, of the same
leg with lengths that vary by as much as the thesis rounds them: see `judge` and `rounding_bands`. Larger steps or Euler's
method do not explain the differences: with the thesis's Euler steps of 1 ms the largest torque rises to 1.83 N m.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.compiled import NOTICE
from gaitwright.mechanisms.foot import FootMeasures, measure_foot
from gaitwright.mechanisms.jansen import O2_Y, jansen_leg
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.analyse.result import Result

DEPTH = 0.008
"""Penetration of the foot into the ground, m: paper 003 Table 4.3."""
SAMPLES = 2000
STEP = 1e-3
"""Step of the forward dynamics, s."""

AGREES, ROUNDED, DIFFERS, NOT_REPRODUCED, NOT_PRINTED = "agrees", "rounding", "differs", "not reproduced", "not printed"


@dataclass(frozen=True)
class Quantity:
    """A number of the table: how it is measured, what the thesis prints (None: nothing), and a remark."""

    name: str
    unit: str
    of: Callable[[FootMeasures], float]
    thesis: float | None = None
    remark: str = ""


# Paper 003 Tables 4.3 and 4.4, column Theo-Jansen, and the text of section 4.2. Speeds are left out: the thesis adds the
# speed of the ground to some of them, with a sign that changes.
QUANTITIES = (
    Quantity(
        "step length", "m", lambda f: f.step_length, 0.3883, f"foot within {1000 * DEPTH:g} mm of its lowest point"
    ),
    Quantity("length of the foot curve", "m", lambda f: f.total_length, 0.4547),
    Quantity("step length / curve length", "%", lambda f: 100 * f.step_length / f.total_length, 85.34),
    Quantity("step height", "m", lambda f: f.step_height, 0.166),
    Quantity("effective leg length", "m", lambda f: f.leg_length, 0.560, "the height of O2 is not printed"),
    Quantity("step height / leg length", "%", lambda f: 100 * f.step_height / f.leg_length, 29.62),
    Quantity("part of the turn in stance", "%", lambda f: 100 * f.duty),
    Quantity("mean acceleration", "m/s2", lambda f: f.mean_acceleration, 9.663),
    Quantity("largest acceleration, swing", "m/s2", lambda f: f.swing_acceleration[1], 76.951),
    Quantity("smallest acceleration, swing", "m/s2", lambda f: f.swing_acceleration[0], 1.892),
    Quantity("largest acceleration, stance", "m/s2", lambda f: f.stance_acceleration[1], 48.373),
    Quantity("largest torque, swing", "N m", lambda f: f.swing_torque[1], 1.694),
    Quantity("smallest torque, swing", "N m", lambda f: f.swing_torque[0], -1.098),
    Quantity("energy of the swing", "J", lambda f: f.swing_energy, 1.6773),
    Quantity("energy per turn", "J", lambda f: f.turn_energy, None, "without ground contact, as all of this run"),
)
BANDS = {
    "step length": (0.37905, 0.39311),
    "length of the foot curve": (0.4532, 0.45803),
    "step length / curve length": (83.401, 86.287),
    "step height": (0.15885, 0.18567),
    "effective leg length": (0.56087, 0.56243),
    "step height / leg length": (28.288, 33.023),
    "part of the turn in stance": (42.218, 44.109),
    "mean acceleration": (10.045, 11.835),
    "largest acceleration, swing": (73.767, 118.13),
    "smallest acceleration, swing": (4.4282, 4.9475),
    "largest acceleration, stance": (4.629, 5.2525),
    "largest torque, swing": (1.6725, 1.8443),
    "smallest torque, swing": (-1.4624, -0.98063),
    "energy of the swing": (1.6052, 1.9787),
    "energy per turn": (1.8125, 2.1717),
}
"""Between which values 90 % of each number lie when every length is off by up to 0.5 mm, the rounding of the thesis's
Table 4.2; by rounding_bands()."""


@dataclass(frozen=True)
class Row:
    """One line of the table: our number beside the thesis's, and what to think of the difference."""

    quantity: str
    unit: str
    ours: float
    thesis: float | None
    verdict: str
    why: str

    def cells(self) -> tuple[str, ...]:
        thesis = "-" if self.thesis is None else f"{self.thesis:.5g}"
        return self.quantity, self.unit, f"{self.ours:.5g}", thesis, self.verdict, self.why


def judge(quantity: Quantity, ours: float) -> Row:
    """The verdict follows from the numbers: within 0.1 %, within what rounded lengths allow, within 15 %, or none."""
    low, high = BANDS[quantity.name]
    band = f"{low:.4g} to {high:.4g} for lengths ±0.5 mm"
    if quantity.thesis is None:
        verdict, why = NOT_PRINTED, ""
    elif abs(ours - quantity.thesis) <= 1e-3 * abs(quantity.thesis):
        verdict, why = AGREES, ""
    elif low <= quantity.thesis <= high:
        verdict, why = ROUNDED, band
    else:
        apart = abs(ours / quantity.thesis - 1)
        verdict, why = (DIFFERS if apart < 0.15 else NOT_REPRODUCED), f"{100 * apart:.3g} % apart; {band}"
    return Row(quantity.name, quantity.unit, ours, quantity.thesis, verdict, quantity.remark or why)


HEADER = ("quantity", "unit", "Gaitwright", "thesis", "verdict", "why")


@dataclass
class Demo:
    """What the demonstration found. files: what was written, by what it shows."""

    inverse: Result
    forward: Result
    foot: FootMeasures
    rows: list[Row]
    torque_difference: float
    files: dict[str, Path]

    def evidence(self) -> list[str]:
        """How far to trust the numbers, in lines."""
        exact, march = self.inverse.evidence, self.forward.evidence
        largest = float(np.abs(self.inverse.values("crank.torque")).max())
        return [
            f"joints closed to {1e3 * exact.max_position_violation:.0e} mm (inverse) and "
            f"{1e3 * march.max_position_violation:.0e} mm (forward)",
            f"energy accounted for to {exact.max_energy_residual:.0e} J (inverse) and {march.max_energy_residual:.0e} J "
            f"(forward, {march.method}, step {1e3 * STEP:g} ms) of {self.foot.turn_energy:.3f} J per turn",
            f"drive torque by forward and by inverse dynamics: within {self.torque_difference:.1e} N m "
            f"({100 * self.torque_difference / largest:.2f} % of the largest)",
        ]

    def summary(self) -> dict[str, Any]:
        return {
            "name": self.inverse.mechanism.name,
            "table": [asdict(row) for row in self.rows],
            "energy_per_turn": self.foot.turn_energy,
            "torque_difference": self.torque_difference,
            "evidence": {"inverse": asdict(self.inverse.evidence), "forward": asdict(self.forward.evidence)},
            "wall_seconds": self.inverse.evidence.wall_seconds + self.forward.evidence.wall_seconds,
            "files": {what: str(path) for what, path in self.files.items()},
        }


def rounding_bands(draws: int = 200, seed: int = 0) -> dict[str, tuple[float, float]]:
    """Between which values 90 % of the numbers lie when all lengths of Table 4.2 vary by +-0.5 mm (uniformly)."""
    random = np.random.default_rng(seed)
    found: list[list[float]] = []
    for _ in range(draws):
        raw = jansen_leg().to_dict()
        for link in raw["links"]:
            link["length"] += random.uniform(-5e-4, 5e-4)
        base = np.hypot(*raw["ground"]["points"]["O2"]) + random.uniform(-5e-4, 5e-4)
        raw["ground"]["points"]["O2"] = [-float(np.sqrt(base**2 - O2_Y**2)), O2_Y]
        turn = Model.from_dict(raw).inverse(1.0, step=1.0 / 500)
        foot = measure_foot(turn, "F", "crank", hip=O2_Y, depth=DEPTH)
        found.append([quantity.of(foot) for quantity in QUANTITIES])
    low, high = np.percentile(found, [5, 95], axis=0)
    return {q.name: (float(a), float(b)) for q, a, b in zip(QUANTITIES, low, high, strict=True)}


@contextmanager
def _compiling_ahead() -> Iterator[None]:
    """On a machine that has no machine code yet, let another process make that of the forward dynamics meanwhile: 17 s
    instead of 22 s on two cores until the demonstration is done. Both find the same code in the same files."""
    if not NOTICE.cold or (os.cpu_count() or 1) < 2:
        yield
        return
    code = f"from {jansen_leg.__module__} import jansen_leg; jansen_leg().simulate({STEP}, step={STEP})"
    nowhere = subprocess.DEVNULL
    ahead = subprocess.Popen([sys.executable, "-c", code], stdin=nowhere, stdout=nowhere, stderr=nowhere)
    try:
        yield
        ahead.wait()
    finally:
        ahead.kill()
        ahead.wait()


def run_demo(out: Path, progress: Callable[[str, float], None] | None = None) -> Demo:
    """Analyse the leg and write pictures, animation, table and results into the folder `out`."""
    said = progress or (lambda what, fraction: None)
    leg = jansen_leg()
    with _compiling_ahead():
        inverse = leg.inverse(1.0, step=1.0 / SAMPLES, progress=lambda f: said("inverse dynamics", f))
    forward = leg.simulate(1.0, step=STEP, method="generalized-alpha", progress=lambda f: said("forward dynamics", f))
    said("measuring", 0.0)  # where Ctrl-C takes effect: an analysis that was interrupted returns what it has
    foot = measure_foot(inverse, "F", "crank", hip=O2_Y, depth=DEPTH)
    exact = np.interp(forward.time, inverse.time, inverse.values("crank.torque"))
    difference = float(np.abs(forward.values("crank.torque") - exact).max())
    table = [judge(quantity, quantity.of(foot)) for quantity in QUANTITIES]
    demo = Demo(inverse, forward, foot, table, difference, {})
    for k, (what, (name, write)) in enumerate(WRITERS.items()):
        said(what, k / len(WRITERS))
        demo.files[what] = out / name
        write(demo, demo.files[what])
    said("done", 1.0)
    return demo


def _animation(demo: Demo, path: Path) -> None:
    from gaitwright.report.animation import save_html

    scene = demo.inverse.scene(trace=["F"])
    for name in ("crank.torque", "crank.power"):
        unit = demo.inverse.catalogue[name].unit
        scene.signals[name] = (demo.inverse.time, demo.inverse.values(name), unit)
    scene.table = [HEADER, *(row.cells() for row in demo.rows)]
    save_html(scene, path)


def _foot_curve(demo: Demo, path: Path) -> None:
    from gaitwright.report.plots import MUTED, PALETTE, plot_curve, save, style

    x, y, stance = demo.inverse.values("F.x"), demo.inverse.values("F.y"), demo.foot.stance
    with style():
        figure = plot_curve(x, y, title="Theo Jansen leg: curve of the foot", label="swing")
        figure.set_size_inches(7.6, 3.6)
        ax = figure.axes[0]
        ax.plot(
            np.where(stance, x, np.nan), np.where(stance, y, np.nan), color=PALETTE[3], linewidth=3.2, label="stance"
        )
        ax.axhline(demo.foot.ground, color="#8a94a3", linewidth=1.0, linestyle="--", label="ground")
        text = f"step length {demo.foot.step_length:.4f} m\nstep height {demo.foot.step_height:.4f} m"
        ax.annotate(text, (0.98, 0.95), xycoords="axes fraction", ha="right", va="top", color=MUTED)
        _legend(figure)
        save(figure, path)


def _drive_torque(demo: Demo, path: Path) -> None:
    from gaitwright.report.plots import INK, plot_lines, save, style

    inverse, forward = demo.inverse, demo.forward
    with style():
        title = "Theo Jansen leg: drive torque over one turn"
        series = {"inverse dynamics": (inverse.time, inverse.values("crank.torque"))}
        figure = plot_lines(series, ylabel="torque on the crank (N m)", title=title)
        few = slice(None, None, 10)
        ax = figure.axes[0]
        label = "forward dynamics"
        ax.plot(forward.time[few], forward.values("crank.torque")[few], ".", color=INK, markersize=4, label=label)
        _shade_stance(demo, ax)
        _legend(figure)
        save(figure, path)


def _energy(demo: Demo, path: Path) -> None:
    from gaitwright.report.plots import plot_lines, save, style

    run = demo.inverse
    power = run.values("crank.power")
    used = np.r_[0.0, np.cumsum(0.5 * (np.abs(power[1:]) + np.abs(power[:-1])) * np.diff(run.time))]
    series = {
        "kinetic": run.values("energy.kinetic"),
        "potential, from the start": run.values("energy.potential") - run.values("energy.potential")[0],
        "work of the drive": run.values("crank.work"),
        "integral of |P|": used,
    }
    with style():
        title = f"Theo Jansen leg: energy, {demo.foot.turn_energy:.4f} J per turn"
        figure = plot_lines({k: (run.time, v) for k, v in series.items()}, ylabel="energy (J)", title=title)
        _shade_stance(demo, figure.axes[0])
        _legend(figure)
        save(figure, path)


def _shade_stance(demo: Demo, ax: Any) -> None:
    ends = float(demo.inverse.time[0]), demo.foot.liftoff, demo.foot.touchdown, float(demo.inverse.time[-1])
    ax.axvspan(ends[0], ends[1], color="#D55E00", alpha=0.08, linewidth=0, label="stance")
    ax.axvspan(ends[2], ends[3], color="#D55E00", alpha=0.08, linewidth=0)


def _legend(figure: Any) -> None:
    for old in list(figure.legends):
        old.remove()
    figure.legend(loc="outside right upper")


def _markdown(demo: Demo, path: Path) -> None:
    lines = [HEADER, ("---",) * len(HEADER), *(row.cells() for row in demo.rows)]
    text = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    evidence = "\n".join(f"- {line}" for line in demo.evidence())
    path.write_text(f"# Theo Jansen leg beside paper 003\n\n{text}\n\n{evidence}\n", encoding="utf-8")


def _json(demo: Demo, path: Path) -> None:
    from gaitwright.report.plain import write_json

    write_json(demo.summary(), path)


WRITERS: dict[str, tuple[str, Callable[[Demo, Path], Any]]] = {
    "animation": ("animation.html", _animation),
    "foot curve": ("foot_curve.png", _foot_curve),
    "drive torque": ("drive_torque.png", _drive_torque),
    "energy": ("energy.png", _energy),
    "table": ("table.md", _markdown),
    "numbers": ("table.json", _json),
    "result": ("result.nc", lambda demo, path: demo.inverse.save(path)),
}
"""What is written, in this order: its file and its writer. The numbers come after everything that they list."""
