"""Result: the outputs of a run by name, the evidence of its accuracy, plots, animation and files.

A run stores the states at its output times; every named output is computed from them on request. A run of a large model
stores chosen outputs instead, and states at a few times (state_storage.py).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.beams.dataset import beam_dataset
from gaitwright.result.catalogue import OutputCatalogue
from gaitwright.result.contact_episodes import ContactEpisode
from gaitwright.result.energy_balance import EnergyBalance, signed_work
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.outputs import StateHistory
from gaitwright.result.quality_warnings import find_quality_warnings
from gaitwright.result.result_plotting import ResultPlotting
from gaitwright.result.run_outputs import RunOutputs
from gaitwright.result.state_interpolation import interpolate_states
from gaitwright.result.state_storage import StoredOutputs

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

MAX_DATASET_OUTPUTS = 400
"""Maximum number of outputs of a complete dataset; larger ones contain only the requested outputs or the main ones
(MAIN_QUANTITIES): a single spatial body has about eighty."""
MAIN_QUANTITIES = ("x", "y", "z", "angle", "displacement", "qw", "qx", "qy", "qz", "wx", "wy", "wz")


class Result(ResultPlotting, Mapping[str, "xr.DataArray"]):
    """Result of an analysis: a mapping from names of outputs to xarray DataArrays over time with units, such as
    `result["crank.torque"]`; `result.array(name)` is the plain array.

    time: (n_times,), s. evidence: see RunEvidence. names: names of all outputs."""

    mechanism: Mechanism
    motion: StateHistory
    evidence: RunEvidence
    document: dict[str, Any] | None
    located: list[ContactEpisode]
    held: bool
    balance: EnergyBalance
    steps: dict[str, Any]

    def __init__(
        self,
        mechanism: Mechanism,
        motion: StateHistory,
        evidence: RunEvidence,
        document: dict[str, Any] | None = None,
        episodes: Sequence[ContactEpisode] = (),
        stored: StoredOutputs | None = None,
        **steps: Any,
    ):
        self.mechanism, self.motion, self.evidence, self.document = mechanism, motion, evidence, document
        self.located = list(episodes)
        self.held = evidence.analysis == "static"
        self.stored = stored
        self.balance = EnergyBalance(mechanism, motion, held=self.held) if stored is None else stored.balance
        self.steps = {name: values for name, values in steps.items() if values is not None}
        evidence.max_position_violation = float(self.balance.gap.max(initial=0.0))
        evidence.max_velocity_violation = float(self.balance.gap_rate.max(initial=0.0))
        evidence.max_energy_residual = float(np.abs(self.balance.residual).max(initial=0.0))
        warnings = find_quality_warnings(mechanism, self.balance, evidence, self.time, self.held)
        evidence.warnings += [text for text in warnings if text not in evidence.warnings]

    @functools.cached_property
    def episodes(self) -> list[ContactEpisode]:
        """All closed intervals of contacts, sorted by begin: those located by the integrator, and those of surfaces of
        solids, which are determined at the output times."""
        if self.stored is not None:
            return self.located
        located, mechanism = {e.contact for e in self.located}, self.mechanism
        skins = [n for n in mechanism.contact_names if mechanism.contact_of(n).by_gap and n.name not in located]
        if not skins:
            return self.located
        from gaitwright.result.contact_surfaces import surface_episodes

        surface_contacts = surface_episodes(mechanism, self.motion, skins, self.array)
        return sorted([*self.located, *surface_contacts], key=lambda e: e.begin)

    @functools.cached_property
    def catalogue(self) -> OutputCatalogue:
        """All outputs by name; created on first use."""
        catalogue = OutputCatalogue(self.mechanism)
        catalogue.outputs.update(RunOutputs(self.mechanism, self.motion, self.balance, self.steps).outputs())
        return catalogue

    @property
    def time(self) -> np.ndarray:
        return self.motion.t if self.stored is None else self.stored.t

    @property
    def time_name(self) -> str:
        from gaitwright.result.files.result_file import describe_times

        return describe_times(self.time)

    @property
    def names(self) -> list[str]:
        outputs = self.catalogue.outputs
        return list(outputs) if self.stored is None else [*self.stored.values, *outputs.added]

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        """Identity: `gw.compare` compares the outputs of two results."""
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        names = self.catalogue.outputs if self.stored is None else self.names
        return isinstance(name, str) and name in names

    def __getitem__(self, name: str) -> xr.DataArray:
        import xarray as xr

        output = self.catalogue[name]
        time = xr.Variable("time", self.time, {"units": "s", "long_name": self.time_name})
        values = self.array(name)
        attributes = {"units": output.unit, "long_name": output.description}
        return xr.DataArray(values, {"time": time}, ("time",), name, attributes)

    def get(self, name: str, default: Any = None) -> Any:
        """An output by name, or the default if there is none."""
        return self[name] if name in self else default  # noqa: SIM401 (this is the definition)

    def array(self, name: str) -> np.ndarray:
        """An output as a plain array (n_times,)."""
        if self.stored is not None and name in self.stored.values:
            return self.stored.values[name]
        output = self.catalogue[name]
        if self.stored is not None and name not in self.catalogue.outputs.added:
            ErrorContext("simulate", "store").fail(f"'{name}' was not kept", expected=f"store=['{name}', ...]")
        return np.array(output.values(self.motion), dtype=float)

    def dataset(self, names: list[str] | None = None) -> xr.Dataset:
        """Outputs as one xarray Dataset with units; all of them unless named (or unless there are very many)."""
        import xarray as xr

        selected = [names] if isinstance(names, str) else names if names is not None else self.default_names()
        data = xr.Dataset({name: self[name] for name in selected})
        data.attrs.update(self.attributes())
        return data

    def default_names(self) -> list[str]:
        """Outputs listed by the model; otherwise all outputs; if these are very many, all except those of unnamed beam
        nodes; if these are too many as well, energies, evidence, drives and, unless too many, positions of bodies."""
        requested = (self.document or {}).get("outputs") or []
        for name in requested:
            if name not in self.catalogue.outputs:
                raise self.catalogue.complaint(name)
        if self.stored is not None:
            return self.names
        if requested:
            return list(requested)
        outputs = self.catalogue.outputs
        if len(outputs) <= MAX_DATASET_OUTPUTS:
            return self.names
        ready = [*outputs.ready, *(name for section in outputs.lazy_sections for name in section.named())]
        if len(ready) <= MAX_DATASET_OUTPUTS:
            return ready
        drives = {names.name for names in self.mechanism.constraint_names if names.kind == "drive"}
        ready = [n for n in outputs.ready if n.startswith(("energy.", "evidence.")) or n.rpartition(".")[0] in drives]
        selected = set(ready)
        main = [
            n for n in outputs.ready if n in selected or (n.count(".") == 1 and n.rpartition(".")[2] in MAIN_QUANTITIES)
        ]
        ready = main if len(main) <= MAX_DATASET_OUTPUTS else ready
        return [*ready, *(name for section in outputs.lazy_sections for name in section.of_part())]

    def to_pandas(self, names: list[str] | None = None) -> pd.DataFrame:
        """Outputs as a table, one row per time."""
        return self.dataset(names).to_dataframe()

    def energy(self) -> xr.Dataset:
        """Kinetic, potential, dissipated energy, work and residual; power and work of every drive and load; energy
        dissipated by every damper, beam and contact; and energy stored in springs and beams."""
        ends = (".work", ".power", ".dissipated", ".friction_loss", ".energy", ".strain_energy")
        return self.dataset([n for n in self.names if n.startswith("energy.") or n.endswith(ends)])

    def drive_work(self, name: str) -> dict[str, float]:
        """Work of a drive over the run, J: net, positive, negative, and absolute = integral of |tau omega| (Eq 2.20)."""
        if name not in self.balance.drive_power:
            ErrorContext().fail(
                f"there is no drive '{name}'",
                expected=format_choices(name, self.balance.drive_power, "(the model has none)"),
            )
        if self.held:  # without speed there is no power, but work along the path
            parts = np.diff(self.array(f"{name}.work"))
            positive, negative = float(parts[parts > 0].sum()), float(parts[parts < 0].sum())
            absolute = positive - negative
        else:
            positive, negative, absolute = signed_work(self.time, self.balance.drive_power[name])
        return {"net": positive + negative, "positive": positive, "negative": negative, "absolute": absolute}

    def contact_names(self) -> list[str]:
        """Names of the contacts in the model: a contact along a beam is one, independent of the number of nodes."""
        return list(dict.fromkeys(names.whole or names.name for names in self.mechanism.contact_names))

    def contacts(self, name: str | None = None) -> pd.DataFrame:
        """Closed intervals of a contact (default: of all contacts), one row each.

        begin, end, duration: s; end is NaN while the contact is still closed. approach_speed, separation_speed: m/s, along
        the normal. restitution: their ratio. max_penetration: m. max_force: N, normal. impulse: N s, of the normal force.
        dissipated: J. slip: m. All values are computed in the integration steps, so nothing is lost between the output
        times. Statics has no history and gives no rows. Contacts of surfaces of solids are determined at the output times
        only."""
        import pandas as pd

        contacts = self.contact_names()
        parts = {names.name for names in self.mechanism.contact_names if name in (None, names.name, names.whole)}
        if name is not None and not parts:
            ErrorContext().fail(f"there is no contact '{name}'", expected=format_choices(name, contacts, "(none)"))
        rows = [
            {**e._asdict(), "duration": e.duration, "restitution": e.restitution}
            for e in self.episodes
            if e.contact in parts
        ]
        return pd.DataFrame(rows, columns=[*ContactEpisode._fields, "duration", "restitution"])

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
        alone, strain_energy; default: all that the section data allow. points: positions inside each element, besides its
        nodes. At a node of two elements the mean of both is given. Signs and definitions of the quantities:
        docs/theory/beams.md. Surface quantities need the height (or diameter) of the section, stresses also Young's modulus.

        For a spatial beam: x, y, z, strain, twist, curvature_2, curvature_3, axial_force, shear_force_2, shear_force_3,
        torque, bending_moment_2, bending_moment_3, bending_moment, surface_strain, normal_stress, shear_stress,
        strain_energy_density and strain_energy."""
        data = beam_dataset(self.catalogue.beam(name), self.motion, quantities, points)
        data.time.attrs["long_name"] = self.time_name
        data.attrs["title"] = self.mechanism.name
        return data

    def solid(self, name: str, *quantities: str) -> xr.Dataset:
        """Nodal fields of a solid: xarray Dataset over (time, node), where node 1 is the first.

        quantities: some of displacement, position, velocity, acceleration, von_mises, pressure, stress, principal_stresses,
        principal_stretches, volume_ratio, energy_density, contact_pressure; default: displacement and von_mises. Stresses
        are Cauchy stresses in the ground frame; they are computed inside the elements and averaged at the nodes."""
        from gaitwright.result.solid_fields import solid_dataset

        data = solid_dataset(self.mechanism, self._solid(name), self.motion, quantities)
        data.time.attrs["long_name"] = self.time_name
        data.attrs["title"] = self.mechanism.name
        return data

    def save_solid(self, name: str, folder: str | Path, *quantities: str, every: int = 1) -> Path:
        """Write a solid as a series of .vtu files, one per time (or per `every` times), and a .pvd file that lists them, for
        ParaView; return the path of the .pvd file. quantities: as in `solid`."""
        from gaitwright.result.solid_fields import save_vtu_series

        return save_vtu_series(self.mechanism, self._solid(name), self.motion, folder, quantities, every)

    def pressure(self, name: str | Sequence[str], cell: float = 5e-3) -> xr.DataArray:
        """Pressure of a surface in contact (gw.surfaces.Skin, gw.surfaces.Foundation, or the name of a condensed solid with
        friction) per sensor cell with the side `cell`, m, in the x-y plane of the ground: xarray DataArray over (time, y,
        x), Pa; in the plane over (time, x). Several contacts (heel and toes) are added. Plot it with
        `run.pressure("sole")[-1].plot()`."""
        from gaitwright.result.contact_surfaces import pressure_map

        return pressure_map(self.mechanism, self.motion, name, cell)

    def touching_points(self, name: str) -> xr.Dataset:
        """Points of a surface in contact (facets of a gw.surfaces.Foundation): xarray Dataset over (time, point) with pressure,
        force, position, penetration and slip, and the area of each point."""
        from gaitwright.result.contact_surfaces import point_dataset

        return point_dataset(self.mechanism, self.motion, name)

    def _solid(self, name: str) -> Any:
        solids = [part.name for part in self.mechanism.parts.values() if part.meshed]
        if name not in solids:
            ErrorContext().fail(
                f"there is no solid '{name}'", expected=format_choices(name, solids, "(the model has none)")
            )
        return self.mechanism.parts[name]

    def at(self, t: float | np.ndarray) -> StateHistory:
        """States between the output times by quintic Hermite interpolation (dense output) of q, v and a; multipliers and
        works, and all values between equilibria, are interpolated linearly."""
        times = np.atleast_1d(ErrorContext(field="t").numbers(t, "a time, or several, in s"))
        if self.stored is not None:
            ErrorContext("simulate", "store").fail(
                f"whole states were kept at {self.motion.t.size} times only",
                expected="store='all' for states between them",
            )
        if np.any(np.diff(self.time) < 0):
            ErrorContext(field="t").fail(
                "means more than one state: the path goes back in t",
                t,
                'a path with control="time"; its states are in `motion`',
            )
        first, last = self.time[0], self.time[-1]
        if not np.all((times >= first - 1e-9 * (last - first)) & (times <= last + 1e-9 * (last - first))):
            ErrorContext(field="t").fail("is outside the run", t, f"times from {first:g} to {last:g} s")
        return interpolate_states(self.motion, times)

    def crossings(self, name: str, level: float = 0.0, direction: int = 0) -> np.ndarray:
        """Times (s) at which an output passes a level, located on the dense output; direction +1 rising, -1 falling."""
        from scipy.optimize import brentq

        output = self.catalogue[name]
        values = self.array(name) - ErrorContext(field="level").finite(level, "the value that is passed")
        crossings: list[float] = []
        for k in np.flatnonzero(values[:-1] * values[1:] <= 0):
            if values[k] == values[k + 1] or (direction and np.sign(values[k + 1] - values[k]) != direction):
                continue
            between = StateHistory(*(x[k : k + 2] for x in self.motion))

            def miss(t: float, between: StateHistory = between) -> float:
                return float(output.values(interpolate_states(between, np.array([t])))[0]) - level

            ends = (float(self.time[k]), float(self.time[k + 1]))
            exact = [end for end, value in zip(ends, values[k : k + 2], strict=True) if value == 0]
            if self.held or self.stored is not None:
                root: Any = ends[0] + (ends[1] - ends[0]) * values[k] / (values[k] - values[k + 1])
            else:
                root = exact[0] if exact else brentq(miss, *ends, xtol=1e-14)
            if not crossings or abs(root - crossings[-1]) > 1e-12:
                crossings.append(float(root))
        return np.array(crossings)

    # files -----------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path, names: list[str] | None = None) -> Path:
        """Write the result to a file; the suffix of the path selects the format.

        .nc: netCDF, with states, outputs, evidence and the model; `gaitwright.load_result` reads it back. .mat (MATLAB),
        .parquet and .csv: outputs only, with names and units. names: outputs of a table; default: those of `dataset`."""
        from gaitwright.result.files.result_file import write_result
        from gaitwright.result.files.table_files import NETCDF_SUFFIXES, TABLE_WRITERS, write_table

        ending = Path(path).suffix.lower()
        if ending in TABLE_WRITERS:
            return write_table(self, path, names)
        if ending not in NETCDF_SUFFIXES:
            ErrorContext(field="path").fail(
                "a result has no such file", str(path), f".nc, or one of {', '.join(TABLE_WRITERS)}"
            )
        if names is not None:
            ErrorContext(field="names").fail(
                "are chosen for tables; netCDF holds the whole result", names, "no names with .nc"
            )
        return write_result(self, path)

    def attributes(self) -> dict[str, str]:
        """Attributes of the whole run, for files and datasets."""
        from gaitwright.result.files.result_file import run_attributes

        return run_attributes(self)

    def summary(self) -> dict[str, Any]:
        """The most important numbers of a run; JSON-ready."""
        from gaitwright.result.summary import summarise_result

        return summarise_result(self)

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if the result cannot be shown."""
        from gaitwright.report.views.notebook_cards import result_card

        return result_card(self)

    def __repr__(self) -> str:
        e = self.evidence
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if self.time.size else "empty"
        cut = "" if e.complete else ", CUT SHORT"
        return (
            f"<{e.analysis} result of '{self.mechanism.name}': {span}{cut}, {self.time.size} times, {e.method}; "
            f"constraints {e.max_position_violation:.1e}, energy residual {e.max_energy_residual:.1e} J>"
        )
