"""Contacts of the surface of a solid, in the plane and in space: one entry of a document, many points in the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.model.contact_numbers import chosen, sliding_coefficient
from gaitwright.model.spec import CHOICES
from gaitwright.model.touching import Touched
from gaitwright.physics.bodies.nodes import weighted
from gaitwright.physics.contact_geometry.apart import Apart
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.declare import ContactLaw
from gaitwright.physics.materials.base import youngs_modulus
from gaitwright.system.blocks import Block, Contact
from gaitwright.system.mechanism import ContactNames
from gaitwright.system.parts.solid import SolidPart
from gaitwright.system.solids.kernels import small_strain
from gaitwright.system.solids.skin import Skin

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

STIFFNESS = {"Pa/m": (50.0, 1), "Pa/m^2": (1e4, 2)}
"""By unit: c and n of the stiffness c E / h^n that a contact has unless given: no penetration is seen, and Newton's method
still converges as it does without contact (docs/theory/solids.md)."""
BRISTLES = "Pa/m"


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


def near(part: SolidPart, skin: Skin) -> tuple[str, tuple[float, float]]:
    """The node in the middle of what touches, for what asks on which side of a surface that is."""
    places = part.mesh.nodes[skin.sides]
    away = np.linalg.norm(places - places.mean(axis=(0, 1)), axis=2)
    return part.name, (float(skin.sides.ravel()[int(np.argmin(away))]), 1.0)


def add_skin(
    s: Lowering, entry: dict[str, Any], name: str, label: str, part: SolidPart, touched: Sequence[Touched],
    displacement: Sequence[int], outline: np.ndarray,
) -> None:  # fmt: skip
    """Add the contact of a skin with the pieces of a surface."""
    skin, carrier = part.skin(entry["region"]), touched[0].place[0]
    groups = list(part.ties.points(skin.nodes, skin.shares, part.mesh.nodes, part.at_nodes))
    skin = skin.reordered(np.concatenate([rows for rows, _, _ in groups]))
    if carrier == part.name:
        At(label, "surface").fail(f"'{carrier}' cannot touch itself", expected="a surface of another body")
    unit = _stiffness_of(part, skin)
    law, law_values = _chosen(s, "law", entry["law"], label, unit)
    _require_continuous(law, label)
    friction, friction_values = _chosen(s, "friction", entry["friction"], label, unit)
    ends = np.cumsum([len(rows) for rows, _, _ in groups])
    entries = [
        Contact(
            geometry=_poses(s, part.dimension, one, coordinates, parameters, displacement),
            shape=(one.shape, one.numbers),
            law=(law, list(law_values.values())),
            friction=(friction, list(friction_values.values())) if friction else None,
            group=len(s.contact_names),
            slowest=1.0,
            restitution=float("nan"),
            coefficient=sliding_coefficient(friction_values),
            weight=one.weight * skin.areas[end - len(rows) : end],
            field=one.field,
            faces=one.faces,
            by_gap=True,
        )
        for one in touched
        for (rows, coordinates, parameters), end in zip(groups, ends, strict=True)
    ]
    s.contact_names.append(
        ContactNames(
            name=name, law=law.name, bodies=(carrier, part.name), outline=outline, radius=0.0, place=near(part, skin)[1],
            skin=skin, **s.add_contacts(entries),
        )
    )  # fmt: skip


def _poses(
    s: Lowering, d: int, one: Touched, own: np.ndarray, numbers: np.ndarray, displacement: Sequence[int]
) -> Block:
    """Poses of points, with their coordinates and parameters, as seen from the place of a surface, or from any of its faces."""
    if one.faces is not None:
        pose, family, index = Apart, weighted(d, d), one.faces.coordinates[0].ravel()
        local = [1.0, *[0.0] * (d - 1), *one.faces.places[0, 0]]
    else:
        pose, (owner, place) = RelativePose, one.place
        family, index, local = s.part(owner).marker(pose, pose.attachments["a"], place)
    coordinates = np.concatenate([np.broadcast_to(index, (len(own), len(index))), own], axis=1)
    alike = np.broadcast_to(np.array(local, dtype=float), (len(own), len(local)))
    families = (family, weighted(d, numbers.shape[1] - d))
    return Block(pose, families, coordinates, np.concatenate([alike, numbers], axis=1), displacement)


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
    s: Lowering, field: str, given: dict[str, Any] | None, label: str, computed: dict[str, float]
) -> tuple[Any, dict[str, float]]:
    """The class of a law or friction and its numbers, with the stiffness that belongs to the solid unless given."""
    if given is None or "stiffness" not in given or given["stiffness"] is not None:
        return chosen(s, field, given, label)
    unit = CHOICES[field][given["type"]].parameters["stiffness"].unit
    value = computed.get(BRISTLES if field == "friction" else unit)
    if value is None:
        At(label, f"{field}.stiffness").fail("is missing", expected="a stiffness by area, or the law penalty")
    return chosen(s, field, {**given, "stiffness": value}, label)


def _require_continuous(law: Any, label: str) -> None:
    if law is not None and not law.remembers and not law.jumps:
        return
    laws: dict[str, Any] = dict(ContactLaw.registry)
    fit = [name for name, one in laws.items() if not one.remembers and not one.jumps]
    problem = "is missing"
    if law is not None:
        problem = "needs the speed of its touchdown" if law.remembers else "jumps at its touchdown"
        problem += ", which many points of a surface have not"
    At(label, "law").fail(problem, law.name if law else None, f"one of {', '.join(sorted(fit))}")
