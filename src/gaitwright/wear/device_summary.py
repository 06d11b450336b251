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
    joints = {name: {**entry._asdict(), "worse": entry.worse} for name, entry in worn.assistance().items()}
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
            "worse": [name for name, entry in joints.items() if entry["worse"]],
            "cuffs": {str(name): cuff_numbers(worn, str(name)) for name in worn.cuffs["cuff"].to_numpy()},
            "stiffness": {entry.joint: entry._asdict() for entry in effective_stiffness(worn)},
            "flexible_parts": {entry.name: entry._asdict() for entry in flexible_parts(worn)},
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
            "spine": {case: entry.peak for case, entry in worn.spine().items()},
            "cycles": {side: len(worn.cycles.of(side)) for side in ("right", "left")},
            "notes": worn.notes,
        }
    )


def cuff_numbers(worn: DeviceResult, name: str) -> dict[str, Any]:
    """Largest force of a cuff, N, with its components, its mean and its time, s; largest moment, N m, migration, m, turn,
    rad."""
    cuff = worn.cuffs.sel(cuff=name)
    size = np.linalg.norm(cuff["force"].to_numpy(), axis=1)
    peak_index = int(np.nanargmax(size))
    numbers: dict[str, Any] = {"segment": str(cuff["segment"].item()), "force": float(size[peak_index]),
                               "mean_force": float(np.nanmean(size)),
                               "when": float(worn.motion.times[peak_index])}  # fmt: skip
    numbers["at_that_time"] = dict(zip(AXIS_NAMES, cuff["force"].to_numpy()[peak_index].tolist(), strict=True))
    for kind in ("moment", "migration", "turn"):
        numbers[kind] = float(np.nanmax(np.linalg.norm(cuff[kind].to_numpy(), axis=1)))
    return numbers


def residual_rms(worn: DeviceResult, name: str) -> dict[str, float]:
    """Root mean square of a residual without and with the device; both are equal while a foot stands."""
    moment_sets = {"without": worn.moments[name].to_numpy(), "with": worn.moments_with[name].to_numpy()}
    return {case: float(np.sqrt(np.nanmean(np.sum(values**2, axis=1)))) for case, values in moment_sets.items()}


def _part_energies(side: DeviceSide) -> dict[str, dict[str, float]]:
    """Energies of the device's force elements (springs, motors and others) and of its soft cuffs: largest stored energy,
    stored energy at the start and end of the motion, J; work done and energy lost in the motion, J; ranges of torque,
    force and angle."""
    energies: dict[str, dict[str, float]] = {}
    names = set(side.run.names)
    force_names = [entry["name"] for entry in side.put.device.document.forces if entry.get("name")]
    for name in (*force_names, *(cuff_element_name(energies_of_part.cuff.name) for energies_of_part in side.put.bound)):
        energies_of_part: dict[str, float] = {}
        if f"{name}.energy" in names:
            energy = side.output(f"{name}.energy")
            energies_of_part |= {"energy": energy.max(), "energy_at_start": energy[0], "energy_at_end": energy[-1]}
        for quantity in ("work", "dissipated"):
            if f"{name}.{quantity}" in names:
                values = side.output(f"{name}.{quantity}")
                energies_of_part[quantity] = values[-1] - values[0]
        for quantity in ("torque", "force", "angle"):
            if f"{name}.{quantity}" in names:
                values = side.output(f"{name}.{quantity}")
                energies_of_part |= {
                    f"lowest_{quantity}": float(values.min()),
                    f"highest_{quantity}": float(values.max()),
                }
        if energies_of_part:
            energies[name] = energies_of_part
    return energies
