"""The motor of a crank as a model file says it: the field `motor` of the section `gait`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gaitwright.model.fields import Inertia, Plain, Spin, Strict, of

Torque = Annotated[float | str, of("N m")]
Electrical = Plain
"""V, A, ohm, N m/A: units of which the model file knows none."""


class MotorSpec(Strict):
    """A DC motor with its gear; see legs/motor.py for what the fields mean."""

    voltage: Electrical = Field(description="the supply voltage, V")
    stall_torque: Torque | None = None
    no_load_speed: Spin | None = None
    resistance: Electrical | None = None
    torque_constant: Electrical | None = None
    no_load_current: Electrical = 0.0
    max_current: Electrical | None = None
    continuous_torque: Torque | None = None
    rotor_inertia: Inertia = 0.0
    gear_ratio: Plain = 1.0
    gear_efficiency: Plain = 1.0
    backdrive_efficiency: Plain | None = None
