"""The numbers of a leg, with names, units and meanings: one table for screens, files, reports, sweeps and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.legs.phases import PHASES, STANCE, SWING, TURN

if TYPE_CHECKING:
    from gaitwright.legs.leg import Turn
    from gaitwright.legs.loads import Loads
    from gaitwright.legs.settings import Settings


class Quantity(NamedTuple):
    value: float
    unit: str
    text: str


NUMBERS_OF_A_TURN = {
    "step_length": ("m", "extent of the foot along the ground in stance"),
    "step_height": ("m", "extent of the foot in height over the turn"),
    "curve_length": ("m", "extent of the foot along the ground over the turn"),
    "leg_length": ("m", "from the hip to the lowest point of the foot"),
    "duty": ("1", "part of the turn with a foot on the ground"),
    "flatness": ("m", "root mean square of the foot's height in stance about its mean"),
    "body_speed": ("m/s", "of the body over the ground"),
    "touchdown_speed": ("m/s", "of the foot towards the ground when it touches down"),
    "acceleration": ("m/s^2", "greatest acceleration of the foot"),
    "torque": ("N m", "largest torque of the drive"),
    "energy": ("J", "integral of |P| of the drives over the turn"),
    "energy_stance": ("J", "integral of |P| of the drives in stance"),
    "energy_swing": ("J", "integral of |P| of the drives in swing"),
    "cost_of_transport": ("1", "energy / (weight of the leg x way)"),
}
"""Unit and meaning of what `measure_leg` gives of a turn in the air."""


def leg_numbers(turn: Turn, settings: Settings) -> dict[str, Quantity]:
    """All numbers of a turn: of its first foot, in the air, and on the ground for each restitution."""
    found = dict(_of_foot(turn, settings))
    found.update(_of_loads(turn.air, "air", "in the air"))
    for restitution, loads in turn.ground.items():
        name = "ground" if np.isnan(restitution) else f"restitution_{restitution:g}"
        said = "on the ground" if np.isnan(restitution) else f"on the ground, restitution {restitution:g}"
        found.update(_of_loads(loads, name, said))
        found.update(_of_contact(loads, name, said))
    return found


def _of_foot(turn: Turn, settings: Settings) -> Iterator[tuple[str, Quantity]]:
    foot = turn.foot
    touchdown = max(foot.touchdown_speed, default=np.nan)
    yield from {
        "step_length": Quantity(foot.step_length, "m", "extent of the foot along the ground in stance"),
        "step_height": Quantity(foot.step_height, "m", "extent of the foot in height over the turn"),
        "curve_length": Quantity(foot.curve_length, "m", "extent of the foot along the ground over the turn"),
        "straightness": Quantity(foot.straightness, "1", "step length / curve length"),
        "leg_length": Quantity(foot.leg_length, "m", "from the hip to the lowest point of the foot"),
        "lifting": Quantity(foot.lifting, "1", "step height / leg length"),
        "penetration": Quantity(foot.level - foot.lowest, "m", "of the foot into the ground"),
        "flatness": Quantity(foot.flatness, "m", "root mean square of the foot's height in stance about its mean"),
        "duty": Quantity(turn.phases.duty, "1", "part of the turn with a foot on the ground"),
        "scuffing": Quantity(foot.scuffing, "1", "part of the stance in which the foot moves forward"),
        "body_speed": Quantity(foot.body_speed, "m/s", "of the body over the ground"),
        "touchdown_speed": Quantity(touchdown, "m/s", "of the foot towards the ground when it touches down"),
        "period": Quantity(settings.period, "s", "of a turn"),
    }.items()
    for name, unit, values, text in (
        ("speed", "m/s", foot.speed, "speed of the foot"),
        ("vx", "m/s", foot.vx, "velocity of the foot in x"),
        ("vy", "m/s", foot.vy, "velocity of the foot in y"),
        ("relative_speed", "m/s", foot.relative_speed, "velocity of the foot over the ground in x"),
        ("acceleration", "m/s2", foot.acceleration, "acceleration of the foot"),
    ):
        for phase in PHASES:
            over = "over the turn" if phase == TURN else f"in {phase}"
            for which, value in zip(("least", "greatest", "mean"), values[phase], strict=True):
                yield f"{name}_{phase}_{which}", Quantity(value, unit, f"{which} {text} {over}")


def _of_loads(loads: Loads, prefix: str, said: str) -> Iterator[tuple[str, Quantity]]:
    for phase in (STANCE, SWING, TURN):
        over = "over the turn" if phase == TURN else f"in {phase}"
        for which, value in zip(("least", "greatest", "mean"), loads.torque[phase], strict=True):
            yield f"{prefix}_torque_{phase}_{which}", Quantity(value, "N m", f"{which} drive torque {over}, {said}")
        for which, value in zip(("positive", "negative", "absolute"), loads.energy[phase], strict=True):
            what = "energy, the integral of |P|," if which == "absolute" else f"{which} work"
            name = f"{prefix}_energy_{phase}" if which == "absolute" else f"{prefix}_{which}_work_{phase}"
            yield name, Quantity(value, "J", f"{what} of the drives {over}, {said}")
    yield (
        f"{prefix}_cost_of_transport",
        Quantity(loads.cost_of_transport, "1", f"energy / (weight of the leg x way), {said}"),
    )


def _of_contact(loads: Loads, prefix: str, said: str) -> Iterator[tuple[str, Quantity]]:
    normal, tangential = loads.normal, loads.tangential
    yield from {
        f"{prefix}_normal_greatest": Quantity(normal[TURN].greatest, "N", f"greatest normal force, {said}"),
        f"{prefix}_normal_mean": Quantity(normal[TURN].mean, "N", f"mean normal force over the turn, {said}"),
        f"{prefix}_normal_mean_stance": Quantity(normal[STANCE].mean, "N", f"mean normal force in stance, {said}"),
        f"{prefix}_tangential_greatest": Quantity(tangential[TURN].largest, "N", f"largest tangential force, {said}"),
        f"{prefix}_tangential_mean": Quantity(
            tangential[TURN].mean, "N", f"mean tangential force over the turn, {said}"
        ),
        f"{prefix}_belt_work": Quantity(
            loads.belt_work, "J", f"given to the belt that the ground is, per turn, {said}"
        ),
        f"{prefix}_dissipated": Quantity(loads.dissipated, "J", f"lost in contact and friction per turn, {said}"),
    }.items()
