"""A motor on a page: its torque-speed lines with the operating points of a turn, current and power over time, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.blocks import Block, Chart, Heading, Line, Table, Text

if TYPE_CHECKING:
    from gaitwright.legs.motor_use import MotorUse

RPM = 30.0 / np.pi
BEYOND = 1.08
"""How far a line is drawn past the points, relative to them."""


def motor_blocks(use: MotorUse | None, begin: float = 0.0) -> list[Block]:
    """Nothing where there is no motor. begin: of the turn in the time of the animation, s."""
    if use is None:
        return []
    time = use.time + begin
    said = [text[:1].upper() + text[1:] + "." for text in use.lines()]
    rows = [(name.replace("_", " "), q.value, q.unit, q.text) for name, q in use.numbers.items()]
    return [
        Heading("Motor"),
        Text(said, "plain" if use.can_drive else "warning"),
        torque_speed_chart(use, begin),
        Chart("Current of the motor", [Line("current", time, use.current)], ylabel="current (A)"),
        Chart("Electrical power", [Line("power", time, use.power)], ylabel="power (W)"),
        Table("The motor", ("quantity", "value", "unit", "meaning"), rows),
    ]


def torque_speed_chart(use: MotorUse, begin: float = 0.0) -> Chart:
    """Operating points at the shaft of the motor, between its lines at full voltage either way."""
    motor, speed = use.motor, use.speed
    low, high = min(0.0, float(speed.min())), max(motor.voltage / motor.k, BEYOND * float(speed.max()))
    w = np.linspace(low, high, 60)
    lines = [
        Line("operating points", RPM * speed, use.torque, time=use.time + begin, look="thick", colour=0),
        Line("full voltage", RPM * w, motor.torque(w), colour=3),
    ]
    if use.torque.min() < 0.0:
        against = motor.torque(w, -1.0)
        kept = against >= 1.6 * use.torque.min()
        if kept.sum() > 1:
            lines.append(Line("full voltage, braking", RPM * w[kept], against[kept], look="dashed", colour=3))
    if motor.continuous_torque is not None:
        for sign in (1.0, -1.0) if use.torque.min() < 0.0 else (1.0,):
            label = "continuous torque" if sign > 0.0 else "continuous torque, braking"
            lines.append(
                Line(label, [RPM * low, RPM * high], [sign * motor.continuous_torque] * 2, look="dashed", colour=2)
            )
    note = "At the shaft of the motor, before its gear. Points beyond the line of full voltage cannot be reached."
    return Chart("Torque over speed", lines, "speed (rpm)", "torque (N m)", note=note, over_time=False)
