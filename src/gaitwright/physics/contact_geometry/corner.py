"""A circle on the corner between two faces, or on the end of one."""

from gaitwright.physics.contact_geometry.circle import CircleGeometry
from gaitwright.physics.declare import Direction, Frame, Geometry, Number, Point, Signal
from gaitwright.physics.symbolic import dot, minus


class Corner(Geometry):
    """gap = |r_b - r_a - d(t)| - R, in the wedge beyond the end of the face before the corner and before the start of the
    face after it: with their directions t1 and t2, t1 . (r_b - r_a) >= 0 and t2 . (r_b - r_a) <= 0. With
    -t1 and -t2: the places above a concave corner from which both faces are seen."""

    name = "corner"
    attachments = {"a": Frame("the corner"), "b": Point("centre of the circle")}
    parameters = {
        "before": Direction("a", "direction of the face that ends here, in the frame of a's body"),
        "after": Direction("a", "direction of the face that starts here"),
        "radius": Number("m", "R", minimum=0.0),
        "displacement": Signal("m", "d(t), of the corner in the ground frame", vector=True, default=[0.0, 0.0]),
        "margin": Number("m", "by how much the wedge is wider than it is", 0.0),
    }

    @staticmethod
    def gap(a, b, before, after, radius, displacement, margin):
        return CircleGeometry.gap(_moved(a, displacement), b, 0, radius)

    @staticmethod
    def slide(a, b, before, after, radius, displacement, margin):
        return CircleGeometry.slide(_moved(a, displacement), b, 0, radius)

    @staticmethod
    def point(a, b, before, after, radius, displacement, margin):
        return CircleGeometry.point(_moved(a, displacement), b, 0, radius)

    @staticmethod
    def period(radius, **_):
        return CircleGeometry.period(0.0, radius)

    @staticmethod
    def region(a, b, before, after, radius, displacement, margin):
        arm = minus(minus(b.position, a.position), displacement)
        return (dot(a.direction(before), arm) + margin, margin - dot(a.direction(after), arm))


def _moved(a, displacement):
    x, y = a.position
    return a._replace(position=(x + displacement[0], y + displacement[1]))
