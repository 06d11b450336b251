"""A leg and the machine that walks on pairs of it, as an analysis of design methods."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from gaitwright.design.rules import Rule
from gaitwright.legs.leg import LegAnalysis
from gaitwright.legs.leg_turns import LegTurns, known_numbers
from gaitwright.legs.machine_walks import MachineWalks
from gaitwright.legs.measure import ENOUGH
from gaitwright.legs.rules import RULES
from gaitwright.legs.walk import Walk, motor_of
from gaitwright.mechanisms.walking_machine import walking_machine
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model

WALK = "walk_"
"""What comes before the name of a number of the walk, where a leg has numbers of its own."""


@dataclass(frozen=True)
class WalkedLeg:
    """A leg and the walk of its machine. parameters: of the leg."""

    leg: LegAnalysis = field(repr=False)
    walk: Walk = field(repr=False)
    parameters: dict[str, float] = field(repr=False)

    @property
    def turn(self) -> object:
        """Of the leg: its outputs are those of the motion."""
        return self.leg.turn

    def measures(self) -> dict[str, float]:
        """The numbers of the leg, and those of the walk with `walk_` before their names."""
        walked = {f"{WALK}{name}": value for name, value in self.walk.measures().items()}
        return {**self.leg.measures(), **walked}

    def unit_of(self, name: str) -> str:
        """Of such a number."""
        of_walk = name.startswith(WALK)
        return self.walk.unit_of(name.removeprefix(WALK)) if of_walk else self.leg.unit_of(name)


@dataclass(frozen=True)
class LegWalks:
    """Function of the model of a leg that gives its turn and the walk of the machine that `gaitwright walk` makes of it: three
    cranks with a pair of legs each. ground, samples: as in LegTurns. turns: of the walk, measured."""

    ground: bool = True
    samples: int = ENOUGH
    turns: int = 1
    rules: ClassVar[dict[str, Rule]] = RULES

    def __call__(self, model: Model) -> WalkedLeg:
        turned = LegTurns(self.ground, self.samples)(model)
        walked = self._walks(model)(walking_machine(model))
        return WalkedLeg(turned, walked, resolve_parameters(model.document.parameters))

    def known_numbers(self, model: Model) -> dict[str, tuple[str, str]]:
        """Unit and meaning of all numbers, by name."""
        of_walk = self._walks(model).known_numbers(model)
        walked = {f"{WALK}{name}": (unit, f"walk: {text}") for name, (unit, text) in of_walk.items()}
        return {**known_numbers(model), **walked}

    def _walks(self, model: Model) -> MachineWalks:
        return MachineWalks(turns=self.turns, motor=motor_of(model.to_dict()))
