"""Pressure over a pad in time, from the wrench of its cuff."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gaitwright.checks import At
from gaitwright.errors import DidNotConverge
from gaitwright.mesh.kinds import Array
from gaitwright.wear.pads.bed import Bed
from gaitwright.wear.pads.cells import Cells, cells_of
from gaitwright.wear.pads.holding import refuse
from gaitwright.wear.pads.pad import Pad

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.wear.pads.section import Section

UNHELD = 0.01
"""Share of the force that friction may leave before a pad counts as one that slides."""
UNBALANCED = 1.0e-9
"""Share of the wrench that may be left over by rounding."""


@dataclass(frozen=True)
class PadPressure:
    """pressure: (time, along, around), Pa; shear: likewise, its magnitude; along: m from the pad's middle, up the limb; around:
    degrees from its middle. force: (n, 3), N, and moment: (n, 3), N m, what was given. tension: (n,), N, of the strap, which
    presses the other side of the limb. unheld: (n,), N, what friction could not hold: the pad slides there. method: uniform,
    foundation or solid. notes: what a reader must know.
    section: of method solid, at the worst instant, and scale: what it has multiplied all pressures by."""

    pad: Pad
    pressure: xr.DataArray
    shear: xr.DataArray
    force: Array
    moment: Array
    tension: Array
    unheld: Array
    method: str
    notes: tuple[str, ...] = ()
    section: Section | None = None
    scale: float = 1.0

    @property
    def time(self) -> Array:
        """(n,), s."""
        return np.asarray(self.pressure["time"])

    @property
    def cells(self) -> Cells:
        return cells_of(self.pad)

    @property
    def values(self) -> Array:
        """(n, c), Pa, per cell."""
        return np.asarray(self.pressure).reshape(len(self.time), -1)

    @property
    def peak(self) -> Array:
        """(n,), Pa, below the pad."""
        return self.values.max(axis=1)

    @property
    def area(self) -> Array:
        """(n,), m^2, that touches: whole cells."""
        return (self.values > 0.0) @ self.cells.area

    @property
    def mean(self) -> Array:
        """(n,), Pa, over what touches; 0 where nothing does."""
        area = self.area
        return np.divide(self.values @ self.cells.area, area, out=np.zeros_like(area), where=area > 0.0)

    @property
    def centre(self) -> Array:
        """(n, 3), m: centre of pressure, weighted by p dA, below the skin by the pad's roundness; NaN where nothing touches."""
        weight = self.values * self.cells.area
        total = weight.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (weight @ self.cells.places) / np.where(total > 0.0, total, np.nan)[:, None]

    @property
    def strap_pressure(self) -> Array:
        """(n,), Pa, of the strap on the side away from the pad: T/(R w)."""
        return self.tension / (self.pad.mean_radius * self.pad.width)

    @property
    def pressing(self) -> Array:
        """(n,), N: length of the sum of all pressures as forces; as the cuff has it, also where edges press more."""
        pressed = (self.values * self.cells.area) @ self.cells.normal[:, :3]
        return np.linalg.norm(pressed, axis=1) / self.scale

    @property
    def worst(self) -> dict[str, float]:
        """Where and when the pressure is largest: time, s; along, m; around, degrees; pressure, Pa."""
        n, j, i = np.unravel_index(int(np.argmax(self.pressure.values)), self.pressure.shape)
        return {
            "time": float(self.time[n]), "along": float(self.pressure["along"][j]),
            "around": float(self.pressure["around"][i]), "pressure": float(self.pressure.values[n, j, i]),
        }  # fmt: skip

    def to_dataset(self) -> xr.Dataset:
        """pressure and shear over (time, along, around); peak, mean, area, centre, tension and unheld over time."""
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
    pad: Pad,
    force: ArrayLike,
    moment: ArrayLike | None = None,
    time: ArrayLike | None = None,
    *,
    method: str = "foundation",
) -> PadPressure:
    """Pressure below a pad. force: (n, 3) or (3,), N, and moment: likewise, N m, zero unless given: on the limb, at the cuff's
    centre, in the frame of the segment, y along the limb. time: (n,), s; 0, 1, ... unless given. method:

    uniform      the part of the force that presses, over the area that it sees; moments press nobody
    foundation   a rigid pad on a bed of springs on the limb's curvature, see bed.py
    solid        finite elements of a section of the limb at the worst instant, see section.py; else as foundation"""
    if not isinstance(pad, Pad):
        At("press", "pad").fail("is no pad", pad, "gw.wear.Pad(region, width)")
    force, moment, time = _loads(pad.at, force, moment, time)
    method = At("press", "method").one_of(method, METHODS, "is no way to find a pressure")
    return METHODS[method](pad, force, moment, time)


def _loads(at: At, force: Any, moment: Any, time: Any) -> tuple[Array, Array, Array]:
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


def arrays(pad: Pad, cells: Cells, time: Array, pressure: Array, shear: Array) -> tuple[xr.DataArray, xr.DataArray]:
    """(n, c) as (time, along, around)."""
    import xarray as xr

    coords = {"time": ("time", time, {"units": "s"}), "along": ("along", cells.along, {"units": "m"}),
              "around": ("around", cells.around, {"units": "degrees"})}  # fmt: skip
    shape = (len(time), *(pad.cells or ()))
    made = [
        xr.DataArray(values.reshape(shape), coords, ("time", "along", "around"), name, {"units": "Pa"})
        for name, values in (("pressure", pressure), ("shear", shear))
    ]
    return made[0], made[1]


def by_foundation(pad: Pad, force: Array, moment: Array, time: Array) -> PadPressure:
    """A rigid pad on a bed of springs."""
    cells = cells_of(pad)
    wrench = np.concatenate([force, moment], axis=1)
    found = Bed(pad, cells).rest(wrench)
    at_skin = np.array([1.0, 1.0, 1.0, *[1.0 / pad.mean_radius] * 3])
    size, left = (np.linalg.norm(part * at_skin, axis=1) for part in (wrench, found.beyond))
    sliding = np.flatnonzero(left > UNHELD * np.maximum(size, 1e-9))
    gone = np.flatnonzero(found.lost)
    if len(gone):
        worst = int(gone[np.argmax(size[gone])])
        refuse(pad, cells, wrench[worst], float(time[worst]))
    if found.residual.max() > UNBALANCED:
        n = int(np.argmax(found.residual))
        raise DidNotConverge(
            f"{pad.at.element}: no balance of pressures was found at {time[n]:.4g} s", time=float(time[n])
        )
    unheld = np.zeros(len(time))
    unheld[sliding] = np.linalg.norm(found.beyond[sliding, :3], axis=1)
    pressure, shear = arrays(pad, cells, time, found.pressure, np.linalg.norm(found.shear, axis=2))
    notes = []
    if len(sliding):
        notes.append(
            f"friction of {pad.friction:g} does not hold the pad at {len(sliding)} of {len(time)} instants: up to"
            f" {unheld.max():.3g} N are left, and it slides"
        )
    return PadPressure(pad, pressure, shear, force, moment, found.tension, unheld, "foundation", tuple(notes))


def by_area(pad: Pad, force: Array, moment: Array, time: Array) -> PadPressure:
    """p = N/A: N the part of the force towards the limb, A the pad's projected area; a closed cuff presses on the half that the
    force comes from. A strap adds T/(R w), and takes what pulls."""
    cells = cells_of(pad)
    inward = -force @ pad.outward if pad.around < 360.0 else np.hypot(force[:, 0], force[:, 2])
    if pad.strap is None and np.any(inward < 0.0):
        worst = int(np.argmin(inward))
        refuse(pad, cells, np.concatenate([force[worst], moment[worst]]), float(time[worst]))
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
    notes = ("uniform pressure leaves out moments and what a pad presses beside its direction",)
    both = arrays(pad, cells, time, pressure, shear[:, None] * (pressure > 0.0))
    return PadPressure(pad, *both, force, moment, tension, unheld, "uniform", notes)


def by_solid(pad: Pad, force: Array, moment: Array, time: Array) -> PadPressure:
    """As foundation, but at the worst instant by finite elements."""
    from gaitwright.wear.pads.section import at_the_worst

    return at_the_worst(by_foundation(pad, force, moment, time))


METHODS: dict[str, Callable[[Pad, Array, Array, Array], PadPressure]] = {
    "uniform": by_area,
    "foundation": by_foundation,
    "solid": by_solid,
}
"""Ways to find the pressure, by name."""
