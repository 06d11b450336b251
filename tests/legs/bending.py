"""Legs with one link as a beam."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gaitwright as gw

SECTION: dict[str, Any] = {"width": 0.02, "height": 0.006}
ALUMINIUM = 70e9


def with_beam(leg: gw.Model, name: str, youngs_modulus: float, rough: float = 0.0, **fields: Any) -> gw.Model:
    """Copy of the leg with one link as a beam of the same length and mass. rough: error of its drawn points, m."""
    raw = leg.to_dict()
    link = next(entry for entry in raw["links"] if entry["name"] == name)
    raw["links"].remove(link)
    beam = {key: link[key] for key in ("name", "from", "to", "length")} | SECTION | {"elements": 3, **fields}
    beam |= {"youngs_modulus": youngs_modulus, "mass_per_length": f"({link['mass']})/({link['length']})"}
    turns = np.random.default_rng(2).uniform(0.0, 2 * np.pi, len(raw["points"])).tolist()
    for (point, (x, y)), turn in zip(raw["points"].items(), turns, strict=True):
        raw["points"][point] = [f"({x}) + {rough * math.cos(turn)!r}", f"({y}) + {rough * math.sin(turn)!r}"]
    return gw.Model.from_dict({**raw, "beams": [beam]})
