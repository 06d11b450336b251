"""Parts whose forces depend on what was before: who tells them where an analysis begins and where steps end. (In time
integration that is compiled: contact/force_events.py. What contacts remember is in their own memory.)"""

from __future__ import annotations

from collections.abc import Iterator

from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.base import Part
from gaitwright.system.tables import Array


def remembering(mechanism: Mechanism) -> list[Part]:
    return [part for part in mechanism.parts.values() if part.remembers]


def begin_memory(mechanism: Mechanism, q: Array, t: float) -> None:
    for part in remembering(mechanism):
        part.begin(q, t)


def step_ended(mechanism: Mechanism, q: Array, t: float) -> None:
    for part in remembering(mechanism):
        part.remember(q, t)


def walk(mechanism: Mechanism, t: Array, q: Array) -> Iterator[int]:
    """The rows of states in the order of time, each with the memory of those before it."""
    for k in range(t.size):
        if k == 0:
            for part in remembering(mechanism):
                part.begin_again()
        yield k
        step_ended(mechanism, q[k], float(t[k]))
