"""Sinkage of feet in the ground, and the leg length as its reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mechanism.mechanism import ContactNames, Mechanism
from gaitwright.model.element_parameters import read_element_parameters

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MAX_STATIC_SINKAGE_RATIO = 0.005
"""Static sinkage over the leg length above which the ground counts as soft."""
MAX_SINKAGE_RATIO = 0.02
"""Largest sinkage over the leg length above which the ground counts as soft."""
MAX_DEPTH_M = 1e3
"""Depth, m, up to which `static_sinkage` searches; a law that does not carry the load there gives inf."""


def select_contacts(mechanism: Mechanism, contacts: Sequence[str]) -> Iterator[ContactNames]:
    """The contacts with the given names; a contact along a beam consists of several."""
    return (names for names in mechanism.contact_names if {names.name, names.whole} & set(contacts))


def static_sinkage(mechanism: Mechanism, contacts: Sequence[str], load: float) -> float:
    """Depth, m, at which the contact law carries a load, N, at rest: F(depth, 0) = load. The largest value of several contacts;
    0 for rigid contacts, inf if a law cannot carry the load."""
    return max(_solve_depth(mechanism, names, load) for names in select_contacts(mechanism, contacts))


def _solve_depth(mechanism: Mechanism, names: ContactNames, load: float) -> float:
    from scipy.optimize import brentq

    contact = mechanism.contact_of(names)
    if contact.law is None or load <= 0.0:
        return 0.0
    law, values = contact.law
    numbers = dict(zip(law.parameters, np.atleast_2d(np.asarray(values, dtype=float))[0].tolist(), strict=True))
    weight = float(np.max(contact.weight))

    def surplus(depth: float) -> float:
        return weight * float(law.force(depth, 0.0, 1.0, **numbers)) - load

    upper_bound = 1e-9
    while surplus(upper_bound) < 0.0:
        upper_bound *= 2.0
        if upper_bound > MAX_DEPTH_M:
            return np.inf
    depth: Any = brentq(surplus, 0.0, upper_bound, xtol=1e-15, rtol=np.float64(1e-12))
    return float(depth)


def axle_heights(run: Result, body: str, contacts: Sequence[str]) -> np.ndarray | None:
    """Height, m, of the highest joint on the body above the lowest foot over time, (n_times,); None without joints or feet."""
    mechanism, q = run.mechanism, run.motion.q
    axles = [mechanism.part(body).position(q, place)[:, 1] for place in joint_places(mechanism, body)]
    feet = [
        mechanism.part(foot.bodies[1]).position(q, foot.place)[:, 1] for foot in select_contacts(mechanism, contacts)
    ]
    return np.max(axles, axis=0) - np.min(feet, axis=0) if axles and feet else None


def joint_places(mechanism: Mechanism, body: str) -> Iterator[tuple[float, ...]]:
    """Places of hinges in the frame of the body, m."""
    for names, element in mechanism.attached():
        if names.kind == "joint" and names.type == "revolute" and body in names.bodies:
            positions = list(read_element_parameters(element)[0].values())
            yield tuple(positions[names.bodies.index(body)].tolist())
