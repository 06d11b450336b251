"""The two loops around a step: with fixed steps, and with steps chosen by an error estimate.

Both stop when the buffer for outputs is full or after `max_steps`, and go on where they were at the next call: so Python
can show progress, notice Ctrl-C and empty the buffer, and a run keeps no more than what it outputs.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled, inlined
from gaitwright.contact.history import CHANGED, TARGET, is_log_full
from gaitwright.integrate.base import (
    AIM,
    BEGUN,
    EVALUATIONS,
    GRID,
    LARGEST,
    LAST_ERROR,
    LAST_NEWTON,
    NOT_FINITE,
    OK,
    OUTPUTS,
    REJECTED,
    RETRIED,
    SINGULAR,
    SMALLEST,
    START,
    STATUS,
    STEP_TOO_SMALL,
    STEPS,
    STORED,
    UNPROJECTED,
    WHERE,
    H,
    T,
)
from gaitwright.system.evaluate import copy, powers
from gaitwright.system.hermite import state_between
from gaitwright.system.invoke import invoke
from gaitwright.system.kkt import accelerate, remember_pivots, singular_row
from gaitwright.system.partition import restore

WATCH, SETTLE = range(2)  # entries of run.calls, in the order of integrate/through_contact.py
OPEN = 1e-6
"""Largest |Phi| (m or rad) left by a projection that counts as done; Newton's last correction comes on top of it."""


LEFT, SHORTEST = 1e-6, 1e-9
"""Parts of a step, of its length: less than the first, left by an event, goes to the next step; an event nearer to the begin
than the second is placed there. Index-3 methods divide rounding errors by the square of a step."""


@compiled
def begin(s, w, kkt, run, options):
    """The start state is in q1, v1: evaluate and store it, with its pivots as the reference for singular poses."""
    run.count[STATUS] = evaluate_end(s, w, kkt, run, run.clock[T], options)
    remember_pivots(s, kkt)
    accept(run)
    store(w, run, run.clock[T], 0.0)
    run.count[BEGUN] = 1


@compiled
def evaluate_end(s, w, kkt, run, t, options):
    """Accelerations, multipliers and powers at the end of the step, index-1."""
    bad = accelerate(s, w, kkt, t, run.q1, run.v1, options.damp, options.stiff, run.a1, run.lam1)
    run.count[EVALUATIONS] += 1
    powers(s, w, run.q1, run.v1, run.lam1)
    copy(w.power, run.power1)
    if bad >= 0:
        run.count[WHERE] = bad - s.n
        return SINGULAR
    return OK


@compiled
def accept(run):
    """The end of the step becomes the begin of the next."""
    copy(run.q1, run.q)
    copy(run.v1, run.v)
    copy(run.a1, run.a)
    copy(run.lam1, run.lam)
    copy(run.power1, run.power)
    copy(run.work1, run.work)


@compiled
def is_motion(s, run):
    """Whether the end of the step has a position and a velocity. What else is known of it may be that of an attempt before."""
    total = 0.0
    for i in range(s.n):
        total += abs(run.q1[i]) + abs(run.v1[i])
    return math.isfinite(total)


@compiled
def is_finite(s, run):
    total = 0.0
    for i in range(s.n):
        total += abs(run.q1[i]) + abs(run.v1[i]) + abs(run.a1[i])
    for k in range(run.lam1.size):
        total += abs(run.lam1[k])
    for k in range(run.power1.size):
        total += abs(run.power1[k])
    return math.isfinite(total)  # a sum, because max(x, NaN) may be x


@compiled
def finish_step(s, w, kkt, run, t, options):
    """Project if asked, evaluate the end of the step, watch for NaN and singular poses."""
    if not is_motion(s, run):
        return NOT_FINITE
    # A step so long that Newton does not find back must not pass as a motion.
    if options.project and not restore(s, w, kkt, run, t, run.q1, run.v1) <= OPEN:
        return UNPROJECTED
    status = evaluate_end(s, w, kkt, run, t, options)
    if status != OK:
        return status
    row = singular_row(s, kkt)
    if row >= 0:
        run.count[WHERE] = row
        return SINGULAR
    return OK if is_finite(s, run) else NOT_FINITE


@compiled
def finish_own(s, w, kkt, run, t, options):
    """For methods that leave accelerations, multipliers and powers at the end of the step themselves: watch for NaN."""
    return OK if is_finite(s, run) else NOT_FINITE


@compiled
def store(w, run, t, h):
    """Keep the state at the begin of the (next) step. It is counted also where there is no room, which Python then reports."""
    k = run.count[STORED]
    run.count[STORED] = k + 1
    if k >= run.out_t.size:
        return
    run.out_t[k] = t
    run.out_h[k] = h
    run.out_newton[k] = run.count[LAST_NEWTON]
    copy(run.q, run.out_q[k])
    copy(run.v, run.out_v[k])
    copy(run.a, run.out_a[k])
    copy(run.lam, run.out_lam[k])
    copy(run.work, run.out_work[k])
    copy(w.memory, run.out_memory[k])


@compiled
def stands(s, w, kkt, run, t, h, order, options):
    """1 if the step may stand, otherwise the factor of its length with which it is repeated; see contact/events.py."""
    invoke(run.calls[WATCH], (s, w, kkt, run, t, h, order, options.tolerance))
    return run.verdict[0]


@compiled
def settle_contacts(s, w, kkt, run, t, h, options, evaluate):
    """Let the contacts keep what happened in the step that stands; where one began or ended, forces jump."""
    invoke(run.calls[SETTLE], (s, w, run, t, h))
    if evaluate and run.touch_count[CHANGED] != 0:
        evaluate_end(s, w, kkt, run, t + h, options)


@compiled
def next_part(run, rest):
    """Length of the next part of a step of which `rest` is left: equal parts as the contacts ask for, or an event."""
    part = rest if run.part[0] >= rest else rest / math.ceil(rest / run.part[0])
    if run.clock[AIM] > 0.0:
        part = min(max(run.clock[AIM], SHORTEST * run.whole[0]), rest)
    return rest if part > (1.0 - 1e-12) * rest else part


@compiled
def is_full(run):
    """Whether outputs or the history of contacts have to be fetched before the next step."""
    return run.count[STORED] >= run.out_t.size or is_log_full(run)


@inlined
def march_fixed(step, finish, order, s, w, kkt, start_kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    """Steps of size h from run.clock[T], in parts where contacts begin, end or need it; stores every `every`-th step and
    the last, or with 0 every part. True when t_end is reached."""
    if run.count[BEGUN] == 0:
        begin(s, w, start_kkt, run, options)
    run.whole[0] = h
    for _ in range(max_steps):
        t = run.clock[T]
        if t >= t_end - 1e-9 * h or run.count[STATUS] != OK:
            return True
        if is_full(run):
            return False
        # Times are multiples of h, not sums, so that rounding does not add up; the last step may be shorter.
        k = run.count[GRID] + 1
        t1 = min(t_start + k * h, t_end)
        if t_end - t1 < 0.01 * h:
            t1 = t_end  # a tiny last step would divide rounding errors of the joints by its square
        part = t1 - t
        if run.calls[WATCH] != 0:
            part = next_part(run, t1 - t)
        whole = part == t1 - t
        status, _error = step(s, w, kkt, stages, run, t, part, options)
        if status == OK:
            status = finish(s, w, kkt, run, t + part, options)
        if run.calls[WATCH] != 0:
            factor = stands(s, w, start_kkt, run, t, part, order, options) if status == OK else 0.25
            if factor != 1.0 and part > SHORTEST * h and (status == OK or part > 1e-6 * h):
                retry(run, factor * part)
                continue
        if status != OK:
            run.count[STATUS] = status
            return True
        if run.calls[WATCH] != 0:
            # Generalized-alpha has accelerations of its own, which stiff beams must keep.
            settle_contacts(s, w, start_kkt, run, t, part, options, not (s.flexible and kkt.take.size > 0))
            if run.touch_count[CHANGED] != 0:
                run.clock[H] = 0.0
        run.clock[AIM] = 0.0
        accept(run)
        run.clock[T] = t1 if whole else t + part
        whole = whole or t1 - run.clock[T] < LEFT * h  # what is left goes to the next step
        run.count[STEPS] += 1
        run.clock[SMALLEST] = min(run.clock[SMALLEST], part)
        if whole:
            run.count[GRID] = k
        if every == 0 or (whole and (k % every == 0 or t1 == t_end)):
            store(w, run, run.clock[T], part)
    return run.clock[T] >= t_end


@compiled
def retry(run, h):
    """Repeat the step from its begin with another length."""
    run.clock[AIM] = h
    run.count[REJECTED] += 1
    run.clock[H] = 0.0  # what a method keeps from step to step belongs to the step that was given up


@inlined
def march_adaptive(step, s, w, kkt, stages, run, options, t_end, output_step, order, h_max, max_steps):
    """Steps chosen by the error estimate (PI control, Hairer & Wanner II, IV.2); outputs every `output_step` seconds by
    dense output, or at every accepted step if it is 0. True when t_end is reached."""
    if run.count[BEGUN] == 0:
        begin(s, w, kkt, run, options)
    for _ in range(max_steps):
        t = run.clock[T]
        if t >= t_end or run.count[STATUS] != OK:
            return True
        if is_full(run):
            return False
        h = min(run.clock[H], h_max)
        last = t + 1.01 * h >= t_end
        if run.clock[AIM] > 0.0:
            h = run.clock[AIM]
            last = t + (1.0 + 1e-12) * h >= t_end
        if last:
            h = t_end - t
        if h < 1e-14 * max(abs(t), 1e-6 * abs(t_end)):
            run.count[STATUS] = STEP_TOO_SMALL
            return True
        status, error = step(s, w, kkt, stages, run, t, h, options)
        if status == OK and error <= 1.0:
            status = finish_step(s, w, kkt, run, t + h, options)
        if status != OK or error > 1.0 or math.isnan(error):
            run.count[REJECTED] += 1
            # A step that cannot be computed is first tried shorter; it is a failure when no step is short enough.
            shrink = 0.25 if status != OK or math.isnan(error) else max(0.2, 0.9 * error ** (-1.0 / (order + 1)))
            run.clock[H] = h * shrink
            run.clock[AIM], run.touch_count[TARGET] = 0.0, -1
            run.clock[RETRIED] = 1.0
            if run.clock[H] < 1e-13 * max(abs(t), 1e-3):
                run.count[STATUS] = status if status != OK else STEP_TOO_SMALL
                return True
            continue
        if run.calls[WATCH] != 0:
            factor = stands(s, w, kkt, run, t, h, 0, options)
            if factor != 1.0:
                run.clock[AIM] = factor * h
                run.count[REJECTED] += 1
                continue
        t1 = t_end if last else t + h
        if output_step > 0.0 and not store_between(s, w, kkt, run, t, h, t1, t_end, output_step, options):
            return False  # buffer full: the step is repeated at the next call, with the same aim
        run.clock[AIM] = 0.0
        run.count[STEPS] += 1
        run.clock[SMALLEST] = min(run.clock[SMALLEST], h)
        run.clock[LARGEST] = max(run.clock[LARGEST], h)
        if run.calls[WATCH] != 0:
            settle_contacts(s, w, kkt, run, t, h, options, True)
        accept(run)
        run.clock[T] = t1
        if output_step <= 0.0:
            store(w, run, t1, h)
        if not last:
            run.clock[H] = h * growth(run, error, order + 1)
    return run.clock[T] >= t_end


@compiled
def growth(run, error, k):
    """Factor of the next step after an accepted one: proportional-integral control, Hairer & Wanner II, Eq (IV.2.43a)
    with alpha = 0.7 / k, beta = 0.4 / k, where the error goes with h^k; no growth right after a rejection.

    With the error of the last step alone, a third of the steps of a swinging four-bar at 1e-4 was rejected; now 8 %."""
    error = max(error, 1e-4)
    factor = 0.9 * error ** (-0.7 / k) * run.clock[LAST_ERROR] ** (0.4 / k)
    most = 5.0 if run.clock[RETRIED] == 0.0 else 1.0
    run.clock[LAST_ERROR], run.clock[RETRIED] = error, 0.0
    return min(most, max(0.2, factor))


@compiled
def output_time(run, k, t_end, output_step):
    """Time of the k-th output after the start: a multiple, not a sum, so that rounding does not add up; the last is the end."""
    return t_end if k >= run.count[OUTPUTS] else min(run.clock[START] + k * output_step, t_end)


@compiled
def store_between(s, w, kkt, run, t, h, t1, t_end, output_step, options):
    """Store the output times inside the step from t to t1 = t + h: position and velocity by quintic Hermite interpolation
    between its ends, accelerations and reactions from the equations of motion there. False, and nothing stored, if the buffer
    is too small."""
    reach = t1 + 1e-12 * h
    room = run.out_t.size - run.count[STORED]
    waiting = run.count[OUTPUTS] - run.count[GRID]
    if waiting > room and output_time(run, run.count[GRID] + room + 1, t_end, output_step) <= reach:
        return False
    rows = min(waiting, room)
    if run.work.size > 0 and rows > 0 and output_time(run, run.count[GRID] + 1, t_end, output_step) < t1:
        inner_powers(s, w, kkt, run, t, h, options)
    for _ in range(rows):
        at, k = output_time(run, run.count[GRID] + 1, t_end, output_step), run.count[STORED]
        if at > reach:
            break
        q, v = run.out_q[k], run.out_v[k]
        interpolate(s, run, min((at - t) / h, 1.0), h, q, v, run.out_work[k])
        if options.project:
            restore(s, w, kkt, run, at, q, v)
        accelerate(s, w, kkt, at, q, v, options.damp, options.stiff, run.out_a[k], run.out_lam[k])
        run.out_t[k] = at
        run.out_h[k] = h
        run.out_newton[k] = run.count[LAST_NEWTON]
        copy(w.memory, run.out_memory[k])
        run.count[STORED] = k + 1
        run.count[GRID] += 1
    return True


@compiled
def inner_powers(s, w, kkt, run, t, h, options):
    """Powers at 1/3 and 2/3 of the step, in states computed where the next output will be stored."""
    k = run.count[STORED]
    q, v = run.out_q[k], run.out_v[k]
    for i in range(2):
        x = (i + 1) / 3.0
        interpolate(s, run, x, h, q, v, run.out_work[k])
        if options.project:
            restore(s, w, kkt, run, t + x * h, q, v)
        accelerate(s, w, kkt, t + x * h, q, v, options.damp, options.stiff, run.out_a[k], run.out_lam[k])
        run.count[EVALUATIONS] += 1
        powers(s, w, q, v, run.out_lam[k])
        copy(w.power, run.inner_power[i])


@compiled
def interpolate(s, run, x, h, q, v, work):
    """The state at the fraction x of the step; works by the quintic with the powers at 0, 1/3, 2/3 and 1 as slopes, error
    O(h^6).

    A cubic through the works and powers at the ends alone made the work-energy residual of driven mechanisms some 100
    times larger than the error of the motion."""
    state_between(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, q, v)
    # Integrals over u = 3 x of Newton's polynomials with nodes 0, 1, 2, 3; the last one takes up what the three-eighths
    # rule misses of the work over the whole step.
    u = 3 * x
    i1, i2, i3 = u * u / 2, u * u * (u / 6 - 0.25), u * u * (u * u / 24 - u / 6 + 1 / 6)
    i4 = u * u * (u**3 / 5 - 1.5 * u * u + 11 * u / 3 - 3) / -0.9
    for k in range(work.size):
        p0, p1, p2, p3 = run.power[k], run.inner_power[0, k], run.inner_power[1, k], run.power1[k]
        missed = run.work1[k] - run.work[k] - h * (p0 + 3 * (p1 + p2) + p3) / 8
        smooth = u * p0 + i1 * (p1 - p0) + i2 * (p2 - 2 * p1 + p0) + i3 * (p3 - 3 * (p2 - p1) - p0)
        work[k] = run.work[k] + h / 3 * smooth + i4 * missed


@compiled
def error_norm(s, run, error_q, error_v, tolerance):
    """Largest error of a coordinate or velocity in units of its tolerance: tolerance (scale + |value|)."""
    worst = 0.0
    for i in range(s.n):
        worst = max(worst, abs(error_q[i]) / (run.scale[i] + abs(run.q1[i])))
        worst = max(worst, abs(error_v[i]) / (run.scale[i] + abs(run.v1[i])))
        if not math.isfinite(error_q[i] + error_v[i]):
            return math.inf
    return worst / tolerance
