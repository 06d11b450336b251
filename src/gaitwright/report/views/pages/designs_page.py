"""Page about many designs: their number, their measures, and animations of the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.batch.design_table import (
    RULE_PREFIX,
    count_designs,
    count_rejections,
    goal_signs,
    variable_names,
)
from gaitwright.legs.scuffing import run_scuff_warnings
from gaitwright.report.blocks import Animation, Fact, Figures, Heading, Picture, ReportBlock, Table
from gaitwright.report.figures.design_plots import plot_front, plot_parallel, plot_parameter_maps
from gaitwright.report.page import Report
from gaitwright.report.views.pages.run_page import animation_scene, default_trace, warning_blocks

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.result import Result

MAX_COLUMNS, MAX_ROWS, MAX_PANELS = 16, 25, 3


def save_designs_page(
    data: xr.Dataset,
    runs: Mapping[str, tuple[int, Result]],
    path: Path,
    reasons: Mapping[str, int],
    facts: Mapping[str, Any],
) -> dict[str, Path]:
    """Save the page of `gaitwright designs`. runs: the best designs by name, with index and one run of each. facts: further
    numbers for the top of the page."""
    folder = path.parent
    parameters, measures = variable_names(data, "parameter"), variable_names(data, "measure")
    feasible = data["feasible"].values
    front = data["front"].values if "front" in data else np.zeros_like(feasible)
    goals = goal_signs(data)
    best = [(name, k) for name, (k, _) in runs.items()]
    became = count_designs(data)
    blocks: list[ReportBlock] = [Figures([
        Fact("designs", became.analysed),
        *([Fact("without numbers", became.failed)] if became.failed else []),
        *([Fact("rejected", became.rejected, note="by limits or rules")] if became.rejected else []),
        Fact("feasible", became.feasible, note=f"{100 * feasible.mean():.1f} %"),
        *([Fact("on the front", became.front)] if became.front is not None else []),
        *(Fact(name, value, unit) for name, (value, unit) in facts.items()),
    ])]  # fmt: skip
    pictures: dict[str, Path] = {}
    if feasible.any():
        pictures = _save_pictures(data, parameters, measures, goals, best, folder)
        titles = {"front": "The front", "coordinates": "All feasible designs", "map": "Measures over two parameters"}
        for what, picture in pictures.items():
            blocks += [Heading(titles[what]), Picture("", picture, _PICTURE_NOTES[what], wide=True)]
    if runs:
        blocks += [Heading("Animations of the best designs"), *_scuffing_warnings(runs)]
        for name, (k, run) in runs.items():
            blocks.append(Animation(animation_scene(run, default_trace(run)), title=f"{name}: design {k}"))
        header = ("", *(name for name, _ in best))
        rows = [
            (_axis_label(data, name), *(float(data[name].values[k]) for _, k in best))
            for name in (*parameters, *measures)
        ]
        blocks.append(Table("Their numbers", header, [(row[0], *(f"{x:.6g}" for x in row[1:])) for row in rows]))
    if front.any():
        blocks.append(_front_table(data, parameters, measures, front, goals))
    if broken := count_rejections(data):
        rows = [(name, rule_meaning(data, name), count) for name, count in broken.items()]
        note = "A design may break several. Rules are left out by --allow NAME, or allow=[...]."
        blocks += [
            Heading("Designs that are rejected"),
            Table("Limits and rules", ("broken", "", "designs"), rows, note=note),
        ]
    if reasons:
        blocks += [Heading("Designs without numbers"), Table("Reasons", ("reason", "designs"), list(reasons.items()))]
    files = Report(str(data.attrs.get("model", "Designs")), "Many designs", blocks).save(path)
    return {**files, **pictures}


def rule_meaning(data: xr.Dataset, name: str) -> str:
    """Meaning of a rule; empty for a limit."""
    texts = str(data["broken"].attrs.get("rules", "")).split("; ")
    names = [str(one) for one in data["limit"].values if str(one).startswith(RULE_PREFIX)]
    return dict(zip(names, texts, strict=False)).get(name, "")


def _scuffing_warnings(runs: Mapping[str, tuple[int, Result]]) -> list[ReportBlock]:
    return warning_blocks([f"{name}: {text}" for name, (_, run) in runs.items() for text in run_scuff_warnings(run)])


_PICTURE_NOTES = {
    "front": "no other feasible design is better in one goal and as good in the other",
    "coordinates": "a line per design; parameters at the left, measures on grey; the front stands out",
    "map": "means over cells of the two parameters that the first measure depends on most",
}


def _axis_label(data: xr.Dataset, name: str) -> str:
    unit = data[name].attrs.get("units", "")
    return f"{name} ({unit})" if unit not in ("", "1") else name


def _save_pictures(
    data: xr.Dataset,
    parameters: list[str],
    measures: list[str],
    goals: list[tuple[str, float]],
    best: Any,
    folder: Path,
) -> dict[str, Path]:
    feasible = data["feasible"].values
    front = data["front"].values if goals else np.zeros_like(feasible)
    pictures: dict[str, Path] = {}
    if len(goals) > 1:
        (a, _), (b, _) = goals[:2]
        labels = _axis_label(data, a), _axis_label(data, b)
        pictures["front"] = folder / "front.png"
        plot_front(
            data[a].values,
            data[b].values,
            feasible,
            front,
            labels=labels,
            best=best,
            title="Goals of all designs",
            path=pictures["front"],
        )
    shown_measures = list(dict.fromkeys([*(name for name, _ in goals), *measures]))
    shown_measures = shown_measures[: max(2, MAX_COLUMNS - len(parameters))]
    pictures["coordinates"] = folder / "coordinates.png"
    plot_design_lines(data, parameters, shown_measures, "Feasible designs", pictures["coordinates"])
    varied = [name for name in parameters if np.ptp(data[name].values) > 0]
    if len(varied) > 1:
        wanted = shown_measures[:MAX_PANELS]
        x, y = _most_correlated(data, varied, wanted[0])
        good = data["failure"].values == 0
        panels = {_axis_label(data, name): np.where(good, data[name].values, np.nan) for name in wanted}
        pictures["map"] = folder / "map.png"
        plot_parameter_maps(
            data[x].values,
            data[y].values,
            panels,
            labels=(_axis_label(data, x), _axis_label(data, y)),
            title="Means over cells",
            path=pictures["map"],
        )
    return pictures


def plot_design_lines(
    data: xr.Dataset, parameters: Sequence[str], measures: Sequence[str], title: str, path: str | Path | None
) -> Any:
    """Plot feasible designs as one line each over parameters and measures; the front stands out."""
    feasible = data["feasible"].values
    front = data["front"].values if "front" in data else np.zeros_like(feasible)
    shown = [*parameters[: MAX_COLUMNS - len(measures)], *measures]
    split = len(shown) - len(measures)
    columns = {_axis_label(data, name): data[name].values[feasible] for name in shown}
    columns = {name: values for name, values in columns.items() if np.isfinite(values).any()}
    return plot_parallel(columns, front[feasible], title=title, split=split, path=path)


def _most_correlated(data: xr.Dataset, parameters: list[str], measure: str) -> list[str]:
    """The two parameters with the largest rank correlation with a measure."""
    from scipy.stats import rankdata

    good = np.flatnonzero((data["failure"].values == 0) & np.isfinite(data[measure].values))[:20_000]
    if good.size < 3:
        return parameters[:2]
    ranks = rankdata(data[measure].values[good])
    sizes = {}
    for name in parameters:
        own = rankdata(data[name].values[good])
        spread = np.std(own) * np.std(ranks)
        sizes[name] = abs(float(np.mean((own - own.mean()) * (ranks - ranks.mean())) / spread)) if spread else 0.0
    return sorted(parameters, key=lambda name: -sizes[name])[:2]


def _front_table(
    data: xr.Dataset, parameters: list[str], measures: list[str], front: np.ndarray, goals: list[tuple[str, float]]
) -> Table:
    name, sign = goals[0]
    order = np.flatnonzero(front)
    order = order[np.argsort(sign * data[name].values[order])]
    shown = order[np.unique(np.linspace(0, order.size - 1, min(order.size, MAX_ROWS)).astype(int))]
    names = [*dict.fromkeys([goal for goal, _ in goals]), *parameters, *(m for m in measures if m not in dict(goals))]
    rows = [(int(k), *(f"{float(data[name].values[k]):.6g}" for name in names)) for k in shown]
    note = f"{shown.size} of {order.size}" if shown.size < order.size else ""
    return Table(
        "The front", ("design", *(_axis_label(data, name) for name in names)), rows, note=note, folded=len(rows) > 12
    )
