"""Quantities of planar and spatial beams by name: the section data that they require, and their values at nodes, for a whole
beam and along a beam. Tables of the quantities: planar_quantities.py, spatial_quantities.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.fem.beams.planar_beam import PlanarBeamPart, join_element_values
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.mechanism.tables import Array

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import StateHistory

ELEMENT_ENDS = np.array([0.0, 1.0])
ELEMENT_ENDS_AND_MIDDLE = np.array([0.0, 0.5, 1.0])
MAX_BLOCK_SIZE = 100_000
"""Maximum size of a block (positions times instants) that is computed at once, so that its arrays stay in the processor
cache."""
TOTAL_ENERGY = "strain_energy"
"""Name of the strain energy of the whole beam, which has no value per position."""
REQUIRED_SECTION_FIELDS: dict[type, dict[str, tuple[str, ...]]] = {
    PlanarBeamPart: {
        **dict.fromkeys(("strain_left", "strain_right", "max_strain"), ("height",)),
        **dict.fromkeys(("stress_left", "stress_right", "max_stress"), ("height", "youngs_modulus")),
    },
    SpatialBeamPart: {
        **dict.fromkeys(("surface_strain", "max_strain", "shear_stress", "max_shear_stress"), ("height", "width")),
        **dict.fromkeys(("normal_stress", "max_stress"), ("height", "width", "youngs_modulus")),
    },
}
"""Fields of the section that a quantity requires, by class of beam."""
FIELD_DESCRIPTIONS: dict[type, dict[str, str]] = {
    PlanarBeamPart: {
        "height": "height, or diameter, of the section, m",
        "youngs_modulus": "Young's modulus, Pa, and width and height, or diameter, of the section, m",
    },
    SpatialBeamPart: {
        **dict.fromkeys(("height", "width"), "width and height, or diameter, of the section, m"),
        "youngs_modulus": "Pa",
    },
}
"""Expected values in the messages about missing fields."""


class BeamQuantity(NamedTuple):
    """Quantity of a beam. values: function of its profile (PlanarBeamProfile, SpatialBeamProfile)."""

    unit: str
    text: str
    values: Callable[[Any], Array]


class BeamQuantityTables(NamedTuple):
    """Quantities of a class of beams. profile: class of the quantities along a beam, made from loads, states, positions xi
    and elements. section: quantities at nodes; along: those along a beam, with the section quantities; whole: those of the
    whole beam. width: number of values per position that bounds the size of blocks. kind: of the beams, for messages."""

    profile: Callable[..., Any]
    section: Mapping[str, BeamQuantity]
    along: Mapping[str, BeamQuantity]
    whole: Mapping[str, BeamQuantity]
    width: int = 1
    kind: str = "beam"


def _missing_fields(beam: Any, quantity: str) -> list[str]:
    """Fields of the section of a beam that a quantity requires and that are not given."""
    required = REQUIRED_SECTION_FIELDS[type(beam)].get(quantity, ())
    return [field for field in required if getattr(beam.section, field) is None]


def available_quantities(beam: Any, names: Iterable[str]) -> list[str]:
    """The quantities that can be computed with the section data of a beam."""
    return [name for name in names if not _missing_fields(beam, name)]


def require_quantity(beam: Any, quantity: str) -> None:
    """Raise ModelError if the section data of a beam are not sufficient for a quantity."""
    for field in _missing_fields(beam, quantity):
        ErrorContext(f"beam '{beam.name}'", field).fail(
            f"is not known, so there is no {quantity.replace('_', ' ')}", expected=FIELD_DESCRIPTIONS[type(beam)][field]
        )


def split_motion(motion: StateHistory, width: int) -> Iterator[StateHistory]:
    """Split the motion into blocks of few times, so that arrays with `width` columns stay small."""
    step = max(1, MAX_BLOCK_SIZE // max(width, 1))
    for k in range(0, max(motion.t.size, 1), step):
        yield type(motion)(*(x[k : k + step] for x in motion))


class BeamNodes:
    """Quantities at the nodes of a beam. Those of one node are computed together and cached for the next request."""

    def __init__(self, loads: Any, tables: BeamQuantityTables):
        self.loads, self.tables = loads, tables
        self.cached: tuple[Any, int, Any] | None = None

    def elements_at(self, node: int) -> slice:
        """The one or two elements at a node."""
        return slice(max(node - 1, 0), min(node + 1, self.loads.beam.stations.size - 1))

    def values(self, quantity: str, node: int, motion: StateHistory) -> Array:
        """Values over time at a node, (n_times,)."""
        elements = self.elements_at(node)
        if self.cached is None or self.cached[0] is not motion or self.cached[1] != node:
            self.cached = motion, node, self.tables.profile(self.loads, motion, ELEMENT_ENDS, elements)
        return join_element_values(self.tables.section[quantity].values(self.cached[2]))[:, node - elements.start]


class BeamTotals:
    """Quantities of a whole beam over time. The largest values are computed together and cached for the next request."""

    def __init__(self, loads: Any, tables: BeamQuantityTables):
        self.loads, self.tables = loads, tables
        self.motion: StateHistory | None = None
        self.largest: dict[str, Array] = {}

    def values(self, quantity: str, motion: StateHistory) -> Array:
        """Values over time, (n_times,)."""
        if not quantity.startswith("max_"):
            return self._computed([quantity], motion)[quantity]
        if motion is not self.motion:
            names = [name for name in self.tables.whole if name.startswith("max_")]
            self.motion, self.largest = motion, self._computed(available_quantities(self.loads.beam, names), motion)
        return self.largest[quantity]

    def _computed(self, names: list[str], motion: StateHistory) -> dict[str, Array]:
        width = self.tables.width * ELEMENT_ENDS_AND_MIDDLE.size * self.loads.beam.lengths.size
        rows = []
        for block in split_motion(motion, width):
            profile = self.tables.profile(self.loads, block, ELEMENT_ENDS_AND_MIDDLE)
            rows.append([self.tables.whole[name].values(profile) for name in names])
        return dict(zip(names, (np.concatenate(parts) for parts in zip(*rows, strict=True)), strict=True))


def quantities_along(
    tables: BeamQuantityTables, loads: Any, motion: StateHistory, names: tuple[str, ...] = (), points: int = 3
) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam. points: inside every element."""
    import xarray as xr

    beam = loads.beam
    ErrorContext(field="points").whole(points, "is not a number of points", "0, 1, 2, ...", least=0)
    selected = list(names) or [*available_quantities(beam, tables.along), TOTAL_ENERGY]
    for name in selected:
        if name not in tables.along and name != TOTAL_ENERGY:
            ErrorContext().fail(
                f"there is no quantity '{name}' along a {tables.kind}",
                expected=format_choices(name, [*tables.along, TOTAL_ENERGY]),
            )
        require_quantity(beam, name)
    xi = np.linspace(0.0, 1.0, int(points) + 2)
    s = np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)
    blocks: dict[str, list[Array]] = {name: [] for name in selected}
    for block in split_motion(motion, tables.width * s.size):
        profile = tables.profile(loads, block, xi)
        for name in selected:
            total = name == TOTAL_ENERGY
            blocks[name].append(loads.energy(block).sum(axis=1) if total else tables.along[name].values(profile))
    data = {}
    for name in selected:
        values = np.concatenate(blocks[name])
        if name == TOTAL_ENERGY:
            data[name] = xr.Variable(("time",), values, {"units": "J", "long_name": "strain energy of the whole beam"})
        else:
            about = {"units": tables.along[name].unit, "long_name": tables.along[name].text}
            joined = values if values.ndim == 2 else join_element_values(values)
            data[name] = xr.Variable(("time", "s"), joined, about)
    coordinates = {
        "time": xr.Variable("time", motion.t, {"units": "s", "long_name": "time"}),
        "s": xr.Variable("s", s, {"units": "m", "long_name": "arc length of the unstressed shape"}),
    }
    return xr.Dataset(data, coordinates, {"beam": beam.name, "formulation": beam.formulation})
