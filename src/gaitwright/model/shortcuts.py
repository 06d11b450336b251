"""Joints, drives and forces of a model: `model.joint.revolute(...)` for `model.joint("revolute", ...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from gaitwright.model.serialisation import NumberLike, VectorLike
from gaitwright.physics.declarations import Declaration

if TYPE_CHECKING:
    from gaitwright.model.builder import ModelBuilder

ModelT = TypeVar("ModelT", bound="ModelBuilder")


class ElementMethods(Generic[ModelT]):
    """Methods that add elements to one section of a model; all return the model."""

    section: ClassVar[str]

    def __init__(self, model: ModelT):
        self.model = model

    def __call__(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> ModelT:
        """Add an element of any type, with the fields of its declaration: see docs, or the types in physics."""
        return self.model._add_element(self.section, type, name, fields)


class JointMethods(ElementMethods[ModelT]):
    """Joints of a model: `model.joint(type, name, ...)` for any type, and methods for usual types. The same joint in a model
    file is `{type: revolute, a: ..., b: ...}`."""

    section = "joints"

    def revolute(
        self, a: str, b: str, axis: VectorLike | None = None, name: str | None = None, **fields: Any
    ) -> ModelT:
        """Pin point b to point a; in space about `axis`, in the frame of a's body."""
        return self("revolute", name, a=a, b=b, axis=axis, **fields)

    def spherical(self, a: str, b: str, name: str | None = None) -> ModelT:
        """Connect point b to point a by a ball joint; in space."""
        return self("spherical", name, a=a, b=b)

    def universal(self, a: str, b: str, axis: VectorLike, axis_b: VectorLike, name: str | None = None) -> ModelT:
        """Connect point b to point a by a universal joint: `axis` fixed in a's body, `axis_b` fixed in b's body; in space."""
        return self("universal", name, a=a, b=b, axis=axis, axis_b=axis_b)

    def cylindrical(self, a: str, b: str, axis: VectorLike, name: str | None = None, **fields: Any) -> ModelT:
        """Allow b to turn about an axis of a's body and slide along it; in space."""
        return self("cylindrical", name, a=a, b=b, axis=axis, **fields)

    def fixed(self, a: str, b: str, angle: NumberLike | None = None, name: str | None = None) -> ModelT:
        """Weld b to a, as drawn unless a relative angle is given (rad, in the plane)."""
        return self("fixed", name, a=a, b=b, angle=angle)

    def prismatic(
        self, a: str, b: str, axis: VectorLike, angle: NumberLike | None = None, name: str | None = None
    ) -> ModelT:
        """Allow b to slide along `axis` (in the frame of a's body) without turning."""
        return self("prismatic", name, a=a, b=b, axis=axis, angle=angle)

    def slot(self, line: str, point: str, axis: VectorLike, name: str | None = None) -> ModelT:
        """Keep `point` on the line through `line` along `axis` (in the frame of the line's body)."""
        return self("slot", name, a=line, b=point, axis=axis)

    def distance(self, a: str, b: str, length: NumberLike | None = None, name: str | None = None) -> ModelT:
        """Keep the distance of two points, m; default as drawn."""
        return self("distance", name, a=a, b=b, length=length)

    def gear(self, a: str, b: str, ratio: NumberLike, carrier: str = "ground", name: str | None = None) -> ModelT:
        """Couple body b to turn `ratio` times as far as body a (negative for external gears), relative to the carrier. In
        space a and b are joints, revolute or prismatic, and there is no carrier."""
        reference = carrier if self.model.dimension == 2 or carrier != "ground" else None
        return self("gear", name, a=a, b=b, ratio=ratio, carrier=reference)


class DriveMethods(ElementMethods[ModelT]):
    """Drives of a model: `model.drive(type, name, ...)` for any type, and methods for usual types."""

    section = "drives"

    def rotation(self, driven: str, angle: NumberLike, name: str | None = None) -> ModelT:
        """Drive the angle of a body (rad against the x axis) by an expression of t; in space that of a joint with an axis,
        from its drawn pose."""
        return self("rotation", name, **{{2: "body", 3: "joint"}[self.model.dimension]: driven}, angle=angle)

    def translation(self, joint: str, displacement: NumberLike, name: str | None = None) -> ModelT:
        """Drive the displacement of b along the axis of a joint, m, by an expression of t; in space."""
        return self("translation", name, joint=joint, displacement=displacement)

    def relative_rotation(self, a: str, b: str, angle: NumberLike, name: str | None = None) -> ModelT:
        """Drive the angle of body b relative to body a, rad, by an expression of t."""
        return self("relative-rotation", name, a=a, b=b, angle=angle)

    def frame(
        self,
        point: str,
        x: NumberLike,
        y: NumberLike,
        z: NumberLike,
        angles: VectorLike,
        sequence: str = "xyz",
        name: str | None = None,
    ) -> ModelT:
        """Drive a point, m, and the orientation of its body, rad, by expressions of t: see `orientation`; in space."""
        return self("frame", name, point=point, x=x, y=y, z=z, angles=angles, sequence=sequence)

    def distance(self, a: str, b: str, length: NumberLike, name: str | None = None) -> ModelT:
        """Drive the distance of two points, m, by an expression of t."""
        return self("distance", name, a=a, b=b, length=length)

    def position(
        self,
        point: str,
        x: NumberLike | None = None,
        y: NumberLike | None = None,
        z: NumberLike | None = None,
        name: str | None = None,
    ) -> ModelT:
        """Drive coordinates of a point, m, by expressions of t; omitted coordinates stay free."""
        return self("position", name, point=point, x=x, y=y, z=z)

    def displacement(
        self,
        of: str,
        x: NumberLike | None = None,
        y: NumberLike | None = None,
        z: NumberLike | None = None,
        name: str | None = None,
    ) -> ModelT:
        """Displace all nodes of a region of a solid, such as bar.right, from their undeformed positions, m, by expressions of
        t; along omitted axes they stay free."""
        return self("displacement", name, of=of, x=x, y=y, z=z)

    def orientation(
        self,
        body: str,
        angles: VectorLike | None = None,
        sequence: str = "xyz",
        *,
        quaternion: VectorLike | None = None,
        relative_to: str = "ground",
        name: str | None = None,
    ) -> ModelT:
        """Drive the orientation of a body by three angles, rad, about axes of the body in a sequence, or by a quaternion
        [w, x, y, z], as expressions of t; in space."""
        fields = {"relative_to": relative_to, "angles": angles, "quaternion": quaternion}
        fields |= {"sequence": sequence} if quaternion is None else {}
        return self("orientation", name, body=body, **fields)


class ForceMethods(ElementMethods[ModelT]):
    """Forces of a model: `model.force(type, name, ...)` for any type, and methods for usual types."""

    section = "forces"

    def spring_damper(
        self,
        a: str,
        b: str,
        *,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        rest_length: NumberLike | None = None,
        name: str | None = None,
    ) -> ModelT:
        """Add a spring (N/m) and damper (N s/m) between two points; rest length in m, default as drawn."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_length": rest_length}
        return self("spring-damper", name, a=a, b=b, **fields)

    def torsion_spring(
        self,
        a: str,
        b: str,
        *,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        rest_angle: NumberLike = 0.0,
        name: str | None = None,
    ) -> ModelT:
        """Add a torsion spring (N m/rad) and damper (N m s/rad) on the angle of body b relative to body a, in the plane; see
        `joint_spring` for space."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self("torsion-spring", name, a=a, b=b, **fields)

    def joint_spring(
        self,
        joint: str,
        *,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        rest_angle: NumberLike = 0.0,
        name: str | None = None,
    ) -> ModelT:
        """Add a torsion spring (N m/rad) and damper (N m s/rad) about the axis of a joint; in space. Angles from the drawn
        pose."""
        fields = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self("torsion-spring", name, joint=joint, **fields)

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
    ) -> ModelT:
        """Add an elastic connection of two points, unstressed as drawn: N/m, N m/rad, N s/m, N m s/rad along and about the axes
        of a's body; in space."""
        fields = {"stiffness": stiffness, "torsional_stiffness": torsional_stiffness}
        fields |= {"damping": damping, "torsional_damping": torsional_damping}
        return self("bushing", name, a=a, b=b, **fields)

    def joint_bumper(
        self,
        joint: str,
        *,
        lower: NumberLike,
        upper: NumberLike,
        stiffness: NumberLike,
        damping: NumberLike = 0.0,
        name: str | None = None,
    ) -> ModelT:
        """Add elastic stops at both ends of a range (rad, from the drawn pose) of the angle of a joint; in space."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self("bumper", name, joint=joint, **fields)

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
    ) -> ModelT:
        """Add elastic stops at both ends of a range (rad) of the angle of body b relative to body a."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self("bumper", name, a=a, b=b, **fields)

    def at_point(self, at: str, value: VectorLike, frame: str = "ground", name: str | None = None) -> ModelT:
        """Apply a force [x, y] or [x, y, z] in N at a point, constant or expressions of t, in the ground or the body frame."""
        return self("force", name, at=at, value=value, frame=frame)

    def moment(self, at: str, value: NumberLike, name: str | None = None) -> ModelT:
        """Apply a moment in N m to the tangent of a beam at a point, constant or an expression of t."""
        return self("moment", name, at=at, value=value)

    def along_beam(self, beam: str, value: VectorLike, frame: str = "ground", name: str | None = None) -> ModelT:
        """Apply a force per length [x, y] in N/m along a whole beam, constant or expressions of t; with frame="body" along its
        tangent and normal."""
        return self("distributed-force", name, beam=beam, value=value, frame=frame)

    def torque(
        self, body: str, value: NumberLike | VectorLike, frame: str = "ground", name: str | None = None
    ) -> ModelT:
        """Apply a torque in N m to a body, constant or an expression of t; in space a vector in the ground or the body
        frame."""
        return self("torque", name, body=body, value=value, frame=frame if self.model.dimension == 3 else None)

    def joint_torque(self, joint: str, value: NumberLike, name: str | None = None) -> ModelT:
        """Apply a torque in N m about the axis of a joint, to b and its opposite to a, constant or an expression of t; in
        space."""
        return self("joint-torque", name, joint=joint, value=value)
