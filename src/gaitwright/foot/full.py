"""The full speed: tissue as finite elements of finite strain, tied to the bodies of its cores, its sole a skin that touches."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.foot.attaching import Placing
from gaitwright.foot.mat import Mat
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Skin
from gaitwright.physics.contact_laws.penalty import Penalty


def put(model: Model, foot: Any, placing: Placing, ground: Any, law: Any, friction: Any) -> tuple[str, ...]:
    """The solid and its contact, whose name it gives."""
    found = foot.anatomy
    fixed = [{"region": core, "to": body} for core, body in placing.bodies.items()]
    mesh = found.mesh.quadratic() if foot.quadratic else found.mesh
    model.solid(
        placing.name, mesh, at=list(placing.at), fixed=fixed, **placing.turned,
        material=foot.materials(found.mesh),
    )  # fmt: skip
    if isinstance(ground, Mat):
        sole = found.mesh.nodes[found.mesh.region("sole").nodes]
        spacing = float(np.sqrt(2.0 * found.mesh.side_areas[found.mesh.sides_in("sole")].mean()))
        ground = ground.put(model, f"{placing.name}_mat", placing.to_ground(sole), spacing)
    name = f"{placing.name}_sole"
    model.contact(Skin(placing.name, "sole"), ground, law=law or Penalty(), friction=friction, name=name)
    return (name,)
