"""Schema of the motor of a crank: the field `motor` of the section `gait`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gaitwright.model.spec.field_types import AngularVelocity, Dimensionless, Inertia, StrictSpec, unit_validator

Torque = Annotated[float | str, unit_validator("N m")]
ElectricalValue = Dimensionless
"""V, A, ohm, N m/A: units that model files do not support."""


class MotorSpec(StrictSpec):
    """DC motor with its gear; see legs/motor.py for the fields."""

    voltage: ElectricalValue = Field(description="the supply voltage, V")
    stall_torque: Torque | None = None
    no_load_speed: AngularVelocity | None = None
    resistance: ElectricalValue | None = None
    torque_constant: ElectricalValue | None = None
    no_load_current: ElectricalValue = 0.0
    max_current: ElectricalValue | None = None
    continuous_torque: Torque | None = None
    rotor_inertia: Inertia = 0.0
    gear_ratio: Dimensionless = 1.0
    gear_efficiency: Dimensionless = 1.0
    backdrive_efficiency: Dimensionless | None = None
