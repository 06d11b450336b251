"""Forces on points that a model gives as functions of time, in the ground frame."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism


def find_applied_forces(mechanism: Mechanism) -> Iterator[tuple[str, MechanismElement]]:
    """Names and elements of the forces on single points."""
    return ((names.name, element) for names, element in mechanism.acting() if names.declaration.drawn_as == "load")


def applied_force_components(mechanism: Mechanism, element: MechanismElement, times: np.ndarray) -> np.ndarray:
    """Components of an applied force at the given times, (n_times, 2 or 3), N."""
    from gaitwright.mechanism.signals import evaluate_program

    return np.stack([evaluate_program(mechanism.signals[k], times)[0] for k in element.signals], axis=1)
