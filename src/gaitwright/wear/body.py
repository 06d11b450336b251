"""Regions of the body that devices press on: how thick and how soft they are (body.yaml), and how they are called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gaitwright.checks import At
from gaitwright.foot.layer import Layer
from gaitwright.input_files import packaged_yaml


@dataclass(frozen=True)
class Region:
    """One region. radius: m, of the limb; bone: m, radius of what is rigid in it; tissue: what is soft on it; view: front or
    back, where it is seen."""

    name: str
    radius: float
    bone: float
    tissue: Layer
    view: str


@cache
def regions() -> dict[str, Region]:
    """By name."""
    told = packaged_yaml(Path(__file__).parent / "body.yaml")
    return {
        name: Region(
            name, row["radius"], row["bone"],
            Layer(row["thickness"], row["youngs_modulus"], told["poissons_ratio"], density=1000.0), row["view"],
        )
        for name, row in told["regions"].items()
    }  # fmt: skip


def region(name: str, at: At | None = None) -> Region:
    """Of this name; refused with what it may have been meant for."""
    at = at or At("pad", "region")
    plain = str(name).strip().lower().replace("_", " ").replace("-", " ")
    return regions()[at.one_of(plain, regions(), "is no region of the body")]
