"""The curve of a foot over one turn, seen from the hip: step, phases, speeds, accelerations.

Definitions of paper 003, section 4.1.3: the ground is at a level, or `penetration` above the lowest point that a foot of the
leg reaches; stance is the part of the turn with the foot below it, swing the rest.

step length       extent of the foot in x during stance (SL)
step height       extent in y over the turn (SH)
curve length      extent in x over the turn
leg length        from the hip down to the lowest point of the foot
lifting           step height / leg length
hip height        from the ground to the hip: leg length less penetration; negative where the foot stands above the hip
body speed        V_VT, of the hip over the ground: minus the mean x velocity of the foot in stance unless given, so that the
                  foot rests on the ground on average (Eq 4.17)
relative speed    V_FT = V_VT + V_FV, x velocity of the foot over the ground (Eq 4.16)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phases import PHASES, STANCE, TURN, Phases, from_height
from gaitwright.legs.statistics import Statistics, curve, each_statistics, path, share_above, spread, statistics

if TYPE_CHECKING:
    from gaitwright.result.result import Result


@dataclass(frozen=True)
class FootCurve:
    """What one foot does over a turn. Lengths in m, speeds in m/s, accelerations in m/s^2; speed, acceleration, vx, vy and
    relative_speed: by phase (stance, swing, turn). touchdown_speed: m/s, downwards, at each touchdown.

    Only what a sweep over thousands of legs asks for is computed at once."""

    name: str
    level: float
    phases: Phases
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

    def _by_phase(self, values: np.ndarray) -> dict[str, Statistics]:
        found = each_statistics(curve(self.turn.time, values), [self.phases.parts(phase) for phase in PHASES])
        return dict(zip(PHASES, found, strict=True))

    @cached_property
    def speed(self) -> dict[str, Statistics]:
        return self._by_phase(np.hypot(*(self.turn.values(f"{self.name}.{v}") for v in ("vx", "vy"))))

    @cached_property
    def acceleration(self) -> dict[str, Statistics]:
        return self._by_phase(self.turn.values(f"{self.name}.acceleration"))

    @cached_property
    def vx(self) -> dict[str, Statistics]:
        return self._by_phase(self.turn.values(f"{self.name}.vx"))

    @cached_property
    def vy(self) -> dict[str, Statistics]:
        return self._by_phase(self.turn.values(f"{self.name}.vy"))

    @property
    def relative_speed(self) -> dict[str, Statistics]:
        return {phase: Statistics(*(self.body_speed + v for v in of)) for phase, of in self.vx.items()}

    @cached_property
    def flatness(self) -> float:
        """Root mean square over time of the height in stance about its mean, m: 0 for a foot that moves on a straight level
        line."""
        return spread(self.height, self.phases.parts(STANCE))

    @cached_property
    def scuffing(self) -> float:
        """Part of the time of the stance in which the foot moves forward with the body instead of back under it."""
        if not np.isfinite(self.body_speed):
            return np.nan
        forward = curve(self.turn.time, self.turn.values(f"{self.name}.vx") * self.body_speed)
        return share_above(forward, self.phases.parts(STANCE))

    @property
    def duty(self) -> float:
        return self.phases.duty

    @property
    def lifting(self) -> float:
        """Step height / leg length; NaN where the lowest point of the foot is as high as the hip."""
        return self.step_height / self.leg_length if self.leg_length else np.nan

    @property
    def hip_height(self) -> float:
        """Of the hip above the ground, m: negative where the foot stands above the hip."""
        return self.leg_length - (self.level - self.lowest)

    @property
    def relative_step(self) -> float:
        """Step length / size of the leg length; NaN where the lowest point of the foot is as high as the hip."""
        return self.step_length / abs(self.leg_length) if self.leg_length else np.nan

    @property
    def straightness(self) -> float:
        """Step length in the length of the curve."""
        return self.step_length / self.curve_length

    def speed_before(self) -> float | None:
        """At what speed, m/s, a foot that stands on the ground at the begin of the turn touched down; None if none does."""
        over_the_end = [
            v for (_, off), v in zip(self.phases.steps, self.touchdown_speed, strict=True) if off >= self.phases.end
        ]
        return over_the_end[0] if over_the_end else None


class Path(NamedTuple):
    """Where a foot goes: x and y as curves of time, and the range of y, m."""

    x: Any
    y: Any
    heights: Statistics


def foot_path(turn: Result, foot: str) -> Path:
    """The path of a foot over a turn, of order 4 in the distance of the samples."""
    x, y = (path(turn.time, turn.values(f"{foot}.{c}"), turn.values(f"{foot}.v{c}")) for c in "xy")
    return Path(x, y, statistics(y, [(float(turn.time[0]), float(turn.time[-1]))]))


def foot_curve(
    turn: Result, foot: str, *, level: float, hip: float, body_speed: float | None = None, path: Path | None = None
) -> FootCurve:
    """Measure the curve of a foot. level, hip: heights, m. body_speed: m/s. path: where the foot goes, if it is known."""
    t = turn.time
    along, y, heights = path or foot_path(turn, foot)
    height = type(y).construct_fast(y.c - level * np.eye(4)[3][:, None], y.x, y.extrapolate)
    phases = from_height(height, float(t[0]), float(t[-1]))
    stance, whole = phases.parts(STANCE), phases.parts(TURN)
    gone, took = (sum(float(f(b) - f(a)) for a, b in stance) for f in (along, np.float64))
    ahead = body_speed if body_speed is not None else -gone / took if took else np.nan
    x_stance, x_turn = each_statistics(along, [stance, whole])
    falling = height.derivative()
    return FootCurve(
        name=foot,
        level=level,
        phases=phases,
        lowest=heights.least,
        step_length=x_stance.greatest - x_stance.least,
        step_height=heights.greatest - heights.least,
        curve_length=x_turn.greatest - x_turn.least,
        leg_length=hip - heights.least,
        body_speed=ahead,
        touchdown_speed=tuple(-float(falling(down)) for down, _ in phases.steps),
        track=(t, turn.values(f"{foot}.x"), turn.values(f"{foot}.y")),
        turn=turn,
        height=height,
    )
