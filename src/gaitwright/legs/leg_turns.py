"""One turn of a leg as an analysis for design methods: its result contains every number of the command `leg`, by name.

gw.sweep(leg, {"L3": [0.27, 0.28]}, analysis=gw.LegTurns(), measures={"pull": "restitution_0_torque_turn_greatest / torque"})
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from gaitwright.design.rules import DesignRule
from gaitwright.legs.leg import AS_DRIVEN, LegAnalysis, analyse_leg, ground_laws
from gaitwright.legs.rules import LEG_RULES
from gaitwright.legs.settings import read_settings
from gaitwright.legs.turn_measures import SUFFICIENT_SAMPLES
from gaitwright.legs.turn_numbers import TURN_NUMBERS, number_units
from gaitwright.model.model import Model


@dataclass(frozen=True)
class LegTurns:
    """Function of the model of a leg that returns its LegAnalysis in the driven direction. ground: True to include turns on the
    ground, if the model has one; False for numbers in the air only, in a third of the time. samples: per turn."""

    ground: bool = True
    samples: int = SUFFICIENT_SAMPLES
    rules: ClassVar[dict[str, DesignRule]] = LEG_RULES

    def __call__(self, model: Model) -> LegAnalysis:
        restitutions = None if self.ground else ()
        return analyse_leg(model, directions=(AS_DRIVEN,), restitutions=restitutions, samples=self.samples)


def describe_known_numbers(model: Model) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every number that the command `leg` prints for a model, by name."""
    settings = read_settings(model)
    return number_units(settings, [restitution for restitution, _ in ground_laws(settings, None)])


def needs_ground(names: Iterable[str]) -> bool:
    """True if some of the numbers of a leg require its turn on the ground."""
    return any(name not in TURN_NUMBERS for name in names)
