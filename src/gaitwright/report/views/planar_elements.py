"""What connects the parts of a planar mechanism besides pins, as it is drawn: rods and actuators between two points, rails of
sliders and slots, pitch circles of gears and pinions, torsion springs; and which of the ground's points carry something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.physics.declare import VECTORS, Direction, Frame, Place
from gaitwright.report.scene import Shape
from gaitwright.result.outputs import Motion
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.base import Part

BARREL = 0.6
"""Length of the barrel of an actuator, as a part of its shortest length over the motion."""
OVER = 0.06
"""How far a rail goes beyond the way of its slider, in sizes of the mechanism."""
LARGEST_GEAR = 3.0
"""Largest pitch radius that is drawn, in distances of the axles: beyond, a belt is more likely than an internal gear."""
SPIRAL = 0.04
"""Radius of a torsion spring, in sizes of the mechanism."""
BETWEEN = ("rod", "actuator", "spring")
"""What leads from one point to another."""


def ends_of(motion: Motion, element: Element) -> list[np.ndarray]:
    """Positions (n_times, 2) of the points that an element attaches to."""
    return [
        # the ground is the last column of q, which is zero
        np.stack(marker.build(*motion.q[:, index].T, *local).position, axis=1)
        for marker, index, local in _places(element)
    ]


def _places(element: Element) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
    """Marker, coordinates and parameters of every attachment that has a place."""
    first = 0
    attached = zip(element.declaration.attachments.values(), element.families, element.coordinates, strict=True)
    for kind, family, index in attached:
        marker = family.markers[type(kind)]
        count = len(marker.parameters)
        if isinstance(kind, (Place, Frame)):
            yield marker, index, np.asarray(element.parameters[first : first + count], dtype=float)
        first += count


def _parameter(element: Element, wanted: str) -> Any:
    """A number or direction of an element, as declared."""
    declaration = element.declaration
    kinds = zip(declaration.attachments.values(), element.families, strict=True)
    first = sum(len(family.markers[type(kind)].parameters) for kind, family in kinds)
    for name, parameter in declaration.parameters.items():
        count = 2 if isinstance(parameter, (Direction, *VECTORS)) else 1
        if name == wanted:
            found = np.asarray(element.parameters[first : first + count], dtype=float)
            return found if count > 1 else float(found[0])
        first += count
    raise KeyError(wanted)


def connections(mechanism: Mechanism, frames: Motion) -> Iterator[Shape]:
    """Rods, actuators, rails, gears and springs, behind each other in this order."""
    hinges = _hinges(mechanism)
    for names, element in mechanism.attached():
        kind = names.declaration.drawn_as
        if kind == "rod":
            yield Shape(names.name, "rod", np.stack(ends_of(frames, element)[:2], axis=1))
        elif kind == "actuator":
            yield Shape(names.name, "actuator", barrel(*ends_of(frames, element)[:2]))
        elif kind == "guide":
            yield from _rail(mechanism, frames, names, element)
        elif kind == "gear":
            yield from _gears(mechanism, frames, names.bodies, _parameter(element, "ratio"), hinges)
        elif kind == "rack":
            yield from _pinion(mechanism, frames, names.bodies, _parameter(element, "radius"), hinges)
    for names, element in mechanism.acting():
        kind = names.declaration.drawn_as
        if kind == "spring":
            yield Shape(names.name, "spring", np.stack(ends_of(frames, element)[:2], axis=1))
        elif kind == "spiral":
            yield from _spiral(mechanism, frames, names, hinges)


def held_points(mechanism: Mechanism, frames: Motion) -> dict[str, np.ndarray]:
    """Points of the ground, by name, at which a rod, an actuator or a spring ends; (n_times, 2), m."""
    found = {}
    for names, element in (*mechanism.attached(), *mechanism.acting()):
        if names.declaration.drawn_as not in BETWEEN:
            continue
        for owner, at in zip(names.bodies, ends_of(frames, element), strict=False):
            if owner == "ground":
                found[_named(mechanism, at[0], names.name)] = at
    return found


def _named(mechanism: Mechanism, at: np.ndarray, otherwise: str) -> str:
    """The name of a point of the ground."""
    near = 1e-9 * mechanism.size
    return next((name for name, place in mechanism.ground_points.items() if np.hypot(*(at - place)) <= near), otherwise)


def barrel(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """An actuator (n_times, 3, d): its first end, where its barrel ends, and its other end. The barrel keeps its length."""
    way = end - start
    length = np.linalg.norm(way, axis=1)
    along = way / np.where(length > 0.0, length, 1.0)[:, None]
    return np.stack([start, start + BARREL * float(length.min()) * along, end], axis=1)


def _rail(mechanism: Mechanism, frames: Motion, names: Any, element: Element) -> Iterator[Shape]:
    """The line along which a slider or a pin goes, as long as its way."""
    part = mechanism.part(names.bodies[0])
    if not part.rigid:
        return
    (_, _, local), *_ = _places(element)
    axis = _parameter(element, "axis")
    start, end = ends_of(frames, element)[:2]
    along = part.position(frames.q, tuple(local + axis / np.hypot(*axis))) - start
    way = ((end - start) * along).sum(axis=1)
    room = OVER * mechanism.size
    outline = np.stack([start + (s * along) for s in (way.min() - room, way.max() + room)], axis=1)
    yield Shape(names.name, "rail", outline)


# Gears --------------------------------------------------------------------------------------------------------------

Hinges = dict[str, dict[str, np.ndarray]]
"""Place, m, of a pin in the frame of each body that it joins, by body, by pin."""


def _hinges(mechanism: Mechanism) -> Hinges:
    found: Hinges = {}
    for names, element in mechanism.attached():
        if names.declaration.name == "revolute":
            pins = found.setdefault(names.name.partition(":")[0], {})
            for owner, (_, _, local) in zip(names.bodies, _places(element), strict=True):
                pins[owner] = local
    return found


def _axle(hinges: Hinges, body: str, carrier: str) -> np.ndarray | None:
    """Where a body turns on its carrier, in its own frame, m."""
    return next((pins[body] for pins in hinges.values() if body in pins and carrier in pins), None)


def _wheel(frames: Motion, part: Part, centre: np.ndarray, radius: float) -> Shape:
    places = [tuple(map(float, centre)), (float(centre[0] + radius), float(centre[1]))]
    return Shape(part.name, "gear", np.stack([part.position(frames.q, place) for place in places], axis=1))


def _gears(
    mechanism: Mechanism, frames: Motion, bodies: tuple[str, ...], ratio: float, hinges: Hinges
) -> Iterator[Shape]:
    """Pitch circles of two gears that turn on one carrier. ratio: turns of the second per turn of the first."""
    first, second, carrier = bodies
    axles = [_axle(hinges, body, carrier) for body in (first, second)]
    if "ground" in (first, second) or any(axle is None for axle in axles):
        return
    parts = [mechanism.part(body) for body in (first, second)]
    middles = [part.position(frames.q[:1], tuple(axle))[0] for part, axle in zip(parts, axles, strict=True)]  # type: ignore[arg-type]
    apart = float(np.hypot(*(middles[1] - middles[0])))
    radii = pitch_radii(ratio, apart)
    if radii is not None:
        for part, axle, radius in zip(parts, axles, radii, strict=True):
            yield _wheel(frames, part, axle, radius)  # type: ignore[arg-type]


def pitch_radii(ratio: float, apart: float) -> tuple[float, float] | None:
    """Of two gears whose axles are `apart`, m: external ones for a negative ratio, r_a + r_b = d, otherwise one in the other,
    |r_a - r_b| = d; r_a / r_b = |ratio|. None where such circles would be too large, or nothing."""
    total = 1.0 - ratio if ratio < 0.0 else abs(1.0 - ratio)
    if total == 0.0 or apart == 0.0 or ratio == 0.0:
        return None
    radii = abs(ratio) * apart / total, apart / total
    return radii if max(radii) <= LARGEST_GEAR * apart else None


def _pinion(
    mechanism: Mechanism, frames: Motion, bodies: tuple[str, ...], radius: float, hinges: Hinges
) -> Iterator[Shape]:
    guide, _, pinion = bodies
    axle = _axle(hinges, pinion, guide)
    if axle is not None and pinion != "ground":
        yield _wheel(frames, mechanism.part(pinion), axle, abs(radius))


def _spiral(mechanism: Mechanism, frames: Motion, names: Any, hinges: Hinges) -> Iterator[Shape]:
    """A torsion spring at the pin of its two bodies; it turns with the one that moves."""
    a, b = names.bodies[:2]
    body, other = (b, a) if b != "ground" else (a, b)
    axle = _axle(hinges, body, other)
    part = mechanism.part(body)
    if axle is None or not part.rigid or body == "ground":
        return
    wheel = _wheel(frames, part, axle, SPIRAL * mechanism.size)
    yield Shape(names.name, "spiral", wheel.outline)
