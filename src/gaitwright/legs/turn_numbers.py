"""Registries of the measures of a leg.

    energy, step_length, ...            `TURN_NUMBERS`: of a turn in the air
    restitution_0.5_energy_turn, ...    `GROUND_NUMBERS`: of a turn on the ground, with a prefix

A measure with an array form (`LEG_MEASURES`) is also computed for many designs by generated programs, with its derivatives;
design methods take all others from an analysis of each design."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phases import PHASES, STANCE, SWING, TURN
from gaitwright.measures.array_derivatives import ratio
from gaitwright.measures.measure import Measure, MeasureRegistry

if TYPE_CHECKING:
    from gaitwright.legs.foot import FootCurve
    from gaitwright.legs.leg import LegTurn
    from gaitwright.legs.loads import TurnLoads
    from gaitwright.legs.phase_statistics import PhaseStatistics
    from gaitwright.legs.phases import FootPhases
    from gaitwright.legs.settings import LegSettings


class LegQuantity(NamedTuple):
    value: float
    unit: str
    text: str


@dataclass(frozen=True)
class MeasuredTurn:
    """Quantities of a single turn, from which measures are computed; `TurnBatch` (turn_batch.py) has the same for many legs.
    foot: first foot that stands on the ground. phases: stance if at least one foot is on the ground. loads: of the drives.
    period: s."""

    foot: FootCurve
    phases: FootPhases
    loads: TurnLoads
    period: float

    @property
    def step_length(self) -> float:
        return self.foot.step_length

    @property
    def step_height(self) -> float:
        return self.foot.step_height

    @property
    def curve_length(self) -> float:
        return self.foot.curve_length

    @property
    def leg_length(self) -> float:
        return self.foot.leg_length

    @property
    def hip_height(self) -> float:
        return self.foot.hip_height

    @property
    def penetration(self) -> float:
        return self.foot.level - self.foot.lowest

    @property
    def flatness(self) -> float:
        return self.foot.flatness

    @property
    def duty(self) -> float:
        return self.phases.duty

    @property
    def scuffing(self) -> float:
        return self.foot.scuffing

    @property
    def body_speed(self) -> float:
        return self.foot.body_speed

    @property
    def touchdown_speed(self) -> float:
        """Greatest speed at a touchdown, m/s; NaN without one."""
        return max(self.foot.touchdown_speed, default=np.nan)

    @property
    def acceleration(self) -> PhaseStatistics:
        """Acceleration of the foot over the turn, m/s^2."""
        return self.foot.acceleration[TURN]

    @property
    def torque(self) -> PhaseStatistics:
        """Torque of the drive over the turn, N m."""
        return self.loads.torque[TURN]

    @property
    def energy(self) -> float:
        return self.loads.energy[TURN].absolute

    @property
    def energy_stance(self) -> float:
        return self.loads.energy[STANCE].absolute

    @property
    def energy_swing(self) -> float:
        return self.loads.energy[SWING].absolute

    @property
    def cost_of_transport(self) -> float:
        return self.loads.cost_of_transport


def _phase_text(phase: str) -> str:
    return "over the turn" if phase == TURN else f"in {phase}"


def _foot_statistics() -> Iterator[Measure]:
    """Yield least, greatest and mean values of speeds and accelerations of the foot, by phase."""
    for name, unit, text in (
        ("speed", "m/s", "speed of the foot"),
        ("vx", "m/s", "velocity of the foot in x"),
        ("vy", "m/s", "velocity of the foot in y"),
        ("relative_speed", "m/s", "velocity of the foot over the ground in x"),
        ("acceleration", "m/s2", "acceleration of the foot"),
    ):
        for phase in PHASES:
            for k, statistic in enumerate(("least", "greatest", "mean")):

                def value(turn: MeasuredTurn, name: str = name, phase: str = phase, k: int = k) -> float:
                    return getattr(turn.foot, name)[phase][k]

                key = (name, phase, statistic) == ("acceleration", TURN, "greatest")
                yield Measure(
                    f"{name}_{phase}_{statistic}", unit, f"{statistic} {text} {_phase_text(phase)}", value,
                    better=-1 if key else 0, key=key,
                )  # fmt: skip


def _load_measures() -> Iterator[Measure]:
    """Yield torque and energy of the drives by phase, and the cost of transport: measures of TurnLoads."""
    for phase in (STANCE, SWING, TURN):
        for k, statistic in enumerate(("least", "greatest", "mean")):

            def torque(loads: TurnLoads, phase: str = phase, k: int = k) -> float:
                return loads.torque[phase][k]

            key = phase == TURN and statistic != "mean"
            text = f"{statistic} drive torque {_phase_text(phase)}"
            yield Measure(f"torque_{phase}_{statistic}", "N m", text, torque, better=-1 if key else 0, key=key)
        for k, statistic in enumerate(("positive", "negative", "absolute")):

            def energy(loads: TurnLoads, phase: str = phase, k: int = k) -> float:
                return loads.energy[phase][k]

            quantity = "energy, the integral of |P|," if statistic == "absolute" else f"{statistic} work"
            name = f"energy_{phase}" if statistic == "absolute" else f"{statistic}_work_{phase}"
            key = phase == TURN and statistic == "absolute"
            text = f"{quantity} of the drives {_phase_text(phase)}"
            yield Measure(name, "J", text, energy, better=-1 if key else 0, key=key)
    yield Measure(
        "cost_of_transport", "1", "energy / (weight of the leg x way)", lambda loads: loads.cost_of_transport,
        better=-1, key=True,
    )  # fmt: skip


AIR_PREFIX = "air"
LOAD_MEASURES = tuple(_load_measures())
"""Measures of TurnLoads, both in the air and on the ground."""


def _turn_measure(
    name: str, unit: str, description: str, function: Callable[[Any], Any], better: int = 0, **options: Any
) -> Measure:
    """Measure of the quantities that both MeasuredTurn and TurnBatch have: one function computes it for a single leg, for
    many legs, and with its derivatives."""
    return Measure(name, unit, description, function, array=function, better=better, **options)


def _air_measure(measure: Measure) -> Measure:
    def of_turn(turn: MeasuredTurn) -> float:
        return measure.of(turn.loads)

    name = f"{AIR_PREFIX}_{measure.name}"
    return replace(measure, name=name, description=f"{measure.description}, in the air", scalar=of_turn)


TURN_NUMBERS = MeasureRegistry(
    "turn of a leg",
    [
        _turn_measure(
            "step_length", "m", "extent of the foot along the ground in stance", lambda turn: turn.step_length, 1,
            key=True, preview="step length", default_column=2,
        ),
        _turn_measure(
            "step_height", "m", "extent of the foot in height over the turn", lambda turn: turn.step_height, 1,
            key=True, preview="step height", default_column=3,
        ),
        _turn_measure(
            "curve_length", "m", "extent of the foot along the ground over the turn", lambda turn: turn.curve_length,
            key=True,
        ),
        _turn_measure(
            "straightness", "1", "step length / curve length", lambda turn: ratio(turn.step_length, turn.curve_length), 1,
            key=True,
        ),
        _turn_measure(
            "leg_length", "m", "from the hip to the lowest point of the foot", lambda turn: turn.leg_length, key=True
        ),
        _turn_measure(
            "hip_height", "m", "of the hip above the ground; negative: the foot is above the hip",
            lambda turn: turn.hip_height,
        ),
        _turn_measure(
            "relative_step", "1", "step length / size of the leg length",
            lambda turn: ratio(turn.step_length, abs(turn.leg_length)),
        ),
        _turn_measure(
            "lifting", "1", "step height / leg length", lambda turn: ratio(turn.step_height, turn.leg_length), 1, key=True
        ),
        _turn_measure("penetration", "m", "of the foot into the ground", lambda turn: turn.penetration),
        _turn_measure(
            "flatness", "m", "root mean square of the foot's height in stance about its mean", lambda turn: turn.flatness,
            -1, key=True,
        ),
        _turn_measure(
            "duty", "1", "part of the turn with a foot on the ground", lambda turn: turn.duty, key=True, preview="duty"
        ),
        _turn_measure(
            "scuffing", "1", "part of the stance in which the foot moves forward", lambda turn: turn.scuffing, -1, key=True
        ),
        _turn_measure("body_speed", "m/s", "of the body over the ground", lambda turn: turn.body_speed, key=True),
        _turn_measure(
            "touchdown_speed", "m/s", "of the foot towards the ground when it touches down",
            lambda turn: turn.touchdown_speed, -1, key=True,
        ),
        _turn_measure("period", "s", "of a turn", lambda turn: turn.period),
        _turn_measure(
            "acceleration", "m/s^2", "greatest acceleration of the foot", lambda turn: turn.acceleration.greatest
        ),
        _turn_measure(
            # (curve_length/2) (2 pi/period)^2: unbounded near a pose in which a mechanism locks
            "relative_acceleration", "1",
            "greatest acceleration of the foot / that of a harmonic motion over the curve length in the same time",
            lambda turn: ratio(turn.acceleration.greatest * turn.period**2, 2.0 * np.pi**2 * turn.curve_length),
        ),
        _turn_measure(
            "torque", "N m", "largest torque of the drive", lambda turn: turn.torque.largest, preview="largest torque"
        ),
        _turn_measure(
            "torque_range", "N m", "greatest minus least torque of the drive",
            lambda turn: turn.torque.greatest - turn.torque.least, -1, key=True, preview="torque range",
        ),
        _turn_measure(
            "energy", "J", "integral of |P| of the drives over the turn", lambda turn: turn.energy,
            preview="energy per turn", default_column=1,
        ),
        _turn_measure(
            "energy_stance", "J", "integral of |P| of the drives in stance", lambda turn: turn.energy_stance
        ),
        _turn_measure("energy_swing", "J", "integral of |P| of the drives in swing", lambda turn: turn.energy_swing),
        _turn_measure(
            "cost_of_transport", "1", "energy / (weight of the leg x way)", lambda turn: turn.cost_of_transport, -1
        ),
        *_foot_statistics(),
        *map(_air_measure, LOAD_MEASURES),
    ],
)  # fmt: skip
"""All measures of a turn in the air."""
LEG_MEASURES = TURN_NUMBERS.select(lambda measure: measure.array is not None)
"""Measures of a turn in the air that `measure_leg` returns and that generated programs compute."""
GROUND_NUMBERS = MeasureRegistry(
    "turn of a leg on the ground",
    [
        *LOAD_MEASURES,
        Measure(
            "normal_greatest",
            "N",
            "greatest normal force",
            lambda loads: loads.normal[TURN].greatest,
            better=-1,
            key=True,
        ),
        Measure("normal_mean", "N", "mean normal force over the turn", lambda loads: loads.normal[TURN].mean, key=True),
        Measure("normal_mean_stance", "N", "mean normal force in stance", lambda loads: loads.normal[STANCE].mean),
        Measure("tangential_greatest", "N", "largest tangential force", lambda loads: loads.tangential[TURN].largest),
        Measure(
            "tangential_mean", "N", "mean tangential force over the turn", lambda loads: loads.tangential[TURN].mean
        ),
        Measure(
            "belt_work", "J", "given to the belt that the ground is, per turn", lambda loads: loads.belt_work, key=True
        ),
        Measure(
            "dissipated",
            "J",
            "lost in contact and friction per turn",
            lambda loads: loads.dissipated,
            better=-1,
            key=True,
        ),
    ],
    prefix="restitution_0_",
)
"""Measures of TurnLoads on the ground; their full names begin with `ground_prefix` and an underscore."""


def ground_prefix(restitution: float) -> str:
    """Prefix of the names of numbers on the ground. restitution: NaN for a law without restitution."""
    return "ground" if np.isnan(restitution) else f"restitution_{restitution:g}"


def number_units(settings: LegSettings, restitutions: Iterable[float]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every number of a leg's analysis. restitutions: of its turns on the ground."""
    units = TURN_NUMBERS.descriptions
    for restitution in restitutions:
        text = _ground_text(restitution)
        for name, number in GROUND_NUMBERS.items():
            units[f"{ground_prefix(restitution)}_{name}"] = number.unit, f"{number.description}, {text}"
    if settings.motor is not None:
        from gaitwright.legs.motor_use import MOTOR_NUMBERS

        units |= MOTOR_NUMBERS.descriptions
    return units


def compute_leg_numbers(turn: LegTurn, settings: LegSettings) -> dict[str, LegQuantity]:
    """All numbers of a turn: for its first foot, in the air, and on the ground for each restitution."""
    measured_turn = MeasuredTurn(turn.foot, turn.phases, turn.air, settings.period)
    numbers = {name: LegQuantity(n.of(measured_turn), n.unit, n.description) for name, n in TURN_NUMBERS.items()}
    for restitution, loads in turn.ground.items():
        text = _ground_text(restitution)
        numbers |= {
            f"{ground_prefix(restitution)}_{name}": LegQuantity(n.of(loads), n.unit, f"{n.description}, {text}")
            for name, n in GROUND_NUMBERS.items()
        }
    return numbers


def better_direction(name: str) -> int:
    """1 if a larger magnitude of a number of a leg is better, -1 if a smaller one is, 0 if neither. name: of a number in the
    air or on the ground."""
    if name in TURN_NUMBERS:
        return TURN_NUMBERS[name].better
    return next(
        (number.better for ground_name, number in GROUND_NUMBERS.items() if name.endswith(f"_{ground_name}")), 0
    )


def plain_values(numbers: Mapping[str, LegQuantity]) -> dict[str, float]:
    return {name: float(quantity.value) for name, quantity in numbers.items()}


def _ground_text(restitution: float) -> str:
    return "on the ground" if np.isnan(restitution) else f"on the ground, restitution {restitution:g}"
