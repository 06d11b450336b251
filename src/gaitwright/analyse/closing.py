"""Closing the joints: the pose near the drawn one in which they hold, and the words for those that stay open."""

from __future__ import annotations

import math

import numpy as np

from gaitwright.analyse.redundant_constraints import competing_drives, remove_redundant
from gaitwright.errors import AssemblyError
from gaitwright.geometry.rotation import axes_of
from gaitwright.physics.drives.orientation import AxesDrive
from gaitwright.system.assemble import CLOSED, Assembly, close
from gaitwright.system.evaluate import residual, signals_at, workspace
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import ConstraintNames, Mechanism
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import Array

ROUNDING = 1e-13
"""|Phi|, m or rad, that rounding leaves: closing goes on to 1e-14 where it can."""

OPPOSITE = 0.01
"""1 + the trace of a deviation in orientation, which is 0 for half a turn, below which a drive cannot find back."""


def drawn_pose(mechanism: Mechanism, t: float) -> Array:
    """The drawn pose; but bodies drawn about half a turn away from where a drive wants them stand as it wants them, because
    the residual of the drive has no value there."""
    q = mechanism.drawn_at(t)
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if names.declaration is AxesDrive and names.bodies[0] != "ground":
            body, reference = (mechanism.part(name) for name in (*names.bodies, "ground")[:2])
            wanted = np.array([evaluate_program(mechanism.signals[k], t)[0] for k in element.signals]).reshape(3, 3)
            wanted = wanted @ axes_of(q[reference.index])
            if 1.0 + np.sum(wanted * axes_of(q[body.index])) < OPPOSITE:
                q[body.index[3:]] = (wanted - np.eye(3)).ravel()
    return q


def close_gap(mechanism: Mechanism, q: Array, t: float) -> float:
    """Largest |Phi| in a pose."""
    s, w = mechanism.system, workspace(mechanism.system)
    signals_at(s, w, t)
    residual(s, w, q)
    return float(np.max(np.abs(w.phi), initial=0.0))


def open_joints(mechanism: Mechanism, phi: Array) -> dict[str, float]:
    """Joints and drives that are not closed, largest gap first, in m (or rad)."""
    size = min(mechanism.size, 1.0)  # rows in rad have the size 1
    gaps: dict[str, float] = {}
    if math.sqrt(phi.size) * np.max(np.abs(phi), initial=0.0) <= CLOSED * size:
        return gaps  # no need to look at them one by one
    for names in mechanism.constraint_names:
        gap = float(np.max(list(_gaps(mechanism, names, phi).values())))
        if not gap <= CLOSED * size:
            gaps[names.name] = max(gap, gaps.get(names.name, 0.0))
    return dict(sorted(gaps.items(), key=lambda item: -item[1]))


def _gaps(mechanism: Mechanism, names: ConstraintNames, phi: Array) -> dict[str, float]:
    """How far a joint is open, by unit: m, rad or both."""
    units = np.array([unit for _, unit in names.labels])
    given = phi[mechanism.row_position[names.rows]]
    return {str(unit): float(np.linalg.norm(given[units == unit])) for unit in dict.fromkeys(units)}


def describe_open(mechanism: Mechanism, phi: Array) -> list[str]:
    """One phrase per joint or drive that is not closed, such as: joint 'A' by 1.2 mm. Those that are a thousand times less
    open than the worst only share in its trouble and are left out."""
    phrases = []
    gaps = open_joints(mechanism, phi)
    worst = max(gaps.values(), default=0.0)
    for name in [name for name, gap in gaps.items() if not gap < 1e-3 * worst]:
        pairs = zip(mechanism.constraint_names, mechanism.constraints, strict=True)
        # A drive may be called after its joint, and be several elements: the one that is open most.
        named = [(*pair, _gaps(mechanism, pair[0], phi)) for pair in pairs if pair[0].name == name]
        names, element, gaps = max(named, key=lambda found: np.nan_to_num(max(found[2].values()), nan=np.inf))
        gaps = {unit: gap for unit, gap in gaps.items() if not gap < 1e-12}
        by = [f"{1000 * g:.3g} mm" if unit == "m" else f"{g:.3g} {unit}".removesuffix(" 1") for unit, g in gaps.items()]
        finite = all(np.isfinite(gap) for gap in gaps.values())
        how = f"by {' and '.join(by)}" if finite else "(its value is not a finite number)"
        how += "" if finite else mechanism.given_ranges(element.signals)
        phrases.append(f"{names.kind} '{name}' {how}")
    return phrases


def nearest_pose(mechanism: Mechanism, q: Array, t: float) -> Assembly:
    """The pose near q with the smallest gaps, closed or not. Beams are moved as rigid pieces of their unstressed shape;
    what stays open then is closed by straining them as little as that takes."""
    s = mechanism.system
    if mechanism.flexible:
        pieces = mechanism.pieces()
        moved = close(s, workspace(s), None, pieces.placed(q), mechanism.scale, t, moves=pieces)
        if moved.gap < ROUNDING * max(mechanism.size, 1.0):
            return moved
        q = moved.q if np.all(np.isfinite(moved.q)) else q
    s, weight = mechanism.closing(q)
    return close(s, workspace(s), kkt(s), q, mechanism.scale, t, weight)


def close_joints(mechanism: Mechanism, q: Array, t: float) -> Assembly:
    """Close the joints from the pose q, and let strained beams relax; AssemblyError names joints that stay open."""
    assembly = nearest_pose(mechanism, q, t)
    require_closed(mechanism, assembly, t)
    return rest_of_strain(mechanism, assembly, t) if mechanism.flexible else assembly


def require_closed(mechanism: Mechanism, assembly: Assembly, t: float) -> None:
    """AssemblyError that names the joints that stay open."""
    gaps = open_joints(mechanism, assembly.phi)
    if gaps or not np.all(np.isfinite(assembly.q)):
        phrases = describe_open(mechanism, assembly.phi)
        listed = ", ".join(phrases[:6])
        more = f" and {len(phrases) - 6} more" if len(phrases) > 6 else ""
        check = "check the lengths and joints named, the drives at the start time, and the drawn points"
        slip = next((text for text in mechanism.warnings if "looks like" in text), "")  # such as mm that were meant
        drives = conflicting_drives(mechanism, t)
        if drives:
            check = "remove one of these drives or let them prescribe the same motion"
        raise AssemblyError(
            drives or f"the mechanism cannot be closed from the drawn pose; open: {listed}{more}",
            time=t,
            open_joints=gaps,
            suggestion=f"{slip}; {check}" if slip else check,
        )


def conflicting_drives(mechanism: Mechanism, t: float) -> str:
    """One sentence that names drives which prescribe different values of one degree of freedom at time t, and by how much they
    differ; empty if there are none."""
    excluded = list(mechanism.redundant)
    # The nearest pose is stretched to its limit and singular; the drawn pose shows what the drives restrain in general.
    drives = competing_drives(remove_redundant(mechanism, drawn_pose(mechanism, t), t)[0])
    if drives:
        gaps = describe_open(mechanism, nearest_pose(mechanism, drawn_pose(mechanism, t), t).phi)
        drives += f" and differ: {', '.join(gaps)}" if gaps else ""
    mechanism.rebuild(excluded)
    return drives


def unstressed_poses(mechanism: Mechanism, times: Array) -> Array:
    """Poses at increasing times (s) that the drives prescribe when beams do not bend: (n_times, n + 1)."""
    q, found = drawn_pose(mechanism, float(times[0])), []
    for t in times:
        assembly = nearest_pose(mechanism, q, float(t))
        require_closed(mechanism, assembly, float(t))
        found.append(q := assembly.q)
    return np.array(found)


def rest_of_strain(mechanism: Mechanism, assembly: Assembly, t: float) -> Assembly:
    """The closed pose in which beams are strained no more than their loops, or a wish, demand."""
    from gaitwright.analyse.statics.relax import STRAINED, relaxed, strains

    strained = strains(mechanism, assembly.q)
    if all(found.strain <= STRAINED for found in strained.values()):
        return assembly._replace(strains=strained)
    q = relaxed(mechanism, assembly.q, t)
    s, w = mechanism.system, workspace(mechanism.system)
    signals_at(s, w, t)
    residual(s, w, q)
    return Assembly(q, w.phi.copy(), assembly.iterations)
