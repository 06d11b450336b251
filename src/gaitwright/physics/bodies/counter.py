"""Counter: travel of a joint in space, an angle or a displacement, as a separate coordinate.

The axes of two bodies give the angle between them up to full turns. Elements that depend on the whole angle, a gear of any
ratio or a rack, need one that counts turns. A counter is that number, q = (travel), rad or m, tied to its joint by a
condition (joints/travel.py). It has no mass: it moves with the joint, and the row operation of
mechanism/mass_regularisation.py makes the matrix regular.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gaitwright.physics.attachments import JointTravel
from gaitwright.physics.declarations import Family, LinearExpression, MarkerKind


class CounterMarker(NamedTuple):
    """travel: rad or m, counted from the zero position of the joint over any number of turns."""

    travel: Any


class Counter(Family):
    """Family of one coordinate: the displacement of a joint."""

    name = "counter"
    dimension = 3
    coordinates = ("travel",)
    units = ("1",)
    markers = {JointTravel: MarkerKind((0,), (), CounterMarker)}

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        return {("travel",): LinearExpression(0.0, ((0, 1.0),))}
