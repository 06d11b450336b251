"""Analysis of a leg: one turn in the air for its curve, and turns on the ground for forces, torque and energy.

The hip is fixed and the ground moves backwards at the speed of the body, as on a treadmill (paper 003, section 4.1.3). The
drives prescribe the motion, so the ground changes forces, torque and energy, not the curve. For a machine that stands on its
legs, see legs/walk.py. The beams of a flexible leg bend under these loads: see legs/flexible_leg.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.inverse import solve_inverse_dynamics
from gaitwright.analysis.precompile import precompile_kinematics
from gaitwright.legs.flexible_leg import DYNAMIC, require_beam_treatment, require_complete, simulate_settled_turn
from gaitwright.legs.foot import FootCurve, find_foot_path, measure_foot_curve
from gaitwright.legs.loads import TurnLoads, measure_loads
from gaitwright.legs.motor import Motor, read_motor
from gaitwright.legs.motor_use import MotorUse, compute_shaft_use
from gaitwright.legs.phases import FootPhases, combine_phases
from gaitwright.legs.scuffing import foot_scuff_warnings
from gaitwright.legs.settings import DEFAULT_PENETRATION_RATIO, LegSettings, hip_height, read_settings
from gaitwright.legs.turn_numbers import LegQuantity, compute_leg_numbers, number_units, plain_values
from gaitwright.model.compiled_model import CompiledModel
from gaitwright.model.model import Model, compile_model, model_of_compiled, require_model
from gaitwright.model.surfaces import LineGround

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

DEFAULT_SAMPLES = 1000
"""Default samples per turn: energies are then accurate to seven digits."""
MIN_SAMPLES = 20
AS_DRIVEN, BACKWARDS = DIRECTIONS = ("as driven", "backwards")
ELASTIC_RESTITUTION = 1.0
CLOSURE_RTOL = 1e-6
"""Maximum gap between start and end of a foot's curve, relative to the size of the leg."""
VIBRATING_CLOSURE_RTOL, UNREPORTED_CLOSURE_RTOL = 0.05, 1e-3
"""The same for a leg with vibrating beams; and the gap above which a warning is given."""


@dataclass(frozen=True)
class LegTurn:
    """Turn in one direction. feet: curves by name. phases: stance if at least one foot is on the ground. air: loads without
    contact. ground: loads with contact, by restitution (NaN for a law without restitution)."""

    direction: str
    model: Model = field(repr=False)
    feet: dict[str, FootCurve] = field(repr=False)
    phases: FootPhases
    air: TurnLoads = field(repr=False)
    ground: dict[float, TurnLoads] = field(repr=False)

    @property
    def run(self) -> Result:
        """Turn in the air: inverse dynamics, or forward dynamics for a leg with beams."""
        return self.air.run

    @property
    def foot(self) -> FootCurve:
        """First foot that stands on the ground."""
        return find_main_foot(self.feet)


@dataclass(frozen=True)
class LegAnalysis:
    """Result of `analyse_leg`. turns: by direction. `numbers` are those of the first foot in the driven direction; `table()`
    has those of all directions."""

    model: Model = field(repr=False)
    settings: LegSettings
    turns: dict[str, LegTurn] = field(repr=False)

    @property
    def name(self) -> str:
        return self.model.document.name

    @property
    def is_flexible(self) -> bool:
        """True for a leg with beams, which requires forward dynamics."""
        return bool(self.model.document.beams)

    @property
    def turn(self) -> LegTurn:
        """Turn in the driven direction."""
        return self.turns[AS_DRIVEN]

    @property
    def foot(self) -> FootCurve:
        return self.turn.foot

    @cached_property
    def numbers(self) -> dict[str, LegQuantity]:
        return compute_leg_numbers(self.turn, self.settings)

    def measures(self) -> dict[str, float]:
        """All numbers in the driven direction, and those of the motor, by name: for design methods with an analysis
        function, as in gw.sweep(leg, {"L3": [0.27, 0.28]}, analysis=gw.analyse_leg)."""
        return dict(self._measures)

    @cached_property
    def _measures(self) -> dict[str, float]:
        return plain_values(self.numbers) | (
            plain_values(self.on_motor().numbers) if self.settings.motor is not None else {}
        )

    def unit_of(self, name: str) -> str:
        """Unit of a number of `measures`."""
        return self._units[name][0]

    @cached_property
    def _units(self) -> dict[str, tuple[str, str]]:
        return number_units(self.settings, self.turn.ground)

    def table(self) -> pd.DataFrame:
        """All numbers: one row per quantity, with its unit and meaning, one column per direction."""
        import pandas as pd

        columns = {direction: compute_leg_numbers(turn, self.settings) for direction, turn in self.turns.items()}
        rows = {
            name: {"unit": q.unit, "text": q.text, **{d: c[name].value for d, c in columns.items() if name in c}}
            for name, q in self.numbers.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def on_motor(self, motor: Motor | dict[str, Any] | None = None) -> MotorUse:
        """Load of a motor on the crank in the turn on the ground (with the last restitution), or in the air without a ground.
        motor: default that of the section `gait`. Raises ModelError without a motor."""
        chosen_motor = read_motor(motor) or self.settings.motor
        if chosen_motor is None:
            ErrorContext("gait", "motor").fail(
                "is not given", expected="on_motor(gw.Motor(...)), or gait: {motor: {voltage: 24, ...}}"
            )
        loads = list(self.turn.ground.values())[-1] if self.turn.ground else self.turn.air
        return compute_shaft_use(chosen_motor, loads.run, [self.settings.drive], loads.phases.begin, loads.phases.end)

    def warnings(self) -> list[str]:
        """Warnings about the numbers, one sentence each."""
        texts = [text for loads in (self.turn.air, *self.turn.ground.values()) for text in loads.run.evidence.warnings]
        foot = self.foot
        if self.model.document.contacts:
            names = ", ".join(
                f"'{contact.get('name') or contact.get('point')}'" for contact in self.model.document.contacts
            )
            texts.append(
                f"the contacts of the model ({names}) are left out: the ground of a leg is that of its section 'gait'"
            )
        if foot.hip_height < 0.0:
            texts.append(
                f"the ground of the foot '{foot.name}' is {-1e3 * foot.hip_height:.3g} mm above the hip: such a leg carries "
                "nothing; draw the foot below the hip, or name another point as the hip"
            )
        texts += foot_scuff_warnings(foot)
        if self.settings.motor is not None:
            texts += self.on_motor().problems()
        return list(dict.fromkeys(texts))

    def summary(self) -> dict[str, Any]:
        """Numbers and warnings as plain data, for JSON."""
        return {
            "name": self.name,
            "warnings": self.warnings(),
            "feet": list(self.settings.feet),
            "period": self.settings.period,
            "directions": {
                direction: {name: q.value for name, q in compute_leg_numbers(turn, self.settings).items()}
                for direction, turn in self.turns.items()
            },
            "units": {name: q.unit for name, q in self.numbers.items()},
            **({"motor": self.on_motor().summary()} if self.settings.motor is not None else {}),
        }

    def check_forward(self, step: float | None = None, *, ground: bool = True) -> dict[str, float]:
        """Compare forward dynamics with a driven crank with inverse dynamics: largest difference of the drive's torque, N m, in
        the air and on the ground for each restitution. step: s, default 1/1000 of a turn. ground: False for the air only."""
        h = step or self.settings.period / 1000
        runs = {
            "air": self.turn.air,
            **({f"{cr:g}": loads for cr, loads in self.turn.ground.items()} if ground else {}),
        }
        return {label: forward_difference(loads.run, self.settings.drive, h) for label, loads in runs.items()}

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with animation, curves, forces, torque, energy and numbers, and files with figures and tables.
        Returns the written files."""
        from gaitwright.report.views.pages.leg_page import save_leg_page

        return save_leg_page(self, Path(path))

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import leg_card

        return leg_card(self)

    def __repr__(self) -> str:
        foot, warning_lines = self.foot, "".join(f"\n  warning: {text}" for text in self.warnings())
        numbers = f"step {foot.step_length:.4g} m x {foot.step_height:.4g} m, duty {foot.duty:.3g}"
        return f"<LegAnalysis of '{self.name}': {numbers}{warning_lines}>"


def analyse_leg(
    model: Model,
    *,
    feet: str | Sequence[str] | None = None,
    drive: str | None = None,
    hip: str | None = None,
    penetration: float | None = None,
    level: float | None = None,
    period: float | None = None,
    body_speed: float | None = None,
    law: Any = None,
    friction: Any = None,
    motor: Any = None,
    restitutions: Sequence[float] | None = None,
    directions: Sequence[str] = DIRECTIONS,
    samples: int = DEFAULT_SAMPLES,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
) -> LegAnalysis:
    """Analyse a leg over one turn of its crank, in the air and on the ground, in both directions.

        leg = gw.analyse_leg(gw.load("leg.yaml"), feet="F", hip="O2", penetration=0.008,
                             law=gw.laws.LankaraniNikravesh(stiffness=2e4, restitution=0), friction=gw.friction.Coulomb(0.4))
        leg.numbers["step_length"].value; leg.table(); leg.report("leg.html")

    feet to motor: as in `Model.gait`, which gives the defaults; lengths in m, period in s, body_speed in m/s. Without a law
    the leg stays in the air. restitutions: of the law, from 1 (elastic) to 0; default: elastic and the law's own; () for the
    air only. directions: "as driven", "backwards". samples: per turn. beams: treatment of beams, "dynamic" (they vibrate) or
    "quasi-static" (they bend under the instantaneous loads). progress: called with the fraction done, many times a second.
    Raises ModelError for invalid settings, and Interrupted after Ctrl-C."""
    leg = require_model(model, "analyse_leg")
    settings = read_settings(
        leg, feet=feet, drive=drive, hip=hip, penetration=penetration, level=level, period=period,
        body_speed=body_speed, law=law, friction=friction, motor=motor,
    )  # fmt: skip
    if AS_DRIVEN not in directions or not set(directions) <= set(DIRECTIONS):
        ErrorContext(field="directions").fail(
            "is not known", list(directions), f"'{AS_DRIVEN}', or that and '{BACKWARDS}'"
        )
    require_samples(samples)
    require_beam_treatment(beams)
    laws = list(ground_laws(settings, restitutions))
    if not model.document.beams:
        precompile_kinematics(contacts=len(laws) > 0)
    jobs, jobs_done = len(directions) * (1 + len(laws)), 0
    turns = {}
    for direction in directions:
        driven_leg = model_of_compiled(leg_in_air(compile_model(leg), direction == BACKWARDS))
        options: dict[str, Any] = {"samples": samples, "beams": beams}
        turn = analyse_turn_in_air(
            driven_leg,
            _settings_in_direction(settings, direction),
            direction,
            progress=_job_progress(progress, jobs_done, jobs),
            **options,
        )
        jobs_done += 1
        same_motion: Result | None = None
        for restitution, law_entry in laws:
            turn.ground[restitution] = analyse_turn_on_ground(
                turn,
                settings,
                law_entry,
                progress=_job_progress(progress, jobs_done, jobs),
                along=same_motion,
                **options,
            )
            same_motion = turn.ground[restitution].run
            jobs_done += 1
        turns[direction] = turn
    return LegAnalysis(model, settings, turns)


def require_samples(samples: int) -> None:
    if not isinstance(samples, int) or samples < MIN_SAMPLES:
        ErrorContext(field="samples").fail(
            "are too few to resolve a step", samples, f"a whole number of at least {MIN_SAMPLES} per turn"
        )


def remove_contacts(model: Model) -> Model:
    """The model without contacts, own quantities, charts, requested outputs and analysis."""
    return model_of_compiled(leg_in_air(compile_model(model)))


def leg_in_air(leg: CompiledModel, backwards: bool = False) -> CompiledModel:
    """Variant without contacts, own quantities, charts, requested outputs and analysis, and with drives reversed in time."""
    return leg.variant(contacts=[], reverse=backwards, quantities={}, charts=[], outputs=[], analysis=None)


def analyse_turn_in_air(
    model: Model,
    settings: LegSettings,
    direction: str = AS_DRIVEN,
    samples: int = DEFAULT_SAMPLES,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
) -> LegTurn:
    """Analyse one turn without contact. samples: per turn."""
    if model.document.beams:
        run = simulate_settled_turn(model, model, settings.period, samples, beams, progress)
    else:
        run = require_complete(model.inverse(times=np.linspace(0.0, settings.period, samples + 1), progress=progress))
    feet = measure_feet(run, settings)
    phases = combine_phases([foot.phases for foot in feet.values()])
    air = measure_loads(
        run, phases, settings.drive, distance=travel_distance(find_main_foot(feet), settings), weight=settings.weight
    )
    return LegTurn(direction, model, feet, phases, air, {})


def measure_feet(run: Result, settings: LegSettings) -> dict[str, FootCurve]:
    """Curves of all feet over a run of one turn. Raises ModelError if the curves are not closed, or if no foot reaches or one
    never leaves the ground."""
    hip = hip_height(run.mechanism, run, settings.hip)
    paths = {foot: find_foot_path(run, foot) for foot in settings.feet}
    lowest = min(path.heights.least for path in paths.values())
    depth = DEFAULT_PENETRATION_RATIO * abs(hip - lowest) if settings.penetration is None else settings.penetration
    level = lowest + depth if settings.level is None else settings.level
    arguments: dict[str, Any] = {"level": level, "hip": hip, "body_speed": settings.body_speed}
    curves = {foot: measure_foot_curve(run, foot, path=path, **arguments) for foot, path in paths.items()}
    body_speed = find_main_foot(curves).body_speed  # the ground has one speed for all feet
    curves = {foot: replace(curve, body_speed=body_speed) for foot, curve in curves.items()}
    for foot, curve in curves.items():
        _, x, y = curve.track
        gap = float(np.hypot(x[-1] - x[0], y[-1] - y[0]))
        size = max(abs(hip - lowest), curve.curve_length)
        if gap > (VIBRATING_CLOSURE_RTOL if run.mechanism.flexible else CLOSURE_RTOL) * size:
            ErrorContext("gait", "period").fail(
                f"after {settings.period:.6g} s the foot '{foot}' is {gap:.3g} m from where it began",
                settings.period,
                "the time of a turn, after which the motion repeats, s",
            )
        if gap > UNREPORTED_CLOSURE_RTOL * size:
            run.evidence.warnings.append(
                f"the foot '{foot}' comes back to {1000 * gap:.2g} mm only: its beams still vibrate; give them damping, or "
                "take beams='quasi-static'"
            )
    for foot, curve in curves.items():
        if curve.duty >= 1.0:
            ErrorContext("gait", "level").fail(
                f"the foot '{foot}' never leaves the ground: its highest point is at "
                f"{curve.lowest + curve.step_height:.6g} m",
                level,
                "a level below it, or a smaller penetration",
            )
    if not any(curve.phases.steps for curve in curves.values()):
        ErrorContext("gait", "level").fail(
            f"no foot reaches the ground: the lowest is at {lowest:.6g} m", level, f"a level above {lowest:.6g} m"
        )
    return curves


def analyse_turn_on_ground(
    turn: LegTurn,
    settings: LegSettings,
    law: dict[str, Any],
    samples: int = DEFAULT_SAMPLES,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
    along: Result | None = None,
) -> TurnLoads:
    """The same turn with contact. Two turns are simulated and the second is measured, since the friction state of a foot that
    stands on the ground at the start is unknown. along: run of this turn with another law, which has the same motion."""
    speed = turn.foot.body_speed
    ground = LineGround(level=turn.foot.level, velocity=(-speed, 0.0))
    model = remove_contacts(turn.model)
    contacts = [
        make_unused_name(model, f"foot{k + 1}" if len(settings.feet) > 1 else "foot") for k in range(len(settings.feet))
    ]
    for name, foot in zip(contacts, settings.feet, strict=True):
        speed_in = turn.feet[foot].speed_before()
        model.contact(foot, ground, law=law, friction=settings.friction, approach_speed=speed_in, name=name)
    if model.document.beams:
        run, phases = simulate_settled_turn(model, turn.model, settings.period, samples, beams, progress), turn.phases
    else:
        times = np.linspace(0.0, 2 * settings.period, 2 * samples + 1)
        run = require_complete(
            solve_inverse_dynamics(model.mechanism(), times, progress=progress, document=model.to_dict(), along=along)
        )
        phases = turn.phases.shifted(settings.period)
    return measure_loads(
        run, phases, settings.drive, contacts, distance=travel_distance(turn.foot, settings), weight=settings.weight
    )


def make_unused_name(model: Model, name: str) -> str:
    """Append dashes to a name until no part of the model has it."""
    document = model.document
    used_names = {part.name for part in (*document.links, *document.bodies, *document.beams)}
    used_names |= {part["name"] for part in document.parts}
    used_names |= {entry.get("name") for entry in (*document.joints, *document.drives, *document.forces)}
    while name in used_names:
        name += "-"
    return name


def find_main_foot(feet: Mapping[str, FootCurve]) -> FootCurve:
    """First foot that stands on the ground; the first foot if none does."""
    return next((foot for foot in feet.values() if foot.phases.steps), next(iter(feet.values())))


def travel_distance(foot: FootCurve, settings: LegSettings) -> float:
    """Distance of the body in a turn, m; exactly 0 if it only sways, as with a crank that swings to and fro."""
    distance = foot.body_speed * settings.period
    return distance if abs(distance) > CLOSURE_RTOL * foot.curve_length else 0.0


def forward_difference(exact: Result, drive: str, step: float) -> float:
    """Largest difference of a drive's torque between a run and forward dynamics of the same model, N m. step: s."""
    model = Model.from_dict(exact.document)
    forward = model.simulate(float(exact.time[-1]), step=step, method="generalized-alpha")
    # compare at the times of the coarser run, which the other run has, too, if one step divides the other
    times = min(forward.time, exact.time, key=len)
    torques = [np.interp(times, run.time, run.array(f"{drive}.torque")) for run in (forward, exact)]
    return float(np.abs(torques[0] - torques[1]).max())


def _settings_in_direction(settings: LegSettings, direction: str) -> LegSettings:
    """Settings with the body speed reversed for the backward direction."""
    if direction == AS_DRIVEN or settings.body_speed is None:
        return settings
    return replace(settings, body_speed=-settings.body_speed)


def ground_laws(settings: LegSettings, restitutions: Sequence[float] | None) -> Iterator[tuple[float, dict[str, Any]]]:
    """Yield (restitution, law) for the requested restitutions; restitution is NaN for a law without one."""
    requested: Any = restitutions
    if requested is None:
        requested = (ELASTIC_RESTITUTION, (settings.law or {}).get("restitution", ELASTIC_RESTITUTION))
    try:
        values = [float(value) for value in requested]
    except (TypeError, ValueError):
        ErrorContext(field="restitutions").fail(
            "are not numbers", requested, "several from 0 to 1, such as (1, 0.5, 0)"
        )
    if settings.law is None or not values:
        return
    if "restitution" not in settings.law:
        yield np.nan, settings.law
        return
    for value in dict.fromkeys(values):
        yield value, {**settings.law, "restitution": value}


def _job_progress(
    progress: Callable[[float], None] | None, jobs_done: int, jobs: int
) -> Callable[[float], None] | None:
    """Progress callback for one of several jobs."""
    return None if progress is None else lambda fraction: progress((jobs_done + fraction) / jobs)
