"""What the soft parts of a foot are made of, region by region: values of the literature in tissue.yaml, with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.input_files import packaged_yaml
from gaitwright.mesh.kinds import Array

REGIONS = ("heel", "midfoot", "ball", "toes", "rest")
"""Of tissue: below the bones from heel to toe, and the rest, above them and at their sides."""
ALONG = (
    (0.0, "heel"),
    (0.28, "heel"),
    (0.44, "midfoot"),
    (0.62, "ball"),
    (0.77, "ball"),
    (0.87, "toes"),
    (1.0, "toes"),
)
"""Where tissue has the thickness of a region, in lengths of the foot; between them it passes from one to the next."""
LENGTH = 0.26
"""Of the foot whose thickness the table tells, m; thickness grows with the foot."""
INCOMPRESSIBLE = 0.499


@dataclass(frozen=True)
class Soft:
    """One region. youngs_modulus: Pa; poissons_ratio; damping: s, proportional to the stiffness; density: kg/m^3;
    thickness: m, of what lies below bone, unloaded. stiffening: b of Fung's law (physics/materials/fung.py), 0 for neo-Hookean
    tissue, for finite elements. kind: measured, or magnitude where only the order is known, or told; source: who found it."""

    youngs_modulus: float
    poissons_ratio: float
    damping: float
    density: float
    thickness: float
    kind: str = "told"
    source: tuple[str, ...] = ()
    stiffening: float = 0.0

    def __post_init__(self) -> None:
        at = At("tissue")
        for name, unit in (("youngs_modulus", "Pa"), ("density", "kg/m^3"), ("thickness", "m")):
            at[name].positive(getattr(self, name), unit)
        at["damping"].not_negative(at["damping"].finite(self.damping, "a number of s"), "a number of s, or 0")
        at["stiffening"].not_negative(at["stiffening"].finite(self.stiffening, "a number"), "a number, or 0")
        at["poissons_ratio"].finite(self.poissons_ratio, "a number")
        if not 0.0 <= self.poissons_ratio <= INCOMPRESSIBLE:
            at["poissons_ratio"].fail("is not that of soft tissue", self.poissons_ratio, f"0 to {INCOMPRESSIBLE}")

    @property
    def confined_modulus(self) -> float:
        """Of a layer that cannot escape sideways (oedometric), Pa: E (1 - nu) / ((1 + nu) (1 - 2 nu))."""
        nu = self.poissons_ratio
        return self.youngs_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))

    def material(self) -> dict[str, Any]:
        """As a model file says it."""
        given = {name: getattr(self, name) for name in ("youngs_modulus", "poissons_ratio", "damping", "density")}
        given = {name: value for name, value in given.items() if value or name != "damping"}
        law = {"type": "fung", "stiffening": self.stiffening} if self.stiffening else {"type": "neo-hookean"}
        return {**law, **given}


@dataclass(frozen=True)
class Tissue:
    """The tissue of a foot: a Soft per region of REGIONS. Tissue() is that of the literature."""

    regions: Mapping[str, Soft] = field(default_factory=lambda: literature())

    def __post_init__(self) -> None:
        for name in self.regions:
            At("tissue").one_of(name, REGIONS, "is no region of tissue")
        for name in REGIONS:
            At("tissue", name).given(self.regions.get(name), "a gw.foot.Soft, as the other regions have")
        object.__setattr__(self, "regions", MappingProxyType(dict(self.regions)))

    def __getitem__(self, region: str) -> Soft:
        return self.regions[At("tissue").one_of(region, REGIONS, "is no region of tissue")]

    @classmethod
    def uniform(
        cls, youngs_modulus: float, poissons_ratio: float, damping: float = 0.0, density: float = 1000.0
    ) -> Tissue:
        """The same everywhere and neo-Hookean, as in paper 004; thickness as in the literature."""
        return cls().with_values(
            youngs_modulus=youngs_modulus,
            poissons_ratio=poissons_ratio,
            damping=damping,
            density=density,
            stiffening=0.0,
        )

    def with_values(self, region: str | None = None, **values: float) -> Tissue:
        """With other values of a region, or of all."""
        at = At("tissue")
        known = [f.name for f in fields(Soft)]
        for name in values:
            at.one_of(name, known, "is nothing that tissue has")
        chosen = REGIONS if region is None else (at.one_of(region, REGIONS, "is no region of tissue"),)
        told = {name: replace(self[name], **values, kind="told", source=()) for name in chosen}
        return Tissue({**self.regions, **told})

    def scaled(self, factor: float, region: str | None = None) -> Tissue:
        """So many times as stiff, in a region or everywhere: what a calibration changes."""
        At("tissue", "factor").positive(factor)
        chosen = REGIONS if region is None else (region,)
        told = {
            name: replace(self[name], youngs_modulus=factor * self[name].youngs_modulus, kind="told") for name in chosen
        }
        return Tissue({**self.regions, **told})

    def thickness(self, along: Array, length: float) -> Array:
        """Of what lies below bone, m. along: places in lengths of the foot, which is `length` long, m."""
        x, names = zip(*ALONG, strict=True)
        return length / LENGTH * np.interp(along, x, [self[name].thickness for name in names])

    def zone(self, along: Array) -> Array:
        """Which region lies below bone there, as a place in REGIONS."""
        x, names = zip(*ALONG, strict=True)
        middles = 0.5 * (np.array(x[:-1]) + np.array(x[1:]))
        return np.array([REGIONS.index(name) for name in names])[np.searchsorted(middles, along)]

    def to_dict(self) -> dict[str, Any]:
        """For files."""
        return {name: _said(soft) for name, soft in self.regions.items()}

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Tissue:
        return cls({name: _read(name, entry) for name, entry in raw.items()})


@cache
def literature() -> dict[str, Soft]:
    """The table beside this file, its sources in full."""
    raw = packaged_yaml(Path(__file__).with_name("tissue.yaml"))
    sources = raw["sources"]
    return {
        name: _read(name, {**entry, "source": [sources[key] for key in entry["source"]]})
        for name, entry in raw["regions"].items()
    }


def _said(soft: Soft) -> dict[str, Any]:
    return {f.name: list(soft.source) if f.name == "source" else getattr(soft, f.name) for f in fields(Soft)}


def _read(name: str, entry: Mapping[str, Any]) -> Soft:
    known = [f.name for f in fields(Soft)]
    for key in entry:
        At("tissue", name).one_of(key, known, "is nothing that tissue has")
    try:
        return Soft(**{**entry, "source": tuple(entry.get("source", ()))})
    except TypeError:
        missing = [key for key in known[:5] if key not in entry]
        return At("tissue", name).fail("is not whole", expected=f"also {', '.join(missing)}")
