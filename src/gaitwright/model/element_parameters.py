"""Numbers of a joint or a force in the tables by their declared names: attachment places and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.physics.attachments import BodyFrame, Place
from gaitwright.physics.parameters import VECTOR_PARAMETERS, Signal


def read_element_parameters(element: MechanismElement | ElementBlock) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Places in the frames of the bodies, m, by attachment; and constant parameters by name. The first element of a block."""
    numbers = np.asarray(element.block().parameters[0], dtype=float)
    places: dict[str, np.ndarray] = {}
    first = 0
    for (name, kind), family in zip(element.declaration.attachments.items(), element.families, strict=True):
        count = len(family.markers[type(kind)].parameters)
        if isinstance(kind, (Place, BodyFrame)):
            places[name] = numbers[first : first + count]
        first += count
    values: dict[str, Any] = {}
    dimension = element.families[0].dimension
    for name, parameter in element.declaration.parameters.items():
        if isinstance(parameter, VECTOR_PARAMETERS):
            values[name] = numbers[first : first + dimension]
            first += dimension
        elif not isinstance(parameter, Signal):
            values[name] = float(numbers[first])
            first += 1
    return places, values
