"""Quantities of flexible beams by name: along their length, at their nodes and of the whole. Signs: beam_profile.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.result.beam_loads import Loads
from gaitwright.result.beam_profile import Profile, available, require
from gaitwright.system.parts.beam import BeamPart, joined
from gaitwright.system.parts.beam_strain import family_of
from gaitwright.system.parts.spatial_beam import SpatialBeamPart
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import Motion

ENDS = np.array([0.0, 1.0])
THREE = np.array([0.0, 0.5, 1.0])
BLOCK = 100_000
"""Places times instants that are computed at once: arrays that stay in the cache of the processor."""


TEXTS = {
    "continuum": {"strain": "axial strain |r_x| - 1"},
    "takahashi": {
        "strain": "axial strain of the chord of the element",
        "curvature": "curvature |r_xx|, positive to the left",
    },
}
"""What the strains are called, where it is not what every beam has."""


class Quantity(NamedTuple):
    """What is known along a beam. values: of a Profile."""

    unit: str
    text: str
    values: Callable[[Profile], Array]


ALONG: dict[str, Quantity] = {
    "strain": Quantity("1", "axial strain", lambda p: p.strains[0]),
    "curvature": Quantity("1/m", "curvature, positive to the left", lambda p: p.strains[1]),
    "axial_force": Quantity("N", "axial force, positive in tension", lambda p: p.component(0)),
    "shear_force": Quantity("N", "shear force of the part beyond, positive to the left", lambda p: p.component(1)),
    "bending_moment": Quantity("N m", "bending moment, positive where it bends to the left", lambda p: p.section[1]),
    "local_axial_force": Quantity(
        "N", "EA times the change of the axial strain at this place", lambda p: p.stiffness()[0] * p.changes[0]
    ),
    "local_bending_moment": Quantity(
        "N m", "EI times the change of the curvature at this place", lambda p: p.stiffness()[1] * p.changes[1]
    ),
    "strain_left": Quantity("1", "strain at the left surface", lambda p: p.surface_strain(1)),
    "strain_right": Quantity("1", "strain at the right surface", lambda p: p.surface_strain(-1)),
    "stress_left": Quantity("Pa", "stress at the left surface", lambda p: p.surface_stress(1)),
    "stress_right": Quantity("Pa", "stress at the right surface", lambda p: p.surface_stress(-1)),
}
"""Quantities at nodes and along the beam."""
SHAPE: dict[str, Quantity] = {
    "x": Quantity("m", "x", lambda p: p.r[..., 0]),
    "y": Quantity("m", "y", lambda p: p.r[..., 1]),
    "angle": Quantity("rad", "angle of the tangent, counted on along the beam and in time", lambda p: p.r_x),
}
DENSITY = {"strain_energy_density": Quantity("J/m", "strain energy per unstressed length", Profile.energy_density)}
PROFILE = SHAPE | ALONG | DENSITY
"""Quantities of `Result.beam`."""


def in_pictures(quantity: str) -> tuple[float, str]:
    """A factor and the unit in which a picture shows a quantity: stresses in MPa."""
    from gaitwright.result.spatial_beam_outputs import PROFILE as IN_SPACE

    unit = (IN_SPACE | PROFILE)[quantity].unit
    return (1e-6, "MPa") if unit == "Pa" else (1.0, unit)


def _angles(profile: Profile) -> Array:
    """Angle of the tangent along the whole beam, without jumps."""
    x, y = (joined(profile.r_x[..., axis]) for axis in range(2))
    angle = np.unwrap(np.arctan2(y, x), axis=1)
    return angle + (np.unwrap(angle[:, 0]) - angle[:, 0])[:, None]


def describe(beam: BeamPart, what: str, text: str) -> str:
    """The description of a quantity, with the measures of the formulation."""
    return TEXTS[family_of(beam.formulation)].get(what, text)


def blocks(motion: Motion, width: int) -> Iterator[Motion]:
    """The motion in parts with so few times that arrays `width` wide stay small."""
    step = max(1, BLOCK // max(width, 1))
    for k in range(0, max(motion.t.size, 1), step):
        yield type(motion)(*(x[k : k + step] for x in motion))


def beam_dataset(loads: Loads, motion: Motion, names: tuple[str, ...] = (), points: int = 3) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam."""
    import xarray as xr

    beam = loads.beam
    if isinstance(beam, SpatialBeamPart):
        from gaitwright.result.spatial_beam_outputs import spatial_beam_dataset

        return spatial_beam_dataset(loads, motion, names, points)  # type: ignore[arg-type]
    At(field="points").whole(points, "is not a number of points", "0, 1, 2, ...", least=0)
    total = "strain_energy"
    wanted = list(names) or [*available(beam, PROFILE), total]
    for name in wanted:
        if name not in PROFILE and name != total:
            At().fail(f"there is no quantity '{name}' along a beam", expected=offer(name, [*PROFILE, total]))
        require(beam, name)
    xi = np.linspace(0.0, 1.0, int(points) + 2)
    s = np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)
    parts: dict[str, list[Array]] = {name: [] for name in wanted}
    for block in blocks(motion, s.size):
        profile = Profile(loads, block, xi)
        for name in wanted:
            if name == total:
                parts[name].append(loads.energy(block).sum(axis=1))
            elif name == "angle":
                parts[name].append(_angles(profile))
            else:
                parts[name].append(joined(PROFILE[name].values(profile)))
    values = {name: np.concatenate(found) for name, found in parts.items()}
    if "angle" in values:
        start = values["angle"][:, 0]
        values["angle"] += (np.unwrap(start) - start)[:, None]
    data = {}
    for name, array in values.items():
        if name == total:
            about = {"units": "J", "long_name": "strain energy of the whole beam"}
            data[name] = xr.Variable(("time",), array, about)
        else:
            text = describe(beam, name, PROFILE[name].text)
            data[name] = xr.Variable(("time", "s"), array, {"units": PROFILE[name].unit, "long_name": text})
    coordinates = {
        "time": xr.Variable("time", motion.t, {"units": "s", "long_name": "time"}),
        "s": xr.Variable("s", s, {"units": "m", "long_name": "arc length of the unstressed shape"}),
    }
    return xr.Dataset(data, coordinates, {"beam": beam.name, "formulation": beam.formulation})


# Nodes and the whole beam -------------------------------------------------------------------------------------------


def _elastic_moment(loads: Loads, motion: Motion, elements: slice, node: int) -> Array:
    """Magnitude of the slope part of the elastic forces of all elements at a node, N m (paper 002, Table 2)."""
    forces = loads.force(loads.elastic(), motion, elements)
    both = sum(forces[:, k - elements.start, 1 if k == node else 3] for k in range(elements.start, elements.stop))
    return np.hypot(*np.moveaxis(np.asarray(both), -1, 0))


class Nodes:
    """Quantities at the nodes of a beam. Those of one node are computed together, and kept for the next one asked for."""

    def __init__(self, loads: Loads):
        self.loads = loads
        self.last: tuple[Any, int, Profile] | None = None

    def values(self, what: str, node: int, motion: Motion) -> Array:
        last = self.loads.beam.stations.size - 1
        elements = slice(max(node - 1, 0), min(node + 1, last))
        if what == "elastic_moment":
            return _elastic_moment(self.loads, motion, elements, node)
        if self.last is None or self.last[0] is not motion or self.last[1] != node:
            self.last = motion, node, Profile(self.loads, motion, ENDS, elements)
        return joined(ALONG[what].values(self.last[2]))[:, node - elements.start]


NODES: dict[str, tuple[str, str]] = {what: (q.unit, q.text) for what, q in ALONG.items()} | {
    "elastic_moment": ("N m", "magnitude of the slope part of the elastic forces (paper 002, Table 2)")
}
"""Quantities at nodes: unit and description."""


def _largest(*names: str) -> Callable[[Profile], Array]:
    return lambda p: np.max([np.abs(ALONG[name].values(p)).max(axis=(1, 2)) for name in names], axis=0)


def _length(p: Profile) -> Array:
    x, w = np.polynomial.legendre.leggauss(5)
    r_x = p.beam.along(p.motion.q, (x + 1.0) / 2.0, 1)
    return (np.hypot(r_x[..., 0], r_x[..., 1]) @ w / 2.0) @ p.beam.lengths


def _kinetic(p: Profile) -> Array:
    v = p.motion.v[:, p.beam.elements].reshape(len(p.e), -1, 4, 2)
    return np.einsum("eij,teic,tejc->t", p.masses[1][:, -1], v, v) / 2.0


WHOLE: dict[str, Quantity] = {
    "length": Quantity("m", "length along the beam as it is", _length),
    "strain_energy": Quantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": Quantity("J", "kinetic energy", _kinetic),
    "max_curvature": Quantity("1/m", "largest curvature, in magnitude", _largest("curvature")),
    "max_axial_force": Quantity("N", "largest axial force, in magnitude", _largest("axial_force")),
    "max_bending_moment": Quantity("N m", "largest bending moment, in magnitude", _largest("bending_moment")),
    "max_strain": Quantity("1", "largest strain at a surface, in magnitude", _largest("strain_left", "strain_right")),
    "max_stress": Quantity("Pa", "largest stress at a surface, in magnitude", _largest("stress_left", "stress_right")),
}  # fmt: skip
"""Quantities of a whole beam. Largest values are those at nodes and in the middle of elements."""


class Whole:
    """Quantities of the whole beam over time. Largest values are found together, and kept for the next one asked for."""

    def __init__(self, loads: Loads):
        self.loads = loads
        self.motion: Motion | None = None
        self.largest: dict[str, Array] = {}

    def values(self, what: str, motion: Motion) -> Array:
        if not what.startswith("max_"):
            return self._computed([what], motion)[what]
        if motion is not self.motion:
            names = available(self.loads.beam, [name for name in WHOLE if name.startswith("max_")])
            self.motion, self.largest = motion, self._computed(names, motion)
        return self.largest[what]

    def _computed(self, names: list[str], motion: Motion) -> dict[str, Array]:
        width = THREE.size * (self.loads.beam.stations.size - 1)
        profiles = (Profile(self.loads, block, THREE) for block in blocks(motion, width))
        rows = [[WHOLE[name].values(profile) for name in names] for profile in profiles]
        return dict(zip(names, (np.concatenate(parts) for parts in zip(*rows, strict=True)), strict=True))
