"""Outputs of bodies and joints in space.

body.x  .y  .z  .vx .. .az                      centre of mass
body.origin.x ..                                reference point, the origin of the body frame
body.wx  .wy  .wz  .wx_body ..                  angular velocity, ground and body frame
body.alpha_x  .alpha_y  .alpha_z                angular acceleration, ground frame
body.qw  .qx  .qy  .qz                          quaternion
body.r11 .. .r33                                rotation matrix, rows of the ground frame, columns of the body frame
body.xyz_1  .xyz_2  .xyz_3                      angles of the sequence xyz; as well of xzy, zxz and so on
joint.fx  .fy  .fz  .mx  .my  .mz               force and moment of the joint on b, at the point of b, ground frame
joint.fx_in_a ..  joint.mz_in_b                 the same in the frame of body a or b
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gaitwright.geometry.rotation import angles_of, matrix_of, quaternion_of, spin_of
from gaitwright.physics.declare import Frame, Place
from gaitwright.physics.drives.orientation import SEQUENCES
from gaitwright.result.outputs import POINT_OF, Motion, Output, point_motion
from gaitwright.system.alone import Alone
from gaitwright.system.mechanism import ConstraintNames, Mechanism
from gaitwright.system.parts.body import Body
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import Array, Element

AXES = "xyz"


def rotation(motion: Motion, body: Body | None) -> Array:
    """Rotation matrices (n_times, 3, 3) of a body; None: the ground."""
    if body is None:
        return np.tile(np.eye(3), (motion.t.size, 1, 1))
    return matrix_of(motion.q[:, body.index])


def angular_velocity(motion: Motion, body: Body) -> Array:
    """(n_times, 3), rad/s, ground frame."""
    return spin_of(motion.q[:, body.index], motion.v[:, body.index])


def angular_acceleration(motion: Motion, body: Body) -> Array:
    """(n_times, 3), rad/s^2, ground frame."""
    return spin_of(motion.q[:, body.index], motion.a[:, body.index])


def seen_from(matrix: Array, vector: Array) -> Array:
    """Vectors (n_times, 3) of the ground frame in frames with these rotation matrices."""
    return np.einsum("tji,tj->ti", matrix, vector)


def _column(values: Callable[[Motion], Array], *place: int) -> Callable[[Motion], Array]:
    return lambda motion: values(motion)[(slice(None), *place)]


def _once(values: Callable[[Motion], Array]) -> Callable[[Motion], Array]:
    """Keeps the values of the last motion: several outputs are parts of one array."""
    kept: list[Any] = [None, None]

    def kept_values(motion: Motion) -> Array:
        if kept[0] is not motion:
            kept[:] = motion, values(motion)
        return kept[1]

    return kept_values


def spatial_bodies(mechanism: Mechanism) -> Iterator[tuple[str, Output]]:
    """The main outputs of all bodies by name."""
    for name, body in mechanism.body_names.items():
        for what, output in _of_body(body):
            yield f"{name}.{what}", output


class Orientations:
    """The other outputs of bodies, made when they are asked for: there are many ways to say an orientation."""

    def __init__(self, mechanism: Mechanism):
        self.bodies = mechanism.body_names if mechanism.dimension == 3 else {}

    @functools.cached_property
    def kinds(self) -> list[str]:
        return [what for what, _ in _more_of_body(next(iter(self.bodies.values())))] if self.bodies else []

    def __iter__(self) -> Iterator[str]:
        yield from (f"{name}.{what}" for name in self.bodies for what in self.kinds)

    def __len__(self) -> int:
        return len(self.bodies) * len(self.kinds)

    def find(self, name: str) -> Output | None:
        body, _, what = name.partition(".")
        return dict(_more_of_body(self.bodies[body])).get(what) if body in self.bodies and what in self.kinds else None


def _of_point(body: Body, prefix: str, local: tuple[float, ...], where: str) -> Iterator[tuple[str, Output]]:
    for what, (unit, text, value) in POINT_OF[3].items():
        values = functools.partial(lambda motion, value: value(*point_motion(motion, body, local)), value=value)
        yield prefix + what, Output(unit, f"{body.kind} {body.name}: {where}, {text}", values)


def _of_body(body: Body) -> Iterator[tuple[str, Output]]:
    of = f"{body.kind} {body.name}: "
    yield from _of_point(body, "", body.centre, "centre of mass")
    spin = _once(lambda motion: angular_velocity(motion, body))
    gain = _once(lambda motion: angular_acceleration(motion, body))
    quaternion = _once(lambda motion: quaternion_of(rotation(motion, body)))
    for k, axis in enumerate(AXES):
        yield f"w{axis}", Output("rad/s", f"{of}angular velocity about {axis}", _column(spin, k))
    for k, axis in enumerate(AXES):
        yield f"alpha_{axis}", Output("rad/s^2", f"{of}angular acceleration about {axis}", _column(gain, k))
    for k, part in enumerate("wxyz"):
        yield f"q{part}", Output("1", f"{of}quaternion, {part}", _column(quaternion, k))


def _more_of_body(body: Body) -> Iterator[tuple[str, Output]]:
    of = f"{body.kind} {body.name}: "
    yield from _of_point(body, "origin.", (0.0, 0.0, 0.0), "origin of its frame")
    matrix = _once(lambda motion: rotation(motion, body))
    own = _once(lambda motion: seen_from(matrix(motion), angular_velocity(motion, body)))
    for k, axis in enumerate(AXES):
        yield f"w{axis}_body", Output("rad/s", f"{of}angular velocity about its own {axis} axis", _column(own, k))
    for i in range(3):
        for j in range(3):
            text = f"{of}rotation matrix, component along {AXES[i]} of axis {j + 1}"
            yield f"r{i + 1}{j + 1}", Output("1", text, _column(matrix, i, j))
    for sequence in SEQUENCES:
        angles = _once(lambda motion, sequence=sequence: angles_of(matrix(motion), sequence))
        for k, axis in enumerate(sequence):
            text = f"{of}angle {k + 1} of the sequence {sequence}, about {axis}"
            yield f"{sequence}_{k + 1}", Output("rad", text, _column(angles, k))


# Joints -------------------------------------------------------------------------------------------------------------


def spatial_reactions(mechanism: Mechanism) -> Iterator[tuple[str, Output]]:
    """Force and moment of every joint on b, at the point where b is attached."""
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if names.kind != "joint" or len(names.bodies) != 2:
            continue
        force, moment = _wrench(mechanism, names, element)
        for label, body in (("", ""), ("_in_a", names.bodies[0]), ("_in_b", names.bodies[1])):
            frame = mechanism.body_names.get(body)
            where = f"frame of {body}" if label else "ground frame"
            for what, unit, text, vector in (("f", "N", "force", force), ("m", "N m", "moment", moment)):
                for k, axis in enumerate(AXES):
                    values = _column(_turned(vector, frame) if label else vector, k)
                    described = f"joint {names.name}: {text} on {names.bodies[1]} along {axis}, {where}"
                    yield f"{names.name}.{what}{axis}{label}", Output(unit, described, values)


def _turned(vector: Callable[[Motion], Array], body: Body | None) -> Callable[[Motion], Array]:
    return lambda motion: seen_from(rotation(motion, body), vector(motion))


def _wrench(
    mechanism: Mechanism, names: ConstraintNames, element: Element
) -> tuple[Callable[[Motion], Array], Callable[[Motion], Array]]:
    """Force and moment on b from the generalised forces of the joint, whichever of the two bodies can move."""
    b_moves = names.bodies[1] != "ground"
    side = 1 if b_moves else 0
    sign = 1.0 if b_moves else -1.0
    body = mechanism.body_names[names.bodies[side]]
    other = mechanism.body_names.get(names.bodies[1 - side])

    def at_b(motion: Motion) -> Array:
        found = sign * _on_body(mechanism, names, element, side, body, motion)
        if not b_moves:  # computed at the point of a
            here = point_motion(motion, body, tuple(_local(element, 0)))[0]
            arm = here - point_motion(motion, other, tuple(_local(element, 1)))[0]
            found[:, 3:] += np.cross(arm, found[:, :3])
        return found

    both = _once(at_b)
    return (lambda motion: both(motion)[:, :3]), (lambda motion: both(motion)[:, 3:])


def _on_body(
    mechanism: Mechanism, names: ConstraintNames, element: Element, side: int, body: Body, motion: Motion
) -> Array:
    """Force and moment at the attached point, (n_times, 6), ground frame, of a joint on one of its bodies."""
    reactions = motion.lam[:, mechanism.row_position[names.rows]]
    slope = Alone(element, mechanism.n).slope(side, motion.q, signals_of(mechanism, element, motion))
    generalised = -np.einsum("trc,tr->tc", slope, reactions)
    force = generalised[:, :3]
    axes = np.swapaxes(rotation(motion, body), -1, -2)
    about_origin = np.cross(axes, generalised[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
    arm = np.einsum("k,tkc->tc", np.array(_local(element, side)), axes)
    return np.hstack([force, about_origin - np.cross(arm, force)])


def _local(element: Element, side: int) -> list[float]:
    """Where an element is attached to one of its bodies, in the body frame."""
    first = 0
    for k, (kind, family) in enumerate(zip(element.declaration.attachments.values(), element.families, strict=True)):
        count = len(family.markers[type(kind)].parameters)
        if k == side:
            return list(element.parameters[first : first + count]) if isinstance(kind, (Place, Frame)) else [0.0] * 3
        first += count
    raise IndexError(side)


def signals_of(mechanism: Mechanism, element: Element, motion: Motion) -> Array:
    """The signals of an element with their derivatives at all times, (n_times, 3 n_signals)."""
    signals = [np.stack(evaluate_program(mechanism.signals[k], motion.t), axis=1) for k in element.signals]
    return np.concatenate(signals, axis=1) if signals else np.zeros((motion.t.size, 0))
