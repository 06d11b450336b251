"""The numbers of a leg: one table of names, units, meanings and functions, for screens, files, reports and design methods.

    energy, step_length, ...            `TURN_NUMBERS`: of a turn in the air
    restitution_0.5_energy_turn, ...    `GROUND_NUMBERS`: of a turn on the ground, with its name in front of each

What printed programs compute of many designs at once is `legs/many_turns.py`; it gives the numbers of `PRINTED_NUMBERS`, and
design methods take all others from the analysis itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.legs.phases import PHASES, STANCE, SWING, TURN

if TYPE_CHECKING:
    from gaitwright.legs.foot import FootCurve
    from gaitwright.legs.leg import Turn
    from gaitwright.legs.loads import Loads
    from gaitwright.legs.phases import Phases
    from gaitwright.legs.settings import Settings


class Quantity(NamedTuple):
    value: float
    unit: str
    text: str


class MeasuredTurn(NamedTuple):
    """What the numbers of a turn are functions of. foot: the first that stands on the ground. phases: at least one foot on the
    ground. loads: of the drives. period: s."""

    foot: FootCurve
    phases: Phases
    loads: Loads
    period: float


class TurnNumber(NamedTuple):
    """One number of a turn: its unit, its meaning, and the function that gives it."""

    unit: str
    text: str
    of: Callable[[MeasuredTurn], float]


class LoadNumber(NamedTuple):
    """One number of the loads of a turn."""

    unit: str
    text: str
    of: Callable[[Loads], float]


def _foot_statistics() -> Iterator[tuple[str, TurnNumber]]:
    """Least, greatest and mean values of speeds and accelerations of the foot, by phase."""
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

                yield f"{name}_{phase}_{which}", TurnNumber(unit, f"{which} {text} {_over(phase)}", value)


def _over(phase: str) -> str:
    return "over the turn" if phase == TURN else f"in {phase}"


def _load_numbers() -> Iterator[tuple[str, LoadNumber]]:
    """Torque and energy of the drives by phase."""
    for phase in (STANCE, SWING, TURN):
        for k, which in enumerate(("least", "greatest", "mean")):

            def torque(loads: Loads, phase: str = phase, k: int = k) -> float:
                return loads.torque[phase][k]

            yield f"torque_{phase}_{which}", LoadNumber("N m", f"{which} drive torque {_over(phase)}", torque)
        for k, which in enumerate(("positive", "negative", "absolute")):

            def energy(loads: Loads, phase: str = phase, k: int = k) -> float:
                return loads.energy[phase][k]

            what = "energy, the integral of |P|," if which == "absolute" else f"{which} work"
            name = f"energy_{phase}" if which == "absolute" else f"{which}_work_{phase}"
            yield name, LoadNumber("J", f"{what} of the drives {_over(phase)}", energy)
    yield (
        "cost_of_transport",
        LoadNumber("1", "energy / (weight of the leg x way)", lambda loads: loads.cost_of_transport),
    )


LOAD_NUMBERS = dict(_load_numbers())
CONTACT_NUMBERS = {
    "normal_greatest": LoadNumber("N", "greatest normal force", lambda loads: loads.normal[TURN].greatest),
    "normal_mean": LoadNumber("N", "mean normal force over the turn", lambda loads: loads.normal[TURN].mean),
    "normal_mean_stance": LoadNumber("N", "mean normal force in stance", lambda loads: loads.normal[STANCE].mean),
    "tangential_greatest": LoadNumber("N", "largest tangential force", lambda loads: loads.tangential[TURN].largest),
    "tangential_mean": LoadNumber(
        "N", "mean tangential force over the turn", lambda loads: loads.tangential[TURN].mean
    ),
    "belt_work": LoadNumber("J", "given to the belt that the ground is, per turn", lambda loads: loads.belt_work),
    "dissipated": LoadNumber("J", "lost in contact and friction per turn", lambda loads: loads.dissipated),
}
GROUND_NUMBERS = {**LOAD_NUMBERS, **CONTACT_NUMBERS}
"""Of a turn on the ground; `ground_name` and an underscore come before each."""
AIR = "air"


def _in_air(number: LoadNumber) -> TurnNumber:
    return TurnNumber(number.unit, f"{number.text}, in the air", lambda turn: number.of(turn.loads))


def relative_acceleration(acceleration: Any, extent: Any, period: Any) -> Any:
    """An acceleration, m/s^2, in relation to the greatest one, (extent/2) (2 pi/period)^2, of a harmonic motion over an
    extent, m, in a period, s. Near a pose in which a mechanism locks it grows beyond all bounds. Numbers or arrays."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return acceleration * period**2 / (2.0 * np.pi**2 * extent)


PRINTED_NUMBERS = {
    "step_length": TurnNumber(
        "m", "extent of the foot along the ground in stance", lambda turn: turn.foot.step_length
    ),
    "step_height": TurnNumber("m", "extent of the foot in height over the turn", lambda turn: turn.foot.step_height),
    "curve_length": TurnNumber(
        "m", "extent of the foot along the ground over the turn", lambda turn: turn.foot.curve_length
    ),
    "straightness": TurnNumber("1", "step length / curve length", lambda turn: turn.foot.straightness),
    "leg_length": TurnNumber("m", "from the hip to the lowest point of the foot", lambda turn: turn.foot.leg_length),
    "hip_height": TurnNumber(
        "m", "of the hip above the ground; negative: the foot is above the hip", lambda turn: turn.foot.hip_height
    ),
    "relative_step": TurnNumber("1", "step length / size of the leg length", lambda turn: turn.foot.relative_step),
    "lifting": TurnNumber("1", "step height / leg length", lambda turn: turn.foot.lifting),
    "penetration": TurnNumber("m", "of the foot into the ground", lambda turn: turn.foot.level - turn.foot.lowest),
    "flatness": TurnNumber(
        "m", "root mean square of the foot's height in stance about its mean", lambda turn: turn.foot.flatness
    ),
    "duty": TurnNumber("1", "part of the turn with a foot on the ground", lambda turn: turn.phases.duty),
    "scuffing": TurnNumber(
        "1", "part of the stance in which the foot moves forward", lambda turn: turn.foot.scuffing
    ),
    "body_speed": TurnNumber("m/s", "of the body over the ground", lambda turn: turn.foot.body_speed),
    "touchdown_speed": TurnNumber(
        "m/s", "of the foot towards the ground when it touches down",
        lambda turn: max(turn.foot.touchdown_speed, default=np.nan),
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
        "1", "energy / (weight of the leg x way)", lambda turn: turn.loads.cost_of_transport
    ),
}  # fmt: skip
"""Numbers of a turn that printed programs compute too, and that `measure_leg` gives."""
TURN_NUMBERS = {
    **PRINTED_NUMBERS,
    **dict(_foot_statistics()),
    **{f"{AIR}_{name}": _in_air(number) for name, number in LOAD_NUMBERS.items()},
}
"""All numbers of a turn in the air."""
NUMBERS_OF_A_TURN = {name: (number.unit, number.text) for name, number in PRINTED_NUMBERS.items()}
"""Unit and meaning of what `measure_leg` gives of a turn in the air."""


def turn_numbers(turn: MeasuredTurn, names: Iterable[str] = TURN_NUMBERS) -> dict[str, float]:
    """Some numbers of a turn."""
    return {name: float(TURN_NUMBERS[name].of(turn)) for name in names}


def ground_name(restitution: float) -> str:
    """What comes before the names of numbers on the ground. restitution: NaN for a law that has none."""
    return "ground" if np.isnan(restitution) else f"restitution_{restitution:g}"


def number_units(settings: Settings, restitutions: Iterable[float]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every number that an analysis of a leg gives. restitutions: of its turns on the ground."""
    found = {name: (number.unit, number.text) for name, number in TURN_NUMBERS.items()}
    for restitution in restitutions:
        said = _on_ground(restitution)
        for name, number in GROUND_NUMBERS.items():
            found[f"{ground_name(restitution)}_{name}"] = number.unit, f"{number.text}, {said}"
    if settings.motor is not None:
        from gaitwright.legs.motor_use import MOTOR_NUMBERS

        found |= MOTOR_NUMBERS
    return found


def leg_numbers(turn: Turn, settings: Settings) -> dict[str, Quantity]:
    """All numbers of a turn: of its first foot, in the air, and on the ground for each restitution."""
    whole = MeasuredTurn(turn.foot, turn.phases, turn.air, settings.period)
    found = {name: Quantity(n.of(whole), n.unit, n.text) for name, n in TURN_NUMBERS.items()}
    for restitution, loads in turn.ground.items():
        said = _on_ground(restitution)
        found |= {
            f"{ground_name(restitution)}_{name}": Quantity(n.of(loads), n.unit, f"{n.text}, {said}")
            for name, n in GROUND_NUMBERS.items()
        }
    return found


def values_of(numbers: Mapping[str, Quantity]) -> dict[str, float]:
    return {name: float(quantity.value) for name, quantity in numbers.items()}


def _on_ground(restitution: float) -> str:
    return "on the ground" if np.isnan(restitution) else f"on the ground, restitution {restitution:g}"
