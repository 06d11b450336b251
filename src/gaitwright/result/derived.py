"""Outputs that follow from the whole run: energies, powers of drives, violations of the constraints, step sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gaitwright.result.energy import Balance
from gaitwright.result.outputs import Motion, Output
from gaitwright.system.mechanism import Mechanism

ENERGIES = {
    "kinetic": "kinetic energy",
    "potential": "potential energy of gravity and springs",
    "dissipated": "energy dissipated since the start",
    "work": "work of drives and loads since the start",
    "residual": "work-energy residual",
}
VIOLATIONS = {
    "position_violation": ("gap_squares", "Phi^T Phi"),
    "velocity_violation": ("gap_rate_squares", "Phi'^T Phi'"),
}
"""As in paper 003 Eq 2.14."""
UNITS = {"step_sizes": "s", "newton": "1", "sigma": "1", "unstable": "1"}
"""Of what is known of the steps."""


class Derived:
    """Outputs of a run from its balance, and what is known of its steps. states: those that the run keeps."""

    def __init__(self, mechanism: Mechanism, states: Motion, balance: Balance, steps: dict[str, Any]):
        self.mechanism, self.states, self.balance, self.steps = mechanism, states, balance, steps

    def outputs(self) -> Iterator[tuple[str, Output]]:
        for name, text in ENERGIES.items():
            yield f"energy.{name}", Output("J", text, self._balanced(lambda b, name=name: getattr(b, name)))
        for name in self.balance.drive_power:
            values = self._balanced(lambda b, name=name: b.drive_power[name])
            yield f"{name}.power", Output("W", f"drive {name}: power into the mechanism", values)
        for name, (source, text) in VIOLATIONS.items():
            squares = self._balanced(lambda b, source=source: getattr(b, source))
            yield f"evidence.{name}", Output("mixed", f"{text}, paper 003 Eq 2.14", squares)
        for name, samples in self.steps.items():
            yield f"evidence.{name}", Output(UNITS[name], name.replace("_", " "), self._sampled(samples))

    def _balanced(self, quantity: Callable[[Balance], np.ndarray]) -> Callable[[Motion], np.ndarray]:
        """A quantity of the balance, at the output times or at states between them."""

        def values(motion: Motion) -> np.ndarray:
            if motion is self.states:
                return quantity(self.balance)
            balance = Balance(self.mechanism, motion)
            balance.residual = _total(balance) - _total(self.balance)[0]
            return quantity(balance)

        return values

    def _sampled(self, samples: Any) -> Callable[[Motion], np.ndarray]:
        own, values = self.states, np.asarray(samples, dtype=float)
        return lambda motion: values if motion is own else np.interp(motion.t, own.t, values)


def _total(balance: Balance) -> np.ndarray:
    return balance.kinetic + balance.potential + balance.dissipated - balance.work
