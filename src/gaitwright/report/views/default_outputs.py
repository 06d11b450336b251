"""Default selection of the outputs of a run, for models that list none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.result.cross_plots import read_cross_plots

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MAX_STRESS_VALUES = 1_000_000
"""Maximum number of nodes times instants for which stresses are computed by default: about a second."""


def select_default_outputs(result: Result) -> list[str]:
    """Outputs to show of a result: those listed by the model; otherwise user-defined outputs, its drives, forces, contacts,
    angles of bodies and positions of free ones, ends and loads of beams, displacements and stresses of solids, and energies."""
    names = result.default_names()
    if (result.document or {}).get("outputs"):
        return names
    mechanism = result.mechanism
    owners = [c.name for c in mechanism.constraint_names if c.kind == "drive"]
    owners += [f.name for f in mechanism.force_names if not f.declaration.implied]
    chosen = [quantity.name for quantity in mechanism.quantities]
    chosen += [name for chart in read_cross_plots(result.document) for name in chart.y]
    chosen += [n for n in names if n.rpartition(".")[0] in owners and n.rpartition(".")[0] not in mechanism.parts]
    # points of beams: their sections have torques, too
    points = {point for part in mechanism.flexible for point in part.points}
    driving = [n for n in names if n.endswith((".torque", ".force", ".power", ".work")) and n.count(".") == 1]
    chosen += [n for n in driving if n.partition(".")[0] not in points]
    pressed = ("normal_force", "tangential_force", "penetration")
    chosen += [f"{contact}.{quantity}" for contact in result.contact_names() for quantity in pressed]
    jointed = {body for c in mechanism.constraint_names if c.kind != "body" for body in c.bodies}
    free = [name for name in mechanism.parts if name not in jointed]
    chosen += [f"{body}.{axis}" for body in free for axis in "xyz"[: mechanism.dimension]]
    chosen += [f"{name}.angle" for name in mechanism.parts]
    joints = [c for c in mechanism.constraint_names if c.kind == "joint"]
    chosen += [
        f"{c.name}.{quantity}"
        for c in joints
        for quantity in c.declaration.observed
        if quantity in ("angle", "displacement")
    ]
    turning = free if joints else list(mechanism.parts)
    chosen += [f"{body}.{quantity}" for body in turning for quantity in ("wx", "wy", "wz")]
    bent = ("end.x", "end.y", "end.z", "end.angle", "max_bending_moment", "max_torque", "max_stress", "strain_energy")
    chosen += [f"{part.name}.{quantity}" for part in mechanism.flexible for quantity in bent]
    solids: list[Any] = [part for part in mechanism.flexible if part.meshed]
    if sum(len(part.mesh.nodes) for part in solids) * len(result.time) <= MAX_STRESS_VALUES:
        chosen += [f"{part.name}.{quantity}" for part in solids for quantity in ("largest_displacement", "von_mises")]
    chosen += [n for n in names if n.startswith("energy.")]
    return [name for name in dict.fromkeys(chosen) if name in names]
