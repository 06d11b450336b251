"""The start of every analysis: joints closed, redundant ones set aside, velocities consistent with joints and drives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gaitwright.analyse.closing import close_gap, close_joints, describe_open, drawn_pose, open_joints, require_closed
from gaitwright.analyse.dead_points import find_dead_point
from gaitwright.analyse.redundant_constraints import RedundantRow, competing_drives, remove_redundant
from gaitwright.checks import At
from gaitwright.errors import AssemblyError, SingularPose
from gaitwright.system.assemble import Assembly, start_velocity
from gaitwright.system.brace import loose_turn
from gaitwright.system.evaluate import motion, position, residual, signals_at, workspace
from gaitwright.system.kkt import MANY, factor, fill_mass, kkt
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.base import Strain
from gaitwright.system.project import project_velocity
from gaitwright.system.remembering import begin_memory
from gaitwright.system.tables import Array


@dataclass
class Start:
    """A consistent state at the start time, and what was found on the way."""

    q: Array
    v: Array
    t: float
    drawn_gap: float
    gap: float
    redundant: list[str] = field(default_factory=list)
    """One sentence per redundant row: which joint, and which others it follows from."""
    singular: bool = False
    warnings: list[str] = field(default_factory=list)
    strains: dict[str, Strain] = field(default_factory=dict)
    """Of every beam, before anything acts on it."""

    def initial_strains(self) -> dict[str, dict[str, float | None]]:
        """The same as plain numbers."""
        return {name: {"strain": found.strain, "stress": found.stress} for name, found in self.strains.items()}


class Wanted(NamedTuple):
    """Linear conditions on the start velocities: the entries of their rows that are not zero, values and labels."""

    row: Array
    col: Array
    entry: Array
    value: Array
    labels: list[str]

    @property
    def entries(self) -> tuple[Array, Array, Array]:
        return self.row, self.col, self.entry

    def missed(self, v: Array) -> Array:
        """How far velocities (n + 1) are from meeting them."""
        return np.bincount(self.row, self.entry * v[self.col], minlength=self.value.size) - self.value


MAX_VELOCITY_DRIFT = 1e-3
"""Largest violation of velocity constraints that is projected out of a given state, relative to its largest velocity."""
NOTHING_WANTED = Wanted(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), [])


def wanted_rows(mechanism: Mechanism, q: Array) -> Wanted:
    """Conditions from the wanted velocities in the pose q."""
    parts, values, labels = [], [], []
    for want in mechanism.wanted:
        pose = q[want.index]
        block, value = want.rows(pose), want.value(pose) if callable(want.value) else want.value
        i, j = np.indices(block.shape) if block.ndim == 2 else [np.arange(block.size)] * 2
        parts.append((len(values) + i.ravel(), np.asarray(want.index)[j.ravel()], block.ravel()))
        values += list(value)
        labels += [want.label] * len(value)
    if not parts:
        return NOTHING_WANTED
    row, col, entry = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Wanted(row, col, entry, np.array(values), labels)


def start(mechanism: Mechanism, t: float = 0.0, still: bool = False) -> Start:
    """Assemble the mechanism at time t and give it consistent velocities. still: nobody asks for these, and a large mechanism,
    in which they cost as much as an equilibrium, has none."""
    drawn = drawn_pose(mechanism, t)
    gap = close_gap(mechanism, drawn, t)
    assembly = close_joints(mechanism, drawn, t)
    require_fitting(mechanism, assembly.q, t)
    wanted = wanted_rows(mechanism, assembly.q)
    return in_motion(mechanism, assembly, t, gap, wanted, still and mechanism.n > MANY)


def from_pose(mechanism: Mechanism, q: Array, t: float) -> Start:
    """The start from a closed pose, as some run left it, with the velocities that joints and drives prescribe there; beams
    move as rigidly as they can."""
    s, w = mechanism.system, workspace(mechanism.system)
    signals_at(s, w, t)
    residual(s, w, q)
    assembly = Assembly(q.copy(), w.phi.copy(), 0)
    require_closed(mechanism, assembly, t)
    return in_motion(mechanism, assembly, t, assembly.gap, NOTHING_WANTED)


def in_motion(
    mechanism: Mechanism, assembly: Assembly, t: float, drawn: float, wanted: Wanted, still: bool = False
) -> Start:
    """The start in a closed pose: redundant joints set aside, velocities that meet the wishes unless it is still."""
    begin_memory(mechanism, assembly.q, t)
    rows, singular = remove_redundant(mechanism, assembly.q, t)
    redundant = [row.sentence() for row in rows]
    require_inertia(mechanism, assembly.q, t)
    warnings = []
    if singular:
        warnings.append(singular_start(mechanism, assembly.q, t))
    s = mechanism.system
    v = None if redundant or singular or still else determined_velocity(mechanism, assembly.q, t)
    if still:
        v, missed = np.zeros(s.n + 1), np.zeros(wanted.value.size)
    elif v is None:
        v, missed = start_velocity(
            s, assembly.q, t, wanted.entries, wanted.value, mechanism.calm if mechanism.flexible else None
        )
    else:
        missed = wanted.missed(v)
    if not still:
        require_followed(mechanism, assembly.q, v, t, singular, rows)
    strained, said = initial_strains(mechanism, assembly.q, assembly.strains)
    warnings += said
    by = zip(wanted.labels, missed, strict=True)
    unmet = {label for label, off in by if abs(off) > 1e-6 * (1 + np.abs(wanted.value).max())}
    warnings += [f"the wanted {label} cannot be met; the nearest possible is used" for label in sorted(unmet)]
    return Start(assembly.q, v, t, drawn, assembly.gap, redundant, singular, warnings, strained)


def initial_strains(
    mechanism: Mechanism, q: Array, found: dict[str, Strain] | None = None
) -> tuple[dict[str, Strain], list[str]]:
    """How much every beam is strained in the start pose, unless that is known, and a warning where nobody asked for it."""
    if not mechanism.flexible:
        return {}, []
    from gaitwright.analyse.statics.relax import NOTABLE, strains

    found = strains(mechanism, q) if found is None else found
    parts = [part for part in mechanism.flexible if found[part.name].strain > NOTABLE and not part.meant(q)]
    return found, [
        f"{part.kind} '{part.name}' starts strained by {found[part.name]}: its joints leave it no pose without stress"
        for part in parts
    ]


def determined_velocity(mechanism: Mechanism, q: Array, t: float) -> Array | None:
    """The velocities of a mechanism whose joints and drives leave nothing to choose; None if they do. What
    `start_velocity` gives too, without its search for the least kinetic energy: sweeps start ten thousand times."""
    s = mechanism.system
    if s.m < s.n or mechanism.flexible:
        return None
    w, system, v = workspace(s), kkt(s), np.zeros(s.n + 1)
    signals_at(s, w, t)
    good = project_velocity(s, w, system, q, v) and project_velocity(s, w, system, q, v)  # the second refines the first
    return v if good and np.all(np.isfinite(v)) else None


def from_state(mechanism: Mechanism, q: Array, v: Array, t: float = 0.0) -> Start:
    """The start from a state that is given, with its joints closed as drives ask for at time t."""
    if q.size != mechanism.n + 1:
        At("start").fail(
            f"has {q.size - 1} coordinates, this model has {mechanism.n}", expected="a result of this model"
        )
    begin_memory(mechanism, q, t)
    s, w = mechanism.system, workspace(mechanism.system)
    signals_at(s, w, t)
    residual(s, w, q)
    if open_joints(mechanism, w.phi):
        listed = ", ".join(describe_open(mechanism, w.phi)[:3])
        raise AssemblyError(
            f"the joints are not closed in the state to start from; open: {listed}", time=t,
            open_joints=open_joints(mechanism, w.phi),
            suggestion="start from a result whose last time fits the drives at time 0",
        )  # fmt: skip
    rows, singular = remove_redundant(mechanism, q, t)
    redundant = [row.sentence() for row in rows]
    require_inertia(mechanism, q, t)
    v = without_drift(mechanism, q, v)
    require_followed(mechanism, q, v, t, singular, rows)
    gap = float(np.max(np.abs(w.phi), initial=0.0))
    return Start(q.copy(), v.copy(), t, gap, gap, redundant, singular, strains=initial_strains(mechanism, q)[0])


def without_drift(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Velocities projected onto the velocity constraints, if they violate these by no more than MAX_VELOCITY_DRIFT.

    Methods that enforce positions only (generalized-alpha) leave such a violation at the end of a run. A larger violation
    means that the state belongs to another motion: v is then returned as it is, and `require_followed` reports it."""
    s, w, projected = mechanism.system, workspace(mechanism.system), v.copy()
    motion(s, w, q, projected)
    violation = np.abs(w.phi_dot[: s.m]).max(initial=0.0)
    limit = MAX_VELOCITY_DRIFT * (np.abs(w.phi_t).max(initial=0.0) + np.abs(v).max(initial=0.0))
    if violation > limit or not project_velocity(s, w, kkt(s), q, projected):
        return v
    return projected


def require_fitting(mechanism: Mechanism, q: Array, t: float) -> None:
    """Error if a flexible part would have to be strained more than any such part can be."""
    for part in mechanism.flexible:
        misfit = part.misfit(q)
        if misfit is not None:
            raise AssemblyError(misfit.problem, time=t, suggestion=misfit.suggestion)


def require_followed(
    mechanism: Mechanism, q: Array, v: Array, t: float, singular: bool, redundant: list[RedundantRow]
) -> None:
    """Error if no velocity satisfies all joints and drives, those set aside as redundant included: a row that follows
    from the others does so in regular poses."""
    s, w = mechanism.system, workspace(mechanism.system)
    signals_at(s, w, t)
    motion(s, w, q, v)
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
            f"{problem}: {singular_start(mechanism, q, t)}", time=t, joints=(names.name,),
            suggestion="start from another pose or drive another body",
        )  # fmt: skip
    drives = competing_drives(redundant)
    raise AssemblyError(
        f"{problem} although the others already determine it{f': {drives}' if drives else ''}", time=t,
        suggestion="leave one of the conflicting drives out, or let them ask for the same motion",
    )  # fmt: skip


def require_inertia(mechanism: Mechanism, q: Array, t: float) -> None:
    """Error if a body can turn about an axis about which it has no inertia."""
    s = mechanism.system
    if not s.rod_weight.size:
        return
    w, system = workspace(s), kkt(s)
    signals_at(s, w, t)
    position(s, w, q)
    fill_mass(s, w, system)
    bad = factor(system)
    loose = bad - s.n - s.m if bad >= 0 else loose_turn(system.brace, system.K)
    if loose >= 0:
        raise SingularPose(
            loose_body(mechanism, loose), time=t,
            suggestion="give it an inertia about this axis, or hold it by a joint (such as universal instead of spherical)",
        )  # fmt: skip


def loose_body(mechanism: Mechanism, rod: int) -> str:
    """What is wrong with a thin rod (counted as in Mechanism.rods) that turns about itself."""
    body, _, axis, _ = mechanism.rods()[rod]
    axis = np.round(axis * np.sign(axis[np.argmax(np.abs(axis))]), 12) + 0.0
    shown = ", ".join(f"{x:.4g}" for x in axis)
    return f"body '{body.name}' has no inertia about its axis [{shown}] and nothing holds it"


def singular_start(mechanism: Mechanism, q: Array, t: float) -> str:
    """Sentence about a start pose in which some joints restrain less than in poses nearby."""
    dead_point = find_dead_point(mechanism, q, t)
    loop = dead_point.sentence() if dead_point else "some joints restrain less here than in poses nearby"
    return f"the start pose is singular: {loop}"


def require_regular(mechanism: Mechanism, begin: Start) -> None:
    """Raise SingularPose if the joints do not determine the accelerations in the start pose."""
    if begin.singular:
        raise SingularPose(
            singular_start(mechanism, begin.q, begin.t), time=begin.t,
            suggestion="start from a pose nearby (drawn points, angle of the drive)",
        )  # fmt: skip
