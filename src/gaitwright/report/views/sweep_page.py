"""The page about a sweep: numbers over the parameters as curves or maps, where they are least and greatest, and these alive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.scuffing import scuffs_of
from gaitwright.report.blocks import Animation, Block, Chart, Fact, Figures, Heading, Line, Map, Table
from gaitwright.report.page import Report
from gaitwright.report.views.compare_page import on_one_scale
from gaitwright.report.views.run_page import animated, usual_trace, warnings

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.result import Result

MOST_CHARTS, MOST_ROWS = 12, 2000
FEW = 8
"""Values of a second parameter up to which each is a line instead of a map."""


def sweep_report(
    data: xr.Dataset, names: Sequence[str], title: str, runs: Mapping[str, Result] | None = None
) -> Report:
    """names: numbers of the sweep, the first ones drawn. runs: variants to show alive, by what they are."""
    parameters = [str(name) for name in data["failure"].dims]
    failed = int((data["failure"] != "").sum())
    scenes: list[Any] = [animated(run, usual_trace(run)) for run in (runs or {}).values()]
    on_one_scale(scenes)
    noted = [f"{label}: {text}" for label, run in (runs or {}).items() for text in scuffs_of(run)]
    blocks: list[Block] = [*warnings(noted), Figures(_facts(data, names, failed))]
    shown = [name for name in names if not bool(data[name].isnull().all())]
    blocks += [Heading("Over the parameters"), *pictures(data, shown[:MOST_CHARTS], parameters)]
    if scenes:
        blocks.append(Heading("The ends alive"))
        blocks += [Animation(scene, title=label) for label, scene in zip(runs or {}, scenes, strict=True)]
    blocks += [Heading("Numbers"), extremes_table(data, shown)]
    table = data[[*shown, "failure"]].to_dataframe().reset_index()[[*parameters, *shown, "failure"]]
    rows = [[_cell(cell) for cell in row] for row in table.head(MOST_ROWS).itertuples(index=False)]
    header = [labelled(data, str(name)) for name in table.columns]
    note = f"The first {MOST_ROWS} of {len(table)}; sweep.csv has all." if len(table) > MOST_ROWS else ""
    blocks.append(Table("All variants", header, rows, folded=True, note=note))
    said = f"{data['failure'].size} variants over {', '.join(parameters)}"
    return Report(title, said + (f", {failed} of them without numbers" if failed else ""), blocks)


def _facts(data: xr.Dataset, names: Sequence[str], failed: int) -> list[Fact]:
    found = [Fact("variants", int(data["failure"].size), note=f"{failed} without numbers" if failed else "")]
    for name in names[:3]:
        values = data[name].values
        if np.isfinite(values).any():
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
            found.append(Fact(f"least {name}", low, unit_of(data, name), f"up to {high:.4g}"))
    return found


def pictures(data: xr.Dataset, names: Sequence[str], parameters: Sequence[str]) -> list[Block]:
    """Curves over one parameter, lines or maps over two, and over more every variant as a dot over each of them."""
    free = [name for name in parameters if data.sizes[name] > 1]
    if not free:
        return []
    flat = data.isel({name: 0 for name in parameters if name not in free}, drop=True)
    if len(free) == 1:
        x = flat[free[0]].values
        return [
            Chart(
                name, [Line(name, x, flat[name].values)], labelled(data, free[0]), labelled(data, name), over_time=False
            )
            for name in names
        ]
    if len(free) == 2:
        return [_over_two(flat, name, *free) for name in names]
    blocks: list[Block] = []
    for name in names[: max(1, MOST_CHARTS // len(free))]:
        for parameter in free:
            values = flat[name].transpose(parameter, ...).values.reshape(flat.sizes[parameter], -1)
            x = np.repeat(flat[parameter].values, values.shape[1])
            line = Line(name, x, values.ravel(), look="dots")
            title, labels = f"{name} over {parameter}", (labelled(data, parameter), labelled(data, name))
            blocks.append(Chart(title, [line], *labels, over_time=False))
    return blocks


def _over_two(data: xr.Dataset, name: str, first: str, second: str) -> Block:
    """A line for each of few values of the one parameter; otherwise a map, with its ends marked."""
    few, many = (first, second) if data.sizes[first] < data.sizes[second] else (second, first)
    if data.sizes[few] <= FEW and data.sizes[many] > data.sizes[few]:
        part = data[name].transpose(few, many).values
        lines = [
            Line(f"{few} = {value:.4g}", data[many].values, row)
            for value, row in zip(data[few].values, part, strict=True)
        ]
        return Chart(name, lines, labelled(data, many), labelled(data, name), over_time=False)
    z = data[name].transpose(second, first).values
    marks = []
    for label, place in (("least", np.nanargmin(z)), ("greatest", np.nanargmax(z))):
        j, i = np.unravel_index(place, z.shape)
        marks.append((f"{label} {z[j, i]:.4g}", float(data[first].values[i]), float(data[second].values[j])))
    axes = data[first].values, data[second].values
    return Map(name, *axes, z, labelled(data, first), labelled(data, second), labelled(data, name), marks=marks)


def extremes_table(data: xr.Dataset, names: Sequence[str]) -> Table:
    """Least and greatest of every number, and where."""
    rows = []
    for name in names:
        values = data[name]
        ends = (int(np.nanargmin(values.values)), int(np.nanargmax(values.values)))
        cells = [part for place in ends for part in (float(values.values.ravel()[place]), where(values, place))]
        rows.append((name, *cells, unit_of(data, name)))
    return Table("Least and greatest", ("number", "least", "at", "greatest", "at", "unit"), rows)


def where(values: xr.DataArray, place: int) -> str:
    """The values of the parameters at one of the variants, counted in order."""
    at = np.unravel_index(place, values.shape)
    return ", ".join(f"{name} = {values[name].values[k]:.5g}" for name, k in zip(values.dims, at, strict=True))


def unit_of(data: xr.Dataset, name: str) -> str:
    unit = str(data[name].attrs.get("units", "")) if name in data else ""
    return "" if unit in ("1", "mixed") else unit


def labelled(data: xr.Dataset, name: str) -> str:
    unit = unit_of(data, name)
    return f"{name} ({unit})" if unit else name


def _cell(cell: Any) -> Any:
    return float(cell) if isinstance(cell, (float, np.floating)) else str(cell)
