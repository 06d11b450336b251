"""DC motor with a gear: characteristic, operating points for a load, and input formats.

shaft of the motor   tau = k (I - I0 sign w),  U = R I + k w;   so  tau = k (V - k w)/R - k I0  at the full voltage V
gear, ratio n        w = n w_load;  the torque on the motor side is tau_load/n, divided by the efficiency if the motor drives
                     the load (tau_load w_load > 0), multiplied by it if the load drives the motor
rotor                additional torque J w'
electrical power     P = U I;  negative if the motor brakes and returns more than its windings lose

The inductance, the temperature of the windings and the friction of the gear at no load are neglected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.model.spec.document import MotorSpec
from gaitwright.model.spec.validation import validate_part
from gaitwright.model.units import parse_number_with_unit

MOTOR_CONTEXT = ErrorContext("motor")
MOTOR_EXAMPLE = "voltage=24, stall_torque=0.9 N m, no_load_speed=6000 rpm, gear_ratio=40, gear_efficiency=0.8"


@dataclass(frozen=True, kw_only=True)
class Motor:
    """DC motor with a gear.

    voltage: of the supply, V. Either stall_torque (N m) and no_load_speed (rad/s), both at that voltage, or resistance (ohm)
    and torque_constant (N m/A, the same as V s/rad); the other two follow. no_load_current: due to friction, A.
    max_current: limit of the supply or the electronics, A. continuous_torque: admissible continuous torque of the windings
    (root mean square), N m. rotor_inertia: kg m^2. gear_ratio: turns of the motor per turn of the load. gear_efficiency: 0 to
    1. backdrive_efficiency: the same if the load drives the motor; default: equal; 0 for a self-locking gear.

        motor = gw.Motor(voltage=24, stall_torque=0.9, no_load_speed=628, gear_ratio=40, gear_efficiency=0.8)
        use = gw.analyse_leg(leg).on_motor(motor); use.can_drive; use.numbers["electrical_energy"].value

    All torques, speeds and inertias except those of the load are at the shaft of the motor, before its gear. Raises ModelError
    for invalid or inconsistent data."""

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
            MOTOR_CONTEXT[name].positive(getattr(self, name))
        for name in (
            "stall_torque",
            "no_load_speed",
            "resistance",
            "torque_constant",
            "max_current",
            "continuous_torque",
        ):
            if getattr(self, name) is not None:
                MOTOR_CONTEXT[name].positive(getattr(self, name))
        for name in ("no_load_current", "rotor_inertia"):
            MOTOR_CONTEXT[name].not_negative(
                MOTOR_CONTEXT[name].finite(getattr(self, name), "a number"), "zero or a positive number"
            )
        for name, minimum in (("gear_efficiency", 1e-6), ("backdrive_efficiency", 0.0)):
            value = getattr(self, name)
            if value is not None and not minimum <= MOTOR_CONTEXT[name].finite(value, "a number") <= 1.0:
                MOTOR_CONTEXT[name].fail("is no efficiency", value, "a number above 0, up to 1")
        has_characteristic = self.stall_torque is not None and self.no_load_speed is not None
        has_winding_data = self.resistance is not None and self.torque_constant is not None
        if has_characteristic == has_winding_data or (self.stall_torque is None) != (self.no_load_speed is None):
            MOTOR_CONTEXT.fail(
                "its data are incomplete or contradictory",
                {
                    name: value
                    for name, value in asdict(self).items()
                    if value is not None and name in _CHARACTERISTIC_FIELDS
                },
                "either stall_torque and no_load_speed, or resistance and torque_constant",
            )
        if not self.friction < self.k * self.voltage / self.ohm:
            MOTOR_CONTEXT["no_load_current"].fail("is more than the motor takes at stall", self.no_load_current, "less")

    @property
    def k(self) -> float:
        """Torque constant, N m/A. A motor with the current I0 at the no-load speed w0 satisfies V = R I0 + k w0 there."""
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
        """Friction torque of the motor, N m."""
        return self.k * self.no_load_current

    def torque(self, speed: Any, share: float = 1.0) -> Any:
        """Torque at the shaft, N m, at a speed, rad/s, with a fraction `share` of the voltage: the torque-speed line. At rest
        friction acts as for forward rotation."""
        w = np.asarray(speed, dtype=float)
        return self.k * (share * self.voltage - self.k * w) / self.ohm - self.friction * np.where(w < 0.0, -1.0, 1.0)

    def at_motor(self, torque: Any, speed: Any, acceleration: Any = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Torque, N m, and speed, rad/s, at the motor's shaft for torque, speed and acceleration (rad/s^2) of a load."""
        torque, speed, acceleration = np.broadcast_arrays(*np.atleast_1d(torque, speed, acceleration))
        backdrive_efficiency = self.gear_efficiency if self.backdrive_efficiency is None else self.backdrive_efficiency
        efficiency_factor = np.where(torque * speed < 0.0, backdrive_efficiency, 1.0 / self.gear_efficiency)
        n = self.gear_ratio
        return torque / n * efficiency_factor + self.rotor_inertia * n * acceleration, n * speed.astype(float)

    def electrical(self, torque: Any, speed: Any) -> tuple[np.ndarray, np.ndarray]:
        """Current, A, and voltage, V, for a torque, N m, and a speed, rad/s, at the motor's shaft."""
        speed = np.asarray(speed, dtype=float)
        current = np.asarray(torque, dtype=float) / self.k + self.no_load_current * np.sign(speed)
        return current, self.ohm * current + self.k * speed

    def entry(self) -> dict[str, float]:
        """Fields as in a model file."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def __str__(self) -> str:
        n, w0 = self.gear_ratio, (self.voltage - self.ohm * self.no_load_current) / self.k
        return (
            f"{self.voltage:.4g} V, stall torque {float(self.torque(0.0)):.4g} N m, no-load speed "
            f"{w0 * 30.0 / math.pi:.4g} rpm, gear {n:.4g}:1, efficiency {self.gear_efficiency:.3g}"
        )


_CHARACTERISTIC_FIELDS = ("stall_torque", "no_load_speed", "resistance", "torque_constant")


def read_motor(motor: Motor | Mapping[str, Any] | str | None, number: Any = None) -> Motor | None:
    """Read a motor: a Motor, fields as in a model file, or a text as on the command line; None stays None. number: function
    (value, field) that evaluates a field, which may be an expression of a model's parameters. Raises ModelError."""
    if motor is None or isinstance(motor, Motor):
        return motor
    if isinstance(motor, str):
        motor = _parse_fields(motor)
    if not isinstance(motor, Mapping):
        MOTOR_CONTEXT.fail("is not a motor", motor, f"gw.Motor(...), or fields such as {MOTOR_EXAMPLE}")
    fields = validate_part(MotorSpec, "motor", dict(motor)).model_dump(exclude_none=True)
    return Motor(**{name: (number or _evaluate_number)(value, f"motor.{name}") for name, value in fields.items()})


def _evaluate_number(value: float | str, field: str) -> float:
    from gaitwright.model.expressions import evaluate, parse

    try:
        return evaluate(parse(value, frozenset(), None), {})
    except ModelError as error:
        ErrorContext(field=field).fail(str(error))


_FIELD_UNITS = {
    "voltage": "V",
    "resistance": "ohm",
    "torque_constant": "N m/A",
    "no_load_current": "A",
    "max_current": "A",
}


def _parse_number(value: str, unit: str) -> float:
    """Parse a number as in data sheets: 24 V, 80 %, 50:1."""
    if value.endswith("%"):
        return float(value[:-1]) / 100.0
    if ":" in value:
        numerator, _, denominator = value.partition(":")
        return float(numerator) / float(denominator)
    return parse_number_with_unit(value.removesuffix(unit).strip() if unit else value)


def _parse_fields(text: str) -> dict[str, float]:
    """Parse fields from `name=value, name=value`, or read them from a YAML or JSON file."""
    from pathlib import Path

    if "=" not in text and Path(text).suffix in (".yaml", ".yml", ".json"):
        from gaitwright.model.io.files import read_raw_document

        return read_raw_document(Path(text))
    fields = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        try:
            if not (name and equals):
                raise ValueError
            fields[name] = _parse_number(value, _FIELD_UNITS.get(name, ""))
        except (ValueError, ZeroDivisionError):
            raise ModelError(
                "--motor takes NAME=VALUE, NAME=VALUE", value=part.strip(), expected=MOTOR_EXAMPLE
            ) from None
    return fields
