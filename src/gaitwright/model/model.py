"""Model: a mechanism as a person describes it. Everything it is told goes into one document, the same that a model file
contains; analyses turn the document into tables when they start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np

from gaitwright.checks import At
from gaitwright.model.entries import pairs, plain, said, tidy, vector
from gaitwright.model.spec import (
    Document,
    Gait,
    validate_contact,
    validate_document,
    validate_element,
    validate_gait,
    validate_part,
)
from gaitwright.model.surfaces import Along, Circle, Sphere, Surface, touched
from gaitwright.physics.declare import ContactLaw, Declaration, Friction
from gaitwright.system.mechanism import Mechanism

if TYPE_CHECKING:
    from gaitwright.analyse.modes import Modes
    from gaitwright.analyse.start import Start
    from gaitwright.result.result import Result

Number = float | int | str
"""A number or an expression of the parameters; where a function of time is asked for, also of t."""
Pair = Sequence[Number]
MOST_SAMPLES = 1e8
"""More cannot be meant, and would not fit into memory."""


class Model:
    """A mechanism of links, bodies, joints, drives, forces and contacts, in the plane or, with dimension=3, in space.
    SI units; angles in rad, counter-clockwise.

        leg = gw.Model(gravity=(0, -9.81))
        leg.ground_point("O", 0, 0)
        leg.point("A", 0.1, 0)
        leg.link("crank", "O", "A", length=0.1, mass=0.025)
        leg.drive_rotation("crank", angle="2*pi*t")
        run = leg.simulate(until=1.0)

    Links that name the same point are pinned there. Drawn positions are a guess that picks the branch: lengths count.
    """

    def __init__(
        self,
        name: str = "mechanism",
        *,
        dimension: int = 2,
        gravity: Pair | None = None,
        parameters: dict[str, Number] | None = None,
    ):
        """gravity: m/s^2; 9.81 along -y in the plane and along -z in space unless given."""
        given = {"gaitwright": 1, "name": name, "dimension": dimension, "parameters": dict(parameters or {})}
        self.document = validate_document(given | ({} if gravity is None else {"gravity": plain(gravity)}))

    # describing ------------------------------------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self.document.dimension

    def ground_point(self, name: str, x: Number, y: Number, z: Number | None = None) -> Model:
        """A point of the ground, m."""
        self._unused_point(name)
        self.document.ground.points.update(self._checked("ground", {"points": {name: vector(x, y, z)}}).points)
        return self

    def point(self, name: str, x: Number, y: Number, z: Number | None = None) -> Model:
        """The drawn position of a moving point, m: where the assembly starts looking."""
        self._unused_point(name)
        self.document.points.update(self._checked("points", {name: vector(x, y, z)}))
        return self

    def velocity(self, point: str, vx: Number, vy: Number, vz: Number | None = None) -> Model:
        """A wanted start velocity of a point, m/s; the rest follows from the joints and drives."""
        self.document.velocities.update(self._checked("velocities", {point: vector(vx, vy, vz)}))
        return self

    def series(
        self,
        name: str,
        times: Any = None,
        values: Any = None,
        *,
        file: str | Path | None = None,
        time: str | None = None,
        value: str | None = None,
        periodic: bool = False,
        outside: str | None = None,
        cutoff: float | None = None,
        unit: str | None = None,
    ) -> Model:
        """A measured function of time for expressions: `knee(t)`, `2*knee(t - 0.1)`. A cubic spline through all points.

        times: s, increasing; values: in any unit; or file: a table (CSV), with its columns `time` and `value`.
        periodic: repeats for ever; the last point closes the period. outside: what holds before and after the points,
        error (default) or hold. cutoff: Hz, smoothed by a zero-lag Butterworth filter of fourth order before. unit: of the
        values, such as "deg" or "mm", from which they are converted to SI; those of a file that says its angles are in
        degrees are converted unless it is given. Times that are rounded are put back on their even grid."""
        fields: dict[str, Any] = {"times": _listed(times), "values": _listed(values), "time": time, "value": value}
        fields |= {"file": None if file is None else str(file), "periodic": periodic or None, "outside": outside}
        At(f"series '{name}'").unused(name, self.document.series)
        self.document.series.update(self._checked("series", {name: {**fields, "cutoff": cutoff, "unit": unit}}))
        return self

    def link(
        self,
        name: str,
        start: str,
        end: str,
        *,
        mass: Number,
        length: Number | None = None,
        inertia: Number | None = None,
        radius: Number | None = None,
        points: dict[str, Pair] | None = None,
    ) -> Model:
        """A uniform slender bar from point `start` to point `end`; in space a solid cylinder.

        length: m, as drawn unless given. inertia: kg m^2 about the centre, mass length^2 / 12 unless given, in the plane.
        radius: m, in space. points: more points of the link, in its frame (origin at its centre, x towards `end`; in space
        y is level)."""
        fields = {"name": name, "from": start, "to": end, "length": length, "mass": mass, "points": pairs(points)}
        fields |= {key: value for key, value in (("inertia", inertia), ("radius", radius)) if value is not None}
        self._part("links", f"link '{name}'", fields)
        return self

    def body(
        self,
        name: str,
        *,
        mass: Number,
        inertia: Number | Pair,
        at: Pair | None = None,
        angle: Number | None = None,
        velocity: Pair | None = None,
        spin: Number | Pair | None = None,
        points: dict[str, Pair] | None = None,
        centre: Pair | None = None,
        orientation: dict[str, Any] | None = None,
        shapes: Sequence[dict[str, Any]] | None = None,
    ) -> Model:
        """A rigid body: drawn pose (m, rad), points in its own frame, wanted start velocity of its centre of mass.

        In the plane: inertia in kg m^2, the origin of its frame is its centre of mass, turned by `angle`.
        In space: inertia [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centre of mass, in the body frame;
        centre: the centre of mass in that frame, its origin unless given; orientation: {"quaternion": [w, x, y, z]} or
        {"angles": [degrees], "sequence": "xyz"} or {"axes": [v1, v2, v3]}; spin: angular velocity [x, y, z] in the ground
        frame; shapes: for pictures, such as [{"box": [0.1, 0.1, 0.4]}]."""
        fields: dict[str, Any] = {"name": name, "mass": mass, "inertia": plain(inertia), "points": pairs(points)}
        more = {
            "at": at,
            "angle": angle,
            "velocity": velocity,
            "spin": spin,
            "centre": centre,
            "orientation": orientation,
        }
        fields |= {key: plain(value) for key, value in {**more, "shapes": shapes}.items() if value is not None}
        self._part("bodies", f"body '{name}'", fields)
        return self

    def beam(
        self,
        name: str,
        start: str,
        end: str,
        *,
        elements: int = 8,
        length: Number | None = None,
        youngs_modulus: Number | None = None,
        density: Number | None = None,
        width: Number | None = None,
        height: Number | None = None,
        formulation: str = "continuum",
        integration: str | None = None,
        damping: Number = 0.0,
        curvature: Number = 0.0,
        points: dict[str, Number] | None = None,
        **fields: Any,
    ) -> Model:
        """A flexible beam (ANCF) from point `start` to point `end`; its points are {name}.start, .end, .node1, .node2, ...

        length: m, unstressed; as drawn unless given. youngs_modulus: Pa. density: kg/m^3. width, height (in the plane of
        bending): m; or diameter, or area and second_moment (m^2, m^4); or axial_stiffness (N), bending_stiffness (N m^2)
        and mass_per_length (kg/m) themselves. Section and curvature (1/m, of the unstressed shape) may be expressions of
        the arc length s. formulation: continuum or takahashi (paper 002). integration: reduced (default of
        continuum, does not lock) or full. damping: s,
        Kelvin-Voigt. points: more named nodes by their arc length, m. bow: left or right, the side to
        which it is drawn bent if it is longer than the distance of its ends; between ground points it always is.
        prestress: "drawn" lets its ends start as far apart as they are drawn, whatever strain that takes; otherwise it starts
        without stress as far as the loops allow it."""
        fields |= {"name": name, "from": start, "to": end, "elements": elements, "length": length, "width": width}
        fields |= {"youngs_modulus": youngs_modulus, "density": density, "height": height, "formulation": formulation}
        fields |= {"integration": integration, "damping": damping, "curvature": curvature, "points": dict(points or {})}
        self._part("beams", f"beam '{name}'", fields)
        return self

    def part(self, type: str | type[Declaration], name: str, **fields: Any) -> Model:
        """A part of a kind of its own, with the fields of its type: see gw.PartType."""
        return self._element("parts", type, name, {key: plain(value) for key, value in fields.items()})

    def joint(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> Model:
        """A joint of any type, with the fields of its declaration: see docs, or physics/joints."""
        return self._element("joints", type, name, fields)

    def drive(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> Model:
        """A drive of any type, with the fields of its declaration."""
        return self._element("drives", type, name, fields)

    def force(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> Model:
        """A force of any type, with the fields of its declaration."""
        return self._element("forces", type, name, fields)

    def revolute(self, a: str, b: str, axis: Pair | None = None, name: str | None = None, **fields: Any) -> Model:
        """Pin point b to point a; in space about `axis`, in the frame of a's body."""
        return self.joint("revolute", name, a=a, b=b, axis=plain(axis), **fields)

    def spherical(self, a: str, b: str, name: str | None = None) -> Model:
        """Hold point b at point a, free to turn in any way; in space."""
        return self.joint("spherical", name, a=a, b=b)

    def universal(self, a: str, b: str, axis: Pair, axis_b: Pair, name: str | None = None) -> Model:
        """Hold point b at point a by a cross: `axis` is one of its arms in a's body, `axis_b` the other in b's; in space."""
        return self.joint("universal", name, a=a, b=b, axis=plain(axis), axis_b=plain(axis_b))

    def cylindrical(self, a: str, b: str, axis: Pair, name: str | None = None, **fields: Any) -> Model:
        """Let b turn about an axis of a and slide along it; in space."""
        return self.joint("cylindrical", name, a=a, b=b, axis=plain(axis), **fields)

    def fixed(self, a: str, b: str, angle: Number | None = None, name: str | None = None) -> Model:
        """Weld b to a, as drawn unless a relative angle is given (rad, in the plane)."""
        return self.joint("fixed", name, a=a, b=b, angle=angle)

    def prismatic(self, a: str, b: str, axis: Pair, angle: Number | None = None, name: str | None = None) -> Model:
        """Let b slide along `axis` (in the frame of a's body) without turning."""
        return self.joint("prismatic", name, a=a, b=b, axis=list(axis), angle=angle)

    def slot(self, line: str, point: str, axis: Pair, name: str | None = None) -> Model:
        """Keep `point` on the line through `line` along `axis` (in the frame of the line's body)."""
        return self.joint("slot", name, a=line, b=point, axis=list(axis))

    def distance(self, a: str, b: str, length: Number | None = None, name: str | None = None) -> Model:
        """Keep the distance of two points, m; as drawn unless given."""
        return self.joint("distance", name, a=a, b=b, length=length)

    def gear(self, a: str, b: str, ratio: Number, carrier: str = "ground", name: str | None = None) -> Model:
        """Let body b turn `ratio` times as far as body a (negative for external gears), seen from the carrier. In space a and
        b are joints, revolute or prismatic, and there is no carrier."""
        seen = {"carrier": carrier} if self.dimension == 2 or carrier != "ground" else {}
        return self.joint("gear", name, a=a, b=b, ratio=ratio, **seen)

    def drive_rotation(self, driven: str, angle: Number, name: str | None = None) -> Model:
        """Drive the angle of a body (rad against the x axis) by an expression of t; in space that of a joint with an axis,
        from its drawn pose."""
        return self.drive("rotation", name, **{{2: "body", 3: "joint"}[self.dimension]: driven}, angle=angle)

    def drive_translation(self, joint: str, displacement: Number, name: str | None = None) -> Model:
        """Drive how far b has slid along the axis of a joint, m, by an expression of t; in space."""
        return self.drive("translation", name, joint=joint, displacement=displacement)

    def drive_relative_rotation(self, a: str, b: str, angle: Number, name: str | None = None) -> Model:
        """Drive the angle of body b relative to body a, rad, by an expression of t."""
        return self.drive("relative-rotation", name, a=a, b=b, angle=angle)

    def drive_frame(
        self, point: str, x: Number, y: Number, z: Number, angles: Pair, sequence: str = "xyz", name: str | None = None
    ) -> Model:
        """Drive a point, m, and the orientation of its body, rad, by expressions of t: see `drive_orientation`; in space."""
        return self.drive("frame", name, point=point, x=x, y=y, z=z, angles=plain(angles), sequence=sequence)

    def drive_distance(self, a: str, b: str, length: Number, name: str | None = None) -> Model:
        """Drive the distance of two points, m, by an expression of t."""
        return self.drive("distance", name, a=a, b=b, length=length)

    def drive_position(
        self,
        point: str,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        name: str | None = None,
    ) -> Model:
        """Drive coordinates of a point, m, by expressions of t; those that are not given stay free."""
        return self.drive("position", name, point=point, x=x, y=y, z=z)

    def drive_orientation(
        self,
        body: str,
        angles: Pair | None = None,
        sequence: str = "xyz",
        *,
        quaternion: Pair | None = None,
        relative_to: str = "ground",
        name: str | None = None,
    ) -> Model:
        """Drive the orientation of a body by three angles, rad, about axes of the body in a sequence, or by a quaternion
        [w, x, y, z], as expressions of t; in space."""
        fields: dict[str, Any] = {"sequence": sequence} if quaternion is None else {"quaternion": plain(quaternion)}
        fields |= {"relative_to": relative_to, "angles": plain(angles)}
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
    ) -> Model:
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
    ) -> Model:
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
    ) -> Model:
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
    ) -> Model:
        """An elastic joint of two points, at rest as drawn: N/m, N m/rad, N s/m, N m s/rad along and about the axes of a's
        body; in space."""
        fields = {"stiffness": stiffness, "torsional_stiffness": torsional_stiffness}
        fields |= {"damping": damping, "torsional_damping": torsional_damping}
        return self.force("bushing", name, a=a, b=b, **{key: plain(value) for key, value in fields.items()})

    def joint_bumper(
        self,
        joint: str,
        *,
        lower: Number,
        upper: Number,
        stiffness: Number,
        damping: Number = 0.0,
        name: str | None = None,
    ) -> Model:
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
    ) -> Model:
        """Elastic stops at both ends of a range (rad) of the angle of body b relative to body a."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "damping": damping}
        return self.force("bumper", name, a=a, b=b, **fields)

    def apply_force(self, at: str, value: Pair, frame: str = "ground", name: str | None = None) -> Model:
        """A force [x, y] or [x, y, z] in N at a point, constant or expressions of t, in the ground or the body frame."""
        return self.force("force", name, at=at, value=list(value), frame=frame)

    def apply_moment(self, at: str, value: Number, name: str | None = None) -> Model:
        """A moment in N m on the tangent of a beam at a point, constant or an expression of t."""
        return self.force("moment", name, at=at, value=value)

    def apply_distributed_force(self, beam: str, value: Pair, frame: str = "ground", name: str | None = None) -> Model:
        """A force per length [x, y] in N/m along a whole beam, constant or expressions of t; in the frame body along its
        tangent and normal."""
        return self.force("distributed-force", name, beam=beam, value=list(value), frame=frame)

    def apply_torque(self, body: str, value: Number | Pair, frame: str = "ground", name: str | None = None) -> Model:
        """A torque in N m on a body, constant or an expression of t; in space a vector in the ground or the body frame."""
        fields = {"value": plain(value)} | ({"frame": frame} if self.dimension == 3 else {})
        return self.force("torque", name, body=body, **fields)

    def joint_torque(self, joint: str, value: Number, name: str | None = None) -> Model:
        """A torque in N m about the axis of a joint, on b and its opposite on a, constant or an expression of t; in space."""
        return self.force("joint-torque", name, joint=joint, value=value)

    def contact(
        self,
        touching: str | Circle | Along | Sphere | Sequence[str | Sphere],
        surface: Surface | dict[str, Any],
        *,
        law: ContactLaw | dict[str, Any] | None = None,
        friction: Friction | dict[str, Any] | None = None,
        restitution: Number | None = None,
        material: dict[str, Any] | None = None,
        approach_speed: Number | None = None,
        slowest_approach: Number | None = None,
        name: str | None = None,
    ) -> Model:
        """Let a point, a circle on a body or a beam (all of its nodes: gw.Along) touch a surface: LineGround, Line,
        Polyline, Circle, Segment or Face. In space: a point, a sphere, or a list of points or of spheres, on PlaneGround,
        Plane, Sphere or HeightField.

        law: the normal force, such as gw.Hertz(stiffness=1e6). friction: the tangential force, such as gw.Coulomb(0.4).
        restitution: for the method moreau, 0 to 1; that of the law unless given. material: {youngs_modulus (Pa),
        poissons_ratio, density (kg/m^3), radius (m)}, from which the stiffness is computed unless given; see docs.
        approach_speed: m/s, of a contact that is closed at the start. slowest_approach: m/s, approach speeds below it
        count as this one (1e-3)."""
        entry: dict[str, Any] = {"name": name, **touched(touching), "surface": said(surface), "law": said(law)}
        entry |= {"friction": said(friction), "restitution": restitution, "material": material}
        entry |= {"approach_speed": approach_speed, "slowest_approach": slowest_approach}
        place = f"contact {len(self.document.contacts) + 1}"
        self.document.contacts.append(validate_contact(entry, place, self.dimension))
        return self

    def gait(
        self,
        *feet: str,
        drive: str | None = None,
        hip: str | None = None,
        penetration: Number | None = None,
        level: Number | None = None,
        period: Number | None = None,
        body_speed: Number | None = None,
        law: ContactLaw | dict[str, Any] | None = None,
        friction: Friction | dict[str, Any] | None = None,
    ) -> Model:
        """Say what makes this mechanism a leg, for `gw.analyse_leg`, `gaitwright leg` and `gaitwright compare`.

        feet: points that touch the ground. drive: of the crank; the only rotating one unless given. hip: point from which
        the length of the leg counts; that of the crank unless given. penetration: m, of the lowest foot into the ground, or
        level: m, height of the ground. period: s, of a turn; from the speed of the crank unless given. body_speed: m/s, of
        the hip over the ground; that of the feet in stance unless given. law, friction: of the feet on the ground."""
        fields: dict[str, Any] = {"feet": list(feet), "drive": drive, "hip": hip, "penetration": penetration}
        fields |= {
            "level": level,
            "period": period,
            "body_speed": body_speed,
            "law": said(law),
            "friction": said(friction),
        }
        self.document.gait = validate_gait(validate_part(Gait, "gait", fields))
        return self

    def output(self, *names: str) -> Model:
        """Outputs that results and files show; all of them unless named."""
        self.document.outputs.extend(self._checked("outputs", list(names)))
        return self

    def _unused_point(self, name: str) -> None:
        for known in (self.document.points, self.document.ground.points):
            At(f"point '{name}'").unused(name, known)

    def _checked(self, field: str, value: Any) -> Any:
        """What is added to a field, validated; only that, so that the cost of a model grows with its size."""
        return getattr(validate_document({field: value, "gaitwright": 1, "dimension": self.dimension}), field)

    def _part(self, section: str, label: str, fields: dict[str, Any]) -> None:
        """Add a body, link or beam."""
        if section == "beams" and self.dimension == 3:
            At(label).fail("beams are for models in the plane", expected="dimension=2")
        kind = get_args(type(self.document).model_fields[section].annotation)[0]
        getattr(self.document, section).append(validate_part(kind, label, fields, self.dimension))

    def _element(self, section: str, type_: str | type[Declaration], name: str | None, fields: dict[str, Any]) -> Model:
        kind = type_ if isinstance(type_, str) else type_.name
        entry = {"type": kind, "name": name, **{key: value for key, value in fields.items() if value is not None}}
        place = f"{section[:-1]} {len(getattr(self.document, section)) + 1}"
        getattr(self.document, section).append(validate_element(section, entry, place, self.dimension))
        return self

    # analysing -------------------------------------------------------------------------------------------------------

    def mechanism(self, **parameters: float) -> Mechanism:
        """The tables of this model, with parameters overridden; for those who look below the surface."""
        from gaitwright.model.plausible import doubts
        from gaitwright.result.catalogue import check_outputs

        mechanism = self.lowered(parameters)
        mechanism.warnings += doubts(self.document, mechanism, parameters)
        if self.document.outputs:
            check_outputs(mechanism, self.document.outputs)
        return mechanism

    def lowered(self, parameters: Mapping[str, float]) -> Mechanism:
        """The tables as they are, without doubts."""
        from gaitwright.model.lower import lower

        return lower(self.document, dict(parameters))

    def assemble(self, time: float = 0.0) -> Start:
        """Close the joints and find consistent velocities at a time, without analysing further."""
        from gaitwright.analyse.start import start

        return start(self.mechanism(), time)

    def check(self) -> Any:
        """Degrees of freedom, redundant and conflicting joints, error of the drawn pose; see analyse/check.py."""
        from gaitwright.analyse.check import check

        return check(self.mechanism())

    def kinematics(
        self,
        until: float | None = None,
        *,
        step: float = 1e-3,
        times: Any = None,
        progress: Any = None,
        max_steps: float | None = None,
        max_seconds: float | None = None,
    ) -> Result:
        """Position, velocity, acceleration and reactions of a mechanism whose drives leave no freedom.

        until: s, sampled every `step` s; or times: increasing array, s.
        max_steps, max_seconds: how much work it may take before it is given up with what was computed; as every analysis,
            1e8 steps and an hour unless given."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.kinematics import follow_drives

        times, budget = sample_times(until, step) if times is None else times, Budget(max_steps, max_seconds)
        return follow_drives(self.mechanism(), times, progress=progress, document=self.to_dict(), budget=budget)

    def inverse(
        self,
        until: float | None = None,
        *,
        step: float = 1e-3,
        times: Any = None,
        progress: Any = None,
        max_steps: float | None = None,
        max_seconds: float | None = None,
        **options: Any,
    ) -> Result:
        """Drive torques or forces and every joint reaction. A mechanism that keeps free degrees of freedom is solved as
        forward dynamics with the drives' reactions reported (options as in `simulate`)."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.inverse import inverse

        times = sample_times(until, step) if times is None else times
        options["budget"] = Budget(max_steps, max_seconds)
        return inverse(self.mechanism(), times, progress=progress, document=self.to_dict(), **options)

    def simulate(
        self,
        until: float,
        *,
        start: Result | None = None,
        max_steps: float | None = None,
        max_seconds: float | None = None,
        **options: Any,
    ) -> Result:
        """Forward dynamics from the start pose to `until` (s), or from the last state of another result of this model (an
        equilibrium, a run), which is then the state at time 0.

        method: euler, rk4, gill, gauss1, gauss2, gauss3, generalized-alpha (fixed step), dopri5, radau5, rosenbrock23
            (adaptive), moreau (fixed step, contacts as rigid). Without a name: dopri5, or generalized-alpha when a step is
            given. See docs: choosing a method.
        step: s, for fixed-step methods. tolerance: for adaptive methods, relative to the size of each coordinate.
        stabilisation: none, baumgarte (alpha, beta in 1/s) or projection (default) for the methods on index-1 form.
        spectral_radius: damping of generalized-alpha, 0 to 1. complementarity: lemke or pgs, for moreau.
        every: store every n-th fixed step; 0 also stores the parts into which contacts divide steps.
        output_step: spacing of outputs of adaptive methods, s (1/1000 of the run unless given; 0: every step).
        store: names of outputs that are kept at all output times, beside energies and evidence; whole states then only at 50
            times, for pictures, and at the end. "all": the states at all output times, from which every output is computed
            when asked for. Unless given: all up to 250 MB, otherwise the outputs of the model (`output`).
        max_steps, max_seconds: how many steps may be tried (1e8) and how much wall time may pass (3600 s) before the run is
            given up, with what was computed.
        progress: called with the fraction done. Ctrl-C keeps what was computed."""
        from gaitwright.analyse.ahead import prepare_forward
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.forward import choose_method, simulate
        from gaitwright.analyse.start import from_state

        prepare_forward(choose_method(options.get("method"), options.get("step")), bool(self.document.contacts))
        mechanism, options["budget"] = self.mechanism(), Budget(max_steps, max_seconds)
        if start is not None:
            options["begin"] = from_state(mechanism, start.motion.q[-1], start.motion.v[-1])
        return simulate(mechanism, float(until), document=self.to_dict(), **options)

    def static(self, time: float = 0.0, *, max_steps: float | None = None, max_seconds: float | None = None) -> Result:
        """Equilibrium under springs and loads, with drives and loads as at `time`, nearest to the drawn pose.

        max_steps, max_seconds: factorisations and wall time after which the search is given up."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.statics.equilibrium import equilibrium

        budget = Budget(max_steps, max_seconds)
        return equilibrium(self.mechanism(), time, document=self.to_dict(), budget=budget)

    def static_path(
        self,
        until: float | None = None,
        *,
        steps: int | None = None,
        control: str = "time",
        start: float | Result = 0.0,
        stop: dict[str, float] | None = None,
        times: Any = None,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Any = None,
    ) -> Result:
        """Equilibria while drives and loads change slowly from `start` to `until` (s); t is a pseudo-time.

        control: "time" steps in t, evenly spaced (`steps`, 20 unless given, or at given `times`), and fails at a limit
            point. "arc-length" follows the curve of equilibria through limit points, where the mechanism would snap, and
            back in t; it takes `steps` (50 unless given) and more, as many as it is longer than from `start` to `until`.
        start: s, from the equilibrium nearest to the drawn pose; or a Result, from its last pose and time.
        stop: ends the path where an output reaches a value, such as {"rod.end.y": -0.2}.
        max_steps: along the arc, after which a path that has not come to its end is cut (500 unless given);
            `evidence.complete` is then False, and a warning tells where it stands.
        max_seconds: wall time after which the path is given up, with what was found (3600 unless given).

        Limit and bifurcation points are in `evidence.warnings`, the number of unstable motions in "evidence.unstable"."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.statics.path import static_path

        options = {
            "steps": steps,
            "control": control,
            "start": start,
            "stop": stop,
            "times": times,
            "max_steps": max_steps,
        }
        options["budget"] = Budget(max_seconds=max_seconds)
        return static_path(self.mechanism(), until, progress=progress, document=self.to_dict(), **options)

    def modes(
        self,
        count: int | None = None,
        time: float = 0.0,
        *,
        max_steps: float | None = None,
        max_seconds: float | None = None,
    ) -> Modes:
        """Frequencies, damping and shapes of small vibrations about the equilibrium nearest to the drawn pose; the search
        for it takes at most max_steps factorisations and max_seconds.

        count: how many, the lowest; all unless given, or 20 of a model with more than 4000 coordinates."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.modes import modes

        budget = Budget(max_steps, max_seconds)
        return modes(self.mechanism(), time, count, document=self.to_dict(), budget=budget)

    def analyse(self, progress: Any = None) -> Any:
        """Run the analysis that the document asks for (section `analysis`); see model/analysis.py."""
        from gaitwright.model.analysis import run_analysis

        return run_analysis(self, progress)

    def draw(self, path: str | Path) -> Path:
        """PNG of the assembled mechanism; of the drawn pose if it cannot be closed."""
        from gaitwright.analyse.check import draw_pose

        return draw_pose(self.mechanism(), path)

    # documents -------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The document with everything that was left out still left out; ready for JSON or YAML."""
        raw = self.document.model_dump(by_alias=True, exclude_none=True)
        return {key: tidy(value) for key, value in raw.items() if value not in ([], {}, {"points": {}})}

    @classmethod
    def from_dict(cls, raw: Any) -> Self:
        """A model from a document, as read from a model file."""
        return cls.of(validate_document(raw))

    @classmethod
    def of(cls, document: Document) -> Self:
        """A model from a document that was checked already."""
        model = cls.__new__(cls)
        model.document = document
        return model

    def save(self, path: str | Path) -> Path:
        """Write the model file."""
        from gaitwright.model.files import write_model

        return write_model(self, path)

    def copy(self, **parameters: Number) -> Model:
        """The same model with other parameter values."""
        raw = self.to_dict()
        unknown = sorted(set(parameters) - set(raw.get("parameters", {})))
        if unknown:
            known = ", ".join(raw.get("parameters", {})) or "none"
            At(field=unknown[0]).fail("is not a parameter of this model", expected=f"one of: {known}")
        raw["parameters"] = {**raw.get("parameters", {}), **parameters}
        copy = type(self).from_dict(raw)
        for name, series in self.document.series.items():  # what reading their files told is not in the document
            copy.document.series[name]._from_file = series._from_file
        return copy

    def __repr__(self) -> str:
        d: Document = self.document
        parts = {"bodies": len(d.links) + len(d.bodies), "joints": len(d.joints), "drives": len(d.drives)}
        parts |= {"beams": len(d.beams)} if d.beams else {}
        parts |= {"parts": len(d.parts)} if d.parts else {}
        parts |= {"contacts": len(d.contacts)} if d.contacts else {}
        return f"<Model '{d.name}': {', '.join(f'{count} {what}' for what, count in parts.items())}>"


def _listed(numbers: Any) -> Any:
    """An array or another sequence as a list; what is neither is left for the check."""
    if isinstance(numbers, (str, dict)) or not hasattr(numbers, "__iter__"):
        return numbers
    return numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)


def sample_times(until: float | None, step: float) -> np.ndarray:
    """Evenly spaced times from 0 to `until`, s, about `step` apart."""
    at = At("analysis")
    until, step = at["until"].positive(until, "s"), at["step"].positive(step, "s")
    if until / step > MOST_SAMPLES:
        least = f"a step of at least {until / MOST_SAMPLES:.2g} s"
        at["step"].fail(f"asks for {until / step:.2g} samples", step, least)
    count = max(1, round(until / step))
    return np.linspace(0.0, until, count + 1)
