"""An assembly of another engine's file as a model in space.

A piece with a mass becomes a body whose frame is that of the file. One without mass, or with a mass that no body has, that is
fixed to another is part of that one, and a point of it; on the ground it is the ground. One without mass that moves is
refused, or with repair gets a millionth of the mass of all."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.assembly import Array, Assembly, Piece, Tie
from gaitwright.formats.urdf_file import INERTIA
from gaitwright.formats.urdf_inertia import Inertial, impossible, repaired
from gaitwright.formats.urdf_tree import GROUND, plain
from gaitwright.geometry.rotation import quaternion_of
from gaitwright.model.scope import RESERVED

TURNING, SLIDING = ("revolute",), ("prismatic",)
WITH_AXIS = ("revolute", "prismatic", "cylindrical", "planar", "universal", "point-on-line", "point-on-plane")
BEHIND = 1.0
"""m, how far behind the end of its travel the spring or damper of a slider is anchored: never where it has no direction."""


class Made(NamedTuple):
    """document: of a model. notes: what it leaves out or changes."""

    document: dict[str, Any]
    notes: list[str]


def assembly_document(
    assembly: Assembly, source: str, *, merge: bool = False, repair: bool = False, stops: float | None = None
) -> Made:
    """merge: pieces that are fixed to each other are one body. repair: masses that no moving body has are changed. stops: N
    m/rad, stiffness of bumpers at the limits of hinges."""
    return _Writing(assembly, source, merge, repair, stops).made()


class _Writing:
    def __init__(self, assembly: Assembly, source: str, merge: bool, repair: bool, stops: float | None):
        self.all, self.source, self.repair, self.stops = assembly, source, repair, stops
        self.host = {name: self._host(piece, merge) for name, piece in assembly.pieces.items()}
        self.host[GROUND] = GROUND
        self.bodies = {name: self._whole(name) for name in assembly.pieces if self.host[name] == name}
        wrong = {n for n, own in self.bodies.items() if impossible(own, "") and assembly.pieces[n].holder is not None}
        if wrong:  # what is no body on its own may yet be one with those that it is fixed to
            self.host = {name: self._host(piece, merge, wrong) for name, piece in assembly.pieces.items()} | {
                GROUND: GROUND
            }
            self.bodies = {name: self._whole(name) for name in assembly.pieces if self.host[name] == name}
        self._check()
        self.names = _names([*(("body", n) for n in assembly.pieces), *(("joint", n) for n in assembly.ties)])
        self.points: dict[str, dict[str, list[float]]] = {name: {} for name in (GROUND, *self.bodies)}
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []

    def _host(self, piece: Piece, merge: bool, wrong: Any = ()) -> str:
        """The piece whose body this one is part of."""
        while piece.holder is not None:
            alone = impossible(piece.own, "") is None and piece.name not in wrong
            if alone and not merge and (piece.holder == GROUND or not self._hollow(piece.holder)):
                break
            if piece.holder == GROUND:
                return GROUND
            piece = self.all.pieces[piece.holder]
        return piece.name

    def _hollow(self, name: str) -> bool:
        """Whether a piece that carries others cannot be a body by itself."""
        return impossible(self.all.pieces[name].own, "") is not None

    def _whole(self, name: str) -> Inertial:
        """Mass and inertia of a body with all that is part of it, in its frame."""
        total, frame = Inertial(), self.all.pieces[name].frame
        for other, host in self.host.items():
            if host == name and other != GROUND:
                piece = self.all.pieces[other]
                turn = frame.rotation.T @ piece.frame.rotation
                total = total + piece.own.placed(frame.rotation.T @ (piece.frame.at - frame.at), turn)
        return total

    def _check(self) -> None:
        whole = sum(own.mass for own in self.bodies.values())
        for name, own in self.bodies.items():
            problem = impossible(own, f"body '{name}'")
            if problem is None:
                continue
            if not self.repair:
                said = str(problem).partition(": ")[2].partition(" (got")[0].partition("; expected")[0]
                At(f"body '{name}'", problem.field).fail(
                    f"{said}, and it moves", problem.value, f"{problem.expected}, or repair=True (--repair)"
                )
            self.bodies[name], said = repaired(own, whole)
            self.all.leave("mass or inertia that no body has was repaired", f"{name} ({said})")

    def made(self) -> Made:
        for tie in self.all.ties.values():
            if tie.kind != "free" and self.host[tie.a] != self.host[tie.b]:
                self._tie(tie)
        for name, piece in self.all.pieces.items():
            if self.host[name] not in (name, GROUND):
                self._point(self.host[name], self.names["body", name], piece.frame.at)
            if piece.holder is not None and self.host[name] == name:
                held = Tie(f"{name}-fixed", "fixed", piece.holder, name, piece.frame.at)
                self.names["joint", held.name] = _unused(held.name, self.names.values())
                self._tie(held)
        shown: dict[str, list[dict[str, Any]]] = {name: [] for name in self.points}
        for name, piece in (("", self.all.ground), *self.all.pieces.items()):
            host = self.host[name]
            for point, at in piece.points.items():
                label = re.sub(r"[^\w-]", "_", point) or "point"
                label = label if re.match(r"[^\W\d]", label) else f"_{label}"
                if label not in self.points[host]:
                    self._point(host, label, piece.frame.at + piece.frame.rotation @ at)
            shown[host] += [self._shape(shape, piece, host) for shape in piece.shapes]
        self._springs()
        bodies = [self._body(name, shown[name]) for name in self.bodies]
        title = " ".join(re.sub(r"[^\w .,:+/-]", " ", self.all.name).split()) or "assembly"
        document: dict[str, Any] = {"gaitwright": 1, "name": title, "dimension": 3, "gravity": plain(self.all.gravity)}
        document["ground"] = {"points": self.points[GROUND]} | ({"shapes": shown[GROUND]} if shown[GROUND] else {})
        document |= {"bodies": bodies, "joints": self.joints, "forces": self.forces}
        return Made(document, self._notes())

    def _local(self, body: str, at: Array) -> Array:
        frame = self.all.piece(body).frame
        return frame.rotation.T @ (at - frame.at)

    def _point(self, body: str, name: str, at: Array) -> str:
        self.points[body][name] = plain(self._local(body, at))
        return f"{self._called(body)}.{name}"

    def _called(self, body: str) -> str:
        return "ground" if body == GROUND else self.names["body", body]

    def _tie(self, tie: Tie) -> None:
        name, (a, b) = self.names["joint", tie.name], (self.host[tie.a], self.host[tie.b])
        entry: dict[str, Any] = {"type": tie.kind, "name": name}
        start = tie.at - tie.axis * tie.travel if tie.kind in SLIDING and tie.axis is not None else tie.at
        entry |= {"a": self._point(a, name, start), "b": self._point(b, name, tie.at if tie.at_b is None else tie.at_b)}
        if tie.kind in WITH_AXIS and tie.axis is not None:
            entry["axis"] = plain(self.all.piece(a).frame.rotation.T @ tie.axis)
            if tie.axis_b is not None:
                entry["axis_b"] = plain(self.all.piece(b).frame.rotation.T @ tie.axis_b)
        if tie.kind in TURNING and tie.travel:
            entry["drawn_angle"] = float(tie.travel)
        if tie.length is not None:
            entry["length"] = float(tie.length)
        self.joints.append(entry)
        if tie.kind in TURNING and (tie.stiffness or tie.damping):
            spring = {"joint": name, "stiffness": tie.stiffness, "damping": tie.damping, "rest_angle": tie.rest}
            self.forces.append({"type": "torsion-spring", "name": f"{name}-spring", **spring})
        if tie.kind in SLIDING and (tie.stiffness or tie.damping):
            self._slider_spring(tie, entry, start)
        if tie.kind in TURNING and tie.limits and self.stops is not None and max(map(abs, tie.limits)) < np.pi:
            lower, upper = map(float, tie.limits)
            stop = {"lower": lower, "upper": upper, "stiffness": float(self.stops)}
            self.forces.append({"type": "bumper", "name": f"{name}-stops", "joint": name, **stop})
        elif tie.limits:
            self.all.leave("limits of joints are left out", tie.name)

    def _slider_spring(self, tie: Tie, entry: dict[str, Any], start: Array) -> None:
        assert tie.axis is not None
        lowest = min(0.0, *(tie.limits or (0.0,)), tie.travel, tie.rest) - BEHIND
        anchor = self._point(self.host[tie.a], f"{entry['name']}-anchor", start + tie.axis * lowest)
        spring = {"stiffness": tie.stiffness, "damping": tie.damping, "rest_length": float(tie.rest - lowest)}
        ends = {"a": anchor, "b": entry["b"]}
        self.forces.append({"type": "spring-damper", "name": f"{entry['name']}-spring", **ends, **spring})

    def _springs(self) -> None:
        taken = set(self.names.values())
        for line in self.all.lines:
            name = _unused(_plain_name(line.name), taken)
            taken.add(name)
            ends = {}
            for side, body, at in (("a", line.a, line.at_a), ("b", line.b, line.at_b)):
                frame = self.all.piece(body).frame
                ends[side] = self._point(self.host[body], f"{name}-{side}", frame.at + frame.rotation @ at)
            numbers = {"stiffness": line.stiffness, "damping": line.damping, "rest_length": line.rest_length}
            self.forces.append({"type": "spring-damper", "name": name, **ends, **numbers})
        for gear in self.all.gears:
            a, b = (self.names["joint", name] for name in (gear.a, gear.b))
            kinds = [self.all.ties[name].kind for name in (gear.a, gear.b)]
            name = _unused(_plain_name(gear.name), taken)
            taken.add(name)
            entry: dict[str, Any] = {"type": "gear", "name": name, "a": a, "b": b}
            if kinds == ["revolute", "prismatic"]:
                entry |= {"type": "rack", "radius": gear.ratio}
            elif kinds == ["prismatic", "revolute"]:  # a rack names the hinge first: turned round
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

    def _shape(self, shape: dict[str, Any], piece: Piece, host: str) -> dict[str, Any]:
        """A shape of a piece in the frame of the body that it is part of."""
        at, turn = np.asarray(shape.get("at", (0.0, 0.0, 0.0))), shape.get("rotation", np.eye(3))
        frame = self.all.piece(host).frame
        at = frame.rotation.T @ (piece.frame.at + piece.frame.rotation @ at - frame.at)
        rest = {key: value for key, value in shape.items() if key not in ("at", "rotation")}
        return rest | {"at": plain(at)} | turned(frame.rotation.T @ piece.frame.rotation @ turn)

    def _body(self, name: str, shapes: list[dict[str, Any]]) -> dict[str, Any]:
        own, frame = self.bodies[name], self.all.pieces[name].frame
        inertia = [float(own.inertia["xyz".index(key[1]), "xyz".index(key[2])]) for key in INERTIA]
        body: dict[str, Any] = {"name": self.names["body", name], "mass": float(own.mass)}
        body["inertia"] = inertia if any(inertia[3:]) else inertia[:3]
        body |= {"centre": plain(own.centre), "at": plain(frame.at), **turned(frame.rotation)}
        velocity = frame.point_velocity(own.centre)
        if velocity.any() or frame.spin.any():
            body |= {"velocity": plain(velocity), "spin": plain(frame.spin)}
        return body | {"points": self.points[name]} | ({"shapes": shapes} if shapes else {})

    def _notes(self) -> list[str]:
        merged = [n for n, h in self.host.items() if n and h not in (n, GROUND) and not self.all.pieces[n].own.nothing]
        if merged:
            self.all.left_out["merged into what they are fixed to"] = [f"{n} into {self.host[n]}" for n in merged]
        renamed = [f"{old} is {new}" for (_, old), new in self.names.items() if old != new]
        return self.all.notes() + ([f"renamed: {', '.join(renamed)}"] if renamed else [])


def turned(rotation: Array) -> dict[str, Any]:
    """The orientation as a model file says it; nothing where it is not turned."""
    if np.array_equal(rotation, np.eye(3)):
        return {}
    return {"orientation": {"quaternion": plain(quaternion_of(rotation))}}


def _plain_name(name: str) -> str:
    ours = re.sub(r"[^\w-]", "_", name) or "_"
    return ours if re.match(r"[^\W\d]", ours) else f"_{ours}"


def _unused(name: str, used: Any) -> str:
    while name in used or name in RESERVED:
        name += "_"
    return name


def _names(wanted: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Our names: outputs are called after them, so all differ."""
    found: dict[tuple[str, str], str] = {}
    used: set[str] = set()
    for what, name in wanted:
        ours = _plain_name(name)
        ours = f"{ours}_{what}" if ours in used or ours in RESERVED else ours
        ours = _unused(ours, used)
        used.add(ours)
        found[what, name] = ours
    return found
