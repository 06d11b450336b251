"""Force plates: force and moment from channels, centre of pressure, free moment, offsets.

Types of C3D (c3d.org, manual): 1 force, centre of pressure and free moment; 2 force and moment; 4 the same with a
calibration matrix; 3 eight sensors of Kistler; 5 the same with a matrix of 6 by 8, which gives force and moment; 6 twelve
sensors, the components of four forces in the corners, with a matrix of 12 by 12; 7 eight sensors with a matrix of 8 by 8. The
axes of a plate follow from its corners:

    x = (c1 + c4 - c2 - c3) / 2,   y = (c1 + c2 - c3 - c4) / 2,   z = x cross y, which points down,

and its origin has the offset `origin` from the centre of its surface, measured from the sensors: M_surface = M + F x origin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.c3d_file import C3dPlate

MIN_CENTRE_FORCE_N = 50.0
"""N: load below which a centre of pressure is meaningless."""


@dataclass(frozen=True)
class ForcePlate:
    """Force on the person (n, 3), N, and moment about the origin of the laboratory (n, 3), N m; corners (4, 3), m, if
    known. rate: Hz. height: of its surface, m. start: of its first sample after the first frame of the markers, s. Frame:
    that of the trial, z up."""

    name: str
    force: np.ndarray
    moment: np.ndarray
    rate: float
    corners: np.ndarray | None = None
    height: float = 0.0
    start: float = 0.0

    @property
    def times(self) -> np.ndarray:
        """Times of the samples after the first frame of the markers, s."""
        return self.start + np.arange(len(self.force)) / self.rate

    def centre_of_pressure(self, least: float = MIN_CENTRE_FORCE_N) -> np.ndarray:
        """Centre of pressure on the surface (n, 3), m; NaN while the vertical force is below `least`, N."""
        fx, fy, fz = self.force.T
        carried = np.where(fz >= least, fz, np.nan)
        mx, my, _ = self.moment.T
        x, y = (self.height * fx - my) / carried, (mx + self.height * fy) / carried
        return np.column_stack([x, y, np.where(np.isnan(carried), np.nan, self.height)])

    def free_moment(self, least: float = MIN_CENTRE_FORCE_N) -> np.ndarray:
        """Moment about the vertical through the centre of pressure (n,), N m; NaN below `least`, N."""
        x, y, _ = self.centre_of_pressure(least).T
        return self.moment[:, 2] - (x * self.force[:, 1] - y * self.force[:, 0])

    def at(self, times: np.ndarray) -> ForcePlate:
        """The plate resampled at other times, s, by linear interpolation."""
        sampled = [np.column_stack([np.interp(times, self.times, c) for c in v.T]) for v in (self.force, self.moment)]
        rate = 1 / (times[1] - times[0]) if len(times) > 1 else self.rate
        return replace(
            self, force=sampled[0], moment=sampled[1], rate=rate, start=float(times[0]) if len(times) else 0.0
        )


def plate_from_point(
    name: str, force: np.ndarray, point: np.ndarray, free_moment: np.ndarray, up: np.ndarray, rate: float
) -> ForcePlate:
    """Build a plate from force, N, its point of application, m, and the moment about `up` there, N m. Non-finite points
    count as the origin."""
    point = np.where(np.isfinite(point), point, 0.0)
    moment = np.cross(point, force) + np.outer(free_moment, up)
    return ForcePlate(name, force, moment, rate)


def plate_from_c3d(plate: C3dPlate, name: str, unit: float, rate: float) -> ForcePlate:
    """Build a plate from C3D data, in the axes of the laboratory. unit: metres per unit of points in the file. Raises
    ModelError for an unknown type."""
    if plate.type not in _WRENCH_BY_PLATE_TYPE:
        ErrorContext(f"plate '{name}'", "type").fail("is not known", plate.type, "1 to 7")
    corners = np.asarray(plate.corners, dtype=float) * unit
    axes = _plate_axes(corners, name)
    force, moment = _WRENCH_BY_PLATE_TYPE[plate.type](plate, unit)
    middle = corners.mean(axis=0)
    force, moment = force @ axes, moment @ axes
    return ForcePlate(name, force, moment + np.cross(middle, force), rate, corners)


def _plate_axes(corners: np.ndarray, name: str) -> np.ndarray:
    """Axes of the plate in the laboratory, as rows."""
    c1, c2, c3, c4 = corners
    x, y = c1 + c4 - c2 - c3, c1 + c2 - c3 - c4
    z = np.cross(x, y)
    if not np.linalg.norm(z) > 1e-6:
        ErrorContext(f"plate '{name}'", "corners").fail(
            "are in one line", expected="the four corners of its surface, in order"
        )
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z])


def _moment_unit(units: list[str], unit: float) -> float:
    """N m per unit of the last channel: by its unit, or N times the unit of points, as in the manual."""
    channel_unit = units[-1].lower().replace(" ", "").replace(".", "").replace("*", "") if units else ""
    return {"nm": 1.0, "nmm": 1e-3, "ncm": 1e-2}.get(channel_unit, unit)


def _move_to_surface(force: np.ndarray, moment: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    origin = (
        -origin if origin[2] > 0 else origin
    )  # sensors are below the surface, but some files have the opposite sign
    return force, moment + np.cross(force, origin)


def _type_1_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    force, (px, py, free) = plate.channels[:, :3], plate.channels[:, 3:].T
    point = np.column_stack([px, py, 0 * px]) * unit
    turning = free * _moment_unit(plate.units, unit)
    return force, np.cross(point, force) + np.outer(turning, [0, 0, 1])


def _type_2_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    moment = plate.channels[:, 3:] * _moment_unit(plate.units, unit)
    return _move_to_surface(plate.channels[:, :3], moment, np.asarray(plate.origin) * unit)


def _type_3_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """Channels fx12 fx34 fy14 fy23 fz1 fz2 fz3 fz4; origin: a, b, half the sensor distances, and the depth of the sensors."""
    x12, x34, y14, y23, z1, z2, z3, z4 = plate.channels.T
    a, b, depth = np.abs(np.asarray(plate.origin) * unit)
    force = np.column_stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4])
    moment = np.column_stack([b * (z1 + z2 - z3 - z4), a * (-z1 + z2 + z3 - z4), b * (-x12 + x34) + a * (y14 - y23)])
    return _move_to_surface(force, moment, np.array([0.0, 0.0, -depth]))


def _type_4_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    matrix = np.eye(6) if plate.matrix is None else plate.matrix
    return _type_2_wrench(replace(plate, channels=plate.channels @ matrix.T), unit)


def _type_5_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    matrix = plate.matrix
    if matrix is None or matrix.shape not in ((6, 8), (8, 6)):
        return _type_3_wrench(plate, unit)
    channels = plate.channels @ (matrix.T if matrix.shape == (6, 8) else matrix)
    return _type_2_wrench(replace(plate, channels=channels, units=plate.units[:6]), unit)


def _type_6_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """Channels fx1 .. fx4 fy1 .. fy4 fz1 .. fz4; origin as in type 3. Sensors lie at (a, b), (-a, b), (-a, -b), (a, -b)."""
    channels = plate.channels if plate.matrix is None else plate.channels @ plate.matrix.T
    a, b, depth = np.abs(np.asarray(plate.origin) * unit)
    x, y = a * np.array([1.0, -1.0, -1.0, 1.0]), b * np.array([1.0, 1.0, -1.0, -1.0])
    fx, fy, fz = channels[:, :4], channels[:, 4:8], channels[:, 8:12]
    moment = np.column_stack([fz @ y, -fz @ x, fy @ x - fx @ y])
    return _move_to_surface(
        np.column_stack([part.sum(axis=1) for part in (fx, fy, fz)]), moment, np.array([0.0, 0.0, -depth])
    )


def _type_7_wrench(plate: C3dPlate, unit: float) -> tuple[np.ndarray, np.ndarray]:
    channels = plate.channels if plate.matrix is None else plate.channels @ plate.matrix.T
    return _type_3_wrench(replace(plate, channels=channels), unit)


_WRENCH_BY_PLATE_TYPE = {
    1: _type_1_wrench, 2: _type_2_wrench, 3: _type_3_wrench, 4: _type_4_wrench, 5: _type_5_wrench, 6: _type_6_wrench,
    7: _type_7_wrench,
}  # fmt: skip


def plate_offset(plate: ForcePlate) -> np.ndarray:
    """Reading of an unloaded plate (6,): force, N, and moment about the origin, N m; zeros if it is never unloaded.
    Unloaded means a vertical force within 15 N of its 10 % quantile, for at least a tenth of a second."""
    vertical = plate.force[:, 2]
    low = np.quantile(vertical, 0.1)
    free = np.abs(vertical - low) < 15.0
    if free.sum() < 0.1 * plate.rate or low > 100.0:
        return np.zeros(6)
    return np.median(np.hstack([plate.force, plate.moment])[free], axis=0)


def remove_offset(plate: ForcePlate) -> tuple[ForcePlate, str]:
    """The plate without its offset, and a note if the offset exceeds 2 N or 0.5 N m."""
    offset = plate_offset(plate)
    corrected = replace(plate, force=plate.force - offset[:3], moment=plate.moment - offset[3:])
    if np.abs(offset[:3]).max() < 2.0 and np.abs(offset[3:]).max() < 0.5:
        return (corrected if offset.any() else plate), ""
    return corrected, f"{plate.name} shows {offset[2]:.1f} N with nobody on it: subtracted"
