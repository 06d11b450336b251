"""Construction of a model: all parts are added to one document, the same that a model file contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, get_args

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.serialisation import (
    NumberLike,
    VectorLike,
    choice_entry,
    drop_empty,
    given_fields,
    make_vector,
    to_list,
    to_plain_lists,
)
from gaitwright.model.shortcuts import DriveMethods, ForceMethods, JointMethods
from gaitwright.model.spec.document import SECTION_NOUNS, GaitSpec, ModelDocument
from gaitwright.model.spec.validation import (
    validate_contact,
    validate_document,
    validate_element,
    validate_gait,
    validate_part,
)
from gaitwright.model.surfaces import Along, Circle, Foundation, Skin, Sphere, SurfaceDescription, touching_entry
from gaitwright.physics.declarations import ContactLaw, Declaration, Friction


class ModelBuilder:
    """Points, bodies, beams, joints, drives, forces and contacts, as an editable document; see Model."""

    document: ModelDocument

    def __init__(
        self,
        name: str = "mechanism",
        *,
        dimension: int = 2,
        gravity: VectorLike | None = None,
        parameters: dict[str, NumberLike] | None = None,
    ):
        """Create an empty model. gravity: m/s^2; default 9.81 along -y in the plane and along -z in space."""
        raw = {"gaitwright": 1, "name": name, "dimension": dimension, "parameters": to_plain_lists(parameters or {})}
        self.document = validate_document(raw | ({} if gravity is None else {"gravity": to_plain_lists(gravity)}))

    @property
    def dimension(self) -> int:
        """Dimension of the model, 2 or 3."""
        return self.document.dimension

    def ground_point(self, name: str, x: NumberLike, y: NumberLike, z: NumberLike | None = None) -> Self:
        """Add a ground point; coordinates in m."""
        self._unused_point(name)
        self.document.ground.points.update(self._checked("ground", {"points": {name: make_vector(x, y, z)}}).points)
        return self

    def point(self, name: str, x: NumberLike, y: NumberLike, z: NumberLike | None = None) -> Self:
        """Add the drawn position of a moving point, m: the initial guess for closing the joints."""
        self._unused_point(name)
        self.document.points.update(self._checked("points", {name: make_vector(x, y, z)}))
        return self

    def velocity(self, point: str, vx: NumberLike, vy: NumberLike, vz: NumberLike | None = None) -> Self:
        """Request a start velocity of a point, m/s; the remaining velocities follow from the joints and drives."""
        self.document.velocities.update(self._checked("velocities", {point: make_vector(vx, vy, vz)}))
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
    ) -> Self:
        """Add a measured function of time for expressions: `knee(t)`, `2*knee(t - 0.1)`. A cubic spline through all points.

        times: s, increasing; values: in any unit; or file: a table (CSV), with its columns `time` and `value`.
        periodic: repeats for ever; the last point closes the period. outside: behaviour before and after the points, error
        (default) or hold. cutoff: Hz, of a zero-lag Butterworth filter of fourth order applied first. unit: of the values,
        such as "deg" or "mm", from which they are converted to SI; without it, values of a file that declares its angles in
        degrees are converted. Rounded times are put back on their uniform grid."""
        fields: dict[str, Any] = {"times": to_list(times), "values": to_list(values), "time": time, "value": value}
        fields |= {"file": None if file is None else str(file), "periodic": periodic or None, "outside": outside}
        ErrorContext(f"series '{name}'").unused(name, self.document.series)
        self.document.series.update(self._checked("series", {name: {**fields, "cutoff": cutoff, "unit": unit}}))
        return self

    def link(
        self,
        name: str,
        start: str,
        end: str,
        *,
        mass: NumberLike,
        length: NumberLike | None = None,
        inertia: NumberLike | None = None,
        radius: NumberLike | None = None,
        points: dict[str, VectorLike] | None = None,
        shapes: Sequence[dict[str, Any]] | None = None,
    ) -> Self:
        """Add a uniform slender bar from point `start` to point `end`; in space a solid cylinder.

        length: m, default as drawn. mass: kg. inertia: kg m^2 about the centre, in the plane; default mass length^2 / 12.
        radius: m, in space. points: more points of the link, in its frame (origin at its centre, x towards `end`; in space
        y is level). shapes: in the plane, for pictures: meshes whose outline is drawn, such as [{"mesh": "crank.stl"}]."""
        fields = {"from": start, "to": end, "length": length, "mass": mass, "inertia": inertia, "radius": radius}
        return self._part("links", name, {**fields, "points": points, "shapes": shapes})

    def body(
        self,
        name: str,
        *,
        mass: NumberLike,
        inertia: NumberLike | VectorLike,
        at: VectorLike | None = None,
        angle: NumberLike | None = None,
        velocity: VectorLike | None = None,
        spin: NumberLike | VectorLike | None = None,
        points: dict[str, VectorLike] | None = None,
        centre: VectorLike | None = None,
        orientation: dict[str, Any] | None = None,
        shapes: Sequence[dict[str, Any]] | None = None,
    ) -> Self:
        """Add a rigid body: mass (kg), drawn pose (m, rad), points in the body frame, requested start velocity of its centre of
        mass (m/s).

        In the plane: inertia in kg m^2; the origin of the body frame is the centre of mass, rotated by `angle`.
        In space: inertia [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centre of mass, in the body frame;
        centre: centre of mass in that frame, default the origin; orientation: {"quaternion": [w, x, y, z]} or
        {"angles": [degrees], "sequence": "xyz"} or {"axes": [v1, v2, v3]}; spin: angular velocity [x, y, z] in the ground
        frame, rad/s; shapes: for pictures, such as [{"box": [0.1, 0.1, 0.4]}]."""
        fields = {"mass": mass, "inertia": inertia, "at": at, "angle": angle, "velocity": velocity, "spin": spin}
        fields |= {"points": points, "centre": centre, "orientation": orientation, "shapes": shapes}
        return self._part("bodies", name, fields)

    def beam(
        self,
        name: str,
        start: str,
        end: str,
        *,
        elements: int = 8,
        length: NumberLike | None = None,
        youngs_modulus: NumberLike | None = None,
        density: NumberLike | None = None,
        width: NumberLike | None = None,
        height: NumberLike | None = None,
        formulation: str = "continuum",
        integration: str | None = None,
        damping: NumberLike = 0.0,
        curvature: NumberLike = 0.0,
        points: dict[str, NumberLike] | None = None,
        **fields: Any,
    ) -> Self:
        """Add a flexible beam (ANCF) from point `start` to point `end`; points {name}.start, .end, .node1, .node2, ...

        length: m, unstressed; default as drawn. youngs_modulus: Pa. density: kg/m^3. width, height (in the plane of
        bending): m; or diameter, or area and second_moment (m^2, m^4); or directly axial_stiffness (N), bending_stiffness (N
        m^2) and mass_per_length (kg/m). Section and curvature (1/m, of the unstressed shape) may be expressions of the arc
        length s. formulation: continuum or takahashi (paper 002). integration: reduced (default of continuum, does not lock)
        or full. damping: s, Kelvin-Voigt. points: more named nodes by their arc length, m. bow: left or right, the side to
        which it is drawn bent if it is longer than the distance of its ends; between ground points it is always bent.
        prestress: "drawn" keeps its ends at their drawn distance at the start, whatever strain that takes; otherwise it
        starts without stress as far as the loops allow.

        In space: height along `normal`, the direction [x, y, z] of axis 2 of the section at the start; width along axis 3,
        perpendicular to the beam and to axis 2. shear_modulus (Pa) or poissons_ratio, or torsional_stiffness (N m^2).
        bending_stiffness and curvature for both axes, or [about axis 2, about axis 3]. stiffness: 4 x 4, of strain, twist and
        both curvatures, for a section that couples them. twist: rad/m, of the unstressed shape. through: points [x, y, z] of
        its centre line, an arc through one, a spline through several. inertia_per_length: kg m, about both axes. formulation,
        integration, bow and prestress are for the plane."""
        fields |= {"from": start, "to": end, "elements": elements, "length": length, "width": width, "height": height}
        fields |= {"youngs_modulus": youngs_modulus, "density": density, "points": points, "damping": damping}
        fields |= {"curvature": curvature}
        if self.dimension == 2 or formulation != "continuum" or integration is not None:
            fields |= {"formulation": formulation, "integration": integration}
        return self._part("beams", name, fields)

    def solid(
        self,
        name: str,
        mesh: Any,
        *,
        material: Any,
        density: NumberLike | None = None,
        fixed: Any = None,
        at: Sequence[NumberLike] | None = None,
        elements: str | None = None,
        regions: Mapping[str, Any] | None = None,
        points: Mapping[str, Sequence[NumberLike]] | None = None,
        **fields: Any,
    ) -> Self:
        """Add a deformable solid on a finite-element mesh; its places are {name}.{region}, {name}.{point}, {name}.node1, ...

        mesh: gw.mesh.box(...), a file, or a shape as in a model file. material: gw.materials.NeoHookean(youngs_modulus=1e6,
        poissons_ratio=0.3), or several, each a mapping with a `region` of cells; its damping (s) is proportional to the
        stiffness. density: kg/m^3. fixed: immovable part: the name of a region, a selector (gw.mesh.BoxSelector(...)), or
        {"region": ..., "axes": "x"}; {"region": ..., "to": body} moves with a body; or several. at: m, position of the origin
        of the mesh; angle, axis: rotation there. elements: linear or quadratic; default as in the mesh. points: named nodes,
        nearest to these positions, m. velocity, spin: m/s of its centre of mass, and rad/s, at the start. In the plane it is in
        plane strain; thickness: m, default 1. lumped: diagonal mass matrix. quasi_static: in equilibrium at every instant, as a
        force between its carrying body and a plane: {"plane": [0, 0, 1, 0]}; with {"condensed": True, "friction": 0.6} it has
        friction on that plane, or on a "surface" as in contacts. condensed: {"onto": regions}, linear inside and reduced to the
        nodes of these regions."""
        from gaitwright.model.solid_serialisation import serialise_solid

        fields |= {"mesh": mesh, "material": material, "density": density, "at": at, "elements": elements}
        fields |= {"points": points, "fixed": fixed, "regions": regions}
        return self._part("solids", name, serialise_solid(fields))

    def part(self, type: str | type[Declaration], name: str, **fields: Any) -> Self:
        """Add a part of a user-defined type, with the fields of this type: see gw.extend.PartType."""
        return self._add_element("parts", type, name, fields)

    @property
    def joint(self) -> JointMethods[Self]:
        """Joints: `model.joint.revolute(a, b)`, or `model.joint(type, name, ...)` for any type; see docs, or physics/joints."""
        return JointMethods(self)

    @property
    def drive(self) -> DriveMethods[Self]:
        """Drives: `model.drive.rotation(body, angle)`, or `model.drive(type, name, ...)` for any type."""
        return DriveMethods(self)

    @property
    def force(self) -> ForceMethods[Self]:
        """Forces: `model.force.at_point(point, value)`, or `model.force(type, name, ...)` for any type."""
        return ForceMethods(self)

    def contact(
        self,
        touching: str | Circle | Along | Sphere | Skin | Foundation | Sequence[str | Sphere],
        surface: SurfaceDescription | dict[str, Any],
        *,
        law: ContactLaw | dict[str, Any] | None = None,
        friction: Friction | dict[str, Any] | None = None,
        restitution: NumberLike | None = None,
        material: dict[str, Any] | None = None,
        approach_speed: NumberLike | None = None,
        slowest_approach: NumberLike | None = None,
        name: str | None = None,
    ) -> Self:
        """Add a contact of a point, a circle on a body or a beam (all of its nodes: gw.surfaces.Along) with a surface:
        LineGround, Line,
        Polyline, Circle, Segment or Face. In space: a point, a sphere, or a list of points or of spheres, on PlaneGround,
        Plane, Sphere or HeightField. Of a solid: its surface or a region of it, gw.surfaces.Skin("foot", "sole"). Of a
        rigid body
        with a soft layer: gw.surfaces.Foundation("foot", mesh, thickness=0.012, modulus=2e5).

        law: the normal force, such as gw.laws.Hertz(stiffness=1e6). friction: the tangential force, such as
        gw.friction.Coulomb(0.4).
        restitution: for the method moreau, 0 to 1; default that of the law. material: {youngs_modulus (Pa),
        poissons_ratio, density (kg/m^3), radius (m)}, from which a missing stiffness is computed; see docs.
        approach_speed: m/s, of a contact that is closed at the start. slowest_approach: m/s, lower bound of the approach speed
        in the law (1e-3)."""
        entry: dict[str, Any] = {
            "name": name,
            **touching_entry(touching),
            "surface": choice_entry(surface),
            "law": choice_entry(law),
        }
        entry |= {"friction": choice_entry(friction), "restitution": restitution, "material": material}
        entry |= {"approach_speed": approach_speed, "slowest_approach": slowest_approach}
        label = f"contact {len(self.document.contacts) + 1}"
        self.document.contacts.append(validate_contact(entry, label, self.dimension))
        return self

    def gait(
        self,
        *feet: str,
        drive: str | None = None,
        hip: str | None = None,
        penetration: NumberLike | None = None,
        level: NumberLike | None = None,
        period: NumberLike | None = None,
        body_speed: NumberLike | None = None,
        law: ContactLaw | dict[str, Any] | None = None,
        friction: Friction | dict[str, Any] | None = None,
        motor: Any = None,
    ) -> Self:
        """Declare this mechanism a leg, for `gw.analyse_leg`, `gaitwright leg` and `gaitwright compare`.

        feet: points that touch the ground. drive: of the crank; default the only rotating one. hip: point from which
        the length of the leg counts; default that of the crank. penetration: m, of the lowest foot into the ground, or
        level: m, height of the ground. period: s, of a turn; default from the speed of the crank. body_speed: m/s, of
        the hip over the ground; default that of the feet in stance. law, friction: of the feet on the ground.
        motor: of the crank, gw.Motor(...) or its fields."""
        fields: dict[str, Any] = {"feet": list(feet), "drive": drive, "hip": hip, "penetration": penetration}
        fields |= {"level": level, "period": period, "body_speed": body_speed}
        fields |= {"law": choice_entry(law), "friction": choice_entry(friction)}
        fields["motor"] = motor.entry() if hasattr(motor, "entry") else motor
        self.document.gait = validate_gait(validate_part(GaitSpec, "gait", fields))
        return self

    def cuff(self, name: str, at: str, segment: str, type: str = "rigid", **fields: Any) -> Self:
        """Attach a point of a device to a segment of the wearer: shank, foot, thigh (of the leg that wears it), right_shank
        ..., pelvis, trunk. The device is drawn on a person standing upright; see docs: devices on people.

        type: rigid; bushing, with stiffness (N/m along x, y, z of the segment: forward, up, to the right), torsional_stiffness
        (N m/rad) and damping (s, over stiffness); or pad, a mapping with youngs_modulus (Pa), thickness, height, radius (m)."""
        entry = {"name": name, "at": at, "segment": segment, "type": type, **given_fields(fields)}
        rest = self.document.worn.model_dump(exclude_none=True) if self.document.worn else {}
        return self._wear({**rest, "cuffs": [*rest.get("cuffs", []), entry]})

    def worn(self, side: str | None = None, over_cycle: Sequence[str] = ()) -> Self:
        """Set the side of a device for cuffs without a side: right, left or both. over_cycle: series that are functions of
        the gait cycle, from 0 to 1, instead of time. To be called after `cuff`."""
        if self.document.worn is None:
            ErrorContext("worn", "cuffs").fail("is missing", expected="a cuff before, by model.cuff(name, at, segment)")
        rest = self.document.worn.model_dump(exclude_none=True)
        return self._wear({**rest, "side": side, "over_cycle": list(over_cycle)})

    def _wear(self, worn: dict[str, Any]) -> Self:
        raw = {"gaitwright": 1, "dimension": self.dimension, "series": self.document.series, "worn": worn}
        self.document.worn = validate_document(raw).worn
        return self

    def output(self, *names: str) -> Self:
        """Select the outputs shown in results and files; default all."""
        self.document.outputs.extend(self._checked("outputs", list(names)))
        return self

    def quantity(self, name: str, value: NumberLike, *, unit: str | None = None, description: str = "") -> Self:
        """Add a user-defined output: quantity("trunk.flexion", "pi/2 - trunk.angle", unit="deg").

        value: an expression of outputs, parameters and t, in SI; an output with a hyphen in its name is written in braces,
        {knee-motor.torque}. unit: display unit, default SI; other quantities always use its value in SI."""
        ErrorContext(f"quantity '{name}'").unused(name, self.document.quantities)
        fields = {"value": value, "unit": unit, "description": description}
        self.document.quantities.update(self._checked("quantities", {name: fields}))
        return self

    def chart(self, x: str, *y: str, title: str = "") -> Self:
        """Add a chart of outputs y, in one unit, over an output x (or time): on the page of a run, in its summary and
        pictures."""
        self.document.charts.extend(self._checked("charts", [{"x": x, "y": list(y), "title": title}]))
        return self

    def _unused_point(self, name: str) -> None:
        for points in (self.document.points, self.document.ground.points):
            ErrorContext(f"point '{name}'").unused(name, points)

    def _checked(self, field: str, value: Any) -> Any:
        """Validate an addition to a field, without the rest of the document: the cost grows linearly with the model size."""
        return getattr(validate_document({field: value, "gaitwright": 1, "dimension": self.dimension}), field)

    def _part(self, section: str, name: str, fields: dict[str, Any]) -> Self:
        """Add a body, link or beam."""
        kind = get_args(type(self.document).model_fields[section].annotation)[0]
        checked = validate_part(
            kind, f"{SECTION_NOUNS[section]} '{name}'", {"name": name, **given_fields(fields)}, self.dimension
        )
        getattr(self.document, section).append(checked)
        return self

    def _add_element(
        self, section: str, type_: str | type[Declaration], name: str | None, fields: dict[str, Any]
    ) -> Self:
        """Add a user-defined part, a joint, a drive or a force."""
        entry = {"type": getattr(type_, "name", type_), "name": name, **given_fields(fields)}
        label = f"{SECTION_NOUNS[section]} {len(getattr(self.document, section)) + 1}"
        getattr(self.document, section).append(validate_element(section, entry, label, self.dimension))
        return self

    def to_dict(self) -> dict[str, Any]:
        """Document as a dict without omitted fields; ready for JSON or YAML."""
        raw = self.document.model_dump(by_alias=True, exclude_none=True)
        return {key: drop_empty(value) for key, value in raw.items() if value not in ([], {}, {"points": {}})}

    @classmethod
    def from_dict(cls, raw: Any) -> Self:
        """Create a model from a document, as read from a model file; ModelError if it is invalid."""
        model = cls.__new__(cls)
        model.document = validate_document(raw)
        return model

    def save(self, path: str | Path) -> Path:
        """Write the model file."""
        from gaitwright.model.io.files import write_model

        return write_model(self, path)

    def copy(self, **parameters: NumberLike) -> Self:
        """Return the same model with other parameter values; ModelError for an unknown parameter."""
        raw = self.to_dict()
        existing = raw.get("parameters", {})
        for name in sorted(set(parameters) - set(existing)):
            ErrorContext(field=name).fail(
                "is not a parameter of this model", expected=f"one of: {', '.join(existing) or 'none'}"
            )
        raw["parameters"] = {**existing, **parameters}
        copy = type(self).from_dict(raw)
        for name, series in self.document.series.items():  # data read from their files is not in the document
            copy.document.series[name]._from_file = series._from_file
        return copy

    def __repr__(self) -> str:
        d = self.document
        main_counts = {"bodies": len(d.links) + len(d.bodies), "joints": len(d.joints), "drives": len(d.drives)}
        other_counts = {"beams": len(d.beams), "parts": len(d.parts), "contacts": len(d.contacts)}
        counts = main_counts | {noun: count for noun, count in other_counts.items() if count}
        return f"<Model '{d.name}': {', '.join(f'{count} {noun}' for noun, count in counts.items())}>"
