"""Spatial scene: a mechanism over time as plain arrays, the common source of its pictures and animations.

A body is a moving frame with solids fixed to it. Quaternions are (w, x, y, z) of the rotation that transforms components in
the frame of the solid (or the body) to those in its parent frame.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from gaitwright.geometry.rotation import IDENTITY_QUATERNION, quaternion_from_direction, rotate_vectors
from gaitwright.report.array_checks import check_finite, check_shape, check_times
from gaitwright.report.figures.style import PALETTE
from gaitwright.report.scenes.deformable_body import DeformationDisplay, DeformingBody, check_deforming_bodies
from gaitwright.report.scenes.planar_scene import MAX_NAMED_PARTS, check_signal, spread_indices

SolidKind = Literal["box", "sphere", "cylinder", "cone", "capsule", "mesh", "frame"]
SOLID_SIZES: dict[str, tuple[str, ...]] = {
    "box": ("length along x", "along y", "along z"),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "cone": ("radius", "length"),
    "capsule": ("radius", "length between the centres of its caps"),
    "mesh": (),
    "frame": ("length",),
}
"""Meaning of the numbers in `size`, m. Every solid is centred at its origin, with its long side along z; the tip of a cone
points to positive z."""
JointKind = Literal["pin", "ball", "guide"]
JOINT_KINDS: tuple[str, ...] = ("pin", "ball", "guide")
MIN_STORED_FRAMES, MAX_STORED_FRAMES, MAX_STORED_POSES = 600, 3000, 120_000
"""Number of stored frames: minimum, maximum, and approximate total number of body poses if there are more than the minimum."""
CAMERA_FOLLOW_RATIO = 2.4
"""Ratio of travel to size of a mechanism above which a camera follows it."""
MAX_TURN_PER_FRAME_RAD = 0.7
"""Target for the rotation of a body from one stored frame to the next, rad: well below half a turn, beyond which the body
would seem to rotate backwards."""


@dataclass
class SceneSolid:
    """One drawn part of a body, or of the ground. at: (3,), m, its centre; rotation: (4,); both in the frame of its body.

    size: see SOLID_SIZES. vertices (n, 3), m, and faces (m, 3), counter-clockwise from outside: of a mesh. colour: index in
    the palette, or #rrggbb; default: that of its body."""

    name: str
    kind: SolidKind
    size: tuple[float, ...] = ()
    at: Any = (0.0, 0.0, 0.0)
    rotation: Any = IDENTITY_QUATERNION
    colour: int | str | None = None
    vertices: Any = None
    faces: Any = None

    def __post_init__(self) -> None:
        label = f"solid '{self.name}'"
        if self.kind not in SOLID_SIZES:
            raise ValueError(f"{label} has kind '{self.kind}'; expected one of {', '.join(SOLID_SIZES)}")
        self.size = tuple(float(x) for x in self.size)
        size_names = SOLID_SIZES[self.kind]
        if (
            len(self.size) != len(size_names)
            or not all(0 <= x < np.inf for x in self.size)
            or not any((*self.size, not size_names))
        ):
            raise ValueError(
                f"{label} has size {self.size}; expected {', '.join(size_names) or 'none'} of a {self.kind}, m"
            )
        self.at = check_shape(self.at, (3,), f"the place of {label}")
        self.rotation = _check_quaternions(self.rotation, (4,), f"the rotation of {label}")
        if self.kind == "mesh":
            self._check_mesh(label)

    def _check_mesh(self, label: str) -> None:
        self.vertices = check_finite(
            np.zeros((0, 3)) if self.vertices is None else self.vertices, f"the vertices of {label}"
        )
        self.faces = np.asarray(np.zeros((0, 3)) if self.faces is None else self.faces, dtype=np.int64)
        for name, array in (("vertices", self.vertices), ("faces", self.faces)):
            if array.ndim != 2 or array.shape[1] != 3 or not len(array):
                raise ValueError(f"the {name} of {label} have shape {array.shape}; expected (n, 3)")
        if self.faces.min() < 0 or self.faces.max() >= len(self.vertices):
            raise ValueError(f"the faces of {label} name a vertex that does not exist; it has {len(self.vertices)}")

    def painted(self, otherwise: str | None) -> str | None:
        """Its colour, #rrggbb. otherwise: colour if it has none of its own."""
        if isinstance(self.colour, int):
            return PALETTE[self.colour % len(PALETTE)]
        return self.colour or otherwise

    def extent(self) -> np.ndarray:
        """Corners, (n, 3), m, of its bounding box (for a mesh its vertices), in the frame of its body."""
        return self.at + rotate_vectors(
            self.rotation, self.vertices if self.kind == "mesh" else UNIT_BOX_CORNERS * _half_extents(self)
        )


def square_plate(name: str, point: Any, normal: Any, half: float, thickness: float) -> SceneSolid:
    """A square piece of a plane, m: its upper side contains the point and faces along the normal."""
    normal = np.asarray(normal, dtype=float) / np.linalg.norm(normal)
    size = (2.0 * half, 2.0 * half, thickness)
    return SceneSolid(
        name, "box", size, np.asarray(point, dtype=float) - thickness / 2 * normal, quaternion_from_direction(normal)
    )


def grid_terrain(name: str, grid: Any) -> SceneSolid:
    """A surface through a grid of points (n, m, 3), m, solid on the side opposite to d(grid)/dn x d(grid)/dm."""
    grid = np.asarray(grid, dtype=float)
    n, m = grid.shape[:2]
    number = np.arange(n * m).reshape(n, m)
    a, b, c, d = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return SceneSolid(name, "mesh", vertices=grid.reshape(-1, 3), faces=faces)


UNIT_BOX_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def _half_extents(solid: SceneSolid) -> np.ndarray:
    """Half the sides of the box around a solid, m."""
    size = solid.size
    halves = {
        "box": lambda: np.array(size) / 2,
        "sphere": lambda: np.full(3, size[0]),
        "cylinder": lambda: np.array([size[0], size[0], size[1] / 2]),
        "cone": lambda: np.array([size[0], size[0], size[1] / 2]),
        "capsule": lambda: np.array([size[0], size[0], size[1] / 2 + size[0]]),
        "frame": lambda: np.full(3, size[0]),
    }
    return halves[solid.kind]()


@dataclass
class MovingBody:
    """A moving body. position: (n_times, 3), m, of the origin of its frame; rotation: (n_times, 4), from its frame to the
    ground's."""

    name: str
    position: Any
    rotation: Any
    solids: list[SceneSolid] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.position = check_shape(self.position, (None, 3), f"the position of body '{self.name}'")
        n = len(self.position)
        self.rotation = _check_quaternions(self.rotation, (n, 4), f"the rotation of body '{self.name}'")
        # q and -q are the same rotation; interpolation needs the one nearer to the preceding frame.
        signs = np.where((self.rotation[1:] * self.rotation[:-1]).sum(axis=1) < 0, -1.0, 1.0)
        self.rotation[1:] *= np.cumprod(signs)[:, None]

    def reach(self) -> float:
        """Largest distance of its solids from the origin of its frame, m."""
        return max((float(np.linalg.norm(solid.extent(), axis=1).max()) for solid in self.solids), default=0.0)

    def middle(self) -> np.ndarray:
        """Centre of its solids, (3,), m, in its own frame."""
        local = np.concatenate([np.zeros((0, 3)), *(solid.extent() for solid in self.solids)])
        return (local.min(axis=0) + local.max(axis=0)) / 2 if len(local) else np.zeros(3)

    def extent(self) -> np.ndarray:
        """Points that span the extent of the body, (n_times, n, 3), m."""
        local = np.concatenate([np.zeros((1, 3)), *(solid.extent() for solid in self.solids)])
        if len(local) > 64:  # use the box of a large mesh
            local = (local.min(axis=0) + local.max(axis=0)) / 2 + UNIT_BOX_CORNERS * np.ptp(local, axis=0) / 2
        return self.position[:, None] + rotate_vectors(self.rotation[:, None], local)

    def turned(self) -> float:
        """Total rotation over all frames, rad."""
        cosine = np.abs((self.rotation[1:] * self.rotation[:-1]).sum(axis=1)).clip(max=1.0)
        return float(2.0 * np.arccos(cosine).sum())


@dataclass
class JointMark:
    """Drawn symbol of a joint. position: (n_times, 3), m; axis: (n_times, 3), of a pin or a guide, or None."""

    name: str
    kind: JointKind
    position: Any
    axis: Any = None

    def __post_init__(self) -> None:
        if self.kind not in JOINT_KINDS:
            raise ValueError(f"joint '{self.name}' has kind '{self.kind}'; expected one of {', '.join(JOINT_KINDS)}")
        self.position = check_shape(self.position, (None, 3), f"the position of joint '{self.name}'")
        if self.axis is not None:
            self.axis = check_shape(self.axis, self.position.shape, f"the axis of joint '{self.name}'")
            length = np.linalg.norm(self.axis, axis=1, keepdims=True)
            if not length.all():
                raise ValueError(f"the axis of joint '{self.name}' is zero somewhere; expected a direction")
            self.axis = self.axis / length


@dataclass
class SpatialScene:
    """A spatial mechanism over time, with the data shown beside it.

    time: (n_times,), s, never decreasing. ground: fixed solids. lines: name to (n_times, k, 3), m: connections between
    moving points; thickness: radius of some lines, relative to the size of the mechanism. springs: name to (n_times, 2, 3),
    m: their two ends. traces: name to (n_times, 3), m: paths that grow while the animation plays. forces: name to (points
    (n_times, 3), m, forces (n_times, 3), N); NaN if there is none. signals: name to (time s, values, unit), plotted beside
    the animation; NaN leaves a gap. table: rows of text, header first. up: (3,), the direction against gravity, from which
    light falls. floor: height along `up`, m, of the grid with the shadows; default: just below everything. held: True if a
    joint connects it to the ground, so that no camera follows it. deforming: deforming bodies; showing: their display.
    reach: half the side, m, of a cube about the centre that the picture contains at least, so that scenes side by side have
    one scale.
    """

    name: str
    time: np.ndarray
    bodies: list[MovingBody] = field(default_factory=list)
    ground: list[SceneSolid] = field(default_factory=list)
    lines: dict[str, np.ndarray] = field(default_factory=dict)
    thickness: dict[str, float] = field(default_factory=dict)
    springs: dict[str, np.ndarray] = field(default_factory=dict)
    joints: list[JointMark] = field(default_factory=list)
    traces: dict[str, np.ndarray] = field(default_factory=dict)
    forces: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    signals: dict[str, tuple[np.ndarray, np.ndarray, str]] = field(default_factory=dict)
    table: list[tuple[str, ...]] = field(default_factory=list)
    up: Any = (0.0, 0.0, 1.0)
    floor: float | None = None
    held: bool = False
    deforming: list[DeformingBody] = field(default_factory=list)
    showing: DeformationDisplay = field(default_factory=DeformationDisplay)
    reach: float | None = None

    def __post_init__(self) -> None:
        self.time = check_times(self.time, "the time of the scene")
        n = self.n_frames
        if not (self.bodies or self.joints or self.lines or self.springs or self.deforming):
            raise ValueError("the scene is empty; expected at least one body, joint, spring or line")
        for part in (*self.bodies, *self.joints):
            if len(part.position) != n:
                raise ValueError(f"'{part.name}' has {len(part.position)} frame(s) but the scene has {n} times")
        if self.deforming:
            check_deforming_bodies(self.deforming, self.showing, n, 3)
        for part_name, parts, shape in (
            ("line", self.lines, (n, None, 3)), ("spring", self.springs, (n, 2, 3)), ("trace", self.traces, (n, 3)),
        ):  # fmt: skip
            parts.update({name: check_shape(path, shape, f"{part_name} '{name}'") for name, path in parts.items()})
        for name, force in self.forces.items():
            points, vectors = (np.asarray(part, dtype=float) for part in force)
            if points.shape != (n, 3) or vectors.shape != (n, 3):
                shapes = f"{points.shape} and {vectors.shape}"
                raise ValueError(f"points and vectors of force '{name}' have shapes {shapes}; expected ({n}, 3) each")
            self.forces[name] = points, vectors
        self.signals = {name: check_signal(name, *signal) for name, signal in self.signals.items()}
        self.table = [tuple(str(cell) for cell in row) for row in self.table]
        self.up = check_shape(self.up, (3,), "the direction up")
        self.up = self.up / np.linalg.norm(self.up) if self.up.any() else np.array([0.0, 0.0, 1.0])

    @property
    def title(self) -> str:
        return self.name

    @title.setter
    def title(self, text: str) -> None:
        self.name = text

    @property
    def n_frames(self) -> int:
        return len(self.time)

    def groups(self) -> dict[str, str]:
        """Names of bodies in legends and for colours; see PlanarScene.groups."""
        names = list(dict.fromkeys(body.name for body in (*self.bodies, *self.deforming)))
        return {name: name.partition("-")[0] if len(names) > MAX_NAMED_PARTS else name for name in names}

    @functools.cached_property
    def boxes(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of the mechanism in every frame, (n_times, 3) each, m."""
        low, high = np.full((self.n_frames, 3), np.inf), np.full((self.n_frames, 3), -np.inf)
        joints = (joint.position[:, None] for joint in self.joints)
        # One part after the other: the corners of a thousand bodies over all frames would exceed the memory.
        soft = (body.extent(self.showing.exaggeration) for body in self.deforming)
        parts = itertools.chain(
            (body.extent() for body in self.bodies), joints, self.lines.values(), self.springs.values(), soft
        )
        for points in parts:
            low, high = np.minimum(low, points.min(axis=1)), np.maximum(high, points.max(axis=1))
        return low, high

    def size(self) -> float:
        """Size of the mechanism, m: the largest side of its box in a typical frame. Never zero."""
        low, high = self.boxes
        typical = float(np.median((high - low).max(axis=1)))
        return typical or float((high.max(axis=0) - low.min(axis=0)).max()) or 1.0

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner, (3,) each, m, of the shown region: the box that contains every frame, and at least
        `reach`."""
        low, high = self.tight_bounds()
        if self.reach is not None:
            middle = (low + high) / 2
            low, high = np.minimum(low, middle - self.reach), np.maximum(high, middle + self.reach)
        return low, high

    def tight_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner, (3,) each, m, of the box that contains every frame. Ground may widen it only by a third
        of the mechanism's size: a wide floor must not shrink the mechanism to a dot."""
        low, high = self.boxes[0].min(axis=0), self.boxes[1].max(axis=0)
        for path in self.traces.values():
            low, high = np.minimum(low, path.min(axis=0)), np.maximum(high, path.max(axis=0))
        beyond = self.size() / 3
        for solid in self.ground:
            clipped = np.clip(solid.extent(), low - beyond, high + beyond)
            low, high = np.minimum(low, clipped.min(axis=0)), np.maximum(high, clipped.max(axis=0))
        return low, high

    def hull(self) -> np.ndarray:
        """Extreme points (n, 3), m, of all frames in many directions: the region that a camera must show."""
        low, high = (part[self.pick_frames(MIN_STORED_FRAMES)] for part in self.boxes)
        corners = ((low + high) / 2)[:, None] + UNIT_BOX_CORNERS * ((high - low) / 2)[:, None]
        low, high = self.bounds()
        clipped = [np.clip(solid.extent(), low, high) for solid in self.ground]
        if self.reach is not None:
            clipped.append((low + high) / 2 + UNIT_BOX_CORNERS * (high - low) / 2)
        points = np.concatenate([corners.reshape(-1, 3), *self.traces.values(), *clipped])
        # Evenly spread directions, by the golden angle.
        height, angle = 1.0 - (2.0 * np.arange(160) + 1.0) / 160, np.pi * (3.0 - 5.0**0.5) * np.arange(160)
        level = np.sqrt(1.0 - height**2)
        ways = np.stack([level * np.cos(angle), level * np.sin(angle), height])
        return points[np.unique((points @ ways).argmax(axis=0))]

    def floor_level(self) -> float:
        """Height of the grid along `up`, m."""
        if self.floor is not None:
            return self.floor
        low, high = self.tight_bounds()
        corners = (low + high) / 2 + UNIT_BOX_CORNERS * (high - low) / 2
        lowest, size = float((corners @ self.up).min()), self.size()
        ground = min((float((solid.extent() @ self.up).min()) for solid in self.ground), default=lowest)
        return max(min(lowest, ground), lowest - size / 2) - 0.015 * size

    def travels(self) -> bool:
        """True if the mechanism travels so far that a camera should follow it."""
        low, high = self.boxes
        return not self.held and float((high.max(axis=0) - low.min(axis=0)).max()) > CAMERA_FOLLOW_RATIO * self.size()

    def force_scale(self) -> float:
        """Metres of arrow per newton; see PlanarScene.force_scale."""
        sizes = np.concatenate([np.zeros(0), *(np.linalg.norm(v, axis=1) for _, v in self.forces.values())])
        sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
        return 0.25 * self.size() / float(np.median(sizes)) if sizes.size else 0.0

    def frames_wanted(self) -> int:
        """Number of frames for a player: more than the minimum if bodies spin fast and are few."""
        spin = max((body.turned() for body in self.bodies), default=0.0)
        maximum = min(MAX_STORED_FRAMES, MAX_STORED_POSES // max(len(self.bodies), 1))
        return max(MIN_STORED_FRAMES, min(int(spin / MAX_TURN_PER_FRAME_RAD), maximum))

    def pick_frames(self, count: int) -> np.ndarray:
        """Indices of at most `count` frames, evenly spread over time; the times picked strictly increase."""
        return spread_indices(self.time, count)


def _check_quaternions(values: Any, shape: tuple[int | None, ...], label: str) -> np.ndarray:
    """Check quaternions and normalise them."""
    array = check_shape(values, shape, label)
    length = np.linalg.norm(array, axis=-1, keepdims=True)
    if not length.all():
        raise ValueError(f"{label} has a quaternion of zeros; expected w, x, y, z of a rotation")
    return array / length
