"""Published ranges of the pressure below walking and standing people, against which pages compare computed values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.foot.areas import AREA_GROUPS, AREAS

if TYPE_CHECKING:
    from gaitwright.foot.pressure import FootPressure

MUN104 = "mean of 104 people +-30 %: T. C. Pataky et al., Gait Posture 33 (2011) 418"
PLATFORM = "steps on a pressure platform (zebris) +-20 %: M. Duarte, BMC, doi 10.5281/zenodo.4599319"
SHARES = "share in the sum over all sensors of the largest pressures: mean of 104 people +-8 points, as above"


class ReferenceRange(NamedTuple):
    """Range of a quantity, in SI units, and its source."""

    name: str
    low: float
    high: float
    unit: str
    source: str

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


WALKING_RANGES = (
    ReferenceRange("peak pressure, heel", 239e3, 443e3, "Pa", MUN104),
    ReferenceRange("peak pressure, forefoot", 278e3, 516e3, "Pa", MUN104),
    ReferenceRange("peak pressure, hallux", 217e3, 403e3, "Pa", MUN104),
    ReferenceRange("contact area of the step", 116e-4, 210e-4, "m^2", PLATFORM),
    ReferenceRange("share of largest pressures, heel", 0.29, 0.45, "1", SHARES),
    ReferenceRange("share of largest pressures, midfoot", 0.0, 0.11, "1", SHARES),
    ReferenceRange("share of largest pressures, forefoot", 0.38, 0.54, "1", SHARES),
    ReferenceRange("share of largest pressures, toes", 0.06, 0.22, "1", SHARES),
)
"""Barefoot walking of adults."""
STANDING_RANGES = (
    ReferenceRange(
        "contact area", 90e-4, 130e-4, "m^2", "P. R. Cavanagh, M. M. Rodgers, A. Iiboshi, Foot Ankle 7 (1987) 262"
    ),
)
"""Half of the weight of an adult on one foot."""


def walking_values(pressure: FootPressure) -> Mapping[str, float]:
    """Values of a step by the names of WALKING_RANGES. Its contact area counts every sensor that is ever loaded, as the
    area of a map of largest pressures does."""
    regions = pressure.regions
    values = {
        f"peak pressure, {name}": float(regions.peak_pressure[list(areas)].max()) for name, areas in AREA_GROUPS.items()
    }
    values["peak pressure, hallux"] = float(regions.peak_pressure["hallux"])
    values["contact area of the step"] = float((pressure.peak > pressure.least).sum()) * pressure.cell**2
    largest = np.bincount(pressure.areas.ravel(), np.nan_to_num(pressure.peak.values).ravel(), len(AREAS))
    for name, areas in AREA_GROUPS.items():
        mine = sum(largest[AREAS.index(area)] for area in areas)
        values[f"share of largest pressures, {name}"] = float(mine / largest.sum())
    return values
