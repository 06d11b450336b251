"""Effect of a device's mass alone: peak joint moments with it, minus those with the same device made light."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from gaitwright._core.errors import AnalysisError
from gaitwright.model.model import Model
from gaitwright.wear.assistance import assistance_of

if TYPE_CHECKING:
    from gaitwright.wear.device_result import DeviceResult

LIGHT_MASS_RATIO = 0.02
"""Mass of the light device over the real one; with zero mass its bodies would have no equations of motion."""
MASS_FIELDS = {
    "bodies": ("mass", "inertia"), "links": ("mass", "inertia"), "beams": ("density", "mass_per_length"),
    "solids": ("density",),
}  # fmt: skip
"""Fields of the model that scale with mass, by section."""


def scale_mass(device: Model, factor: float = LIGHT_MASS_RATIO) -> Model:
    """The device with its masses, inertias and densities multiplied by `part`."""
    raw = device.to_dict()
    for section, fields in MASS_FIELDS.items():
        for entry in raw.get(section, ()):
            for field in fields:
                if field in entry:
                    entry[field] = _scale_value(entry[field], factor)
    return Model.from_dict(raw)


def _scale_value(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_scale_value(entry, factor) for entry in value]
    return f"({value})*{factor!r}" if isinstance(value, str) else value * factor


def compute_mass_penalty(worn: DeviceResult) -> dict[str, float]:
    """Increase of each joint's peak moment by the mass of the device, N m; empty, with a warning, if the light device
    cannot be simulated. Moments at one instant are linear in that mass, as far as cuffs hold; peaks are not, because the
    instant of the peak can change. So the moments without mass are extrapolated from those of the light and the real
    device, and their peak is used."""
    from gaitwright.wear.device_simulation import put_on

    try:
        light = put_on(scale_mass(worn.device), worn, side=worn.side)
    except AnalysisError as error:  # the light device vibrates faster than the steps can resolve
        message = f"the effect of the mass of the device is not known: made light, it cannot be followed ({error})"
        warnings.warn(message, stacklevel=2)
        return {}
    heavy, mass = worn.moments_with, worn.motion.skeleton.subject.mass
    massless = light.moments_with - (heavy - light.moments_with) * (LIGHT_MASS_RATIO / (1 - LIGHT_MASS_RATIO))
    assistance = assistance_of(massless, heavy, worn.joint_power, worn.cycles, mass)
    return {name: joint.peak_with - joint.peak_without for name, joint in assistance.items()}
