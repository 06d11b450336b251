"""Contacts as the rest of the program sees them: what they remember, what is seen of them, and calls of what computes it.

A contact acts only while it is touching, which is part of its memory: the loops around a step set it at the instant of
touchdown (contact/events.py) and keep it over the step, so the motion within a step is smooth. Contacts that ask their gap
alone (Contacts.by_gap) have BY_LAW there for good.

What computes (touch_forces.py, touch_tangents.py, bristles.py) is called through an address (touch_calls.py): it is compiled
once for the plane and once for space, and a model without contacts does not compile it.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.system.evaluate import CONTACT_POWERS, POWER_COUNT, ask_contacts
from gaitwright.system.invoke import behind, invoke

# Columns of Contacts.table
COUNT, DOF, PAR, SIG, SLOT, N_DOF, N_PAR, N_SIG, N_SLOT = range(9)
FRAME_KERNEL, TANGENT_KERNEL, N_VARIABLES, MAP, PRESS_KERNEL = range(9, 14)
# What is seen of a contact, d being the dimension: gap, its rate, region, speed of the slip, and slip velocity along the
# stretch of the bristles
GAP, RATE, REGION, SPEED, ALONG = range(5)
SEEN = 5
# What stays in w.frame: gap, rate and region, the size of the stretch, and how far b has slid since the begin of the step; then
# which part of the step what asks its gap alone has touched, and by how much of the stretch that grows as the gap closes
STRETCHED, WAY, TOUCHED, LANDING = 3, 4, 5, 6
SURFACE, BEND = range(2)
"""Columns of Contacts.shape: kernels of the surface and of its derivatives."""
# What a surface writes into w.surface: gap, region, normal (d), gradient of the gap (d)
SURFACE_REGION, NORMAL = 1, 2
# What a law writes
FORCE, BY_PENETRATION, BY_RATE, ENERGY, ELASTIC = range(5)
# Memory of a contact: whether it touches (BY_LAW, or BY_IMPULSE in methods without laws); approach speed at touchdown, m/s;
# distance slipped since the start, m; and, from methods that compute impulses, the mean normal force, N. Then vectors in the
# frame of a: the stretch of the bristles at the begin of the step, m; the mean tangential force, N; place of b and normal
# then; and, where anything round touches, axes and spin of b then, and the time (bristles.py).
TOUCHING, APPROACH, SLIPPED, NORMAL_FORCE, STRETCH = range(5)
SHIFT = APPROACH
"""Of contacts that ask their gap alone, which need no approach speed: how far their surface is moved outwards, m."""
BEFORE = NORMAL_FORCE
"""Of the same, which no method with impulses knows: the gap at the begin of the step, from the moved surface, m."""
NOT, BY_LAW, BY_IMPULSE = 0.0, 1.0, 2.0
# What Work.meeting holds of a surface that deforms (meeting.py): how far the nearest place has moved in it since the begin of
# the step (3 numbers), then what is remembered in the place of the place: face and weights but the first; slopes of the weights
# along the face, mean normals at its nodes, and what the gradient of the gap has besides the normal
FOOT, MET, SLOPES, NORMALS, BESIDES = 0, 3, 6, 15, 24
POWERS = POWER_COUNT
"""Powers per contact: lost in the normal direction, lost by friction, done by a moving surface."""
# What touch_calls.py is asked for, behind what evaluate.py asks for
TOUCH, PRESS, SLIDE, OBSERVE, OBSERVE_WATCHED, BEGIN, ADVANCE = range(2, 9)
TINY = 1e-200
"""Smallest penetration given to a law: derivatives are printed as d^n / d, which 0 would make NaN."""


@compiled
def memory_of(s, c):
    """Where the memory of contact c begins."""
    return s.contacts.memory * c


@compiled
def touching(s, w, c):
    """Whether contact c touches, and how: NOT, BY_LAW or BY_IMPULSE."""
    return w.memory[s.contacts.memory * c + TOUCHING]


@compiled
def touch(s, w, c, q, v):
    """Normal force of contact c as if it were touching. Its pose, surface, slip, law and friction stay in w; the tangential
    force is the first d numbers of w.friction, in the frame of a."""
    ask_contacts(s, w, TOUCH, c, 0, q, v, q)
    return w.law[FORCE]


@compiled
def press(s, w, c, factor, total):
    """Add to total what the forces in w.law and w.friction, times a factor, do to the coordinates, at the state last
    touched."""
    w.part[0] = factor
    ask_contacts(s, w, PRESS, c, 0, total, total, total)


@compiled
def slid(s, w, c):
    """How far contact c has slid since the begin of the step, m, at the state last touched; nothing if it is open."""
    ask_contacts(s, w, SLIDE, c, 0, w.frame, w.frame, w.frame)
    return w.frame[WAY]


@compiled
def speed_of_slip(s, w):
    """At the state last touched, m/s."""
    total = 0.0
    for k in range(s.contacts.dimension):
        total += w.slip[k] * w.slip[k]
    return math.sqrt(total)


@compiled
def explicit_rate(s, w):
    """Part of the rate of the gap that the surface's own motion makes, at the state last touched."""
    d, rate = s.contacts.dimension, 0.0
    for i in range(d):
        rate += w.surface[NORMAL + d + i] * explicit_velocity(s, w, i)
    return rate


@compiled
def explicit_velocity(s, w, k):
    """Component k, in the frame of a, of the velocity that the surface's own motion makes, at the state last touched."""
    return w.pose[s.contacts.dimension + s.contacts.twist + k]


@compiled
def explicit_slip(s, w, k):
    """Component k of the slip that the surface's own motion makes, at the state last touched."""
    return along_surface(s, w, w.pose, s.contacts.dimension + s.contacts.twist, k)


@compiled
def position_in_pose(s):
    """Index in w.pose of the position of b in the ground frame (derive/interface.py); the axes of a follow."""
    d = s.contacts.dimension
    return 2 * d + s.contacts.twist + d * (d - 1)


@compiled
def along_surface(s, w, vector, at, k):
    """Component k of what a vector, from `at` on, has along the surface at the state last touched."""
    across = 0.0
    for i in range(s.contacts.dimension):
        across += w.surface[NORMAL + i] * vector[at + i]
    return vector[at + k] - across * w.surface[NORMAL + k]


@compiled
def stretched(w):
    """Size of the stretch of the bristles at the state last touched, and its limit (-1: it has none)."""
    return w.frame[STRETCHED], w.friction[w.friction.size - 1]


@compiled
def elastic_energy(s, w, c, gap):
    """Elastic energy of contact c at a gap, wherever it is."""
    b = s.contacts
    w.given[0], w.given[1], w.given[2] = max(-gap, TINY), 0.0, max(w.memory[b.memory * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, behind(b.law_par, b.law_start[c]), w.given, w.law))
    return b.weight[c] * w.law[ENERGY]


@compiled
def contact_powers(s, w, q, v, power):
    """Powers of all contacts into `power` and their elastic energies into w.elastic."""
    if s.contacts.count > 0:
        ask_contacts(s, w, CONTACT_POWERS, 0, 0, q, v, power)


@compiled
def begin(s, w, c, origin, q, v):
    """Memory of a contact that begins to touch; its bristles stand straight, or as those of contact `origin` if it is
    handed over from that one (origin >= 0)."""
    ask_contacts(s, w, BEGIN, c, origin, q, v, q)


@compiled
def advance(s, w, c, q, v):
    """Slip distance and bristles of a touching contact at the end of the step."""
    ask_contacts(s, w, ADVANCE, c, 0, q, v, q)


@compiled
def coordinates_of(s, c):
    """The coordinates that contact c depends on."""
    b = s.contacts
    e = b.table[b.batch[c]]
    first = e[DOF] + e[N_DOF] * b.place[c]
    return b.dof[first : first + e[N_DOF]]


@compiled
def observe_contact(s, w, c, q, v, out):
    """SEEN numbers of contact c at its place in `out`, touching or not, with the signals as they are in w."""
    ask_contacts(s, w, OBSERVE, c, c + 1, q, v, out)


@compiled
def observe_contacts(s, w, q, v, out):
    """The same of all contacts."""
    if s.contacts.count > 0:  # without contacts there is nothing to call
        ask_contacts(s, w, OBSERVE, 0, s.contacts.count, q, v, out)


@compiled
def observe_watched(s, w, q, v, out):
    """The same of all contacts with events."""
    if s.contacts.count > 0:  # without contacts there is nothing to call
        ask_contacts(s, w, OBSERVE_WATCHED, 0, s.contacts.count, q, v, out)
