"""Warnings about the quality of a result, from the evidence of its run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.energy_balance import EnergyBalance
from gaitwright.result.evidence import RunEvidence

WARNING_RTOL = 2e-3
"""Limits that cause a warning: opening of joints relative to the size of the mechanism, and energy residual relative to the
energy turnover. Above this value, the position of a pendulum after a few swings is visibly wrong."""


def find_quality_warnings(
    mechanism: Mechanism, balance: EnergyBalance, evidence: RunEvidence, time: np.ndarray, static: bool
) -> list[str]:
    """Warnings as texts. static: True for a static path, which is exact at its points."""
    warnings = list(find_constraint_conflicts(mechanism, balance, time))
    if evidence.max_position_violation > WARNING_RTOL * mechanism.size:
        warnings.append(
            f"the joints opened by up to {evidence.max_position_violation:.2g} m: this is not the motion of the "
            "mechanism; take a smaller step or use projection"
        )
    lawless = np.flatnonzero(~np.isfinite(balance.potential))
    if len(lawless):
        since = f"from t = {float(time[lawless[0]]):.4g} s on"
        warnings.append(
            f"{since} the energy is not a number: a solid may be inside out (J <= 0); do not trust what follows"
        )
        return warnings
    turned = balance.turned_over()
    weight = sum(part.mass for part in mechanism.parts.values()) * float(np.linalg.norm(mechanism.gravity))
    rounding = 1e-13 * (float(np.abs(balance.potential).max(initial=0.0)) + weight * mechanism.size)
    if not evidence.max_energy_residual <= WARNING_RTOL * turned + rounding or not np.isfinite(turned):
        lost, turnover = f"{evidence.max_energy_residual:.2g} J", f"of {turned:.2g} J that were turned over"
        warnings.append(
            f"the works along the path are known to {lost} only, {turnover}: take more steps (the equilibria are exact)"
            if static
            else f"{lost} are not accounted for, {turnover}: take a smaller step or a tighter tolerance"
        )
    return warnings


def find_constraint_conflicts(mechanism: Mechanism, balance: EnergyBalance, time: np.ndarray) -> Iterator[str]:
    """Redundant constraints, excluded from the solution, that are violated: they were not redundant, or no longer are."""
    s = mechanism.system
    for row in range(s.m, s.m_all):
        off = np.abs(balance.idle[:, row - s.m])
        late = np.flatnonzero(off > 1e-6 * min(mechanism.size, 1.0))
        if late.size:
            names = mechanism.constraint_of_row(row)
            _, unit = names.labels[list(mechanism.row_position[names.rows]).index(row)]
            yield (
                f"{names.kind} '{names.name}' conflicts with the others from t = {time[late[0]]:.6g} s on: it "
                f"took no part in the solution and is violated by up to {off.max():.3g} {unit}"
            )
