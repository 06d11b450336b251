"""Ground forces computed from the curve of a foot in the air: forces, torque and energy without equations of motion.

The crank is driven, so the ground changes no motion: its force is a function of the foot's curve, and its additional torque
follows from its power, tau = tau_air - (F_x v_x + F_y v_y) / omega. This is a second computation of the numbers of
`gw.analyse_leg`, and a fast one for possible interpretations of the thesis: see PENETRATION_RATES and FRICTION_RULES.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gaitwright.legs.leg import LegTurn
from gaitwright.legs.phase_statistics import PhaseStatistics, fit_spline
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright_apps.reproductions.walking_legs_data import CONTACT_STIFFNESS, FRICTION_COEFFICIENT

CONTACT_EXPONENT = 1.5
"""Exponent n, from section 3.2.1."""
TURN_SAMPLES = 4000
BELT_SPEED_M_S = 0.97
"""Speed of the belt in the friction rule "fitted", m/s: see FRICTION_RULES."""

Array = np.ndarray


@dataclass(frozen=True)
class SampledFoot:
    """Samples over a turn. time: s; height above the ground: m; vx, vy: m/s; torque: N m, in the air; omega: rad/s,
    of the crank; touchdown_speed: m/s. parts: mask of the samples of each phase."""

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
        """Penetration rate of the foot, m/s."""
        return -self.vy

    @property
    def step(self) -> float:
        return float(self.time[1] - self.time[0])


def sample_foot(turn: LegTurn, omega: float, drive: str = "crank") -> SampledFoot:
    """Sample the first foot of a turn, at the middle of TURN_SAMPLES equal parts of it."""
    t = (np.arange(TURN_SAMPLES) + 0.5) / TURN_SAMPLES * (turn.run.time[-1] - turn.run.time[0]) + turn.run.time[0]

    def at(name: str) -> Array:
        return fit_spline(turn.run.time, turn.run.array(name))(t)

    foot = turn.foot
    stance = foot.phases.is_stance(t)
    omega *= float(np.sign(np.mean(turn.run.array(f"{drive}.spin"))))
    speeds = at(f"{foot.name}.vx"), at(f"{foot.name}.vy")
    parts = {STANCE: stance, SWING: ~stance, TURN: np.ones_like(stance)}
    height, fall = at(f"{foot.name}.y") - foot.level, foot.touchdown_speed[0]
    return SampledFoot(t, height, *speeds, at(f"{drive}.torque"), omega, fall, foot.body_speed, parts)


PENETRATION_RATES: dict[str, Callable[[SampledFoot], Array]] = {
    "printed": lambda foot: foot.rate,
    "speed of the foot": lambda foot: np.hypot(foot.vx, foot.vy),
}
"""Interpretations of the penetration rate in Eq 3.9. The second is an inference: it is no penetration rate, but the
only one of four interpretations that gives inelastic forces of the magnitude printed in the thesis."""


def friction_ramp(slip: Array, v0: float, v1: float) -> Array:
    """c_d of Eq 3.11 with the direction of the slip."""
    return np.sign(slip) * np.clip((np.abs(slip) - v0) / (v1 - v0), 0.0, 1.0)


FRICTION_RULES: dict[str, Callable[[SampledFoot], Array]] = {
    "none": lambda foot: np.zeros_like(foot.vx),
    "treadmill": lambda foot: friction_ramp(foot.vx + foot.body_speed, 1e-3, 1e-2),
    "standing ground": lambda foot: np.sign(foot.vx),
    "fitted": lambda foot: np.hypot(foot.vx, foot.vy) * friction_ramp(foot.vx + BELT_SPEED_M_S, 0.0, 0.1),
}
"""c_f c_d of Eq 3.10. treadmill: the ground moves at the mean speed of the foot in stance, Eq 4.17, with our default
v0 and v1. fitted: a belt of 0.97 m/s for both legs, c_f = |v| as printed (a speed, not a direction) and a ramp up to
0.1 m/s: the best of 832 rules fitted to four of the thesis's own numbers for the Jansen leg, so it is no evidence of
the thesis's rule."""


class FrictionBound(NamedTuple):
    """Upper bounds for any friction of at most mu F_n: of the energy (J), of |tau| (N m) and of |mean tau| (N m)."""

    energy: float
    torque: float
    mean: float


@dataclass(frozen=True)
class GroundReaction:
    """Effect of the ground. normal, tangential: N, on the foot; torque: N m, of the drive; each (n,). By phase: energies,
    the integrals of |tau omega|, J (Eq 2.20); torques; bounds."""

    foot: SampledFoot
    normal: Array
    tangential: Array
    torque: Array

    @cached_property
    def energies(self) -> dict[str, float]:
        power, step = np.abs(self.torque * self.foot.omega), self.foot.step
        return {phase: float(power[inside].sum() * step) for phase, inside in self.foot.parts.items()}

    @cached_property
    def torques(self) -> dict[str, PhaseStatistics]:
        parts = {phase: self.torque[inside] for phase, inside in self.foot.parts.items()}
        return {
            phase: PhaseStatistics(*(float(of) for of in (t.min(), t.max(), t.mean()))) for phase, t in parts.items()
        }

    @cached_property
    def bounds(self) -> dict[str, FrictionBound]:
        foot, omega = self.foot, abs(self.foot.omega)
        added = self.normal * (np.abs(foot.vy) + FRICTION_COEFFICIENT * np.abs(foot.vx)) / omega
        most, bounds = np.abs(foot.torque) + added, {}
        for phase, inside in foot.parts.items():
            mean = abs(foot.torque[inside].mean()) + added[inside].mean()
            bounds[phase] = FrictionBound(
                float(most[inside].sum() * omega * foot.step), float(most[inside].max()), float(mean)
            )
        return bounds


def ground_reaction(
    foot: SampledFoot, restitution: float, friction: str = "treadmill", rate: str = "printed"
) -> GroundReaction:
    """Eq 3.9 and 3.10 over a turn."""
    depth = np.maximum(-foot.height, 0.0)
    factor = 0.75 * (1.0 - restitution**2) * PENETRATION_RATES[rate](foot) / foot.touchdown_speed
    normal = np.maximum(CONTACT_STIFFNESS * depth**CONTACT_EXPONENT * (1.0 + factor), 0.0)
    tangential = -FRICTION_COEFFICIENT * normal * FRICTION_RULES[friction](foot)
    torque = foot.torque - (tangential * foot.vx + normal * foot.vy) / foot.omega
    return GroundReaction(foot, normal, tangential, torque)


def energy_saving_percent(elastic: GroundReaction, inelastic: GroundReaction) -> float:
    """Energy saving of an elastic contact relative to an inelastic one, %."""
    return 100.0 * (1.0 - elastic.energies[TURN] / inelastic.energies[TURN])
