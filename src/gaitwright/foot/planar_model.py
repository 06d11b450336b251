"""Foot in a plane model, seen from its side: x forward, y up.

foundation   all facets of the sole, projected along the width, with their areas, so that forces are those of the whole foot
section      finite elements of a section along the foot, of some depth (section.py)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.foot.foundation_model import make_sole_facets
from gaitwright.foot.mat import Mat
from gaitwright.foot.placement import GROUND_NAME, FootPlacement
from gaitwright.foot.section import make_foot_section
from gaitwright.mesh.cell_kinds import Array
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Foundation, LineGround, Skin
from gaitwright.physics.contact_laws.penalty import Penalty

PLANAR_SPEEDS = ("foundation", "section")
SAGITTAL_AXES = [0, 2]
"""Axes of the foot that span the sagittal plane."""


def add_planar_foot(
    model: Model, foot: Any, name: str, body: str | None, at: Sequence[float], speed: str, ground: Any, law: Any,
    friction: Any, points: Mapping[str, Array], depth: float | None = None,
) -> FootPlacement:  # fmt: skip
    """Add bodies of cores with their hinges, and one contact per core, or one of the section. Angles of hinges are
    positive when the toes bend up."""
    here, found = ErrorContext(f"foot '{name}'"), foot.anatomy
    here["speed"].one_of(speed, PLANAR_SPEEDS, "is not there in the plane")
    cut = make_foot_section(foot, depth) if speed == "section" else None
    if cut is None and depth is not None:
        here["depth"].fail("belongs to a section", depth, "speed='section'")
    if cut is not None and isinstance(ground, Mat):
        here["ground"].fail("is a mat, and a section touches what is hard", expected="a line, or speed='foundation'")
    if len(at) < 2:
        here["at"].fail("is no place", list(at), "two numbers, m")
    shift = np.array([float(at[0]), float(at[1])])
    if body == GROUND_NAME:
        here["body"].fail("is the ground, which cannot touch itself", expected="a body that is held")
    bodies = {core.name: f"{name}_{core.name}" for core in found.cores} | ({"rearfoot": body} if body else {})
    places = {
        core.name: {p: x[SAGITTAL_AXES] for p, x in points.items()} if core.name == "rearfoot" else {}
        for core in found.cores
    }
    for hinge in found.hinges:
        places[hinge.a][hinge.name] = places[hinge.b][hinge.name] = hinge.at[SAGITTAL_AXES]
    poses: dict[str, tuple[Array, float]] = {}
    for core in found.whole if cut is None else cut.cores:
        own = bodies[core.name]
        if own == body:
            origin, angle = poses[core.name] = _drawn_pose(model, own, here)
            _body_points(model, own).update(
                {f"{name}_{p}": _to_body_frame(x + shift, origin, angle) for p, x in places[core.name].items()}
            )
            continue
        centre = core.centre[SAGITTAL_AXES]
        poses[core.name] = (centre + shift, 0.0)
        own_points = {f"{name}_{p}": (x - centre).tolist() for p, x in places[core.name].items()}
        model.body(own, mass=core.mass, inertia=float(core.inertia[1]), at=(centre + shift).tolist(), points=own_points)
    hinges, share = tuple(f"{name}_{hinge.name}" for hinge in found.hinges), 1.0 if cut is None else cut.share
    for hinge, joint in zip(found.hinges, hinges, strict=True):
        a, b = bodies[hinge.a], bodies[hinge.b]
        model.joint.revolute(f"{a}.{name}_{hinge.name}", f"{b}.{name}_{hinge.name}", name=joint)
        rest = poses[hinge.b][1] - poses[hinge.a][1] - hinge.rest
        model.force.torsion_spring(
            a,
            b,
            stiffness=share * hinge.stiffness,
            damping=share * hinge.damping,
            rest_angle=rest,
            name=f"{joint}_spring",
        )
    placing = FootPlacement(name, bodies, hinges, (shift[0], 0.0, shift[1]), 0.0, (0.0, 0.0, 1.0))
    if cut is not None:
        fixed = [{"region": core.name, "to": bodies[core.name]} for core in cut.cores]
        model.solid(
            name, cut.mesh, at=shift.tolist(), fixed=fixed, thickness=cut.depth, material=foot.materials(cut.mesh)
        )
        ground = LineGround(0.0) if ground is None else ground
        model.contact(Skin(name, "sole"), ground, law=law or Penalty(), friction=friction, name=f"{name}_sole")
        return replace(placing, contacts=(f"{name}_sole",))
    contacts = []
    ground, below = (LineGround(ground.level), (ground,)) if isinstance(ground, Mat) else (ground, ())
    for k, core in enumerate(found.cores):
        facets = make_sole_facets(foot, k, below)
        if not len(facets.areas):
            continue
        origin, angle = poses[core.name]
        layer = Foundation(
            bodies[core.name],
            points=[_to_body_frame(x + shift, origin, angle) for x in facets.middles[:, SAGITTAL_AXES]],
            areas=facets.areas,
            thickness=facets.thickness,
            modulus=facets.modulus,
            poisson=facets.poisson,
        )
        contacts.append(f"{name}_sole_{core.name}")
        model.contact(
            layer, LineGround(0.0) if ground is None else ground, law=law, friction=friction, name=contacts[-1]
        )
    return replace(placing, contacts=tuple(contacts))


def _drawn_pose(model: Model, body: str, here: ErrorContext) -> tuple[Array, float]:
    """Centre of mass, m, and angle, rad, of a body as drawn."""
    known = [entry.name for entry in (*model.document.bodies, *model.document.links)]
    if body not in known:
        here["body"].fail(f"there is no body '{body}'", expected=format_choices(body, known))
    drawn = model.mechanism().parts[body].drawn
    return drawn[:2], float(drawn[2])


def _body_points(model: Model, body: str) -> dict[str, Any]:
    return next(entry.points for entry in (*model.document.bodies, *model.document.links) if entry.name == body)


def _to_body_frame(place: Array, origin: Array, angle: float) -> list[float]:
    """Transform a point of the ground frame to that of a body."""
    c, s = np.cos(angle), np.sin(angle)
    return (np.array([[c, s], [-s, c]]) @ (place - origin)).tolist()
