"""Ready devices, as functions that return a model with cuffs and as files by `gaitwright example NAME`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gaitwright.checks import At
from gaitwright.model.model import Model
from gaitwright.wear.devices.ankle import ankle_spring, powered_ankle
from gaitwright.wear.devices.blades import ankle_blade, back_support
from gaitwright.wear.devices.hip import hip_spring
from gaitwright.wear.devices.knee import knee_support

__all__ = [
    "DEVICES", "Ready", "ankle_blade", "ankle_spring", "back_support", "find", "hip_spring", "knee_support", "powered_ankle",
]  # fmt: skip


class Ready(NamedTuple):
    """make: the device. question: that it answers. motion: in which it is of use."""

    make: Callable[[], Model]
    question: str
    motion: str


DEVICES = {
    "worn-ankle-spring": Ready(
        ankle_spring, "How much of the ankle's push-off does an orthosis with a spring take?", "walk"
    ),
    "worn-ankle-blade": Ready(
        ankle_blade,
        "What does a blade of carbon behind the ankle give at push-off, and what does it cost before?",
        "walk",
    ),
    "worn-powered-ankle": Ready(
        powered_ankle, "What does a motor at the ankle take off the calf, and does it cost?", "walk"
    ),
    "worn-knee-support": Ready(
        knee_support,
        "How far do two crossed links follow a knee, and what does their spring help to rise?",
        "sit-to-stand",
    ),
    "worn-back-support": Ready(
        back_support, "How much of the load on the lowest disc do blades along the back take from who lifts?", "stoop"
    ),
    "worn-hip-spring": Ready(
        hip_spring, "What does a spring at the hip store in late stance and return in swing?", "walk"
    ),
}
"""By the names of `gaitwright example`."""


def find(name: str) -> Ready:
    return DEVICES[At("device").one_of(name, DEVICES, "is no ready device")]
