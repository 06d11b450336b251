"""Start state of an analysis: closed joints, redundant constraints excluded, velocities consistent with joints and drives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AssemblyError, SingularPose
from gaitwright.analysis.dead_points import find_dead_point
from gaitwright.analysis.joint_closure import (
    close_joints,
    closure_gap,
    describe_open_joints,
    drawn_pose,
    find_open_joints,
    require_closed,
)
from gaitwright.analysis.redundant_constraints import RedundantRow, describe_competing_drives, exclude_redundant
from gaitwright.mechanism.evaluation import (
    evaluate_motion,
    evaluate_position,
    evaluate_residual,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.history_parts import begin_histories
from gaitwright.mechanism.kkt import MIN_LARGE_SYSTEM_COORDINATES, build_kkt, factor_kkt, fill_mass
from gaitwright.mechanism.mass_regularisation import find_loose_axis
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.base import PartStrain
from gaitwright.mechanism.pose_assembly import AssembledPose, start_velocity
from gaitwright.mechanism.projection import project_velocity
from gaitwright.mechanism.tables import Array


@dataclass
class StartState:
    """A consistent state at the start time, with findings of its computation: mechanism: without redundant rows, for the
    analysis that starts here; q, v: (n + 1,), SI; t, s; drawn_gap, gap: largest |Phi| of the drawn and of the closed pose."""

    mechanism: Mechanism
    q: Array
    v: Array
    t: float
    drawn_gap: float
    gap: float
    redundant: list[str] = field(default_factory=list)
    """One sentence per redundant row: its joint, and the joints it follows from."""
    singular: bool = False
    warnings: list[str] = field(default_factory=list)
    strains: dict[str, PartStrain] = field(default_factory=dict)
    """Strain of every beam, before loads act on it."""

    def initial_strains(self) -> dict[str, dict[str, float | None]]:
        """The initial strains as plain numbers."""
        return {name: {"strain": strain.strain, "stress": strain.stress} for name, strain in self.strains.items()}


class VelocityConditions(NamedTuple):
    """Linear conditions on the start velocities: nonzero entries of their rows, values and labels."""

    row: Array
    col: Array
    entry: Array
    value: Array
    labels: list[str]

    @property
    def entries(self) -> tuple[Array, Array, Array]:
        return self.row, self.col, self.entry

    def missed(self, v: Array) -> Array:
        """Residual of the conditions for velocities (n + 1)."""
        return np.bincount(self.row, self.entry * v[self.col], minlength=self.value.size) - self.value


MAX_VELOCITY_DRIFT_RATIO = 1e-3
"""Largest violation of velocity constraints, relative to the largest velocity, that is projected out of a given state."""
NO_VELOCITY_CONDITIONS = VelocityConditions(
    np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), []
)


def assemble_velocity_conditions(mechanism: Mechanism, q: Array) -> VelocityConditions:
    """Conditions from the start velocities that the model specifies, in the pose q."""
    parts, values, labels = [], [], []
    for want in mechanism.wanted:
        pose = q[want.index]
        block, value = want.rows(pose), want.value(pose) if callable(want.value) else want.value
        i, j = np.indices(block.shape) if block.ndim == 2 else [np.arange(block.size)] * 2
        parts.append((len(values) + i.ravel(), np.asarray(want.index)[j.ravel()], block.ravel()))
        values += list(value)
        labels += [want.label] * len(value)
    if not parts:
        return NO_VELOCITY_CONDITIONS
    row, col, entry = (np.concatenate(part) for part in zip(*parts, strict=True))
    return VelocityConditions(row, col, entry, np.array(values), labels)


def find_start(mechanism: Mechanism, t: float = 0.0, still: bool = False) -> StartState:
    """Assemble the mechanism at time t and compute consistent velocities. still: velocities are not needed; a large mechanism,
    for which they cost as much as an equilibrium, then gets zero velocities."""
    drawn = drawn_pose(mechanism, t)
    gap = closure_gap(mechanism, drawn, t)
    assembly = close_joints(mechanism, drawn, t)
    require_admissible_strains(mechanism, assembly.q, t)
    conditions = assemble_velocity_conditions(mechanism, assembly.q)
    return start_in_motion(
        mechanism, assembly, t, gap, conditions, still and mechanism.n > MIN_LARGE_SYSTEM_COORDINATES
    )


def start_from_pose(mechanism: Mechanism, q: Array, t: float) -> StartState:
    """Start state from a closed pose, such as the end of a run, with the velocities that joints and drives prescribe there;
    beams move as rigidly as possible."""
    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, t)
    evaluate_residual(s, w, q)
    assembly = AssembledPose(q.copy(), w.phi.copy(), 0)
    require_closed(mechanism, assembly, t)
    return start_in_motion(mechanism, assembly, t, assembly.gap, NO_VELOCITY_CONDITIONS)


def start_in_motion(
    mechanism: Mechanism,
    assembly: AssembledPose,
    t: float,
    drawn: float,
    conditions: VelocityConditions,
    still: bool = False,
) -> StartState:
    """Start state in a closed pose: redundant constraints excluded, velocities that meet the specified ones unless it is
    still."""
    begin_histories(mechanism, assembly.q, t)
    search = exclude_redundant(mechanism, assembly.q, t)
    mechanism, rows, singular = search
    redundant = search.sentences()
    require_inertia(mechanism, assembly.q, t)
    warnings = []
    if singular:
        warnings.append(describe_singular_start(mechanism, assembly.q, t))
    s = mechanism.system
    v = None if redundant or singular or still else solve_determined_velocity(mechanism, assembly.q, t)
    if still:
        v, missed = np.zeros(s.n + 1), np.zeros(conditions.value.size)
    elif v is None:
        v, missed = start_velocity(
            s, assembly.q, t, conditions.entries, conditions.value, mechanism.calm if mechanism.flexible else None
        )
    else:
        missed = conditions.missed(v)
    if not still:
        require_consistent_velocity(mechanism, assembly.q, v, t, singular, rows)
    strained, strain_warnings = compute_initial_strains(mechanism, assembly.q, assembly.strains)
    warnings += strain_warnings
    by = zip(conditions.labels, missed, strict=True)
    unmet = {label for label, off in by if abs(off) > 1e-6 * (1 + np.abs(conditions.value).max())}
    warnings += [f"the wanted {label} cannot be met; the nearest possible is used" for label in sorted(unmet)]
    return StartState(mechanism, assembly.q, v, t, drawn, assembly.gap, redundant, singular, warnings, strained)


def compute_initial_strains(
    mechanism: Mechanism, q: Array, known_strains: dict[str, PartStrain] | None = None
) -> tuple[dict[str, PartStrain], list[str]]:
    """Strain of every beam in the start pose, computed unless it is known, and a warning for each unintended prestress."""
    if not mechanism.flexible:
        return {}, []
    from gaitwright.analysis.statics.strain_relaxation import MIN_WARNING_STRAIN, measure_strains

    strains = measure_strains(mechanism, q) if known_strains is None else known_strains
    parts = [
        part
        for part in mechanism.flexible
        if strains[part.name].strain > MIN_WARNING_STRAIN and not part.is_prestressed_on_purpose(q)
    ]
    return strains, [
        f"{part.kind} '{part.name}' starts strained by {strains[part.name]}: its joints leave it no pose without stress"
        for part in parts
    ]


def solve_determined_velocity(mechanism: Mechanism, q: Array, t: float) -> Array | None:
    """Velocities of a mechanism if joints and drives determine them completely; None if they do not. `start_velocity` gives
    the same, but searches for the least kinetic energy, which matters in sweeps that start ten thousand times."""
    s = mechanism.system
    if s.m < s.n or mechanism.flexible:
        return None
    w, system, v = new_workspace(s), build_kkt(s), np.zeros(s.n + 1)
    update_signals(s, w, t)
    # The second refines the first.
    converged = project_velocity(s, w, system, q, v) and project_velocity(s, w, system, q, v)
    return v if converged and np.all(np.isfinite(v)) else None


def start_from_state(mechanism: Mechanism, q: Array, v: Array, t: float = 0.0) -> StartState:
    """Start state from a given state; its joints must be closed with the drives at time t."""
    if q.size != mechanism.n + 1:
        ErrorContext("start").fail(
            f"has {q.size - 1} coordinates, this model has {mechanism.n}", expected="a result of this model"
        )
    begin_histories(mechanism, q, t)
    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, t)
    evaluate_residual(s, w, q)
    if find_open_joints(mechanism, w.phi):
        listed = ", ".join(describe_open_joints(mechanism, w.phi)[:3])
        raise AssemblyError(
            f"the joints are not closed in the state to start from; open: {listed}", time=t,
            open_joints=find_open_joints(mechanism, w.phi),
            suggestion="start from a result whose last time fits the drives at time 0",
        )  # fmt: skip
    search = exclude_redundant(mechanism, q, t)
    mechanism, rows, singular = search
    redundant = search.sentences()
    require_inertia(mechanism, q, t)
    v = remove_velocity_drift(mechanism, q, v)
    require_consistent_velocity(mechanism, q, v, t, singular, rows)
    gap = float(np.max(np.abs(w.phi), initial=0.0))
    return StartState(
        mechanism,
        q.copy(),
        v.copy(),
        t,
        gap,
        gap,
        redundant,
        singular,
        strains=compute_initial_strains(mechanism, q)[0],
    )


def remove_velocity_drift(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Project velocities onto the velocity constraints if they violate these by no more than MAX_VELOCITY_DRIFT_RATIO.

    Methods that enforce positions only (generalized-alpha) leave such a violation at the end of a run. A larger violation
    means that the state belongs to another motion: v is then returned unchanged, and `require_consistent_velocity`
    reports it."""
    s, w, projected = mechanism.system, new_workspace(mechanism.system), v.copy()
    evaluate_motion(s, w, q, projected)
    violation = np.abs(w.phi_dot[: s.m]).max(initial=0.0)
    limit = MAX_VELOCITY_DRIFT_RATIO * (np.abs(w.phi_t).max(initial=0.0) + np.abs(v).max(initial=0.0))
    if violation > limit or not project_velocity(s, w, build_kkt(s), q, projected):
        return v
    return projected


def require_admissible_strains(mechanism: Mechanism, q: Array, t: float) -> None:
    """Raise AssemblyError if a flexible part would be strained more than it admits."""
    for part in mechanism.flexible:
        misfit = part.inadmissible_strain(q)
        if misfit is not None:
            raise AssemblyError(misfit.problem, time=t, suggestion=misfit.suggestion)


def require_consistent_velocity(
    mechanism: Mechanism, q: Array, v: Array, t: float, singular: bool, redundant: list[RedundantRow]
) -> None:
    """Raise an error if no velocity satisfies all joints and drives, including redundant rows: a row that follows from the
    others does so in regular poses."""
    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, t)
    evaluate_motion(s, w, q, v)
    off = np.abs(w.phi_dot[: s.m] if singular else w.phi_dot)
    row = int(np.argmax(off)) if off.size else 0
    if not off.size or off[row] <= 1e-8 * (np.abs(w.phi_t).max() + np.abs(v).max()) + 1e-12:
        return
    names = mechanism.constraint_of_row(row)
    _, unit = names.labels[list(mechanism.row_position[names.rows]).index(row)]
    problem = (
        f"no velocity satisfies all joints and drives: {names.kind} '{names.name}' is off by {off[row]:.3g} {unit}/s"
    )
    if row < s.m:
        raise SingularPose(
            f"{problem}: {describe_singular_start(mechanism, q, t)}", time=t, joints=(names.name,),
            suggestion="start from another pose or drive another body",
        )  # fmt: skip
    drives = describe_competing_drives(redundant)
    raise AssemblyError(
        f"{problem} although the others already determine it{f': {drives}' if drives else ''}", time=t,
        suggestion="leave one of the conflicting drives out, or let them prescribe the same motion",
    )  # fmt: skip


def require_inertia(mechanism: Mechanism, q: Array, t: float) -> None:
    """Raise SingularPose if a body can turn about an axis without inertia."""
    s = mechanism.system
    if not s.rod_weight.size:
        return
    w, system = new_workspace(s), build_kkt(s)
    update_signals(s, w, t)
    evaluate_position(s, w, q)
    fill_mass(s, w, system)
    unknown = factor_kkt(system)
    loose = unknown - s.n - s.m if unknown >= 0 else find_loose_axis(system.brace, system.K)
    if loose >= 0:
        raise SingularPose(
            describe_spinning_rod(mechanism, loose), time=t,
            suggestion="give it an inertia about this axis, or hold it by a joint (such as universal instead of spherical)",
        )  # fmt: skip


def describe_spinning_rod(mechanism: Mechanism, rod: int) -> str:
    """Error text for a thin rod (index as in Mechanism.rods) that can spin about its own axis."""
    body, _, axis, _ = mechanism.rods()[rod]
    axis = np.round(axis * np.sign(axis[np.argmax(np.abs(axis))]), 12) + 0.0
    components = ", ".join(f"{x:.4g}" for x in axis)
    return f"body '{body.name}' has no inertia about its axis [{components}] and nothing holds it"


def describe_singular_start(mechanism: Mechanism, q: Array, t: float) -> str:
    """Sentence about a start pose in which some joints restrain less than in poses nearby."""
    dead_point = find_dead_point(mechanism, q, t)
    loop = dead_point.sentence() if dead_point else "some joints restrain less here than in poses nearby"
    return f"the start pose is singular: {loop}"


def require_regular_start(mechanism: Mechanism, begin: StartState) -> None:
    """Raise SingularPose if the joints do not determine the accelerations in the start pose."""
    if begin.singular:
        raise SingularPose(
            describe_singular_start(mechanism, begin.q, begin.t), time=begin.t,
            suggestion="start from a pose nearby (drawn points, angle of the drive)",
        )  # fmt: skip
