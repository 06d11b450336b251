"""What a turn costs: torque and energy of the drive by phase, and the forces of the ground on the feet.

Energy is the integral of |tau omega| (paper 003 Eq 2.20), which counts braking as consumption; positive and negative work
are given beside it. Means of forces are over the whole turn, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.analyse.energy import signed_work
from gaitwright.gait.phases import PHASES, STANCE, SWING, TURN, Phases
from gaitwright.gait.statistics import Statistics, cut, distinct, sampled, smooth, together

if TYPE_CHECKING:
    from gaitwright.analyse.result import Result


class Energy(NamedTuple):
    """Work of the drive, J. absolute: the integral of |P|."""

    positive: float
    negative: float
    absolute: float


@dataclass(frozen=True)
class Loads:
    """Of one turn, by phase (stance, swing, turn). torque: N m. normal, tangential: N, of all feet together, over time by
    phase too. dissipated: J, of contact and friction."""

    phases: Phases
    torque: dict[str, Statistics]
    energy: dict[str, Energy]
    normal: dict[str, Statistics]
    tangential: dict[str, Statistics]
    dissipated: float
    cost_of_transport: float
    run: Result = field(repr=False)


def drive_loads(
    run: Result, phases: Phases, drive: str, contacts: Sequence[str] = (), *, distance: float, weight: float
) -> Loads:
    """Measure a turn. phases: of the run, in its times. drive: whose torque it is; the energy is that of all drives.
    distance: m, that the body goes in the turn. weight: N."""
    t, torque = run.time, run.values(f"{drive}.torque")
    powers = list(run.balance.drive_power.values())
    normal = sum((run.values(f"{name}.normal_force") for name in contacts), np.zeros(t.size))
    tangential = sum((run.values(f"{name}.tangential_force") for name in contacts), np.zeros(t.size))
    energy = {phase: _energy(t, powers, phases.parts(phase)) for phase in PHASES}
    # In stance, friction that turns round makes kinks, over which a spline would shoot.
    stance = sampled(t, torque, phases.parts(STANCE)) if contacts else smooth(t, torque, phases.parts(STANCE))
    swing = smooth(t, torque, phases.parts(SWING))
    of_torque = {STANCE: stance, SWING: swing, TURN: together([(phases.duty, stance), (1 - phases.duty, swing)])}
    ends = np.interp([phases.begin, phases.end], t, run.values("energy.dissipated"))
    walked = abs(distance) * weight
    return Loads(
        phases=phases,
        torque=of_torque,
        energy=energy,
        normal={phase: sampled(t, normal, phases.parts(phase)) for phase in PHASES},
        tangential={phase: sampled(t, tangential, phases.parts(phase)) for phase in PHASES},
        dissipated=float(ends[1] - ends[0]),
        cost_of_transport=energy["turn"].absolute / walked if walked else np.inf,
        run=run,
    )


def _energy(t: np.ndarray, powers: Sequence[np.ndarray], parts: Sequence[tuple[float, float]]) -> Energy:
    works = [signed_work(*distinct(*cut(t, power, first, last))) for first, last in parts for power in powers]
    return Energy(*np.sum(works, axis=0).tolist()) if works else Energy(0.0, 0.0, 0.0)
