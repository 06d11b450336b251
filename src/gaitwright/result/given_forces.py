"""Forces on points that a model gives as functions of time, in the ground frame."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism


def given_forces(mechanism: Mechanism) -> Iterator[tuple[str, Element]]:
    """By name, those of single points."""
    return ((names.name, one) for names, one in mechanism.acting() if names.declaration.drawn_as == "load")


def components(mechanism: Mechanism, element: Element, times: np.ndarray) -> np.ndarray:
    """(n_times, 2 or 3), N."""
    from gaitwright.system.signals import evaluate_program

    return np.stack([evaluate_program(mechanism.signals[k], times)[0] for k in element.signals], axis=1)
