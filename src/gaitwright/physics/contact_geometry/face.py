"""A point or circle on a straight face with two ends, solid on one side: a side of a body, a piece of terrain."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import clip, dot, perpendicular


class FaceShape(ContactShape):
    """A line between its start, the origin, and its end at `length`. Range of its points, in coordinates x along and y
    above the face: 0 <= x <= length above it; below it the boundary leans by `lean` (m per m of depth) towards the middle
    of the face, so that the faces of a polyline share the solid by the bisectors of its convex corners. The face is
    extended by `reach` (m) at both ends. `depth`: largest distance behind the face at which a point still belongs to it."""

    name = "face"
    parameters = {
        "tangent": Components("1", "direction of the face in the frame of a; solid on its right"),
        "radius": Number("m", "R; 0 for a point", 0.0, minimum=0.0),
        "length": Number("m", "of the face", minimum=0.0),
        "lean_start": Number("1", "lean of the boundary at the start", 0.0),
        "lean_end": Number("1", "lean of the boundary at the end", 0.0),
        "reach": Number("m", "extension beyond its ends", 0.0, minimum=0.0),
        "depth": Number("m", "how far behind the face a point still belongs to it", 1e9, minimum=0.0),
    }

    @staticmethod
    def gap(at, tangent, radius, length, lean_start, lean_end, reach, depth):
        return dot(perpendicular(tangent), at) - radius

    @staticmethod
    def normal(at, tangent, radius, length, lean_start, lean_end, reach, depth):
        return perpendicular(tangent)

    @staticmethod
    def region(at, tangent, radius, length, lean_start, lean_end, reach, depth):
        x, y = dot(tangent, at), dot(perpendicular(tangent), at)
        return (x + reach - lean_start * clip(-y), length + reach - x - lean_end * clip(-y), y + depth)
