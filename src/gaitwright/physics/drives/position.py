"""Position drive: one or more coordinates of a point follow given functions of time."""

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.attachments import Place
from gaitwright.physics.declarations import Drive
from gaitwright.physics.parameters import Signal


class PositionX(Drive):
    """The x coordinate of a point follows `x`(t). Phi = x_P - x(t). Reaction: force on the point along x."""

    name = "position-x"
    dimensions = (2, 3)
    attachments = {"point": Place("driven point")}
    parameters = {"x": Signal("m", "x coordinate in the ground frame")}
    rows = {"force_x": ("N", "m")}

    @staticmethod
    def residual(point, x):
        return (point.position[0] - x,)


class PositionY(Drive):
    """The y coordinate of a point follows `y`(t). Phi = y_P - y(t). Reaction: force on the point along y."""

    name = "position-y"
    dimensions = (2, 3)
    attachments = {"point": Place("driven point")}
    parameters = {"y": Signal("m", "y coordinate in the ground frame")}
    rows = {"force_y": ("N", "m")}

    @staticmethod
    def residual(point, y):
        return (point.position[1] - y,)


class PositionZ(Drive):
    """The z coordinate of a point follows `z`(t). Phi = z_P - z(t). Reaction: force on the point along z."""

    name = "position-z"
    dimensions = (3,)
    attachments = {"point": Place("driven point")}
    parameters = {"z": Signal("m", "z coordinate in the ground frame")}
    rows = {"force_z": ("N", "m")}

    @staticmethod
    def residual(point, z):
        return (point.position[2] - z,)


DRIVE_BY_AXIS = {"x": PositionX, "y": PositionY, "z": PositionZ}


def find_given_axes(axes: str, fields: dict) -> list[str]:
    """The coordinates that are given to a drive; ModelError if there are none."""
    given_axes = [axis for axis in axes if fields.get(axis) not in (None, ())]
    if not given_axes:
        *first, last = axes
        ErrorContext(field="x").fail(
            f"has neither {', '.join(first)} nor {last}",
            expected=f"an expression of t for {', '.join(first)}, {last} or several",
        )
    return given_axes


class Position(Drive):
    """Both coordinates of a point follow `x`(t) and `y`(t); giving only one of them leaves the other free."""

    name = "position"
    attachments = {"point": Place("driven point")}
    parameters = {
        "x": Signal("m", "x coordinate in the ground frame", default=()),
        "y": Signal("m", "y coordinate in the ground frame", default=()),
    }
    rows = {"force_x": ("N", "m"), "force_y": ("N", "m")}

    @staticmethod
    def residual(point, x, y):
        return (point.position[0] - x, point.position[1] - y)

    @classmethod
    def expand(cls, fields):
        given_axes = find_given_axes("xy", fields)
        if len(given_axes) == 2:
            return [(cls, fields)]
        left_out = {"x", "y"} - set(given_axes)
        return [(DRIVE_BY_AXIS[given_axes[0]], {key: value for key, value in fields.items() if key not in left_out})]


class SpatialPosition(Drive):
    """The coordinates of a point follow `x`(t), `y`(t) and `z`(t); those that are not given stay free."""

    name = "position"
    dimensions = (3,)
    attachments = {"point": Place("driven point")}
    parameters = {axis: Signal("m", f"{axis} coordinate in the ground frame", default=()) for axis in "xyz"}
    rows = {f"force_{axis}": ("N", "m") for axis in "xyz"}

    @staticmethod
    def residual(point, x, y, z):
        return tuple(r - u for r, u in zip(point.position, (x, y, z), strict=True))

    @classmethod
    def expand(cls, fields):
        given_axes = find_given_axes("xyz", fields)
        if len(given_axes) == 3:
            return [(cls, fields)]
        others = {key: value for key, value in fields.items() if key not in "xyz"}
        return [(DRIVE_BY_AXIS[axis], {**others, axis: fields[axis]}) for axis in given_axes]
