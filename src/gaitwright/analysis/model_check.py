"""Check of a mechanism before any analysis: degrees of freedom, redundancy, conflicts, closure, contacts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.errors import AssemblyError, ModelError, SingularPose
from gaitwright.analysis.initial_contact_state import make_initial_memory, observe_contacts_at
from gaitwright.analysis.joint_closure import (
    closure_gap,
    describe_conflicting_drives,
    describe_open_joints,
    drawn_pose,
    find_nearest_pose,
)
from gaitwright.analysis.redundant_constraints import exclude_redundant
from gaitwright.analysis.start_state import find_start
from gaitwright.analysis.statics.strain_relaxation import UNSTRESSED_STRAIN_TOL
from gaitwright.contact.events import LANDING_ZONE_GRAINS
from gaitwright.contact.state import STATE_GAP, STATE_REGION
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.mechanism.evaluation import new_workspace
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import ContactNames, Mechanism
from gaitwright.mechanism.parts.base import PartStrain
from gaitwright.mechanism.tables import Array
from gaitwright.result.outputs import StateHistory


@dataclass
class ContactCheck:
    """Description of a contact. gap: at the start, m, negative for penetration; None if the point is not opposite the surface
    or if the joints cannot be closed. start: the same as text."""

    name: str
    touching: str
    surface: str
    law: str | None
    friction: str | None
    restitution: float | None
    gap: float | None
    start: str

    def line(self) -> str:
        acts = [self.law or "no law", self.friction or "no friction"]
        acts += [] if self.restitution is None else [f"restitution {self.restitution:g}"]
        return f"contact {self.name}: {self.touching} on {self.surface}; {', '.join(acts)}; {self.start}"


@dataclass
class BeamCheck:
    """Description of a beam in SI units; stiffness: [smallest, largest] along it. initial_strain, initial_stress: largest
    surface value in the start pose, before loads act; None if the joints cannot be closed (stress: without Young's modulus)."""

    name: str
    elements: int
    formulation: str
    length: float
    mass: float
    axial_stiffness: list[float]
    bending_stiffness: list[float]
    initial_strain: float | None = None
    initial_stress: float | None = None
    torsional_stiffness: list[float] | None = None

    def line(self) -> str:
        ei, ea = (_format_range(values) for values in (self.bending_stiffness, self.axial_stiffness))
        return (
            f"beam {self.name}: {_format_count(self.elements, 'element', 'elements')} ({self.formulation}), "
            f"{_format_mm(self.length)} mm, "
            f"{self.mass:.4g} kg, EI {ei} N m^2, EA {ea} N{self._twisted()}{self._start()}"
        )

    def _twisted(self) -> str:
        return "" if self.torsional_stiffness is None else f", GJ {_format_range(self.torsional_stiffness)} N m^2"

    def _start(self) -> str:
        if self.initial_strain is None:
            return ""
        if self.initial_strain <= UNSTRESSED_STRAIN_TOL:
            return "; unstressed at the start"
        return f"; strained by {PartStrain(self.initial_strain, self.initial_stress)} at the start"


@dataclass
class SolidCheck:
    """Description of a solid in SI units; size: edge lengths of its bounding box."""

    name: str
    cells: int
    kind: str
    nodes: int
    size: list[float]
    mass: float
    held_by: list[str]

    def line(self) -> str:
        size = " x ".join(f"{1000 * side:.4g}" for side in self.size)
        support = f"held by {' and '.join(self.held_by)}" if self.held_by else "no region is fixed"
        return (
            f"solid {self.name}: {self.cells} {self.kind}, {self.nodes} nodes, {size} mm, {self.mass:.4g} kg; {support}"
        )


@dataclass
class MechanismCheck:
    """Findings about a model. `closed`: the joints can be closed; if not, `conflicts` lists the open ones with their gaps.
    degrees_of_freedom: left free by joints and drives. mobility: left free by the joints alone."""

    name: str
    bodies: int
    coordinates: int
    constraints: int
    drives: int
    degrees_of_freedom: int
    mobility: int
    closed: bool
    drawn_error: float
    remaining_error: float
    beams: list[BeamCheck] = field(default_factory=list)
    solids: list[SolidCheck] = field(default_factory=list)
    contacts: list[ContactCheck] = field(default_factory=list)
    redundant: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    moved: str = ""
    """Description of the point that closing the joints moved far; empty if none."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The report as short lines."""
        freedom = _format_count(self.degrees_of_freedom, "degree", "degrees")
        parts = [_format_count(self.bodies, "body", "bodies")] if self.bodies or not (self.beams or self.solids) else []
        parts += [_format_count(len(self.beams), "beam", "beams")] if self.beams else []
        parts += [_format_count(len(self.solids), "solid", "solids")] if self.solids else []
        lines = [
            f"{self.name}: {', '.join(parts)}, {_format_count(self.coordinates, 'coordinate', 'coordinates')}, "
            f"{_format_count(self.constraints, 'constraint row', 'constraint rows')}, "
            f"{_format_count(self.drives, 'drive', 'drives')}",
            f"{freedom} of freedom left by joints and drives ({self.mobility} by joints alone)",
            f"start pose: drawn within {1000 * self.drawn_error:.3g} mm, closed to {1000 * self.remaining_error:.1e} mm"
            if self.closed
            else "start pose: cannot be closed",
        ]
        lines += [self.moved] if self.moved else []
        lines += [part.line() for part in (*self.beams, *self.solids)]
        lines += [contact.line() for contact in self.contacts]
        lines += [f"conflict: {text}" for text in self.conflicts]
        lines += [f"redundant: {text}" for text in self.redundant] or ["redundant: none"]
        lines += [f"warning: {text}" for text in self.warnings]
        return lines


def _format_count(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"


def _format_range(values: list[float]) -> str:
    low, high = values
    return f"{low:.4g}" if high - low <= 1e-9 * high else f"{low:.4g} to {high:.4g}"


def _format_mm(length: float) -> str:
    """A positive length in mm, with three significant digits or all digits before the decimal point."""
    value = 1000.0 * length
    decimals = int(np.clip(2 - np.floor(np.log10(value)), 0, 9))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def check_mechanism(mechanism: Mechanism, t: float = 0.0) -> MechanismCheck:
    """Assemble the mechanism at time t and report."""
    complete = mechanism
    n_drives = len({names.name for names in mechanism.constraint_names if names.kind == "drive"})
    conflicts: list[str] = []
    closed, drawn = True, closure_gap(mechanism, drawn_pose(mechanism, t), t)
    try:
        begin = find_start(mechanism, t)
        mechanism = begin.mechanism
        redundant, warnings, pose, gap, speed = begin.redundant, begin.warnings, begin.q, begin.gap, begin.v
        strains = begin.initial_strains()
    except (AssemblyError, SingularPose) as error:
        nearest = find_nearest_pose(mechanism, drawn_pose(mechanism, t), t)
        gap, closed = nearest.gap, not getattr(error, "open_joints", {})
        if drives := describe_conflicting_drives(mechanism, t):
            conflicts = [drives]
        else:
            conflicts = [f"{gap} stays open" for gap in describe_open_joints(mechanism, nearest.phi)] or [error.cause]
        # The nearest pose is stretched to its limit and singular; the drawn pose shows the joint constraints in general.
        pose = drawn_pose(mechanism, t)
        search = exclude_redundant(mechanism, pose, t)
        mechanism, redundant = search.mechanism, search.sentences()
        warnings, speed, strains = [], None, {}
    attached = {body for names in mechanism.constraint_names if names.kind != "body" for body in names.bodies}
    attached |= {body for names in mechanism.force_names if not names.declaration.implied for body in names.bodies}
    attached |= {body for names in mechanism.contact_names for body in names.bodies}
    parts = mechanism.parts.items()
    attached |= {body for name, part in parts if part.held_by for body in (name, *part.held_by)}
    contacts, inside = _check_contacts(mechanism, pose, speed, t) if mechanism.contacts else ([], [])
    warnings = [
        *mechanism.warnings,
        *warnings,
        *inside,
        *(f"{part.kind} '{name}' is not connected to anything" for name, part in parts if name not in attached),
        *_inertia_warnings(mechanism),
    ]
    rank = mechanism.system.m
    return MechanismCheck(
        name=mechanism.name,
        bodies=sum(part.mass > 0.0 and not part.flexible for part in mechanism.parts.values()),
        coordinates=mechanism.n,
        constraints=mechanism.system.m_all,
        drives=n_drives,
        degrees_of_freedom=mechanism.n - rank,
        mobility=mechanism.n - _joint_rank(complete, pose, t),
        closed=closed,
        drawn_error=drawn,
        remaining_error=gap,
        beams=[_check_beam(beam, strains.get(name, {})) for name, beam in mechanism.beams.items()],
        solids=[_check_solid(part) for part in mechanism.parts.values() if part.meshed],
        contacts=contacts,
        redundant=redundant,
        conflicts=conflicts,
        warnings=warnings,
        moved=_describe_closing_motion(mechanism, drawn_pose(mechanism, t), pose) if closed else "",
    )


def _check_solid(part: Any) -> SolidCheck:
    mesh = part.mesh
    size = [float(side) for side in mesh.bounds[1] - mesh.bounds[0]]
    mass = float(part.node_masses.sum())
    return SolidCheck(part.name, len(mesh.cells), mesh.kind.name, len(mesh.nodes), size, mass, list(part.held_by))


MAX_CLOSING_MOTION_RATIO = 0.15
"""Displacement of a point by closing the joints, relative to the extent of the mechanism, above which it is reported."""


def _describe_closing_motion(mechanism: Mechanism, drawn: Array, pose: Array) -> str:
    """Message about the point that closing the joints moved most, if that is far: the pose may be on an unintended branch."""
    points = [(body, p, at) for body in mechanism.body_names.values() for p, at in body.points.items()]
    before, after = ({f"{body.name}.{p}": body.position(q, at) for body, p, at in points} for q in (drawn, pose))
    if not before:
        return ""
    distances = {name: float(np.linalg.norm(after[name] - place)) for name, place in before.items()}
    farthest = max(distances, key=lambda name: distances[name])
    if distances[farthest] <= MAX_CLOSING_MOTION_RATIO * float(np.linalg.norm(np.ptp(list(after.values()), axis=0))):
        return ""
    return (
        f"closing the joints moved {farthest} by {_format_mm(distances[farthest])} mm, more than any other point: "
        "draw it nearer if this is not the intended pose"
    )


def _check_beam(beam: PlanarBeamPart | SpatialBeamPart, start: dict[str, float | None]) -> BeamCheck:
    s = np.linspace(0.0, beam.length, 65)
    if isinstance(beam, PlanarBeamPart):
        stiffnesses = [beam.section.axial(s), beam.section.bending(s)]
    else:
        diagonal = np.einsum("...ii->...i", beam.section.stiffness(s))
        stiffnesses = [diagonal[:, 0], diagonal[:, 2:], diagonal[:, 1]]
    axial, bending, *torsion = ([float(x.min()), float(x.max())] for x in stiffnesses)
    strain, stress = start.get("strain"), start.get("stress")
    count = beam.stations.size - 1
    numbers = (beam.length, beam.mass, axial, bending, strain, stress)
    return BeamCheck(beam.name, count, beam.formulation, *numbers, torsion[0] if torsion else None)


def _check_contacts(
    mechanism: Mechanism, pose: Array, speed: Array | None, t: float
) -> tuple[list[ContactCheck], list[str]]:
    """Descriptions of the contacts, and errors of their start. speed: None if the pose is not the start pose."""
    checks, inside = [], []
    states = None
    if speed is not None:
        w = new_workspace(mechanism.system)
        states = observe_contacts_at(mechanism, w, t, pose, speed)
        try:
            make_initial_memory(mechanism, w, t, pose, speed)
        except ModelError as error:
            inside.append(str(error))
    together: dict[str, list[ContactNames]] = {}  # a contact along a beam has one part per node
    for names in mechanism.contact_names:
        together.setdefault(names.whole or names.name, []).append(names)
    for name, parts in together.items():
        names = parts[0]
        contact = mechanism.contact_of(names)
        gaps = [] if states is None else [_contact_gap(mechanism, part, states) for part in parts]
        gap = min((g for g in gaps if g is not None), default=None)
        checks.append(
            ContactCheck(
                name=name,
                touching=_describe_touching_point(mechanism, names)
                if len(parts) == 1
                else _describe_touching_points(parts),
                surface=_describe_surface(
                    names, (contact.shape[0] if contact.shape else contact.geometry.declaration).name
                ),
                law=contact.law[0].name if contact.law else None,
                friction=contact.friction[0].name if contact.friction else None,
                restitution=contact.restitution if np.isfinite(contact.restitution) else None,
                gap=gap,
                start=_describe_start_gap(gap) if states is not None else "gap at the start not known",
            )
        )
    return checks, inside


def _contact_gap(mechanism: Mechanism, names: ContactNames, states: Array) -> float | None:
    """Distance to the nearest opposite piece of the surface, m; 0 if it counts as closed."""
    land = LANDING_ZONE_GRAINS * float(mechanism.system.contacts.grain[0])
    rows = states[mechanism.contact_place[list(names.pieces)]]
    opposite = rows[rows[:, STATE_REGION] >= 0, STATE_GAP]
    if not opposite.size:
        return None
    nearest = float(opposite[np.argmin(np.abs(opposite))])
    return 0.0 if abs(nearest) <= land else nearest


def _describe_start_gap(gap: float | None) -> str:
    if gap is None:
        return "not opposite each other at the start"
    return (
        f"{_format_mm(abs(gap))} mm {'apart' if gap > 0 else 'inside'} at the start" if gap else "touching at the start"
    )


def _describe_touching_point(mechanism: Mechanism, names: ContactNames) -> str:
    at, body = names.place, names.bodies[1]
    where = mechanism.part(body).name_of(at)
    if names.radius == 0.0:
        return f"point {where} of {body}" if where else f"the centre of {body}"
    round_ = "sphere" if len(at) == 3 else "circle"
    return f"a {round_} of radius {_format_mm(names.radius)} mm about {f'{where} of {body}' if where else body}"


def _describe_touching_points(parts: list[ContactNames]) -> str:
    """Description of the touching points along a beam, or at several points of a body."""
    if parts[0].outline.shape[-1] == 3:
        bodies = ", ".join(dict.fromkeys(part.bodies[1] for part in parts))
        return f"{len(parts)} {'spheres' if parts[0].radius else 'points'} of {bodies}"
    nodes = f"the {len(parts)} nodes of {parts[0].bodies[1]}"
    return nodes if parts[0].radius == 0.0 else f"circles of radius {_format_mm(parts[0].radius)} mm about {nodes}"


def _describe_surface(names: ContactNames, geometry: str) -> str:
    """Description of the touched surface: its kind and the body that carries it."""
    pieces, corners = len(names.pieces), len(names.outline)
    # Same geometry in the plane and in space.
    flat = {"plane": "line", "sphere": "circle"} if names.outline.shape[-1] == 2 else {}
    kind = {"height-field": "terrain", **flat}.get(geometry, geometry)
    if geometry == "face":  # a terrain, a bar that can be touched on both sides and at its ends, or one side of a body
        kind = "terrain" if names.bodies[0] == "ground" else "bar" if pieces > 3 and corners == 2 else "face"
    return f"a {kind} of {'the ground' if names.bodies[0] == 'ground' else names.bodies[0]}"


def _joint_rank(mechanism: Mechanism, q: Array, t: float) -> int:
    """Rank of the joint constraints alone in a pose."""
    from gaitwright.mechanism.pose_assembly import dependent_rows

    joints = mechanism.joint_system
    rows, _ = dependent_rows(joints, new_workspace(joints), build_kkt(joints), q, mechanism.scale, t)
    return joints.m - len(rows)


def draw_pose(mechanism: Mechanism, path: str | Path, t: float = 0.0) -> Path:
    """Write a PNG of the assembled mechanism, or of the nearest pose if it cannot be closed."""
    from gaitwright.report.views.scenes.scene_writers import select_scene_writers

    show = select_scene_writers(mechanism.dimension)
    q = find_nearest_pose(mechanism, drawn_pose(mechanism, t), t).q[None, :]
    empty = np.zeros((1, 0))
    motion = StateHistory(np.array([t]), q, 0 * q, 0 * q, empty, empty, empty)
    return show.png(show.scene(mechanism, motion), path)


MAX_GYRATION_RADIUS_RATIO = 20.0
"""Implausible radius of gyration in sizes of the mechanism: suggests an inertia in units other than kg m^2."""


def _inertia_warnings(mechanism: Mechanism) -> list[str]:
    """Warnings about bodies with far too large an inertia for the drawn size."""
    texts = []
    for name, body in mechanism.body_names.items():
        radius = float(np.sqrt(np.max(np.linalg.eigvalsh(np.atleast_2d(body.inertia))) / body.mass))
        if radius > MAX_GYRATION_RADIUS_RATIO * mechanism.size:
            texts.append(
                f"body '{name}' has a radius of gyration of {radius:.3g} m in a mechanism of {mechanism.size:.3g} m: is its "
                "inertia in kg m^2?"
            )
    return texts
