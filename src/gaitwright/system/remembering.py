"""Parts whose forces depend on what was before: who tells them where an analysis begins and where steps end. In compiled code
their elements have a kernel of their own for that, `keep`. (What contacts remember is in their own memory.)"""

from __future__ import annotations

from collections.abc import Iterator

from gaitwright.compiled import compiled
from gaitwright.system.batch_calls import COUNT, DOF, KEEP, PAR, SIG
from gaitwright.system.chain import moving
from gaitwright.system.invoke import invoke
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.base import Part
from gaitwright.system.tables import Array


def remembering(mechanism: Mechanism) -> list[Part]:
    return [part for part in mechanism.parts.values() if part.remembers]


def begin_memory(mechanism: Mechanism, q: Array, t: float) -> None:
    for part in remembering(mechanism):
        part.begin(q, t)


def begin_again(mechanism: Mechanism) -> None:
    """Where the last analysis began."""
    for part in remembering(mechanism):
        part.begin_again()


def step_ended(mechanism: Mechanism, q: Array, t: float) -> None:
    for part in remembering(mechanism):
        part.remember(q, t)


def walk(mechanism: Mechanism, t: Array, q: Array) -> Iterator[int]:
    """The rows of states in the order of time, each with the memory of those before it."""
    for k in range(t.size):
        if k == 0:
            begin_again(mechanism)
        yield k
        step_ended(mechanism, q[k], float(t[k]))


@compiled
def keep_forces(s, w, q, v):
    """A step that stands has ended here: forces that remember do so."""
    b, first = s.chain.forces, True
    for k in range(b.table.shape[0]):
        e = b.table[k]
        if e[KEEP] != 0:
            if first:
                moving(s, w, q, v)
                first = False
            invoke(e[KEEP], (e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], w.x, w.x_v, w.u, w.x_v))
