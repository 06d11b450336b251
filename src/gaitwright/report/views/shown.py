"""Which of its many outputs a run shows to people who did not say which they want."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.result.charted import charts_of

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MOST_STRESSES = 1_000_000
"""Nodes times instants whose stresses are computed without being asked for: a second or so."""


def shown_outputs(result: Result) -> list[str]:
    """What to show of a result: what the model asks for, otherwise quantities of its own, its drives, forces, contacts, angles
    of bodies and where free ones are, the ends of beams, how hard they are bent, what strains solids, and energies."""
    names = result.default_names()
    if (result.document or {}).get("outputs"):
        return names
    mechanism = result.mechanism
    owners = [c.name for c in mechanism.constraint_names if c.kind == "drive"]
    owners += [f.name for f in mechanism.force_names if not f.declaration.implied]
    chosen = [quantity.name for quantity in mechanism.quantities]
    chosen += [name for chart in charts_of(result.document) for name in chart.y]
    chosen += [n for n in names if n.rpartition(".")[0] in owners and n.rpartition(".")[0] not in mechanism.parts]
    points = {point for part in mechanism.flexible for point in part.points}  # of a beam: sections have torques, too
    driving = [n for n in names if n.endswith((".torque", ".force", ".power", ".work")) and n.count(".") == 1]
    chosen += [n for n in driving if n.partition(".")[0] not in points]
    pressed = ("normal_force", "tangential_force", "penetration")
    chosen += [f"{contact}.{what}" for contact in result.contact_names() for what in pressed]
    jointed = {body for c in mechanism.constraint_names if c.kind != "body" for body in c.bodies}
    free = [name for name in mechanism.parts if name not in jointed]
    chosen += [f"{body}.{axis}" for body in free for axis in "xyz"[: mechanism.dimension]]
    chosen += [f"{name}.angle" for name in mechanism.parts]
    joints = [c for c in mechanism.constraint_names if c.kind == "joint"]
    chosen += [
        f"{c.name}.{what}" for c in joints for what in c.declaration.observed if what in ("angle", "displacement")
    ]
    turning = free if joints else list(mechanism.parts)
    chosen += [f"{body}.{what}" for body in turning for what in ("wx", "wy", "wz")]
    bent = ("end.x", "end.y", "end.z", "end.angle", "max_bending_moment", "max_torque", "max_stress", "strain_energy")
    chosen += [f"{part.name}.{what}" for part in mechanism.flexible for what in bent]
    solids: list[Any] = [part for part in mechanism.flexible if part.meshed]
    if sum(len(part.mesh.nodes) for part in solids) * len(result.time) <= MOST_STRESSES:
        chosen += [f"{part.name}.{what}" for part in solids for what in ("largest_displacement", "von_mises")]
    chosen += [n for n in names if n.startswith("energy.")]
    return [name for name in dict.fromkeys(chosen) if name in names]
