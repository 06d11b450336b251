"""Geoms of MJCF: their mass and their shape."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.formats.xml_text import parse_numbers
from gaitwright.geometry.orientation import rotation_from_quaternion
from gaitwright.geometry.rotation import quaternion_from_direction

Array = np.ndarray
GEOM_TYPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "hfield", "mesh", "sdf")
GEOM_SIZE_COUNTS = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
"""Number of size parameters of a geom: radius, half length, half sides, semi-axes."""
DEFAULT_DENSITY_KG_M3 = 1000.0


@dataclass
class MjcfGeom:
    """Geom. size: m, see GEOM_SIZE_COUNTS. at, rotation: in the body frame. mass: kg; None if it follows from the density.
    density: kg/m^3."""

    name: str
    kind: str
    size: Array
    at: Array
    rotation: Array
    mass: float | None
    density: float
    group: int
    look: dict[str, Any]
    touches: bool

    def inertial(self, at: ErrorContext) -> LinkInertia:
        """Mass and inertia of the geom as a body of uniform density."""
        if self.kind in ("plane", "hfield") or self.mass == 0.0 or (self.mass is None and self.density == 0.0):
            return LinkInertia()
        if self.kind not in GEOM_SIZE_COUNTS:
            at["geom"].fail(
                f"the mass of {self.name} is that of a {self.kind}, which is not computed",
                expected="<inertial .../> in the body",
            )
        volume, moments = _VOLUME_AND_MOMENTS[self.kind](*self.size)
        mass = self.density * volume if self.mass is None else self.mass
        return LinkInertia(mass, self.at, self.rotation @ np.diag(mass * np.asarray(moments)) @ self.rotation.T)

    def shape(self) -> dict[str, Any] | None:
        """Shape entry of a model file, or None if it cannot be shown."""
        entry_function = _SHAPE_ENTRIES.get(self.kind)
        return (
            None
            if entry_function is None
            else {**entry_function(self.size), **self.look, "at": self.at, "rotation": self.rotation}
        )


def read_geom(
    attributes: dict[str, str], place: Array, rotation: Array, label: ErrorContext, meshes: dict[str, dict[str, str]]
) -> MjcfGeom:
    """Read a geom with a position and rotation in its body."""
    at = ErrorContext(f"{label.element} geom '{attributes.get('name', '')}'".replace(" ''", ""))
    kind = attributes.get("type", "mesh" if "mesh" in attributes else "sphere")
    at["type"].one_of(kind, GEOM_TYPES, "there is no such geom")
    size = np.zeros(0)
    if kind in GEOM_SIZE_COUNTS:
        size = np.array(parse_numbers(attributes.get("size", "0"), (1, 2, 3), at["size"]))
        if "fromto" in attributes:
            start, end = np.array(parse_numbers(attributes["fromto"], 6, at["fromto"])).reshape(2, 3)
            local = (
                rotation_from_quaternion(quaternion_from_direction(start - end))
                if (start - end).any()
                else at["fromto"].fail("has no length")
            )
            # place and rotation are those of the enclosing frame here
            place, rotation = place + rotation @ ((start + end) / 2), rotation @ local
            half = float(np.linalg.norm(start - end)) / 2
            size = np.array([size[0], half] if GEOM_SIZE_COUNTS[kind] == 2 else [size[0], size[0], half])
        if len(size) < GEOM_SIZE_COUNTS[kind]:
            at["size"].fail(
                f"a {kind} has {GEOM_SIZE_COUNTS[kind]} sizes", size.tolist(), "half lengths and radii in m"
            )
        size = size[: GEOM_SIZE_COUNTS[kind]]
        at["size"].above_zero(size, "positive numbers of m")
    mass = (
        None
        if "mass" not in attributes
        else at["mass"].not_negative(parse_numbers(attributes["mass"], 1, at["mass"])[0], "a mass in kg")
    )
    density = at["density"].not_negative(
        parse_numbers(attributes.get("density", str(DEFAULT_DENSITY_KG_M3)), 1, at["density"])[0], "kg/m^3"
    )
    if attributes.get("shellinertia") == "true" and kind not in ("plane", "hfield"):
        at["shellinertia"].fail("masses of shells are not computed", expected="<inertial .../> in the body")
    look: dict[str, Any] = {}
    if "rgba" in attributes:
        parts = parse_numbers(attributes["rgba"], (3, 4), at["rgba"])[:3]
        look["colour"] = "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)
    if kind == "mesh":
        asset = meshes.get(attributes.get("mesh", ""), {})
        look |= {"mesh": asset.get("file", "")}
        if "scale" in asset:
            look["scale"] = parse_numbers(asset["scale"], 3, at["mesh.scale"])
    group = int(parse_numbers(attributes.get("group", "0"), 1, at["group"])[0])
    touches = attributes.get("contype", "1") != "0" or attributes.get("conaffinity", "1") != "0"
    return MjcfGeom(attributes.get("name", ""), kind, size, place, rotation, mass, density, group, look, touches)


def sum_geom_inertia(geoms: list[MjcfGeom], at: ErrorContext) -> LinkInertia:
    """Mass and inertia of the geoms of a body."""
    total = LinkInertia()
    for geom in geoms:
        total = total + geom.inertial(at)
    return total


def _capsule_moments(r: float, half: float) -> tuple[float, list[float]]:
    """Cylinder with two half balls, the mass distributed by volume. Returns volume, m^3, and moments over mass, m^2."""
    h = 2.0 * half
    tube, ball = math.pi * r**2 * h, 4.0 / 3.0 * math.pi * r**3
    volume = tube + ball
    tube, ball = tube / volume, ball / volume
    across = tube * (3 * r**2 + h**2) / 12 + ball * (0.4 * r**2 + h**2 / 4 + 0.375 * h * r)
    return volume, [across, across, tube * r**2 / 2 + ball * 0.4 * r**2]


def _cylinder_moments(r: float, half: float) -> tuple[float, list[float]]:
    across = (3 * r**2 + (2 * half) ** 2) / 12
    return math.pi * r**2 * 2 * half, [across, across, r**2 / 2]


_VOLUME_AND_MOMENTS: dict[str, Any] = {
    "sphere": lambda r: (4.0 / 3.0 * math.pi * r**3, [0.4 * r**2] * 3),
    "capsule": _capsule_moments,
    "cylinder": _cylinder_moments,
    "box": lambda a, b, c: (8 * a * b * c, [(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3]),
    "ellipsoid": lambda a, b, c: (
        4.0 / 3.0 * math.pi * a * b * c, [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5],
    ),
}  # fmt: skip
"""Volume, m^3, and principal moments divided by the mass, m^2."""
_SHAPE_ENTRIES: dict[str, Any] = {
    "sphere": lambda s: {"sphere": float(s[0])},
    "capsule": lambda s: {"capsule": [float(s[0]), float(2 * s[1])]},
    "cylinder": lambda s: {"cylinder": [float(s[0]), float(2 * s[1])]},
    "box": lambda s: {"box": [float(2 * x) for x in s]},
    "ellipsoid": lambda s: {"sphere": float(np.prod(s) ** (1.0 / 3.0))},
    "mesh": lambda s: {},
}
