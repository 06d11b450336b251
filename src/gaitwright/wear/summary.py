"""What is worn in plain numbers, for summary.json and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.plain import plain
from gaitwright.wear.structure import effective_stiffness, flexible_parts
from gaitwright.wear.wearing import element_of

if TYPE_CHECKING:
    from gaitwright.wear.worn import Side, Worn

AXES = ("forward", "up", "right")


def summary_of(worn: Worn) -> dict[str, Any]:
    """device, motion, mass, penalty, joints (see Assistance), worse, cuffs, stiffness, flexible_parts, power, parts, notes."""
    subject = worn.motion.skeleton.subject
    joints = {name: {**one._asdict(), "worse": one.worse} for name, one in worn.assistance().items()}
    power = worn.power().to_numpy()
    return plain({
        "device": worn.name, "motion": worn.source, "sides": [side for side in worn.sides if side] or ["whole body"],
        "subject": {"mass": subject.mass, "height": subject.height, "sex": subject.sex},
        "mass": worn.mass, "share_of_body_mass": worn.mass / subject.mass,
        "mass_penalty": worn.mass_penalty,
        "joints": joints, "worse": [name for name, one in joints.items() if one["worse"]],
        "cuffs": {str(name): cuff_numbers(worn, str(name)) for name in worn.cuffs["cuff"].to_numpy()},
        "stiffness": {one.joint: one._asdict() for one in effective_stiffness(worn)},
        "flexible_parts": {one.name: one._asdict() for one in flexible_parts(worn)},
        "power": {"highest": float(np.nanmax(power)), "lowest": float(np.nanmin(power))},
        "parts": {name or "device": _parts(side) for name, side in worn.sides.items()},
        "degrees_of_freedom": {n or "device": side.run.mechanism.degrees_of_freedom for n, side in worn.sides.items()},
        "redundant": sorted({text for side in worn.sides.values() for text in side.run.evidence.redundant}),
        "ground": {"residual_force": residual(worn, "residual_force"), "residual_moment": residual(worn, "residual_moment")},
        "spine": {which: one.peak for which, one in worn.spine().items()},
        "cycles": {side: len(worn.cycles.of(side)) for side in ("right", "left")},
        "notes": worn.notes,
    })  # fmt: skip


def cuff_numbers(worn: Worn, name: str) -> dict[str, Any]:
    """Largest force, N, its components by direction, moment, N m, migration, m, turn, rad, and when, s."""
    own = worn.cuffs.sel(cuff=name)
    size = np.linalg.norm(own["force"].to_numpy(), axis=1)
    when = int(np.nanargmax(size))
    found: dict[str, Any] = {"segment": str(own["segment"].item()), "force": float(size[when]),
                             "mean_force": float(np.nanmean(size)), "when": float(worn.motion.times[when])}  # fmt: skip
    found["at_that_time"] = dict(zip(AXES, own["force"].to_numpy()[when].tolist(), strict=True))
    for kind in ("moment", "migration", "turn"):
        found[kind] = float(np.nanmax(np.linalg.norm(own[kind].to_numpy(), axis=1)))
    return found


def residual(worn: Worn, name: str) -> dict[str, float]:
    """Root mean squares without and with the device: they are the same where a foot stands."""
    both = {"without": worn.moments[name].to_numpy(), "with": worn.moments_with[name].to_numpy()}
    return {which: float(np.sqrt(np.nanmean(np.sum(values**2, axis=1)))) for which, values in both.items()}


def _parts(side: Side) -> dict[str, dict[str, float]]:
    """Springs, motors and the like of the device, and its soft cuffs: energy stored at most, as the motion begins and as it
    ends, J; work done, J; energy lost, J, in the motion."""
    found: dict[str, dict[str, float]] = {}
    names = set(side.run.names)
    given = [entry["name"] for entry in side.put.device.document.forces if entry.get("name")]
    for name in (*given, *(element_of(one.cuff.name) for one in side.put.bound)):
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
            found[name] = one
    return found
