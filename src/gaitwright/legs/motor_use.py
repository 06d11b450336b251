"""Load of a motor over a turn: operating points, current, voltage, electrical energy, and limits of the motor."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.motor import Motor
from gaitwright.legs.phase_statistics import cut_series
from gaitwright.legs.turn_numbers import LegQuantity
from gaitwright.measures.array_derivatives import ratio
from gaitwright.measures.measure import Measure, MeasureRegistry
from gaitwright.mechanism.signals import evaluate_program

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

RPM_PER_RAD_PER_S = 30.0 / math.pi
TRIAL_GEAR_RATIOS = np.geomspace(0.05, 20.0, 241)
"""Gear ratios that are tried, relative to that of the motor."""
LIMIT_RTOL = 1e-9


@dataclass(frozen=True)
class MotorUse:
    """Operation of a motor over time. time: (n,), s. load_torque, load_speed, load_acceleration: of the load, (n,), N m, rad/s,
    rad/s^2. torque, speed: at the motor's shaft, (n,), N m, rad/s. current: (n,), A. voltage: (n,), V. turns: number of turns
    of the crank in that time."""

    motor: Motor
    time: np.ndarray = field(repr=False)
    load_torque: np.ndarray = field(repr=False)
    load_speed: np.ndarray = field(repr=False)
    load_acceleration: np.ndarray = field(repr=False)
    torque: np.ndarray = field(repr=False)
    speed: np.ndarray = field(repr=False)
    current: np.ndarray = field(repr=False)
    voltage: np.ndarray = field(repr=False)
    turns: int = 1

    @property
    def power(self) -> np.ndarray:
        """Electrical power, W, (n,)."""
        return self.voltage * self.current

    @property
    def can_drive(self) -> bool:
        """True if voltage, current and windings of the motor are sufficient."""
        return not self.problems()

    def problems(self) -> list[str]:
        """Reasons for which the motor cannot drive the load, one sentence each; empty if it can."""
        sentences = []
        for name, values, limit, unit in self._limits():
            k = int(np.argmax(values))
            if values[k] > limit * (1.0 + LIMIT_RTOL):
                sentences.append(
                    f"the motor needs {values[k]:.4g} {unit} of {name} at t = {self.time[k]:.4g} s "
                    f"({abs(self.torque[k]):.4g} N m at {abs(self.speed[k]) * RPM_PER_RAD_PER_S:.4g} rpm), and has "
                    f"{limit:.4g} {unit}"
                )
        m = self.motor
        if m.continuous_torque is not None and self.torque_rms > m.continuous_torque * (1.0 + LIMIT_RTOL):
            sentences.append(
                f"the motor gets too hot: the root mean square of its torque is {self.torque_rms:.4g} N m, and its windings "
                f"bear {m.continuous_torque:.4g} N m"
            )
        return sentences

    def _limits(self) -> list[tuple[str, np.ndarray, float, str]]:
        current = [("current", np.abs(self.current), self.motor.max_current, "A")] if self.motor.max_current else []
        return [("voltage", np.abs(self.voltage), self.motor.voltage, "V"), *current]  # type: ignore[list-item]

    @property
    def torque_rms(self) -> float:
        """Root mean square of the torque due to the current, N m, which determines the heating of the windings."""
        return self.motor.k * self.rms(self.current)

    @property
    def electrical_energies(self) -> tuple[float, float]:
        """Electrical energy from the supply and, negative, back to it, per turn, J."""
        supplied, returned = signed_works(self.time, self.power)
        return supplied / self.turns, returned / self.turns

    @property
    def crank_works(self) -> tuple[float, float]:
        """Positive and negative work of the motor on the crank, per turn, J."""
        positive, negative = signed_works(self.time, self.load_torque * self.load_speed)
        return positive / self.turns, negative / self.turns

    @property
    def copper_loss(self) -> float:
        """Energy lost in the windings per turn, J."""
        return self.motor.ohm * float(np.trapezoid(self.current**2, self.time)) / self.turns

    def rms(self, values: np.ndarray) -> float:
        """Root mean square over time of values (n,)."""
        span = float(self.time[-1] - self.time[0])
        return math.sqrt(float(np.trapezoid(values**2, self.time)) / span) if span else abs(float(values[0]))

    @property
    def numbers(self) -> dict[str, LegQuantity]:
        return {name: LegQuantity(float(n.of(self)), n.unit, n.description) for name, n in MOTOR_NUMBERS.items()}

    def table(self) -> pd.DataFrame:
        """All numbers: value, unit, meaning."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.numbers, orient="index", columns=["value", "unit", "meaning"])

    def with_gear(self, ratio: float) -> MotorUse:
        """Operation with the same load and another gear ratio."""
        motor = replace(self.motor, gear_ratio=ratio)
        load = self.load_torque, self.load_speed, self.load_acceleration
        return compute_motor_use(motor, self.time, *load, turns=self.turns)

    def gears(self) -> tuple[float, float] | None:
        """Least and greatest gear ratio with which the motor can drive the load, to 3 %, from 1/20 to 20 times its own; None if
        there is none."""
        sufficient_ratios = [n for n in TRIAL_GEAR_RATIOS * self.motor.gear_ratio if self.with_gear(float(n)).can_drive]
        return (float(min(sufficient_ratios)), float(max(sufficient_ratios))) if sufficient_ratios else None

    def lines(self) -> list[str]:
        """Result as sentences."""
        n, gears = self.numbers, self.gears()
        sentences = [f"motor: {self.motor}"]
        if self.can_drive:
            part = 100 * n["voltage_share"].value
            sentences.append(
                f"the motor can drive it, with {part:.3g} % of its voltage and {n['motor_current'].value:.4g} A at most; "
                f"{n['electrical_energy'].value:.4g} J of electricity per turn"
            )
        else:
            sentences += self.problems()
        if gears is None:
            sentences.append("no gear from 1/20 to 20 times its own would do: it needs a larger motor")
        else:
            low, high = gears
            sentences.append(f"gears that would do: about {low:.3g}:1 to {high:.3g}:1")
        return sentences

    def summary(self) -> dict[str, Any]:
        """Result as plain data, for JSON."""
        return {
            "can_drive": self.can_drive,
            "problems": self.problems(),
            "gears": self.gears(),
            "motor": self.motor.entry(),
            "numbers": {name: q.value for name, q in self.numbers.items()},
            "units": {name: q.unit for name, q in self.numbers.items()},
        }

    def __repr__(self) -> str:
        return f"<MotorUse: {'; '.join(self.lines()[1:2])}>"


MOTOR_NUMBERS = MeasureRegistry(
    "motor",
    [
        Measure("motor_voltage", "V", "largest voltage that the motor needs", lambda use: np.abs(use.voltage).max()),
        Measure("motor_current", "A", "largest current", lambda use: np.abs(use.current).max()),
        Measure("motor_current_rms", "A", "root mean square of the current", lambda use: use.rms(use.current)),
        Measure("motor_torque", "N m", "largest torque at the motor's shaft", lambda use: np.abs(use.torque).max()),
        Measure("motor_torque_rms", "N m", "root mean square of the torque of its current", lambda use: use.torque_rms),
        Measure("motor_speed", "rad/s", "largest speed of the motor's shaft", lambda use: np.abs(use.speed).max()),
        Measure(
            "electrical_energy", "J", "from the supply per turn, with nothing given back to it",
            lambda use: use.electrical_energies[0],
        ),
        Measure(
            "electrical_energy_back", "J", "that could be given back to the supply per turn",
            lambda use: 0.0 - use.electrical_energies[1],
        ),
        Measure("copper_loss", "J", "lost in the windings per turn", lambda use: use.copper_loss),
        Measure(
            "motor_efficiency", "1", "positive work of the crank / electrical energy",
            lambda use: ratio(use.crank_works[0], use.electrical_energies[0]),
        ),
        Measure(
            "voltage_share", "1", "largest voltage / that of the supply",
            lambda use: np.abs(use.voltage).max() / use.motor.voltage,
        ),
        Measure("braking_work", "J", "of the crank on the motor per turn", lambda use: 0.0 - use.crank_works[1]),
    ],
)  # fmt: skip
"""Measures of a MotorUse."""


def compute_motor_use(
    motor: Motor, time: Any, torque: Any, speed: Any, acceleration: Any = 0.0, *, turns: int = 1
) -> MotorUse:
    """Operation of a motor for a load. time: (n,), s. torque, speed, acceleration: of the load, scalars or (n,), N m, rad/s,
    rad/s^2. turns: number of turns of the crank in that time."""
    time = np.asarray(time, dtype=float)
    tau, omega, alpha = (np.broadcast_to(np.asarray(x, dtype=float), time.shape) for x in (torque, speed, acceleration))
    motor_torque, motor_speed = motor.at_motor(tau, omega, alpha)
    current, voltage = motor.electrical(motor_torque, motor_speed)
    return MotorUse(motor, time, tau, omega, alpha, motor_torque, motor_speed, current, voltage, turns)


def compute_shaft_use(motor: Motor, run: Result, drives: Any, begin: float, end: float, turns: int = 1) -> MotorUse:
    """Operation of a motor on the crank, or on the common shaft of several drives, between two times of a run, s. Time
    starts at 0; torque and speed are positive in the mean direction of rotation."""
    rate, acceleration = shaft_rates(run, drives[0])
    forward = np.sign(np.trapezoid(rate, run.time)) or 1.0
    torque = sum((run.array(f"{name}.torque") for name in drives), np.zeros(run.time.size))
    time, *load = _cut_all(run.time, (forward * torque, forward * rate, forward * acceleration), begin, end)
    return compute_motor_use(motor, time - begin, *load, turns=turns)


def shaft_rates(run: Result, drive: str) -> tuple[np.ndarray, np.ndarray]:
    """Prescribed speed, rad/s, and acceleration, rad/s^2, of a rotating drive over the run, (n,)."""
    mechanism = run.mechanism
    pairs = zip(mechanism.constraint_names, mechanism.constraints, strict=True)
    element: Any = next(e for names, e in pairs if names.kind == "drive" and names.name == drive)
    _, rate, acceleration = evaluate_program(mechanism.signals[element.signals[0]], run.time)
    return np.asarray(rate, dtype=float), np.asarray(acceleration, dtype=float)


def _cut_all(time: np.ndarray, values: Any, begin: float, end: float) -> list[np.ndarray]:
    parts = [cut_series(time, np.asarray(v, dtype=float), begin, end) for v in values]
    return [parts[0][0], *(part[1] for part in parts)]


def signed_works(time: np.ndarray, power: np.ndarray) -> tuple[float, float]:
    """Positive and negative work, J, of a power that is linear between its samples; a smooth curve would overshoot at
    impacts."""
    a, b, h = power[:-1], power[1:], np.diff(time)
    work = 0.5 * h * (a + b)
    crossing = a * b < 0.0
    difference = np.where(crossing, b - a, 1.0)
    positive_work = np.where(crossing, 0.5 * h * np.maximum(a, b) ** 2 / np.abs(difference), np.maximum(work, 0.0))
    return float(positive_work.sum()), float((work - positive_work).sum())
