"""What can be said about a mechanism before any analysis: freedom, redundancy, conflicts, closure, contacts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.analyse.closing import close_gap, conflicting_drives, describe_open, drawn_pose, nearest_pose
from gaitwright.analyse.contact_memory import look, start_memory
from gaitwright.analyse.redundant_constraints import remove_redundant
from gaitwright.analyse.start import start
from gaitwright.analyse.statics.relax import STRAINED
from gaitwright.contact.events import LAND
from gaitwright.errors import AssemblyError, ModelError, SingularPose
from gaitwright.result.outputs import Motion
from gaitwright.system.evaluate import workspace
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import ContactNames, Mechanism
from gaitwright.system.parts.base import Strain
from gaitwright.system.parts.beam import BeamPart
from gaitwright.system.parts.spatial_beam import SpatialBeamPart
from gaitwright.system.tables import Array
from gaitwright.system.touch import GAP, REGION


@dataclass
class ContactCheck:
    """A contact in words. gap: at the start, m, negative inside; None if it is not opposite the surface, or if the joints
    cannot be closed. start: the same in words."""

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
    """A beam in words. SI units; stiffness [smallest, largest] along it. initial_strain, initial_stress: the largest at a
    surface in the start pose, before anything acts; None if the joints cannot be closed (stress: without Young's modulus)."""

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
        ei, ea = (_range(values) for values in (self.bending_stiffness, self.axial_stiffness))
        return (
            f"beam {self.name}: {_count(self.elements, 'element', 'elements')} ({self.formulation}), {_mm(self.length)} mm, "
            f"{self.mass:.4g} kg, EI {ei} N m^2, EA {ea} N{self._twisted()}{self._start()}"
        )

    def _twisted(self) -> str:
        return "" if self.torsional_stiffness is None else f", GJ {_range(self.torsional_stiffness)} N m^2"

    def _start(self) -> str:
        if self.initial_strain is None:
            return ""
        if self.initial_strain <= STRAINED:
            return "; unstressed at the start"
        return f"; strained by {Strain(self.initial_strain, self.initial_stress)} at the start"


@dataclass
class SolidCheck:
    """A solid in words. SI units; size: of the box around it."""

    name: str
    cells: int
    kind: str
    nodes: int
    size: list[float]
    mass: float
    held_by: list[str]

    def line(self) -> str:
        size = " x ".join(f"{1000 * side:.4g}" for side in self.size)
        held = f"held by {' and '.join(self.held_by)}" if self.held_by else "no region is fixed"
        return f"solid {self.name}: {self.cells} {self.kind}, {self.nodes} nodes, {size} mm, {self.mass:.4g} kg; {held}"


@dataclass
class Check:
    """Findings about a model. `closed`: the joints can be closed; if not, `conflicts` says which stay open and by how
    much. degrees_of_freedom: what joints and drives leave free. mobility: without the drives."""

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
    """Which point closing the joints moved far, in words."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The report as short lines."""
        freedom = _count(self.degrees_of_freedom, "degree", "degrees")
        parts = [_count(self.bodies, "body", "bodies")] if self.bodies or not (self.beams or self.solids) else []
        parts += [_count(len(self.beams), "beam", "beams")] if self.beams else []
        parts += [_count(len(self.solids), "solid", "solids")] if self.solids else []
        lines = [
            f"{self.name}: {', '.join(parts)}, {_count(self.coordinates, 'coordinate', 'coordinates')}, "
            f"{_count(self.constraints, 'constraint row', 'constraint rows')}, {_count(self.drives, 'drive', 'drives')}",
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


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _range(values: list[float]) -> str:
    low, high = values
    return f"{low:.4g}" if high - low <= 1e-9 * high else f"{low:.4g} to {high:.4g}"


def _mm(length: float) -> str:
    """A length above 0 in millimetres, with three digits or all before the point."""
    value = 1000.0 * length
    decimals = int(np.clip(2 - np.floor(np.log10(value)), 0, 9))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def check(mechanism: Mechanism, t: float = 0.0) -> Check:
    """Assemble at time t and report."""
    n_drives = len({names.name for names in mechanism.constraint_names if names.kind == "drive"})
    conflicts: list[str] = []
    closed, drawn = True, close_gap(mechanism, drawn_pose(mechanism, t), t)
    try:
        begin = start(mechanism, t)
        redundant, warnings, pose, gap, speed = begin.redundant, begin.warnings, begin.q, begin.gap, begin.v
        strains = begin.initial_strains()
    except (AssemblyError, SingularPose) as error:
        nearest = nearest_pose(mechanism, drawn_pose(mechanism, t), t)
        gap, closed = nearest.gap, not getattr(error, "open_joints", {})
        if drives := conflicting_drives(mechanism, t):
            conflicts = [drives]
        else:
            conflicts = [f"{gap} stays open" for gap in describe_open(mechanism, nearest.phi)] or [error.cause]
        # The nearest pose is stretched to its limit and singular; the drawn one tells what the joints do in general.
        pose = drawn_pose(mechanism, t)
        rows, _ = remove_redundant(mechanism, pose, t)
        redundant = [row.sentence() for row in rows]
        warnings, speed, strains = [], None, {}
    attached = {body for names in mechanism.constraint_names if names.kind != "body" for body in names.bodies}
    attached |= {body for names in mechanism.force_names if not names.declaration.implied for body in names.bodies}
    attached |= {body for names in mechanism.contact_names for body in names.bodies}
    parts = mechanism.parts.items()
    attached |= {body for name, part in parts if part.held_by for body in (name, *part.held_by)}
    contacts, inside = _contacts(mechanism, pose, speed, t) if mechanism.contacts else ([], [])
    warnings = [
        *mechanism.warnings,
        *warnings,
        *inside,
        *(f"{part.kind} '{name}' is not connected to anything" for name, part in parts if name not in attached),
        *_bulky(mechanism),
    ]
    rank = mechanism.system.m
    return Check(
        name=mechanism.name,
        bodies=sum(part.mass > 0.0 and not part.flexible for part in mechanism.parts.values()),
        coordinates=mechanism.n,
        constraints=mechanism.system.m_all,
        drives=n_drives,
        degrees_of_freedom=mechanism.n - rank,
        mobility=mechanism.n - _rank(mechanism, pose, t),
        closed=closed,
        drawn_error=drawn,
        remaining_error=gap,
        beams=[_beam(beam, strains.get(name, {})) for name, beam in mechanism.beams.items()],
        solids=[_solid(part) for part in mechanism.parts.values() if part.meshed],
        contacts=contacts,
        redundant=redundant,
        conflicts=conflicts,
        warnings=warnings,
        moved=_moved(mechanism, drawn_pose(mechanism, t), pose) if closed else "",
    )


def _solid(part: Any) -> SolidCheck:
    mesh = part.mesh
    size = [float(side) for side in mesh.bounds[1] - mesh.bounds[0]]
    mass = float(part.node_masses.sum())
    return SolidCheck(part.name, len(mesh.cells), mesh.kind.name, len(mesh.nodes), size, mass, list(part.held_by))


FAR = 0.15
"""Part of the extent of a mechanism by which closing its joints may move a point without a word."""


def _moved(mechanism: Mechanism, drawn: Array, pose: Array) -> str:
    """The point that closing the joints moved most, if that is far: another branch than the one that was meant may be near."""
    points = [(body, p, at) for body in mechanism.body_names.values() for p, at in body.points.items()]
    before, after = ({f"{body.name}.{p}": body.position(q, at) for body, p, at in points} for q in (drawn, pose))
    if not before:
        return ""
    ways = {name: float(np.linalg.norm(after[name] - place)) for name, place in before.items()}
    most = max(ways, key=lambda name: ways[name])
    if ways[most] <= FAR * float(np.linalg.norm(np.ptp(list(after.values()), axis=0))):
        return ""
    return (
        f"closing the joints moved {most} by {_mm(ways[most])} mm, more than any other point: draw it nearer if this is "
        "not the pose that was meant"
    )


def _beam(beam: BeamPart | SpatialBeamPart, start: dict[str, float | None]) -> BeamCheck:
    s = np.linspace(0.0, beam.length, 65)
    if isinstance(beam, BeamPart):
        found = [beam.section.axial(s), beam.section.bending(s)]
    else:
        diagonal = np.einsum("...ii->...i", beam.section.stiffness(s))
        found = [diagonal[:, 0], diagonal[:, 2:], diagonal[:, 1]]
    axial, bending, *torsion = ([float(x.min()), float(x.max())] for x in found)
    strain, stress = start.get("strain"), start.get("stress")
    count = beam.stations.size - 1
    numbers = (beam.length, beam.mass, axial, bending, strain, stress)
    return BeamCheck(beam.name, count, beam.formulation, *numbers, torsion[0] if torsion else None)


def _contacts(mechanism: Mechanism, pose: Array, speed: Array | None, t: float) -> tuple[list[ContactCheck], list[str]]:
    """The contacts in words, and what is wrong with their start. speed: None if the pose is not that of the start."""
    found, inside = [], []
    seen = None
    if speed is not None:
        w = workspace(mechanism.system)
        seen = look(mechanism, w, t, pose, speed)
        try:
            start_memory(mechanism, w, t, pose, speed)
        except ModelError as error:
            inside.append(str(error))
    together: dict[str, list[ContactNames]] = {}  # a contact along a beam has a part for every node
    for names in mechanism.contact_names:
        together.setdefault(names.whole or names.name, []).append(names)
    for name, parts in together.items():
        names = parts[0]
        contact = mechanism.contact_of(names)
        gaps = [] if seen is None else [_gap(mechanism, part, seen) for part in parts]
        gap = min((g for g in gaps if g is not None), default=None)
        found.append(
            ContactCheck(
                name=name,
                touching=_touching(mechanism, names) if len(parts) == 1 else _along(parts),
                surface=_surface(names, (contact.shape[0] if contact.shape else contact.geometry.declaration).name),
                law=contact.law[0].name if contact.law else None,
                friction=contact.friction[0].name if contact.friction else None,
                restitution=contact.restitution if np.isfinite(contact.restitution) else None,
                gap=gap,
                start=_start(gap) if seen is not None else "gap at the start not known",
            )
        )
    return found, inside


def _gap(mechanism: Mechanism, names: ContactNames, seen: Array) -> float | None:
    """Distance to the nearest piece of the surface that is opposite, m; 0 where it counts as closed."""
    land = LAND * float(mechanism.system.contacts.grain[0])
    rows = seen[mechanism.contact_place[list(names.pieces)]]
    opposite = rows[rows[:, REGION] >= 0, GAP]
    if not opposite.size:
        return None
    nearest = float(opposite[np.argmin(np.abs(opposite))])
    return 0.0 if abs(nearest) <= land else nearest


def _start(gap: float | None) -> str:
    if gap is None:
        return "not opposite each other at the start"
    return f"{_mm(abs(gap))} mm {'apart' if gap > 0 else 'inside'} at the start" if gap else "touching at the start"


def _touching(mechanism: Mechanism, names: ContactNames) -> str:
    at, body = names.place, names.bodies[1]
    where = mechanism.part(body).name_of(at)
    if names.radius == 0.0:
        return f"point {where} of {body}" if where else f"the centre of {body}"
    round_ = "sphere" if len(at) == 3 else "circle"
    return f"a {round_} of radius {_mm(names.radius)} mm about {f'{where} of {body}' if where else body}"


def _along(parts: list[ContactNames]) -> str:
    """What touches along a beam, or in several places of a body."""
    if parts[0].outline.shape[-1] == 3:
        bodies = ", ".join(dict.fromkeys(part.bodies[1] for part in parts))
        return f"{len(parts)} {'spheres' if parts[0].radius else 'points'} of {bodies}"
    nodes = f"the {len(parts)} nodes of {parts[0].bodies[1]}"
    return nodes if parts[0].radius == 0.0 else f"circles of radius {_mm(parts[0].radius)} mm about {nodes}"


def _surface(names: ContactNames, geometry: str) -> str:
    """What is touched: the kind of the surface and who carries it."""
    pieces, corners = len(names.pieces), len(names.outline)
    flat = (
        {"plane": "line", "sphere": "circle"} if names.outline.shape[-1] == 2 else {}
    )  # one surface, in the plane and in space
    kind = {"height-field": "terrain", **flat}.get(geometry, geometry)
    if geometry == "face":  # a terrain, a bar that is touched from both sides and at its ends, or one side of a body
        kind = "terrain" if names.bodies[0] == "ground" else "bar" if pieces > 3 and corners == 2 else "face"
    return f"a {kind} of {'the ground' if names.bodies[0] == 'ground' else names.bodies[0]}"


def _rank(mechanism: Mechanism, q: Array, t: float) -> int:
    """Rank of the joints alone in a pose."""
    from gaitwright.system.assemble import dependent_rows

    joints = mechanism.joints_only()
    rows, _ = dependent_rows(joints, workspace(joints), kkt(joints), q, mechanism.scale, t)
    return joints.m - len(rows)


def draw_pose(mechanism: Mechanism, path: str | Path, t: float = 0.0) -> Path:
    """PNG of the assembled mechanism, or of the nearest pose if it cannot be closed."""
    from gaitwright.report.views.pictures import pictures

    show = pictures(mechanism.dimension)
    q = nearest_pose(mechanism, drawn_pose(mechanism, t), t).q[None, :]
    nothing = np.zeros((1, 0))
    motion = Motion(np.array([t]), q, 0 * q, 0 * q, nothing, nothing, nothing)
    return show.png(show.scene(mechanism, motion), path)


BULKY = 20.0
"""Radius of gyration in sizes of the mechanism that nobody means: an inertia in other units than kg m^2."""


def _bulky(mechanism: Mechanism) -> list[str]:
    """Warnings about bodies whose inertia is far too large for what is drawn."""
    found = []
    for name, body in mechanism.body_names.items():
        radius = float(np.sqrt(np.max(np.linalg.eigvalsh(np.atleast_2d(body.inertia))) / body.mass))
        if radius > BULKY * mechanism.size:
            found.append(
                f"body '{name}' has a radius of gyration of {radius:.3g} m in a mechanism of {mechanism.size:.3g} m: is its "
                "inertia in kg m^2?"
            )
    return found
