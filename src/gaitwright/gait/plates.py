"""Force plates: from channels to force and moment, centre of pressure, free moment, offsets.

Types of C3D (c3d.org, manual): 1 force, centre of pressure and free moment; 2 force and moment; 4 the same by a matrix of
calibration; 3 eight sensors of Kistler. The axes of a plate come from its corners:

    x = (c1 + c4 - c2 - c3) / 2,   y = (c1 + c2 - c3 - c4) / 2,   z = x cross y, which points down,

and its origin lies at `origin` from the middle of its surface, counted from the sensors: M_surface = M + F x origin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.c3d_file import C3dPlate

LEAST = 50.0
"""N, below which a centre of pressure means nothing."""


@dataclass(frozen=True)
class Plate:
    """Force on the person (n, 3), N, and moment about the origin of the laboratory (n, 3), N m; corners (4, 3), m, if known.
    height: of its surface, m. Frame: that of the trial, z up."""

    name: str
    force: np.ndarray
    moment: np.ndarray
    rate: float
    corners: np.ndarray | None = None
    height: float = 0.0

    @property
    def times(self) -> np.ndarray:
        return np.arange(len(self.force)) / self.rate

    def centre_of_pressure(self, least: float = LEAST) -> np.ndarray:
        """(n, 3), m: where the force acts on the surface; NaN where it is below `least`, N."""
        fx, fy, fz = self.force.T
        carried = np.where(fz >= least, fz, np.nan)
        mx, my, _ = self.moment.T
        x, y = (self.height * fx - my) / carried, (mx + self.height * fy) / carried
        return np.column_stack([x, y, np.where(np.isnan(carried), np.nan, self.height)])

    def free_moment(self, least: float = LEAST) -> np.ndarray:
        """(n,), N m, about the vertical through the centre of pressure; NaN below `least`."""
        x, y, _ = self.centre_of_pressure(least).T
        return self.moment[:, 2] - (x * self.force[:, 1] - y * self.force[:, 0])

    def at(self, times: np.ndarray) -> Plate:
        """Sampled at other times, by lines between samples."""
        sampled = [np.column_stack([np.interp(times, self.times, c) for c in v.T]) for v in (self.force, self.moment)]
        rate = 1 / (times[1] - times[0]) if len(times) > 1 else self.rate
        return replace(self, force=sampled[0], moment=sampled[1], rate=rate)


def from_point(
    name: str, force: np.ndarray, point: np.ndarray, free_moment: np.ndarray, up: np.ndarray, rate: float
) -> Plate:
    """Of force, N, where it acts, m, and the moment about `up` there, N m. Without force, the point does not count."""
    point = np.where(np.isfinite(point), point, 0.0)
    moment = np.cross(point, force) + np.outer(free_moment, up)
    return Plate(name, force, moment, rate)


def from_c3d(plate: C3dPlate, name: str, unit: float, rate: float) -> Plate:
    """unit: metres per unit of points in the file. Frame: the laboratory's."""
    if plate.type not in _BY_TYPE:
        At(f"plate '{name}'", "type").fail("is not known", plate.type, "1, 2, 3 or 4")
    corners = np.asarray(plate.corners, dtype=float) * unit
    axes = _axes(corners, name)
    force, moment = _BY_TYPE[plate.type](plate, unit)
    middle = corners.mean(axis=0)
    force, moment = force @ axes, moment @ axes
    return Plate(name, force, moment + np.cross(middle, force), rate, corners)


def _axes(corners: np.ndarray, name: str) -> np.ndarray:
    """Rows: axes of the plate in the laboratory."""
    c1, c2, c3, c4 = corners
    x, y = c1 + c4 - c2 - c3, c1 + c2 - c3 - c4
    z = np.cross(x, y)
    if not np.linalg.norm(z) > 1e-6:
        At(f"plate '{name}'", "corners").fail("are in one line", expected="the four corners of its surface, in order")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z])


def _moment_unit(units: list[str], unit: float) -> float:
    """N m per unit of the last channel: as it says, or force times the unit of points, as the manual has it."""
    said = units[-1].lower().replace(" ", "").replace(".", "").replace("*", "") if units else ""
    return {"nm": 1.0, "nmm": 1e-3, "ncm": 1e-2}.get(said, unit)


def _of_sensors(force: np.ndarray, moment: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    origin = -origin if origin[2] > 0 else origin  # sensors are below the surface: some write it the other way round
    return force, moment + np.cross(force, origin)


def _type_1(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    force, (px, py, free) = plate.channels[:, :3], plate.channels[:, 3:].T
    point = np.column_stack([px, py, 0 * px]) * unit
    turning = free * _moment_unit(plate.units, unit)
    return force, np.cross(point, force) + np.outer(turning, [0, 0, 1])


def _type_2(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    moment = plate.channels[:, 3:] * _moment_unit(plate.units, unit)
    return _of_sensors(plate.channels[:, :3], moment, np.asarray(plate.origin) * unit)


def _type_3(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """Channels fx12 fx34 fy14 fy23 fz1 fz2 fz3 fz4; origin: a, b, half the distances of the sensors, and their depth."""
    x12, x34, y14, y23, z1, z2, z3, z4 = plate.channels.T
    a, b, depth = np.abs(np.asarray(plate.origin) * unit)
    force = np.column_stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4])
    moment = np.column_stack([b * (z1 + z2 - z3 - z4), a * (-z1 + z2 + z3 - z4), b * (-x12 + x34) + a * (y14 - y23)])
    return _of_sensors(force, moment, np.array([0.0, 0.0, -depth]))


def _type_4(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    matrix = np.eye(6) if plate.matrix is None else plate.matrix
    return _type_2(replace(plate, channels=plate.channels @ matrix.T), unit)


_BY_TYPE = {1: _type_1, 2: _type_2, 3: _type_3, 4: _type_4}


def offset_of(plate: Plate) -> np.ndarray:
    """(6,): what a plate shows with nobody on it: force, N, and moment about the origin, N m; zeros where it is
    never free. Free is where the vertical force stays within 15 N of its lowest tenth for a tenth of a second."""
    vertical = plate.force[:, 2]
    low = np.quantile(vertical, 0.1)
    free = np.abs(vertical - low) < 15.0
    if free.sum() < 0.1 * plate.rate or low > 100.0:
        return np.zeros(6)
    return np.median(np.hstack([plate.force, plate.moment])[free], axis=0)


def without_offset(plate: Plate) -> tuple[Plate, str]:
    """The plate without its offset, and a sentence if that was more than 2 N or 0.5 N m."""
    offset = offset_of(plate)
    mended = replace(plate, force=plate.force - offset[:3], moment=plate.moment - offset[3:])
    if np.abs(offset[:3]).max() < 2.0 and np.abs(offset[3:]).max() < 0.5:
        return (mended if offset.any() else plate), ""
    return mended, f"{plate.name} shows {offset[2]:.1f} N with nobody on it: subtracted"
