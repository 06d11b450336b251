"""How a result shows itself: plots, pictures, animation, a page. What draws is in report/, imported when it is asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.result.between import interpolate, never_back
from gaitwright.result.catalogue import Catalogue
from gaitwright.result.outputs import Motion
from gaitwright.result.touches import Episode
from gaitwright.system.mechanism import Mechanism

SMOOTH = 500
"""Points over a run that make a smooth curve."""


class Pictured(ABC):
    """What a Result inherits: everything about it that is seen."""

    mechanism: Mechanism
    motion: Motion
    episodes: list[Episode]
    held: bool

    @property
    @abstractmethod
    def catalogue(self) -> Catalogue: ...

    @property
    @abstractmethod
    def time(self) -> np.ndarray: ...

    @property
    @abstractmethod
    def names(self) -> list[str]: ...

    @abstractmethod
    def __contains__(self, name: object) -> bool: ...

    @abstractmethod
    def values(self, name: str) -> np.ndarray: ...

    @abstractmethod
    def contact_names(self) -> list[str]: ...

    def plot(self: Any, *names: str, against: str | None = None, path: str | Path | None = None) -> Any:
        """Plot outputs over time (one panel per unit), or against another output; returns the matplotlib Figure.

        Paths (m against m) have the same scale in both directions. The loop of an impact,
        run.plot("toe.normal_force", against="toe.penetration"), is round if the run kept all its steps
        (simulate(..., output_step=0)): between evenly spaced outputs a short impact has few points or none. Grey
        bands over time show when a contact that is plotted was closed."""
        from gaitwright.report.views.curves import plot_outputs

        return plot_outputs(self, names, against, path)

    def dense(self) -> Motion:
        """The motion for curves: as it is, or with states between where an adaptive method took long steps."""
        t = self.time
        if self.held or t.size < 3 or np.diff(t).max() < 3.0 * (t[-1] - t[0]) / SMOOTH:
            return self.motion
        return interpolate(self.motion, np.union1d(t, np.linspace(t[0], t[-1], SMOOTH)))

    def closed_times(self, names: Sequence[str]) -> list[tuple[float, float]]:
        """Begin and end, s, of all episodes of the contacts to which these outputs belong."""
        owners = {name.partition(".")[0] for name in names}
        if "ground_reaction" in owners:
            owners |= {names.name for names in self.mechanism.contact_names if names.bodies[0] == "ground"}
        last = float(self.time[-1]) if self.time.size else 0.0
        return [(e.begin, e.end if np.isfinite(e.end) else last) for e in self.episodes if e.contact in owners]

    def scene(self, **options: Any) -> Any:
        """The mechanism over time for drawing; see report/views/."""
        from gaitwright.report.views.pictures import pictures

        return pictures(self.mechanism.dimension).scene(self.mechanism, self.motion, **options)

    def draw(
        self, path: str | Path, time: float | None = None, *, ghosts: int = 0, labels: bool = True, **options: Any
    ) -> Path:
        """PNG of the mechanism at a time (the start unless given, the nearest output time otherwise).

        trace: points whose curves are drawn. forces: arrows, of contacts and given ones. ghosts: how many other poses,
        evenly spread over time, are shown faintly behind. labels: names of parts and pins. colour: quantity
        that colours beams, such as bending_moment."""
        from gaitwright.report.views.pictures import pictures

        wanted = self.motion.t[:1] if time is None else At(field="time").finite(time, "a time in s")
        index = int(np.argmin(np.abs(self.motion.t - wanted)))
        chosen = self.scene(include=index, **options)
        frame = int(np.searchsorted(chosen.time, never_back(self.motion.t)[index]))
        return pictures(self.mechanism.dimension).png(chosen, path, frame, ghosts=ghosts, labels=labels)

    def animate(
        self,
        path: str | Path,
        *,
        trace: list[str] | None = None,
        signals: list[str] | None = None,
        forces: bool = False,
        colour: str | None = None,
    ) -> Path:
        """Animation as one HTML file that plays offline, or as GIF, by the ending of the path.

        trace: points whose curves are drawn. signals: outputs shown beside it; drives and contacts unless named.
        forces: show those of contacts as arrows, at the point of application, on the body that touches, and given forces.
        colour: quantity that colours beams, such as bending_moment or stress_left; see `beam`.
        The clock of a static path that goes back in t runs on: it adds up how far t has gone."""
        from gaitwright.report.views.pictures import pictures

        write = pictures(self.mechanism.dimension)
        writers = {".html": write.html, ".gif": write.gif}
        ending = Path(path).suffix.lower()
        if ending not in writers:
            At(field="path").fail("an animation is written as .html or .gif", str(path))
        chosen = self.scene(trace=trace, forces=forces, colour=colour)
        usual = [n for n in self.names if n.endswith((".torque", ".force")) and n.count(".") == 1][:2]
        usual += [f"{name}.normal_force" for name in self.contact_names()][:2]
        usual += [f"{name}.{what}" for name, part in self.mechanism.parts.items() for what in part.telling][:2]
        for name in [name for name in usual if name in self] if signals is None else signals:
            chosen.signals[name] = (never_back(self.time), self.values(name), self.catalogue[name].unit)
        return writers[ending](chosen, path)

    def report(self: Any, path: str | Path, *, names: Sequence[str] = (), trace: Sequence[str] = ()) -> dict[str, Path]:
        """Write everything about this run as one HTML file, with pictures and tables beside it; their paths.

        names: outputs to show; the model's, or the usual ones unless given. trace: points whose curves are drawn; the
        feet of a leg and what touches unless given."""
        from gaitwright.report.views.run_page import run_report

        return run_report(self, names=names, trace=trace).save(path)

    def plot_shapes(
        self: Any, *beams: str, times: int | Sequence[float] | None = None, path: str | Path | None = None
    ) -> Any:
        """Successive shapes of beams (all of them unless named) in one picture, with the time as colour; returns the Figure.

        times: how many shapes, evenly spread over the run (9), or at which times, s."""
        from gaitwright.report.views.curves import plot_beam_shapes

        return plot_beam_shapes(self, beams, times, path)

    def plot_along(
        self: Any,
        beam: str,
        quantity: str = "bending_moment",
        *,
        times: int | Sequence[float] | None = None,
        path: str | Path | None = None,
    ) -> Any:
        """A quantity along a beam over its arc length, such as the diagram of its bending moment; returns the Figure.

        quantity: see `beam`. times: how many curves, evenly spread over the run (9), or at which times, s."""
        from gaitwright.report.views.curves import plot_along_beam

        return plot_along_beam(self, beam, quantity, times, path)
