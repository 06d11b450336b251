"""Numbers of a leg: one table of names, units, meanings and functions, for screens, files, reports and design methods.

    energy, step_length, ...            `TURN_NUMBERS`: of a turn in the air
    restitution_0.5_energy_turn, ...    `GROUND_NUMBERS`: of a turn on the ground, with a prefix

For many designs at once, `legs/vectorised/measures.py` computes the numbers of `LEG_MEASURES` from generated programs; design
methods take all others from the analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phases import PHASES, STANCE, SWING, TURN

if TYPE_CHECKING:
    from gaitwright.legs.foot import FootCurve
    from gaitwright.legs.leg import LegTurn
    from gaitwright.legs.loads import TurnLoads
    from gaitwright.legs.phases import FootPhases
    from gaitwright.legs.settings import LegSettings


class LegQuantity(NamedTuple):
    value: float
    unit: str
    text: str


class MeasuredTurn(NamedTuple):
    """Input of the functions of numbers. foot: first foot that stands on the ground. phases: stance if at least one foot is on
    the ground. loads: of the drives. period: s."""

    foot: FootCurve
    phases: FootPhases
    loads: TurnLoads
    period: float


class NumberRatio(NamedTuple):
    """Ratio of two numbers of a turn, by name. size: divide by the absolute value of the denominator."""

    numerator: str
    denominator: str
    size: bool = False


class TurnNumber(NamedTuple):
    """One number of a turn: unit, meaning, and function that computes it. better: 1 if a larger magnitude is better, -1 if a
    smaller one is, 0 if neither. ratio: for the ratio of two other numbers, from which generated programs make the number of
    many designs and its derivatives."""

    unit: str
    text: str
    of: Callable[[MeasuredTurn], float]
    better: int = 0
    ratio: NumberRatio | None = None


class LoadNumber(NamedTuple):
    """One number of the loads of a turn: unit, meaning, and function that computes it. better: as in TurnNumber."""

    unit: str
    text: str
    of: Callable[[TurnLoads], float]
    better: int = 0


def _foot_statistics() -> Iterator[tuple[str, TurnNumber]]:
    """Yield least, greatest and mean values of speeds and accelerations of the foot, by phase."""
    for name, unit, text in (
        ("speed", "m/s", "speed of the foot"),
        ("vx", "m/s", "velocity of the foot in x"),
        ("vy", "m/s", "velocity of the foot in y"),
        ("relative_speed", "m/s", "velocity of the foot over the ground in x"),
        ("acceleration", "m/s2", "acceleration of the foot"),
    ):
        for phase in PHASES:
            for k, which in enumerate(("least", "greatest", "mean")):

                def value(turn: MeasuredTurn, name: str = name, phase: str = phase, k: int = k) -> float:
                    return getattr(turn.foot, name)[phase][k]

                better = -1 if (name, phase, which) == ("acceleration", TURN, "greatest") else 0
                yield f"{name}_{phase}_{which}", TurnNumber(unit, f"{which} {text} {_phase_text(phase)}", value, better)


def _phase_text(phase: str) -> str:
    return "over the turn" if phase == TURN else f"in {phase}"


def _load_numbers() -> Iterator[tuple[str, LoadNumber]]:
    """Yield torque and energy of the drives by phase, and the cost of transport."""
    for phase in (STANCE, SWING, TURN):
        for k, which in enumerate(("least", "greatest", "mean")):

            def torque(loads: TurnLoads, phase: str = phase, k: int = k) -> float:
                return loads.torque[phase][k]

            better = -1 if phase == TURN and which != "mean" else 0
            text = f"{which} drive torque {_phase_text(phase)}"
            yield f"torque_{phase}_{which}", LoadNumber("N m", text, torque, better)
        for k, which in enumerate(("positive", "negative", "absolute")):

            def energy(loads: TurnLoads, phase: str = phase, k: int = k) -> float:
                return loads.energy[phase][k]

            what = "energy, the integral of |P|," if which == "absolute" else f"{which} work"
            name = f"energy_{phase}" if which == "absolute" else f"{which}_work_{phase}"
            better = -1 if phase == TURN and which == "absolute" else 0
            yield name, LoadNumber("J", f"{what} of the drives {_phase_text(phase)}", energy, better)
    yield (
        "cost_of_transport",
        LoadNumber("1", "energy / (weight of the leg x way)", lambda loads: loads.cost_of_transport, -1),
    )


LOAD_NUMBERS = dict(_load_numbers())
CONTACT_NUMBERS = {
    "normal_greatest": LoadNumber("N", "greatest normal force", lambda loads: loads.normal[TURN].greatest, -1),
    "normal_mean": LoadNumber("N", "mean normal force over the turn", lambda loads: loads.normal[TURN].mean),
    "normal_mean_stance": LoadNumber("N", "mean normal force in stance", lambda loads: loads.normal[STANCE].mean),
    "tangential_greatest": LoadNumber("N", "largest tangential force", lambda loads: loads.tangential[TURN].largest),
    "tangential_mean": LoadNumber(
        "N", "mean tangential force over the turn", lambda loads: loads.tangential[TURN].mean
    ),
    "belt_work": LoadNumber("J", "given to the belt that the ground is, per turn", lambda loads: loads.belt_work),
    "dissipated": LoadNumber("J", "lost in contact and friction per turn", lambda loads: loads.dissipated, -1),
}
GROUND_NUMBERS = {**LOAD_NUMBERS, **CONTACT_NUMBERS}
"""Numbers of a turn on the ground; their full names begin with `ground_prefix` and an underscore."""
AIR_PREFIX = "air"


def _air_number(number: LoadNumber) -> TurnNumber:
    return TurnNumber(number.unit, f"{number.text}, in the air", lambda turn: number.of(turn.loads), number.better)


def relative_acceleration(acceleration: Any, extent: Any, period: Any) -> Any:
    """Acceleration, m/s^2, relative to the greatest acceleration (extent/2) (2 pi/period)^2 of a harmonic motion over an
    extent, m, in a period, s. It is unbounded near a pose in which a mechanism locks. Numbers or arrays."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return acceleration * period**2 / (2.0 * np.pi**2 * extent)


def _ratio_number(text: str, numerator: str, denominator: str, *, size: bool = False, better: int = 0) -> TurnNumber:
    """Ratio of two numbers of `LEG_MEASURES`; NaN if the denominator is 0."""

    def ratio(turn: MeasuredTurn) -> float:
        over, under = (LEG_MEASURES[name].of(turn) for name in (numerator, denominator))
        return over / (abs(under) if size else under) if under else np.nan

    return TurnNumber("1", text, ratio, better, NumberRatio(numerator, denominator, size))


LEG_MEASURES = {
    "step_length": TurnNumber(
        "m", "extent of the foot along the ground in stance", lambda turn: turn.foot.step_length, 1
    ),
    "step_height": TurnNumber("m", "extent of the foot in height over the turn", lambda turn: turn.foot.step_height, 1),
    "curve_length": TurnNumber(
        "m", "extent of the foot along the ground over the turn", lambda turn: turn.foot.curve_length
    ),
    "straightness": _ratio_number("step length / curve length", "step_length", "curve_length", better=1),
    "leg_length": TurnNumber("m", "from the hip to the lowest point of the foot", lambda turn: turn.foot.leg_length),
    "hip_height": TurnNumber(
        "m", "of the hip above the ground; negative: the foot is above the hip", lambda turn: turn.foot.hip_height
    ),
    "relative_step": _ratio_number("step length / size of the leg length", "step_length", "leg_length", size=True),
    "lifting": _ratio_number("step height / leg length", "step_height", "leg_length", better=1),
    "penetration": TurnNumber("m", "of the foot into the ground", lambda turn: turn.foot.level - turn.foot.lowest),
    "flatness": TurnNumber(
        "m", "root mean square of the foot's height in stance about its mean", lambda turn: turn.foot.flatness, -1
    ),
    "duty": TurnNumber("1", "part of the turn with a foot on the ground", lambda turn: turn.phases.duty),
    "scuffing": TurnNumber(
        "1", "part of the stance in which the foot moves forward", lambda turn: turn.foot.scuffing, -1
    ),
    "body_speed": TurnNumber("m/s", "of the body over the ground", lambda turn: turn.foot.body_speed),
    "touchdown_speed": TurnNumber(
        "m/s", "of the foot towards the ground when it touches down",
        lambda turn: max(turn.foot.touchdown_speed, default=np.nan), -1,
    ),
    "period": TurnNumber("s", "of a turn", lambda turn: turn.period),
    "acceleration": TurnNumber(
        "m/s^2", "greatest acceleration of the foot", lambda turn: turn.foot.acceleration[TURN].greatest
    ),
    "relative_acceleration": TurnNumber(
        "1", "greatest acceleration of the foot / that of a harmonic motion over the curve length in the same time",
        lambda turn: relative_acceleration(
            turn.foot.acceleration[TURN].greatest, np.float64(turn.foot.curve_length), turn.period
        ),
    ),
    "torque": TurnNumber("N m", "largest torque of the drive", lambda turn: turn.loads.torque[TURN].largest),
    "energy": TurnNumber(
        "J", "integral of |P| of the drives over the turn", lambda turn: turn.loads.energy[TURN].absolute
    ),
    "energy_stance": TurnNumber(
        "J", "integral of |P| of the drives in stance", lambda turn: turn.loads.energy[STANCE].absolute
    ),
    "energy_swing": TurnNumber(
        "J", "integral of |P| of the drives in swing", lambda turn: turn.loads.energy[SWING].absolute
    ),
    "cost_of_transport": TurnNumber(
        "1", "energy / (weight of the leg x way)", lambda turn: turn.loads.cost_of_transport, -1
    ),
}  # fmt: skip
"""Numbers of a turn that `measure_leg` returns and that generated programs can compute: ratios by their entry here, the others
by `measure_legs` (legs/vectorised/measures.py) with their derivatives (gradients.py)."""
LEG_RATIOS = {name: number.ratio for name, number in LEG_MEASURES.items() if number.ratio is not None}
TURN_NUMBERS = {
    **LEG_MEASURES,
    **dict(_foot_statistics()),
    **{f"{AIR_PREFIX}_{name}": _air_number(number) for name, number in LOAD_NUMBERS.items()},
}
"""All numbers of a turn in the air."""
LEG_MEASURE_UNITS = {name: (number.unit, number.text) for name, number in LEG_MEASURES.items()}
"""Unit and meaning of the numbers that `measure_leg` returns for a turn in the air."""


def compute_turn_numbers(turn: MeasuredTurn, names: Iterable[str] = TURN_NUMBERS) -> dict[str, float]:
    """Compute the named numbers of a turn."""
    return {name: float(TURN_NUMBERS[name].of(turn)) for name in names}


def ground_prefix(restitution: float) -> str:
    """Prefix of the names of numbers on the ground. restitution: NaN for a law without restitution."""
    return "ground" if np.isnan(restitution) else f"restitution_{restitution:g}"


def number_units(settings: LegSettings, restitutions: Iterable[float]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every number of a leg's analysis. restitutions: of its turns on the ground."""
    units = {name: (number.unit, number.text) for name, number in TURN_NUMBERS.items()}
    for restitution in restitutions:
        text = _ground_text(restitution)
        for name, number in GROUND_NUMBERS.items():
            units[f"{ground_prefix(restitution)}_{name}"] = number.unit, f"{number.text}, {text}"
    if settings.motor is not None:
        from gaitwright.legs.motor_use import MOTOR_NUMBERS

        units |= MOTOR_NUMBERS
    return units


def compute_leg_numbers(turn: LegTurn, settings: LegSettings) -> dict[str, LegQuantity]:
    """All numbers of a turn: for its first foot, in the air, and on the ground for each restitution."""
    whole = MeasuredTurn(turn.foot, turn.phases, turn.air, settings.period)
    numbers = {name: LegQuantity(n.of(whole), n.unit, n.text) for name, n in TURN_NUMBERS.items()}
    for restitution, loads in turn.ground.items():
        text = _ground_text(restitution)
        numbers |= {
            f"{ground_prefix(restitution)}_{name}": LegQuantity(n.of(loads), n.unit, f"{n.text}, {text}")
            for name, n in GROUND_NUMBERS.items()
        }
    return numbers


def better_direction(name: str) -> int:
    """1 if a larger magnitude of a number of a leg is better, -1 if a smaller one is, 0 if neither. name: of a number in the
    air or on the ground."""
    if name in TURN_NUMBERS:
        return TURN_NUMBERS[name].better
    return next((number.better for own, number in GROUND_NUMBERS.items() if name.endswith(f"_{own}")), 0)


def plain_values(numbers: Mapping[str, LegQuantity]) -> dict[str, float]:
    return {name: float(quantity.value) for name, quantity in numbers.items()}


def _ground_text(restitution: float) -> str:
    return "on the ground" if np.isnan(restitution) else f"on the ground, restitution {restitution:g}"
