"""Curves of outputs of a run: over time, against each other, and along beams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.report.figures.beam_plots import pick_instants, plot_along_arc_length, plot_shapes_over_time
from gaitwright.report.figures.run_overview import plot_unit_panels
from gaitwright.report.figures.style import plot_curve, plot_lines, plot_style, save_figure
from gaitwright.result.beams.dataset import beam_dataset, picture_unit
from gaitwright.result.outputs import StateHistory

if TYPE_CHECKING:
    from gaitwright.result.result import Result

CurveTimes = int | Sequence[float] | None


def sample_curves(result: Result, names: Sequence[str]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Times, s, for smooth curves, and outputs at these times."""
    if result.stored is not None:
        return result.time, [result.array(name) for name in names]
    motion = result.dense()
    return motion.t, [np.array(result.catalogue[name].values(motion), dtype=float) for name in names]


def plot_outputs(result: Result, names: Sequence[str], against: str | None, path: str | Path | None) -> Any:
    """Plot outputs; see Result.plot."""
    names = names or ("energy.kinetic", "energy.potential", "energy.work", "energy.dissipated")
    units = {result.catalogue[name].unit for name in names}
    label = f"{names[0]} ({next(iter(units))})" if len(names) == 1 else ", ".join(sorted(units))
    title = result.mechanism.name
    time, (*curves, x) = sample_curves(result, [*names, against or names[0]])
    values = dict(zip(names, curves, strict=True))
    if against is not None:
        unit = result.catalogue[against].unit
        about: dict[str, Any] = {"xlabel": f"{against} ({unit})", "ylabel": label, "title": title, "path": path}
        if len(names) == 1:
            return plot_curve(x, values[names[0]], equal=units == {unit} == {"m"}, **about)
        return plot_lines({name: (x, y) for name, y in values.items()}, **about)
    bands = result.closed_times(names)
    if len(units) == 1:
        series = {name: (time, y) for name, y in values.items()}
        return plot_lines(series, ylabel=label, title=title, bands=bands, path=path)
    figure = plot_unit_panels(title, time, {n: (y, result.catalogue[n].unit) for n, y in values.items()}, bands)
    if path is not None:
        with plot_style():
            save_figure(figure, path)
    return figure


def plot_beam_shapes(result: Result, beams: Sequence[str], times: CurveTimes, path: str | Path | None) -> Any:
    """Plot shapes of beams; see Result.plot_shapes."""
    chosen = pick_instants(result.motion.t, times)
    frames = StateHistory(*(x[chosen] for x in result.motion))
    beams = beams or list(result.mechanism.beams) or ErrorContext().fail("the model has no beam")
    axes = "xyz"[: result.mechanism.dimension]
    curves = [beam_dataset(result.catalogue.beam(name), frames, tuple(axes), 8) for name in beams]
    spread = [float(np.ptp(np.concatenate([np.ravel(data[axis]) for data in curves]))) for axis in axes]
    drawn_axes = sorted(sorted(range(len(axes)), key=lambda k: -spread[k])[:2])  # the two axes with the largest extent
    shapes = [(data[axes[drawn_axes[0]]].values, data[axes[drawn_axes[1]]].values) for data in curves]
    between = slice(int(chosen.min()), int(chosen.max()) + 1)
    parts = [result.mechanism.parts[name] for name in beams]
    ways = [part.position(result.motion.q[between], part.place("end") or ())[:, drawn_axes] for part in parts]
    names = (axes[drawn_axes[0]], axes[drawn_axes[1]])
    return plot_shapes_over_time(result.mechanism.name, frames.t, shapes, paths=ways, axes=names, path=path)


def plot_along_beam(result: Result, beam: str, quantity: str, times: CurveTimes, path: str | Path | None) -> Any:
    """Plot a quantity along a beam; see Result.plot_along."""
    chosen = pick_instants(result.motion.t, times)
    frames = StateHistory(*(x[chosen] for x in result.motion))
    data = beam_dataset(result.catalogue.beam(beam), frames, (quantity,), 7)[quantity]
    if data.ndim != 2:
        ErrorContext(field="quantity").fail(
            "is one number for the whole beam",
            quantity,
            f"a quantity along it; run['{beam}.{quantity}'] gives this one",
        )
    factor, unit = picture_unit(quantity)
    about = {"label": f"{quantity.replace('_', ' ')} ({unit})", "path": path}
    return plot_along_arc_length(
        f"{result.mechanism.name}: {beam}", frames.t, data.s.values, factor * data.values, **about
    )
