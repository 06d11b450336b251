"""A foot on the ground by hand: forces, torque and energy from the curve of a foot in the air, without equations of motion.

The crank is driven, so the ground changes no motion: its force is a function of the foot's curve, and the torque that it
adds follows from its power, tau = tau_air - (F_x v_x + F_y v_y) / omega. That is a second way to the numbers of
`gw.analyse_leg`, and a quick way to what the thesis may have meant: see RATES and FRICTION.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gaitwright.legs.leg import Turn
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.legs.statistics import Statistics, curve
from gaitwright.papers.walking_legs_data import COEFFICIENT, STIFFNESS

EXPONENT = 1.5
"""n, from section 3.2.1."""
SAMPLES = 4000
BELT = 0.97
"""m/s, speed of the belt in the friction rule "fitted": see FRICTION."""

Array = np.ndarray


@dataclass(frozen=True)
class Foot:
    """Samples over a turn. time: s; height above the ground: m; vx, vy: m/s; torque: N m, in the air; omega: rad/s, of the
    crank; touchdown_speed: m/s. parts: which samples are in which phase."""

    time: Array
    height: Array
    vx: Array
    vy: Array
    torque: Array
    omega: float
    touchdown_speed: float
    body_speed: float
    parts: Mapping[str, Array]

    @property
    def rate(self) -> Array:
        """At which the foot goes into the ground, m/s."""
        return -self.vy

    @property
    def step(self) -> float:
        return float(self.time[1] - self.time[0])


def sampled_foot(turn: Turn, omega: float, drive: str = "crank") -> Foot:
    """The first foot of a turn, at the middle of SAMPLES equal parts of it."""
    t = (np.arange(SAMPLES) + 0.5) / SAMPLES * (turn.run.time[-1] - turn.run.time[0]) + turn.run.time[0]

    def at(name: str) -> Array:
        return curve(turn.run.time, turn.run.values(name))(t)

    foot = turn.foot
    stance = foot.phases.is_stance(t)
    omega *= float(np.sign(np.mean(turn.run.values(f"{drive}.spin"))))
    speeds = at(f"{foot.name}.vx"), at(f"{foot.name}.vy")
    parts = {STANCE: stance, SWING: ~stance, TURN: np.ones_like(stance)}
    height, fall = at(f"{foot.name}.y") - foot.level, foot.touchdown_speed[0]
    return Foot(t, height, *speeds, at(f"{drive}.torque"), omega, fall, foot.body_speed, parts)


RATES: dict[str, Callable[[Foot], Array]] = {
    "printed": lambda foot: foot.rate,
    "speed of the foot": lambda foot: np.hypot(foot.vx, foot.vy),
}
"""What stands for the rate of penetration in Eq 3.9. The second is an inference: it is no rate of penetration, but the only
one of four readings that gives forces of the size that the thesis prints for inelastic contact."""


def ramp(slip: Array, v0: float, v1: float) -> Array:
    """c_d of Eq 3.11 with the direction of the slip."""
    return np.sign(slip) * np.clip((np.abs(slip) - v0) / (v1 - v0), 0.0, 1.0)


FRICTION: dict[str, Callable[[Foot], Array]] = {
    "none": lambda foot: np.zeros_like(foot.vx),
    "treadmill": lambda foot: ramp(foot.vx + foot.body_speed, 1e-3, 1e-2),
    "standing ground": lambda foot: np.sign(foot.vx),
    "fitted": lambda foot: np.hypot(foot.vx, foot.vy) * ramp(foot.vx + BELT, 0.0, 0.1),
}
"""c_f c_d of Eq 3.10. treadmill: the ground moves at the mean speed of the foot in stance, Eq 4.17, with our default v0 and v1.
fitted: a belt of 0.97 m/s for both legs, c_f = |v| as printed (a speed, not a direction) and a ramp up to 0.1 m/s: the best of
832 rules fitted to four of the thesis's own numbers for the Jansen leg, so it is no evidence of what the thesis did."""


class Bound(NamedTuple):
    """The most that any friction of at most mu F_n can make of the energy (J), of |tau| (N m) and of |mean tau| (N m)."""

    energy: float
    torque: float
    mean: float


@dataclass(frozen=True)
class Ground:
    """What the ground does. normal, tangential: N, on the foot; torque: N m, of the drive; each (n,). By phase: energies, the
    integrals of |tau omega|, J (Eq 2.20); torques; bounds."""

    foot: Foot
    normal: Array
    tangential: Array
    torque: Array

    @cached_property
    def energies(self) -> dict[str, float]:
        power, step = np.abs(self.torque * self.foot.omega), self.foot.step
        return {phase: float(power[inside].sum() * step) for phase, inside in self.foot.parts.items()}

    @cached_property
    def torques(self) -> dict[str, Statistics]:
        parts = {phase: self.torque[inside] for phase, inside in self.foot.parts.items()}
        return {phase: Statistics(*(float(of) for of in (t.min(), t.max(), t.mean()))) for phase, t in parts.items()}

    @cached_property
    def bounds(self) -> dict[str, Bound]:
        foot, omega = self.foot, abs(self.foot.omega)
        added = self.normal * (np.abs(foot.vy) + COEFFICIENT * np.abs(foot.vx)) / omega
        most, found = np.abs(foot.torque) + added, {}
        for phase, inside in foot.parts.items():
            mean = abs(foot.torque[inside].mean()) + added[inside].mean()
            found[phase] = Bound(float(most[inside].sum() * omega * foot.step), float(most[inside].max()), float(mean))
        return found


def on_ground(foot: Foot, restitution: float, friction: str = "treadmill", rate: str = "printed") -> Ground:
    """Eq 3.9 and 3.10 over a turn."""
    depth = np.maximum(-foot.height, 0.0)
    factor = 0.75 * (1.0 - restitution**2) * RATES[rate](foot) / foot.touchdown_speed
    normal = np.maximum(STIFFNESS * depth**EXPONENT * (1.0 + factor), 0.0)
    tangential = -COEFFICIENT * normal * FRICTION[friction](foot)
    torque = foot.torque - (tangential * foot.vx + normal * foot.vy) / foot.omega
    return Ground(foot, normal, tangential, torque)


def saving(elastic: Ground, inelastic: Ground) -> float:
    """Part of the energy of an inelastic contact that an elastic one saves, %."""
    return 100.0 * (1.0 - elastic.energies[TURN] / inelastic.energies[TURN])
