"""Event checks of contacts and of forces that begin and end, called by address from the loops around a step, so that models
without such events do not compile them."""

from __future__ import annotations

import functools
from typing import Any

from gaitwright.contact.events import check_contact_events, commit_contact_events
from gaitwright.contact.force_events import check_force_events
from gaitwright.contact.history import record_step
from gaitwright.integrate.base import IntegrationState
from gaitwright.jit import compile_cfunc
from gaitwright.jit.address_calls import record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.jit.precompilation import PrecompileTask
from gaitwright.mechanism.evaluation import EvaluationWorkspace
from gaitwright.mechanism.history_parts import store_force_histories
from gaitwright.mechanism.kkt import KktSystem
from gaitwright.mechanism.tables import MechanismTables

system_at_address = record_from_address(MechanismTables.packed_type)
work_at_address = record_from_address(EvaluationWorkspace.packed_type)
kkt_at_address = record_from_address(KktSystem.packed_type)
state_at_address = record_from_address(IntegrationState.packed_type)
state_without_crowds_at_address = record_from_address(IntegrationState.packed_type.knowing(crowds=0))
ADDRESS_TYPE, REAL_TYPE = types.int64, types.float64
CHECK_EVENTS_CALL, COMMIT_EVENTS_CALL = range(2)


def _check_events(system, work, kkt, run, t, h, order, tolerance):
    r = state_without_crowds_at_address(run)
    r.verdict[0] = check_contact_events(
        system_at_address(system), work_at_address(work), kkt_at_address(kkt), r, t, h, order, tolerance
    )


def _check_crowd_events(system, work, kkt, run, t, h, order, tolerance):
    """The same for many contacts."""
    r = state_at_address(run)
    r.verdict[0] = check_contact_events(
        system_at_address(system), work_at_address(work), kkt_at_address(kkt), r, t, h, order, tolerance
    )


def _check_all_events(system, work, kkt, run, t, h, order, tolerance):
    """The same for forces that begin and end, with or without contacts."""
    s, w, r = system_at_address(system), work_at_address(work), state_at_address(run)
    r.verdict[0] = check_force_events(s, w, r, h)
    if r.verdict[0] == 1.0 and s.contacts.count > 0:
        r.verdict[0] = check_contact_events(s, w, kkt_at_address(kkt), r, t, h, order, tolerance)


def _commit_events(system, work, run, t, h):
    s, w, r = system_at_address(system), work_at_address(work), state_without_crowds_at_address(run)
    record_step(s, w, r, t, h)
    commit_contact_events(s, w, r, t + h, h)


def _commit_all_events(system, work, run, t, h):
    """The same for many contacts or possibly none, and for forces."""
    s, w, r = system_at_address(system), work_at_address(work), state_at_address(run)
    store_force_histories(s, w, r.q1, r.v1)
    if s.contacts.count > 0:
        record_step(s, w, r, t, h)
        commit_contact_events(s, w, r, t + h, h)


def callback_pieces(forces: bool = False, crowds: bool = False) -> list[PrecompileTask]:
    """Compilation tasks in the order of CHECK_EVENTS_CALL, COMMIT_EVENTS_CALL. forces: True for forces that begin and end;
    crowds: True for many contacts."""
    return [
        PrecompileTask(
            _check_all_events if forces else _check_crowd_events if crowds else _check_events,
            types.void(
                ADDRESS_TYPE, ADDRESS_TYPE, ADDRESS_TYPE, ADDRESS_TYPE, REAL_TYPE, REAL_TYPE, types.int64, REAL_TYPE
            ),
            pointer=True,
        ),
        PrecompileTask(
            _commit_all_events if forces or crowds else _commit_events,
            types.void(ADDRESS_TYPE, ADDRESS_TYPE, ADDRESS_TYPE, REAL_TYPE, REAL_TYPE),
            pointer=True,
        ),
    ]


@functools.cache
def compile_callbacks(forces: bool = False, crowds: bool = False) -> tuple[Any, ...]:
    """Compiled functions, cached so that their addresses stay valid."""
    return tuple(compile_cfunc(piece.function, piece.signature) for piece in callback_pieces(forces, crowds))
