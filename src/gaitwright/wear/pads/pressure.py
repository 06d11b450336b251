"""Pressure below a pad over time, from the wrench of its cuff."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import DidNotConverge
from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.pads.cells import PadCells, build_pad_cells
from gaitwright.wear.pads.foundation import PadFoundation
from gaitwright.wear.pads.load_limits import raise_unsupported_load
from gaitwright.wear.pads.pad import CuffPad

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.wear.pads.limb_section import LimbSection

MAX_UNHELD_FORCE_RATIO = 0.01
"""Force not held by friction, over the load, above which the pad counts as sliding."""
MAX_RESIDUAL_RATIO = 1.0e-9
"""Tolerance of the relative imbalance, for rounding errors."""


@dataclass(frozen=True)
class PadPressure:
    """Pressure below a pad over time. pressure: (time, along, around), Pa; shear: same shape, its magnitude; along: m from
    the pad's middle, up the limb; around: degrees from its middle. force: (n, 3), N, and moment: (n, 3), N m, as given.
    tension: (n,), N, of the strap, which presses the other side of the limb. unheld: (n,), N, force not held by friction:
    the pad slides at that instant. method: uniform, foundation or solid. notes: assumptions and limits. section: for
    method solid, at the worst instant; scale: the factor it applies to all pressures."""

    pad: CuffPad
    pressure: xr.DataArray
    shear: xr.DataArray
    force: Array
    moment: Array
    tension: Array
    unheld: Array
    method: str
    notes: tuple[str, ...] = ()
    section: LimbSection | None = None
    scale: float = 1.0

    @property
    def time(self) -> Array:
        """Instants, (n,), s."""
        return np.asarray(self.pressure["time"])

    @property
    def cells(self) -> PadCells:
        return build_pad_cells(self.pad)

    @property
    def values(self) -> Array:
        """Pressure per cell, (n, c), Pa."""
        return np.asarray(self.pressure).reshape(len(self.time), -1)

    @property
    def peak(self) -> Array:
        """Largest pressure below the pad, (n,), Pa."""
        return self.values.max(axis=1)

    @property
    def area(self) -> Array:
        """Contact area, (n,), m^2, counted in whole cells."""
        return (self.values > 0.0) @ self.cells.area

    @property
    def mean(self) -> Array:
        """Mean pressure over the contact area, (n,), Pa; 0 without contact."""
        area = self.area
        return np.divide(self.values @ self.cells.area, area, out=np.zeros_like(area), where=area > 0.0)

    @property
    def centre(self) -> Array:
        """Centre of pressure, (n, 3), m, weighted by p dA; for a curved pad it lies below the skin; NaN without contact."""
        weight = self.values * self.cells.area
        total = weight.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (weight @ self.cells.places) / np.where(total > 0.0, total, np.nan)[:, None]

    @property
    def strap_pressure(self) -> Array:
        """Pressure of the strap on the side away from the pad, (n,), Pa: T/(R w)."""
        return self.tension / (self.pad.mean_radius * self.pad.width)

    @property
    def pressing(self) -> Array:
        """Magnitude of the resultant of all pressures, (n,), N; equals that of the cuff's load, without the factor
        `scale`."""
        pressed = (self.values * self.cells.area) @ self.cells.normal[:, :3]
        return np.linalg.norm(pressed, axis=1) / self.scale

    @property
    def worst(self) -> dict[str, float]:
        """Position and instant of the largest pressure: time, s; along, m; around, degrees; pressure, Pa."""
        n, j, i = np.unravel_index(int(np.argmax(self.pressure.values)), self.pressure.shape)
        return {
            "time": float(self.time[n]), "along": float(self.pressure["along"][j]),
            "around": float(self.pressure["around"][i]), "pressure": float(self.pressure.values[n, j, i]),
        }  # fmt: skip

    def to_dataset(self) -> xr.Dataset:
        """Dataset of pressure and shear over (time, along, around), and peak, mean, area, centre, tension and unheld over
        time."""
        import xarray as xr

        over = {
            name: ("time", getattr(self, name), {"units": unit})
            for name, unit in (("peak", "Pa"), ("mean", "Pa"), ("area", "m^2"), ("tension", "N"), ("unheld", "N"))
        }
        centre = {"centre": (("time", "axis"), self.centre, {"units": "m"})}
        about = {"region": self.pad.region, "method": self.method, "notes": "; ".join(self.notes)}
        return xr.Dataset(
            {"pressure": self.pressure, "shear": self.shear, **over, **centre}, {"axis": list("xyz")}, attrs=about
        )


def press(
    pad: CuffPad,
    force: ArrayLike,
    moment: ArrayLike | None = None,
    time: ArrayLike | None = None,
    *,
    method: str = "foundation",
) -> PadPressure:
    """Pressure below a pad. force: (n, 3) or (3,), N, and moment: same shape, N m, default zero: on the limb, about the
    cuff's centre, in the frame of the segment, y along the limb. time: (n,), s; default 0, 1, ... method:

    uniform      the component of the force towards the limb over the projected area; moments have no effect
    foundation   a rigid pad on an elastic foundation with the limb's curvature, see foundation.py
    solid        finite elements of a section of the limb at the worst instant, see limb_section.py; otherwise as foundation

    Raises ModelError for invalid input and for loads that the pad cannot carry."""
    if not isinstance(pad, CuffPad):
        ErrorContext("press", "pad").fail("is no pad", pad, "gw.wear.CuffPad(region, width)")
    force, moment, time = _read_loads(pad.at, force, moment, time)
    method = ErrorContext("press", "method").one_of(method, PRESSURE_METHODS, "is no way to find a pressure")
    return PRESSURE_METHODS[method](pad, force, moment, time)


def _read_loads(at: ErrorContext, force: Any, moment: Any, time: Any) -> tuple[Array, Array, Array]:
    force = np.atleast_2d(at["force"].numbers(force, "(n, 3), N"))
    moment = np.zeros_like(force) if moment is None else np.atleast_2d(at["moment"].numbers(moment, "(n, 3), N m"))
    time = np.arange(float(len(force))) if time is None else np.atleast_1d(at["time"].numbers(time, "(n,), s"))
    shapes = {"force": (force, (len(force), 3)), "moment": (moment, force.shape), "time": (time, (len(force),))}
    for name, (value, shape) in shapes.items():
        if value.shape != shape or not len(value):
            at[name].fail("has another shape than the load", value.shape, f"{shape}")
        wrong = np.flatnonzero(~np.isfinite(value.reshape(len(value), -1)).all(axis=1))
        if len(wrong):
            problem = f"is not finite at {len(wrong)} of {len(value)} instants, first at number {wrong[0]}"
            at[name].fail(problem, value[wrong[0]].tolist(), "numbers")
    if np.any(np.diff(time) <= 0.0):
        at["time"].fail("does not grow", expected="instants in order")
    return force, moment, time


def pressure_arrays(
    pad: CuffPad, cells: PadCells, time: Array, pressure: Array, shear: Array
) -> tuple[xr.DataArray, xr.DataArray]:
    """Reshape pressure and shear, (n, c), to (time, along, around)."""
    import xarray as xr

    coords = {"time": ("time", time, {"units": "s"}), "along": ("along", cells.along, {"units": "m"}),
              "around": ("around", cells.around, {"units": "degrees"})}  # fmt: skip
    shape = (len(time), *(pad.cells or ()))
    arrays = [
        xr.DataArray(values.reshape(shape), coords, ("time", "along", "around"), name, {"units": "Pa"})
        for name, values in (("pressure", pressure), ("shear", shear))
    ]
    return arrays[0], arrays[1]


def press_by_foundation(pad: CuffPad, force: Array, moment: Array, time: Array) -> PadPressure:
    """Pressure of a rigid pad on an elastic foundation."""
    cells = build_pad_cells(pad)
    wrench = np.concatenate([force, moment], axis=1)
    equilibrium = PadFoundation(pad, cells).rest(wrench)
    at_skin = np.array([1.0, 1.0, 1.0, *[1.0 / pad.mean_radius] * 3])
    size, left = (np.linalg.norm(part * at_skin, axis=1) for part in (wrench, equilibrium.beyond))
    sliding = np.flatnonzero(left > MAX_UNHELD_FORCE_RATIO * np.maximum(size, 1e-9))
    gone = np.flatnonzero(equilibrium.lost)
    if len(gone):
        worst = int(gone[np.argmax(size[gone])])
        raise_unsupported_load(pad, cells, wrench[worst], float(time[worst]))
    if equilibrium.residual.max() > MAX_RESIDUAL_RATIO:
        n = int(np.argmax(equilibrium.residual))
        raise DidNotConverge(
            f"{pad.at.element}: no balance of pressures was found at {time[n]:.4g} s", time=float(time[n])
        )
    unheld = np.zeros(len(time))
    unheld[sliding] = np.linalg.norm(equilibrium.beyond[sliding, :3], axis=1)
    pressure, shear = pressure_arrays(pad, cells, time, equilibrium.pressure, np.linalg.norm(equilibrium.shear, axis=2))
    notes = []
    if len(sliding):
        notes.append(
            f"friction of {pad.friction:g} does not hold the pad at {len(sliding)} of {len(time)} instants: up to"
            f" {unheld.max():.3g} N are left, and it slides"
        )
    return PadPressure(pad, pressure, shear, force, moment, equilibrium.tension, unheld, "foundation", tuple(notes))


def press_uniformly(pad: CuffPad, force: Array, moment: Array, time: Array) -> PadPressure:
    """Uniform pressure p = N/A: N is the component of the force towards the limb, A the pad's projected area; a closed cuff
    presses on the half that the force acts on. A strap adds T/(R w), and carries pulling forces."""
    cells = build_pad_cells(pad)
    inward = -force @ pad.outward if pad.around < 360.0 else np.hypot(force[:, 0], force[:, 2])
    if pad.strap is None and np.any(inward < 0.0):
        worst = int(np.argmin(inward))
        raise_unsupported_load(pad, cells, np.concatenate([force[worst], moment[worst]]), float(time[worst]))
    tension = np.full(len(time), pad.strap or 0.0)
    spread = np.sin(np.radians(min(pad.around, 180.0)) / 2.0)
    held = 2.0 * tension * spread * (pad.around < 360.0)
    tension = np.where(inward < -held, -inward / (2.0 * spread), tension)
    side = pad.outward if pad.around < 360.0 else None
    radial = np.stack([cells.places[:, 0], cells.places[:, 2]], axis=1)
    if side is None:
        towards = -force[:, [0, 2]] / np.maximum(inward, 1e-300)[:, None]
        seen = towards @ radial.T >= -1e-12
    else:
        seen = np.broadcast_to(radial @ side[[0, 2]] >= -1e-12, (len(time), len(radial)))
    preload = (pad.strap or 0.0) / (pad.mean_radius * pad.width)
    pressure = np.maximum(seen * (inward / pad.projected_area)[:, None] + preload, 0.0)
    beside = force - np.outer(force @ pad.outward, pad.outward)
    across = np.linalg.norm(beside, axis=1) if pad.around < 360.0 else np.abs(force[:, 1])
    touching = (pressure > 0.0) @ cells.area
    shear = np.divide(across, touching, out=np.zeros_like(across), where=touching > 0.0)
    unheld = np.maximum(across - pad.friction * (pressure @ cells.area), 0.0)
    notes = ("uniform pressure leaves out moments and forces across the pad's direction",)
    both = pressure_arrays(pad, cells, time, pressure, shear[:, None] * (pressure > 0.0))
    return PadPressure(pad, *both, force, moment, tension, unheld, "uniform", notes)


def press_by_solid(pad: CuffPad, force: Array, moment: Array, time: Array) -> PadPressure:
    """Pressure by foundation, scaled by finite elements at the worst instant."""
    from gaitwright.wear.pads.limb_section import scale_by_solid_section

    return scale_by_solid_section(press_by_foundation(pad, force, moment, time))


PRESSURE_METHODS: dict[str, Callable[[CuffPad, Array, Array, Array], PadPressure]] = {
    "uniform": press_uniformly,
    "foundation": press_by_foundation,
    "solid": press_by_solid,
}
"""Functions that compute the pressure, by name of the method."""
