"""Bodies and links of a document as coordinates and mass matrices: in the plane, and in space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gaitwright.checks import At
from gaitwright.geometry.inertia import brace, mass_matrix, second_moments, tensor
from gaitwright.geometry.orientation import read_orientation
from gaitwright.model.spatial_spec import SHAPES
from gaitwright.system.parts.base import WantedVelocity
from gaitwright.system.parts.body import Body
from gaitwright.system.parts.planar_body import PlanarBody, planar_ground
from gaitwright.system.parts.spatial_body import SpatialBody, spatial_ground

if TYPE_CHECKING:
    from gaitwright.model.scope import Scope

Points = dict[str, tuple[float, ...]]
Ends = tuple[tuple[float, ...], tuple[float, ...]]


class Plane:
    """Bodies (x, y, angle), whose origin is their centre of mass."""

    ground: ClassVar[Callable[[Points], Body]] = staticmethod(planar_ground)
    pins: ClassVar[str] = "revolute"
    """The joint at points that several links have."""
    holding: ClassVar[frozenset[str]] = frozenset({"fixed"})
    """Joints that take the place of such a pin."""

    @staticmethod
    def read_body(s: Scope, body: Any, label: str) -> None:
        mass = s.positive(body.mass, label, "mass", "kg")
        inertia = s.positive(body.inertia, label, "inertia", "kg m^2")
        pose = (*s.pair(body.at, label, "at"), s.number(body.angle, label, "angle", "rad"))
        points = {name: s.vector(at, label, f"points.{name}") for name, at in body.points.items()}
        looks = read_looks(s, body, label)
        made = s.add(_planar(body.name, "body", s.drawn_pose(body.name, pose), mass, inertia, points, looks))
        # Zero is what a body has anyway unless joints or drives move it: no wish, so that it never contradicts them.
        velocity = s.pair(body.velocity or [0.0, 0.0], label, "velocity", "m/s")
        if any(velocity):
            s.wanted.append(_of_coordinates(f"{body.name}.velocity", made.index[:2], velocity))
        spin = s.number(body.spin or 0.0, label, "spin", "rad/s")
        if spin:
            s.wanted.append(_of_coordinates(f"{body.name}.spin", made.index[2:], (spin,)))

    @staticmethod
    def read_link(s: Scope, link: Any, label: str, ends: Ends, length: float, points: Points) -> None:
        (x0, y0), (x1, y1) = ends
        mass = s.positive(link.mass, label, "mass", "kg")
        inertia = mass * length**2 / 12
        if link.inertia is not None:
            inertia = s.positive(link.inertia, label, "inertia", "kg m^2")
        pose = s.drawn_pose(link.name, ((x0 + x1) / 2, (y0 + y1) / 2, s.angle(y1 - y0, x1 - x0)))
        s.add(_planar(link.name, "link", pose, mass, inertia, points, read_looks(s, link, label)))


class Space:
    """Bodies in fully Cartesian coordinates, with an origin anywhere."""

    ground: ClassVar[Callable[[Points], Body]] = staticmethod(spatial_ground)
    pins: ClassVar[str] = "spherical"
    holding: ClassVar[frozenset[str]] = frozenset({"fixed", "revolute", "spherical", "universal"})

    @staticmethod
    def read_body(s: Scope, body: Any, label: str) -> None:
        mass = s.positive(body.mass, label, "mass", "kg")
        inertia = tensor([s.number(v, label, f"inertia[{k}]", "kg m^2") for k, v in enumerate(body.inertia)])
        centre = s.vector(body.centre, label, "centre")
        rotation = read_orientation(s, body.orientation, label)
        at = s.vector(body.at, label, "at")
        points = {name: s.vector(place, label, f"points.{name}") for name, place in body.points.items()}
        shapes = tuple(read_shape(s, shape, label, f"shapes[{k}]") for k, shape in enumerate(body.shapes))
        pose = spatial_pose(at, rotation)
        made = s.add(_spatial(body.name, "body", pose, mass, inertia, points, centre, shapes, label))
        velocity = s.vector(body.velocity or s.origin, label, "velocity", "m/s")
        if any(velocity):
            s.wanted.append(made.wanted(f"{body.name}.velocity", centre, velocity))
        spin = s.vector(body.spin or s.origin, label, "spin", "rad/s")
        if any(spin):
            s.wanted.append(made.wanted_spin(f"{body.name}.spin", spin))

    @staticmethod
    def read_link(s: Scope, link: Any, label: str, ends: Ends, length: float, points: Points) -> None:
        """A solid cylinder; x from its start to its end, y level."""
        mass, radius = s.positive(link.mass, label, "mass", "kg"), s.positive(link.radius, label, "radius", "m")
        across = mass * (length**2 / 12 + radius**2 / 4)
        inertia = np.diag([mass * radius**2 / 2, across, across])
        start, end = np.array(ends)
        x = (end - start) / np.linalg.norm(end - start)
        up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
        y = np.cross(up, x) / np.linalg.norm(np.cross(up, x))
        rotation = np.stack([x, y, np.cross(x, y)], axis=1)
        lying = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
        shapes = ({"kind": "cylinder", "size": (radius, length), "at": s.origin, "rotation": lying},)
        pose = spatial_pose((start + end) / 2, rotation)
        s.add(_spatial(link.name, "link", pose, mass, inertia, points, s.origin, shapes, label))


SPACES: dict[int, Any] = {2: Plane, 3: Space}


def spatial_pose(at: Any, rotation: np.ndarray) -> np.ndarray:
    """The twelve coordinates of a body as the tables hold them: r, and the axes less those of the ground."""
    return np.concatenate([np.asarray(at, dtype=float), (rotation - np.eye(3)).T.ravel()])


def _planar(
    name: str, kind: str, pose: np.ndarray, mass: float, inertia: float, points: Points, shapes: tuple[Any, ...]
) -> PlanarBody:
    matrix = np.diag([mass, mass, inertia])
    return PlanarBody(
        name=name, kind=kind, drawn=pose, mass=mass, inertia=inertia, matrix=matrix, points=points, shapes=shapes
    )


def read_looks(s: Scope, entry: Any, label: str) -> tuple[dict[str, Any], ...]:
    """Meshes of a body or link of the plane with numbers: file, scale, at (m), angle (rad)."""
    return tuple(
        {
            "kind": "mesh", "file": look.mesh, "scale": s.vector(look.scale or (1.0,) * 3, label, f"shapes[{k}].scale"),
            "at": s.pair(look.at, label, f"shapes[{k}].at"), "angle": s.number(look.angle, label, f"shapes[{k}].angle", "rad"),
        }
        for k, look in enumerate(entry.shapes or ())
    )  # fmt: skip


def _spatial(
    name: str, kind: str, pose: Any, mass: float, inertia: np.ndarray, points: Points, centre: Any, shapes: Any, label: str
) -> SpatialBody:  # fmt: skip
    moments = second_moments(inertia, label)
    return SpatialBody(
        name=name, kind=kind, drawn=pose, mass=mass, inertia=inertia, points=points, middle=centre, shapes=shapes,
        matrix=mass_matrix(mass, np.array(centre), moments), brace=brace(mass, np.array(centre), moments),
    )  # fmt: skip


def _of_coordinates(label: str, index: np.ndarray, value: tuple[float, ...]) -> WantedVelocity:
    """The wish for the rates of coordinates themselves."""
    return WantedVelocity(label, index, lambda pose: np.eye(len(value)), value)


def read_shape(s: Scope, shape: Any, label: str, field: str) -> dict[str, Any]:
    """A shape with numbers: kind, size (m), at (m), rotation (matrix)."""
    given = [name for name in SHAPES if getattr(shape, name) is not None]
    if len(given) != 1:
        At(label, field).fail("is not one shape", expected=f"one of {', '.join(SHAPES)}")
    if shape.scale is not None and given != ["mesh"]:
        At(label, f"{field}.scale").fail("is not a mesh", expected="sizes in m instead")
    file = {"file": shape.mesh, "scale": s.vector(shape.scale or (1.0,) * 3, label, f"{field}.scale")}
    sizes = getattr(shape, given[0]) if given != ["mesh"] else []
    numbers = s.vector(sizes if isinstance(sizes, list) else [sizes], label, f"{field}.{given[0]}")
    if min(numbers, default=1.0) <= 0:
        At(label, f"{field}.{given[0]}").fail("must be greater than zero", list(numbers), "positive numbers of m")
    rotation = read_orientation(s, shape.orientation, label, f"{field}.orientation")
    found = {"kind": given[0], "size": numbers, "at": s.vector(shape.at, label, f"{field}.at"), "rotation": rotation}
    return found | {"colour": shape.colour} | (file if given == ["mesh"] else {})
