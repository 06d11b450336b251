"""Outputs that follow from the whole run: energies, powers of drives, constraint violations, step sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.energy_balance import EnergyBalance
from gaitwright.result.outputs import ResultOutput, StateHistory

ENERGY_TEXTS = {
    "kinetic": "kinetic energy",
    "potential": "potential energy of gravity and springs",
    "dissipated": "energy dissipated since the start",
    "work": "work of drives and loads since the start",
    "residual": "work-energy residual",
}
VIOLATION_SOURCES = {
    "position_violation": ("gap_squares", "Phi^T Phi"),
    "velocity_violation": ("gap_rate_squares", "Phi'^T Phi'"),
}
"""Series of the balance and formulas of the constraint violations, as in paper 003 Eq 2.14."""
STEP_UNITS = {"step_sizes": "s", "newton": "1", "sigma": "1", "unstable": "1"}
"""Units of the step data."""


class RunOutputs:
    """Outputs of a run from its energy balance and its step data. states: the stored states of the run."""

    def __init__(self, mechanism: Mechanism, states: StateHistory, balance: EnergyBalance, steps: dict[str, Any]):
        self.mechanism, self.states, self.balance, self.steps = mechanism, states, balance, steps

    def outputs(self) -> Iterator[tuple[str, ResultOutput]]:
        for name, text in ENERGY_TEXTS.items():
            yield f"energy.{name}", ResultOutput("J", text, self._balanced(lambda b, name=name: getattr(b, name)))
        for name in self.balance.drive_power:
            values = self._balanced(lambda b, name=name: b.drive_power[name])
            yield f"{name}.power", ResultOutput("W", f"drive {name}: power into the mechanism", values)
        for name, (source, text) in VIOLATION_SOURCES.items():
            squares = self._balanced(lambda b, source=source: getattr(b, source))
            yield f"evidence.{name}", ResultOutput("mixed", f"{text}, paper 003 Eq 2.14", squares)
        for name, samples in self.steps.items():
            yield f"evidence.{name}", ResultOutput(STEP_UNITS[name], name.replace("_", " "), self._sampled(samples))

    def _balanced(self, quantity: Callable[[EnergyBalance], np.ndarray]) -> Callable[[StateHistory], np.ndarray]:
        """A quantity of the balance, at the stored states or at states between them."""

        def values(motion: StateHistory) -> np.ndarray:
            if motion is self.states:
                return quantity(self.balance)
            balance = EnergyBalance(self.mechanism, motion)
            balance.residual = _total_energy(balance) - _total_energy(self.balance)[0]
            return quantity(balance)

        return values

    def _sampled(self, samples: Any) -> Callable[[StateHistory], np.ndarray]:
        own, values = self.states, np.asarray(samples, dtype=float)
        return lambda motion: values if motion is own else np.interp(motion.t, own.t, values)


def _total_energy(balance: EnergyBalance) -> np.ndarray:
    return balance.kinetic + balance.potential + balance.dissipated - balance.work
