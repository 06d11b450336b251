"""Measurements on a foot for comparison with the model: pressed by a depth, standing on a pressure plate, or walking over a
force plate.

Positive quantities are compared by their logarithm, so that a force proportional to a stiffness is linear in the search.
Shares and forces over a step may be zero and are compared directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.foot.areas import AREA_GROUPS, AREAS, area_of
from gaitwright.mesh.cell_kinds import Array

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot

MAX_PRESS_DEPTH_RATIO = 0.5
"""Maximum depth, as a fraction of the foot height."""
MIN_CONTACT_PRESSURE_PA = 5e3
"""Cells with less pressure, Pa, count as not in contact, as on a plate."""
DEFAULT_SPREADS = {"force": 0.05, "shares": 0.05, "peak_pressure": 0.2, "area": 0.1}
"""Default standard deviations: relative to the value; for shares, relative to the load."""


class CalibrationDatum(NamedTuple):
    """One measured number. spread: one standard deviation, relative to the value if `relative`."""

    name: str
    measured: float
    unit: str
    spread: float
    relative: bool = True

    def misfit(self, computed: float) -> float:
        """Misfit in spreads."""
        if not self.relative:
            return (computed - self.measured) / self.spread
        return float(np.log(max(computed, 1e-300) / self.measured)) / self.spread


class CalibrationTest(Protocol):
    """Interface of a measurement. independent: number of its data that are independent."""

    @property
    def independent(self) -> int: ...

    def data(self, foot: Foot) -> list[CalibrationDatum]: ...

    def computed(self, foot: Foot, values: Mapping[str, float], options: Mapping[str, Any]) -> Iterable[float]: ...


@dataclass(frozen=True)
class PressTest:
    """Press test: the foot is held above and pressed into the ground by a depth, m; result: force, N. spread:
    relative to the force."""

    depth: float
    force: float
    spread: float = DEFAULT_SPREADS["force"]
    independent: int = field(default=1, init=False)

    def data(self, foot: Foot) -> list[CalibrationDatum]:
        at, height = ErrorContext("pressed"), foot.shape.measures.height
        depth = at["depth"].positive(self.depth, "m")
        if depth > MAX_PRESS_DEPTH_RATIO * height:
            reads = f", reads like mm: {1e-3 * depth:g} m" if 1e-3 * depth < MAX_PRESS_DEPTH_RATIO * height else ""
            at["depth"].fail(f"is more than half of the foot, which is {height:.3g} m high{reads}", depth, "metres")
        at["force"].positive(self.force, "N")
        return [CalibrationDatum(f"force at {1e3 * depth:g} mm", self.force, "N", at["spread"].positive(self.spread))]

    def computed(self, foot: Foot, values: Mapping[str, float], options: Mapping[str, Any]) -> list[float]:
        return [foot.press(self.depth, **options).force]


@dataclass(frozen=True)
class StandingTest:
    """Standing test: at rest under a load, N, on a pressure plate.

    shares: fraction of the load by area of the sole: those of AREAS, or heel, midfoot, forefoot and toes. peak_pressure: Pa, of
    a cell. area: contact area, m^2. pressure: a map instead of these, Pa, an xarray with x and y in the frame of the foot, m;
    regions, peak and area are compared, not single cells. spreads: one standard deviation of each kind, relative to the value,
    for shares relative to the load. cell: side of a sensor, m. ankle, over: as in Foot.stand."""

    load: float
    shares: Mapping[str, float] = field(default_factory=dict)
    peak_pressure: float | None = None
    area: float | None = None
    pressure: Any = None
    spreads: Mapping[str, float] = field(default_factory=dict)
    cell: float = 5e-3
    ankle: str = "free"
    over: tuple[float, float] | None = None

    @property
    def independent(self) -> int:
        """Number of independent data. Shares of all areas sum to one, so one of them is redundant."""
        if self.pressure is not None:
            return len(AREAS) + 1
        whole = len(self.shares) > 1 and abs(sum(self.shares.values()) - 1.0) < 5e-3
        return len(self.shares) - whole + sum(each is not None for each in (self.peak_pressure, self.area))

    def data(self, foot: Foot) -> list[CalibrationDatum]:
        at = ErrorContext("stood")
        load = at["load"].positive(self.load, "N")
        for kind in self.spreads:
            at["spreads"].one_of(kind, tuple(DEFAULT_SPREADS)[1:], "is nothing that is measured")
        spread = {
            kind: ErrorContext("stood", f"spread of {kind}").positive(s)
            for kind, s in {**DEFAULT_SPREADS, **self.spreads}.items()
        }
        shares, peak, area = (
            (self.shares, self.peak_pressure, self.area) if self.pressure is None else self._picture(foot, load)
        )
        self._check(shares, peak, area)
        name = f"at {load:g} N"
        data = [
            CalibrationDatum(f"share of {a} {name}", float(s), "1", spread["shares"], False) for a, s in shares.items()
        ]
        if peak is not None:
            data.append(CalibrationDatum(f"peak pressure {name}", peak, "Pa", spread["peak_pressure"]))
        if area is not None:
            data.append(CalibrationDatum(f"area {name}", area, "m^2", spread["area"]))
        return data or at.fail("has nothing that was measured", expected="shares, peak_pressure, area or pressure")

    def computed(self, foot: Foot, values: Mapping[str, float], options: Mapping[str, Any]) -> list[float]:
        settings = {"cell": self._cell(), "ankle": self.ankle, "over": self.over, **options}
        result = foot.stand(self.load, **settings)
        if self.pressure is not None:
            shares, peak, area = regional_pressure(result.pressure, foot)
            return [*shares.values(), peak, area]
        by_name = result.quarters if set(self.shares) <= set(AREA_GROUPS) else result.shares
        computed = [by_name[name] for name in self.shares]
        computed += [result.peak_pressure] if self.peak_pressure is not None else []
        return computed + ([result.area] if self.area is not None else [])

    def _cell(self) -> float:
        return self.cell if self.pressure is None else float(np.diff(self.pressure["x"].values).mean())

    def _picture(self, foot: Foot, load: float) -> tuple[dict[str, float], float, float]:
        at = ErrorContext("stood", "pressure")
        if not {"x", "y"} <= set(getattr(self.pressure, "dims", ())):
            at.fail("is no picture", expected="an xarray.DataArray with x and y in the frame of the foot, m")
        if not np.isfinite(self.pressure.values).all():
            at.fail("has cells without a number", expected="numbers, 0 where nothing touches")
        force = float(self.pressure.sum()) * self._cell() * float(np.diff(self.pressure["y"].values).mean())
        if not 0.7 * load < force < 1.4 * load:
            reads = ", reads like kPa" if 0.7e-3 * load < force < 1.4e-3 * load else ""
            at.fail(f"carries {force:.3g} N of {load:.4g} N{reads}", expected="Pa, and coordinates in m")
        return regional_pressure(self.pressure, foot)

    def _check(self, shares: Mapping[str, float], peak: Any, area: Any) -> None:
        at = ErrorContext("stood")
        known = AREA_GROUPS if set(shares) <= set(AREA_GROUPS) else AREAS
        for name, share in shares.items():
            at["shares"].one_of(name, known, "is no area of the sole")
            if not is_number(share) or share < 0.0:
                ErrorContext("stood", f"share of {name}").fail("is not a part of the load", share, "between 0 and 1")
        if (total := sum(shares.values())) > 1.005:
            reads = ", reads like per cent" if total > 10.0 else ""
            at["shares"].fail(f"sum to {total:.4g}{reads}", expected="parts of the load, at most 1")
        if peak is not None and at["peak_pressure"].positive(peak, "Pa") < 2e3:
            at["peak_pressure"].fail("is less than any foot has, reads like kPa", peak, "Pa")
        if area is not None and at["area"].positive(area, "m^2") > 0.05:
            at["area"].fail("is more than any sole has, reads like cm^2", area, "m^2")


@dataclass(frozen=True, eq=False)
class CustomTest:
    """Custom test: any numbers, such as the force of a step over given poses. model(foot, values) is a function of
    the caller and returns as many numbers as `measured`. values: by parameter name, including friction if it is a
    parameter. spread: one standard deviation, in `unit`."""

    name: str
    model: Callable[[Any, Mapping[str, float]], Any]
    measured: Any
    spread: float
    unit: str = "N"

    @property
    def independent(self) -> int:
        return int(np.size(self.measured))

    def data(self, foot: Foot) -> list[CalibrationDatum]:
        at = ErrorContext(f"measured '{self.name}'")
        values = at.numbers(self.measured, "numbers").ravel()
        if not len(values) or not np.isfinite(values).all():
            at.fail("has places without a number", expected="finite numbers: cut gaps out")
        spread = at["spread"].positive(self.spread, self.unit)
        return [
            CalibrationDatum(f"{self.name} {k + 1}", float(v), self.unit, spread, False) for k, v in enumerate(values)
        ]

    def computed(self, foot: Foot, values: Mapping[str, float], options: Mapping[str, Any]) -> Array:
        at, size = ErrorContext(f"measured '{self.name}'"), int(np.size(self.measured))
        numbers = at["model"].numbers(self.model(foot, values), "numbers").ravel()
        return (
            numbers if len(numbers) == size else at["model"].fail(f"gives {len(numbers)} numbers", expected=f"{size}")
        )


def regional_pressure(pressure: Any, foot: Foot) -> tuple[dict[str, float], float, float]:
    """Load share by area of the sole, peak pressure, Pa, and contact area, m^2, of a pressure map."""
    picture, measures = pressure.transpose("y", "x"), foot.shape.measures
    x, y = np.meshgrid(picture["x"].values, picture["y"].values)
    areas = area_of(x, y, length=measures.length, ball_width=measures.ball_width, side=foot.shape.side)
    force = np.bincount(areas.ravel(), picture.values.ravel(), minlength=len(AREAS))
    cell = float(np.diff(picture["x"].values).mean() * np.diff(picture["y"].values).mean())
    shares: dict[str, float] = dict(zip(AREAS, (force / force.sum()).tolist(), strict=True))
    return shares, float(picture.max()), cell * int((picture.values > MIN_CONTACT_PRESSURE_PA).sum())
