"""A DC motor with a gear, and what a load asks of it.

shaft of the motor   tau = k (I - I0 sign w),  U = R I + k w;   so  tau = k (V - k w)/R - k I0  at the full voltage V
gear, ratio n        w = n w_load;  the torque at the motor's side is tau_load/n, divided by the efficiency where the motor
                     drives the load (tau_load w_load > 0), multiplied by it where the load drives the motor
rotor                J w' besides
electrical power     P = U I;  negative where the motor brakes and gives back more than its windings lose

The inductance, the temperature of the windings and the friction of the gear at no load are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.model.motor_spec import MotorSpec
from gaitwright.model.units import plain_number
from gaitwright.model.validate import validate_part

MOTOR = At("motor")
EXAMPLE = "voltage=24, stall_torque=0.9 N m, no_load_speed=6000 rpm, gear_ratio=40, gear_efficiency=0.8"


@dataclass(frozen=True, kw_only=True)
class Motor:
    """voltage: V, of the supply. Either stall_torque (N m) and no_load_speed (rad/s), both at that voltage, or resistance (ohm)
    and torque_constant (N m/A, the same as V s/rad); the others follow. no_load_current: A, that its friction takes.
    max_current: A, that the supply or the electronics allow. continuous_torque: N m, that the windings bear for ever (root mean
    square). rotor_inertia: kg m^2. gear_ratio: turns of the motor per turn of the load. gear_efficiency: 0 to 1, and
    backdrive_efficiency the same where the load drives the motor; equal unless given, 0 for a gear that locks itself.

        motor = gw.Motor(voltage=24, stall_torque=0.9, no_load_speed=628, gear_ratio=40, gear_efficiency=0.8)
        use = gw.analyse_leg(leg).on_motor(motor); use.can_drive; use.numbers["electrical_energy"].value

    All torques, speeds and inertias but those of the load are at the shaft of the motor, before its gear."""

    voltage: float
    stall_torque: float | None = None
    no_load_speed: float | None = None
    resistance: float | None = None
    torque_constant: float | None = None
    no_load_current: float = 0.0
    max_current: float | None = None
    continuous_torque: float | None = None
    rotor_inertia: float = 0.0
    gear_ratio: float = 1.0
    gear_efficiency: float = 1.0
    backdrive_efficiency: float | None = None

    def __post_init__(self) -> None:
        for name in ("voltage", "gear_ratio"):
            MOTOR[name].positive(getattr(self, name))
        for name in (
            "stall_torque",
            "no_load_speed",
            "resistance",
            "torque_constant",
            "max_current",
            "continuous_torque",
        ):
            if getattr(self, name) is not None:
                MOTOR[name].positive(getattr(self, name))
        for name in ("no_load_current", "rotor_inertia"):
            MOTOR[name].not_negative(MOTOR[name].finite(getattr(self, name), "a number"), "zero or a positive number")
        for name, least in (("gear_efficiency", 1e-6), ("backdrive_efficiency", 0.0)):
            value = getattr(self, name)
            if value is not None and not least <= MOTOR[name].finite(value, "a number") <= 1.0:
                MOTOR[name].fail("is no efficiency", value, "a number above 0, up to 1")
        curve = self.stall_torque is not None and self.no_load_speed is not None
        winding = self.resistance is not None and self.torque_constant is not None
        if curve == winding or (self.stall_torque is None) != (self.no_load_speed is None):
            MOTOR.fail(
                "its data do not say one motor",
                {name: value for name, value in asdict(self).items() if value is not None and name in _EITHER},
                "either stall_torque and no_load_speed, or resistance and torque_constant",
            )
        if not self.friction < self.k * self.voltage / self.ohm:
            MOTOR["no_load_current"].fail("is more than the motor takes at stall", self.no_load_current, "less")

    @property
    def k(self) -> float:
        """Torque per current, N m/A. A motor that takes I0 at no load, w0, has V = R I0 + k w0 there."""
        if self.torque_constant is not None:
            return self.torque_constant
        assert self.stall_torque is not None and self.no_load_speed is not None
        v, ts, w0, i0 = self.voltage, self.stall_torque, self.no_load_speed, self.no_load_current
        # with tau_s = k (V/R - I0) at stall:  I0 w0 k^2 + tau_s w0 k - V tau_s = 0
        return 2.0 * v * ts / (ts * w0 + math.sqrt((ts * w0) ** 2 + 4.0 * i0 * w0 * v * ts))

    @property
    def ohm(self) -> float:
        """Resistance of the windings, ohm."""
        if self.resistance is not None:
            return self.resistance
        assert self.stall_torque is not None
        return self.k * self.voltage / (self.stall_torque + self.friction)

    @property
    def friction(self) -> float:
        """Torque that its own friction takes, N m."""
        return self.k * self.no_load_current

    def torque(self, speed: Any, share: float = 1.0) -> Any:
        """Torque at the shaft, N m, at a speed, rad/s, with a share of the voltage: its torque-speed line. At rest as if it
        began to turn forward."""
        w = np.asarray(speed, dtype=float)
        return self.k * (share * self.voltage - self.k * w) / self.ohm - self.friction * np.where(w < 0.0, -1.0, 1.0)

    def at_motor(self, torque: Any, speed: Any, acceleration: Any = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Torque, N m, and speed, rad/s, at the motor's shaft for those of a load."""
        torque, speed, acceleration = np.broadcast_arrays(*np.atleast_1d(torque, speed, acceleration))
        back = self.gear_efficiency if self.backdrive_efficiency is None else self.backdrive_efficiency
        part = np.where(torque * speed < 0.0, back, 1.0 / self.gear_efficiency)
        n = self.gear_ratio
        return torque / n * part + self.rotor_inertia * n * acceleration, n * speed.astype(float)

    def electrical(self, torque: Any, speed: Any) -> tuple[np.ndarray, np.ndarray]:
        """Current, A, and voltage, V, for a torque and a speed at its shaft."""
        speed = np.asarray(speed, dtype=float)
        current = np.asarray(torque, dtype=float) / self.k + self.no_load_current * np.sign(speed)
        return current, self.ohm * current + self.k * speed

    def entry(self) -> dict[str, float]:
        """As a model file says it."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def __str__(self) -> str:
        n, w0 = self.gear_ratio, (self.voltage - self.ohm * self.no_load_current) / self.k
        return (
            f"{self.voltage:.4g} V, stall torque {float(self.torque(0.0)):.4g} N m, no-load speed "
            f"{w0 * 30.0 / math.pi:.4g} rpm, gear {n:.4g}:1, efficiency {self.gear_efficiency:.3g}"
        )


_EITHER = ("stall_torque", "no_load_speed", "resistance", "torque_constant")


def read_motor(given: Motor | Mapping[str, Any] | str | None, number: Any = None) -> Motor | None:
    """A motor as it was given: itself, fields as of a model file, or a text as of the command line. number: function that makes
    a number of a field's value, where that may be an expression of a model's parameters."""
    if given is None or isinstance(given, Motor):
        return given
    if isinstance(given, str):
        given = _from_text(given)
    if not isinstance(given, Mapping):
        MOTOR.fail("is not a motor", given, f"gw.Motor(...), or fields such as {EXAMPLE}")
    fields = validate_part(MotorSpec, "motor", dict(given)).model_dump(exclude_none=True)
    return Motor(**{name: (number or _plain)(value, f"motor.{name}") for name, value in fields.items()})


def _plain(value: float | str, field: str) -> float:
    from gaitwright.model.expressions import evaluate, parse

    try:
        return evaluate(parse(value, frozenset(), None), {})
    except ModelError as error:
        At(field=field).fail(str(error))


_UNITS = {"voltage": "V", "resistance": "ohm", "torque_constant": "N m/A", "no_load_current": "A", "max_current": "A"}


def _written(value: str, unit: str) -> float:
    """A number as data sheets have it: 24 V, 80 %, 50:1."""
    if value.endswith("%"):
        return float(value[:-1]) / 100.0
    if ":" in value:
        over, _, under = value.partition(":")
        return float(over) / float(under)
    return plain_number(value.removesuffix(unit).strip() if unit else value)


def _from_text(text: str) -> dict[str, float]:
    """Fields from `name=value, name=value`, or from a YAML file with them."""
    from pathlib import Path

    if "=" not in text and Path(text).suffix in (".yaml", ".yml", ".json"):
        from gaitwright.model.files import read_raw

        return read_raw(Path(text))
    found = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        try:
            if not (name and equals):
                raise ValueError
            found[name] = _written(value, _UNITS.get(name, ""))
        except (ValueError, ZeroDivisionError):
            raise ModelError("--motor takes NAME=VALUE, NAME=VALUE", value=part.strip(), expected=EXAMPLE) from None
    return found
