"""Motion of an ankle over a step and the load on the ground: measured, or schematic.

The pitch of a foot is positive where its toes point up, as at heel strike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array

STANCE_DURATION_S = 0.65
"""Duration of stance, s, from heel strike to toe-off, at comfortable walking speed."""
PITCH_PROFILE_DEG = ((0.0, 20.0), (0.15, 0.0), (0.5, 0.0), (0.75, -18.0), (1.0, -60.0))
"""Pitch, degrees, against fraction of stance: heel strike, foot flat, heel-off, push-off, toe-off (scheme after D.
A. Winter, The Biomechanics and Motor Control of Human Gait, Waterloo 1991)."""
VERTICAL_LOAD_PROFILE = ((0.0, 0.01), (0.23, 1.1), (0.48, 0.78), (0.77, 1.1), (1.0, 0.01))
FORWARD_LOAD_PROFILE = ((0.0, 0.0), (0.18, -0.17), (0.53, 0.0), (0.85, 0.19), (1.0, 0.0))
"""Ground reaction force, upward and forward, in body weights against fraction of stance: two peaks with a valley;
braking and pushing (schemes after E. Y. Chao, R. K. Laughman, E. Schneider, R. N. Stauffer, J. Biomech. 16 (1983)
219-233). The upward force is not zero at the ends, because it determines the ankle position there."""
AXES = "xyz"
ANGLE_LIMITS_RAD = {"pitch": math.pi, "roll": math.pi, "yaw": 2 * math.pi}
"""Upper bounds of the absolute foot angles in a step, rad."""
PROFILE_SAMPLES = 201
"""Number of samples of a schematic step; the engine reads splines through them."""


@dataclass(frozen=True, eq=False)
class AnkleMotion:
    """Motion of the ankle. time: s, increasing, (n,). pitch, roll, yaw: rad, of the rearfoot: toes up, medial side of a
    right foot up (about x forward), toes to the left; numbers or (n,). x, y, z: m, of the ankle; None where they follow
    from a load.

    The foot is turned by yaw about the vertical, then pitched, then rolled about its own axes."""

    time: Array
    pitch: Array
    x: Array | float | None = None
    y: Array | float | None = 0.0
    z: Array | float | None = None
    roll: Array | float = 0.0
    yaw: Array | float = 0.0

    def __post_init__(self) -> None:
        at = ErrorContext("motion")
        time = np.array(at["time"].numbers(self.time, "times, s"), dtype=float)
        if time.ndim != 1 or time.size < 2 or not np.all(np.diff(time) > 0.0):
            at["time"].fail("does not increase", self.time, "two or more times, s, each later than the one before")
        object.__setattr__(self, "time", time)
        for name in ("pitch", "x", "y", "z", "roll", "yaw"):
            given = getattr(self, name)
            if given is None and name in AXES:
                continue
            values = np.array(at[name].numbers(given, "a number, or one per time"), dtype=float)
            if values.ndim and values.shape != time.shape:
                at[name].fail(f"has {values.size} values for {time.size} times", expected="a number, or one per time")
            if name in ANGLE_LIMITS_RAD:
                at[name].radians(values, below=ANGLE_LIMITS_RAD[name])
            object.__setattr__(self, name, np.broadcast_to(values, time.shape).copy())

    @property
    def free(self) -> str:
        """Axes along which the ankle moves freely under the load."""
        return "".join(axis for axis in AXES if getattr(self, axis) is None)

    @property
    def angles(self) -> tuple[Array, Array, Array]:
        """Angles about z, y and x, applied in this order, rad."""
        return np.asarray(self.yaw), -np.asarray(self.pitch), np.asarray(self.roll)

    def mirrored(self) -> AnkleMotion:
        """Return the motion of the opposite foot."""
        y = None if self.y is None else -np.asarray(self.y)
        roll, yaw = -np.asarray(self.roll), -np.asarray(self.yaw)
        return AnkleMotion(self.time, self.pitch, self.x, y, self.z, roll, yaw)


def step(stance: float = STANCE_DURATION_S, toe_off: float = -60.0, heel_strike: float = 20.0) -> AnkleMotion:
    """Make a schematic step. stance: duration, s. Pitch follows PITCH_PROFILE_DEG with its ends scaled to
    heel_strike and toe_off, degrees. The ankle position follows from a load, except for y, which is 0."""
    at = ErrorContext("step")
    stance = at["stance"].positive(stance, "s")
    if not -80.0 <= toe_off <= 0.0:
        at["toe_off"].fail("is no pitch of a foot that pushes off", toe_off, "-80 to 0 degrees")
    if not 0.0 <= heel_strike <= 45.0:
        at["heel_strike"].fail("is no pitch of a heel that strikes", heel_strike, "0 to 45 degrees")
    part = np.linspace(0.0, 1.0, PROFILE_SAMPLES)
    drawn = np.radians(interpolate_profile(PITCH_PROFILE_DEG)(part))
    pitch = np.where(
        drawn > 0.0, drawn * heel_strike / PITCH_PROFILE_DEG[0][1], drawn * toe_off / PITCH_PROFILE_DEG[-1][1]
    )
    return AnkleMotion(stance * part, pitch)


def step_load(weight: float, part: Array) -> Array:
    """Force of the ground on a walking foot, N, (n, 3): forward, left, up. weight: of the body, N; part: fraction of
    stance."""
    weight = ErrorContext("roll", "load").positive(weight, "N")
    return weight * np.stack(
        [
            interpolate_profile(FORWARD_LOAD_PROFILE)(part),
            np.zeros(part.shape),
            interpolate_profile(VERTICAL_LOAD_PROFILE)(part),
        ],
        axis=1,
    )


def interpolate_profile(points: tuple[tuple[float, float], ...]) -> Callable[[Array], Any]:
    """Smooth interpolant through points that does not overshoot them."""
    from scipy.interpolate import PchipInterpolator

    x, y = zip(*points, strict=True)
    return PchipInterpolator(x, y)
