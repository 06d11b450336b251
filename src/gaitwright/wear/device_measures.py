"""Scalar measures of a worn device by name, for sweeps, choices and trade-offs over the parameters of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitwright.wear.device_structure import effective_stiffness

if TYPE_CHECKING:
    from gaitwright.wear.device_result import DeviceResult


def measures(worn: DeviceResult) -> dict[str, float]:
    """right_ankle.share_of_peak, .share, .peak_with (N m), .stored, .returned (J) of every joint; .stiffness (N m/rad) of
    supported joints, NaN if the moment is not a function of the angle; right_calf.force (N), .moment (N m),
    .migration (m) of every cuff, at their largest; mass (kg); worst (N m, the largest growth of a joint's peak)."""
    values: dict[str, float] = {}
    grown = 0.0
    for joint, one in worn.assistance().items():
        for what in ("share_of_peak", "share", "peak_without", "peak_with", "stored", "returned"):
            values[f"{joint}.{what}"] = getattr(one, what)
        grown = max(grown, one.peak_with - one.peak_without)
    for name in worn.cuffs["cuff"].to_numpy():
        own = worn.cuffs.sel(cuff=name)
        for kind in ("force", "moment", "migration"):
            values[f"{name}.{kind}"] = float(np.nanmax(np.linalg.norm(own[kind].to_numpy(), axis=-1)))
    for one in effective_stiffness(worn):
        values[f"{one.joint}.stiffness"] = np.nan if one.stiffness is None else one.stiffness
    values["mass"], values["worst"] = worn.mass, grown
    return values
