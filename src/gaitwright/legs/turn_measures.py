"""Numbers of a turn as plain numbers, for sweeps and searches over many variants.

gw.sweep(leg, {"L3": np.linspace(0.26, 0.29, 31)}, analysis=gw.one_turn(), measures=gw.measure_leg)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.measure_plan import MeasureSet
from gaitwright.legs.flexible_leg import simulate_settled_turn
from gaitwright.legs.leg import find_main_foot, measure_feet, remove_contacts, require_samples, travel_distance
from gaitwright.legs.loads import measure_loads
from gaitwright.legs.phases import STANCE, FootPhases, combine_phases
from gaitwright.legs.rules import LEG_RULES
from gaitwright.legs.settings import period_expression, settings_of_run
from gaitwright.legs.turn_numbers import GROUND_NUMBERS, LEG_MEASURES, MeasuredTurn
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.codegen.measures import MeasureSource
    from gaitwright.result.result import Result

CONTACT_NUMBER_NAMES = {"normal_force": "normal_greatest", "dissipated": "dissipated"}
"""Contact numbers of `measure_leg`, by their name there."""
SUFFICIENT_SAMPLES = 150
"""Samples per turn that give energies to four digits and lengths to six."""


def one_turn(
    samples: int = SUFFICIENT_SAMPLES, *, model: Model | None = None, period: str | float = "1/turns_per_second"
) -> dict[str, Any]:
    """Section `analysis` of one turn by inverse dynamics; for a leg with beams `measure_leg` simulates further turns. samples:
    per turn. period: s, an expression of the model's parameters; the default applies to the legs of the library. model: your
    own leg: its period is used instead; it changes with the parameters if the crank has a constant speed or the section
    `gait` contains the period."""
    require_samples(samples)
    if model is not None:
        period = period_expression(model)
    return {"type": "inverse", "until": period, "step": f"({period})/{samples}"}


def _make_source(model: Model) -> MeasureSource:
    from gaitwright.legs.turn_batch import make_leg_source

    return make_leg_source(model)


def measure_units() -> dict[str, str]:
    """Unit of every number that `measure_leg` may return, by name."""
    contacts = {name: GROUND_NUMBERS[ground_name].unit for name, ground_name in CONTACT_NUMBER_NAMES.items()}
    return LEG_MEASURES.units | contacts


@partial(MeasureSet, units=measure_units, rules=LEG_RULES, make_source=_make_source)
def measure_leg(run: Result) -> dict[str, float]:
    """Step, phases, torque and energy of a run of one turn of a leg, in SI units, including contacts of the model. A leg with
    beams is not settled in its first turn: it is simulated until it is, as in `gw.analyse_leg`.

    The names are those of `legs.turn_numbers.LEG_MEASURES`, such as step_length, hip_height, scuffing, torque (largest),
    energy, energy_stance, energy_swing (integrals of |P|) and cost_of_transport; with contacts also normal_force (largest)
    and dissipated. All other numbers of a leg: `LegTurns`. Raises ModelError if the run is not one turn of a leg."""
    settings = settings_of_run(run)
    if abs(run.time[-1] - run.time[0] - settings.period) > 1e-9 * settings.period:
        ErrorContext("analysis", "until").fail(
            "is not one turn", float(run.time[-1] - run.time[0]), f"the period, {settings.period:.9g} s"
        )
    if run.mechanism.flexible and run.time[0] < settings.period:
        model = Model.from_dict(run.document or {})
        run = simulate_settled_turn(model, remove_contacts(model), settings.period, run.time.size - 1)
    feet = measure_feet(run, settings)
    main_foot = find_main_foot(feet)
    phases = combine_phases([foot.phases for foot in feet.values()])
    contacts = run.contact_names()
    _require_same_ground(run, contacts, phases)
    loads = measure_loads(
        run, phases, settings.drive, contacts, distance=travel_distance(main_foot, settings), weight=settings.weight
    )
    numbers = LEG_MEASURES.compute(MeasuredTurn(main_foot, phases, loads, settings.period))
    if contacts:
        numbers |= {name: GROUND_NUMBERS[ground_name].of(loads) for name, ground_name in CONTACT_NUMBER_NAMES.items()}
    return numbers


def _require_same_ground(run: Result, contacts: list[str], phases: FootPhases) -> None:
    """Raise ModelError if contacts are closed outside stance: their ground must be that of the section `gait`."""
    tolerance = 2.0 * float(np.diff(run.time).max())
    for name in contacts:
        closed_times = run.time[run.array(f"{name}.penetration") > 0.0]
        outside_times = [
            t for t in closed_times if not any(a - tolerance <= t <= b + tolerance for a, b in phases.parts(STANCE))
        ]
        if outside_times:
            ErrorContext(f"contact '{name}'", "surface").fail(
                f"is closed at t = {outside_times[0]:.4g} s, when the foot is above the ground of the section 'gait'",
                expected="a ground at the level of that section",
            )
