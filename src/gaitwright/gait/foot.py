"""The curve of a foot over one turn, seen from the hip: step, phases, speeds, accelerations.

Definitions of paper 003, section 4.1.3: the ground is at a level, or `penetration` above the lowest point that a foot of the
leg reaches; stance is the part of the turn with the foot below it, swing the rest.

step length       extent of the foot in x during stance (SL)
step height       extent in y over the turn (SH)
curve length      extent in x over the turn
leg length        from the hip down to the lowest point of the foot
lifting           step height / leg length
body speed        V_VT, of the hip over the ground: minus the mean x velocity of the foot in stance unless given, so that the
                  foot rests on the ground on average (Eq 4.17)
relative speed    V_FT = V_VT + V_FV, x velocity of the foot over the ground (Eq 4.16)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.gait.phases import PHASES, STANCE, Phases, from_height
from gaitwright.gait.statistics import Statistics, curve, statistics

if TYPE_CHECKING:
    from gaitwright.analyse.result import Result


@dataclass(frozen=True)
class FootCurve:
    """What one foot does over a turn. Lengths in m, speeds in m/s, accelerations in m/s^2; speed, acceleration, vx, vy and
    relative_speed: by phase (stance, swing, turn). touchdown_speed: m/s, downwards, at each touchdown."""

    name: str
    level: float
    phases: Phases
    lowest: float
    step_length: float
    step_height: float
    curve_length: float
    leg_length: float
    flatness: float
    body_speed: float
    touchdown_speed: tuple[float, ...]
    speed: dict[str, Statistics]
    acceleration: dict[str, Statistics]
    vx: dict[str, Statistics]
    vy: dict[str, Statistics]
    relative_speed: dict[str, Statistics]
    track: tuple[np.ndarray, np.ndarray, np.ndarray] = field(repr=False)

    @property
    def duty(self) -> float:
        return self.phases.duty

    @property
    def lifting(self) -> float:
        return self.step_height / self.leg_length

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


def lowest_point(turn: Result, foot: str) -> float:
    """The smallest height of a foot over a turn, m, between the samples too."""
    height = _hermite(turn.time, turn.values(f"{foot}.y"), turn.values(f"{foot}.vy"))
    turning = height.derivative().roots(discontinuity=False, extrapolate=False)
    return float(min(height(turning[np.isfinite(turning)]).min(initial=np.inf), *height(turn.time[[0, -1]])))


def foot_curve(turn: Result, foot: str, *, level: float, hip: float, body_speed: float | None = None) -> FootCurve:
    """Measure the curve of a foot. level, hip: heights, m. body_speed: m/s."""
    t = turn.time
    x, y, vx, vy = (turn.values(f"{foot}.{name}") for name in ("x", "y", "vx", "vy"))
    along, height = _hermite(t, x, vx), _hermite(t, y - level, vy)
    phases = from_height(height, float(t[0]), float(t[-1]))
    curves = {
        "speed": curve(t, np.hypot(vx, vy)),
        "acceleration": curve(t, turn.values(f"{foot}.acceleration")),
        "vx": curve(t, vx),
        "vy": curve(t, vy),
    }
    found = {name: {p: statistics(c, phases.parts(p)) for p in PHASES} for name, c in curves.items()}
    ahead = -found["vx"][STANCE].mean if body_speed is None else body_speed
    x_stance, x_turn = statistics(along, phases.parts(STANCE)), statistics(along, phases.parts("turn"))
    y_turn, y_stance = statistics(height, phases.parts("turn")), statistics(height, phases.parts(STANCE))
    return FootCurve(
        name=foot,
        level=level,
        phases=phases,
        lowest=y_turn.least + level,
        step_length=x_stance.greatest - x_stance.least,
        step_height=y_turn.greatest - y_turn.least,
        curve_length=x_turn.greatest - x_turn.least,
        leg_length=hip - level - y_turn.least,
        flatness=_spread(height, phases.parts(STANCE), y_stance.mean),
        body_speed=ahead,
        touchdown_speed=tuple(-float(height.derivative()(down)) for down, _ in phases.steps),
        relative_speed={p: Statistics(*(ahead + v for v in found["vx"][p])) for p in PHASES},
        track=(t, x, y),
        **found,
    )


def _hermite(t: np.ndarray, y: np.ndarray, dy: np.ndarray) -> Any:
    """A curve through positions with their velocities, of order 4 in the distance of the samples."""
    from scipy.interpolate import CubicHermiteSpline

    return CubicHermiteSpline(t, y, dy)


def _spread(height: Any, parts: list[tuple[float, float]], mean: float) -> float:
    """Root mean square of the height about its mean, m: 0 for a foot that moves on a straight level line."""
    if not parts:
        return np.nan
    t = np.concatenate([np.linspace(first, last, 201) for first, last in parts])
    weights = np.concatenate([np.full(201, (last - first) / 201) for first, last in parts])
    return float(np.sqrt(np.average((height(t) - mean) ** 2, weights=weights)))
