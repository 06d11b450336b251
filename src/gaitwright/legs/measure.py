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
from gaitwright.legs.numbers import NUMBERS_OF_A_TURN
from gaitwright.legs.phases import STANCE, SWING, TURN, Phases, any_of
from gaitwright.legs.settings import period_of, settings_of
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.design.many.measures import Source
    from gaitwright.result.result import Result

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

    step_length, step_height, curve_length, leg_length, duty, flatness, body_speed, touchdown_speed, acceleration (largest),
    torque (largest), energy, energy_stance, energy_swing (integrals of |P|), cost_of_transport; normal_force (largest) and
    dissipated with contacts."""
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
    numbers = {
        "step_length": first.step_length,
        "step_height": first.step_height,
        "curve_length": first.curve_length,
        "leg_length": first.leg_length,
        "duty": phases.duty,
        "flatness": first.flatness,
        "body_speed": first.body_speed,
        "touchdown_speed": max(first.touchdown_speed),
        "acceleration": first.acceleration[TURN].greatest,
        "torque": loads.torque[TURN].largest,
        "energy": loads.energy[TURN].absolute,
        "energy_stance": loads.energy[STANCE].absolute,
        "energy_swing": loads.energy[SWING].absolute,
        "cost_of_transport": loads.cost_of_transport,
    }
    if contacts:
        numbers |= {"normal_force": loads.normal[TURN].greatest, "dissipated": loads.dissipated}
    return numbers


UNITS = {name: unit for name, (unit, _) in NUMBERS_OF_A_TURN.items()} | {"normal_force": "N", "dissipated": "J"}
measure_leg.units = UNITS  # type: ignore[attr-defined]
"""For sweeps and searches, which tell the numbers with their units."""


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
