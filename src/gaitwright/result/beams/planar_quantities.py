"""Quantities of planar beams by name: along their length, at their nodes and for the whole beam. Signs: planar_profile.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.fem.beams.planar_beam import PlanarBeamPart, join_element_values
from gaitwright.fem.beams.planar_beam_strain import formulation_family
from gaitwright.mechanism.tables import Array
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.beams.planar_profile import PlanarBeamProfile
from gaitwright.result.beams.quantities import BeamNodes, BeamQuantity, BeamQuantityTables, quantities_along

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import StateHistory

FORMULATION_TEXTS = {
    "continuum": {"strain": "axial strain |r_x| - 1"},
    "takahashi": {
        "strain": "axial strain of the chord of the element",
        "curvature": "curvature |r_xx|, positive to the left",
    },
}
"""Descriptions of the strains of a formulation, where they differ from those of other beams."""


def _tangent_angles(profile: PlanarBeamProfile) -> Array:
    """Angle of the tangent along the whole beam, without jumps."""
    x, y = (join_element_values(profile.r_x[..., axis]) for axis in range(2))
    angle = np.unwrap(np.arctan2(y, x), axis=1)
    return angle + (np.unwrap(angle[:, 0]) - angle[:, 0])[:, None]


SECTION_QUANTITIES: dict[str, BeamQuantity] = {
    "strain": BeamQuantity("1", "axial strain", lambda p: p.strains[0]),
    "curvature": BeamQuantity("1/m", "curvature, positive to the left", lambda p: p.strains[1]),
    "axial_force": BeamQuantity("N", "axial force, positive in tension", lambda p: p.component(0)),
    "shear_force": BeamQuantity("N", "shear force of the part beyond, positive to the left", lambda p: p.component(1)),
    "bending_moment": BeamQuantity(
        "N m", "bending moment, positive where it bends to the left", lambda p: p.section[1]
    ),
    "local_axial_force": BeamQuantity(
        "N", "EA times the change of the axial strain at this place", lambda p: p.stiffness()[0] * p.changes[0]
    ),
    "local_bending_moment": BeamQuantity(
        "N m", "EI times the change of the curvature at this place", lambda p: p.stiffness()[1] * p.changes[1]
    ),
    "strain_left": BeamQuantity("1", "strain at the left surface", lambda p: p.surface_strain(1)),
    "strain_right": BeamQuantity("1", "strain at the right surface", lambda p: p.surface_strain(-1)),
    "stress_left": BeamQuantity("Pa", "stress at the left surface", lambda p: p.surface_stress(1)),
    "stress_right": BeamQuantity("Pa", "stress at the right surface", lambda p: p.surface_stress(-1)),
}
"""Quantities at nodes and along the beam."""
SHAPE_QUANTITIES: dict[str, BeamQuantity] = {
    "x": BeamQuantity("m", "x", lambda p: p.r[..., 0]),
    "y": BeamQuantity("m", "y", lambda p: p.r[..., 1]),
    "angle": BeamQuantity("rad", "angle of the tangent, counted on along the beam and in time", _tangent_angles),
}
DENSITY_QUANTITIES = {
    "strain_energy_density": BeamQuantity(
        "J/m", "strain energy per unstressed length", PlanarBeamProfile.energy_density
    )
}
PROFILE_QUANTITIES = SHAPE_QUANTITIES | SECTION_QUANTITIES | DENSITY_QUANTITIES
"""Quantities of `Result.beam`."""


def describe_quantity(beam: PlanarBeamPart, name: str, text: str) -> str:
    """Description of a quantity, with the strain measure of the formulation."""
    return FORMULATION_TEXTS[formulation_family(beam.formulation)].get(name, text)


# Nodes and the whole beam -------------------------------------------------------------------------------------------


def _elastic_moment(loads: BeamLoads, motion: StateHistory, elements: slice, node: int) -> Array:
    """Magnitude of the slope part of the elastic forces of all elements at a node, N m (paper 002, Table 2)."""
    forces = loads.force(loads.elastic(), motion, elements)
    both = sum(forces[:, k - elements.start, 1 if k == node else 3] for k in range(elements.start, elements.stop))
    return np.hypot(*np.moveaxis(np.asarray(both), -1, 0))


class PlanarBeamNodes(BeamNodes):
    """Quantities at the nodes of a planar beam, with the elastic moment."""

    def values(self, quantity: str, node: int, motion: StateHistory) -> Array:
        if quantity == "elastic_moment":
            return _elastic_moment(self.loads, motion, self.elements_at(node), node)
        return super().values(quantity, node, motion)


NODE_QUANTITIES: dict[str, tuple[str, str]] = {what: (q.unit, q.text) for what, q in SECTION_QUANTITIES.items()} | {
    "elastic_moment": ("N m", "magnitude of the slope part of the elastic forces (paper 002, Table 2)")
}
"""Quantities at nodes: unit and description."""


def _max_magnitude(*names: str) -> Callable[[PlanarBeamProfile], Array]:
    return lambda p: np.max([np.abs(SECTION_QUANTITIES[name].values(p)).max(axis=(1, 2)) for name in names], axis=0)


def _beam_length(p: PlanarBeamProfile) -> Array:
    x, w = np.polynomial.legendre.leggauss(5)
    r_x = p.beam.along(p.motion.q, (x + 1.0) / 2.0, 1)
    return (np.hypot(r_x[..., 0], r_x[..., 1]) @ w / 2.0) @ p.beam.lengths


def _kinetic_energy(p: PlanarBeamProfile) -> Array:
    v = p.motion.v[:, p.beam.elements].reshape(len(p.e), -1, 4, 2)
    return np.einsum("eij,teic,tejc->t", p.masses[1][:, -1], v, v) / 2.0


WHOLE_BEAM_QUANTITIES: dict[str, BeamQuantity] = {
    "length": BeamQuantity("m", "length along the beam as it is", _beam_length),
    "strain_energy": BeamQuantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": BeamQuantity("J", "kinetic energy", _kinetic_energy),
    "max_curvature": BeamQuantity("1/m", "largest curvature, in magnitude", _max_magnitude("curvature")),
    "max_axial_force": BeamQuantity("N", "largest axial force, in magnitude", _max_magnitude("axial_force")),
    "max_bending_moment": BeamQuantity("N m", "largest bending moment, in magnitude", _max_magnitude("bending_moment")),
    "max_strain": BeamQuantity(
        "1", "largest strain at a surface, in magnitude", _max_magnitude("strain_left", "strain_right")
    ),
    "max_stress": BeamQuantity(
        "Pa", "largest stress at a surface, in magnitude", _max_magnitude("stress_left", "stress_right")
    ),
}
"""Quantities of a whole beam. Largest values are taken over the nodes and the middles of the elements."""


PLANAR_BEAM_TABLES = BeamQuantityTables(
    PlanarBeamProfile, SECTION_QUANTITIES, PROFILE_QUANTITIES, WHOLE_BEAM_QUANTITIES
)


def planar_beam_dataset(
    loads: BeamLoads, motion: StateHistory, names: tuple[str, ...] = (), points: int = 3
) -> xr.Dataset:
    """Quantities along a planar beam over (time, s); see Result.beam."""
    data = quantities_along(PLANAR_BEAM_TABLES, loads, motion, names, points)
    if "angle" in data:  # without jumps between blocks of times
        start = data["angle"].values[:, 0]
        data["angle"].values += (np.unwrap(start) - start)[:, None]
    for name in data:
        about = data[name].attrs
        about["long_name"] = describe_quantity(loads.beam, str(name), about["long_name"])
    return data
