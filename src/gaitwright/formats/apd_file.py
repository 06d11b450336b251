"""Pressure images of platforms as text (.apd, "pedcad Importfile"): sections of `name=value`, then a table of sensors.

A row of the table is a step along x, a column one along y; -1 for an unloaded sensor. Distances are in mm, pressures in
N/cm^2, unless the file gives other units. One image, usually of the largest pressures of a step, starting at the heel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import read_bytes, require_finite
from gaitwright._core.output_files import save_text

METRES_BY_LENGTH_UNIT = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}
PASCALS_BY_PRESSURE_UNIT = {"n/cm2": 1e4, "n/cm^2": 1e4, "kpa": 1e3, "pa": 1.0, "bar": 1e5}
UNLOADED_SENSOR_VALUE = -1.0
MAX_SENSORS = 4_000_000
"""Maximum number of sensors."""
MAX_HEADER_VALUE = 1e9
"""Upper bound of a header field: a count, or a distance in its unit."""


@dataclass(frozen=True)
class PressureImage:
    """pressure: (rows along x, columns along y), Pa; 0 for unloaded sensors. pitch: (dx, dy), m, sensor spacing. first: (x, y),
    indices of the first sensor on the platform. told: the remaining content of the file, by section."""

    pressure: np.ndarray
    pitch: tuple[float, float]
    first: tuple[int, int] = (0, 0)
    told: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def force(self) -> float:
        """Total force of all sensors, N."""
        return float(self.pressure.sum() * self.pitch[0] * self.pitch[1])


def read_apd(path: str | Path) -> PressureImage:
    """Read a pressure image; ModelError if the file is invalid."""
    path = Path(path)
    at = ErrorContext(f"pressure picture '{path.name}'")
    sections, rows = _parse_sections(read_bytes(path, at.element).decode("utf-8", errors="replace"), at)
    if not rows:
        at["Data"].fail("is missing", expected="a section [Data] with a row of sensors in each line")
    wide = {len(row) for row in rows}
    if len(wide) != 1:
        at["Data"].fail(f"has rows of {min(wide)} to {max(wide)} sensors", expected="rows of equal length")
    try:
        table = np.array(rows, dtype=float)
    except ValueError:
        at["Data"].fail("has something that is not a number", expected="numbers between tabs, -1 where nothing presses")
    if not np.isfinite(table).all():
        at["Data"].fail("has something that is not a number", expected="numbers between tabs, -1 where nothing presses")
    technical, general = sections.get("technical", {}), sections.get("general", {})
    for name, count in (("senscountx", len(table)), ("senscounty", table.shape[1])):
        if technical.get(name) and int(_read_number(technical, name, at)) != count:
            at["Technical"].fail(
                f"says {technical[name]} sensors, the table has {count}", expected="as many as there are"
            )
    length = _unit_factor(general.get("unitdistance", "mm"), METRES_BY_LENGTH_UNIT, at["UnitDistance"])
    force = _unit_factor(general.get("unitpressure", "N/cm2"), PASCALS_BY_PRESSURE_UNIT, at["UnitPressure"])
    dx, dy = (length * _read_number(technical, name, at) for name in ("ldistx", "ldisty"))
    if not (dx > 0.0 and dy > 0.0):
        at["LDistX"].fail("is no distance between sensors", (dx, dy), "positive numbers")
    first = (int(_read_number(technical, "startsensx", at, "0")), int(_read_number(technical, "startsensy", at, "0")))
    with np.errstate(over="ignore"):
        pressure = require_finite(force * np.maximum(table, 0.0), at["Data"], "pressures that are finite in Pa")
    return PressureImage(pressure, (dx, dy), first, sections)


def _parse_sections(text: str, at: ErrorContext) -> tuple[dict[str, dict[str, str]], list[list[str]]]:
    """Fields by section, names in lower case, and the rows of the table."""
    sections: dict[str, dict[str, str]] = {}
    rows: list[list[str]] = []
    where, size = "", 0
    for line in text.splitlines():
        line = line.strip("\r\n")
        if line.strip().startswith("["):
            where = line.strip().strip("[]").lower()
        elif where == "data" and line.strip():
            rows.append(line.replace(",", ".").split())
            size += len(rows[-1])
            if size > MAX_SENSORS:
                at["Data"].fail("is too large", size, f"at most {MAX_SENSORS} sensors")
        elif "=" in line:
            name, _, value = line.partition("=")
            sections.setdefault(where, {})[name.strip().lower()] = value.strip()
    return sections, rows


def _read_number(fields: Mapping[str, str], name: str, at: ErrorContext, otherwise: str | None = None) -> float:
    text = fields.get(name, otherwise)
    try:
        number = float((text or "").replace(",", "."))
    except ValueError:
        number = math.nan
    if not abs(number) < MAX_HEADER_VALUE:
        ErrorContext(at.element, name).fail("is not a number", text, f"a number below {MAX_HEADER_VALUE:g}")
    return number


def _unit_factor(unit: str, factors: Mapping[str, float], at: ErrorContext) -> float:
    return factors[at.one_of(unit.strip().lower(), factors, "is not a unit that is known")]


def write_apd(picture: PressureImage, path: str | Path, source: str = "gaitwright") -> Path:
    """Write a pressure image in mm and N/cm^2, with three decimals."""
    rows, columns = picture.pressure.shape
    values = picture.pressure / PASCALS_BY_PRESSURE_UNIT["n/cm2"]
    head = [
        "[General]",
        "Description=pedcad Importfile",
        f"Source={source}",
        "UnitDistance=mm",
        "UnitPressure=N/cm2",
        "",
    ]
    head += ["[Technical]", f"MaxSensorsX={picture.first[0] + rows}", f"MaxSensorsY={picture.first[1] + columns}"]
    head += [f"StartSensX={picture.first[0]}", f"StartSensY={picture.first[1]}", f"SensCountX={rows}"]
    head += [f"SensCountY={columns}", *(f"LDist{x}={1e3 * d:.6g}" for x, d in zip("XY", picture.pitch, strict=True))]
    table = ["\t".join(f"{v:.3f}" if v > 0.0 else f"{UNLOADED_SENSOR_VALUE:.0f}" for v in row) for row in values]
    return save_text(Path(path), "\n".join([*head, "", "[Data]", *table]) + "\n")
