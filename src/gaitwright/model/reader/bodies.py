"""Bodies and links of a document as coordinates and mass matrices, in the plane and in space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.geometry.inertia import inertia_tensor, mass_matrix, second_moments, thin_body_inertia
from gaitwright.geometry.orientation import read_orientation
from gaitwright.mechanism.parts.base import RequestedVelocity
from gaitwright.mechanism.parts.planar_body import PlanarBodyPart, planar_ground
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart
from gaitwright.mechanism.parts.spatial_body import SpatialBodyPart, spatial_ground
from gaitwright.model.spec.spatial_bodies import BODY_SHAPE_KINDS

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver
    from gaitwright.model.spec.document import BodySpec, LinkSpec
    from gaitwright.model.spec.spatial_bodies import SpatialBodySpec, SpatialLinkSpec

PointsByName = dict[str, tuple[float, ...]]
EndPoints = tuple[tuple[float, ...], tuple[float, ...]]


class PlanarBodyReader:
    """Reader of planar bodies (x, y, angle), with the origin at the centre of mass."""

    ground: ClassVar[Callable[[PointsByName], RigidBodyPart]] = staticmethod(planar_ground)
    pins: ClassVar[str] = "revolute"
    """Joint type at points shared by several links."""
    holding: ClassVar[frozenset[str]] = frozenset({"fixed"})
    """Joint types that replace such a pin."""

    @staticmethod
    def read_body(names: NameResolver, body: BodySpec, label: str) -> None:
        mass = names.numbers.positive(body.mass, label, "mass", "kg")
        inertia = names.numbers.positive(body.inertia, label, "inertia", "kg m^2")
        pose = (*names.numbers.pair(body.at, label, "at"), names.numbers.number(body.angle, label, "angle", "rad"))
        points = {name: names.numbers.vector(at, label, f"points.{name}") for name, at in body.points.items()}
        shapes = read_planar_shapes(names, body, label)
        part = names.add(
            _planar_body(body.name, "body", names.numbers.drawn_pose(body.name, pose), mass, inertia, points, shapes)
        )
        # Zero is the default unless joints or drives move the body: it is not requested, so that it never contradicts them.
        velocity = names.numbers.pair(body.velocity or [0.0, 0.0], label, "velocity", "m/s")
        if any(velocity):
            names.wanted.append(_wanted_coordinate_rates(f"{body.name}.velocity", part.index[:2], velocity))
        spin = names.numbers.number(body.spin or 0.0, label, "spin", "rad/s")
        if spin:
            names.wanted.append(_wanted_coordinate_rates(f"{body.name}.spin", part.index[2:], (spin,)))

    @staticmethod
    def read_link(
        names: NameResolver, link: LinkSpec, label: str, ends: EndPoints, length: float, points: PointsByName
    ) -> None:
        (x0, y0), (x1, y1) = ends
        mass = names.numbers.positive(link.mass, label, "mass", "kg")
        inertia = mass * length**2 / 12
        if link.inertia is not None:
            inertia = names.numbers.positive(link.inertia, label, "inertia", "kg m^2")
        pose = names.numbers.drawn_pose(
            link.name, ((x0 + x1) / 2, (y0 + y1) / 2, names.numbers.angle(y1 - y0, x1 - x0))
        )
        names.add(_planar_body(link.name, "link", pose, mass, inertia, points, read_planar_shapes(names, link, label)))


class SpatialBodyReader:
    """Reader of spatial bodies in fully Cartesian coordinates, with an arbitrary origin."""

    ground: ClassVar[Callable[[PointsByName], RigidBodyPart]] = staticmethod(spatial_ground)
    pins: ClassVar[str] = "spherical"
    holding: ClassVar[frozenset[str]] = frozenset({"fixed", "revolute", "spherical", "universal"})

    @staticmethod
    def read_body(names: NameResolver, body: SpatialBodySpec, label: str) -> None:
        mass = names.numbers.positive(body.mass, label, "mass", "kg")
        inertia = inertia_tensor(
            [names.numbers.number(v, label, f"inertia[{k}]", "kg m^2") for k, v in enumerate(body.inertia)]
        )
        centre = names.numbers.vector(body.centre, label, "centre")
        rotation = read_orientation(names.numbers, body.orientation, label)
        at = names.numbers.vector(body.at, label, "at")
        points = {
            name: names.numbers.vector(position, label, f"points.{name}") for name, position in body.points.items()
        }
        shapes = tuple(read_shape(names, shape, label, f"shapes[{k}]") for k, shape in enumerate(body.shapes))
        pose = spatial_coordinates(at, rotation)
        part = names.add(_spatial_body(body.name, "body", pose, mass, inertia, points, centre, shapes, label))
        velocity = names.numbers.vector(body.velocity or names.origin, label, "velocity", "m/s")
        if any(velocity):
            names.wanted.append(part.wanted(f"{body.name}.velocity", centre, velocity))
        spin = names.numbers.vector(body.spin or names.origin, label, "spin", "rad/s")
        if any(spin):
            names.wanted.append(part.wanted_spin(f"{body.name}.spin", spin))

    @staticmethod
    def read_link(
        names: NameResolver, link: SpatialLinkSpec, label: str, ends: EndPoints, length: float, points: PointsByName
    ) -> None:
        """Link as a solid cylinder; x from its start to its end, y horizontal."""
        mass, radius = (
            names.numbers.positive(link.mass, label, "mass", "kg"),
            names.numbers.positive(link.radius, label, "radius", "m"),
        )
        transverse_inertia = mass * (length**2 / 12 + radius**2 / 4)
        inertia = np.diag([mass * radius**2 / 2, transverse_inertia, transverse_inertia])
        start, end = np.array(ends)
        x = (end - start) / np.linalg.norm(end - start)
        up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
        y = np.cross(up, x) / np.linalg.norm(np.cross(up, x))
        rotation = np.stack([x, y, np.cross(x, y)], axis=1)
        shape_rotation = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
        shapes = ({"kind": "cylinder", "size": (radius, length), "at": names.origin, "rotation": shape_rotation},)
        pose = spatial_coordinates((start + end) / 2, rotation)
        names.add(_spatial_body(link.name, "link", pose, mass, inertia, points, names.origin, shapes, label))


BODY_READERS: dict[int, Any] = {2: PlanarBodyReader, 3: SpatialBodyReader}


def spatial_coordinates(at: Any, rotation: np.ndarray) -> np.ndarray:
    """Twelve coordinates of a body in the tables: r, and the axes minus those of the ground."""
    return np.concatenate([np.asarray(at, dtype=float), (rotation - np.eye(3)).T.ravel()])


def _planar_body(
    name: str, kind: str, pose: np.ndarray, mass: float, inertia: float, points: PointsByName, shapes: tuple[Any, ...]
) -> PlanarBodyPart:
    matrix = np.diag([mass, mass, inertia])
    return PlanarBodyPart(
        name=name, kind=kind, drawn=pose, mass=mass, inertia=inertia, matrix=matrix, points=points, shapes=shapes
    )


def read_planar_shapes(names: NameResolver, entry: BodySpec | LinkSpec, label: str) -> tuple[dict[str, Any], ...]:
    """Meshes of a planar body or link with evaluated numbers: file, scale, at (m), angle (rad)."""
    numbers = names.numbers
    return tuple(
        {
            "kind": "mesh", "file": shape.mesh,
            "scale": numbers.vector(shape.scale or (1.0,) * 3, label, f"shapes[{k}].scale"),
            "at": numbers.pair(shape.at, label, f"shapes[{k}].at"),
            "angle": numbers.number(shape.angle, label, f"shapes[{k}].angle", "rad"),
        }
        for k, shape in enumerate(entry.shapes or ())
    )  # fmt: skip


def _spatial_body(
    name: str,
    kind: str,
    pose: Any,
    mass: float,
    inertia: np.ndarray,
    points: PointsByName,
    centre: Any,
    shapes: Any,
    label: str,
) -> SpatialBodyPart:
    moments = second_moments(inertia, label)
    return SpatialBodyPart(
        name=name, kind=kind, drawn=pose, mass=mass, inertia=inertia, points=points, middle=centre, shapes=shapes,
        matrix=mass_matrix(mass, np.array(centre), moments), brace=thin_body_inertia(mass, np.array(centre), moments),
    )  # fmt: skip


def _wanted_coordinate_rates(label: str, index: np.ndarray, value: tuple[float, ...]) -> RequestedVelocity:
    """Request for the rates of coordinates themselves."""
    return RequestedVelocity(label, index, lambda pose: np.eye(len(value)), value)


def read_shape(names: NameResolver, shape: Any, label: str, field: str) -> dict[str, Any]:
    """Shape with evaluated numbers: kind, size (m), at (m), rotation (matrix)."""
    kinds = [name for name in BODY_SHAPE_KINDS if getattr(shape, name) is not None]
    if len(kinds) != 1:
        ErrorContext(label, field).fail("is not one shape", expected=f"one of {', '.join(BODY_SHAPE_KINDS)}")
    if shape.scale is not None and kinds != ["mesh"]:
        ErrorContext(label, f"{field}.scale").fail("is not a mesh", expected="sizes in m instead")
    mesh_fields = {
        "file": shape.mesh,
        "scale": names.numbers.vector(shape.scale or (1.0,) * 3, label, f"{field}.scale"),
    }
    sizes = getattr(shape, kinds[0]) if kinds != ["mesh"] else []
    numbers = names.numbers.vector(sizes if isinstance(sizes, list) else [sizes], label, f"{field}.{kinds[0]}")
    if min(numbers, default=1.0) <= 0:
        ErrorContext(label, f"{field}.{kinds[0]}").fail(
            "must be greater than zero", list(numbers), "positive numbers of m"
        )
    rotation = read_orientation(names.numbers, shape.orientation, label, f"{field}.orientation")
    result = {
        "kind": kinds[0],
        "size": numbers,
        "at": names.numbers.vector(shape.at, label, f"{field}.at"),
        "rotation": rotation,
    }
    return result | {"colour": shape.colour} | (mesh_fields if kinds == ["mesh"] else {})
