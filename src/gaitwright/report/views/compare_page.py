"""The page about several models side by side that are no legs: animations on one scale, outputs over each other, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.model.files import model_text
from gaitwright.model.model import Model
from gaitwright.report.blocks import Animation, Block, Chart, Code, Heading, Line, Table
from gaitwright.report.page import Report
from gaitwright.report.scene import Scene, one_scale
from gaitwright.report.spatial_scene import SpaceScene
from gaitwright.report.views.curves import curves
from gaitwright.report.views.run_page import MOST_CHARTS, animated, usual_trace, warnings
from gaitwright.result.between import never_back
from gaitwright.result.ranges import ranges

if TYPE_CHECKING:
    from gaitwright.design.compare_runs import RunComparison

MOST_ROWS = 60


def compare_runs_report(found: RunComparison) -> Report:
    runs = found.runs
    scenes: list[Any] = [animated(run, usual_trace(run)) for run in runs.values()]
    on_one_scale(scenes)
    noted = [f"{label}: {text}" for label, run in runs.items() for text in run.evidence.warnings]
    blocks: list[Block] = [*warnings(noted)]
    blocks += [Animation(scene, title=label) for label, scene in zip(runs, scenes, strict=True)]
    blocks += [Heading("Over time"), *charts(found)]
    blocks += [Heading("Numbers"), number_table(found), effort_table(found), Heading("Models")]
    for label, run in runs.items():
        if run.document:
            text, name = model_text(Model.from_dict(run.document)), "".join(c if c.isalnum() else "-" for c in label)
            blocks.append(Code(f"Model: {label}", text, f"{name}.yaml"))
    return Report("Models compared", f"{len(runs)} models: {', '.join(runs)}", blocks)


def on_one_scale(scenes: Sequence[Scene | SpaceScene]) -> None:
    """Those of the plane, and those of space, each among themselves."""
    planar = [scene for scene in scenes if isinstance(scene, Scene)]
    if planar:
        one_scale(planar)
    spatial = [scene for scene in scenes if isinstance(scene, SpaceScene)]
    reach = max((float(np.subtract(*scene.bounds()[::-1]).max()) / 2 for scene in spatial), default=None)
    for scene in spatial:
        scene.reach = reach


def charts(found: RunComparison) -> list[Block]:
    """One chart per output, with a line for each model; energies last."""
    names = sorted(found.names, key=lambda name: name.startswith("energy."))
    blocks: list[Block] = []
    for name in names:
        lines = []
        for label, run in found.runs.items():
            if run.time.size > 1:
                time, (values,) = curves(run, [name])
                lines.append(Line(label, never_back(time), values))
        if lines and any(np.nanmax(np.abs(line.y), initial=0.0) > 0.0 for line in lines):
            unit = next(iter(found.runs.values())).catalogue[name].unit
            blocks.append(Chart(name, lines, ylabel=unit if unit not in ("1", "mixed") else "", over_time=False))
    return blocks[:MOST_CHARTS]


def number_table(found: RunComparison) -> Table:
    """Least and greatest of every output with when, one row per output and model; the smallest largest size is marked."""
    rows: list[tuple[Any, ...]] = []
    best: set[tuple[int, int]] = set()
    for name in found.names[: MOST_ROWS // max(len(found.runs), 1)]:
        sizes = []
        for label, run in found.runs.items():
            r, unit = ranges(run, [name])[name], run.catalogue[name].unit
            when = [f"{t:.4g}" if np.isfinite(t) else "" for t in (r.least_at, r.greatest_at)]
            size = max(abs(r.least), abs(r.greatest))
            sizes.append(size)
            rows.append((name, label, r.least, when[0], r.greatest, when[1], size, float(run.values(name)[-1]), unit))
        least, most = np.nanmin(sizes), np.nanmax(sizes)
        if name.endswith(SMALLER) and most - least > 1e-9 * most:
            best.add((len(rows) - len(sizes) + int(np.nanargmin(sizes)), 6))
    header = ("output", "model", "least", "at (s)", "greatest", "at (s)", "largest size", "final", "unit")
    return Table("Outputs", header, rows, note="★ marks the smallest effort.", best=best)


SMALLER = (".torque", ".force", ".power", ".normal_force", ".moment")
"""Endings of outputs of which less is better: efforts."""


def effort_table(found: RunComparison) -> Table:
    """What the drives of each model do, and how far the runs can be trusted."""
    rows, energies = [], []
    for label, run in found.runs.items():
        works = [run.drive_work(name) for name in run.balance.drive_power] if run.time.size > 1 else []
        total = {key: float(sum(work[key] for work in works)) for key in ("positive", "negative", "absolute")}
        energies.append(total["absolute"])
        e = run.evidence
        rows.append((label, *total.values(), f"{e.max_position_violation:.1e}", f"{e.max_energy_residual:.1e}"))
    header = ("model", "positive work (J)", "negative work (J)", "integral of |P| (J)", "joints open by (m)",
              "energy not accounted for (J)")  # fmt: skip
    differ = len(energies) > 1 and max(energies) - min(energies) > 1e-9 * max(energies)
    best = {(int(np.argmin(energies)), 3)} if differ else set()
    return Table("Drives of each model, together", header, rows, best=best)
