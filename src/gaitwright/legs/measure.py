"""The numbers of a turn in the air as plain numbers, for sweeps and searches over many variants.

gw.sweep(leg, {"L3": np.linspace(0.26, 0.29, 31)}, analysis=gw.one_turn(), measure=gw.measure_leg)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.design.many.sources import measured_by
from gaitwright.legs.flexible import settled_turn
from gaitwright.legs.leg import in_air, main_foot, measure_feet, require_samples, way
from gaitwright.legs.loads import drive_loads
from gaitwright.legs.numbers import CONTACT_NUMBERS, PRINTED_NUMBERS, MeasuredTurn, turn_numbers
from gaitwright.legs.phases import STANCE, Phases, any_of
from gaitwright.legs.rules import RULES
from gaitwright.legs.settings import period_of, settings_of
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.design.many.measures import Source
    from gaitwright.result.result import Result

WITH_CONTACTS = {"normal_force": "normal_greatest", "dissipated": "dissipated"}
"""What `measure_leg` calls numbers of the contacts of a model."""
ENOUGH = 150
"""Samples of a turn that give energies to four digits and lengths to six."""


def one_turn(
    samples: int = ENOUGH, *, model: Model | None = None, period: str | float = "1/turns_per_second"
) -> dict[str, Any]:
    """The section `analysis` of one turn by inverse dynamics, which for a leg with beams is the first of those that
    `measure_leg` makes. period: s, an expression of the model's parameters; as the legs
    of the library have it unless given. model: a leg of your own, whose period is then taken, and follows its parameters where
    its crank turns evenly or its section `gait` says the period."""
    require_samples(samples)
    if model is not None:
        period = period_of(model)
    return {"type": "inverse", "until": period, "step": f"({period})/{samples}"}


def _many(model: Model) -> Source:
    from gaitwright.legs.many_turns import leg_source

    return leg_source(model)


@measured_by(_many)
def measure_leg(run: Result) -> dict[str, float]:
    """Step, phases, torque and energy of a run that is one turn of a leg, in SI units; contacts of the model count. A leg with
    beams is not settled in its first turn: it is followed from there until it is, as in `gw.analyse_leg`.

    The names are those of `legs.numbers.PRINTED_NUMBERS`, such as step_length, hip_height, scuffing, torque (largest), energy,
    energy_stance, energy_swing (integrals of |P|) and cost_of_transport; normal_force (largest) and dissipated with contacts.
    All other numbers of a leg: `LegTurns`."""
    settings = settings_of(run)
    if abs(run.time[-1] - run.time[0] - settings.period) > 1e-9 * settings.period:
        At("analysis", "until").fail(
            "is not one turn", float(run.time[-1] - run.time[0]), f"the period, {settings.period:.9g} s"
        )
    if run.mechanism.flexible and run.time[0] < settings.period:
        model = Model.from_dict(run.document or {})
        run = settled_turn(model, in_air(model), settings.period, run.time.size - 1)
    feet = measure_feet(run, settings)
    first = main_foot(feet)
    phases = any_of([foot.phases for foot in feet.values()])
    contacts = run.contact_names()
    _require_same_ground(run, contacts, phases)
    loads = drive_loads(run, phases, settings.drive, contacts, distance=way(first, settings), weight=settings.weight)
    numbers = turn_numbers(MeasuredTurn(first, phases, loads, settings.period), PRINTED_NUMBERS)
    if contacts:
        numbers |= {name: CONTACT_NUMBERS[known].of(loads) for name, known in WITH_CONTACTS.items()}
    return numbers


UNITS = {name: number.unit for name, number in PRINTED_NUMBERS.items()} | {
    name: CONTACT_NUMBERS[known].unit for name, known in WITH_CONTACTS.items()
}
measure_leg.units = UNITS  # type: ignore[attr-defined]
"""For sweeps and searches, which tell the numbers with their units."""
measure_leg.rules = RULES  # type: ignore[attr-defined]
"""For searches, which reject legs that cannot walk."""


def _require_same_ground(run: Result, contacts: list[str], phases: Phases) -> None:
    """Contacts must be closed in stance only: their ground is that of the section `gait`."""
    near = 2.0 * float(np.diff(run.time).max())
    for name in contacts:
        closed = run.time[run.values(f"{name}.penetration") > 0.0]
        off = [t for t in closed if not any(a - near <= t <= b + near for a, b in phases.parts(STANCE))]
        if off:
            At(f"contact '{name}'", "surface").fail(
                f"is closed at t = {off[0]:.4g} s, when the foot is above the ground of the section 'gait'",
                expected="a ground at the level of that section",
            )
