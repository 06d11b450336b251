"""What a device costs by its mass alone: the peaks of the joints with it, less those with the same device made light."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from gaitwright.errors import AnalysisError
from gaitwright.model.model import Model
from gaitwright.wear.assistance import assistance_of

if TYPE_CHECKING:
    from gaitwright.wear.worn import Worn

LIGHT = 0.02
"""Of its mass, that the light one has: none at all would leave its bodies nothing to be moved by."""
FIELDS = {
    "bodies": ("mass", "inertia"), "links": ("mass", "inertia"), "beams": ("density", "mass_per_length"),
    "solids": ("density",),
}  # fmt: skip
"""What has mass."""


def lighter(device: Model, part: float = LIGHT) -> Model:
    """The same with so much of its mass."""
    raw = device.to_dict()
    for section, fields in FIELDS.items():
        for entry in raw.get(section, ()):
            for field in fields:
                if field in entry:
                    entry[field] = _times(entry[field], part)
    return Model.from_dict(raw)


def _times(value: Any, part: float) -> Any:
    if isinstance(value, list):
        return [_times(one, part) for one in value]
    return f"({value})*{part!r}" if isinstance(value, str) else value * part


def penalty_of(worn: Worn) -> dict[str, float]:
    """By joint, N m: by how much its peak is larger for the mass of the device. Moments at an instant are linear in that mass,
    as far as cuffs hold; peaks are not, where another instant becomes the largest. So moments without it are those with the
    light device, less what the rest of its mass does, and the peak is that of these."""
    from gaitwright.wear.putting_on import put_on

    try:
        light = put_on(lighter(worn.device), worn, side=worn.side)
    except AnalysisError as error:  # what is light swings faster than steps can follow
        said = f"what the mass of the device costs is not known: made light, it cannot be followed ({error})"
        warnings.warn(said, stacklevel=2)
        return {}
    heavy, mass = worn.moments_with, worn.motion.skeleton.subject.mass
    massless = light.moments_with - (heavy - light.moments_with) * (LIGHT / (1 - LIGHT))
    found = assistance_of(massless, heavy, worn.joint_power, worn.cycles, mass)
    return {name: one.peak_with - one.peak_without for name, one in found.items()}
