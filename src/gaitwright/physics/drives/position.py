"""Position drive: a point follows given coordinates, one or both."""

from gaitwright.errors import ModelError
from gaitwright.physics.declare import Drive, Point, Signal


class PositionX(Drive):
    """The x coordinate of a point follows `x`(t). Phi = x_P - x(t). Reaction: force on the point along x."""

    name = "position-x"
    attachments = {"point": Point("driven point")}
    parameters = {"x": Signal("m", "x coordinate in the ground frame")}
    rows = {"force_x": ("N", "m")}

    @staticmethod
    def residual(point, x):
        return (point.position[0] - x,)


class PositionY(Drive):
    """The y coordinate of a point follows `y`(t). Phi = y_P - y(t). Reaction: force on the point along y."""

    name = "position-y"
    attachments = {"point": Point("driven point")}
    parameters = {"y": Signal("m", "y coordinate in the ground frame")}
    rows = {"force_y": ("N", "m")}

    @staticmethod
    def residual(point, y):
        return (point.position[1] - y,)


class Position(Drive):
    """Both coordinates of a point follow `x`(t) and `y`(t); giving only one of them leaves the other free."""

    name = "position"
    attachments = {"point": Point("driven point")}
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
        given = {axis for axis in ("x", "y") if fields.get(axis) not in (None, ())}
        if not given:
            raise ModelError("has neither x nor y", field="x", expected="an expression of t for x, y or both")
        if given == {"x", "y"}:
            return [(cls, fields)]
        single = PositionX if given == {"x"} else PositionY
        return [(single, {key: value for key, value in fields.items() if key not in {"x", "y"} - given})]
