"""Named quantities of a motion: what `run["crank.torque"]` means. One dict of recipes per kind of thing.

body.x  .y  .angle  .vx  .vy  .spin  .ax  .ay  .angular_acceleration
body.point.x  .y  .vx  .vy  .ax  .ay  .speed  .acceleration           also point.x for a point of a link or beam
beam.length  .strain_energy  .kinetic_energy  .dissipated  .max_stress and others: WHOLE in analyse/beams.py
beam.node3.x and others of a point,  .angle  .spin  .stretch  .curvature  .bending_moment and others: NODES there
joint.fx  .fy  .moment  .normal  .force                               reaction on b (see physics/declare.py)
drive.torque | .force | .force_x | .force_y,  .power  .work           what the drive exerts
force.energy  .dissipated  .power  .work  and what it observes        springs, dampers, loads
contact.penetration  .penetration_rate  .gap  .normal_force  .tangential_force  .slip_velocity  .slip
contact.fx  .fy  .x  .y                                               force on the touching body, and where
contact.dissipated  .friction_loss  .work                             lost in all, and by friction; by a moving surface
ground_reaction.fx  .fy  .x  .y                                       all contacts with the ground together
energy.kinetic  .potential  .dissipated  .work  .residual
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.beams import NODES, WHOLE, Loads, Nodes, Whole, available, describe, require
from gaitwright.analyse.contacts import along, contact_outputs
from gaitwright.derive.library import kernel_module
from gaitwright.errors import ModelError
from gaitwright.system.beams import BeamNames
from gaitwright.system.evaluate import power_count
from gaitwright.system.mechanism import BodyNames, ContactNames, ForceNames, Mechanism
from gaitwright.system.tables import Array
from gaitwright.system.touch import POWERS


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


_BODY = {
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


def point_motion(motion: Motion, body: BodyNames | None, local: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of a point of a body (None: the ground), each (n_times, 2)."""
    if body is None:
        position = np.tile(np.asarray(local, dtype=float), (motion.t.size, 1))
        return position, np.zeros_like(position), np.zeros_like(position)
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


_POINT = {
    "x": ("m", "x", lambda r, v, a: r[:, 0]),
    "y": ("m", "y", lambda r, v, a: r[:, 1]),
    "vx": ("m/s", "velocity along x", lambda r, v, a: v[:, 0]),
    "vy": ("m/s", "velocity along y", lambda r, v, a: v[:, 1]),
    "ax": ("m/s^2", "acceleration along x", lambda r, v, a: a[:, 0]),
    "ay": ("m/s^2", "acceleration along y", lambda r, v, a: a[:, 1]),
    "speed": ("m/s", "speed", lambda r, v, a: np.hypot(v[:, 0], v[:, 1])),
    "acceleration": ("m/s^2", "magnitude of the acceleration", lambda r, v, a: np.hypot(a[:, 0], a[:, 1])),
}


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

    def __init__(self, mechanism: Mechanism, beam: BeamNames, taken: set[str]):
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
            return Output(unit, f"{of}: {text}", _late(value, self.beam.nodes[node]))
        unit, text = NODES[what]
        text = describe(self.beam, what, text)
        return Output(unit, f"{of}: {text}", lambda motion: self.nodes.values(what, node, motion))

    def _whole(self, what: str) -> Output:
        of = f"beam {self.beam.name}"
        if what == "dissipated":
            system = self.mechanism.system
            column = {int(index): system.drive_rows.size + k for k, index in enumerate(system.power_index)}
            columns = [column[3 * place + 1] for place in self.loads.damping_places]
            return Output("J", f"{of}: energy dissipated", _work(columns))
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
        self.places: dict[str, tuple[str, str, BodyNames, tuple[float, float]]] = {}
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
        unit, text, value = _POINT[what]
        return Output(unit, f"point {point} of {owner}: {text}", _point(value, body, local))

    def __iter__(self) -> Iterator[str]:
        return (f"{place}.{what}" for place in self.places for what in _POINT)

    def __len__(self) -> int:
        return len(self.places) * len(_POINT)


Section = Callable[[], Mapping[str, Output]]


class Outputs(MutableMapping[str, Output]):
    """Outputs by name: those of sections, each made when one of its kind is asked for, those that were added, and those that
    beams and their contacts make one by one. A later section goes before an earlier one."""

    def __init__(self, sections: Sequence[Section], beams: list[BeamOutputs], contacts: NodeContacts):
        self.sections = [functools.cache(section) for section in sections]
        self.added: dict[str, Output] = {}
        self.beams, self.late = beams, [*beams, contacts]

    @property
    def ready(self) -> dict[str, Output]:
        """All but those of the nodes of beams."""
        return {name: output for section in self.sections for name, output in section().items()} | self.added

    def __getitem__(self, name: str) -> Output:
        if name in self.added:
            return self.added[name]
        for section in reversed(self.sections):
            if name in section():
                return section()[name]
        for maker in self.late:
            found = maker.find(name)
            if found is not None:
                return found
        raise KeyError(name)

    def __setitem__(self, name: str, output: Output) -> None:
        self.added[name] = output

    def __delitem__(self, name: str) -> None:
        del self.added[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.ready
        for maker in self.late:
            yield from maker

    def __len__(self) -> int:
        return len(self.ready) + sum(len(maker) for maker in self.late)


class Catalogue:
    """All outputs of a mechanism by name, computed when asked for."""

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.history = History(mechanism)
        nodes = NodeContacts([names for names in mechanism.contact_names if names.whole], self._contact)
        sections: list[Section] = [
            lambda: dict(self._bodies()),
            lambda: PointOutputs(mechanism),
            lambda: dict(self._constraints()),
            lambda: dict(self._forces()),
            lambda: dict(self._contacts()),
        ]
        self.outputs = Outputs(sections, list(self._beams()), nodes)

    def __getitem__(self, name: str) -> Output:
        try:
            return self.outputs[name]
        except KeyError:
            raise self.complaint(name) from None

    def complaint(self, name: str, more: Sequence[str] = ()) -> ModelError:
        """What to say about a name that is none. more: names that are known elsewhere."""
        for beam in self.outputs.beams:
            try:
                beam.complain(name)
            except ModelError as error:
                return error
        return unknown_output(name, [*self.outputs, *more])

    def beam(self, name: str) -> Loads:
        """What is known about a beam along its length."""
        for beam in self.outputs.beams:
            if beam.beam.name == name:
                return beam.loads
        known = ", ".join(self.mechanism.beams) or "(the model has none)"
        raise ModelError(f"there is no beam '{name}'", expected=f"one of {known}")

    def _bodies(self) -> Iterator[tuple[str, Output]]:
        for name, body in self.mechanism.body_names.items():
            for what, (unit, text, value) in _BODY.items():
                yield f"{name}.{what}", Output(unit, f"{body.kind} {name}: {text}", _late(value, body.index))

    def _beams(self) -> Iterator[BeamOutputs]:
        taken = set(self.mechanism.ground_points) | set(self.mechanism.body_names)
        taken |= {point for body in self.mechanism.body_names.values() for point in body.points}
        for beam in self.mechanism.beams.values():
            yield BeamOutputs(self.mechanism, beam, taken)
            taken = taken | set(beam.points)

    def _constraints(self) -> Iterator[tuple[str, Output]]:
        mechanism = self.mechanism
        drive_column = {int(row): k for k, row in enumerate(mechanism.system.drive_rows)}
        works: dict[str, list[int]] = {}
        for names in mechanism.constraint_names:
            attached = dict(zip(names.declaration.attachments, names.bodies, strict=True))
            on = f"{names.kind} {names.name}: on {attached.get('b', names.bodies[0])}"
            for given, (what, (unit, _)) in zip(names.rows, names.declaration.rows.items(), strict=True):
                column = int(mechanism.row_position[given])
                yield f"{names.name}.{what}", Output(unit, f"{on}, {what}", _reaction(column))
                if column in drive_column:
                    works.setdefault(names.name, []).append(drive_column[column])
        for name, columns in works.items():
            yield f"{name}.work", Output("J", f"drive {name}: work done on the mechanism", _work(columns))

    def _forces(self) -> Iterator[tuple[str, Output]]:
        system, n_drives = self.mechanism.system, self.mechanism.system.drive_rows.size
        column = {int(index): n_drives + k for k, index in enumerate(system.power_index)}
        parts: dict[str, list[ForceNames]] = {}  # a load along a beam has one part per element
        for names in self.mechanism.force_names:
            if not names.declaration.implied:
                parts.setdefault(names.name, []).append(names)
        for names, *others in parts.values():
            for offset, what, text in (
                (1, "dissipated", "energy dissipated"),
                (2, "work", "work done on the mechanism"),
            ):
                if 3 * names.place + offset in column:
                    columns = [column[3 * part.place + offset] for part in (names, *others)]
                    yield f"{names.name}.{what}", Output("J", f"{names.type} {names.name}: {text}", _work(columns))
            module = kernel_module(names.element.declaration, names.element.families)
            for has, place, unit, what, text in (
                (module.POTENTIAL, 0, "J", "energy", "potential energy"),
                (module.LOADS, 2, "W", "power", "power into the mechanism"),
            ):
                if has:
                    values = _called(self.mechanism, (names, *others), "energy", 3, place)
                    yield f"{names.name}.{what}", Output(unit, f"{names.type} {names.name}: {text}", values)
            observed = names.declaration.observed
            for place, (what, (unit, text)) in enumerate(observed.items()):
                values = _called(self.mechanism, (names,), "observe", len(observed), place)
                yield f"{names.name}.{what}", Output(unit, f"{names.type} {names.name}: {text}", values)

    def _contacts(self) -> Iterator[tuple[str, Output]]:
        mechanism = self.mechanism
        wholes: dict[str, list[ContactNames]] = {}
        for names in mechanism.contact_names:
            if names.whole:
                wholes.setdefault(names.whole, []).append(names)
        together = [
            replace(parts[0], name=name, pieces=tuple(k for part in parts for k in part.pieces), whole="")
            for name, parts in wholes.items()
        ]
        for names in [*(names for names in mechanism.contact_names if not names.whole), *together]:
            yield from ((f"{names.name}.{what}", output) for what, output in self._contact(names).items())
        grounded = [names for names in mechanism.contact_names if names.bodies[0] == "ground"]
        if grounded:
            every = replace(grounded[0], name="ground_reaction", pieces=tuple(k for n in grounded for k in n.pieces))
            for what in ("fx", "fy", "x", "y"):
                unit, _, values = contact_outputs(every)[what]
                text = "of the force" if what in ("fx", "fy") else "of its point of application"
                yield (
                    f"ground_reaction.{what}",
                    Output(unit, f"{what[-1]} {text} of the ground", self.history.output(values)),
                )

    def _contact(self, names: ContactNames) -> dict[str, Output]:
        """Outputs of one contact by what they are."""
        system, place = self.mechanism.system, self.mechanism.contact_place
        first = power_count(system) - POWERS * len(self.mechanism.contacts)
        made = {
            what: Output(unit, text, self.history.output(values))
            for what, (unit, text, values) in contact_outputs(names).items()
        }
        columns = [first + POWERS * int(place[k]) for k in names.pieces]
        for what, offsets, text in (
            ("dissipated", (0, 1), "energy dissipated"), ("friction_loss", (1,), "energy dissipated by friction"),
            ("work", (2,), "work done by the moving surface"),
        ):  # fmt: skip
            of = [c + offset for c in columns for offset in offsets]
            made[what] = Output("J", f"contact {names.name}: {text}", _work(of))
        return made


class History:
    """What contacts did along a motion, computed once for all outputs of the same motion."""

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.motion: Motion | None = None
        self.data: Any = None

    def output(self, values: Any) -> Callable[[Motion], Array]:
        return lambda motion: values(self.along(motion))

    def along(self, motion: Motion) -> Array:
        if motion is not self.motion:
            self.motion, self.data = motion, along(self.mechanism, motion)
        return self.data


def _late(value: Any, index: Array) -> Callable[[Motion], Array]:
    return lambda motion: value(motion, index)


def _point(value: Any, body: BodyNames, local: tuple[float, float]) -> Callable[[Motion], Array]:
    return lambda motion: value(*point_motion(motion, body, local))


def _reaction(column: int) -> Callable[[Motion], Array]:
    return lambda motion: -motion.lam[:, column]


def _work(columns: list[int]) -> Callable[[Motion], Array]:
    return lambda motion: motion.work[:, columns].sum(axis=1)


def _called(
    mechanism: Mechanism, parts: Sequence[ForceNames], kernel: str, size: int, place: int
) -> Callable[[Motion], Array]:
    """What a kernel gives, summed over the parts of a force."""
    return lambda motion: sum(
        (call_kernel(mechanism, part, kernel, size, motion)[:, place] for part in parts), np.zeros(motion.t.size)
    )


def call_kernel(mechanism: Mechanism, names: ForceNames, kernel: str, size: int, motion: Motion) -> Array:
    """What a kernel of one force (`energy` or `observe`) gives at all times, (n_times, size). It runs as plain Python:
    it is not hot."""
    from gaitwright.system.signals import evaluate_program

    element = names.element
    function = getattr(kernel_module(element.declaration, element.families), kernel)
    dof = [mechanism.n if k < 0 else int(k) for k in np.concatenate(element.coordinates)]
    signals = [np.stack(evaluate_program(mechanism.signals[k], motion.t), axis=1) for k in element.signals]
    values = np.zeros((motion.t.size, size))
    for k in range(motion.t.size):
        u = np.concatenate([s[k] for s in signals]) if signals else np.zeros(0)
        function(1, dof, element.parameters, range(len(signals)), motion.q[k], motion.v[k], u, values[k])
    return values


DERIVED = (
    "energy.kinetic", "energy.potential", "energy.dissipated", "energy.work", "energy.residual",
    "evidence.position_violation", "evidence.velocity_violation", "evidence.step_sizes", "evidence.newton", "evidence.sigma",
    "evidence.unstable",
)  # fmt: skip
"""Outputs that a Result adds from its energy balance and its steps."""


def check_outputs(mechanism: Mechanism, names: list[str]) -> None:
    """Complain about names that no result of this mechanism will have, before anything is computed."""
    catalogue = Catalogue(mechanism)
    more = [*DERIVED, *(f"{c.name}.power" for c in mechanism.constraint_names if c.kind == "drive")]
    for name in names:
        if name not in catalogue.outputs and name not in more:
            raise catalogue.complaint(name, more)


def unknown_output(name: str, known: list[str]) -> ModelError:
    import difflib

    close = difflib.get_close_matches(name, known, n=3)
    hint = (
        f"did you mean {', '.join(close)}?"
        if close
        else f"there are {len(known)} outputs, such as {', '.join(known[:4])}"
    )
    return ModelError(f"there is no output '{name}'; {hint}")
