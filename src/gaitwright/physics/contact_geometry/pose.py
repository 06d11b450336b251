"""Pose and motion of a circle or sphere of one body in the frame of another."""

from gaitwright.physics.attachments import BodyFrame, Point
from gaitwright.physics.declarations import ContactPose
from gaitwright.physics.parameters import Signal
from gaitwright.physics.symbolic import cross3, dot, minus, rate


class RelativePose(ContactPose):
    """place = A_a^T (r_b - r_a - d(t)),    spin = A_a^T omega_b - omega_a

    with A_a = [v1 v2 v3] of a, omega_b = 1/2 sum v_i x v_i' of b in the ground frame, and that of a in its own frame; in the
    plane spin = theta_b' - theta_a'. The rate of the place is measured by an observer on the surface: it contains the rotation
    of a. Paper 004 Eq 5.1 to 5.6, for a sphere with its centre anywhere in its body; paper 000 Eq 11 to 13, with Eq 11's
    velocity completed by the derivative of the rotation. d(t) is the displacement of the surface, for belts."""

    name = "pose"
    attachments = {
        "a": BodyFrame("where the surface has its origin"),
        "b": Point("the point, or the centre of the circle"),
    }
    parameters = {"displacement": Signal("m", "d(t), of the surface in the ground frame", vector=True)}

    @staticmethod
    def place(a, b, displacement):
        return a.local(minus(minus(b.position, a.position), displacement))

    @staticmethod
    def spin(a, b, displacement):
        return SPIN_BY_DIMENSION[len(displacement)](a, b)

    @staticmethod
    def turned(a, b, displacement):
        return [part for axis in b.axes[:-1] for part in a.local(axis)]


def _planar_spin(a, b):
    return (rate(b.angle) - rate(a.angle),)


def _spatial_spin(a, b):
    of_b = _twice_rotated_spin(b.axes)
    v1, v2, v3 = a.axes
    return tuple(
        dot(axis, of_b) - (dot(w, _vector_rate(u)) - dot(u, _vector_rate(w))) / 2
        for axis, (u, w) in zip(a.axes, ((v2, v3), (v3, v1), (v1, v2)), strict=True)
    )


SPIN_BY_DIMENSION = {2: _planar_spin, 3: _spatial_spin}


def _vector_rate(vector):
    return tuple(rate(part) for part in vector)


def _twice_rotated_spin(axes):
    turning = [cross3(axis, _vector_rate(axis)) for axis in axes]
    return tuple(sum(parts) / 2 for parts in zip(*turning, strict=True))
