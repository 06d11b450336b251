"""Named quantities of a motion: meaning of names such as `run["crank.torque"]`, with one class or table per kind of object.

body.x  .y  .angle  .vx  .vy  .spin  .ax  .ay  .angular_acceleration
body.point.x  .y  .vx  .vy  .ax  .ay  .speed  .acceleration           also point.x for a point of a link or beam
    in space also .z  .vz  .az, and for a body its orientation: see mechanism/parts/spatial_body.py
other outputs of a part as a whole: defined by its class, see mechanism/parts
beam.length  .strain_energy  .kinetic_energy  .dissipated  .max_stress ...
    see WHOLE_BEAM_QUANTITIES in result/beams/planar_quantities.py
beam.node3.x and others of a point,  .angle  .spin  .stretch  .curvature  .bending_moment ...: NODE_QUANTITIES there
joint.fx  .fy  .moment  .normal  .force                               reaction on b (see physics/declarations.py)
drive.torque | .force | .force_x | .force_y,  .power  .work           load of the drive
force.energy  .dissipated  .power  .work  and its `observed` outputs   springs, dampers, loads
contact.penetration  .penetration_rate  .gap  .normal_force  .tangential_force  .slip_velocity  .slip
contact.fx  .fy  .x  .y                                               force on the touching body, its point; in space also
                                                                      .fz  .z  .tangential_x  _y  _z  .mx .my .mz (free moment)
contact.dissipated  .friction_loss  .work                             total loss, loss by friction; work of a moving surface
ground_reaction.fx  .fy  .x  .y  (.fz .z .mx .my .mz)                        all contacts with the ground together
energy.kinetic  .potential  .dissipated  .work  .residual
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.mechanism.mechanism import ContactNames, Mechanism
from gaitwright.mechanism.parts.base import Part, PartOutput
from gaitwright.mechanism.parts.point_outputs import PLANAR_POINT_OUTPUTS, POINT_OUTPUTS
from gaitwright.mechanism.tables import Array
from gaitwright.result.beams import spatial_quantities as spatial
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.beams.planar_quantities import (
    NODE_QUANTITIES,
    PLANAR_BEAM_TABLES,
    WHOLE_BEAM_QUANTITIES,
    PlanarBeamNodes,
    describe_quantity,
)
from gaitwright.result.beams.quantities import BeamNodes, BeamTotals, available_quantities, require_quantity
from gaitwright.result.beams.spatial_profile import SpatialBeamLoads


class StateHistory(NamedTuple):
    """States at the output times; rows are times. lam has the columns of the system (independent rows first), memory those
    of contact/state.py for every contact."""

    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    work: Array
    memory: Array


class ResultOutput(NamedTuple):
    """Output of a result. values: function of the states over time."""

    unit: str
    description: str
    values: Callable[[StateHistory], Array]


def _tangent_angular_velocity(m: StateHistory, i: Array) -> Array:
    """Angular velocity of the tangent, rad/s."""
    u, v = m.q[:, i[2]], m.q[:, i[3]]
    return (u * m.v[:, i[3]] - v * m.v[:, i[2]]) / (u**2 + v**2)


_NODE_QUANTITIES = {
    what: (unit, text, lambda m, i, value=value: value(m.q[:, i[:2]], m.v[:, i[:2]], m.a[:, i[:2]]))
    for what, (unit, text, value) in PLANAR_POINT_OUTPUTS.items()
} | {
    "angle": ("rad", "angle of the tangent, counted on from -pi to pi at the start",
              lambda m, i: np.unwrap(np.arctan2(m.q[:, i[3]], m.q[:, i[2]]))),
    "spin": ("rad/s", "angular velocity of the tangent", _tangent_angular_velocity),
    "stretch": ("1", "axial strain |r_x| - 1", lambda m, i: np.hypot(m.q[:, i[2]], m.q[:, i[3]]) - 1.0),
}  # fmt: skip


class BeamOutputs:
    """Outputs of a beam and its nodes, created on request: a fine mesh has tens of thousands."""

    def __init__(self, mechanism: Mechanism, beam: PlanarBeamPart, used_names: set[str]):
        """used_names: names of points that have another meaning."""
        self.mechanism, self.beam = mechanism, beam
        self.short = [point for point in beam.points if point not in ("start", "end") and point not in used_names]
        self.look_up()
        damped = ["dissipated"] if beam.damping else []
        self.of_whole = [*available_quantities(beam, self.wholes), *damped]
        self.of_nodes = [*self.points, *available_quantities(beam, self.sections)]

    def look_up(self) -> None:
        """Set the objects that compute values, and the tables of quantities: of points, of sections at nodes, of the whole
        beam."""
        self.loads: Any = BeamLoads(self.mechanism, self.beam)
        self.nodes: BeamNodes = PlanarBeamNodes(self.loads, PLANAR_BEAM_TABLES)
        self.whole = BeamTotals(self.loads, PLANAR_BEAM_TABLES)
        self.points: dict[str, Any] = _NODE_QUANTITIES
        self.sections: dict[str, Any] = NODE_QUANTITIES
        self.wholes: dict[str, Any] = WHOLE_BEAM_QUANTITIES

    def described(self, quantity: str, text: str) -> str:
        return describe_quantity(self.beam, quantity, text)

    def named(self) -> Iterator[str]:
        """Names of the outputs of the beam and of its named points."""
        yield from self.of_part()
        yield from (f"{self.beam.name}.{point}.{quantity}" for point in self.beam.points for quantity in self.of_nodes)
        yield from (f"{point}.{quantity}" for point in self.short for quantity in self.of_nodes)

    def of_part(self) -> list[str]:
        """Names of the outputs of the beam as a whole."""
        return [f"{self.beam.name}.{quantity}" for quantity in self.of_whole]

    def __iter__(self) -> Iterator[str]:
        yield from self.named()
        nodes = (f"{self.beam.name}.node{k + 1}" for k in range(self.beam.stations.size))
        yield from (f"{node}.{quantity}" for node in nodes for quantity in self.of_nodes)

    def __len__(self) -> int:
        places = len(self.beam.points) + len(self.short) + self.beam.stations.size
        return len(self.of_whole) + places * len(self.of_nodes)

    def node(self, place: str) -> int | None:
        """Index of the node with this name; None if there is none."""
        owner, _, point = place.rpartition(".")
        if owner != self.beam.name and (owner or point not in self.short):
            return None
        if point in self.beam.points or not owner or point.startswith("node0"):
            return self.beam.points.get(point)
        return self.beam.node_called(point)

    def find(self, name: str) -> ResultOutput | None:
        """The output of this name; None if there is none."""
        place, _, quantity = name.rpartition(".")
        if place == self.beam.name and quantity in self.of_whole:
            return self._beam_output(quantity)
        node = self.node(place)
        if node is None or quantity not in self.of_nodes:
            return None
        owner = f"{place.rpartition('.')[2]} of beam {self.beam.name}"
        if quantity in self.points:
            unit, text, value = self.points[quantity]
            return ResultOutput(unit, f"{owner}: {text}", bind_coordinates(value, self.beam.nodes[node]))
        unit, text = self.sections[quantity]
        text = self.described(quantity, text)
        return ResultOutput(unit, f"{owner}: {text}", lambda motion: self.nodes.values(quantity, node, motion))

    def _beam_output(self, quantity: str) -> ResultOutput:
        owner = f"beam {self.beam.name}"
        if quantity == "dissipated":
            return ResultOutput("J", f"{owner}: energy dissipated", sum_work_columns(self.loads.damping_columns()))
        unit, text, _ = self.wholes[quantity]
        return ResultOutput(unit, f"{owner}: {text}", lambda motion: self.whole.values(quantity, motion))

    def complain(self, name: str) -> None:
        """Raise ModelError if this output only lacks data of the section of the beam."""
        place, _, quantity = name.rpartition(".")
        if place == self.beam.name or self.node(place) is not None:
            require_quantity(self.beam, quantity)


class SpatialBeamOutputs(BeamOutputs):
    """Outputs of a spatial beam and its nodes."""

    def look_up(self) -> None:
        beam: Any = self.beam
        self.loads = SpatialBeamLoads(self.mechanism, beam)
        self.nodes = BeamNodes(self.loads, spatial.SPATIAL_BEAM_TABLES)
        self.whole = BeamTotals(self.loads, spatial.SPATIAL_BEAM_TABLES)
        self.points = spatial.POINT_QUANTITIES
        self.sections = spatial.NODE_QUANTITIES
        self.wholes = spatial.WHOLE_BEAM_QUANTITIES

    def described(self, quantity: str, text: str) -> str:
        return text


class NodeContactOutputs:
    """Outputs of contacts along beams at single nodes, created on request."""

    def __init__(self, parts: list[ContactNames], make: Callable[[ContactNames], dict[str, ResultOutput]]):
        self.parts, self.make = {names.name: names for names in parts}, make
        self.kinds = list(make(parts[0])) if parts else []

    def __iter__(self) -> Iterator[str]:
        yield from (f"{name}.{quantity}" for name in self.parts for quantity in self.kinds)

    def __len__(self) -> int:
        return len(self.parts) * len(self.kinds)

    def find(self, name: str) -> ResultOutput | None:
        place, _, quantity = name.rpartition(".")
        return self.make(self.parts[place]).get(quantity) if place in self.parts else None


class PartOutputs(Mapping[str, ResultOutput]):
    """Outputs of parts as a whole, as declared by their classes."""

    def __init__(self, parts: Iterable[Part]):
        self.made = {
            f"{part.name}.{declared.name}": _part_output(part, declared)
            for part in parts
            for declared in part.outputs()
        }

    def __getitem__(self, name: str) -> ResultOutput:
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.made)

    def __len__(self) -> int:
        return len(self.made)


class LazyPartOutputs:
    """Further outputs of parts as a whole, created on request."""

    def __init__(self, parts: Iterable[Part]):
        self.parts = {part.name: part for part in parts if type(part).more_outputs is not Part.more_outputs}

    @functools.cached_property
    def kinds(self) -> dict[type[Part], list[str]]:
        """Names of these outputs, by kind of part."""
        example = {type(part): part for part in self.parts.values()}
        return {kind: [declared.name for declared in part.more_outputs()] for kind, part in example.items()}

    def __iter__(self) -> Iterator[str]:
        yield from (f"{name}.{quantity}" for name, part in self.parts.items() for quantity in self.kinds[type(part)])

    def __len__(self) -> int:
        return sum(len(self.kinds[type(part)]) for part in self.parts.values())

    def find(self, name: str) -> ResultOutput | None:
        owner, _, quantity = name.partition(".")
        part = self.parts.get(owner)
        if part is None or quantity not in self.kinds[type(part)]:
            return None
        return next(_part_output(part, declared) for declared in part.more_outputs() if declared.name == quantity)


class PointOutputs(Mapping[str, ResultOutput]):
    """Outputs of the points of parts, created on request: there are many, and a sweep uses few."""

    def __init__(self, mechanism: Mechanism, parts: Iterable[Part]):
        self.kinds = POINT_OUTPUTS[mechanism.dimension]
        self.places: dict[str, tuple[str, Part, tuple[float, ...]]] = {}
        used_names = {*mechanism.ground_points, *mechanism.parts}
        for part in parts:
            for point in part.points:
                place = part.place(point)
                assert place is not None
                self.places[f"{part.name}.{point}"] = point, part, place
                if point in part.shared and point not in used_names:
                    self.places[point] = point, part, place
                used_names.add(point)

    def __getitem__(self, name: str) -> ResultOutput:
        at, _, quantity = name.rpartition(".")
        point, part, local = self.places[at]
        unit, text, value = self.kinds[quantity]
        return ResultOutput(unit, f"point {point} of {part.name}: {text}", _point_values(value, part, local))

    def __iter__(self) -> Iterator[str]:
        return (f"{place}.{quantity}" for place in self.places for quantity in self.kinds)

    def __len__(self) -> int:
        return len(self.places) * len(self.kinds)


BEAM_OUTPUT_CLASSES: dict[type[Part], Callable[..., Any]] = {
    PlanarBeamPart: BeamOutputs,
    SpatialBeamPart: SpatialBeamOutputs,
}
"""Output classes of the parts with outputs, including those of their points, that need more than their own motion."""


def bind_coordinates(value: Any, index: Array) -> Callable[[StateHistory], Array]:
    """Function of the motion, from one of the motion and the coordinate indices of a node."""
    return lambda motion: value(motion, index)


def _part_output(part: Part, output: PartOutput) -> ResultOutput:
    return ResultOutput(output.unit, f"{part.kind} {part.name}: {output.text}", output.values)


def _point_values(value: Any, part: Part, local: tuple[float, ...]) -> Callable[[StateHistory], Array]:
    return lambda motion: value(*part.motion_at(motion, local))


def sum_work_columns(columns: list[int]) -> Callable[[StateHistory], Array]:
    """Function of the motion that sums columns of the works."""
    return lambda motion: motion.work[:, columns].sum(axis=1)
