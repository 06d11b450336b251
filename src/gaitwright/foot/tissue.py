"""Soft tissue of a foot, region by region: literature values in tissue.yaml, with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import packaged_yaml
from gaitwright.mesh.cell_kinds import Array

TISSUE_REGIONS = ("heel", "midfoot", "ball", "toes", "rest")
"""Tissue regions: below the bones from heel to toe; `rest` is the tissue above and beside them."""
REGION_POSITIONS = (
    (0.0, "heel"),
    (0.28, "heel"),
    (0.44, "midfoot"),
    (0.62, "ball"),
    (0.77, "ball"),
    (0.87, "toes"),
    (1.0, "toes"),
)
"""Positions, in foot lengths, where tissue has the thickness of a region; it is interpolated between them."""
REFERENCE_LENGTH_M = 0.26
"""Foot length to which the thicknesses in the table refer, m; thickness scales with the foot."""
MAX_POISSONS_RATIO = 0.499


def oedometric_modulus(youngs: Any, nu: Any) -> Any:
    """Modulus of a laterally confined layer, Pa: E (1 - nu) / ((1 + nu) (1 - 2 nu))."""
    return youngs * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))


@dataclass(frozen=True)
class TissueRegion:
    """Tissue of one region. youngs_modulus: Pa; poissons_ratio; damping: s, proportional to the stiffness; density:
    kg/m^3; thickness: m, of tissue below bone, unloaded. stiffening: b of Fung's law (physics/materials/fung.py), 0
    for neo-Hookean tissue, for finite elements. kind: measured, magnitude (only the order of magnitude is known), or
    told (given by the user); source: references."""

    youngs_modulus: float
    poissons_ratio: float
    damping: float
    density: float
    thickness: float
    kind: str = "told"
    source: tuple[str, ...] = ()
    stiffening: float = 0.0

    def __post_init__(self) -> None:
        at = ErrorContext("tissue")
        for name, unit in (("youngs_modulus", "Pa"), ("density", "kg/m^3"), ("thickness", "m")):
            at[name].positive(getattr(self, name), unit)
        at["damping"].not_negative(at["damping"].finite(self.damping, "a number of s"), "a number of s, or 0")
        at["stiffening"].not_negative(at["stiffening"].finite(self.stiffening, "a number"), "a number, or 0")
        at["poissons_ratio"].finite(self.poissons_ratio, "a number")
        if not 0.0 <= self.poissons_ratio <= MAX_POISSONS_RATIO:
            at["poissons_ratio"].fail("is not that of soft tissue", self.poissons_ratio, f"0 to {MAX_POISSONS_RATIO}")

    @property
    def confined_modulus(self) -> float:
        """Oedometric modulus, Pa."""
        return oedometric_modulus(self.youngs_modulus, self.poissons_ratio)

    def material(self) -> dict[str, Any]:
        """Material entry of a model file."""
        given = {name: getattr(self, name) for name in ("youngs_modulus", "poissons_ratio", "damping", "density")}
        given = {name: value for name, value in given.items() if value or name != "damping"}
        law = {"type": "fung", "stiffening": self.stiffening} if self.stiffening else {"type": "neo-hookean"}
        return {**law, **given}


@dataclass(frozen=True)
class Tissue:
    """Tissue of a foot: a TissueRegion per name of TISSUE_REGIONS. Tissue() has the literature values."""

    regions: Mapping[str, TissueRegion] = field(default_factory=lambda: literature_tissue())

    def __post_init__(self) -> None:
        for name in self.regions:
            ErrorContext("tissue").one_of(name, TISSUE_REGIONS, "is no region of tissue")
        for name in TISSUE_REGIONS:
            ErrorContext("tissue", name).given(
                self.regions.get(name), "a gw.foot.TissueRegion, as the other regions have"
            )
        object.__setattr__(self, "regions", MappingProxyType(dict(self.regions)))

    def __getitem__(self, region: str) -> TissueRegion:
        return self.regions[ErrorContext("tissue").one_of(region, TISSUE_REGIONS, "is no region of tissue")]

    @classmethod
    def uniform(
        cls, youngs_modulus: float, poissons_ratio: float, damping: float = 0.0, density: float = 1000.0
    ) -> Tissue:
        """Make uniform neo-Hookean tissue, as in paper 004; thickness as in the literature."""
        return cls().with_values(
            youngs_modulus=youngs_modulus,
            poissons_ratio=poissons_ratio,
            damping=damping,
            density=density,
            stiffening=0.0,
        )

    def with_values(self, region: str | None = None, **values: float) -> Tissue:
        """Return tissue with other values of a region, or of all regions."""
        at = ErrorContext("tissue")
        known = [f.name for f in fields(TissueRegion)]
        for name in values:
            at.one_of(name, known, "is nothing that tissue has")
        chosen = TISSUE_REGIONS if region is None else (at.one_of(region, TISSUE_REGIONS, "is no region of tissue"),)
        changed = {name: replace(self[name], **values, kind="told", source=()) for name in chosen}
        return Tissue({**self.regions, **changed})

    def scaled(self, factor: float, region: str | None = None) -> Tissue:
        """Return tissue with Young's modulus multiplied by a factor, in a region or everywhere; used by
        calibrations."""
        ErrorContext("tissue", "factor").positive(factor)
        chosen = TISSUE_REGIONS if region is None else (region,)
        changed = {
            name: replace(self[name], youngs_modulus=factor * self[name].youngs_modulus, kind="told") for name in chosen
        }
        return Tissue({**self.regions, **changed})

    def thickness(self, along: Array, length: float) -> Array:
        """Thickness of tissue below bone, m. along: positions in foot lengths; length: of the foot, m."""
        x, names = zip(*REGION_POSITIONS, strict=True)
        return length / REFERENCE_LENGTH_M * np.interp(along, x, [self[name].thickness for name in names])

    def zone(self, along: Array) -> Array:
        """Index into TISSUE_REGIONS of the region below bone at each position."""
        x, names = zip(*REGION_POSITIONS, strict=True)
        middles = 0.5 * (np.array(x[:-1]) + np.array(x[1:]))
        return np.array([TISSUE_REGIONS.index(name) for name in names])[np.searchsorted(middles, along)]

    def to_dict(self) -> dict[str, Any]:
        """Regions as a dictionary, for files."""
        return {name: _region_to_dict(soft) for name, soft in self.regions.items()}

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Tissue:
        return cls({name: _parse_region(name, entry) for name, entry in raw.items()})


@cache
def literature_tissue() -> dict[str, TissueRegion]:
    """Literature values of tissue.yaml with full source references."""
    raw = packaged_yaml(Path(__file__).with_name("tissue.yaml"))
    sources = raw["sources"]
    return {
        name: _parse_region(name, {**entry, "source": [sources[key] for key in entry["source"]]})
        for name, entry in raw["regions"].items()
    }


def _region_to_dict(soft: TissueRegion) -> dict[str, Any]:
    return {f.name: list(soft.source) if f.name == "source" else getattr(soft, f.name) for f in fields(TissueRegion)}


def _parse_region(name: str, entry: Mapping[str, Any]) -> TissueRegion:
    known = [f.name for f in fields(TissueRegion)]
    for key in entry:
        ErrorContext("tissue", name).one_of(key, known, "is nothing that tissue has")
    try:
        return TissueRegion(**{**entry, "source": tuple(entry.get("source", ()))})
    except TypeError:
        missing = [key for key in known[:5] if key not in entry]
        return ErrorContext("tissue", name).fail("is not whole", expected=f"also {', '.join(missing)}")
