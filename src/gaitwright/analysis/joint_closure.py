"""Joint closure: the pose near the drawn one in which the joints are closed, and descriptions of joints that stay open."""

from __future__ import annotations

import math

import numpy as np

from gaitwright._core.errors import AssemblyError
from gaitwright.analysis.redundant_constraints import describe_competing_drives, exclude_redundant
from gaitwright.geometry.rotation import axes_of
from gaitwright.mechanism.evaluation import evaluate_residual, new_workspace, update_signals
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.pose_assembly import CLOSED_JOINT_RTOL, AssembledPose, assemble_pose
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.tables import Array
from gaitwright.physics.drives.orientation import AxesDrive

CLOSURE_ROUNDING_TOL = 1e-13
"""|Phi| (m or rad) that counts as rounding error; the closing iteration continues to 1e-14 if it can."""

HALF_TURN_TRACE_TOL = 0.01
"""Lower bound of 1 + trace of an orientation error (0 for half a turn), below which a drive cannot correct the orientation."""


def drawn_pose(mechanism: Mechanism, t: float) -> Array:
    """The drawn pose, but bodies drawn about half a turn away from the orientation that a drive prescribes get this
    orientation, because the residual of the drive is undefined there."""
    q = mechanism.drawn_at(t)
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        if names.declaration is AxesDrive and names.bodies[0] != "ground":
            body, reference = (mechanism.part(name) for name in (*names.bodies, "ground")[:2])
            target = np.array([evaluate_program(mechanism.signals[k], t)[0] for k in element.signals]).reshape(3, 3)
            target = target @ axes_of(q[reference.index])
            if 1.0 + np.sum(target * axes_of(q[body.index])) < HALF_TURN_TRACE_TOL:
                q[body.index[3:]] = (target - np.eye(3)).ravel()
    return q


def closure_gap(mechanism: Mechanism, q: Array, t: float) -> float:
    """Largest |Phi| in a pose."""
    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, t)
    evaluate_residual(s, w, q)
    return float(np.max(np.abs(w.phi), initial=0.0))


def find_open_joints(mechanism: Mechanism, phi: Array) -> dict[str, float]:
    """Joints and drives that are not closed, largest gap first, in m (or rad)."""
    size = min(mechanism.size, 1.0)  # rows in rad have size 1
    gaps: dict[str, float] = {}
    if math.sqrt(phi.size) * np.max(np.abs(phi), initial=0.0) <= CLOSED_JOINT_RTOL * size:
        return gaps  # no need to check them one by one
    for names in mechanism.constraint_names:
        gap = float(np.max(list(_joint_gaps(mechanism, names, phi).values())))
        if not gap <= CLOSED_JOINT_RTOL * size:
            gaps[names.name] = max(gap, gaps.get(names.name, 0.0))
    return dict(sorted(gaps.items(), key=lambda item: -item[1]))


def _joint_gaps(mechanism: Mechanism, names: ConstraintNames, phi: Array) -> dict[str, float]:
    """Gap of a joint by unit: m, rad or both."""
    units = np.array([unit for _, unit in names.labels])
    residuals = phi[mechanism.row_position[names.rows]]
    return {str(unit): float(np.linalg.norm(residuals[units == unit])) for unit in dict.fromkeys(units)}


def describe_open_joints(mechanism: Mechanism, phi: Array) -> list[str]:
    """One phrase per joint or drive that is not closed, such as: joint 'A' by 1.2 mm. Gaps a thousand times smaller than the
    largest only follow from it and are left out."""
    phrases = []
    gaps = find_open_joints(mechanism, phi)
    worst = max(gaps.values(), default=0.0)
    for name in [name for name, gap in gaps.items() if not gap < 1e-3 * worst]:
        pairs = zip(mechanism.constraint_names, mechanism.constraints, strict=True)
        # A drive may have the name of its joint and consist of several elements: take the element with the largest gap.
        named = [(*pair, _joint_gaps(mechanism, pair[0], phi)) for pair in pairs if pair[0].name == name]
        names, element, gaps = max(named, key=lambda entry: np.nan_to_num(max(entry[2].values()), nan=np.inf))
        gaps = {unit: gap for unit, gap in gaps.items() if not gap < 1e-12}
        by = [f"{1000 * g:.3g} mm" if unit == "m" else f"{g:.3g} {unit}".removesuffix(" 1") for unit, g in gaps.items()]
        finite = all(np.isfinite(gap) for gap in gaps.values())
        how = f"by {' and '.join(by)}" if finite else "(its value is not a finite number)"
        how += "" if finite else mechanism.given_ranges(element.signals)
        phrases.append(f"{names.kind} '{name}' {how}")
    return phrases


def find_nearest_pose(mechanism: Mechanism, q: Array, t: float) -> AssembledPose:
    """The pose near q with the smallest gaps, closed or not. Beams are first moved as rigid pieces of their unstressed shape;
    the remaining gaps are closed with the smallest strain that this needs."""
    s = mechanism.system
    if mechanism.flexible:
        pieces = mechanism.pieces()
        moved = assemble_pose(s, new_workspace(s), None, pieces.placed(q), mechanism.scale, t, moves=pieces)
        if moved.gap < CLOSURE_ROUNDING_TOL * max(mechanism.size, 1.0):
            return moved
        q = moved.q if np.all(np.isfinite(moved.q)) else q
    s, weight = mechanism.closing(q)
    return assemble_pose(s, new_workspace(s), build_kkt(s), q, mechanism.scale, t, weight)


def close_joints(mechanism: Mechanism, q: Array, t: float) -> AssembledPose:
    """Close the joints from the pose q and relax strained beams; AssemblyError names joints that stay open."""
    assembly = find_nearest_pose(mechanism, q, t)
    require_closed(mechanism, assembly, t)
    return relax_residual_strain(mechanism, assembly, t) if mechanism.flexible else assembly


def require_closed(mechanism: Mechanism, assembly: AssembledPose, t: float) -> None:
    """Raise AssemblyError, with the names of the open joints, if joints are not closed."""
    gaps = find_open_joints(mechanism, assembly.phi)
    if gaps or not np.all(np.isfinite(assembly.q)):
        phrases = describe_open_joints(mechanism, assembly.phi)
        listed = ", ".join(phrases[:6])
        more = f" and {len(phrases) - 6} more" if len(phrases) > 6 else ""
        check = "check the lengths and joints named, the drives at the start time, and the drawn points"
        slip = next((text for text in mechanism.warnings if "looks like" in text), "")  # such as mm instead of m
        drives = describe_conflicting_drives(mechanism, t)
        if drives:
            check = "remove one of these drives or let them prescribe the same motion"
        raise AssemblyError(
            drives or f"the mechanism cannot be closed from the drawn pose; open: {listed}{more}",
            time=t,
            open_joints=gaps,
            suggestion=f"{slip}; {check}" if slip else check,
        )


def describe_conflicting_drives(mechanism: Mechanism, t: float) -> str:
    """One sentence that names drives that prescribe different values of one degree of freedom at time t, and the difference;
    empty if there are none."""
    # The nearest pose is stretched to its limit and singular; the drawn pose shows the drive constraints in general.
    mechanism, rows, _ = exclude_redundant(mechanism, drawn_pose(mechanism, t), t)
    drives = describe_competing_drives(rows)
    if drives:
        gaps = describe_open_joints(mechanism, find_nearest_pose(mechanism, drawn_pose(mechanism, t), t).phi)
        drives += f" and differ: {', '.join(gaps)}" if gaps else ""
    return drives


def find_unstressed_poses(mechanism: Mechanism, times: Array) -> Array:
    """Poses at increasing times (s) that the drives prescribe if beams do not bend: (n_times, n + 1)."""
    q, poses = drawn_pose(mechanism, float(times[0])), []
    for t in times:
        assembly = find_nearest_pose(mechanism, q, float(t))
        require_closed(mechanism, assembly, float(t))
        poses.append(q := assembly.q)
    return np.array(poses)


def relax_residual_strain(mechanism: Mechanism, assembly: AssembledPose, t: float) -> AssembledPose:
    """The closed pose in which beams are strained no more than their loops, or a prestress requested by the model, require."""
    from gaitwright.analysis.statics.strain_relaxation import UNSTRESSED_STRAIN_TOL, measure_strains, relax_strains

    strained = measure_strains(mechanism, assembly.q)
    if all(part.strain <= UNSTRESSED_STRAIN_TOL for part in strained.values()):
        return assembly._replace(strains=strained)
    q = relax_strains(mechanism, assembly.q, t)
    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, t)
    evaluate_residual(s, w, q)
    return AssembledPose(q, w.phi.copy(), assembly.iterations)
