"""Conversion of an assembly from another engine's file to a spatial model.

A piece with a mass becomes a body with the frame of the file. A piece without mass, or with an impossible mass, that is fixed
to another one is merged into that body and becomes a point of it; on the ground it becomes part of the ground. A moving piece
without mass is rejected, or with repair gets a millionth of the total mass."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.imported_assembly import Array, ImportedAssembly, ImportedBody, ImportedJoint
from gaitwright.formats.urdf_file import INERTIA_ATTRIBUTES
from gaitwright.formats.urdf_inertia import LinkInertia, inertia_error, repair_inertia
from gaitwright.formats.urdf_tree import GROUND, to_float_list
from gaitwright.geometry.rotation import quaternion_of
from gaitwright.model.reader.name_resolver import RESERVED_PART_NAMES

ROTATING_JOINT_TYPES, SLIDING_JOINT_TYPES = ("revolute",), ("prismatic",)
JOINT_TYPES_WITH_AXIS = (
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "point-on-line",
    "point-on-plane",
)
ANCHOR_OFFSET_M = 1.0
"""Distance of the anchor of a slider's spring or damper behind the end of its travel, m, so that its direction is always
defined."""


class AssemblyConversion(NamedTuple):
    """document: of a model. notes: omissions and changes."""

    document: dict[str, Any]
    notes: list[str]


def convert_assembly(
    assembly: ImportedAssembly, source: str, *, merge: bool = False, repair: bool = False, stops: float | None = None
) -> AssemblyConversion:
    """Convert an assembly to a document. merge: if True, pieces fixed to each other become one body. repair: if True,
    impossible masses of moving bodies are modified. stops: stiffness of bumpers at the limits of hinges, N m/rad."""
    return _AssemblyWriter(assembly, source, merge, repair, stops).made()


class _AssemblyWriter:
    def __init__(self, assembly: ImportedAssembly, source: str, merge: bool, repair: bool, stops: float | None):
        self.all, self.source, self.repair, self.stops = assembly, source, repair, stops
        self.host = {name: self._host(piece, merge) for name, piece in assembly.pieces.items()}
        self.host[GROUND] = GROUND
        self.bodies = {name: self._whole(name) for name in assembly.pieces if self.host[name] == name}
        impossible = {
            n for n, own in self.bodies.items() if inertia_error(own, "") and assembly.pieces[n].holder is not None
        }
        if impossible:  # an impossible body may be possible together with those that it is fixed to
            self.host = {name: self._host(piece, merge, impossible) for name, piece in assembly.pieces.items()} | {
                GROUND: GROUND
            }
            self.bodies = {name: self._whole(name) for name in assembly.pieces if self.host[name] == name}
        self._check()
        self.names = _assign_names([*(("body", n) for n in assembly.pieces), *(("joint", n) for n in assembly.ties)])
        self.points: dict[str, dict[str, list[float]]] = {name: {} for name in (GROUND, *self.bodies)}
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []

    def _host(self, piece: ImportedBody, merge: bool, impossible: Any = ()) -> str:
        """Piece into whose body this one is merged."""
        while piece.holder is not None:
            can_be_body = inertia_error(piece.own, "") is None and piece.name not in impossible
            if can_be_body and not merge and (piece.holder == GROUND or not self._hollow(piece.holder)):
                break
            if piece.holder == GROUND:
                return GROUND
            piece = self.all.pieces[piece.holder]
        return piece.name

    def _hollow(self, name: str) -> bool:
        """True if a piece that carries others cannot be a body on its own."""
        return inertia_error(self.all.pieces[name].own, "") is not None

    def _whole(self, name: str) -> LinkInertia:
        """Mass and inertia of a body with all merged pieces, in its frame."""
        total, frame = LinkInertia(), self.all.pieces[name].frame
        for other, host in self.host.items():
            if host == name and other != GROUND:
                piece = self.all.pieces[other]
                turn = frame.rotation.T @ piece.frame.rotation
                total = total + piece.own.placed(frame.rotation.T @ (piece.frame.at - frame.at), turn)
        return total

    def _check(self) -> None:
        total_mass = sum(inertia.mass for inertia in self.bodies.values())
        for name, inertia in self.bodies.items():
            problem = inertia_error(inertia, f"body '{name}'")
            if problem is None:
                continue
            if not self.repair:
                reason = str(problem).partition(": ")[2].partition(" (got")[0].partition("; expected")[0]
                ErrorContext(f"body '{name}'", problem.field).fail(
                    f"{reason}, and it moves", problem.value, f"{problem.expected}, or repair=True (--repair)"
                )
            self.bodies[name], remark = repair_inertia(inertia, total_mass)
            self.all.leave("impossible mass or inertia was repaired", f"{name} ({remark})")

    def made(self) -> AssemblyConversion:
        for tie in self.all.ties.values():
            if tie.kind != "free" and self.host[tie.a] != self.host[tie.b]:
                self._tie(tie)
        for name, piece in self.all.pieces.items():
            if self.host[name] not in (name, GROUND):
                self._point(self.host[name], self.names["body", name], piece.frame.at)
            if piece.holder is not None and self.host[name] == name:
                fixed_joint = ImportedJoint(f"{name}-fixed", "fixed", piece.holder, name, piece.frame.at)
                self.names["joint", fixed_joint.name] = _unused_name(fixed_joint.name, self.names.values())
                self._tie(fixed_joint)
        shapes_by_host: dict[str, list[dict[str, Any]]] = {name: [] for name in self.points}
        for name, piece in (("", self.all.ground), *self.all.pieces.items()):
            host = self.host[name]
            for point, position in piece.points.items():
                label = re.sub(r"[^\w-]", "_", point) or "point"
                label = label if re.match(r"[^\W\d]", label) else f"_{label}"
                if label not in self.points[host]:
                    self._point(host, label, piece.frame.at + piece.frame.rotation @ position)
            shapes_by_host[host] += [self._shape(shape, piece, host) for shape in piece.shapes]
        self._springs()
        bodies = [self._body(name, shapes_by_host[name]) for name in self.bodies]
        title = " ".join(re.sub(r"[^\w .,:+/-]", " ", self.all.name).split()) or "assembly"
        document: dict[str, Any] = {
            "gaitwright": 1,
            "name": title,
            "dimension": 3,
            "gravity": to_float_list(self.all.gravity),
        }
        document["ground"] = {"points": self.points[GROUND]} | (
            {"shapes": shapes_by_host[GROUND]} if shapes_by_host[GROUND] else {}
        )
        document |= {"bodies": bodies, "joints": self.joints, "forces": self.forces}
        return AssemblyConversion(document, self._notes())

    def _local(self, body: str, at: Array) -> Array:
        frame = self.all.piece(body).frame
        return frame.rotation.T @ (at - frame.at)

    def _point(self, body: str, name: str, at: Array) -> str:
        self.points[body][name] = to_float_list(self._local(body, at))
        return f"{self._called(body)}.{name}"

    def _called(self, body: str) -> str:
        return "ground" if body == GROUND else self.names["body", body]

    def _tie(self, tie: ImportedJoint) -> None:
        name, (a, b) = self.names["joint", tie.name], (self.host[tie.a], self.host[tie.b])
        entry: dict[str, Any] = {"type": tie.kind, "name": name}
        start = tie.at - tie.axis * tie.travel if tie.kind in SLIDING_JOINT_TYPES and tie.axis is not None else tie.at
        entry |= {"a": self._point(a, name, start), "b": self._point(b, name, tie.at if tie.at_b is None else tie.at_b)}
        if tie.kind in JOINT_TYPES_WITH_AXIS and tie.axis is not None:
            entry["axis"] = to_float_list(self.all.piece(a).frame.rotation.T @ tie.axis)
            if tie.axis_b is not None:
                entry["axis_b"] = to_float_list(self.all.piece(b).frame.rotation.T @ tie.axis_b)
        if tie.kind in ROTATING_JOINT_TYPES and tie.travel:
            entry["drawn_angle"] = float(tie.travel)
        if tie.length is not None:
            entry["length"] = float(tie.length)
        self.joints.append(entry)
        if tie.kind in ROTATING_JOINT_TYPES and (tie.stiffness or tie.damping):
            spring = {"joint": name, "stiffness": tie.stiffness, "damping": tie.damping, "rest_angle": tie.rest}
            self.forces.append({"type": "torsion-spring", "name": f"{name}-spring", **spring})
        if tie.kind in SLIDING_JOINT_TYPES and (tie.stiffness or tie.damping):
            self._slider_spring(tie, entry, start)
        if (
            tie.kind in ROTATING_JOINT_TYPES
            and tie.limits
            and self.stops is not None
            and max(map(abs, tie.limits)) < np.pi
        ):
            lower, upper = map(float, tie.limits)
            bumper = {"lower": lower, "upper": upper, "stiffness": float(self.stops)}
            self.forces.append({"type": "bumper", "name": f"{name}-stops", "joint": name, **bumper})
        elif tie.limits:
            self.all.leave("limits of joints are left out", tie.name)

    def _slider_spring(self, tie: ImportedJoint, entry: dict[str, Any], start: Array) -> None:
        assert tie.axis is not None
        lowest = min(0.0, *(tie.limits or (0.0,)), tie.travel, tie.rest) - ANCHOR_OFFSET_M
        anchor = self._point(self.host[tie.a], f"{entry['name']}-anchor", start + tie.axis * lowest)
        spring = {"stiffness": tie.stiffness, "damping": tie.damping, "rest_length": float(tie.rest - lowest)}
        ends = {"a": anchor, "b": entry["b"]}
        self.forces.append({"type": "spring-damper", "name": f"{entry['name']}-spring", **ends, **spring})

    def _springs(self) -> None:
        used_names = set(self.names.values())
        for line in self.all.lines:
            name = _unused_name(_sanitise_name(line.name), used_names)
            used_names.add(name)
            ends = {}
            for side, body, position in (("a", line.a, line.at_a), ("b", line.b, line.at_b)):
                frame = self.all.piece(body).frame
                ends[side] = self._point(self.host[body], f"{name}-{side}", frame.at + frame.rotation @ position)
            numbers = {"stiffness": line.stiffness, "damping": line.damping, "rest_length": line.rest_length}
            self.forces.append({"type": "spring-damper", "name": name, **ends, **numbers})
        for gear in self.all.gears:
            a, b = (self.names["joint", name] for name in (gear.a, gear.b))
            kinds = [self.all.ties[name].kind for name in (gear.a, gear.b)]
            name = _unused_name(_sanitise_name(gear.name), used_names)
            used_names.add(name)
            entry: dict[str, Any] = {"type": "gear", "name": name, "a": a, "b": b}
            if kinds == ["revolute", "prismatic"]:
                entry |= {"type": "rack", "radius": gear.ratio}
            elif kinds == ["prismatic", "revolute"]:  # a rack names the hinge first: exchanged
                entry |= {
                    "type": "rack",
                    "a": b,
                    "b": a,
                    "radius": 1.0 / gear.ratio,
                    "offset": -gear.offset / gear.ratio,
                }
            else:
                entry["ratio"] = gear.ratio
            self.joints.append({"offset": gear.offset} | entry)

    def _shape(self, shape: dict[str, Any], piece: ImportedBody, host: str) -> dict[str, Any]:
        """Shape of a piece in the frame of the body that it is merged into."""
        at, turn = np.asarray(shape.get("at", (0.0, 0.0, 0.0))), shape.get("rotation", np.eye(3))
        frame = self.all.piece(host).frame
        at = frame.rotation.T @ (piece.frame.at + piece.frame.rotation @ at - frame.at)
        rest = {key: value for key, value in shape.items() if key not in ("at", "rotation")}
        return rest | {"at": to_float_list(at)} | orientation_fields(frame.rotation.T @ piece.frame.rotation @ turn)

    def _body(self, name: str, shapes: list[dict[str, Any]]) -> dict[str, Any]:
        inertia_properties, frame = self.bodies[name], self.all.pieces[name].frame
        inertia = [
            float(inertia_properties.inertia["xyz".index(key[1]), "xyz".index(key[2])]) for key in INERTIA_ATTRIBUTES
        ]
        body: dict[str, Any] = {"name": self.names["body", name], "mass": float(inertia_properties.mass)}
        body["inertia"] = inertia if any(inertia[3:]) else inertia[:3]
        body |= {
            "centre": to_float_list(inertia_properties.centre),
            "at": to_float_list(frame.at),
            **orientation_fields(frame.rotation),
        }
        velocity = frame.point_velocity(inertia_properties.centre)
        if velocity.any() or frame.spin.any():
            body |= {"velocity": to_float_list(velocity), "spin": to_float_list(frame.spin)}
        return body | {"points": self.points[name]} | ({"shapes": shapes} if shapes else {})

    def _notes(self) -> list[str]:
        merged = [n for n, h in self.host.items() if n and h not in (n, GROUND) and not self.all.pieces[n].own.nothing]
        if merged:
            self.all.left_out["merged into what they are fixed to"] = [f"{n} into {self.host[n]}" for n in merged]
        renamed = [f"{old} is {new}" for (_, old), new in self.names.items() if old != new]
        return self.all.notes() + ([f"renamed: {', '.join(renamed)}"] if renamed else [])


def orientation_fields(rotation: Array) -> dict[str, Any]:
    """Orientation as in a model file; empty for the identity."""
    if np.array_equal(rotation, np.eye(3)):
        return {}
    return {"orientation": {"quaternion": to_float_list(quaternion_of(rotation))}}


def _sanitise_name(name: str) -> str:
    valid_name = re.sub(r"[^\w-]", "_", name) or "_"
    return valid_name if re.match(r"[^\W\d]", valid_name) else f"_{valid_name}"


def _unused_name(name: str, used: Any) -> str:
    while name in used or name in RESERVED_PART_NAMES:
        name += "_"
    return name


def _assign_names(items: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Names in the model: unique, because outputs are named after them."""
    assigned: dict[tuple[str, str], str] = {}
    used: set[str] = set()
    for kind, name in items:
        valid_name = _sanitise_name(name)
        valid_name = f"{valid_name}_{kind}" if valid_name in used or valid_name in RESERVED_PART_NAMES else valid_name
        valid_name = _unused_name(valid_name, used)
        used.add(valid_name)
        assigned[kind, name] = valid_name
    return assigned
