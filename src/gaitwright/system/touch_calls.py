"""The contact path, compiled for the plane and for space, whichever a model needs.

One source text, but compiled for a type of System that knows its dimension (compiled/known.py): all loops over components
have fixed lengths, and what only the other dimension needs is left out. Everything but the tangents is one function, asked
for one thing or another: so what these have in common is compiled once.
"""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from gaitwright.compiled import compiled_pointer
from gaitwright.derive.interface import twist_size
from gaitwright.system.evaluate import CONTACT_FORCES, CONTACT_POWERS, Work
from gaitwright.system.invoke import viewer
from gaitwright.system.tables import Contacts, System
from gaitwright.system.touch import ADVANCE, BEGIN, OBSERVE, OBSERVE_WATCHED, PRESS, SLIDE, TOUCH
from gaitwright.system.touch_forces import (
    add_forces,
    add_powers,
    advance,
    begin,
    observe,
    press,
    slide,
    touch,
)
from gaitwright.system.touch_tangents import add_tangents

REALS, ADDRESS = types.CPointer(types.float64), types.int64
ASKED = types.void(ADDRESS, ADDRESS, REALS, REALS, REALS)
TANGENTS = types.void(ADDRESS, ADDRESS, REALS, REALS)


def forces_address(dimension: int, placed: bool, deforms: bool) -> int:
    """Of everything but the tangents."""
    return _forces(dimension, placed, deforms).address


def tangents_address(dimension: int, placed: bool, deforms: bool) -> int:
    return _tangents(dimension, placed, deforms).address


def system_type(dimension: int, placed: bool, deforms: bool) -> Any:
    """The type of systems whose contacts have this dimension. placed: whether any pose is in the variables of markers;
    deforms: whether any surface does."""
    known = Contacts.packed_type.knowing(
        dimension=dimension, twist=twist_size(dimension), placed=int(placed), deforms=int(deforms)
    )
    return System.packed_type.knowing(contacts=known)


@functools.cache  # kept in memory as long as their addresses may be in use
def _forces(dimension: int, placed: bool, deforms: bool) -> Any:
    as_system, as_work = viewer(system_type(dimension, placed, deforms)), viewer(Work.packed_type)

    def contact(system, work, q, v, out):
        s, w = as_system(system), as_work(work)
        what, c, other = w.asked[0], w.asked[1], w.asked[2]
        if what == TOUCH:
            touch(s, w, c, q, v)
        elif what == CONTACT_FORCES:
            add_forces(s, w, q, v, out)
        elif what == OBSERVE:
            observe(s, w, c, other, False, q, v, out)
        elif what == OBSERVE_WATCHED:
            observe(s, w, c, other, True, q, v, out)
        elif what == PRESS:
            press(s, w, c, w.part[0], out)
        elif what == CONTACT_POWERS:
            add_powers(s, w, q, v, out)
        elif what == SLIDE:
            slide(s, w, c)
        elif what == BEGIN:
            begin(s, w, c, other, q, v)
        elif what == ADVANCE:
            advance(s, w, c, q, v)

    return compiled_pointer(contact, ASKED)


@functools.cache
def _tangents(dimension: int, placed: bool, deforms: bool) -> Any:
    as_system, as_work = viewer(system_type(dimension, placed, deforms)), viewer(Work.packed_type)

    def contact_tangents(system, work, q, v):
        add_tangents(as_system(system), as_work(work), q, v)

    return compiled_pointer(contact_tangents, TANGENTS)
