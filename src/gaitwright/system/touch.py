"""Contacts as the rest of the program sees them: what they remember, what is seen of them, and calls of what computes it.

A contact acts only while it is touching, which is part of its memory: the loops around a step set it at the instant of
touchdown (contact/events.py) and keep it over the step, so the motion within a step is smooth. Contacts that ask their gap
alone (Contacts.by_gap) have BY_LAW there for good.

What computes (touch_forces.py, touch_tangents.py, bristles.py) is called through addresses: it is compiled once, and a model
without contacts does not compile it.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.system.evaluate import POWER_COUNT, Work
from gaitwright.system.invoke import invoke, viewer
from gaitwright.system.tables import System

# Columns of Contacts.table
(COUNT, DOF, PAR, SIG, SLOT, N_DOF, N_PAR, N_SIG, N_SLOT, FRAME_KERNEL, TANGENT_KERNEL, N_VARIABLES, MAP) = range(13)
# What is seen of a contact, d being the dimension: gap, its rate, region, speed of the slip, and slip velocity along the
# stretch of the bristles
GAP, RATE, REGION, SPEED, ALONG = range(5)
SEEN = 5
# What `touch` leaves in w.frame: gap, rate and region, and the size of the stretch
STRETCHED = 3
FRAME = 4
# What a surface writes into w.surface: gap, region, normal (d), gradient of the gap (d)
SURFACE_REGION, NORMAL = 1, 2
# What a law writes
FORCE, BY_PENETRATION, BY_RATE, ENERGY, ELASTIC = range(5)
# Memory of a contact: whether it touches (BY_LAW, or BY_IMPULSE in methods without laws); approach speed at touchdown, m/s;
# distance slipped since the start, m; and, from methods that compute impulses, the mean normal force, N. Then vectors in the
# frame of a: the stretch of the bristles at the begin of the step, m; the mean tangential force, N; place of b and normal
# then; and, where anything round touches, axes and spin of b then, and the time (bristles.py).
TOUCHING, APPROACH, SLIPPED, NORMAL_FORCE, STRETCH = range(5)
NOT, BY_LAW, BY_IMPULSE = 0.0, 1.0, 2.0
POWERS = POWER_COUNT
"""Powers per contact: lost in the normal direction, lost by friction, done by a moving surface."""
# Functions in Contacts.calls, behind those that evaluate.py calls
TOUCH, OBSERVE, BEGIN, ADVANCE, POWERS_INTO = range(3, 8)
TINY = 1e-200
"""Smallest penetration given to a law: derivatives are printed as d^n / d, which 0 would make NaN."""

as_system, as_work = viewer(System), viewer(Work)


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
    invoke(s.contacts.calls[TOUCH], (s, w, c, q, v))
    return w.law[FORCE]


@compiled
def set_wrench(s, w, c, normal, tangential, at):
    """Force and moment on b, into w.wrench, of a normal force and a tangential one (`tangential` from `at` on, in the frame of
    a), at the state last touched: f = F_n gap_at + P F_t, m = -R n x F_t."""
    d, surface, wrench, radius = s.contacts.dimension, w.surface, w.wrench, s.contacts.radius[c]
    across = 0.0
    for k in range(d):
        across += surface[NORMAL + k] * tangential[at + k]
    for k in range(d):
        wrench[k] = normal * surface[NORMAL + d + k] + tangential[at + k] - across * surface[NORMAL + k]
    if radius == 0.0:
        for k in range(d, wrench.size):
            wrench[k] = 0.0
        return
    if d == 2:
        wrench[2] = -radius * (surface[NORMAL] * tangential[at + 1] - surface[NORMAL + 1] * tangential[at])
        return
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        wrench[3 + k] = -radius * (surface[NORMAL + i] * tangential[at + j] - surface[NORMAL + j] * tangential[at + i])


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
    d, explicit, rate = s.contacts.dimension, s.contacts.dimension + s.contacts.twist, 0.0
    for i in range(d):
        rate += w.surface[NORMAL + d + i] * w.pose[explicit + i]
    return rate


@compiled
def explicit_slip(s, w, k):
    """Component k of the slip that the surface's own motion makes, at the state last touched."""
    d, explicit, across = s.contacts.dimension, s.contacts.dimension + s.contacts.twist, 0.0
    for i in range(d):
        across += w.surface[NORMAL + i] * w.pose[explicit + i]
    return w.pose[explicit + k] - across * w.surface[NORMAL + k]


@compiled
def stretched(w):
    """Size of the stretch of the bristles at the state last touched, and its limit (-1: it has none)."""
    return w.frame[STRETCHED], w.friction[w.friction.size - 1]


@compiled
def elastic_energy(s, w, c, gap):
    """Elastic energy of contact c at a gap, wherever it is."""
    b = s.contacts
    w.given[0], w.given[1], w.given[2] = max(-gap, TINY), 0.0, max(w.memory[b.memory * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, b.law_par[b.law_start[c] :], w.given, w.law))
    return b.weight[c] * w.law[ENERGY]


@compiled
def contact_powers(s, w, q, v, power):
    """Powers of all contacts into `power` and their elastic energies into w.elastic."""
    invoke(s.contacts.calls[POWERS_INTO], (s, w, q, v, power))


@compiled
def begin(s, w, c, origin, q, v):
    """Memory of a contact that begins to touch; its bristles stand straight, or as those of contact `origin` if it is
    handed over from that one (origin >= 0)."""
    invoke(s.contacts.calls[BEGIN], (s, w, c, origin, q, v))


@compiled
def advance(s, w, c, q, v):
    """Slip distance and bristles of a touching contact at the end of the step."""
    invoke(s.contacts.calls[ADVANCE], (s, w, c, q, v))


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
    invoke(s.contacts.calls[OBSERVE], (s, w, c, q, v, out))


@compiled
def observe_contacts(s, w, q, v, out):
    """The same of all contacts."""
    for c in range(s.contacts.count):
        observe_contact(s, w, c, q, v, out)
