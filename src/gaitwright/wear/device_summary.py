"""Summary of a worn device as JSON-compatible numbers, for summary.json and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.json_types import to_json_types
from gaitwright.wear.device_assembly import cuff_element_name
from gaitwright.wear.device_structure import effective_stiffness, flexible_parts

if TYPE_CHECKING:
    from gaitwright.wear.device_result import DeviceResult, DeviceSide

AXIS_NAMES = ("forward", "up", "right")


def summary_of(worn: DeviceResult) -> dict[str, Any]:
    """Result as nested mappings: device, motion, mass, penalty, joints (see Assistance), worse, cuffs, stiffness,
    flexible_parts, power, parts, notes and others."""
    subject = worn.motion.skeleton.subject
    joints = {name: {**one._asdict(), "worse": one.worse} for name, one in worn.assistance().items()}
    power = worn.power().to_numpy()
    return to_json_types(
        {
            "device": worn.name,
            "motion": worn.source,
            "sides": [side for side in worn.sides if side] or ["whole body"],
            "subject": {"mass": subject.mass, "height": subject.height, "sex": subject.sex},
            "mass": worn.mass,
            "share_of_body_mass": worn.mass / subject.mass,
            "mass_penalty": worn.mass_penalty,
            "joints": joints,
            "worse": [name for name, one in joints.items() if one["worse"]],
            "cuffs": {str(name): cuff_numbers(worn, str(name)) for name in worn.cuffs["cuff"].to_numpy()},
            "stiffness": {one.joint: one._asdict() for one in effective_stiffness(worn)},
            "flexible_parts": {one.name: one._asdict() for one in flexible_parts(worn)},
            "power": {"highest": float(np.nanmax(power)), "lowest": float(np.nanmin(power))},
            "parts": {name or "device": _part_energies(side) for name, side in worn.sides.items()},
            "degrees_of_freedom": {
                n or "device": side.run.mechanism.degrees_of_freedom for n, side in worn.sides.items()
            },
            "redundant": sorted({text for side in worn.sides.values() for text in side.run.evidence.redundant}),
            "ground": {
                "residual_force": residual_rms(worn, "residual_force"),
                "residual_moment": residual_rms(worn, "residual_moment"),
            },
            "spine": {which: one.peak for which, one in worn.spine().items()},
            "cycles": {side: len(worn.cycles.of(side)) for side in ("right", "left")},
            "notes": worn.notes,
        }
    )


def cuff_numbers(worn: DeviceResult, name: str) -> dict[str, Any]:
    """Largest force of a cuff, N, with its components, its mean and its time, s; largest moment, N m, migration, m, turn,
    rad."""
    own = worn.cuffs.sel(cuff=name)
    size = np.linalg.norm(own["force"].to_numpy(), axis=1)
    when = int(np.nanargmax(size))
    numbers: dict[str, Any] = {"segment": str(own["segment"].item()), "force": float(size[when]),
                               "mean_force": float(np.nanmean(size)),
                               "when": float(worn.motion.times[when])}  # fmt: skip
    numbers["at_that_time"] = dict(zip(AXIS_NAMES, own["force"].to_numpy()[when].tolist(), strict=True))
    for kind in ("moment", "migration", "turn"):
        numbers[kind] = float(np.nanmax(np.linalg.norm(own[kind].to_numpy(), axis=1)))
    return numbers


def residual_rms(worn: DeviceResult, name: str) -> dict[str, float]:
    """Root mean square of a residual without and with the device; both are equal while a foot stands."""
    both = {"without": worn.moments[name].to_numpy(), "with": worn.moments_with[name].to_numpy()}
    return {which: float(np.sqrt(np.nanmean(np.sum(values**2, axis=1)))) for which, values in both.items()}


def _part_energies(side: DeviceSide) -> dict[str, dict[str, float]]:
    """Energies of the device's force elements (springs, motors and others) and of its soft cuffs: largest stored energy,
    stored energy at the start and end of the motion, J; work done and energy lost in the motion, J; ranges of torque,
    force and angle."""
    energies: dict[str, dict[str, float]] = {}
    names = set(side.run.names)
    given = [entry["name"] for entry in side.put.device.document.forces if entry.get("name")]
    for name in (*given, *(cuff_element_name(one.cuff.name) for one in side.put.bound)):
        one: dict[str, float] = {}
        if f"{name}.energy" in names:
            energy = side.output(f"{name}.energy")
            one |= {"energy": energy.max(), "energy_at_start": energy[0], "energy_at_end": energy[-1]}
        for what in ("work", "dissipated"):
            if f"{name}.{what}" in names:
                values = side.output(f"{name}.{what}")
                one[what] = values[-1] - values[0]
        for what in ("torque", "force", "angle"):
            if f"{name}.{what}" in names:
                values = side.output(f"{name}.{what}")
                one |= {f"lowest_{what}": float(values.min()), f"highest_{what}": float(values.max())}
        if one:
            energies[name] = one
    return energies
