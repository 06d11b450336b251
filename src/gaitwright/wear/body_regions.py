"""Body regions below devices: radii, soft tissue (body.yaml) and names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import packaged_yaml
from gaitwright.foot.soft_layers import SoftLayer


@dataclass(frozen=True)
class BodyRegion:
    """Body region. radius: m, of the limb; bone: m, radius of its rigid core; tissue: soft layer around the core; view:
    front or back, the view that shows it."""

    name: str
    radius: float
    bone: float
    tissue: SoftLayer
    view: str


@cache
def body_regions() -> dict[str, BodyRegion]:
    """Read all body regions, by name."""
    document = packaged_yaml(Path(__file__).parent / "body.yaml")
    return {
        name: BodyRegion(
            name, row["radius"], row["bone"],
            SoftLayer(row["thickness"], row["youngs_modulus"], document["poissons_ratio"], density=1000.0), row["view"],
        )
        for name, row in document["regions"].items()
    }  # fmt: skip


def find_body_region(name: str, at: ErrorContext | None = None) -> BodyRegion:
    """Return the region of this name; an unknown name raises ModelError with suggestions."""
    at = at or ErrorContext("pad", "region")
    normalised_name = str(name).strip().lower().replace("_", " ").replace("-", " ")
    return body_regions()[at.one_of(normalised_name, body_regions(), "is no region of the body")]
