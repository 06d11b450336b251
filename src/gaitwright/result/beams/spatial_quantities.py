"""Quantities of spatial beams by name: along their length, at their nodes and for the whole beam. Signs: spatial_profile.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.geometry.rotation import angular_rate_of, matrix_of, quaternion_of
from gaitwright.mechanism.parts.point_outputs import POINT_OUTPUTS
from gaitwright.mechanism.tables import Array
from gaitwright.result.beams.quantities import BeamQuantity, BeamQuantityTables
from gaitwright.result.beams.spatial_profile import SpatialBeamProfile


def _magnitude(*parts: Array) -> Array:
    return np.hypot(*parts)


SECTION_QUANTITIES: dict[str, BeamQuantity] = {
    "strain": BeamQuantity("1", "axial strain |r_x| - 1", lambda p: p.strains[..., 0]),
    "twist": BeamQuantity("1/m", "twist of the section, rad/m", lambda p: p.strains[..., 1]),
    "curvature_2": BeamQuantity("1/m", "curvature about axis 2", lambda p: p.strains[..., 2]),
    "curvature_3": BeamQuantity("1/m", "curvature about axis 3", lambda p: p.strains[..., 3]),
    "axial_force": BeamQuantity("N", "axial force, positive in tension", lambda p: p.section[0][..., 0]),
    "shear_force_2": BeamQuantity("N", "shear force of the part beyond, along axis 2", lambda p: p.section[0][..., 1]),
    "shear_force_3": BeamQuantity("N", "shear force of the part beyond, along axis 3", lambda p: p.section[0][..., 2]),
    "torque": BeamQuantity("N m", "torque of the part beyond, about the tangent", lambda p: p.section[1][..., 0]),
    "bending_moment_2": BeamQuantity("N m", "bending moment about axis 2", lambda p: p.section[1][..., 1]),
    "bending_moment_3": BeamQuantity("N m", "bending moment about axis 3", lambda p: p.section[1][..., 2]),
    "bending_moment": BeamQuantity(
        "N m", "magnitude of the bending moment", lambda p: _magnitude(p.section[1][..., 1], p.section[1][..., 2])
    ),
    "surface_strain": BeamQuantity(
        "1", "largest strain at the surface, with its sign", SpatialBeamProfile.surface_strain
    ),
    "normal_stress": BeamQuantity(
        "Pa", "largest normal stress at the surface, with its sign", SpatialBeamProfile.normal_stress
    ),
    "shear_stress": BeamQuantity("Pa", "largest shear stress of torsion", SpatialBeamProfile.shear_stress),
}
"""Quantities at nodes and along the beam."""
SHAPE_QUANTITIES = {axis: BeamQuantity("m", axis, lambda p, k=k: p.r[..., k]) for k, axis in enumerate("xyz")}
DENSITY_QUANTITIES = {
    "strain_energy_density": BeamQuantity(
        "J/m", "strain energy per unstressed length", SpatialBeamProfile.energy_density
    )
}
PROFILE_QUANTITIES = SHAPE_QUANTITIES | SECTION_QUANTITIES | DENSITY_QUANTITIES
"""Quantities of `Result.beam`."""


# Nodes and the whole beam -------------------------------------------------------------------------------------------

POINT_QUANTITIES: dict[str, tuple[str, str, Callable[[Any, Array], Array]]] = {
    what: (unit, text, lambda m, i, value=value: value(m.q[:, i[:3]], m.v[:, i[:3]], m.a[:, i[:3]]))
    for what, (unit, text, value) in POINT_OUTPUTS[3].items()
}
for _k, _axis in enumerate("xyz"):
    POINT_QUANTITIES[f"w{_axis}"] = (
        "rad/s", f"angular velocity of the section about {_axis}",
        lambda m, i, k=_k: angular_rate_of(m.q[:, i[:12]], m.v[:, i[:12]])[:, k],
    )  # fmt: skip
for _k, _part in enumerate("wxyz"):
    POINT_QUANTITIES[f"q{_part}"] = (
        "1", f"quaternion of the axes (tangent, 2, 3) of the section, {_part}",
        lambda m, i, k=_k: quaternion_of(matrix_of(m.q[:, i[:12]]))[:, k],
    )  # fmt: skip
POINT_QUANTITIES["stretch"] = ("1", "axial strain |r_x| - 1", lambda m, i: np.linalg.norm(m.q[:, i[12:]], axis=1) - 1.0)
NODE_QUANTITIES = {what: (q.unit, q.text) for what, q in SECTION_QUANTITIES.items()}


def _max_magnitude(name: str) -> Callable[[SpatialBeamProfile], Array]:
    return lambda p: np.abs(SECTION_QUANTITIES[name].values(p)).max(axis=(1, 2))


def _beam_length(p: SpatialBeamProfile) -> Array:
    return (p.beam.stretch(p.motion.q) + 1.0) @ p.beam.lengths


def _kinetic_energy(p: SpatialBeamProfile) -> Array:
    v = p.motion.v[:, p.beam.elements]
    return np.einsum("tei,eij,tej->t", v, p.beam.element_masses, v) / 2.0


WHOLE_BEAM_QUANTITIES: dict[str, BeamQuantity] = {
    "length": BeamQuantity("m", "length along the beam as it is", _beam_length),
    "strain_energy": BeamQuantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": BeamQuantity("J", "kinetic energy", _kinetic_energy),
    "max_axial_force": BeamQuantity("N", "largest axial force, in magnitude", _max_magnitude("axial_force")),
    "max_bending_moment": BeamQuantity("N m", "largest bending moment", _max_magnitude("bending_moment")),
    "max_torque": BeamQuantity("N m", "largest torque, in magnitude", _max_magnitude("torque")),
    "max_strain": BeamQuantity("1", "largest strain at a surface, in magnitude", _max_magnitude("surface_strain")),
    "max_stress": BeamQuantity(
        "Pa", "largest normal stress at a surface, in magnitude", _max_magnitude("normal_stress")
    ),
    "max_shear_stress": BeamQuantity("Pa", "largest shear stress of torsion", _max_magnitude("shear_stress")),
}
"""Quantities of a whole beam. Largest values are taken over the nodes and the middles of the elements."""


SPATIAL_BEAM_TABLES = BeamQuantityTables(
    SpatialBeamProfile, SECTION_QUANTITIES, PROFILE_QUANTITIES, WHOLE_BEAM_QUANTITIES, 10, "beam of space"
)
