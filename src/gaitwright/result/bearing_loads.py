"""Loads of the bearings in the joints of a motion: mean, peak and equivalent magnitude of the joint force.

    F(t) = |force on b|                                          N
    P    = ( int F^3 |w| dt / int |w| dt )^(1/3)                 N, w: relative angular velocity of the two bodies

P is the constant load under which a ball bearing has the same life over the same rotation: life falls with the third power of
the load (L10 = (C/P)^3, ISO 281). Roller bearings have the exponent 10/3, for which P is a few percent larger. Joints that do
not rotate are weighted by time. F is the magnitude of the whole force; factors for axial load are not applied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.mechanism.tables import Array

if TYPE_CHECKING:
    from gaitwright.result.result import Result

LIFE_EXPONENT = 3.0
"""Life exponent of ball bearings, ISO 281."""
FORCE_COMPONENTS = ("fx", "fy", "fz", "normal", "force")
"""Outputs of a joint that are components of its force, N; prismatic, slot and distance joints have only one of them."""
MIN_ROTATION_RAD = 1e-6
"""Rotation, rad, up to which a joint counts as not rotating."""


class BearingLoad(NamedTuple):
    """Loads of one joint. bodies: the two bodies that it connects. mean, peak, equivalent: N. peak_at: s. rotation: rad,
    relative rotation of the bodies, sum of both directions; 0 for joints that do not rotate."""

    joint: str
    bodies: str
    mean: float
    peak: float
    peak_at: float
    equivalent: float
    rotation: float


def bearing_loads(result: Result, begin: float = -np.inf, end: float = np.inf) -> list[BearingLoad]:
    """Loads of all joints that transmit a force, largest peak first, over the samples from begin to end (s). In statics the
    path parameter replaces time, also as the weight of the equivalent load. Joints are left out if the run did not keep their
    forces or their rotation (`store`)."""
    inside = (result.time >= begin) & (result.time <= end)
    time = result.time[inside]
    if not time.size:
        return []
    loads = []
    for names in result.mechanism.constraint_names:
        components = [
            f"{names.name}.{component}"
            for component in FORCE_COMPONENTS
            if f"{names.name}.{component}" in result.catalogue.outputs
        ]
        if names.kind != "joint" or len(names.bodies) != 2 or not components:
            continue
        spins = [name for body in names.bodies for name in _spin_outputs(result, body).values()]
        if result.stored is not None and not set(result.names).issuperset([*components, *spins]):
            continue
        force = np.linalg.norm([result.array(name)[inside] for name in components], axis=0)
        if not np.all(np.isfinite(force)):
            continue
        speed = _relative_speed(result, *names.bodies)[inside]
        peak = int(np.argmax(force))
        rotation = float(np.trapezoid(speed, time))
        weight = speed if rotation > MIN_ROTATION_RAD else np.ones_like(force)
        loads.append(
            BearingLoad(
                joint=names.name,
                bodies=f"{names.bodies[0]} - {names.bodies[1]}",
                mean=_power_mean(time, force, np.ones_like(force)),
                peak=float(force[peak]),
                peak_at=float(time[peak]),
                equivalent=_power_mean(time, force, weight, LIFE_EXPONENT),
                rotation=rotation if rotation > MIN_ROTATION_RAD else 0.0,
            )
        )
    return sorted(loads, key=lambda load: -load.peak)


def _power_mean(time: Array, force: Array, weight: Array, exponent: float = 1.0) -> float:
    """Weighted power mean over time; the value itself for a single sample."""
    if time.size < 2:
        return float(force[0])
    largest = force.max()
    if largest == 0.0:
        return 0.0
    power = np.trapezoid((force / largest) ** exponent * weight, time) / np.trapezoid(weight, time)
    return float(largest * power ** (1.0 / exponent))


def _relative_speed(result: Result, *bodies: str) -> Array:
    """Magnitude of the angular velocity of one body relative to the other, rad/s. A body without one, such as a beam, counts
    with 0."""
    spins = [_angular_velocity(result, body) for body in bodies]
    return np.linalg.norm(spins[1] - spins[0], axis=0)


def _angular_velocity(result: Result, body: str) -> Array:
    """Angular velocity of a body, (3, n_times), rad/s."""
    omega = np.zeros((3, result.time.size))
    for axis, name in _spin_outputs(result, body).items():
        omega[axis] = result.array(name)
    return omega


def _spin_outputs(result: Result, body: str) -> dict[int, str]:
    """Names of the outputs of the angular velocity of a body, by axis; empty for a body without such outputs, such as a
    beam."""
    axes = {0: "wx", 1: "wy", 2: "wz"} | ({2: "spin"} if f"{body}.spin" in result.catalogue.outputs else {})
    return {
        axis: f"{body}.{component}"
        for axis, component in axes.items()
        if f"{body}.{component}" in result.catalogue.outputs
    }
