"""Parts with forces that depend on the past: notification of the start of an analysis and of each accepted step. In compiled
code their elements have a kernel `keep` for this. (The history of contacts is in their own memory.)"""

from __future__ import annotations

from collections.abc import Iterator

from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.mechanism.batch_kernels import COUNT_COLUMN, DOF_COLUMN, KEEP_KERNEL, PAR_COLUMN, SIG_COLUMN
from gaitwright.mechanism.marker_chain import compute_variable_motion
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.base import Part
from gaitwright.mechanism.tables import Array


def parts_with_history(mechanism: Mechanism) -> list[Part]:
    """Parts with forces that depend on the history."""
    return [part for part in mechanism.parts.values() if part.remembers]


def begin_histories(mechanism: Mechanism, q: Array, t: float) -> None:
    """Start the histories of all parts in a pose."""
    for part in parts_with_history(mechanism):
        part.begin(q, t)


def restart_histories(mechanism: Mechanism) -> None:
    """Reset the parts to the start of the last analysis."""
    for part in parts_with_history(mechanism):
        part.restart()


def record_step_end(mechanism: Mechanism, q: Array, t: float) -> None:
    """Record the end of an accepted step in all parts."""
    for part in parts_with_history(mechanism):
        part.remember(q, t)


def iterate_states(mechanism: Mechanism, t: Array, q: Array) -> Iterator[int]:
    """Iterate over the rows of states in the order of time, each with the history of those before it."""
    for k in range(t.size):
        if k == 0:
            restart_histories(mechanism)
        yield k
        record_step_end(mechanism, q[k], float(t[k]))


@jit_compile
def store_force_histories(s, w, q, v):
    """Store the history of forces at the end of an accepted step."""
    b, first = s.chain.forces, True
    for k in range(b.table.shape[0]):
        e = b.table[k]
        if e[KEEP_KERNEL] != 0:
            if first:
                compute_variable_motion(s, w, q, v)
                first = False
            dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
            sig = b.sig[e[SIG_COLUMN] :]
            call_address(e[KEEP_KERNEL], (e[COUNT_COLUMN], dof, par, sig, w.x, w.x_v, w.u, w.x_v))
