"""How an ankle moves over a step, and what the ground carries meanwhile: measured, or drawn as a scheme.

The pitch of a foot is positive where its toes point up, as at heel strike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.kinds import Array

STANCE = 0.65
"""s, from heel strike to toe-off, of someone who walks at ease."""
PITCH = ((0.0, 20.0), (0.15, 0.0), (0.5, 0.0), (0.75, -18.0), (1.0, -60.0))
"""Degrees against parts of the stance: heel strike, foot flat, heel-off, push-off, toe-off (scheme after D. A. Winter, The
Biomechanics and Motor Control of Human Gait, Waterloo 1991)."""
LOAD = ((0.0, 0.01), (0.23, 1.1), (0.48, 0.78), (0.77, 1.1), (1.0, 0.01))
FORWARD = ((0.0, 0.0), (0.18, -0.17), (0.53, 0.0), (0.85, 0.19), (1.0, 0.0))
"""Force of the ground, upward and forward, in body weights against parts of the stance: two peaks and what is between them;
braking and pushing (schemes after E. Y. Chao, R. K. Laughman, E. Schneider, R. N. Stauffer, J. Biomech. 16 (1983) 219-233). The
upward one is not zero at the ends: there it tells where the ankle is."""
AXES = "xyz"
TURNS = {"pitch": math.pi, "roll": math.pi, "yaw": 2 * math.pi}
"""rad, below which angles of a foot are in a step."""
SAMPLES = 201
"""Of a scheme: splines through them are what the engine reads."""


@dataclass(frozen=True, eq=False)
class Motion:
    """How the ankle moves. time: s, increasing, (n,). pitch, roll, yaw: rad, of the rearfoot: toes up, medial side of a right
    foot up (about x forward), toes to the left; numbers or (n,). x, y, z: m, of the ankle; None where they follow from a load.

    The foot is turned by yaw about the vertical, then pitched, then rolled about its own axes."""

    time: Array
    pitch: Array
    x: Array | float | None = None
    y: Array | float | None = 0.0
    z: Array | float | None = None
    roll: Array | float = 0.0
    yaw: Array | float = 0.0

    def __post_init__(self) -> None:
        at = At("motion")
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
            if name in TURNS:
                at[name].radians(values, below=TURNS[name])
            object.__setattr__(self, name, np.broadcast_to(values, time.shape).copy())

    @property
    def free(self) -> str:
        """Axes along which the ankle goes where a load leaves it."""
        return "".join(axis for axis in AXES if getattr(self, axis) is None)

    @property
    def angles(self) -> tuple[Array, Array, Array]:
        """About z, y and x, one after the other, rad."""
        return np.asarray(self.yaw), -np.asarray(self.pitch), np.asarray(self.roll)

    def mirrored(self) -> Motion:
        """That of the other foot."""
        y = None if self.y is None else -np.asarray(self.y)
        roll, yaw = -np.asarray(self.roll), -np.asarray(self.yaw)
        return Motion(self.time, self.pitch, self.x, y, self.z, roll, yaw)


def step(stance: float = STANCE, toe_off: float = -60.0, heel_strike: float = 20.0) -> Motion:
    """A schematic step of a number of seconds: pitch as in PITCH, its ends in degrees. Where the ankle is follows from a load,
    but for its way aside, which is none."""
    at = At("step")
    stance = at["stance"].positive(stance, "s")
    if not -80.0 <= toe_off <= 0.0:
        at["toe_off"].fail("is no pitch of a foot that pushes off", toe_off, "-80 to 0 degrees")
    if not 0.0 <= heel_strike <= 45.0:
        at["heel_strike"].fail("is no pitch of a heel that strikes", heel_strike, "0 to 45 degrees")
    part = np.linspace(0.0, 1.0, SAMPLES)
    drawn = np.radians(curve(PITCH)(part))
    pitch = np.where(drawn > 0.0, drawn * heel_strike / PITCH[0][1], drawn * toe_off / PITCH[-1][1])
    return Motion(stance * part, pitch)


def step_load(weight: float, part: Array) -> Array:
    """Force of the ground on a foot that walks, N, (n, 3), forward, left and up. weight: of the body, N; part: of stance."""
    weight = At("roll", "load").positive(weight, "N")
    return weight * np.stack([curve(FORWARD)(part), np.zeros(part.shape), curve(LOAD)(part)], axis=1)


def curve(points: tuple[tuple[float, float], ...]) -> Callable[[Array], Any]:
    """Smooth through points, and no higher or lower than they are."""
    from scipy.interpolate import PchipInterpolator

    x, y = zip(*points, strict=True)
    return PchipInterpolator(x, y)
