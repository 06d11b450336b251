"""Assembly of bodies, joints and equality constraints of MJCF: frames in the drawn pose, and joints between them.

In MuJoCo a body may have several joints in series. If a single joint is equivalent (two crossed hinges are a universal joint,
three a ball, two slides and a hinge across them a planar joint), they are combined; otherwise, with repair, bodies of a
ten-millionth of its mass are inserted between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.formats.imported_assembly import Array, ImportedAssembly, ImportedBody, ImportedJoint
from gaitwright.formats.mjcf_combined_joints import PosedMjcfJoint, combine_joints
from gaitwright.formats.mjcf_equality import add_equality_constraints, add_tendons
from gaitwright.formats.mjcf_file import MjcfBody, MjcfJoint, MjcfModel
from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.formats.urdf_tree import GROUND, MovingFrame
from gaitwright.geometry.orientation import rotation_from_quaternion

INTERMEDIATE_MASS_RATIO = 1e-7
"""Mass of a body between two joints, relative to the body that has them."""
MIN_INTERMEDIATE_MASS_KG = 1e-12
"""Smallest mass of such a body that is numerically safe, kg."""
JOINT_STATE_SIZES = {"hinge": (1, 1), "slide": (1, 1), "ball": (4, 3), "free": (7, 6)}
"""Number of positions and of speeds of a joint."""
MjcfJointValues = dict[str, Any]


def mjcf_assembly(
    mjcf: MjcfModel,
    *,
    positions: MjcfJointValues | None = None,
    speeds: MjcfJointValues | None = None,
    key: str | None = None,
    repair: bool = False,
) -> ImportedAssembly:
    """Build the assembly. positions, speeds: drawn position and start speed of joints, by name: a number, rad or m; for a
    ball w, x, y, z and three rates in the body frame, for a free joint x, y, z, w, x, y, z and six rates. key: name of a
    keyframe that supplies them."""
    start = _read_keyframe(mjcf, key) if key is not None else ({}, {})
    joint_values = (start[0] | (positions or {}), start[1] | (speeds or {}))
    _check_joints(mjcf, joint_values)
    return _MjcfAssembler(mjcf, *joint_values, repair).assembly()


def _read_keyframe(mjcf: MjcfModel, key: str) -> tuple[MjcfJointValues, MjcfJointValues]:
    """Positions and speeds of all joints in a keyframe."""
    names = [joint_values.get("name", str(k)) for k, joint_values in enumerate(mjcf.keys)]
    if key not in names:
        ErrorContext(field="key").fail(f"there is no keyframe '{key}'", key, format_choices(key, names, "(none)"))
    keyframe, state = mjcf.keys[names.index(key)], ({}, {})
    for which, word in enumerate(("qpos", "qvel")):
        values = [float(x) for x in keyframe.get(word, "").split()]
        joints = [joint for body in mjcf.bodies.values() for joint in body.joints]
        expected_count = sum(JOINT_STATE_SIZES[joint.kind][which] for joint in joints)
        if values and len(values) != expected_count:
            ErrorContext(f"key '{key}'", word).fail(
                f"has {len(values)} numbers", expected=f"{expected_count}, those of all joints"
            )
        for joint in joints if values else ():
            count = JOINT_STATE_SIZES[joint.kind][which]
            joint_values, values = values[:count], values[count:]
            state[which][joint.name] = joint_values[0] if count == 1 else joint_values
    return state


def _check_joints(mjcf: MjcfModel, joint_values: tuple[MjcfJointValues, MjcfJointValues]) -> None:
    joints = {joint.name: joint for body in mjcf.bodies.values() for joint in body.joints}
    for which, (field, values) in enumerate(zip(("positions", "speeds"), joint_values, strict=True)):
        for name, value in values.items():
            if name not in joints:
                ErrorContext(field=field).fail(
                    f"there is no joint '{name}'", name, format_choices(name, joints, "(none)")
                )
            count = JOINT_STATE_SIZES[joints[name].kind][which]
            ErrorContext(f"joint '{name}'", field).numbers(value, f"{count} numbers")
            if np.size(value) != count:
                ErrorContext(f"joint '{name}'", field).fail("has the wrong number of values", value, f"{count}")


class _MjcfAssembler:
    def __init__(self, mjcf: MjcfModel, positions: MjcfJointValues, speeds: MjcfJointValues, repair: bool):
        self.mjcf, self.positions, self.speeds, self.repair = mjcf, positions, speeds, repair
        self.all = ImportedAssembly(mjcf.name, mjcf.gravity)
        self.all.left_out = {reason: list(names) for reason, names in mjcf.left_out.items()}
        self.whole = sum(body.own.mass for body in mjcf.bodies.values())
        self.file: dict[str, MovingFrame] = {GROUND: MovingFrame()}
        """Frames in the pose of the file, to which anchors of equality constraints refer."""
        self.named = {
            attributes.get(side)
            for kind, attributes in mjcf.equality
            if kind == "joint"
            for side in ("joint1", "joint2")
        }

    def assembly(self) -> ImportedAssembly:
        self.all.ground.points = {name.removeprefix("ground."): at for name, at in self.mjcf.world.sites.items()}
        self._look(self.all.ground, self.mjcf.world)
        for body in self.mjcf.bodies.values():
            self._body(body)
            above = self.file[body.parent]
            self.file[body.name] = MovingFrame(above.at + above.rotation @ body.at, above.rotation @ body.rotation)
            self._remark(body)
        add_equality_constraints(self.all, self.mjcf, self.file)
        add_tendons(self.all, self.mjcf, self.file)
        return self.all

    def _body(self, body: MjcfBody) -> None:
        above = self.all.piece(body.parent).frame
        frame = MovingFrame(
            above.at + above.rotation @ body.at,
            above.rotation @ body.rotation,
            above.point_velocity(body.at),
            above.spin,
        )
        moved: list[PosedMjcfJoint] = []
        passed = [frame]
        for joint in body.joints:
            frame, posed = self._moved(frame, joint)
            moved.append(posed)
            passed.append(frame)
        points = {name.removeprefix(f"{body.name}."): at for name, at in body.sites.items()}
        piece = ImportedBody(body.name, frame, body.own, points)
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

    def _ties(self, body: MjcfBody, moved: list[PosedMjcfJoint]) -> list[ImportedJoint] | None:
        """One equivalent joint for all of them; None if bodies are needed between them."""
        without_free = [posed for posed in moved if posed.joint.kind != "free"]
        single = len(without_free) <= 1
        sprung = [posed.joint.name for posed in moved if posed.joint.stiffness or posed.joint.damping]
        needed = [posed.joint.name for posed in moved if posed.joint.name in self.named]
        ties = combine_joints(moved, body.parent, body.name)
        if single:
            for name in sprung if moved[0].joint.kind in ("ball", "free") else ():
                self.all.leave("springs and dampers of ball and free joints are left out", name)
            return ties
        if ties is not None and not (self.repair and sprung) and not needed:
            for name in sprung:
                self.all.leave(
                    "springs and dampers of several joints of one body are left out (repair=True, --repair keeps them)",
                    name,
                )
            for posed in moved:
                if posed.joint.limits:
                    self.all.leave("limits of joints are left out", posed.joint.name)
            return ties
        if not self.repair:
            names = ", ".join(posed.joint.name for posed in moved)
            why = "are coupled to others" if needed else "do not combine into a known joint"
            ErrorContext(f"body '{body.name}'", "joint").fail(
                f"its joints {names} {why}",
                expected="a body with one joint each, or repair=True (--repair), which puts light bodies between them",
            )
        return None

    def _between(self, body: MjcfBody, moved: list[PosedMjcfJoint], passed: list[MovingFrame]) -> None:
        """Insert a light body after every joint but the last."""
        above = body.parent
        mass = max(INTERMEDIATE_MASS_RATIO * (body.own.mass or self.whole), MIN_INTERMEDIATE_MASS_KG)
        size = max(float(np.trace(body.own.inertia)) / 3.0 / max(body.own.mass, 1e-300), 1e-8)
        for k, posed in enumerate(moved):
            last = k == len(moved) - 1
            name = body.name if last else f"{body.name}-{posed.joint.name}"
            if not last:
                ball = LinkInertia(mass, body.own.centre, mass * size * np.eye(3))
                self.all.pieces[name] = ImportedBody(name, passed[k + 1], ball)
                self.all.leave(f"bodies of {mass:.2g} kg stand between joints of one body", name)
            ties = combine_joints([posed], above, name)
            assert ties is not None
            self.all.ties |= {tie.name: tie for tie in ties}
            above = name

    def _moved(self, frame: MovingFrame, joint: MjcfJoint) -> tuple[MovingFrame, PosedMjcfJoint]:
        """Frame of a body after a joint, from the frame before it, and the joint in the drawn pose."""
        position, speed = self.positions.get(joint.name), self.speeds.get(joint.name)
        at, axis = frame.at + frame.rotation @ joint.at, frame.rotation @ joint.axis
        after = replace(frame)
        if joint.kind == "free":
            place, turn = frame.at, frame.rotation
            if position is not None:
                place, turn = np.asarray(position[:3], dtype=float), rotation_from_quaternion(position[3:])
            velocity = np.zeros(3) if speed is None else np.asarray(speed[:3], dtype=float)
            spin = np.zeros(3) if speed is None else turn @ np.asarray(speed[3:], dtype=float)
            return MovingFrame(place, turn, velocity, spin), PosedMjcfJoint(joint, place, axis, 0.0)
        if joint.kind == "slide":
            travel = joint.ref if position is None else float(np.ravel(position)[0])
            rate = 0.0 if speed is None else float(np.ravel(speed)[0])
            after.at = frame.at + (travel - joint.ref) * axis
            after.velocity = frame.velocity + np.cross(frame.spin, (travel - joint.ref) * axis) + rate * axis
            return after, PosedMjcfJoint(joint, at + (travel - joint.ref) * axis, axis, travel)
        travel = 0.0
        if joint.kind == "ball":
            turn = np.eye(3) if position is None else rotation_from_quaternion(position)
            inner = frame.rotation @ turn
            rates = np.zeros(3) if speed is None else inner @ np.asarray(speed, dtype=float)
        else:
            travel = joint.ref if position is None else float(np.ravel(position)[0])
            turn = _rotation_about(joint.axis, travel - joint.ref)
            inner = frame.rotation @ turn
            rates = axis * (0.0 if speed is None else float(np.ravel(speed)[0]))
        # Velocity of the anchor, common to both bodies.
        anchor_velocity = frame.velocity + np.cross(frame.spin, at - frame.at)
        after.rotation, after.spin = inner, frame.spin + rates
        after.at = at - inner @ joint.at
        after.velocity = anchor_velocity + np.cross(after.spin, after.at - at)
        return after, PosedMjcfJoint(joint, at, axis, travel)

    def _look(self, piece: ImportedBody, body: MjcfBody) -> None:
        for geom in body.geoms:
            shape = geom.shape()
            if shape is not None and shape.get("mesh") != "":
                piece.shapes.append(shape)
            if geom.touches:
                self.all.leave("contacts of geoms are left out", geom.name)

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


def _rotation_about(axis: Array, angle: float) -> Array:
    """Rotation matrix about a unit vector; angle: rad."""
    half = angle / 2
    return rotation_from_quaternion([np.cos(half), *(np.sin(half) * axis)])
