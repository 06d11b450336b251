"""Loads of a turn: torque and energy of the drive by phase, and the forces of the ground on the feet.

Energy is the integral of |tau omega| (paper 003 Eq 2.20), which counts braking as consumption; positive and negative work are
reported, too. Means of forces are over the whole turn, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phase_statistics import (
    PhaseStatistics,
    compute_phase_statistics,
    cut_series,
    drop_repeated_times,
    fit_spline,
    merge_statistics,
    sampled_statistics,
    smooth_statistics,
)
from gaitwright.legs.phases import PHASES, STANCE, SWING, TURN, FootPhases
from gaitwright.result.energy_balance import signed_work

if TYPE_CHECKING:
    from gaitwright.result.result import Result


class DriveEnergy(NamedTuple):
    """Work of the drives, J. absolute: integral of |P|."""

    positive: float
    negative: float
    absolute: float


@dataclass(frozen=True)
class TurnLoads:
    """Loads of one turn. torque: N m, energy: J, and normal, tangential: sum of all feet, N, by phase (stance, swing, turn).
    dissipated: in contact and friction, J. belt_work: work on the ground, which moves like the belt of a treadmill, J.
    cost_of_transport: energy / (weight of the leg x distance); on the ground it includes the work on the belt, which would
    move the body of a walking machine."""

    phases: FootPhases
    torque: dict[str, PhaseStatistics]
    energy: dict[str, DriveEnergy]
    normal: dict[str, PhaseStatistics]
    tangential: dict[str, PhaseStatistics]
    dissipated: float
    belt_work: float
    cost_of_transport: float
    run: Result = field(repr=False)


def measure_loads(
    run: Result, phases: FootPhases, drive: str, contacts: Sequence[str] = (), *, distance: float, weight: float
) -> TurnLoads:
    """Measure a turn. phases: stance and swing in times of the run. drive: drive with the measured torque; the energy is
    that of all drives. contacts: of the feet. distance: of the body in the turn, m. weight: N."""
    t, torque = run.time, run.array(f"{drive}.torque")
    powers = list(run.balance.drive_power.values())
    normal = sum((run.array(f"{name}.normal_force") for name in contacts), np.zeros(t.size))
    tangential = sum((run.array(f"{name}.tangential_force") for name in contacts), np.zeros(t.size))
    stance, swing = phases.parts(STANCE), phases.parts(SWING)
    if (
        contacts
    ):  # the torque has kinks at touchdown, and in stance where friction reverses; a spline would overshoot there
        torque_statistics = {STANCE: sampled_statistics(t, torque, stance), SWING: smooth_statistics(t, torque, swing)}
        energy = {phase: _kinked_energy(t, powers, phases.parts(phase)) for phase in (STANCE, SWING)}
    else:
        torque_curve, curves = fit_spline(t, torque), [fit_spline(t, power) for power in powers]
        in_stance, in_swing = compute_phase_statistics(torque_curve, [stance, swing])
        torque_statistics = {STANCE: in_stance, SWING: in_swing}
        energy = {phase: _smooth_energy(curves, phases.parts(phase)) for phase in (STANCE, SWING)}
    torque_statistics[TURN] = merge_statistics(
        [(phases.duty, torque_statistics[STANCE]), (1 - phases.duty, torque_statistics[SWING])]
    )
    energy[TURN] = DriveEnergy(*(float(a + b) for a, b in zip(energy[STANCE], energy[SWING], strict=True)))
    dissipated, work_on_belt = (
        sum(_output_change(run, f"{name}.{output}", phases) for name in contacts) for output in ("dissipated", "work")
    )
    weight_distance = abs(distance) * weight
    return TurnLoads(
        phases=phases,
        torque=torque_statistics,
        energy=energy,
        normal=_force_statistics(t, normal, phases, contacts),
        tangential=_force_statistics(t, tangential, phases, contacts),
        dissipated=float(dissipated),
        belt_work=-float(work_on_belt),
        cost_of_transport=energy["turn"].absolute / weight_distance if weight_distance else np.inf,
        run=run,
    )


def _output_change(run: Result, name: str, phases: FootPhases) -> float:
    """Change of an output over the turn."""
    first, last = np.interp([phases.begin, phases.end], run.time, run.array(name))
    return float(last - first)


def _force_statistics(
    t: np.ndarray, force: np.ndarray, phases: FootPhases, contacts: Sequence[str]
) -> dict[str, PhaseStatistics]:
    """Statistics of a ground force by phase; zero without contacts."""
    if not contacts:
        return dict.fromkeys(PHASES, PhaseStatistics(0.0, 0.0, 0.0))
    return {phase: sampled_statistics(t, force, phases.parts(phase)) for phase in PHASES}


def _smooth_energy(curves: Sequence[Any], parts: Sequence[tuple[float, float]]) -> DriveEnergy:
    """Energy of powers as smooth curves, integrated exactly between their zeros."""
    pieces = [0.0]
    for power in curves:
        zeros, sum_until = power.roots(discontinuity=False, extrapolate=False), power.antiderivative()
        for first, last in parts:
            pieces += np.diff(sum_until([first, *zeros[(zeros > first) & (zeros < last)], last])).tolist()
    works = np.array(pieces)
    return DriveEnergy(float(works[works > 0].sum()), float(works[works < 0].sum()), float(np.abs(works).sum()))


def _kinked_energy(t: np.ndarray, powers: Sequence[np.ndarray], parts: Sequence[tuple[float, float]]) -> DriveEnergy:
    works = [
        signed_work(*drop_repeated_times(*cut_series(t, power, first, last)))
        for first, last in parts
        for power in powers
    ]
    return DriveEnergy(*np.sum(works, axis=0).tolist()) if works else DriveEnergy(0.0, 0.0, 0.0)
