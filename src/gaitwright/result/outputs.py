"""Named quantities of a motion: what `run["crank.torque"]` means. One dict of recipes per kind of thing.

body.x  .y  .angle  .vx  .vy  .spin  .ax  .ay  .angular_acceleration
body.point.x  .y  .vx  .vy  .ax  .ay  .speed  .acceleration           also point.x for a point of a link or beam
    in space also .z  .vz  .az, and for a body its orientation: see system/parts/spatial_body.py
others of a part as a whole: what it says itself, see system/parts
beam.length  .strain_energy  .kinetic_energy  .dissipated  .max_stress and others: WHOLE in result/beam_shapes.py
beam.node3.x and others of a point,  .angle  .spin  .stretch  .curvature  .bending_moment and others: NODES there
joint.fx  .fy  .moment  .normal  .force                               reaction on b (see physics/declare.py)
drive.torque | .force | .force_x | .force_y,  .power  .work           what the drive exerts
force.energy  .dissipated  .power  .work  and what it observes        springs, dampers, loads
contact.penetration  .penetration_rate  .gap  .normal_force  .tangential_force  .slip_velocity  .slip
contact.fx  .fy  .x  .y                                               force on the touching body, and where; in space also
                                                                      .fz  .z  .tangential_x  _y  _z  .mx .my .mz (free moment)
contact.dissipated  .friction_loss  .work                             lost in all, and by friction; by a moving surface
ground_reaction.fx  .fy  .x  .y  (.fz .z .mx .my .mz)                        all contacts with the ground together
energy.kinetic  .potential  .dissipated  .work  .residual
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.result import spatial_beam_outputs as spatial
from gaitwright.result.beam_loads import Loads
from gaitwright.result.beam_profile import available, require
from gaitwright.result.beam_shapes import NODES, WHOLE, Nodes, Whole, describe
from gaitwright.result.spatial_beam_profile import SpatialLoads
from gaitwright.system.mechanism import ContactNames, Mechanism
from gaitwright.system.parts.base import OutputOf, Part
from gaitwright.system.parts.beam import BeamPart
from gaitwright.system.parts.quantities import POINT, POINT_OF
from gaitwright.system.parts.spatial_beam import SpatialBeamPart
from gaitwright.system.tables import Array


class Motion(NamedTuple):
    """States at the output times; rows are times. lam has the columns of the system (independent rows first), memory
    those of system/touch.py for every contact."""

    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    work: Array
    memory: Array


class Output(NamedTuple):
    unit: str
    description: str
    values: Callable[[Motion], Array]


def _tangent_spin(m: Motion, i: Array) -> Array:
    """Angular velocity of the tangent."""
    u, v = m.q[:, i[2]], m.q[:, i[3]]
    return (u * m.v[:, i[3]] - v * m.v[:, i[2]]) / (u**2 + v**2)


_NODE = {
    what: (unit, text, lambda m, i, value=value: value(m.q[:, i[:2]], m.v[:, i[:2]], m.a[:, i[:2]]))
    for what, (unit, text, value) in POINT.items()
} | {
    "angle": ("rad", "angle of the tangent, counted on from -pi to pi at the start",
              lambda m, i: np.unwrap(np.arctan2(m.q[:, i[3]], m.q[:, i[2]]))),
    "spin": ("rad/s", "angular velocity of the tangent", _tangent_spin),
    "stretch": ("1", "axial strain |r_x| - 1", lambda m, i: np.hypot(m.q[:, i[2]], m.q[:, i[3]]) - 1.0),
}  # fmt: skip


class BeamOutputs:
    """Outputs of a beam and its nodes, made when they are asked for: a fine mesh has tens of thousands."""

    def __init__(self, mechanism: Mechanism, beam: BeamPart, taken: set[str]):
        """taken: names of points that mean something else."""
        self.mechanism, self.beam = mechanism, beam
        self.short = [point for point in beam.points if point not in ("start", "end") and point not in taken]
        self.look_up()
        damped = ["dissipated"] if beam.damping else []
        self.of_whole = [*self.known(beam, self.wholes), *damped]
        self.of_nodes = [*self.points, *self.known(beam, self.sections)]

    def look_up(self) -> None:
        """What computes, and tables of what there is: of points, of sections at nodes, of the whole."""
        self.loads: Any = Loads(self.mechanism, self.beam)
        self.nodes: Any = Nodes(self.loads)
        self.whole: Any = Whole(self.loads)
        self.points: dict[str, Any] = _NODE
        self.sections: dict[str, Any] = NODES
        self.wholes: dict[str, Any] = WHOLE
        self.known: Any = available
        self.require: Any = require

    def described(self, what: str, text: str) -> str:
        return describe(self.beam, what, text)

    def named(self) -> Iterator[str]:
        """Outputs of the beam and of its named points."""
        yield from self.of_part()
        yield from (f"{self.beam.name}.{point}.{what}" for point in self.beam.points for what in self.of_nodes)
        yield from (f"{point}.{what}" for point in self.short for what in self.of_nodes)

    def of_part(self) -> list[str]:
        """Outputs of the beam as a whole."""
        return [f"{self.beam.name}.{what}" for what in self.of_whole]

    def __iter__(self) -> Iterator[str]:
        yield from self.named()
        nodes = (f"{self.beam.name}.node{k + 1}" for k in range(self.beam.stations.size))
        yield from (f"{node}.{what}" for node in nodes for what in self.of_nodes)

    def __len__(self) -> int:
        places = len(self.beam.points) + len(self.short) + self.beam.stations.size
        return len(self.of_whole) + places * len(self.of_nodes)

    def node(self, place: str) -> int | None:
        """The node that a place means."""
        owner, _, point = place.rpartition(".")
        if owner != self.beam.name and (owner or point not in self.short):
            return None
        if point in self.beam.points or not owner or point.startswith("node0"):
            return self.beam.points.get(point)
        return self.beam.node_called(point)

    def find(self, name: str) -> Output | None:
        """The output of this name, if there is one."""
        place, _, what = name.rpartition(".")
        if place == self.beam.name and what in self.of_whole:
            return self._whole(what)
        node = self.node(place)
        if node is None or what not in self.of_nodes:
            return None
        of = f"{place.rpartition('.')[2]} of beam {self.beam.name}"
        if what in self.points:
            unit, text, value = self.points[what]
            return Output(unit, f"{of}: {text}", late(value, self.beam.nodes[node]))
        unit, text = self.sections[what]
        text = self.described(what, text)
        return Output(unit, f"{of}: {text}", lambda motion: self.nodes.values(what, node, motion))

    def _whole(self, what: str) -> Output:
        of = f"beam {self.beam.name}"
        if what == "dissipated":
            return Output("J", f"{of}: energy dissipated", sum_of_works(self.loads.damping_columns()))
        unit, text, _ = self.wholes[what]
        return Output(unit, f"{of}: {text}", lambda motion: self.whole.values(what, motion))

    def complain(self, name: str) -> None:
        """ModelError if there would be such an output, were the section of the beam known better."""
        place, _, what = name.rpartition(".")
        if place == self.beam.name or self.node(place) is not None:
            self.require(self.beam, what)


class SpatialBeamOutputs(BeamOutputs):
    """The same of a beam of space."""

    def look_up(self) -> None:
        beam: Any = self.beam
        self.loads = SpatialLoads(self.mechanism, beam)
        self.nodes, self.whole = spatial.SpatialNodes(self.loads), spatial.SpatialWhole(self.loads)
        self.points, self.sections, self.wholes = spatial.POINTS, spatial.NODES, spatial.WHOLE
        self.known, self.require = spatial.available, spatial.require

    def described(self, what: str, text: str) -> str:
        return text


class NodeContacts:
    """Outputs of contacts along beams at single nodes, made when they are asked for."""

    def __init__(self, parts: list[ContactNames], make: Callable[[ContactNames], dict[str, Output]]):
        self.parts, self.make = {names.name: names for names in parts}, make
        self.kinds = list(make(parts[0])) if parts else []

    def __iter__(self) -> Iterator[str]:
        yield from (f"{name}.{what}" for name in self.parts for what in self.kinds)

    def __len__(self) -> int:
        return len(self.parts) * len(self.kinds)

    def find(self, name: str) -> Output | None:
        place, _, what = name.rpartition(".")
        return self.make(self.parts[place]).get(what) if place in self.parts else None


class PartOutputs(Mapping[str, Output]):
    """What parts say of themselves as a whole."""

    def __init__(self, parts: Iterable[Part]):
        self.made = {f"{part.name}.{found.name}": _output(part, found) for part in parts for found in part.outputs()}

    def __getitem__(self, name: str) -> Output:
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.made)

    def __len__(self) -> int:
        return len(self.made)


class MoreOutputs:
    """The others of parts as a whole, made when they are asked for."""

    def __init__(self, parts: Iterable[Part]):
        self.parts = {part.name: part for part in parts if type(part).more_outputs is not Part.more_outputs}

    @functools.cached_property
    def kinds(self) -> dict[type[Part], list[str]]:
        """What there is, by kind of part."""
        one = {type(part): part for part in self.parts.values()}
        return {kind: [found.name for found in part.more_outputs()] for kind, part in one.items()}

    def __iter__(self) -> Iterator[str]:
        yield from (f"{name}.{what}" for name, part in self.parts.items() for what in self.kinds[type(part)])

    def __len__(self) -> int:
        return sum(len(self.kinds[type(part)]) for part in self.parts.values())

    def find(self, name: str) -> Output | None:
        owner, _, what = name.partition(".")
        part = self.parts.get(owner)
        if part is None or what not in self.kinds[type(part)]:
            return None
        return next(_output(part, found) for found in part.more_outputs() if found.name == what)


class PointOutputs(Mapping[str, Output]):
    """Outputs of the points of parts, made when asked for: there are many, and a sweep looks at few."""

    def __init__(self, mechanism: Mechanism, parts: Iterable[Part]):
        self.kinds = POINT_OF[mechanism.dimension]
        self.places: dict[str, tuple[str, Part, tuple[float, ...]]] = {}
        seen = {*mechanism.ground_points, *mechanism.parts}
        for part in parts:
            for point in part.points:
                place = part.place(point)
                assert place is not None
                self.places[f"{part.name}.{point}"] = point, part, place
                if point in part.shared and point not in seen:
                    self.places[point] = point, part, place
                seen.add(point)

    def __getitem__(self, name: str) -> Output:
        at, _, what = name.rpartition(".")
        point, part, local = self.places[at]
        unit, text, value = self.kinds[what]
        return Output(unit, f"point {point} of {part.name}: {text}", _point(value, part, local))

    def __iter__(self) -> Iterator[str]:
        return (f"{place}.{what}" for place in self.places for what in self.kinds)

    def __len__(self) -> int:
        return len(self.places) * len(self.kinds)


MAKERS: dict[type[Part], Callable[..., Any]] = {BeamPart: BeamOutputs, SpatialBeamPart: SpatialBeamOutputs}
"""Kinds of parts whose outputs, those of their points included, take more than their own motion."""


def late(value: Any, index: Array) -> Callable[[Motion], Array]:
    return lambda motion: value(motion, index)


def _output(part: Part, found: OutputOf) -> Output:
    return Output(found.unit, f"{part.kind} {part.name}: {found.text}", found.values)


def _point(value: Any, part: Part, local: tuple[float, ...]) -> Callable[[Motion], Array]:
    return lambda motion: value(*part.motion_at(motion, local))


def sum_of_works(columns: list[int]) -> Callable[[Motion], Array]:
    return lambda motion: motion.work[:, columns].sum(axis=1)
