"""Energies, works and the work-energy residual of a motion.

    E_kin + E_pot + dissipated - (work of drives and loads) = constant

The works are integrated by the integrator itself (same weights as the motion), so the residual has the order of the method.
It shows the energy error of the method, the step size and the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.jit.call_pacing import split_rows
from gaitwright.jit.numba_names import types
from gaitwright.jit.precompilation import PrecompileTask
from gaitwright.mechanism.evaluation import (
    EvaluationWorkspace,
    copy_values,
    evaluate_energies,
    evaluate_motion,
    evaluate_powers,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.history_parts import restart_histories, store_force_histories
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import DISSIPATED_POWER, Array, MechanismTables
from gaitwright.result.outputs import StateHistory


@jit_compile
def _sample_energies(s, w, t, q, v, lam, memory, kinetic, potential, power, phi, phi_dot):
    for k in range(t.size):
        copy_values(memory[k], w.memory)
        update_signals(s, w, t[k])
        evaluate_motion(s, w, q[k], v[k])
        evaluate_energies(s, w, q[k], v[k])
        for i in range(w.energy.size // 3):
            potential[k] += w.energy[3 * i]
        for i in range(s.mass.size):
            kinetic[k] += 0.5 * s.mass[i] * v[k, s.mass_row[i]] * v[k, s.mass_col[i]]
        evaluate_powers(s, w, q[k], v[k], lam[k])
        for i in range(w.elastic.size):
            potential[k] += w.elastic[i]
        copy_values(w.power, power[k])
        copy_values(w.phi, phi[k])
        copy_values(w.phi_dot, phi_dot[k])
        store_force_histories(s, w, q[k], v[k])


def balance_precompilation() -> PrecompileTask:
    """Task for the ahead-of-time compilation of `_sample_energies`."""
    line, rows = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")
    return PrecompileTask(
        _sample_energies,
        (MechanismTables.packed_type, EvaluationWorkspace.packed_type, line, *4 * (rows,), line, line, *3 * (rows,)),
    )


BALANCE_SERIES = ("kinetic", "potential", "dissipated", "work", "gap", "gap_rate", "gap_squares", "gap_rate_squares")


class EnergyBalance:
    """Energies and constraint violations along a motion; arrays over time. held: True if the drives stand still (statics).

    gap, gap_rate: the largest |Phi| and |Phi'|; gap_squares, gap_rate_squares: Phi^T Phi and Phi'^T Phi'. idle: Phi in the
    rows that take no part in the solution."""

    kinetic: Array
    potential: Array
    power: Array
    phi: Array
    phi_dot: Array
    dissipated: Array
    work: Array
    residual: Array
    gap: Array
    gap_rate: Array
    gap_squares: Array
    gap_rate_squares: Array
    idle: Array

    def __init__(self, mechanism: Mechanism, states: StateHistory, held: bool = False):
        s, count = mechanism.system, states.t.size
        w = new_workspace(s)
        self.kinetic, self.potential = np.zeros(count), np.zeros(count)
        self.power = np.zeros((count, w.power.size))
        self.phi, self.phi_dot = np.zeros((count, s.m_all)), np.zeros((count, s.m_all))
        columns = [states.t, *(np.ascontiguousarray(x) for x in (states.q, states.v, states.lam, states.memory))]
        filled = [self.kinetic, self.potential, self.power, self.phi, self.phi_dot]
        pieces = split_rows(count, s.n + s.m_all)
        if count:
            restart_histories(mechanism)
        for rows in pieces:
            _sample_energies(s, w, *(x[rows] for x in (*columns, *filled)))
        if held:
            self.power[:], self.phi_dot[:] = 0.0, 0.0
        n_drives = s.drive_rows.size
        lost = np.tile([True, True, False], s.contacts.count)  # see contact.state.POWERS_PER_CONTACT
        dissipates = np.r_[np.zeros(n_drives, bool), s.power_kind == DISSIPATED_POWER, lost].astype(bool)
        self.dissipated = states.work[:, dissipates].sum(axis=1)
        self.work = states.work[:, ~dissipates].sum(axis=1)
        total = self.kinetic + self.potential + self.dissipated - self.work
        self.residual = total - total[0] if count else total
        column = {int(row): k for k, row in enumerate(s.drive_rows)}
        self.drive_power: dict[str, Array] = {}
        for names in mechanism.constraint_names:
            if names.kind == "drive":  # one drive may consist of several elements
                drive_columns = [column[int(row)] for row in mechanism.row_position[names.rows]]
                before = self.drive_power.get(names.name, np.zeros(count))
                self.drive_power[names.name] = before + self.power[:, drive_columns].sum(axis=1)
        self.gap, self.gap_rate = (np.abs(x).max(axis=1, initial=0.0) for x in (self.phi, self.phi_dot))
        self.gap_squares, self.gap_rate_squares = ((x**2).sum(axis=1) for x in (self.phi, self.phi_dot))
        self.idle = self.phi[:, s.m :]

    def condensed(self) -> EnergyBalance:
        """Remove the arrays with a width that depends on the model: single constraints and powers."""
        none = np.zeros((self.kinetic.size, 0))
        self.power, self.phi, self.phi_dot, self.idle = none, none, none, self.idle.copy()
        return self

    @staticmethod
    def of(series: Mapping[str, Array], idle: Array, drive_power: dict[str, Array]) -> EnergyBalance:
        """A condensed balance from its parts: BALANCE_SERIES, `idle` and the power of each drive."""
        balance, count = EnergyBalance.__new__(EnergyBalance), len(idle)
        balance.power = balance.phi = balance.phi_dot = np.zeros((count, 0))
        vars(balance).update(series)
        balance.idle, balance.drive_power = idle, drive_power
        total = balance.kinetic + balance.potential + balance.dissipated - balance.work
        balance.residual = total - total[0] if count else total
        return balance

    @staticmethod
    def joined(parts: Sequence[EnergyBalance]) -> EnergyBalance:
        """Concatenate several balances in time, condensed."""
        series = {name: np.concatenate([getattr(part, name) for part in parts]) for name in BALANCE_SERIES}
        power = {name: np.concatenate([part.drive_power[name] for part in parts]) for name in parts[0].drive_power}
        return EnergyBalance.of(series, np.concatenate([part.idle for part in parts]), power)

    def turned_over(self) -> float:
        """Largest energy turnover at one time, J: sum of kinetic energy, change of potential energy, dissipated energy and
        supplied work."""
        moved = np.abs(self.kinetic) + np.abs(self.dissipated) + np.abs(self.work)
        return float(np.max(moved + np.abs(self.potential - self.potential[:1]), initial=0.0))


def spline_scales(t: Array, power: Array) -> tuple[float, float]:
    """Scales of times and powers for splines in scaled variables: a crank at 1e100 rad/s has slopes that overflow. The
    scales are powers of two, so scaling is exact."""
    span, size = (2.0 ** int(np.frexp(min(max(float(np.abs(x).max()), 1e-300), 1e300))[1]) for x in (t, power))
    return span, size


def signed_work(t: Array, power: Array) -> tuple[float, float, float]:
    """Positive work, negative work and integral of |P| (paper 003 Eq 2.20), J, from samples of the power.

    A cubic spline through the samples is integrated exactly between its zeros, so the kinks of |P| cost no accuracy."""
    from scipy.interpolate import CubicSpline

    if t.size < 4:
        positive = float(np.trapezoid(np.maximum(power, 0.0), t)) if t.size > 1 else 0.0
        negative = float(np.trapezoid(np.minimum(power, 0.0), t)) if t.size > 1 else 0.0
        return positive, negative, positive - negative
    span, size = spline_scales(t, power)
    t = t / span
    spline = CubicSpline(t, power / size)
    roots = spline.roots(discontinuity=False, extrapolate=False)
    ends = np.unique(np.concatenate([[t[0]], roots[np.isfinite(roots)], [t[-1]]]))
    antiderivative = spline.antiderivative()
    pieces = np.diff(antiderivative(ends)) * (size * span)
    positive, negative = float(pieces[pieces > 0].sum()), float(pieces[pieces < 0].sum())
    return positive, negative, positive - negative
