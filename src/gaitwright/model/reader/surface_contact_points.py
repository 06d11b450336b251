"""Contacts of many points of a surface, in the plane and in space: one entry of a document, one block of points in the tables.

This module contains the points of a solid, and the code shared with layers on rigid bodies (foundations.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.fem.kernel_modules import lame_constants
from gaitwright.fem.solid_part import SolidPart
from gaitwright.mechanism.blocks import ContactBlock, ElementBlock
from gaitwright.mechanism.mechanism import ContactNames
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.contact_points import ContactPoints
from gaitwright.model.reader.contact_parameters import read_law_or_friction, sliding_coefficient
from gaitwright.model.reader.contact_sides import ElementarySurface
from gaitwright.model.spec.document import CONTACT_CHOICE_REGISTRIES
from gaitwright.physics.bodies.interpolated_point import interpolated_point_family
from gaitwright.physics.contact_geometry.apart import RelativePosition
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.declarations import ContactLaw, Family
from gaitwright.physics.materials.base import youngs_modulus

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import ContactEntry

STIFFNESS_FACTORS = {"Pa/m": (50.0, 1), "Pa/m^2": (1e4, 2)}
"""By unit: c and n of the default contact stiffness c E / h^n: penetrations are negligible, and Newton's method converges as
well as without contact (docs/theory/solids.md)."""
BRISTLE_STIFFNESS_UNIT = "Pa/m"
MISSING_NUMBER_HINTS = {
    "Pa": "a modulus of the foundation, or the stiffness of the law, Pa",
    "m": "a thickness of the foundation, or of the law, m",
    "N/m": "a stiffness of the bristles by area, Pa/m",
}
"""By unit, alternative inputs for a parameter that is otherwise computed from the touching side."""


def find_solid(
    builder: MechanismBuilder, name: str | None, region: str | None, label: str, prefix: str = ""
) -> SolidPart:
    """Touching solid with a region of its surface, or with a prefix of fields the touched one."""
    solids = {name: part for name, part in builder.names.parts.items() if isinstance(part, SolidPart)}
    part = solids.get(name or "")
    if part is None:
        return ErrorContext(label, f"{prefix}solid").fail(
            f"there is no solid '{name}'",
            expected=format_choices(name, solids, "(the model has none)"),
        )
    if not part.drawn.size:
        ErrorContext(label, f"{prefix}solid").fail(
            f"'{part.name}' is quasi-static: it touches only the plane on which it is pressed",
            part.name,
            "a solid without quasi_static",
        )
    if region is not None and region not in part.areas:
        problem = "has no side on the surface" if region in part.mesh.regions else f"is no region of '{part.name}'"
        ErrorContext(label, f"{prefix}region").fail(
            problem, region, format_choices(region, part.areas, "a region of its surface")
        )
    return part


class SurfaceContactPoints(NamedTuple):
    """Contact points of a surface. near: local coordinates of the point in their middle. groups: family, coordinates and
    parameters of points of one kind, in the order of the skin. field: field that names them. computed: by field and unit,
    default parameters of law and friction, a number or one for each point."""

    owner: str
    near: Any
    skin: ContactPoints
    groups: Sequence[tuple[type[Family], Array, Array]]
    field: str
    law: dict[str, Any] | None
    computed: dict[str, dict[str, Any]]


def read_contact_points(builder: MechanismBuilder, entry: ContactEntry, label: str) -> SurfaceContactPoints:
    """Contact points of the touching side: the surface of a solid, or facets on a rigid body."""
    if entry["foundation"] is None:
        return solid_contact_points(find_solid(builder, entry["solid"], entry["region"], label), entry)
    from gaitwright.model.reader.foundations import read_foundation_points

    return read_foundation_points(builder, entry, label)


def solid_contact_points(part: SolidPart, entry: ContactEntry) -> SurfaceContactPoints:
    """Contact points of the surface of a solid, or of a region of it."""
    skin, d = part.skin(entry["region"]), part.dimension
    point_groups = list(part.ties.points(skin.nodes, skin.shares, part.mesh.nodes, part.at_nodes))
    skin = skin.reordered(np.concatenate([rows for rows, _, _ in point_groups]))
    groups = [
        (interpolated_point_family(d, numbers.shape[1] - d), coordinates, numbers)
        for _, coordinates, numbers in point_groups
    ]
    stiffness_by_unit = _default_stiffness(part, skin)
    return SurfaceContactPoints(
        part.name, _middle_node(part, skin), skin, groups, "solid", entry["law"],
        {"law": stiffness_by_unit, "friction": stiffness_by_unit},
    )  # fmt: skip


def _middle_node(part: SolidPart, skin: ContactPoints) -> tuple[float, float]:
    """Node in the middle of the touching surface, used to determine the side of the touched surface."""
    corners = part.mesh.nodes[skin.sides]
    distances = np.linalg.norm(corners - corners.mean(axis=(0, 1)), axis=2)
    return float(skin.sides.ravel()[int(np.argmin(distances))]), 1.0


def add_contact_points(
    builder: MechanismBuilder, entry: ContactEntry, name: str, label: str, points: SurfaceContactPoints,
    touched: ElementarySurface, displacement: Sequence[int], outline: np.ndarray,
) -> None:  # fmt: skip
    """Add the contact of points with a surface: each point is tested against the whole surface. (Tried before and rejected:
    sums over pieces, between which events switch: a node behind a corner or in a thin wall was pushed by several.)"""
    carrier, skin = touched.place[0], points.skin
    if carrier == points.owner:
        ErrorContext(label, "surface").fail(f"'{carrier}' cannot touch itself", expected="a surface of another body")
    law, law_values = _read_law_or_friction(builder, "law", points.law, label, points.computed)
    require_continuous_law(law, label, "many points of a surface have not")
    friction, friction_values = _read_law_or_friction(builder, "friction", entry["friction"], label, points.computed)
    ends = np.cumsum([len(numbers) for _, _, numbers in points.groups])
    entries = []
    for group, end in zip(points.groups, ends.tolist(), strict=True):
        rows = slice(end - len(group[2]), end)
        entries.append(
            ContactBlock(
                geometry=contact_poses(builder, touched, group, displacement),
                shape=(touched.shape, touched.numbers),
                law=(law, _parameter_rows(law_values, rows)),
                friction=(friction, _parameter_rows(friction_values, rows)) if friction else None,
                group=len(builder.contact_names),
                slowest=1.0,
                restitution=float("nan"),
                coefficient=sliding_coefficient(friction_values),
                weight=touched.weight * skin.areas[rows],
                field=touched.field,
                faces=touched.faces,
                by_gap=True,
            )
        )
    builder.contact_names.append(
        ContactNames(
            name=name, law=law.name, bodies=(carrier, points.owner), outline=outline, radius=0.0, place=points.near,
            skin=skin, **builder.add_contacts(entries),
        )
    )  # fmt: skip


def _parameter_rows(values: dict[str, Any], rows: slice) -> Any:
    """Parameters of a law or friction: a list, or one row per point if any parameter differs between points."""
    if not any(np.ndim(value) for value in values.values()):
        return list(values.values())
    count = rows.stop - rows.start
    return np.column_stack([np.broadcast_to(v[rows] if np.ndim(v) else v, count) for v in values.values()])


def contact_poses(
    builder: MechanismBuilder,
    surface: ElementarySurface,
    group: tuple[type[Family], Array, Array],
    displacement: Sequence[int],
) -> ElementBlock:
    """Relative poses of points, with their coordinates and parameters, to the place of a surface, or to any of its faces."""
    point_family, own_coordinates, numbers = group
    d = point_family.dimension
    if surface.faces is not None:
        pose, family, index = RelativePosition, interpolated_point_family(d, d), surface.faces.coordinates[0].ravel()
        local = [1.0, *[0.0] * (d - 1), *surface.faces.places[0, 0]]
    else:
        pose, (owner, local_origin) = RelativePose, surface.place
        family, index, local = builder.names.part(owner).marker(pose, pose.attachments["a"], local_origin)
    coordinates = np.concatenate([np.broadcast_to(index, (len(own_coordinates), len(index))), own_coordinates], axis=1)
    repeated = np.broadcast_to(np.array(local, dtype=float), (len(own_coordinates), len(local)))
    return ElementBlock(
        pose, (family, point_family), coordinates, np.concatenate([repeated, numbers], axis=1), displacement
    )


def _default_stiffness(part: SolidPart, skin: ContactPoints) -> dict[str, float]:
    """Default contact stiffness by unit, from the stiffest material below the skin."""
    inside = np.zeros(len(part.mesh.nodes), dtype=bool)
    inside[skin.sides] = True
    youngs = 0.0
    for filling in part.fillings:
        if inside[part.mesh.cells[filling.cells]].any():
            youngs = max(youngs, youngs_modulus(*lame_constants(filling.material, filling.constants)))
    corners = part.mesh.nodes[skin.sides[:, : part.dimension]]
    # In a graded mesh, the contact is at the short sides; a single sliver does not count.
    h = float(np.quantile(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean(axis=1), 0.1))
    return {unit: factor * youngs / h**n for unit, (factor, n) in STIFFNESS_FACTORS.items()}


def _read_law_or_friction(
    builder: MechanismBuilder, field: str, entry: dict[str, Any] | None, label: str, computed: dict[str, dict[str, Any]]
) -> tuple[Any, dict[str, Any]]:
    """Class of a law or friction and its parameters; missing ones take the computed defaults."""
    if entry is None:
        return None, {}
    parameters = CONTACT_CHOICE_REGISTRIES[field][entry["type"]].parameters
    defaults: dict[str, Any] = {}
    for name, value in entry.items():
        if value is not None or name not in parameters or parameters[name].default is not None:
            continue
        unit = parameters[name].unit
        defaults[name] = computed[field].get(BRISTLE_STIFFNESS_UNIT if field == "friction" else unit)
        if defaults[name] is None:
            ErrorContext(label, f"{field}.{name}").fail(
                "is missing", expected=MISSING_NUMBER_HINTS.get(unit, "a stiffness by area, or the law penalty")
            )
    declaration, values = read_law_or_friction(
        builder, field, entry | {name: float(np.min(v)) for name, v in defaults.items()}, label
    )
    return declaration, values | defaults


def require_continuous_law(law: Any, label: str, reason: str) -> None:
    """ModelError unless a law works without located touchdowns. reason: end of the message, after the requirement of the
    law."""
    if law is not None and not law.remembers and not law.jumps:
        return
    laws: dict[str, Any] = dict(ContactLaw.registry)
    continuous_laws = [name for name, law_class in laws.items() if not law_class.remembers and not law_class.jumps]
    problem = "is missing"
    if law is not None:
        problem = "needs the speed of its touchdown" if law.remembers else "jumps at its touchdown"
        problem += f", which {reason}"
    ErrorContext(label, "law").fail(problem, law.name if law else None, f"one of {', '.join(sorted(continuous_laws))}")
