"""Surface parameter: position of a point on a curve, as a separate coordinate without mass (paper 003 Eq 5.16 to 5.18).

The condition that ties it to its curve (joints/point_on_curve.py) makes the matrix regular, as mechanism/mass_regularisation.py
does for counters in space.
"""

from __future__ import annotations

from typing import Any

from gaitwright.physics.attachments import JointTravel
from gaitwright.physics.bodies.counter import CounterMarker
from gaitwright.physics.declarations import Family, LinearExpression, MarkerKind


class SurfaceParameter(Family):
    """Family of one coordinate: the parameter s of a curve."""

    name = "surface-parameter"
    dimension = 2
    coordinates = ("s",)
    units = ("1",)
    markers = {JointTravel: MarkerKind((0,), (), CounterMarker)}

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        return {("travel",): LinearExpression(0.0, ((0, 1.0),))}
