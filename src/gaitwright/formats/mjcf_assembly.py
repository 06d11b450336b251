"""Bodies, joints and equality constraints of MJCF put together: frames in the drawn pose, and ties between them.

MuJoCo lets a body have several joints, one after the other. Where one joint does the same (two hinges across each other are a
universal joint, three a ball, two slides and a hinge across them a planar joint), that is what they become; otherwise, with
repair, bodies of a ten-millionth of its mass are put between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.formats.assembly import Array, Assembly, Piece, Tie
from gaitwright.formats.mjcf_combined import Moved, combined
from gaitwright.formats.mjcf_equality import add_equality, add_tendons
from gaitwright.formats.mjcf_file import Mjcf, MjcfBody, MjcfJoint
from gaitwright.formats.urdf_inertia import Inertial
from gaitwright.formats.urdf_tree import GROUND, Frame
from gaitwright.geometry.orientation import from_quaternion

LIGHT = 1e-7
"""Mass of a body between two joints, in masses of the body that has them."""
LEAST = 1e-12
"""kg, of such a body: the least that can be computed with."""
SIZES = {"hinge": (1, 1), "slide": (1, 1), "ball": (4, 3), "free": (7, 6)}
"""Positions and speeds of a joint."""
Values = dict[str, Any]


def mjcf_assembly(
    mjcf: Mjcf,
    *,
    positions: Values | None = None,
    speeds: Values | None = None,
    key: str | None = None,
    repair: bool = False,
) -> Assembly:
    """positions, speeds: of joints, by name, where they are drawn and how fast they start: a number of rad or m; of a ball w,
    x, y, z and three rates in the frame of its body, of a free joint x, y, z, w, x, y, z and six. key: those of a keyframe."""
    start = _key(mjcf, key) if key is not None else ({}, {})
    given = (start[0] | (positions or {}), start[1] | (speeds or {}))
    _check_joints(mjcf, given)
    return _Putting(mjcf, *given, repair).assembly()


def _key(mjcf: Mjcf, key: str) -> tuple[Values, Values]:
    """Positions and speeds of all joints in a keyframe."""
    names = [one.get("name", str(k)) for k, one in enumerate(mjcf.keys)]
    if key not in names:
        At(field="key").fail(f"there is no keyframe '{key}'", key, offer(key, names, "(none)"))
    given, found = mjcf.keys[names.index(key)], ({}, {})
    for which, word in enumerate(("qpos", "qvel")):
        values = [float(x) for x in given.get(word, "").split()]
        joints = [joint for body in mjcf.bodies.values() for joint in body.joints]
        wanted = sum(SIZES[joint.kind][which] for joint in joints)
        if values and len(values) != wanted:
            At(f"key '{key}'", word).fail(f"has {len(values)} numbers", expected=f"{wanted}, those of all joints")
        for joint in joints if values else ():
            count = SIZES[joint.kind][which]
            one, values = values[:count], values[count:]
            found[which][joint.name] = one[0] if count == 1 else one
    return found


def _check_joints(mjcf: Mjcf, given: tuple[Values, Values]) -> None:
    known = {joint.name: joint for body in mjcf.bodies.values() for joint in body.joints}
    for which, (what, values) in enumerate(zip(("positions", "speeds"), given, strict=True)):
        for name, value in values.items():
            if name not in known:
                At(field=what).fail(f"there is no joint '{name}'", name, offer(name, known, "(none)"))
            count = SIZES[known[name].kind][which]
            At(f"joint '{name}'", what).numbers(value, f"{count} numbers")
            if np.size(value) != count:
                At(f"joint '{name}'", what).fail("has the wrong number of values", value, f"{count}")


class _Putting:
    def __init__(self, mjcf: Mjcf, positions: Values, speeds: Values, repair: bool):
        self.mjcf, self.positions, self.speeds, self.repair = mjcf, positions, speeds, repair
        self.all = Assembly(mjcf.name, mjcf.gravity)
        self.all.left_out = {what: list(names) for what, names in mjcf.left_out.items()}
        self.whole = sum(body.own.mass for body in mjcf.bodies.values())
        self.file: dict[str, Frame] = {GROUND: Frame()}
        """Frames in the pose of the file, in which anchors of equality constraints are meant."""
        self.named = {
            attributes.get(side)
            for kind, attributes in mjcf.equality
            if kind == "joint"
            for side in ("joint1", "joint2")
        }

    def assembly(self) -> Assembly:
        self.all.ground.points = {name.removeprefix("ground."): at for name, at in self.mjcf.world.sites.items()}
        self._look(self.all.ground, self.mjcf.world)
        for body in self.mjcf.bodies.values():
            self._body(body)
            above = self.file[body.parent]
            self.file[body.name] = Frame(above.at + above.rotation @ body.at, above.rotation @ body.rotation)
            self._remark(body)
        add_equality(self.all, self.mjcf, self.file)
        add_tendons(self.all, self.mjcf, self.file)
        return self.all

    def _body(self, body: MjcfBody) -> None:
        above = self.all.piece(body.parent).frame
        frame = Frame(
            above.at + above.rotation @ body.at,
            above.rotation @ body.rotation,
            above.point_velocity(body.at),
            above.spin,
        )
        moved: list[Moved] = []
        passed = [frame]
        for joint in body.joints:
            frame, one = self._moved(frame, joint)
            moved.append(one)
            passed.append(frame)
        points = {name.removeprefix(f"{body.name}."): at for name, at in body.sites.items()}
        piece = Piece(body.name, frame, body.own, points)
        self._look(piece, body)
        if not body.joints:
            piece.holder = body.parent
            self.all.pieces[body.name] = piece
            return
        ties = self._ties(body, moved)
        if ties is None:
            self._between(body, moved, passed)
        else:
            self.all.ties |= {tie.name: tie for tie in ties}
        self.all.pieces[body.name] = piece

    def _ties(self, body: MjcfBody, moved: list[Moved]) -> list[Tie] | None:
        """One joint for all of them; None where bodies between them are needed."""
        plain = [one for one in moved if one.joint.kind != "free"]
        single = len(plain) <= 1
        laden = [one.joint.name for one in moved if one.joint.stiffness or one.joint.damping]
        needed = [one.joint.name for one in moved if one.joint.name in self.named]
        found = combined(moved, body.parent, body.name)
        if single:
            for name in laden if moved[0].joint.kind in ("ball", "free") else ():
                self.all.leave("springs and dampers of ball and free joints are left out", name)
            return found
        if found is not None and not (self.repair and laden) and not needed:
            for name in laden:
                self.all.leave(
                    "springs and dampers of several joints of one body are left out (repair=True, --repair keeps them)",
                    name,
                )
            for one in moved:
                if one.joint.limits:
                    self.all.leave("limits of joints are left out", one.joint.name)
            return found
        if not self.repair:
            names = ", ".join(one.joint.name for one in moved)
            why = "are tied to others" if needed else "together are no joint that is known"
            At(f"body '{body.name}'", "joint").fail(
                f"its joints {names} {why}",
                expected="a body with one joint each, or repair=True (--repair), which puts light bodies between them",
            )
        return None

    def _between(self, body: MjcfBody, moved: list[Moved], passed: list[Frame]) -> None:
        """A light body after every joint but the last."""
        above, mass = body.parent, max(LIGHT * (body.own.mass or self.whole), LEAST)
        size = max(float(np.trace(body.own.inertia)) / 3.0 / max(body.own.mass, 1e-300), 1e-8)
        for k, one in enumerate(moved):
            last = k == len(moved) - 1
            name = body.name if last else f"{body.name}-{one.joint.name}"
            if not last:
                ball = Inertial(mass, body.own.centre, mass * size * np.eye(3))
                self.all.pieces[name] = Piece(name, passed[k + 1], ball)
                self.all.leave(f"bodies of {mass:.2g} kg stand between joints of one body", name)
            ties = combined([one], above, name)
            assert ties is not None
            self.all.ties |= {tie.name: tie for tie in ties}
            above = name

    def _moved(self, frame: Frame, joint: MjcfJoint) -> tuple[Frame, Moved]:
        """The frame of a body after a joint, from that before it, and where the joint is."""
        position, speed = self.positions.get(joint.name), self.speeds.get(joint.name)
        at, axis = frame.at + frame.rotation @ joint.at, frame.rotation @ joint.axis
        after = replace(frame)
        if joint.kind == "free":
            place, turn = frame.at, frame.rotation
            if position is not None:
                place, turn = np.asarray(position[:3], dtype=float), from_quaternion(position[3:])
            velocity = np.zeros(3) if speed is None else np.asarray(speed[:3], dtype=float)
            spin = np.zeros(3) if speed is None else turn @ np.asarray(speed[3:], dtype=float)
            return Frame(place, turn, velocity, spin), Moved(joint, place, axis, 0.0)
        if joint.kind == "slide":
            travel = joint.ref if position is None else float(np.ravel(position)[0])
            rate = 0.0 if speed is None else float(np.ravel(speed)[0])
            after.at = frame.at + (travel - joint.ref) * axis
            after.velocity = frame.velocity + np.cross(frame.spin, (travel - joint.ref) * axis) + rate * axis
            return after, Moved(joint, at + (travel - joint.ref) * axis, axis, travel)
        travel = 0.0
        if joint.kind == "ball":
            turn = np.eye(3) if position is None else from_quaternion(position)
            inner = frame.rotation @ turn
            rates = np.zeros(3) if speed is None else inner @ np.asarray(speed, dtype=float)
        else:
            travel = joint.ref if position is None else float(np.ravel(position)[0])
            turn = _about(joint.axis, travel - joint.ref)
            inner = frame.rotation @ turn
            rates = axis * (0.0 if speed is None else float(np.ravel(speed)[0]))
        here = frame.velocity + np.cross(frame.spin, at - frame.at)  # of the anchor, which both have
        after.rotation, after.spin = inner, frame.spin + rates
        after.at = at - inner @ joint.at
        after.velocity = here + np.cross(after.spin, after.at - at)
        return after, Moved(joint, at, axis, travel)

    def _look(self, piece: Piece, body: MjcfBody) -> None:
        for geom in body.geoms:
            shape = geom.shape()
            if shape is not None and shape.get("mesh") != "":
                piece.shapes.append(shape)
            if geom.touches:
                self.all.leave("geoms touch nothing here", geom.name)

    def _remark(self, body: MjcfBody) -> None:
        if body.lifted:
            self.all.leave("compensation of weight (gravcomp) is left out", body.name)
        for joint in body.joints:
            if joint.armature:
                self.all.leave("armature of joints is left out", joint.name)
            if joint.friction:
                self.all.leave("friction of joints is left out", joint.name)
            if joint.kind == "ball" and joint.limits:
                self.all.leave("limits of joints are left out", joint.name)


def _about(axis: Array, angle: float) -> Array:
    """Rotation about a unit vector."""
    half = angle / 2
    return from_quaternion([np.cos(half), *(np.sin(half) * axis)])
