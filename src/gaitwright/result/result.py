"""Result: the outputs of a run by name, the evidence of its accuracy, plots, animation and files.

A run keeps the states at its output times and nothing else; every named output is computed from them when asked for. That of
a large model keeps chosen outputs instead, and states at a few times (stored.py).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.plain import plain
from gaitwright.result.beam_shapes import beam_dataset, in_pictures
from gaitwright.result.between import interpolate, never_back
from gaitwright.result.catalogue import Catalogue, unknown_output
from gaitwright.result.energy import SERIES, Balance, signed_work
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion, Output
from gaitwright.result.stored import Stored
from gaitwright.result.touches import EPISODE_UNITS, Episode, contact_summaries
from gaitwright.system.mechanism import Mechanism

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

SMOOTH = 500
"""Points over a run that make a smooth curve."""
MANY = 400
"""Above this number of outputs, a dataset holds only what was asked for, or what the motion is known by (MAIN): a body in
space alone has about eighty."""
MAIN = ("x", "y", "z", "angle", "displacement", "qw", "qx", "qy", "qz", "wx", "wy", "wz")


DOUBTFUL = 2e-3
"""Open joints, relative to the size of the mechanism, or energy, relative to what was turned over, that earn a warning: with
more than this, a pendulum after a few swings is visibly elsewhere."""


class Result:
    """What an analysis returns. `result["crank.torque"]` is an xarray DataArray over time with its unit.

    time: (n_times,), s. evidence: see Evidence. names: all outputs."""

    def __init__(
        self,
        mechanism: Mechanism,
        motion: Motion,
        evidence: Evidence,
        document: dict[str, Any] | None = None,
        episodes: Sequence[Episode] = (),
        stored: Stored | None = None,
        **steps: Any,
    ):
        self.mechanism, self.motion, self.evidence, self.document = mechanism, motion, evidence, document
        self.episodes = list(episodes)
        self.held = evidence.analysis == "static"
        self.stored = stored
        self.balance = Balance(mechanism, motion, held=self.held) if stored is None else stored.balance
        self.steps = {name: values for name, values in steps.items() if values is not None}
        evidence.max_position_violation = float(self.balance.gap.max(initial=0.0))
        evidence.max_velocity_violation = float(self.balance.gap_rate.max(initial=0.0))
        evidence.max_energy_residual = float(np.abs(self.balance.residual).max(initial=0.0))
        self._watch_redundant()
        evidence.warnings += [text for text in self._doubts() if text not in evidence.warnings]

    @functools.cached_property
    def catalogue(self) -> Catalogue:
        """All outputs by name; made when the first is asked for."""
        catalogue = Catalogue(self.mechanism)
        self._add_derived(catalogue.outputs)
        return catalogue

    def _doubts(self) -> list[str]:
        """What the evidence says against this result, in words."""
        evidence, balance = self.evidence, self.balance
        doubts = []
        if evidence.max_position_violation > DOUBTFUL * self.mechanism.size:
            doubts.append(
                f"the joints opened by up to {evidence.max_position_violation:.2g} m: this is not the motion of the "
                "mechanism; take a smaller step or use projection"
            )
        turned = balance.turned_over()
        parts, size = self.mechanism.parts.values(), self.mechanism.size
        weight = sum(part.mass for part in parts) * float(np.linalg.norm(self.mechanism.gravity))
        rounding = 1e-13 * (float(np.abs(balance.potential).max(initial=0.0)) + weight * size)
        if not evidence.max_energy_residual <= DOUBTFUL * turned + rounding or not np.isfinite(turned):
            lost, of = f"{evidence.max_energy_residual:.2g} J", f"of {turned:.2g} J that were turned over"
            doubts.append(
                f"the works along the path are known to {lost} only, {of}: take more steps (the equilibria are exact)"
                if self.held
                else f"{lost} are not accounted for, {of}: take a smaller step or a tighter tolerance"
            )
        return doubts

    def _watch_redundant(self) -> None:
        """Warn when a constraint that was set aside as redundant is not satisfied: it was not, or no longer is."""
        s, mechanism = self.mechanism.system, self.mechanism
        for row in range(s.m, s.m_all):
            off = np.abs(self.balance.idle[:, row - s.m])
            late = np.flatnonzero(off > 1e-6 * min(mechanism.size, 1.0))
            if late.size:
                names = mechanism.constraint_of_row(row)
                _, unit = list(names.declaration.rows.values())[list(mechanism.row_position[names.rows]).index(row)]
                text = (
                    f"{names.kind} '{names.name}' conflicts with the others from t = {self.time[late[0]]:.6g} s on: it "
                    f"took no part in the solution and is violated by up to {off.max():.3g} {unit}"
                )
                if text not in self.evidence.warnings:
                    self.evidence.warnings.append(text)

    def _add_derived(self, outputs: MutableMapping[str, Output]) -> None:
        """Outputs that need the balance: energies, powers of drives, violations as in paper 003 Eq 2.14, step sizes."""
        balance = self.balance
        for name, text in (
            ("kinetic", "kinetic energy"), ("potential", "potential energy of gravity and springs"),
            ("dissipated", "energy dissipated since the start"), ("work", "work of drives and loads since the start"),
            ("residual", "work-energy residual"),
        ):  # fmt: skip
            outputs[f"energy.{name}"] = Output("J", text, self._balanced(lambda b, name=name: getattr(b, name)))
        for name in balance.drive_power:
            values = self._balanced(lambda b, name=name: b.drive_power[name])
            outputs[f"{name}.power"] = Output("W", f"drive {name}: power into the mechanism", values)
        violations = {
            "position_violation": ("gap_squares", "Phi^T Phi"),
            "velocity_violation": ("gap_rate_squares", "Phi'^T Phi'"),
        }
        for name, (source, text) in violations.items():
            squares = self._balanced(lambda b, source=source: getattr(b, source))
            outputs[f"evidence.{name}"] = Output("mixed", f"{text}, paper 003 Eq 2.14", squares)
        units = {"step_sizes": "s", "newton": "1", "sigma": "1", "unstable": "1"}
        for name, values in self.steps.items():
            outputs[f"evidence.{name}"] = Output(units[name], name.replace("_", " "), _sampled(self.motion, values))

    def _balanced(self, quantity: Callable[[Balance], np.ndarray]) -> Callable[[Motion], np.ndarray]:
        """A quantity of the balance, at the output times or at states between them."""

        def values(motion: Motion) -> np.ndarray:
            if motion is self.motion:
                return quantity(self.balance)
            balance = Balance(self.mechanism, motion)
            now = balance.kinetic + balance.potential + balance.dissipated - balance.work
            first = self.balance.kinetic + self.balance.potential + self.balance.dissipated - self.balance.work
            balance.residual = now - first[0]
            return quantity(balance)

        return values

    @property
    def time(self) -> np.ndarray:
        return self.motion.t if self.stored is None else self.stored.t

    @property
    def _time_name(self) -> str:
        return (
            "time" if np.all(np.diff(self.time) >= 0) else "time that loads and drives are held at; goes back and forth"
        )

    @property
    def names(self) -> list[str]:
        return list(
            self.catalogue.outputs if self.stored is None else [*self.stored.values, *self.catalogue.outputs.added]
        )

    def keys(self) -> list[str]:
        """The names of all outputs, as `names`: a result is a mapping of them."""
        return self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        known = self.catalogue.outputs if self.stored is None else self.names
        return isinstance(name, str) and name in known

    def __getitem__(self, name: str) -> xr.DataArray:
        import xarray as xr

        output = self.catalogue[name]
        time = xr.Variable("time", self.time, {"units": "s", "long_name": self._time_name})
        values = self.values(name)
        attributes = {"units": output.unit, "long_name": output.description}
        return xr.DataArray(values, {"time": time}, ("time",), name, attributes)

    def values(self, name: str) -> np.ndarray:
        """An output as a plain array (n_times,)."""
        if self.stored is not None and name in self.stored.values:
            return self.stored.values[name]
        output = self.catalogue[name]
        if self.stored is not None and name not in self.catalogue.outputs.added:
            At("simulate", "store").fail(f"'{name}' was not kept", expected=f"store=['{name}', ...]")
        return np.array(output.values(self.motion), dtype=float)

    def dataset(self, names: list[str] | None = None) -> xr.Dataset:
        """Outputs as one xarray Dataset with units; all of them unless named (or unless there are very many)."""
        import xarray as xr

        wanted = names if names is not None else self.default_names()
        data = xr.Dataset({name: self[name] for name in wanted})
        data.attrs.update(self._attributes())
        return data

    def default_names(self) -> list[str]:
        """What the model asked for, otherwise everything, otherwise (very many) all but the nodes of beams that have no name
        of their own, otherwise energies, evidence, drives and, unless these are very many too, where bodies are."""
        asked = (self.document or {}).get("outputs") or []
        if asked:
            for name in asked:
                if name not in self.catalogue.outputs:
                    raise self.catalogue.complaint(name)
        if self.stored is not None:
            return self.names
        if asked:
            return list(asked)
        outputs = self.catalogue.outputs
        if len(outputs) <= MANY:
            return self.names
        few = [*outputs.ready, *(name for made in outputs.made for name in made.named())]
        if len(few) <= MANY:
            return few
        drives = {names.name for names in self.mechanism.constraint_names if names.kind == "drive"}
        few = [n for n in outputs.ready if n.startswith(("energy.", "evidence.")) or n.rpartition(".")[0] in drives]
        kept = set(few)
        main = [n for n in outputs.ready if n in kept or (n.count(".") == 1 and n.rpartition(".")[2] in MAIN)]
        few = main if len(main) <= MANY else few
        return [*few, *(name for made in outputs.made for name in made.of_part())]

    def to_pandas(self, names: list[str] | None = None) -> pd.DataFrame:
        """The outputs as a table, one row per time."""
        return self.dataset(names).to_dataframe()

    def energy(self) -> xr.Dataset:
        """Kinetic, potential, dissipated energy, work, residual, power and work of every drive and load, what every damper,
        beam and contact dissipated, and what springs and beams store."""
        ends = (".work", ".power", ".dissipated", ".friction_loss", ".energy", ".strain_energy")
        return self.dataset([n for n in self.names if n.startswith("energy.") or n.endswith(ends)])

    def drive_work(self, name: str) -> dict[str, float]:
        """Work of a drive over the run, J: net, positive, negative, and absolute = integral of |tau omega| (Eq 2.20)."""
        if name not in self.balance.drive_power:
            raise unknown_output(f"{name}.work", [n for n in self.names if n.endswith(".work")])
        if self.held:  # without speed there is no power, but work along the path
            parts = np.diff(self.values(f"{name}.work"))
            positive, negative = float(parts[parts > 0].sum()), float(parts[parts < 0].sum())
            absolute = positive - negative
        else:
            positive, negative, absolute = signed_work(self.time, self.balance.drive_power[name])
        return {"net": positive + negative, "positive": positive, "negative": negative, "absolute": absolute}

    def contact_names(self) -> list[str]:
        """The contacts as they were given: one along a beam is one, whatever the number of its nodes."""
        return list(dict.fromkeys(names.whole or names.name for names in self.mechanism.contact_names))

    def contacts(self, name: str | None = None) -> pd.DataFrame:
        """Every time a contact (all of them unless named) was closed, one row each.

        begin, end, duration: s; end is NaN while it still is closed. approach_speed, separation_speed: m/s, along the
        normal. restitution: their ratio. max_penetration: m. max_force: N, normal. impulse: N s, of the normal force.
        dissipated: J. slip: m. All are those of the steps themselves: nothing is lost between the output times.
        Statics has no history and gives no rows."""
        import pandas as pd

        known = self.contact_names()
        parts = {names.name for names in self.mechanism.contact_names if name in (None, names.name, names.whole)}
        if name is not None and not parts:
            raise ModelError(f"there is no contact '{name}'", expected=f"one of {', '.join(known) or '(none)'}")
        rows = [
            {**e._asdict(), "duration": e.duration, "restitution": e.restitution}
            for e in self.episodes
            if e.contact in parts
        ]
        return pd.DataFrame(rows, columns=[*Episode._fields, "duration", "restitution"])

    def beam(self, name: str, *quantities: str, points: int = 3) -> xr.Dataset:
        """A beam along its length: xarray Dataset over (time, s), where s is the arc length of the unstressed shape, m.

        quantities: some of x, y, angle, strain, curvature, axial_force, shear_force, bending_moment, local_axial_force,
        local_bending_moment, strain_left, strain_right, stress_left, stress_right, strain_energy_density and, over time
        alone, strain_energy; all that the section allows unless named. points: places inside each element, besides its
        nodes. At a node of two elements the mean of both is given. Signs, and what the quantities are: docs/theory/beams.md.
        Surfaces need the height (or diameter) of the section, stresses also Young's modulus."""
        data = beam_dataset(self.catalogue.beam(name), self.motion, quantities, points)
        data.time.attrs["long_name"] = self._time_name
        data.attrs["title"] = self.mechanism.name
        return data

    def at(self, t: float | np.ndarray) -> Motion:
        """States between the output times by quintic Hermite interpolation (dense output): q, v and a; multipliers and
        works linearly, and between equilibria everything."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        if self.stored is not None:
            At("simulate", "store").fail(
                f"whole states were kept at {self.motion.t.size} times only",
                expected="store='all' for states between them",
            )
        if np.any(np.diff(self.time) < 0):
            At(field="t").fail(
                "means more than one state: the path goes back in t",
                t,
                'a path with control="time"; its states are in `motion`',
            )
        first, last = self.time[0], self.time[-1]
        if not np.all((times >= first - 1e-9 * (last - first)) & (times <= last + 1e-9 * (last - first))):
            At(field="t").fail("is outside the run", t, f"times from {first:g} to {last:g} s")
        return interpolate(self.motion, times)

    def crossings(self, name: str, level: float = 0.0, direction: int = 0) -> np.ndarray:
        """Times (s) at which an output passes a level, located on the dense output; direction +1 rising, -1 falling."""
        from scipy.optimize import brentq

        output = self.catalogue[name]
        values = self.values(name) - level
        found: list[float] = []
        for k in np.flatnonzero(values[:-1] * values[1:] <= 0):
            if values[k] == values[k + 1] or (direction and np.sign(values[k + 1] - values[k]) != direction):
                continue
            between = Motion(*(x[k : k + 2] for x in self.motion))

            def miss(t: float, between: Motion = between) -> float:
                return float(output.values(interpolate(between, np.array([t])))[0]) - level

            ends = (float(self.time[k]), float(self.time[k + 1]))
            exact = [end for end, value in zip(ends, values[k : k + 2], strict=True) if value == 0]
            if self.held or self.stored is not None:
                root: Any = ends[0] + (ends[1] - ends[0]) * values[k] / (values[k] - values[k + 1])
            else:
                root = exact[0] if exact else brentq(miss, *ends, xtol=1e-14)
            if not found or abs(root - found[-1]) > 1e-12:
                found.append(float(root))
        return np.array(found)

    # files -----------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write states, outputs, evidence and the model as netCDF; `gaitwright.load_result` reads it back."""
        from gaitwright.result.netcdf import Variable, write

        variables = {"time": Variable(("time",), self.time, {"units": "s", "long_name": self._time_name})}
        for name in self.default_names():
            output = self.catalogue[name]
            attributes = {"units": output.unit, "long_name": output.description}
            variables[name] = Variable(("time",), self.values(name), attributes)
        rows = "time" if self.stored is None else "frame"
        if self.stored is not None:
            variables["frame"] = Variable(
                ("frame",), self.motion.t, {"units": "s", "long_name": "times of whole states"}
            )
            variables |= {f"balance.{n}": Variable(("time",), getattr(self.balance, n)) for n in SERIES}
            if self.balance.idle.shape[1]:
                variables["balance.idle"] = Variable(("time", "idle"), self.balance.idle)
        for name in Motion._fields[1:]:
            states = getattr(self.motion, name)
            if states.shape[1]:  # netCDF takes a dimension of size zero for an unlimited one
                variables[f"state.{name}"] = Variable((rows, f"state_{name}"), states)
        for name, values in self.steps.items():
            variables[f"state.{name}"] = Variable(("time",), np.asarray(values, dtype=float))
        if self.episodes:
            for name, values in zip(Episode._fields, zip(*self.episodes, strict=True), strict=True):
                attributes = {"units": EPISODE_UNITS[name]} if name in EPISODE_UNITS else {}
                variables[f"episode.{name}"] = Variable(("episode",), np.asarray(values), attributes)
        attributes = {"model": json.dumps(self.document or {}), "redundant": json.dumps(self.mechanism.redundant)}
        return write(path, variables, {**self._attributes(), **attributes})

    def _attributes(self) -> dict[str, str]:
        evidence = json.dumps(asdict(self.evidence))
        return {"title": self.mechanism.name, "source": "gaitwright", "evidence": evidence}

    def summary(self) -> dict[str, Any]:
        """The numbers of a run that fit on a page; JSON-ready."""
        final, largest = {}, {}
        for name in self.default_names():
            values = self.values(name)
            final[name] = float(values[-1]) if values.size else None
            known = np.abs(values[~np.isnan(values)])  # what only exists in contact is NaN in the air
            largest[name] = float(known.max()) if known.size else None
        contacts = contact_summaries(self)
        for name, found in contacts.items():
            # An impact may fall between two output times.
            for output, most in (("penetration", "max_penetration"), ("normal_force", "max_normal_force")):
                if f"{name}.{output}" in largest:
                    largest[f"{name}.{output}"] = found[most]
        balance = self.balance
        energy = {n: float(getattr(balance, n)[-1]) if self.time.size else 0.0
                  for n in ("kinetic", "potential", "dissipated", "work")}  # fmt: skip
        energy["residual"] = self.evidence.max_energy_residual
        summary = {
            "name": self.mechanism.name,
            "analysis": self.evidence.analysis,
            "method": self.evidence.method,
            "steps": self.evidence.steps,
            "wall_seconds": self.evidence.wall_seconds,
            "time": float(self.time[-1]) if self.time.size else None,
            "degrees_of_freedom": self.mechanism.degrees_of_freedom,
            "final": final,
            "max_abs": largest,
            "max_constraint_violation": self.evidence.max_position_violation,
            "energy": energy,
            "drives": {name: self.drive_work(name) for name in balance.drive_power} if self.time.size > 1 else {},
            "contacts": contacts,
            "evidence": asdict(self.evidence),
        }
        return plain(summary)

    # pictures --------------------------------------------------------------------------------------------------------

    def plot(self, *names: str, against: str | None = None, path: str | Path | None = None) -> Any:
        """Plot outputs over time (one panel per unit), or against another output; returns the matplotlib Figure.

        Paths (m against m) have the same scale in both directions. The loop of an impact,
        run.plot("toe.normal_force", against="toe.penetration"), is round if the run kept all its steps
        (simulate(..., output_step=0)): between evenly spaced outputs a short impact has few points or none. Grey
        bands over time show when a contact that is plotted was closed."""
        from gaitwright.report.overview import plot_panels
        from gaitwright.report.plots import plot_curve, plot_lines, save, style

        names = names or ("energy.kinetic", "energy.potential", "energy.work", "energy.dissipated")
        units = {self.catalogue[name].unit for name in names}
        label = f"{names[0]} ({next(iter(units))})" if len(names) == 1 else ", ".join(sorted(units))
        title = self.mechanism.name
        motion = self.dense() if self.stored is None else self.motion._replace(t=self.time)

        def curve(name: str) -> np.ndarray:
            return self.values(name) if self.stored else np.array(self.catalogue[name].values(motion), dtype=float)

        values = {name: curve(name) for name in names}
        if against is not None:
            x, unit = curve(against), self.catalogue[against].unit
            about: dict[str, Any] = {"xlabel": f"{against} ({unit})", "ylabel": label, "title": title, "path": path}
            if len(names) == 1:
                return plot_curve(x, values[names[0]], equal=units == {unit} == {"m"}, **about)
            return plot_lines({name: (x, y) for name, y in values.items()}, **about)
        bands = self.closed_times(names)
        if len(units) == 1:
            series = {name: (motion.t, y) for name, y in values.items()}
            return plot_lines(series, ylabel=label, title=title, bands=bands, path=path)
        figure = plot_panels(title, motion.t, {n: (y, self.catalogue[n].unit) for n, y in values.items()}, bands)
        if path is not None:
            with style():
                save(figure, path)
        return figure

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

        trace: points whose curves are drawn. forces: show those of contacts as arrows. ghosts: how many other poses,
        evenly spread over time, are shown faintly behind. labels: names of parts and pins. colour: quantity
        that colours beams, such as bending_moment."""
        from gaitwright.report.views.pictures import pictures

        index = 0 if time is None else int(np.argmin(np.abs(self.motion.t - time)))
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
        forces: show those of contacts as arrows, at the point of application, on the body that touches.
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
        touching = dict.fromkeys(names.whole or names.name for names in self.mechanism.contact_names)
        usual += [f"{name}.normal_force" for name in touching][:2]
        usual += [f"{name}.max_bending_moment" for name in self.mechanism.beams][:2]
        for name in usual if signals is None else signals:
            chosen.signals[name] = (never_back(self.time), self.values(name), self.catalogue[name].unit)
        return writers[ending](chosen, path)

    def report(self, path: str | Path, *, names: Sequence[str] = (), trace: Sequence[str] = ()) -> dict[str, Path]:
        """Write everything about this run as one HTML file, with pictures and tables beside it; their paths.

        names: outputs to show; the model's, or the usual ones unless given. trace: points whose curves are drawn; the
        feet of a leg and what touches unless given."""
        from gaitwright.report.views.run_page import run_report

        return run_report(self, names=names, trace=trace).save(path)

    def plot_shapes(
        self, *beams: str, times: int | Sequence[float] | None = None, path: str | Path | None = None
    ) -> Any:
        """Successive shapes of beams (all of them unless named) in one picture, with the time as colour; returns the Figure.

        times: how many shapes, evenly spread over the run (9), or at which times, s."""
        from gaitwright.report.beam_pictures import pick_instants, plot_shapes

        chosen = pick_instants(self.time, times)
        frames = Motion(*(x[chosen] for x in self.motion))
        curves = [beam_dataset(self.catalogue.beam(name), frames, ("x", "y"), 8) for name in beams or self._beams()]
        shapes = [(data.x.values, data.y.values) for data in curves]
        between = slice(int(chosen.min()), int(chosen.max()) + 1)
        ends = [self.mechanism.beams[name].nodes[-1, :2] for name in beams or self._beams()]
        ways = [self.motion.q[between, end] for end in ends]
        return plot_shapes(self.mechanism.name, frames.t, shapes, ways=ways, path=path)

    def plot_along(
        self,
        beam: str,
        quantity: str = "bending_moment",
        *,
        times: int | Sequence[float] | None = None,
        path: str | Path | None = None,
    ) -> Any:
        """A quantity along a beam over its arc length, such as the diagram of its bending moment; returns the Figure.

        quantity: see `beam`. times: how many curves, evenly spread over the run (9), or at which times, s."""
        from gaitwright.report.beam_pictures import pick_instants, plot_along

        chosen = pick_instants(self.time, times)
        frames = Motion(*(x[chosen] for x in self.motion))
        data = beam_dataset(self.catalogue.beam(beam), frames, (quantity,), 7)[quantity]
        if data.ndim != 2:
            At(field="quantity").fail(
                "is one number for the whole beam",
                quantity,
                f"a quantity along it; run['{beam}.{quantity}'] gives this one",
            )
        factor, unit = in_pictures(quantity)
        about = {"label": f"{quantity.replace('_', ' ')} ({unit})", "path": path}
        return plot_along(f"{self.mechanism.name}: {beam}", frames.t, data.s.values, factor * data.values, **about)

    def _beams(self) -> list[str]:
        if not self.mechanism.beams:
            raise ModelError("the model has no beam")
        return list(self.mechanism.beams)

    def __repr__(self) -> str:
        e = self.evidence
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if self.time.size else "empty"
        cut = "" if e.complete else ", CUT SHORT"
        return (
            f"<{e.analysis} result of '{self.mechanism.name}': {span}{cut}, {self.time.size} times, {e.method}; "
            f"constraints {e.max_position_violation:.1e}, energy residual {e.max_energy_residual:.1e} J>"
        )


def _sampled(own: Motion, samples: Any) -> Callable[[Motion], np.ndarray]:
    values = np.asarray(samples, dtype=float)
    return lambda motion: values if motion is own else np.interp(motion.t, own.t, values)
