"""Page with several models (not legs) side by side: animations with one scale, outputs in common charts, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.model.io.files import model_text
from gaitwright.model.model import Model
from gaitwright.report.blocks import Animation, Chart, ChartLine, Code, Heading, ReportBlock, Table
from gaitwright.report.page import Report
from gaitwright.report.scenes.planar_scene import PlanarScene, equalise_frames
from gaitwright.report.scenes.spatial_scene import SpatialScene
from gaitwright.report.views.output_curves import sample_curves
from gaitwright.report.views.pages.run_page import MAX_CHARTS, animation_scene, default_trace, warning_blocks
from gaitwright.result.output_ranges import compute_ranges
from gaitwright.result.state_interpolation import accumulate_times

if TYPE_CHECKING:
    from gaitwright.design.compare_runs import RunComparison

MAX_ROWS = 60


def run_comparison_report(comparison: RunComparison) -> Report:
    """Create the page with several runs side by side."""
    runs = comparison.runs
    scenes: list[Any] = [animation_scene(run, default_trace(run)) for run in runs.values()]
    equalise_scales(scenes)
    noted = [f"{label}: {text}" for label, run in runs.items() for text in run.evidence.warnings]
    blocks: list[ReportBlock] = [*warning_blocks(noted)]
    blocks += [Animation(scene, title=label) for label, scene in zip(runs, scenes, strict=True)]
    blocks += [Heading("Over time"), *comparison_charts(comparison)]
    blocks += [Heading("Numbers"), number_table(comparison), effort_table(comparison), Heading("Models")]
    for label, run in runs.items():
        if run.document:
            text, name = model_text(Model.from_dict(run.document)), "".join(c if c.isalnum() else "-" for c in label)
            blocks.append(Code(f"Model: {label}", text, f"{name}.yaml"))
    return Report("Models compared", f"{len(runs)} models: {', '.join(runs)}", blocks)


def equalise_scales(scenes: Sequence[PlanarScene | SpatialScene]) -> None:
    """Give planar scenes one scale, and spatial scenes another one."""
    planar = [scene for scene in scenes if isinstance(scene, PlanarScene)]
    if planar:
        equalise_frames(planar)
    spatial = [scene for scene in scenes if isinstance(scene, SpatialScene)]
    reach = max((float(np.subtract(*scene.bounds()[::-1]).max()) / 2 for scene in spatial), default=None)
    for scene in spatial:
        scene.reach = reach


def comparison_charts(comparison: RunComparison) -> list[ReportBlock]:
    """Charts with one output each and a line for each model; energies last."""
    names = sorted(comparison.names, key=lambda name: name.startswith("energy."))
    blocks: list[ReportBlock] = []
    for name in names:
        lines = []
        for label, run in comparison.runs.items():
            if run.time.size > 1:
                time, (values,) = sample_curves(run, [name])
                lines.append(ChartLine(label, accumulate_times(time), values))
        if lines and any(np.nanmax(np.abs(line.y), initial=0.0) > 0.0 for line in lines):
            unit = next(iter(comparison.runs.values())).catalogue[name].unit
            blocks.append(Chart(name, lines, ylabel=unit if unit not in ("1", "mixed") else "", over_time=False))
    return blocks[:MAX_CHARTS]


def number_table(comparison: RunComparison) -> Table:
    """Table of least and greatest values with times, one row per output and model; the smallest effort is marked."""
    rows: list[tuple[Any, ...]] = []
    best: set[tuple[int, int]] = set()
    for name in comparison.names[: MAX_ROWS // max(len(comparison.runs), 1)]:
        sizes = []
        for label, run in comparison.runs.items():
            r, unit = compute_ranges(run, [name])[name], run.catalogue[name].unit
            when = [f"{t:.4g}" if np.isfinite(t) else "" for t in (r.least_at, r.greatest_at)]
            size = max(abs(r.least), abs(r.greatest))
            sizes.append(size)
            rows.append((name, label, r.least, when[0], r.greatest, when[1], size, float(run.array(name)[-1]), unit))
        smallest, largest = np.nanmin(sizes), np.nanmax(sizes)
        if name.endswith(EFFORT_SUFFIXES) and largest - smallest > 1e-9 * largest:
            best.add((len(rows) - len(sizes) + int(np.nanargmin(sizes)), 6))
    header = ("output", "model", "least", "at (s)", "greatest", "at (s)", "largest size", "final", "unit")
    return Table("Outputs", header, rows, note="★ marks the smallest effort.", best=best)


EFFORT_SUFFIXES = (".torque", ".force", ".power", ".normal_force", ".moment")
"""Name suffixes of outputs for which less is better: efforts."""


def effort_table(comparison: RunComparison) -> Table:
    """Table of the work of the drives of each model, and the accuracy of the runs."""
    rows, energies = [], []
    for label, run in comparison.runs.items():
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
