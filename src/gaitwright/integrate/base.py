"""Integration methods, the record of a run, and the contract between a step and the loop that calls it.

The contract of step(s, w, kkt, stages, run, t, h, options) -> (status, error):

- it reads the state at t from run.q, run.v, run.a, run.lam, run.power, run.work and does not change them;
- it writes the state at t + h into run.q1, run.v1 and the works into run.work1;
- methods with `own_acceleration` also write run.a1, run.lam1, run.power1; for the others the loop evaluates them;
- status is OK or one of the codes below; error is the scaled error estimate (1 = at tolerance) or 0;
- it counts in run.count; it allocates nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gaitwright.contact.history import ContactHistory, allows_simultaneous_events, begin_history, history_shapes
from gaitwright.jit.pointer_records import Longs, Reals, Reals2
from gaitwright.mechanism.evaluation import contact_memory_size, power_count
from gaitwright.mechanism.tables import Array, MechanismTables

OK, DIVERGED, SINGULAR, NOT_FINITE, STEP_TOO_SMALL, UNPROJECTED, NO_IMPULSE = range(7)

# Entries of run.count. GRID_INTERVAL: number of completed intervals of the time grid: of the steps with fixed steps, otherwise
# of the outputs; their number is OUTPUT_COUNT.
(
    STEP_COUNT,
    REJECTED_COUNT,
    NEWTON_COUNT,
    FACTORISATION_COUNT,
    EVALUATION_COUNT,
    RUN_STATUS,
    FAILED_ROW,
    STORED_COUNT,
    LAST_NEWTON_COUNT,
    HAS_BEGUN,
    GRID_INTERVAL,
    EQUAL_STEP_COUNT,
    PREDICTS_POSITION,
    OUTPUT_COUNT,
) = range(14)


class IntegrationOptions(NamedTuple):
    """Settings of a run."""

    damp: float  # 2 alpha of Baumgarte
    stiff: float  # beta^2 of Baumgarte
    project: bool  # by the smallest change, or with partitioned coordinates: see IntegrationState.weight
    tolerance: float
    newton: float  # remaining change of a position relative to its scale, for generalized-alpha
    spectral_radius: float
    lemke: bool  # for moreau: pivoting, otherwise projected Gauss-Seidel
    midpoint: bool  # for moreau: velocities satisfy the joints at the midpoint of the step instead of its end


class IntegrationState(ContactHistory):
    """State, work arrays and counters of one run. No suffix: start of the step; suffix 1: its end."""

    clock: Reals  # t, h, start time, smallest and largest accepted step, last error, 1 after a rejection, target step size,
    # a time inside the last attempted step, estimated curvature for Newton's method, and step size of its stored factors
    count: Longs
    scale: Reals  # (n,) typical size of each coordinate
    q: Reals
    v: Reals
    a: Reals
    lam: Reals
    power: Reals
    work: Reals
    q1: Reals
    v1: Reals
    a1: Reals
    lam1: Reals
    power1: Reals
    work1: Reals
    stage_q: Reals2  # (stages, n + 1)
    stage_v: Reals2
    stage_a: Reals2
    stage_lam: Reals2  # (stages, m_all)
    aux: Reals2  # (6, n + 1) storage and work arrays of a method
    inner_power: Reals2  # (2, powers) at 1/3 and 2/3 of the step, for the works between its ends
    # outputs of the run
    out_t: Reals
    out_h: Reals
    out_newton: Longs
    out_q: Reals2
    out_v: Reals2
    out_a: Reals2
    out_lam: Reals2
    out_work: Reals2
    out_memory: Reals2
    weight: Reals  # of a projection with partitioned coordinates, see mechanism/coordinate_partitioning.py; empty: by M
    pivots: Reals  # of the multipliers at the last partitioning of the coordinates
    calls: Longs  # addresses of integrate/contact_callbacks.py; zero for models without contacts


(
    TIME,
    STEP_SIZE,
    START_TIME,
    MIN_STEP_SIZE,
    MAX_STEP_SIZE,
    LAST_ERROR,
    WAS_REJECTED,
    TARGET_STEP_SIZE,
    ATTEMPTED_TIME,
    NEWTON_CURVATURE,
    FACTORED_STEP_SIZE,
) = range(11)


def new_integration_state(
    s: MechanismTables, n_stages: int, capacity: int, scale: Array, partitioned: bool = False
) -> IntegrationState:
    """Zeroed record with space for `capacity` output times. scale: typical size of each coordinate, (n,). partitioned: see
    mechanism/coordinate_partitioning.py."""
    sizes = (s.n + 1, s.m_all, power_count(s), contact_memory_size(s), s.contacts.count, n_stages, capacity)
    run = _template_state(
        *sizes, allows_simultaneous_events(s.contacts), s.mass.size if partitioned else 0, s.m
    ).fresh()
    run.scale[:] = scale
    run.clock[MIN_STEP_SIZE], run.clock[LAST_ERROR] = np.inf, 1.0
    begin_history(run)
    return run


@functools.lru_cache(maxsize=64)
def _template_state(
    n: int,
    m: int,
    p: int,
    memory: int,
    contacts: int,
    n_stages: int,
    capacity: int,
    crowds: bool,
    weights: int,
    rows: int,
) -> IntegrationState:
    """Template from which runs of these sizes create fresh records. Its memory is never accessed, so none is allocated."""
    return IntegrationState(
        clock=11,
        count=14,
        scale=n - 1,
        **dict.fromkeys(("q", "v", "a", "q1", "v1", "a1"), n),
        **dict.fromkeys(("lam", "lam1"), m),
        **dict.fromkeys(("power", "work", "power1", "work1"), p),
        **dict.fromkeys(("stage_q", "stage_v", "stage_a"), (n_stages, n)),
        stage_lam=(n_stages, m),
        aux=(6, n),
        inner_power=(2, p),
        **dict.fromkeys(("out_t", "out_h", "out_newton"), capacity),
        **dict.fromkeys(("out_q", "out_v", "out_a"), (capacity, n)),
        out_lam=(capacity, m),
        out_work=(capacity, p),
        out_memory=(capacity, memory),
        weight=weights,
        pivots=rows if weights else 0,
        calls=2,
        crowds=int(crowds),
        **history_shapes(n, contacts),
    )


@dataclass(frozen=True)
class IntegrationMethod:
    """Registered method. order: of position and velocity. advance: compiled loop around the step of the method.
    estimate_order: of an adaptive method, exponent of the step in its error estimate, less one."""

    name: str
    order: int
    adaptive: bool
    summary: str
    advance: Callable[..., Any]
    stages: int = 1
    coupled_stages: int = 0  # size of the implicit stage system, 0: none
    tangent: bool = False  # needs the KKT system with the tangent pattern
    own_acceleration: bool = False
    default_step: float = 1e-3
    estimate_order: int = 0
    stable: tuple[float, float] | None = None
    """Stability limits of an explicit method with fixed steps along the imaginary and the negative real axis."""
    workspace: Callable[[MechanismTables], Any] | None = (
        None  # factory of a separate workspace; such a method treats contacts as rigid
    )


METHODS: dict[str, IntegrationMethod] = {}


def register_method(method: IntegrationMethod) -> IntegrationMethod:
    """Add a method to METHODS and return it."""
    METHODS[method.name] = method
    return method
