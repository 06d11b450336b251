"""Models of OpenSim 4 (.osim): bodies, joints and markers, at the default values of their coordinates.

A coordinate that turns or slides about a fixed axis stays one; splines that move axes, as in many knees, are fixed at their
default value, with a note. Muscles and other forces are omitted, listed by name."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import parse_xml
from gaitwright.formats.imported_assembly import Array, ImportedAssembly, ImportedBody
from gaitwright.formats.mjcf_combined_joints import PosedMjcfJoint, combine_joints
from gaitwright.formats.mjcf_file import MjcfJoint
from gaitwright.formats.osim_functions import polynomial, read_function
from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.formats.urdf_tree import GROUND, MovingFrame
from gaitwright.formats.xml_text import parse_numbers, tag_name
from gaitwright.geometry.inertia import inertia_tensor
from gaitwright.geometry.orientation import rotation_from_angles, rotation_from_quaternion

MIN_FILE_VERSION = 40000
X, Y, Z = np.eye(3)
SPLINE_AXES_NOTE = "axes that follow splines are held where they are by default"


class OsimAxis(NamedTuple):
    """Axis of a joint, in its frame. kind: hinge or slide. coordinate: its name, empty if fixed. value: rad or m."""

    kind: str
    axis: Array
    coordinate: str
    value: float


class OsimFrame(NamedTuple):
    """Frame on a body: name of the body, and position (m) and rotation in the frame of the body."""

    body: str
    at: Array
    rotation: Array


def osim_assembly(text: str, source: str, positions: dict[str, float] | None = None) -> ImportedAssembly:
    """Build the assembly of a .osim file. positions: values of coordinates, rad or m, instead of their defaults."""
    root = parse_xml(text, source)
    model = root.find("Model")
    if tag_name(root) != "OpenSimDocument" or model is None:
        raise ModelError(f"{source} has no model of OpenSim", expected="<OpenSimDocument><Model name=...>")
    version = root.get("Version", "0")
    if not version.isdigit() or int(version) < MIN_FILE_VERSION:
        raise ModelError(
            f"{source} is of version {version} of OpenSim's files",
            expected="version 40000: open it in OpenSim 4 and save it",
        )
    return _OsimReader(model, source, dict(positions or {})).assembly()


class _OsimReader:
    def __init__(self, model: Any, source: str, positions: dict[str, float]):
        self.model, self.at, self.positions = model, ErrorContext(source), positions
        gravity = parse_numbers(model.findtext("gravity", "0 -9.80665 0"), 3, self.at["gravity"])
        self.all = ImportedAssembly(model.get("name", "model"), np.array(gravity))
        self.coordinates: set[str] = set()
        self.bodies = {part.get("name", ""): part for part in self._set("BodySet")}

    def _set(self, name: str) -> list[Any]:
        objects = self.model.find(f"{name}/objects")
        return [] if objects is None else [part for part in objects if tag_name(part)]

    def assembly(self) -> ImportedAssembly:
        if not self.bodies:
            self.at.fail("has no bodies", expected="at least one <Body> in its <BodySet>")
        waiting = self._set("JointSet")
        while waiting:  # parents before children
            ready = [joint for joint in waiting if self._ends(joint)[0].body in (GROUND, *self.all.pieces)]
            if not ready:
                name = waiting[0].get("name")
                ErrorContext(f"joint '{name}'").fail(
                    "its parent is not connected to the ground",
                    expected="joints that lead from the ground to all bodies",
                )
            for joint in ready:
                self._joint(joint)
                waiting.remove(joint)
        for name in self.bodies:
            if name not in self.all.pieces:
                self.all.pieces[name] = ImportedBody(name, MovingFrame(), self._mass(name))
                self.all.leave("bodies without a joint are free", name)
        for name in self.positions:
            if name not in self.coordinates:
                ErrorContext(field="positions").fail(
                    f"there is no coordinate '{name}'", name, format_choices(name, sorted(self.coordinates))
                )
        for marker in self._set("MarkerSet"):
            self._marker(marker)
        for constraint in self._set("ConstraintSet"):
            self.all.leave("constraints are left out", constraint.get("name", tag_name(constraint)))
        for name in ("ForceSet", "ControllerSet", "ContactGeometrySet"):
            for part in self._set(name):
                self.all.leave(f"{name} is left out", part.get("name", tag_name(part)))
        return self.all

    def _mass(self, name: str) -> LinkInertia:
        part, at = self.bodies[name], ErrorContext(f"body '{name}'")
        mass = parse_numbers(part.findtext("mass", "0"), 1, at["mass"], "a mass in kg")[0]
        at["mass"].not_negative(mass, "a mass in kg")
        centre = parse_numbers(part.findtext("mass_center", "0 0 0"), 3, at["mass_center"])
        return LinkInertia(
            mass,
            np.array(centre),
            inertia_tensor(parse_numbers(part.findtext("inertia", "0 0 0 0 0 0"), 6, at["inertia"])),
        )

    # places ----------------------------------------------------------------------------------------------------------

    def _placed(self, path: str | None, at: ErrorContext, near: Any = None, depth: int = 0) -> OsimFrame:
        """Frame for the path of a socket: a body, the ground, or an offset frame of a joint or a body."""
        name = (path or "").strip().rpartition("/")[2]
        if not name or depth > 20:
            at.fail("is missing" if not name else "its frames refer to each other", expected="the path of a frame")
        frames = {} if near is None else {f.get("name"): f for f in near.findall("frames/PhysicalOffsetFrame")}
        if name in frames:
            return self._offset(frames[name], at, near, depth)
        if name == "ground":
            return OsimFrame(GROUND, np.zeros(3), np.eye(3))
        if name in self.bodies:
            return OsimFrame(name, np.zeros(3), np.eye(3))
        for owner in (*self._set("JointSet"), *self._set("BodySet"), self.model):
            for frame in owner.iter("PhysicalOffsetFrame"):
                if frame.get("name") == name:
                    return self._offset(frame, at, owner, depth)
        return at.fail(f"there is no frame '{name}'", path, format_choices(name, self.bodies))

    def _offset(self, frame: Any, at: ErrorContext, near: Any, depth: int) -> OsimFrame:
        base = self._placed(frame.findtext("socket_parent"), at["socket_parent"], near, depth + 1)
        place = np.array(parse_numbers(frame.findtext("translation", "0 0 0"), 3, at["translation"]))
        turn = rotation_from_angles(parse_numbers(frame.findtext("orientation", "0 0 0"), 3, at["orientation"]), "xyz")
        return OsimFrame(base.body, base.at + base.rotation @ place, base.rotation @ turn)

    def _ends(self, joint: Any) -> tuple[OsimFrame, OsimFrame]:
        at = ErrorContext(f"joint '{joint.get('name')}'")
        parent, child = (
            self._placed(joint.findtext(f"socket_{side}_frame"), at[f"socket_{side}_frame"], joint)
            for side in ("parent", "child")
        )
        if child.body == GROUND:
            at["socket_child_frame"].fail("is on the ground", expected="a body")
        return parent, child

    def _marker(self, marker: Any) -> None:
        name = marker.get("name") or "marker"
        at = ErrorContext(f"marker '{name}'")
        frame = self._placed(marker.findtext("socket_parent_frame"), at["socket_parent_frame"])
        local = np.array(parse_numbers(marker.findtext("location", "0 0 0"), 3, at["location"]))
        self.all.piece(frame.body).points[name] = frame.at + frame.rotation @ local

    # joints ----------------------------------------------------------------------------------------------------------

    def _joint(self, joint: Any) -> None:
        name, kind = joint.get("name", "joint"), tag_name(joint)
        at = ErrorContext(f"joint '{name}'")
        at["type"].one_of(kind, JOINT_AXES_READERS, "is not read")
        parent, child = self._ends(joint)
        if child.body in self.all.pieces:
            at.fail(f"leads to '{child.body}', which has another joint already", expected="one joint per body")
        values = self._values(joint, at)
        axes = JOINT_AXES_READERS[kind](self, joint, values, at)
        above = self.all.piece(parent.body).frame
        place, turn = above.at + above.rotation @ parent.at, above.rotation @ parent.rotation
        moved: list[PosedMjcfJoint] = []
        for one in axes:  # first slides along axes of the parent, then turns, each about an axis of the previous frame
            way = turn @ one.axis
            if one.kind == "slide":
                place = place + one.value * way
            else:
                turn = turn @ _rotation_about(one.axis, one.value)
            if one.coordinate:
                moved.append(
                    PosedMjcfJoint(MjcfJoint(one.coordinate, one.kind, np.zeros(3), way), place, way, one.value)
                )
        moved = [one._replace(at=place) for one in moved]
        rotation = turn @ child.rotation.T
        piece = ImportedBody(child.body, MovingFrame(place - rotation @ child.at, rotation), self._mass(child.body))
        if not moved:
            piece.holder = parent.body
            self.all.pieces[child.body] = piece
            return
        self.all.pieces[child.body] = piece
        ties = combine_joints(moved, parent.body, child.body)
        if ties is None:
            names = ", ".join(one.joint.name for one in moved)
            at.fail(
                f"its coordinates {names} do not combine into a known joint",
                expected="one of the joints of a model in space",
            )
        for k, tie in enumerate(ties):
            tie.name = name if k == 0 else f"{name}-{k + 1}"
            self.all.ties[tie.name] = tie

    def _values(self, joint: Any, at: ErrorContext) -> dict[str, float]:
        """Coordinates of a joint with their values, rad or m."""
        values = {}
        for one in joint.findall("coordinates/Coordinate"):
            name = one.get("name") or "coordinate"
            default = parse_numbers(one.findtext("default_value", "0"), 1, at[f"{name}.default_value"])[0]
            values[name] = float(
                ErrorContext(f"coordinate '{name}'").finite(self.positions.get(name, default), "rad or m")
            )
            if one.findtext("locked", "false").strip() == "true":
                self.all.leave("coordinates that are locked there move here", name)
        self.coordinates |= set(values)
        return values

    def custom(self, joint: Any, values: dict[str, float], at: ErrorContext) -> list[OsimAxis]:
        """Six axes: three turns, three slides; each fixed, or moved by one coordinate."""
        transform = joint.find("SpatialTransform")
        given = [] if transform is None else [part for part in transform if tag_name(part) == "TransformAxis"]
        turns = [self._transform_axis(part, "hinge", values, at) for part in given[:3]]
        slides = [self._transform_axis(part, "slide", values, at) for part in given[3:]]
        return [*slides, *turns]

    def _transform_axis(self, part: Any, kind: str, values: dict[str, float], at: ErrorContext) -> OsimAxis:
        way = np.array(parse_numbers(part.findtext("axis", "1 0 0"), 3, at["axis"]))
        way = way / (np.linalg.norm(way) or at["axis"].fail("has no direction", way.tolist()))
        names = (part.findtext("coordinates") or "").split()
        holder = part if part.find("function") is None else part.find("function")
        element = next((child for child in holder if tag_name(child) not in ("", "axis", "coordinates")), None)
        function = polynomial([0.0]) if element is None else read_function(element, at)
        if len(names) > 1:
            at["coordinates"].fail("are several for one axis", names, "one coordinate for each axis")
        line, value = function.line, function(values.get(names[0], 0.0) if names else 0.0)
        if not names or (line is not None and line[0] == 0.0):
            return OsimAxis(kind, way, "", value)
        if line is not None and abs(line[0]) == 1.0:
            return OsimAxis(kind, line[0] * way, names[0], line[0] * value)
        self.all.leave(SPLINE_AXES_NOTE, f"{at.element[7:-1]} ({part.get('name', kind)} of {', '.join(names)})")
        return OsimAxis(kind, way, "", value)


def _rotation_about(axis: Array, angle: float) -> Array:
    return rotation_from_quaternion([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])


def _fixed_axes_reader(*axes: tuple[str, Array]) -> Any:
    """Reader for a joint type with fixed axes: slides first, one axis for each coordinate in the order of the file."""

    def read(reader: _OsimReader, joint: Any, values: dict[str, float], at: ErrorContext) -> list[OsimAxis]:
        names = list(values) + [f"{joint.get('name')}_{k}" for k in range(len(values), len(axes))]
        joint_axes = [
            OsimAxis(kind, way, name, values.get(name, 0.0)) for (kind, way), name in zip(axes, names, strict=False)
        ]
        return [
            *(one for one in joint_axes if one.kind == "slide"),
            *(one for one in joint_axes if one.kind == "hinge"),
        ]

    return read


XYZ_HINGES = (("hinge", X), ("hinge", Y), ("hinge", Z))
JOINT_AXES_READERS: dict[str, Any] = {
    "WeldJoint": _fixed_axes_reader(),
    "PinJoint": _fixed_axes_reader(("hinge", Z)),
    "SliderJoint": _fixed_axes_reader(("slide", X)),
    "BallJoint": _fixed_axes_reader(*XYZ_HINGES),
    "GimbalJoint": _fixed_axes_reader(*XYZ_HINGES),
    "UniversalJoint": _fixed_axes_reader(("hinge", X), ("hinge", Y)),
    "PlanarJoint": _fixed_axes_reader(("hinge", Z), ("slide", X), ("slide", Y)),
    "FreeJoint": _fixed_axes_reader(*XYZ_HINGES, ("slide", X), ("slide", Y), ("slide", Z)),
    "CustomJoint": _OsimReader.custom,
}
