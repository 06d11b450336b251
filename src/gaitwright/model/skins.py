"""Contacts of many points of a surface, in the plane and in space: one entry of a document, a block of points in the tables.

Here those of a solid, and what they have in common with a layer on a rigid body (foundations.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.model.contact_numbers import chosen, sliding_coefficient
from gaitwright.model.spec import CHOICES
from gaitwright.model.touching import Touched
from gaitwright.physics.bodies.nodes import weighted
from gaitwright.physics.contact_geometry.apart import Apart
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.declare import ContactLaw, Family
from gaitwright.physics.materials.base import youngs_modulus
from gaitwright.system.blocks import Block, Contact
from gaitwright.system.mechanism import ContactNames
from gaitwright.system.parts.solid import SolidPart
from gaitwright.system.solids.kernels import small_strain
from gaitwright.system.solids.skin import Skin
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

STIFFNESS = {"Pa/m": (50.0, 1), "Pa/m^2": (1e4, 2)}
"""By unit: c and n of the stiffness c E / h^n that a contact has unless given: no penetration is seen, and Newton's method
still converges as it does without contact (docs/theory/solids.md)."""
BRISTLES = "Pa/m"
MISSING = {
    "Pa": "a modulus of the foundation, or the stiffness of the law, Pa",
    "m": "a thickness of the foundation, or of the law, m",
    "N/m": "a stiffness of the bristles by area, Pa/m",
}
"""By unit, what else there may be in the place of a number that is computed from what touches."""


def solid_of(s: Lowering, entry: dict[str, Any], label: str, prefix: str = "") -> SolidPart:
    """The solid that touches, or with a prefix of fields the one that is touched."""
    solids = {name: part for name, part in s.parts.items() if isinstance(part, SolidPart)}
    part = solids.get(entry["solid"])
    if part is None:
        return At(label, f"{prefix}solid").fail(
            f"there is no solid '{entry['solid']}'", expected=offer(entry["solid"], solids, "(the model has none)")
        )
    if not part.drawn.size:
        At(label, f"{prefix}solid").fail(
            f"'{part.name}' rests at every instant: it touches the plane it is pressed on, and nothing else",
            part.name,
            "a solid without quasi_static",
        )
    region = entry["region"]
    if region is not None and region not in part.areas:
        problem = "has no side on the surface" if region in part.mesh.regions else f"is no region of '{part.name}'"
        At(label, f"{prefix}region").fail(problem, region, offer(region, part.areas, "a region of its surface"))
    return part


class Points(NamedTuple):
    """Points of a surface that touch. near: the place in their middle, as their part counts it. groups: a family, coordinates
    and parameters of those that are alike, in the order of the skin. field: which names them. computed: by field and unit, what
    a law and a friction have unless given, a number or one for each point."""

    owner: str
    near: Any
    skin: Skin
    groups: Sequence[tuple[type[Family], Array, Array]]
    field: str
    law: dict[str, Any] | None
    computed: dict[str, dict[str, Any]]


def points_of(s: Lowering, entry: dict[str, Any], label: str) -> Points:
    """What touches: the surface of a solid, or facets on a rigid body."""
    if entry["foundation"] is None:
        return skin_points(solid_of(s, entry, label), entry)
    from gaitwright.model.foundations import foundation_points

    return foundation_points(s, entry, label)


def skin_points(part: SolidPart, entry: dict[str, Any]) -> Points:
    """The surface of a solid, or of a region of it."""
    skin, d = part.skin(entry["region"]), part.dimension
    found = list(part.ties.points(skin.nodes, skin.shares, part.mesh.nodes, part.at_nodes))
    skin = skin.reordered(np.concatenate([rows for rows, _, _ in found]))
    groups = [(weighted(d, numbers.shape[1] - d), coordinates, numbers) for _, coordinates, numbers in found]
    unit = _stiffness_of(part, skin)
    return Points(
        part.name, _middle(part, skin), skin, groups, "solid", entry["law"], {"law": unit, "friction": unit},
    )  # fmt: skip


def _middle(part: SolidPart, skin: Skin) -> tuple[float, float]:
    """The node in the middle of what touches, for what asks on which side of a surface that is."""
    places = part.mesh.nodes[skin.sides]
    away = np.linalg.norm(places - places.mean(axis=(0, 1)), axis=2)
    return float(skin.sides.ravel()[int(np.argmin(away))]), 1.0


def add_points(
    s: Lowering, entry: dict[str, Any], name: str, label: str, points: Points, touched: Touched,
    displacement: Sequence[int], outline: np.ndarray,
) -> None:  # fmt: skip
    """Add the contact of points with a surface: one for each of them, which sees all of it. (Pieces, which are handed over by
    events, were summed here once: a node behind a corner or in a thin wall was pushed by several.)"""
    carrier, skin = touched.place[0], points.skin
    if carrier == points.owner:
        At(label, "surface").fail(f"'{carrier}' cannot touch itself", expected="a surface of another body")
    law, law_values = _chosen(s, "law", points.law, label, points.computed)
    require_continuous(law, label, "many points of a surface have not")
    friction, friction_values = _chosen(s, "friction", entry["friction"], label, points.computed)
    ends = np.cumsum([len(numbers) for _, _, numbers in points.groups])
    entries = []
    for group, end in zip(points.groups, ends.tolist(), strict=True):
        own = slice(end - len(group[2]), end)
        entries.append(
            Contact(
                geometry=poses(s, touched, group, displacement),
                shape=(touched.shape, touched.numbers),
                law=(law, _numbers(law_values, own)),
                friction=(friction, _numbers(friction_values, own)) if friction else None,
                group=len(s.contact_names),
                slowest=1.0,
                restitution=float("nan"),
                coefficient=sliding_coefficient(friction_values),
                weight=touched.weight * skin.areas[own],
                field=touched.field,
                faces=touched.faces,
                by_gap=True,
            )
        )
    s.contact_names.append(
        ContactNames(
            name=name, law=law.name, bodies=(carrier, points.owner), outline=outline, radius=0.0, place=points.near,
            skin=skin, **s.add_contacts(entries),
        )
    )  # fmt: skip


def _numbers(values: dict[str, Any], own: slice) -> Any:
    """Of a law or friction: as they are, or with a row for each point if any is given for each."""
    if not any(np.ndim(value) for value in values.values()):
        return list(values.values())
    count = own.stop - own.start
    return np.column_stack([np.broadcast_to(v[own] if np.ndim(v) else v, count) for v in values.values()])


def poses(s: Lowering, one: Touched, group: tuple[type[Family], Array, Array], displacement: Sequence[int]) -> Block:
    """Poses of points, with their coordinates and parameters, as seen from the place of a surface, or from any of its faces."""
    of_points, own, numbers = group
    d = of_points.dimension
    if one.faces is not None:
        pose, family, index = Apart, weighted(d, d), one.faces.coordinates[0].ravel()
        local = [1.0, *[0.0] * (d - 1), *one.faces.places[0, 0]]
    else:
        pose, (owner, place) = RelativePose, one.place
        family, index, local = s.part(owner).marker(pose, pose.attachments["a"], place)
    coordinates = np.concatenate([np.broadcast_to(index, (len(own), len(index))), own], axis=1)
    alike = np.broadcast_to(np.array(local, dtype=float), (len(own), len(local)))
    return Block(pose, (family, of_points), coordinates, np.concatenate([alike, numbers], axis=1), displacement)


def _stiffness_of(part: SolidPart, skin: Skin) -> dict[str, float]:
    """By unit, the stiffness of a contact unless given: of the stiffest material below the skin."""
    inside = np.zeros(len(part.mesh.nodes), dtype=bool)
    inside[skin.sides] = True
    youngs = 0.0
    for filling in part.fillings:
        if inside[part.mesh.cells[filling.cells]].any():
            youngs = max(youngs, youngs_modulus(*small_strain(filling.material, filling.constants)))
    corners = part.mesh.nodes[skin.sides[:, : part.dimension]]
    # Where a mesh is graded, contact is where its sides are short; a single sliver does not count.
    h = float(np.quantile(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean(axis=1), 0.1))
    return {unit: factor * youngs / h**n for unit, (factor, n) in STIFFNESS.items()}


def _chosen(
    s: Lowering, field: str, given: dict[str, Any] | None, label: str, computed: dict[str, dict[str, Any]]
) -> tuple[Any, dict[str, Any]]:
    """The class of a law or friction and its numbers, with those that belong to what touches unless given."""
    if given is None:
        return None, {}
    known = CHOICES[field][given["type"]].parameters
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is not None or name not in known or known[name].default is not None:
            continue
        unit = known[name].unit
        found[name] = computed[field].get(BRISTLES if field == "friction" else unit)
        if found[name] is None:
            At(label, f"{field}.{name}").fail(
                "is missing", expected=MISSING.get(unit, "a stiffness by area, or the law penalty")
            )
    declaration, values = chosen(s, field, given | {name: float(np.min(v)) for name, v in found.items()}, label)
    return declaration, values | found


def require_continuous(law: Any, label: str, reason: str) -> None:
    """ModelError unless a law works without located touchdowns. reason: ends the message, behind what the law needs."""
    if law is not None and not law.remembers and not law.jumps:
        return
    laws: dict[str, Any] = dict(ContactLaw.registry)
    fit = [name for name, one in laws.items() if not one.remembers and not one.jumps]
    problem = "is missing"
    if law is not None:
        problem = "needs the speed of its touchdown" if law.remembers else "jumps at its touchdown"
        problem += f", which {reason}"
    At(label, "law").fail(problem, law.name if law else None, f"one of {', '.join(sorted(fit))}")
