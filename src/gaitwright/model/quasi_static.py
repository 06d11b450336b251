"""Solids of a document that rest at every instant: who carries them, and the plane on which they are pressed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.contact.condensed_solid import CondensedSolid
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.rubbing import read_rubbing
from gaitwright.model.solid_supports import place_on, read_supports
from gaitwright.model.solids import noticed, read_drawn, read_fillings
from gaitwright.physics.bodies.nodes import NODE
from gaitwright.physics.materials.base import youngs_modulus
from gaitwright.system.parts.base import Part
from gaitwright.system.parts.quasi_static import Carried, QuasiStaticPart
from gaitwright.system.parts.solid import Filling
from gaitwright.system.solids.geometry import HELD
from gaitwright.system.solids.kernels import small_strain

if TYPE_CHECKING:
    from gaitwright.model.scope import Scope

FIELD = {2: "line", 3: "plane"}
USUAL = {
    2: ("[a, b, c] of a x + b y + c = 0", "[0, 1]"),
    3: ("[a, b, c, d] of a x + b y + c z + d = 0", "[0, 0, 1]"),
}
"""By dimension: what a plane is called, and how it is said."""
HARD = 100.0
"""Penalty times the size of a side over the modulus: what is pressed in is a hundredth of what a cell yields."""


def read_quasi_static(s: Scope, entry: Any, at: At) -> QuasiStaticPart:
    """The part of a solid that rests."""
    label, wanted = at.element, entry.quasi_static
    mesh, thickness = read_drawn(s, entry, at)
    # It has no mass of its own: a density is neither needed nor used.
    fillings = read_fillings(s, entry.model_copy(update={"density": entry.density or 1.0}), mesh, thickness, at)
    if any(filling.viscosity for filling in fillings):
        at["material"].fail("is damped, which a solid at rest cannot be", expected="a material without damping")
    fixed, body = carried_by(entry.fixed, wanted.body, at)
    supports = read_supports(s, entry.model_copy(update={"fixed": fixed}), mesh, at)
    if not supports.named:
        at["fixed"].fail("is missing: nothing ties the solid to its body", expected="a region that the body carries")
    number = np.full(mesh.nodes.shape, HELD)
    free = ~supports.held
    number[free] = np.arange(int(free.sum()))
    if not free.any():
        at["fixed"].fail("holds every node", expected="a region that leaves some nodes free")
    sides = touching(mesh, wanted.region, number, at)
    stiffness = wanted.stiffness
    if wanted.condensed and stiffness is not None:
        at["quasi_static.stiffness"].fail("is of no use to a condensed solid, whose nodes do not penetrate", stiffness)
    s.notes += [f"{label}: {note}" for note in noticed(mesh, fillings)]
    what: dict[str, Any] = dict(
        name=entry.name, family=NODE[mesh.dimension], drawn=np.zeros(0), mesh=mesh, number=number, fillings=fillings,
        supports=supports.named, thickness=thickness, carrier=carrier(s, body, label), touching=sides,
        copies=s.positive(wanted.copies, label, "quasi_static.copies", ""),
    )  # fmt: skip
    if wanted.friction is not None or wanted.surface is not None:
        return read_rubbing(s, wanted, what, at)
    return QuasiStaticPart(
        **what, plane=read_plane(s, wanted, at), solver=condensed if wanted.condensed else QuasiStaticPart.with_all_nodes,
        penalty=penalty(mesh, fillings, sides)
        if stiffness is None
        else s.positive(stiffness, label, "quasi_static.stiffness", "N/m^3"),
    )  # fmt: skip


def condensed(part: QuasiStaticPart) -> CondensedSolid:
    """What finds its equilibrium from compliances of the nodes that can touch."""
    return CondensedSolid(part.mesh, part.fillings, part.number, part.touching, part.thickness, part.copies)


def carried_by(given: Any, body: str | None, at: At) -> tuple[list[Any], str]:
    """What is fixed, in the frame of the body that carries it; and that body, named with what is fixed or beside it."""
    entries = given if isinstance(given, list) else [] if given is None else [given]
    tied = {str(one["to"]) for one in entries if isinstance(one, Mapping) and "to" in one} | ({body} if body else set())
    if len(tied) != 1:
        said = f"is carried by {' and '.join(sorted(tied))}" if tied else "is carried by no body"
        at["quasi_static.body"].fail(f"what is fixed {said}", expected="one body, such as {body: K1}")
    fixed = [
        {key: x for key, x in one.items() if key != "to"} if isinstance(one, Mapping) and "region" in one else one
        for one in entries
    ]
    return fixed, tied.pop()


def touching(mesh: Mesh, region: Any, number: np.ndarray, at: At) -> np.ndarray:
    """Sides of the boundary that can touch: those of a region, otherwise all that can move."""
    boundary = mesh.boundary
    if region is None:
        return boundary[(number[boundary] != HELD).any(axis=(1, 2))]
    inside = place_on(region, at["quasi_static.region"], mesh).nodes(mesh)
    sides = boundary[inside[boundary].all(axis=1)]
    if not len(sides):
        at["quasi_static.region"].fail(
            "has no side on the surface of the mesh", region, "a region such as bottom or surface"
        )
    return sides


def penalty(mesh: Mesh, fillings: tuple[Filling, ...], sides: np.ndarray) -> float:
    """N/m^3, so that nothing of a penetration is seen."""
    modulus = max(youngs_modulus(*small_strain(filling.material, filling.constants)) for filling in fillings)
    corners = mesh.nodes[sides[:, : mesh.dimension]]
    size = float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))
    return HARD * modulus / size


def frame(part: Part, origin: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Where a rigid part is drawn: its place, and its axes as rows."""
    marker = part.marker_drawn(origin)
    units = np.eye(len(origin))
    if len(origin) == 2:
        return np.array(marker.position, dtype=float), np.array([marker.direction(unit) for unit in units])
    return np.array(marker.position, dtype=float), np.array(marker.axes, dtype=float)


def carrier(s: Scope, name: str, label: str) -> Carried:
    """The frame that a body carries and that is the ground's in the drawn pose."""
    body = s.part(s.body(name, label, "quasi_static.body"))
    if name == "ground":
        At(label, "quasi_static.body").fail("is the ground, on which a force does nothing", name, "a body or link")
    place, axes = frame(body, s.origin)
    directions = tuple(tuple((axes @ unit).tolist()) for unit in np.eye(len(s.origin)))
    return Carried(body, tuple((-axes @ place).tolist()), directions)


def read_plane(s: Scope, wanted: Any, solid: At) -> Carried:
    """[a, b, c, d] of the ground, or {point: block.A, normal: [0, 0, 1]} of a body, in its frame."""
    d = s.document.dimension
    field = FIELD[d]
    other = FIELD[5 - d]
    if getattr(wanted, other) is not None:
        solid[f"quasi_static.{other}"].fail(f"belongs to models with {5 - d} dimensions", getattr(wanted, other), field)
    given, at = getattr(wanted, field), solid[f"quasi_static.{field}"]
    numbers, point = USUAL[d]
    expected = f"{numbers}, or {{point: block.A, normal: {point}}}"
    if isinstance(given, Mapping) and set(given) == {"point", "normal"}:
        owner, place = s.point(given["point"], at.element, f"{at.field}.point")
        normal = s.vector(given["normal"], at.element, f"{at.field}.normal")
        part = s.part(s.body(owner, at.element, f"{at.field}.point"))
    elif isinstance(given, (list, tuple)) and len(given) == d + 1:
        *normal, away = (s.number(x, at.element, f"{at.field}[{k}]") for k, x in enumerate(given))
        part, size = s.ground_part, math.hypot(*normal)
        place = tuple(-away * x / size**2 for x in normal) if size > 0.0 else s.origin
    else:
        at.fail(f"is no {field}", given, expected)
    size = math.hypot(*normal)
    if len(normal) != d or not size > 0.0:
        at.fail("has no direction", list(normal), expected)
    return Carried(part, tuple(place), (tuple(x / size for x in normal),))
