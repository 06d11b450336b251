"""Time stepping loops: with fixed steps, and with steps chosen by an error estimate.

Both return when the output buffer is full or after `max_steps`, and resume at the next call, so that Python can show progress,
detect Ctrl-C and empty the buffer; a run stores only its outputs.
"""

from __future__ import annotations

import math

from gaitwright.contact.history import CONTACTS_CHANGED, TARGET_CONTACT, is_log_full
from gaitwright.integrate.base import (
    EVALUATION_COUNT,
    FAILED_ROW,
    GRID_INTERVAL,
    HAS_BEGUN,
    LAST_ERROR,
    LAST_NEWTON_COUNT,
    MAX_STEP_SIZE,
    MIN_STEP_SIZE,
    NOT_FINITE,
    OK,
    OUTPUT_COUNT,
    REJECTED_COUNT,
    RUN_STATUS,
    SINGULAR,
    START_TIME,
    STEP_COUNT,
    STEP_SIZE,
    STEP_TOO_SMALL,
    STORED_COUNT,
    TARGET_STEP_SIZE,
    TIME,
    UNPROJECTED,
    WAS_REJECTED,
)
from gaitwright.jit import inline_always, jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.mechanism.coordinate_partitioning import restore_state
from gaitwright.mechanism.evaluation import copy_values, evaluate_powers
from gaitwright.mechanism.hermite_interpolation import interpolate_step_state
from gaitwright.mechanism.kkt import find_singular_row, solve_accelerations, store_reference_pivots

CHECK_EVENTS_CALL, COMMIT_EVENTS_CALL = range(2)  # entries of run.calls, in the order of integrate/contact_callbacks.py
PROJECTION_ATOL = 1e-6
"""Largest |Phi| (m or rad) of a converged projection, before Newton's last correction."""


MIN_REMAINDER_RATIO, MIN_EVENT_RATIO = 1e-6, 1e-9
"""Fractions of a step. A remainder after an event shorter than the first is added to the next step; an event closer to the
start of the step than the second is moved to this distance. Index-3 methods divide rounding errors by the square of a
step."""


@jit_compile
def begin_run(s, w, kkt, run, options):
    """Evaluate and store the start state in q1, v1, and its pivots as the reference for singular poses."""
    run.count[RUN_STATUS] = evaluate_end(s, w, kkt, run, run.clock[TIME], options)
    store_reference_pivots(s, kkt)
    accept_step(run)
    store_state(w, run, run.clock[TIME], 0.0)
    run.count[HAS_BEGUN] = 1


@jit_compile
def evaluate_end(s, w, kkt, run, t, options):
    """Evaluate accelerations, multipliers and powers at the end of the step, index-1. Returns a status."""
    unknown = solve_accelerations(s, w, kkt, t, run.q1, run.v1, options.damp, options.stiff, run.a1, run.lam1)
    run.count[EVALUATION_COUNT] += 1
    evaluate_powers(s, w, run.q1, run.v1, run.lam1)
    copy_values(w.power, run.power1)
    if unknown >= 0:
        run.count[FAILED_ROW] = unknown - s.n
        return SINGULAR
    return OK


@jit_compile
def accept_step(run):
    """Make the end of the step the start of the next one."""
    copy_values(run.q1, run.q)
    copy_values(run.v1, run.v)
    copy_values(run.a1, run.a)
    copy_values(run.lam1, run.lam)
    copy_values(run.power1, run.power)
    copy_values(run.work1, run.work)


@jit_compile
def is_finite_motion(s, run):
    """True if position and velocity at the end of the step are finite. Other values there may be from an earlier attempt."""
    total = 0.0
    for i in range(s.n):
        total += abs(run.q1[i]) + abs(run.v1[i])
    return math.isfinite(total)


@jit_compile
def is_finite_state(s, run):
    total = 0.0
    for i in range(s.n):
        total += abs(run.q1[i]) + abs(run.v1[i]) + abs(run.a1[i])
    for k in range(run.lam1.size):
        total += abs(run.lam1[k])
    for k in range(run.power1.size):
        total += abs(run.power1[k])
    return math.isfinite(total)  # a sum, because max(x, NaN) may be x


@jit_compile
def finish_step(s, w, kkt, run, t, options):
    """Project if requested, evaluate the end of the step, check for NaN and singular poses. Returns a status."""
    if not is_finite_motion(s, run):
        return NOT_FINITE
    # A step so long that the projection does not converge must be rejected.
    if options.project and not restore_state(s, w, kkt, run, t, run.q1, run.v1) <= PROJECTION_ATOL:
        return UNPROJECTED
    status = evaluate_end(s, w, kkt, run, t, options)
    if status != OK:
        return status
    row = find_singular_row(s, kkt)
    if row >= 0:
        run.count[FAILED_ROW] = row
        return SINGULAR
    return OK if is_finite_state(s, run) else NOT_FINITE


@jit_compile
def finish_own_step(s, w, kkt, run, t, options):
    """Check for NaN, for methods that compute accelerations, multipliers and powers at the end of the step themselves."""
    return OK if is_finite_state(s, run) else NOT_FINITE


@jit_compile
def store_state(w, run, t, h):
    """Store the state at the start of the (next) step. It is counted even if the buffer is full, which Python then reports."""
    k = run.count[STORED_COUNT]
    run.count[STORED_COUNT] = k + 1
    if k >= run.out_t.size:
        return
    run.out_t[k] = t
    run.out_h[k] = h
    run.out_newton[k] = run.count[LAST_NEWTON_COUNT]
    copy_values(run.q, run.out_q[k])
    copy_values(run.v, run.out_v[k])
    copy_values(run.a, run.out_a[k])
    copy_values(run.lam, run.out_lam[k])
    copy_values(run.work, run.out_work[k])
    copy_values(w.memory, run.out_memory[k])


@jit_compile
def check_events(s, w, kkt, run, t, h, order, options):
    """Return 1.0 to accept the step, otherwise the factor by which to shorten it before repeating; see contact/events.py."""
    call_address(run.calls[CHECK_EVENTS_CALL], (s, w, kkt, run, t, h, order, options.tolerance))
    return run.verdict[0]


@jit_compile
def commit_events(s, w, kkt, run, t, h, options, evaluate):
    """Update the contact state after an accepted step; if a contact has begun or ended, forces jump and the end is evaluated
    again."""
    call_address(run.calls[COMMIT_EVENTS_CALL], (s, w, run, t, h))
    if evaluate and run.touch_count[CONTACTS_CHANGED] != 0:
        evaluate_end(s, w, kkt, run, t + h, options)


@jit_compile
def next_part_length(run, rest):
    """Length of the next part of a step with the remaining length `rest`: equal parts as required by the contacts, or up to an
    event."""
    part = rest if run.part[0] >= rest else rest / math.ceil(rest / run.part[0])
    if run.clock[TARGET_STEP_SIZE] > 0.0:
        part = min(max(run.clock[TARGET_STEP_SIZE], MIN_EVENT_RATIO * run.whole[0]), rest)
    return rest if part > (1.0 - 1e-12) * rest else part


@jit_compile
def is_buffer_full(run):
    """True if outputs or the contact history must be fetched before the next step."""
    return run.count[STORED_COUNT] >= run.out_t.size or is_log_full(run)


@inline_always
def march_fixed(step, finish, order, s, w, kkt, start_kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    """Advance with steps of size h from run.clock[TIME], divided into parts where contacts begin, end or require it. Stores
    every `every`-th step and the last, or with 0 every part. True when t_end is reached or the run has failed."""
    if run.count[HAS_BEGUN] == 0:
        begin_run(s, w, start_kkt, run, options)
    run.whole[0] = h
    for _ in range(max_steps):
        t = run.clock[TIME]
        if t >= t_end - 1e-9 * h or run.count[RUN_STATUS] != OK:
            return True
        if is_buffer_full(run):
            return False
        # Times are multiples of h, not sums, so that rounding does not accumulate; the last step may be shorter.
        k = run.count[GRID_INTERVAL] + 1
        t1 = min(t_start + k * h, t_end)
        if t_end - t1 < 0.01 * h:
            t1 = t_end  # a method would divide rounding errors of the joints by the square of a tiny last step
        part = t1 - t
        if run.calls[CHECK_EVENTS_CALL] != 0:
            part = next_part_length(run, t1 - t)
        is_full_step = part == t1 - t
        status, _error = step(s, w, kkt, stages, run, t, part, options)
        if status == OK:
            status = finish(s, w, kkt, run, t + part, options)
        if run.calls[CHECK_EVENTS_CALL] != 0:
            factor = check_events(s, w, start_kkt, run, t, part, order, options) if status == OK else 0.25
            if factor != 1.0 and part > MIN_EVENT_RATIO * h and (status == OK or part > 1e-6 * h):
                repeat_step(run, factor * part)
                continue
        if status != OK:
            run.count[RUN_STATUS] = status
            return True
        if run.calls[CHECK_EVENTS_CALL] != 0:
            # Generalized-alpha has its own accelerations, which must be kept for stiff beams.
            commit_events(s, w, start_kkt, run, t, part, options, not (s.flexible and kkt.take.size > 0))
            if run.touch_count[CONTACTS_CHANGED] != 0:
                run.clock[STEP_SIZE] = 0.0
        run.clock[TARGET_STEP_SIZE] = 0.0
        accept_step(run)
        run.clock[TIME] = t1 if is_full_step else t + part
        # The remainder is added to the next step.
        is_full_step = is_full_step or t1 - run.clock[TIME] < MIN_REMAINDER_RATIO * h
        run.count[STEP_COUNT] += 1
        run.clock[MIN_STEP_SIZE] = min(run.clock[MIN_STEP_SIZE], part)
        if is_full_step:
            run.count[GRID_INTERVAL] = k
        if every == 0 or (is_full_step and (k % every == 0 or t1 == t_end)):
            store_state(w, run, run.clock[TIME], part)
    return run.clock[TIME] >= t_end


@jit_compile
def repeat_step(run, h):
    """Request a repetition of the step from its start with another length."""
    run.clock[TARGET_STEP_SIZE] = h
    run.count[REJECTED_COUNT] += 1
    run.clock[STEP_SIZE] = 0.0  # invalidates the method's data from the rejected step


@inline_always
def march_adaptive(step, s, w, kkt, stages, run, options, t_end, output_step, estimate_order, h_max, max_steps):
    """Advance with steps chosen by an error estimate of order h^(estimate_order + 1) (PI control, Hairer & Wanner II,
    IV.2); outputs every `output_step`
    seconds by dense output, or at every accepted step if it is 0. True when t_end is reached or the run has failed."""
    if run.count[HAS_BEGUN] == 0:
        begin_run(s, w, kkt, run, options)
    for _ in range(max_steps):
        t = run.clock[TIME]
        if t >= t_end or run.count[RUN_STATUS] != OK:
            return True
        if is_buffer_full(run):
            return False
        h = min(run.clock[STEP_SIZE], h_max)
        last = t + 1.01 * h >= t_end
        if run.clock[TARGET_STEP_SIZE] > 0.0:
            h = run.clock[TARGET_STEP_SIZE]
            last = t + (1.0 + 1e-12) * h >= t_end
        if last:
            h = t_end - t
        if h < 1e-14 * max(abs(t), 1e-6 * abs(t_end)):
            run.count[RUN_STATUS] = STEP_TOO_SMALL
            return True
        status, error = step(s, w, kkt, stages, run, t, h, options)
        if status == OK and error <= 1.0:
            status = finish_step(s, w, kkt, run, t + h, options)
        if status != OK or error > 1.0 or math.isnan(error):
            run.count[REJECTED_COUNT] += 1
            # A step that cannot be computed is repeated with a shorter length; the run fails if no step is short enough.
            shrink = (
                0.25 if status != OK or math.isnan(error) else max(0.2, 0.9 * error ** (-1.0 / (estimate_order + 1)))
            )
            run.clock[STEP_SIZE] = h * shrink
            run.clock[TARGET_STEP_SIZE], run.touch_count[TARGET_CONTACT] = 0.0, -1
            run.clock[WAS_REJECTED] = 1.0
            if run.clock[STEP_SIZE] < 1e-13 * max(abs(t), 1e-3):
                run.count[RUN_STATUS] = status if status != OK else STEP_TOO_SMALL
                return True
            continue
        if run.calls[CHECK_EVENTS_CALL] != 0:
            factor = check_events(s, w, kkt, run, t, h, 0, options)
            if factor != 1.0:
                run.clock[TARGET_STEP_SIZE] = factor * h
                run.count[REJECTED_COUNT] += 1
                continue
        t1 = t_end if last else t + h
        if output_step > 0.0 and not store_between(s, w, kkt, run, t, h, t1, t_end, output_step, options):
            return False  # buffer full: the next call repeats the step with the same target
        run.clock[TARGET_STEP_SIZE] = 0.0
        run.count[STEP_COUNT] += 1
        run.clock[MIN_STEP_SIZE] = min(run.clock[MIN_STEP_SIZE], h)
        run.clock[MAX_STEP_SIZE] = max(run.clock[MAX_STEP_SIZE], h)
        if run.calls[CHECK_EVENTS_CALL] != 0:
            commit_events(s, w, kkt, run, t, h, options, True)
        accept_step(run)
        run.clock[TIME] = t1
        if output_step <= 0.0:
            store_state(w, run, t1, h)
        if not last:
            run.clock[STEP_SIZE] = h * step_growth(run, error, estimate_order + 1)
    return run.clock[TIME] >= t_end


@jit_compile
def step_growth(run, error, k):
    """Factor of the next step after an accepted one: proportional-integral control, Hairer & Wanner II, Eq (IV.2.43a)
    with alpha = 0.7 / k, beta = 0.4 / k, if the error is proportional to h^k; no growth right after a rejection.

    With the error of the last step alone, a third of the steps of a swinging four-bar at 1e-4 was rejected; now 8 %."""
    error = max(error, 1e-4)
    factor = 0.9 * error ** (-0.7 / k) * run.clock[LAST_ERROR] ** (0.4 / k)
    max_growth = 5.0 if run.clock[WAS_REJECTED] == 0.0 else 1.0
    run.clock[LAST_ERROR], run.clock[WAS_REJECTED] = error, 0.0
    return min(max_growth, max(0.2, factor))


@jit_compile
def output_time(run, k, t_end, output_step):
    """Time of the k-th output after the start: a multiple, not a sum, so that rounding does not accumulate; the last is
    t_end."""
    return t_end if k >= run.count[OUTPUT_COUNT] else min(run.clock[START_TIME] + k * output_step, t_end)


@jit_compile
def store_between(s, w, kkt, run, t, h, t1, t_end, output_step, options):
    """Store the output times inside the step from t to t1 = t + h: position and velocity by quintic Hermite interpolation
    between its ends, accelerations and reactions from the equations of motion there. Returns False and stores nothing if the
    buffer is too small."""
    reach = t1 + 1e-12 * h
    room = run.out_t.size - run.count[STORED_COUNT]
    waiting = run.count[OUTPUT_COUNT] - run.count[GRID_INTERVAL]
    if waiting > room and output_time(run, run.count[GRID_INTERVAL] + room + 1, t_end, output_step) <= reach:
        return False
    rows = min(waiting, room)
    if run.work.size > 0 and rows > 0 and output_time(run, run.count[GRID_INTERVAL] + 1, t_end, output_step) < t1:
        compute_inner_powers(s, w, kkt, run, t, h, options)
    for _ in range(rows):
        at, k = output_time(run, run.count[GRID_INTERVAL] + 1, t_end, output_step), run.count[STORED_COUNT]
        if at > reach:
            break
        q, v = run.out_q[k], run.out_v[k]
        interpolate_state(s, run, min((at - t) / h, 1.0), h, q, v, run.out_work[k])
        if options.project:
            restore_state(s, w, kkt, run, at, q, v)
        solve_accelerations(s, w, kkt, at, q, v, options.damp, options.stiff, run.out_a[k], run.out_lam[k])
        run.out_t[k] = at
        run.out_h[k] = h
        run.out_newton[k] = run.count[LAST_NEWTON_COUNT]
        copy_values(w.memory, run.out_memory[k])
        run.count[STORED_COUNT] = k + 1
        run.count[GRID_INTERVAL] += 1
    return True


@jit_compile
def compute_inner_powers(s, w, kkt, run, t, h, options):
    """Compute powers at 1/3 and 2/3 of the step; the memory of the next output is used for the states."""
    k = run.count[STORED_COUNT]
    q, v = run.out_q[k], run.out_v[k]
    for i in range(2):
        x = (i + 1) / 3.0
        interpolate_state(s, run, x, h, q, v, run.out_work[k])
        if options.project:
            restore_state(s, w, kkt, run, t + x * h, q, v)
        solve_accelerations(s, w, kkt, t + x * h, q, v, options.damp, options.stiff, run.out_a[k], run.out_lam[k])
        run.count[EVALUATION_COUNT] += 1
        evaluate_powers(s, w, q, v, run.out_lam[k])
        copy_values(w.power, run.inner_power[i])


@jit_compile
def interpolate_state(s, run, x, h, q, v, work):
    """Compute the state at the fraction x of the step. The works are interpolated by the quintic with the powers at 0, 1/3, 2/3
    and 1 as slopes, with error O(h^6).

    A cubic through the works and powers at the ends alone made the work-energy residual of driven mechanisms some 100
    times larger than the error of the motion."""
    interpolate_step_state(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, q, v)
    # Integrals over u = 3 x of Newton's polynomials with nodes 0, 1, 2, 3; the last one corrects the error of the three-eighths
    # rule for the work over the whole step.
    u = 3 * x
    i1, i2, i3 = u * u / 2, u * u * (u / 6 - 0.25), u * u * (u * u / 24 - u / 6 + 1 / 6)
    i4 = u * u * (u**3 / 5 - 1.5 * u * u + 11 * u / 3 - 3) / -0.9
    for k in range(work.size):
        p0, p1, p2, p3 = run.power[k], run.inner_power[0, k], run.inner_power[1, k], run.power1[k]
        missed = run.work1[k] - run.work[k] - h * (p0 + 3 * (p1 + p2) + p3) / 8
        smooth = u * p0 + i1 * (p1 - p0) + i2 * (p2 - 2 * p1 + p0) + i3 * (p3 - 3 * (p2 - p1) - p0)
        work[k] = run.work[k] + h / 3 * smooth + i4 * missed


@jit_compile
def error_norm(s, run, error_q, error_v, tolerance):
    """Largest error of a coordinate or velocity in units of its tolerance: tolerance (scale + |value|)."""
    worst = 0.0
    for i in range(s.n):
        worst = max(worst, abs(error_q[i]) / (run.scale[i] + abs(run.q1[i])))
        worst = max(worst, abs(error_v[i]) / (run.scale[i] + abs(run.v1[i])))
        if not math.isfinite(error_q[i] + error_v[i]):
            return math.inf
    return worst / tolerance
