"""Full speed: tissue as finite elements with finite strain, tied to the bodies of the cores, with skin contact on
the sole."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.foot.mat import Mat
from gaitwright.foot.placement import FootPlacement
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Skin
from gaitwright.physics.contact_laws.penalty import Penalty


def add_tissue(
    model: Model, foot: Any, placing: FootPlacement, ground: Any, law: Any, friction: Any
) -> tuple[str, ...]:
    """Add the solid and its contact. Return the contact name."""
    anatomy = foot.anatomy
    fixed = [{"region": core, "to": body} for core, body in placing.bodies.items()]
    mesh = anatomy.mesh.quadratic() if foot.quadratic else anatomy.mesh
    model.solid(
        placing.name, mesh, at=list(placing.at), fixed=fixed, **placing.turned,
        material=foot.materials(anatomy.mesh),
    )  # fmt: skip
    if isinstance(ground, Mat):
        sole = anatomy.mesh.nodes[anatomy.mesh.region("sole").nodes]
        spacing = float(np.sqrt(2.0 * anatomy.mesh.side_areas[anatomy.mesh.sides_in("sole")].mean()))
        ground = ground.put(model, f"{placing.name}_mat", placing.to_ground(sole), spacing)
    name = f"{placing.name}_sole"
    model.contact(Skin(placing.name, "sole"), ground, law=law or Penalty(), friction=friction, name=name)
    return (name,)
