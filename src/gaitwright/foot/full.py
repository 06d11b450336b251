"""The full speed: tissue as finite elements of finite strain, tied to the bodies of its cores, its sole a skin that touches."""

from __future__ import annotations

from typing import Any

from gaitwright.foot.attaching import Placing
from gaitwright.foot.tissue import REGIONS
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Skin
from gaitwright.physics.contact_laws.penalty import Penalty


def put(model: Model, foot: Any, placing: Placing, ground: Any, law: Any, friction: Any) -> tuple[str, ...]:
    """The solid and its contact, whose name it gives."""
    found = foot.anatomy
    fixed = [{"region": core, "to": body} for core, body in placing.bodies.items()]
    regions = [name for name in REGIONS if f"tissue_{name}" in found.mesh.regions]
    model.solid(
        placing.name, found.mesh, at=list(placing.at), fixed=fixed, **placing.turned,
        material=[{"region": f"tissue_{name}", **foot.tissue[name].material()} for name in regions],
    )  # fmt: skip
    name = f"{placing.name}_sole"
    model.contact(Skin(placing.name, "sole"), ground, law=law or Penalty(), friction=friction, name=name)
    return (name,)
