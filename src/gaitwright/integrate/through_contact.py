"""What the loops around a step ask about contacts, and about forces that begin and end, called through addresses: models
without them do not compile it."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from gaitwright.compiled import compiled_pointer
from gaitwright.compiled.ahead import Piece
from gaitwright.contact.events import settle, watch
from gaitwright.contact.force_events import watch_forces
from gaitwright.contact.history import record
from gaitwright.integrate.base import Run
from gaitwright.system.evaluate import Work
from gaitwright.system.invoke import viewer
from gaitwright.system.kkt import Kkt
from gaitwright.system.remembering import keep_forces
from gaitwright.system.tables import System

as_system, as_work = viewer(System.packed_type), viewer(Work.packed_type)
as_kkt, as_run = viewer(Kkt.packed_type), viewer(Run.packed_type)
as_run_without_crowds = viewer(Run.packed_type.knowing(crowds=0))
ADDRESS, REAL = types.int64, types.float64
WATCH, SETTLE = range(2)


def _watch(system, work, kkt, run, t, h, order, tolerance):
    r = as_run_without_crowds(run)
    r.verdict[0] = watch(as_system(system), as_work(work), as_kkt(kkt), r, t, h, order, tolerance)


def _watch_crowds(system, work, kkt, run, t, h, order, tolerance):
    """The same of many contacts."""
    r = as_run(run)
    r.verdict[0] = watch(as_system(system), as_work(work), as_kkt(kkt), r, t, h, order, tolerance)


def _watch_all(system, work, kkt, run, t, h, order, tolerance):
    """The same where forces begin and end, with or without contacts."""
    s, w, r = as_system(system), as_work(work), as_run(run)
    r.verdict[0] = watch_forces(s, w, r, h)
    if r.verdict[0] == 1.0 and s.contacts.count > 0:
        r.verdict[0] = watch(s, w, as_kkt(kkt), r, t, h, order, tolerance)


def _settle(system, work, run, t, h):
    s, w, r = as_system(system), as_work(work), as_run_without_crowds(run)
    record(s, w, r, t, h)
    settle(s, w, r, t + h, h)


def _settle_all(system, work, run, t, h):
    """The same of many contacts, or where there may be none; and of forces."""
    s, w, r = as_system(system), as_work(work), as_run(run)
    keep_forces(s, w, r.q1, r.v1)
    if s.contacts.count > 0:
        record(s, w, r, t, h)
        settle(s, w, r, t + h, h)


def pieces(forces: bool = False, crowds: bool = False) -> list[Piece]:
    """What there is to compile, in the order of WATCH, SETTLE. forces: whether some begin and end; crowds: whether contacts
    are many."""
    return [
        Piece(
            _watch_all if forces else _watch_crowds if crowds else _watch,
            types.void(ADDRESS, ADDRESS, ADDRESS, ADDRESS, REAL, REAL, types.int64, REAL),
            pointer=True,
        ),
        Piece(
            _settle_all if forces or crowds else _settle,
            types.void(ADDRESS, ADDRESS, ADDRESS, REAL, REAL),
            pointer=True,
        ),
    ]


@functools.cache
def calls(forces: bool = False, crowds: bool = False) -> tuple[Any, ...]:
    """The compiled functions, kept in memory as long as their addresses may be in use."""
    return tuple(compiled_pointer(piece.function, piece.signature) for piece in pieces(forces, crowds))
