"""Quantities of planar beams by name: along their length, at their nodes and for the whole beam. Signs: planar_profile.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.fem.beams.planar_beam import PlanarBeamPart, join_element_values
from gaitwright.fem.beams.planar_beam_strain import formulation_family
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.mechanism.tables import Array
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.beams.planar_profile import PlanarBeamProfile, available_quantities, require_quantity

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import StateHistory

ELEMENT_ENDS = np.array([0.0, 1.0])
ELEMENT_ENDS_AND_MIDDLE = np.array([0.0, 0.5, 1.0])
MAX_BLOCK_SIZE = 100_000
"""Maximum size of a block (positions times instants) that is computed at once, so that its arrays stay in the processor
cache."""


FORMULATION_TEXTS = {
    "continuum": {"strain": "axial strain |r_x| - 1"},
    "takahashi": {
        "strain": "axial strain of the chord of the element",
        "curvature": "curvature |r_xx|, positive to the left",
    },
}
"""Descriptions of the strains of a formulation, where they differ from those of other beams."""


class PlanarBeamQuantity(NamedTuple):
    """Quantity along a beam. values: function of a PlanarBeamProfile."""

    unit: str
    text: str
    values: Callable[[PlanarBeamProfile], Array]


SECTION_QUANTITIES: dict[str, PlanarBeamQuantity] = {
    "strain": PlanarBeamQuantity("1", "axial strain", lambda p: p.strains[0]),
    "curvature": PlanarBeamQuantity("1/m", "curvature, positive to the left", lambda p: p.strains[1]),
    "axial_force": PlanarBeamQuantity("N", "axial force, positive in tension", lambda p: p.component(0)),
    "shear_force": PlanarBeamQuantity(
        "N", "shear force of the part beyond, positive to the left", lambda p: p.component(1)
    ),
    "bending_moment": PlanarBeamQuantity(
        "N m", "bending moment, positive where it bends to the left", lambda p: p.section[1]
    ),
    "local_axial_force": PlanarBeamQuantity(
        "N", "EA times the change of the axial strain at this place", lambda p: p.stiffness()[0] * p.changes[0]
    ),
    "local_bending_moment": PlanarBeamQuantity(
        "N m", "EI times the change of the curvature at this place", lambda p: p.stiffness()[1] * p.changes[1]
    ),
    "strain_left": PlanarBeamQuantity("1", "strain at the left surface", lambda p: p.surface_strain(1)),
    "strain_right": PlanarBeamQuantity("1", "strain at the right surface", lambda p: p.surface_strain(-1)),
    "stress_left": PlanarBeamQuantity("Pa", "stress at the left surface", lambda p: p.surface_stress(1)),
    "stress_right": PlanarBeamQuantity("Pa", "stress at the right surface", lambda p: p.surface_stress(-1)),
}
"""Quantities at nodes and along the beam."""
SHAPE_QUANTITIES: dict[str, PlanarBeamQuantity] = {
    "x": PlanarBeamQuantity("m", "x", lambda p: p.r[..., 0]),
    "y": PlanarBeamQuantity("m", "y", lambda p: p.r[..., 1]),
    "angle": PlanarBeamQuantity("rad", "angle of the tangent, counted on along the beam and in time", lambda p: p.r_x),
}
DENSITY_QUANTITIES = {
    "strain_energy_density": PlanarBeamQuantity(
        "J/m", "strain energy per unstressed length", PlanarBeamProfile.energy_density
    )
}
PROFILE_QUANTITIES = SHAPE_QUANTITIES | SECTION_QUANTITIES | DENSITY_QUANTITIES
"""Quantities of `Result.beam`."""


def picture_unit(quantity: str) -> tuple[float, str]:
    """Factor and unit for a quantity in pictures: stresses are shown in MPa."""
    from gaitwright.result.beams.spatial_quantities import PROFILE_QUANTITIES as IN_SPACE

    unit = (IN_SPACE | PROFILE_QUANTITIES)[quantity].unit
    return (1e-6, "MPa") if unit == "Pa" else (1.0, unit)


def _tangent_angles(profile: PlanarBeamProfile) -> Array:
    """Angle of the tangent along the whole beam, without jumps."""
    x, y = (join_element_values(profile.r_x[..., axis]) for axis in range(2))
    angle = np.unwrap(np.arctan2(y, x), axis=1)
    return angle + (np.unwrap(angle[:, 0]) - angle[:, 0])[:, None]


def describe_quantity(beam: PlanarBeamPart, name: str, text: str) -> str:
    """Description of a quantity, with the strain measure of the formulation."""
    return FORMULATION_TEXTS[formulation_family(beam.formulation)].get(name, text)


def split_motion(motion: StateHistory, width: int) -> Iterator[StateHistory]:
    """Split the motion into blocks of few times, so that arrays with `width` columns stay small."""
    step = max(1, MAX_BLOCK_SIZE // max(width, 1))
    for k in range(0, max(motion.t.size, 1), step):
        yield type(motion)(*(x[k : k + step] for x in motion))


def beam_dataset(loads: BeamLoads, motion: StateHistory, names: tuple[str, ...] = (), points: int = 3) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam."""
    import xarray as xr

    beam = loads.beam
    if isinstance(beam, SpatialBeamPart):
        from gaitwright.result.beams.spatial_quantities import spatial_beam_dataset

        return spatial_beam_dataset(loads, motion, names, points)  # type: ignore[arg-type]
    ErrorContext(field="points").whole(points, "is not a number of points", "0, 1, 2, ...", least=0)
    total = "strain_energy"
    selected = list(names) or [*available_quantities(beam, PROFILE_QUANTITIES), total]
    for name in selected:
        if name not in PROFILE_QUANTITIES and name != total:
            ErrorContext().fail(
                f"there is no quantity '{name}' along a beam",
                expected=format_choices(name, [*PROFILE_QUANTITIES, total]),
            )
        require_quantity(beam, name)
    xi = np.linspace(0.0, 1.0, int(points) + 2)
    s = np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)
    parts: dict[str, list[Array]] = {name: [] for name in selected}
    for block in split_motion(motion, s.size):
        profile = PlanarBeamProfile(loads, block, xi)
        for name in selected:
            if name == total:
                parts[name].append(loads.energy(block).sum(axis=1))
            elif name == "angle":
                parts[name].append(_tangent_angles(profile))
            else:
                parts[name].append(join_element_values(PROFILE_QUANTITIES[name].values(profile)))
    values = {name: np.concatenate(parts_of_name) for name, parts_of_name in parts.items()}
    if "angle" in values:
        start = values["angle"][:, 0]
        values["angle"] += (np.unwrap(start) - start)[:, None]
    data = {}
    for name, array in values.items():
        if name == total:
            about = {"units": "J", "long_name": "strain energy of the whole beam"}
            data[name] = xr.Variable(("time",), array, about)
        else:
            text = describe_quantity(beam, name, PROFILE_QUANTITIES[name].text)
            data[name] = xr.Variable(("time", "s"), array, {"units": PROFILE_QUANTITIES[name].unit, "long_name": text})
    coordinates = {
        "time": xr.Variable("time", motion.t, {"units": "s", "long_name": "time"}),
        "s": xr.Variable("s", s, {"units": "m", "long_name": "arc length of the unstressed shape"}),
    }
    return xr.Dataset(data, coordinates, {"beam": beam.name, "formulation": beam.formulation})


# Nodes and the whole beam -------------------------------------------------------------------------------------------


def _elastic_moment(loads: BeamLoads, motion: StateHistory, elements: slice, node: int) -> Array:
    """Magnitude of the slope part of the elastic forces of all elements at a node, N m (paper 002, Table 2)."""
    forces = loads.force(loads.elastic(), motion, elements)
    both = sum(forces[:, k - elements.start, 1 if k == node else 3] for k in range(elements.start, elements.stop))
    return np.hypot(*np.moveaxis(np.asarray(both), -1, 0))


class PlanarBeamNodes:
    """Quantities at the nodes of a beam. Those of one node are computed together and cached for the next request."""

    def __init__(self, loads: BeamLoads):
        self.loads = loads
        self.last: tuple[Any, int, PlanarBeamProfile] | None = None

    def values(self, quantity: str, node: int, motion: StateHistory) -> Array:
        last = self.loads.beam.stations.size - 1
        elements = slice(max(node - 1, 0), min(node + 1, last))
        if quantity == "elastic_moment":
            return _elastic_moment(self.loads, motion, elements, node)
        if self.last is None or self.last[0] is not motion or self.last[1] != node:
            self.last = motion, node, PlanarBeamProfile(self.loads, motion, ELEMENT_ENDS, elements)
        return join_element_values(SECTION_QUANTITIES[quantity].values(self.last[2]))[:, node - elements.start]


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


WHOLE_BEAM_QUANTITIES: dict[str, PlanarBeamQuantity] = {
    "length": PlanarBeamQuantity("m", "length along the beam as it is", _beam_length),
    "strain_energy": PlanarBeamQuantity("J", "strain energy", lambda p: p.loads.energy(p.motion).sum(axis=1)),
    "kinetic_energy": PlanarBeamQuantity("J", "kinetic energy", _kinetic_energy),
    "max_curvature": PlanarBeamQuantity("1/m", "largest curvature, in magnitude", _max_magnitude("curvature")),
    "max_axial_force": PlanarBeamQuantity("N", "largest axial force, in magnitude", _max_magnitude("axial_force")),
    "max_bending_moment": PlanarBeamQuantity(
        "N m", "largest bending moment, in magnitude", _max_magnitude("bending_moment")
    ),
    "max_strain": PlanarBeamQuantity(
        "1", "largest strain at a surface, in magnitude", _max_magnitude("strain_left", "strain_right")
    ),
    "max_stress": PlanarBeamQuantity(
        "Pa", "largest stress at a surface, in magnitude", _max_magnitude("stress_left", "stress_right")
    ),
}
"""Quantities of a whole beam. Largest values are taken over the nodes and the middles of the elements."""


class PlanarBeamTotals:
    """Quantities of the whole beam over time. The largest values are computed together and cached for the next request."""

    def __init__(self, loads: BeamLoads):
        self.loads = loads
        self.motion: StateHistory | None = None
        self.largest: dict[str, Array] = {}

    def values(self, quantity: str, motion: StateHistory) -> Array:
        if not quantity.startswith("max_"):
            return self._computed([quantity], motion)[quantity]
        if motion is not self.motion:
            names = available_quantities(
                self.loads.beam, [name for name in WHOLE_BEAM_QUANTITIES if name.startswith("max_")]
            )
            self.motion, self.largest = motion, self._computed(names, motion)
        return self.largest[quantity]

    def _computed(self, names: list[str], motion: StateHistory) -> dict[str, Array]:
        width = ELEMENT_ENDS_AND_MIDDLE.size * (self.loads.beam.stations.size - 1)
        profiles = (
            PlanarBeamProfile(self.loads, block, ELEMENT_ENDS_AND_MIDDLE) for block in split_motion(motion, width)
        )
        rows = [[WHOLE_BEAM_QUANTITIES[name].values(profile) for name in names] for profile in profiles]
        return dict(zip(names, (np.concatenate(parts) for parts in zip(*rows, strict=True)), strict=True))
