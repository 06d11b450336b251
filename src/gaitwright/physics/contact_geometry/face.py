"""A point or circle on a straight face with two ends, solid on one side: a side of a body, a piece of terrain."""

from gaitwright.physics.contact_geometry.line import LineGeometry
from gaitwright.physics.declare import Direction, Frame, Geometry, Number, Point, Signal
from gaitwright.physics.symbolic import clip, dot, minus, perpendicular


class Face(Geometry):
    """As a line, between its start a and the end at `length`. Which points it stands for, in coordinates x along and
    y above the face: 0 <= x <= length above it; below it the boundary leans by `lean` (m per m of depth) towards the
    middle of the face, so that the faces of a polyline share the solid by the bisectors of its convex corners. The face is
    longer by `reach` (m) at both ends. `depth`: how far behind the face a point still belongs to it."""

    name = "face"
    attachments = {"a": Frame("where the face starts"), "b": Point("the point, or the centre of the circle")}
    parameters = {
        "tangent": Direction("a", "direction of the face in the frame of a's body; solid on its right"),
        "radius": Number("m", "R; 0 for a point", 0.0, minimum=0.0),
        "displacement": Signal("m", "d(t), of the whole face in the ground frame", vector=True, default=[0.0, 0.0]),
        "length": Number("m", "of the face", minimum=0.0),
        "lean_start": Number("1", "lean of the boundary at the start", 0.0),
        "lean_end": Number("1", "lean of the boundary at the end", 0.0),
        "reach": Number("m", "how far it goes on beyond its ends", 0.0, minimum=0.0),
        "depth": Number("m", "how far behind the face a point still belongs to it", 1e9, minimum=0.0),
    }

    @staticmethod
    def gap(a, b, tangent, radius, displacement, length, lean_start, lean_end, reach, depth):
        return LineGeometry.gap(a, b, tangent, radius, displacement)

    @staticmethod
    def slide(a, b, tangent, radius, displacement, length, lean_start, lean_end, reach, depth):
        return LineGeometry.slide(a, b, tangent, radius, displacement)

    @staticmethod
    def point(a, b, tangent, radius, displacement, length, lean_start, lean_end, reach, depth):
        return LineGeometry.point(a, b, tangent, radius, displacement)

    @staticmethod
    def region(a, b, tangent, radius, displacement, length, lean_start, lean_end, reach, depth):
        along = a.direction(tangent)
        arm = minus(minus(b.position, a.position), displacement)
        x, y = dot(along, arm), dot(perpendicular(along), arm)
        return (
            x + reach - lean_start * clip(-y),
            length + reach - x - lean_end * clip(-y),
            y + depth,
        )
