"""Conversion of a planar model to a spatial one: the same mechanism in the plane of x and z, as a start for three dimensions.

        (x, y) -> (x, 0, y)        gravity and vectors alike; counter-clockwise becomes a rotation about (0, -1, 0)

Bodies and links become bodies in the pose in which the planar joints close; pins become revolute joints about that axis.
Parts that were planar by definition are now held in the plane by joints, several times over in every loop: those rows are
redundant, and reported as such.

Axis 2 of the section of a spatial beam is the normal in the plane, in the direction of its height; its width is along axis 3,
across the plane. Its sections get no rotary inertia in the plane, as in the planar model. Undefined in the plane are the
stiffness against bending out of it and against twist: they are those of its width or diameter with Poisson's ratio 0.3, or for
a section with neither, those of a round section with the same EI. They only matter for motion out of the plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.element_parameters import read_element_parameters
from gaitwright.model.model import Model, compile_model
from gaitwright.model.reader.mechanism_builder import MechanismBuilder
from gaitwright.model.spec.document import BeamSpec

TURN_AXIS = [0.0, -1.0, 0.0]
"""Axis of counter-clockwise rotations, seen with x to the right and z up."""
PLANE_HOLDING_JOINT_TYPES = ("revolute", "prismatic", "fixed")
"""Joints that keep b in the plane if a stays in it."""
ASSUMED_POISSONS_RATIO = 0.3
PRESTRESS_STRAIN = 1e-9
"""Strain at the start above which a beam counts as prestressed."""
EntryFields = dict[str, Any]


def in_space(model: Model) -> Model:
    """Convert a planar model to a spatial one, with the same names, motions, drive torques and reactions: `.fy` becomes
    `.fz`, and a moment `-.my`. Joints of a point with several pins are named A-link instead of A:link.

    A body gets its planar inertia about all axes, which has no effect as long as it stays in the plane; lengths become
    numbers, while drives and loads keep the parameters in their expressions. Torsion springs and bumpers have to stay within
    half a turn. Beams bend in the plane as before, up to rounding. Gears and contacts raise
    ModelError; gait declarations are omitted."""
    if not isinstance(model, Model):
        ErrorContext(field="model").fail("is no model", model, "a planar model, as gw.Model or gw.load give it")
    scope = compile_model(model).builder
    mechanism, pose = scope.mechanism(), model.assemble().q
    for section in ("parts", "contacts"):
        if getattr(model.document, section):
            ErrorContext(field=section).fail(
                "have no counterpart in space",
                expected="a planar model of rigid bodies, links, beams, joints, drives and forces",
            )
    space = Model(model.document.name, dimension=3, gravity=_lift(model.document.gravity))
    space.document.parameters.update(model.document.parameters)
    space.document.series.update(model.document.series)
    translation = PlanarToSpatialTranslator(scope, mechanism, pose)
    for name, position in mechanism.ground_points.items():
        space.ground_point(name, *_lift(position))
    for fields in translation.bodies():
        space.body(**fields)
    for entry in model.document.beams:
        add_spatial_beam(space, entry, mechanism, pose)
    add_element = {"joints": space.joint, "drives": space.drive, "forces": space.force}
    for section, fields in translation.elements():
        add_element[section](**fields)
    for reference, velocity in model.document.velocities.items():
        space.velocity(translation.place(reference), *_lift(velocity))
    return space


class PlanarToSpatialTranslator:
    """Writer of the entries of the spatial document. pose: coordinates with closed joints."""

    def __init__(self, scope: MechanismBuilder, mechanism: Mechanism, pose: np.ndarray):
        self.scope, self.mechanism, self.pose = scope, mechanism, pose
        self.given = {body.name: body for body in scope.document.bodies}

    def bodies(self) -> Iterator[EntryFields]:
        for name, body in self.mechanism.body_names.items():
            x, y, angle = (float(value) for value in self.pose[body.index])
            points = {point: _lift(at) for point, at in body.points.items()}
            fields = {
                "name": name,
                "mass": body.mass,
                "inertia": [body.inertia] * 3,
                "points": points,
                "at": [x, 0.0, y],
            }
            fields |= {"orientation": {"angles": [0.0, -np.degrees(angle), 0.0]}}
            entry = self.given.get(name)
            if entry and entry.velocity is not None:
                fields["velocity"] = _lift(entry.velocity)
            if entry and entry.spin is not None:
                fields["spin"] = [0.0, _negate(entry.spin), 0.0]
            yield fields

    def elements(self) -> Iterator[tuple[str, EntryFields]]:
        """Joints, drives and forces, each with its section."""
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
        for section, elements in (
            ("joints", joints[len(pins) :]),
            ("drives", drives.values()),
            ("forces", forces.values()),
        ):
            for entry, (names, element) in zip(getattr(self.scope.document, section), elements, strict=True):
                if entry["type"] not in ELEMENT_TRANSLATORS[section]:
                    ErrorContext(f"{section[:-1]} '{names.name}'", "type").fail(
                        f"'{entry['type']}' has no counterpart in space",
                        expected=f"one of {', '.join(ELEMENT_TRANSLATORS[section])}",
                    )
                fields = ELEMENT_TRANSLATORS[section][entry["type"]](self, entry, read_element_parameters(element)[1])
                yield section, {"name": names.name, **fields}
        yield from (
            ("joints", fields)
            for fields in self.held([names.bodies for names, _ in joints if names.type in PLANE_HOLDING_JOINT_TYPES])
        )

    def held(self, pairs: list[tuple[str, ...]]) -> Iterator[EntryFields]:
        """Planar joints for one body of every group that no joint holds in the plane."""
        groups = {name: {name} for name in ("ground", *self.mechanism.parts)}
        for a, b in pairs:
            groups[a] |= groups[b]
            for name in groups[a]:
                groups[name] = groups[a]
        for group in {id(group): group for group in groups.values()}.values():
            if "ground" not in group:
                body = next(name for name in self.mechanism.parts if name in group)
                point = "origin" if self.mechanism.parts[body].rigid else "start"
                ends = {"a": "ground.origin", "b": f"{body}.{point}"}
                yield {"type": "planar", "name": f"{body}-plane", **ends, "axis": TURN_AXIS}

    def place(self, reference: str) -> str:
        """Point qualified by the body that carries it: points of links have unqualified names in the plane only."""
        carriers = self.scope.names.carriers.get(reference)
        return f"{carriers[0]}.{reference}" if carriers else reference

    def ends(self, entry: EntryFields) -> EntryFields:
        return {side: self.place(entry[side]) for side in "ab"}

    def turn(self, a: str, b: str) -> EntryFields:
        """Fields of an element about an axis: its bodies, and the angle represented by the pose."""
        return {"a": a, "b": b, "axis": self.about(a), "drawn_angle": self.angle(b) - self.angle(a)}

    def on_beam(self, place: str) -> bool:
        return self.place(place).partition(".")[0] in self.mechanism.beams

    def about(self, place: str) -> list[float]:
        """Axis of rotation in the frame of a body, or of the section of a beam: tangent, normal, and perpendicular to both."""
        return [0.0, 0.0, 1.0] if self.on_beam(place) else TURN_AXIS

    def along(self, place: str, vector: Any) -> list[Any]:
        """Vector of the plane in that frame."""
        return [*vector, 0.0] if self.on_beam(place) else _lift(vector)

    def angle(self, name: str) -> float:
        """Angle of a body, or of a beam at a point, in the pose, rad."""
        if name == "ground":
            return 0.0
        owner, _, point = name.partition(".")
        beam = self.mechanism.beams.get(owner)
        if not isinstance(beam, PlanarBeamPart):
            return float(self.pose[self.mechanism.body_names[owner].index[2]])
        u, v = self.pose[beam.nodes[beam.node_called(point) or 0, 2:]]
        return float(np.arctan2(v, u))


def add_spatial_beam(space: Model, entry: BeamSpec, mechanism: Mechanism, pose: np.ndarray) -> None:
    """Add the beam of a planar document to a spatial model. pose: of the planar model, with closed joints."""
    part, label = mechanism.parts[entry.name], f"beam '{entry.name}'"
    assert isinstance(part, PlanarBeamPart)
    if part.formulation != "continuum-reduced":
        ErrorContext(label, "formulation" if entry.formulation != "continuum" else "integration").fail(
            "has no counterpart in space", part.formulation, "the formulation continuum with integration reduced"
        )
    strain = part.strain(pose).strain
    if strain > PRESTRESS_STRAIN:
        ErrorContext(label).fail(
            "is strained at the start: no counterpart in space", strain, "a beam that starts without stress"
        )
    nodes = pose[part.nodes]
    for name, (x, y) in ((entry.from_, nodes[0, :2]), (entry.to, nodes[-1, :2])):
        if name not in mechanism.ground_points and name not in space.document.points:
            space.point(name, float(x), 0.0, float(y))
    x, y = (float(part) for part in nodes[-1, :2] - nodes[0, :2])
    sizes = ("width", "height", "diameter") if entry.height is not None or entry.diameter is not None else ()
    fields = _spatial_section_fields(entry) | {
        name: getattr(entry, name) for name in sizes if getattr(entry, name) is not None
    }
    fields |= {
        "elements": entry.elements,
        "length": part.length,
        "points": dict(entry.points),
        "damping": entry.damping,
    }
    fields |= {"normal": [-y, 0.0, x], "curvature": [0.0, entry.curvature], "youngs_modulus": entry.youngs_modulus}
    space.beam(entry.name, entry.from_, entry.to, **fields)


def _spatial_section_fields(entry: BeamSpec) -> dict[str, Any]:
    """Stiffness, mass and inertia of the section, as expressions of the fields in the document."""

    def text(name: str) -> str | None:
        value = getattr(entry, name)
        return None if value is None else f"({value})"

    e, rho, b, h, d = (text(name) for name in ("youngs_modulus", "density", "width", "height", "diameter"))
    area = text("area") or (f"pi*{d}^2/4" if d else f"{b}*{h}")
    second = text("second_moment") or (f"pi*{d}^4/64" if d else f"{b}*{h}^3/12")
    axial, bending = text("axial_stiffness") or f"{e}*{area}", text("bending_stiffness") or f"{e}*{second}"
    mass = text("mass_per_length") or f"{rho}*{area}"
    lateral, twist, gyration2 = bending, f"{bending}*{1.0 / (1.0 + ASSUMED_POISSONS_RATIO)!r}", f"{bending}/({axial})"
    if b and h and e:
        lateral, gyration2 = f"{e}*{h}*{b}^3/12", f"{b}^2/12"
        short, long = f"min({b},{h})", f"max({b},{h})"
        twist = f"{e}*{1.0 / (2.0 + 2.0 * ASSUMED_POISSONS_RATIO)!r}*{long}*{short}^3*(1/3-0.21*{short}/{long})"
    return {
        "axial_stiffness": axial, "bending_stiffness": [lateral, bending], "torsional_stiffness": twist,
        "mass_per_length": mass, "inertia_per_length": [f"{mass}*{gyration2}", 0.0],
    }  # fmt: skip


def _lift(vector: Any) -> list[Any]:
    x, y = vector
    return [x, 0.0, y]


def _negate(value: float | str) -> float | str:
    return f"-({value})" if isinstance(value, str) else -value


def _line_joint_translator(kind: str) -> Callable[[PlanarToSpatialTranslator, EntryFields, EntryFields], EntryFields]:
    return lambda t, entry, numbers: {"type": kind, **t.ends(entry), "axis": t.along(entry["a"], numbers["axis"])}


def _spring_translator(kind: str) -> Callable[[PlanarToSpatialTranslator, EntryFields, EntryFields], EntryFields]:
    return lambda t, entry, numbers: {"type": kind, **t.turn(entry["a"], entry["b"]), **numbers}


def _translate_position(t: PlanarToSpatialTranslator, entry: EntryFields, numbers: EntryFields) -> EntryFields:
    displacements = {
        axis: entry[planar_axis]
        for axis, planar_axis in (("x", "x"), ("z", "y"))
        if entry.get(planar_axis) not in (None, ())
    }
    return {"type": "position", "point": t.place(entry["point"]), **displacements}


def _translate_force(t: PlanarToSpatialTranslator, entry: EntryFields, numbers: EntryFields) -> EntryFields:
    value = t.along(entry["at"], entry["value"]) if entry["frame"] == "body" else _lift(entry["value"])
    return {"type": "force", "at": t.place(entry["at"]), "value": value, "frame": entry["frame"]}


def _translate_torque(t: PlanarToSpatialTranslator, entry: EntryFields, numbers: EntryFields) -> EntryFields:
    return {"type": "joint-torque", **t.turn(entry["reaction"], entry["body"]), "value": entry["value"]}


def _translate_moment(t: PlanarToSpatialTranslator, entry: EntryFields, numbers: EntryFields) -> EntryFields:
    return {"type": "joint-torque", **t.turn("ground", entry["at"]), "value": entry["value"]}


ELEMENT_TRANSLATORS: dict[str, dict[str, Callable[[PlanarToSpatialTranslator, EntryFields, EntryFields], EntryFields]]] = {
    "joints": {
        "revolute": lambda t, entry, numbers: {"type": "revolute", **t.ends(entry), "axis": t.about(entry["a"])},
        "fixed": lambda t, entry, numbers: {"type": "fixed", **t.ends(entry)},
        "prismatic": _line_joint_translator("prismatic"),
        "slot": _line_joint_translator("point-on-line"),
        "distance": lambda t, entry, numbers: {"type": "distance", **t.ends(entry), **numbers},
    },
    "drives": {
        "rotation": lambda t, entry, _: {"type": "rotation", **t.turn("ground", entry["body"]), "angle": entry["angle"]},
        "relative-rotation": lambda t, entry, _: {
            "type": "rotation", **t.turn(entry["a"], entry["b"]), "angle": entry["angle"],
        },
        "distance": lambda t, entry, _: {"type": "distance", **t.ends(entry), "length": entry["length"]},
        "position": _translate_position,
    },
    "forces": {
        "spring-damper": lambda t, entry, numbers: {"type": "spring-damper", **t.ends(entry), **numbers},
        "torsion-spring": _spring_translator("torsion-spring"),
        "bumper": _spring_translator("bumper"),
        "torque": _translate_torque,
        "moment": _translate_moment,
        "force": _translate_force,
    },
}  # fmt: skip
"""Translation of each planar element: (translator, its entry, its constant parameters) -> fields of the spatial one."""
