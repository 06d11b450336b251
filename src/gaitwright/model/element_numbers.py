"""Numbers of a joint or a force in the tables, by the names of its declaration: where it is attached, and its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.physics.declare import VECTORS, Frame, Place, Signal
from gaitwright.system.blocks import Element


def element_numbers(element: Element) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Places in the frames of the bodies, m, by attachment; and parameters that are no functions of time, by name."""
    numbers = np.asarray(element.parameters, dtype=float)
    places: dict[str, np.ndarray] = {}
    first = 0
    for (name, kind), family in zip(element.declaration.attachments.items(), element.families, strict=True):
        count = len(family.markers[type(kind)].parameters)
        if isinstance(kind, (Place, Frame)):
            places[name] = numbers[first : first + count]
        first += count
    found: dict[str, Any] = {}
    dimension = element.families[0].dimension
    for name, parameter in element.declaration.parameters.items():
        if isinstance(parameter, VECTORS):
            found[name] = numbers[first : first + dimension]
            first += dimension
        elif not isinstance(parameter, Signal):
            found[name] = float(numbers[first])
            first += 1
    return places, found
