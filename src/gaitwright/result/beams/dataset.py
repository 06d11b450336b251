"""Dataset of quantities along a planar or spatial beam, and the units of pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.result.beams import planar_quantities, spatial_quantities
from gaitwright.result.beams.quantities import quantities_along

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.result.outputs import StateHistory


def beam_dataset(loads: Any, motion: StateHistory, names: tuple[str, ...] = (), points: int = 3) -> xr.Dataset:
    """Quantities along a beam over (time, s); see Result.beam."""
    if isinstance(loads.beam, SpatialBeamPart):
        return quantities_along(spatial_quantities.SPATIAL_BEAM_TABLES, loads, motion, names, points)
    return planar_quantities.planar_beam_dataset(loads, motion, names, points)


def picture_unit(quantity: str) -> tuple[float, str]:
    """Factor and unit for a quantity in pictures: stresses are shown in MPa."""
    unit = (spatial_quantities.PROFILE_QUANTITIES | planar_quantities.PROFILE_QUANTITIES)[quantity].unit
    return (1e-6, "MPa") if unit == "Pa" else (1.0, unit)
