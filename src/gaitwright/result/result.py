"""Result: the outputs of a run by name, the evidence of its accuracy, plots, animation and files.

A run keeps the states at its output times and nothing else; every named output is computed from them when asked for. That of
a large model keeps chosen outputs instead, and states at a few times (stored.py).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.result.beam_shapes import beam_dataset
from gaitwright.result.between import interpolate
from gaitwright.result.catalogue import Catalogue
from gaitwright.result.derived import Derived
from gaitwright.result.doubts import doubts
from gaitwright.result.energy import Balance, signed_work
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.pictured import Pictured
from gaitwright.result.stored import Stored
from gaitwright.result.touches import Episode
from gaitwright.system.mechanism import Mechanism

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

MANY = 400
"""Above this number of outputs, a dataset holds only what was asked for, or what the motion is known by (MAIN): a body in
space alone has about eighty."""
MAIN = ("x", "y", "z", "angle", "displacement", "qw", "qx", "qy", "qz", "wx", "wy", "wz")


class Result(Pictured):
    """What an analysis returns. `result["crank.torque"]` is an xarray DataArray over time with its unit.

    time: (n_times,), s. evidence: see Evidence. names: all outputs."""

    mechanism: Mechanism
    motion: Motion
    evidence: Evidence
    document: dict[str, Any] | None
    located: list[Episode]
    held: bool
    balance: Balance
    steps: dict[str, Any]

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
        self.located = list(episodes)
        self.held = evidence.analysis == "static"
        self.stored = stored
        self.balance = Balance(mechanism, motion, held=self.held) if stored is None else stored.balance
        self.steps = {name: values for name, values in steps.items() if values is not None}
        evidence.max_position_violation = float(self.balance.gap.max(initial=0.0))
        evidence.max_velocity_violation = float(self.balance.gap_rate.max(initial=0.0))
        evidence.max_energy_residual = float(np.abs(self.balance.residual).max(initial=0.0))
        found = doubts(mechanism, self.balance, evidence, self.time, self.held)
        evidence.warnings += [text for text in found if text not in evidence.warnings]

    @functools.cached_property
    def episodes(self) -> list[Episode]:
        """All times that contacts were closed, by their begin: those that were located, and those of surfaces of solids, which
        are known at the output times."""
        if self.stored is not None:
            return self.located
        located, mechanism = {e.contact for e in self.located}, self.mechanism
        skins = [n for n in mechanism.contact_names if mechanism.contact_of(n).by_gap and n.name not in located]
        if not skins:
            return self.located
        from gaitwright.result.skins import skin_episodes

        found = skin_episodes(mechanism, self.motion, skins, self.values)
        return sorted([*self.located, *found], key=lambda e: e.begin)

    @functools.cached_property
    def catalogue(self) -> Catalogue:
        """All outputs by name; made when the first is asked for."""
        catalogue = Catalogue(self.mechanism)
        catalogue.outputs.update(Derived(self.mechanism, self.motion, self.balance, self.steps).outputs())
        return catalogue

    @property
    def time(self) -> np.ndarray:
        return self.motion.t if self.stored is None else self.stored.t

    @property
    def time_name(self) -> str:
        from gaitwright.result.written import time_name

        return time_name(self.time)

    @property
    def names(self) -> list[str]:
        outputs = self.catalogue.outputs
        return list(outputs) if self.stored is None else [*self.stored.values, *outputs.added]

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
        time = xr.Variable("time", self.time, {"units": "s", "long_name": self.time_name})
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

        wanted = [names] if isinstance(names, str) else names if names is not None else self.default_names()
        data = xr.Dataset({name: self[name] for name in wanted})
        data.attrs.update(self.attributes())
        return data

    def default_names(self) -> list[str]:
        """What the model asked for, otherwise everything, otherwise (very many) all but the nodes of beams that have no name
        of their own, otherwise energies, evidence, drives and, unless these are very many too, where bodies are."""
        asked = (self.document or {}).get("outputs") or []
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
            At().fail(
                f"there is no drive '{name}'", expected=offer(name, self.balance.drive_power, "(the model has none)")
            )
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
        Statics has no history and gives no rows. Surfaces
        of solids are not located: theirs are known at the output times."""
        import pandas as pd

        known = self.contact_names()
        parts = {names.name for names in self.mechanism.contact_names if name in (None, names.name, names.whole)}
        if name is not None and not parts:
            At().fail(f"there is no contact '{name}'", expected=offer(name, known, "(none)"))
        rows = [
            {**e._asdict(), "duration": e.duration, "restitution": e.restitution}
            for e in self.episodes
            if e.contact in parts
        ]
        return pd.DataFrame(rows, columns=[*Episode._fields, "duration", "restitution"])

    def bearing_loads(self) -> pd.DataFrame:
        """Force in every joint, one row each, largest peak first: mean and peak magnitude (N), time of the peak (s), equivalent
        load of a ball bearing (N, cubic mean over the relative rotation; bearing_loads.py) and the relative rotation (rad).

        Example: run.bearing_loads().loc["A", "peak"]"""
        import pandas as pd

        from gaitwright.result.bearing_loads import BearingLoad, bearing_loads

        return pd.DataFrame(bearing_loads(self), columns=BearingLoad._fields).set_index("joint")

    def beam(self, name: str, *quantities: str, points: int = 3) -> xr.Dataset:
        """A beam along its length: xarray Dataset over (time, s), where s is the arc length of the unstressed shape, m.

        quantities: some of x, y, angle, strain, curvature, axial_force, shear_force, bending_moment, local_axial_force,
        local_bending_moment, strain_left, strain_right, stress_left, stress_right, strain_energy_density and, over time
        alone, strain_energy; all that the section allows unless named. points: places inside each element, besides its
        nodes. At a node of two elements the mean of both is given. Signs, and what the quantities are: docs/theory/beams.md.
        Surfaces need the height (or diameter) of the section, stresses also Young's modulus.

        Of a beam of space: x, y, z, strain, twist, curvature_2, curvature_3, axial_force, shear_force_2, shear_force_3, torque,
        bending_moment_2, bending_moment_3, bending_moment, surface_strain, normal_stress, shear_stress,
        strain_energy_density and strain_energy."""
        data = beam_dataset(self.catalogue.beam(name), self.motion, quantities, points)
        data.time.attrs["long_name"] = self.time_name
        data.attrs["title"] = self.mechanism.name
        return data

    def solid(self, name: str, *quantities: str) -> xr.Dataset:
        """A solid at its nodes: xarray Dataset over (time, node), node 1 being the first.

        quantities: some of displacement, position, velocity, acceleration, von_mises, pressure, stress, principal_stresses,
        principal_stretches, volume_ratio, energy_density, contact_pressure; displacement and von_mises unless named. Stresses
        are Cauchy's, in the ground frame; they are computed inside of the elements and averaged at the nodes."""
        from gaitwright.result.solid_fields import solid_dataset

        data = solid_dataset(self.mechanism, self._solid(name), self.motion, quantities)
        data.time.attrs["long_name"] = self.time_name
        data.attrs["title"] = self.mechanism.name
        return data

    def save_solid(self, name: str, folder: str | Path, *quantities: str, every: int = 1) -> Path:
        """Write a solid as a series of .vtu files, one per time (or per `every` times), and the .pvd file that lists them, for
        ParaView: its path. quantities: as in `solid`."""
        from gaitwright.result.solid_fields import save_vtu_series

        return save_vtu_series(self.mechanism, self._solid(name), self.motion, folder, quantities, every)

    def pressure(self, name: str | Sequence[str], cell: float = 5e-3) -> xr.DataArray:
        """Pressure of a surface in contact (gw.Skin, gw.Foundation, a condensed solid that rubs by its own name) per sensor
        cell of a size, m, in the x-y plane of the ground: xarray DataArray over (time, y, x), Pa; in the plane over (time, x).
        Several contacts (heel and toes) are added up. `run.pressure("sole")[-1].plot()` shows it."""
        from gaitwright.result.skins import pressure_map

        return pressure_map(self.mechanism, self.motion, name, cell)

    def touching_points(self, name: str) -> xr.Dataset:
        """The points of a surface in contact (facets of a gw.Foundation): xarray Dataset over (time, point) of pressure, force,
        position, penetration and slip, and the area of each."""
        from gaitwright.result.skins import point_dataset

        return point_dataset(self.mechanism, self.motion, name)

    def _solid(self, name: str) -> Any:
        known = [part.name for part in self.mechanism.parts.values() if part.meshed]
        if name not in known:
            At().fail(f"there is no solid '{name}'", expected=offer(name, known, "(the model has none)"))
        return self.mechanism.parts[name]

    def at(self, t: float | np.ndarray) -> Motion:
        """States between the output times by quintic Hermite interpolation (dense output): q, v and a; multipliers and
        works linearly, and between equilibria everything."""
        times = np.atleast_1d(At(field="t").numbers(t, "a time, or several, in s"))
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
        values = self.values(name) - At(field="level").finite(level, "the value that is passed")
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

    def save(self, path: str | Path, names: list[str] | None = None) -> Path:
        """Write the result as a file, by the ending of the path.

        .nc: netCDF, with states, outputs, evidence and the model; `gaitwright.load_result` reads it back. .mat (MATLAB),
        .parquet and .csv: outputs alone, with names and units. names: outputs of a table; those of `dataset` unless given."""
        from gaitwright.result.tables import NETCDF, TABLES, write_table
        from gaitwright.result.written import write_result

        ending = Path(path).suffix.lower()
        if ending in TABLES:
            return write_table(self, path, names)
        if ending not in NETCDF:
            At(field="path").fail("a result has no such file", str(path), f".nc, or one of {', '.join(TABLES)}")
        if names is not None:
            At(field="names").fail("are chosen for tables; netCDF holds the whole result", names, "no names with .nc")
        return write_result(self, path)

    def attributes(self) -> dict[str, str]:
        """Of the run as a whole, for files and datasets."""
        from gaitwright.result.written import run_attributes

        return run_attributes(self)

    def summary(self) -> dict[str, Any]:
        """The numbers of a run that fit on a page; JSON-ready."""
        from gaitwright.result.summary import summary

        return summary(self)

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import result_card

        return result_card(self)

    def __repr__(self) -> str:
        e = self.evidence
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if self.time.size else "empty"
        cut = "" if e.complete else ", CUT SHORT"
        return (
            f"<{e.analysis} result of '{self.mechanism.name}': {span}{cut}, {self.time.size} times, {e.method}; "
            f"constraints {e.max_position_violation:.1e}, energy residual {e.max_energy_residual:.1e} J>"
        )
