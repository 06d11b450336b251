"""Curve of a foot over one turn, relative to the hip: step, phases, speeds, accelerations.

Definitions of paper 003, section 4.1.3: the ground is at a given level, or `penetration` above the lowest point of the feet;
stance is the part of the turn with the foot below the ground level, swing the rest.

step length       extent of the foot in x during stance (SL)
step height       extent in y over the turn (SH)
curve length      extent in x over the turn
leg length        from the hip down to the lowest point of the foot
lifting           step height / leg length
hip height        from the ground to the hip: leg length minus penetration; negative if the foot stands above the hip
body speed        V_VT, of the hip over the ground; default: minus the mean x velocity of the foot in stance, so that the
                  foot rests on the ground on average (Eq 4.17)
relative speed    V_FT = V_VT + V_FV, x velocity of the foot over the ground (Eq 4.16)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phase_statistics import (
    PhaseStatistics,
    compute_phase_statistics,
    compute_statistics,
    fit_hermite,
    fit_spline,
    fraction_above,
    rms_deviation,
)
from gaitwright.legs.phases import PHASES, STANCE, TURN, FootPhases, phases_from_height

if TYPE_CHECKING:
    from gaitwright.result.result import Result


@dataclass(frozen=True)
class FootCurve:
    """Motion of one foot over a turn. Lengths in m, speeds in m/s, accelerations in m/s^2; speed, acceleration, vx, vy and
    relative_speed: by phase (stance, swing, turn). touchdown_speed: m/s, positive downwards, at each touchdown.

    Only the numbers that sweeps over thousands of legs use are computed immediately; the others are computed on request."""

    name: str
    level: float
    phases: FootPhases
    lowest: float
    step_length: float
    step_height: float
    curve_length: float
    leg_length: float
    body_speed: float
    touchdown_speed: tuple[float, ...]
    track: tuple[np.ndarray, np.ndarray, np.ndarray] = field(repr=False)
    turn: Result = field(repr=False)
    height: Any = field(repr=False)

    def _by_phase(self, values: np.ndarray) -> dict[str, PhaseStatistics]:
        statistics = compute_phase_statistics(
            fit_spline(self.turn.time, values), [self.phases.parts(phase) for phase in PHASES]
        )
        return dict(zip(PHASES, statistics, strict=True))

    @cached_property
    def speed(self) -> dict[str, PhaseStatistics]:
        return self._by_phase(np.hypot(*(self.turn.array(f"{self.name}.{v}") for v in ("vx", "vy"))))

    @cached_property
    def acceleration(self) -> dict[str, PhaseStatistics]:
        return self._by_phase(self.turn.array(f"{self.name}.acceleration"))

    @cached_property
    def vx(self) -> dict[str, PhaseStatistics]:
        return self._by_phase(self.turn.array(f"{self.name}.vx"))

    @cached_property
    def vy(self) -> dict[str, PhaseStatistics]:
        return self._by_phase(self.turn.array(f"{self.name}.vy"))

    @property
    def relative_speed(self) -> dict[str, PhaseStatistics]:
        return {
            phase: PhaseStatistics(*(self.body_speed + v for v in statistics)) for phase, statistics in self.vx.items()
        }

    @cached_property
    def flatness(self) -> float:
        """Root mean square over time of the deviation of the height in stance from its mean, m: 0 for a foot that moves on a
        straight level line."""
        return rms_deviation(self.height, self.phases.parts(STANCE))

    @cached_property
    def scuffing(self) -> float:
        """Fraction of the stance in which the foot moves forward with the body instead of backward under it."""
        if not np.isfinite(self.body_speed):
            return np.nan
        forward = fit_spline(self.turn.time, self.turn.array(f"{self.name}.vx") * self.body_speed)
        return fraction_above(forward, self.phases.parts(STANCE))

    @property
    def duty(self) -> float:
        return self.phases.duty

    @property
    def lifting(self) -> float:
        """Step height / leg length; NaN if the lowest point of the foot is as high as the hip."""
        return self.step_height / self.leg_length if self.leg_length else np.nan

    @property
    def hip_height(self) -> float:
        """Height of the hip above the ground, m; negative if the foot stands above the hip."""
        return self.leg_length - (self.level - self.lowest)

    @property
    def straightness(self) -> float:
        """Step length / curve length."""
        return self.step_length / self.curve_length

    def speed_before(self) -> float | None:
        """Touchdown speed, m/s, of the stance that contains the start of the turn; None if the foot is in the air then."""
        speeds = [
            v for (_, off), v in zip(self.phases.steps, self.touchdown_speed, strict=True) if off >= self.phases.end
        ]
        return speeds[0] if speeds else None


class FootPath(NamedTuple):
    """Path of a foot: x and y as curves over time, and statistics of y, m."""

    x: Any
    y: Any
    heights: PhaseStatistics


def find_foot_path(turn: Result, foot: str) -> FootPath:
    """Path of a foot over a turn, with an error of order 4 in the sample spacing."""
    x, y = (fit_hermite(turn.time, turn.array(f"{foot}.{c}"), turn.array(f"{foot}.v{c}")) for c in "xy")
    return FootPath(x, y, compute_statistics(y, [(float(turn.time[0]), float(turn.time[-1]))]))


def measure_foot_curve(
    turn: Result, foot: str, *, level: float, hip: float, body_speed: float | None = None, path: FootPath | None = None
) -> FootCurve:
    """Measure the curve of a foot. level, hip: heights of ground and hip, m. body_speed: m/s. path: path of the foot, if it is
    known."""
    t = turn.time
    x_curve, y, heights = path or find_foot_path(turn, foot)
    height = type(y).construct_fast(y.c - level * np.eye(4)[3][:, None], y.x, y.extrapolate)
    phases = phases_from_height(height, float(t[0]), float(t[-1]))
    stance, whole_turn = phases.parts(STANCE), phases.parts(TURN)
    displacement, duration = (sum(float(f(b) - f(a)) for a, b in stance) for f in (x_curve, np.float64))
    hip_speed = body_speed if body_speed is not None else -displacement / duration if duration else np.nan
    x_stance, x_turn = compute_phase_statistics(x_curve, [stance, whole_turn])
    vertical_speed = height.derivative()
    return FootCurve(
        name=foot,
        level=level,
        phases=phases,
        lowest=heights.least,
        step_length=x_stance.greatest - x_stance.least,
        step_height=heights.greatest - heights.least,
        curve_length=x_turn.greatest - x_turn.least,
        leg_length=hip - heights.least,
        body_speed=hip_speed,
        touchdown_speed=tuple(-float(vertical_speed(down)) for down, _ in phases.steps),
        track=(t, turn.array(f"{foot}.x"), turn.array(f"{foot}.y")),
        turn=turn,
        height=height,
    )
