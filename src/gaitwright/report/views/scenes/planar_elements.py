"""Drawing of connections in a planar mechanism other than pins: rods and actuators between two points, rails of sliders and
slots, pitch circles of gears and pinions, torsion springs; and the ground points at which they end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.base import Part
from gaitwright.physics.attachments import BodyFrame, Place
from gaitwright.physics.parameters import VECTOR_PARAMETERS, Direction
from gaitwright.report.scenes.planar_scene import SceneShape
from gaitwright.result.outputs import StateHistory

BARREL_LENGTH_RATIO = 0.6
"""Length of the barrel of an actuator, relative to its shortest length during the motion."""
RAIL_OVERHANG_RATIO = 0.06
"""Length of a rail beyond the path of its slider, relative to the size of the mechanism."""
MAX_GEAR_RADIUS_RATIO = 3.0
"""Largest drawn pitch radius, relative to the axle distance: beyond it, a belt is more likely than an internal gear."""
SPIRAL_RADIUS_RATIO = 0.04
"""Radius of a torsion spring, relative to the size of the mechanism."""
TWO_POINT_KINDS = ("rod", "actuator", "spring")
"""Symbols that connect two points."""


def attachment_positions(motion: StateHistory, element: MechanismElement) -> list[np.ndarray]:
    """Positions (n_times, 2) of the points that an element attaches to."""
    return [
        # the ground is the last column of q, which is zero
        np.stack(marker.build(*motion.q[:, index].T, *local).position, axis=1)
        for marker, index, local in _point_attachments(element)
    ]


def _point_attachments(element: MechanismElement) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
    """Marker, coordinates and parameters of every attachment with a position."""
    first = 0
    attached = zip(element.declaration.attachments.values(), element.families, element.coordinates, strict=True)
    for kind, family, index in attached:
        marker = family.markers[type(kind)]
        count = len(marker.parameters)
        if isinstance(kind, (Place, BodyFrame)):
            yield marker, index, np.asarray(element.parameters[first : first + count], dtype=float)
        first += count


def _element_parameter(element: MechanismElement, parameter_name: str) -> Any:
    """A scalar or direction parameter of an element, as declared."""
    declaration = element.declaration
    kinds = zip(declaration.attachments.values(), element.families, strict=True)
    first = sum(len(family.markers[type(kind)].parameters) for kind, family in kinds)
    for name, parameter in declaration.parameters.items():
        count = 2 if isinstance(parameter, (Direction, *VECTOR_PARAMETERS)) else 1
        if name == parameter_name:
            values = np.asarray(element.parameters[first : first + count], dtype=float)
            return values if count > 1 else float(values[0])
        first += count
    raise KeyError(parameter_name)


def connection_shapes(mechanism: Mechanism, frames: StateHistory) -> Iterator[SceneShape]:
    """Shapes of rods, actuators, rails, gears and springs, in drawing order."""
    hinges = _find_hinges(mechanism)
    for names, element in mechanism.attached():
        kind = names.declaration.drawn_as
        if kind == "rod":
            yield SceneShape(names.name, "rod", np.stack(attachment_positions(frames, element)[:2], axis=1))
        elif kind == "actuator":
            yield SceneShape(names.name, "actuator", actuator_points(*attachment_positions(frames, element)[:2]))
        elif kind == "guide":
            yield from _rail_shape(mechanism, frames, names, element)
        elif kind == "gear":
            yield from _gear_shapes(mechanism, frames, names.bodies, _element_parameter(element, "ratio"), hinges)
        elif kind == "rack":
            yield from _pinion_shapes(mechanism, frames, names.bodies, _element_parameter(element, "radius"), hinges)
    for names, element in mechanism.acting():
        kind = names.declaration.drawn_as
        if kind == "spring":
            yield SceneShape(names.name, "spring", np.stack(attachment_positions(frames, element)[:2], axis=1))
        elif kind == "spiral":
            yield from _spiral_shapes(mechanism, frames, names, hinges)


def ground_end_points(mechanism: Mechanism, frames: StateHistory) -> dict[str, np.ndarray]:
    """Points of the ground, by name, at which a rod, an actuator or a spring ends; (n_times, 2), m."""
    points = {}
    for names, element in (*mechanism.attached(), *mechanism.acting()):
        if names.declaration.drawn_as not in TWO_POINT_KINDS:
            continue
        for owner, at in zip(names.bodies, attachment_positions(frames, element), strict=False):
            if owner == "ground":
                points[_ground_point_name(mechanism, at[0], names.name)] = at
    return points


def _ground_point_name(mechanism: Mechanism, at: np.ndarray, otherwise: str) -> str:
    """Name of the ground point at this position; `otherwise` if there is none."""
    tolerance = 1e-9 * mechanism.size
    return next(
        (name for name, place in mechanism.ground_points.items() if np.hypot(*(at - place)) <= tolerance), otherwise
    )


def actuator_points(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Points of an actuator (n_times, 3, d): its first end, the end of its barrel, and its other end. The barrel has
    constant length."""
    span = end - start
    length = np.linalg.norm(span, axis=1)
    along = span / np.where(length > 0.0, length, 1.0)[:, None]
    return np.stack([start, start + BARREL_LENGTH_RATIO * float(length.min()) * along, end], axis=1)


def _rail_shape(
    mechanism: Mechanism, frames: StateHistory, names: Any, element: MechanismElement
) -> Iterator[SceneShape]:
    """Rail of a slider or a pin, as long as its path."""
    part = mechanism.part(names.bodies[0])
    if not part.rigid:
        return
    (_, _, local), *_ = _point_attachments(element)
    axis = _element_parameter(element, "axis")
    start, end = attachment_positions(frames, element)[:2]
    along = part.position(frames.q, tuple(local + axis / np.hypot(*axis))) - start
    travel = ((end - start) * along).sum(axis=1)
    room = RAIL_OVERHANG_RATIO * mechanism.size
    outline = np.stack([start + (s * along) for s in (travel.min() - room, travel.max() + room)], axis=1)
    yield SceneShape(names.name, "rail", outline)


# Gears --------------------------------------------------------------------------------------------------------------

HingePlaces = dict[str, dict[str, np.ndarray]]
"""Position of each pin in the frames of the connected bodies, m, by pin, by body."""


def _find_hinges(mechanism: Mechanism) -> HingePlaces:
    hinges: HingePlaces = {}
    for names, element in mechanism.attached():
        if names.declaration.name == "revolute":
            pins = hinges.setdefault(names.name.partition(":")[0], {})
            for owner, (_, _, local) in zip(names.bodies, _point_attachments(element), strict=True):
                pins[owner] = local
    return hinges


def _find_axle(hinges: HingePlaces, body: str, carrier: str) -> np.ndarray | None:
    """Position of the axle of a body on its carrier, in the frame of the body, m."""
    return next((pins[body] for pins in hinges.values() if body in pins and carrier in pins), None)


def _wheel_shape(frames: StateHistory, part: Part, centre: np.ndarray, radius: float) -> SceneShape:
    places = [tuple(map(float, centre)), (float(centre[0] + radius), float(centre[1]))]
    return SceneShape(part.name, "gear", np.stack([part.position(frames.q, place) for place in places], axis=1))


def _gear_shapes(
    mechanism: Mechanism, frames: StateHistory, bodies: tuple[str, ...], ratio: float, hinges: HingePlaces
) -> Iterator[SceneShape]:
    """Pitch circles of two gears on one carrier. ratio: turns of the second per turn of the first."""
    first, second, carrier = bodies
    axles = [_find_axle(hinges, body, carrier) for body in (first, second)]
    if "ground" in (first, second) or any(axle is None for axle in axles):
        return
    parts = [mechanism.part(body) for body in (first, second)]
    middles = [part.position(frames.q[:1], tuple(axle))[0] for part, axle in zip(parts, axles, strict=True)]  # type: ignore[arg-type]
    axle_distance = float(np.hypot(*(middles[1] - middles[0])))
    radii = pitch_radii(ratio, axle_distance)
    if radii is not None:
        for part, axle, radius in zip(parts, axles, radii, strict=True):
            yield _wheel_shape(frames, part, axle, radius)  # type: ignore[arg-type]


def pitch_radii(ratio: float, axle_distance: float) -> tuple[float, float] | None:
    """Pitch radii of two gears with an axle distance, m: external gears for a negative ratio, r_a + r_b = d,
    otherwise one inside the other, |r_a - r_b| = d; r_a / r_b = |ratio|. None if such circles would be too large or do not
    exist."""
    total = 1.0 - ratio if ratio < 0.0 else abs(1.0 - ratio)
    if total == 0.0 or axle_distance == 0.0 or ratio == 0.0:
        return None
    radii = abs(ratio) * axle_distance / total, axle_distance / total
    return radii if max(radii) <= MAX_GEAR_RADIUS_RATIO * axle_distance else None


def _pinion_shapes(
    mechanism: Mechanism, frames: StateHistory, bodies: tuple[str, ...], radius: float, hinges: HingePlaces
) -> Iterator[SceneShape]:
    guide, _, pinion = bodies
    axle = _find_axle(hinges, pinion, guide)
    if axle is not None and pinion != "ground":
        yield _wheel_shape(frames, mechanism.part(pinion), axle, abs(radius))


def _spiral_shapes(mechanism: Mechanism, frames: StateHistory, names: Any, hinges: HingePlaces) -> Iterator[SceneShape]:
    """A torsion spring at the pin of its two bodies; it rotates with the moving one."""
    a, b = names.bodies[:2]
    body, second_body = (b, a) if b != "ground" else (a, b)
    axle = _find_axle(hinges, body, second_body)
    part = mechanism.part(body)
    if axle is None or not part.rigid or body == "ground":
        return
    wheel = _wheel_shape(frames, part, axle, SPIRAL_RADIUS_RATIO * mechanism.size)
    yield SceneShape(names.name, "spiral", wheel.outline)
