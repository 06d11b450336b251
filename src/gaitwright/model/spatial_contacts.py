"""Contacts of a document in space: names and expressions become numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.contact.height_field import height_table, moved_outwards
from gaitwright.model.contacts import SLOWEST_APPROACH, chosen, fastest, not_negative, restitution_of, with_stiffness
from gaitwright.model.limits import within_limits
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declare import NO_DIRECTION, Shape
from gaitwright.system.blocks import Contact, HeightTable, Table
from gaitwright.system.mechanism import ContactNames

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering
    from gaitwright.model.mesh_surfaces import CarriedMesh

Where = tuple[str, tuple[float, ...]]
NOTHING = np.zeros((0, 3))


class Touching(NamedTuple):
    """A sphere: its centre, its radius, m, and the field that names it."""

    place: Where
    radius: float
    field: str
    reference: str


class Carried(NamedTuple):
    """A surface: the point of its body that is its origin, its shape with numbers, what pictures show of it (see
    ContactNames), its own radius, m, and what it looks up."""

    place: Where
    shape: type[Shape]
    numbers: list[float]
    outline: np.ndarray = NOTHING
    radius: float = math.inf
    field: Table | None = None


def read_contact(s: Lowering, entry: dict[str, Any], k: int) -> None:
    """Add contact k of the document to the tables."""
    label = f"contact '{entry['name']}'" if entry["name"] else f"contact {k + 1}"
    name = entry["name"] or s.free_name(f"contact-{k + 1}")
    s.use_name(name, "contact", label)
    if entry["surface"]["solid"] is not None:
        from gaitwright.model.solid_surfaces import add_meeting  # solids, which few models have

        add_meeting(s, entry, name, label)
        return
    if entry["solid"] is not None:
        _add_skin(s, entry, name, label)
        return
    parts, surfaces = _touching(s, entry, label), Surfaces(s, entry["surface"], label)
    for number, touching in enumerate(parts):
        whole = name if len(parts) > 1 else ""
        _add(s, entry, f"{name}:{number + 1}" if whole else name, touching, surfaces, label, whole)


def _add_skin(s: Lowering, entry: dict[str, Any], name: str, label: str) -> None:
    from gaitwright.model.skins import Touched, add_skin, near, solid_of

    part, surfaces = solid_of(s, entry, label), Surfaces(s, entry["surface"], label)
    found = surfaces.of(Touching(near(part, part.skin(entry["region"])), 0.0, "solid", part.name))
    touched = [Touched(found.place, found.shape, found.numbers, field=found.field)]
    add_skin(s, entry, name, label, part, touched, surfaces.displacement, found.outline)


def _touching(s: Lowering, entry: dict[str, Any], label: str) -> list[Touching]:
    points = entry["points"] or ([entry["point"]] if entry["point"] else [])
    field = "points" if entry["points"] else "point"
    if points:
        return [Touching(s.point(p, label, field), 0.0, field, p) for p in points]
    field = "spheres" if entry["spheres"] else "sphere"
    found = []
    for sphere in entry["spheres"] or [entry["sphere"]]:
        radius = not_negative(s, sphere["radius"], label, f"{field}.radius", "m")
        found.append(Touching(s.point(sphere["body"], label, f"{field}.body"), radius, f"{field}.body", sphere["body"]))
    return found


def _add(
    s: Lowering, entry: dict[str, Any], name: str, touching: Touching, surfaces: Surfaces, label: str, whole: str
) -> None:
    """Add a contact of one sphere. whole: the name of the contact that it is a part of, if that has several."""
    surface = surfaces.of(touching)
    carrier, owner = surface.place[0], touching.place[0]
    if carrier == owner:
        ground = owner == "ground"
        problem = (
            "the ground cannot touch itself: neither side can move" if ground else f"'{owner}' cannot touch itself"
        )
        At(label, touching.field).fail(
            problem,
            touching.reference,
            "a point of a link or body" if ground else "a point of another body than that of the surface",
        )
    given = with_stiffness(s, entry, touching.radius, surface.radius, "surface.sphere.radius", label)
    law, law_values = chosen(s, "law", given, label)
    friction, friction_values = chosen(s, "friction", entry["friction"], label)
    slowest, approach = entry["slowest_approach"], entry["approach_speed"]
    contact = Contact(
        geometry=s.table_entry(RelativePose, [surface.place, touching.place], {}, surfaces.displacement),
        shape=(surface.shape, surface.numbers),
        law=(law, list(law_values.values())) if law else None,
        friction=(friction, list(friction_values.values())) if friction else None,
        group=len(s.contact_names),
        slowest=SLOWEST_APPROACH if slowest is None else s.positive(slowest, label, "slowest_approach", "m/s"),
        restitution=restitution_of(s, entry["restitution"], law_values, label),
        coefficient=friction_values.get("coefficient", friction_values.get("kinetic_coefficient", 0.0)),
        approach=None if approach is None else not_negative(s, approach, label, "approach_speed", "m/s"),
        field=surface.field,
    )
    s.contact_names.append(
        ContactNames(
            name=name,
            law=law.name if law else "",
            bodies=(carrier, owner),
            outline=surface.outline,
            radius=touching.radius,
            place=touching.place[1],
            fastest=fastest(s, entry["material"], label),
            whole=whole,
            **s.add_contacts([contact]),
        )
    )


# Surfaces -----------------------------------------------------------------------------------------------------------


class Surfaces:
    """The surface of a contact as the spheres that touch it see it; heights are computed once per radius."""

    def __init__(self, s: Lowering, given: dict[str, Any], label: str):
        self.s, self.given, self.label = s, given, label
        self.kind = next(name for name in SURFACES if given[name] is not None)
        self.displacement = self._displacement()
        self.fields: dict[float, HeightTable] = {}
        self.mesh: CarriedMesh | None = None

    def of(self, touching: Touching) -> Carried:
        return SURFACES[self.kind](self, self.given[self.kind], touching)

    def field(self, radius: float, grid: tuple[Any, Any, np.ndarray]) -> HeightTable:
        if radius not in self.fields:
            table = height_table(*grid)
            self.fields[radius] = moved_outwards(table, radius) if radius > 0.0 else table
        return self.fields[radius]

    def _displacement(self) -> list[int]:
        """Signals of how far the surface has moved, m."""
        s, given, label = self.s, self.given, self.label
        if given["velocity"] is not None:
            velocity = s.vector(given["velocity"], label, "surface.velocity", "m/s")
            return [s.signal(f"{v!r}*t" if v else 0.0, label, "surface.velocity") for v in velocity]
        moved = given["displacement"] or [0.0, 0.0, 0.0]
        return [s.signal(value, label, f"surface.displacement[{k}]") for k, value in enumerate(moved)]


def _unit(values: tuple[float, ...], label: str, field: str, expected: str) -> np.ndarray:
    size = math.hypot(*values)
    if size < NO_DIRECTION:
        At(label, field).fail("the normal is zero", list(values), expected)
    return np.array(values) / size + 0.0


def _plane(surface: Surfaces, given: Any, touching: Touching) -> Carried:
    s, label = surface.s, surface.label
    if isinstance(given, list):
        *normal, d = (s.number(value, label, f"surface.plane[{k}]") for k, value in enumerate(given))
        n = _unit(
            tuple(normal), label, "surface.plane", "[a, b, c, d] of a x + b y + c z + d = 0 with a normal [a, b, c]"
        )
        away = within_limits(-d / math.hypot(*normal), "m", label, "surface.plane[3]")
        place: Where = ("ground", tuple((away * n + 0.0).tolist()))
    else:
        place = s.point(given["point"], label, "surface.plane.point")
        normal = s.vector(given["normal"], label, "surface.plane.normal")
        n = _unit(normal, label, "surface.plane.normal", "a direction such as [0, 0, 1]")
    return Carried(place, PlaneShape, [*n.tolist(), touching.radius], np.array([place[1], n]))


def _sphere(surface: Surfaces, given: Any, touching: Touching) -> Carried:
    s, label = surface.s, surface.label
    radius = not_negative(s, given["radius"], label, "surface.sphere.radius", "m")
    if radius == 0.0 and touching.radius == 0.0:
        At(label, "surface.sphere.radius").fail(
            "two points cannot touch: there is no direction between them", radius, "a radius above 0 m for one of them"
        )
    place = s.point(given["body"], label, "surface.sphere.body")
    return Carried(place, SphereShape, [radius, touching.radius], radius=radius)


def _heights(surface: Surfaces, given: Any, touching: Touching) -> Carried:
    s, label, rows = surface.s, surface.label, given["z"]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        At(label, "surface.heights.z").fail(
            "is not a grid of heights",
            [len(row) for row in rows],
            "a list for each x, at least two, of equal length, with a number for each y, at least two",
        )
    z = np.array([s.vector(row, label, f"surface.heights.z[{k}]") for k, row in enumerate(rows)])
    origin = s.pair(given["origin"], label, "surface.heights.origin")
    dx, dy = (s.positive(v, label, f"surface.heights.spacing[{k}]", "m") for k, v in enumerate(given["spacing"]))
    table = surface.field(touching.radius, (origin, (dx, dy), z))
    x, y = origin[0] + dx * np.arange(z.shape[0]), origin[1] + dy * np.arange(z.shape[1])
    outline = np.stack([*np.meshgrid(x, y, indexing="ij"), z], axis=2)
    numbers = [touching.radius, float(x[0]), float(x[-1]), float(y[0]), float(y[-1])]
    return Carried(("ground", (0.0, 0.0, 0.0)), HeightFieldShape, numbers, outline, field=table)


def _mesh(surface: Surfaces, given: Any, touching: Touching) -> Carried:
    if surface.mesh is None:
        from gaitwright.model.mesh_surfaces import read_mesh_surface  # meshes, which few models have

        surface.mesh = read_mesh_surface(surface.s, surface.given, surface.label, touching.radius > 0.0)
    mesh = surface.mesh
    return Carried(mesh.place, mesh.shape, [touching.radius], mesh.outline, field=mesh.table)


SURFACES: dict[str, Callable[[Surfaces, Any, Touching], Carried]] = {
    "plane": _plane, "sphere": _sphere, "heights": _heights, "mesh": _mesh,
}  # fmt: skip
