"""Compiled contact functions for the plane and for space; only the variant that a model needs is compiled.

There is one source text, compiled for a type of tables with known dimension (jit/constant_types.py): all loops over components
have fixed lengths, and code for the other dimension is left out. All requests except tangents share one function, so that their
common code is compiled once.
"""

from __future__ import annotations

import functools
from typing import Any

from gaitwright.contact.forces import (
    add_forces,
    add_powers,
    apply_contact_force,
    compute_contact_force,
    compute_step_slip,
    finish_contact_step,
    observe_range,
    start_contact,
)
from gaitwright.contact.state import (
    ADVANCE_REQUEST,
    BEGIN_REQUEST,
    OBSERVE_REQUEST,
    OBSERVE_WATCHED_REQUEST,
    PRESS_REQUEST,
    SLIDE_REQUEST,
    TOUCH_REQUEST,
)
from gaitwright.contact.tangents import add_tangents
from gaitwright.derive.kernel_interface import twist_size
from gaitwright.jit import compile_cfunc
from gaitwright.jit.address_calls import record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.mechanism.evaluation import FORCES_REQUEST, POWERS_REQUEST, EvaluationWorkspace
from gaitwright.mechanism.tables import ContactTables, MechanismTables

REALS_POINTER, ADDRESS_TYPE = types.CPointer(types.float64), types.int64
FORCES_SIGNATURE = types.void(ADDRESS_TYPE, ADDRESS_TYPE, REALS_POINTER, REALS_POINTER, REALS_POINTER)
TANGENTS_SIGNATURE = types.void(ADDRESS_TYPE, ADDRESS_TYPE, REALS_POINTER, REALS_POINTER)


def forces_address(dimension: int, placed: bool, deforms: bool) -> int:
    """Address of the function for all requests except tangents."""
    return _compile_forces(dimension, placed, deforms).address


def tangents_address(dimension: int, placed: bool, deforms: bool) -> int:
    """Address of the function for tangents."""
    return _compile_tangents(dimension, placed, deforms).address


def contact_tables_type(dimension: int, placed: bool, deforms: bool) -> Any:
    """Type of tables with contacts of this dimension. placed: True if any pose uses marker variables; deforms: True if any
    surface is deformable."""
    contacts_type = ContactTables.packed_type.knowing(
        dimension=dimension, twist=twist_size(dimension), placed=int(placed), deforms=int(deforms)
    )
    return MechanismTables.packed_type.knowing(contacts=contacts_type)


@functools.cache  # kept in memory as long as their addresses may be in use
def _compile_forces(dimension: int, placed: bool, deforms: bool) -> Any:
    as_system = record_from_address(contact_tables_type(dimension, placed, deforms))
    as_work = record_from_address(EvaluationWorkspace.packed_type)

    def contact(system, work, q, v, out):
        s, w = as_system(system), as_work(work)
        request, c, argument = w.asked[0], w.asked[1], w.asked[2]
        if request == TOUCH_REQUEST:
            compute_contact_force(s, w, c, q, v)
        elif request == FORCES_REQUEST:
            add_forces(s, w, q, v, out)
        elif request == OBSERVE_REQUEST:
            observe_range(s, w, c, argument, False, q, v, out)
        elif request == OBSERVE_WATCHED_REQUEST:
            observe_range(s, w, c, argument, True, q, v, out)
        elif request == PRESS_REQUEST:
            apply_contact_force(s, w, c, w.part[0], out)
        elif request == POWERS_REQUEST:
            add_powers(s, w, q, v, out)
        elif request == SLIDE_REQUEST:
            compute_step_slip(s, w, c)
        elif request == BEGIN_REQUEST:
            start_contact(s, w, c, argument, q, v)
        elif request == ADVANCE_REQUEST:
            finish_contact_step(s, w, c, q, v)

    return compile_cfunc(contact, FORCES_SIGNATURE)


@functools.cache
def _compile_tangents(dimension: int, placed: bool, deforms: bool) -> Any:
    as_system = record_from_address(contact_tables_type(dimension, placed, deforms))
    as_work = record_from_address(EvaluationWorkspace.packed_type)

    def contact_tangents(system, work, q, v):
        add_tangents(as_system(system), as_work(work), q, v)

    return compile_cfunc(contact_tangents, TANGENTS_SIGNATURE)
