"""The slip of a contact, what it adds up to, and what is remembered of it from the begin of a step to its end.

    slip = P at' - R spin x n        P = I - n n^T

No coordinate integrates it: a ball that rolls round a triangle comes back turned. But over a step, from the place at0, the
normal n0 and the axes of b that the memory keeps, the stretch of bristles is what the place has moved along the surface and
what b has turned:

    z = z0 + arc P_m (at - at0) - R phi x m        m = (n0 + n) / |n0 + n|        arc = (a/2) / sin(a/2)

with a the angle between n0 and n, and phi the rotation of b since (the logarithm of its matrix, with as many full turns as the
spins at both ends say). z0 is turned with the normal from n0 to n, the rest from m to n. On straight surfaces and on circles
this is exact for steps of any length; on others it is of second order. Because it depends on positions alone, it serves at
rest, too: there the begin is the pose in which the bristles stood straight. (The trapezoidal rule for the slip velocity was of
second order everywhere, and needed the coordinates of that pose for statics.)

A point that is not located where it touches (by_gap) may come down within a step. Bristles are stretched by what it moves along
the surface since then, its way taken for straight: the part g / (g - g0) of it, with the gap g0 > 0 at the begin and g < 0 now.
So the stretch begins with the normal force, and both in proportion. (Without, a ball that rolls on to a point far from where
that was drawn finds its bristles torn before they touch.)
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.system.touch import BEFORE, FOOT, LANDING, MET, NORMAL, SHIFT, STRETCH, SURFACE_REGION, TOUCHED

FLAT = 1e-24
"""Square of a change of the normal that is rounding."""
FULL = 2.0 * math.pi
STRAIGHT = 1e-9
"""Sine of an angle, rad, about an axis that is lost in rounding."""
OPPOSITE = 1e-6
"""Least part of two normals that their mean may have: between opposite ones there is no way along the surface."""


@compiled
def find_slip(s, w, c):
    """The slip velocity at the pose and surface in w, into w.slip."""
    d = s.contacts.dimension
    radius, pose, surface, slip = s.contacts.radius[c], w.pose, w.surface, w.slip
    across = 0.0
    for k in range(d):
        across += surface[NORMAL + k] * pose[d + k]
    for k in range(d):
        slip[k] = pose[d + k] - across * surface[NORMAL + k]
    if radius != 0.0:
        add_cross(s, -radius, pose, 2 * d, surface, NORMAL, slip)


@compiled
def add_cross(s, factor, turn, i, vector, j, out):
    """out += factor * turn x vector; turn begins at i (in the plane it is one number), vector at j."""
    if s.contacts.dimension == 2:
        out[0] -= factor * turn[i] * vector[j + 1]
        out[1] += factor * turn[i] * vector[j]
    else:
        out[0] += factor * (turn[i + 1] * vector[j + 2] - turn[i + 2] * vector[j + 1])
        out[1] += factor * (turn[i + 2] * vector[j] - turn[i] * vector[j + 2])
        out[2] += factor * (turn[i] * vector[j + 1] - turn[i + 1] * vector[j])


@compiled
def find_turn(s, now, i, memory, j, turn, meant):
    """The rotation, rad, from axes that begin at j in the memory to axes that begin at i, into `turn`. meant: about what it is,
    for steps with more than half a turn."""
    if s.contacts.dimension == 2:
        sine = memory[j] * now[i + 1] - memory[j + 1] * now[i]
        angle = math.atan2(sine, memory[j] * now[i] + memory[j + 1] * now[i + 1])
        turn[0] = angle + FULL * round((meant[0] - angle) / FULL)
    else:
        find_turn_in_space(now, i, memory, j, turn, meant)


@compiled
def find_turn_in_space(now, i, memory, j, turn, meant):
    trace = 0.0
    for k in range(3):
        turn[k] = 0.0
    for axis in range(3):
        # the third axis is the product of the others
        a, b = i + 3 * axis, j + 3 * axis
        for k in range(3):
            l, m = (k + 1) % 3, (k + 2) % 3
            if axis < 2:
                turn[k] += 0.5 * (memory[b + l] * now[a + m] - memory[b + m] * now[a + l])
                trace += memory[b + k] * now[a + k]
            else:
                turn[k] += 0.5 * (_third(memory, j, l) * _third(now, i, m) - _third(memory, j, m) * _third(now, i, l))
                trace += _third(memory, j, k) * _third(now, i, k)
    sine, size, along = 0.0, 0.0, 0.0
    for k in range(3):
        sine += turn[k] * turn[k]
        size += meant[k] * meant[k]
        along += turn[k] * meant[k]
    sine, size = math.sqrt(sine), math.sqrt(size)
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    if sine > STRAIGHT:
        factor = (angle + FULL * round((along / sine - angle) / FULL)) / sine
        for k in range(3):
            turn[k] *= factor
    elif size > 0.5 * FULL:  # whole turns, about the axis of the spins
        for k in range(3):
            turn[k] = FULL * round(size / FULL) * meant[k] / size


@compiled
def _third(axes, i, k):
    l, m = (k + 1) % 3, (k + 2) % 3
    return axes[i + l] * axes[i + 3 + m] - axes[i + m] * axes[i + 3 + l]


@compiled
def find_stretch(s, w, c):
    """The stretch of the bristles of contact c at the pose and surface in w, as long as they do not give way, into w.stretch;
    how far b has slid since the begin of the step, m."""
    d = s.contacts.dimension
    turns, memory, surface, pose = s.contacts.twist - d, w.memory, w.surface, w.pose
    mean, stretch = w.mean, w.stretch
    z = s.contacts.memory * c + STRETCH
    at, normal, axes, radius = z + 2 * d, z + 3 * d, z + 4 * d, s.contacts.radius[c]
    bend = 0.0
    for k in range(d):
        bend += (surface[NORMAL + k] - memory[normal + k]) ** 2
    arc, size = 1.0, 1.0
    if bend > FLAT:
        half = min(0.5 * math.sqrt(bend), 1.0)  # sine of half the angle
        arc, size = math.asin(half) / half, max(math.sqrt(1.0 - half * half), OPPOSITE)
    deforming = s.contacts.meeting[c, 0] >= 0
    moved = w.meeting  # of a surface that deforms, what is nearest has moved in it
    if not deforming:
        for k in range(d):
            moved[FOOT + k] = pose[k] - memory[at + k]
    across = 0.0
    for k in range(d):
        mean[k] = 0.5 * (surface[NORMAL + k] + memory[normal + k]) / size
        across += mean[k] * moved[FOOT + k]
    for k in range(d):
        stretch[k] = arc * (moved[FOOT + k] - across * mean[k])
    if radius != 0.0:
        spin = axes + d * (d - 1)
        half = 0.5 * (w.clock[0] - memory[spin + turns])
        for k in range(turns):
            w.meant[k] = half * (memory[spin + k] + pose[2 * d + k])
        find_turn(s, pose, 2 * d + s.contacts.twist, memory, axes, w.turn, w.meant)
        add_cross(s, -radius, w.turn, 0, mean, 0, stretch)
    way, part = 0.0, touched_part(s, w, c)
    for k in range(d):
        stretch[k] *= part
        way += stretch[k] * stretch[k]
    if bend > FLAT:
        carry(s, mean, 0, surface, stretch, 0, stretch, 0.0)
        carry(s, memory, normal, surface, memory, z, stretch, 1.0)
    else:
        for k in range(d):
            stretch[k] += memory[z + k]
    return math.sqrt(way)


@compiled
def touched_part(s, w, c):
    """Which part of the step contact c has touched, into w.frame, with 1 / part times its slope in the gap."""
    f, m = w.frame, s.contacts.memory * c
    f[TOUCHED], f[LANDING] = 1.0, 0.0
    if s.contacts.by_gap[c] != 0 and w.memory[m + BEFORE] > 0.0:
        gap, before = w.surface[0] - w.memory[m + SHIFT], w.memory[m + BEFORE]
        f[TOUCHED] = gap / (gap - before) if gap < 0.0 else 0.0
        if f[TOUCHED] > 0.0:
            f[LANDING] = (1.0 - f[TOUCHED]) / gap
    return f[TOUCHED]


@compiled
def carry(s, old, i, surface, vector, j, out, keep):
    """out = keep out + vector, turned with the normal from `old` to that of the surface; vector is across `old`."""
    d = s.contacts.dimension
    both = along = 0.0
    for k in range(d):
        both += old[i + k] * surface[NORMAL + k]
        along += vector[j + k] * surface[NORMAL + k]
    factor = along / max(1.0 + both, OPPOSITE)
    for k in range(d):
        out[k] = keep * out[k] + vector[j + k] - factor * (old[i + k] + surface[NORMAL + k])


@compiled
def remember(s, w, c):
    """Place, normal, axes, spin and time at the state in w are those of the begin of the next step."""
    d = s.contacts.dimension
    turns, pose = s.contacts.twist - d, w.pose
    at = s.contacts.memory * c + STRETCH + 2 * d
    deforming = s.contacts.meeting[c, 0] >= 0
    for k in range(d):
        w.memory[at + k] = w.meeting[MET + k] if deforming else pose[k]
        w.memory[at + d + k] = w.surface[NORMAL + k]
    if s.contacts.by_gap[c] != 0:
        m = s.contacts.memory * c  # beyond its piece of the surface it has no gap
        w.memory[m + BEFORE] = w.surface[0] - w.memory[m + SHIFT] if w.surface[SURFACE_REGION] >= 0.0 else 0.0
    if s.contacts.rolls == 0:
        return
    axes = at + 2 * d
    spin = axes + d * (d - 1)
    for k in range(d * (d - 1)):
        w.memory[axes + k] = pose[2 * d + s.contacts.twist + k]
    for k in range(turns):
        w.memory[spin + k] = pose[2 * d + k]
    w.memory[spin + turns] = w.clock[0]
