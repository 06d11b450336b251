"""A planar model as one in space: the same mechanism in the plane of x and z, to go on from there in three dimensions.

    (x, y) -> (x, 0, y)        gravity and vectors alike; counter-clockwise becomes a turn about (0, -1, 0)

Bodies and links become bodies in the pose in which the planar joints close, pins become revolute joints about that axis. What
the planar model knew to lie in its plane is now held there by joints, several times over in every loop: those rows are
redundant, and reported as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.model.lower import Lowering
from gaitwright.model.model import Model
from gaitwright.model.planar_beams_in_space import put_beam
from gaitwright.physics.declare import VECTORS, Signal
from gaitwright.system.blocks import Block, Element
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.beam import BeamPart

AXIS = [0.0, -1.0, 0.0]
"""About which a turn is counter-clockwise, seen with x to the right and z up."""
HOLDING = ("revolute", "prismatic", "fixed")
"""Joints that keep b in the plane if a stays in it."""
Fields = dict[str, Any]


def in_space(model: Model) -> Model:
    """The planar model as a spatial one, with the same names, motions, drive torques and reactions: what was `.fy` is `.fz`,
    and a moment `-.my`. A point with several pins calls them A-link instead of A:link.

    A body gets its planar inertia about all axes, which is of no consequence as long as it stays in the plane; lengths become
    numbers, while drives and loads keep the parameters in their expressions. Torsion springs and bumpers have to stay within
    half a turn. Beams bend in the plane as they did, to rounding (planar_beams_in_space.py). Gears and contacts have no
    counterpart; what the model says about gait is left out."""
    if not isinstance(model, Model):
        At(field="model").fail("is no model", model, "a planar model, as gw.Model or gw.load give it")
    scope = Lowering(model.document).read()
    mechanism, pose = scope.mechanism(), model.assemble().q
    for section in ("parts", "contacts"):
        if getattr(model.document, section):
            At(field=section).fail(
                "have no counterpart in space",
                expected="a planar model of rigid bodies, links, beams, joints, drives and forces",
            )
    space = Model(model.document.name, dimension=3, gravity=_lifted(model.document.gravity))
    space.document.parameters.update(model.document.parameters)
    space.document.series.update(model.document.series)
    translation = Translation(scope, mechanism, pose)
    for name, at in mechanism.ground_points.items():
        space.ground_point(name, *_lifted(at))
    for fields in translation.bodies():
        space.body(**fields)
    for entry in model.document.beams:
        put_beam(space, entry, mechanism, pose)
    add = {"joints": space.joint, "drives": space.drive, "forces": space.force}
    for section, fields in translation.elements():
        add[section](**fields)
    for reference, velocity in model.document.velocities.items():
        space.velocity(translation.place(reference), *_lifted(velocity))
    return space


class Translation:
    """Entries of the spatial document. pose: coordinates in which the joints close."""

    def __init__(self, scope: Lowering, mechanism: Mechanism, pose: np.ndarray):
        self.scope, self.mechanism, self.pose = scope, mechanism, pose
        self.given = {body.name: body for body in scope.document.bodies}

    def bodies(self) -> Iterator[Fields]:
        for name, body in self.mechanism.body_names.items():
            x, y, angle = (float(value) for value in self.pose[body.index])
            points = {point: _lifted(at) for point, at in body.points.items()}
            fields = {
                "name": name,
                "mass": body.mass,
                "inertia": [body.inertia] * 3,
                "points": points,
                "at": [x, 0.0, y],
            }
            fields |= {"orientation": {"angles": [0.0, -np.degrees(angle), 0.0]}}
            given = self.given.get(name)
            if given and given.velocity is not None:
                fields["velocity"] = _lifted(given.velocity)
            if given and given.spin is not None:
                fields["spin"] = [0.0, _opposite(given.spin), 0.0]
            yield fields

    def elements(self) -> Iterator[tuple[str, Fields]]:
        """Joints, drives and forces, each with the section it belongs to."""
        constraints = list(self.mechanism.attached())
        joints = [(names, element) for names, element in constraints if names.kind == "joint"]
        pins = joints[: len(joints) - len(self.scope.document.joints)]
        for names, _ in pins:
            point = names.name.partition(":")[0]
            ends = {side: f"{owner}.{point}" for side, owner in zip("ab", names.bodies, strict=True)}
            yield (
                "joints",
                {"type": "revolute", "name": names.name.replace(":", "-"), **ends, "axis": self.about(ends["a"])},
            )
        drives = {names.name: (names, element) for names, element in constraints if names.kind == "drive"}
        forces = {n.name: (n, n.element) for n in self.mechanism.force_names if not n.declaration.implied}
        for section, found in (
            ("joints", joints[len(pins) :]),
            ("drives", drives.values()),
            ("forces", forces.values()),
        ):
            for entry, (names, element) in zip(getattr(self.scope.document, section), found, strict=True):
                if entry["type"] not in TRANSLATED[section]:
                    At(f"{section[:-1]} '{names.name}'", "type").fail(
                        f"'{entry['type']}' has no counterpart in space",
                        expected=f"one of {', '.join(TRANSLATED[section])}",
                    )
                fields = TRANSLATED[section][entry["type"]](self, entry, numbers_of(element))
                yield section, {"name": names.name, **fields}
        yield from (
            ("joints", fields) for fields in self.held([names.bodies for names, _ in joints if names.type in HOLDING])
        )

    def held(self, pairs: list[tuple[str, ...]]) -> Iterator[Fields]:
        """A planar joint for one body of every group that no joint holds in the plane."""
        groups = {name: {name} for name in ("ground", *self.mechanism.parts)}
        for a, b in pairs:
            groups[a] |= groups[b]
            for name in groups[a]:
                groups[name] = groups[a]
        for group in {id(group): group for group in groups.values()}.values():
            if "ground" not in group:
                body = next(name for name in self.mechanism.parts if name in group)
                place = "origin" if self.mechanism.parts[body].rigid else "start"
                ends = {"a": "ground.origin", "b": f"{body}.{place}"}
                yield {"type": "planar", "name": f"{body}-plane", **ends, "axis": AXIS}

    def place(self, reference: str) -> str:
        """A point by the body that carries it: the points of links are known by their own names in the plane only."""
        carriers = self.scope.carriers.get(reference)
        return f"{carriers[0]}.{reference}" if carriers else reference

    def ends(self, entry: Fields) -> Fields:
        return {side: self.place(entry[side]) for side in "ab"}

    def turn(self, a: str, b: str) -> Fields:
        """What an element about an axis needs: its bodies, and the angle that the pose stands for."""
        return {"a": a, "b": b, "axis": self.about(a), "drawn_angle": self.angle(b) - self.angle(a)}

    def on_beam(self, place: str) -> bool:
        return self.place(place).partition(".")[0] in self.mechanism.beams

    def about(self, place: str) -> list[float]:
        """The axis of turns in the frame of a body, or of the section of a beam: tangent, normal, and across both."""
        return [0.0, 0.0, 1.0] if self.on_beam(place) else AXIS

    def along(self, place: str, vector: Any) -> list[Any]:
        """A vector of the plane in that frame."""
        return [*vector, 0.0] if self.on_beam(place) else _lifted(vector)

    def angle(self, name: str) -> float:
        """Of a body, or of a beam at a point, in the pose."""
        if name == "ground":
            return 0.0
        owner, _, point = name.partition(".")
        beam = self.mechanism.beams.get(owner)
        if not isinstance(beam, BeamPart):
            return float(self.pose[self.mechanism.body_names[owner].index[2]])
        u, v = self.pose[beam.nodes[beam.node_called(point) or 0, 2:]]
        return float(np.arctan2(v, u))


def numbers_of(element: Element | Block) -> Fields:
    """The constant parameters of an element, the first of a block, by name."""
    numbers = element.block().parameters[0].tolist()
    kinds = zip(element.declaration.attachments.values(), element.families, strict=True)
    at = sum(len(family.markers[type(kind)].parameters) for kind, family in kinds)
    found: Fields = {}
    for name, parameter in element.declaration.parameters.items():
        if isinstance(parameter, VECTORS):
            found[name] = numbers[at : at + 2]
            at += 2
        elif not isinstance(parameter, Signal):
            found[name] = numbers[at]
            at += 1
    return found


def _lifted(vector: Any) -> list[Any]:
    x, y = vector
    return [x, 0.0, y]


def _opposite(value: float | str) -> float | str:
    return f"-({value})" if isinstance(value, str) else -value


def _line(kind: str) -> Callable[[Translation, Fields, Fields], Fields]:
    return lambda t, entry, numbers: {"type": kind, **t.ends(entry), "axis": t.along(entry["a"], numbers["axis"])}


def _spring(kind: str) -> Callable[[Translation, Fields, Fields], Fields]:
    return lambda t, entry, numbers: {"type": kind, **t.turn(entry["a"], entry["b"]), **numbers}


def _position(t: Translation, entry: Fields, numbers: Fields) -> Fields:
    moves = {axis: entry[given] for axis, given in (("x", "x"), ("z", "y")) if entry.get(given) not in (None, ())}
    return {"type": "position", "point": t.place(entry["point"]), **moves}


def _force(t: Translation, entry: Fields, numbers: Fields) -> Fields:
    value = t.along(entry["at"], entry["value"]) if entry["frame"] == "body" else _lifted(entry["value"])
    return {"type": "force", "at": t.place(entry["at"]), "value": value, "frame": entry["frame"]}


def _torque(t: Translation, entry: Fields, numbers: Fields) -> Fields:
    return {"type": "joint-torque", **t.turn(entry["reaction"], entry["body"]), "value": entry["value"]}


def _moment(t: Translation, entry: Fields, numbers: Fields) -> Fields:
    return {"type": "joint-torque", **t.turn("ground", entry["at"]), "value": entry["value"]}


TRANSLATED: dict[str, dict[str, Callable[[Translation, Fields, Fields], Fields]]] = {
    "joints": {
        "revolute": lambda t, entry, numbers: {"type": "revolute", **t.ends(entry), "axis": t.about(entry["a"])},
        "fixed": lambda t, entry, numbers: {"type": "fixed", **t.ends(entry)},
        "prismatic": _line("prismatic"),
        "slot": _line("point-on-line"),
        "distance": lambda t, entry, numbers: {"type": "distance", **t.ends(entry), **numbers},
    },
    "drives": {
        "rotation": lambda t, entry, _: {"type": "rotation", **t.turn("ground", entry["body"]), "angle": entry["angle"]},
        "relative-rotation": lambda t, entry, _: {
            "type": "rotation", **t.turn(entry["a"], entry["b"]), "angle": entry["angle"],
        },
        "distance": lambda t, entry, _: {"type": "distance", **t.ends(entry), "length": entry["length"]},
        "position": _position,
    },
    "forces": {
        "spring-damper": lambda t, entry, numbers: {"type": "spring-damper", **t.ends(entry), **numbers},
        "torsion-spring": _spring("torsion-spring"),
        "bumper": _spring("bumper"),
        "torque": _torque,
        "moment": _moment,
        "force": _force,
    },
}  # fmt: skip
"""What a planar element becomes: (translation, its entry, its constant parameters) -> fields of the spatial one."""
