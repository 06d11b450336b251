"""Kinematic analysis: position, velocity and acceleration of a mechanism whose drives determine its motion; and inverse
dynamics: the drive torques and joint reactions that this motion needs.

    Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = gamma,   Phi_q^T lambda = Q - M a

No integration: every instant is exact to the tolerance of Newton's method. Source: paper 003 Eq 2.6 to 2.10, 2.17, 2.18.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.analyse.ahead import prepare_kinematics
from gaitwright.analyse.budget import Budget, require_room
from gaitwright.analyse.contact_memory import require_contacts
from gaitwright.analyse.contacts_along import ContactsAlong
from gaitwright.analyse.dead_points import find_dead_point
from gaitwright.analyse.reactions import minimum_norm, refine
from gaitwright.analyse.start import Start, require_regular, start
from gaitwright.checks import At
from gaitwright.compiled import Stopwatch, compiled
from gaitwright.compiled.pace import Pace, first_steps
from gaitwright.errors import DidNotConverge, SingularPose
from gaitwright.result.energy import sizes
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.result.snapshots import Snapshot, offer_snapshot
from gaitwright.result.stored import PIECE, AllStates, Keeper, Stored, keeper_of
from gaitwright.result.touches import Episode, too_fast
from gaitwright.system.assemble import scaled_weight
from gaitwright.system.evaluate import copy, position, powers, signals_at, workspace
from gaitwright.system.kkt import accelerate, factor, fill, kkt, remember_pivots, singular_row, solve
from gaitwright.system.library import raise_pending
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.project import NEARLY, project_position, project_velocity
from gaitwright.system.remembering import remembering, step_ended

NEARLY_SINGULAR = 0.01
"""A pose is flagged when the smallest singular value of Phi_q falls below this fraction of its largest in the run."""
LEAP = 0.2
"""Largest correction of a predicted coordinate, in its scale: beyond it the sample may be on another branch."""
KINK = 0.25
"""Change of velocities, of their size, in a part of an interval in which the motion may have come to another branch."""
FINEST = 2.0**-12
"""Smallest part of a sampling interval that is tried on the way to the next sample."""


@compiled
def smallest_singular_value(s, w, kkt, weight, x):
    """Smallest singular value of Phi_q in scaled coordinates, by inverse iteration on Phi_q W^-1 Phi_q^T."""
    fill(s, w, kkt, weight)
    if factor(kkt) >= 0:
        return 0.0
    value = 0.0
    for _ in range(8):
        norm = 0.0
        for k in range(s.m):
            norm += x[k] * x[k]
        norm = np.sqrt(norm)
        kkt.rhs[: s.n] = 0.0
        for k in range(s.m):
            kkt.rhs[s.n + k] = x[k] / norm
        solve(kkt)
        growth = 0.0
        for k in range(s.m):
            x[k] = -kkt.rhs[s.n + k]
            growth += x[k] * x[k]
        before, value = value, 1.0 / np.sqrt(np.sqrt(growth))
        if abs(value - before) < 1e-3 * value:
            break
    return value


@compiled
def side_of(s, w, A):
    """The sign of det Phi_q, with Phi_q as it is in w: two branches that nearly meet, as next to a change point, differ in it.
    A: (n, n), room for the elimination, which leaves out what is zero: most of it."""
    n = s.n
    A[:] = 0.0
    for k in range(s.jac_row.size):
        if s.jac_row[k] < n and s.jac_col[k] < n:
            A[s.jac_row[k], s.jac_col[k]] += w.jac[k]
    sign = 1.0
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(A[r, k]) > abs(A[best, k]):
                best = r
        if A[best, k] == 0.0:
            return 0.0
        if best != k:
            sign = -sign
            for c in range(k, n):
                A[k, c], A[best, c] = A[best, c], A[k, c]
        if A[k, k] < 0.0:
            sign = -sign
        for r in range(k + 1, n):
            if A[r, k] != 0.0:
                factor = A[r, k] / A[k, k]
                for c in range(k + 1, n):
                    A[r, c] -= factor * A[k, c]
    return sign


@compiled
def _follow(s, w, kkt, weight, scale, times, q, v, a, lam, power, sigma, begin, stop, side):
    """Fill the samples begin..stop-1, each from the one before; the index of a sample that failed, or -1."""
    x = np.ones(s.m)
    here = np.empty(s.n + 1)
    speed = np.empty(s.n + 1)
    rise = np.empty(s.n + 1)
    trial = np.zeros(s.n + 1)
    room = np.empty((s.n, s.n))
    last = np.empty(s.n + 1)
    last_rise = np.empty(s.n + 1)
    for k in range(begin, stop):
        copy(q[max(k - 1, 0)], here)
        copy(v[max(k - 1, 0)], speed)
        copy(a[max(k - 1, 0)], rise)
        t = times[max(k - 1, 0)]
        part = 1.0
        span = times[k] - t
        # A side that changes next to a change point means another branch, which smaller parts do not go to. Through an exact
        # one, where branches cross, it changes however small the parts are: then the sample is begun again, straight on.
        doubtful, straight, before = False, False, side[0]
        while True:
            # predict by the motion so far, correct by Newton; with smaller parts when that jumps or fails
            dt = min(part * span, times[k] - t)
            for i in range(s.n):
                trial[i] = here[i] + dt * (speed[i] + 0.5 * dt * rise[i])
            signals_at(s, w, t + dt)
            gap = project_position(s, w, kkt, trial)
            jump = 0.0
            for i in range(s.n):
                jump = max(jump, abs(trial[i] - here[i] - dt * speed[i] - 0.5 * dt * dt * rise[i]) / scale[i])
            good = gap < NEARLY and (jump < LEAP or k == 0)
            turned = False
            if good:
                position(s, w, trial)
                now = side_of(s, w, room)
                turned = k > 0 and not straight and now * side[0] < 0.0
                doubtful = doubtful or turned
            if not good or turned:
                part *= 0.5
                if part >= FINEST:
                    continue
            else:
                copy(speed, last)
                copy(rise, last_rise)
                # The second solution refines the first, as `refine` does: rounding of an elimination without pivoting.
                good = project_velocity(s, w, kkt, trial, speed) and project_velocity(s, w, kkt, trial, speed)
                good = good and accelerate(s, w, kkt, t + dt, trial, speed, 0.0, 0.0, rise, lam[k]) < 0
                refine(s, w, kkt, rise, lam[k])
                total = 0.0
                for i in range(s.n):
                    total += abs(trial[i]) + abs(speed[i]) + abs(rise[i])
                good = good and total < math.inf  # false for what is not a number
                change, size = 0.0, 0.0
                for i in range(s.n):
                    change = max(change, abs(speed[i] - last[i]) / scale[i])
                    size = max(size, (abs(speed[i]) + abs(last[i])) / scale[i])
                if good and doubtful and not straight and change > KINK * size:
                    # onto a branch that crosses: no part is small enough for its corner
                    part *= 0.5
                    turned = True
                    if part >= FINEST:
                        copy(last, speed)
                        copy(last_rise, rise)
                        continue
                elif now != 0.0:
                    side[0] = now
            if good and not turned:
                copy(trial, here)
                t += dt
                if t >= times[k] - 1e-12 * abs(span):
                    break
                part = min(2.0 * part, 1.0)
            elif doubtful and not straight:
                copy(q[k - 1], here)
                copy(v[k - 1], speed)
                copy(a[k - 1], rise)
                t, part, straight, side[0] = times[k - 1], 1.0, True, before
            else:
                return k
        if k == 0:
            remember_pivots(s, kkt)
        elif singular_row(s, kkt) >= 0:
            return k
        copy(here, q[k])
        copy(speed, v[k])
        copy(rise, a[k])
        powers(s, w, q[k], v[k], lam[k])
        copy(w.power, power[k])
        sigma[k] = smallest_singular_value(s, w, kkt, weight, x)
    return -1


def follow_drives(
    mechanism: Mechanism,
    times: Any,
    *,
    analysis: str = "kinematic",
    begin: Start | None = None,
    progress: Any = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    store: Any = None,
    along: Result | None = None,
) -> Result:
    """Motion and reactions at the given times (s, increasing; the start pose is that of the first).

    store: what the result keeps of them, as in forward dynamics. along: a result of the same mechanism at the same times, with
    contacts that may differ in their laws: what the drives prescribe is taken from there, if it kept all states."""
    times = np.ascontiguousarray(At(field="times").numbers(times, "increasing times, s"))
    if times.ndim != 1 or times.size == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
        At(field="times").fail("the times of a kinematic analysis must be finite and increase")
    prepare_kinematics(mechanism.system.contacts.count > 0)
    begin = begin or start(mechanism, float(times[0]))
    s = mechanism.system
    free = s.n - s.m
    if free > 0:
        At(f"model '{mechanism.name}'").fail(
            f"the drives leave {free} degree{'s' if free > 1 else ''} of freedom free",
            expected=f"{free} more drive{'s' if free > 1 else ''} for a kinematic analysis, or a forward analysis",
        )
    require_regular(mechanism, begin)
    stopwatch, budget = Stopwatch(), budget or Budget()
    w, system, count = workspace(s), kkt(s), times.size
    require_room(count, 3 * s.n + s.m_all + 2 * w.power.size + w.memory.size, "times", count)
    q, v, a = (np.zeros((count, s.n + 1)) for _ in range(3))
    lam, power, sigma = np.zeros((count, s.m_all)), np.zeros((count, w.power.size)), np.zeros(count)
    q[0] = begin.q
    weight = scaled_weight(s, mechanism.scale)
    warnings, interrupted = [*mechanism.warnings, *begin.warnings], False
    keeper = keeper_of(mechanism, store, count, begin.t, float(times[-1]), document, warnings)
    failed, done, pace = -1, 0, Pace(first_steps(s.n))
    one_by_one, side = bool(remembering(mechanism)), np.zeros(1)
    if along is not None and along.stored is None:  # before ContactsAlong, which keeps these arrays
        (q, v, a), sigma, done = along.motion[1:4], along.steps["sigma"], count
    along_contacts = None
    if s.contacts.count:
        require_contacts(mechanism, rigid=False)
        along_contacts = ContactsAlong(mechanism, times, q, v, a, lam, power)

    def known() -> int:
        """Number of rows that are complete."""
        return done if along_contacts is None else min(done, along_contacts.done)

    def tell(ready: int) -> None:
        offer_snapshot(snapshot)
        if progress is not None:
            progress(ready / count)

    def motion_until(ready: int) -> Motion:
        keep = slice(0, ready)
        if along_contacts is None:
            work, memory = _works(times[keep], power[keep]), np.zeros((ready, 0))
        else:
            work, memory = along_contacts.work[keep], along_contacts.memory[keep]
        return minimum_norm(mechanism, Motion(times[keep], q[keep], v[keep], a[keep], lam[keep], work, memory))

    def evidence(ready: int, warnings: list[str], interrupted: bool = False) -> Evidence:
        return Evidence(
            analysis=analysis,
            method="newton",
            stabilisation="exact",
            steps=ready,
            wall_seconds=stopwatch.seconds(),
            redundant=list(begin.redundant),
            initial_strains=begin.initial_strains(),
            smallest_singular_value=float(sigma[:ready].min()) if ready else None,
            interrupted=interrupted,
            warnings=warnings,
        )

    def touched() -> list[Episode]:
        return along_contacts.episodes() if along_contacts is not None and along_contacts.done else []

    def snapshot() -> Snapshot:
        ready, end = known(), float(times[-1])
        told = evidence(ready, list(warnings))
        steps = {"sigma": sigma[:ready]}
        return Snapshot(mechanism, motion_until(ready), told, document, end, episodes=touched(), steps=steps)

    try:
        while failed < 0 and known() < count and not budget.spent():
            if done < count:
                stop = min(done + min(1 if one_by_one else pace.begin(), budget.steps_left), count)
                failed = _follow(
                    s, w, system, weight, mechanism.scale, times, q, v, a, lam, power, sigma, done, stop, side
                )
                if one_by_one and failed < 0:
                    step_ended(mechanism, q[stop - 1], float(times[stop - 1]))
                elif not one_by_one:
                    pace.end()
                raise_pending()
                done = stop if failed < 0 else failed
                budget.steps = done
            if along_contacts is not None:
                along_contacts.advance(done, budget, tell)
            else:
                tell(done)
    except KeyboardInterrupt:
        interrupted = True
    if along_contacts is not None and known() < done:
        failed = -1  # the motion came further than the forces of its contacts
    done, closed = known(), touched()
    if interrupted and not done and along_contacts is not None:
        raise KeyboardInterrupt
    warnings += too_fast(mechanism, closed)
    if interrupted:
        warnings.append(f"interrupted at t = {times[max(done - 1, 0)]:.6g} s; what was computed is kept")
    motion, keep = motion_until(done), slice(0, done)
    warnings += near_singular_warnings(mechanism, times[keep], q[keep], sigma[keep])
    told = evidence(done, warnings, interrupted)
    motion, stored = _kept(motion, keeper)
    result = Result(mechanism, motion, told, document, closed, sigma=sigma[keep], stored=stored)
    partial = result if done else None
    if failed < 0 and done < count and not interrupted:
        raise budget.failure(float(times[max(done - 1, 0)]), partial)
    if failed >= 0:
        before = float(times[max(failed - 1, 0)])
        if undefined := mechanism.undefined_signal(before, float(times[failed])):
            raise DidNotConverge(
                f"{undefined} has no finite value or rate here", time=float(times[failed]), partial=partial,
                suggestion="change its expression or end the run earlier",
            )  # fmt: skip
        dead_point = find_dead_point(mechanism, q[max(failed - 1, 0)], before)
        row = singular_row(s, system)
        names = tuple(dead_point.joints) if dead_point else ()
        if not names and 0 <= row < s.m:
            names = (mechanism.constraint_of_row(row).name,)
        raise SingularPose(
            "the mechanism cannot follow its drives beyond this time: it reaches a dead point or the end of its range"
            + (f"; {dead_point.sentence()}" if dead_point else ""),
            time=float(times[failed]), joints=names, partial=partial,
            suggestion="check the range of the drives against the lengths of these links",
        )  # fmt: skip
    return result


def _kept(motion: Motion, keeper: AllStates | Keeper) -> tuple[Motion, Stored | None]:
    """What a keeper keeps of a motion."""
    if isinstance(keeper, AllStates) or not motion.t.size:
        return motion, None
    rows = max(int(PIECE / 8.0 / sum(x[0].size for x in motion)), 2)
    for first in range(0, motion.t.size, rows):
        keeper.take(Motion(*(x[first : first + rows] for x in motion)))
    return keeper.result()


def _works(t: Any, power: Any) -> Any:
    """Works by integrating a cubic spline through the powers."""
    from scipy.interpolate import CubicSpline

    if t.size < 4 or power.shape[1] == 0:
        steps = 0.5 * (power[1:] + power[:-1]) * np.diff(t)[:, None]
        return np.concatenate([np.zeros((min(t.size, 1), power.shape[1])), np.cumsum(steps, axis=0)])
    span, size = sizes(t, power)
    return CubicSpline(t / span, power / size).antiderivative()(t / span) * (size * span)


def near_singular_warnings(mechanism: Mechanism, t: Any, q: Any, sigma: Any) -> list[str]:
    """A warning for each passage near a singular pose: its time, its loop and links, and the smallest singular value of Phi_q
    there relative to its largest value in the run."""
    if sigma.size == 0:
        return []
    low = sigma < NEARLY_SINGULAR * sigma.max()
    edges = np.flatnonzero(np.diff(np.r_[False, low, False].astype(int)))
    warnings = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        k = first + int(np.argmin(sigma[first:last]))
        dead_point = find_dead_point(mechanism, q[k], float(t[k]))
        loop = f": {dead_point.sentence()}" if dead_point else ""
        warnings.append(
            f"nearly singular pose at t = {t[k]:.6g} s{loop} (smallest singular value {sigma[k]:.3g}, at most "
            f"{sigma.max():.3g} in the run)"
        )
    return warnings
