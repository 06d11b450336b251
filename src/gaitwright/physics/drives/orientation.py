"""Orientation drive: a body follows a given orientation, also relative to another body; and a whole frame."""

from itertools import product
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.attachments import Orientation, Point
from gaitwright.physics.declarations import Attachment, Drive, Parameter
from gaitwright.physics.drives.position import SpatialPosition, find_given_axes
from gaitwright.physics.parameters import Choice, Signal
from gaitwright.physics.symbolic import cross3, dot

AXIS_SEQUENCES = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz")
"""Cardan angles have three different axes, Euler angles have the first one twice. Each rotates about an axis of the body in its
orientation after the previous rotations."""
NumberOrExpression = float | str
ORIENTATION_ATTACHMENTS: dict[str, Attachment] = {
    "body": Orientation("driven body"),
    "relative_to": Orientation("body from which the orientation is seen", default="ground"),
}
ORIENTATION_PARAMETERS: dict[str, Parameter] = {
    "quaternion": Signal(
        "1", "[w, x, y, z] as functions of time; of any length", default=(), parts=("w", "i", "j", "k")
    ),
    "angles": Signal("rad", "three angles as functions of time", default=(), parts=("1", "2", "3")),
    "sequence": Choice(
        dict.fromkeys(AXIS_SEQUENCES, 0.0), "axes of the body that the angles turn about, in this order", "xyz"
    ),
}


class AxesDrive(Drive):
    """The axes of a body in the frame of a reference follow three perpendicular unit vectors, functions of time.

    Phi = 2 sum t_i x v_i / (1 + sum t_i . v_i), with v_i the axes of the body and t_i the prescribed ones: the axis of
    the deviation times twice the tangent of half its angle, so for a small one the rotation vector, and zero only for the
    prescribed orientation. Reaction: torque on the body, in the frame of the reference."""

    name = "axes"
    dimensions = (3,)
    attachments = ORIENTATION_ATTACHMENTS
    parameters = {
        f"axis_{i}": Signal("1", f"wanted axis {i} of the body, seen from the reference", True) for i in (1, 2, 3)
    }
    rows = {"torque_x": ("N m", "rad"), "torque_y": ("N m", "rad"), "torque_z": ("N m", "rad")}

    @staticmethod
    def residual(body, relative_to, axis_1, axis_2, axis_3):
        local_axes = [tuple(body.named(part) for part in relative_to.local(axis)) for axis in body.axes]
        pairs = list(zip((axis_1, axis_2, axis_3), local_axes, strict=True))
        cosine_sum = body.named(1 + sum(dot(t, v) for t, v in pairs))
        crossed = [body.named(sum(parts)) for parts in zip(*(cross3(t, v) for t, v in pairs), strict=True)]
        return tuple(2 * part / cosine_sum for part in crossed)


class OrientationDrive(Drive):
    """The orientation of a body relative to another follows a quaternion, or angles about the axes of a sequence."""

    name = "orientation"
    dimensions = (3,)
    attachments = ORIENTATION_ATTACHMENTS
    rows = AxesDrive.rows
    short_forms = ORIENTATION_PARAMETERS
    stands_for_others = True

    @classmethod
    def expand(cls, fields):
        columns = prescribed_axes(fields.get("quaternion") or None, fields.get("angles") or None, fields["sequence"])
        bodies = {name: fields[name] for name in ORIENTATION_ATTACHMENTS}
        return [(AxesDrive, {**bodies, **dict(zip(AxesDrive.parameters, columns, strict=True))})]


class FrameDrive(Drive):
    """Point and orientation of a body follow functions of time: a position and an orientation drive with one name."""

    name = "frame"
    dimensions = (3,)
    attachments = {"point": Point("driven point, with the body it belongs to")}
    rows = {**SpatialPosition.rows, **AxesDrive.rows}
    short_forms = {**SpatialPosition.parameters, **ORIENTATION_PARAMETERS}
    stands_for_others = True

    @classmethod
    def expand(cls, fields):
        find_given_axes("xyz", fields)
        where = {name: value for name, value in fields.items() if name not in ORIENTATION_PARAMETERS}
        turned = {"body": fields["point"].partition(".")[0], "relative_to": "ground"}
        return [*SpatialPosition.expand(where), *OrientationDrive.expand({**fields, **turned})]


def prescribed_axes(
    quaternion: list[NumberOrExpression] | None, angles: list[NumberOrExpression] | None, sequence: str
) -> Any:
    """The columns of the rotation matrix as expressions, from a quaternion or from angles and their sequence."""
    if (quaternion is None) == (angles is None):
        ErrorContext(field="angles").fail(
            "the orientation is not given" if angles is None else "the orientation is given twice",
            expected="either a quaternion or angles with their sequence",
        )
    rows = _axes_of_quaternion(quaternion) if quaternion is not None else _axes_of_angles(angles or [], sequence)
    return [[rows[i][k] for i in range(3)] for k in range(3)]


def _axes_of_quaternion(quaternion: list[NumberOrExpression]) -> list[list[NumberOrExpression]]:
    w, x, y, z = (f"({part})" for part in quaternion)
    size = f"({w}^2 + {x}^2 + {y}^2 + {z}^2)"
    return [
        [f"({w}^2 + {x}^2 - {y}^2 - {z}^2)/{size}", f"2*({x}*{y} - {w}*{z})/{size}", f"2*({x}*{z} + {w}*{y})/{size}"],
        [f"2*({x}*{y} + {w}*{z})/{size}", f"({w}^2 - {x}^2 + {y}^2 - {z}^2)/{size}", f"2*({y}*{z} - {w}*{x})/{size}"],
        [f"2*({x}*{z} - {w}*{y})/{size}", f"2*({y}*{z} + {w}*{x})/{size}", f"({w}^2 - {x}^2 - {y}^2 + {z}^2)/{size}"],
    ]


def _axes_of_angles(angles: list[NumberOrExpression], sequence: str) -> list[list[NumberOrExpression]]:
    """The product of three elementary rotations, written out term by term."""
    terms: list[list[list[str]]] = [[[""] if i == k else [] for k in range(3)] for i in range(3)]
    for angle, axis in zip(angles, sequence, strict=True):
        i = "xyz".index(axis)
        j, k = (i + 1) % 3, (i + 2) % 3
        c, s = f"cos({angle})", f"sin({angle})"
        turn = {(i, i): "", (j, j): f"*{c}", (k, k): f"*{c}", (j, k): f"*(-{s})", (k, j): f"*{s}"}
        after: list[list[list[str]]] = [[[] for _ in range(3)] for _ in range(3)]
        for row, (middle, column) in product(range(3), turn):
            after[row][column] += [f"{term}{turn[middle, column]}" for term in terms[row][middle]]
        terms = after
    return [[" + ".join(f"1{term}" for term in entry) or 0.0 for entry in row] for row in terms]
