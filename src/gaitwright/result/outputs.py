"""Named quantities of a motion: what `run["crank.torque"]` means. One dict of recipes per kind of thing.

body.x  .y  .angle  .vx  .vy  .spin  .ax  .ay  .angular_acceleration
body.point.x  .y  .vx  .vy  .ax  .ay  .speed  .acceleration           also point.x for a point of a link or beam
    in space also .z  .vz  .az, and for a body its orientation: see result/spatial_outputs.py
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

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.result.beam_shapes import NODES, WHOLE, Loads, Nodes, Whole, available, describe, require
from gaitwright.system.mechanism import ContactNames, Mechanism
from gaitwright.system.parts.beam import BeamPart
from gaitwright.system.parts.body import Body
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


BODY = {
    "x": ("m", "x of the centre of mass", lambda m, i: m.q[:, i[0]]),
    "y": ("m", "y of the centre of mass", lambda m, i: m.q[:, i[1]]),
    "angle": ("rad", "angle against the x axis, counter-clockwise", lambda m, i: m.q[:, i[2]]),
    "vx": ("m/s", "velocity of the centre of mass along x", lambda m, i: m.v[:, i[0]]),
    "vy": ("m/s", "velocity of the centre of mass along y", lambda m, i: m.v[:, i[1]]),
    "spin": ("rad/s", "angular velocity", lambda m, i: m.v[:, i[2]]),
    "ax": ("m/s^2", "acceleration of the centre of mass along x", lambda m, i: m.a[:, i[0]]),
    "ay": ("m/s^2", "acceleration of the centre of mass along y", lambda m, i: m.a[:, i[1]]),
    "angular_acceleration": ("rad/s^2", "angular acceleration", lambda m, i: m.a[:, i[2]]),
}


def point_motion(motion: Motion, body: Body | None, local: tuple[float, ...]) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of a point of a body (None: the ground), each (n_times, dimension)."""
    if body is None:
        position = np.tile(np.asarray(local, dtype=float), (motion.t.size, 1))
        return position, np.zeros_like(position), np.zeros_like(position)
    return _MOTION[body.family.name](motion, body, local)


def _spatial(motion: Motion, body: Body, local: tuple[float, ...]) -> tuple[Array, Array, Array]:
    """C q, C q' and C q'' (paper 004 Eq 3.18 to 3.21); the tables hold the axes less those of the ground."""
    weights = np.array([1.0, *local])
    r, v, a = (np.einsum("k,tkc->tc", weights, x[:, body.index].reshape(-1, 4, 3)) for x in motion[1:4])
    return r + np.asarray(local), v, a


def _planar(motion: Motion, body: Body, local: tuple[float, ...]) -> tuple[Array, Array, Array]:
    x, y, theta = body.index
    c, s = np.cos(motion.q[:, theta]), np.sin(motion.q[:, theta])
    arm = np.stack([c * local[0] - s * local[1], s * local[0] + c * local[1]], axis=1)
    across = np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    w, alpha = motion.v[:, theta, None], motion.a[:, theta, None]
    return (
        motion.q[:, [x, y]] + arm,
        motion.v[:, [x, y]] + w * across,
        motion.a[:, [x, y]] + alpha * across - w**2 * arm,
    )


_MOTION = {"planar": _planar, "spatial": _spatial}


_POINT = {
    "x": ("m", "x", lambda r, v, a: r[:, 0]),
    "y": ("m", "y", lambda r, v, a: r[:, 1]),
    "vx": ("m/s", "velocity along x", lambda r, v, a: v[:, 0]),
    "vy": ("m/s", "velocity along y", lambda r, v, a: v[:, 1]),
    "ax": ("m/s^2", "acceleration along x", lambda r, v, a: a[:, 0]),
    "ay": ("m/s^2", "acceleration along y", lambda r, v, a: a[:, 1]),
    "speed": ("m/s", "speed", lambda r, v, a: np.linalg.norm(v, axis=1)),
    "acceleration": ("m/s^2", "magnitude of the acceleration", lambda r, v, a: np.linalg.norm(a, axis=1)),
}
_HEIGHT = {
    "z": ("m", "z", lambda r, v, a: r[:, 2]),
    "vz": ("m/s", "velocity along z", lambda r, v, a: v[:, 2]),
    "az": ("m/s^2", "acceleration along z", lambda r, v, a: a[:, 2]),
}
_IN_SPACE = ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "speed", "acceleration")
POINT_OF = {2: _POINT, 3: {what: (_POINT | _HEIGHT)[what] for what in _IN_SPACE}}
"""By dimension."""


def _tangent_spin(m: Motion, i: Array) -> Array:
    """Angular velocity of the tangent."""
    u, v = m.q[:, i[2]], m.q[:, i[3]]
    return (u * m.v[:, i[3]] - v * m.v[:, i[2]]) / (u**2 + v**2)


_NODE = {
    what: (unit, text, lambda m, i, value=value: value(m.q[:, i[:2]], m.v[:, i[:2]], m.a[:, i[:2]]))
    for what, (unit, text, value) in _POINT.items()
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
        self.loads = Loads(mechanism, beam)
        self.nodes, self.whole = Nodes(self.loads), Whole(self.loads)
        self.short = [point for point in beam.points if point not in ("start", "end") and point not in taken]
        self.of_whole = [*available(beam, WHOLE), *(["dissipated"] if beam.damping else [])]
        self.of_nodes = [*_NODE, *available(beam, NODES)]

    def named(self) -> Iterator[str]:
        """Outputs of the beam and of its named points."""
        yield from (f"{self.beam.name}.{what}" for what in self.of_whole)
        yield from (f"{self.beam.name}.{point}.{what}" for point in self.beam.points for what in self.of_nodes)
        yield from (f"{point}.{what}" for point in self.short for what in self.of_nodes)

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
        number = point.removeprefix("node")
        if owner and number != point and number.isdecimal() and 1 <= int(number) <= self.beam.stations.size:
            return int(number) - 1 if number[0] != "0" else None
        return self.beam.points.get(point)

    def find(self, name: str) -> Output | None:
        """The output of this name, if there is one."""
        place, _, what = name.rpartition(".")
        if place == self.beam.name and what in self.of_whole:
            return self._whole(what)
        node = self.node(place)
        if node is None or what not in self.of_nodes:
            return None
        of = f"{place.rpartition('.')[2]} of beam {self.beam.name}"
        if what in _NODE:
            unit, text, value = _NODE[what]
            return Output(unit, f"{of}: {text}", late(value, self.beam.nodes[node]))
        unit, text = NODES[what]
        text = describe(self.beam, what, text)
        return Output(unit, f"{of}: {text}", lambda motion: self.nodes.values(what, node, motion))

    def _whole(self, what: str) -> Output:
        of = f"beam {self.beam.name}"
        if what == "dissipated":
            system = self.mechanism.system
            column = {int(index): system.drive_rows.size + k for k, index in enumerate(system.power_index)}
            columns = [column[3 * place + 1] for place in self.loads.damping_places]
            return Output("J", f"{of}: energy dissipated", sum_of_works(columns))
        unit, text, _ = WHOLE[what]
        return Output(unit, f"{of}: {text}", lambda motion: self.whole.values(what, motion))

    def complain(self, name: str) -> None:
        """ModelError if there would be such an output, were the section of the beam known better."""
        place, _, what = name.rpartition(".")
        if place == self.beam.name or self.node(place) is not None:
            require(self.beam, what)


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


class PointOutputs(Mapping[str, Output]):
    """Outputs of the points of rigid bodies, made when asked for: there are many, and a sweep looks at few."""

    def __init__(self, mechanism: Mechanism):
        self.kinds = POINT_OF[mechanism.dimension]
        self.places: dict[str, tuple[str, str, Body, tuple[float, ...]]] = {}
        seen = {*mechanism.ground_points, *mechanism.body_names}
        for name, body in mechanism.body_names.items():
            for point, local in body.points.items():
                place = name, point, body, local
                self.places[f"{name}.{point}"] = place
                if body.kind == "link" and point not in seen:
                    self.places[point] = place
                seen.add(point)

    def __getitem__(self, name: str) -> Output:
        place, _, what = name.rpartition(".")
        owner, point, body, local = self.places[place]
        unit, text, value = self.kinds[what]
        return Output(unit, f"point {point} of {owner}: {text}", _point(value, body, local))

    def __iter__(self) -> Iterator[str]:
        return (f"{place}.{what}" for place in self.places for what in self.kinds)

    def __len__(self) -> int:
        return len(self.places) * len(self.kinds)


def late(value: Any, index: Array) -> Callable[[Motion], Array]:
    return lambda motion: value(motion, index)


def _point(value: Any, body: Body, local: tuple[float, ...]) -> Callable[[Motion], Array]:
    return lambda motion: value(*point_motion(motion, body, local))


def sum_of_works(columns: list[int]) -> Callable[[Motion], Array]:
    return lambda motion: motion.work[:, columns].sum(axis=1)
