"""Quantities of beams of space by name: along their length, at their nodes and of the whole. Signs: spatial_beam_profile.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.geometry.rotation import matrix_of, quaternion_of, spin_of
from gaitwright.result.beam_shapes import ENDS, THREE, blocks
from gaitwright.result.spatial_beam_profile import SpatialLoads, SpatialProfile, available, require
from gaitwright.system.parts.beam import joined
from gaitwright.system.parts.quantities import POINT_OF
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import Motion


class Quantity(NamedTuple):
    """What is known along a beam. values: of a SpatialProfile."""

    unit: str
    text: str
    values: Callable[[SpatialProfile], Array]


def _magnitude(*parts: Array) -> Array:
    return np.hypot(*parts)


ALONG: dict[str, Quantity] = {
    "strain": Quantity("1", "axial strain |r_x| - 1", lambda p: p.strains[..., 0]),
    "twist": Quantity("1/m", "twist of the section, rad/m", lambda p: p.strains[..., 1]),
    "curvature_2": Quantity("1/m", "curvature about axis 2", lambda p: p.strains[..., 2]),
    "curvature_3": Quantity("1/m", "curvature about axis 3", lambda p: p.strains[..., 3]),
    "axial_force": Quantity("N", "axial force, positive in tension", lambda p: p.section[0][..., 0]),
    "shear_force_2": Quantity("N", "shear force of the part beyond, along axis 2", lambda p: p.section[0][..., 1]),
    "shear_force_3": Quantity("N", "shear force of the part beyond, along axis 3", lambda p: p.section[0][..., 2]),
    "torque": Quantity("N m", "torque of the part beyond, about the tangent", lambda p: p.section[1][..., 0]),
    "bending_moment_2": Quantity("N m", "bending moment about axis 2", lambda p: p.section[1][..., 1]),
    "bending_moment_3": Quantity("N m", "bending moment about axis 3", lambda p: p.section[1][..., 2]),
    "bending_moment": Quantity(
        "N m", "magnitude of the bending moment", lambda p: _magnitude(p.section[1][..., 1], p.section[1][..., 2])
    ),
    "surface_strain": Quantity("1", "largest strain at the surface, with its sign", SpatialProfile.surface_strain),
    "normal_stress": Quantity(
        "Pa", "largest normal stress at the surface, with its sign", SpatialProfile.normal_stress
    ),
    "shear_stress": Quantity("Pa", "largest shear stress of torsion", SpatialProfile.shear_stress),
}
"""Quantities at nodes and along the beam."""
SHAPE = {axis: Quantity("m", axis, lambda p, k=k: p.r[..., k]) for k, axis in enumerate("xyz")}
DENSITY = {
    "strain_energy_density": Quantity("J/m", "strain energy per unstressed length", SpatialProfile.energy_density)
}
PROFILE = SHAPE | ALONG | DENSITY
"""Quantities of `Result.beam`."""


def spatial_beam_dataset(
    loads: SpatialLoads, motion: Motion, names: tuple[str, ...] = (), points: int = 3
) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam."""
    import xarray as xr

    beam, total = loads.beam, "strain_energy"
    At(field="points").whole(points, "is not a number of points", "0, 1, 2, ...", least=0)
    wanted = list(names) or [*available(beam, PROFILE), total]
    for name in wanted:
        if name not in PROFILE and name != total:
            At().fail(f"there is no quantity '{name}' along a beam of space", expected=offer(name, [*PROFILE, total]))
        require(beam, name)
    xi = np.linspace(0.0, 1.0, int(points) + 2)
    s = np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)
    parts: dict[str, list[Array]] = {name: [] for name in wanted}
    for block in blocks(motion, 10 * s.size):
        profile = SpatialProfile(loads, block, xi)
        for name in wanted:
            own = loads.energy(block).sum(axis=1) if name == total else joined(PROFILE[name].values(profile))
            parts[name].append(own)
    data = {}
    for name, found in parts.items():
        if name == total:
            about = {"units": "J", "long_name": "strain energy of the whole beam"}
            data[name] = xr.Variable(("time",), np.concatenate(found), about)
        else:
            about = {"units": PROFILE[name].unit, "long_name": PROFILE[name].text}
            data[name] = xr.Variable(("time", "s"), np.concatenate(found), about)
    coordinates = {
        "time": xr.Variable("time", motion.t, {"units": "s", "long_name": "time"}),
        "s": xr.Variable("s", s, {"units": "m", "long_name": "arc length of the unstressed shape"}),
    }
    return xr.Dataset(data, coordinates, {"beam": beam.name, "formulation": beam.formulation})


# Nodes and the whole beam -------------------------------------------------------------------------------------------

POINTS: dict[str, tuple[str, str, Callable[[Any, Array], Array]]] = {
    what: (unit, text, lambda m, i, value=value: value(m.q[:, i[:3]], m.v[:, i[:3]], m.a[:, i[:3]]))
    for what, (unit, text, value) in POINT_OF[3].items()
}
for _k, _axis in enumerate("xyz"):
    POINTS[f"w{_axis}"] = (
        "rad/s", f"angular velocity of the section about {_axis}",
        lambda m, i, k=_k: spin_of(m.q[:, i[:12]], m.v[:, i[:12]])[:, k],
    )  # fmt: skip
for _k, _part in enumerate("wxyz"):
    POINTS[f"q{_part}"] = (
        "1", f"quaternion of the axes (tangent, 2, 3) of the section, {_part}",
        lambda m, i, k=_k: quaternion_of(matrix_of(m.q[:, i[:12]]))[:, k],
    )  # fmt: skip
POINTS["stretch"] = ("1", "axial strain |r_x| - 1", lambda m, i: np.linalg.norm(m.q[:, i[12:]], axis=1) - 1.0)
NODES = {what: (q.unit, q.text) for what, q in ALONG.items()}


def _largest(name: str) -> Callable[[SpatialProfile], Array]:
    return lambda p: np.abs(ALONG[name].values(p)).max(axis=(1, 2))


def _length(p: SpatialProfile) -> Array:
    return (p.beam.stretch(p.motion.q) + 1.0) @ p.beam.lengths


def _kinetic(p: SpatialProfile) -> Array:
    v = p.motion.v[:, p.beam.elements]
    return np.einsum("tei,eij,tej->t", v, p.beam.element_masses, v) / 2.0


WHOLE: dict[str, Quantity] = {
    "length": Quantity("m", "length along the beam as it is", _length),
    "strain_energy": Quantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": Quantity("J", "kinetic energy", _kinetic),
    "max_axial_force": Quantity("N", "largest axial force, in magnitude", _largest("axial_force")),
    "max_bending_moment": Quantity("N m", "largest bending moment", _largest("bending_moment")),
    "max_torque": Quantity("N m", "largest torque, in magnitude", _largest("torque")),
    "max_strain": Quantity("1", "largest strain at a surface, in magnitude", _largest("surface_strain")),
    "max_stress": Quantity("Pa", "largest normal stress at a surface, in magnitude", _largest("normal_stress")),
    "max_shear_stress": Quantity("Pa", "largest shear stress of torsion", _largest("shear_stress")),
}  # fmt: skip
"""Quantities of a whole beam. Largest values are those at nodes and in the middle of elements."""


class SpatialNodes:
    """Quantities at the nodes of a beam. Those of one node are computed together, and kept for the next one asked for."""

    def __init__(self, loads: SpatialLoads):
        self.loads = loads
        self.last: tuple[Any, int, SpatialProfile] | None = None

    def values(self, what: str, node: int, motion: Motion) -> Array:
        last = self.loads.beam.stations.size - 1
        elements = slice(max(node - 1, 0), min(node + 1, last))
        if self.last is None or self.last[0] is not motion or self.last[1] != node:
            self.last = motion, node, SpatialProfile(self.loads, motion, ENDS, elements)
        return joined(ALONG[what].values(self.last[2]))[:, node - elements.start]


class SpatialWhole:
    """Quantities of the whole beam over time."""

    def __init__(self, loads: SpatialLoads):
        self.loads = loads

    def values(self, what: str, motion: Motion) -> Array:
        width = 10 * THREE.size * self.loads.beam.lengths.size
        return np.concatenate([WHOLE[what].values(SpatialProfile(self.loads, m, THREE)) for m in blocks(motion, width)])
