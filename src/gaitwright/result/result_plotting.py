"""Plots, pictures, animations and reports of a result. The drawing code is in report/ and is imported on request."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.catalogue import OutputCatalogue
from gaitwright.result.contact_episodes import ContactEpisode
from gaitwright.result.outputs import StateHistory
from gaitwright.result.state_interpolation import accumulate_times, interpolate_states

SMOOTH_CURVE_POINTS = 500
"""Number of points over a run that give a smooth curve."""


class ResultPlotting(ABC):
    """Base class of Result: its plots, pictures, animations and reports."""

    mechanism: Mechanism
    motion: StateHistory
    episodes: list[ContactEpisode]
    held: bool

    @property
    @abstractmethod
    def catalogue(self) -> OutputCatalogue: ...

    @property
    @abstractmethod
    def time(self) -> np.ndarray: ...

    @property
    @abstractmethod
    def names(self) -> list[str]: ...

    @abstractmethod
    def __contains__(self, name: object) -> bool: ...

    @abstractmethod
    def array(self, name: str) -> np.ndarray: ...

    @abstractmethod
    def contact_names(self) -> list[str]: ...

    def plot(self: Any, *names: str, against: str | None = None, path: str | Path | None = None) -> Any:
        """Plot outputs over time (one panel per unit), or against another output; returns the matplotlib Figure.

        Paths (m against m) have the same scale in both directions. The loop of an impact, run.plot("toe.normal_force",
        against="toe.penetration"), is smooth if the run stored all its steps (simulate(..., output_step=0)): with evenly
        spaced outputs a short impact has few points or none. Grey bands over time show when a plotted contact was closed."""
        from gaitwright.report.views.output_curves import plot_outputs

        return plot_outputs(self, names, against, path)

    def dense(self) -> StateHistory:
        """Motion for smooth curves: the stored one, or with interpolated states if an adaptive method took long steps."""
        t = self.time
        if self.held or t.size < 3 or np.diff(t).max() < 3.0 * (t[-1] - t[0]) / SMOOTH_CURVE_POINTS:
            return self.motion
        return interpolate_states(self.motion, np.union1d(t, np.linspace(t[0], t[-1], SMOOTH_CURVE_POINTS)))

    def closed_times(self, names: Sequence[str]) -> list[tuple[float, float]]:
        """Begin and end, s, of all episodes of the contacts to which these outputs belong."""
        owners = {name.partition(".")[0] for name in names}
        if "ground_reaction" in owners:
            owners |= {names.name for names in self.mechanism.contact_names if names.bodies[0] == "ground"}
        last = float(self.time[-1]) if self.time.size else 0.0
        return [(e.begin, e.end if np.isfinite(e.end) else last) for e in self.episodes if e.contact in owners]

    def scene(self, **options: Any) -> Any:
        """Scene of the mechanism over time, for drawing; see report/views/scenes."""
        from gaitwright.report.views.scenes.scene_writers import select_scene_writers

        return select_scene_writers(self.mechanism.dimension).scene(self.mechanism, self.motion, **options)

    def draw(
        self, path: str | Path, time: float | None = None, *, ghosts: int = 0, labels: bool = True, **options: Any
    ) -> Path:
        """Draw the mechanism at a time to a PNG (default: the start; otherwise the nearest output time).

        trace: points with a drawn path. forces: draw arrows of contact forces and applied forces. ghosts: number of
        other poses, evenly spread over time, drawn faintly behind. labels: names of parts and pins. colour: quantity that
        colours beams, such as bending_moment."""
        from gaitwright.report.views.scenes.scene_writers import select_scene_writers

        target_time = self.motion.t[:1] if time is None else ErrorContext(field="time").finite(time, "a time in s")
        index = int(np.argmin(np.abs(self.motion.t - target_time)))
        chosen = self.scene(include=index, **options)
        frame = int(np.searchsorted(chosen.time, accumulate_times(self.motion.t)[index]))
        return select_scene_writers(self.mechanism.dimension).png(chosen, path, frame, ghosts=ghosts, labels=labels)

    def animate(
        self,
        path: str | Path,
        *,
        trace: list[str] | None = None,
        signals: list[str] | None = None,
        forces: bool = False,
        colour: str | None = None,
    ) -> Path:
        """Write an animation as one HTML file that plays offline, or as GIF, selected by the suffix of the path.

        trace: points with a drawn path. signals: outputs shown beside the animation; default: drives and contacts.
        forces: draw contact forces, at the point of application on the touching body, and applied forces as arrows. colour:
        quantity that colours beams, such as bending_moment or stress_left; see `beam`. For a static path that goes back in
        t, the clock of the animation adds up the absolute changes of t."""
        from gaitwright.report.views.scenes.scene_writers import select_scene_writers

        write = select_scene_writers(self.mechanism.dimension)
        writers = {".html": write.html, ".gif": write.gif}
        ending = Path(path).suffix.lower()
        if ending not in writers:
            ErrorContext(field="path").fail("an animation is written as .html or .gif", str(path))
        chosen = self.scene(trace=trace, forces=forces, colour=colour)
        usual = [n for n in self.names if n.endswith((".torque", ".force")) and n.count(".") == 1][:2]
        usual += [f"{name}.normal_force" for name in self.contact_names()][:2]
        usual += [f"{name}.{quantity}" for name, part in self.mechanism.parts.items() for quantity in part.telling][:2]
        for name in [name for name in usual if name in self] if signals is None else signals:
            chosen.signals[name] = (accumulate_times(self.time), self.array(name), self.catalogue[name].unit)
        return writers[ending](chosen, path)

    def report(self: Any, path: str | Path, *, names: Sequence[str] = (), trace: Sequence[str] = ()) -> dict[str, Path]:
        """Write a report of this run as one HTML file, with pictures and tables in a folder beside it; return their paths.

        names: outputs to show; default: those of the model, or the default ones. trace: points with a drawn path;
        default: the feet of a leg and the touching points."""
        from gaitwright.report.views.pages.run_page import run_report

        return run_report(self, names=names, trace=trace).save(path)

    def plot_shapes(
        self: Any, *beams: str, times: int | Sequence[float] | None = None, path: str | Path | None = None
    ) -> Any:
        """Draw successive shapes of beams (default: all) in one picture, with the time as colour; returns the Figure.

        times: number of shapes, evenly spread over the run (9), or their times, s."""
        from gaitwright.report.views.output_curves import plot_beam_shapes

        return plot_beam_shapes(self, beams, times, path)

    def plot_along(
        self: Any,
        beam: str,
        quantity: str = "bending_moment",
        *,
        times: int | Sequence[float] | None = None,
        path: str | Path | None = None,
    ) -> Any:
        """Plot a quantity along a beam over its arc length, such as the bending moment diagram; returns the Figure.

        quantity: see `beam`. times: number of curves, evenly spread over the run (9), or their times, s."""
        from gaitwright.report.views.output_curves import plot_along_beam

        return plot_along_beam(self, beam, quantity, times, path)
