"""Joints, drives and forces by names of their own: `model.revolute(...)` for `model.joint("revolute", ...)`."""

from __future__ import annotations

from typing import Any, Self

from gaitwright.model.description import Description
from gaitwright.model.entries import Number, Pair


class Connected(Description):
    """A description whose usual joints, drives and forces are methods; see Model."""

    def revolute(self, a: str, b: str, axis: Pair | None = None, name: str | None = None, **fields: Any) -> Self:
        """Pin point b to point a; in space about `axis`, in the frame of a's body."""
        return self.joint("revolute", name, a=a, b=b, axis=axis, **fields)

    def spherical(self, a: str, b: str, name: str | None = None) -> Self:
        """Hold point b at point a, free to turn in any way; in space."""
        return self.joint("spherical", name, a=a, b=b)

    def universal(self, a: str, b: str, axis: Pair, axis_b: Pair, name: str | None = None) -> Self:
        """Hold point b at point a by a cross: `axis` is one of its arms in a's body, `axis_b` the other in b's; in space."""
        return self.joint("universal", name, a=a, b=b, axis=axis, axis_b=axis_b)

    def cylindrical(self, a: str, b: str, axis: Pair, name: str | None = None, **fields: Any) -> Self:
        """Let b turn about an axis of a and slide along it; in space."""
        return self.joint("cylindrical", name, a=a, b=b, axis=axis, **fields)

    def fixed(self, a: str, b: str, angle: Number | None = None, name: str | None = None) -> Self:
        """Weld b to a, as drawn unless a relative angle is given (rad, in the plane)."""
        return self.joint("fixed", name, a=a, b=b, angle=angle)

    def prismatic(self, a: str, b: str, axis: Pair, angle: Number | None = None, name: str | None = None) -> Self:
        """Let b slide along `axis` (in the frame of a's body) without turning."""
        return self.joint("prismatic", name, a=a, b=b, axis=axis, angle=angle)

    def slot(self, line: str, point: str, axis: Pair, name: str | None = None) -> Self:
        """Keep `point` on the line through `line` along `axis` (in the frame of the line's body)."""
        return self.joint("slot", name, a=line, b=point, axis=axis)

    def distance(self, a: str, b: str, length: Number | None = None, name: str | None = None) -> Self:
        """Keep the distance of two points, m; as drawn unless given."""
        return self.joint("distance", name, a=a, b=b, length=length)

    def gear(self, a: str, b: str, ratio: Number, carrier: str = "ground", name: str | None = None) -> Self:
        """Let body b turn `ratio` times as far as body a (negative for external gears), seen from the carrier. In space a and
        b are joints, revolute or prismatic, and there is no carrier."""
        seen_from = carrier if self.dimension == 2 or carrier != "ground" else None
        return self.joint("gear", name, a=a, b=b, ratio=ratio, carrier=seen_from)

    def drive_rotation(self, driven: str, angle: Number, name: str | None = None) -> Self:
        """Drive the angle of a body (rad against the x axis) by an expression of t; in space that of a joint with an axis,
        from its drawn pose."""
        return self.drive("rotation", name, **{{2: "body", 3: "joint"}[self.dimension]: driven}, angle=angle)

    def drive_translation(self, joint: str, displacement: Number, name: str | None = None) -> Self:
        """Drive how far b has slid along the axis of a joint, m, by an expression of t; in space."""
        return self.drive("translation", name, joint=joint, displacement=displacement)

    def drive_relative_rotation(self, a: str, b: str, angle: Number, name: str | None = None) -> Self:
        """Drive the angle of body b relative to body a, rad, by an expression of t."""
        return self.drive("relative-rotation", name, a=a, b=b, angle=angle)

    def drive_frame(
        self, point: str, x: Number, y: Number, z: Number, angles: Pair, sequence: str = "xyz", name: str | None = None
    ) -> Self:
        """Drive a point, m, and the orientation of its body, rad, by expressions of t: see `drive_orientation`; in space."""
        return self.drive("frame", name, point=point, x=x, y=y, z=z, angles=angles, sequence=sequence)

    def drive_distance(self, a: str, b: str, length: Number, name: str | None = None) -> Self:
        """Drive the distance of two points, m, by an expression of t."""
        return self.drive("distance", name, a=a, b=b, length=length)

    def drive_position(
        self,
        point: str,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        name: str | None = None,
    ) -> Self:
        """Drive coordinates of a point, m, by expressions of t; those that are not given stay free."""
        return self.drive("position", name, point=point, x=x, y=y, z=z)

    def drive_displacement(
        self,
        of: str,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        name: str | None = None,
    ) -> Self:
        """Displace all nodes of a region of a solid, such as bar.right, from where they are undeformed, m, by expressions of
        t; along axes that are not given they stay free."""
        return self.drive("displacement", name, of=of, x=x, y=y, z=z)

    def drive_orientation(
        self,
        body: str,
        angles: Pair | None = None,
        sequence: str = "xyz",
        *,
        quaternion: Pair | None = None,
        relative_to: str = "ground",
        name: str | None = None,
    ) -> Self:
        """Drive the orientation of a body by three angles, rad, about axes of the body in a sequence, or by a quaternion
        [w, x, y, z], as expressions of t; in space."""
        fields = {"relative_to": relative_to, "angles": angles, "quaternion": quaternion}
        fields |= {"sequence": sequence} if quaternion is None else {}
        return self.drive("orientation", name, body=body, **fields)

    def spring_damper(
        self,
        a: str,
        b: str,
        *,
        stiffness: Number,
        damping: Number = 0.0,
        rest_length: Number | None = None,
        name: str | None = None,
    ) -> Self:
        """A spring (N/m) and damper (N s/m) between two points; rest length (m) as drawn unless given."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_length": rest_length}
        return self.force("spring-damper", name, a=a, b=b, **fields)

    def torsion_spring(
        self,
        a: str,
        b: str,
        *,
        stiffness: Number,
        damping: Number = 0.0,
        rest_angle: Number = 0.0,
        name: str | None = None,
    ) -> Self:
        """A torsion spring (N m/rad) and damper (N m s/rad) on the angle of body b relative to body a, in the plane; see
        `joint_spring` for space."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self.force("torsion-spring", name, a=a, b=b, **fields)

    def joint_spring(
        self,
        joint: str,
        *,
        stiffness: Number,
        damping: Number = 0.0,
        rest_angle: Number = 0.0,
        name: str | None = None,
    ) -> Self:
        """A torsion spring (N m/rad) and damper (N m s/rad) about the axis of a joint; in space. Angles from the drawn pose."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self.force("torsion-spring", name, joint=joint, **fields)

    def bushing(
        self,
        a: str,
        b: str,
        *,
        stiffness: Pair,
        torsional_stiffness: Pair = (0.0, 0.0, 0.0),
        damping: Pair = (0.0, 0.0, 0.0),
        torsional_damping: Pair = (0.0, 0.0, 0.0),
        name: str | None = None,
    ) -> Self:
        """An elastic joint of two points, at rest as drawn: N/m, N m/rad, N s/m, N m s/rad along and about the axes of a's
        body; in space."""
        fields = {"stiffness": stiffness, "torsional_stiffness": torsional_stiffness}
        fields |= {"damping": damping, "torsional_damping": torsional_damping}
        return self.force("bushing", name, a=a, b=b, **fields)

    def joint_bumper(
        self,
        joint: str,
        *,
        lower: Number,
        upper: Number,
        stiffness: Number,
        damping: Number = 0.0,
        name: str | None = None,
    ) -> Self:
        """Elastic stops at both ends of a range (rad, from the drawn pose) of the angle of a joint; in space."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self.force("bumper", name, joint=joint, **fields)

    def bumper(
        self,
        a: str,
        b: str,
        *,
        lower: Number,
        upper: Number,
        stiffness: Number,
        damping: Number = 0.0,
        name: str | None = None,
    ) -> Self:
        """Elastic stops at both ends of a range (rad) of the angle of body b relative to body a."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self.force("bumper", name, a=a, b=b, **fields)

    def apply_force(self, at: str, value: Pair, frame: str = "ground", name: str | None = None) -> Self:
        """A force [x, y] or [x, y, z] in N at a point, constant or expressions of t, in the ground or the body frame."""
        return self.force("force", name, at=at, value=value, frame=frame)

    def apply_moment(self, at: str, value: Number, name: str | None = None) -> Self:
        """A moment in N m on the tangent of a beam at a point, constant or an expression of t."""
        return self.force("moment", name, at=at, value=value)

    def apply_distributed_force(self, beam: str, value: Pair, frame: str = "ground", name: str | None = None) -> Self:
        """A force per length [x, y] in N/m along a whole beam, constant or expressions of t; in the frame body along its
        tangent and normal."""
        return self.force("distributed-force", name, beam=beam, value=value, frame=frame)

    def apply_torque(self, body: str, value: Number | Pair, frame: str = "ground", name: str | None = None) -> Self:
        """A torque in N m on a body, constant or an expression of t; in space a vector in the ground or the body frame."""
        return self.force("torque", name, body=body, value=value, frame=frame if self.dimension == 3 else None)

    def joint_torque(self, joint: str, value: Number, name: str | None = None) -> Self:
        """A torque in N m about the axis of a joint, on b and its opposite on a, constant or an expression of t; in space."""
        return self.force("joint-torque", name, joint=joint, value=value)
