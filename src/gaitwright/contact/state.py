"""Interface of contacts to the rest of the program: their memory, their observed state, and calls of the contact functions.

A contact acts only while it is touching, which is part of its memory: the loops around a step set it at the instant of
touchdown (contact/events.py) and keep it over the step, so the motion within a step is smooth. For contacts that depend on
their gap alone (ContactTables.by_gap) it is always TOUCHING_BY_LAW.

The contact functions (forces.py, tangents.py, bristles.py) are called through an address (dispatch.py): they are compiled
once for the plane and once for space, and not at all for a model without contacts.
"""

from __future__ import annotations

import math

from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to
from gaitwright.mechanism.evaluation import CONTACT_POWER_COUNT, POWERS_REQUEST, call_contacts

# Columns of ContactTables.table
(
    CONTACT_COUNT_COLUMN,
    CONTACT_DOF_COLUMN,
    CONTACT_PAR_COLUMN,
    CONTACT_SIG_COLUMN,
    CONTACT_SLOT_COLUMN,
    CONTACT_N_DOF_COLUMN,
    CONTACT_N_PAR_COLUMN,
    CONTACT_N_SIG_COLUMN,
    CONTACT_N_SLOT_COLUMN,
) = range(9)
FRAME_KERNEL_COLUMN, TANGENT_KERNEL_COLUMN, CONTACT_N_VARIABLES_COLUMN, CONTACT_MAP_COLUMN, PRESS_KERNEL_COLUMN = range(
    9, 14
)
# Observed state of a contact: gap, its rate, region, slip speed, and slip velocity along the bristle deflection
STATE_GAP, STATE_GAP_RATE, STATE_REGION, STATE_SLIP_SPEED, STATE_SLIP_ALONG_STRETCH = range(5)
STATE_SIZE = 5
# Further entries of w.frame after gap, rate and region: size of the deflection, slip distance of b since the beginning of the
# step; then, for contacts that depend on their gap alone, the closed fraction of the step, and its relative slope in the gap
FRAME_STRETCH_SIZE, FRAME_SLIP_DISTANCE, FRAME_TOUCHED_FRACTION, FRAME_TOUCHED_FRACTION_SLOPE = 3, 4, 5, 6
SURFACE_KERNEL_COLUMN, SURFACE_TANGENT_COLUMN = range(2)
"""Columns of ContactTables.shape: kernels of the surface and of its derivatives."""
# Outputs of a surface in w.surface: gap, region, normal (d), gradient of the gap (d)
SURFACE_REGION, SURFACE_NORMAL = 1, 2
# Outputs of a law
LAW_FORCE, LAW_FORCE_BY_PENETRATION, LAW_FORCE_BY_RATE, LAW_ENERGY, LAW_ELASTIC_FORCE = range(5)
# Memory of a contact: touching state (TOUCHING_BY_LAW, or TOUCHING_BY_IMPULSE in methods without laws); approach speed at
# touchdown, m/s; distance slipped since the start, m; and, from methods with impulses, the mean normal force, N. Then vectors
# in the frame of a: bristle deflection at the beginning of the step, m; mean tangential force, N; place of b and normal
# then; and, if any touching part is round, axes and spin of b then, and the time (bristles.py).
MEMORY_TOUCHING, MEMORY_APPROACH_SPEED, MEMORY_SLIP_DISTANCE, MEMORY_NORMAL_FORCE, MEMORY_STRETCH = range(5)
MEMORY_SURFACE_SHIFT = MEMORY_APPROACH_SPEED
"""For contacts that depend on their gap alone and need no approach speed: outward displacement of their surface, m."""
MEMORY_PREVIOUS_GAP = MEMORY_NORMAL_FORCE
"""For the same contacts, which methods with impulses do not support: gap at the beginning of the step, from the displaced
surface, m."""
NOT_TOUCHING, TOUCHING_BY_LAW, TOUCHING_BY_IMPULSE = 0.0, 1.0, 2.0
# Entries of EvaluationWorkspace.meeting for a deformable surface (closest_face.py): displacement of the closest place within it
# since the beginning of the step (3 numbers); the stored place: face, and weights except the first; slopes of the weights along
# the face; mean normals at its nodes; and the tangential part of the gradient of the gap
CLOSEST_PLACE_SHIFT = 0
CLOSEST_PLACE = 3
CLOSEST_WEIGHT_SLOPES = 6
CLOSEST_NODE_NORMALS = 15
CLOSEST_TANGENTIAL_GRADIENT = 24
POWERS_PER_CONTACT = CONTACT_POWER_COUNT
"""Powers per contact: lost in the normal direction, lost by friction, done by a moving surface."""
# Requests to the compiled contact function (dispatch.py), after those of mechanism/evaluation.py
(
    TOUCH_REQUEST,
    PRESS_REQUEST,
    SLIDE_REQUEST,
    OBSERVE_REQUEST,
    OBSERVE_WATCHED_REQUEST,
    BEGIN_REQUEST,
    ADVANCE_REQUEST,
) = range(2, 9)
MIN_PENETRATION_M = 1e-200
"""Smallest penetration given to a law: derivatives are generated as d^n / d, which is NaN at 0."""


@jit_compile
def memory_start(s, c):
    """Start index of the memory of contact c."""
    return s.contacts.memory * c


@jit_compile
def contact_status(s, w, c):
    """Touching state of contact c: NOT_TOUCHING, TOUCHING_BY_LAW or TOUCHING_BY_IMPULSE."""
    return w.memory[s.contacts.memory * c + MEMORY_TOUCHING]


@jit_compile
def evaluate_contact_force(s, w, c, q, v):
    """Normal force of contact c, N, evaluated as if it were touching. Its pose, surface, slip, law and friction stay in w; the
    tangential force is the first d numbers of w.friction, in the frame of a."""
    call_contacts(s, w, TOUCH_REQUEST, c, 0, q, v, q)
    return w.law[LAW_FORCE]


@jit_compile
def add_contact_force(s, w, c, factor, total):
    """Add the generalised forces of w.law and w.friction, times a factor, to total, at the state of the last evaluation."""
    w.part[0] = factor
    call_contacts(s, w, PRESS_REQUEST, c, 0, total, total, total)


@jit_compile
def step_slip_distance(s, w, c):
    """Slip distance of contact c since the beginning of the step, m, at the state of the last evaluation; 0 if it is open."""
    call_contacts(s, w, SLIDE_REQUEST, c, 0, w.frame, w.frame, w.frame)
    return w.frame[FRAME_SLIP_DISTANCE]


@jit_compile
def slip_speed(s, w):
    """Slip speed at the state of the last evaluation, m/s."""
    total = 0.0
    for k in range(s.contacts.dimension):
        total += w.slip[k] * w.slip[k]
    return math.sqrt(total)


@jit_compile
def surface_gap_rate(s, w):
    """Part of the gap rate due to the surface's own motion, at the state of the last evaluation."""
    d, rate = s.contacts.dimension, 0.0
    for i in range(d):
        rate += w.surface[SURFACE_NORMAL + d + i] * surface_velocity_component(s, w, i)
    return rate


@jit_compile
def surface_velocity_component(s, w, k):
    """Component k, in the frame of a, of the velocity of the surface's own motion, at the state of the last evaluation."""
    return w.pose[s.contacts.dimension + s.contacts.twist + k]


@jit_compile
def surface_slip_component(s, w, k):
    """Component k of the slip due to the surface's own motion, at the state of the last evaluation."""
    return tangential_component(s, w, w.pose, s.contacts.dimension + s.contacts.twist, k)


@jit_compile
def position_in_pose(s):
    """Index in w.pose of the position of b in the ground frame (derive/kernel_interface.py); the axes of a follow."""
    d = s.contacts.dimension
    return 2 * d + s.contacts.twist + d * (d - 1)


@jit_compile
def tangential_component(s, w, vector, at, k):
    """Component k of the tangential part of a vector that begins at `at`, at the state of the last evaluation."""
    across = 0.0
    for i in range(s.contacts.dimension):
        across += w.surface[SURFACE_NORMAL + i] * vector[at + i]
    return vector[at + k] - across * w.surface[SURFACE_NORMAL + k]


@jit_compile
def stretch_and_limit(w):
    """Size of the bristle deflection at the state of the last evaluation, and its limit (-1 for no limit)."""
    return w.frame[FRAME_STRETCH_SIZE], w.friction[w.friction.size - 1]


@jit_compile
def elastic_energy(s, w, c, gap):
    """Elastic energy of contact c for a given gap, at any place."""
    b = s.contacts
    w.given[0] = max(-gap, MIN_PENETRATION_M)
    w.given[1] = 0.0
    w.given[2] = max(w.memory[b.memory * c + MEMORY_APPROACH_SPEED], b.slowest[c])
    call_address(b.law[c], (1, pointer_to(b.law_par, b.law_start[c]), w.given, w.law))
    return b.weight[c] * w.law[LAW_ENERGY]


@jit_compile
def evaluate_contact_powers(s, w, q, v, power):
    """Evaluate the powers of all contacts into `power` and their elastic energies into w.elastic."""
    if s.contacts.count > 0:
        call_contacts(s, w, POWERS_REQUEST, 0, 0, q, v, power)


@jit_compile
def begin_contact(s, w, c, origin, q, v):
    """Initialise the memory of a contact that begins to touch; its bristles have zero deflection, or that of contact
    `origin` if it is transferred from that one (origin >= 0)."""
    call_contacts(s, w, BEGIN_REQUEST, c, origin, q, v, q)


@jit_compile
def advance_contact(s, w, c, q, v):
    """Update slip distance and bristles of a touching contact at the end of the step."""
    call_contacts(s, w, ADVANCE_REQUEST, c, 0, q, v, q)


@jit_compile
def contact_coordinates(s, c):
    """Indices of the coordinates of contact c."""
    b = s.contacts
    e = b.table[b.batch[c]]
    first = e[CONTACT_DOF_COLUMN] + e[CONTACT_N_DOF_COLUMN] * b.place[c]
    return b.dof[first : first + e[CONTACT_N_DOF_COLUMN]]


@jit_compile
def observe_contact(s, w, c, q, v, out):
    """Observed state of contact c (STATE_SIZE numbers) at its place in `out`, touching or not, with the signals in w."""
    call_contacts(s, w, OBSERVE_REQUEST, c, c + 1, q, v, out)


@jit_compile
def observe_contacts(s, w, q, v, out):
    """Observed states of all contacts."""
    if s.contacts.count > 0:  # without contacts there is nothing to call
        call_contacts(s, w, OBSERVE_REQUEST, 0, s.contacts.count, q, v, out)


@jit_compile
def observe_watched(s, w, q, v, out):
    """Observed states of all contacts with events."""
    if s.contacts.count > 0:  # without contacts there is nothing to call
        call_contacts(s, w, OBSERVE_WATCHED_REQUEST, 0, s.contacts.count, q, v, out)
