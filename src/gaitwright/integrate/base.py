"""What a method is, what a run records, and the contract between a step and the loop that calls it.

The contract of step(s, w, kkt, stages, run, t, h, options) -> (status, error):

- it reads the state at t from run.q, run.v, run.a, run.lam, run.power, run.work and leaves them alone;
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

from gaitwright.contact.history import History, begin_history, has_crowds, history_shapes
from gaitwright.system.evaluate import memory_size, power_count
from gaitwright.system.packed import Longs, Reals, Reals2
from gaitwright.system.tables import Array, System

OK, DIVERGED, SINGULAR, NOT_FINITE, STEP_TOO_SMALL, UNPROJECTED, NO_IMPULSE = range(7)

# Entries of run.count. GRID: intervals of the grid of times that are passed: with fixed steps that of the steps, otherwise that
# of the outputs, of which there are OUTPUTS.
(
    STEPS,
    REJECTED,
    NEWTON,
    FACTORISATIONS,
    EVALUATIONS,
    STATUS,
    WHERE,
    STORED,
    LAST_NEWTON,
    BEGUN,
    GRID,
    ALIKE,
    BY_POSITION,
    OUTPUTS,
) = range(14)


class Options(NamedTuple):
    """Numbers that steer a run."""

    damp: float  # 2 alpha of Baumgarte
    stiff: float  # beta^2 of Baumgarte
    project: bool  # by the smallest change, or with partitioned coordinates: see Run.weight
    tolerance: float
    newton: float  # remaining change of a position relative to its scale, for generalized-alpha
    spectral_radius: float
    lemke: bool  # for moreau: pivoting, otherwise projected Gauss-Seidel
    midpoint: bool  # for moreau: velocities satisfy the joints at the midpoint of the step instead of its end


class Run(History):
    """State, scratch and counters of one run. Index 0 (no suffix): begin of the step, 1: its end."""

    clock: Reals  # t, h, start time, smallest and largest accepted step, last error, whether it was rejected, aim,
    # a time inside the step attempted last, what Newton has learnt about its convergence, and for which step it has factors
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
    aux: Reals2  # (6, n + 1) whatever a method needs to keep or to compute with
    inner_power: Reals2  # (2, powers) at 1/3 and 2/3 of the step, for the works between its ends
    # what is kept of the run
    out_t: Reals
    out_h: Reals
    out_newton: Longs
    out_q: Reals2
    out_v: Reals2
    out_a: Reals2
    out_lam: Reals2
    out_work: Reals2
    out_memory: Reals2
    weight: Reals  # measure of a projection that is not by M, see system/partition.py; empty otherwise
    pivots: Reals  # of the multipliers when the coordinates were partitioned last
    calls: Longs  # addresses of integrate/through_contact.py; zero for models without contacts


T, H, START, SMALLEST, LARGEST, LAST_ERROR, RETRIED, AIM, ATTEMPTED, CURVATURE, FACTORS_FOR = range(11)


def new_run(s: System, n_stages: int, capacity: int, scale: Array, partitioned: bool = False) -> Run:
    """Zeroed record with room for `capacity` output times. partitioned: see system/partition.py."""
    sizes = (s.n + 1, s.m_all, power_count(s), memory_size(s), s.contacts.count, n_stages, capacity)
    run = _first_run(*sizes, has_crowds(s.contacts), s.mass.size if partitioned else 0, s.m).fresh()
    run.scale[:] = scale
    run.clock[SMALLEST], run.clock[LAST_ERROR] = np.inf, 1.0
    begin_history(run)
    return run


@functools.lru_cache(maxsize=64)
def _first_run(
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
) -> Run:
    """The record of which runs of these sizes take fresh ones. Its own memory is never touched, so that it takes none."""
    return Run(
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
class Method:
    """A registered method. `order` is that of position and velocity; `advance` is the compiled loop around its step."""

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
    stable: tuple[float, float] | None = None
    """Of an explicit method with fixed steps: how far it is stable along the imaginary and the negative real axis."""
    workspace: Callable[[System], Any] | None = None  # scratch of its own; such a method treats contacts as rigid


METHODS: dict[str, Method] = {}


def register(method: Method) -> Method:
    METHODS[method.name] = method
    return method
