"""Quantities of spatial beams by name: along their length, at their nodes and for the whole beam. Signs: spatial_profile.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.fem.beams.planar_beam import join_element_values
from gaitwright.geometry.rotation import angular_rate_of, matrix_of, quaternion_of
from gaitwright.mechanism.parts.point_outputs import POINT_OUTPUTS
from gaitwright.mechanism.tables import Array
from gaitwright.result.beams.planar_quantities import ELEMENT_ENDS, ELEMENT_ENDS_AND_MIDDLE, split_motion
from gaitwright.result.beams.spatial_profile import (
    SpatialBeamLoads,
    SpatialBeamProfile,
    available_quantities,
    require_quantity,
)

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import StateHistory


class SpatialBeamQuantity(NamedTuple):
    """Quantity along a beam. values: function of a SpatialBeamProfile."""

    unit: str
    text: str
    values: Callable[[SpatialBeamProfile], Array]


def _magnitude(*parts: Array) -> Array:
    return np.hypot(*parts)


SECTION_QUANTITIES: dict[str, SpatialBeamQuantity] = {
    "strain": SpatialBeamQuantity("1", "axial strain |r_x| - 1", lambda p: p.strains[..., 0]),
    "twist": SpatialBeamQuantity("1/m", "twist of the section, rad/m", lambda p: p.strains[..., 1]),
    "curvature_2": SpatialBeamQuantity("1/m", "curvature about axis 2", lambda p: p.strains[..., 2]),
    "curvature_3": SpatialBeamQuantity("1/m", "curvature about axis 3", lambda p: p.strains[..., 3]),
    "axial_force": SpatialBeamQuantity("N", "axial force, positive in tension", lambda p: p.section[0][..., 0]),
    "shear_force_2": SpatialBeamQuantity(
        "N", "shear force of the part beyond, along axis 2", lambda p: p.section[0][..., 1]
    ),
    "shear_force_3": SpatialBeamQuantity(
        "N", "shear force of the part beyond, along axis 3", lambda p: p.section[0][..., 2]
    ),
    "torque": SpatialBeamQuantity(
        "N m", "torque of the part beyond, about the tangent", lambda p: p.section[1][..., 0]
    ),
    "bending_moment_2": SpatialBeamQuantity("N m", "bending moment about axis 2", lambda p: p.section[1][..., 1]),
    "bending_moment_3": SpatialBeamQuantity("N m", "bending moment about axis 3", lambda p: p.section[1][..., 2]),
    "bending_moment": SpatialBeamQuantity(
        "N m", "magnitude of the bending moment", lambda p: _magnitude(p.section[1][..., 1], p.section[1][..., 2])
    ),
    "surface_strain": SpatialBeamQuantity(
        "1", "largest strain at the surface, with its sign", SpatialBeamProfile.surface_strain
    ),
    "normal_stress": SpatialBeamQuantity(
        "Pa", "largest normal stress at the surface, with its sign", SpatialBeamProfile.normal_stress
    ),
    "shear_stress": SpatialBeamQuantity("Pa", "largest shear stress of torsion", SpatialBeamProfile.shear_stress),
}
"""Quantities at nodes and along the beam."""
SHAPE_QUANTITIES = {axis: SpatialBeamQuantity("m", axis, lambda p, k=k: p.r[..., k]) for k, axis in enumerate("xyz")}
DENSITY_QUANTITIES = {
    "strain_energy_density": SpatialBeamQuantity(
        "J/m", "strain energy per unstressed length", SpatialBeamProfile.energy_density
    )
}
PROFILE_QUANTITIES = SHAPE_QUANTITIES | SECTION_QUANTITIES | DENSITY_QUANTITIES
"""Quantities of `Result.beam`."""


def spatial_beam_dataset(
    loads: SpatialBeamLoads, motion: StateHistory, names: tuple[str, ...] = (), points: int = 3
) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam."""
    import xarray as xr

    beam, total = loads.beam, "strain_energy"
    ErrorContext(field="points").whole(points, "is not a number of points", "0, 1, 2, ...", least=0)
    selected = list(names) or [*available_quantities(beam, PROFILE_QUANTITIES), total]
    for name in selected:
        if name not in PROFILE_QUANTITIES and name != total:
            ErrorContext().fail(
                f"there is no quantity '{name}' along a beam of space",
                expected=format_choices(name, [*PROFILE_QUANTITIES, total]),
            )
        require_quantity(beam, name)
    xi = np.linspace(0.0, 1.0, int(points) + 2)
    s = np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)
    parts: dict[str, list[Array]] = {name: [] for name in selected}
    for block in split_motion(motion, 10 * s.size):
        profile = SpatialBeamProfile(loads, block, xi)
        for name in selected:
            own = (
                loads.energy(block).sum(axis=1)
                if name == total
                else join_element_values(PROFILE_QUANTITIES[name].values(profile))
            )
            parts[name].append(own)
    data = {}
    for name, blocks in parts.items():
        if name == total:
            about = {"units": "J", "long_name": "strain energy of the whole beam"}
            data[name] = xr.Variable(("time",), np.concatenate(blocks), about)
        else:
            about = {"units": PROFILE_QUANTITIES[name].unit, "long_name": PROFILE_QUANTITIES[name].text}
            data[name] = xr.Variable(("time", "s"), np.concatenate(blocks), about)
    coordinates = {
        "time": xr.Variable("time", motion.t, {"units": "s", "long_name": "time"}),
        "s": xr.Variable("s", s, {"units": "m", "long_name": "arc length of the unstressed shape"}),
    }
    return xr.Dataset(data, coordinates, {"beam": beam.name, "formulation": beam.formulation})


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


WHOLE_BEAM_QUANTITIES: dict[str, SpatialBeamQuantity] = {
    "length": SpatialBeamQuantity("m", "length along the beam as it is", _beam_length),
    "strain_energy": SpatialBeamQuantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": SpatialBeamQuantity("J", "kinetic energy", _kinetic_energy),
    "max_axial_force": SpatialBeamQuantity("N", "largest axial force, in magnitude", _max_magnitude("axial_force")),
    "max_bending_moment": SpatialBeamQuantity("N m", "largest bending moment", _max_magnitude("bending_moment")),
    "max_torque": SpatialBeamQuantity("N m", "largest torque, in magnitude", _max_magnitude("torque")),
    "max_strain": SpatialBeamQuantity(
        "1", "largest strain at a surface, in magnitude", _max_magnitude("surface_strain")
    ),
    "max_stress": SpatialBeamQuantity(
        "Pa", "largest normal stress at a surface, in magnitude", _max_magnitude("normal_stress")
    ),
    "max_shear_stress": SpatialBeamQuantity("Pa", "largest shear stress of torsion", _max_magnitude("shear_stress")),
}
"""Quantities of a whole beam. Largest values are taken over the nodes and the middles of the elements."""


class SpatialBeamNodes:
    """Quantities at the nodes of a beam. Those of one node are computed together and cached for the next request."""

    def __init__(self, loads: SpatialBeamLoads):
        self.loads = loads
        self.last: tuple[Any, int, SpatialBeamProfile] | None = None

    def values(self, quantity: str, node: int, motion: StateHistory) -> Array:
        last = self.loads.beam.stations.size - 1
        elements = slice(max(node - 1, 0), min(node + 1, last))
        if self.last is None or self.last[0] is not motion or self.last[1] != node:
            self.last = motion, node, SpatialBeamProfile(self.loads, motion, ELEMENT_ENDS, elements)
        return join_element_values(SECTION_QUANTITIES[quantity].values(self.last[2]))[:, node - elements.start]


class SpatialBeamTotals:
    """Quantities of the whole beam over time."""

    def __init__(self, loads: SpatialBeamLoads):
        self.loads = loads

    def values(self, quantity: str, motion: StateHistory) -> Array:
        width = 10 * ELEMENT_ENDS_AND_MIDDLE.size * self.loads.beam.lengths.size
        return np.concatenate(
            [
                WHOLE_BEAM_QUANTITIES[quantity].values(SpatialBeamProfile(self.loads, m, ELEMENT_ENDS_AND_MIDDLE))
                for m in split_motion(motion, width)
            ]
        )
