"""What a turn costs: torque and energy of the drive by phase, and the forces of the ground on the feet.

Energy is the integral of |tau omega| (paper 003 Eq 2.20), which counts braking as consumption; positive and negative work
are given beside it. Means of forces are over the whole turn, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phases import PHASES, STANCE, SWING, TURN, Phases
from gaitwright.legs.statistics import Statistics, curve, cut, distinct, each_statistics, sampled, smooth, together
from gaitwright.result.energy import signed_work

if TYPE_CHECKING:
    from gaitwright.result.result import Result


class Energy(NamedTuple):
    """Work of the drive, J. absolute: the integral of |P|."""

    positive: float
    negative: float
    absolute: float


@dataclass(frozen=True)
class Loads:
    """Of one turn, by phase (stance, swing, turn). torque: N m. normal, tangential: N, of all feet together, over time by
    phase too. dissipated: J, in contact and friction. belt_work: J, given to the ground, which moves as the belt of a treadmill
    does: what the drives did not lose nor take back. cost_of_transport: energy / (weight of the leg x way); on the ground it
    counts what went into the belt, which under a body that walks would move the body."""

    phases: Phases
    torque: dict[str, Statistics]
    energy: dict[str, Energy]
    normal: dict[str, Statistics]
    tangential: dict[str, Statistics]
    dissipated: float
    belt_work: float
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
    stance, swing = phases.parts(STANCE), phases.parts(SWING)
    if (
        contacts
    ):  # kinks at touchdown; and friction that turns round makes more in stance, over which a spline would shoot
        of_torque = {STANCE: sampled(t, torque, stance), SWING: smooth(t, torque, swing)}
        energy = {phase: _energy_with_kinks(t, powers, phases.parts(phase)) for phase in (STANCE, SWING)}
    else:
        whole, curves = curve(t, torque), [curve(t, power) for power in powers]
        in_stance, in_swing = each_statistics(whole, [stance, swing])
        of_torque = {STANCE: in_stance, SWING: in_swing}
        energy = {phase: _energy(curves, phases.parts(phase)) for phase in (STANCE, SWING)}
    of_torque[TURN] = together([(phases.duty, of_torque[STANCE]), (1 - phases.duty, of_torque[SWING])])
    energy[TURN] = Energy(*(float(a + b) for a, b in zip(energy[STANCE], energy[SWING], strict=True)))
    lost, belt = (sum(_change(run, f"{name}.{what}", phases) for name in contacts) for what in ("dissipated", "work"))
    walked = abs(distance) * weight
    return Loads(
        phases=phases,
        torque=of_torque,
        energy=energy,
        normal=_by_phase(t, normal, phases, contacts),
        tangential=_by_phase(t, tangential, phases, contacts),
        dissipated=float(lost),
        belt_work=-float(belt),
        cost_of_transport=energy["turn"].absolute / walked if walked else np.inf,
        run=run,
    )


def _change(run: Result, name: str, phases: Phases) -> float:
    """Of an output over the turn."""
    first, last = np.interp([phases.begin, phases.end], run.time, run.values(name))
    return float(last - first)


def _by_phase(t: np.ndarray, force: np.ndarray, phases: Phases, contacts: Sequence[str]) -> dict[str, Statistics]:
    """Of a force of the ground; in the air there is none."""
    if not contacts:
        return dict.fromkeys(PHASES, Statistics(0.0, 0.0, 0.0))
    return {phase: sampled(t, force, phases.parts(phase)) for phase in PHASES}


def _energy(curves: Sequence[Any], parts: Sequence[tuple[float, float]]) -> Energy:
    """Of powers as smooth curves, integrated exactly between their zeros."""
    pieces = [0.0]
    for power in curves:
        zeros, sum_until = power.roots(discontinuity=False, extrapolate=False), power.antiderivative()
        for first, last in parts:
            pieces += np.diff(sum_until([first, *zeros[(zeros > first) & (zeros < last)], last])).tolist()
    works = np.array(pieces)
    return Energy(float(works[works > 0].sum()), float(works[works < 0].sum()), float(np.abs(works).sum()))


def _energy_with_kinks(t: np.ndarray, powers: Sequence[np.ndarray], parts: Sequence[tuple[float, float]]) -> Energy:
    works = [signed_work(*distinct(*cut(t, power, first, last))) for first, last in parts for power in powers]
    return Energy(*np.sum(works, axis=0).tolist()) if works else Energy(0.0, 0.0, 0.0)
