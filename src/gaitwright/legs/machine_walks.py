"""Walk of a machine as an analysis for design methods: its result contains every number of the command `walk`, by name.

gw.choose(machine, {"body_mass": (3, 6)}, target={"cost_of_transport": 0.05}, analysis=gw.MachineWalks())
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from gaitwright.design.measure_plan import NumberPlan, NumberProvider, require_known
from gaitwright.legs.motor import Motor
from gaitwright.legs.motor_use import MOTOR_NUMBERS
from gaitwright.legs.walk import Walk, measure_walk, read_model_motor
from gaitwright.legs.walk_numbers import WALK_NUMBERS
from gaitwright.model.model import Model


@dataclass(frozen=True)
class MachineWalks:
    """Function of the model of a walking machine that returns its Walk. body: body for speed, height and pitch.
    turns: number of measured turns of the cranks, the last ones. motor: on the common shaft; default: that of the model."""

    body: str = "body"
    turns: int = 1
    motor: Motor | None = None

    def __call__(self, model: Model) -> Walk:
        run = model.analyse()
        if run.evidence.interrupted:
            raise KeyboardInterrupt
        return measure_walk(run, body=self.body, turns=self.turns, motor=self.motor)

    def known_numbers(self, model: Model) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every number that the command `walk` prints for a model, by name."""
        has_motor = self.motor or read_model_motor(model.to_dict())
        return WALK_NUMBERS.descriptions | (MOTOR_NUMBERS.descriptions if has_motor else {})


def is_machine(model: Model) -> bool:
    """True for a walking machine: a planar model with contacts and a body named `body`, without the section `gait` of a single
    leg."""
    document = model.document
    if model.dimension != 2 or document.gait is not None or not document.contacts:
        return False
    return any(part.name == "body" for part in (*document.links, *document.bodies))


def _plan_walk(model: Model, names: Collection[str], measured: bool) -> NumberPlan:
    known_numbers = MachineWalks().known_numbers(model)
    require_known(names, known_numbers, "walk")
    return NumberPlan(MachineWalks(), known_numbers)


NUMBER_PROVIDER = NumberProvider(is_machine, _plan_walk)
"""Numbers of walking machines."""
