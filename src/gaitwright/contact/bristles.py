"""Slip of a contact, its integral, and the bristle state that is kept from the beginning of a step to its end.

    slip = P at' - R spin x n        P = I - n n^T

Slip is not integrable to a coordinate: a ball that rolls round a triangle returns rotated. But over a step, from the
position at0, the normal n0 and the axes of b stored in the memory, the bristle deflection is the displacement along the
surface and the rotation of b:

    z = z0 + arc P_m (at - at0) - R phi x m        m = (n0 + n) / |n0 + n|        arc = (a/2) / sin(a/2)

with a the angle between n0 and n, and phi the rotation of b since then (the logarithm of its matrix, with the number of
full turns from the spins at both ends). z0 is rotated with the normal from n0 to n, the other terms from m to n. On
straight surfaces and on circles this is exact for steps of any length; on others it is of second order. It depends on
positions alone and therefore also works at rest: there the reference is the pose with undeflected bristles. (Rejected: the
trapezoidal rule for the slip velocity, which was of second order everywhere, and needed the coordinates of that pose for
statics.)

A point with an unlocated touchdown (by_gap) may touch down within a step. Its bristles are deflected by its displacement
along the surface after touchdown, on a straight path: the fraction g / (g - g0) of it, with the gap g0 > 0 at the beginning
and g < 0 now. So the deflection begins with the normal force, and both in proportion. (Otherwise, a ball that rolls onto a
point far from its initial position has exhausted its bristles before they touch.)
"""

from __future__ import annotations

import math

from gaitwright.contact.state import (
    CLOSEST_PLACE,
    CLOSEST_PLACE_SHIFT,
    FRAME_TOUCHED_FRACTION,
    FRAME_TOUCHED_FRACTION_SLOPE,
    MEMORY_PREVIOUS_GAP,
    MEMORY_STRETCH,
    MEMORY_SURFACE_SHIFT,
    SURFACE_NORMAL,
    SURFACE_REGION,
)
from gaitwright.jit import jit_compile

MIN_NORMAL_CHANGE_SQUARED = 1e-24
"""Square of a change of the normal that counts as rounding error."""
FULL_TURN_RAD = 2.0 * math.pi
MIN_ROTATION_SINE = 1e-9
"""Sine of an angle about an axis below which the axis is lost in rounding error."""
MIN_MEAN_NORMAL_SIZE = 1e-6
"""Lower bound of the size of the mean of two normals: between opposite ones there is no path along the surface."""


@jit_compile
def find_slip(s, w, c):
    """Compute the slip velocity at the pose and surface in w, into w.slip."""
    d = s.contacts.dimension
    radius, pose, surface, slip = s.contacts.radius[c], w.pose, w.surface, w.slip
    across = 0.0
    for k in range(d):
        across += surface[SURFACE_NORMAL + k] * pose[d + k]
    for k in range(d):
        slip[k] = pose[d + k] - across * surface[SURFACE_NORMAL + k]
    if radius != 0.0:
        add_cross_product(s, -radius, pose, 2 * d, surface, SURFACE_NORMAL, slip)


@jit_compile
def add_cross_product(s, factor, turn, i, vector, j, out):
    """Add factor * turn x vector to out; turn begins at i (in the plane it is one number), vector at j."""
    if s.contacts.dimension == 2:
        out[0] -= factor * turn[i] * vector[j + 1]
        out[1] += factor * turn[i] * vector[j]
    else:
        out[0] += factor * (turn[i + 1] * vector[j + 2] - turn[i + 2] * vector[j + 1])
        out[1] += factor * (turn[i + 2] * vector[j] - turn[i] * vector[j + 2])
        out[2] += factor * (turn[i] * vector[j + 1] - turn[i + 1] * vector[j])


@jit_compile
def find_rotation(s, axes, i, memory, j, turn, estimate):
    """Rotation vector, rad, from axes that begin at j in the memory to axes that begin at i, into `turn`. estimate: rotation
    vector, for steps with more than half a turn."""
    if s.contacts.dimension == 2:
        sine = memory[j] * axes[i + 1] - memory[j + 1] * axes[i]
        angle = math.atan2(sine, memory[j] * axes[i] + memory[j + 1] * axes[i + 1])
        turn[0] = angle + FULL_TURN_RAD * round((estimate[0] - angle) / FULL_TURN_RAD)
    else:
        find_spatial_rotation(axes, i, memory, j, turn, estimate)


@jit_compile
def find_spatial_rotation(axes, i, memory, j, turn, estimate):
    """Implementation of `find_rotation` for space."""
    trace = 0.0
    for k in range(3):
        turn[k] = 0.0
    for axis in range(3):
        # the third axis is the product of the others
        a, b = i + 3 * axis, j + 3 * axis
        for k in range(3):
            l, m = (k + 1) % 3, (k + 2) % 3
            if axis < 2:
                turn[k] += 0.5 * (memory[b + l] * axes[a + m] - memory[b + m] * axes[a + l])
                trace += memory[b + k] * axes[a + k]
            else:
                turn[k] += 0.5 * (
                    _third_axis(memory, j, l) * _third_axis(axes, i, m)
                    - _third_axis(memory, j, m) * _third_axis(axes, i, l)
                )
                trace += _third_axis(memory, j, k) * _third_axis(axes, i, k)
    sine, size, projection = 0.0, 0.0, 0.0
    for k in range(3):
        sine += turn[k] * turn[k]
        size += estimate[k] * estimate[k]
        projection += turn[k] * estimate[k]
    sine, size = math.sqrt(sine), math.sqrt(size)
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    if sine > MIN_ROTATION_SINE:
        factor = (angle + FULL_TURN_RAD * round((projection / sine - angle) / FULL_TURN_RAD)) / sine
        for k in range(3):
            turn[k] *= factor
    elif size > 0.5 * FULL_TURN_RAD:  # whole turns, about the axis of the spins
        for k in range(3):
            turn[k] = FULL_TURN_RAD * round(size / FULL_TURN_RAD) * estimate[k] / size


@jit_compile
def _third_axis(axes, i, k):
    l, m = (k + 1) % 3, (k + 2) % 3
    return axes[i + l] * axes[i + 3 + m] - axes[i + m] * axes[i + 3 + l]


@jit_compile
def find_stretch(s, w, c):
    """Bristle deflection of contact c at the pose and surface in w, without sliding, into w.stretch; returns the distance that
    b has slid since the beginning of the step, m."""
    d = s.contacts.dimension
    turns, memory, surface, pose = s.contacts.twist - d, w.memory, w.surface, w.pose
    mean, stretch = w.mean, w.stretch
    z = s.contacts.memory * c + MEMORY_STRETCH
    place_start, normal, axes, radius = z + 2 * d, z + 3 * d, z + 4 * d, s.contacts.radius[c]
    normal_change = 0.0
    for k in range(d):
        normal_change += (surface[SURFACE_NORMAL + k] - memory[normal + k]) ** 2
    arc, size = 1.0, 1.0
    if normal_change > MIN_NORMAL_CHANGE_SQUARED:
        half = min(0.5 * math.sqrt(normal_change), 1.0)  # sine of half the angle between the normals
        arc, size = math.asin(half) / half, max(math.sqrt(1.0 - half * half), MIN_MEAN_NORMAL_SIZE)
    is_deforming = s.contacts.meeting[c, 0] >= 0
    shift = w.meeting  # on a deformable surface: displacement of the closest place within the surface
    if not is_deforming:
        for k in range(d):
            shift[CLOSEST_PLACE_SHIFT + k] = pose[k] - memory[place_start + k]
    across = 0.0
    for k in range(d):
        mean[k] = 0.5 * (surface[SURFACE_NORMAL + k] + memory[normal + k]) / size
        across += mean[k] * shift[CLOSEST_PLACE_SHIFT + k]
    for k in range(d):
        stretch[k] = arc * (shift[CLOSEST_PLACE_SHIFT + k] - across * mean[k])
    if radius != 0.0:
        spin = axes + d * (d - 1)
        half = 0.5 * (w.clock[0] - memory[spin + turns])
        for k in range(turns):
            w.meant[k] = half * (memory[spin + k] + pose[2 * d + k])
        find_rotation(s, pose, 2 * d + s.contacts.twist, memory, axes, w.turn, w.meant)
        add_cross_product(s, -radius, w.turn, 0, mean, 0, stretch)
    slip_squared, touched_fraction = 0.0, find_touched_fraction(s, w, c)
    for k in range(d):
        stretch[k] *= touched_fraction
        slip_squared += stretch[k] * stretch[k]
    if normal_change > MIN_NORMAL_CHANGE_SQUARED:
        transport_vector(s, mean, 0, surface, stretch, 0, stretch, 0.0)
        transport_vector(s, memory, normal, surface, memory, z, stretch, 1.0)
    else:
        for k in range(d):
            stretch[k] += memory[z + k]
    return math.sqrt(slip_squared)


@jit_compile
def find_touched_fraction(s, w, c):
    """Fraction of the step in which contact c was closed, and 1 / fraction times its slope in the gap, into w.frame."""
    f, m = w.frame, s.contacts.memory * c
    f[FRAME_TOUCHED_FRACTION], f[FRAME_TOUCHED_FRACTION_SLOPE] = 1.0, 0.0
    if s.contacts.by_gap[c] != 0 and w.memory[m + MEMORY_PREVIOUS_GAP] > 0.0:
        gap, before = w.surface[0] - w.memory[m + MEMORY_SURFACE_SHIFT], w.memory[m + MEMORY_PREVIOUS_GAP]
        f[FRAME_TOUCHED_FRACTION] = gap / (gap - before) if gap < 0.0 else 0.0
        if f[FRAME_TOUCHED_FRACTION] > 0.0:
            f[FRAME_TOUCHED_FRACTION_SLOPE] = (1.0 - f[FRAME_TOUCHED_FRACTION]) / gap
    return f[FRAME_TOUCHED_FRACTION]


@jit_compile
def transport_vector(s, old_normal, i, surface, vector, j, out, factor_out):
    """out = factor_out out + vector, rotated with the normal from `old_normal` to that of the surface; vector is orthogonal to
    `old_normal`."""
    d = s.contacts.dimension
    cosine = along = 0.0
    for k in range(d):
        cosine += old_normal[i + k] * surface[SURFACE_NORMAL + k]
        along += vector[j + k] * surface[SURFACE_NORMAL + k]
    factor = along / max(1.0 + cosine, MIN_MEAN_NORMAL_SIZE)
    for k in range(d):
        out[k] = factor_out * out[k] + vector[j + k] - factor * (old_normal[i + k] + surface[SURFACE_NORMAL + k])


@jit_compile
def store_step_start(s, w, c):
    """Store place, normal, axes, spin and time of the state in w as the beginning of the next step."""
    d = s.contacts.dimension
    turns, pose = s.contacts.twist - d, w.pose
    at = s.contacts.memory * c + MEMORY_STRETCH + 2 * d
    deforming = s.contacts.meeting[c, 0] >= 0
    for k in range(d):
        w.memory[at + k] = w.meeting[CLOSEST_PLACE + k] if deforming else pose[k]
        w.memory[at + d + k] = w.surface[SURFACE_NORMAL + k]
    if s.contacts.by_gap[c] != 0:
        m = s.contacts.memory * c  # beyond its piece of the surface a contact has no gap
        w.memory[m + MEMORY_PREVIOUS_GAP] = (
            w.surface[0] - w.memory[m + MEMORY_SURFACE_SHIFT] if w.surface[SURFACE_REGION] >= 0.0 else 0.0
        )
    if s.contacts.rolls == 0:
        return
    axes = at + 2 * d
    spin = axes + d * (d - 1)
    for k in range(d * (d - 1)):
        w.memory[axes + k] = pose[2 * d + s.contacts.twist + k]
    for k in range(turns):
        w.memory[spin + k] = pose[2 * d + k]
    w.memory[spin + turns] = w.clock[0]
