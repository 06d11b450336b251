"""Combined analysis of a leg and the machine that walks on pairs of it, for design methods."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import ClassVar

from gaitwright.design.measure_plan import NumberPlan, NumberProvider, require_known
from gaitwright.design.rules import DesignRule
from gaitwright.legs.leg import LegAnalysis
from gaitwright.legs.leg_turns import LegTurns, describe_known_numbers, needs_ground
from gaitwright.legs.machine_walks import MachineWalks
from gaitwright.legs.rules import LEG_RULES
from gaitwright.legs.turn_measures import CONTACT_NUMBER_NAMES, SUFFICIENT_SAMPLES, measure_leg, one_turn
from gaitwright.legs.walk import Walk, read_model_motor
from gaitwright.mechanisms.walking_machine import walking_machine
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model

WALK_PREFIX = "walk_"
"""Prefix of the names of walk measures."""


@dataclass(frozen=True)
class LegWalkResult:
    """Results of a leg and of the walk of its machine. parameters: of the leg."""

    leg: LegAnalysis = field(repr=False)
    walk: Walk = field(repr=False)
    parameters: dict[str, float] = field(repr=False)

    @property
    def turn(self) -> object:
        """Turn of the leg; its outputs are those of the motion."""
        return self.leg.turn

    def measures(self) -> dict[str, float]:
        """Measures of the leg, and those of the walk with the prefix `walk_`."""
        walk_measures = {f"{WALK_PREFIX}{name}": value for name, value in self.walk.measures().items()}
        return {**self.leg.measures(), **walk_measures}

    def unit_of(self, name: str) -> str:
        """Unit of a measure."""
        is_walk_measure = name.startswith(WALK_PREFIX)
        return self.walk.unit_of(name.removeprefix(WALK_PREFIX)) if is_walk_measure else self.leg.unit_of(name)


@dataclass(frozen=True)
class LegWalkAnalysis:
    """Analysis of a leg model that returns its turn and the walk of the machine that `gaitwright walk` makes of it: three
    cranks with a pair of legs each. ground, samples: as in LegTurns. turns: number of measured walk turns."""

    ground: bool = True
    samples: int = SUFFICIENT_SAMPLES
    turns: int = 1
    rules: ClassVar[dict[str, DesignRule]] = LEG_RULES

    def __call__(self, model: Model) -> LegWalkResult:
        leg_analysis = LegTurns(self.ground, self.samples)(model)
        walk = self._walks(model)(walking_machine(model))
        return LegWalkResult(leg_analysis, walk, resolve_parameters(model.document.parameters))

    def known_numbers(self, model: Model) -> dict[str, tuple[str, str]]:
        """Unit and meaning of all numbers, by name."""
        walk_numbers = self._walks(model).known_numbers(model)
        prefixed_numbers = {
            f"{WALK_PREFIX}{name}": (unit, f"walk: {text}") for name, (unit, text) in walk_numbers.items()
        }
        return {**describe_known_numbers(model), **prefixed_numbers}

    def _walks(self, model: Model) -> MachineWalks:
        return MachineWalks(turns=self.turns, motor=read_model_motor(model.to_dict()))


def _is_leg(model: Model) -> bool:
    return model.document.gait is not None and model.dimension == 2


def _plan_leg(model: Model, names: Collection[str], measured: bool) -> NumberPlan:
    contacts = set() if model.document.contacts else set(CONTACT_NUMBER_NAMES)
    if measured and set(names) <= set(measure_leg.units) - contacts:
        return NumberPlan(one_turn(model=model), measure=measure_leg)
    if any(name.startswith(WALK_PREFIX) for name in names):
        known_numbers = LegWalkAnalysis().known_numbers(model)
        require_known(names, known_numbers, "leg")
        return NumberPlan(
            LegWalkAnalysis(needs_ground(n for n in names if not n.startswith(WALK_PREFIX))), known_numbers
        )
    known_numbers = describe_known_numbers(model)
    require_known(names, known_numbers, "leg")
    return NumberPlan(LegTurns(needs_ground(names)), known_numbers)


NUMBER_PROVIDER = NumberProvider(_is_leg, _plan_leg)
"""Numbers of legs, and of the machines that walk on them."""
