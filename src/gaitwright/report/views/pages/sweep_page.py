"""Page about a sweep: numbers over the parameters as curves or maps, their extremes, and animations of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.scuffing import run_scuff_warnings
from gaitwright.report.blocks import Animation, Chart, ChartLine, Fact, Figures, Heading, Map, ReportBlock, Table
from gaitwright.report.page import Report
from gaitwright.report.views.pages.run_comparison_page import equalise_scales
from gaitwright.report.views.pages.run_page import animation_scene, default_trace, warning_blocks

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.result import Result

MAX_CHARTS, MAX_ROWS = 12, 2000
MAX_LINE_VALUES = 8
"""Maximum number of values of a second parameter that are drawn as lines instead of a map."""


def sweep_report(
    data: xr.Dataset, names: Sequence[str], title: str, runs: Mapping[str, Result] | None = None
) -> Report:
    """Create the page. names: numbers of the sweep; the first ones are drawn. runs: variants with animations, by label."""
    parameters = [str(name) for name in data["failure"].dims]
    failed = int((data["failure"] != "").sum())
    scenes: list[Any] = [animation_scene(run, default_trace(run)) for run in (runs or {}).values()]
    equalise_scales(scenes)
    noted = [f"{label}: {text}" for label, run in (runs or {}).items() for text in run_scuff_warnings(run)]
    blocks: list[ReportBlock] = [*warning_blocks(noted), Figures(_facts(data, names, failed))]
    computed = [name for name in names if not bool(data[name].isnull().all())]
    blocks += [Heading("Over the parameters"), *parameter_blocks(data, computed[:MAX_CHARTS], parameters)]
    if scenes:
        blocks.append(Heading("Animations of the extremes"))
        blocks += [Animation(scene, title=label) for label, scene in zip(runs or {}, scenes, strict=True)]
    blocks += [Heading("Numbers"), sweep_extremes_table(data, computed)]
    table = data[[*computed, "failure"]].to_dataframe().reset_index()[[*parameters, *computed, "failure"]]
    rows = [[_format_cell(cell) for cell in row] for row in table.head(MAX_ROWS).itertuples(index=False)]
    header = [axis_label(data, str(name)) for name in table.columns]
    note = f"The first {MAX_ROWS} of {len(table)}; sweep.csv has all." if len(table) > MAX_ROWS else ""
    blocks.append(Table("All variants", header, rows, folded=True, note=note))
    subtitle = f"{data['failure'].size} variants over {', '.join(parameters)}"
    return Report(title, subtitle + (f", {failed} of them without numbers" if failed else ""), blocks)


def _facts(data: xr.Dataset, names: Sequence[str], failed: int) -> list[Fact]:
    facts = [Fact("variants", int(data["failure"].size), note=f"{failed} without numbers" if failed else "")]
    for name in names[:3]:
        values = data[name].values
        if np.isfinite(values).any():
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
            facts.append(Fact(f"least {name}", low, display_unit(data, name), f"up to {high:.4g}"))
    return facts


def parameter_blocks(data: xr.Dataset, names: Sequence[str], parameters: Sequence[str]) -> list[ReportBlock]:
    """Curves over one parameter; lines or maps over two; with more parameters, every variant as a dot over each of them."""
    free = [name for name in parameters if data.sizes[name] > 1]
    if not free:
        return []
    flat = data.isel({name: 0 for name in parameters if name not in free}, drop=True)
    if len(free) == 1:
        x = flat[free[0]].values
        return [
            Chart(
                name,
                [ChartLine(name, x, flat[name].values)],
                axis_label(data, free[0]),
                axis_label(data, name),
                over_time=False,
            )
            for name in names
        ]
    if len(free) == 2:
        return [_two_parameter_block(flat, name, *free) for name in names]
    blocks: list[ReportBlock] = []
    for name in names[: max(1, MAX_CHARTS // len(free))]:
        for parameter in free:
            values = flat[name].transpose(parameter, ...).values.reshape(flat.sizes[parameter], -1)
            x = np.repeat(flat[parameter].values, values.shape[1])
            line = ChartLine(name, x, values.ravel(), look="dots")
            title, labels = f"{name} over {parameter}", (axis_label(data, parameter), axis_label(data, name))
            blocks.append(Chart(title, [line], *labels, over_time=False))
    return blocks


def _two_parameter_block(data: xr.Dataset, name: str, first: str, second: str) -> ReportBlock:
    """A line for each value of the parameter with few values; otherwise a map with marked extremes."""
    line_parameter, axis_parameter = (first, second) if data.sizes[first] < data.sizes[second] else (second, first)
    if data.sizes[line_parameter] <= MAX_LINE_VALUES and data.sizes[axis_parameter] > data.sizes[line_parameter]:
        part = data[name].transpose(line_parameter, axis_parameter).values
        lines = [
            ChartLine(f"{line_parameter} = {value:.4g}", data[axis_parameter].values, row)
            for value, row in zip(data[line_parameter].values, part, strict=True)
        ]
        return Chart(name, lines, axis_label(data, axis_parameter), axis_label(data, name), over_time=False)
    z = data[name].transpose(second, first).values
    marks = []
    for label, place in (("least", np.nanargmin(z)), ("greatest", np.nanargmax(z))):
        j, i = np.unravel_index(place, z.shape)
        marks.append((f"{label} {z[j, i]:.4g}", float(data[first].values[i]), float(data[second].values[j])))
    axes = data[first].values, data[second].values
    return Map(name, *axes, z, axis_label(data, first), axis_label(data, second), axis_label(data, name), marks=marks)


def sweep_extremes_table(data: xr.Dataset, names: Sequence[str]) -> Table:
    """Table of the least and greatest value of every number, with their parameter values."""
    rows = []
    for name in names:
        values = data[name]
        ends = (int(np.nanargmin(values.values)), int(np.nanargmax(values.values)))
        cells = [part for place in ends for part in (float(values.values.ravel()[place]), variant_label(values, place))]
        rows.append((name, *cells, display_unit(data, name)))
    return Table("Least and greatest", ("number", "least", "at", "greatest", "at", "unit"), rows)


def variant_label(values: xr.DataArray, place: int) -> str:
    """Parameter values of the variant with this flat index."""
    at = np.unravel_index(place, values.shape)
    return ", ".join(f"{name} = {values[name].values[k]:.5g}" for name, k in zip(values.dims, at, strict=True))


def display_unit(data: xr.Dataset, name: str) -> str:
    unit = str(data[name].attrs.get("units", "")) if name in data else ""
    return "" if unit in ("1", "mixed") else unit


def axis_label(data: xr.Dataset, name: str) -> str:
    unit = display_unit(data, name)
    return f"{name} ({unit})" if unit else name


def _format_cell(cell: Any) -> Any:
    return float(cell) if isinstance(cell, (float, np.floating)) else str(cell)
