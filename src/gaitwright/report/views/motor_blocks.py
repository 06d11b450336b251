"""Blocks about a motor: its torque-speed lines with the operating points of a turn, current and power over time, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.report.blocks import Chart, ChartLine, Heading, ReportBlock, Table, Text

if TYPE_CHECKING:
    from gaitwright.legs.motor_use import MotorUse

RPM_PER_RAD_PER_S = 30.0 / np.pi
LINE_EXTENSION_RATIO = 1.08
"""Length of a line relative to the range of the points."""


def motor_blocks(use: MotorUse | None, begin: float = 0.0) -> list[ReportBlock]:
    """Blocks about the motor; empty without a motor. begin: start of the turn in the time of the animation, s."""
    if use is None:
        return []
    time = use.time + begin
    texts = [text[:1].upper() + text[1:] + "." for text in use.lines()]
    rows = [(name.replace("_", " "), q.value, q.unit, q.text) for name, q in use.numbers.items()]
    return [
        Heading("Motor"),
        Text(texts, "plain" if use.can_drive else "warning"),
        torque_speed_chart(use, begin),
        Chart("Current of the motor", [ChartLine("current", time, use.current)], ylabel="current (A)"),
        Chart("Electrical power", [ChartLine("power", time, use.power)], ylabel="power (W)"),
        Table("The motor", ("quantity", "value", "unit", "meaning"), rows),
    ]


def torque_speed_chart(use: MotorUse, begin: float = 0.0) -> Chart:
    """Chart of the operating points at the motor shaft, with its lines at full voltage in both directions."""
    motor, speed = use.motor, use.speed
    low, high = min(0.0, float(speed.min())), max(motor.voltage / motor.k, LINE_EXTENSION_RATIO * float(speed.max()))
    w = np.linspace(low, high, 60)
    lines = [
        ChartLine(
            "operating points", RPM_PER_RAD_PER_S * speed, use.torque, time=use.time + begin, look="thick", colour=0
        ),
        ChartLine("full voltage", RPM_PER_RAD_PER_S * w, motor.torque(w), colour=3),
    ]
    if use.torque.min() < 0.0:
        against = motor.torque(w, -1.0)
        visible = against >= 1.6 * use.torque.min()
        if visible.sum() > 1:
            lines.append(
                ChartLine(
                    "full voltage, braking", RPM_PER_RAD_PER_S * w[visible], against[visible], look="dashed", colour=3
                )
            )
    if motor.continuous_torque is not None:
        for sign in (1.0, -1.0) if use.torque.min() < 0.0 else (1.0,):
            label = "continuous torque" if sign > 0.0 else "continuous torque, braking"
            lines.append(
                ChartLine(
                    label,
                    [RPM_PER_RAD_PER_S * low, RPM_PER_RAD_PER_S * high],
                    [sign * motor.continuous_torque] * 2,
                    look="dashed",
                    colour=2,
                )
            )
    note = "At the shaft of the motor, before its gear. Points beyond the line of full voltage cannot be reached."
    return Chart("Torque over speed", lines, "speed (rpm)", "torque (N m)", note=note, over_time=False)
