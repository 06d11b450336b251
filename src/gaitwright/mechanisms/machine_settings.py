"""Settings of a walking machine: speed, ground, gravity, body. Each is given by the user, inherited from the leg or assumed.

The machine inherits the speed of the crank, gravity and friction from the leg model. It does not inherit the contact law of the
section `gait`: that law belongs to the analysis of one leg at a prescribed penetration, and is usually so soft that the feet of
a machine would sink deeply. Unless a stiffness or a law is given, the ground of a machine is hard; its stiffness follows from
the weight and the leg length of the machine (`hard_ground_parameters`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.legs.settings import measure_crank_speed, read_settings
from gaitwright.model.model import Model
from gaitwright.model.serialisation import choice_entry

SOURCE_GIVEN, SOURCE_LEG, SOURCE_ASSUMED = "given", "from the leg", "assumed"
GROUND_LAW = {"type": "marhefka-orin", "stiffness": "stiffness", "dissipation": "dissipation"}
"""A law that does not depend on the approach speed: feet of a machine may touch down at zero speed and stay in contact."""
GROUND_FRICTION = {"type": "smooth-coulomb", "coefficient": "friction", "transition_speed": "creep_speed"}
ASSUMED_NUMBERS = {
    "turns_per_second": (0.5, "turns/s"), "gravity": (9.81, "m/s2"), "slope": (0.0, "rad"), "body_mass": (4.0, "kg"),
    "soft_start": (1.0, "s"), "drop": (1e-3, "m"),
}  # fmt: skip
"""Assumed value if neither the user nor the leg gives one, and its unit."""
GROUND_UNITS = {"stiffness": "N/m^1.5", "dissipation": "s/m"}
"""Parameters of GROUND_LAW and their units; `hard_ground_parameters` determines the values that are not given."""
STATIC_SINKAGE_RATIO = 0.002
"""Static depth of a foot that carries the whole machine, over the leg length."""
DAMPING_RATIO = 0.7
"""Damping of the machine on one foot over critical damping: it settles without bouncing."""
ASSUMED_FRICTION = {"friction": (0.7, ""), "creep_speed": (0.01, "m/s")}
"""Parameters of GROUND_FRICTION: assumed value and unit."""
MAX_RATE_VARIATION = 1e-6
"""Relative change of the crank speed over a turn above which a note is added."""


class MachineSetting(NamedTuple):
    """Setting of a machine. text: the value with its unit, for the user. source: SOURCE_GIVEN, SOURCE_LEG or SOURCE_ASSUMED."""

    value: Any
    text: str
    source: str


@dataclass(frozen=True)
class MachineSettings:
    """Settings of a machine by name. law and friction_law are in the format of a model file. notes: sentences about settings of
    the leg that the machine does not inherit."""

    settings: dict[str, MachineSetting]
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.settings[name].value

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of GROUND_FRICTION; empty if the friction law is given or inherited."""
        return {name: self[name] for name in ASSUMED_FRICTION if name in self.settings}

    def with_values(self, values: Mapping[str, float]) -> MachineSettings:
        """The same settings with the actual ground stiffness and dissipation. values: parameters of the machine."""
        settings = dict(self.settings)
        for name, unit in GROUND_UNITS.items():
            if name in settings and name in values:
                reason = f" ({settings[name].text})" if settings[name].source == SOURCE_ASSUMED else ""
                text = f"{values[name]:.3g} {unit}{reason}"
                settings[name] = MachineSetting(values[name], text, settings[name].source)
        return MachineSettings(settings, self.notes)

    def lines(self) -> list[str]:
        """List a line per source with its settings, and the notes."""
        lines = []
        for source in (SOURCE_LEG, SOURCE_GIVEN, SOURCE_ASSUMED):
            parts = [f"{name.replace('_', ' ')} {s.text}" for name, s in self.settings.items() if s.source == source]
            lines += [f"{source}: {', '.join(parts)}"] if parts else []
        return [*lines, *self.notes]

    def summary(self) -> dict[str, dict[str, Any]]:
        """Values and sources by name, for JSON."""
        return {name: {"value": s.value, "source": s.source} for name, s in self.settings.items()}


def machine_settings(leg: Model | None, **requested: Any) -> MachineSettings:
    """Settings of a machine from the given ones, the model of its leg and the assumed values, in this order of precedence.

    leg: model of the leg; None for a leg of the library, from which nothing is inherited. requested: settings by name; None
    counts as not given. Raises ModelError for a slope, stiffness or dissipation out of range, and for a leg without gravity
    if none is given."""
    requested = {name: value for name, value in requested.items() if value is not None}
    ErrorContext("walking machine", "slope").slope(requested.get("slope", 0.0))
    inherited, notes = _leg_settings(leg, requested) if leg is not None else ({}, ())
    settings: dict[str, MachineSetting] = {}

    def choose(name: str, default: Any, text: Any) -> None:
        value = requested.get(name, inherited.get(name, default))
        source = SOURCE_GIVEN if name in requested else SOURCE_LEG if name in inherited else SOURCE_ASSUMED
        settings[name] = MachineSetting(value, text(value), source)

    for name, (default, unit) in ASSUMED_NUMBERS.items():
        choose(name, default, lambda value, unit=unit: f"{value:.6g} {unit}")
    if "payload" in requested:
        choose("payload", 0.0, lambda value: f"{value:.6g} kg")
    if "terrain" in requested:
        choose("terrain", None, lambda value: value if isinstance(value, str) else "of points")
    choose("clockwise", True, lambda value: "yes" if value else "no")
    if "law" in requested:
        choose("law", None, _law_text)
    else:
        settings["law"] = MachineSetting(
            GROUND_LAW, str(GROUND_LAW["type"]), SOURCE_GIVEN if set(GROUND_UNITS) & set(requested) else SOURCE_ASSUMED
        )
        for name, reason in (
            (
                "stiffness",
                f"a foot that carries the machine sinks by {100 * STATIC_SINKAGE_RATIO:g} % of the leg length",
            ),
            ("dissipation", f"{DAMPING_RATIO:g} of critical damping"),
        ):
            if name in requested:
                unit = GROUND_UNITS[name]
                settings[name] = MachineSetting(
                    check_ground_number(name, requested[name]), f"{requested[name]:.6g} {unit}", SOURCE_GIVEN
                )
            else:
                settings[name] = MachineSetting(None, reason, SOURCE_ASSUMED)
    if "friction_law" not in requested and ("friction_law" not in inherited or set(ASSUMED_FRICTION) & set(requested)):
        for name, (default, unit) in ASSUMED_FRICTION.items():
            choose(name, default, lambda value, unit=unit: f"{value:.6g} {unit}".strip())
        source = SOURCE_GIVEN if set(ASSUMED_FRICTION) & set(requested) else SOURCE_ASSUMED
        settings["friction_law"] = MachineSetting(GROUND_FRICTION, str(GROUND_FRICTION["type"]), source)
    else:
        choose("friction_law", None, _law_text)
    return MachineSettings(settings, tuple(notes))


def check_ground_number(name: str, value: Any) -> float:
    """Check a given stiffness, N/m^1.5, or dissipation, s/m. Raises ModelError if it is out of range."""
    context = ErrorContext("walking machine", name)
    if name == "stiffness":
        return context.positive(value, GROUND_UNITS[name])
    if not is_number(value) or not 0.0 <= value < math.inf:
        context.fail("is not a dissipation", value, f"zero or a positive number of {GROUND_UNITS[name]}")
    return float(value)


def hard_ground_parameters(
    mass: str, leg_length: float, stiffness: float | None, dissipation: float | None
) -> dict[str, Any]:
    """Stiffness K and dissipation a of GROUND_LAW, as parameters of the machine. A number that is not given follows from one
    foot that carries the weight m g: it sinks by d = STATIC_SINKAGE_RATIO x leg_length, so that K d^n = m g with n = 3/2, and
    its damping ratio is DAMPING_RATIO. About that depth the law has stiffness k = n m g / d and damping c = 3/2 a m g, so
    that c / (2 sqrt(k m)) = 3/4 a sqrt(g d / n).

    mass: kg, an expression. leg_length: m, from the highest axle to the lowest foot. stiffness, dissipation: None if not
    given."""
    weight, exponent = f"({mass})*gravity", 1.5
    depth = f"({weight}/stiffness)^(1/{exponent})"
    factor = DAMPING_RATIO * math.sqrt(exponent) / 0.75
    return {
        "stiffness": f"{weight}/{STATIC_SINKAGE_RATIO * leg_length:.5g}^{exponent}" if stiffness is None else stiffness,
        "dissipation": f"{factor:.5g}/sqrt(gravity*{depth})" if dissipation is None else dissipation,
    }


def _leg_settings(leg: Model, requested: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Settings of the leg's model, and notes on those that the machine does not inherit."""
    settings, notes = read_settings(leg), []
    inherited: dict[str, Any] = {}
    if not {"turns_per_second", "clockwise"} <= set(requested):
        rate, variation = measure_crank_speed(leg)
        inherited = {"turns_per_second": abs(rate), "clockwise": rate < 0}
        if variation > MAX_RATE_VARIATION:
            notes.append(
                f"the speed of the leg's crank changes by {100 * variation:.2g} % over a turn; the shaft of the machine turns "
                "at the constant mean speed"
            )
    g_x, g_y = leg.mechanism().gravity
    if g_x or g_y:
        inherited |= {"gravity": math.hypot(g_x, g_y), "slope": math.atan2(0.0 - g_x, -g_y)}
    elif "gravity" not in requested:
        ErrorContext("walking machine", "gravity").fail(
            "of the leg is zero, and a machine needs gravity to stay on the ground",
            0.0,
            "a leg with gravity, or gravity=9.81",
        )
    if settings.law is not None and not {"law", "stiffness"} & set(requested):
        notes.append(
            f"the contact law of the leg's section gait, {_law_text(settings.law)}, applies to the analysis of one leg only; "
            "the machine walks on a hard ground unless --stiffness or a law is given"
        )
    if settings.friction is not None:
        inherited["friction_law"] = settings.friction
    return inherited, notes


def _law_text(law: Any) -> str:
    """Type and parameters of a law, for the user."""
    fields = dict(choice_entry(law))
    kind = fields.pop("type")
    numbers = ", ".join(
        f"{name} {value:g}" if isinstance(value, (int, float)) else f"{name} {value}"
        for name, value in fields.items()
        if value is not None
    )
    return f"{kind} ({numbers})" if numbers else kind
