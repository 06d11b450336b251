"""What a walking machine takes from its leg, what it is told, and what it has to assume: speed, ground, gravity, body.

The model of a leg says the speed of its crank, gravity and friction, and the machine inherits these. It does not inherit the
contact law of the section `gait`: that law belongs to the analysis of one leg at a prescribed penetration, and is usually so
soft that a machine would wade through it. Unless a stiffness or a law is given, the ground of a machine is a hard one, which
follows from its weight and the length of its legs (`hard_ground`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gaitwright.checks import At, is_number
from gaitwright.legs.settings import read_settings, turning
from gaitwright.model.entries import said
from gaitwright.model.model import Model

GIVEN, OF_THE_LEG, ASSUMED = "as asked", "as the leg says", "assumed"
LAW = {"type": "marhefka-orin", "stiffness": "stiffness", "dissipation": "dissipation"}
"""A law without memory of the approach: feet of a machine shuffle, and touch down at any speed from zero on."""
FRICTION = {"type": "smooth-coulomb", "coefficient": "friction", "transition_speed": "creep_speed"}
NUMBERS = {
    "turns_per_second": (0.5, "turns/s"), "gravity": (9.81, "m/s2"), "slope": (0.0, "rad"), "body_mass": (4.0, "kg"),
    "soft_start": (1.0, "s"), "drop": (1e-3, "m"),
}  # fmt: skip
"""What is assumed where neither whoever asks nor the leg says it, and its unit."""
GROUND = {"stiffness": "N/m^1.5", "dissipation": "s/m"}
"""Parameters of LAW and their units; their values follow from the machine: `hard_ground`."""
SINKAGE = 0.002
"""Depth to which a foot sinks at rest that carries the whole machine, as a part of the leg length."""
DAMPING_RATIO = 0.7
"""Of the machine on such a foot, in critical damping: it settles without bouncing."""
GRIP = {"friction": (0.7, ""), "creep_speed": (0.01, "m/s")}
"""Likewise of FRICTION: parameters of the machine where it has it."""
UNEVEN = 1e-6
"""Part by which the speed of a crank may change over a turn without a word."""


class Setting(NamedTuple):
    """text: the value in words. source: GIVEN, OF_THE_LEG or ASSUMED."""

    value: Any
    text: str
    source: str


@dataclass(frozen=True)
class MachineSettings:
    """Of a machine, by name; law and friction_law as a model file says them."""

    settings: dict[str, Setting]
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.settings[name].value

    @property
    def parameters(self) -> dict[str, Any]:
        """Of the friction, where it is the machine's own."""
        return {name: self[name] for name in GRIP if name in self.settings}

    def with_values(self, values: Mapping[str, float]) -> MachineSettings:
        """The same with the numbers of the ground that the machine has got."""
        found = dict(self.settings)
        for name, unit in GROUND.items():
            if name in found and name in values:
                of = f" ({found[name].text})" if found[name].source == ASSUMED else ""
                text = f"{values[name]:.3g} {unit}{of}"
                found[name] = Setting(values[name], text, found[name].source)
        return MachineSettings(found, self.notes)

    def lines(self) -> list[str]:
        """What the machine is made of, by where that comes from; in sentences."""
        found = []
        for source in (OF_THE_LEG, GIVEN, ASSUMED):
            parts = [f"{name.replace('_', ' ')} {s.text}" for name, s in self.settings.items() if s.source == source]
            found += [f"{source}: {', '.join(parts)}"] if parts else []
        return [*found, *self.notes]

    def summary(self) -> dict[str, dict[str, Any]]:
        """For JSON."""
        return {name: {"value": s.value, "source": s.source} for name, s in self.settings.items()}


def machine_settings(leg: Model | None, **given: Any) -> MachineSettings:
    """leg: whose model says what is not given; None for one of the library that was called by its name."""
    given = {name: value for name, value in given.items() if value is not None}
    At("walking machine", "slope").slope(given.get("slope", 0.0))
    told, notes = _of_leg(leg, given) if leg is not None else ({"clockwise": True}, ())
    found: dict[str, Setting] = {}

    def choose(name: str, otherwise: Any, text: Any) -> None:
        value = given.get(name, told.get(name, otherwise))
        source = GIVEN if name in given else OF_THE_LEG if name in told and leg is not None else ASSUMED
        found[name] = Setting(value, text(value), source)

    for name, (otherwise, unit) in NUMBERS.items():
        choose(name, otherwise, lambda value, unit=unit: f"{value:.6g} {unit}")
    if "payload" in given:
        choose("payload", 0.0, lambda value: f"{value:.6g} kg")
    if "terrain" in given:
        choose("terrain", None, lambda value: value if isinstance(value, str) else "of points")
    choose("clockwise", True, lambda value: "yes" if value else "no")
    if "law" in given:
        choose("law", None, _law_text)
    else:
        found["law"] = Setting(LAW, str(LAW["type"]), GIVEN if set(GROUND) & set(given) else ASSUMED)
        for name, why in (
            ("stiffness", f"a foot that carries the machine sinks by {100 * SINKAGE:g} % of the leg length"),
            ("dissipation", f"{DAMPING_RATIO:g} of critical damping"),
        ):
            if name in given:
                unit = GROUND[name]
                found[name] = Setting(ground_number(name, given[name]), f"{given[name]:.6g} {unit}", GIVEN)
            else:
                found[name] = Setting(None, why, ASSUMED)
    if "friction_law" not in given and ("friction_law" not in told or set(GRIP) & set(given)):
        for name, (otherwise, unit) in GRIP.items():
            choose(name, otherwise, lambda value, unit=unit: f"{value:.6g} {unit}".strip())
        asked = bool(set(GRIP) & set(given))
        found["friction_law"] = Setting(FRICTION, str(FRICTION["type"]), GIVEN if asked else ASSUMED)
    else:
        choose("friction_law", None, _law_text)
    return MachineSettings(found, tuple(notes))


def ground_number(name: str, value: Any) -> float:
    """A stiffness or dissipation that was given, N/m^1.5 or s/m."""
    at = At("walking machine", name)
    if name == "stiffness":
        return at.positive(value, GROUND[name])
    if not is_number(value) or not 0.0 <= value < math.inf:
        at.fail("is not a dissipation", value, f"zero or a positive number of {GROUND[name]}")
    return float(value)


def hard_ground(mass: str, leg_length: float, stiffness: float | None, dissipation: float | None) -> dict[str, Any]:
    """Stiffness and dissipation of LAW, as parameters of the machine. What is not given follows from a foot that carries the
    whole machine, m g: it sinks by d = SINKAGE x leg_length, so that K d^n = m g with n = 3/2; and its damping ratio is
    DAMPING_RATIO. About that depth the law has stiffness k = n m g / d and damping c = 3/2 a m g, so that
    c / (2 sqrt(k m)) = 3/4 a sqrt(g d / n).

    mass: kg, an expression. leg_length: m, from the highest axle to the lowest foot."""
    weight, exponent = f"({mass})*gravity", 1.5
    depth = f"({weight}/stiffness)^(1/{exponent})"
    factor = DAMPING_RATIO * math.sqrt(exponent) / 0.75
    return {
        "stiffness": f"{weight}/{SINKAGE * leg_length:.5g}^{exponent}" if stiffness is None else stiffness,
        "dissipation": f"{factor:.5g}/sqrt(gravity*{depth})" if dissipation is None else dissipation,
    }


def _of_leg(leg: Model, given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What the model of a leg says, and what of it a machine cannot do."""
    settings, notes = read_settings(leg), []
    told: dict[str, Any] = {}
    if not {"turns_per_second", "clockwise"} <= set(given):
        rate, uneven = turning(leg)
        told = {"turns_per_second": abs(rate), "clockwise": rate < 0}
        if uneven > UNEVEN:
            notes.append(
                f"the speed of the leg's crank changes by {100 * uneven:.2g} % over a turn; the shaft of the machine turns "
                "evenly, at its mean"
            )
    g_x, g_y = leg.mechanism().gravity
    if g_x or g_y:
        told |= {"gravity": math.hypot(g_x, g_y), "slope": math.atan2(0.0 - g_x, -g_y)}
    elif "gravity" not in given:
        At("walking machine", "gravity").fail(
            "of the leg is zero, so that nothing holds a machine on the ground",
            0.0,
            "a leg with gravity, or gravity=9.81",
        )
    if settings.law is not None and not {"law", "stiffness"} & set(given):
        notes.append(
            f"the ground of the leg's section gait, {_law_text(settings.law)}, is that of the analysis of one leg; the machine "
            "walks on a hard ground unless --stiffness or a law is given"
        )
    if settings.friction is not None:
        told["friction_law"] = settings.friction
    return told, notes


def _law_text(law: Any) -> str:
    fields = dict(said(law))
    kind = fields.pop("type")
    numbers = ", ".join(
        f"{name} {value:g}" if isinstance(value, (int, float)) else f"{name} {value}"
        for name, value in fields.items()
        if value is not None
    )
    return f"{kind} ({numbers})" if numbers else kind
