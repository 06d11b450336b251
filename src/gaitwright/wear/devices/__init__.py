"""Ready devices: functions that return a model with cuffs; as files by `gaitwright example NAME`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model
from gaitwright.wear.devices.ankle import ankle_spring, powered_ankle
from gaitwright.wear.devices.blades import ankle_blade, back_support
from gaitwright.wear.devices.hip import hip_spring
from gaitwright.wear.devices.knee import knee_support

__all__ = [
    "DEVICES",
    "ReadyDevice",
    "ankle_blade",
    "ankle_spring",
    "back_support",
    "find",
    "hip_spring",
    "knee_support",
    "powered_ankle",
]


class ReadyDevice(NamedTuple):
    """Entry of the list of ready devices. make: builds the model. question: it answers. motion: suitable motion."""

    make: Callable[[], Model]
    question: str
    motion: str


DEVICES = {
    "worn-ankle-spring": ReadyDevice(
        ankle_spring, "How much of the ankle's push-off does an orthosis with a spring take?", "walk"
    ),
    "worn-ankle-blade": ReadyDevice(
        ankle_blade,
        "What does a blade of carbon behind the ankle give at push-off, and what does it cost before?",
        "walk",
    ),
    "worn-powered-ankle": ReadyDevice(
        powered_ankle, "What does a motor at the ankle take off the calf, and does it cost?", "walk"
    ),
    "worn-knee-support": ReadyDevice(
        knee_support,
        "How far do two crossed links follow a knee, and what does their spring help to rise?",
        "sit-to-stand",
    ),
    "worn-back-support": ReadyDevice(
        back_support, "How much of the load on the lowest disc do blades along the back take from who lifts?", "stoop"
    ),
    "worn-hip-spring": ReadyDevice(
        hip_spring, "What does a spring at the hip store in late stance and return in swing?", "walk"
    ),
}
"""Ready devices by their names for `gaitwright example`."""


def find(name: str) -> ReadyDevice:
    return DEVICES[ErrorContext("device").one_of(name, DEVICES, "is no ready device")]
