"""Counter: how far a joint in space has turned or slid, as a coordinate of its own.

The axes of two bodies tell the angle between them up to full turns. What depends on the whole angle, a gear of any ratio or a
rack, needs one that counts them. A counter is that number, q = (travel), rad or m, tied to its joint by a condition
(joints/travel.py). It has no mass: it moves with the joint, and the row operation of system/brace.py makes that regular.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gaitwright.physics.declare import Family, Linear, MarkerKind, Travel


class CounterMarker(NamedTuple):
    """travel: rad or m, counted from zero of the joint over any number of turns."""

    travel: Any


class Counter(Family):
    name = "counter"
    dimension = 3
    coordinates = ("travel",)
    units = ("1",)
    markers = {Travel: MarkerKind((0,), (), CounterMarker)}

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], Linear]:
        return {("travel",): Linear(0.0, ((0, 1.0),))}
