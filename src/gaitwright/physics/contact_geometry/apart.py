"""Position of one place relative to another if neither has axes: for contacts with deformable surfaces."""

from gaitwright.physics.attachments import FacePoint, Place
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.declarations import ContactPose
from gaitwright.physics.symbolic import minus


class RelativePosition(ContactPose):
    """place = r_b - r_a, in the ground frame.

    a is the place of a surface that is closest to b, a weighted sum of its nodes (contact/closest_face.py): it moves along with
    b, a node of another solid or a point of a rigid body, and the rate of the place is the velocity of b relative to the
    material there."""

    name = "apart"
    attachments = {"a": FacePoint("the place of the surface that is nearest"), "b": Place("the point")}
    linear = True

    @staticmethod
    def place(a, b):
        return minus(b.position, a.position)

    @staticmethod
    def spin(a, b):
        return RelativePose.spin(a, b, a.position)

    @staticmethod
    def turned(a, b):
        return [part for axis in b.axes[:-1] for part in axis]
