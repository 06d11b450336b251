"""What is known at the nodes of a solid in poses of it: displacements, stresses, stretches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.system.solids.stress import PointFields, at_nodes
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    from gaitwright.system.parts.solid import SolidPart


class Quantity(NamedTuple):
    """unit, words, the names of its components (none for a number), and what it is at points of integration."""

    unit: str
    text: str
    components: tuple[str, ...]
    at_points: Callable[[PointFields], Array]


STRESS = ("xx", "yy", "zz", "xy", "yz", "zx")
_I, _J = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 2, 1, 2, 0])
QUANTITIES = {
    "von_mises": Quantity("Pa", "von Mises stress", (), lambda at: at.von_mises),
    "pressure": Quantity("Pa", "mean pressure in the solid", (), lambda at: at.pressure),
    "stress": Quantity("Pa", "Cauchy stress", STRESS, lambda at: at.stress[..., _I, _J]),
    "principal_stresses": Quantity("Pa", "principal stresses", ("1", "2", "3"), lambda at: at.principal_stresses),
    "principal_stretches": Quantity("1", "principal stretches", ("1", "2", "3"), lambda at: at.principal_stretches),
    "volume_ratio": Quantity("1", "volume by undeformed volume", (), lambda at: at.volume_ratio),
    "energy_density": Quantity("J/m^3", "elastic energy by undeformed volume", (), lambda at: at.energy_density),
}
"""Computed at the points of integration and averaged at the nodes."""
MOVING = ("displacement", "velocity", "acceleration", "position")


def field(part: SolidPart, motion: Any, name: str) -> Array:
    """A quantity at all nodes, (n_times, nodes) or (n_times, nodes, components)."""
    if name in MOVING:
        moved = {"velocity": motion.v, "acceleration": motion.a}
        if name in moved:
            return part.rates(moved[name])
        return part.displacements(motion.q) + (part.mesh.nodes if name == "position" else 0.0)
    quantity, count = QUANTITIES[name], len(part.mesh.nodes)
    found = []
    for q in motion.q:
        total, around = 0.0, np.zeros(count)
        for filling in part.fillings:
            values = quantity.at_points(part.fields(filling, part.displacements(q)))
            volumes = np.broadcast_to(filling.geometry.volumes[:, None], filling.geometry.cells.shape)
            share = np.bincount(filling.geometry.cells.ravel(), volumes.ravel(), minlength=count)
            nodal = at_nodes(filling.geometry, values, count)
            total = total + nodal * share.reshape(-1, *[1] * (nodal.ndim - 1))
            around += share
        found.append(np.asarray(total) / around.reshape(-1, *[1] * (np.ndim(total) - 1)))
    return np.array(found)
