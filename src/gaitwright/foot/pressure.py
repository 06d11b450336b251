"""Pressure under a foot, per sensor cell in its own frame: maps over time, derived quantities, and files.

Sensors lie in the sole, as in an insole: a point of the sole stays in its cell however the foot rolls and its toes bend.
Cells are therefore those of the drawn, undeformed sole seen from above in the frame of the foot (x forward, y to the left),
and the pressure is the normal force in a cell divided by its area. `run.pressure(...)` returns the pressure on a platform in
the ground instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.areas import AREAS, area_of
from gaitwright.foot.placement import FootPlacement
from gaitwright.foot.rollover import detect_stance_instants
from gaitwright.mesh.cell_kinds import Array
from gaitwright.result.contact_surfaces import PressureSurface, pressure_map

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gaitwright.foot.shape import FootShape
    from gaitwright.result.result import Result

SENSOR_SIZE_M = 5e-3
"""Side of a sensor, m."""
MIN_SENSOR_PRESSURE_PA = 1e3
"""Default threshold of a loaded sensor, Pa: insoles measure from about 10 to 20 kPa, platforms from less."""
FOREFOOT_AREAS = AREAS[2:5]


def pressure_of(
    run: Result, contact: str | Sequence[str] | FootPlacement, shape: FootShape, *, placing: FootPlacement | None = None,
    cell: float = SENSOR_SIZE_M, least: float = MIN_SENSOR_PRESSURE_PA,
) -> FootPressure:  # fmt: skip
    """Pressure under a foot along a run.

    contact: name or names of the contacts of its sole (of a gw.surfaces.Skin or a gw.surfaces.Foundation) or of
    condensed solids with
    friction, such as heel and toes; or the result of Foot.attach. shape: of the foot, for its areas. placing: pose in which
    it was drawn, if its frame is not that of the ground. cell: side of a sensor, m. least: threshold of a loaded sensor, Pa.

    Raises an error for a run of a plane model."""
    if isinstance(contact, FootPlacement):
        contact, placing = contact.contacts, contact
    if run.mechanism.dimension != 3:
        ErrorContext("pressure of a foot").fail("is that of a model in space", expected="gw.Model(dimension=3)")
    names = [contact] if isinstance(contact, str) else list(contact)
    turn, at = (np.eye(3), np.zeros(3)) if placing is None else (placing.rotation, np.array(placing.at))

    def sole(surface: PressureSurface) -> Array:
        return ((surface.drawn() - at) @ turn)[None]

    maps = pressure_map(run.mechanism, run.motion, names, cell, sole)
    maps.attrs["long_name"] = "pressure per cell of the sole"
    maps["x"].attrs["long_name"], maps["y"].attrs["long_name"] = "forward from the heel", "to the left"
    force, moment = _resultant_force(run, names)
    return FootPressure(maps, shape, float(cell), float(least), force, moment)


def _resultant_force(run: Result, names: Sequence[str]) -> tuple[Array, Array]:
    """Force (times, 3), N, in the ground frame, and the free moment about z, N m, at the common centre of pressure."""
    values = []
    for name in names:
        # "mz" of a solid is the moment at the origin of its body.
        free = "free_moment" if name in run.mechanism.parts else "mz"
        values.append({x: run.array(f"{name}.{x}") for x in WRENCH_OUTPUTS} | {"free": run.array(f"{name}.{free}")})
    force = np.stack([sum(one[f"f{x}"] for one in values) for x in "xyz"], axis=1)
    normal = sum(one["normal_force"] for one in values)
    centre = []
    for x in "xy":
        total = sum(one["normal_force"] * np.nan_to_num(one[x]) for one in values)
        centre.append(np.divide(total, normal, out=np.zeros_like(total), where=normal > 0.0))
    moment = np.zeros(len(force))
    for one in values:
        x, y = (np.where(one["normal_force"] > 0.0, one[a] - c, 0.0) for a, c in zip("xy", centre, strict=True))
        moment = moment + one["free"] + x * one["fy"] - y * one["fx"]
    return force, moment


WRENCH_OUTPUTS = ("fx", "fy", "fz", "x", "y", "normal_force")


@dataclass(frozen=True, eq=False)
class FootPressure:
    """maps: Pa, (time, y, x), in the frame of the foot. cell: side of a cell, m. least: of a cell that counts as pressed, Pa.
    ground_force: (times, 3), N, on the foot, in the ground frame. free_moment: (times,), N m, about z at the centre of
    pressure."""

    maps: xr.DataArray
    shape: FootShape
    cell: float
    least: float
    ground_force: Array
    free_moment: Array

    def _over_time(self, values: Array, unit: str, text: str, **dims: Any) -> xr.DataArray:
        import xarray as xr

        data = xr.DataArray(values, dims=("time", *dims), coords={"time": self.maps.time, **dims})
        return data.assign_attrs(units=unit, long_name=text)

    @property
    def time(self) -> Array:
        return self.maps.time.values

    # Maps

    @cached_property
    def peak(self) -> xr.DataArray:
        """Largest pressure of each cell, Pa, (y, x)."""
        return self.maps.max("time").assign_attrs(units="Pa", long_name="largest pressure of a cell")

    @cached_property
    def mean(self) -> xr.DataArray:
        """Mean of each cell while it is loaded, Pa, (y, x); 0 if it never is."""
        pressed = self.maps.where(self.maps > self.least)
        return (
            pressed.mean("time").fillna(0.0).assign_attrs(units="Pa", long_name="mean pressure of a cell when pressed")
        )

    @cached_property
    def integral(self) -> xr.DataArray:
        """Pressure-time integral of each cell, Pa s, (y, x)."""
        integral = self.maps.integrate("time") if len(self.time) > 1 else self.maps.sum("time") * 0.0
        return integral.assign_attrs(units="Pa s", long_name="pressure-time integral of a cell")

    def at(self, time: float) -> xr.DataArray:
        """Map at the sample nearest to a time, s."""
        return self.maps.sel(time=time, method="nearest")

    # Areas of the sole

    @cached_property
    def areas(self) -> Array:
        """Index into AREAS of each cell, (y, x)."""
        measures = self.shape.measures
        x, y = np.meshgrid(self.maps.x.values, self.maps.y.values)
        return area_of(x, y, length=measures.length, ball_width=measures.ball_width, side=self.shape.side)

    @cached_property
    def forces(self) -> xr.DataArray:
        """Normal force of each area of the sole, N, (time, area)."""
        values = self.maps.values.reshape(len(self.time), -1) * self.cell**2
        forces = np.stack([values[:, self.areas.ravel() == k].sum(axis=1) for k in range(len(AREAS))], axis=1)
        return self._over_time(forces, "N", "normal force", area=list(AREAS))

    @cached_property
    def force(self) -> xr.DataArray:
        """Normal force of the whole sole, N, (time,)."""
        return self._over_time(self.forces.sum("area").values, "N", "normal force")

    @cached_property
    def regions(self) -> pd.DataFrame:
        """Table with a row per area and one for the whole sole (total): peak_pressure (Pa, of a cell), mean_pressure
        (Pa, of loaded cells), integral (Pa s, of its largest pressure over time), impulse (N s), largest_force (N),
        contact_area (m^2, the largest), contact_time (s), share (fraction of the impulse)."""
        import pandas as pd

        maps, t = self.maps.values, self.time
        impulse = float(np.trapezoid(self.force.values, t)) if len(t) > 1 else float(self.force.values.sum())
        rows = {}
        for k, name in enumerate((*AREAS, "total")):
            mine = maps[:, self.areas == k] if name != "total" else maps.reshape(len(t), -1)
            pressed = mine > self.least
            largest = mine.max(axis=1, initial=0.0)
            force = mine.sum(axis=1) * self.cell**2
            own = float(np.trapezoid(force, t)) if len(t) > 1 else float(force.sum())
            rows[name] = {
                "peak_pressure": float(largest.max(initial=0.0)),
                "mean_pressure": float(mine[pressed].mean()) if pressed.any() else 0.0,
                "integral": float(np.trapezoid(largest, t)) if len(t) > 1 else 0.0,
                "impulse": own if len(t) > 1 else 0.0,
                "largest_force": float(force.max(initial=0.0)),
                "contact_area": float(pressed.sum(axis=1).max(initial=0) * self.cell**2),
                "contact_time": float(np.trapezoid(pressed.any(axis=1).astype(float), t)) if len(t) > 1 else 0.0,
                "share": own / impulse if impulse > 0.0 else 0.0,
            }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "area"
        return table

    # Over time

    @cached_property
    def contact_area(self) -> xr.DataArray:
        """Area of loaded cells, m^2, (time,)."""
        values = (self.maps.values > self.least).sum(axis=(1, 2)) * self.cell**2
        return self._over_time(values, "m^2", "area of pressed cells")

    @cached_property
    def centre(self) -> xr.DataArray:
        """Path of the centre of pressure in the sole, m, (time, axis), from cells; NaN in the air."""
        total = self.maps.sum(("x", "y")).values
        path = np.full((len(total), 2), np.nan)
        on = total > 0.0
        for k, axis in enumerate("xy"):
            other = "y" if axis == "x" else "x"
            path[on, k] = (self.maps.sum(other) * self.maps[axis]).sum(axis).values[on] / total[on]
        return self._over_time(path, "m", "centre of pressure in the frame of the foot", axis=["x", "y"])

    @cached_property
    def progression(self) -> xr.DataArray:
        """Position of the centre of pressure along the foot, in foot lengths, over the fraction of stance, 0 to 1."""
        import xarray as xr

        when = self.instants
        begin, end = np.nanmin([when["heel strike"], when["foot flat"], np.inf]), when["toe-off"]
        end = self.time[-1] if np.isnan(end) else end
        inside = (self.time >= begin) & (self.time <= end) & ~np.isnan(self.centre.values[:, 0])
        part = (self.time[inside] - begin) / max(float(end - begin), 1e-300)
        along = self.centre.values[inside, 0] / self.shape.measures.length
        data = xr.DataArray(along, dims="stance", coords={"stance": part}, attrs={"units": "1"})
        return data.assign_attrs(long_name="centre of pressure by the length of the foot")

    @cached_property
    def instants(self) -> dict[str, float]:
        """Times of heel strike, foot flat, heel-off, toe-off and swing, s; NaN for an instant that does not occur
        (rollover.py)."""
        forefoot = self.forces.sel(area=list(FOREFOOT_AREAS)).sum("area").values
        return detect_stance_instants(self.time, self.forces.sel(area="heel").values, forefoot, self.force.values)

    def dataset(self) -> xr.Dataset:
        """Maps and all quantities over time, with units."""
        import xarray as xr

        return xr.Dataset(
            {
                "pressure": self.maps, "peak_pressure": self.peak, "mean_pressure": self.mean,
                "pressure_time_integral": self.integral, "normal_force": self.force, "area_force": self.forces,
                "contact_area": self.contact_area, "centre_of_pressure": self.centre,
                "ground_force": self._over_time(self.ground_force, "N", "force on the foot", ground_axis=list("xyz")),
                "free_moment": self._over_time(self.free_moment, "N m", "free moment about the vertical"),
            }
        )  # fmt: skip

    def save(self, folder: str | Path) -> Path:
        """Write tables (.csv), the peak map as .apd and all maps as .vtu files. Return the folder. See
        foot/pressure_files.py."""
        from gaitwright.foot.pressure_files import save_pressure

        return save_pressure(self, folder)

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the roll-over: maps at the five instants, and the largest pressures with the path of their centre."""
        from gaitwright.report.views.pressure_plots import draw_rollover

        return draw_rollover(self, path)
