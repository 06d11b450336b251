"""What a walking machine takes from its leg, what it is told, and what it has to assume: speed, ground, gravity, body.

A leg of the library that is called by its name comes with a ground and a speed that suit it (`NAMED`). The model of a leg says
both itself, in its drive and its section `gait`, and the machine does as it says. Nobody says what the body weighs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from gaitwright.checks import At
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
GROUND = {"stiffness": (1e6, "N/m^1.5"), "dissipation": (2.0, "s/m")}
GRIP = {"friction": (0.7, ""), "creep_speed": (0.01, "m/s")}
"""Likewise of LAW and FRICTION: parameters of the machine where it has these."""
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
        """Of the law and the friction, where they are the machine's own."""
        return {name: self[name] for name in (*GROUND, *GRIP) if name in self.settings}

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
    for field, law, parts in (("law", LAW, GROUND), ("friction_law", FRICTION, GRIP)):
        if field not in given and (field not in told or set(parts) & set(given)):
            for name, (otherwise, unit) in parts.items():
                choose(name, otherwise, lambda value, unit=unit: f"{value:.6g} {unit}".strip())
            asked = bool(set(parts) & set(given))
            found[field] = Setting(law, str(law["type"]), GIVEN if asked else ASSUMED)
        else:
            choose(field, None, _law_text)
    return MachineSettings(found, tuple(notes))


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
    if settings.law is not None:
        told["law"] = settings.law
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
