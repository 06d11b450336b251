"""What the loops around a step ask about contacts, called through addresses: models without contacts do not compile it."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from gaitwright.compiled import compiled_pointer
from gaitwright.compiled.ahead import Piece
from gaitwright.contact.events import settle, watch
from gaitwright.contact.history import record
from gaitwright.integrate.base import Run
from gaitwright.system.invoke import viewer
from gaitwright.system.kkt import Kkt
from gaitwright.system.touch import as_system, as_work

as_kkt, as_run = viewer(Kkt), viewer(Run)
ADDRESS, REAL = types.int64, types.float64
WATCH, SETTLE = range(2)


def _watch(system, work, kkt, run, t, h, order, tolerance):
    r = as_run(run)
    r.verdict[0] = watch(as_system(system), as_work(work), as_kkt(kkt), r, t, h, order, tolerance)


def _settle(system, work, run, t, h):
    s, w, r = as_system(system), as_work(work), as_run(run)
    record(s, w, r, t, h)
    settle(s, w, r, t + h)


def pieces() -> list[Piece]:
    """What there is to compile, in the order of WATCH, SETTLE."""
    return [
        Piece(_watch, types.void(ADDRESS, ADDRESS, ADDRESS, ADDRESS, REAL, REAL, types.int64, REAL), pointer=True),
        Piece(_settle, types.void(ADDRESS, ADDRESS, ADDRESS, REAL, REAL), pointer=True),
    ]


@functools.cache
def calls() -> tuple[Any, ...]:
    """The compiled functions, kept in memory as long as their addresses may be in use."""
    return tuple(compiled_pointer(piece.function, piece.signature) for piece in pieces())
