"""A walk as an analysis of design methods: its result tells every number that `walk` prints, by name.

gw.choose(machine, "body_mass", output="cost_of_transport", target=0.05, bounds=(3, 6), analysis=gw.MachineWalks())
"""

from __future__ import annotations

from dataclasses import dataclass

from gaitwright.legs.motor import Motor
from gaitwright.legs.motor_use import MOTOR_NUMBERS
from gaitwright.legs.walk import Walk, measure_walk, motor_of
from gaitwright.legs.walk_numbers import WALK_NUMBERS
from gaitwright.model.model import Model


@dataclass(frozen=True)
class MachineWalks:
    """Function of the model of a walking machine that gives its Walk. body: whose speed, height and pitch count. turns: of the
    cranks, the last of which are measured. motor: on the common shaft; that of the model unless given."""

    body: str = "body"
    turns: int = 1
    motor: Motor | None = None

    def __call__(self, model: Model) -> Walk:
        run = model.analyse()
        if run.evidence.interrupted:
            raise KeyboardInterrupt
        return measure_walk(run, body=self.body, turns=self.turns, motor=self.motor)

    def known_numbers(self, model: Model) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every number that `walk` prints of a model, by name."""
        known = {name: (number.unit, number.text) for name, number in WALK_NUMBERS.items()}
        return known | (MOTOR_NUMBERS if self.motor or motor_of(model.to_dict()) else {})


def is_machine(model: Model) -> bool:
    """Whether it is a machine that walks: one of the plane with contacts and without the section `gait` of a single leg, whose
    body is called `body`."""
    document = model.document
    if model.dimension != 2 or document.gait is not None or not document.contacts:
        return False
    return any(part.name == "body" for part in (*document.links, *document.bodies))
