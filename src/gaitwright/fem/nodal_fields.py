"""Fields at the nodes of a deformed solid: displacements, stresses, stretches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.fem.stress import PointFields, extrapolate_to_nodes
from gaitwright.mechanism.tables import Array

if TYPE_CHECKING:
    from gaitwright.fem.solid_part import SolidPart


class NodalQuantity(NamedTuple):
    """Unit, description, names of the components (empty for a scalar), and the function of the fields at integration
    points."""

    unit: str
    text: str
    components: tuple[str, ...]
    at_points: Callable[[PointFields], Array]


STRESS_COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")
_STRESS_ROWS, _STRESS_COLUMNS = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 2, 1, 2, 0])
NODAL_QUANTITIES = {
    "von_mises": NodalQuantity("Pa", "von Mises stress", (), lambda at: at.von_mises),
    "pressure": NodalQuantity("Pa", "mean pressure in the solid", (), lambda at: at.pressure),
    "stress": NodalQuantity(
        "Pa", "Cauchy stress", STRESS_COMPONENTS, lambda at: at.stress[..., _STRESS_ROWS, _STRESS_COLUMNS]
    ),
    "principal_stresses": NodalQuantity("Pa", "principal stresses", ("1", "2", "3"), lambda at: at.principal_stresses),
    "principal_stretches": NodalQuantity(
        "1", "principal stretches", ("1", "2", "3"), lambda at: at.principal_stretches
    ),
    "volume_ratio": NodalQuantity("1", "volume by undeformed volume", (), lambda at: at.volume_ratio),
    "energy_density": NodalQuantity("J/m^3", "elastic energy by undeformed volume", (), lambda at: at.energy_density),
}
"""Quantities computed at the integration points and averaged at the nodes."""
MOTION_FIELDS = ("displacement", "velocity", "acceleration", "position")


def evaluate_nodal_field(part: SolidPart, motion: Any, name: str) -> Array:
    """Evaluate a quantity at all nodes, (n_times, nodes) or (n_times, nodes, components)."""
    if name in MOTION_FIELDS:
        moved = {"velocity": motion.v, "acceleration": motion.a}
        if name in moved:
            return part.rates(moved[name])
        return part.displacements(motion.q) + (part.mesh.nodes if name == "position" else 0.0)
    quantity, count = NODAL_QUANTITIES[name], len(part.mesh.nodes)
    values_over_time = []
    for q in motion.q:
        total, around = 0.0, np.zeros(count)
        for filling in part.fillings:
            values = quantity.at_points(part.fields(filling, part.displacements(q)))
            volumes = np.broadcast_to(filling.geometry.volumes[:, None], filling.geometry.cells.shape)
            share = np.bincount(filling.geometry.cells.ravel(), volumes.ravel(), minlength=count)
            nodal = extrapolate_to_nodes(filling.geometry, values, count)
            total = total + nodal * share.reshape(-1, *[1] * (nodal.ndim - 1))
            around += share
        values_over_time.append(np.asarray(total) / around.reshape(-1, *[1] * (np.ndim(total) - 1)))
    return np.array(values_over_time)
