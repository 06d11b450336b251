"""Detection of steps of the static search that cross a surface, such as a thin wall, a bump or a body.

The energy at both ends of a step does not show a wall between them. Contacts are therefore observed along the step, at
distances that their gaps allow: a point that moves by less than its distance from a surface does not reach it. A step
crosses a surface where a contact is deeper inside than at both ends of the step.

Source of the distances: conservative advancement, B. V. Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, Ph. D.
thesis, University of California, Berkeley 1996, section 2.3.
"""

from __future__ import annotations

import numpy as np

from gaitwright.analysis.initial_contact_state import observe_contacts_at
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.contact.state import STATE_GAP, STATE_GAP_RATE, STATE_REGION, STATE_SLIP_SPEED
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array

MAX_STEP_SAMPLES = 400
"""Maximum number of observations along a step."""
CROSSING_RTOL = 1e-4
"""Smallest distance between observations and smallest depth that counts, relative to the size of the mechanism;
MAX_STEP_SAMPLES may enlarge the distance. Limitation: thinner walls are not detected for points, and for circles and spheres
walls thinner than themselves."""
SPEED_MARGIN = 1.5
"""Assumed ratio of the largest speed between two observations to that at the first, as bodies turn."""
MAX_SAMPLE_SPACING = 0.25
"""Largest part of a step between two observations, far from surfaces."""


def number_contact_groups(mechanism: Mechanism) -> Array:
    """Index of the contact to which each piece belongs, (n_pieces,), in the order of the tables. Each point of a skin counts as
    a separate contact."""
    group, count = np.zeros(mechanism.system.contacts.count, dtype=np.int64), 0
    for names in mechanism.contact_names:
        places = mechanism.contact_place[list(names.pieces)]
        group[places] = count + (np.arange(places.size) if names.skin is not None else 0)
        count += places.size if names.skin is not None else 1
    return group


def find_first_crossing(rest: RestingMechanism, groups: Array, q: Array, end: Array) -> float | None:
    """Part, 0 to 1, of the straight path from q to end at which a contact is first inside a surface that the path crosses; None
    if it crosses none.

    groups: (n_pieces,), from number_contact_groups."""
    if not groups.size:
        return None
    path, count = end - q, int(groups.max()) + 1
    smallest = CROSSING_RTOL * float(np.max(rest.scale, initial=0.0))
    places, depths = [0.0], []
    while True:
        states = observe_contacts_at(rest.mechanism, rest.w, rest.t, q + places[-1] * path, path)
        gap, speed = np.full(count, np.inf), np.zeros(count)
        np.minimum.at(gap, groups, np.where(states[:, STATE_REGION] >= 0.0, states[:, STATE_GAP], np.inf))
        np.maximum.at(speed, groups, np.hypot(states[:, STATE_GAP_RATE], states[:, STATE_SLIP_SPEED]))
        depths.append(np.maximum(-gap, 0.0))
        if places[-1] >= 1.0:
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            free = np.maximum(np.abs(gap), smallest) / (SPEED_MARGIN * speed)
        part = float(np.nanmin(free, initial=MAX_SAMPLE_SPACING))
        places.append(min(1.0, places[-1] + max(part, 1.0 / MAX_STEP_SAMPLES)))
    inside = np.array(depths)
    through = np.any(inside > np.maximum(inside[0], inside[-1]) + smallest, axis=1)
    return places[int(np.argmax(through))] if through.any() else None
