"""Joints, drives and forces as methods: `model.revolute(...)` for `model.joint("revolute", ...)`."""

from __future__ import annotations

from typing import Any, Self

from gaitwright.model.builder import ModelBuilder
from gaitwright.model.serialisation import NumberLike, VectorLike


class ElementShortcuts(ModelBuilder):
    """Model builder with methods for usual joints, drives and forces; see Model."""

    def revolute(self, a: str, b: str, axis: VectorLike | None = None, name: str | None = None, **fields: Any) -> Self:
        """Pin point b to point a; in space about `axis`, in the frame of a's body."""
        return self.joint("revolute", name, a=a, b=b, axis=axis, **fields)

    def spherical(self, a: str, b: str, name: str | None = None) -> Self:
        """Connect point b to point a by a ball joint; in space."""
        return self.joint("spherical", name, a=a, b=b)

    def universal(self, a: str, b: str, axis: VectorLike, axis_b: VectorLike, name: str | None = None) -> Self:
        """Connect point b to point a by a universal joint: `axis` fixed in a's body, `axis_b` fixed in b's body; in space."""
        return self.joint("universal", name, a=a, b=b, axis=axis, axis_b=axis_b)

    def cylindrical(self, a: str, b: str, axis: VectorLike, name: str | None = None, **fields: Any) -> Self:
        """Allow b to turn about an axis of a's body and slide along it; in space."""
        return self.joint("cylindrical", name, a=a, b=b, axis=axis, **fields)

    def fixed(self, a: str, b: str, angle: NumberLike | None = None, name: str | None = None) -> Self:
        """Weld b to a, as drawn unless a relative angle is given (rad, in the plane)."""
        return self.joint("fixed", name, a=a, b=b, angle=angle)

    def prismatic(
        self, a: str, b: str, axis: VectorLike, angle: NumberLike | None = None, name: str | None = None
    ) -> Self:
        """Allow b to slide along `axis` (in the frame of a's body) without turning."""
        return self.joint("prismatic", name, a=a, b=b, axis=axis, angle=angle)

    def slot(self, line: str, point: str, axis: VectorLike, name: str | None = None) -> Self:
        """Keep `point` on the line through `line` along `axis` (in the frame of the line's body)."""
        return self.joint("slot", name, a=line, b=point, axis=axis)

    def distance(self, a: str, b: str, length: NumberLike | None = None, name: str | None = None) -> Self:
        """Keep the distance of two points, m; default as drawn."""
        return self.joint("distance", name, a=a, b=b, length=length)

    def gear(self, a: str, b: str, ratio: NumberLike, carrier: str = "ground", name: str | None = None) -> Self:
        """Couple body b to turn `ratio` times as far as body a (negative for external gears), relative to the carrier. In
        space a and b are joints, revolute or prismatic, and there is no carrier."""
        seen_from = carrier if self.dimension == 2 or carrier != "ground" else None
        return self.joint("gear", name, a=a, b=b, ratio=ratio, carrier=seen_from)

    def drive_rotation(self, driven: str, angle: NumberLike, name: str | None = None) -> Self:
        """Drive the angle of a body (rad against the x axis) by an expression of t; in space that of a joint with an axis,
        from its drawn pose."""
        return self.drive("rotation", name, **{{2: "body", 3: "joint"}[self.dimension]: driven}, angle=angle)

    def drive_translation(self, joint: str, displacement: NumberLike, name: str | None = None) -> Self:
        """Drive the displacement of b along the axis of a joint, m, by an expression of t; in space."""
        return self.drive("translation", name, joint=joint, displacement=displacement)

    def drive_relative_rotation(self, a: str, b: str, angle: NumberLike, name: str | None = None) -> Self:
        """Drive the angle of body b relative to body a, rad, by an expression of t."""
        return self.drive("relative-rotation", name, a=a, b=b, angle=angle)

    def drive_frame(
        self,
        point: str,
        x: NumberLike,
        y: NumberLike,
        z: NumberLike,
        angles: VectorLike,
        sequence: str = "xyz",
        name: str | None = None,
    ) -> Self:
        """Drive a point, m, and the orientation of its body, rad, by expressions of t: see `drive_orientation`; in space."""
        return self.drive("frame", name, point=point, x=x, y=y, z=z, angles=angles, sequence=sequence)

    def drive_distance(self, a: str, b: str, length: NumberLike, name: str | None = None) -> Self:
        """Drive the distance of two points, m, by an expression of t."""
        return self.drive("distance", name, a=a, b=b, length=length)

    def drive_position(
        self,
        point: str,
        x: NumberLike | None = None,
        y: NumberLike | None = None,
        z: NumberLike | None = None,
        name: str | None = None,
    ) -> Self:
        """Drive coordinates of a point, m, by expressions of t; omitted coordinates stay free."""
        return self.drive("position", name, point=point, x=x, y=y, z=z)

    def drive_displacement(
        self,
        of: str,
        x: NumberLike | None = None,
        y: NumberLike | None = None,
        z: NumberLike | None = None,
        name: str | None = None,
    ) -> Self:
        """Displace all nodes of a region of a solid, such as bar.right, from their undeformed positions, m, by expressions of
        t; along omitted axes they stay free."""
        return self.drive("displacement", name, of=of, x=x, y=y, z=z)

    def drive_orientation(
        self,
        body: str,
        angles: VectorLike | None = None,
        sequence: str = "xyz",
        *,
        quaternion: VectorLike | None = None,
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
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        rest_length: NumberLike | None = None,
        name: str | None = None,
    ) -> Self:
        """Add a spring (N/m) and damper (N s/m) between two points; rest length in m, default as drawn."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_length": rest_length}
        return self.force("spring-damper", name, a=a, b=b, **fields)

    def torsion_spring(
        self,
        a: str,
        b: str,
        *,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        rest_angle: NumberLike = 0.0,
        name: str | None = None,
    ) -> Self:
        """Add a torsion spring (N m/rad) and damper (N m s/rad) on the angle of body b relative to body a, in the plane; see
        `joint_spring` for space."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self.force("torsion-spring", name, a=a, b=b, **fields)

    def joint_spring(
        self,
        joint: str,
        *,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        rest_angle: NumberLike = 0.0,
        name: str | None = None,
    ) -> Self:
        """Add a torsion spring (N m/rad) and damper (N m s/rad) about the axis of a joint; in space. Angles from the drawn
        pose."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self.force("torsion-spring", name, joint=joint, **fields)

    def bushing(
        self,
        a: str,
        b: str,
        *,
        stiffness: VectorLike,
        torsional_stiffness: VectorLike = (0.0, 0.0, 0.0),
        damping: VectorLike = (0.0, 0.0, 0.0),
        torsional_damping: VectorLike = (0.0, 0.0, 0.0),
        name: str | None = None,
    ) -> Self:
        """Add an elastic connection of two points, unstressed as drawn: N/m, N m/rad, N s/m, N m s/rad along and about the axes
        of a's body; in space."""
        fields = {"stiffness": stiffness, "torsional_stiffness": torsional_stiffness}
        fields |= {"damping": damping, "torsional_damping": torsional_damping}
        return self.force("bushing", name, a=a, b=b, **fields)

    def joint_bumper(
        self,
        joint: str,
        *,
        lower: NumberLike,
        upper: NumberLike,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        name: str | None = None,
    ) -> Self:
        """Add elastic stops at both ends of a range (rad, from the drawn pose) of the angle of a joint; in space."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self.force("bumper", name, joint=joint, **fields)

    def bumper(
        self,
        a: str,
        b: str,
        *,
        lower: NumberLike,
        upper: NumberLike,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        name: str | None = None,
    ) -> Self:
        """Add elastic stops at both ends of a range (rad) of the angle of body b relative to body a."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self.force("bumper", name, a=a, b=b, **fields)

    def apply_force(self, at: str, value: VectorLike, frame: str = "ground", name: str | None = None) -> Self:
        """Apply a force [x, y] or [x, y, z] in N at a point, constant or expressions of t, in the ground or the body frame."""
        return self.force("force", name, at=at, value=value, frame=frame)

    def apply_moment(self, at: str, value: NumberLike, name: str | None = None) -> Self:
        """Apply a moment in N m to the tangent of a beam at a point, constant or an expression of t."""
        return self.force("moment", name, at=at, value=value)

    def apply_distributed_force(
        self, beam: str, value: VectorLike, frame: str = "ground", name: str | None = None
    ) -> Self:
        """Apply a force per length [x, y] in N/m along a whole beam, constant or expressions of t; with frame="body" along its
        tangent and normal."""
        return self.force("distributed-force", name, beam=beam, value=value, frame=frame)

    def apply_torque(
        self, body: str, value: NumberLike | VectorLike, frame: str = "ground", name: str | None = None
    ) -> Self:
        """Apply a torque in N m to a body, constant or an expression of t; in space a vector in the ground or the body
        frame."""
        return self.force("torque", name, body=body, value=value, frame=frame if self.dimension == 3 else None)

    def joint_torque(self, joint: str, value: NumberLike, name: str | None = None) -> Self:
        """Apply a torque in N m about the axis of a joint, to b and its opposite to a, constant or an expression of t; in
        space."""
        return self.force("joint-torque", name, joint=joint, value=value)
