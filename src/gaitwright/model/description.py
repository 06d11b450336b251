"""Description: what a model consists of. Everything it is told goes into one document, the same that a model file contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, get_args

from gaitwright.checks import At
from gaitwright.model.entries import Number, Pair, given, listed, plain, said, tidy, vector
from gaitwright.model.spec import SINGULAR, Document, Gait
from gaitwright.model.surfaces import Along, Circle, Foundation, Skin, Sphere, Surface, touched
from gaitwright.model.validate import (
    validate_contact,
    validate_document,
    validate_element,
    validate_gait,
    validate_part,
)
from gaitwright.physics.declare import ContactLaw, Declaration, Friction


class Description:
    """Points, bodies, beams, joints, drives, forces and contacts, as an editable document; see Model."""

    document: Document

    def __init__(
        self,
        name: str = "mechanism",
        *,
        dimension: int = 2,
        gravity: Pair | None = None,
        parameters: dict[str, Number] | None = None,
    ):
        """gravity: m/s^2; 9.81 along -y in the plane and along -z in space unless given."""
        given = {"gaitwright": 1, "name": name, "dimension": dimension, "parameters": plain(parameters or {})}
        self.document = validate_document(given | ({} if gravity is None else {"gravity": plain(gravity)}))

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self.document.dimension

    def ground_point(self, name: str, x: Number, y: Number, z: Number | None = None) -> Self:
        """A point of the ground, m."""
        self._unused_point(name)
        self.document.ground.points.update(self._checked("ground", {"points": {name: vector(x, y, z)}}).points)
        return self

    def point(self, name: str, x: Number, y: Number, z: Number | None = None) -> Self:
        """The drawn position of a moving point, m: where the assembly starts looking."""
        self._unused_point(name)
        self.document.points.update(self._checked("points", {name: vector(x, y, z)}))
        return self

    def velocity(self, point: str, vx: Number, vy: Number, vz: Number | None = None) -> Self:
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
    ) -> Self:
        """A measured function of time for expressions: `knee(t)`, `2*knee(t - 0.1)`. A cubic spline through all points.

        times: s, increasing; values: in any unit; or file: a table (CSV), with its columns `time` and `value`.
        periodic: repeats for ever; the last point closes the period. outside: what holds before and after the points,
        error (default) or hold. cutoff: Hz, smoothed by a zero-lag Butterworth filter of fourth order before. unit: of the
        values, such as "deg" or "mm", from which they are converted to SI; those of a file that says its angles are in
        degrees are converted unless it is given. Times that are rounded are put back on their even grid."""
        fields: dict[str, Any] = {"times": listed(times), "values": listed(values), "time": time, "value": value}
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
        shapes: Sequence[dict[str, Any]] | None = None,
    ) -> Self:
        """A uniform slender bar from point `start` to point `end`; in space a solid cylinder.

        length: m, as drawn unless given. inertia: kg m^2 about the centre, mass length^2 / 12 unless given, in the plane.
        radius: m, in space. points: more points of the link, in its frame (origin at its centre, x towards `end`; in space
        y is level). shapes: in the plane, for pictures: meshes whose outline is drawn, such as [{"mesh": "crank.stl"}]."""
        fields = {"from": start, "to": end, "length": length, "mass": mass, "inertia": inertia, "radius": radius}
        return self._part("links", name, {**fields, "points": points, "shapes": shapes})

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
    ) -> Self:
        """A rigid body: drawn pose (m, rad), points in its own frame, wanted start velocity of its centre of mass.

        In the plane: inertia in kg m^2, the origin of its frame is its centre of mass, turned by `angle`.
        In space: inertia [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centre of mass, in the body frame;
        centre: the centre of mass in that frame, its origin unless given; orientation: {"quaternion": [w, x, y, z]} or
        {"angles": [degrees], "sequence": "xyz"} or {"axes": [v1, v2, v3]}; spin: angular velocity [x, y, z] in the ground
        frame; shapes: for pictures, such as [{"box": [0.1, 0.1, 0.4]}]."""
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
    ) -> Self:
        """A flexible beam (ANCF) from point `start` to point `end`; its points are {name}.start, .end, .node1, .node2, ...

        length: m, unstressed; as drawn unless given. youngs_modulus: Pa. density: kg/m^3. width, height (in the plane of
        bending): m; or diameter, or area and second_moment (m^2, m^4); or axial_stiffness (N), bending_stiffness (N m^2)
        and mass_per_length (kg/m) themselves. Section and curvature (1/m, of the unstressed shape) may be expressions of
        the arc length s. formulation: continuum or takahashi (paper 002). integration: reduced (default of continuum, does
        not lock) or full. damping: s, Kelvin-Voigt. points: more named nodes by their arc length, m. bow: left or right, the
        side to which it is drawn bent if it is longer than the distance of its ends; between ground points it always is.
        prestress: "drawn" lets its ends start as far apart as they are drawn, whatever strain that takes; otherwise it starts
        without stress as far as the loops allow it.

        In space: height along `normal`, the direction [x, y, z] of axis 2 of the section at the start; width along axis 3,
        which is across both. shear_modulus (Pa) or poissons_ratio, or torsional_stiffness (N m^2). bending_stiffness and
        curvature for both axes, or [about axis 2, about axis 3]. stiffness: 4 x 4, of strain, twist and both curvatures, for
        a section that couples them. twist: rad/m, of the unstressed shape. through: points [x, y, z] of its centre line, an
        arc through one, a spline through several. inertia_per_length: kg m, about both axes. formulation, integration, bow
        and prestress are for the plane."""
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
        density: Number | None = None,
        fixed: Any = None,
        at: Sequence[Number] | None = None,
        elements: str | None = None,
        regions: Mapping[str, Any] | None = None,
        points: Mapping[str, Sequence[Number]] | None = None,
        **fields: Any,
    ) -> Self:
        """A deformable solid on a mesh of finite elements; its places are {name}.{region}, {name}.{point}, {name}.node1, ...

        mesh: gw.mesh.box(...), a file, or a shape as the model file says it. material: gw.NeoHookean(youngs_modulus=1e6,
        poissons_ratio=0.3), or several, each a mapping with a `region` of cells; damping (s) in it is proportional to the
        stiffness. density: kg/m^3. fixed: what of it does not move: the name of a region, a place (gw.mesh.Box(...)), or
        {"region": ..., "axes": "x"}; {"region": ..., "to": body} goes where a body goes; or several. at: m, where the origin
        of the mesh stands; angle, axis: turned there. elements: linear or quadratic; those of the mesh unless given. points:
        named nodes, next to these places, m. velocity, spin: m/s of its centre of mass, and rad/s, at the start. In the plane
        it is in plane strain; thickness: m, 1 unless given. lumped: a diagonal mass matrix. quasi_static: it rests
        at every instant, a force between the body that carries it and a plane: {"plane": [0, 0, 1, 0]}; with
        {"condensed": True, "friction": 0.6} it rubs on that, or on a "surface" as of contacts. condensed: {"onto": regions},
        linear inside and known by the nodes of these regions alone."""
        from gaitwright.model.solid_entries import in_words

        fields |= {"mesh": mesh, "material": material, "density": density, "at": at, "elements": elements}
        fields |= {"points": points, "fixed": fixed, "regions": regions}
        return self._part("solids", name, in_words(fields))

    def part(self, type: str | type[Declaration], name: str, **fields: Any) -> Self:
        """A part of a kind of its own, with the fields of its type: see gw.PartType."""
        return self._element("parts", type, name, fields)

    def joint(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> Self:
        """A joint of any type, with the fields of its declaration: see docs, or physics/joints."""
        return self._element("joints", type, name, fields)

    def drive(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> Self:
        """A drive of any type, with the fields of its declaration."""
        return self._element("drives", type, name, fields)

    def force(self, type: str | type[Declaration], name: str | None = None, **fields: Any) -> Self:
        """A force of any type, with the fields of its declaration."""
        return self._element("forces", type, name, fields)

    def contact(
        self,
        touching: str | Circle | Along | Sphere | Skin | Foundation | Sequence[str | Sphere],
        surface: Surface | dict[str, Any],
        *,
        law: ContactLaw | dict[str, Any] | None = None,
        friction: Friction | dict[str, Any] | None = None,
        restitution: Number | None = None,
        material: dict[str, Any] | None = None,
        approach_speed: Number | None = None,
        slowest_approach: Number | None = None,
        name: str | None = None,
    ) -> Self:
        """Let a point, a circle on a body or a beam (all of its nodes: gw.Along) touch a surface: LineGround, Line,
        Polyline, Circle, Segment or Face. In space: a point, a sphere, or a list of points or of spheres, on PlaneGround,
        Plane, Sphere or HeightField. Of a solid: its surface or a region of it, gw.Skin("foot", "sole"). Of a rigid body
        with something soft on it: gw.Foundation("foot", mesh, thickness=0.012, modulus=2e5).

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
        motor: Any = None,
    ) -> Self:
        """Say what makes this mechanism a leg, for `gw.analyse_leg`, `gaitwright leg` and `gaitwright compare`.

        feet: points that touch the ground. drive: of the crank; the only rotating one unless given. hip: point from which
        the length of the leg counts; that of the crank unless given. penetration: m, of the lowest foot into the ground, or
        level: m, height of the ground. period: s, of a turn; from the speed of the crank unless given. body_speed: m/s, of
        the hip over the ground; that of the feet in stance unless given. law, friction: of the feet on the ground.
        motor: of the crank, gw.Motor(...) or its fields."""
        fields: dict[str, Any] = {"feet": list(feet), "drive": drive, "hip": hip, "penetration": penetration}
        fields |= {"level": level, "period": period, "body_speed": body_speed}
        fields |= {"law": said(law), "friction": said(friction)}
        fields["motor"] = motor.entry() if hasattr(motor, "entry") else motor
        self.document.gait = validate_gait(validate_part(Gait, "gait", fields))
        return self

    def cuff(self, name: str, at: str, segment: str, type: str = "rigid", **fields: Any) -> Self:
        """Bind a point of a device to a segment of the person who wears it: shank, foot, thigh (of the leg that wears it),
        right_shank ..., pelvis, trunk. The device is drawn on somebody who stands upright; see docs: devices on people.

        type: rigid; bushing, with stiffness (N/m along x, y, z of the segment: forward, up, to the right), torsional_stiffness
        (N m/rad) and damping (s, over stiffness); or pad, a mapping with youngs_modulus (Pa), thickness, height, radius (m)."""
        entry = {"name": name, "at": at, "segment": segment, "type": type, **given(fields)}
        rest = self.document.worn.model_dump(exclude_none=True) if self.document.worn else {}
        return self._wear({**rest, "cuffs": [*rest.get("cuffs", []), entry]})

    def worn(self, side: str | None = None, over_cycle: Sequence[str] = ()) -> Self:
        """On which side a device is worn whose cuffs name none: right, left or both. over_cycle: series that are functions of
        the gait cycle, from 0 to 1, instead of time. After its cuffs."""
        if self.document.worn is None:
            At("worn", "cuffs").fail("is missing", expected="a cuff before, by model.cuff(name, at, segment)")
        rest = self.document.worn.model_dump(exclude_none=True)
        return self._wear({**rest, "side": side, "over_cycle": list(over_cycle)})

    def _wear(self, worn: dict[str, Any]) -> Self:
        raw = {"gaitwright": 1, "dimension": self.dimension, "series": self.document.series, "worn": worn}
        self.document.worn = validate_document(raw).worn
        return self

    def output(self, *names: str) -> Self:
        """Outputs that results and files show; all of them unless named."""
        self.document.outputs.extend(self._checked("outputs", list(names)))
        return self

    def quantity(self, name: str, value: Number, *, unit: str | None = None, description: str = "") -> Self:
        """An output of the model's own, from others: quantity("trunk.flexion", "pi/2 - trunk.angle", unit="deg").

        value: an expression of outputs, parameters and t, in SI; an output with a hyphen in its name stands in braces,
        {knee-motor.torque}. unit: what it is shown in, SI unless given; other quantities still find it in SI."""
        At(f"quantity '{name}'").unused(name, self.document.quantities)
        fields = {"value": value, "unit": unit, "description": description}
        self.document.quantities.update(self._checked("quantities", {name: fields}))
        return self

    def chart(self, x: str, *y: str, title: str = "") -> Self:
        """Outputs y, in one unit, over an output x (or time): on the page of a run, in its summary and in its pictures."""
        self.document.charts.extend(self._checked("charts", [{"x": x, "y": list(y), "title": title}]))
        return self

    def _unused_point(self, name: str) -> None:
        for known in (self.document.points, self.document.ground.points):
            At(f"point '{name}'").unused(name, known)

    def _checked(self, field: str, value: Any) -> Any:
        """What is added to a field, validated; only that, so that the cost of a model grows with its size."""
        return getattr(validate_document({field: value, "gaitwright": 1, "dimension": self.dimension}), field)

    def _part(self, section: str, name: str, fields: dict[str, Any]) -> Self:
        """Add a body, link or beam."""
        kind = get_args(type(self.document).model_fields[section].annotation)[0]
        checked = validate_part(kind, f"{SINGULAR[section]} '{name}'", {"name": name, **given(fields)}, self.dimension)
        getattr(self.document, section).append(checked)
        return self

    def _element(self, section: str, type_: str | type[Declaration], name: str | None, fields: dict[str, Any]) -> Self:
        """Add a part of a kind of its own, a joint, a drive or a force."""
        entry = {"type": getattr(type_, "name", type_), "name": name, **given(fields)}
        place = f"{SINGULAR[section]} {len(getattr(self.document, section)) + 1}"
        getattr(self.document, section).append(validate_element(section, entry, place, self.dimension))
        return self

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

    def copy(self, **parameters: Number) -> Self:
        """The same model with other parameter values."""
        raw = self.to_dict()
        known = raw.get("parameters", {})
        for name in sorted(set(parameters) - set(known)):
            At(field=name).fail("is not a parameter of this model", expected=f"one of: {', '.join(known) or 'none'}")
        raw["parameters"] = {**known, **parameters}
        copy = type(self).from_dict(raw)
        for name, series in self.document.series.items():  # what reading their files told is not in the document
            copy.document.series[name]._from_file = series._from_file
        return copy

    def __repr__(self) -> str:
        d = self.document
        always = {"bodies": len(d.links) + len(d.bodies), "joints": len(d.joints), "drives": len(d.drives)}
        others = {"beams": len(d.beams), "parts": len(d.parts), "contacts": len(d.contacts)}
        counts = always | {what: count for what, count in others.items() if count}
        return f"<Model '{d.name}': {', '.join(f'{count} {what}' for what, count in counts.items())}>"
